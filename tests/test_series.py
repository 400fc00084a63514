"""Series that misbehave: two lists on a page, redesigns, last pages, pagers without effect."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from recrawler.demo import NewsSite, Section
from recrawler.demo.server import Answer
from recrawler.records import IndexOptions
from tests.watching import Watch, paths, watching

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SIZE = 10
TITLES = (
    "港口扩建方案公布",
    "图书馆延长开放时间",
    "地铁新线路开工",
    "教育局调整校车",
    "公园夜间照明更新",
    "医院开设新门诊",
)


def respond(html: str) -> Answer:
    return 200, html.encode(), {"Content-Type": "text/html; charset=utf-8"}


def row(stem: str, n: int) -> str:
    when = START + timedelta(hours=3 * n)
    title = f"{TITLES[n % len(TITLES)]}（第{n}号）"
    return f'<li><a href="/{stem}/{n}.html">{title}</a> <span class="date">{when:%Y-%m-%d %H:%M}</span></li>'


def pager(link: Callable[[int], str], page: int, pages: int) -> str:
    parts = [f"<b>{n}</b>" if n == page else f'<a href="{link(n)}">{n}</a>' for n in range(1, pages + 1)]
    if page < pages:
        parts.append(f'<a href="{link(page + 1)}">下一页</a>')
    return f'<div class="pages">{" ".join(parts)}</div>'


def block(stem: str, newest: int, page: int, ways: str, tag: str = "ul") -> str:
    numbers = range(newest - (page - 1) * SIZE, max(newest - page * SIZE, 0), -1)
    rows = "".join(row(stem, n) for n in numbers)
    return f'<section class="{stem}"><h2>{stem}</h2><{tag} class="rows">{rows}</{tag}>{ways}</section>'


def document(*parts: str) -> str:
    nav = "".join(f'<a href="/{x}/">{x}</a>' for x in ("sport", "city", "about", "jobs"))
    return f'<html lang="zh"><title>新闻</title><nav>{nav}</nav><main>{"".join(parts)}</main></html>'


def two_lists(newest: dict[str, int]) -> Callable[[str], Answer]:
    """Two lists on one page, each with a pager and a query key of its own."""

    def answer(path: str) -> Answer:
        query = {k: int(v[0]) for k, v in parse_qs(urlsplit(path).query).items()}
        parts = []
        for stem, key, other in (("city", "p1", "p2"), ("sport", "p2", "p1")):
            page, rest = query.get(key, 1), query.get(other)

            def link(n: int, key: str = key, other: str = other, rest: int | None = rest) -> str:
                return f"/news/?{key}={n}" + (f"&{other}={rest}" if rest else "")

            pages = -(-newest[stem] // SIZE)
            parts.append(block(stem, newest[stem], page, pager(link, page, pages)))
        return respond(document(*parts))

    return answer


async def test_two_lists_on_one_page_have_a_history_each(tmp_path: Path) -> None:
    newest = {"city": 60, "sport": 50}
    async with watching(tmp_path) as w:
        w.served.fault("^/news/", two_lists(newest))
        first = await w.visit()
        assert len(first.series) == 2 and first.complete
        newest.update(city=63, sport=65)
        visit = await w.visit()
        assert visit.complete, visit
        expected = {f"/city/{n}.html" for n in (61, 62, 63)} | {f"/sport/{n}.html" for n in range(51, 66)}
        assert w.paths(visit) == expected
        assert {x.listing for x in visit.new} == {s.listing for s in visit.series}


async def test_a_redesign_is_no_flood_of_new_links(tmp_path: Path) -> None:
    shape = {"tag": "ul", "newest": 60, "wrap": ""}

    def answer(path: str) -> Answer:
        page = int(parse_qs(urlsplit(path).query).get("page", ["1"])[0])
        ways = pager(lambda n: f"/news/?page={n}", page, 6)
        body = block("city", int(shape["newest"]), page, ways, str(shape["tag"]))
        if shape["wrap"]:
            body = body.replace('class="city"', 'class="x9f"').replace('class="rows"', 'class="k2"')
            body = f"<div class=a><div class=b>{body}</div></div>"
        return respond(document(body))

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        shape.update(tag="ol", newest=62, wrap="yes")
        visit = await w.visit()
        assert w.paths(visit) == {"/city/61.html", "/city/62.html"} and visit.complete
        assert any("another place" in x for x in visit.warnings)


async def test_a_last_page_of_one_row_is_read(tmp_path: Path) -> None:
    """Page 3 has one row, in the container of the pages before it."""
    site = NewsSite([Section("news", "zh", SIZE)])
    site.publish(9)
    async with watching(tmp_path, site) as w:
        await w.visit()
        made = w.site.publish(12)
        w.site.delete(12, 9)  # what was known is gone: the walk goes to the end, a page of two rows
        visit = await w.visit()
        assert w.paths(visit) == paths(made)


async def self_next(w: Watch) -> None:
    def answer(path: str) -> Answer:
        back = '<a href="/news/?page=1">1</a> <b>2</b>'
        ways = f'<div class="pages">{back} <a href="/news/?page=2">下一页</a></div>'
        page = 2 if "page=2" in path else 1
        if page == 1:
            ways = pager(lambda n: f"/news/?page={n}", 1, 2)
        return respond(document(block("city", 18, page, ways)))

    w.served.fault("^/news/", answer)


async def ignored(w: Watch) -> None:
    """Every ?page= answers with page 1, its bar too."""
    ways = pager(lambda n: f"/news/?page={n}", 1, 6)
    w.served.fault("^/news/", lambda _: respond(document(block("city", 60, 1, ways))))


@pytest.mark.parametrize("fault", [self_next, ignored])
async def test_pagers_that_go_round_end_the_walk(tmp_path: Path, fault: Callable[[Watch], object]) -> None:
    async with watching(tmp_path) as w:
        await fault(w)  # type: ignore[misc]
        visit = await w.visit()
        assert visit.outcome == "first-visit" and visit.requests <= 2
        assert not (await w.visit()).new


async def test_kind_other_lists_of_a_page_are_watched_from_the_edit_on(tmp_path: Path) -> None:
    """The page is as it was, and its list stands where it stood: neither may keep the edit from taking effect."""
    newest = {"city": 60, "sport": 50}
    async with watching(tmp_path, options=IndexOptions(lists="main")) as w:
        w.served.fault("^/news/", two_lists(newest))
        for _ in range(2):
            await w.visit()
        for lists, series, news in (("all", 2, 3), ("main", 1, 0), ("1,2", 2, 3)):
            w.store.set_options(w.index_id, IndexOptions(lists=lists))
            await w.visit()
            newest["sport"] += 3
            assert (len((await w.visit()).new), len(w.index.series)) == (news, series)
        newest["city"] += 1
        assert w.paths(await w.visit()) == {"/city/61.html"}
