"""Pauses, Retry-After, turns, robots.txt and what is remembered of hosts."""

from __future__ import annotations

import asyncio
import json
import math
import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from recrawler.fetch import Failure, Fetcher, Request, Response
from recrawler.fetch.politeness import HostTable, parse_retry_after
from recrawler.fetch.types import FaultError
from recrawler.records import HostState
from recrawler.settings import Duration
from tests.fetching import FakeClock, Hosts, failed, local, ok
from tests.httpserver import RawSite, Site, page, raw

LIST = page("新闻")
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SHARED = Path(os.environ.get("RECRAWLER_SHARED", Path(__file__).parents[2] / "shared"))


def http_date(when: datetime) -> str:
    return format_datetime(when, usegmt=True)


# Retry-After


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 120 ", 120),
        ("317100", 317_100),
        ("1.5", 1.5),
        (http_date(NOW + timedelta(minutes=5)), 300),
        ("Sunday, 01-Mar-26 12:05:00 GMT", 300),
        ("Sun Mar  1 12:05:00 2026", 300),
        (http_date(NOW - timedelta(minutes=5)), None),
        ("0", None),
        ("-5", None),
        ("soon", None),
        ("", None),
        (None, None),
        ("Sun, 99 Foo 2026", None),
        ("12 34", None),
        ("1_000", None),
        ("九", None),
        ("9" * 5000, math.inf),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, None, NOW) == seconds


def test_case_079_a_date_is_read_by_the_servers_own_clock() -> None:
    wrong = NOW + timedelta(days=400)
    assert parse_retry_after(http_date(wrong + timedelta(minutes=2)), http_date(wrong), NOW) == 120
    assert parse_retry_after(http_date(NOW + timedelta(minutes=2)), "garbage", NOW) == 120


@given(st.text(max_size=60), st.none() | st.text(max_size=60))
def test_case_079_no_header_breaks_the_parser(value: str, date: str | None) -> None:
    seconds = parse_retry_after(value, date, NOW)
    assert seconds is None or seconds > 0


# Pauses, on a clock of our own


def table(clock: FakeClock, hosts: Hosts | None = None, **settings: Any) -> HostTable:
    return HostTable(
        local(**{"delay": Duration(2), **settings}), hosts if hosts is not None else Hosts(), clock
    )


async def ask(
    hosts: HostTable, clock: FakeClock, status: int = 200, took: float = 0.1, **options: Any
) -> float:
    """One request in its turn; how long it had to wait."""
    before = clock.time
    async with hosts.use("a.example:80") as host, hosts.turn(host, options.get("deadline", math.inf)):
        waited = clock.time - before
        clock.time += took
        hosts.answered(host, status, options.get("retry_after"), took)
    return waited


async def test_the_pause_is_counted_from_the_end_of_a_request() -> None:
    clock = FakeClock()
    hosts = table(clock)
    waits = [await ask(hosts, clock) for _ in range(3)]
    assert waits == pytest.approx([0, 2, 2])
    clock.time += 1.5
    assert await ask(hosts, clock) == pytest.approx(0.5)
    clock.time += 60
    assert await ask(hosts, clock) == 0


async def test_a_slow_host_gets_longer_pauses_up_to_a_limit() -> None:
    clock = FakeClock()
    hosts = table(clock, max_delay=Duration(20))
    for _ in range(6):
        await ask(hosts, clock, took=4)
    assert await ask(hosts, clock, took=4) == pytest.approx(8, abs=0.1)
    for _ in range(6):
        await ask(hosts, clock, took=100)
    assert await ask(hosts, clock) == 20
    for _ in range(8):
        await ask(hosts, clock, took=0.1)
    assert await ask(hosts, clock) == pytest.approx(2, abs=1)


async def test_too_many_requests_slow_a_host_down_and_success_recovers_it() -> None:
    clock = FakeClock()
    hosts = table(clock, max_delay=Duration(30))
    waits = [
        await ask(hosts, clock, status) for status in (429, 503, 429, 429, 429, 200, 200, 200, 200, 200, 200)
    ]
    assert waits[:6] == pytest.approx([0, 2, 4, 8, 16, 30])
    assert waits[6:] == sorted(waits[6:], reverse=True)
    assert waits[-1] == 2


async def test_other_errors_are_no_request_to_slow_down() -> None:
    clock = FakeClock()
    hosts = table(clock)
    waits = [await ask(hosts, clock, status) for status in (500, 404, 403, 502, 200)]
    assert waits[1:] == pytest.approx([2, 2, 2, 2])


async def test_case_079_retry_after_holds_for_the_host_and_is_capped() -> None:
    clock = FakeClock()
    saved = Hosts()
    hosts = table(clock, saved, retry_after_cap=Duration(3600))
    await ask(hosts, clock, 503, retry_after=317_100.0)
    assert await ask(hosts, clock) == pytest.approx(3600)
    await ask(hosts, clock, 429, retry_after=7.0)
    assert await ask(hosts, clock) == pytest.approx(7)
    await ask(hosts, clock, 200, retry_after=50.0)
    assert await ask(hosts, clock) < 50, "only an error's Retry-After asks for time"


async def test_a_request_that_could_not_come_in_time_is_put_off_at_once() -> None:
    clock = FakeClock()
    hosts = table(clock)
    await ask(hosts, clock, 503, retry_after=600.0)
    with pytest.raises(FaultError) as fault:
        await ask(hosts, clock, deadline=clock.time + 60)
    assert fault.value.kind == "deferred"
    assert fault.value.retry_at == clock.now() + timedelta(seconds=600)
    assert clock.slept == []


async def test_an_endless_queue_is_not_joined() -> None:
    clock = FakeClock()
    hosts = table(clock)
    async with hosts.use("a.example:80") as host:
        async with hosts.turn(host, math.inf):
            waiting = [asyncio.create_task(ask(hosts, clock)) for _ in range(10)]
            await asyncio.sleep(0)
            with pytest.raises(FaultError) as fault:
                await ask(hosts, clock, deadline=clock.time + 15)
            assert fault.value.kind == "deferred"
        waits = await asyncio.gather(*waiting)
    assert max(waits) == pytest.approx(10 * 2 + 9 * 0.1)
    assert host.waiting == 0


async def test_waiting_for_a_turn_ends_at_the_deadline() -> None:
    clock = FakeClock()
    hosts = table(clock, delay=Duration(0))
    async with hosts.use("a.example:80") as host, hosts.turn(host, math.inf):
        with pytest.raises(FaultError) as fault:
            await ask(hosts, clock, deadline=clock.time + 0.05)
    assert fault.value.kind == "deferred"


async def test_a_fetch_that_is_cancelled_in_its_pause_gives_the_turn_back() -> None:
    clock, asleep = FakeClock(), asyncio.Event()

    async def sleep(seconds: float) -> None:
        asleep.set()
        await asyncio.Event().wait()

    hosts = table(clock)
    await ask(hosts, clock)
    clock.sleep = sleep  # type: ignore[method-assign]
    task = asyncio.create_task(ask(hosts, clock))
    await asleep.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    clock.time += 10
    assert await asyncio.wait_for(ask(hosts, clock), 5) == 0


# What is remembered


async def test_a_host_that_asked_for_time_is_left_alone_after_a_restart() -> None:
    clock, saved = FakeClock(), Hosts()
    await ask(table(clock, saved), clock, 503, retry_after=600.0)
    assert saved["a.example:80"].not_before == clock.now() + timedelta(seconds=600)
    clock.time += 100
    assert await ask(table(clock, saved), clock) == pytest.approx(500)


async def test_a_clock_that_was_set_back_locks_no_host_out() -> None:
    clock = FakeClock()
    saved = Hosts({"a.example:80": HostState("a.example:80", not_before=clock.now() + timedelta(days=9000))})
    assert await ask(table(clock, saved, retry_after_cap=Duration(3600)), clock) == 3600


async def test_slowness_is_remembered_and_recovery_too() -> None:
    clock, saved = FakeClock(), Hosts()
    hosts = table(clock, saved)
    for _ in range(3):
        await ask(hosts, clock, 503)
    assert saved["a.example:80"].delay == 8
    clock.time += 3600
    again = table(clock, saved)
    assert [round(await ask(again, clock)) for _ in range(4)] == [0, 4, 2, 2]
    assert saved["a.example:80"].delay is None


async def test_an_ordinary_request_writes_nothing() -> None:
    writes: list[HostState] = []

    class Counting(Hosts):
        def save_host(self, state: HostState) -> None:
            writes.append(state)

    clock = FakeClock()
    hosts = table(clock, Counting())
    for _ in range(50):
        await ask(hosts, clock)
    assert writes == []
    hosts.save_all()
    assert len(writes) == 1, "at the end, the pause that is still running"


async def test_the_table_forgets_idle_hosts_but_not_what_they_asked_for() -> None:
    clock, saved = FakeClock(), Hosts()
    hosts = table(clock, saved)
    await ask(hosts, clock, 503, retry_after=5000.0)
    async with hosts.use("held.example:80") as held:
        for i in range(3000):
            async with hosts.use(f"h{i}.example:80") as host, hosts.turn(host, math.inf):
                hosts.answered(host, 200, None, 0.1)
        assert len(hosts) <= 1001
        async with hosts.use("held.example:80") as same:
            assert same is held
    assert saved["a.example:80"].not_before is not None
    assert await ask(hosts, clock) == pytest.approx(5000)


async def test_large_robots_files_do_not_pile_up() -> None:
    clock = FakeClock()
    hosts = table(clock)
    for i in range(500):
        async with hosts.use(f"h{i}.example:80") as host:
            hosts.weigh(host, 4_000_000)
    assert len(hosts) < 12


# The same through real servers


async def test_a_server_that_says_when_is_not_asked_before() -> None:
    clock, saved = FakeClock(), Hosts()
    async with Site() as site, Fetcher(local(), saved, clock) as fetcher:
        when = http_date(NOW + timedelta(days=1, seconds=90))
        site.put("/", b"busy", 429, headers={"Retry-After": when, "Date": http_date(NOW + timedelta(days=1))})
        first = ok(await fetcher.fetch(Request(site.url("/"))))
        assert first.retry_at == clock.now() + timedelta(seconds=90)
        second = failed(await fetcher.fetch(Request(site.url("/"), deadline=clock.time + 30)), "deferred")
        assert second.retry_at == first.retry_at
        assert second.requests == 0
        assert len(site.log) == 1
        ok(await fetcher.fetch(Request(site.url("/other"))))
        assert clock.slept == pytest.approx([90])


async def test_the_charset_of_a_site_is_remembered_for_its_undeclared_pages() -> None:
    saved = Hosts()
    long = page(*["国务院常务会议部署稳就业工作", "教育部发布高校招生新规定"] * 3, encoding="gb18030")
    short = page("讣告", encoding="gb18030")
    async with Site() as site:
        site.put("/long", long, content_type="text/html")
        site.put("/short", short, content_type="text/html")
        async with Fetcher(local(), saved) as fetcher:
            assert ok(await fetcher.fetch(Request(site.url("/long")))).encoding == "gb18030"
        assert [s.charset for s in saved.values()] == ["gb18030"]
        async with Fetcher(local(), saved) as fetcher:
            assert ok(await fetcher.fetch(Request(site.url("/short")))).encoding == "gb18030"


# robots.txt

ROBOTS = local(robots=True, user_agent="recrawler/0.1")
RULES = b"User-agent: *\nDisallow: /x/\n"


def robots(site: Site, *answers: tuple[int, bytes, dict[str, str]]) -> None:
    site.series("/robots.txt", *answers)


async def test_robots_txt_is_asked_once_and_obeyed() -> None:
    async with Site({"/y": LIST}) as site, Fetcher(ROBOTS, Hosts()) as fetcher:
        robots(site, (200, RULES, {}))
        denied = failed(await fetcher.fetch(Request(site.url("/x/1"))), "robots-denied")
        assert denied.status == -9998
        assert denied.requests == 1
        assert ok(await fetcher.fetch(Request(site.url("/y")))).requests == 1
    assert site.paths() == ["/robots.txt", "/y"]


async def test_robots_txt_can_be_switched_off() -> None:
    async with Site({"/x/1": LIST}) as site, Fetcher(local(robots=False), Hosts()) as fetcher:
        robots(site, (200, RULES, {}))
        ok(await fetcher.fetch(Request(site.url("/x/1"))))
    assert site.paths() == ["/x/1"]


async def test_every_hop_is_put_to_its_own_robots_txt() -> None:
    async with Site({"/x/1": LIST}) as other, Site() as site, Fetcher(ROBOTS, Hosts()) as fetcher:
        robots(other, (200, RULES, {}))
        site.redirect("/", other.url("/x/1"))
        answer = failed(await fetcher.fetch(Request(site.url("/"))), "robots-denied")
    assert answer.requests == 3
    assert other.paths() == ["/robots.txt"]


async def test_robots_txt_itself_may_be_fetched() -> None:
    async with Site() as site, Fetcher(ROBOTS, Hosts()) as fetcher:
        site.put("/robots.txt", b"User-agent: *\nDisallow: /\n", content_type="text/plain")
        answer = ok(await fetcher.fetch(Request(site.url("/robots.txt"), is_robots=True)))
    assert answer.body.startswith(b"User-agent")
    assert answer.requests == 1


@pytest.mark.parametrize(
    ("status", "allowed"), [(404, True), (403, True), (401, True), (500, False), (503, False)]
)
async def test_case_080_what_a_status_of_robots_txt_means(status: int, allowed: bool) -> None:
    async with Site({"/y": LIST}) as site, Fetcher(ROBOTS, Hosts(), FakeClock()) as fetcher:
        robots(site, (status, RULES, {}))
        answer = await fetcher.fetch(Request(site.url("/y")))
    if allowed:
        ok(answer)
    else:
        assert failed(answer, "robots-unreachable").retry_at is not None


async def test_case_080_unreachable_robots_is_tried_again_soon_and_then_obeyed() -> None:
    clock = FakeClock()
    async with Site({"/y": LIST}) as site, Fetcher(ROBOTS, Hosts(), clock) as fetcher:
        robots(site, (503, b"", {}), (503, b"", {}), (200, RULES, {}))
        first = failed(await fetcher.fetch(Request(site.url("/y"))), "robots-unreachable")
        failed(await fetcher.fetch(Request(site.url("/y"))), "robots-unreachable")
        assert len(site.log) == 1, "not asked at every fetch"
        assert first.retry_at is not None
        clock.time += (first.retry_at - clock.now()).total_seconds() + 1
        failed(await fetcher.fetch(Request(site.url("/y"))), "robots-unreachable")
        clock.time += 300
        ok(await fetcher.fetch(Request(site.url("/y"))))
        failed(await fetcher.fetch(Request(site.url("/x/"))), "robots-denied")


async def test_case_080_a_429_for_robots_txt_slows_the_host_down_and_keeps_its_rules() -> None:
    clock = FakeClock()
    async with Site({"/y": LIST, "/x/1": LIST}) as site, Fetcher(ROBOTS, Hosts(), clock) as fetcher:
        robots(site, (429, b"", {"Retry-After": "20"}), (200, RULES, {}), (429, b"", {}))
        ok(await fetcher.fetch(Request(site.url("/y"))))
        assert sum(clock.slept) == pytest.approx(20)
        clock.time += 120
        failed(await fetcher.fetch(Request(site.url("/x/1"))), "robots-denied")
        clock.time += 90_000
        failed(await fetcher.fetch(Request(site.url("/x/1"))), "robots-denied")
        assert site.paths().count("/robots.txt") == 3


async def test_unreachable_robots_with_a_retry_after_is_not_tried_before() -> None:
    clock = FakeClock()
    async with Site({"/y": LIST}) as site, Fetcher(ROBOTS, Hosts(), clock) as fetcher:
        robots(site, (503, b"", {"Retry-After": "900"}))
        answer = failed(await fetcher.fetch(Request(site.url("/y"))), "robots-unreachable")
    assert answer.retry_at == clock.now() + timedelta(seconds=900)


async def test_a_host_that_is_not_there_is_told_as_that() -> None:
    async with RawSite(raw(b"", "reset")) as site, Fetcher(ROBOTS, Hosts()) as fetcher:
        answer = failed(await fetcher.fetch(Request(site.url("/"))), "reset")
    assert "robots.txt" in answer.detail
    assert answer.requests == 1


async def test_rules_outlive_the_process_for_a_day_and_longer_where_nothing_newer_is_to_be_had() -> None:
    clock, saved = FakeClock(), Hosts()
    async with Site({"/y": LIST}) as site:
        robots(site, (200, RULES, {}), (500, b"", {}))
        for _ in range(2):
            async with Fetcher(ROBOTS, saved, clock) as fetcher:
                failed(await fetcher.fetch(Request(site.url("/x/1"))), "robots-denied")
        assert site.paths() == ["/robots.txt"]
        clock.time += 25 * 3600
        async with Fetcher(ROBOTS, saved, clock) as fetcher:
            failed(await fetcher.fetch(Request(site.url("/x/1"))), "robots-denied")
            ok(await fetcher.fetch(Request(site.url("/y"))))
    assert site.paths() == ["/robots.txt", "/robots.txt", "/y"]


async def test_case_082_an_html_page_for_robots_txt_holds_no_rules_and_is_flagged() -> None:
    async with Site({"/y": LIST}) as site, Fetcher(ROBOTS, Hosts()) as fetcher:
        robots(site, (200, b"<!DOCTYPE html><title>Log in</title>", {}))
        assert "HTML" in ok(await fetcher.fetch(Request(site.url("/y")))).warnings[0]


async def test_crawl_delay_is_kept() -> None:
    clock = FakeClock()
    async with Site({"/y": LIST}) as site, Fetcher(ROBOTS, Hosts(), clock) as fetcher:
        robots(site, (200, b"User-agent: *\nCrawl-delay: 7\n", {}))
        for _ in range(3):
            ok(await fetcher.fetch(Request(site.url("/y"))))
    assert clock.slept == pytest.approx([7, 7], abs=0.5)


@pytest.mark.parametrize("value", ["nan", "-3", "inf", "1e400", "x"])
async def test_a_crawl_delay_that_is_no_delay(value: str) -> None:
    clock = FakeClock()
    async with Site({"/y": LIST}) as site, Fetcher(ROBOTS, Hosts(), clock) as fetcher:
        robots(site, (200, f"User-agent: *\nCrawl-delay: {value}\n".encode(), {}))
        ok(await fetcher.fetch(Request(site.url("/y"))))
        await fetcher.fetch(Request(site.url("/y")))
    assert all(math.isfinite(s) for s in clock.slept)


async def test_many_fetches_at_once_ask_robots_txt_once() -> None:
    async def slow(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(0.05)
        return web.Response(body=RULES)

    async with Site({"/y": LIST, "/robots.txt": slow}) as site, Fetcher(ROBOTS, Hosts()) as fetcher:
        answers = await asyncio.gather(*(fetcher.fetch(Request(site.url("/y"))) for _ in range(5)))
    assert all(isinstance(a, Response) for a in answers)
    assert site.paths().count("/robots.txt") == 1


# The access cases of RFC 9309, each through the whole fetcher


def access_cases() -> Iterator[Any]:
    path = SHARED / "conformance" / "robots_fetch_cases.json"
    if not path.is_file():
        yield pytest.param(None, marks=pytest.mark.skip(reason=f"{path} is not here"))
        return
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
        yield pytest.param(case, id=case["id"])


def case_body(answer: dict[str, Any]) -> bytes:
    text, times = answer.get("body_repeat", ["", 0])
    latin = answer.get("body_latin1")
    return (text * times).encode() + (latin.encode("latin-1") if latin else answer.get("body", "").encode())


@pytest.mark.parametrize("case", list(access_cases()))
async def test_robots_access(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FakeClock()
    answers = list(case["responses"])
    unknown = answers[0].get("error") == "dns"
    real = socket.getaddrinfo

    def look_up(host: str, *args: Any, **options: Any) -> Any:
        if unknown:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return real("127.0.0.2" if host.endswith(".example") else host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    fetched = 0

    async def serve(request: web.Request) -> web.StreamResponse:
        nonlocal fetched
        if request.path != "/robots.txt" and not request.path.startswith("/r"):
            return web.Response(body=LIST, content_type="text/html")
        fetched += request.path == "/robots.txt"
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if answer.get("error") == "reset":
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        headers = dict(answer.get("headers", {}))
        if "location" in answer:
            headers["Location"] = answer["location"].replace(".example", f".example:{request.url.port}")
        return web.Response(status=answer["status"], body=case_body(answer), headers=headers)

    settings = replace(ROBOTS, allow_networks=("127.0.0.2/32",))
    site = Site(address="127.0.0.2")
    async with site, Fetcher(settings, Hosts(), clock) as fetcher:
        site.fallback = serve
        url = case["url"].replace(".example", f".example:{site.port}", 1).replace(":8080", "")
        for hour in sorted({a.get("at_h", 0) for a in case["responses"]} | {case.get("at_h", 0)}):
            clock.time = 1000.0 + hour * 3600
            answer = await fetcher.fetch(Request(url))
        if case["allowed"] is not None:
            fetched_page = isinstance(answer, Response) or answer.kind == "not-html"
            assert fetched_page is case["allowed"], answer
            if isinstance(answer, Failure) and not fetched_page:
                assert answer.kind.startswith("robots") or answer.kind in ("dns", "reset", "refused-address")
        if "fetches" in case:
            assert fetched == case["fetches"]
