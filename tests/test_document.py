"""A page as a tree: any bytes parse, links keep their corpus order, URLs are absolute or null."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recrawler.page.document import (
    MAX_ANCHORS,
    href_url,
    label_of,
    parse,
    path,
    stable_classes,
    text_of,
    xpath,
)

URL = "https://example.test/news/index.html"


def anchors(html: str | bytes, url: str = URL, encoding: str | None = None) -> list[str | None]:
    return [a.url for a in parse(html, url, encoding).anchors]


def test_hrefs_resolve_against_base_and_keep_fragments() -> None:
    page = '<base href="/list/"><a href="2.html#top">2</a><a href="?p=3">3</a><a href=" ../x ">x</a>'
    assert anchors(page) == [
        "https://example.test/list/2.html#top",
        "https://example.test/list/?p=3",
        "https://example.test/x",
    ]


@pytest.mark.parametrize(
    "href",
    ["javascript:void(0)", "JavaScript:go(2)", "#", "#2", "mailto:a@b.test", "tel:+1", "data:,x", "http://["],
)
def test_what_no_client_can_fetch_has_no_url(href: str) -> None:
    assert anchors(f'<a href="{href}">2</a>') == [None]


_BASES = (
    "http://h.example/a/b.html", "https://h.example", "http://h.example/a/?q=/x/", "http://u:p@h.example:81/",
    "http://h.example:80/a//b/../c", "HTTP://H.Example/A/%7e/", "about:blank",
)  # fmt: skip
_PIECES = (
    "http://h.example",
    "http:",
    "//",
    "/",
    "./",
    "../",
    ":",
    "?",
    "#",
    "a",
    "0",
    "%2e",
    "@",
    "é",
    "\\",
    " ",
)


@given(st.sampled_from(_BASES), st.lists(st.sampled_from(_PIECES), max_size=8).map("".join))
def test_hrefs_read_without_the_url_parser_are_what_it_gives(base: str, href: str) -> None:
    (anchor,) = parse(f'<a href="{href}">x</a>', base).anchors
    assert anchor.url == href_url(href, base)


def test_anchors_without_href_are_not_counted() -> None:
    doc = parse("<a name=x>0</a><a href=a>1</a><p><a href=b>2</a></p><map><area href=c></map>", URL)
    assert [(a.index, a.text) for a in doc.anchors] == [(0, "1"), (1, "2")]


def test_a_link_without_text_is_named_by_its_picture_then_by_its_title() -> None:
    doc = parse(
        '<a href=a><img alt="Next page"></a><a href=b aria-label=More></a><a href=c title=T></a>', URL
    )
    assert [a.text for a in doc.anchors] == ["Next page", "More", "T"]


def test_text_joins_inline_parts_and_parts_blocks() -> None:
    doc = parse(
        "<div><a href=a><b>上一</b>页</a><a href=b><p>Title</p><p>Date</p><script>x()</script></a></div>", URL
    )
    assert [label_of(a.node) for a in doc.anchors] == ["上一页", "Title Date"]
    assert text_of(doc.root) == "上一页 Title Date"


def test_entities_are_decoded_once() -> None:
    assert anchors("<a href='list?a=1&amp;p=2'>2</a>") == ["https://example.test/news/list?a=1&p=2"]


@pytest.mark.parametrize(
    ("body", "encoding", "used"),
    [
        ("<title>新闻</title>".encode("gb18030"), "gb18030", "gb18030"),
        ("<meta charset=gbk><title>新闻</title>".encode("gbk"), None, "gb18030"),
        ("<title>新闻</title>".encode(), None, "utf-8"),
        ("<meta charset=gbk><title>新闻</title>".encode(), None, "utf-8"),
        ("\ufeff<title>新闻</title>".encode("utf-16-le"), None, "utf-16-le"),
        ("<title>新闻</title>", None, "utf-8"),
    ],
)
def test_the_text_is_read_in_its_charset(body: bytes | str, encoding: str | None, used: str) -> None:
    doc = parse(body, URL, encoding)
    assert doc.title == "新闻"
    assert doc.encoding == used


def test_paths_forget_positions_and_numbered_classes() -> None:
    doc = parse('<div class="list post-12 wide"><ul><li><a href=a>1</a><li><a href=b>2</a></ul></div>', URL)
    one, two = doc.anchors
    assert path(one.node) == path(two.node) == "div.list.wide/ul/li/a"
    assert xpath(two.node) != xpath(one.node)
    assert doc.root.getroottree().xpath(xpath(two.node)) == [two.node]
    assert stable_classes(doc.root) == []


def test_positions_bound_subtrees() -> None:
    doc = parse("<div><p><b>x</b></p><i>y</i></div><em>z</em>", URL)
    for node, at in doc.position.items():
        inside = set(node.iter())
        assert set(doc.elements[at : doc.end[at]]) == inside


def test_too_much_is_cut_and_said() -> None:
    began = time.process_time()
    doc = parse(b"<a href=x>1</a>" * 100_000, URL)
    assert doc.truncated
    assert len(doc.anchors) == MAX_ANCHORS
    assert time.process_time() - began < 2


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_nothing_raises(body: bytes | str) -> None:
    doc = parse(body, URL)
    assert doc.root is not None
    assert len(doc.end) == len(doc.elements)


@pytest.mark.parametrize(
    "body", [b"", b"   ", b"\0", b"\xff\xfe", "<div>" * 5000, b"<" * 5000, b"&#0;&#xd800;"]
)
def test_empty_and_broken_pages_are_pages(body: bytes | str) -> None:
    assert parse(body, URL).anchors == ()


@pytest.mark.parametrize(
    "name", ["uu", "base64", "hex", "idna", "punycode", "undefined", "rot13", "zlib", "no-such"]
)
def test_what_python_knows_and_no_page_can_be_in_is_no_charset(name: str) -> None:
    body = f"<meta charset={name}><a href=/x?q=é>ü</a>".encode() + b"\xff"
    for told in (None, name):
        doc = parse(body, URL, told)
        assert doc.encoding == "utf-8"
        assert [(a.url, a.text) for a in doc.anchors] == [("https://example.test/x?q=%C3%A9", "ü")]


A, B = '<p><a href="/a">one</a></p>', '<p><a href="/b">two</a></p>'


@pytest.mark.parametrize(
    ("html", "body"),
    [
        (f"<html><head><title>News</title></head></html><body>{A}{B}</body></html>", "html/body"),
        (f"<html><head><title>News</title></head></html></html>{A}{B}", "no body"),
        (f"<html><head><title>News</title></head><body>{A}</body></html>{B}", "more below"),
        (f"<html><body>{A}</body></html><html><head><title>News</title></head><body>{B}</body></html>", "two pages"),
        (f"<html></html><head><title>News</title></head><body>{A}</html>{B}</body>", "an empty one first"),
    ],
)  # fmt: skip
def test_what_stands_behind_an_early_end_of_the_page_is_of_the_page(html: str, body: str) -> None:
    doc = parse(html, URL)
    assert [a.url for a in doc.anchors] == ["https://example.test/a", "https://example.test/b"], body
    assert doc.title == "News"
    assert [xpath(a.node) for a in doc.anchors] == ["/html/body/p[1]/a", "/html/body/p[2]/a"]


def test_a_second_page_behind_the_first_tells_its_language_where_the_first_has_none() -> None:
    html = "<html><body>one</body></html><html lang=zh class=x><body>two<p>three</p></body></html>"
    doc = parse(html, URL)
    assert doc.lang == "zh"
    assert text_of(doc.root).split() == ["onetwo", "three"]
    assert parse(html.replace("<html>", "<html lang=en>"), URL).lang == "en"
