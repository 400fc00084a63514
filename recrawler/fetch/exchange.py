"""One request and its answer: the host's turn, the time limit, the body within its limits."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

import httpx

from recrawler.fetch.body import Body, read_body, refused_type
from recrawler.fetch.coding import ACCEPT_ENCODING, CodingError
from recrawler.fetch.faults import fault_of
from recrawler.fetch.politeness import Host, HostTable, parse_retry_after
from recrawler.fetch.types import Clock, FaultError, PostForm
from recrawler.settings import Settings
from recrawler.urls import Url

_REDIRECTS = (301, 302, 303, 307, 308)
_REDIRECT_BODY = 65_536  # read, so that the connection can be used again
_HTML = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5"
_TEXT = "text/plain,*/*;q=0.5"
PRINTABLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,4000}[\x21-\x7e])?")  # what a header's value may be


@dataclass(frozen=True, slots=True)
class Hop:
    """One request to be made."""

    url: Url
    href: str  # as sent: no fragment, no userinfo
    limit: int  # decoded bytes of the body
    form: PostForm | None = None
    headers: tuple[tuple[str, str], ...] = ()
    any_type: bool = False  # the content is not judged
    data: bool = False  # JSON is welcome too


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said, its body read."""

    status: int
    headers: httpx.Headers
    location: str | None  # of a redirect
    body: Body
    elapsed: float  # seconds
    retry_at: datetime | None


class Exchange:
    """Makes requests with one client, in turn with the others to the same host."""

    def __init__(self, settings: Settings, table: HostTable, clock: Clock, client: httpx.AsyncClient) -> None:
        self._timeout = float(settings.request_timeout)
        self._agent = settings.agent.encode("ascii", "replace").decode()
        self._table, self._clock, self._client = table, clock, client

    async def ask(
        self, hop: Hop, host: Host, cookies: httpx.Cookies, deadline: float, count: Callable[[], None]
    ) -> Answer:
        """Ask, and where the content coding is broken ask once more for none. `count` is called at each
        request. Raises a FaultError."""
        try:
            return await self._in_turn(hop, host, cookies, deadline, count, ACCEPT_ENCODING)
        except CodingError:
            pass
        try:
            return await self._in_turn(hop, host, cookies, deadline, count, "identity")
        except CodingError as e:
            raise FaultError("bad-coding", f"{hop.url.host}: {e}") from None

    async def _in_turn(
        self,
        hop: Hop,
        host: Host,
        cookies: httpx.Cookies,
        deadline: float,
        count: Callable[[], None],
        coding: str,
    ) -> Answer:
        async with self._table.turn(host, deadline):
            started = self._clock.monotonic()
            seconds = min(self._timeout, deadline - started)
            count()
            limit = asyncio.timeout(seconds)
            try:
                async with limit:
                    return await self._exchange(hop, host, cookies, coding)
            except (FaultError, CodingError):
                raise
            except Exception as e:
                self._table.failed(host, self._clock.monotonic() - started)
                if limit.expired():
                    late = f"{hop.url.host} has not answered in full within {seconds:.3g} s"
                    raise FaultError("timeout", late) from None
                raise fault_of(e, hop.url.host) from None

    async def _exchange(self, hop: Hop, host: Host, cookies: httpx.Cookies, coding: str) -> Answer:
        """Raises `CodingError`, `FaultError` and whatever the client raises."""
        started = self._clock.monotonic()
        request = self._built(hop, coding)
        if len(cookies.jar):
            cookies.set_cookie_header(request)
        response = await self._client.send(request, stream=True)
        try:
            retry_at = self._learn(host, response, self._clock.monotonic() - started)
            location = _location(response)
            if "set-cookie" in response.headers:
                cookies.extract_cookies(response)
            body = await _body(hop, response, location is not None)
        finally:
            await response.aclose()
        elapsed = self._clock.monotonic() - started
        return Answer(response.status_code, response.headers, location, body, elapsed, retry_at)

    def _built(self, hop: Hop, coding: str) -> httpx.Request:
        headers = [
            ("User-Agent", self._agent),
            ("Accept", _TEXT if hop.any_type else _HTML),
            ("Accept-Encoding", coding),
            *hop.headers,
        ]
        if hop.form is None:
            return self._client.build_request("GET", hop.href, headers=headers)
        headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        return self._client.build_request("POST", hop.href, headers=headers, content=_encoded(hop.form))

    def _learn(self, host: Host, response: httpx.Response, elapsed: float) -> datetime | None:
        headers = response.headers
        wait = parse_retry_after(headers.get("retry-after"), headers.get("date"), self._clock.now())
        return self._table.answered(host, response.status_code, wait, elapsed)


async def _body(hop: Hop, response: httpx.Response, redirect: bool) -> Body:
    status, headers = response.status_code, response.headers
    if status in (204, 304):
        return Body(b"")
    if 200 <= status < 300 and not hop.any_type:
        refused = refused_type(headers.get("content-type"), hop.data)
        if refused is not None:
            raise FaultError("not-html", refused, http_status=status)
    codings = headers.get_list("content-encoding", split_commas=True)
    if not redirect:
        return await read_body(response.aiter_raw(), codings, hop.limit)
    try:
        return await read_body(response.aiter_raw(), codings, _REDIRECT_BODY)
    except CodingError:
        return Body(b"")


def _location(response: httpx.Response) -> str | None:
    """The Location header as ASCII: other bytes are percent-encoded as they came, as browsers do."""
    value: bytes = response.extensions.get("location", b"").strip()
    if response.status_code not in _REDIRECTS or not value:
        return None
    return "".join(chr(b) if b < 0x80 else f"%{b:02X}" for b in value)


def _encoded(form: PostForm) -> bytes:
    try:
        return urlencode(form.fields, encoding=form.encoding, errors="xmlcharrefreplace").encode("ascii")
    except LookupError:
        return urlencode(form.fields).encode("ascii")
