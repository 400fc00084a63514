"""One HTTP client for the process: httpx on top, an aiohttp session below, a resolver that guards.

The only place where aiohttp is configured. Every name is resolved once, by `GuardedResolver`; what it
gives back is what is connected to, so that a name cannot change between the check and the connection.
"""

from __future__ import annotations

import asyncio
import http.cookiejar
import logging
import socket
import ssl
import threading
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import aiohttp
import certifi
import httpx
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from httpx_aiohttp import AiohttpTransport
from yarl import URL

from recrawler.fetch.head import HeadMender
from recrawler.guard import Network, admits_address
from recrawler.settings import Settings

# Large cookies and security policies are common; aiohttp's 8 KB would lose the page.
_HEADER_BYTES = 65_536
_CONNECTIONS = 256
_KEEPALIVE = 20.0  # seconds: longer than the usual pause between two pages of one walk
_RESOLVERS = 64  # name look-ups at once


class RefusedAddressError(OSError):
    """Every address of a name is one that the crawler must not connect to."""


def _look_up(host: str, port: int, family: int) -> list[ResolveResult]:
    found = socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return [
        ResolveResult(
            hostname=host,
            host=str(address[0]) if len(address) < 4 or not address[3] else f"{address[0]}%{address[3]}",
            port=port,
            family=af,
            proto=proto,
            flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
        )
        for af, _, proto, _, address in found
    ]


class GuardedResolver(AbstractResolver):
    """The system's resolver without the addresses that may not be reached.

    Look-ups run on daemon threads: a name server that hangs cannot hold up the end of the process, as a
    thread of the loop's executor would.
    """

    def __init__(self, allowed: Sequence[Network]) -> None:
        self._allowed = tuple(allowed)
        self._slots = asyncio.Semaphore(_RESOLVERS)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Addresses to connect to. Raises `socket.gaierror`, or `RefusedAddressError` where none is left."""
        async with self._slots:
            found = await _on_thread(_look_up, host, port, family)
        kept = [r for r in found if admits_address(r["host"], self._allowed)]
        if found and not kept:
            raise RefusedAddressError(found[0]["host"])
        return kept

    async def close(self) -> None:
        return


async def _on_thread(look_up: Any, *args: Any) -> list[ResolveResult]:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[list[ResolveResult]] = loop.create_future()

    def settle(result: list[ResolveResult] | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result or [])

    def run() -> None:
        try:
            result, error = look_up(*args), None
        except BaseException as e:
            result, error = None, e
        try:
            loop.call_soon_threadsafe(settle, result, error)
        except RuntimeError:  # the loop has ended meanwhile
            return

    threading.Thread(target=run, name="resolve", daemon=True).start()
    return await future


class _Protocol(ResponseHandler):
    """Mends the heads of answers before they are parsed."""

    _mender: HeadMender | None = None

    def set_response_params(self, **params: Any) -> None:
        self._mender = HeadMender()
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        if self._mender is not None and data:
            data = self._mender.feed(data)
            if self._mender.doubtful:
                self.force_close()
            if not data:
                return
        super().data_received(data)


class _ExactSession:
    """Hands each URL to aiohttp as already encoded: its own quoting would change `%2F`, `%e4` or `'`.

    Callable because the transport asks a callable for the session before every request.
    """

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session

    def __call__(self) -> _ExactSession:
        return self

    def request(self, method: str, url: str, **options: Any) -> Any:
        return self._session.request(method, URL(url, encoded=True), **options)


class _Transport(AiohttpTransport):  # type: ignore[misc, unused-ignore]
    """Keeps Location from httpx, which parses it even where it does not follow, and fails at `javascript:`.

    The header's bytes are in `response.extensions["location"]`.
    """

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        for name, value in response.headers.raw:
            if name.lower() == b"location":
                response.extensions["location"] = value
                del response.headers["location"]
                break
        return response


@cache
def tls_context(verify: bool) -> ssl.SSLContext:
    """The system's certificates and certifi's; without `verify` anything goes, old servers too."""
    if verify:
        context = ssl.create_default_context()
        context.load_verify_locations(certifi.where())
        return context
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.options |= getattr(ssl, "OP_LEGACY_SERVER_CONNECT", 0x4)
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    return context


class Wire:
    """The client and all that has to be closed with it."""

    def __init__(self, settings: Settings, allowed: Sequence[Network]) -> None:
        # It would write every URL, query and all, into a log at level INFO.
        logging.getLogger("httpx").setLevel(logging.WARNING)
        context = tls_context(settings.tls_verify)
        connector = aiohttp.TCPConnector(
            resolver=GuardedResolver(allowed),
            ssl=context,
            limit=_CONNECTIONS,
            keepalive_timeout=_KEEPALIVE,
            ttl_dns_cache=60,
        )
        # The connector takes no class of protocols; `tests/test_head.py` tells where this works no longer.
        factory: Any = partial(_Protocol, loop=asyncio.get_running_loop())
        connector._factory = factory
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            requote_redirect_url=False,
            auto_decompress=False,
            max_line_size=_HEADER_BYTES,
            max_field_size=_HEADER_BYTES,
            timeout=aiohttp.ClientTimeout(total=None),
        )
        session: Any = _ExactSession(self._session)
        transport = _Transport(verify=context, trust_env=False, client=session)
        # No cookie outlives a fetch: this policy lets none in.
        jar = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))
        self.client = httpx.AsyncClient(
            transport=transport, trust_env=False, follow_redirects=False, timeout=None, cookies=jar
        )

    async def close(self) -> None:
        await self.client.aclose()
        await self._session.close()
