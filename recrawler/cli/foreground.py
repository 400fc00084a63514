"""Visits in the foreground: the pieces put together for one command."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from recrawler.cli.app import App
from recrawler.records import IndexPage
from recrawler.visit import Ask, Report

if TYPE_CHECKING:
    from recrawler.engine.local import LocalEngine


@asynccontextmanager
async def engine(app: App) -> AsyncIterator[LocalEngine]:
    """An engine on the command's database and settings, with its connections open."""
    from recrawler.engine.local import LocalEngine
    from recrawler.fetch import Fetcher
    from recrawler.sinks.delivery import Deliverer
    from recrawler.visit import Visitor

    store = app.store()
    async with Fetcher(app.settings, store) as fetcher:
        visitor = Visitor(store, fetcher, app.settings)
        yield LocalEngine(store, visitor, app.settings, Deliverer(store, app.sinks()))


Visited = list[tuple[IndexPage, Report | Exception | None]]


def visit_each(app: App, indexes: Iterable[IndexPage], ask: Ask) -> Visited:
    """Visit index pages now, several hosts at once, in the order given; null where another process is
    visiting that index. What keeps one from being visited stops no other, and stands in its place. What they
    found is delivered before this returns."""
    return asyncio.run(_visit_each(app, list(indexes), ask))


async def _visit_each(app: App, indexes: list[IndexPage], ask: Ask) -> Visited:
    from recrawler.engine.local import LEASE_SLACK, visit_one

    room = asyncio.Semaphore(app.settings.concurrency)
    lease = app.settings.visit_deadline + LEASE_SLACK
    async with engine(app) as eng:

        async def one(index: IndexPage) -> Report | Exception | None:
            async with room:
                try:
                    return await visit_one(eng.store, eng.visitor, index, eng.deliverer.names, lease, ask)
                except Exception as e:
                    return e

        reports = await asyncio.gather(*(one(x) for x in indexes))
        await eng.deliverer.drain()
    return list(zip(indexes, reports, strict=True))
