"""Pages for tests of page analysis: plain HTML written from a few parts, with the usual company around a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from recrawler.page.analysis import analyse
from recrawler.page.types import Link, Listing, PageAnalysis

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
URL = "https://gazette.example/news/"
_WHO = (
    "The harbour board",
    "A school in Lund",
    "The city council",
    "Two ferry lines",
    "The night train",
    "A baker",
)
_WHAT = ("opens", "delays", "rebuilds", "sells", "measures", "paints")
_OBJECT = (
    "its old warehouse",
    "the summer timetable",
    "a bridge for bicycles",
    "the winter market",
    "forty boats",
)


def titles(n: int, start: int = 0) -> list[str]:
    """Different headlines."""
    return [
        f"{_WHO[i % 6]} {_WHAT[(i // 2) % 6]} {_OBJECT[(i * 3 + i // 5) % 5]} ({i})"
        for i in range(start, start + n)
    ]


def day(i: int) -> str:
    """The date of the i-th newest item, ISO."""
    return (NOW - timedelta(days=i, hours=3)).date().isoformat()


def href(i: int) -> str:
    return f"/news/2026/story-{900 - i}.html"


def hrefs(n: int, start: int = 0) -> list[str]:
    return [f"https://gazette.example{href(i)}" for i in range(start, start + n)]


def rows(n: int, row: Callable[[int, str, str, str], str], start: int = 0) -> str:
    """`row` gets the number, the title, the href and the date of each item."""
    return "\n".join(row(i, t, href(i), day(i)) for i, t in enumerate(titles(n, start), start))


BAR = (
    '<div class="pagination"><span class="current">1</span> <a href="/news/?page=2">2</a> '
    '<a href="/news/?page=3">3</a> <a href="/news/?page=2">Next</a></div>'
)
NAV = '<nav><ul class="menu">' + "".join(
    f'<li><a href="/{s}/">{s.title()}</a></li>' for s in ("news", "sport", "culture", "opinion", "about")
) + "</ul></nav>"  # fmt: skip
FOOT = (
    '<footer><ul><li><a href="/imprint">Imprint</a></li><li><a href="/privacy">Privacy</a></li>'
    '<li><a href="https://partner.example/">Our partner</a></li></ul></footer>'
)


def hot(n: int = 10) -> str:
    """A sidebar with longer titles than the list has."""
    links = "".join(
        f'<li><a href="/news/2025/hot-{i}.html">Most read this week: why everybody talks about case number {i}</a></li>'
        for i in range(n)
    )
    return f'<aside class="sidebar"><h3>Most read</h3><ul>{links}</ul></aside>'


CLOUD = '<div class="tagcloud">' + " ".join(
    f'<a href="/tag/{t}">{t}</a>' for t in ("harbour", "school", "bridge", "ferry", "boats", "market", "snow", "bread")
) + "</div>"  # fmt: skip


def page(content: str, *, side: str = "", bar: str = BAR, head: str = "", title: str = "News") -> str:
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{title}</title>{head}</head><body>"
        f"<header><a href='/'>The Gazette</a>{NAV}</header>"
        f'<div class="wrap"><div class="content">{content}{bar}</div>{side}</div>{FOOT}</body></html>'
    )


def read(html: str | bytes, url: str = URL, **options: Any) -> PageAnalysis:
    return analyse(html, url, now=options.pop("now", NOW), **options)


def main_of(found: PageAnalysis) -> Listing:
    assert found.main is not None, (found.verdict, found.verdict_why, found.warnings)
    return found.listings[found.main]


def links_of(found: PageAnalysis) -> Sequence[Link]:
    return main_of(found).block.links


def urls_of(found: PageAnalysis) -> list[str]:
    return [x.href for x in links_of(found)]
