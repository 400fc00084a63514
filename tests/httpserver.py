"""News sites on loopback with faults: a real aiohttp server, and a raw one for what it would not send."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def free_port() -> int:
    """A loopback port that nothing listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def page(*titles: str, encoding: str = "utf-8", head: str = "") -> bytes:
    """A small list page."""
    rows = "\n".join(f'<li><a href="/a/{i}.html">{t}</a></li>' for i, t in enumerate(titles))
    return f"<!DOCTYPE html><html><head>{head}</head><body><ul>{rows}</ul></body></html>".encode(encoding)


@dataclass
class Logged:
    method: str
    path: str  # as sent, with query
    headers: Mapping[str, str]
    body: bytes
    at: float


@dataclass
class Site:
    """Pages by path; a value is bytes (an HTML page), a `web.Response` factory or an async handler."""

    pages: dict[str, bytes | Handler] = field(default_factory=dict)
    log: list[Logged] = field(default_factory=list)
    busiest: int = 0  # most requests that were under way at once
    fallback: Handler | None = None  # answers what is not among the pages
    tls: ssl.SSLContext | None = None
    address: str = "127.0.0.1"
    _now: int = 0

    def put(
        self,
        path: str,
        body: bytes = b"",
        status: int = 200,
        content_type: str | None = "text/html; charset=utf-8",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Serve these bytes as they are (a content coding is only announced)."""

        async def handler(request: web.Request) -> web.StreamResponse:
            out = dict(headers or {})
            if content_type is not None:
                out["Content-Type"] = content_type
            response = web.Response(status=status, body=body, headers=out)
            if content_type is None:
                response.headers.pop("Content-Type", None)
            return response

        self.pages[path] = handler

    def redirect(
        self, path: str, to: str, status: int = 302, headers: Mapping[str, str] | None = None
    ) -> None:
        self.put(path, status=status, headers={"Location": to, **(headers or {})})

    def series(self, path: str, *answers: tuple[int, bytes, Mapping[str, str]]) -> None:
        """The answers in turn, the last one for ever."""
        left = list(answers)

        async def handler(request: web.Request) -> web.StreamResponse:
            status, body, headers = left.pop(0) if len(left) > 1 else left[0]
            return web.Response(status=status, body=body, headers={"Content-Type": "text/html", **headers})

        self.pages[path] = handler

    def paths(self) -> list[str]:
        return [r.path for r in self.log]

    def url(self, path: str = "/", host: str = "") -> str:
        return f"http{'s' if self.tls else ''}://{host or self.address}:{self.port}{path}"

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        loop = asyncio.get_running_loop()
        body = await request.read()
        self.log.append(Logged(request.method, request.raw_path, request.headers, body, loop.time()))
        self._now += 1
        self.busiest = max(self.busiest, self._now)
        try:
            found = self.pages.get(request.raw_path, self.pages.get(request.path))
            if found is None and self.fallback is not None:
                return await self.fallback(request)  # type: ignore[arg-type]
            if found is None:
                return web.Response(
                    status=404, text="<html><h1>Not found</h1></html>", content_type="text/html"
                )
            if isinstance(found, bytes):
                return web.Response(body=found, headers={"Content-Type": "text/html; charset=utf-8"})
            return await found(request)  # type: ignore[arg-type]
        finally:
            self._now -= 1

    async def __aenter__(self) -> Self:
        self._runner = web.ServerRunner(web.Server(self._serve), shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self.address, 0, ssl_context=self.tls)
        await site.start()
        self.port = int(self._runner.addresses[0][1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()


RawHandler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class RawSite:
    """A TCP server whose handler gets each connection after the request's head was read."""

    def __init__(self, handler: RawHandler) -> None:
        self._handler = handler
        self.heads: list[bytes] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            self.heads.append(await reader.readuntil(b"\r\n\r\n"))
            await self._handler(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.sleep(0)


def raw(data: bytes, then: str = "close") -> RawHandler:
    """Send these bytes, then `close`, `reset` or `hang`."""

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()
        if then == "hang":
            await asyncio.sleep(60)
        if then == "reset":
            sock = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            writer.transport.abort()

    return handler


def drip(head: bytes, piece: bytes, pause: float) -> RawHandler:
    """The head, then a piece for ever, each after a pause."""

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)

    return handler
