"""What runs by the clock: APScheduler's jobs, none of which is ever dropped for being late.

APScheduler waits by the wall clock. What missed its time is run once as soon as it can be (`coalesce`, no
limit to how late), in UTC, so that no change to or from summer time moves it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_MAX_INSTANCES, EVENT_JOB_MISSED, JobEvent
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.base import BaseTrigger

from recrawler.engine.pulse import Pulse

log = logging.getLogger(__name__)


class Every(BaseTrigger):  # type: ignore[misc, unused-ignore]
    """Fires when it is due and then `seconds` later, however far the clock went on meanwhile.

    APScheduler's interval trigger counts one by one what it missed: after three days of suspend that is half
    a million ticks, and where the clock was years behind at the start it is hundreds of millions.
    """

    def __init__(self, seconds: float) -> None:
        self.every = timedelta(seconds=seconds)

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime:
        return now + self.every


class Jobs:
    """The scheduler, with its misses and errors counted. Use inside a running loop."""

    def __init__(self, pulse: Pulse, now: Callable[[], datetime]) -> None:
        self._pulse, self._now = pulse, now
        self._scheduler = AsyncIOScheduler(timezone=UTC)
        self._scheduler.add_listener(self._note, EVENT_JOB_MISSED | EVENT_JOB_ERROR | EVENT_JOB_MAX_INSTANCES)

    def add(self, name: str, run: Callable[[], Awaitable[None]], every: float, first: float = 0.0) -> None:
        """Run a coroutine function in `first` seconds, and every so many seconds from then on."""
        self._scheduler.add_job(
            run, Every(every), id=name, next_run_time=self._now() + timedelta(seconds=first),
            misfire_grace_time=None, coalesce=True, max_instances=1,
        )  # fmt: skip

    def start(self) -> None:
        self._scheduler.start()

    def stop(self) -> None:
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    def after_jump(self) -> None:
        """The wall clock was set: no job waits longer than its interval from now on. Were it set back by an
        hour, each would stand still for as long."""
        for job in self._scheduler.get_jobs():
            latest = self._now() + job.trigger.every
            if job.next_run_time > latest:
                job.modify(next_run_time=latest)
        self._scheduler.wakeup()

    def _note(self, event: JobEvent) -> None:
        if event.code == EVENT_JOB_ERROR:
            self._pulse.failed += 1
            error = event.exception
            log.error("job %s failed: %s: %s", event.job_id, type(error).__name__, error, exc_info=error)
            return
        self._pulse.missed += 1
        why = "was late" if event.code == EVENT_JOB_MISSED else "still runs"
        log.warning("job %s %s: one run of it is left out", event.job_id, why)
