"""Digits that are no numbers: a circled 2 or a superscript is a digit to Python, and int() raises at it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from recrawler.page.analysis import analyse
from tests.test_cli import Shell, shell  # noqa: F401 - the fixture

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ROWS = "".join(
    f'<li><a href="/a/{n}.html">The harbour board decides on plan number {n}</a> <span>{n % 9 + 1}\u00b2</span></li>'
    for n in range(12)
)
PAGERS = [
    "<div class=pager><span>\u2460</span> <a onclick='go(2)'>2</a> <a onclick='go(3)'>3</a></div>",
    "<div class=pager><b>\u00b9</b> <a href='/?p=2'>\u00b2</a> <a href='/?p=3'>\u00b3</a> <a href='/?p=2'>Next</a></div>",
    "<select onchange='location=this.value'><option value='\u00b9'>\u00b9<option value='\u00b2'>\u00b2<option value='\u00b3'>3</select>",
    "<script>createPageHTML(\u00b2, 0, 'index', 'shtml')</script>",
    "<script>createPageHTML('\u00b2', '\u2460', 'index', 'shtml')</script>",
    "<div class=pager><span>1/\u00b2</span> <a href='javascript:go(\u00b2)'>\u2461</a> <a href='javascript:go(3)'>3</a></div>",
    "<p>\u00b2 hours ago</p><p>\u2462\u5c0f\u65f6\u524d</p>",
]


@pytest.mark.parametrize("pager", PAGERS)
def test_a_page_is_analysed_whatever_its_digits_are(pager: str) -> None:
    for url in (
        "https://gazette.example/",
        "https://gazette.example/\u00b2.html",
        "https://gazette.example/?p=\u00b2",
    ):
        page = f"<html><title>News</title><body><ul>{ROWS}</ul>{pager}</body></html>"
        assert analyse(page.encode(), url, now=NOW, expected=True).listings


@pytest.mark.parametrize(
    "text",
    [
        "\u00b2 hours ago",
        "\u2462\u5c0f\u65f6\u524d",
        "\u00b2\u5929\u524d",
        "2026-\u00b2-01",
        "\u00b2 days ago",
    ],
)
def test_a_date_of_odd_digits_is_read_or_not_but_never_raises(text: str) -> None:
    from recrawler.page.dates import find_date

    find_date(text, now=NOW, tz=UTC)


def test_an_index_of_odd_digits_is_none(shell: Shell, tmp_path: Path) -> None:  # noqa: F811
    shell("add-index", "https://gazette.example/", "--no-visit")
    shell("show", "\u00b2").fails(2, "\u00b2")
