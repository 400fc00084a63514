"""The routes, on aiohttp's server. Read-only: nothing here changes the store."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from recrawler.engine.pulse import Pulse
from recrawler.errors import StoreError, UsageError
from recrawler.store import Store
from recrawler.web.metrics import metrics
from recrawler.web.views import status_page

STORE = web.AppKey("store", Store)
PULSE = web.AppKey("pulse", Pulse)
FEEDS = web.AppKey[Path | None]("feeds")
FEED_TYPES = {".atom": "application/atom+xml", ".json": "application/feed+json"}
SHOWN = 100  # index pages on the status page: those that need attention, then those that come next


def _folder(feeds: str) -> Path | None:
    return Path(feeds).expanduser() if feeds else None


@asynccontextmanager
async def serve(address: str, store: Store, pulse: Pulse, feeds: str = "") -> AsyncIterator[int]:
    """Serve on HOST:PORT until the block ends; gives the port. `feeds`: folder of feed files, served below
    /feeds/. Raises `UsageError` where it cannot."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise UsageError(f"--web {address}: write HOST:PORT, such as 127.0.0.1:8080")
    app = web.Application()
    app[STORE], app[PULSE], app[FEEDS] = store, pulse, _folder(feeds)
    routes = {
        "/": _status,
        "/metrics": _metrics,
        "/health": _health,
        "/ready": _ready,
        "/feeds/{name}": _feed,
    }
    app.add_routes([web.get(path, handler) for path, handler in routes.items()])
    logging.getLogger("aiohttp.server").addFilter(_is_ours)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host.strip("[]") or "127.0.0.1", int(port))
        try:
            await site.start()
        except OSError as e:
            raise UsageError(f"--web {address}: cannot listen there: {e.strerror or e}") from None
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether an error is one of our own: what others send that is no HTTP is no line of the log."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError)


async def _status(request: web.Request) -> web.Response:
    store = request.app[STORE]
    now = datetime.now(UTC)
    text = status_page(
        store.figures(now), request.app[PULSE], store.overview(SHOWN), list(store.visits(limit=20)),
        store.next_due(), now,
    )  # fmt: skip
    return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-store"})


async def _metrics(request: web.Request) -> web.Response:
    store, now = request.app[STORE], datetime.now(UTC)
    text = metrics(store.figures(now), request.app[PULSE], store.next_due(), now)
    return web.Response(body=text.encode(), headers={"Content-Type": "text/plain; version=0.0.4"})


async def _feed(request: web.Request) -> web.StreamResponse:
    """A feed file, with ETag and Last-Modified; the names are those of `sinks.feeds`."""
    folder, name = request.app[FEEDS], request.match_info["name"]
    kind = FEED_TYPES.get(Path(name).suffix)
    if folder is None or kind is None or not _holds(folder, name):
        raise web.HTTPNotFound()
    return web.FileResponse(folder / name, headers={"Content-Type": f"{kind}; charset=utf-8"})


def _holds(folder: Path, name: str) -> bool:
    """Whether the folder itself, none below or above it, has a file of that name."""
    try:
        return Path(name).name == name and (folder / name).is_file()
    except OSError:  # no file can have such a name
        return False


async def _health(request: web.Request) -> web.Response:
    """Whether this process does its work; 503: start it anew."""
    return _answer(request.app[PULSE].sick, "ok")


async def _ready(request: web.Request) -> web.Response:
    """Whether index pages are visited at present: the database can be read and the last tick could claim."""
    why = request.app[PULSE].unready
    if not why:
        try:
            request.app[STORE].next_due()
        except StoreError as e:
            why = str(e)
    return _answer(why, "ready")


def _answer(why: str, good: str) -> web.Response:
    status = 503 if why else 200
    return web.Response(text=f"{why or good}\n", status=status, headers={"Cache-Control": "no-store"})
