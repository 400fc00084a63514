"""The routes, on aiohttp's server. Read-only: nothing here changes the store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from aiohttp import web

from recrawler.errors import UsageError
from recrawler.store import Store
from recrawler.web.views import metrics, status_page

STORE = web.AppKey("store", Store)


@asynccontextmanager
async def serve(address: str, store: Store) -> AsyncIterator[int]:
    """Serve on HOST:PORT until the block ends; gives the port. Raises `UsageError` where it cannot."""
    host, _, port = address.rpartition(":")
    if not port.isdigit() or int(port) > 65535:
        raise UsageError(f"--web {address}: write HOST:PORT, such as 127.0.0.1:8080")
    app = web.Application()
    app[STORE] = store
    app.add_routes([web.get("/", _status), web.get("/metrics", _metrics), web.get("/health", _health)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host.strip("[]") or "127.0.0.1", int(port))
        await site.start()
        yield int(runner.addresses[0][1])
    except OSError as e:
        raise UsageError(f"--web {address}: cannot listen there: {e.strerror or e}") from None
    finally:
        await runner.cleanup()


async def _status(request: web.Request) -> web.Response:
    store = request.app[STORE]
    now = datetime.now(UTC)
    text = status_page(store.figures(now), list(store.indexes()), list(store.visits(limit=20)), now)
    return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-store"})


async def _metrics(request: web.Request) -> web.Response:
    text = metrics(request.app[STORE].figures(datetime.now(UTC)))
    return web.Response(body=text.encode(), headers={"Content-Type": "text/plain; version=0.0.4"})


async def _health(request: web.Request) -> web.Response:
    request.app[STORE].next_due()  # a store that cannot be read answers 500
    return web.Response(text="ok\n")
