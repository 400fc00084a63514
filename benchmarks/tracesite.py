"""News sites made from publish times, served on loopback at a simulated time, each on an address of its own.

A source is a sequence of publish times. Its list shows the newest `shown` items with their dates, older ones
on further pages. Sites write dates as their countries do: with an offset, or in local time, which daylight
saving turns back and forth.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from pathlib import Path
from zoneinfo import ZoneInfo

from simtime import World

from recrawler.demo.site import WORDS

DAY = 86_400.0
WEEK = 7 * DAY
ZONES = ("", "Asia/Shanghai", "Europe/Berlin", "America/New_York")  # empty: dates with an offset
LEAST = 10  # items that a list shows from the start on
STEPS = (1, 7, 11, 13)  # through the words of titles
MENU = "".join(f"<li><a href=/{name}/>{name.title()}</a></li>" for name in ("home", "city", "sport", "about"))


@dataclass
class Source:
    """One list: when each of its items came (unix seconds, ascending)."""

    times: list[float]
    number: int
    shown: int = 20
    read_at: float = 0.0  # when its first page was last asked for

    @property
    def address(self) -> str:
        return f"127.{10 + self.number // 62_500}.{self.number // 250 % 250}.{self.number % 250 + 1}"

    @property
    def zone(self) -> str:
        return ZONES[self.number % len(ZONES)]

    @cached_property
    def clock(self) -> tzinfo:
        return ZoneInfo(self.zone) if self.zone else UTC

    def path(self, item: int) -> str:
        return f"/{datetime.fromtimestamp(self.times[item], UTC):%Y/%m}/{item:05d}.html"

    def item(self, url: str) -> int:
        """Which item a URL is of; -1: of none."""
        found = re.search(r"/\d{4}/\d\d/(\d+)\.html$", url)
        return int(found[1]) if found else -1

    def published(self, now: float) -> int:
        return bisect_right(self.times, now)


def real_sources(folder: Path, count: int, since: float, days: float) -> list[Source]:
    """Sources of recorded traces, moved by whole weeks, so that habits of the week stay. Where more are
    wanted, they come again with other weeks of theirs, hours to the east or west."""
    manifest = json.loads((folder / "manifest.json").read_text())
    out: list[Source] = []
    names = sorted(name for name, m in manifest.items() if m["kind"] != "synthetic")
    lines = {name: (folder / f"{name}.csv").read_text().split() for name in names}
    for copy in range(24):
        for name in names:
            m = manifest[name]
            spare = float(m["t1"]) - float(m["t0"]) - (days + 1.0) * DAY - WEEK
            if spare < 0.0:
                continue
            begin = float(m["t0"]) + DAY / 2 + (copy * WEEK) % max(spare, 1.0)
            shift = math.floor((since - begin) / WEEK) * WEEK + 3600.0 * (copy * 5 % 24 - 12) * (copy > 0)
            times = sorted(float(x) + shift for x in lines[name])
            source = Source(times, len(out), 30 if int(m["t0"]) % 2 else 20)
            if source.published(since) >= LEAST:
                out.append(source)
            if len(out) == count:
                return out
    raise SystemExit(f"{folder} gives no more than {len(out)} sources of {days:g} days")


def made_up_sources(count: int, since: float, days: float, seed: int = 1) -> list[Source]:
    """Sources that publish at random in the rhythm of a working day, from an item in two days to 60 a day."""
    out = []
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        rate = 0.5 * 120.0 ** rng.random()
        zone, at, times = rng.randrange(24), since - 60 * DAY, []
        while at < since + (days + 1.0) * DAY:
            at += rng.expovariate(2.0 * rate / DAY)
            hour = (at / 3600.0 + zone) % 24
            if rng.random() < 0.5 + 0.5 * math.sin(math.tau * (hour - 7) / 24):
                times.append(at)
        out.append(Source(times, number, 20))
    return out


class Sites(asyncio.Protocol):
    """All sources on one port of every loopback address; one object a connection."""

    def __init__(self, sources: Sequence[Source], world: World) -> None:
        self._by_address = {s.address: s for s in sources}
        self._world = world
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._source = self._by_address[transport.get_extra_info("sockname")[0]]

    def data_received(self, data: bytes) -> None:
        self._rest += data
        while b"\r\n\r\n" in self._rest:
            head, self._rest = self._rest.split(b"\r\n\r\n", 1)
            self._transport.write(self._answer(head.decode("latin-1")))

    def _answer(self, head: str) -> bytes:
        first, *lines = head.split("\r\n")
        path = first.split(" ")[1]
        if path == "/robots.txt":
            return _http("200 OK", "text/plain", b"User-agent: *\nDisallow: /admin/\n")
        number = int(path[5:].strip("/").removeprefix("page-") or 1) if path.startswith("/news") else 0
        there = self._source.published(self._world.true)
        if not 0 < number <= max(1, -(-there // self._source.shown)):
            return _http("404 Not Found", "text/html", b"<h1>Not found</h1>")
        if number == 1:
            self._source.read_at = self._world.true
        tag = f'"{there}-{number}"'
        if any(line.lower() == f"if-none-match: {tag}" for line in lines):
            return f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode()
        body = list_page(self._source, there, number).encode()
        return _http("200 OK", "text/html; charset=utf-8", body, f"ETag: {tag}\r\n")


def _http(status: str, kind: str, body: bytes, more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


def list_page(source: Source, there: int, number: int) -> str:
    """One page of the list while `there` items are published."""
    last = there - (number - 1) * source.shown
    rows = "".join(_row(source, n) for n in range(last - 1, max(last - source.shown, 0) - 1, -1))
    pages = max(1, -(-there // source.shown))
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Latest news</title></head><body>"
        f"<header><ul>{MENU}</ul></header><main><h1>Latest news</h1><ul class=news>{rows}</ul>"
        f"{_pager(number, pages)}</main><footer><a href=/terms>Terms</a></footer></body></html>"
    )


def _row(source: Source, item: int) -> str:
    at = datetime.fromtimestamp(source.times[item], source.clock)
    shown = f"{at:%Y-%m-%d %H:%M}"
    date = (
        f"<span class=date>{shown}</span>" if source.zone else f"<time datetime={at:%FT%H:%M}Z>{shown}</time>"
    )
    who, does, what, tail = (
        part[item * step % len(part)] for part, step in zip(WORDS["en"], STEPS, strict=True)
    )
    return f"<li>{date} <a href={source.path(item)}>{who} {does} {what}{tail}, part {item}</a></li>"


def _pager(number: int, pages: int) -> str:
    if pages == 1:
        return ""
    near = sorted({1, *range(max(1, number - 2), min(pages, number + 2) + 1), pages})
    parts = [
        f"<span class=current>{n}</span>" if n == number else f"<a href={_page(n)}>{n}</a>" for n in near
    ]
    older = f"<a href={_page(number + 1)}>Next</a>" if number < pages else ""
    return f"<div class=pager>{' '.join(parts)} {older}</div>"


def _page(number: int) -> str:
    return "/news/" if number == 1 else f"/news/page-{number}/"
