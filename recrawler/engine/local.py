"""The daemon of one machine: a tick claims what is due, and each claim is visited in a task of its own.

The schedule is a column of the store. APScheduler runs one job, the tick; a late tick is never dropped, and
several late ones are one. Wall and monotonic clocks are compared at every tick: after a jump (a suspended
machine, a clock set back) due times that lie beyond reach are brought back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from functools import partial

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from recrawler.errors import RecrawlerError
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
GRACE = 2.5  # seconds that visits under way have after `stop`
LAST_DELIVERY = 1.0  # seconds for the outbox after that
JUMP = 30.0  # seconds between the clocks that count as a jump
PRUNE_EVERY = 86_400.0  # seconds


@dataclass
class LocalEngine:
    """Runs visits in this process. `on_visit` is told of each that is written."""

    store: Store
    visitor: Visitor
    settings: Settings
    deliverer: Deliverer
    on_visit: Callable[[Visit], None] | None = None
    lock: DaemonLock | None = None  # the proof that no other daemon runs on this database
    clock: Clock = field(default_factory=SystemClock)
    visits: int = 0
    _active: dict[asyncio.Task[None], str] = field(default_factory=dict)
    _stopped: asyncio.Event = field(default_factory=asyncio.Event)
    _skew: float | None = None
    _pruned: float | None = None
    _pruning: asyncio.Task[None] | None = None

    def stop(self) -> None:
        self._stopped.set()

    async def run(self, *, once: bool = False) -> None:
        self.store.reset_leases(self.lock)
        delivery = asyncio.create_task(self.deliverer.run())
        scheduler = AsyncIOScheduler(timezone=UTC)
        try:
            if once:
                await self._run_due()
            else:
                scheduler.add_job(
                    self._tick, "interval", seconds=TICK,
                    misfire_grace_time=None, coalesce=True, max_instances=1,
                )  # fmt: skip
                scheduler.start()
                await self._stopped.wait()
        finally:
            if scheduler.running:
                scheduler.shutdown(wait=False)
            await self._wind_up(delivery)

    async def _run_due(self) -> None:
        while not self._stopped.is_set():
            self._claim()
            if not self._active:
                return
            await asyncio.wait(list(self._active), return_when=asyncio.FIRST_COMPLETED)

    async def _tick(self) -> None:
        if self._stopped.is_set():
            return
        self._watch_clock()
        self._claim()
        with contextlib.suppress(RecrawlerError):  # what could not be kept now is kept a minute later
            self.visitor.spending.count(0, self.clock.now())
        if self._pruned is None or self.clock.monotonic() - self._pruned > PRUNE_EVERY:
            self._pruned = self.clock.monotonic()
            self._pruning = asyncio.create_task(self._prune())

    async def _prune(self) -> None:
        """Apply retention, in a thread: it reads the whole history."""
        s = self.settings
        days = {"history_days": s.history_days, "ledger_days": s.ledger_days, "events_days": s.events_days}
        try:
            await asyncio.to_thread(partial(self.store.prune, self.clock.now(), **days))
        except RecrawlerError as e:
            log.warning("retention waits until tomorrow: %s", e)

    def _claim(self) -> None:
        room = self.settings.concurrency - len(self._active)
        if room <= 0:
            return
        lease = self.settings.visit_deadline + LEASE_SLACK
        try:
            claims = self.store.claim_due(self.clock.now(), room, lease, self._active.values())
        except RecrawlerError as e:
            log.error("cannot look at the schedule: %s", e)
            return
        for claim in claims:
            task = asyncio.create_task(self._visit(claim))
            self._active[task] = host_key(claim.index.url)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._active.pop(task, None)
        if not self._stopped.is_set():
            self._claim()

    async def _visit(self, claim: Claim) -> None:
        """One visit; whatever goes wrong with it, the index is given back to the schedule."""
        try:
            if self._is_closed(claim):
                return
            report = await self.visitor.visit(claim.index)
            if write(self.store, claim, report, self.deliverer.names):
                self.visits += 1
                self.deliverer.wake()
                if self.on_visit:
                    self.on_visit(report.result.visit)
            self.visitor.spending.count(report.result.visit.requests, self.clock.now())
        except asyncio.CancelledError:
            self.store.release(claim, self.clock.now())
            raise
        except Exception as e:
            # One index's fault stops no other; it is looked at again later, never forgotten.
            expected = isinstance(e, RecrawlerError)
            log.error("visit of index %d failed: %s", claim.index.id, e, exc_info=not expected)
            again = self.clock.now() + timedelta(seconds=self.settings.retry_first)
            with contextlib.suppress(RecrawlerError):
                self.store.release(claim, again)

    def _is_closed(self, claim: Claim) -> bool:
        """Whether the index may not be visited now; it is then given back until its hours begin. It can be
        due all the same: it was added, resumed or overdue meanwhile."""
        now = self.clock.now()
        opens = opening(open_hours(claim.index, self.settings), now)
        return opens > now and self.store.release(claim, opens)

    def _watch_clock(self) -> None:
        skew = self.clock.now().timestamp() - self.clock.monotonic()
        jumped = self._skew is not None and abs(skew - self._skew) > JUMP
        self._skew = skew
        if jumped:
            now = self.clock.now()
            furthest = max(self.settings.max_every, self.settings.retry_after_cap)
            lease = self.settings.visit_deadline + LEASE_SLACK
            moved = self.store.clamp(now + timedelta(seconds=furthest), now + timedelta(seconds=lease))
            log.warning("the clock jumped; %d index pages that waited too far off are brought back", moved)

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
            await asyncio.wait_for(self.deliverer.drain(), LAST_DELIVERY)


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
