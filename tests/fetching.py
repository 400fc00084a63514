"""What the tests of fetching share: settings for loopback, a memory of hosts, a clock of one's own."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from recrawler.fetch import Failure, Fetcher, Request, Response
from recrawler.records import HostState
from recrawler.settings import Duration, Settings

LOCAL: dict[str, Any] = {
    "allow_networks": ("127.0.0.0/8",),
    "delay": Duration(0),
    "robots": False,
    "request_timeout": Duration(5),
}


def local(**changes: Any) -> Settings:
    """Settings that reach loopback without pauses and robots.txt, but for these changes."""
    return Settings(**{**LOCAL, **changes})


class Hosts(dict[str, HostState]):
    """A memory of hosts that lives as long as the test."""

    def host(self, host_key: str) -> HostState | None:
        return self.get(host_key)

    def save_host(self, state: HostState) -> None:
        self[state.host_key] = state


class FakeClock:
    """Time that passes only in `sleep`; `slept` lists how long each was."""

    def __init__(self) -> None:
        self.start = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
        self.time = 1000.0
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.time - 1000.0)

    def monotonic(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


async def get(url: str, settings: Settings | None = None, **options: Any) -> Response | Failure:
    """One fetch with a fetcher of its own."""
    async with Fetcher(settings or local(), Hosts()) as fetcher:
        return await fetcher.fetch(Request(url, **options))


def ok(answer: Response | Failure) -> Response:
    assert isinstance(answer, Response), answer
    return answer


def failed(answer: Response | Failure, kind: str) -> Failure:
    assert isinstance(answer, Failure), answer
    assert answer.kind == kind, answer
    assert answer.status < 0
    assert answer.detail
    assert "\n" not in answer.detail
    return answer
