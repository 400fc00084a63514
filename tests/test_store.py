"""The store's promises, on real files: schedule, leases, the transaction of a visit, history."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from recrawler.completion import SeriesMemory
from recrawler.errors import StoreError
from recrawler.records import IndexOptions, Validators
from recrawler.store.sqlite import SqliteStore
from tests.visiting import DAY, HOUR, LEASE, NOW, add, link, links, result, visit


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "x.db", create=True) as opened:
        yield opened


def slugs(store: SqliteStore, **options: Any) -> list[str]:
    return [x.url.rpartition("/")[2].removesuffix(".html") for _, x in store.links(**options)]


def count(store: SqliteStore, table: str) -> int:
    return int(store._db.read(f"SELECT count(*) FROM {table}")[0][0])


# index pages


def test_one_index_a_key(store: SqliteStore) -> None:
    options = IndexOptions(
        policy="same-tld", sites=({"a": [1, {"b": None}]},), alt_suffix=("cn",), every=90.5
    )
    first, new = store.add_index("https://a.example/", "k", options, NOW, NOW + HOUR)
    again, twice = store.add_index("https://a.example/?x", "k", IndexOptions(), NOW + HOUR, None)
    assert (new, twice) == (True, False)
    assert first == again == store.get_index(first.id) == store.find_index("k")
    assert first.options == options
    assert (first.added_at, first.next_visit_at, first.state) == (NOW, NOW + HOUR, "active")
    assert store.get_index(99) is None
    assert store.find_index("other") is None


def test_what_the_user_sets(store: SqliteStore) -> None:
    page = add(store)
    assert store.set_options(page.id, IndexOptions(max_pages=3))
    assert store.set_state(page.id, "paused", None)
    changed = store.get_index(page.id)
    assert changed is not None
    assert (changed.options.max_pages, changed.state, changed.next_visit_at) == (3, "paused", None)
    assert store.schedule(page.id, NOW + DAY)
    assert not store.set_options(99, IndexOptions())
    assert not store.set_state(99, "paused", None)
    assert not store.schedule(99, NOW)


def test_indexes_come_by_id_whatever_happens_meanwhile(store: SqliteStore) -> None:
    ids = [add(store, f"n{n}").id for n in range(1100)]
    walk = store.indexes()
    seen = [next(walk).id]
    store.remove_index(ids[1])  # already read: comes still
    store.remove_index(ids[1000])
    late = add(store, "late").id
    seen += [page.id for page in walk]
    assert seen == [i for i in ids if i != ids[1000]] + [late]


def test_removal_leaves_nothing_and_its_number_is_not_used_again(store: SqliteStore) -> None:
    kept, gone = add(store, "kept"), add(store, "gone")
    for page in (kept, gone):
        claim = store.claim(page.id, NOW, LEASE)
        assert claim is not None
        done = result(claim, links(page, "1", "2"), validators={page.url: Validators("e")})
        assert store.finish(claim, done, ["jsonl"])
        visit(store, page, "3", when=NOW + 20 * DAY)
    store.prune(NOW + 20 * DAY, history_days=10)
    tables = ["indexes", "visits", "links", "emitted", "outbox", "validators", "tombstones"]
    before = {table: count(store, table) for table in tables}
    assert all(before[table] % 2 == 0 and before[table] for table in tables)
    assert store.remove_index(gone.id)
    assert not store.remove_index(gone.id)
    assert {table: count(store, table) * 2 for table in tables} == before
    assert [x.link.index for x in store.pending("jsonl", NOW, 10)] == [kept.id] * 2
    assert add(store, "gone").id > gone.id
    assert store.check() == []


# schedule


def test_longest_overdue_first_one_a_host(store: SqliteStore) -> None:
    due = {n: add(store, f"n{n}", NOW - n * HOUR, host=f"h{n % 3}.example").id for n in range(9)}
    add(store, "future", NOW + HOUR)
    add(store, "unscheduled", None)
    claims = store.claim_due(NOW, 5, LEASE)
    assert [c.index.id for c in claims] == [due[8], due[7], due[6]]  # all three hosts are busy now
    assert store.claim_due(NOW, 5, LEASE) == []
    assert {c.fence for c in claims} == {1}
    assert claims[0].expires == NOW + timedelta(seconds=LEASE)
    assert store.release(claims[0], NOW + HOUR)
    assert [c.index.id for c in store.claim_due(NOW, 5, LEASE)] == [due[5]]


def test_none_of_a_busy_host(store: SqliteStore) -> None:
    add(store, "a", NOW - HOUR)
    other = add(store, "b", NOW - 2 * HOUR)
    assert [c.index.id for c in store.claim_due(NOW, 5, LEASE, ["a.example:443"])] == [other.id]
    assert store.claim_due(NOW, 0, LEASE) == []


def test_a_host_with_many_due_pages_hides_no_other(store: SqliteStore) -> None:
    big = [
        add(store, f"n{n}", NOW - DAY + n * timedelta(seconds=1), host="big.example").id for n in range(300)
    ]
    small = add(store, "small", NOW - HOUR)
    assert [c.index.id for c in store.claim_due(NOW, 4, LEASE)] == [big[0], small.id]


def test_paused_pages_are_not_due(store: SqliteStore) -> None:
    page = add(store)
    store.set_state(page.id, "paused", NOW)
    assert store.claim_due(NOW, 5, LEASE) == []
    assert store.next_due() is None
    assert store.claim(page.id, NOW, LEASE) is not None  # but may be visited by hand
    store.set_state(page.id, "active", NOW)
    assert store.next_due() == NOW + timedelta(seconds=LEASE)


def test_a_lease_ends(store: SqliteStore) -> None:
    page = add(store)
    (first,) = store.claim_due(NOW, 1, LEASE)
    assert store.claim(page.id, NOW, LEASE) is None
    assert store.claim_due(NOW + timedelta(seconds=LEASE - 1), 1, LEASE) == []
    later = store.next_due()
    assert later == NOW + timedelta(seconds=LEASE)
    (second,) = store.claim_due(later, 1, LEASE)
    assert (second.index.id, second.fence) == (page.id, first.fence + 1)
    assert not store.release(first, NOW)
    assert store.release(second, NOW + HOUR)
    assert store.next_due() == NOW + HOUR
    assert store.claim(99, NOW, LEASE) is None


def test_next_due(store: SqliteStore) -> None:
    assert store.next_due() is None
    add(store, "a", NOW + HOUR)
    early = add(store, "b", NOW - HOUR)
    assert store.next_due() == NOW - HOUR
    visit(store, early)
    assert store.next_due() == NOW + HOUR


def test_clock_set_back(store: SqliteStore) -> None:
    """What a clock that was 900 days ahead has put off is due as soon as it was meant to be."""
    before, ahead = add(store, "before", NOW + HOUR), NOW + 900 * DAY
    visited, held = add(store, "visited"), add(store, "held")
    assert store.mend_clock(NOW, LEASE) == 0
    visit(store, visited, when=ahead)  # next visit an hour later
    claim = store.claim(held.id, ahead, LEASE)
    assert claim is not None and store.release(claim, ahead)
    assert store.claim(held.id, ahead, LEASE) is not None
    assert store.mend_clock(NOW + DAY, LEASE) == 2
    pages = {p.id: p.next_visit_at for p in store.indexes()}
    assert pages[visited.id] == NOW + DAY + HOUR and pages[before.id] == NOW + HOUR
    assert store.claim(held.id, NOW + DAY + timedelta(seconds=LEASE), LEASE) is not None
    assert store.mend_clock(NOW + DAY + HOUR, LEASE) == 0  # once is enough


def test_the_schedule_goes_back_with_the_clock(store: SqliteStore) -> None:
    waiting, held = add(store, "waiting", NOW + HOUR), add(store, "held")
    assert store.claim(held.id, NOW, LEASE) is not None
    store.shift(-DAY.total_seconds())
    assert [p.next_visit_at for p in store.indexes()] == [NOW + HOUR - DAY, NOW - DAY]
    due = store.claim_due(NOW - DAY + HOUR, 5, LEASE)
    assert sorted(c.index.id for c in due) == [waiting.id, held.id]


def test_a_due_time_of_fine_fractions_is_not_taken_for_another(store: SqliteStore) -> None:
    page = add(store, "a")
    store.shift(-1 / 3)
    visit(store, page)
    assert store.next_due() == NOW + HOUR


def test_pages_that_were_added_by_a_clock_ahead_are_due_as_soon(store: SqliteStore) -> None:
    added = NOW + DAY
    store.add_index("https://a.example/", "//a.example/", IndexOptions(), added, added + HOUR)
    assert store.mend_clock(NOW, LEASE) == 1
    assert store.next_due() == NOW + HOUR


def test_a_tick_and_a_visit_read_no_whole_table(store: SqliteStore) -> None:
    for name in "abc":
        add(store, name)
    asked: list[str] = []
    conn = store._db._conn
    conn.set_trace_callback(asked.append)
    done, back = store.claim_due(NOW + HOUR, 2, LEASE)
    store.finish(done, result(done, links(done.index, "1")), ["s"])
    store.release(back, NOW)
    store.reset_leases()
    store.mend_clock(NOW + DAY, LEASE)
    conn.set_trace_callback(None)
    assert len(asked) > 15
    for sql in asked:
        if sql.startswith(("SELECT", "WITH", "UPDATE", "INSERT", "DELETE")):
            steps = [row["detail"] for row in conn.execute(f"EXPLAIN QUERY PLAN {sql}")]
            # Those that are held are few, and stand in an index of their own.
            assert not [x for x in steps if x.startswith("SCAN indexes") and "indexes_leased" not in x], sql


# a visit's transaction


def test_everything_a_visit_changes(store: SqliteStore) -> None:
    page = add(store)
    claim = store.claim(page.id, NOW, LEASE)
    assert claim is not None
    series = (SeriesMemory("main", base=("a", "b"), floor=NOW - DAY, on_top=0.25),)
    changes = {
        "title": "新闻",
        "series": series,
        "cadence": {"rate": [1.5, None]},
        "failures": 2,
        "unchanged": 7,
        "last_outcome": "page-limit",
        "last_full_at": NOW - HOUR,
        "learnt": {"charset": "gbk"},
    }
    found = (
        link(page, "1", title="一\ud800", published_at=NOW - HOUR, precision="minute", attributes={"a": [1]}),
        link(page, "2", status="baseline"),
        link(page, "3", admitted=False),
    )
    done = result(claim, found, gap=True, index=changes, validators={page.url: Validators("e", None, "d")})
    assert store.finish(claim, done, ["jsonl", "hook"])
    expected = dataclasses.replace(done.index)
    assert store.get_index(page.id) == expected
    given_out = dataclasses.replace(found[0], title="一?")
    assert [x for _, x in store.links()] == [given_out]
    assert next(store.links())[1].event_id == found[0].event_id
    (seen,) = store.visits()
    assert seen == dataclasses.replace(done.visit, new=(given_out,))
    known = store.known(page.id, "main", [x.key for x in found] + ["http://other/"])
    assert known.keys() == {x.key for x in found}
    first = known[found[0].key]
    assert (first.first_visit, first.published_at, first.precision) == (1, NOW - HOUR, "minute")
    assert (first.title, first.url) == ("一?", found[0].url)
    assert store.validators(page.id, [page.url, "x"]) == {page.url: Validators("e", None, "d")}
    assert [x.link for x in store.pending("hook", NOW, 9)] == [given_out]
    assert store.claim(page.id, NOW, LEASE) is not None  # the lease has ended


def test_stale_fence_writes_nothing(store: SqliteStore) -> None:
    page = add(store)
    old = store.claim(page.id, NOW, LEASE)
    new = store.claim(page.id, NOW + DAY, LEASE)
    assert old is not None
    assert new is not None
    before = list(store._db._conn.iterdump())
    assert not store.finish(old, result(old, links(page, "1")), ["jsonl"])
    assert list(store._db._conn.iterdump()) == before
    assert store.finish(new, result(new, links(page, "1")), ["jsonl"])
    assert not store.finish(new, result(new, links(page, "2")), ["jsonl"])  # a claim ends with its visit
    assert not store.release(new, NOW)
    assert slugs(store) == ["1"]


def test_visit_of_a_removed_index(store: SqliteStore) -> None:
    page = add(store)
    claim = store.claim(page.id, NOW, LEASE)
    assert claim is not None
    store.remove_index(page.id)
    assert not store.finish(claim, result(claim, links(page, "1")), ["jsonl"])
    assert (count(store, "links"), count(store, "outbox")) == (0, 0)


def test_a_visit_is_written_whole_or_not_at_all(store: SqliteStore) -> None:
    page = add(store)
    visit(store, page, "1", sinks=["jsonl"])
    claim = store.claim(page.id, NOW, LEASE)
    assert claim is not None
    done = result(claim, links(page, "2", "3"))
    done = dataclasses.replace(done, visit=dataclasses.replace(done.visit, number=1))  # is there already
    before = list(store._db._conn.iterdump())
    with pytest.raises(sqlite3.IntegrityError):
        store.finish(claim, done, ["jsonl"])
    assert list(store._db._conn.iterdump()) == before


def test_disk_full(store: SqliteStore) -> None:
    page = add(store)
    visit(store, page, "1")
    claim = store.claim(page.id, NOW, LEASE)
    assert claim is not None
    pages = store._db.read("PRAGMA page_count")[0][0]
    store._db.run(f"PRAGMA max_page_count = {pages + 2}")
    many = links(page, *(f"{n}-{'x' * 500}" for n in range(500)))
    with pytest.raises(StoreError, match="free space"):
        store.finish(claim, result(claim, many), ["jsonl"])
    assert slugs(store) == ["1"]
    store._db.run("PRAGMA max_page_count = 1000000")
    assert store.finish(claim, result(claim, many), ["jsonl"])
    assert len(slugs(store)) == 501


def test_locked_by_another_process(store: SqliteStore) -> None:
    page = add(store)
    with SqliteStore(store.path, timeout=0.05) as impatient:
        claim = impatient.claim(page.id, NOW, LEASE)
        assert claim is not None
        with store._db.write() as db:
            db.execute("UPDATE indexes SET title = 'x'")
            assert len(list(impatient.indexes())) == 1  # readers never wait
            with pytest.raises(StoreError, match=r"locked by another process for more than 0\.05 s"):
                impatient.finish(claim, result(claim, links(page, "1")), [])
        assert impatient.finish(claim, result(claim, links(page, "1")), [])


def test_any_thread_may_use_it(store: SqliteStore) -> None:
    def work(number: int) -> None:
        page = add(store, f"n{number}")
        for n in range(20):
            visit(store, page, f"{number}-{n}", when=NOW + n * HOUR, sinks=["s"])
            assert len(list(store.links(page.id))) == n + 1
            store.delivered("s", [x.seq for x in store.pending("s", NOW, 1)])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(8)))
    assert count(store, "visits") == len(slugs(store)) == 160
    assert store.check() == []


def test_users_changes_outlive_a_visit(store: SqliteStore) -> None:
    page = add(store)
    claim = store.claim(page.id, NOW, LEASE)
    assert claim is not None
    store.set_options(page.id, IndexOptions(max_pages=9))
    store.set_state(page.id, "paused", NOW + timedelta(minutes=1))
    assert store.finish(claim, result(claim, links(page, "1")), [])
    after = store.get_index(page.id)
    assert after is not None
    assert (after.options.max_pages, after.state, after.visits) == (9, "paused", 1)
    assert after.next_visit_at == NOW + timedelta(minutes=1)  # the earlier one


def test_a_link_is_given_out_once(store: SqliteStore) -> None:
    page = add(store)
    visit(store, page, "1", "1", "2")  # the list moved while it was read
    visit(store, page, "1", "3", when=NOW + HOUR)  # "new" again, though it is known
    visit(store, page, "2", when=NOW + HOUR * 2, status="backdated")
    visit(store, page, "4", when=NOW + HOUR * 3, status="baseline")
    visit(store, page, "4", when=NOW + HOUR * 4)
    assert sorted(slugs(store)) == ["1", "2", "3"]
    visit(store, page, "1", when=NOW + HOUR * 5, status="updated", title="Other")
    assert [x.title for _, x in store.links() if x.status == "updated"] == ["Other"]
    key = link(page, "1").key
    now_known = store.known(page.id, "main", [key])[key]
    assert (now_known.title, now_known.first_visit) == ("Other", 1)
    assert store.figures(NOW).links == 4


def test_each_series_has_its_own_history(store: SqliteStore) -> None:
    page = add(store)
    visit(store, page, "1", listing="main")
    visit(store, page, "2", listing="side", when=NOW + HOUR)
    one, two = link(page, "1").key, link(page, "2").key
    assert store.known(page.id, "main", [one, two]).keys() == {one}
    assert store.known(page.id, "side", [one, two]).keys() == {two}
    assert store.known(page.id, None, [one, two]).keys() == {one, two}
    assert store.known(page.id + 1, None, [one, two]) == {}
    assert store.known(page.id, "main", []) == {}
    assert store.listings(page.id) == ["main", "side"]


def test_many_keys_at_once(store: SqliteStore) -> None:
    page = add(store)
    found = visit(store, page, *map(str, range(5000)))
    known = store.known(page.id, "main", [x.key for x in found] * 2)
    assert {k.url for k in known.values()} == {x.url for x in found}
