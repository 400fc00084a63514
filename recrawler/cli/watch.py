"""The commands that visit: run (the daemon) and visit (now, in the foreground)."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from recrawler.cli.app import App, command
from recrawler.cli.words import visit_line
from recrawler.errors import UsageError
from recrawler.records import IndexPage, Visit
from recrawler.settings import parse_budget

if TYPE_CHECKING:
    from recrawler.engine.local import LocalEngine
    from recrawler.store.sqlite import DaemonLock

LAST_RESORT = 4.5  # seconds after SIGTERM at which the process ends whatever hangs


@command("visit")
@click.argument("index", metavar="[ID|URL]", required=False)
@click.option("--all", "every", is_flag=True, help="Every active index.")
@click.option("--due", is_flag=True, help="Those that are due.")
def visit(app: App, index: str | None, every: bool, due: bool) -> int:
    """Visit now: one index, --all, or those that are --due."""
    from recrawler.cli.foreground import visit_each
    from recrawler.visit import Ask
    from recrawler.visit.outcome import FAILED

    if bool(index) + every + due != 1:
        raise UsageError("say what to visit: an ID, a URL, --all or --due")
    status = 0
    for page, report in visit_each(app, _pages(app, index, due), Ask(asked=True)):
        if report is None:
            click.echo(f"recrawler: index {page.id} is being visited by another process", err=True)
            status = 1
            continue
        result = report.result.visit
        _print_visit(app, result)
        if result.outcome in FAILED:
            status = 1
    return status


def _pages(app: App, index: str | None, due: bool) -> list[IndexPage]:
    if index:
        return [app.index(index)]
    now = datetime.now(UTC)
    active = (x for x in app.store().indexes() if x.state == "active")
    return [x for x in active if not due or (x.next_visit_at is not None and x.next_visit_at <= now)]


def _print_visit(app: App, result: Visit) -> None:
    from recrawler.cli.printing import link_line

    if app.json:
        app.emit(result.to_json())
        return
    click.echo(visit_line(result, result.finished_at))
    for link in result.new:
        click.echo(link_line(link))


@command("run")
@click.option("--web", metavar="HOST:PORT", help="Serve a status page at / and metrics at /metrics.")
@click.option("--once", is_flag=True, help="Visit what is due, then stop.")
@click.option("--budget", metavar="N/h", help="Requests that may be made: 5000/h, 100/min, 20000/d, polite.")
@click.option("-v", "--verbose", is_flag=True, help="Log more.")
def run(app: App, web: str | None, once: bool, budget: str | None, verbose: bool) -> int:
    """The daemon: visits every index at its cadence until it is stopped (SIGTERM, Ctrl-C)."""
    from recrawler.store.sqlite import DaemonLock

    if budget is not None:
        app.settings = replace(app.settings, budget=parse_budget(budget), price=0.0)
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO, format="%(asctime)s %(levelname)s %(message)s"
    )
    for noisy in ("apscheduler", "httpx", "httpcore", "aiohttp", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    store = app.store()
    with DaemonLock(store.path) as lock:
        asyncio.run(_run(app, web, once, lock))
    return 0


async def _run(app: App, web: str | None, once: bool, lock: DaemonLock) -> None:
    from recrawler.cli.foreground import engine

    async with engine(app) as eng:
        eng.lock = lock
        eng.on_visit = lambda v: _log_visit(app, v)
        _stop_on_signals(eng)
        if web is None:
            await eng.run(once=once)
            return
        from recrawler.web import serve

        async with serve(web, eng.store):
            await eng.run(once=once)


def _log_visit(app: App, v: Visit) -> None:
    if app.json:
        app.emit(v.to_json())
    else:
        logging.getLogger("recrawler").info("%s", visit_line(v, datetime.now(UTC)))


def _stop_on_signals(eng: LocalEngine) -> None:
    """End in order on SIGTERM and SIGINT, and in any case soon: whatever is cut off is done again."""

    def stop() -> None:
        eng.stop()
        timer = threading.Timer(LAST_RESORT, os._exit, (0,))
        timer.daemon = True
        timer.start()

    loop = asyncio.get_running_loop()
    for sig in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sig, stop)
