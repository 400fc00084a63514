"""robots.txt, asked before each hop: fetched once a day per host, its last good copy kept in host memory.

The rules and what a status means are `recrawler.robots`; here is when to ask. One fetch of robots.txt at a
time per host; redirects are followed up to five, each through the guard; a copy lives 24 hours, shorter if
Cache-Control says so, never under 10 minutes (RFC 9309, 2.3 and 2.4). A failed fetch is tried again after a
minute, then after twice as long each time.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from recrawler.fetch.politeness import Host, HostTable
from recrawler.fetch.types import Clock, FailureKind, FaultError

try:
    from recrawler.robots import RobotsRules
except ImportError:  # until recrawler.robots lands
    from protego import Protego

    class RobotsRules:  # type: ignore
        def __init__(self, rules):
            self._rules = rules

        @classmethod
        def parse(cls, body):
            return cls(Protego.parse(body.decode("utf-8", "replace")))

        def allowed(self, agent, url):
            return self._rules.can_fetch(url, agent)

        def crawl_delay(self, agent):
            return self._rules.crawl_delay(agent)


MAX_BYTES = 512_000  # 500 KiB, the least that RFC 9309 lets a crawler read
MAX_REDIRECTS = 5
_LIFE = 86_400.0
_SHORTEST_LIFE = 600.0
_RETRY = 60.0
_LONGEST_RETRY = 3_600.0
# A site without a reachable robots.txt for so long is taken to have none (RFC 9309, 2.3.1.4).
_GIVE_UP = timedelta(days=30)
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
_NETWORK: tuple[FailureKind, ...] = (
    "dns",
    "refused",
    "unreachable",
    "tls",
    "reset",
    "timeout",
    "refused-address",
)


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """What one fetch of robots.txt brought, redirects followed: a status, or 0 with the fault."""

    status: int
    body: bytes = b""
    cache_control: str = ""
    content_type: str = ""
    fault: FaultError | None = None


@dataclass(slots=True)
class RobotsCopy:
    """What holds for a host now. `rules` None: nothing is allowed."""

    rules: RobotsRules | None
    until: float  # monotonic
    tries: int = 0  # failed ones in a row
    fault: FaultError | None = None  # why nothing is allowed
    flagged: str | None = None  # the file is HTML or the like


FetchRobots = Callable[[str], Awaitable[RobotsAnswer]]


def _life(cache_control: str) -> float:
    match = _MAX_AGE.search(cache_control)
    if match is None:
        return _LIFE
    return min(_LIFE, max(_SHORTEST_LIFE, float(match[1])))


class RobotsGate:
    """Asks for robots.txt when needed and answers whether a URL may be fetched."""

    def __init__(self, agent: str, table: HostTable, clock: Clock) -> None:
        self._agent, self._table, self._clock = agent, table, clock

    async def check(self, href: str, origin: str, host: Host, fetch: FetchRobots) -> str | None:
        """Raises a FaultError where robots.txt forbids `href`, or cannot be had; else a warning about the file."""
        copy = await self._copy(origin, host, fetch)
        if copy.rules is None:
            assert copy.fault is not None
            raise copy.fault
        if not copy.rules.allowed(self._agent, href):
            raise FaultError(
                "robots-denied", f"{host.key}: robots.txt does not allow {self._agent} to fetch {href}"
            )
        return copy.flagged

    async def _copy(self, origin: str, host: Host, fetch: FetchRobots) -> RobotsCopy:
        async with host.robots_lock:
            copy: RobotsCopy | None = host.robots
            if copy is None:
                copy = self._remembered(host)
            if copy is None or copy.until <= self._clock.monotonic():
                answer = await fetch(f"{origin}/robots.txt")
                copy = self._learn(host, answer, copy.tries if copy is not None else 0)
            self._keep(host, copy)
            return copy

    def _keep(self, host: Host, copy: RobotsCopy) -> None:
        if host.robots is copy:
            return
        host.robots = copy
        host.crawl_delay = (copy.rules.crawl_delay(self._agent) or 0.0) if copy.rules is not None else 0.0
        # The parsed rules weigh several times the text.
        self._table.weigh(host, 8 * len(host.saved.robots_body or b""))

    def _remembered(self, host: Host) -> RobotsCopy | None:
        """The copy of an earlier run, if it is fresh."""
        saved = host.saved
        if saved.robots_body is None or saved.robots_at is None or (saved.robots_status or 0) >= 500:
            return None
        age = (self._clock.now() - saved.robots_at).total_seconds()
        if not 0 <= age < _LIFE:
            return None
        return RobotsCopy(RobotsRules.parse(saved.robots_body), self._clock.monotonic() + _LIFE - age)

    def _learn(self, host: Host, answer: RobotsAnswer, tries: int) -> RobotsCopy:
        now, mono = self._clock.now(), self._clock.monotonic()
        if 200 <= answer.status < 300:
            body = answer.body
        elif 400 <= answer.status < 500 and answer.status != 429:
            body = b""  # unavailable: everything is allowed
        elif 300 <= answer.status < 400:
            body = b""  # more than five redirects, or one to nowhere: unavailable too
        else:
            return self._unreachable(host, answer, tries + 1, now, mono)
        flagged = None
        if body.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
            flagged = f"{host.key}: robots.txt is an HTML page"
            if b"disallow" not in body.lower():
                body = b""  # nothing to keep
        self._table.save(host, robots_body=body, robots_status=answer.status, robots_at=now)
        return RobotsCopy(RobotsRules.parse(body), mono + _life(answer.cache_control), flagged=flagged)

    def _unreachable(
        self, host: Host, answer: RobotsAnswer, tries: int, now: datetime, mono: float
    ) -> RobotsCopy:
        wait = min(_LONGEST_RETRY, _RETRY * 2 ** min(tries - 1, 10))
        saved = host.saved
        if saved.robots_body is not None and (saved.robots_status or 0) < 500:
            return RobotsCopy(RobotsRules.parse(saved.robots_body), mono + wait, tries)
        since = saved.robots_at or now
        self._table.save(host, robots_body=None, robots_status=answer.status or 599, robots_at=since)
        if now - since > _GIVE_UP:
            return RobotsCopy(RobotsRules.parse(b""), mono + wait, tries)
        return RobotsCopy(None, mono + wait, tries, _fault(host, answer, now + timedelta(seconds=wait)))


def _fault(host: Host, answer: RobotsAnswer, retry_at: datetime) -> FaultError:
    """Nothing may be fetched; a host that is not there at all is told as that."""
    fault = answer.fault
    if fault is None:
        why = f"answers {answer.status}"
        kind: FailureKind = "robots-unreachable"
    else:
        why = fault.detail
        kind = fault.kind if fault.kind in _NETWORK else "robots-unreachable"
    detail = f"robots.txt of {host.key} cannot be had, so nothing may be fetched: {why}"
    return FaultError(kind, detail, retry_at=retry_at)
