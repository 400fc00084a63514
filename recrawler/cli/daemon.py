"""The command that runs the daemon: its log, its signals, and what the service manager is told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from recrawler.cli import logs
from recrawler.cli.app import App, command
from recrawler.cli.signals import Signals
from recrawler.errors import SettingsError
from recrawler.records import Visit
from recrawler.settings import parse_budget

if TYPE_CHECKING:
    from recrawler.engine.local import LocalEngine
    from recrawler.engine.notify import Notifier

log = logging.getLogger("recrawler")

LAST_RESORT = 4.5  # seconds after SIGTERM at which the process ends whatever hangs


@command("run")
@click.option("--web", metavar="HOST:PORT", help="Serve a status page at / and metrics at /metrics.")
@click.option("--once", is_flag=True, help="Visit what is due, then stop.")
@click.option("--budget", metavar="N/h", help="Requests that may be made: 5000/h, 100/min, 20000/d, polite.")
@click.option("--log-format", type=click.Choice(logs.FORMATS), help="How the log is written. [text]")
@click.option("--log-level", type=click.Choice(logs.LEVELS), help="What is worth a line. [info]")
@click.option("-v", "--verbose", is_flag=True, help="Log more: --log-level debug.")
def run(
    app: App,
    web: str | None,
    once: bool,
    budget: str | None,
    log_format: str | None,
    log_level: str | None,
    verbose: bool,
) -> int:
    """The daemon: visit every index when it is due, until stopped. SIGTERM or Ctrl-C ends it."""
    given: dict[str, Any] = {"log_format": log_format, "log_level": "debug" if verbose else log_level}
    if budget is not None:
        given |= {"budget": parse_budget(budget), "price": 0.0}
    app.put_before({name: value for name, value in given.items() if value is not None})
    daemon = Daemon(app)
    with Signals((signal.SIGTERM, signal.SIGINT, signal.SIGHUP), daemon.take):
        daemon.run(web, once)
    return 0


class Daemon:
    """One run of the daemon, as its process sees it."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._loop: asyncio.AbstractEventLoop | None = None
        self._engine: LocalEngine | None = None
        self._notifier: Notifier | None = None
        self._stop = threading.Event()
        self._terminal = sys.stderr.isatty()

    def run(self, web: str | None, once: bool) -> None:
        from recrawler.engine.notify import Notifier
        from recrawler.store.sqlite import DaemonLock

        settings, store = self._app.settings, self._app.store()
        logs.configure(settings.log_format, settings.log_level)
        self._notifier = Notifier()
        with DaemonLock(store.path) as lock:
            asyncio.run(self._run(web, once, lock))

    async def _run(self, web: str | None, once: bool, lock: Any) -> None:
        from recrawler.cli.foreground import engine

        async with engine(self._app) as eng, _served(web, eng):
            eng.lock, eng.on_visit, eng.on_tick = lock, self._visited, self._ticked
            self._engine, self._loop = eng, asyncio.get_running_loop()
            if self._stop.is_set():  # before there was anything to stop
                eng.stop()
            self._log_start(eng)
            await eng.run(once=once)
            log.info("daemon ends after %d visits, %d new links", eng.pulse.visits, eng.pulse.emitted)

    def _log_start(self, eng: LocalEngine) -> None:
        figures = eng.store.figures(eng.clock.now())
        what = (os.getpid(), figures.active, figures.overdue, self._app.db)
        log.info("daemon %d watches %d index pages, %d of them due, in %s", *what)

    def take(self, sig: signal.Signals) -> None:
        """A signal, in a thread of its own. To stop is to end in order, and in any case soon: whatever is cut
        off is done again."""
        if sig is signal.SIGHUP and not self._is_hung_up():
            self._soon(self._reload)
            return
        timer = threading.Timer(LAST_RESORT, os._exit, (0,))
        timer.daemon = True
        timer.start()
        self._stop.set()
        if self._notifier:
            self._notifier.stopping()
        self._soon(self._end)

    def _is_hung_up(self) -> bool:
        """Whether SIGHUP means what it did at first: the terminal that we were started from is closed."""
        return self._terminal and not sys.stderr.isatty()

    def _soon(self, call: Any) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended by itself
                self._loop.call_soon_threadsafe(call)

    def _end(self) -> None:
        if self._engine is not None:
            self._engine.stop()

    def _reload(self) -> None:
        """Read the settings file again. One that is wrong changes nothing."""
        from recrawler.engine.reload import change

        assert self._engine is not None and self._notifier is not None
        self._notifier.reloading()
        try:
            changed = change(self._engine.settings, self._app.read_settings())
        except SettingsError as e:
            log.error("the settings stay as they are: %s", e)
        else:
            self._engine.reconfigure(changed.settings)
            logs.configure(changed.settings.log_format, changed.settings.log_level)
            log.info("settings read again; %s", changed.describe())
        finally:
            self._notifier.ready()

    def _ticked(self) -> None:
        assert self._engine is not None and self._notifier is not None
        if self._engine.pulse.ticks == 1:
            self._notifier.ready()
        self._notifier.beat(self._engine.pulse)

    def _visited(self, v: Visit, late: float) -> None:
        from recrawler.visit.outcome import FAILED

        if self._app.json:
            try:
                self._app.emit(v.to_json())
            except BrokenPipeError:  # who read the visits has gone; what was found is stored and delivered
                self._end()
            except OSError as e:  # no room where they are written; later ones may be
                log.error("cannot print the visit of index %d: %s", v.index, e.strerror)
            return
        level = logging.WARNING if v.outcome in FAILED else logging.INFO
        log.log(level, "visit", extra={"fields": visit_fields(v, late)})


def visit_fields(v: Visit, late: float) -> dict[str, Any]:
    """What the log says of a visit; durations in seconds."""
    why = v.warnings[0] if v.warnings else next((s.why for s in v.series if s.outcome == v.outcome), "")
    return {
        "index": v.index,
        "outcome": v.outcome,
        "complete": v.complete,
        "new": len(v.new),
        "known": v.known,
        "filtered": sum(v.filtered.values()),
        "pages": len(v.pages),
        "requests": v.requests,
        "took": round((v.finished_at - v.started_at) / timedelta(seconds=1), 3),
        "late": round(late, 1),
        "next": v.next_visit_at and v.next_visit_at.replace(microsecond=0),
        "url": v.url,
        "why": why or None,
    }


@contextlib.asynccontextmanager
async def _served(address: str | None, eng: LocalEngine) -> AsyncIterator[None]:
    """The status page, where an address is given."""
    if address is None:
        yield
        return
    from recrawler.web import serve

    async with serve(address, eng.store, eng.pulse, eng.settings.feeds) as port:
        log.info("status page at http://%s:%d/", address.rpartition(":")[0] or "127.0.0.1", port)
        yield
