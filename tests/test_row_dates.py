"""Which date belongs to which row, whatever the layout."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.pagekit import NOW, day, href, main_of, page, read, rows, titles

Row = Callable[[int, str, str, str], str]
N = 10

# Each gives its rows between `open` and `close`; nothing wraps a row.
BARE: dict[str, tuple[str, Row, str]] = {
    "dt date, dd title": ("<dl>", lambda i, t, u, d: f'<dt>{d}</dt><dd><a href="{u}">{t}</a></dd>', "</dl>"),
    "dt title, dd date": ("<dl>", lambda i, t, u, d: f'<dt><a href="{u}">{t}</a></dt><dd>{d}</dd>', "</dl>"),
    "pre, date first": ("<pre>", lambda i, t, u, d: f'{d}  <a href="{u}">{t}</a>', "</pre>"),
    "pre, date last": ("<pre>", lambda i, t, u, d: f'<a href="{u}">{t}</a>    {d}', "</pre>"),
    "br, date first": ("<p>", lambda i, t, u, d: f'<font>{d}</font> <a href="{u}">{t}</a><br>', "</p>"),
    "br, text first": ("<p>", lambda i, t, u, d: f'{d} - <a href="{u}">{t}</a><br>', "</p>"),
    "br, text last": ("<p>", lambda i, t, u, d: f'<a href="{u}">{t}</a> ({d})<br>', "</p>"),
    "divs, date first": (
        "<div>",
        lambda i, t, u, d: f'<div>{d}</div><div><a href="{u}">{t}</a></div><div>A short text.</div>',
        "</div>",
    ),
    "divs, date last": (
        "<div>",
        lambda i, t, u, d: f'<div><a href="{u}">{t}</a></div><div>A short text.</div><div>{d}</div>',
        "</div>",
    ),
    "headings, date first": (
        "<div>",
        lambda i, t, u, d: f'<p class="meta">{d}</p><h3><a href="{u}">{t}</a></h3><p>A short text.</p>',
        "</div>",
    ),
    "rows in pairs": (
        "<table>",
        lambda i, t, u, d: (
            f'<tr><td colspan=2><a href="{u}">{t}</a></td></tr><tr><td>{d}</td><td>{i} views</td></tr>'
        ),
        "</table>",
    ),
}


def dates_of(html: str, **options: object) -> list[str | None]:
    links = main_of(read(html, **options)).block.links
    return [x.date.isoformat()[:16] if x.date else None for x in links]


@pytest.mark.parametrize("name", BARE)
def test_a_date_is_not_that_of_the_row_before_or_after(name: str) -> None:
    opened, row, closed = BARE[name]
    found = main_of(read(page(opened + rows(N, row) + closed)))
    assert [x.date.date().isoformat() if x.date else None for x in found.block.links] == [
        day(i) for i in range(N)
    ]
    assert found.order.verdict == "newest-first"


def _when(i: int) -> datetime:
    return NOW - timedelta(days=i, hours=3)


# A date in pieces: how its element is written.
TORN: dict[str, tuple[str, Callable[[datetime], str]]] = {
    "day over year and month": ("zh", lambda d: f"<span>{d:%d}</span><span>{d:%Y-%m}</span>"),
    "day beside month and year": ("en", lambda d: f"<b>{d.day}</b><i>{d:%b %Y}</i>"),
    "month over day": ("en", lambda d: f"<span>{d:%b}</span><span>{d.day}</span>"),
    "three pieces": (
        "ru",
        lambda d: f"<i>{d.day}</i><i>{('янв', 'фев', 'мар')[d.month - 1]}</i><i>{d.year}</i>",
    ),
    "day over month and year, with a sign": ("pt", lambda d: f"<b>{d:%d}</b><small>{d:%m/%Y}</small>"),
    "year under day and month": ("ko", lambda d: f"<p>{d:%m.%d}</p><p>{d:%Y}</p>"),
}


@pytest.mark.parametrize("name", TORN)
def test_a_date_in_pieces_is_one(name: str) -> None:
    lang, write = TORN[name]
    text = "".join(
        f'<article><div class="d">{write(_when(i))}</div><a href="{href(i)}">{t}</a><em>{i * 7} views</em></article>'
        for i, t in enumerate(titles(N))
    )
    html = page(text).replace("lang=en", f"lang={lang}")
    assert dates_of(html) == [f"{_when(i).date()}T00:00" for i in range(N)]


@pytest.mark.parametrize(
    "heading", ["<h3>{0:%A}, {0:%d %B %Y}</h3>", "<div class=day>{0.month}月{0.day}日</div>"]
)
def test_a_time_below_the_heading_of_its_day(heading: str) -> None:
    zone = ZoneInfo("Europe/Berlin")
    content, right = "", []
    for d in range(3):
        content += heading.format(_when(d)) + "<ul>"
        for j in range(3):
            k = 3 * d + j
            content += (
                f'<li><span>{11 - 2 * j:02}:{10 + j}</span> <a href="{href(k)}">{titles(9)[k]}</a></li>'
            )
            local = datetime(_when(d).year, _when(d).month, _when(d).day, 11 - 2 * j, 10 + j, tzinfo=zone)
            right.append(local.astimezone(UTC).isoformat()[:16])
        content += "</ul>"
    assert dates_of(page(content), timezone=zone) == right


def test_a_forum_is_dated_by_what_it_is_sorted_by() -> None:
    """Threads were begun at any time; the list runs by their last posts, in an element that says so."""
    text = "".join(
        f'<li><dl><dt><a href="{href(i)}">{t}</a> <span>by u{i} on {day(40 + (i * 7) % 23)}</span></dt>'
        f'<dd>{i + 3}</dd><dd class="lastpost"><span>by v{i}<br>{day(i)}</span></dd></dl></li>'
        for i, t in enumerate(titles(N))
    )
    found = main_of(read(page(f"<ul>{text}</ul>")))
    assert found.order.verdict == "newest-first"
    assert [x.date and x.date.date().isoformat() for x in found.block.links] == [day(i) for i in range(N)]


def test_of_two_full_columns_in_order_the_first_is_the_date() -> None:
    text = rows(
        N,
        lambda i, t, u, d: (
            f'<tr><td><a href="{u}">{t}</a></td><td>{d}</td><td class="updated">{day(max(0, i - 1))}</td></tr>'
        ),
    )
    assert dates_of(page(f"<table>{text}</table>")) == [f"{day(i)}T00:00" for i in range(N)]
