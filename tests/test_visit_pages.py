"""What visits make of pages that a browser would treat in its own way, and what they remember of a site's dates."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from recrawler.engine.local import visit_one
from recrawler.fetch import Fetcher, SystemClock
from recrawler.records import IndexOptions, Visit
from recrawler.store.sqlite import SqliteStore
from recrawler.urls import identity_key
from recrawler.visit import Ask, Visitor
from tests.httpserver import Site
from tests.watching import SETTINGS

NOW = datetime(2024, 9, 6, 12, tzinfo=UTC)
DAYS = [f"2024-09-{d:02d}" for d in range(6, 0, -1)]


class Standing(SystemClock):
    def now(self) -> datetime:
        return NOW


class Watcher:
    """One index page of a served site, visited on demand."""

    def __init__(self, store: SqliteStore, visitor: Visitor, index: int) -> None:
        self.store, self.visitor, self.index = store, visitor, index

    async def visit(self) -> Visit:
        page = self.store.get_index(self.index)
        assert page is not None
        report = await visit_one(self.store, self.visitor, page, [], 60, Ask())
        assert report is not None
        return report.result.visit


@asynccontextmanager
async def watched(
    site: Site, folder: Path, path: str = "/", options: IndexOptions = IndexOptions()
) -> AsyncIterator[Watcher]:
    clock = Standing()
    with SqliteStore(folder / "w.db", create=True) as store:
        url = site.url(path)
        index, _ = store.add_index(url, identity_key(url), options, NOW, NOW)
        async with Fetcher(SETTINGS, store, clock) as fetcher:
            yield Watcher(store, Visitor(store, fetcher, SETTINGS, clock), index.id)


def listed(numbers: range, dates: list[str]) -> bytes:
    rows = "".join(
        f'<li><a href="/a/{n}.html">The harbour board decides on plan number {n}</a> <span>{d}</span></li>'
        for n, d in zip(numbers, dates, strict=True)
    )
    bar = '<div class="pages"><b>1</b> <a href="/?page=2">2</a> <a href="/?page=2">Next</a></div>'
    return f"<html lang=en><title>News</title><body><ul class=list>{rows}</ul>{bar}</body></html>".encode()


def sent_on(to: str) -> bytes:
    return f'<html><head><meta http-equiv=refresh content="0; url={to}"></head><body>Moved</body></html>'.encode()


async def test_a_page_that_sends_browsers_on_is_followed(tmp_path: Path) -> None:
    pages = {"/": sent_on("/news/"), "/news/": listed(range(106, 100, -1), DAYS)}
    async with Site(pages) as site, watched(site, tmp_path) as w:
        visit = await w.visit()
        assert (visit.outcome, visit.complete, visit.pages[0].url) == ("first-visit", True, site.url())
        site.pages["/news/"] = listed(range(107, 101, -1), DAYS)
        assert [x.url for x in (await w.visit()).new] == [site.url("/a/107.html")]


async def test_pages_that_send_on_in_a_circle_are_no_list(tmp_path: Path) -> None:
    async with Site({"/": sent_on("/b"), "/b": sent_on("/")}) as site, watched(site, tmp_path) as w:
        visit = await w.visit()
        assert (visit.outcome, visit.complete) == ("empty", False) and visit.requests < 6


SECRET = IndexOptions(headers=(("Authorization", "Bearer of the user"),))


def carried(site: Site) -> list[str | None]:
    """What the site's requests carried, the latest last."""
    return [request.headers.get("Authorization") for request in site.log]


async def test_a_users_headers_go_to_the_origin_of_the_index_page_alone(tmp_path: Path) -> None:
    """A pager, a page that sends on, or a form may lead to any host."""
    async with Site() as site, Site() as other, watched(site, tmp_path, options=SECRET) as w:
        site.pages["/"] = sent_on("/news/")
        page = listed(range(106, 100, -1), DAYS)
        site.pages["/news/"] = page.replace(b'href="/?page=2', f'href="{other.url("/?page=2")}'.encode())
        other.pages["/?page=2"] = listed(range(100, 94, -1), DAYS)
        visit = await w.visit()
        assert [x.url for x in visit.pages] == [site.url(), other.url("/?page=2")]
        assert carried(site) == ["Bearer of the user"] * 2 and carried(other) == [None]


async def test_a_page_that_sends_on_to_another_host_does_not_hand_over_a_users_headers(
    tmp_path: Path,
) -> None:
    async with Site() as site, Site() as other, watched(site, tmp_path, options=SECRET) as w:
        site.pages["/"] = sent_on(other.url("/news/"))
        other.pages["/news/"] = listed(range(106, 100, -1), DAYS)
        assert (await w.visit()).outcome == "first-visit"
        assert carried(site)[0] == "Bearer of the user" and set(carried(other)) == {None}


async def test_the_order_of_day_and_month_is_remembered(tmp_path: Path) -> None:
    """9/5 could be of May: the pages before, with 8/31 among their dates, have told."""
    async with Site() as site, watched(site, tmp_path) as w:
        told = ["9/4/2024", "9/3/2024", "9/2/2024", "8/31/2024", "8/30/2024", "8/29/2024"]
        site.pages["/"] = listed(range(106, 100, -1), told)
        site.pages["/?page=2"] = listed(range(100, 94, -1), [f"8/{d}/2024" for d in range(28, 22, -1)])
        assert (await w.visit()).outcome == "first-visit"
        site.pages["/"] = listed(range(112, 106, -1), ["9/5/2024"] * 6)
        site.pages["/?page=2"] = listed(range(106, 100, -1), told)
        visit = await w.visit()
        assert len(visit.new) == 6 and visit.complete
        assert {x.published_at for x in visit.new} == {datetime(2024, 9, 5, tzinfo=UTC)}


def two_lists(first: range | list[int], second: range | list[int]) -> bytes:
    """A page with two lists, each with a bar of its own."""

    def block(name: str, numbers: range | list[int], row: str) -> str:
        rows = "".join(
            row.format(f'<a href="/a/{n}.html">The harbour board decides on plan number {n}</a>')
            for n in numbers
        )
        bar = "".join(f'<a href="/?{name}={n}">{n}</a> ' for n in (2, 3))
        next_ = f'<a href="/?{name}=2">Next</a>'
        return f"<section class={name}>{rows}<div class=pg><b>1</b> {bar}{next_}</div></section>"

    one = block("latest", first, "<div class=item><h3>{}</h3><p>What the board says of it</p></div>")
    two = block("topic", second, "<p class=line>{}</p>")
    return f"<html lang=en><title>News</title>{one}{two}</html>".encode()


async def test_an_article_on_two_lists_of_a_page_is_given_out_once(tmp_path: Path) -> None:
    """In one visit, or first on the one and later on the other; each list has its own history all the same."""
    async with Site() as site, watched(site, tmp_path) as w:
        site.pages["/"] = two_lists(range(110, 100, -1), range(210, 200, -1))
        assert len((await w.visit()).series) == 2
        site.pages["/"] = two_lists([111, *range(110, 101, -1)], [111, *range(210, 201, -1)])
        assert [(x.listing, x.url) for x in (await w.visit()).new] == [("main", site.url("/a/111.html"))]
        site.pages["/"] = two_lists([111, *range(110, 101, -1)], [211, 111, *range(210, 202, -1)])
        assert [x.url for x in (await w.visit()).new] == [site.url("/a/211.html")]
        site.pages["/"] = two_lists([211, 112, 111, *range(110, 103, -1)], [211, 111, *range(210, 202, -1)])
        assert [x.url for x in (await w.visit()).new] == [site.url("/a/112.html")]


async def test_an_article_that_another_list_had_from_the_start_is_given_out_by_the_one_where_it_is_new(
    tmp_path: Path,
) -> None:
    """It was not given out before: to hold it back could lose it."""
    async with Site() as site, watched(site, tmp_path) as w:
        site.pages["/"] = two_lists(range(110, 100, -1), range(210, 200, -1))
        await w.visit()
        site.pages["/"] = two_lists([205, *range(110, 101, -1)], range(210, 200, -1))
        assert [x.url for x in (await w.visit()).new] == [site.url("/a/205.html")]
