"""What goes into a fetch and what comes out: plain values, and the two seams (host memory, clock)."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.cookiejar import CookieJar
from types import MappingProxyType
from typing import Literal, Protocol

from recrawler.records import HostState, Validators

FailureKind = Literal[
    "bad-url",
    "url-too-long",
    "refused-address",
    "robots-denied",
    "robots-unreachable",
    "deferred",
    "dns",
    "refused",
    "unreachable",
    "tls",
    "reset",
    "truncated",
    "timeout",
    "bad-coding",
    "bad-response",
    "not-html",
    "bad-redirect",
    "redirect-loop",
    "too-many-redirects",
]

# The fetch status code of each kind, numbered as Heritrix numbers them (table in `recrawler.crawluri`).
STATUS_OF: Mapping[FailureKind, int] = MappingProxyType(
    {
        "dns": -1,  # domain unresolvable
        "refused": -2,  # connect failed
        "unreachable": -2,
        "tls": -2,
        "reset": -3,  # connect lost
        "truncated": -3,
        "timeout": -4,
        "bad-coding": -5,  # runtime exception
        "bad-response": -5,
        "bad-url": -7,  # unfetchable URI
        "url-too-long": -7,
        "bad-redirect": -7,
        "redirect-loop": -8,  # too many retries
        "too-many-redirects": -8,
        "deferred": -50,
        "robots-unreachable": -61,  # robots prerequisite failure
        "not-html": -4000,  # deemed chaff
        "refused-address": -5002,  # blocked by custom processor
        "robots-denied": -9998,  # robots precluded
    }
)


@dataclass(frozen=True, slots=True)
class PostForm:
    """A form to submit: its fields in document order, encoded as the page's `encoding` says."""

    fields: tuple[tuple[str, str], ...]
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True)
class Request:
    """One page to fetch.

    `deadline` is on the fetcher's monotonic clock, waits for politeness included. `is_robots` marks a
    robots.txt that the caller wants for itself: no rules are asked and the content is not judged. `cookies`
    is what sites have set so far and set now, where requests belong together; null: none outlives the fetch.
    """

    url: str
    validators: Validators | None = None
    referer: str | None = None
    form: PostForm | None = None
    deadline: float = math.inf
    is_robots: bool = False
    data: bool = False  # JSON is welcome too
    headers: tuple[tuple[str, str], ...] = ()  # a user's own, for this site; sent to no other origin
    cookies: CookieJar | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """The server's answer, whatever its status: a 404 or 503 is a response, with its body.

    `redirects` are the URLs redirected to, in order; the last of them is `url`. `truncated` says that the
    body was cut at `max_bytes` (one cut by the network is a failure). `retry_at` is set where the server
    asked to be left alone (429, 503, Retry-After).
    """

    url: str
    requested: str
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes  # content codings undone, charset not
    encoding: str | None  # the charset verdict, a Python codec name; None: no text
    not_modified: bool = False
    redirects: tuple[str, ...] = ()
    truncated: bool = False
    validators: Validators = field(default_factory=Validators)  # to send next time
    same_body: bool = False  # not modified, or the same bytes as the given validators' digest
    elapsed: float = 0.0  # seconds of the last hop's request, waits apart
    requests: int = 1  # every hop, retry and robots.txt
    retry_at: datetime | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no page. `detail` is one line for a user; `status` is a negative fetch status code.

    `http_status` is the server's, where there was an answer; `retry_at` is when to come again, where known.
    """

    kind: FailureKind
    detail: str
    status: int
    retry_at: datetime | None = None
    requests: int = 0
    http_status: int | None = None
    url: str = ""  # the hop that failed
    redirects: tuple[str, ...] = ()


class FaultError(Exception):
    """A failure on its way up inside this package; `Fetcher.fetch` turns it into a `Failure`."""

    def __init__(
        self,
        kind: FailureKind,
        detail: str,
        *,
        retry_at: datetime | None = None,
        http_status: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.kind: FailureKind = kind
        self.detail = " ".join(detail.split())[:400]
        self.retry_at = retry_at
        self.http_status = http_status


class HostMemory(Protocol):
    """Where what is known of hosts outlives the process; every `Store` is one."""

    def host(self, host_key: str) -> HostState | None: ...
    def save_host(self, state: HostState) -> None: ...


class Clock(Protocol):
    """Time, so that tests can have their own."""

    def now(self) -> datetime: ...
    def monotonic(self) -> float: ...
    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's clocks."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
