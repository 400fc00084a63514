"""Delivery to any sink: at least once, in order, whatever breaks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recrawler.errors import StoreError
from recrawler.sinks import SinkError
from recrawler.sinks.delivery import Deliverer, Retry
from recrawler.sinks.jsonl import JsonlSink
from recrawler.store import OutboxItem
from recrawler.store.sqlite import SqliteStore
from tests.visiting import HOUR, NOW, add, visit


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "x.db", create=True) as opened:
        yield opened


def slugs(path: Path) -> list[str]:
    """The events of a file, every line of which must be whole."""
    data = path.read_bytes()
    assert data == b"" or data.endswith(b"\n")
    return [json.loads(text)["url"].rpartition("/")[2].removesuffix(".html") for text in data.splitlines()]


class FakeSink:
    """Takes what it is given, unless `trouble` has something for the attempt."""

    def __init__(self, name: str = "s", *trouble: BaseException | None) -> None:
        self.name = name
        self.trouble = list(trouble)
        self.got: list[str] = []
        self.ids: list[str] = []
        self.attempts = 0

    async def deliver(self, items: Sequence[OutboxItem]) -> None:
        self.attempts += 1
        fault = self.trouble.pop(0) if self.trouble else None
        taken = [x for x in items if isinstance(fault, SinkError) and x.seq in fault.delivered]
        for x in items if fault is None else taken:
            self.got.append(x.link.url.rpartition("/")[2].removesuffix(".html"))
        self.ids += [x.id for x in items]
        if fault is not None:
            raise fault


class Now:
    def __init__(self) -> None:
        self.at = NOW

    def __call__(self) -> datetime:
        return self.at

    def later(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def deliverer(store: SqliteStore, *sinks: Any, now: Now | None = None, **options: Any) -> Deliverer:
    options = {"retry": Retry(first=10, most=60, attempts=5)} | options
    return Deliverer(store, sinks, now=now or Now(), random_=lambda: 0.0, **options)


async def test_in_order_and_in_batches(store: SqliteStore) -> None:
    page = add(store)
    visit(store, page, *map(str, range(25, 0, -1)), sinks=["s"])
    sink = FakeSink()
    assert deliverer(store, sink).names == ["s"]
    assert await deliverer(store, sink, batch=10).run_once() == 10
    assert await deliverer(store, sink, batch=10).drain() == 15
    assert sink.got == [str(n) for n in range(1, 26)]
    assert sink.attempts == 3
    assert store.sinks() == []


async def test_a_sink_that_fails_is_asked_again_later_and_later(store: SqliteStore) -> None:
    visit(store, add(store), "1", sinks=["s"])
    sink, now = FakeSink("s", *(SinkError(f"refused {n}") for n in range(3))), Now()
    delivery = deliverer(store, sink, now=now)
    asked = []
    for _ in range(200):
        await delivery.drain()
        if sink.attempts > len(asked):
            asked.append((now.at - NOW).total_seconds())
        now.later(1)
    assert asked == [0, 10, 30, 70]  # 10, 20 and 40 s apart
    assert sink.got == ["1"]
    assert len(set(sink.ids)) == 1


async def test_a_sink_that_rests_is_left_alone_with_new_events_too(store: SqliteStore) -> None:
    visit(store, add(store, "a"), "1", sinks=["s"])
    sink, now = FakeSink("s", SinkError("down")), Now()
    delivery = deliverer(store, sink, now=now)
    await delivery.drain()
    visit(store, add(store, "b"), "2", sinks=["s"])
    assert await delivery.drain() == 0
    assert sink.attempts == 1
    now.later(10)
    assert await delivery.drain() == 2


async def test_the_wait_outlives_the_process(store: SqliteStore) -> None:
    visit(store, add(store), "1", sinks=["s"])
    now = Now()
    await deliverer(store, FakeSink("s", SinkError("down")), now=now).drain()
    assert [(s.pending, s.error) for s in store.sinks()] == [(1, "down")]
    sink = FakeSink()
    assert await deliverer(store, sink, now=now).drain() == 0
    now.later(10)
    assert await deliverer(store, sink, now=now).drain() == 1


async def test_a_sink_says_when(store: SqliteStore) -> None:
    visit(store, add(store), "1", sinks=["s"])
    now = Now()
    delivery = deliverer(store, FakeSink("s", SinkError("busy", retry_after=500)), now=now)
    await delivery.drain()
    now.later(499)
    assert await delivery.drain() == 0
    now.later(1)
    assert await delivery.drain() == 1


async def test_a_sink_cannot_ask_for_years(store: SqliteStore) -> None:
    visit(store, add(store), "1", sinks=["s"])
    now = Now()
    delivery = deliverer(store, FakeSink("s", SinkError("busy", retry_after=1e18)), now=now)
    await delivery.drain()
    now.later(86_400)
    assert await delivery.drain() == 1


async def test_a_dead_sink_stops_no_other(store: SqliteStore) -> None:
    page = add(store)
    visit(store, page, "2", "1", sinks=["dead", "bug", "well"])
    dead, bug, well = (
        FakeSink("dead", *[SinkError("no")] * 99),
        FakeSink("bug", *[ZeroDivisionError("oops")] * 99),
        FakeSink("well"),
    )
    delivery = deliverer(store, dead, bug, well)
    assert await delivery.drain() == 2
    assert well.got == ["1", "2"]
    assert {s.sink: (s.pending, s.error) for s in store.sinks()} == {
        "dead": (2, "no"),
        "bug": (2, "ZeroDivisionError: oops"),
    }


async def test_a_dead_letter_after_so_many_attempts(store: SqliteStore) -> None:
    visit(store, add(store), "1", sinks=["s"])
    sink, now = FakeSink("s", *[SinkError("never")] * 5), Now()
    delivery = deliverer(store, sink, now=now)
    for _ in range(10):
        await delivery.drain()
        now.later(100)
    assert sink.attempts == 5
    (dead,) = store.dead_letters("s")
    assert (dead.attempts, dead.error) == (5, "never")
    assert store.revive("s") == 1
    assert await delivery.drain() == 1
    assert sink.got == ["1"]


async def test_what_is_rejected_is_a_dead_letter_at_once_and_the_rest_goes_on(store: SqliteStore) -> None:
    visit(store, add(store), "4", "3", "2", "1", sinks=["s"])
    fault = SinkError("2 is bad", delivered=[1], rejected=[2])
    sink, now = FakeSink("s", fault), Now()
    delivery = deliverer(store, sink, now=now)
    await delivery.drain()
    assert [x.seq for x in store.dead_letters()] == [2]
    now.later(10)
    await delivery.drain()
    assert sink.got == ["1", "3", "4"]
    sink.trouble = [SinkError("all bad", rejected=[5, 6])]
    visit(store, add(store, "b"), "b2", "b1", sinks=["s"])
    visit(store, add(store, "c"), "c1", sinks=["s"])
    assert await deliverer(store, sink, now=now, batch=2).drain() == 3  # no rest: the sink itself is well
    assert sink.got[-1] == "c1"


async def test_an_index_that_waits_holds_up_no_other(store: SqliteStore) -> None:
    a, b = add(store, "a"), add(store, "b")
    visit(store, a, "a2", "a1", sinks=["s"])
    visit(store, b, "b1", sinks=["s"])
    sink, now = FakeSink("s", SinkError("a1 not now", delivered=[3])), Now()
    delivery = deliverer(store, sink, now=now)
    await delivery.drain()
    visit(store, a, "a3", when=NOW + HOUR, sinks=["s"])
    visit(store, b, "b2", when=NOW + HOUR, sinks=["s"])
    now.later(100)
    await delivery.drain()
    assert sink.got == ["b1", "a1", "a2", "a3", "b2"]


async def test_a_sink_that_hangs_is_given_up_and_holds_up_no_other(store: SqliteStore) -> None:
    visit(store, add(store), "1", sinks=["hangs", "well"])

    class Hangs(FakeSink):
        async def deliver(self, items: Sequence[OutboxItem]) -> None:
            await asyncio.sleep(1000)

    well = FakeSink("well")
    delivery = Deliverer(store, [Hangs("hangs"), well], timeout=0.05, poll=0.01)
    assert await delivery.drain() == 1
    assert well.got == ["1"]
    assert [s.error for s in store.sinks()] == ["no answer within 0.05 s"]


async def test_runs_until_cancelled_and_wakes(store: SqliteStore) -> None:
    page = add(store)
    got = asyncio.Event()

    class Tells(FakeSink):
        async def deliver(self, items: Sequence[OutboxItem]) -> None:
            await super().deliver(items)
            got.set()

    sink = Tells("s")
    delivery = Deliverer(store, [sink], poll=1000)
    task = asyncio.create_task(delivery.run())
    for n in range(3):
        await asyncio.sleep(0)
        visit(store, page, str(n), when=NOW + n * HOUR, sinks=["s"])
        delivery.wake()
        await asyncio.wait_for(got.wait(), 10)
        got.clear()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sink.got == ["0", "1", "2"]


async def test_ends_when_cancelled_at_the_moment_it_is_woken(store: SqliteStore) -> None:
    delivery = Deliverer(store, [FakeSink()], poll=1000)
    assert await delivery.run_once() == 0
    task = asyncio.create_task(delivery.run())
    for _ in range(10):  # until the lane waits
        await asyncio.sleep(0)
    delivery.wake()
    await asyncio.sleep(0)  # the wait is over, the lane has not gone on yet
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=5)
    assert done and task.cancelled()


async def test_waits_for_the_one_that_delivers(store: SqliteStore) -> None:
    visit(store, add(store), "1", sinks=["s"])
    sink = FakeSink()
    with SqliteStore(store.path) as other:
        assert other.begin_delivery()
        assert await deliverer(store, sink).drain() == 0
        task = asyncio.create_task(Deliverer(store, [sink], poll=0.001).run())
        await asyncio.sleep(0.01)
        assert sink.attempts == 0
    while sink.attempts == 0:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sink.got == ["1"]


async def test_a_store_that_is_locked_delays_delivery(store: SqliteStore) -> None:
    visit(store, add(store), "1", sinks=["s"])
    sink = FakeSink()
    delivery = Deliverer(store, [sink], poll=0.001)
    failures = 0
    really = store.pending

    def pending(*args: Any) -> list[OutboxItem]:
        nonlocal failures
        failures += 1
        if failures == 1:
            raise StoreError("locked")
        if failures == 2:
            raise ZeroDivisionError
        return really(*args)

    store.pending = pending  # type: ignore[method-assign]
    task = asyncio.create_task(delivery.run())
    while not sink.got:
        await asyncio.sleep(0.001)
        assert not task.done()
    task.cancel()


async def test_nothing_is_given_out_before_it_is_on_disk(store: SqliteStore) -> None:
    visit(store, add(store), "1", sinks=["s"])
    steps: list[str] = []
    really = store.sync
    store.sync = lambda: (steps.append("sync"), really())[1]  # type: ignore[method-assign]

    class Notes(FakeSink):
        async def deliver(self, items: Sequence[OutboxItem]) -> None:
            steps.append("deliver")

    await deliverer(store, Notes()).drain()
    assert steps == ["sync", "deliver"]


@given(failures=st.integers(1, 10_000), random_=st.floats(0, 1))
def test_waits_grow_and_are_bounded(failures: int, random_: float) -> None:
    retry = Retry(first=1.0, most=600.0, jitter=0.5)
    wait = retry.wait(failures, random_)
    assert 0.5 <= wait <= 600.0
    assert retry.wait(failures + 1, random_) >= wait


def test_jsonl_end_to_end(store: SqliteStore, tmp_path: Path) -> None:
    page = add(store)
    visit(store, page, "2", "1", sinks=["jsonl"])
    folder = tmp_path / "later"
    sink = JsonlSink(folder / "out.jsonl")
    now = Now()
    delivery = deliverer(store, sink, now=now)
    assert asyncio.run(delivery.drain()) == 0
    folder.mkdir()
    now.later(10)
    assert asyncio.run(delivery.drain()) == 2
    assert slugs(folder / "out.jsonl") == ["1", "2"]
