"""An index page that has been watched for weeks, written straight into a database."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from recrawler import cadence
from recrawler.records import IndexOptions, IndexPage, PageRead
from recrawler.store.sqlite import SqliteStore
from tests.visiting import link, result

SHANGHAI = timedelta(hours=8)


def office(days: int, end: datetime, seed: int = 1, working: bool = False) -> list[datetime]:
    """When about 24 links a day are published, most between 08:00 and 19:00 in Shanghai."""
    chance, at, times = random.Random(seed), end - timedelta(days=days), []
    while at < end:
        there = at.astimezone(UTC) + SHANGHAI
        rate = 2.2 if 8 <= there.hour < 19 else 0.02
        if chance.random() < (0.0 if working and there.weekday() > 4 else rate / 6.0):
            times.append(at + timedelta(seconds=chance.random() * 600.0))
        at += timedelta(minutes=10)
    return [t for t in times if t < end]


def live(
    store: SqliteStore,
    url: str = "https://news.example.cn/list/",
    *,
    days: int = 20,
    dated: bool = True,
    times: list[datetime] | None = None,
    options: IndexOptions = IndexOptions(),
    now: datetime | None = None,
) -> IndexPage:
    """Watched for so many days until now, visited every hour; what it is like afterwards."""
    end = (now or datetime.now(UTC)).replace(microsecond=0)
    begin = end - timedelta(days=days)
    times = office(days + 2, end) if times is None else times
    index, _ = store.add_index(url, url.removeprefix("https:"), options, begin, begin)
    state: cadence.CadenceState | None = None
    at, before = begin, begin - timedelta(days=2)
    while at <= end:
        state = _visit(store, index, state, at, [t for t in times if before < t <= at], dated)
        before, at = at, at + timedelta(hours=1)
    made = store.get_index(index.id)
    assert made is not None
    return made


def _visit(
    store: SqliteStore,
    index: IndexPage,
    state: cadence.CadenceState | None,
    at: datetime,
    new: list[datetime],
    dated: bool,
) -> cadence.CadenceState:
    stamps = [t.timestamp() for t in new] if dated else None
    if state is None:
        after = cadence.first(stamps, 20, at.timestamp(), tz_offset=8 * 3600)
    else:
        after = cadence.visited(state, at.timestamp(), stamps, len(new))
    claim = store.claim(index.id, at, 60.0)
    assert claim is not None
    fields: dict[str, Any] = {"status": "baseline" if state is None else "new", "precision": "minute"}
    found = [
        link(index, f"{t.timestamp():.0f}", at, rank=rank, **fields, published_at=t if dated else None)
        for rank, t in enumerate(reversed(new), 1)
    ]
    learnt = {"cadence": msgspec.to_builtins(after), "title": "News", "last_outcome": "met-history"}
    page = PageRead(index.url, 200, 20, len(found))
    ended = result(claim, found, when=at, index=learnt)
    next_at = datetime.fromtimestamp(cadence.next_visit(after, at.timestamp(), cadence.Pricing()), UTC)
    ended = replace(
        ended, index=replace(ended.index, next_visit_at=next_at), visit=replace(ended.visit, pages=(page,))
    )
    assert store.finish(claim, ended, [])
    store.schedule(index.id, next_at)
    return after
