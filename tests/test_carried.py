"""Rows that a page carries as text for its script: records in XML, arrays of HTML, HTML in JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from recrawler.page.analysis import analyse
from recrawler.page.carried import html_of, unwrapped
from recrawler.page.types import Listing, PageAnalysis
from tests.httpserver import Site
from tests.test_visit_pages import Watcher
from tests.test_visit_pages import watched as watching

NOW = datetime(2024, 9, 6, 12, tzinfo=UTC)
URL = "https://county.example/col/col31/index.html"
PROXY = "/module/web/jpage/dataproxy.jsp"


def row(n: int) -> str:
    day = (NOW - timedelta(days=200 - n)).date()
    title = f"县政府关于第{n}号公共工程招标结果的公告"
    return f'<li><a href="/art/{n}.html" title="{title}">{title}</a><span>{day}</span></li>'


def records(numbers: range, onward: str = "", total: int | None = None) -> str:
    rows = "".join(f"<record><![CDATA[\n{row(n)}]]></record>\n" for n in numbers)
    group = f'<nextgroup><![CDATA[<a href="{onward}"></a>]]></nextgroup>' if onward else ""
    count = f"<totalrecord>{total}</totalrecord>" if total is not None else ""
    return f"<datastore>{count}{group}<recordset>{rows}</recordset></datastore>"


def page(carried: str, after: str = "") -> str:
    menu = "".join(f'<li><a href="/col/col{n}/index.html">栏目{n}</a></li>' for n in range(8))
    return (
        f"<html><head><title>通知公告</title></head><body><div class=nav><ul>{menu}</ul></div>"
        f"<div class=main><h2>通知公告</h2>{carried}</div>{after}<div class=foot>版权所有</div></body></html>"
    )


def in_xml(xml: str) -> str:
    return f'<div id="7731"><script type="text/xml">{xml}</script></div>'


def main_of(found: PageAnalysis) -> Listing:
    assert found.main is not None, (found.verdict, found.verdict_why)
    return found.listings[found.main]


def numbers(found: PageAnalysis) -> list[int]:
    return [int(x.href.rsplit("/", 1)[1].removesuffix(".html")) for x in main_of(found).block.links]


def test_records_in_xml_inside_a_page_are_its_list_and_lead_on() -> None:
    onward = f"{PROXY}?page=1&amp;webid=9&amp;columnid=31&amp;unitid=7731"
    found = analyse(page(in_xml(records(range(160, 130, -1), onward))), URL, now=NOW)
    assert numbers(found) == list(range(160, 130, -1))
    assert main_of(found).order.verdict == "newest-first"
    assert main_of(found).older == f"https://county.example{PROXY}?page=1&webid=9&columnid=31&unitid=7731"


def test_the_answer_to_the_script_is_read_like_the_page() -> None:
    xml = "<?xml version='1.0' encoding='UTF-8'?>" + records(
        range(130, 100, -1), "./dataproxy.jsp?page=2&webid=9"
    )
    found = analyse(xml, f"https://county.example{PROXY}?page=1", now=NOW, expected=True)
    assert numbers(found) == list(range(130, 100, -1))
    assert main_of(found).older == "https://county.example/module/web/jpage/dataproxy.jsp?page=2&webid=9"


CALL = (
    "<script>$(function(){$('#7731').jpage({themeName:'default',totalRecord:200,perPage:10,groupSize:3,"
    f"proxyUrl:'{PROXY}',ajaxParam:{{col:1,webid:9,path:'/',columnid:31,unitid:'7731',webname:'县政府'}}}});}});</script>"
)


def test_the_call_of_the_plug_in_tells_the_way_where_the_xml_does_not() -> None:
    found = analyse(page(in_xml(records(range(200, 170, -1))), CALL), URL, now=NOW)
    older = main_of(found).older
    assert older is not None
    assert older.startswith(
        f"https://county.example{PROXY}?startrecord=31&endrecord=60&perpage=10&col=1&webid=9"
    )
    answer = analyse(records(range(170, 140, -1)), older, now=NOW, expected=True)
    assert numbers(answer) == list(range(170, 140, -1))
    assert "startrecord=61&endrecord=90&perpage=10&col=1" in str(main_of(answer).older)
    last = analyse(records(range(140, 120, -1)), str(main_of(answer).older), now=NOW, expected=True)
    assert main_of(last).older is None


@pytest.mark.parametrize("quote", ["'", '"'])
def test_an_array_of_html_that_a_script_hands_to_the_plug_in(quote: str) -> None:
    rows = [row(n).replace(quote, "\\" + quote).replace("</", "<\\/") for n in range(200, 170, -1)]
    array = ",".join(quote + x + quote for x in rows)
    script = f"<script>var InitData7731=[{array}];</script>"
    found = analyse(page(f"<div id=7731></div>{script}", CALL), URL, now=NOW)
    assert numbers(found) == list(range(200, 170, -1))
    assert "startrecord=31&endrecord=60" in str(main_of(found).older)


def test_xml_without_rows_stays_as_it_is() -> None:
    for text in (
        page(in_xml("<settings><a><![CDATA[x]]></a></settings>")),
        "<?xml version='1.0'?><!DOCTYPE html><html><body><script>//<![CDATA[\nvar a=1;\n//]]></script></body></html>",
        "<?xml version='1.0'?><html><body><p><![CDATA[<a href=/1>1</a>]]></p></body></html>",
    ):
        assert unwrapped(text.encode(), URL) == text.encode()


def test_html_in_the_answer_of_an_api() -> None:
    html = "".join(row(n) for n in range(160, 140, -1))
    answer = json.dumps({"code": 0, "data": {"html": f"<ul>{html}</ul>", "hasMore": True}})
    found = analyse(answer, "https://county.example/api/more?page=2", now=NOW)
    assert numbers(found) == list(range(160, 140, -1))
    assert main_of(found).older == "https://county.example/api/more?page=3"
    assert html_of({"html": "<a href=/1>one</a>", "n": [None, 3, True]}) == ""


@given(st.text(alphabet="<>[]'\"\\,=\n a&;CDATArecordxml/-!", max_size=300), st.booleans())
def test_any_text_is_unwrapped_without_a_fault(text: str, called: bool) -> None:
    made = f"<script type=text/xml><r><![CDATA[{text}]]></r></script>x=['<{text}'];" + CALL * called
    assert isinstance(unwrapped(made.encode(), URL), bytes)
    assert isinstance(unwrapped(text.encode(), URL), bytes)


@pytest.mark.parametrize(
    "piece",
    [
        "<script xml",
        "<script type=text/xml>",
        "<record><![CDATA[",
        "<![CDATA[]]>",
        "<a ",
        "['<",
        "x=['<a href=1>',",
        "x=['<a href=1>','<a href=2>','<a href=3>'];",
        ".jpage({",
    ],
)
def test_hostile_text_takes_no_more_time_than_its_length(piece: str) -> None:
    text = f"<html><![CDATA[<script type=text/xml>{piece * 60_000}['<.jpage({{"
    assert len(unwrapped(text.encode(), URL)) > 60_000
    assert len(unwrapped(text[15:].encode(), URL)) > 60_000
    assert isinstance(html_of({"x": piece * 60_000}), str)


# --- a site that keeps its rows in XML ---


@dataclass
class County:
    """A site whose list page carries 15 rows in XML, and whose script fetches 15 more at a time."""

    site: Site
    articles: list[int] = field(default_factory=list)

    def publish(self, count: int) -> set[str]:
        first = len(self.articles) + 1
        self.articles += range(first, first + count)
        return {f"/art/{n}.html" for n in range(first, first + count)}

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        group = int(request.query.get("page", 0))
        shown = self.articles[::-1][15 * group : 15 * group + 15]
        more = len(self.articles) > 15 * (group + 1)
        rows = range(shown[0], shown[-1] - 1, -1)
        xml = records(rows, f"{PROXY}?page={group + 1}&columnid=31" if more else "")
        if request.path == PROXY:
            return web.Response(text=xml, content_type="text/xml")
        return web.Response(text=page(in_xml(xml)), content_type="text/html")


@dataclass
class Button(County):
    """A site whose list goes on with a button, which fetches JSON with HTML in it."""

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        number = int(request.query.get("p", 1))
        shown = self.articles[::-1][10 * (number - 1) : 10 * number]
        rows = "".join(row(n) for n in shown)
        if request.path == "/more":
            return web.json_response({"html": rows, "more": len(self.articles) > 10 * number})
        button = '<button class="load-more" data-url="/more?p=2">加载更多</button>'
        return web.Response(text=page(f"<ul class=list>{rows}</ul>{button}"), content_type="text/html")


@asynccontextmanager
async def watched(folder: Path, kind: type[County] = County) -> AsyncIterator[tuple[County, Watcher]]:
    async with Site() as site:
        county = kind(site)
        site.fallback = county.answer
        async with watching(site, folder, "/col/col31/index.html") as w:
            yield county, w


@pytest.mark.parametrize("kind", [County, Button])
async def test_carried_rows_are_watched_like_any_list(tmp_path: Path, kind: type[County]) -> None:
    async with watched(tmp_path, kind) as (county, w):
        county.publish(40)
        assert (await w.visit()).outcome == "first-visit"
        for burst in (3, 22, 0, 1):
            new = county.publish(burst)
            visit = await w.visit()
            assert {x.url.removeprefix(county.site.url("")) for x in visit.new} == new
            assert (visit.complete, visit.gap_open) == (True, False)
