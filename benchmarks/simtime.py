"""Simulated time for the real daemon: an event loop whose clock jumps to the next timer when all is quiet.

Everything that waits on the loop's time (politeness, time limits, APScheduler's timer) is simulated with it,
sockets on loopback are real. Work in threads is waited for in real time, so that time stands still meanwhile.
The wall clock is apart from the loop's: it can be set, and goes on while the machine is suspended.
"""

from __future__ import annotations

import asyncio
import contextlib
import selectors
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from datetime import UTC, datetime
from typing import Any

from aiohttp import connector
from apscheduler.schedulers import base as schedulers

PATIENCE = 0.0005  # real seconds that answers on loopback may take while visits are under way


class World:
    """Time as it is, and as the machine's clocks show it; unix seconds.

    `true` is the sites' time. The monotonic clock leaves out the time suspended, the wall clock is ahead of
    the truth by `error`. It is a `recrawler.fetch.Clock`.
    """

    def __init__(self, true: float, error: float = 0.0) -> None:
        self.awake = 0.0  # seconds since the start, suspended ones apart
        self._origin = true
        self.error = error
        self.woken = true  # when the machine last woke: nothing could be done before

    @property
    def true(self) -> float:
        return self._origin + self.awake

    @property
    def wall(self) -> float:
        return self.true + self.error

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.wall, UTC)

    def monotonic(self) -> float:
        return self.awake

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def suspend(self, seconds: float) -> None:
        self._origin += seconds
        self.woken = self.true

    def set_clock(self, error: float) -> None:
        self.error = error


class _Selector:
    """The real selector, but waiting for nothing moves the world on to where the wait would end."""

    def __init__(self, world: World, loop: SimulatedLoop) -> None:
        self._real = selectors.DefaultSelector()
        self._world, self._loop = world, loop

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = self._real.select(0)
        if events or timeout == 0:
            return events
        while self._loop.works_elsewhere():
            if events := self._real.select(PATIENCE):
                return events
        if timeout is None or self._loop.is_busy():
            events = self._real.select(PATIENCE)
        if not events and timeout is not None:
            self._world.awake += timeout
        return events


class SimulatedLoop(asyncio.SelectorEventLoop):
    """`is_busy` says whether answers from sockets are awaited: then the clock does not move before them."""

    def __init__(self, world: World, is_busy: Callable[[], bool] = lambda: False) -> None:
        self.is_busy = is_busy
        self._world = world
        self._in_executor = 0
        super().__init__(_Selector(world, self))  # type: ignore[arg-type]

    def time(self) -> float:
        return self._world.awake

    def run_in_executor(self, executor: Executor | None, func: Any, *args: Any) -> Any:
        self._in_executor += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._executed)
        return future

    def _executed(self, _: Any) -> None:
        self._in_executor -= 1

    def works_elsewhere(self) -> bool:
        """Whether a thread has yet to report: one of an executor, or one made for a single call."""
        if self._in_executor:
            return True
        if threading.active_count() == 1:
            return False
        others = (t.name for t in threading.enumerate() if t is not threading.main_thread())
        return any(not name.startswith("asyncio_") for name in others)


@contextlib.contextmanager
def foreign_clocks(world: World) -> Iterator[None]:
    """Libraries that read a clock by themselves read the world's: APScheduler the wall clock, aiohttp's
    connection pool the monotonic one."""

    class Simulated(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.fromtimestamp(world.wall, tz)

    real = schedulers.datetime, connector.monotonic
    schedulers.datetime, connector.monotonic = Simulated, world.monotonic
    try:
        yield
    finally:
        schedulers.datetime, connector.monotonic = real
