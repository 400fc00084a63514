"""The whole analysis: the contract's shape, and nothing raised or hung whatever the page."""

from __future__ import annotations

import json
import random
import time
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from urllib.parse import urljoin

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from recrawler.page import survey
from recrawler.page.analysis import analyse
from recrawler.page.types import ListingHint, to_json
from tests.pagekit import NOW, URL, hot, hrefs, links_of, main_of, page, read, rows, urls_of


def plain(i: int, t: str, u: str, d: str) -> str:
    return f'<li class="row"><a href="{u}">{t}</a><span class="date">{d}</span></li>'


WHOLE = page(f"<ul class=list>{rows(15, plain)}</ul>", side=hot())


def check_contract(data: dict[str, Any]) -> None:
    """The inspect contract's keys and kinds of values."""
    assert data["kind"] in ("index", "article", "other")
    assert 0.0 <= data["kind_score"] <= 1.0
    assert data["main"] is None or 0 <= data["main"] < len(data["listings"])
    for listing in data["listings"]:
        block = listing["block"]
        assert isinstance(block["xpath"], str)
        assert isinstance(block["marked"], bool)
        for link in block["links"]:
            assert link["href"].startswith(("http://", "https://"))
            assert (link["date"] is None) == (link["precision"] is None)
            assert link["precision"] in ("minute", "hour", "day", None)
            assert isinstance(link["pinned"], bool)
        if listing["bar"] is not None:
            for link in listing["bar"]["links"]:
                assert link["role"] in ("next", "prev", "first", "last", "page", "other")
                assert link["href"] is None or link["href"].startswith("http")
        for key in ("older", "newer"):
            assert listing[key] is None or listing[key].startswith("http")
        assert listing["order"]["verdict"] in ("newest-first", "oldest-first", "unsorted", "unknown")
    assert json.loads(json.dumps(data)) == data


def test_the_answer_has_the_contracts_shape_and_tells_the_whole_list() -> None:
    found = read(WHOLE)
    data = to_json(found)
    check_contract(data)
    block = data["listings"][data["main"]]["block"]
    assert [x["href"] for x in block["links"]] == hrefs(15)
    assert block["links"][0]["date"] == "2026-03-10T00:00:00Z"
    assert block["links"][0]["precision"] == "day"
    assert data["listings"][data["main"]]["older"] == "https://gazette.example/news/?page=2"
    assert data["verdict"] == "list"


def test_the_xpath_leads_to_the_element_that_holds_all_article_links() -> None:
    found = read(WHOLE)
    tree = lxml_html.document_fromstring(WHOLE)
    (node,) = tree.xpath(main_of(found).block.xpath)
    assert {urljoin(URL, a.get("href")) for a in node.iter("a")} == set(urls_of(found))


def test_bytes_and_text_give_the_same_answer() -> None:
    assert read(WHOLE.encode()) == read(WHOLE)


def test_the_same_page_gives_the_same_answer() -> None:
    assert read(WHOLE) == read(WHOLE)


@pytest.mark.parametrize(
    ("url", "zone", "hour"),
    [
        ("https://gazette.example/news/", None, 1),
        ("https://gazette.cn/news/", None, 17),
        ("https://gazette.example/news/", timezone(timedelta(hours=8)), 17),
        ("https://gazette.cn/news/", UTC, 1),
    ],
)
def test_times_are_in_the_sites_zone_which_is_given_or_that_of_its_country(
    url: str, zone: Any, hour: int
) -> None:
    content = "".join(
        f'<li><a href="/a/{i}.html">A story of some length, number {i}</a> 2026-03-0{9 - i} 01:00</li>'
        for i in range(7)
    )
    found = analyse(page(f"<ul>{content}</ul>"), url, now=NOW, timezone=zone)
    when = links_of(found)[0].date
    assert when is not None
    assert when.hour == hour


def test_dates_that_would_lie_ahead_in_the_wrong_zone_are_not_given_out() -> None:
    now = datetime(2026, 3, 9, 20, 0, tzinfo=UTC)
    content = "".join(
        f'<li><a href="/a/{i}.html">A story of some length, number {i}</a> 2026-03-{10 - i:02d} 03:30</li>'
        for i in range(8)
    )
    found = analyse(page(f"<ul>{content}</ul>"), URL, now=now)
    assert links_of(found)[0].date is None
    assert all(x.date is not None and x.date <= now for x in links_of(found)[1:])


def test_a_page_in_gbk_is_read_in_gbk() -> None:
    content = "".join(
        f'<li><a href="/a/{i}.html">市政府发布第{i}号公告，关于轮渡时刻表</a><span>2026-03-{9 - i:02d}</span></li>'
        for i in range(8)
    )
    body = page(f"<ul>{content}</ul>").encode("gbk")
    found = analyse(body, URL, now=NOW, encoding="gbk")
    assert links_of(found)[3].text == "市政府发布第3号公告，关于轮渡时刻表"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=2_000))
def test_any_bytes_are_analysed(body: bytes) -> None:
    check_contract(to_json(read(body)))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_mutated_pages_are_analysed(data: st.DataObject) -> None:
    text = WHOLE
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        end = min(len(text), at + data.draw(st.integers(0, 400)))
        piece = data.draw(
            st.sampled_from(
                ["", "<", "</ul>", "<table>", "\0", "\ufffd", "<li>" * 40, text[at:end] * 3, "&#0;"]
            )
        )
        text = text[:at] + piece + text[end:]
    check_contract(to_json(read(text, hints=[ListingHint("div.wrap/div.content/ul.list//li.row/a")])))


HOSTILE = {
    "nested 5,000 deep": "<div>" * 5_000 + "<a href=/x>a link of some length</a>",
    "lists in lists": "".join(f"<ul><li><a href=/a/{i}>Some title number {i}</a>" for i in range(2_000)),
    "100,000 links": "<ul>"
    + "".join(f"<li><a href=/a/{i}>Title of number {i}</a></li>" for i in range(100_000)),
    "a row of 20,000 links": "<p>" + "".join(f"<a href=/a/{i}>t{i}</a>" for i in range(20_000)),
    "an attribute of 1 MB": f'<p class="{"c " * 500_000}">x</p><a href="/{"x" * 1_000_000}">y</a>' + WHOLE,
    "16 MB of tags": "<p>x<b>y</b></p>" * 1_000_000,
    "deeply nested JSON": f'<script type="application/json">{"[" * 100_000}</script>',
    "a table of 20,000 cells": "<table>"
    + ("<tr>" + "".join(f"<td><a href=/a/{j}>cell {j} of it</a></td>" for j in range(40)) + "</tr>") * 500,
    "dates without end": "<ul>"
    + "".join(f"<li><a href=/a/{i}>Title {i} of it</a> {'1/2/3 10:00 ' * 40}</li>" for i in range(2_000)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_end_soon(name: str) -> None:
    began = time.process_time()
    found = read(HOSTILE[name])
    took = time.process_time() - began
    check_contract(to_json(found))
    assert not any("failed" in w for w in found.warnings)
    assert took < 4  # twice the promise: the machine may be busy


def test_truncation_is_said() -> None:
    many = "<ul>" + "".join(f"<li><a href=/a/{i}>t</a></li>" for i in range(20_500))
    assert any("too large" in w for w in read(many).warnings)


def test_an_inner_fault_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("recrawler.page.choice.choose", broken)
    found = read(WHOLE)
    assert found.verdict == "no-list"
    assert found.main is None
    assert "boom" in found.verdict_why


def test_rejected_candidates_are_told_with_their_scores() -> None:
    found = read(WHOLE)
    blocks = [x for x in found.rejected if x.what == "block"]
    assert blocks
    assert all(x.score < main_of(found).block.score for x in blocks)
    assert any("side column" in x.why for x in blocks)


def test_titles_dates_and_order_do_not_depend_on_what_stands_beside_the_list() -> None:
    alone = read(page(f"<ul class=list>{rows(15, plain)}</ul>"))
    rng = random.Random(3)
    noise = "".join(f"<p>{rng.random()}</p>" for _ in range(20))
    beside = read(page(f"{noise}<ul class=list>{rows(15, plain)}</ul>", side=hot()))
    assert links_of(alone) == links_of(beside)
    assert main_of(alone).order == main_of(beside).order


def test_a_list_that_looks_little_like_one_is_taken_where_one_is_expected_and_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(survey, "MAIN_AT", 2.0)
    made = f"<ul class=list>{rows(15, plain)}</ul>"
    found = read(page(made), expected=True)
    assert urls_of(found) == hrefs(15) and any("doubtful" in w for w in found.warnings)
    assert read(page(made)).main is None
    assert read(page(made, bar=""), expected=True).main is None  # dates alone may be a sidebar's
