"""Two lists on one page, side by side or one below the other, of one make, that may share articles: each is told, and
told again by what the first look taught."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from recrawler.page.types import ListingHint, PageAnalysis
from tests.pagekit import URL, day, href, page, read, titles

FIRST = list(range(8))
SECOND = {
    "none": list(range(20, 28)),
    "two": [1, 4, *range(20, 26)],
    "half": [0, 2, 4, 6, *range(20, 24)],
    "fewer": list(range(20, 25)),
}


def bar(key: str) -> str:
    return (
        f'<div class="pager"><b>1</b> <a href="/news/?{key}=2">2</a> <a href="/news/?{key}=3">3</a> '
        f'<a href="/news/?{key}=2">Next</a></div>'
    )


def plain(numbers: list[int]) -> str:
    made = "".join(
        f'<li><a href="{href(i)}">{titles(1, i)[0]}</a><span>{day(i)}</span></li>' for i in numbers
    )
    return f"<ul>{made}</ul>"


def threads(numbers: list[int]) -> str:
    made = "".join(
        f'<div class=thread><div class=c><a href="{href(i)}">{titles(1, i)[0]}</a><br>Boards / Harbour<br>Last post: '
        f'by Ann, {day(i)} <a href="{href(i)}#last">to the last post</a></div></div>'
        for i in numbers
    )
    return f"<div class=threads>{made}</div>"


def box(name: str, inside: str) -> str:
    return f"<div class=box><h2>{name}</h2>{inside}</div>"


def table(cells: list[str], below: list[str]) -> str:
    rows = "".join(f"<tr>{''.join(f'<td>{x}</td>' for x in row)}</tr>" for row in (cells, below) if row)
    return f"<table>{rows}</table>"


def laid(layout: str, a: str, b: str) -> str:
    one, two = bar("p1"), bar("p2")
    return {
        "bars below": lambda: box("Topics", a + one) + box("Posts", b + two),
        "bars above": lambda: box("Topics", one + a) + box("Posts", two + b),
        "bars together": lambda: box("Topics", a) + box("Posts", b) + one + two,
        "cells": lambda: table([f"<h3>Topics</h3>{a}{one}", f"<h3>Posts</h3>{b}{two}"], []),
        "bars in cells": lambda: table([f"<h3>Topics</h3>{a}", f"<h3>Posts</h3>{b}"], [one, two]),
        "tabs": lambda: f"<div class='tab active'>{a}{one}</div><div class=tab>{b}{two}</div>",
        "most read below": lambda: box("Topics", a + one) + box("Most read", b),
        "most read above": lambda: box("Most read", b) + box("Topics", a + one),
    }[layout]()


LAYOUTS = (
    "bars below", "bars above", "bars together", "cells", "bars in cells", "tabs", "most read below", "most read above",
)  # fmt: skip


def told(found: PageAnalysis) -> dict[str, list[str]]:
    return {x.older: [link.href for link in x.block.links] for x in found.listings if x.older}


@pytest.mark.parametrize("made", [plain, threads])
@pytest.mark.parametrize(("layout", "shared"), [*product(LAYOUTS, SECOND)])
def test_each_list_is_told_with_its_bar(layout: str, shared: str, made: Callable[[list[int]], str]) -> None:
    second = SECOND[shared]
    html = page(laid(layout, made(FIRST), made(second)), bar="")
    wanted = {f"{URL}?p1=2": [f"https://gazette.example{href(i)}" for i in FIRST]}
    if "most read" not in layout:
        wanted[f"{URL}?p2=2"] = [f"https://gazette.example{href(i)}" for i in second]
    found = read(html)
    assert told(found) == wanted
    hints = [ListingHint(x.block.path, x.bar.xpath) for x in found.listings if x.bar]
    assert told(read(html, hints=hints)) == wanted


def test_bars_that_stand_together_go_by_the_names_in_their_urls() -> None:
    """In two columns that float, the bars may come the other way round."""
    html = page(
        box("Topics", plain(FIRST)) + box("Posts", plain(SECOND["two"])) + bar("posts") + bar("topics"),
        bar="",
    )
    wanted = {FIRST[0]: "topics", SECOND["two"][0]: "posts"}
    assert {x.block.links[0].href: x.older for x in read(html).listings} == {
        f"https://gazette.example{href(i)}": f"{URL}?{key}=2" for i, key in wanted.items()
    }


def test_one_list_in_two_boxes_with_a_bar_and_an_archive_below_is_one_list() -> None:
    years = (
        "<div class=years>" + " ".join(f'<a href="/news/{y}/">{y}</a>' for y in range(2016, 2026)) + "</div>"
    )
    html = page(
        f"<div class=half>{plain(FIRST)}</div><div class=half>{plain(SECOND['none'])}</div>{bar('p')}{years}",
        bar="",
    )
    assert [len(x.block.links) for x in read(html).listings if x.older] == [16]


def test_days_with_the_bar_in_the_last_of_them_are_one_list() -> None:
    days = "".join(
        f"<div class=day><h3>{12 - n} March 2026</h3>{plain(some)}{bar('p') if n == 1 else ''}</div>"
        for n, some in enumerate((FIRST, SECOND["none"]))
    )
    assert [len(x.block.links) for x in read(page(days, bar="")).listings if x.older] == [16]
