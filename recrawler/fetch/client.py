"""The fetcher: one page through redirects, robots.txt, politeness and limits; a `Response` or a `Failure`."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from types import MappingProxyType, TracebackType
from typing import Self

import httpx

from recrawler import urls
from recrawler.errors import InvalidURL, SettingsError
from recrawler.fetch.body import Body, is_data, not_html
from recrawler.fetch.charset import decode_charset
from recrawler.fetch.exchange import PRINTABLE, Answer, Exchange, Hop
from recrawler.fetch.politeness import Host, HostTable, http_date
from recrawler.fetch.robotsgate import Fetched, RobotsGate
from recrawler.fetch.transport import Wire
from recrawler.fetch.types import (
    STATUS_OF,
    Clock,
    Failure,
    FaultError,
    HostMemory,
    Request,
    Response,
    SystemClock,
)
from recrawler.guard import admits_address, parse_networks
from recrawler.records import Validators
from recrawler.robots import MAX_BYTES as ROBOTS_BYTES
from recrawler.robots import MAX_REDIRECTS as ROBOTS_REDIRECTS
from recrawler.robots import RobotsAnswer
from recrawler.settings import Settings

MAX_URL = 8_192  # characters; RFC 9110 asks for 8,000 to be supported
_OLDEST = datetime(1995, 1, 1, tzinfo=UTC)  # of a page's Last-Modified
_PRODUCT = re.compile(r"[A-Za-z_-]+")  # of a robots.txt group's name (RFC 9309, 2.2.1)


@dataclass(slots=True)
class _Walk:
    """What one fetch gathers on its way."""

    request: Request
    deadline: float
    where: str
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies)
    requests: int = 0
    redirects: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    seen: set[tuple[str, bool, str]] = field(default_factory=set)

    def count(self) -> None:
        self.requests += 1

    def enter(self, hop: Hop) -> None:
        """Raises a FaultError where the same was asked before: same URL, method and cookies."""
        self.where = hop.href
        cookies = "&".join(sorted(f"{c.domain}{c.path}{c.name}={c.value}" for c in self.cookies.jar))
        mark = (hop.href, hop.form is not None, cookies)
        if mark in self.seen:
            raise FaultError("redirect-loop", f"{hop.url.host} redirects in a circle, back to {hop.href}")
        self.seen.add(mark)


class Fetcher:
    """Fetches pages for the whole process; use as an async context manager.

    `hosts` remembers hosts between runs (every store does). `await fetcher.fetch(request)` gives a
    `Response` for whatever a server answers and a `Failure` for everything else, and raises nothing
    but `CancelledError`. Raises `SettingsError` when `allow_networks` is no list of networks.
    """

    def __init__(self, settings: Settings, hosts: HostMemory, clock: Clock | None = None) -> None:
        try:
            self._allowed = parse_networks(settings.allow_networks)
        except ValueError as e:
            raise SettingsError(f"allow_networks: {e}") from None
        self._settings = settings
        self._clock: Clock = clock or SystemClock()
        self.hosts = HostTable(settings, hosts, self._clock)
        product = _PRODUCT.match(settings.user_agent)
        self._gate = RobotsGate(product[0] if product else "recrawler", self.hosts, self._clock)
        self._wire: Wire | None = None
        self._exchange: Exchange | None = None

    async def __aenter__(self) -> Self:
        self._wire = Wire(self._settings, self._allowed)
        self._exchange = Exchange(self._settings, self.hosts, self._clock, self._wire.client)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wire, self._wire, self._exchange = self._wire, None, None
        try:
            self.hosts.save_all()
        finally:
            if wire is not None:
                await wire.close()

    async def fetch(self, request: Request) -> Response | Failure:
        """One page, redirects followed."""
        deadline = min(request.deadline, self._clock.monotonic() + self._settings.visit_deadline)
        walk = _Walk(request, deadline, where=request.url, cookies=httpx.Cookies(request.cookies))
        try:
            return await self._follow(walk)
        except FaultError as e:
            fault = e
        return Failure(
            fault.kind,
            fault.detail,
            STATUS_OF[fault.kind],
            retry_at=fault.retry_at,
            requests=walk.requests,
            http_status=fault.http_status,
            url=walk.where,
            redirects=tuple(walk.redirects),
        )

    def reconfigure(self, settings: Settings) -> None:
        """Take these settings from the next request on. The networks, certificates and user agent that the
        connections and robots.txt go by stay those of the start."""
        self._settings = settings
        self.hosts.reconfigure(settings)
        if self._wire is not None:
            self._exchange = Exchange(settings, self.hosts, self._clock, self._wire.client)

    # Hop by hop

    async def _follow(self, walk: _Walk) -> Response:
        hop = self._first_hop(walk.request)
        while True:
            walk.enter(hop)
            self._refuse_literal(hop.url)
            async with self.hosts.use(urls.host_key(hop.href)) as host:
                if self._settings.robots and not walk.request.is_robots:
                    await self._ask_robots(walk, hop, host)
                answer = await self._ask(walk, hop, host)
                if answer.location is None:
                    return self._response(walk, hop, answer, host)
            hop = self._next_hop(walk, hop, answer.status, answer.location)

    def _first_hop(self, request: Request) -> Hop:
        url = _parsed(request.url, None)
        headers = list(request.headers)
        if request.referer is not None and PRINTABLE.fullmatch(request.referer):
            headers.append(("Referer", request.referer))
        if request.validators is not None and request.form is None:
            headers.extend(_conditions(request.validators))
        limit = ROBOTS_BYTES + 1 if request.is_robots else self._settings.max_bytes
        href = urls.without_fragment(url)
        return Hop(url, href, limit, request.form, tuple(headers), request.is_robots, request.data)

    def _next_hop(self, walk: _Walk, hop: Hop, status: int, location: str) -> Hop:
        url = _parsed(location, hop.href)
        href = urls.without_fragment(url)
        if len(walk.redirects) >= self._settings.max_redirects:
            many = f"{hop.url.host} redirects more than {self._settings.max_redirects} times in a row"
            raise FaultError("too-many-redirects", many)
        walk.redirects.append(href)
        walk.where = href
        form = hop.form if status in (307, 308) else None
        headers = hop.headers if url.origin == hop.url.origin else ()
        return replace(hop, url=url, href=href, form=form, headers=headers)

    def _refuse_literal(self, url: urls.Url) -> None:
        if urls.is_ip(url.host) and not admits_address(url.host, self._allowed):
            refused = "is an address inside a private or special network; allow_networks can admit it"
            raise FaultError("refused-address", f"{url.host} {refused}")

    async def _ask(self, walk: _Walk, hop: Hop, host: Host) -> Answer:
        assert self._exchange is not None, "a Fetcher works inside `async with`"
        return await self._exchange.ask(hop, host, walk.cookies, walk.deadline, walk.count)

    # robots.txt

    async def _ask_robots(self, walk: _Walk, hop: Hop, host: Host) -> None:
        fetch = partial(self._fetch_robots, walk)
        warning = await self._gate.check(hop.href, hop.url.origin, host, walk.deadline, fetch)
        if warning is not None and warning not in walk.warnings:
            walk.warnings.append(warning)

    async def _fetch_robots(self, walk: _Walk, href: str) -> Fetched:
        """robots.txt with its redirects, each target guarded and in its own host's turn."""
        apart = _Walk(walk.request, walk.deadline, where=href)
        hop = Hop(urls.parse(href), href, ROBOTS_BYTES + 1, any_type=True)
        try:
            for _ in range(ROBOTS_REDIRECTS + 1):
                self._refuse_literal(hop.url)
                async with self.hosts.use(urls.host_key(hop.href)) as host:
                    answer = await self._ask(apart, hop, host)
                if answer.location is None:
                    control = answer.headers.get("cache-control", "")
                    return Fetched(RobotsAnswer(answer.status, answer.body.data, control))
                url = _parsed(answer.location, hop.href)
                hop = replace(hop, url=url, href=urls.without_fragment(url))
        except FaultError as e:
            if e.kind == "deferred":
                raise
            nowhere = e.kind in ("bad-redirect", "url-too-long")
            return Fetched(RobotsAnswer(302)) if nowhere else Fetched(RobotsAnswer(None), e)
        finally:
            walk.requests += apart.requests
        return Fetched(RobotsAnswer(302))

    # From the last answer to a response

    def _response(self, walk: _Walk, hop: Hop, answer: Answer, host: Host) -> Response:
        status, body, headers = answer.status, answer.body, answer.headers
        unchanged = status == 304
        if unchanged and not any(name.startswith("If-") for name, _ in hop.headers):
            raise FaultError(
                "bad-response", f"{hop.url.host} answers 304 to an unconditional request", http_status=304
            )
        content_type = headers.get("content-type")
        if 200 <= status < 300 and not hop.any_type:
            reason = None if hop.data and is_data(body.data) else not_html(body.data, content_type)
            if reason is not None:
                raise FaultError("not-html", reason, http_status=status)
        given = walk.request.validators
        validators = _validators(headers, body, given if unchanged else None, self._clock.now())
        digest = given.body_digest if given is not None else None
        return Response(
            url=hop.href,
            requested=walk.request.url,
            status=status,
            headers=MappingProxyType(dict(headers.items())),
            body=body.data,
            encoding=self._charset(hop, answer, host) if body.data else None,
            not_modified=unchanged,
            redirects=tuple(walk.redirects),
            truncated=body.truncated,
            validators=validators,
            same_body=unchanged or (digest is not None and digest == validators.body_digest),
            elapsed=answer.elapsed,
            requests=walk.requests,
            retry_at=answer.retry_at,
            warnings=tuple(walk.warnings),
        )

    def _charset(self, hop: Hop, answer: Answer, host: Host) -> str:
        body = answer.body.data
        known = decode_charset(
            body, answer.headers.get("content-type"), host=hop.url.host, known=host.charset
        )
        if answer.status == 200 and not hop.any_type and not body.isascii() and known != host.charset:
            host.charset = known
            self.hosts.save(host)
        return known


def _parsed(text: str, base: str | None) -> urls.Url:
    """A URL to go to, short enough; with a base, a redirect's target. Raises a FaultError."""
    try:
        url = urls.parse(text, base) if len(text) <= MAX_URL else None
    except InvalidURL as e:
        if base is None:
            raise FaultError("bad-url", str(e)) from None
        target = f"{base} redirects to '{text[:200]}', which is no http or https URL"
        raise FaultError("bad-redirect", target) from None
    if url is None or len(url.href) > MAX_URL:
        raise FaultError("url-too-long", f"the URL is longer than {MAX_URL} characters: {text[:100]}...")
    return url


def _is_true(modified: str | None, now: datetime) -> bool:
    """Whether a page can have been modified then. Dates of the future and the zeros of clocks are those of
    caches that answer "not modified" to them for ever."""
    when = http_date(modified)
    return when is None or _OLDEST <= when <= now + timedelta(hours=1)


def _conditions(v: Validators) -> list[tuple[str, str]]:
    named = (("If-None-Match", v.etag), ("If-Modified-Since", v.last_modified))
    return [(name, value) for name, value in named if value and PRINTABLE.fullmatch(value)]


def _validators(headers: httpx.Headers, body: Body, given: Validators | None, now: datetime) -> Validators:
    """For next time; of a 304 the given ones and what it renews. A cut body has none."""
    etag, modified = headers.get("etag"), headers.get("last-modified")
    if not _is_true(modified, http_date(headers.get("date")) or now):
        modified = None
    if given is not None:
        return Validators(etag or given.etag, modified or given.last_modified, given.body_digest)
    if body.truncated:
        return Validators()
    return Validators(etag, modified, hashlib.blake2b(body.data, digest_size=16).hexdigest())
