"""Takes what is pending in the store to each sink: at least once, in order per index, whatever a sink does.

Each sink has a task of its own, so that a slow or dead one holds up neither the others nor the crawl.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from recrawler.errors import StoreError
from recrawler.sinks import Sink, SinkError
from recrawler.sinks.threads import in_thread
from recrawler.store import OutboxItem, Store

log = logging.getLogger(__name__)

_LONGEST = 86_400.0  # seconds that a sink may ask for


@dataclass(frozen=True, slots=True)
class Retry:
    """When a sink is tried again after a failure. Durations in seconds."""

    first: float = 1.0  # after the first failure; doubled at each further one
    most: float = 600.0
    jitter: float = 0.5  # the share of the wait that is random
    attempts: int = 200  # of one event, then it is a dead letter: a day and a half at the default pace

    def wait(self, failures: int, random_: float) -> float:
        """Seconds until the next attempt after so many failures in a row; `random_` is from 0 to 1."""
        full = min(self.most, self.first * 2.0 ** min(failures - 1, 60))
        return full * (1.0 - self.jitter * random_)


@dataclass(slots=True)
class _Lane:
    """One sink's way: how often it failed in a row, and until when it rests."""

    sink: Sink
    failures: int = 0
    rests_until: datetime | None = None
    wake: asyncio.Event = field(default_factory=asyncio.Event)


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Deliverer:
    """Delivers the outbox of `store` to `sinks`.

    `batch` is the most events in one call of a sink, `poll` how many seconds may pass before events are seen
    that another process stored (`wake` tells of our own), `timeout` how long one call may take.
    """

    def __init__(
        self,
        store: Store,
        sinks: Sequence[Sink],
        *,
        retry: Retry = Retry(),
        batch: int = 100,
        poll: float = 1.0,
        timeout: float = 60.0,
        now: Callable[[], datetime] = _utc_now,
        random_: Callable[[], float] = random.random,
    ) -> None:
        self._store, self._retry, self._batch, self._poll, self._timeout = store, retry, batch, poll, timeout
        self._now, self._random = now, random_
        self._lanes = [_Lane(sink) for sink in sinks]

    @property
    def names(self) -> list[str]:
        """The sinks' names, as `Store.finish` wants them."""
        return [lane.sink.name for lane in self._lanes]

    def wake(self) -> None:
        """Something was stored: look at once."""
        for lane in self._lanes:
            lane.wake.set()

    def after_jump(self) -> None:
        """The clock was set: what rests until a time of the old one goes on."""
        for lane in self._lanes:
            lane.rests_until = None
        self.wake()

    async def run(self) -> None:
        """Deliver until cancelled. Where another process delivers from this store, wait for its end."""
        while not self._begin():  # noqa: ASYNC110 - another process sets no event of ours
            await asyncio.sleep(self._poll)
        async with asyncio.TaskGroup() as group:
            for lane in self._lanes:
                group.create_task(self._run_lane(lane))

    def _begin(self) -> bool:
        try:
            return self._store.begin_delivery()
        except StoreError as e:
            log.warning("delivery waits: %s", e)
            return False

    async def run_once(self) -> int:
        """One batch for each sink that does not rest; how many events were settled (delivered, or dead), 0
        too where another process delivers from this store."""
        if not self._store.begin_delivery():
            return 0
        return sum(await asyncio.gather(*(self._step(lane) for lane in self._lanes)))

    async def drain(self) -> int:
        """Deliver all that can be delivered now, without waiting for what failed; how many events."""
        total = 0
        while count := await self.run_once():
            total += count
        return total

    async def _run_lane(self, lane: _Lane) -> None:
        while True:
            lane.wake.clear()
            try:
                if await self._step(lane):
                    continue
            except StoreError as e:
                log.warning("delivery to %s waits: %s", lane.sink.name, e)
            except Exception:
                log.exception("delivery to %s waits", lane.sink.name)
            # Not `wait_for`: in Python 3.11 it loses a cancellation that comes together with the event.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._poll):
                    await lane.wake.wait()

    async def _step(self, lane: _Lane) -> int:
        """One batch for one sink; how many events were settled."""
        now = self._now()
        if lane.rests_until is not None and now < lane.rests_until:
            return 0
        items = self._store.pending(lane.sink.name, now, self._batch)
        if not items:
            return 0
        # What is given out must not be taken back by a power cut: the next visit would find it anew and give
        # it out a second time, with another id.
        await in_thread(self._store.sync)
        try:
            await self._call(lane.sink, items)
        except SinkError as e:
            return self._after(lane, items, e)
        self._store.delivered(lane.sink.name, [item.seq for item in items])
        lane.failures, lane.rests_until = 0, None
        return len(items)

    async def _call(self, sink: Sink, items: Sequence[OutboxItem]) -> None:
        """Deliver, with every fault of a sink as a `SinkError`: one sink's bug stops nothing else."""
        try:
            async with asyncio.timeout(self._timeout):
                await sink.deliver(items)
        except SinkError:
            raise
        except TimeoutError:
            raise SinkError(f"no answer within {self._timeout:g} s") from None
        except Exception as e:
            log.exception("sink %s failed", sink.name)
            raise SinkError(f"{type(e).__name__}: {e}") from e

    def _after(self, lane: _Lane, items: Sequence[OutboxItem], error: SinkError) -> int:
        """Note what became of a batch that failed, and let the sink rest; how many events were settled."""
        name, text = lane.sink.name, str(error)
        taken, refused = set(error.delivered), set(error.rejected)
        left = [item for item in items if item.seq not in taken | refused]
        worn = {item.seq for item in left if item.attempts + 1 >= self._retry.attempts}
        if taken:
            self._store.delivered(name, sorted(taken))
        if refused | worn:
            log.error("sink %s: %d dead letters: %s", name, len(refused | worn), text)
            self._store.failed(name, sorted(refused | worn), text, None)
        again = [item for item in left if item.seq not in worn]
        if left:
            lane.failures = max(lane.failures, *(item.attempts for item in left)) + 1
            wait = self._retry.wait(lane.failures, self._random())
            wait = max(wait, min(error.retry_after or 0.0, _LONGEST))
            lane.rests_until = self._now() + timedelta(seconds=wait)
            log.warning("sink %s rests %.1f s: %s", name, wait, text)
            self._store.failed(name, [item.seq for item in again], text, lane.rests_until)
        return len(taken | refused | worn)
