"""One request at a time per host, and a pause after each.

The pause is the greatest of the setting, the site's Crawl-delay, twice the host's usual response time,
and what 429 and 503 answers have stretched it to. A host's state is loaded from `HostMemory` at its first
request; the table forgets idle hosts, oldest first, so that its size does not grow with the crawl.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from recrawler.fetch.types import Clock, FaultError, HostMemory
from recrawler.records import HostState
from recrawler.settings import Settings

# A host whose answers take long is asked less often: pause = this many response times (Heritrix's
# delay-factor idea; ours is lower, as an index visit is a handful of requests).
_RESPONSE_TIMES = 2.0
_LATENCY_WEIGHT = 0.5  # of the newest response time in the running mean
_FIRST_PENALTY = 1.0  # seconds, the pause after the first 429 or 503 where the setting is shorter
_IDLE_HOSTS = 1_000
_IDLE_BYTES = 32_000_000  # of robots.txt copies
_SAVE_AHEAD = 1.0  # seconds: a shorter wait is not worth a write


def parse_retry_after(value: str | None, date: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for: a number, or an HTTP-date relative to the response's Date.

    None for no header, garbage, zero and the past (RFC 9110, 10.2.3).
    """
    text = (value or "").strip()
    if not text:
        return None
    number = text.partition(",")[0].rstrip()  # the header may be there twice
    if number.isascii() and number.replace(".", "", 1).isdigit():
        seconds = float(number[:400])
    else:
        when = http_date(text)
        if when is None:
            return None
        seconds = (when - (http_date(date) or now)).total_seconds()
    return seconds if seconds > 0 else None


def http_date(text: str | None) -> datetime | None:
    """The moment of an HTTP date, or None for anything else."""
    if not text:
        return None
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


@dataclass(slots=True)
class Host:
    """One host's turn and what is known of it. Times `*_at` are monotonic seconds unless datetimes."""

    key: str
    saved: HostState  # as it stands in the memory
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0  # fetches that hold this object
    waiting: int = 0  # of them, those that wait for their turn
    next_at: float = -math.inf
    asked_until: datetime | None = None  # the server asked to be left alone until then
    latency: float = 0.0  # seconds, running mean; 0: unknown
    penalty: float = 0.0  # seconds
    crawl_delay: float = 0.0  # seconds
    charset: str | None = None
    robots: Any = None  # the gate's copy
    robots_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    weight: int = 0  # bytes that the copy takes


class HostTable:
    """Hosts in use and the recently used ones."""

    def __init__(self, settings: Settings, memory: HostMemory, clock: Clock) -> None:
        self._settings, self._memory, self._clock = settings, memory, clock
        self._hosts: OrderedDict[str, Host] = OrderedDict()
        self._weight = 0

    def __len__(self) -> int:
        return len(self._hosts)

    def reconfigure(self, settings: Settings) -> None:
        """Take these settings from the next pause on."""
        self._settings = settings

    @asynccontextmanager
    async def use(self, key: str) -> AsyncIterator[Host]:
        """The host's object, which stays in the table as long as it is used."""
        host = self._hosts.get(key)
        if host is None:
            host = self._hosts[key] = self._load(key)
        self._hosts.move_to_end(key)
        host.users += 1
        try:
            yield host
        finally:
            host.users -= 1
            self._evict()

    def _load(self, key: str) -> Host:
        state = self._memory.host(key) or HostState(key)
        host = Host(key, state, penalty=state.delay or 0.0, charset=state.charset)
        if state.not_before is not None:
            wait = (state.not_before - self._clock.now()).total_seconds()
            if wait > 0:
                # A clock set back must not lock a host out for ever.
                wait = min(wait, self._settings.retry_after_cap)
                host.asked_until = self._clock.now() + timedelta(seconds=wait)
                host.next_at = self._clock.monotonic() + wait
        return host

    def _evict(self) -> None:
        while len(self._hosts) > _IDLE_HOSTS or self._weight > _IDLE_BYTES:
            host = next((h for h in self._hosts.values() if h.users == 0), None)
            if host is None:
                return
            self.save(host)
            self._weight -= host.weight
            del self._hosts[host.key]

    def weigh(self, host: Host, weight: int) -> None:
        """Tell how many bytes this host's robots.txt takes."""
        self._weight += weight - host.weight
        host.weight = weight

    def crawl_delay(self, key: str) -> float:
        """Seconds that a host's robots.txt asks for, as far as it has been read lately."""
        host = self._hosts.get(key)
        return 0.0 if host is None else min(host.crawl_delay, float(self._settings.retry_after_cap))

    def pause(self, host: Host) -> float:
        """Seconds to leave between two requests to this host, as things stand."""
        base = max(float(self._settings.delay), self.crawl_delay(host.key))
        if self._settings.delay > 0:
            base = max(base, min(host.latency * _RESPONSE_TIMES, self._settings.max_delay))
        return max(base, min(host.penalty, self._settings.max_delay))

    @asynccontextmanager
    async def turn(self, host: Host, deadline: float) -> AsyncIterator[None]:
        """This host's only request at this time, after its pause.

        Raises a `deferred` FaultError where the turn would come after `deadline` (monotonic). A cancelled
        holder gives the turn back.
        """
        async with self.locked(host, host.lock, deadline):
            await self._await_pause(host, deadline)
            try:
                yield
            finally:
                host.next_at = max(host.next_at, self._clock.monotonic() + self.pause(host))

    @asynccontextmanager
    async def locked(self, host: Host, lock: asyncio.Lock, deadline: float) -> AsyncIterator[None]:
        """The lock, held. Raises a `deferred` FaultError where it is not to be had before `deadline`."""
        if lock.locked():
            await self._wait_for(host, lock, deadline - self._clock.monotonic())
        else:
            await lock.acquire()
        try:
            yield
        finally:
            lock.release()

    async def _wait_for(self, host: Host, lock: asyncio.Lock, left: float) -> None:
        # Those before us will each be followed by a pause; do not wait for what cannot come in time.
        ahead = host.waiting * self.pause(host)
        if ahead > left:
            raise self._deferred(host, ahead, "others are before")
        host.waiting += 1
        try:
            async with asyncio.timeout(None if math.isinf(left) else max(0.0, left)):
                await lock.acquire()
        except TimeoutError:
            raise self._deferred(host, self.pause(host), "its turn has not come") from None
        finally:
            host.waiting -= 1

    async def _await_pause(self, host: Host, deadline: float) -> None:
        now = self._clock.monotonic()
        if now >= deadline:
            raise self._deferred(
                host, max(self.pause(host), host.next_at - now), "the time of this visit is over"
            )
        if host.next_at <= now:
            return
        if host.next_at >= deadline:
            wait = host.next_at - now
            asked = "asked to be left alone" if host.asked_until else "is given a pause"
            raise self._deferred(host, wait, f"it {asked} for {wait:.0f} s")
        # A sleep may wake a tick early.
        while (wait := host.next_at - self._clock.monotonic()) > 0:
            await self._clock.sleep(wait)

    def _deferred(self, host: Host, wait: float, why: str) -> FaultError:
        when = self._clock.now() + timedelta(seconds=max(0.0, wait))
        return FaultError("deferred", f"{host.key} is not asked now: {why}", retry_at=when)

    def answered(self, host: Host, status: int, retry_after: float | None, elapsed: float) -> datetime | None:
        """Learn from an answer; returns until when the server wants no further request, if it said so.

        `retry_after` is in seconds, as parsed; it is capped here.
        """
        self._timed(host, elapsed)
        before = host.penalty
        if status in (429, 503):
            floor = max(float(self._settings.delay), _FIRST_PENALTY)
            host.penalty = min(max(host.penalty * 2, floor), max(self._settings.max_delay, floor))
        elif status < 500:
            host.penalty = host.penalty / 2 if host.penalty > _FIRST_PENALTY else 0.0
        asked = None
        if retry_after is not None and status >= 400:
            asked = min(retry_after, float(self._settings.retry_after_cap))
        elif status in (429, 503):
            asked = host.penalty
        if asked is None:
            host.asked_until = None
            if before != host.penalty:
                self.save(host)
            return None
        host.next_at = max(host.next_at, self._clock.monotonic() + asked)
        host.asked_until = self._clock.now() + timedelta(seconds=asked)
        self.save(host)
        return host.asked_until

    def failed(self, host: Host, elapsed: float) -> None:
        """Learn from a request without an answer: its time counts like a response time."""
        self._timed(host, elapsed)

    def _timed(self, host: Host, elapsed: float) -> None:
        if host.latency:
            elapsed = _LATENCY_WEIGHT * elapsed + (1 - _LATENCY_WEIGHT) * host.latency
        host.latency = elapsed

    def save(self, host: Host, **changes: Any) -> None:
        """Write the host's state where it differs from what is saved; `changes` are fields of HostState."""
        wait = host.next_at - self._clock.monotonic()
        state = replace(
            host.saved,
            not_before=self._clock.now() + timedelta(seconds=wait) if wait > _SAVE_AHEAD else None,
            delay=host.penalty or None,
            charset=host.charset,
            **changes,
        )
        if _same(state, host.saved):
            return
        host.saved = state
        self._memory.save_host(state)

    def save_all(self) -> None:
        for host in self._hosts.values():
            self.save(host)


def _same(a: HostState, b: HostState) -> bool:
    """Equal but for a second or so of `not_before`."""
    if replace(a, not_before=None) != replace(b, not_before=None):
        return False
    if a.not_before is None or b.not_before is None:
        return a.not_before is b.not_before
    return abs((a.not_before - b.not_before).total_seconds()) < _SAVE_AHEAD
