"""The demo site on a loopback port, in a thread of its own."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from recrawler.demo.html import article_page, list_page
from recrawler.demo.site import NewsSite

# What a fault answers instead of the page: status, body, headers; null: nothing (the line is cut).
Answer = tuple[int, bytes, dict[str, str]]
Fault = Callable[[str], Answer | None]


@dataclass
class Served:
    """A site that is being served. `faults` are asked first, by pattern of the path."""

    site: NewsSite
    base: str
    requests: list[str] = field(default_factory=list)
    faults: list[tuple[re.Pattern[str], Fault]] = field(default_factory=list)
    conditional: bool = True
    last_headers: dict[str, str] = field(default_factory=dict)  # of the latest request

    def fault(self, pattern: str, answer: Fault) -> None:
        self.faults.append((re.compile(pattern), answer))

    def url(self, path: str) -> str:
        return self.base + path


@contextmanager
def serve_site(site: NewsSite, port: int = 0) -> Iterator[Served]:
    """Serve a site on 127.0.0.1 until the block ends; port 0 takes a free one."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
    server.daemon_threads = True
    served = Served(site, f"http://127.0.0.1:{server.server_port}")
    server.served = served  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the demo prints what matters."""

    def do_GET(self) -> None:
        served: Served = self.server.served  # type: ignore[attr-defined]
        served.requests.append(self.path)
        served.last_headers = dict(self.headers)
        for pattern, answer in served.faults:
            if pattern.search(self.path):
                said = answer(self.path)
                if said is None:
                    self.close_connection = True
                    return
                self._send(*said)
                return
        text = _page(served.site, self.path)
        if text is None:
            self._send(404, b"<h1>404</h1>", {"Content-Type": "text/html"})
            return
        body = text.encode()
        etag = f'"{blake2b(body, digest_size=8).hexdigest()}"'
        headers = {"Content-Type": "text/html; charset=utf-8"}
        if served.conditional:
            headers["ETag"] = etag
            if self.headers.get("If-None-Match") == etag:
                self._send(304, b"", headers)
                return
        self._send(200, body, headers)

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


_LIST = re.compile(r"/(?P<name>[^/]+)/(?:list_(?P<number>\d+)\.html)?")


def _page(site: NewsSite, path: str) -> str | None:
    if path == "/":
        return list_page(site, site.main, 1)
    match = _LIST.fullmatch(path)
    section = site.sections.get(match["name"]) if match else None
    if match and section:
        number = int(match["number"] or 1)
        return list_page(site, section, number) if 1 <= number <= section.pages() else None
    article = site.find(path)
    if article is None:
        return None
    where = next(s for s in site.sections.values() if article in s.articles)
    return article_page(site, where, article)
