"""The daemon of one machine: a tick claims what is due, and each claim is visited in a task of its own.

The schedule is a column of the store. The tick is a job (`jobs`); `upkeep` has others, and watches the clock.

However many index pages are due, after an import or days of downtime, no more are claimed than can be visited
at once, one of each host, and those first whose visit is worth most (see `Store.claim_due`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from recrawler.engine.jobs import Jobs
from recrawler.engine.pace import Pace
from recrawler.engine.pulse import Pulse
from recrawler.engine.upkeep import Upkeep
from recrawler.engine.uplink import Uplink
from recrawler.errors import RecrawlerError, StoreError
from recrawler.fetch import Clock, SystemClock
from recrawler.records import IndexPage, Visit
from recrawler.settings import Settings
from recrawler.sinks.delivery import Deliverer
from recrawler.store import Claim, Store
from recrawler.store.locks import DaemonLock
from recrawler.urls import host_key
from recrawler.visit import Ask, Report, Visitor
from recrawler.visit.spending import open_hours, opening

log = logging.getLogger(__name__)

TICK = 0.5  # seconds between looks at the schedule; a visit that ends makes one at once
LEASE_SLACK = 60.0  # seconds that a claim outlives the visit's deadline
VISIT_SLACK = 30.0  # seconds that a visit may take beyond its deadline before it is given up
GRACE = 2.5  # seconds that visits under way have after `stop`
LAST_DELIVERY = 1.0  # seconds for the outbox after that


@dataclass
class LocalEngine:
    """Runs visits in this process. `on_visit` is told of each that is written and how many seconds after it
    was due it began, `on_tick` of each look at the schedule."""

    store: Store
    visitor: Visitor
    settings: Settings
    deliverer: Deliverer
    on_visit: Callable[[Visit, float], None] | None = None
    on_tick: Callable[[], None] | None = None
    lock: DaemonLock | None = None  # the proof that no other daemon runs on this database
    clock: Clock = field(default_factory=SystemClock)
    tick: float = TICK
    pulse: Pulse = field(init=False)
    _pace: Pace = field(init=False)
    _upkeep: Upkeep = field(init=False)
    _uplink: Uplink = field(default_factory=Uplink)
    _active: dict[asyncio.Task[None], str] = field(default_factory=dict)
    _stopped: asyncio.Event = field(default_factory=asyncio.Event)
    _lost: bool = False  # the database is no longer where it was

    def __post_init__(self) -> None:
        self.pulse = Pulse(self.clock.monotonic)
        self._pace = Pace(self.settings.budget)
        self._upkeep = Upkeep(self.store, self.deliverer, self.clock, lambda: self.settings)

    @property
    def _lease(self) -> float:
        """Seconds for which an index is claimed."""
        return self.settings.visit_deadline + LEASE_SLACK

    def stop(self) -> None:
        self.pulse.stopping = True
        self._stopped.set()

    def reconfigure(self, settings: Settings) -> None:
        """Go on with these settings (see `reload` for what they can change)."""
        self.settings = settings
        self._pace.budget = settings.budget
        self.visitor.reconfigure(settings)

    async def run(self, *, once: bool = False) -> None:
        """Until `stop`, or with `once` until nothing is due. Raises `StoreError` where the database was
        deleted or replaced meanwhile: whatever is written then is lost."""
        if once:
            self._uplink = Uplink(hosts=math.inf)
        self.store.reset_leases(self.lock)
        self._upkeep.mend_schedule(self._lease)
        delivery = asyncio.create_task(self.deliverer.run())
        try:
            await (self._run_due() if once else self._run_scheduled())
        finally:
            await self._wind_up(delivery)
        if self._lost:
            raise StoreError("the database was deleted or replaced while the daemon ran: start it again")

    async def _run_scheduled(self) -> None:
        jobs = Jobs(self.pulse, self.clock.now)
        jobs.add("tick", self._tick, self.tick)
        self._upkeep.schedule(jobs)
        jobs.start()
        watch = asyncio.create_task(self._upkeep.watch_clock(jobs))
        try:
            await self._stopped.wait()
        finally:
            watch.cancel()
            jobs.stop()

    async def _run_due(self) -> None:
        stopped = asyncio.create_task(self._stopped.wait())
        while not stopped.done():
            self._claim()
            if not self._active and self._pace.room(self.clock.monotonic(), 1):
                break  # nothing is due, and that is not for the budget
            await asyncio.wait([*self._active, stopped], timeout=1.0, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()

    async def _tick(self) -> None:
        if self._stopped.is_set():
            return
        if not self.store.in_place():
            self._lost = True
            self.stop()
            return
        self.pulse.tick(self._claim())
        self._spend(0)
        self.pulse.price, self.pulse.budget = self.visitor.spending.price, self.visitor.spending.budget
        if self.on_tick:
            self.on_tick()

    def _claim(self) -> str:
        """Begin as many visits as there is room for; why that is not possible, or nothing."""
        room = self._room()
        if room <= 0:
            return self._uplink.trouble
        now = self.clock.now()
        try:
            claims = self.store.claim_due(now, room, self._lease, self._active.values())
        except RecrawlerError as e:
            log.error("cannot look at the schedule: %s", e)
            return str(e)
        self._pace.spend(len(claims))
        for claim in claims:
            due = claim.index.next_visit_at or now
            late = max((now - due).total_seconds(), 0.0)
            self.pulse.claimed(late)
            task = asyncio.create_task(self._visit(claim, late))
            self._active[task] = host_key(claim.index.url)
            task.add_done_callback(self._ended)
        self.pulse.active = len(self._active)
        return self._uplink.trouble

    def _room(self) -> int:
        """How many visits may begin now."""
        at = self.clock.monotonic()
        free = self.settings.concurrency - len(self._active)
        return self._uplink.room(at, self._pace.room(at, free))

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._active.pop(task, None)
        self.pulse.active = len(self._active)
        if not self._stopped.is_set():
            self._claim()

    async def _visit(self, claim: Claim, late: float) -> None:
        """One visit; whatever goes wrong with it, the index is given back to the schedule."""
        try:
            if self._is_closed(claim):
                return
            async with asyncio.timeout(self.settings.visit_deadline + VISIT_SLACK):
                report = await self.visitor.visit(claim.index)
            visit = report.result.visit
            self._spend(visit.requests)
            self._pace.spend(visit.requests - 1)  # the first was counted at the claim
            if not write(self.store, claim, report, self.deliverer.names):
                self.pulse.broken += 1
                return
            self.pulse.visited(visit)
            self._look_up(visit)
            self.deliverer.wake()
            if self.on_visit:
                self.on_visit(visit, late)
        except asyncio.CancelledError:
            with contextlib.suppress(RecrawlerError):
                self.store.release(claim, self.clock.now())
            raise
        except Exception as e:
            self._broke(claim, e)

    def _look_up(self, visit: Visit) -> None:
        """Notice where our own network goes and comes."""
        before, back = self._uplink.down, self._uplink.visited(visit)
        if self._uplink.down and not before:
            log.warning("%s: one visit at a time until one does", self._uplink.trouble)
        if back is not None:
            with contextlib.suppress(RecrawlerError):  # they come in their own time then
                again = self.store.hurry_failed(back, self.clock.now())
                log.warning("hosts answer again; %d index pages that failed meanwhile are due", again)

    def _spend(self, requests: int) -> None:
        with contextlib.suppress(RecrawlerError):  # what could not be kept now is kept a minute later
            self.visitor.spending.count(requests, self.clock.now())

    def _broke(self, claim: Claim, error: Exception) -> None:
        """One index's fault stops no other; it is looked at again later, never forgotten."""
        self.pulse.broken += 1
        expected = isinstance(error, RecrawlerError | TimeoutError)
        why = "it took too long" if isinstance(error, TimeoutError) else str(error)
        log.error("visit of index %d failed: %s", claim.index.id, why, exc_info=None if expected else error)
        again = self.clock.now() + timedelta(seconds=self.settings.retry_first)
        with contextlib.suppress(RecrawlerError):
            self.store.release(claim, again)

    def _is_closed(self, claim: Claim) -> bool:
        """Whether the index may not be visited now; it is then given back until its hours begin. It can be
        due all the same: it was added, resumed or overdue meanwhile."""
        now = self.clock.now()
        opens = opening(open_hours(claim.index, self.settings), now)
        if opens > now:
            self.store.release(claim, opens)
        return opens > now

    async def _wind_up(self, delivery: asyncio.Task[None]) -> None:
        self._stopped.set()
        if self._active:
            await asyncio.wait(list(self._active), timeout=GRACE)
        for task in list(self._active):
            task.cancel()
        if self._active:
            await asyncio.wait(list(self._active), timeout=0.5)
        with contextlib.suppress(RecrawlerError):
            self.visitor.spending.keep()
        delivery.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await delivery
        with contextlib.suppress(TimeoutError, RecrawlerError):
            async with asyncio.timeout(LAST_DELIVERY):
                await self.deliverer.drain()


def write(store: Store, claim: Claim, report: Report, sinks: Sequence[str]) -> bool:
    """Write a visit; False, with a line in the log, where someone else has visited the index meanwhile."""
    if store.finish(claim, report.result, sinks):
        return True
    log.warning("index %d was visited by someone else meanwhile; this visit is dropped", claim.index.id)
    return False


async def visit_one(
    store: Store, visitor: Visitor, index: IndexPage, sinks: Sequence[str], lease: float, ask: Ask
) -> Report | None:
    """Visit one index in the foreground; null where another process is visiting it."""
    claim = store.claim(index.id, visitor.clock.now(), lease)
    if claim is None:
        return None
    try:
        report = await visitor.visit(claim.index, ask)
    except BaseException:
        store.release(claim, visitor.clock.now())
        raise
    return report if write(store, claim, report, sinks) else None
