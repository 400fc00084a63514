"""Lists in JSON: found by names and values, or where the user says; walked like any other list."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from recrawler.errors import UsageError
from recrawler.page.analysis import analyse
from recrawler.page.jsonlist import Paths, analyse_json, decoded
from recrawler.page.jsonlist.paths import page_of, page_url
from recrawler.page.types import PageAnalysis
from recrawler.records import IndexOptions, Visit
from recrawler.visit.probe import templates
from tests.httpserver import Site
from tests.test_visit_pages import Watcher
from tests.test_visit_pages import watched as watching

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BASE = "https://news.example"
JSON = "application/json; charset=utf-8"


def article(n: int, **fields: Any) -> dict[str, Any]:
    when = NOW - timedelta(hours=100 - n)
    return {
        "id": n,
        "title": f"Council decides on question number {n} of the year",
        "cover": f"/img/{n}.jpg",
        "url": f"/a/{n}.html",
        "publishTime": int(when.timestamp() * 1000),
        "author": {"name": "A. Writer of the paper", "home": f"/u/{n % 3}"},
        **fields,
    }


def read(data: Any, at: str = f"{BASE}/api/list?page=2", **paths: str) -> PageAnalysis:
    return analyse(json.dumps(data), at, now=NOW, paths=Paths.of(paths))


def hrefs(found: PageAnalysis) -> list[str]:
    assert found.main == 0, found.verdict_why
    return [x.href for x in found.listings[0].block.links]


def test_case_044_the_list_of_an_api_is_found_with_its_titles_dates_and_pages() -> None:
    hot = [{"title": f"Hot topic number {n}", "url": f"/h/{n}"} for n in range(3)]
    found = read({"code": 0, "data": {"hot": hot, "list": [article(n) for n in range(40, 30, -1)]}})
    listing = found.listings[0]
    assert hrefs(found) == [f"{BASE}/a/{n}.html" for n in range(40, 30, -1)]
    assert listing.block.xpath == "data.list"
    assert listing.block.links[0].text == "Council decides on question number 40 of the year"
    assert listing.block.links[0].date == NOW - timedelta(hours=60)
    assert (listing.older, listing.newer) == (f"{BASE}/api/list?page=3", f"{BASE}/api/list?page=1")
    assert listing.order.verdict == "newest-first"


@pytest.mark.parametrize(
    ("url", "older"),
    [
        ("/api?pageNo=1&pageSize=10", "/api?pageNo=2&pageSize=10"),
        ("/api?offset=20&limit=10", "/api?offset=30&limit=10"),
        ("/api?start=0", "/api?start=5"),  # as many as there were rows
        ("/api?type=5", None),  # nothing counts pages
        ("/api", None),
    ],
)
def test_parameters_that_count_pages_or_rows(url: str, older: str | None) -> None:
    found = read([article(n) for n in range(20, 15, -1)], BASE + url)
    assert found.listings[0].older == (BASE + older if older else None)


@pytest.mark.parametrize(
    ("more", "older"),
    [
        ({"next": f"{BASE}/api/list?cursor=abc"}, f"{BASE}/api/list?cursor=abc"),
        ({"links": {"next": {"href": "/api/list?cursor=xyz"}}}, f"{BASE}/api/list?cursor=xyz"),
        ({"hasMore": False}, None),
        ({"data": {"isLastPage": True}}, None),
        ({"hasMore": True}, f"{BASE}/api/list?page=3"),
    ],
)
def test_what_the_answer_says_of_its_next_page(more: dict[str, Any], older: str | None) -> None:
    rows = [article(n) for n in range(9, 4, -1)]
    assert read({"items": rows, **more}).listings[0].older == older


def test_a_user_says_where_things_are() -> None:
    rows = [
        {"docId": f"x{n}", "s": {"t": f"<em>Title</em> &amp; number {n}"}, "d": f"2026-02-0{n}"}
        for n in (3, 2, 1)
    ]
    found = read(
        {"result": [{"rows": rows}], "cursor": "q7"},
        items="result[0].rows",
        url=f"{BASE}/doc/{{docId}}.html",
        title="s.t",
        date="d",
        next="cursor",
        param="after",
    )
    assert hrefs(found) == [f"{BASE}/doc/x{n}.html" for n in (3, 2, 1)]
    links = found.listings[0].block.links
    assert links[0].text == "Title & number 3"
    assert links[0].date is not None and links[0].date.day == 3
    assert found.listings[0].older == f"{BASE}/api/list?page=2&after=q7"


def test_no_list_is_said_with_what_to_give() -> None:
    assert "--path items=" in read({"code": 500, "msg": "busy"}).verdict_why
    assert (
        "--path url=" in read([{"title": f"No address at all, {n}"} for n in range(5)], items="@").verdict_why
    )
    unlinked = {"data": {"rows": [{"id": n, "title": f"No address at all, {n}"} for n in range(5)]}}
    assert "the objects of data.rows name no URL" in read(unlinked).verdict_why
    assert "there is no array at data.rows" in read({"data": {}}, items="data.rows").verdict_why
    assert read({"data": {"list": []}}, items="data.list").verdict == "empty"
    assert read({"data": {"list": None}}, items="data.list").verdict == "empty"
    assert read({"data": None}, items="data.list").verdict == "no-list"


@pytest.mark.parametrize(
    "given",
    [{"items": "data[*"}, {"rows": "data"}, {"title": "length("}, {"pages": "/list.html"}],
)
def test_paths_that_cannot_be_meant(given: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="--path"):
        Paths.of(given)


def test_a_function_that_does_not_fit_the_data_gives_nothing() -> None:
    rows = [article(n) for n in range(5)]
    assert read(rows, title="length(id)").listings[0].block.links[0].text == ""


def test_the_call_of_a_function_is_data_and_a_page_is_none() -> None:
    rows = json.dumps([article(n) for n in range(5)])
    for text in (rows, f"\ufeff {rows}\n", f"jQuery12_3({rows});", f"/**/cb.show( {rows} )"):
        assert len(hrefs(analyse(text, f"{BASE}/api", now=NOW))) == 5
    for text in ("<html>", "", "{{ template }} <ul>", '{"a": 1} <html>', "[1, 2", "f(x)"):
        assert decoded(text) is None


def test_text_that_is_not_utf_8() -> None:
    body = json.dumps([article(n, title=f"市政府召开第{n}次常务会议") for n in range(5)], ensure_ascii=False)
    found = analyse(body.encode("gb18030"), f"{BASE}/api", now=NOW, encoding="gb18030")
    assert found.listings[0].block.links[0].text == "市政府召开第0次常务会议"


def test_data_inside_a_page() -> None:
    rows = json.dumps({"props": {"items": [article(n) for n in range(9, 0, -1)]}})
    for script in (
        f'<script id="state" type="application/json">{rows}</script>',
        f"<script>window.state = {rows};</script>",
    ):
        page = f"<ul><li><a href=/x/1>An entry of the static list</a></ul>{script}"
        name = "state" if "id=" in script else "window.state"
        found = analyse(page, f"{BASE}/news?page=1", now=NOW, paths=Paths(script=name))
        assert len(hrefs(found)) == 9
        assert found.listings[0].older == f"{BASE}/news?page=2"
    lost = analyse("<p>moved</p>", f"{BASE}/news", now=NOW, paths=Paths(script="state"))
    assert (lost.main, "state" in lost.verdict_why) == (None, True)


LIST = (
    "<ul>"
    + "".join(
        f'<li><a href="/a/{n}.html">Council decides on question number {n}</a> 2026-02-{n:02}</li>'
        for n in range(20, 10, -1)
    )
    + "</ul>"
)
FRAGMENTS = '<div class=pages><a href="#1">1</a> <a href="#2">2</a> <a href="#3">3</a></div>'


@pytest.mark.parametrize(
    ("url", "paths", "older", "newer"),
    [
        ("/list/", {"param": "p"}, "/list/?p=2", None),
        ("/list/?p=3", {"param": "p"}, "/list/?p=4", "/list/?p=2"),
        ("/list/?start=20", {"param": "start"}, "/list/?start=30", "/list/?start=10"),
        ("/list/", {"pages": "index_{page}.html"}, "/list/index_2.html", None),
        ("/list/index_2.html", {"pages": "index_{page}.html"}, "/list/index_3.html", "/list/index_1.html"),
        ("/list/", {"pages": "/list/p{page-1}"}, "/list/p1", None),
        ("/list/p1", {"pages": "/list/p{page-1}"}, "/list/p2", "/list/p0"),
    ],
)
def test_case_025_a_user_says_where_the_pages_of_a_script_pager_are(
    url: str, paths: dict[str, str], older: str, newer: str | None
) -> None:
    plain = analyse(LIST + FRAGMENTS, BASE + url, now=NOW)
    assert plain.main == 0 and plain.listings[0].older is None  # a fragment is no page
    found = analyse(LIST + FRAGMENTS, BASE + url, now=NOW, paths=Paths.of(paths))
    listing = found.listings[0]
    assert (listing.older, listing.newer) == (BASE + older, BASE + newer if newer else None)
    assert not listing.script_pager


@given(st.sampled_from(["/l_{page}.html", "/l/{page-1}/", "?p={page}"]), st.integers(1, 10**6))
def test_the_number_of_a_page_is_read_as_it_is_written(template: str, page: int) -> None:
    template = BASE + template
    assert page_of(template, page_url(template, page)) == page


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.sampled_from(["title", "url", "date", "page", "data", "next", "hasMore", ""]),
            inner,
            max_size=6,
        )
    ),
    max_leaves=40,
)


@given(JUNK, st.sampled_from(["", "?page=1", "?start=x", "?page=99999999999999999999", "?offset=5&limit=0"]))
def test_no_data_makes_it_fail(data: Any, query: str) -> None:
    found = analyse_json(data, f"{BASE}/api{query}", now=NOW)
    assert found.verdict in ("list", "empty", "no-list")
    assert found.main is None or all(x.href.startswith("http") for x in found.listings[0].block.links)


# --- a list in HTML whose pager is script ---


def listed(newest: int, page: int) -> bytes:
    rows = range(newest - 10 * (page - 1), max(0, newest - 10 * page), -1)
    items = "".join(
        f'<li><a href="/a/{n}.html">Council decides on question number {n}</a></li>' for n in rows
    )
    return f"<title>News</title><ul class=list>{items}</ul>{FRAGMENTS}".encode()


def test_what_is_tried_for_page_2() -> None:
    tried = [page_url(t, 2) for t in templates(f"{BASE}/news/")]
    assert len(tried) <= 10
    assert {
        f"{BASE}/news/?p=2",
        f"{BASE}/news/page/2/",
        f"{BASE}/news/index_2.html",
        f"{BASE}/news/index_1.html",
    } <= {*tried}
    assert f"{BASE}/news/?page=2" in [page_url(t, 2) for t in templates(f"{BASE}/news/?page=1")]
    tried = [page_url(t, 2) for t in templates(f"{BASE}/n/list.shtml?c=5")]
    assert {f"{BASE}/n/list.shtml?c=5&page=2", f"{BASE}/n/list_2.shtml"} <= {*tried}


@pytest.mark.parametrize("told", ["probe", "?p={page}", ""])
async def test_case_025_a_pager_of_fragments_is_probed_only_if_asked(tmp_path: Path, told: str) -> None:
    newest = 45

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        number = int(request.query.get("p", 1))
        if request.path != "/list/" or number > 5:
            return web.Response(status=404, text="<h1>Not found</h1>", content_type="text/html")
        return web.Response(body=listed(newest, number), content_type="text/html")

    options = IndexOptions(paths={"pages": told} if told else {})
    async with watched(tmp_path, "/list/", options) as (api, w):
        api.site.fallback = answer
        await w.visit()
        probed = len(api.site.log) - 1
        assert (probed > 0) == bool(told)
        newest += 14
        api.site.log.clear()
        visit = await w.visit()
        assert all("?p=" in r.path or r.path == "/list/" for r in api.site.log)  # nothing is tried twice
        deep = {f"/a/{n}.html" for n in range(46, 60)}
        assert paths(api, visit) == (deep if told else {f"/a/{n}.html" for n in range(50, 60)})
        assert visit.gap_open == (not told)


# --- a site with an API ---


@dataclass
class Api:
    """A news site that shows its articles through an API alone, ten to a page."""

    site: Site
    articles: list[int] = field(default_factory=list)
    broken: bool = False

    def publish(self, count: int) -> set[str]:
        first = len(self.articles) + 1
        self.articles += range(first, first + count)
        return {f"/a/{n}.html" for n in range(first, first + count)}

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if self.broken:
            return web.json_response({"code": 500, "msg": "the service is busy"})
        start = 10 * (int(request.query.get("page", 1)) - 1)
        rows = [article(n) for n in self.articles[::-1][start : start + 10]]
        return web.json_response({"code": 0, "data": {"list": rows or None}})


@asynccontextmanager
async def watched(
    folder: Path, path: str = "/api/list?page=1", options: IndexOptions = IndexOptions()
) -> AsyncIterator[tuple[Api, Watcher]]:
    async with Site() as site:
        api = Api(site)
        site.fallback = api.answer
        async with watching(site, folder, path, options) as w:
            yield api, w


def paths(api: Api, visit: Visit) -> set[str]:
    return {x.url.removeprefix(api.site.url("")) for x in visit.new}


async def test_case_044_an_api_is_watched_like_any_list(tmp_path: Path) -> None:
    async with watched(tmp_path) as (api, w):
        api.publish(45)
        assert (await w.visit()).outcome == "first-visit"
        new = api.publish(13)
        visit = await w.visit()
        assert (paths(api, visit), visit.complete, visit.gap_open) == (new, True, False)
        again = await w.visit()
        assert (again.new, again.complete) == ((), True)


async def test_an_api_in_trouble_is_no_empty_list(tmp_path: Path) -> None:
    async with watched(tmp_path) as (api, w):
        api.publish(15)
        await w.visit()
        new = api.publish(3)
        api.broken = True
        visit = await w.visit()
        assert (visit.outcome, visit.new) == ("fetch-failed", ())
        assert "JSON" in visit.warnings[0]
        api.broken = False
        assert paths(api, await w.visit()) == new


async def test_the_page_past_the_last_ends_the_series(tmp_path: Path) -> None:
    async with watched(tmp_path) as (api, w):
        api.publish(5)
        await w.visit()
        new = api.publish(15)  # the base is on page 2, and page 3 says null
        visit = await w.visit()
        assert (paths(api, visit), visit.complete) == (new, True)
