"""Kinds of fault in series of pages that people meet in the field, beside the cases with a number."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from recrawler.demo.server import Answer
from tests import test_cases_visit
from tests.test_cases_visit import Shelf, stories
from tests.test_series import START, TITLES, document, pager, respond, row
from tests.test_visit import CHALLENGE, HTML
from tests.watching import watching

Ask = Callable[[str], Answer]
EMPTY = '<section class="city"><h2>city</h2><ul class="rows"></ul></section>'


def older_only(page: int, pages: int) -> str:
    """A way on that is on the last page too."""
    return f'<div class="nav-links"><a href="/news/?page={page + 1}">Older posts</a></div>'


def number(path: str) -> int:
    return int(path.partition("page=")[2] or 1)


async def test_kind_an_empty_page_in_the_middle_does_not_end_the_series(tmp_path: Path) -> None:
    """The bar tells of nine pages, and the second is served without rows: nothing was seen of the others."""
    async with watching(tmp_path) as w:
        shelf, broken = Shelf(60), [False]
        w.served.fault(
            "^/news/", lambda p: respond(document(EMPTY)) if broken[0] and number(p) == 2 else shelf(p)
        )
        await w.visit()
        shelf.high, broken[0] = 85, True
        visit = await w.visit()
        assert (visit.outcome, visit.complete, visit.gap_open) == ("empty", False, True)
        broken[0] = False
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(61, 76)) and visit.complete


async def test_kind_a_page_served_in_part_is_no_whole_list(tmp_path: Path) -> None:
    """The first page breaks off after three rows, with status 200."""
    async with watching(tmp_path) as w:
        shelf, cut = Shelf(60), [False]

        def answer(path: str) -> Answer:
            html = shelf(path)[1].decode()
            return respond("</li>".join(html.split("</li>")[:3]) if cut[0] else html)

        w.served.fault("^/news/", answer)
        await w.visit()
        shelf.high, cut[0] = 66, True
        visit = await w.visit()
        assert w.paths(visit) == stories(64, 65, 66) and not visit.complete
        cut[0] = False
        visit = await w.visit()
        assert w.paths(visit) == stories(61, 62, 63) and visit.complete


def gone(path: str) -> Answer:
    return 404, b"<h1>404 not found</h1>", HTML


def home(path: str) -> Answer:
    return 302, b"", {"Location": "/"}


def first_again(path: str) -> Answer:
    return 302, b"", {"Location": "/news/"}


def no_rows(path: str) -> Answer:
    return respond(document(EMPTY))


def front_page(path: str) -> Answer:
    rows = "".join(row("home", n) for n in range(40, 20, -1))
    return respond(document(f'<section class="city"><ul class="rows">{rows}</ul></section>'))


@pytest.mark.parametrize("past", [gone, home, first_again, no_rows])
async def test_kind_what_is_answered_past_the_last_page_ends_the_series(tmp_path: Path, past: Ask) -> None:
    """The last page names a next one. What it gives is the end, no failure, and nothing on it is news."""
    async with watching(tmp_path) as w:
        shelf = Shelf(18, older_only)
        w.served.fault("^/$", front_page)
        w.served.fault("^/news/", lambda p: past(p) if number(p) > shelf.pages() else shelf(p))
        await w.visit()
        shelf.low, shelf.high = 18, 45  # nothing that was known is left
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(19, 46))
        assert (visit.outcome, visit.complete) == ("end-of-series", True)
        shelf.high = 46
        assert w.paths(await w.visit()) == stories(46)


@pytest.mark.parametrize("past", [gone, home, no_rows])
async def test_kind_a_second_page_that_never_works_is_no_end_of_the_list(tmp_path: Path, past: Ask) -> None:
    async with watching(tmp_path) as w:
        shelf = Shelf(60, older_only)
        w.served.fault("^/$", front_page)
        w.served.fault("^/news/", lambda p: past(p) if number(p) > 1 else shelf(p))
        await w.visit()
        shelf.high = 85
        visit = await w.visit()
        assert (len(visit.new), visit.complete) == (10, False)
        shelf.high = 86
        assert (await w.visit()).complete


async def test_kind_a_missing_page_in_the_middle_is_a_failure(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        shelf = Shelf(60)
        w.served.fault("^/news/", lambda p: gone(p) if number(p) == 2 and shelf.high > 60 else shelf(p))
        await w.visit()
        shelf.high = 85
        visit = await w.visit()
        assert (visit.outcome, visit.complete, visit.gap_open) == ("fetch-failed", False, True)


async def test_kind_pages_that_robots_forbid_keep_no_gap_open_for_ever(tmp_path: Path) -> None:
    async with watching(tmp_path, robots=True) as w:
        shelf, rules = Shelf(60), b"User-agent: *\nDisallow: /*?page="
        w.served.fault("^/robots.txt", lambda _: (200, rules, {"Content-Type": "text/plain"}))
        w.served.fault("^/news/", shelf)
        await w.visit()
        shelf.high = 85
        assert [(await w.visit()).outcome for _ in range(4)] == ["robots-denied"] * 4
        assert w.index.learnt["gaps_lost"] == 1
        shelf.high = 87
        visit = await w.visit()
        assert w.paths(visit) == stories(86, 87) and visit.complete


async def test_kind_an_index_that_leads_home_is_no_list_of_news(tmp_path: Path) -> None:
    """The section is gone, and its URL leads to the home page, which has a list of the same shape."""
    async with watching(tmp_path) as w:
        shelf, closed = Shelf(60), [False]
        w.served.fault("^/$", front_page)
        w.served.fault("^/news/", lambda p: home(p) if closed[0] else shelf(p))
        await w.visit()
        closed[0] = True
        for _ in range(2):
            visit = await w.visit()
            assert (visit.outcome, visit.complete, visit.new) == ("empty", False, ())
            assert any("now leads to" in x for x in visit.warnings)
        closed[0], shelf.high = False, 62
        visit = await w.visit()
        assert w.paths(visit) == stories(61, 62) and visit.complete


async def test_kind_an_index_that_leads_elsewhere_is_followed_where_its_links_are_known(
    tmp_path: Path,
) -> None:
    async with watching(tmp_path) as w:
        shelf, moved = Shelf(60), [False]
        w.served.fault("^/archive/", lambda p: shelf(p))
        w.served.fault(
            "^/news/", lambda p: (301, b"", {"Location": f"/archive{p[5:]}"}) if moved[0] else shelf(p)
        )
        await w.visit()
        moved[0], shelf.high = True, 66
        assert w.paths(await w.visit()) == stories(*range(61, 67))
        shelf.high = 106  # from now on that is its address, whatever is left of what was known
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(67, 107)) and visit.complete


async def test_kind_an_index_that_leads_to_another_language_is_no_flood(tmp_path: Path) -> None:
    def english(path: str) -> Answer:
        return respond(document(Shelf(90).body(1).replace("/city/", "/en/").replace("公布", " published")))

    async with watching(tmp_path) as w:
        shelf, abroad = Shelf(60), [False]
        w.served.fault("^/en/", english)
        w.served.fault("^/news/", lambda p: (302, b"", {"Location": "/en/news/"}) if abroad[0] else shelf(p))
        await w.visit()
        abroad[0] = True
        visit = await w.visit()
        assert (visit.outcome, visit.new) == ("empty", ())
        abroad[0] = False
        assert (await w.visit()).complete


async def test_kind_fewer_rows_on_a_page_than_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site shows 40 rows a page, then 10: one page more proves that nothing is left out, once."""
    async with watching(tmp_path) as w:
        shelf = Shelf(160)
        w.served.fault("^/news/", shelf)
        monkeypatch.setattr(test_cases_visit, "SIZE", 40)
        await w.visit()
        monkeypatch.setattr(test_cases_visit, "SIZE", 10)
        for pages in (2, 1, 1):
            shelf.high += 3
            visit = await w.visit()
            assert len(visit.new) == 3 and visit.complete and len(visit.pages) == pages


async def test_kind_a_list_of_one_row_grows(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        shelf = Shelf(1, lambda page, pages: "")
        w.served.fault("^/news/", shelf)
        await w.visit()
        for n in (2, 3, 4):
            shelf.high = n
            visit = await w.visit()
            assert (w.paths(visit), visit.outcome) == (stories(n), "met-history")
        assert visit.complete


async def test_kind_another_list_in_the_place_of_the_watched_one_is_no_news(tmp_path: Path) -> None:
    """A dated list gives way to one without dates, and not one link is known."""
    links = "".join(f'<li><a href="/other/{n}.html">另一个栏目的内容标题第{n}条</a></li>' for n in range(10))
    async with watching(tmp_path) as w:
        shelf, other = Shelf(60), [False]
        strange = document(f'<section class="city"><ul class="rows">{links}</ul></section>')
        w.served.fault("^/news/", lambda p: respond(strange) if other[0] else shelf(p))
        await w.visit()
        other[0] = True
        visit = await w.visit()
        assert (visit.outcome, visit.new, visit.complete) == ("empty", (), False)
        assert visit.warnings
        other[0], shelf.high = False, 61
        assert w.paths(await w.visit()) == stories(61)


async def test_kind_an_error_page_with_known_links_beside_it_is_no_visit(tmp_path: Path) -> None:
    known = "".join(row("city", n) for n in (60, 59, 58, 57))
    async with watching(tmp_path) as w:
        shelf, broken = Shelf(60), [False]
        page = document(f"<h1>Internal Server Error</h1><aside><ul class=hot>{known}</ul></aside>")
        w.served.fault("^/news/", lambda p: respond(page) if broken[0] else shelf(p))
        await w.visit()
        broken[0] = True
        visit = await w.visit()
        assert (visit.outcome, visit.complete) == ("empty", False)
        assert "error" in visit.warnings[0]
        assert w.index.failures == 1


async def test_kind_rows_that_end_every_page_do_not_end_the_walk(tmp_path: Path) -> None:
    """Three promoted links stand below the rows of each page, known from the first visit on."""
    promoted = "".join(f'<li><a href="/promo/{n}.html">推广：精选活动介绍第{n}期</a></li>' for n in (1, 2, 3))
    async with watching(tmp_path) as w:
        shelf = Shelf(60)
        w.served.fault(
            "^/news/", lambda p: respond(shelf(p)[1].decode().replace("</ul>", promoted + "</ul>"))
        )
        await w.visit()
        for n in (4, 12, 25, 1):
            shelf.high += n
            visit = await w.visit()
            assert w.paths(visit) == stories(*range(shelf.high - n + 1, shelf.high + 1)) and visit.complete


async def test_kind_an_old_copy_of_the_list_between_two_visits_repeats_nothing(tmp_path: Path) -> None:
    """A cache gives the list of an hour ago, then the present one again."""
    async with watching(tmp_path) as w:
        shelf = Shelf(60)
        w.served.fault("^/news/", shelf)
        await w.visit()
        for high in (66, 60, 66, 68, 60, 85, 60, 86):
            shelf.high = high
            assert (await w.visit()).complete
        urls = [x.url for x in w.emitted]
        assert len(urls) == len(set(urls)) == 26


async def test_kind_a_site_of_two_designs_in_turn_loses_and_repeats_nothing(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        shelf, turn = Shelf(60), [0]

        def answer(path: str) -> Answer:
            turn[0] += 1
            shelf.tag, shelf.wrap = ("ol", "<div class=x1>{}</div>") if turn[0] % 2 else ("ul", "{}")
            return shelf(path)

        w.served.fault("^/news/", answer)
        await w.visit()
        for high in (62, 64, 85, 86):
            shelf.high = high
            await w.visit()
        urls = [x.url for x in w.emitted]
        assert len(urls) == len(set(urls)) == 26


def from_oldest(high: int, path: str) -> str:
    """A page of a list whose pages are numbered from the oldest: `/news/` is the one with the greatest number."""
    last = -(-high // 10)
    here = int(path.partition("page=")[2] or last)
    rows = "".join(row("city", n) for n in range(min(here * 10, high), (here - 1) * 10, -1))
    bar = " ".join(
        f"<b>{n}</b>" if n == here else f'<a href="/news/?page={n}">{n}</a>'
        for n in range(min(here + 2, last), max(here - 4, 0), -1)
    )
    return document(
        f'<section class="city"><ul class="rows">{rows}</ul><div class=pages>{bar}</div></section>'
    )


async def test_kind_pages_numbered_from_the_oldest_are_walked_down(tmp_path: Path) -> None:
    high = 95
    async with watching(tmp_path) as w:
        w.served.fault("^/news/", lambda p: respond(from_oldest(high, p)))
        await w.visit()
        for n in (3, 2, 25, 1):
            high += n
            visit = await w.visit()
            assert w.paths(visit) == stories(*range(high - n + 1, high + 1)) and visit.complete


async def test_kind_days_that_begin_with_their_oldest_row_are_compared_whole(tmp_path: Path) -> None:
    """The newest day first, and in each day the oldest row: every page rises, and the last one is the oldest."""
    rows = [(day, n) for day in range(5) for n in range(15)]

    def answer(path: str) -> Answer:
        items = [
            f'<li><a href="/city/{day}-{n}.html">{TITLES[n % 6]}（{day}日{n}）</a> '
            f"<span>{START + timedelta(days=day, minutes=30 * n):%Y-%m-%d %H:%M}</span></li>"
            for day, n in sorted(rows, key=lambda x: (-x[0], x[1]))
        ]
        page, pages = number(path), -(-len(items) // 10)
        ways = pager(lambda n: f"/news/?page={n}", page, pages)
        shown = "".join(items[(page - 1) * 10 : page * 10])
        return respond(document(f'<section class="city"><ul class="rows">{shown}</ul>{ways}</section>'))

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        for few in (range(13), range(13, 15)):
            rows += [(5, n) for n in few]
            visit = await w.visit()
            assert w.paths(visit) == {f"/city/5-{n}.html" for n in few}
            assert (visit.outcome, visit.complete) == ("unsorted-diff", True)


async def test_kind_a_way_on_that_loses_the_filter_shows_another_list(tmp_path: Path) -> None:
    """`?page=2` on the page of one category: the second page of all of them, with newer rows than the first ends with."""

    def answer(path: str) -> Answer:
        if "cat=" in path:
            return respond(document(shelf.body(1)))
        return respond(document(Shelf(shelf.high + 30).body(number(path)).replace("/city/", "/all/")))

    async with watching(tmp_path, path="/news/?cat=5") as w:
        shelf = Shelf(60, lambda page, pages: pager(lambda n: f"?page={n}", page, pages))
        w.served.fault("^/news/", answer)
        visit = await w.visit()
        assert any("leaves out cat" in x for x in visit.warnings)
        shelf.high = 62
        visit = await w.visit()
        assert w.paths(visit) == stories(61, 62) and visit.complete
        shelf.high = 90
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(81, 91)) and not visit.complete


async def test_kind_the_last_page_for_every_number_past_it_ends_the_series(tmp_path: Path) -> None:
    """Its next link counts on, and the same rows come again."""
    async with watching(tmp_path) as w:
        shelf = Shelf(18, older_only)

        def answer(path: str) -> Answer:
            page, last = number(path), shelf.pages()
            html = shelf.body(min(page, last)).replace(f"page={last + 1}", f"page={page + 1}")
            return respond(document(html))

        w.served.fault("^/news/", answer)
        await w.visit()
        shelf.low, shelf.high = 18, 45  # nothing that was known is left
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(19, 46))
        assert (visit.outcome, visit.complete) == ("end-of-series", True)
        assert len(visit.pages) == 5  # one more try


async def test_kind_a_burst_behind_a_button_that_loads_more_is_said_to_need_script(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        shelf = Shelf(60, lambda page, pages: '<button class="load-more" data-page="2">加载更多</button>')
        w.served.fault("^/news/", shelf)
        await w.visit()
        shelf.high = 62
        assert (await w.visit()).complete  # page 1 meets history by itself
        shelf.high = 90
        visit = await w.visit()
        assert (len(visit.new), visit.complete) == (10, False)
        assert any("script" in x for x in visit.warnings)


async def test_kind_pages_that_show_all_rows_so_far_repeat_nothing(tmp_path: Path) -> None:
    """Each page of "load more" holds the rows of the pages before it too."""
    async with watching(tmp_path) as w:
        shelf = Shelf(60)

        def answer(path: str) -> Answer:
            rows = "".join(row("city", n) for n in range(shelf.high, shelf.high - 10 * number(path), -1))
            more = f'<a class="more" href="/news/?page={number(path) + 1}">加载更多</a>'
            return respond(document(f'<section class="city"><ul class="rows">{rows}</ul>{more}</section>'))

        w.served.fault("^/news/", answer)
        await w.visit()
        for n in (2, 25, 1):
            shelf.high += n
            visit = await w.visit()
            assert len(visit.new) == n and visit.complete


async def test_kind_session_ids_in_the_addresses_of_pages_lead_on_and_not_round(tmp_path: Path) -> None:
    count = [1000]

    def ways(page: int, pages: int) -> str:
        count[0] += 1
        return pager(lambda n: f"/news/?page={n}&sid=ab{count[0]}cd9f8e7a{n}", page, pages)

    async with watching(tmp_path) as w:
        shelf = Shelf(60, ways)
        w.served.fault("^/news/", lambda p: shelf(p.partition("&")[0]))
        await w.visit()
        for n in (2, 25):
            shelf.high += n
            visit = await w.visit()
            assert len(visit.new) == n and visit.complete and len(visit.pages) <= 4


async def test_kind_an_index_that_falls_silent_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recrawler.cadence.silence", lambda state, now: "nothing new for 9 days")
    async with watching(tmp_path) as w:
        await w.visit()
        assert any("nothing new for 9 days; look at the page" in x for x in (await w.visit()).warnings)
        w.site.publish(1)
        assert not (await w.visit()).warnings


async def test_kind_a_challenge_in_the_middle_of_a_walk_loses_nothing(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        shelf, wall = Shelf(60), [False]
        w.served.fault(
            "^/news/", lambda p: (200, CHALLENGE, HTML) if wall[0] and number(p) == 2 else shelf(p)
        )
        await w.visit()
        shelf.high, wall[0] = 95, True
        visit = await w.visit()
        assert (visit.outcome, visit.complete, len(visit.new)) == ("blocked", False, 10)
        wall[0] = False
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(61, 86)) and visit.complete


async def test_kind_a_board_that_is_emptied_goes_on_with_its_next_notice(tmp_path: Path) -> None:
    """ "No notices at present" for some days is an alert, and the first notice after it is news."""
    async with watching(tmp_path) as w:
        shelf = Shelf(5, lambda page, pages: "")
        empty = document('<section class="city"><h2>city</h2><p>暂无公告</p></section>')
        w.served.fault("^/news/", lambda p: shelf(p) if shelf.high > shelf.low else respond(empty))
        await w.visit()
        shelf.low = 5
        visits = [await w.visit() for _ in range(3)]
        assert [v.outcome for v in visits] == ["empty"] * 3 and "in a row" in visits[-1].warnings[-1]
        for n in (6, 8):
            known, shelf.high = shelf.high, n
            assert w.paths(await w.visit()) == stories(*range(known + 1, n + 1))


async def test_kind_an_old_article_pinned_that_nobody_saw_before_is_backdated(tmp_path: Path) -> None:
    pin = (
        '<li><a href="/old/1.html">很久以前的通知置于顶端</a> <span class="date">2024-01-05 10:00</span></li>'
    )
    async with watching(tmp_path) as w:
        shelf, top = Shelf(60), [""]

        def answer(path: str) -> Answer:
            html = shelf(path)[1].decode()
            return respond(html.replace('class="rows">', f'class="rows">{top[0]}', 1))

        w.served.fault("^/news/", answer)
        await w.visit()
        shelf.high, top[0] = 62, pin
        visit = await w.visit()
        assert {x.url.rpartition("/")[2]: x.status for x in visit.new} == {
            "1.html": "backdated", "62.html": "new", "61.html": "new",
        }  # fmt: skip
        assert visit.complete


async def test_kind_a_first_visit_to_half_a_list_makes_no_flood_of_the_rest(tmp_path: Path) -> None:
    """Four undated rows and no bar at first, then all of it."""
    async with watching(tmp_path) as w:
        shelf, cut = Shelf(60), [True]

        def answer(path: str) -> Answer:
            html = re.sub(r" <span class=.date.>.*?</span>", "", shelf(path)[1].decode())
            return respond("</li>".join(html.split("</li>")[:4]) if cut[0] else html)

        w.served.fault("^/news/", answer)
        await w.visit()
        cut[0] = False
        assert not (await w.visit()).new
        shelf.high = 62
        assert w.paths(await w.visit()) == stories(61, 62)
