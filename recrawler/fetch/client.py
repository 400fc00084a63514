"""The fetcher: one page through redirects, robots.txt, politeness and limits; a `Response` or a `Failure`."""

from __future__ import annotations

import asyncio
import hashlib
import re
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from types import MappingProxyType, TracebackType
from typing import Self
from urllib.parse import urlencode

import httpx

from recrawler import urls
from recrawler.errors import InvalidURL, SettingsError
from recrawler.fetch.body import Body, not_html, read_body, refused_type
from recrawler.fetch.charset import decode_charset
from recrawler.fetch.coding import ACCEPT_ENCODING, CodingError
from recrawler.fetch.faults import fault_of
from recrawler.fetch.politeness import Host, HostTable, parse_retry_after
from recrawler.fetch.robotsgate import MAX_BYTES as ROBOTS_BYTES
from recrawler.fetch.robotsgate import MAX_REDIRECTS as ROBOTS_REDIRECTS
from recrawler.fetch.robotsgate import RobotsAnswer, RobotsGate
from recrawler.fetch.transport import Wire
from recrawler.fetch.types import (
    STATUS_OF,
    Clock,
    Failure,
    FaultError,
    HostMemory,
    PostForm,
    Request,
    Response,
    SystemClock,
)
from recrawler.guard import admits_address, parse_networks
from recrawler.records import Validators
from recrawler.settings import Settings

MAX_URL = 8_192
_REDIRECTS = (301, 302, 303, 307, 308)
_REDIRECT_BODY = 65_536  # read, so that the connection can be used again
_ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5"
_PRINTABLE = re.compile(r"[\x20-\x7e]{1,1000}")


@dataclass(frozen=True, slots=True)
class _Hop:
    """One request to be made."""

    url: urls.Url
    href: str  # as sent: no fragment, no userinfo
    form: PostForm | None = None
    headers: tuple[tuple[str, str], ...] = ()
    limit: int = 0  # decoded bytes
    any_type: bool = False  # the content is not judged


@dataclass(slots=True)
class _Walk:
    """What one fetch gathers on its way."""

    request: Request
    deadline: float
    requests: int = 0
    redirects: list[str] | None = None
    warnings: list[str] | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class _Answer:
    """One request's answer, its body read."""

    status: int
    headers: httpx.Headers
    location: str | None
    body: Body
    elapsed: float
    retry_at: datetime | None


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
        self._agent = settings.agent.encode("ascii", "replace").decode()
        self._gate = RobotsGate(_product(settings.user_agent), self.hosts, self._clock)
        self._wire: Wire | None = None

    async def __aenter__(self) -> Self:
        self._wire = Wire(self._settings, self._allowed)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        wire, self._wire = self._wire, None
        self.hosts.save_all()
        if wire is not None:
            await wire.close()

    async def fetch(self, request: Request) -> Response | Failure:
        """One page, redirects followed."""
        deadline = min(request.deadline, self._clock.monotonic() + self._settings.visit_deadline)
        walk = _Walk(request, deadline, redirects=[], warnings=[], where=request.url)
        try:
            return await self._walk(walk)
        except FaultError as f:
            return Failure(
                f.kind,
                f.detail,
                STATUS_OF[f.kind],
                retry_at=f.retry_at,
                requests=walk.requests,
                http_status=f.http_status,
                url=walk.where,
                redirects=tuple(walk.redirects or ()),
            )

    # One fetch, hop by hop

    async def _walk(self, walk: _Walk) -> Response:
        hop = self._first_hop(walk.request)
        cookies = httpx.Cookies()
        seen: set[tuple[str, bool, str]] = set()
        while True:
            walk.where = hop.href
            mark = (hop.href, hop.form is not None, _cookie_mark(cookies))
            if mark in seen:
                raise FaultError("redirect-loop", f"{hop.url.host} redirects in a circle, back to {hop.href}")
            seen.add(mark)
            answer, host_key = await self._visit_hop(walk, hop, cookies)
            if answer.status not in _REDIRECTS or answer.location is None:
                return await self._response(walk, hop, answer, host_key)
            hop = self._next_hop(walk, hop, answer.status, answer.location)

    def _first_hop(self, request: Request) -> _Hop:
        url = self._checked(request.url, "bad-url")
        headers: list[tuple[str, str]] = []
        if request.referer is not None and _PRINTABLE.fullmatch(request.referer):
            headers.append(("Referer", request.referer))
        if request.validators is not None and request.form is None:
            headers.extend(_conditions(request.validators))
        limit = ROBOTS_BYTES if request.is_robots else self._settings.max_bytes
        return _Hop(url, urls.without_fragment(url), request.form, tuple(headers), limit, request.is_robots)

    def _checked(self, text: str, kind: str, base: str | None = None) -> urls.Url:
        """The URL, parsed and short enough. Raises a FaultError."""
        if len(text) > MAX_URL:
            raise FaultError(
                "url-too-long", f"the URL has {len(text)} characters, more than {MAX_URL}: {text[:80]}..."
            )
        try:
            url = urls.parse(text, base)
        except InvalidURL as e:
            if kind == "bad-url":
                raise FaultError("bad-url", str(e)) from None
            raise FaultError(
                "bad-redirect", f"{base} redirects to '{text[:200]}', which is no http or https URL"
            ) from None
        if len(url.href) > MAX_URL:
            raise FaultError("url-too-long", f"the URL has {len(url.href)} characters, more than {MAX_URL}")
        return url

    def _next_hop(self, walk: _Walk, hop: _Hop, status: int, location: str) -> _Hop:
        url = self._checked(location, "bad-redirect", hop.href)
        href = urls.without_fragment(url)
        assert walk.redirects is not None
        if len(walk.redirects) >= self._settings.max_redirects:
            raise FaultError(
                "too-many-redirects", f"{hop.url.host} redirects more than {len(walk.redirects)} times"
            )
        walk.redirects.append(href)
        walk.where = href
        admits = walk.request.admits
        if admits is not None and not admits(href):
            raise FaultError("out-of-policy", f"redirected to {href}, which the follow policy does not admit")
        form = hop.form if status in (307, 308) else None
        headers = hop.headers if url.origin == hop.url.origin else ()
        return replace(hop, url=url, href=href, form=form, headers=headers)

    async def _visit_hop(self, walk: _Walk, hop: _Hop, cookies: httpx.Cookies) -> tuple[_Answer, str]:
        self._refuse_literal(hop.url)
        key = urls.host_key(hop.href)
        async with self.hosts.use(key) as host:
            if self._settings.robots and not walk.request.is_robots:
                warning = await self._gate.check(
                    hop.href, hop.url.origin, host, partial(self._fetch_robots, walk)
                )
                if warning is not None and walk.warnings is not None:
                    walk.warnings.append(warning)
            return await self._ask_twice(walk, hop, host, cookies), key

    def _refuse_literal(self, url: urls.Url) -> None:
        if urls.is_ip(url.host) and not admits_address(url.host, self._allowed):
            raise FaultError(
                "refused-address",
                f"{url.host} is an address inside a private or special network; allow_networks can admit it",
            )

    async def _ask_twice(self, walk: _Walk, hop: _Hop, host: Host, cookies: httpx.Cookies) -> _Answer:
        """Ask; where the content coding is broken, ask once more for none."""
        try:
            return await self._ask(walk, hop, host, cookies, ACCEPT_ENCODING)
        except CodingError:
            pass
        try:
            return await self._ask(walk, hop, host, cookies, "identity")
        except CodingError as e:
            raise FaultError("bad-coding", f"{hop.url.host}: {e}") from None

    async def _ask(self, walk: _Walk, hop: _Hop, host: Host, cookies: httpx.Cookies, coding: str) -> _Answer:
        async with self.hosts.turn(host, walk.deadline):
            started = self._clock.monotonic()
            seconds = min(float(self._settings.request_timeout), walk.deadline - started)
            walk.requests += 1
            try:
                async with asyncio.timeout(seconds):
                    return await self._exchange(hop, host, cookies, coding)
            except (FaultError, CodingError):
                raise
            except TimeoutError as e:
                self.hosts.failed(host, self._clock.monotonic() - started)
                if e.__cause__ is None or isinstance(e.__cause__, asyncio.CancelledError):
                    raise FaultError(
                        "timeout", f"{hop.url.host} does not answer whole within {seconds:.3g} s"
                    ) from None
                raise fault_of(e, hop.url.host) from None
            except Exception as e:
                self.hosts.failed(host, self._clock.monotonic() - started)
                raise fault_of(e, hop.url.host) from None

    async def _exchange(self, hop: _Hop, host: Host, cookies: httpx.Cookies, coding: str) -> _Answer:
        """One request and its answer, body read. Raises `CodingError`, `FaultError` and what the client raises."""
        assert self._wire is not None, "use the Fetcher in an async with"
        started = self._clock.monotonic()
        request = self._built(self._wire.client, hop, coding)
        cookies.set_cookie_header(request)
        response = await self._wire.client.send(request, stream=True)
        try:
            first_byte = self._clock.monotonic() - started
            retry_at = self._learn(host, response, first_byte)
            location = _location(response)
            cookies.extract_cookies(response)
            body = await self._body(hop, response, location is not None)
        finally:
            await response.aclose()
        elapsed = self._clock.monotonic() - started
        return _Answer(response.status_code, response.headers, location, body, elapsed, retry_at)

    def _built(self, client: httpx.AsyncClient, hop: _Hop, coding: str) -> httpx.Request:
        headers = [
            ("User-Agent", self._agent),
            ("Accept", "text/plain,*/*;q=0.5" if hop.any_type else _ACCEPT),
            ("Accept-Encoding", coding),
            *hop.headers,
        ]
        content: bytes | None = None
        if hop.form is not None:
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
            content = _encoded(hop.form)
        method = "GET" if hop.form is None else "POST"
        return client.build_request(method, hop.href, headers=headers, content=content)

    def _learn(self, host: Host, response: httpx.Response, elapsed: float) -> datetime | None:
        headers = response.headers
        wait = parse_retry_after(headers.get("retry-after"), headers.get("date"), self._clock.now())
        return self.hosts.answered(host, response.status_code, wait, elapsed)

    async def _body(self, hop: _Hop, response: httpx.Response, redirect: bool) -> Body:
        status = response.status_code
        if status in (204, 304):
            return Body(b"")
        if 200 <= status < 300 and not hop.any_type:
            refused = refused_type(response.headers.get("content-type"))
            if refused is not None:
                raise FaultError("not-html", refused, http_status=status)
        codings = response.headers.get_list("content-encoding", split_commas=True)
        limit = min(hop.limit, _REDIRECT_BODY) if redirect else hop.limit
        try:
            return await read_body(response.aiter_raw(), codings, limit)
        except CodingError:
            if redirect:
                return Body(b"")
            raise

    # From the last answer to a response

    async def _response(self, walk: _Walk, hop: _Hop, answer: _Answer, host_key: str) -> Response:
        given = walk.request.validators
        unchanged = answer.status == 304
        if unchanged and not any(n.startswith("If-") for n, _ in hop.headers):
            raise FaultError(
                "bad-response", f"{hop.url.host} answers 304 to an unconditional request", http_status=304
            )
        body, headers = answer.body, answer.headers
        content_type = headers.get("content-type")
        if 200 <= answer.status < 300 and not hop.any_type:
            reason = not_html(body.data, content_type)
            if reason is not None:
                raise FaultError("not-html", reason, http_status=answer.status)
        encoding = None
        if body.data:
            encoding = await self._charset(hop, body.data, content_type, host_key, good=answer.status == 200)
        validators = _validators(headers, body, given if unchanged else None)
        same = (
            given is not None
            and given.body_digest is not None
            and given.body_digest == validators.body_digest
        )
        return Response(
            url=hop.href,
            requested=walk.request.url,
            status=answer.status,
            headers=MappingProxyType(dict(headers.items())),
            body=body.data,
            encoding=encoding,
            not_modified=unchanged,
            redirects=tuple(walk.redirects or ()),
            truncated=body.truncated,
            validators=validators,
            same_body=unchanged or same,
            elapsed=answer.elapsed,
            requests=walk.requests,
            retry_at=answer.retry_at,
            warnings=tuple(walk.warnings or ()),
        )

    async def _charset(
        self, hop: _Hop, body: bytes, content_type: str | None, host_key: str, *, good: bool
    ) -> str:
        async with self.hosts.use(host_key) as host:
            verdict = decode_charset(body, content_type, host=hop.url.host, known=host.charset)
            if good and not hop.any_type and not body.isascii() and verdict != host.charset:
                host.charset = verdict
                self.hosts.save(host)
            return verdict

    # robots.txt

    async def _fetch_robots(self, walk: _Walk, url: str) -> RobotsAnswer:
        """robots.txt with its redirects; each target has its own host's turn."""
        hop = _Hop(urls.parse(url), url, limit=ROBOTS_BYTES, any_type=True)
        for _ in range(ROBOTS_REDIRECTS + 1):
            try:
                self._refuse_literal(hop.url)
                async with self.hosts.use(urls.host_key(hop.href)) as at:
                    answer = await self._ask_twice(walk, hop, at, httpx.Cookies())
                if answer.status not in _REDIRECTS or answer.location is None:
                    headers = answer.headers
                    return RobotsAnswer(answer.status, answer.body.data, headers.get("cache-control", ""))
                target = self._checked(answer.location, "bad-redirect", hop.href)
            except FaultError as f:
                if f.kind == "deferred":
                    raise
                return RobotsAnswer(0, fault=f)
            hop = replace(hop, url=target, href=urls.without_fragment(target))
        return RobotsAnswer(302)


def _product(agent: str) -> str:
    """The product token that robots.txt groups name: `recrawler` of `recrawler/0.1 (+...)`."""
    match = re.match(r"[A-Za-z0-9_.-]+", agent)
    return match[0] if match else "recrawler"


def _cookie_mark(cookies: httpx.Cookies) -> str:
    return "&".join(sorted(f"{c.domain}{c.path}{c.name}={c.value}" for c in cookies.jar))


def _conditions(v: Validators) -> list[tuple[str, str]]:
    named = (("If-None-Match", v.etag), ("If-Modified-Since", v.last_modified))
    return [(name, value) for name, value in named if value and _PRINTABLE.fullmatch(value)]


def _validators(headers: httpx.Headers, body: Body, given: Validators | None) -> Validators:
    """For next time; of a 304 the given ones with what it renews. A cut body has none: it is asked for again."""
    etag, modified = headers.get("etag"), headers.get("last-modified")
    if given is not None:
        return Validators(etag or given.etag, modified or given.last_modified, given.body_digest)
    if body.truncated:
        return Validators()
    digest = hashlib.blake2b(body.data, digest_size=16).hexdigest()
    return Validators(etag, modified, digest)


def _location(response: httpx.Response) -> str | None:
    """The Location header as ASCII: other bytes are percent-encoded as they came, as browsers do."""
    if response.status_code not in _REDIRECTS:
        return None
    for name, value in response.headers.raw:
        if name.lower() == b"location" and value.strip():
            return "".join(chr(b) if b < 0x80 else f"%{b:02X}" for b in value.strip())
    return None


def _encoded(form: PostForm) -> bytes:
    try:
        return urlencode(form.fields, encoding=form.encoding, errors="xmlcharrefreplace").encode("ascii")
    except LookupError:
        return urlencode(form.fields).encode("ascii")
