"""A site that is really served, a real database, the real fetcher: what the tests of visits use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from recrawler.demo import NewsSite, Section, serve_site
from recrawler.demo.server import Served
from recrawler.engine.local import visit_one
from recrawler.fetch import Fetcher
from recrawler.records import FoundLink, IndexOptions, IndexPage, Visit
from recrawler.settings import Duration, Settings
from recrawler.store.sqlite import SqliteStore
from recrawler.urls import identity_key
from recrawler.visit import Ask, Visitor

SETTINGS = Settings(
    allow_networks=("127.0.0.0/8",),
    delay=Duration(0),
    robots=False,
    request_timeout=Duration(5),
    audit_every=0,
)


@dataclass
class Watch:
    """One index of a served site, visited on demand."""

    site: NewsSite
    served: Served
    store: SqliteStore
    visitor: Visitor
    index_id: int
    emitted: list[FoundLink] = field(default_factory=list)

    @property
    def index(self) -> IndexPage:
        found = self.store.get_index(self.index_id)
        assert found is not None
        return found

    async def visit(self, ask: Ask = Ask()) -> Visit:
        self.served.requests.clear()
        report = await visit_one(self.store, self.visitor, self.index, [], 60, ask)
        assert report is not None
        self.emitted += report.result.visit.new
        return report.result.visit

    def requests(self) -> list[str]:
        return list(self.served.requests)

    def paths(self, visit: Visit) -> set[str]:
        return {x.url.removeprefix(self.served.base) for x in visit.new}


@asynccontextmanager
async def watching(
    folder: Path,
    site: NewsSite | None = None,
    *,
    articles: int = 60,
    options: IndexOptions = IndexOptions(),
    path: str | None = None,
    **settings: Any,
) -> AsyncIterator[Watch]:
    """A watched site; the first visit is the caller's."""
    if site is None:
        site = NewsSite([Section("news", "zh", 10)])
    if not site.main.articles:
        site.publish(articles)
    with serve_site(site) as served, SqliteStore(folder / "watch.db", create=True) as store:
        made = replace(SETTINGS, **settings)
        url = served.url(path or site.main.path)
        index, _ = store.add_index(url, identity_key(url), options, site.clock, site.clock)
        async with Fetcher(made, store) as fetcher:
            yield Watch(site, served, store, Visitor(store, fetcher, made), index.id)


def paths(articles: list[Any]) -> set[str]:
    return {a.path for a in articles}
