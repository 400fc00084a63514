"""What is printed: order of links, following, the ledger; and the outbox as sinks see it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from recrawler.store.order import in_order
from recrawler.store.sqlite import SqliteStore
from tests.visiting import DAY, HOUR, LEASE, NOW, add, link, links, result, visit


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "x.db", create=True) as opened:
        yield opened


def slug(found: Any) -> str:
    return str(found.url.rpartition("/")[2].removesuffix(".html"))


def slugs(store: SqliteStore, **options: Any) -> list[str]:
    return [slug(x) for _, x in store.links(**options)]


def finish(store: SqliteStore, index: Any, found: Any, when: Any = NOW, sinks: Any = ()) -> None:
    claim = store.claim(index.id, when, LEASE)
    assert claim is not None
    assert store.finish(claim, result(claim, found, when=when), sinks)


# order


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ([5, 4, 3, 2, 1], "54321"),  # hours of publication, newest first: the last row comes first
        ([1, 2, 3, 4, 5], "12345"),  # oldest first
        ([3, 3, 3, 3, 3], "54321"),  # no evidence: newest first is the rule
        ([None] * 5, "54321"),
        ([5, None, 3, None, 1], "54321"),  # a row without date stays between its neighbours
        ([None, 4, 3, 2, None], "54321"),
        ([1, None, 3, None, None], "12345"),
        ([9, 1, 9, 8, 2], "25431"),  # jumbled: by date, equal dates by place
    ],
)
def test_oldest_published_first(store: SqliteStore, dates: list[int | None], expected: str) -> None:
    page = add(store)
    found = [
        link(page, str(rank), rank=rank, published_at=None if d is None else NOW - DAY + d * HOUR)
        for rank, d in enumerate(dates, 1)
    ]
    random.Random(1).shuffle(found)
    finish(store, page, found)
    assert "".join(slugs(store)) == expected


def test_the_last_links_are_the_end_of_all_of_them(store: SqliteStore) -> None:
    pages = [add(store), add(store, "https://b.example/")]
    for hour in range(3):
        for page in pages:
            finish(store, page, [link(page, f"{hour}-{n}", rank=n) for n in range(1, 5)], NOW + hour * HOUR)
    for page in pages:
        every = [x for _, x in store.links(page.id)]
        assert len(every) == 12
        for limit in (1, 5, 50):
            assert store.last_links(page.id, limit) == every[-limit:]


def test_equal_dates_keep_the_lists_order_over_pages(store: SqliteStore) -> None:
    page = add(store)
    day = NOW.replace(hour=0)
    places = list(itertools.product((1, 2, 3), range(1, 8)))
    found = [link(page, f"{p}-{r}", page=p, rank=r, published_at=day, precision="day") for p, r in places]
    random.Random(2).shuffle(found)
    finish(store, page, found)
    assert slugs(store) == [f"{p}-{r}" for p, r in reversed(places)]


def test_by_found_at_whatever_was_stored_first(store: SqliteStore) -> None:
    a, b = add(store, "a"), add(store, "b")
    finish(store, a, links(a, "late", when=NOW + HOUR, published_at=NOW - DAY))
    finish(store, b, links(b, "early", when=NOW, published_at=NOW))
    finish(store, b, links(b, "same2", when=NOW, published_at=NOW + HOUR), NOW + HOUR)
    finish(store, a, links(a, "same1", when=NOW, published_at=NOW - HOUR), NOW + 2 * HOUR)
    assert slugs(store) == ["same1", "early", "same2", "late"]
    assert slugs(store, after=0) == ["late", "early", "same2", "same1"]
    assert slugs(store, index_id=a.id) == ["same1", "late"]
    assert slugs(store, since=NOW + timedelta(seconds=1)) == ["late"]
    assert slugs(store, since=NOW + HOUR, index_id=b.id) == []
    assert slugs(store, limit=2) == ["same1", "early"]
    assert slugs(store, limit=0) == []


def test_series_of_one_visit_are_merged_by_date() -> None:
    found = [
        link(INDEX, f"{listing}{rank}", listing=listing, rank=rank, published_at=NOW - rank * HOUR + shift)
        for listing, shift in (("a", timedelta(0)), ("b", timedelta(minutes=30)))
        for rank in (1, 2, 3)
    ]
    assert [slug(x) for _, x in in_order(found)] == ["a3", "b3", "a2", "b2", "a1", "b1"]


class INDEX:
    id = 1
    url = "https://a.example/"


def test_following_misses_nothing_and_repeats_nothing(store: SqliteStore) -> None:
    """Links that are stored while the first listing is being read, with an early found_at or a late one."""
    page = add(store)
    finish(store, page, links(page, *(f"n{n}" for n in range(1200))))
    reading = store.links()
    got = [next(reading) for _ in range(700)]
    finish(store, page, links(page, "early", when=NOW - HOUR), NOW + HOUR)
    finish(store, page, links(page, "late", when=NOW + HOUR), NOW + 2 * HOUR)
    got += reading
    got += store.links(after=max(seq for seq, _ in got))
    assert len(got) == len({seq for seq, _ in got}) == 1202
    assert [slug(x) for _, x in got[-2:]] == ["early", "late"]
    assert list(store.links(after=got[-1][0])) == []


def test_numbers_are_never_used_again(store: SqliteStore) -> None:
    page = add(store)
    finish(store, page, links(page, "1", "2"))
    last = store.last_seq()
    store.prune(NOW + 30 * DAY, events_days=1)
    assert list(store.links()) == []
    finish(store, page, links(page, "3"), NOW + 31 * DAY)
    assert [seq for seq, _ in store.links(after=last)] == [last + 1]


# the ledger


def test_ledger(store: SqliteStore) -> None:
    a, b = add(store, "a"), add(store, "b")
    for n in range(3):
        visit(store, a, f"a{n}x", f"a{n}y", when=NOW + n * HOUR)
        visit(store, b, when=NOW + n * HOUR)
    everything = [(v.index, v.number, v.url) for v in store.visits()]
    assert everything == [(i.id, n, i.url) for n in (1, 2, 3) for i in (a, b)]
    assert [(v.number, [slug(x) for x in v.new]) for v in store.visits(a.id, limit=2)] == [
        (2, ["a1y", "a1x"]),
        (3, ["a2y", "a2x"]),
    ]
    assert [v.number for v in store.visits(b.id)] == [1, 2, 3]
    assert [v.number for v in store.visits(limit=1)] == [3]
    assert list(store.visits(limit=0)) == []
    assert len(list(store.visits(limit=100))) == 6
    assert list(store.visits(99)) == []


def test_long_ledger_is_read_in_pieces(store: SqliteStore) -> None:
    page = add(store)
    for n in range(1, 1012):
        visit(store, page, when=NOW + n * HOUR)
    reading = store.visits()
    assert next(reading).number == 1
    visit(store, page, when=NOW + 2000 * HOUR)  # a reader in the middle keeps nobody from writing
    assert [v.number for v in reading] == list(range(2, 1013))


def test_gaps_are_the_latest_visits_that_leave_one(store: SqliteStore) -> None:
    opened, closed, twice, failed = (add(store, n) for n in ("opened", "closed", "twice", "failed"))
    for index, gaps in ((opened, [True]), (closed, [True, False]), (twice, [True, True]), (failed, [False])):
        for n, gap in enumerate(gaps):
            claim = store.claim(index.id, NOW + n * HOUR, LEASE)
            assert claim is not None
            assert store.finish(claim, result(claim, when=NOW + n * HOUR, gap=gap), [])
    assert [(v.index, v.number) for v in store.visits(gaps=True)] == [(opened.id, 1), (twice.id, 2)]
    assert [v.number for v in store.visits(twice.id, gaps=True)] == [2]
    assert list(store.visits(closed.id, gaps=True)) == []


# outbox


def pending(store: SqliteStore, when: Any = NOW, sink: str = "s", limit: int = 100) -> list[str]:
    return [slug(x.link) for x in store.pending(sink, when, limit)]


def test_each_sink_gets_each_link_once(store: SqliteStore) -> None:
    page = add(store)
    visit(store, page, "2", "1", sinks=["s", "t"])
    items = store.pending("s", NOW, 10)
    assert [(x.seq, x.sink, x.attempts, x.error) for x in items] == [(1, "s", 0, None), (2, "s", 0, None)]
    assert [x.id for x in items] == [x.link.event_id for x in items]
    store.delivered("s", [x.seq for x in items])
    store.delivered("s", [x.seq for x in items])  # a second time does no harm
    assert pending(store) == []
    assert pending(store, sink="t", limit=1) == ["1"]
    assert pending(store, sink="other") == []


def test_a_failed_event_holds_back_only_its_index(store: SqliteStore) -> None:
    a, b = add(store, "a"), add(store, "b")
    visit(store, a, "a2", "a1", sinks=["s", "t"])
    visit(store, b, "b1", sinks=["s", "t"])
    store.failed("s", [1], "refused", NOW + HOUR)
    assert pending(store) == ["b1"]
    assert pending(store, sink="t") == ["a1", "a2", "b1"]
    later = store.pending("s", NOW + HOUR, 10)
    assert [(slug(x.link), x.attempts, x.error) for x in later] == [
        ("a1", 1, "refused"),
        ("a2", 0, None),
        ("b1", 0, None),
    ]


def test_dead_letters(store: SqliteStore) -> None:
    a = add(store, "a")
    visit(store, a, "3", "2", "1", sinks=["s", "t"])
    store.failed("s", [1, 2], "bad", None)
    assert pending(store, NOW + 900 * DAY) == ["3"]
    dead = store.dead_letters()
    assert [(x.sink, slug(x.link), x.attempts, x.error) for x in dead] == [
        ("s", "1", 1, "bad"),
        ("s", "2", 1, "bad"),
    ]
    assert store.dead_letters("t") == []
    assert len(store.dead_letters("s", limit=1)) == 1
    states = {s.sink: (s.pending, s.dead, s.oldest, s.error) for s in store.sinks()}
    assert states == {"s": (1, 2, NOW, "bad"), "t": (3, 0, NOW, None)}
    assert store.revive("t") == 0
    assert store.revive() == 2
    assert [(x.attempts, slug(x.link)) for x in store.pending("s", NOW, 9)] == [(0, "1"), (0, "2"), (0, "3")]
    assert store.drop_sink("t") == 3
    assert [s.sink for s in store.sinks()] == ["s"]


def test_one_delivers(tmp_path: Path, store: SqliteStore) -> None:
    with SqliteStore(store.path) as other:
        assert store.begin_delivery()
        assert store.begin_delivery()
        assert not other.begin_delivery()
        store.close()
        assert other.begin_delivery()
