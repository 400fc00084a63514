"""Cases of real faults in where a walk stops and what it keeps. The number is that of the case."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from recrawler.completion import Limits
from recrawler.demo import NewsSite, Section
from recrawler.demo.server import Answer
from recrawler.records import IndexOptions
from tests.listsim import ListSim, Watcher
from tests.test_series import START, block, document, pager, respond
from tests.watching import Watch, paths, watching

SIZE = 10


def rows_page(rows: list[tuple[str, str, str]], ways: str = "") -> Answer:
    """A list of (href, title, date)."""
    items = "".join(f'<li><a href="{u}">{t}</a> <span class="date">{d}</span></li>' for u, t, d in rows)
    return respond(
        document(f'<section class="city"><h2>city</h2><ul class="rows">{items}</ul>{ways}</section>')
    )


async def test_case_001_a_list_sorted_by_title_is_compared_whole(tmp_path: Path) -> None:
    """All rows of one day, sorted by title; new ones come in between."""
    names = list("ACEGIK")

    def answer(_: str) -> Answer:
        return rows_page(
            [
                (f"/city/{n.lower()}.html", f"{n} opinion of the court in full", "2026-03-02")
                for n in sorted(names)
            ]
        )

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        names += list("BDFH")
        visit = await w.visit()
        assert w.paths(visit) == {f"/city/{n}.html" for n in "bdfh"}
        assert visit.outcome == "unsorted-diff"
        assert "not sorted by time" in visit.series[0].why  # it says why no stop rule was trusted


def test_case_002_rows_of_one_day_scattered_among_known_ones() -> None:
    """13 of 18 rows of one date are known; five come in among them by name, and page 2 is old."""
    sim = ListSim(size=18, precision="day")
    sim.publish(10)
    sim.now += timedelta(days=3)
    sim.publish(13)
    w = Watcher(sim)
    w.visit()
    new = set(sim.publish(5))
    today = sorted(sim.posts[:18], key=lambda p: p.name[::-1])
    sim.posts[:18] = today
    seen = w.visit()
    assert seen.emitted() == new
    assert seen.pages == 2  # the guard page: dates tie across the end of page 1


def test_case_007_promoted_old_rows_do_not_end_the_walk() -> None:
    """16 promoted old links stand between the third and the twentieth new one."""
    sim = ListSim(size=20)
    sim.publish(120)
    w = Watcher(sim)
    w.visit(limits=Limits(baseline_pages=6))  # the promoted ones are all known
    promoted, sim.posts = sim.posts[60:76], sim.posts[:60] + sim.posts[76:]
    new = sim.publish(30)
    sim.posts[3:3] = promoted
    seen = w.visit()
    assert seen.emitted() == set(new) and seen.decision.complete


def test_case_008_pages_that_repeat_within_the_visit_are_not_history() -> None:
    """The list moves by a whole page while it is read, so page 2 equals page 1; page 3 has a new link yet."""
    sim = ListSim(size=5)
    sim.publish(60)
    w = Watcher(sim)
    w.visit()
    new = set(sim.publish(11))
    later: set[str] = set()

    def during(number: int) -> None:
        if number == 2 and not later:
            later.update(sim.publish(5))

    found = w.visit(during=during).emitted()
    assert new <= found | w.visit().emitted()
    assert new <= found  # all of page 3, though page 2 held nothing that was not on page 1


async def inclusive(w: Watch, newest: list[int]) -> None:
    """Each page begins with the last row of the page before; past the end that row comes for ever."""

    def answer(path: str) -> Answer:
        start = int(parse_qs(urlsplit(path).query).get("before", [f"n{newest[0]}"])[0][1:])
        numbers = range(start, max(start - SIZE, 0), -1)
        rows = [
            (
                f"/city/{n}.html",
                f"港口扩建方案公布（第{n}号）",
                f"{START + timedelta(hours=3 * n):%Y-%m-%d %H:%M}",
            )
            for n in numbers
        ]
        return rows_page(
            rows, f'<div class="pages"><a rel="next" href="/news/?before=n{numbers[-1]}">下一页</a></div>'
        )

    w.served.fault("^/news/", answer)


async def test_case_011_a_cursor_that_does_not_advance_ends_the_series(tmp_path: Path) -> None:
    newest = [30]
    async with watching(tmp_path, options=IndexOptions(max_pages=30)) as w:
        await inclusive(w, newest)
        first = await w.visit()
        assert first.outcome == "first-visit"
        newest[0] = 65
        visit = await w.visit()
        assert w.paths(visit) == {f"/city/{n}.html" for n in range(31, 66)}  # boundary repeats once only
        newest[0] = 200
        w.served.faults.clear()
        await inclusive(w, newest)
        assert len((await w.visit()).new) == 135
    async with watching(tmp_path / "b", options=IndexOptions(max_pages=30)) as w:
        await inclusive(w, [12])  # the end is reached: the last row comes again and again
        visit = await w.visit()
        assert visit.requests <= 4 and visit.outcome == "first-visit"


@pytest.mark.parametrize("href", ["page/{}/", "&amp;amp;p={}", "?&p={}"])
async def test_case_022_a_series_whose_addresses_grow_ends_and_says_so(tmp_path: Path, href: str) -> None:
    """Each page links to the next one below, or behind, its own address, and shows other rows."""
    count = [0]

    def answer(path: str) -> Answer:
        number = count[0] = count[0] + 1
        rows = [
            (f"/n/{n}.html", f"The council decides on ferry line {n} in full", "2026-03-02 10:00")
            for n in range(number * 10, number * 10 + 10)
        ]
        here = "" if href.startswith("page") else (path + "?" if "?" not in path else path)
        to = here + href.format(number + 1)
        return rows_page(
            rows,
            f'<div class=pager><b>{number}</b> <a href="{to}">{number + 1}</a> <a href="{to}">Next</a></div>',
        )

    async with watching(tmp_path, max_pages=30, baseline_pages=30) as w:
        w.served.fault("/news/", answer)
        visit = await w.visit()
        assert 2 <= len(visit.pages) <= 6, [p.url for p in visit.pages]
        assert all(len(p.url) < 120 for p in visit.pages)


async def test_case_013_a_daemon_that_is_killed_in_a_walk_leaves_no_hole(tmp_path: Path) -> None:
    """Pages 1 and 2 of five are read when page 3 hangs; nothing of that visit was written."""
    async with watching(tmp_path, visit_deadline=1) as w:
        await w.visit()
        made = w.site.publish(45)
        claim = w.store.claim(w.index_id, w.site.clock, 60)
        assert claim is not None
        await w.visitor.visit(claim.index)  # read, and then the process dies: no finish
        w.store.release(claim, w.site.clock)
        visit = await w.visit()
        assert w.paths(visit) == paths(made) and visit.complete
        assert not (await w.visit()).new


async def test_case_016_pages_kept_back_by_policy_do_not_end_the_walk(tmp_path: Path) -> None:
    """All of page 2 leads to another domain; page 3 has links of the site."""
    newest = [60]

    def answer(path: str) -> Answer:
        page = int(parse_qs(urlsplit(path).query).get("page", ["1"])[0])
        html = block("city", newest[0], page, pager(lambda n: f"/news/?page={n}", page, 9))
        if page == 2 and newest[0] > 60:
            html = html.replace('href="/city/', 'href="https://elsewhere.example/city/')
        return respond(document(html))

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        newest[0] = 85
        visit = await w.visit()
        assert {f"/city/{n}.html" for n in range(61, 66)} <= w.paths(visit)  # those of page 3
        assert visit.filtered == {"follow-policy": 10}
        assert len(visit.pages) >= 3


@pytest.mark.parametrize("start", [95, 100])
async def test_case_070_an_ascending_list_is_read_from_its_last_page(tmp_path: Path, start: int) -> None:
    """New links come on page 10, then on page 11."""
    site = NewsSite([Section("news", "en", 10, oldest_first=True)])
    site.publish(start)
    async with watching(tmp_path, site) as w:
        await w.visit()
        assert w.index.series[0].order == "oldest-first"
        for _ in range(3):
            made = w.site.publish(4)
            visit = await w.visit()
            assert w.paths(visit) == paths(made) and visit.complete
            assert len(visit.pages) <= 3


async def test_case_047_a_second_visit_says_what_it_saw_though_nothing_is_new(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        w.served.conditional = False
        first = await w.visit()
        assert len(first.new) == 0 and sum(p.links for p in first.pages) >= 20
        visit = await w.visit()
        told = visit.to_json()
        assert (told["new"], told["filtered"], told["known"]) == ([], 0, 10)
        assert told["pages"][0]["links"] >= 10 and told["outcome"] == "unchanged"


async def test_case_004_a_recall_counter_is_kept(tmp_path: Path) -> None:
    """One link is slipped in on page 4: an audit finds it, flags it, and counts it."""
    async with watching(tmp_path, audit_every=2, audit_pages=4) as w:
        await w.visit()
        await w.visit()
        made = w.site.publish(19)
        await w.visit()
        late = w.site.backdate(35)
        found = [x async for x in _visits(w, 3)]
        news = {(x.url.removeprefix(w.served.base), x.status) for v in found for x in v.new}
        assert news == {(late.path, "backdated")}
        assert [v.late for v in found if v.late] == [1]
        assert (w.index.found, w.index.late) == (len(made) + 1, 1)
        assert w.index.recall == 0.95
        figures = w.store.figures(w.site.clock)
        assert (figures.found, figures.late) == (20, 1) and figures.audits == w.index.audits


async def _visits(w: Watch, count: int):  # type: ignore[no-untyped-def]
    for _ in range(count):
        yield await w.visit()


def test_a_gap_says_where_the_next_visit_goes_on() -> None:
    w = Watcher(ListSim(), Limits(max_pages=3))
    w.sim.publish(60)
    w.visit()
    w.sim.publish(60)
    w.visit()
    assert w.memory.broken is not None and (w.memory.broken.url, w.memory.broken.number) == ("p3", 3)


def test_a_place_that_has_moved_is_found_again_further_up() -> None:
    """25 rows above the place are deleted: the page there shows older rows, and the walk goes back."""
    w = Watcher(ListSim(), Limits(max_pages=6))
    w.sim.publish(60)
    w.visit()
    new = set(w.sim.publish(90))
    found = w.visit().emitted()
    gone = {p.name for p in w.sim.posts[20:45]}
    del w.sim.posts[20:45]
    for _ in range(4):
        seen = w.visit()
        found |= seen.emitted()
    assert seen.decision.complete and new - gone <= found


def test_a_page_that_is_gone_costs_one_more_try_and_then_a_walk_from_the_top() -> None:
    w = Watcher(ListSim(), Limits(max_pages=4))
    w.sim.publish(60)
    w.visit()
    new = set(w.sim.publish(55))
    found = w.visit().emitted()
    for _ in range(2):
        found |= w.visit(fail_at=4).emitted()  # where the walk ended
    assert w.memory.broken is not None and w.memory.broken.url is None
    for _ in range(4):
        seen = w.visit()
        found |= seen.emitted()
    assert seen.decision.complete and found == new


Change = Callable[[ListSim], object]


@pytest.mark.parametrize("pace", [0.5, 20])
def test_a_row_that_moves_up_onto_page_1_is_not_lost(pace: float) -> None:
    """A row of page 1 is deleted before page 2 is read."""
    w = Watcher(ListSim())
    w.sim.publish(60)
    w.visit()
    new = set(w.sim.publish(14))
    gone = w.sim.posts[3].name
    seen = w.visit(during=lambda n: n == 2 and w.sim.posts[3].name == gone and w.sim.delete(3), pace=pace)  # type: ignore[arg-type,return-value]
    assert seen.emitted() == new and seen.decision.complete
