"""The daemon's engine: a real scheduler and a real database, visits made up, and a clock that can be set."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from apscheduler.events import EVENT_JOB_MISSED

from recrawler.engine.jobs import Jobs
from recrawler.engine.local import LocalEngine
from recrawler.engine.pace import Pace
from recrawler.engine.pulse import LATE, STUCK, Pulse
from recrawler.engine.uplink import Uplink
from recrawler.records import HostState, IndexPage
from recrawler.settings import Budget, Settings
from recrawler.sinks.delivery import Deliverer
from recrawler.store import Claim
from recrawler.store.sqlite import SqliteStore
from recrawler.urls import host_key
from recrawler.visit import Report
from recrawler.visit.spending import Spending
from tests.visiting import NOW, add, result

HOUR = timedelta(hours=1)


class SettableClock:
    """The machine's clocks, of which the wall clock can be set; `ahead` is by how many seconds it is."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.ahead)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.05))


@dataclass
class FakeVisitor:
    """Visits that find nothing and say when to come again; `work` is what one does meanwhile."""

    clock: SettableClock
    work: Callable[[IndexPage], Awaitable[None]] | None = None
    every: timedelta = HOUR
    order: list[int] = field(default_factory=list)
    under_way: Counter[str] = field(default_factory=Counter)
    most: Counter[str] = field(default_factory=Counter)  # at once, by host and in all
    status: int = 200  # HTTP, or a negative fetch status
    spending: Any = None

    def reconfigure(self, settings: Settings) -> None:
        """Nothing depends on them."""

    async def visit(self, index: IndexPage) -> Report:
        self.order.append(index.id)
        host = host_key(index.url)
        for name in (host, "all"):
            self.under_way[name] += 1
            self.most[name] = max(self.most[name], self.under_way[name])
        try:
            await (self.work(index) if self.work else asyncio.sleep(0))
        finally:
            self.under_way.subtract((host, "all"))
        now = self.clock.now()
        claim, good = Claim(index, 0, now), self.status > 0
        after = {"next_visit_at": now + self.every, "failures": 0 if good else index.failures + 1}
        made = result(claim, when=now, index=after)
        pages = (replace(made.visit.pages[0], status=self.status),)
        return Report(replace(made, visit=replace(made.visit, pages=pages)), None)


@dataclass
class Running:
    engine: LocalEngine
    visitor: FakeVisitor
    store: SqliteStore
    clock: SettableClock

    async def until(self, true: Callable[[], Any], seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, "it does not come true"
            await asyncio.sleep(0.01)

    async def visited(self, count: int) -> list[int]:
        await self.until(lambda: self.engine.pulse.visits >= count)
        return self.visitor.order


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "e.db", create=True)


def made(store: SqliteStore, **settings: Any) -> Running:
    clock = SettableClock()
    visitor = FakeVisitor(clock, spending=Spending(store, Settings(**settings)))
    kind: Any = visitor
    engine = LocalEngine(store, kind, Settings(**settings), Deliverer(store, []), clock=clock, tick=0.02)
    return Running(engine, visitor, store, clock)


@asynccontextmanager
async def running(made: Running) -> AsyncIterator[Running]:
    task = asyncio.create_task(made.engine.run())
    try:
        yield made
    finally:
        made.engine.stop()
        await task


def now() -> datetime:
    return datetime.now(UTC)


# --- late ticks and jobs ---


async def test_case_086_late_jobs_run_and_missed_ones_are_counted(store: SqliteStore) -> None:
    for n in range(50):
        add(store, f"n{n}", now() + timedelta(seconds=0.2))
    async with running(made(store, concurrency=50)) as r:
        await r.until(lambda: r.engine.pulse.ticks)
        time.sleep(1.5)  # noqa: ASYNC251 - the loop is blocked, longer than APScheduler's own limit
        await r.visited(50)
        assert r.engine.pulse.missed == 0
    pulse = Pulse()
    jobs = Jobs(pulse, now)
    jobs._scheduler.add_job(len, args=[()], misfire_grace_time=1, next_run_time=now() - HOUR)
    seen: list[Any] = []
    jobs._scheduler.add_listener(seen.append, EVENT_JOB_MISSED)
    jobs.start()
    await r.until(lambda: seen)
    jobs.stop()
    assert pulse.missed == 1


async def test_a_job_that_fails_is_counted_and_runs_again(caplog: pytest.LogCaptureFixture) -> None:
    pulse, runs = Pulse(), []

    async def fail() -> None:
        runs.append(1)
        raise ValueError("no luck")

    jobs = Jobs(pulse, now)
    jobs.add("broken", fail, 0.02)
    jobs.start()
    while len(runs) < 3:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    jobs.stop()
    assert pulse.failed >= 2 and "job broken failed: ValueError: no luck" in caplog.text


async def test_case_089_a_clock_set_back_in_a_run_stops_no_visits(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    r = made(store)

    class Scheduled(datetime):
        """What APScheduler asks for the time."""

        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return r.clock.now()

    monkeypatch.setattr("apscheduler.schedulers.base.datetime", Scheduled)
    r.visitor.every = timedelta(seconds=0.3)
    page = add(store, "a", now())
    async with running(r):
        await r.visited(2)
        r.clock.ahead = -7200.0
        before, ticks = r.engine.pulse.visits, r.engine.pulse.ticks
        await r.visited(before + 3)
        assert r.engine.pulse.ticks > ticks + 3
        index = store.get_index(page.id)
        assert index is not None and index.next_visit_at is not None
        assert index.next_visit_at < r.clock.now() + timedelta(seconds=60)


async def test_case_092_jobs_keep_utc_over_a_change_of_summer_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "US/Pacific")
    time.tzset()
    try:
        jobs = Jobs(Pulse(), lambda: datetime(2026, 3, 7, 8, tzinfo=UTC))  # midnight there
        jobs.add("daily", lambda: asyncio.sleep(0), 86_400.0)
        (job,) = jobs._scheduler.get_jobs() or [j for j, *_ in jobs._scheduler._pending_jobs]
        fires = [job.next_run_time]
        for _ in range(4):
            fires.append(job.trigger.get_next_fire_time(fires[-1], fires[-1]))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert fires == [datetime(2026, 3, day, 8, tzinfo=UTC) for day in (7, 8, 9, 10, 11)]


# --- many at once ---


async def test_case_091_after_a_suspend_the_most_urgent_come_first_and_hosts_in_turn(
    store: SqliteStore,
) -> None:
    """Ten minutes are as much for a page of every minute as ten hours for one of every hour."""
    woken = now()
    slept = timedelta(minutes=10)
    ids: dict[str, int] = {}
    for name, every in (("hourly", 3600), ("minutely", 60), ("daily", 86400), ("quarterly", 900)):
        page = add(store, name, woken)
        last = woken - slept - timedelta(seconds=every / 2)  # each was half through its interval
        claim = store.claim(page.id, last, 300)
        assert claim is not None
        after = {"last_visit_at": last, "next_visit_at": last + timedelta(seconds=every)}
        store.finish(claim, result(claim, when=last, index=after), [])
        ids[name] = page.id
    for n in range(6):
        add(store, f"big{n}", woken - HOUR, host="big.example")
    r = made(store, concurrency=1)
    async with running(r):
        await r.visited(8)
    own = [x for x in r.visitor.order if x in ids.values()]
    assert own == [ids["minutely"], ids["quarterly"]], "the others are not due yet"
    assert r.visitor.order[0] == ids["minutely"]
    assert r.visitor.most["big.example:443"] == 1


async def test_thousands_due_at_once_are_no_stampede(store: SqliteStore) -> None:
    """After days of downtime: 600 pages of one host and 300 of others. The big host takes one place, others
    do not wait for it, and no more are under way than there may be."""
    due = now() - timedelta(days=3)
    for n in range(600):
        add(store, f"big{n}", due, host="big.example")
    for n in range(300):
        add(store, f"n{n}", due + HOUR, host=f"h{n % 150}.example")
    r = made(store, concurrency=8)

    async def work(index: IndexPage) -> None:
        await asyncio.sleep(0.02 if "big.example" in index.url else 0.001)

    r.visitor.work = work
    async with running(r):
        await r.until(lambda: sum(x > 600 for x in r.visitor.order) == 300, seconds=30)
        big = sum(x <= 600 for x in r.visitor.order)
    assert 0 < big < 300, "the small hosts waited for the big one"
    assert r.visitor.most["all"] <= 8 and max(v for k, v in r.visitor.most.items() if k != "all") == 1
    assert len(store.claim_due(now(), 1000, 60)) == 1, "what is left is the big host's, one at a time"


async def test_a_budget_holds_while_days_of_downtime_are_caught_up_with(store: SqliteStore) -> None:
    """3,600 an hour: three a second at most, after what may be saved up; and no visit is lost."""
    for n in range(400):
        add(store, f"n{n}", now() - timedelta(days=3))
    r = made(store, concurrency=50, budget=Budget(3600.0))
    r.engine._pace.left, r.engine._pace.filled = 20.0, time.monotonic()
    async with running(r):
        began = time.monotonic()
        await r.visited(23)
        assert time.monotonic() - began > 0.6
        assert r.engine.pulse.visits <= 22 + 3 * (time.monotonic() - began)
        r.engine.reconfigure(replace(r.engine.settings, budget=Budget(0.0)))
        await r.visited(400)


def test_pace() -> None:
    pace = Pace(1200.0)  # one a second in haste
    assert pace.room(0.0, 1000) == 300, "what may be saved up"
    pace.spend(300)
    assert (pace.room(0.5, 10), pace.room(2.5, 10)) == (0, 2)
    pace.spend(12)  # a visit of many pages is paid for later
    assert (pace.room(10.0, 10), pace.room(15.0, 10)) == (0, 3)
    assert Pace(0.0).room(0.0, 7) == Pace(math.inf).room(0.0, 7) == 7
    assert Pace(0.1).room(0.0, 7) == 1


def test_under_load_all_intervals_grow_by_the_same_factor(store: SqliteStore) -> None:
    """Half of what is due can be visited: a page of every minute and one of every hour wait twice as long."""
    start = datetime(2026, 3, 1, tzinfo=UTC)
    every = {add(store, f"n{n}", start).id: 60.0 * (1 + 9 * (n % 2)) for n in range(20)}
    visits: Counter[int] = Counter()
    at = start
    while at < start + 5 * HOUR:
        at += timedelta(seconds=11)  # 10 / 60 + 10 / 600 visits a second would be wanted
        for claim in store.claim_due(at, 1, 60):
            visits[claim.index.id] += 1
            after = {"last_visit_at": at, "next_visit_at": at + timedelta(seconds=every[claim.index.id])}
            store.finish(claim, result(claim, when=at, index=after), [])
    stretch = [5 * 3600 / visits[n] / seconds for n, seconds in every.items()]
    assert min(stretch) > 1.7 and max(stretch) < 2.6, stretch


def test_case_079_a_host_that_asked_to_be_left_alone_is_left_alone_by_all_its_pages(
    store: SqliteStore,
) -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    for n in range(3):
        add(store, f"n{n}", at - HOUR, host="busy.example")
    other = add(store, "other", at - HOUR)
    store.save_host(HostState("busy.example:443", not_before=at + timedelta(hours=24)))
    (claim,) = store.claim_due(at, 9, 60)
    assert claim.index.id == other.id and store.release(claim, at + 99 * HOUR)
    assert store.figures(at).resting == 1
    assert store.claim_due(at + timedelta(hours=23), 9, 60) == []
    assert len(store.claim_due(at + timedelta(hours=24, seconds=1), 9, 60)) == 1


async def test_where_our_own_network_goes_it_is_tried_and_what_failed_is_due_when_it_is_back(
    store: SqliteStore, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty lists fail for want of a network. Not all are tried in vain, and none waits for its turn after."""
    monkeypatch.setattr("recrawler.engine.uplink.TRIAL", 0.3)
    for n in range(50):
        add(store, f"n{n}", now() - HOUR)
    r = made(store, concurrency=4)
    r.visitor.status = -1
    async with running(r):
        await r.until(lambda: r.engine.pulse.unready == "no host answers")
        await r.visited(13)
        assert r.visitor.most["all"] <= 4 and len(r.visitor.order) < 20, "one at a time"
        failed = len(r.visitor.order)
        r.visitor.status = 200
        await r.visited(50 + failed)
        assert not r.engine.pulse.unready
    assert sorted(set(r.visitor.order[failed:])) == list(range(1, 51))
    assert "no host answers" in caplog.text and "hosts answer again" in caplog.text


def test_a_few_dead_sites_are_not_our_network(store: SqliteStore) -> None:
    uplink, page = Uplink(), IndexPage(1, "https://a.example/", now())

    def saw(host: int, status: int) -> datetime | None:
        claim = Claim(replace(page, url=f"https://h{host}.example/"), 0, now())
        visit = result(claim, when=NOW + timedelta(minutes=host)).visit
        return uplink.visited(replace(visit, pages=(replace(visit.pages[0], status=status),)))

    for n in range(20):
        saw(n % 7, -4)  # seven hosts, over and over
    assert not uplink.down and uplink.room(0.0, 9) == 9
    saw(8, 503)  # a server that refuses is there
    for n in range(10):
        saw(n, -50)  # put off by ourselves: no news
    assert not uplink.down
    for n in range(8):
        saw(n, -2)
    assert uplink.down and (uplink.room(100.0, 9), uplink.room(105.0, 9), uplink.room(111.0, 9)) == (1, 0, 1)
    assert saw(9, 404) == NOW, "since the first of them"
    assert not uplink.down and saw(9, 200) is None


# --- one visit ---


async def test_a_visit_that_does_not_end_is_given_up_and_tried_again(
    store: SqliteStore, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recrawler.engine.local.VISIT_SLACK", 0.0)
    page = add(store, "a", now())
    r = made(store)
    r.engine.settings = replace(r.engine.settings, visit_deadline=0.2)  # type: ignore[arg-type]
    r.visitor.work = lambda index: asyncio.Event().wait()  # type: ignore[assignment,return-value]
    async with running(r):
        await r.until(lambda: r.engine.pulse.broken)
    index = store.get_index(page.id)
    assert index is not None and index.next_visit_at is not None and index.next_visit_at > now()
    assert "it took too long" in caplog.text


async def test_once_ends_when_nothing_is_due_any_more_or_it_is_stopped(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recrawler.engine.local.GRACE", 0.1)
    for n in range(40):
        add(store, f"n{n}", now() - HOUR, host=f"h{n % 8}.example")
    add(store, "later", now() + HOUR)
    r = made(store)
    await r.engine.run(once=True)
    assert sorted(r.visitor.order) == list(range(1, 41))
    r = made(store)
    r.visitor.work = lambda index: asyncio.Event().wait()  # type: ignore[assignment,return-value]
    store.schedule(41, now())
    task = asyncio.create_task(r.engine.run(once=True))
    await r.until(lambda: r.visitor.order)
    r.engine.stop()
    await asyncio.wait_for(task, 5)
    assert len(store.claim_due(now(), 9, 60)) == 1, "what was cut off is due"


async def test_once_visits_all_that_is_due_however_many_hosts_are_silent(store: SqliteStore) -> None:
    """No later run of a job that is started once a day would come to what stands behind dead sites."""
    for n in range(12):
        add(store, f"n{n}", now() - HOUR)
    r = made(store, concurrency=1)

    async def answer(index: IndexPage) -> None:
        r.visitor.status = 200 if index.id == 12 else -2

    r.visitor.work = answer
    await asyncio.wait_for(r.engine.run(once=True), 5)
    assert sorted(r.visitor.order) == list(range(1, 13)), "each of them, and none twice"


async def test_how_late_visits_are_is_counted(store: SqliteStore) -> None:
    for n, late in enumerate((0, 30, 7200, 10**6)):
        add(store, f"n{n}", now() - timedelta(seconds=late))
    async with running(made(store)) as r:
        await r.visited(4)
    pulse = r.engine.pulse
    assert [sum(pulse.late[:3]), pulse.late[3], pulse.late[7], pulse.late[-1]] == [1, 1, 1, 1]
    assert sum(pulse.late) == 4 and len(pulse.late) == len(LATE) + 1
    assert pulse.late_sum == pytest.approx(10**6 + 7230, abs=5)


def test_a_pulse_without_ticks_is_sick() -> None:
    at = [100.0]
    pulse = Pulse(lambda: at[0])
    assert pulse.unready == "starting" and not pulse.sick
    pulse.tick()
    assert not pulse.unready
    pulse.tick("the disk is full")
    assert pulse.unready == "the disk is full" and not pulse.sick
    at[0] += STUCK + 1
    assert pulse.sick == "no tick for 21 s"
    pulse.tick()
    assert not pulse.unready
    pulse.stopping = True
    assert pulse.unready == "stopping"
