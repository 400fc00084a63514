"""Kinds of faults on the way through a series: words that mislead, copies of other times, ways that lead astray."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recrawler.demo.server import Answer
from recrawler.settings import Duration
from recrawler.visit.headers import next_of
from recrawler.visit.landing import in_another_script, is_second
from tests.test_cases_completion import rows_page
from tests.test_cases_links import day
from tests.test_cases_visit import Shelf, stories
from tests.test_kinds_series import number
from tests.test_visit import HTML
from tests.watching import watching

Ways = Callable[[int, int], str]


def bar(on: str, back: str) -> Ways:
    """A bar whose words for the page after (`on`) and before (`back`) are these."""

    def ways(page: int, pages: int) -> str:
        links = f'<a href="/news/?page={page - 1}">{back}</a> ' if page > 1 else ""
        links += f'<a href="/news/?page={page + 1}">{on}</a>' if page < pages else ""
        return f'<div class="pager">{links}</div>'

    return ways


@pytest.mark.parametrize(
    ("on", "back"),
    [("Newer posts →", "← Older posts"), ("« 上一页", "下一页 »"), ("Older", "Newer"), ("Previous", "Next")],
    ids=["newer_is_older", "previous_and_next_exchanged", "as_said", "previous_leads_on"],
)
async def test_kind_words_for_older_and_newer_that_are_exchanged(tmp_path: Path, on: str, back: str) -> None:
    """Templates mix them up: "Newer posts" on the newest page leads to the second one."""
    async with watching(tmp_path) as w:
        shelf = Shelf(95, bar(on, back))
        w.served.fault("^/news/", shelf)
        await w.visit()
        for n in (2, 28, 1):
            shelf.high += n
            visit = await w.visit()
            assert w.paths(visit) == stories(*range(shelf.high - n + 1, shelf.high + 1)) and visit.complete


@pytest.mark.parametrize(
    ("url", "second"),
    [
        ("/news/?page=2", True),
        ("/news/page/2/", True),
        ("/news/index_2.html", True),
        ("/news/?page=3", False),
        ("/news/2026/02/", False),
        ("/other/", False),
        ("http://b.example/news/?page=2", False),
    ],
)
def test_kind_a_newer_page_of_the_newest_is_the_second_only(url: str, second: bool) -> None:
    whole = url if "//" in url else f"http://a.example:8002{url}"
    assert is_second(whole, "http://a.example:8002/news/") is second
    assert not is_second("http://a.example/2026/2/", "http://a.example/2026/1/")


async def test_kind_a_second_page_from_a_cache_hides_no_links(tmp_path: Path) -> None:
    """Page 1 is new from top to bottom, page 2 an hour old: what was pushed down is on neither."""
    async with watching(tmp_path) as w:
        shelf, old = Shelf(95), Shelf(95)
        w.served.fault("^/news/", lambda p: (old if number(p) > 1 else shelf)(p))
        await w.visit()
        shelf.high = 115
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(106, 116)) and not visit.complete
        assert "10 links that stood right above" in visit.series[0].why and "old copy" in visit.series[0].why
        old.high = 115
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(96, 106)) and visit.complete


async def test_kind_links_deleted_at_the_end_of_a_page_are_believed_at_the_third_visit(
    tmp_path: Path,
) -> None:
    """It looks the same as a page from a cache, and stays so."""
    async with watching(tmp_path) as w:
        shelf, gone = Shelf(95), [False]

        def answer(path: str) -> Answer:
            # The first page shows ten others; the ten below them are no more.
            return shelf(path.replace("page=2", "page=3") if gone[0] else path)

        w.served.fault("^/news/", answer)
        await w.visit()
        shelf.high, gone[0] = 105, True
        assert [(await w.visit()).complete for _ in range(3)] == [False, False, True]
        assert not w.index.gap_since


async def test_kind_an_old_copy_of_the_first_page_is_not_complete(tmp_path: Path) -> None:
    """All of it is older than what was read before: deleted, or a cache. The third visit in a row is believed."""
    async with watching(tmp_path) as w:
        shelf = Shelf(95)
        w.served.fault("^/news/", shelf)
        await w.visit()
        shelf.high = 60
        visit = await w.visit()
        assert (visit.outcome, visit.complete, visit.new) == ("anchor-lost", False, ())
        shelf.high = 97
        visit = await w.visit()
        assert w.paths(visit) == stories(96, 97) and visit.complete
        shelf.high = 60
        assert [(await w.visit()).complete for _ in range(4)][-1]
        shelf.high = 62
        assert (await w.visit()).complete


async def test_kind_a_list_in_another_language_at_the_same_address_is_no_news(tmp_path: Path) -> None:
    """A site that serves each country its own list, from where we ask or in turn."""
    async with watching(tmp_path) as w:
        shelf, abroad = Shelf(60), [False]

        def answer(path: str) -> Answer:
            if not abroad[0]:
                return shelf(path)
            rows = [
                (f"/en/{n}.html", f"The harbour board publishes {n} plans", day(n))
                for n in range(200, 180, -1)
            ]
            return rows_page(rows)

        w.served.fault("^/news/", answer)
        await w.visit()
        abroad[0] = True
        visit = await w.visit()
        assert (visit.outcome, visit.new) == ("empty", ())
        abroad[0], shelf.high = False, 62
        visit = await w.visit()
        assert w.paths(visit) == stories(61, 62) and visit.complete


@pytest.mark.parametrize(
    ("before", "now", "other"),
    [
        (["港口扩建", "图书馆 API 开放"], ["The port grows", "New library"], True),
        (["The port grows", "New library"], ["Порт растёт", "Новая библиотека IBM"], True),
        (["港口扩建", "図書館のニュース"], ["サッカー", "港の拡張"], False),
        (["The port grows", "New library"], ["Der Hafen wächst", "Neue Bücherei"], False),
        (["港口扩建", "The port"], ["The port grows", "New library"], False),
        (["港口扩建"], ["2026-01-01", "123"], False),
        ([], ["港口扩建"], False),
    ],
)
def test_kind_titles_of_another_script(before: list[str], now: list[str], other: bool) -> None:
    assert in_another_script(before, now) is other


@pytest.mark.parametrize("body", ["html", "json"])
async def test_kind_a_next_page_that_only_a_header_names_is_followed(tmp_path: Path, body: str) -> None:
    """APIs answer with a bare array, and name the page after in `Link`."""

    def answer(path: str) -> Answer:
        page, last = number(path), -(-shelf.high // 10)
        link = f'<http://{{}}/>; rel="https://api.example/", </news/?per=10&page={page + 1}>; rel="next"'
        headers = {"Link": link} if page < last else {}
        if body == "html":
            return *shelf(path)[:2], HTML | headers
        first = shelf.high - 10 * (page - 1)
        rows = [
            {
                "id": n,
                "title": f"港口扩建方案公布第{n}号",
                "link": f"/city/{n}.html",
                "date": f"{day(n)[:10]}T00:00:00Z",
            }
            for n in range(first, max(first - 10, 0), -1)
        ]
        return 200, json.dumps(rows).encode(), {"Content-Type": "application/json"} | headers

    async with watching(tmp_path, path="/news/?per=10") as w:
        shelf = Shelf(60, lambda page, pages: "")
        w.served.fault("^/news/", answer)
        await w.visit()
        for n in (2, 25):
            shelf.high += n
            visit = await w.visit()
            assert w.paths(visit) == stories(*range(shelf.high - n + 1, shelf.high + 1)) and visit.complete


async def test_kind_an_index_that_a_header_sends_on_is_found_where_it_leads(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        shelf, empty = Shelf(60), b"<html><title>x</title><p>One moment</p></html>"
        w.served.fault("^/news/", lambda p: (200, empty, HTML | {"Refresh": "0; URL='/list/'"}))
        w.served.fault("^/list/", shelf)
        await w.visit()
        shelf.high = 62
        visit = await w.visit()
        assert w.paths(visit) == stories(61, 62) and visit.complete


@pytest.mark.parametrize(
    ("value", "onward"),
    [
        ("</a?page=2>; rel=next", "http://a.example/a?page=2"),
        ('</a?page=2>; rel="next last"; title="x, y"', "http://a.example/a?page=2"),
        ('</p>; rel="prev", </a?page=3>; rel="next"', "http://a.example/a?page=3"),
        ("</style.css>; rel=preload; as=style", None),
        ('</a>; rel="nextfoo"', None),
        ("<http://b.example/2>; rel=next", None),
        ("</list/>; rel=next", None),
        ("<>; rel=next", None),
        ("nonsense", None),
    ],
)
def test_kind_what_a_link_header_says_of_the_next_page(value: str, onward: str | None) -> None:
    assert next_of(value, "http://a.example/list/") == onward


class Slow:
    """A clock that the site's answers move on: the wall clock otherwise."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("a visit does not sleep")


async def test_kind_a_slow_site_is_read_on_where_the_time_of_a_visit_ended(tmp_path: Path) -> None:
    """Its deep pages take a minute each, and a visit has five: the last one is always cut off."""
    async with watching(tmp_path, visit_deadline=Duration(300)) as w:
        shelf, clock = Shelf(95), Slow()
        w.visitor.clock = clock

        def answer(path: str) -> Answer | None:
            clock.ahead += 60 if number(path) > 1 else 0
            return None if clock.ahead > 300 else shelf(path)  # the line is cut

        w.served.fault("^/news/", answer)
        await w.visit()
        shelf.high = 240
        outcomes = []
        for _ in range(5):
            clock.ahead = 0.0
            outcomes.append((await w.visit()).outcome)
        assert outcomes[:3] == ["page-limit"] * 3 and "fetch-failed" not in outcomes
        assert {x.url.removeprefix(w.served.base) for x in w.emitted} == stories(*range(96, 241))
        assert not w.index.gap_since and w.index.learnt.get("gaps_lost", 0) == 0


async def test_kind_a_site_that_keeps_its_place_in_a_session_is_walked(tmp_path: Path) -> None:
    """Without the cookie that the first page sets, each page is the first one again."""
    async with watching(tmp_path) as w:
        shelf, known = Shelf(60), [0]

        def answer(path: str) -> Answer:
            cookie = {k.lower(): v for k, v in w.served.last_headers.items()}.get("cookie", "")
            if number(path) > 1 and f"SESSION=s{known[0]}" in cookie:
                return shelf(path)
            known[0] += number(path) == 1
            status, html, headers = shelf("/news/")
            return status, html, headers | {"Set-Cookie": f"SESSION=s{known[0]}; Path=/; HttpOnly"}

        w.served.fault("^/news/", answer)
        for n in (0, 2, 25):
            shelf.high += n
            visit = await w.visit()
            assert len(visit.new) == n and visit.complete


async def test_kind_a_page_that_sets_a_cookie_and_comes_again_is_read_then(tmp_path: Path) -> None:
    """The simplest of challenges; the next visit passes it anew."""
    async with watching(tmp_path) as w:
        shelf = Shelf(60)
        wait = b"<html><meta http-equiv=refresh content='1; url=/news/'><title>x</title><p>One moment, please</p></html>"

        def answer(path: str) -> Answer:
            cookie = {k.lower(): v for k, v in w.served.last_headers.items()}.get("cookie", "")
            if "seen=1" in cookie:
                return shelf(path)
            return 200, wait, HTML | {"Set-Cookie": "seen=1; Path=/"}

        w.served.fault("^/news/", answer)
        await w.visit()
        shelf.high = 62
        visit = await w.visit()
        assert w.paths(visit) == stories(61, 62) and visit.complete and visit.requests == 2


async def test_kind_pages_that_rise_and_rows_that_fall_are_compared_whole(tmp_path: Path) -> None:
    """The archive grows at its last page, and a template sorts each page by itself, the newest row first."""
    high = 95

    def answer(path: str) -> Answer:
        page, pages = number(path), -(-high // 20)
        held = range(min(high, page * 20), (page - 1) * 20, -1)
        return rows_page(
            [(f"/city/{n}.html", f"Story {n} of the town", day(n)) for n in held], ways(page, pages)
        )

    ways = bar("Next", "Previous")
    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        for n in (3, 24, 1):
            high += n
            visit = await w.visit()
            assert w.paths(visit) == stories(*range(high - n + 1, high + 1))
            assert (visit.outcome, visit.complete) == ("unsorted-diff", True)
