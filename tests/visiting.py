"""Visits made up for tests of what is stored and delivered."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from recrawler.records import FoundLink, IndexOptions, IndexPage, PageRead, SeriesVisit, Visit, VisitResult
from recrawler.store import Claim
from recrawler.store.sqlite import SqliteStore

NOW = datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
LEASE = 300.0


def add(
    store: SqliteStore, name: str = "a", due: datetime | None = NOW, host: str | None = None
) -> IndexPage:
    """An index page on a host of its own, or on `host`."""
    url = f"https://{host or name + '.example'}/{name}/"
    return store.add_index(url, url.removeprefix("https:"), IndexOptions(), NOW, due)[0]


def link(index: IndexPage, slug: str, when: datetime = NOW, **fields: Any) -> FoundLink:
    host = index.url.split("/")[2]
    values: dict[str, Any] = {
        "index": index.id,
        "listing": "main",
        "url": f"https://{host}/n/{slug}.html",
        "key": f"http://{host}/n/{slug}.html",
        "title": f"Title of {slug}",
        "published_at": None,
        "precision": None,
        "found_at": when,
        "page": 1,
        "rank": 1,
        "status": "new",
        "hop_path": "L",
        "via": index.url,
    }
    return FoundLink(**(values | fields))


def links(index: IndexPage, *slugs: str, when: datetime = NOW, **fields: Any) -> tuple[FoundLink, ...]:
    """Links in the order of the list, one to a rank."""
    return tuple(link(index, slug, when, rank=rank, **fields) for rank, slug in enumerate(slugs, 1))


def result(
    claim: Claim,
    found: Sequence[FoundLink] = (),
    seen: Sequence[str] = (),
    when: datetime = NOW,
    gap: bool = False,
    index: dict[str, Any] | None = None,
    **fields: Any,
) -> VisitResult:
    """A visit of the claimed index that found and saw these (`seen`: keys of the main listing)."""
    page = claim.index
    changes = {"visits": page.visits + 1, "last_visit_at": when, "next_visit_at": when + HOUR}
    changes |= {"gap_since": when if gap else None}
    after = dataclasses.replace(page, **(changes | (index or {})))
    outcome: Any = "page-limit" if gap else "met-history"
    visit = Visit(
        index=page.id,
        url=page.url,
        number=after.visits,
        started_at=when,
        finished_at=when,
        outcome=outcome,
        complete=not gap,
        gap_open=gap,
        pages=(PageRead(page.url, 200, len(found) + len(seen), len(found)),),
        requests=1,
        new=tuple(x for x in found if x.admitted and x.status != "baseline"),
        known=len(seen),
        filtered={},
        series=(SeriesVisit("main", outcome, not gap, gap, 1),),
        next_visit_at=after.next_visit_at,
        per_day=2.5,
        basis="dates",
    )
    return VisitResult(after, visit, tuple(found), tuple(("main", key) for key in seen), **fields)


def visit(
    store: SqliteStore,
    index: IndexPage,
    *slugs: str,
    when: datetime = NOW,
    sinks: Sequence[str] = (),
    **fields: Any,
) -> tuple[FoundLink, ...]:
    """Claim, find these links, finish; the links."""
    claim = store.claim(index.id, when, LEASE)
    assert claim is not None
    found = links(index, *slugs, when=when, **fields)
    assert store.finish(claim, result(claim, found, when=when), sinks)
    return found
