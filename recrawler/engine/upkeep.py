"""What keeps a daemon well for months: retention, a short log of the database, a schedule that keeps time."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from recrawler.engine.jobs import Jobs
from recrawler.errors import RecrawlerError
from recrawler.fetch import Clock
from recrawler.settings import Settings
from recrawler.sinks.delivery import Deliverer
from recrawler.sinks.threads import in_thread
from recrawler.store import Store

log = logging.getLogger(__name__)

PRUNE_EVERY = 86_400.0  # seconds
TIDY_EVERY = 3_600.0  # seconds
FIRST = 60.0  # seconds after the start at which both begin
WATCH = 5.0  # seconds between looks at the two clocks
JUMP = 30.0  # seconds between the clocks that count as a jump


@dataclass
class Upkeep:
    """Jobs beside the visits. `settings` gives those in use."""

    store: Store
    deliverer: Deliverer
    clock: Clock
    settings: Callable[[], Settings]

    def schedule(self, jobs: Jobs) -> None:
        jobs.add("retention", self.prune, PRUNE_EVERY, first=FIRST)
        jobs.add("tidying", self.tidy, TIDY_EVERY, first=FIRST)

    async def prune(self) -> None:
        """Apply retention, in a thread: it reads the whole history."""
        s, now = self.settings(), self.clock.now()

        def prune() -> dict[str, int]:
            days = (s.history_days, s.ledger_days, s.events_days)
            return self.store.prune(now, history_days=days[0], ledger_days=days[1], events_days=days[2])

        try:
            gone = await in_thread(prune)
        except RecrawlerError as e:
            log.warning("retention waits until tomorrow: %s", e)
            return
        if what := ", ".join(f"{n} {what}" for what, n in gone.items() if n):
            log.info("retention: %s forgotten", what)

    async def tidy(self) -> None:
        try:
            await in_thread(self.store.tidy)
        except RecrawlerError as e:
            log.warning("tidying the database waits for an hour: %s", e)

    def mend_schedule(self, lease: float) -> None:
        """At the start: bring back what a clock that was ahead has put beyond reach."""
        try:
            moved = self.store.mend_clock(self.clock.now(), lease)
        except RecrawlerError as e:
            log.error("cannot mend the schedule: %s", e)
            return
        if moved:
            log.warning("%d index pages that waited for a later time are brought back", moved)

    async def watch_clock(self, jobs: Jobs) -> None:
        """Compare the wall clock, by which jobs and visits fall due, with the monotonic one; for ever."""
        skew = self._skew()
        while True:
            await self.clock.sleep(WATCH)
            jump, skew = self._skew() - skew, self._skew()
            if abs(jump) > JUMP:
                log.warning("the clock jumped by %+.0f s", jump)
                if jump < 0:  # ahead, or after a suspend: what is overdue is visited, the most urgent first
                    self._set_back(jump)
                self.deliverer.after_jump()
                jobs.after_jump()

    def _skew(self) -> float:
        return self.clock.now().timestamp() - self.clock.monotonic()

    def _set_back(self, jump: float) -> None:
        try:
            self.store.shift(jump)
        except RecrawlerError as e:
            log.error("cannot set the schedule back with the clock: %s", e)
