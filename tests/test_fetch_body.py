"""Bodies: content codings, bombs and limits, and what is HTML and what is not."""

from __future__ import annotations

import contextlib
import gzip
import importlib.util
import tracemalloc
import zlib
from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from recrawler.fetch.body import not_html, read_body, refused_type
from recrawler.fetch.coding import ACCEPT_ENCODING, CodingError, decoder_for
from tests.fetching import failed, get, local, ok
from tests.httpserver import RawSite, Site, page, raw

LIST = page(*(f"第{i}篇新闻" for i in range(200)))
BOMB = gzip.compress(b"<p>x</p>" * 12_500_000, 9)  # 100 MB in under 300 KB


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def decoded(body: bytes, *codings: str, step: int = 7) -> bytes:
    decoder = decoder_for(codings)
    pieces = [p for i in range(0, len(body), step) for p in decoder.feed(body[i : i + step])]
    decoder.finish()
    return b"".join(pieces)


# Codings


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(LIST)),
        ("x-gzip", gzip.compress(LIST)),
        ("GZIP", gzip.compress(LIST)),
        ("gzip", gzip.compress(LIST[:500]) + gzip.compress(LIST[500:])),
        ("gzip", gzip.compress(LIST) + b"\0\0\0garbage"),
        ("deflate", zlib.compress(LIST)),
        ("deflate", deflated(LIST)),
        ("gzip, deflate", zlib.compress(gzip.compress(LIST))),
        ("utf-8", LIST),
        ("none", LIST),
        ("identity, , gzip", gzip.compress(LIST)),
    ],
)
async def test_content_codings_are_undone(coding: str, body: bytes) -> None:
    async with Site() as site:
        site.put("/", body, headers={"Content-Encoding": coding})
        answer = ok(await get(site.url("/")))
    assert answer.body == LIST
    assert answer.requests == 1


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(LIST)[:-300]),
        ("gzip", gzip.compress(LIST)[:-4]),
        ("gzip", LIST),
        ("deflate", LIST),
        ("deflate", zlib.compress(LIST)[:-20]),
        ("gzip", gzip.compress(LIST)[:40] + b"\xff" * 200),
        ("br", LIST),
        ("compress", b"\x1f\x9d\x90"),
        ("gzip, gzip, gzip, gzip", LIST),
    ],
)
async def test_case_083_a_broken_coding_is_asked_once_more_without_any(coding: str, body: bytes) -> None:
    async def plain_on_request(request: web.Request) -> web.StreamResponse:
        if request.headers["Accept-Encoding"] == "identity":
            return web.Response(body=LIST, content_type="text/html")
        return web.Response(body=body, headers={"Content-Encoding": coding, "Content-Type": "text/html"})

    async with Site({"/": plain_on_request}) as site:
        answer = ok(await get(site.url("/")))
        assert answer.body == LIST
        assert answer.requests == 2

        site.put("/", body, headers={"Content-Encoding": coding})
        answer2 = failed(await get(site.url("/")), "bad-coding")
        assert answer2.requests == 2


@pytest.mark.parametrize("name", ["br", "zstd"])
async def test_codings_are_only_offered_where_they_can_be_undone(name: str) -> None:
    modules = {"br": ("brotli", "brotlicffi"), "zstd": ("compression", "backports")}[name]
    if not any(importlib.util.find_spec(m) for m in modules):
        assert name not in ACCEPT_ENCODING
        with pytest.raises(CodingError):
            decoder_for([name])
    elif name in ACCEPT_ENCODING:
        with pytest.raises(CodingError):
            decoded(LIST, name)


@given(st.binary(max_size=3000), st.integers(1, 400), st.sampled_from(["gzip", "deflate"]))
def test_decoding_undoes_coding_however_it_is_cut(data: bytes, step: int, coding: str) -> None:
    packed = gzip.compress(data) if coding == "gzip" else zlib.compress(data)
    assert decoded(packed, coding, step=step) == data
    assert decoded(gzip.compress(packed), coding, "gzip", step=step) == data


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "br", "zstd"]))
def test_case_083_no_bytes_raise_anything_but_a_coding_error(data: bytes, coding: str) -> None:
    with contextlib.suppress(CodingError):
        decoded(data, coding)


# Limits


async def test_case_083_a_bomb_stops_at_the_limit() -> None:
    for body, coding in (
        (BOMB, "gzip"),
        (gzip.compress(BOMB), "gzip, gzip"),
        (zlib.compress(b"a" * 10**7), "deflate"),
    ):
        async with Site() as site:
            site.put("/", body, headers={"Content-Encoding": coding})
            tracemalloc.start()
            answer = ok(await get(site.url("/"), local(max_bytes=1_000_000)))
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert answer.truncated
        assert len(answer.body) == 1_000_000
        assert peak < 12_000_000
        assert answer.validators.body_digest is None, "a cut page is never 'unchanged'"


async def test_a_bomb_that_gives_nothing_stops_too() -> None:
    async def empty_members() -> AsyncIterator[bytes]:
        for _ in range(1_000):
            yield b"".join([gzip.compress(b"")] * 100)

    body = await read_body(empty_members(), ["gzip"], 100_000)
    assert body.truncated
    inner = gzip.compress(gzip.compress(b"") * 300_000)  # 6 MB of empty members

    async def nested() -> AsyncIterator[bytes]:
        yield inner

    body = await read_body(nested(), ["gzip", "gzip"], 100_000)
    assert body.truncated


@pytest.mark.parametrize(("size", "cut"), [(9_999, False), (10_000, False), (10_001, True)])
async def test_the_limit_is_exact(size: int, cut: bool) -> None:
    async with Site() as site:
        site.put("/", b"<html>".ljust(size, b"x"))
        answer = ok(await get(site.url("/"), local(max_bytes=10_000)))
    assert answer.truncated is cut
    assert len(answer.body) == min(size, 10_000)


async def test_an_endless_body_stops_at_the_limit() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    async with RawSite(raw(head + b"<html>" + b"x" * 3_000_000, "hang")) as site:
        assert ok(await get(site.url("/"), local(max_bytes=100_000))).truncated


# HTML or not


@pytest.mark.parametrize(
    ("content_type", "word"),
    [
        ("application/json", "JSON"),
        ("application/rss+xml; charset=utf-8", "feed"),
        ("application/atom+xml", "feed"),
        ("image/png", "image"),
        ("application/pdf", "application/pdf"),
        ("video/mp4", "video"),
        ("application/vnd.ms-excel", "document"),
    ],
)
async def test_other_types_are_refused_before_the_body_is_read(content_type: str, word: str) -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: 99999999\r\n\r\n"
    async with RawSite(raw(head.encode(), "hang")) as site:
        answer = failed(await get(site.url("/")), "not-html")
    assert word in answer.detail
    assert answer.http_status == 200


@pytest.mark.parametrize(
    ("body", "content_type", "word"),
    [
        (b"%PDF-1.7\n...", "text/html", "PDF"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "text/html", "PNG"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "text/html", "JPEG"),
        (b"\0\0\0\x18ftypmp42", "text/html", "video"),
        (bytes(range(256)) * 20, "text/html", "binary"),
        (b"PK\x03\x04" + b"\0" * 30, "application/octet-stream", "ZIP"),
        (b' {"items": [1, 2]} ', "text/html", "JSON"),
        (b"\xef\xbb\xbf[1]", "text/plain", "JSON"),
        (b'<?xml version="1.0"?>\n<rss version="2.0"><channel/></rss>', "text/html", "feed"),
        (b'<feed xmlns="http://www.w3.org/2005/Atom"></feed>', "text/xml", "feed"),
        (b'<?xml version="1.0"?><urlset><url/></urlset>', "application/xml", "XML"),
        (b"just words", "text/plain", "plain text"),
    ],
)
def test_what_is_no_html_is_named(body: bytes, content_type: str, word: str) -> None:
    reason = not_html(body, content_type)
    assert reason is not None
    assert word in reason


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (LIST, "text/html"),
        (LIST, None),
        (LIST, "text/plain"),
        (LIST, "application/octet-stream"),
        (LIST, "TEXT/HTML;charset=gbk"),
        (LIST, "html"),
        (b"no markup at all", "text/html"),
        (b"", "text/plain"),
        (b"{not json} <p>hello</p>", "text/html"),
        (b"[1, 2] <a href=x>", "text/html"),
        (b'<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">', "text/xml"),
        (b'<?xml version="1.0"?><!-- c --><html><body>', "application/xhtml+xml"),
        (b"<!-- rss --><html><link type='application/rss+xml'>", "text/html"),
        (page("中文", encoding="utf-16"), "text/html"),
        (page("中文", encoding="utf-16-le"), "text/html"),
        (page("中文", encoding="utf-16-be"), "text/plain"),
        (page("中文", encoding="gb18030"), "text/html"),
        (page("中文", encoding="utf-32"), "text/html"),
        (LIST.replace("第".encode(), b"\0"), "text/html"),
        (LIST + b"\0\0", "text/html"),
    ],
)
def test_what_may_be_html_is_read(body: bytes, content_type: str | None) -> None:
    assert refused_type(content_type) is None
    assert not_html(body, content_type) is None


@given(st.binary(max_size=500), st.sampled_from(["text/html", None, "text/xml", ";;", "a/b/c"]))
def test_judging_a_body_never_raises(body: bytes, content_type: str | None) -> None:
    not_html(body, content_type)
    refused_type(content_type)
