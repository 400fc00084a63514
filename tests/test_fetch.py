"""Fetching from real servers on loopback: answers, redirects, the guard, and every way to fail."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from recrawler.fetch import STATUS_OF, Failure, Fetcher, PostForm, Request, Response
from recrawler.fetch.client import MAX_URL
from recrawler.hops import FetchStatus
from recrawler.records import Validators
from recrawler.settings import Duration
from tests.fetching import FakeClock, Hosts, failed, get, local, ok
from tests.httpserver import RawSite, Site, drip, free_port, page, raw

LIST = page("一篇新闻", "另一篇新闻")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"


# What comes back


async def test_a_page_comes_whole_with_its_charset() -> None:
    async with Site({"/": LIST}) as site:
        answer = ok(await get(site.url("/")))
    assert (answer.status, answer.encoding, answer.body) == (200, "utf-8", LIST)
    assert answer.url == answer.requested == site.url("/")
    assert answer.requests == 1
    assert answer.redirects == ()
    assert not answer.truncated
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 429, 451, 500, 502, 503])
async def test_whatever_a_server_answers_is_a_response_with_its_body(status: int) -> None:
    async with Site() as site:
        site.put("/", b"<h1>Sorry</h1>", status=status)
        answer = ok(await get(site.url("/")))
    assert (answer.status, answer.body) == (status, b"<h1>Sorry</h1>")


async def test_an_error_page_need_not_be_html() -> None:
    async with Site() as site:
        site.put("/", b'{"error": 1}', status=500, content_type="application/json")
        assert ok(await get(site.url("/"))).status == 500


async def test_an_empty_body_is_a_response() -> None:
    async with Site() as site:
        site.put("/", b"")
        answer = ok(await get(site.url("/")))
    assert (answer.body, answer.encoding) == (b"", None)


@pytest.mark.parametrize(
    "path",
    [
        "/a%2fb%2Fc",
        "/%e4%BD?a=%D6%d0&b=%2B",
        "/'(a)|b",
        "/50%",
        "/a//b/;x=1",
        "/?q='x'&y=a+b%20c",
        "/?a[]=1&b={}",
    ],
)
async def test_urls_are_sent_as_they_are_written(path: str) -> None:
    async with Site() as site:
        answer = ok(await get(site.url(path)))
        assert answer.status == 404
    assert site.url("") + site.paths()[0] == answer.url


async def test_neither_fragment_nor_password_is_sent() -> None:
    async with Site({"/x": LIST}) as site:
        answer = ok(await get(f"http://user:secret@127.0.0.1:{site.port}/x#part"))
    assert answer.url == site.url("/x")
    assert "Authorization" not in site.log[0].headers


async def test_headers_name_us_and_no_proxy_of_the_environment_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    settings = local(user_agent="watcher/2", contact="press@news.example")
    async with Site({"/": LIST}) as site:
        ok(await get(site.url("/"), settings, referer="http://a.example/list"))
    sent = site.log[0].headers
    assert sent["User-Agent"] == "watcher/2 (+press@news.example)"
    assert sent["Referer"] == "http://a.example/list"
    assert "gzip" in sent["Accept-Encoding"]


async def test_large_headers_do_not_lose_the_page() -> None:
    async with Site() as site:
        site.put("/", LIST, headers={"Content-Security-Policy": "x" * 30_000})
        assert ok(await get(site.url("/"))).body == LIST


# Redirects


async def test_redirects_are_followed_and_told() -> None:
    async with Site({"/end": LIST}) as site:
        site.redirect("/", "/one", 301)
        site.redirect("/one", "two#frag", 302)
        site.redirect("/two", site.url("/end"), 307)
        answer = ok(await get(site.url("/")))
    assert answer.redirects == (site.url("/one"), site.url("/two"), site.url("/end"))
    assert answer.url == site.url("/end")
    assert answer.requested == site.url("/")
    assert answer.requests == 4


async def test_bytes_beyond_ascii_in_a_location_are_sent_on_as_they_are() -> None:
    async with Site({"/%D6%D0?x=%E4%B8%AD": LIST}) as site:
        target = b"http://127.0.0.1:%d/\xd6\xd0?x=\xe4\xb8\xad" % site.port
        head = b"HTTP/1.1 302 Found\r\nLocation: " + target + b"\r\nContent-Length: 0\r\n\r\n"
        async with RawSite(raw(head)) as start:
            ok(await get(start.url("/")))
    assert site.paths() == ["/%D6%D0?x=%E4%B8%AD"]


async def test_a_redirect_without_a_target_is_a_response() -> None:
    async with Site() as site:
        site.put("/", b"<p>moved</p>", status=302)
        assert ok(await get(site.url("/"))).status == 302


async def test_a_circle_of_redirects_ends_at_its_first_repeat() -> None:
    async with Site() as site:
        site.redirect("/", "/b")
        site.redirect("/b", "/")
        answer = failed(await get(site.url("/")), "redirect-loop")
    assert answer.requests == 2


async def test_a_chain_of_redirects_has_a_limit() -> None:
    async with Site() as site:
        for i in range(20):
            site.redirect(f"/{i}", f"/{i + 1}")
        answer = failed(await get(site.url("/0"), local(max_redirects=5)), "too-many-redirects")
    assert answer.requests == 6
    assert len(answer.redirects) == 5


async def test_a_page_that_sets_a_cookie_and_comes_again_is_no_circle() -> None:
    async def check(request: web.Request) -> web.StreamResponse:
        if "seen=1" in request.headers.get("Cookie", ""):
            return web.Response(body=LIST, content_type="text/html")
        return web.Response(status=302, headers={"Location": "/", "Set-Cookie": "seen=1; Path=/"})

    async with Site({"/": check}) as site, Fetcher(local(), Hosts()) as fetcher:
        first = ok(await fetcher.fetch(Request(site.url("/"))))
        second = ok(await fetcher.fetch(Request(site.url("/"))))
    assert first.requests == 2
    assert second.requests == 2, "no cookie outlives a fetch"
    assert "Cookie" not in site.log[2].headers


@pytest.mark.parametrize(
    "target", ["ftp://a.example/x", "javascript:alert(1)", "http://", "http://[::1", "mailto:a@b"]
)
async def test_a_redirect_to_no_web_page_is_told(target: str) -> None:
    async with Site() as site:
        site.redirect("/", target)
        answer = failed(await get(site.url("/")), "bad-redirect")
    assert answer.requests == 1


@pytest.mark.parametrize(
    "target",
    [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://2852039166/",
        "http://0xa9.0xfe.0xa9.0xfe/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://192.168.0.1:8080/",
        "http://１０.0.0.1/",
    ],
)
async def test_a_redirect_to_a_private_address_is_refused_before_connecting(target: str) -> None:
    async with Site() as site:
        site.redirect("/", target)
        answer = failed(await get(site.url("/")), "refused-address")
    assert answer.requests == 1


# Forms


async def test_a_form_is_posted_in_the_pages_encoding() -> None:
    async with Site({"/": LIST}) as site:
        form = PostForm((("页", "二"), ("view", "a b&c")), "gb18030")
        ok(await get(site.url("/"), form=form))
    assert site.log[0].method == "POST"
    assert site.log[0].headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert site.log[0].body == b"%D2%B3=%B6%FE&view=a+b%26c"


@pytest.mark.parametrize(
    ("status", "method"), [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")]
)
async def test_a_form_is_only_sent_on_where_the_status_says_so(status: int, method: str) -> None:
    async with Site({"/b": LIST}) as site:
        site.redirect("/a", "/b", status)
        ok(await get(site.url("/a"), form=PostForm((("p", "2"),))))
    assert site.log[1].method == method
    assert site.log[1].body == (b"p=2" if method == "POST" else b"")


# Validators


async def conditional(request: web.Request) -> web.StreamResponse:
    headers = {"ETag": '"v1"', "Last-Modified": "Sun, 01 Mar 2026 00:00:00 GMT"}
    if request.headers.get("If-None-Match") == '"v1"':
        return web.Response(status=304, headers=headers)
    return web.Response(body=LIST, headers=headers, content_type="text/html")


async def test_an_unchanged_page_answers_with_304_and_keeps_its_validators() -> None:
    async with Site({"/": conditional}) as site:
        first = ok(await get(site.url("/")))
        second = ok(await get(site.url("/"), validators=first.validators))
    assert first.validators.etag == '"v1"'
    assert not first.same_body
    assert site.log[1].headers["If-Modified-Since"] == "Sun, 01 Mar 2026 00:00:00 GMT"
    assert second.not_modified
    assert second.same_body
    assert second.body == b""
    assert second.validators == first.validators


async def test_the_digest_catches_an_unchanged_page_without_validators() -> None:
    async with Site({"/": LIST}) as site:
        first = ok(await get(site.url("/")))
        assert ok(await get(site.url("/"), validators=first.validators)).same_body
        site.pages["/"] = LIST + b"<!-- changed -->"
        assert not ok(await get(site.url("/"), validators=first.validators)).same_body


async def test_a_304_that_nobody_asked_for_is_no_news() -> None:
    async with Site() as site:
        site.put("/", status=304)
        answer = failed(await get(site.url("/")), "bad-response")
    assert answer.http_status == 304


async def test_validators_are_not_sent_to_another_site() -> None:
    async with Site({"/": LIST}) as other, Site() as site:
        site.redirect("/", other.url("/"))
        ok(await get(site.url("/"), validators=Validators('"x"', None, None)))
    assert site.log[0].headers["If-None-Match"] == '"x"'
    assert "If-None-Match" not in other.log[0].headers


@pytest.mark.parametrize("etag", ['"a\r\nX-Evil: 1"', '"中"', " ", ""])
async def test_a_validator_that_is_no_header_value_is_not_sent(etag: str) -> None:
    async with Site({"/": LIST}) as site:
        ok(await get(site.url("/"), validators=Validators(etag, None, None)))
    assert "If-None-Match" not in site.log[0].headers
    assert "X-Evil" not in site.log[0].headers


# Ways to fail


@pytest.mark.parametrize(
    "url",
    [
        "",
        "news",
        "ftp://a.example/",
        "javascript:void(0)",
        "http://",
        "http://a b/",
        "http://1.2.3.4.5/",
        "\0",
    ],
)
async def test_text_that_is_no_web_url_fails_without_a_request(url: str) -> None:
    assert failed(await get(url), "bad-url").requests == 0


async def test_a_url_has_a_greatest_length() -> None:
    assert failed(await get("http://127.0.0.1/" + "a" * MAX_URL), "url-too-long").requests == 0
    async with Site() as site:
        site.redirect("/", "/" + "中" * (MAX_URL // 6))
        failed(await get(site.url("/")), "url-too-long")


@pytest.mark.parametrize(
    "url", ["http://127.1/", "http://0x7f000001/", "http://2130706433/", "http://[::1]/", "http://localhost/"]
)
async def test_loopback_is_refused_unless_it_is_allowed(url: str) -> None:
    answer = failed(await get(url, local(allow_networks=())), "refused-address")
    assert "allow_networks" in answer.detail


async def test_an_unknown_host(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: Any, **options: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    answer = failed(await get("http://no-such.example/"), "dns")
    assert "no-such.example" in answer.detail


async def test_a_port_where_nobody_listens() -> None:
    failed(await get(f"http://127.0.0.1:{free_port()}/"), "refused")


@pytest.mark.parametrize(
    ("data", "then", "kind"),
    [
        (b"", "close", "reset"),
        (b"", "reset", "reset"),
        (b"HTTP/1.1 200 OK\r\nContent-Ty", "close", "reset"),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "close", "bad-response"),
        (b"HTTP/1.1 abc\r\n\r\n", "close", "bad-response"),
        (HEAD + b"Content-Length: 5000\r\n\r\n" + LIST, "close", "truncated"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n10\r\n<html><body>1234\r\n", "close", "truncated"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n<html>", "close", ("truncated", "bad-response")),
        (HEAD + b"Content-Length: 5000\r\n\r\n" + LIST, "reset", ("truncated", "reset")),
    ],
)
async def test_a_broken_answer_is_never_a_shorter_page(
    data: bytes, then: str, kind: str | tuple[str, ...]
) -> None:
    async with RawSite(raw(data, then)) as site:
        answer = await get(site.url("/"))
    assert isinstance(answer, Failure), answer
    assert answer.kind in ((kind,) if isinstance(kind, str) else kind), answer


async def test_a_body_that_ends_with_its_connection_is_whole() -> None:
    async with RawSite(raw(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + LIST)) as site:
        assert ok(await get(site.url("/"))).body == LIST


@pytest.mark.parametrize("data", [b"", b"HTTP/1.1 200 OK\r\n", HEAD + b"Content-Length: 999\r\n\r\n<html>"])
async def test_a_server_that_hangs_costs_the_timeout(data: bytes) -> None:
    async with RawSite(raw(data, "hang")) as site:
        answer = failed(await get(site.url("/"), local(request_timeout=Duration(0.3))), "timeout")
    assert "0.3 s" in answer.detail


async def test_a_slow_drip_does_not_reset_the_timeout() -> None:
    async with RawSite(drip(HEAD + b"\r\n<html>", b"<p>more</p>", 0.02)) as site:
        started = time.monotonic()
        failed(await get(site.url("/"), local(request_timeout=Duration(0.4))), "timeout")
        assert time.monotonic() - started < 3


async def test_the_deadline_of_a_request_cuts_its_timeout() -> None:
    async with RawSite(raw(b"", "hang")) as site:
        started = time.monotonic()
        failed(await get(site.url("/"), deadline=started + 0.3), "timeout")
        assert time.monotonic() - started < 3


async def test_a_server_without_tls() -> None:
    async with Site({"/": LIST}) as site:
        failed(await get(site.url("/").replace("http:", "https:")), "tls")


async def test_a_certificate_of_nobody_is_refused_unless_the_user_says_so(tmp_path: Path) -> None:
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1"]
    try:
        await asyncio.to_thread(
            subprocess.run, [*command, "-keyout", key, "-out", cert], check=True, stderr=-3
        )
    except FileNotFoundError:
        pytest.skip("needs the openssl command")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    async with Site({"/": LIST}, tls=context) as site:
        answer = failed(await get(site.url("/")), "tls")
        assert "certificate" in answer.detail
        assert ok(await get(site.url("/"), local(tls_verify=False))).body == LIST


def test_every_kind_of_failure_has_its_fetch_status() -> None:
    known = {int(s) for s in FetchStatus}
    assert {k: v for k, v in STATUS_OF.items() if v not in known or v >= 0} == {}


# Turns


async def test_one_request_at_a_time_to_a_host_and_hosts_side_by_side() -> None:
    together = 0
    most = 0

    async def slow(request: web.Request) -> web.StreamResponse:
        nonlocal together, most
        together += 1
        most = max(most, together)
        await asyncio.sleep(0.05)
        together -= 1
        return web.Response(body=LIST, content_type="text/html")

    async with Site({"/": slow}) as a, Site({"/": slow}) as b, Fetcher(local(), Hosts()) as fetcher:
        urls = [a.url("/"), b.url("/")] * 3
        answers = await asyncio.gather(*(fetcher.fetch(Request(u)) for u in urls))
    assert all(isinstance(x, Response) for x in answers)
    assert (a.busiest, b.busiest) == (1, 1)
    assert most == 2


async def test_without_a_delay_nothing_sleeps() -> None:
    clock = FakeClock()
    async with Site({"/": LIST}) as site, Fetcher(local(), Hosts(), clock) as fetcher:
        for _ in range(20):
            ok(await fetcher.fetch(Request(site.url("/"))))
    assert clock.slept == []


async def test_a_cancelled_fetch_gives_its_turn_back() -> None:
    arrived = asyncio.Event()

    async def hang(request: web.Request) -> web.StreamResponse:
        arrived.set()
        await asyncio.sleep(30)
        return web.Response()

    async with Site({"/": LIST, "/hang": hang}) as site, Fetcher(local(), Hosts()) as fetcher:
        task = asyncio.create_task(fetcher.fetch(Request(site.url("/hang"))))
        waiter = asyncio.create_task(fetcher.fetch(Request(site.url("/hang"))))
        await asyncio.wait_for(arrived.wait(), 5)
        waiter.cancel()
        task.cancel()
        results = await asyncio.gather(task, waiter, return_exceptions=True)
        assert all(isinstance(r, asyncio.CancelledError) for r in results)
        assert ok(await asyncio.wait_for(fetcher.fetch(Request(site.url("/"))), 5)).status == 200


async def test_leaving_the_fetcher_does_not_wait_for_a_name_server_that_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hang(*args: Any, **options: Any) -> Any:
        time.sleep(20)

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    started = time.monotonic()
    failed(await get("http://a.example/", local(request_timeout=Duration(0.2))), "timeout")
    assert time.monotonic() - started < 3
