"""Faults that people have met in the field, reproduced on a served site; the number is that of the case."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from recrawler.demo import NewsSite, Section
from recrawler.demo.server import Answer
from recrawler.records import IndexOptions
from recrawler.visit import Ask
from tests.test_series import SIZE, block, document, pager, respond, row, two_lists
from tests.test_visit import CHALLENGE, HTML
from tests.watching import paths, watching


class Shelf:
    """A list whose rows are `low` (left out) to `high`, newest first, in pages; `ways` writes the bar."""

    def __init__(self, high: int, ways: Callable[[int, int], str] | None = None) -> None:
        self.low, self.high, self.tag, self.wrap = 0, high, "ul", "{}"
        self.ways = ways or (lambda page, pages: pager(lambda n: f"/news/?page={n}", page, pages))

    def pages(self) -> int:
        return -(-(self.high - self.low) // SIZE)

    def __call__(self, path: str) -> Answer:
        page = int(parse_qs(urlsplit(path).query).get("page", ["1"])[0])
        return respond(document(self.body(page)))

    def body(self, page: int) -> str:
        numbers = range(self.high - (page - 1) * SIZE, max(self.high - page * SIZE, self.low), -1)
        rows = "".join(row("city", n) for n in numbers)
        return self.wrap.format(
            f'<section class="city"><{self.tag} class="rows">{rows}</{self.tag}>{self.ways(page, self.pages())}</section>'
        )


def stories(*numbers: int) -> set[str]:
    return {f"/city/{n}.html" for n in numbers}


@pytest.mark.parametrize(
    "following", ["/news/?tag=a&page={}", "#", "/news/?tag=a&page={}#list", "/news/?page={}&tag=a"]
)
async def test_case_017_the_last_page_that_points_to_itself_is_read_once(
    tmp_path: Path, following: str
) -> None:
    def ways(page: int, pages: int) -> str:
        bar = pager(lambda n: f"/news/?tag=a&page={n}", page, pages)
        more = f'<a href="{following.format(page)}">下一页</a></div>'
        return bar.replace("</div>", more) if page == pages else bar

    async with watching(tmp_path) as w:
        shelf = Shelf(18, ways)
        w.served.fault("^/news/", shelf)
        await w.visit()
        shelf.low, shelf.high = 18, 45  # nothing that was known is left: the walk goes to the end
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(19, 46))
        assert visit.outcome == "end-of-series"
        assert len(set(w.requests())) == 3 and visit.requests <= 6  # with a second look at each


async def test_case_019_a_number_past_the_end_gives_page_1_which_is_no_history(tmp_path: Path) -> None:
    def ways(page: int, pages: int) -> str:
        return pager(lambda n: f"/news/?page={n}", page, pages + 1)  # one page too many

    async with watching(tmp_path) as w:
        shelf = Shelf(18, ways)
        w.served.fault("^/news/", lambda p: shelf(p if f"page={shelf.pages() + 1}" not in p else "/news/"))
        await w.visit()
        shelf.low, shelf.high = 18, 45
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(19, 46))
        assert visit.outcome != "met-history" and visit.requests <= 5


async def test_case_019_paging_without_effect_costs_two_requests_and_is_said(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        shelf = Shelf(60)
        w.served.fault("^/news/", lambda _: shelf("/news/"))
        assert (await w.visit()).requests <= 2
        shelf.high = 63
        visit = await w.visit()
        assert (w.paths(visit), visit.complete, visit.requests) == (stories(61, 62, 63), True, 1)
        shelf.high = 90  # more than a page: what lies below it cannot be had
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(81, 91))
        assert (visit.outcome, visit.complete, visit.gap_open) == ("looped", False, True)
        assert len(set(w.requests())) == 2 and visit.requests <= 3  # with a second look at page 1


async def test_case_023_a_pager_that_needs_script_is_said_and_never_fetched(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        bar = "<div class=pages><b>1</b> <a href='javascript:turn(2)'>2</a> <a href='javascript:turn(2)'>下一页</a></div>"
        shelf = Shelf(60, lambda page, pages: bar)
        w.served.fault("^/news/", shelf)
        await w.visit()
        shelf.high = 62
        visit = await w.visit()
        assert (w.paths(visit), visit.complete) == (stories(61, 62), True)  # page 1 meets history by itself
        shelf.high = 80
        visit = await w.visit()
        assert (len(visit.new), visit.complete, visit.gap_open) == (10, False, True)
        assert any("script" in x for x in visit.warnings)
        assert not [r for r in w.requests() if "javascript" in r or "turn" in r]


async def test_case_025_fragments_are_not_followed_as_pages(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        bar = "<div class=pages><a class=on href='#1'>1</a> <a href='#2'>2</a> <a href='#2'>下一页</a></div>"
        shelf = Shelf(60, lambda page, pages: bar)
        w.served.fault("^/news/", shelf)
        await w.visit()
        shelf.high = 75
        visit = await w.visit()
        assert w.requests() == ["/news/"]
        assert len(visit.new) == 10 and not visit.complete


async def test_case_031_two_lists_keep_histories_of_their_own(tmp_path: Path) -> None:
    newest = {"city": 60, "sport": 60}
    async with watching(tmp_path) as w:
        w.served.fault("^/news/", two_lists(newest))
        await w.visit()
        newest["sport"] = 75
        visit = await w.visit()
        assert w.paths(visit) == {f"/sport/{n}.html" for n in range(61, 76)} and visit.complete
        assert sorted(len(s.pages) if isinstance(s.pages, tuple) else s.pages for s in visit.series) == [1, 2]


async def test_case_034_a_last_page_of_one_row_is_no_empty_page(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        shelf = Shelf(18)
        w.served.fault("^/news/", shelf)
        await w.visit()
        shelf.low, shelf.high = 18, 39  # 21 rows: the third page has one
        visit = await w.visit()
        assert w.paths(visit) == stories(*range(19, 40))
        assert (visit.outcome, visit.complete) == ("end-of-series", True)
        assert [p.links for p in visit.pages][-1] == 1


async def test_case_038_a_challenge_between_two_visits_changes_nothing(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        await w.visit()
        before = w.index
        made = w.site.publish(2)
        page = CHALLENGE.replace(b"</body>", b"<!--" + b"x" * 5000 + b"--></body>")
        w.served.fault("/news/", lambda _: (200, page, HTML))
        bad = await w.visit()
        assert (bad.outcome, bad.new, bad.complete) == ("blocked", (), False)
        assert w.index.series == before.series
        told = ("counts", "links", "episodes", "dated")
        assert [w.index.cadence[x] for x in told] == [before.cadence[x] for x in told]
        assert w.index.failures == 1
        w.served.faults.clear()
        good = await w.visit()
        assert w.paths(good) == paths(made) and good.complete


async def test_case_040_kinds_of_refusal_are_told_apart(tmp_path: Path) -> None:
    plain = b"<html><title>403 Forbidden</title><h1>403 Forbidden</h1>"
    said = []
    async with watching(tmp_path) as w:
        await w.visit()
        for status, body in ((403, CHALLENGE), (403, plain), (503, CHALLENGE)):
            w.served.fault("/news/", lambda _, s=status, b=body: (s, b, {**HTML, "Server": "shield"}))  # type: ignore[misc]
            visit = await w.visit()
            w.served.faults.clear()
            assert visit.outcome == "blocked" and visit.requests == 1
            said.append(visit.warnings[0])
    assert all(str(status) in text for status, text in zip((403, 403, 503), said, strict=True))
    assert "Just a moment" in said[0] and "Just a moment" in said[2] and "Just a moment" not in said[1]


@pytest.mark.parametrize("redirected", [True, False])
async def test_case_041_a_consent_wall_is_no_list_and_no_new_address(
    tmp_path: Path, redirected: bool
) -> None:
    wall = (
        b"<title>Before you continue</title><h1>Before you continue</h1><p>We and our partners use cookies.</p>"
        b"<form><button>Accept all</button></form>"
    )
    async with watching(tmp_path) as w:
        await w.visit()
        url = w.index.url
        if redirected:
            w.served.fault("^/news/", lambda _: (302, b"", {"Location": "/consent/collect?return=/news/"}))
            w.served.fault("^/consent/", lambda _: (200, b"<title>x</title><p>One click.</p>", HTML))
        else:
            w.served.fault("^/news/", lambda _: (200, wall, HTML))
        visit = await w.visit()
        assert (visit.outcome, visit.new) == ("blocked", ())
        assert "consent" in visit.warnings[0]
        assert w.index.url == url


async def test_case_043_a_redesign_is_found_again_without_a_flood(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        shelf = Shelf(60)
        w.served.fault("^/news/", shelf)
        await w.visit()
        shelf.high, shelf.tag = 62, "ol"
        shelf.wrap = '<div class="x1"><article class="k9f">{}</article></div>'
        visit = await w.visit()
        assert w.paths(visit) == stories(61, 62) and visit.complete
        assert any("another place" in x for x in visit.warnings)


async def test_case_043_a_list_that_is_gone_is_an_alert_and_never_the_whole_page(tmp_path: Path) -> None:
    links = "".join(f'<a href="/about/{n}">About us, part {n}</a> ' for n in range(12))
    async with watching(tmp_path) as w:
        w.served.fault("^/news/", Shelf(60))
        await w.visit()
        w.served.faults.clear()
        w.served.fault("^/news/", lambda _: respond(document(f"<h1>欢迎</h1><footer>{links}</footer>")))
        visits = [await w.visit() for _ in range(3)]
        assert [v.outcome for v in visits] == ["empty"] * 3
        assert not any(v.new for v in visits)
        assert any("3" in x and "in a row" in x for x in visits[-1].warnings), visits[-1].warnings


async def test_case_046_a_stale_static_list_is_no_silent_success(tmp_path: Path) -> None:
    site = NewsSite([Section("news", "zh", 10)], start=datetime.now(UTC) - timedelta(days=1100))
    site.publish(30)
    async with watching(tmp_path, site) as w:
        visit = await w.visit()
        assert any("looks stale" in x for x in visit.warnings)


async def test_case_067_a_date_ahead_is_not_given_out_and_spoils_no_order(tmp_path: Path) -> None:
    async with watching(tmp_path, options=IndexOptions(timezone="Asia/Shanghai")) as w:
        await w.visit()
        [ahead] = w.site.publish(1, at=datetime.now(UTC) + timedelta(days=3))
        visit = await w.visit()
        [link] = visit.new
        assert w.paths(visit) == paths([ahead])
        assert link.published_at is None
        assert w.index.series[0].order == "newest-first"
        assert visit.complete


async def test_case_068_links_of_one_day_come_in_the_order_of_the_list(tmp_path: Path) -> None:
    def answer(path: str) -> Answer:
        rows = "".join(
            f'<li><a href="/city/{n}.html">港口扩建方案公布第{n}号</a> <i>2026-01-03</i></li>'
            for n in range(newest, 0, -1)
        )
        return respond(document(f"<ul class=rows>{rows}</ul>"))

    newest = 12
    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        newest = 20
        visit = await w.visit()
        assert [x.rank for x in sorted(visit.new, key=lambda x: x.rank)] == list(range(1, 9))
        by_rank = [x.url.removeprefix(w.served.base) for x in sorted(visit.new, key=lambda x: x.rank)]
        assert by_rank == [f"/city/{n}.html" for n in range(20, 12, -1)]


async def test_case_070_an_oldest_first_list_is_read_from_its_end(tmp_path: Path) -> None:
    site = NewsSite([Section("news", "zh", SIZE, oldest_first=True)])
    site.publish(97)  # ten pages
    async with watching(tmp_path, site) as w:
        await w.visit()
        made = w.site.publish(2)
        visit = await w.visit()
        assert w.paths(visit) == paths(made) and visit.complete and visit.requests <= 3
        made = w.site.publish(5)  # four of them begin page 11
        visit = await w.visit()
        assert w.paths(visit) == paths(made) and visit.complete and visit.requests <= 4
        assert w.index.series[0].order == "oldest-first"


async def test_case_074_a_wrong_charset_header_is_not_believed(tmp_path: Path) -> None:
    text = document(block("city", 30, 1, pager(lambda n: f"/news/?page={n}", 1, 3)))
    async with watching(tmp_path) as w:
        w.served.fault("^/news/", lambda _: (200, text.encode("gb18030"), HTML))
        visit = await w.visit(Ask(backfill=10))
        assert len(visit.new) == 10
        assert all(x.title.endswith(f"（第{x.url.rpartition('/')[2][:-5]}号）") for x in visit.new)
        assert w.index.learnt.get("encoding") in (None, "gb18030")


async def test_case_073_an_undeclared_list_in_gbk_is_read_from_its_titles(tmp_path: Path) -> None:
    text = document(f'<ul class="rows">{"".join(row("city", n) for n in range(6, 0, -1))}</ul>')
    async with watching(tmp_path) as w:
        w.served.fault("^/news/", lambda _: (200, text.encode("gbk"), {"Content-Type": "text/html"}))
        visit = await w.visit(Ask(backfill=6))
        assert sorted(x.title[-5:] for x in visit.new) == sorted(f"（第{n}号）" for n in range(1, 7))
