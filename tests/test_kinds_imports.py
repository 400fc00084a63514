"""Kinds of faults in files of index pages, as people and other programs write them."""

from __future__ import annotations

import pytest

from recrawler.cli.transfer import entries
from recrawler.errors import UsageError
from tests.test_cli import Shell, shell  # noqa: F401 - a fixture

OPML = '<opml version="2.0"><body>{}</body></opml>'


@pytest.mark.parametrize(
    ("raw", "urls"),
    [
        (b"name;url\nA;https://a.example/\n", ["https://a.example/"]),
        (b"Name\tURL\nA, B\thttps://a.example/\n", ["https://a.example/"]),
        (b'"name","url"\n"A, B","https://a.example/1,2.html"\n', ["https://a.example/1,2.html"]),
        ("https://a.example/新闻/\r\n".encode("utf-16"), ["https://a.example/新闻/"]),
        (b"https://a.example/ # daily\nhttps://b.example/\t# x\n", ["https://a.example/", "https://b.example/"]),
        (b"https://a.example/1,2.html\n", ["https://a.example/1,2.html"]),
        (b'["https://a.example/", {"url": "https://b.example/"}]', ["https://a.example/", "https://b.example/"]),
        (OPML.format('<outline text="a & b" htmlUrl="https://a.example/?a=1&b=2"/>').encode(), ["https://a.example/?a=1&b=2"]),
        (OPML.format('<outline text="&lt;&#38;" htmlUrl="https://a.example/"/>').encode(), ["https://a.example/"]),
        (
            ('<?xml version="1.0" encoding="GBK"?>' + OPML.format('<outline text="新闻" htmlUrl="https://a.example/新/"/>')).encode("gbk"),
            ["https://a.example/新/"],
        ),
        (b"\n\n" + OPML.format('<outline htmlUrl="https://a.example/"/>').encode(), ["https://a.example/"]),
        (b"", []),
    ],
    ids=["semicolons", "tabs", "quoted_head", "utf16", "remarks", "comma_in_url", "array", "bare_ampersand",
         "escaped_ampersand", "opml_in_gbk", "blank_lines", "nothing"],
)  # fmt: skip
def test_kind_files_of_index_pages_as_programs_write_them(raw: bytes, urls: list[str]) -> None:
    found = list(entries(raw))
    assert [x.url for x in found] == urls and not any(x.fault for x in found)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"https://a.example/ The news of A\n", "one URL a line"),
        (b'{"url": "https://a.example/", "options": {"evry": 60}}\n', "there is no option evry"),
        (b'{"url": 5}\n', "there is no url"),
        (b'{"options": {}}\n', "there is no url"),
        (b'[{"url": "https://a.example/", "options": {"every": "x"}}]', "`recrawler export`"),
    ],
    ids=["words_after_a_url", "unknown_option", "url_no_text", "no_url", "option_of_another_kind"],
)
def test_kind_a_line_that_would_be_read_wrongly_is_refused(raw: bytes, words: str) -> None:
    [found] = entries(raw)
    assert words in found.fault


@pytest.mark.parametrize("raw", [b"<html><body></body></html>", OPML.encode()[:30], b"[1, 2"])
def test_kind_a_file_that_is_something_else_is_no_empty_list(raw: bytes) -> None:
    with pytest.raises(UsageError):
        list(entries(raw))


def test_kind_a_number_that_no_index_can_have_is_told_as_such(shell: Shell) -> None:  # noqa: F811
    assert shell("add-index", "https://a.example/", "--no-visit").status == 0
    shell("show", "99999999999999999999").fails(2, "there is no index")
