"""robots.txt, asked before each hop: fetched once a day per host, its last good copy kept in host memory.

What rules and statuses mean is `recrawler.robots`; here is when to ask. One fetch of robots.txt at a time
per host. A failed one is tried again after a minute, then after twice as long each time; until then what
was known before holds. A 429 is no answer about rules: it slows the host down and leaves them as they are.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from recrawler.fetch.politeness import Host, HostTable
from recrawler.fetch.types import Clock, FailureKind, FaultError
from recrawler.records import HostState
from recrawler.robots import LIFE, RobotsAccess, RobotsAnswer, RobotsRules

_RETRY = 60.0
_LONGEST_RETRY = 3_600.0
_PARSED = 8  # rules take about so many times the text's bytes
_NO_HOST: tuple[FailureKind, ...] = (
    "dns",
    "refused",
    "unreachable",
    "tls",
    "reset",
    "timeout",
    "refused-address",
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What one fetch of robots.txt brought, redirects followed; `fault` where there was no answer."""

    answer: RobotsAnswer
    fault: FaultError | None = None


FetchRobots = Callable[[str], Awaitable[Fetched]]


@dataclass(slots=True)
class RobotsCopy:
    """What holds for a host now, its rules parsed."""

    access: RobotsAccess
    rules: RobotsRules | None  # of `access.body`
    failures: int = 0  # fetches in a row that told nothing
    why: str = ""  # of the last failure
    kind: FailureKind = "robots-unreachable"


class RobotsGate:
    """Asks for robots.txt when needed and answers whether a URL may be fetched."""

    def __init__(self, agent: str, table: HostTable, clock: Clock) -> None:
        self._agent, self._table, self._clock = agent, table, clock

    async def check(
        self, href: str, origin: str, host: Host, deadline: float, fetch: FetchRobots
    ) -> str | None:
        """A warning about the file, or None. Raises a FaultError where it forbids `href` or cannot be had."""
        copy = await self._copy(origin, host, deadline, fetch)
        if copy.rules is not None:
            if not copy.rules.allowed(self._agent, href):
                raise FaultError(
                    "robots-denied", f"{host.key}: robots.txt forbids {self._agent} to fetch {href}"
                )
            body = copy.access.body or b""
            return f"{host.key}: robots.txt is an HTML page" if _is_html(body) else None
        if not copy.access.allowed(self._agent, href, self._clock.now()):
            detail = f"{host.key}: robots.txt cannot be had, so nothing may be fetched: {copy.why}"
            raise FaultError(copy.kind, detail, retry_at=copy.access.fresh_until)
        return None

    async def _copy(self, origin: str, host: Host, deadline: float, fetch: FetchRobots) -> RobotsCopy:
        async with self._table.locked(host, host.robots_lock, deadline):
            if host.robots is None:
                self._keep(host, _with_rules(RobotsCopy(_remembered(host.saved), None)))
            copy: RobotsCopy = host.robots
            if self._is_due(copy.access):
                copy = self._learn(host, copy, await fetch(f"{origin}/robots.txt"))
                self._keep(host, copy)
            return copy

    def _is_due(self, access: RobotsAccess) -> bool:
        now = self._clock.now()
        # A clock set back must not make a copy last for ever.
        return access.is_due(now) or (access.fresh_until is not None and access.fresh_until > now + LIFE)

    def _learn(self, host: Host, old: RobotsCopy, fetched: Fetched) -> RobotsCopy:
        now, status = self._clock.now(), fetched.answer.status
        if status is None or status >= 500 or status == 429:
            return self._told_nothing(host, old, fetched)
        access = old.access.learn(fetched.answer, now)
        if access.body and _is_html(access.body) and b"disallow" not in access.body.lower():
            access = replace(access, body=b"<")  # nothing worth keeping but that it is HTML
        # Remembered is when a copy of the full life would have been fetched, so that a shorter life holds
        # after a restart too.
        at = (access.fresh_until or now) - LIFE
        self._table.save(host, robots_body=access.body, robots_status=status, robots_at=at)
        return _with_rules(RobotsCopy(access, None))

    def _told_nothing(self, host: Host, old: RobotsCopy, fetched: Fetched) -> RobotsCopy:
        now, status = self._clock.now(), fetched.answer.status
        failures = old.failures + 1
        soon = now + timedelta(seconds=min(_LONGEST_RETRY, _RETRY * 2 ** min(failures - 1, 10)))
        soon = max(soon, host.asked_until or soon)
        if status == 429:
            body = b"" if old.access.body is None else old.access.body
            return _with_rules(RobotsCopy(RobotsAccess(body, soon), None, failures))
        access = replace(old.access.learn(fetched.answer, now), fresh_until=soon)
        if access.body is None:
            since = access.unreachable_since
            self._table.save(host, robots_body=None, robots_status=status or 599, robots_at=since)
        fault = fetched.fault
        why = f"the server answers {status}" if fault is None else fault.detail
        kind = fault.kind if fault is not None and fault.kind in _NO_HOST else "robots-unreachable"
        return RobotsCopy(access, old.rules, failures, why, kind)

    def _keep(self, host: Host, copy: RobotsCopy) -> None:
        host.robots = copy
        seconds = (copy.rules.crawl_delay(self._agent) if copy.rules is not None else None) or 0.0
        host.crawl_delay = seconds if seconds > 0 else 0.0  # not a number is no delay
        self._table.weigh(host, _PARSED * len(copy.access.body or b""))


def _with_rules(copy: RobotsCopy) -> RobotsCopy:
    body = copy.access.body
    return replace(copy, rules=None if body is None else RobotsRules.parse(body))


def _remembered(saved: HostState) -> RobotsAccess:
    """What an earlier run knew."""
    if saved.robots_at is None:
        return RobotsAccess()
    if saved.robots_body is None:
        return RobotsAccess(unreachable_since=saved.robots_at)
    return RobotsAccess(saved.robots_body, saved.robots_at + LIFE)


def _is_html(body: bytes) -> bool:
    return body.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
