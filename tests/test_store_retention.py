"""What the store forgets, and what it never does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recrawler.records import HostState, Validators
from recrawler.store.sqlite import SqliteStore
from tests.visiting import DAY, LEASE, NOW, add, link, links, result, visit


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "x.db", create=True) as opened:
        yield opened


def slugs(store: SqliteStore, **options: Any) -> list[str]:
    return [x.url.rpartition("/")[2].removesuffix(".html") for _, x in store.links(**options)]


def count(store: SqliteStore, table: str) -> int:
    return int(store._db.read(f"SELECT count(*) FROM {table}")[0][0])


def test_a_link_that_returns_after_its_row_was_dropped_counts_among_the_links(store: SqliteStore) -> None:
    page = add(store)
    visit(store, page, "gone", "there")
    later = NOW + 60 * DAY
    visit(store, page, "there", when=later)
    assert store.prune(later, history_days=30)["links"] == 1 == store.figures(later).links
    visit(store, page, "gone", when=later, status="returned")
    assert store.figures(later).links == count(store, "links") == 2


def test_case_095_a_static_list_never_ages(store: SqliteStore) -> None:
    """Retention of 30 days, and a list that stays as it is for 60, in whatever way that is seen."""
    ways = {name: add(store, name) for name in ("seen", "unchanged", "failing")}
    slugs_ = [str(n) for n in range(50)]
    for page in ways.values():
        visit(store, page, *slugs_)
    keys = {name: [x.key for x in links(page, *slugs_)] for name, page in ways.items()}
    for day in range(1, 61):
        when = NOW + day * DAY
        for name, page in ways.items():
            claim = store.claim(page.id, when, LEASE)
            assert claim is not None
            seen = keys[name] if name == "seen" else []
            unchanged = ("main",) if name == "unchanged" else ()
            assert store.finish(claim, result(claim, (), seen, when, unchanged=unchanged), [])
        assert store.prune(when, history_days=30)["links"] == 0
    for name, page in ways.items():
        assert store.known(page.id, "main", keys[name]).keys() == set(keys[name])
    oldest = {
        row[0]: row[1] for row in store._db.read("SELECT index_id, min(last_seen) FROM links GROUP BY 1")
    }
    assert oldest[ways["unchanged"].id] >= (NOW + 59 * DAY).timestamp()


def test_what_left_the_list_is_dropped_but_not_forgotten(store: SqliteStore) -> None:
    page = add(store)
    old = visit(store, page, *(f"old{n}" for n in range(20)))
    stays = link(page, "stays")
    visit(store, page, "stays")
    for day in range(1, 40):
        claim = store.claim(page.id, NOW + day * DAY, LEASE)
        assert claim is not None
        assert store.finish(claim, result(claim, (), [stays.key], NOW + day * DAY), [])
    assert store.prune(NOW + 39 * DAY, history_days=60)["links"] == 0
    assert store.prune(NOW + 39 * DAY, history_days=30)["links"] == 20
    assert store.figures(NOW).links == count(store, "links") == 1
    known = store.known(page.id, "main", [x.key for x in (*old, stays)])
    assert len(known) == 21
    assert (known[old[0].key].url, known[old[0].key].first_visit) == ("", 1)
    assert len(store.known(page.id, None, [x.key for x in old])) == 20
    visit(store, page, "old3", "fresh", when=NOW + 90 * DAY)  # back after a long absence
    assert slugs(store)[-1] == "fresh"
    assert slugs(store).count("old3") == 1


def test_ledger_and_events_are_bounded(store: SqliteStore) -> None:
    page, other = add(store), add(store, "b")
    for day in range(10):
        visit(store, page, f"d{day}", when=NOW + day * DAY, sinks=["jsonl"] if day == 0 else [])
    visit(store, other, "x")
    removed = store.prune(NOW + 20 * DAY, ledger_days=15, events_days=15)
    assert removed["visits"] == 5  # of the other index the only visit is the latest
    assert [v.number for v in store.visits(page.id)] == [6, 7, 8, 9, 10]
    assert slugs(store) == ["d0", "d5", "d6", "d7", "d8", "d9"]  # d0 is not delivered yet
    assert removed["events"] == 5
    store.failed("jsonl", [1], "bad", None)
    removed = store.prune(NOW + 20 * DAY, events_days=15)
    assert (removed["dead"], removed["events"]) == (1, 1)
    assert store.sinks() == []
    assert sum(store.prune(NOW + 900 * DAY).values()) == 0


def test_validators_and_hosts_that_nobody_needs(store: SqliteStore) -> None:
    page = add(store)
    for day, urls in ((0, ["a", "b"]), (40, ["a"])):
        claim = store.claim(page.id, NOW + day * DAY, LEASE)
        assert claim is not None
        found = {url: Validators(f"{url}{day}") for url in urls}
        assert store.finish(claim, result(claim, when=NOW + day * DAY, validators=found), [])
    for host in ("a.example:443", "gone:80"):
        store.save_host(HostState(host, robots_at=NOW))
    removed = store.prune(NOW + 41 * DAY)
    assert (removed["validators"], removed["hosts"]) == (1, 1)
    assert store.validators(page.id, ["a", "b"]) == {"a": Validators("a40")}
    assert store.host("a.example:443") is not None


def test_vacuum_gives_space_back(store: SqliteStore) -> None:
    page = add(store)
    visit(store, page, *map(str, range(3000)))
    store.remove_index(page.id)
    before, after = store.vacuum()
    assert after < before / 3
    assert store.check() == []


def test_figures(store: SqliteStore) -> None:
    a, b, c = add(store, "a"), add(store, "b"), add(store, "c")
    visit(store, a, "1", "2", sinks=["jsonl"])
    store.set_state(b.id, "paused", None)
    claim = store.claim(c.id, NOW, LEASE)
    assert claim is not None
    assert store.finish(claim, result(claim, gap=True, index={"failures": 1, "next_visit_at": NOW}), [])
    figures = store.figures(NOW)
    assert (figures.active, figures.paused, figures.overdue, figures.leased) == (2, 1, 1, 0)
    assert (figures.gaps, figures.failing, figures.visits, figures.links, figures.emitted) == (1, 1, 2, 2, 2)
    assert figures.size > 10_000
    assert [(s.sink, s.pending, s.dead, s.oldest, s.error) for s in figures.sinks] == [
        ("jsonl", 2, 0, NOW, None)
    ]
    store.claim(c.id, NOW, LEASE)
    assert (store.figures(NOW).leased, store.figures(NOW).overdue) == (1, 0)
