"""Orders that one page does not tell, and lists that one page does not tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from recrawler.completion import SeriesMemory, Walk
from recrawler.visit.course import Course
from recrawler.visit.trip import matched
from tests.httpserver import Site
from tests.pagekit import read
from tests.test_visit_pages import Watcher, watched

SIZE = 6
WHO = ("The harbour board", "A school in Lund", "Two ferry lines", "The night train", "A baker")


def page_of(names: Sequence[int], number: int, pages: int, dates: Sequence[str], bar: bool = True) -> bytes:
    """One page of a list: rows with a date, and a bar of numbers."""
    rows = "".join(
        f'<li><a href="/a/{n}.html">{WHO[n * 2 % 5]} decides on plan number {n}</a> <span>{d}</span></li>'
        for n, d in zip(names, dates, strict=True)
    )
    steps = [f"<b>{n}</b>" if n == number else f'<a href="{way(n)}">{n}</a>' for n in range(1, pages + 1)]
    ends = [f'<a href="{way(number - 1)}">Previous</a>'] * (number > 1)
    ends += [f'<a href="{way(number + 1)}">Next</a>'] * (number < pages)
    ways = f'<div class="pages">{" ".join([*steps, *ends])}</div>' if bar else ""
    return f"<html lang=en><title>News</title><body><ul class=list>{rows}</ul>{ways}</body></html>".encode()


def way(number: int) -> str:
    return "/" if number == 1 else f"/?page={number}"


def serve(site: Site, names: Sequence[int], dates: dict[int, str] | None = None, bare: bool = False) -> None:
    """All pages of a list; `bare`: a last page that is not full shows no bar."""
    pages = -(-len(names) // SIZE)
    for k in range(pages):
        part = names[k * SIZE : (k + 1) * SIZE]
        told = [(dates or {}).get(n, "2024-09-05") for n in part]
        whole = len(part) == SIZE or not bare
        site.pages[way(k + 1)] = page_of(part, k + 1, pages, told, whole)


async def news(w: Watcher) -> tuple[list[int], bool]:
    """Numbers of the links of one visit, and whether it is complete."""
    visit = await w.visit()
    return sorted(int(x.url.rpartition("/")[2][:-5]) for x in visit.new), visit.complete


async def test_an_oldest_first_list_whose_pages_tell_it_together_is_turned(tmp_path: Path) -> None:
    """All rows are of one day, and too few on a page for their numbers to tell."""
    async with Site() as site, watched(site, tmp_path) as w:
        serve(site, range(100, 151))
        assert (await w.visit()).outcome == "first-visit"
        serve(site, range(100, 153))
        assert await news(w) == ([151, 152], True)


async def test_a_last_page_without_a_bar_is_read_from_the_page_before(tmp_path: Path) -> None:
    async with Site() as site, watched(site, tmp_path) as w:
        serve(site, range(100, 148))
        await w.visit()
        serve(site, range(100, 150), bare=True)
        assert await news(w) == ([148, 149], True)


async def test_a_page_of_an_unsorted_list_that_looks_oldest_first_is_no_way_back(tmp_path: Path) -> None:
    names = [
        107,
        131,
        118,
        125,
        103,
        112,
        129,
        101,
        120,
        116,
        109,
        127,
        102,
        104,
        106,
        108,
        110,
        111,
        130,
        105,
        122,
    ]
    dates = {n: f"2024-08-{n - 100:02d}" for n in names}
    async with Site() as site, watched(site, tmp_path) as w:
        serve(site, names, dates)  # the third page's dates rise
        first = await w.visit()
        assert [x.url for x in first.pages] == [site.url(way(n)) for n in (1, 2, 3, 4)]


def section(stem: str, newest: int, key: str, bar: bool) -> str:
    rows = "".join(
        f'<div class=entry><h4><a href="/{stem}/{n}.html">{WHO[n * 2 % 5]} decides on plan number {n}</a></h4>'
        f"<p>The first lines.</p><span>2024-08-{n:02d}</span></div>"
        for n in range(newest, newest - SIZE, -1)
    )
    ways = f'<nav class=pages><b>1</b> <a href="/?{key}=2">2</a> <a href="/?{key}=2">Next</a></nav>'
    return f"<section><h3>{stem}</h3><div class=box>{rows}</div>{ways if bar else ''}</section>"


def sections(city: int, sport: int, bars: bool = True) -> bytes:
    """`bars`: the second list has its bar too."""
    both = section("city", city, "p1", True) + section("sport", sport, "p2", bars)
    return f"<html lang=en><title>News</title><body><div class=all>{both}</div></body></html>".encode()


async def test_two_lists_at_one_place_keep_their_own_links_where_no_bar_tells_them_apart(
    tmp_path: Path,
) -> None:
    async with Site() as site, watched(site, tmp_path) as w:
        site.pages["/"] = sections(20, 25)
        for key, city, sport in (("p1", 14, 25), ("p2", 20, 19)):
            site.pages[f"/?{key}=2"] = sections(city, sport)
        assert len((await w.visit()).series) == 2
        site.pages["/"] = sections(21, 25, bars=False)
        found = [x.url for x in (await w.visit()).new]
        assert found == [site.url("/city/21.html")]


def test_a_series_whose_rows_stand_elsewhere_on_a_page_is_told_by_its_bar() -> None:
    analysis = read(sections(20, 25).decode(), "https://gazette.example/")
    for n, listing in enumerate(analysis.listings):
        assert listing.bar is not None
        memory = SeriesMemory("list-1", path="div/somewhere/else//a", bar_path=listing.bar.xpath)
        assert matched(analysis, [Course(Walk(memory, 2), str, lambda keys: {}, None)]) == [n]
