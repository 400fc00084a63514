"""Visits of a served site, end to end below the command line: fetch, analysis, completion, store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recrawler.demo import NewsSite, Section
from recrawler.records import IndexOptions
from recrawler.visit import Ask
from tests.watching import paths, watching

EMPTY = b"<html><title>x</title><body><div id=main><ul></ul></div></body></html>"
CHALLENGE = (
    b"<html><head><title>Just a moment...</title></head><body><h1>Checking your browser before accessing</h1>"
    b"<form id=challenge-form action=/cdn-cgi/l/chk_jschl></form>"
    b"<noscript>Please enable JavaScript and cookies</noscript></body></html>"
)
HTML = {"Content-Type": "text/html; charset=utf-8"}


async def test_first_visit_is_baseline_and_later_links_are_new(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        first = await w.visit()
        assert (first.outcome, first.complete, first.new) == ("first-visit", True, ())
        made = w.site.publish(3)
        visit = await w.visit()
        assert w.paths(visit) == paths(made)
        assert (visit.outcome, visit.complete, visit.requests) == ("met-history", True, 1)


async def test_links_carry_where_they_were_found(tmp_path: Path) -> None:
    options = IndexOptions(attributes={"desk": "zh"}, timezone="Asia/Shanghai")
    async with watching(tmp_path, options=options) as w:
        await w.visit()
        made = w.site.publish(14)
        visit = await w.visit()
        by_path = {x.url.removeprefix(w.served.base): x for x in visit.new}
        newest, oldest = by_path[made[-1].path], by_path[made[0].path]
        assert (newest.hop_path, newest.page, newest.rank, newest.title) == ("L", 1, 1, made[-1].title)
        assert (oldest.hop_path, oldest.page) == ("NL", 2)
        assert oldest.via == w.served.url("/news/list_2.html")
        assert newest.attributes == {"desk": "zh"}
        assert newest.published_at == made[-1].published.replace(second=0, microsecond=0)


async def test_nothing_new_costs_one_conditional_request(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        await w.visit()
        for _ in range(2):
            visit = await w.visit()
            assert (visit.outcome, visit.complete, visit.requests) == ("unchanged", True, 1)
        assert visit.pages[0].status == 304


@pytest.mark.parametrize("burst", [9, 25, 47])
async def test_a_burst_over_several_pages_with_a_pinned_post(tmp_path: Path, burst: int) -> None:
    async with watching(tmp_path) as w:
        w.site.pin(20)
        await w.visit()
        made = w.site.publish(burst)
        visit = await w.visit()
        assert w.paths(visit) == paths(made) and visit.complete
        # each page once, and those above the history a second time
        assert len(visit.pages) <= burst // 10 + 2 and visit.requests < 2 * len(visit.pages)


async def test_backfill_gives_the_newest_links_once(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        visit = await w.visit(Ask(backfill=5))
        assert w.paths(visit) == paths(w.site.main.articles[:5])
        assert not (await w.visit()).new


async def test_an_oldest_first_list_is_read_from_its_last_page(tmp_path: Path) -> None:
    site = NewsSite([Section("news", "en", 10, oldest_first=True)])
    site.publish(64)
    async with watching(tmp_path, site) as w:
        await w.visit()
        made = w.site.publish(9)
        visit = await w.visit()
        assert w.paths(visit) == paths(made) and visit.complete
        assert visit.requests <= 3
        assert (await w.visit()).complete


async def test_policy_filters_outputs_and_not_the_stop_test(tmp_path: Path) -> None:
    options = IndexOptions(output_substring="/nowhere/")
    async with watching(tmp_path, options=options) as w:
        await w.visit()
        w.site.publish(13)
        visit = await w.visit()
        assert (visit.new, visit.complete, visit.outcome) == ((), True, "met-history")
        assert visit.filtered == {"output-scope": 13}


@pytest.mark.parametrize(
    ("body", "status", "outcome"),
    [(CHALLENGE, 200, "blocked"), (CHALLENGE, 503, "blocked"), (b"no", 403, "blocked"),
     (b"no", 500, "fetch-failed"), (b"gone", 404, "fetch-failed"), (EMPTY, 200, "empty"),
     (b"", 200, "empty")],
)  # fmt: skip
async def test_a_page_without_a_list_is_not_no_news(
    tmp_path: Path, body: bytes, status: int, outcome: str
) -> None:
    async with watching(tmp_path) as w:
        await w.visit()
        made = w.site.publish(2)
        w.served.fault("/news/", lambda _: (status, body, HTML))
        bad = await w.visit()
        assert (bad.outcome, bad.complete, bad.new) == (outcome, False, ())
        assert bad.warnings and w.index.failures == 1
        w.served.faults.clear()
        good = await w.visit()
        assert w.paths(good) == paths(made) and good.complete and w.index.failures == 0


async def test_case_013_a_walk_that_breaks_off_is_taken_up_again(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        await w.visit()
        made = w.site.publish(45)
        w.served.fault("list_3", lambda _: (500, b"no", HTML))
        broken = await w.visit()
        assert (broken.outcome, broken.complete, broken.gap_open) == ("fetch-failed", False, True)
        assert w.index.failures == 0  # the news of two pages were read
        assert len(broken.new) == 20
        w.served.faults.clear()
        made += w.site.publish(1)
        closed = await w.visit()
        assert closed.complete and w.index.gap_since is None, closed
        assert sorted(x.url for x in w.emitted) == sorted(w.served.url(p) for p in paths(made))


async def test_gaps_are_listed_until_they_are_closed(tmp_path: Path) -> None:
    """A gap deeper than the limit is closed by the visits after it, each of which takes the walk up."""
    async with watching(tmp_path, max_pages=2) as w:
        await w.visit()
        made = w.site.publish(45)
        assert (await w.visit()).outcome == "page-limit"
        assert [v.outcome for v in w.store.visits(gaps=True)] == ["page-limit"]
        made += w.site.publish(3)
        for _ in range(10):
            visit = await w.visit()
            assert len(visit.pages) <= 3  # two, and the one at which the walk is taken up
            if visit.complete:
                break
        assert visit.outcome == "met-history" and not list(w.store.visits(gaps=True))
        assert sorted(x.url for x in w.emitted) == sorted(w.served.url(p) for p in paths(made))
        assert w.index.gap_since is None and "gaps_lost" not in w.index.learnt
        assert (await w.visit()).outcome == "unchanged"


async def test_a_gap_that_no_visit_can_close_is_given_up_and_counted(tmp_path: Path) -> None:
    async with watching(tmp_path, max_pages=1) as w:
        await w.visit()
        w.site.publish(35)
        for _ in range(4):  # one opens it, three bring nothing
            assert (await w.visit()).gap_open
        assert (await w.visit()).complete
        assert w.index.gap_since is None and w.index.learnt["gaps_lost"] == 1


async def test_a_refused_connection_says_so(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        await w.visit()
        w.served.fault("/news/", lambda _: None)
        visit = await w.visit()
        assert visit.outcome == "fetch-failed" and "/news/" in visit.warnings[0]
        assert visit.pages[0].status < 0


async def test_case_004_audits_find_back_dated_articles_and_count_them(tmp_path: Path) -> None:
    async with watching(tmp_path, audit_every=2, audit_pages=4) as w:
        await w.visit()
        await w.visit()
        late = w.site.backdate(23)
        found = set()
        for _ in range(4):
            visit = await w.visit()
            found |= {(x.url, x.status) for x in visit.new}
        assert found == {(w.served.url(late.path), "backdated")}


@pytest.mark.parametrize("updates", ["report", "hide"])
async def test_case_061_an_article_under_a_new_url_is_updated_not_new(tmp_path: Path, updates: str) -> None:
    async with watching(tmp_path, options=IndexOptions(updates=updates)) as w:
        await w.visit()
        renamed = w.site.rename(4)
        made = w.site.publish(2)
        visit = await w.visit()
        expected = {(a.path, "new") for a in made}
        if updates == "report":
            expected.add((renamed.path, "updated"))
        assert {(x.url.removeprefix(w.served.base), x.status) for x in visit.new} == expected
        assert not (await w.visit()).new


@pytest.mark.parametrize(("articles", "settled"), [(0, False), (4, True)])
async def test_articles_prove_the_order_of_a_list_without_dates(
    tmp_path: Path, articles: int, settled: bool
) -> None:
    site = NewsSite([Section("news", "en", 10, dated=False)])
    site.publish(60)
    async with watching(tmp_path, site, fetch_articles=articles) as w:
        await w.visit()
        made = w.site.publish(3)
        visit = await w.visit()
        assert w.paths(visit) == paths(made)
        assert visit.complete is settled and len(visit.pages) == (1 if settled else 2)


async def test_a_later_page_that_is_as_it_was_settles_nothing(tmp_path: Path) -> None:
    """Page 2 answers with the same error at every visit: the walk still breaks off there."""
    async with watching(tmp_path) as w:
        w.served.fault("list_2", lambda _: (404, b"<h1>not here</h1>", {**HTML, "ETag": '"same"'}))
        await w.visit()
        w.site.publish(25)
        visit = await w.visit()
        assert (visit.outcome, visit.complete, len(visit.new)) == ("fetch-failed", False, 10)


async def test_the_zone_is_learnt_from_rows_that_seem_to_be_of_the_future(tmp_path: Path) -> None:
    """The site's dates are of +08:00 and nothing says so."""
    site = NewsSite([Section("news", "zh", 10)], start=datetime.now(UTC) - timedelta(hours=30))
    while site.clock < datetime.now(UTC) - timedelta(minutes=50):
        site.publish(1)
    async with watching(tmp_path, site) as w:
        await w.visit()
        assert w.index.learnt["timezone"] == "+08:00"
        [made] = w.site.publish(1, at=datetime.now(UTC) - timedelta(minutes=2))
        [link] = (await w.visit()).new
        assert link.published_at == made.published.replace(second=0, microsecond=0)
