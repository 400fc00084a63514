"""Answers whose heads break the rules, as real servers and the boxes in front of them write them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recrawler.fetch import Fetcher, Request
from recrawler.fetch.head import HeadMender, mended
from tests.fetching import Hosts, failed, get, local, ok
from tests.httpserver import RawSite, page, raw

BODY = page("港口扩建方案公布", "图书馆延长开放时间")
LENGTH = f"Content-Length: {len(BODY)}"
CHUNKS = f"{len(BODY):x}\r\n".encode() + BODY + b"\r\n0\r\n\r\n"


def answer(*lines: str, body: bytes = BODY, status: str = "HTTP/1.1 200 OK") -> bytes:
    head = "\r\n".join((status, "Content-Type: text/html; charset=utf-8", *lines, "", ""))
    return head.encode("latin-1") + body


@pytest.mark.parametrize(
    "data",
    [
        answer(LENGTH, LENGTH),
        answer(f"{LENGTH}, {len(BODY)}"),
        answer("Content-Length: abc", "Connection: close"),
        answer("Content-Length: -1", "Connection: close"),
        answer(f"Content-Length: +{len(BODY)}", "Connection: close"),
        answer("Transfer-Encoding: chunked", "Content-Length: 5", body=CHUNKS),
        answer("Transfer-Encoding: chunked", "Transfer-Encoding: chunked", body=CHUNKS),
        answer("Transfer-Encoding: identity", LENGTH),
        answer("this line has no colon", LENGTH),
        answer("X-Powered By: something", LENGTH),
        answer(f"Content-Length : {len(BODY)}"),
        answer(": no name", LENGTH),
        answer("X-Trace: a\0b", LENGTH),
        answer("X-Long: one", "  two", LENGTH),
        answer(LENGTH, body=BODY + b"\r\n"),
        answer(LENGTH, "Connection: close", body=BODY + b"\r\n\r\n"),
        answer(LENGTH).replace(b"\r\n", b"\n"),
        b"HTTP/1.1 103 Early Hints\r\nLink </a.css>\r\n\r\n" + answer(LENGTH, "no colon"),
    ],
    ids=[
        "length_twice", "length_twice_in_one", "length_no_number", "length_negative", "length_signed",
        "chunks_and_length", "chunks_twice", "identity", "no_colon", "blank_in_name", "blank_before_colon", "no_name",
        "nul", "folded", "line_end_after", "line_ends_after", "lf", "interim",
    ],
)  # fmt: skip
async def test_a_head_that_browsers_put_up_with_loses_no_page(data: bytes) -> None:
    async with RawSite(raw(data)) as site:
        found = ok(await get(site.url("/")))
    assert (found.status, found.body) == (200, BODY)


async def test_two_lengths_that_differ_are_refused() -> None:
    async with RawSite(raw(answer(LENGTH, "Content-Length: 10"))) as site:
        failed(await get(site.url("/")), "bad-response")


async def test_after_an_answer_that_broke_its_own_framing_the_connection_is_not_used_again() -> None:
    """What came after it would be read as the beginning of the next answer."""
    async with RawSite(raw(answer(LENGTH, body=BODY + b"HTTP/1.1 200 OK\r\n\r\nsmuggled"), "hang")) as site:
        async with Fetcher(local(), Hosts()) as fetcher:
            for _ in range(2):
                assert ok(await fetcher.fetch(Request(site.url("/")))).body == BODY
        assert len(site.heads) == 2  # a connection each


def fed(data: bytes, cuts: list[int]) -> bytes:
    mender, out, at = HeadMender(), b"", 0
    for cut in [*sorted(c % (len(data) + 1) for c in cuts), len(data)]:
        out += mender.feed(data[at:cut])
        at = cut
    return out


@given(st.binary(max_size=300), st.lists(st.integers(0, 600), max_size=6))
@example(b"a: 1\r\n\n\r\n\nrest", [3, 9])
def test_it_does_not_matter_how_an_answer_is_cut(rest: bytes, cuts: list[int]) -> None:
    data = b"HTTP/1.1 200 OK\r\n" + rest
    assert fed(data, cuts) == fed(data, [])


@given(st.binary(max_size=300))
def test_what_is_no_http_is_passed_on_as_it_is(data: bytes) -> None:
    assert fed(b"SSH" + data, [1, 2]) == b"SSH" + data


@given(
    st.lists(st.tuples(st.from_regex(r"X-[A-Za-z]{1,8}", fullmatch=True), st.text("abc ;=\xe9", max_size=20)))
)
def test_a_sound_head_stays_what_it_is(headers: list[tuple[str, str]]) -> None:
    lines = [f"{name}: {value.strip()}".encode("latin-1") for name, value in headers]
    head = b"\r\n".join((b"HTTP/1.1 200 OK", *lines, b"Content-Length: 7", b"", b""))
    assert mended(head) == (head, 7, False)
