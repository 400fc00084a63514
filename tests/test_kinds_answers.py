"""Kinds of faults in what a server answers: redirects, validators, charsets, statuses; with what a visit makes of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recrawler.crawluri import Hop, index_candidate
from recrawler.demo.server import Answer, Served
from recrawler.fetch.politeness import parse_retry_after
from recrawler.records import IndexOptions, Visit
from recrawler.settings import Settings
from recrawler.visit.gate import Gate
from tests.test_cases_completion import rows_page
from tests.test_cases_links import day, title
from tests.test_series import pager
from tests.watching import Watch, watching

HTML = {"Content-Type": "text/html; charset=utf-8"}
Answers = Callable[[str, Served], Answer]


def rows(newest: int, size: int = 20) -> Answer:
    return rows_page([(f"/city/{k}.html", title(k), day(k)) for k in range(newest, newest - size, -1)])


def body(newest: int) -> bytes:
    return rows(newest)[1]


def sent_on(to: str, then: Callable[[], Answer], status: int = 301) -> Answers:
    """Every path but the target's leads there."""
    return lambda path, _: then() if path == to else (status, b"", {**HTML, "Location": to})


async def play(w: Watch, *answers: Answers) -> list[Visit]:
    """One visit for each answer."""
    now = [answers[0]]
    w.served.fault(".*", lambda path: now[0](path, w.served))
    visits = []
    for now[0] in answers:
        visits.append(await w.visit())
    return visits


def steady(answer: Answer) -> Answers:
    return lambda path, served: answer


async def test_kind_an_index_that_moved_goes_on_where_it_leads(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        moved = sent_on("/moved/", lambda: rows(41))
        first, second, third = await play(w, steady(rows(40)), moved, moved)
        assert [len(v.new) for v in (first, second, third)] == [0, 1, 0]
        assert second.complete and w.index.url.endswith("/news/")


@pytest.mark.parametrize("dated", [True, False])
async def test_kind_the_home_page_instead_of_the_list_is_no_news(tmp_path: Path, dated: bool) -> None:
    """Sites send on to their home page while a page is away: its list is another one, however it looks."""
    home = rows_page(
        [(f"/hot/{k}.html", f"Most read {title(k)}", day(k) if dated else "") for k in range(30)]
    )
    async with watching(tmp_path) as w:
        _, away, back = await play(w, steady(rows(40)), sent_on("/", lambda: home, 302), steady(rows(41)))
        assert (away.outcome, away.new, away.complete) == ("empty", (), False)
        assert any("home page" in x for x in away.warnings)
        assert len(back.new) == 1 and back.complete and len(w.index.series) == 1


async def test_kind_an_index_that_always_is_the_home_page_is_watched_as_it_is(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        first, second, all_new = await play(w, *(sent_on("/", lambda n=n: rows(n)) for n in (40, 41, 90)))
        assert any("home page" in x for x in first.warnings) and not second.warnings
        assert (len(second.new), len(all_new.new)) == (1, 20)


@pytest.mark.parametrize("policy", ["same-domain", "same-dir"])
def test_kind_an_index_that_leads_to_www_gives_out_what_stands_there(policy: str) -> None:
    def held(landed: str, link: str, featured: str | None = None) -> tuple[str, ...]:
        options = IndexOptions(policy=policy, featured=featured)
        gate = Gate.of("http://example.com/news/", options, Settings(), landed)
        return gate.kept_back(index_candidate("http://example.com/news/").child(link, Hop.NAVLINK))

    www = "https://www.example.com/news/"
    assert held(www, www + "1.html") == () == held(www, "http://example.com/news/1.html")
    assert held(www, "https://shop.example.com/news/1.html") == ("follow-policy",)
    assert held(www, www + "1.html", featured="http://example.com/news/") == ("follow-policy",)
    parked = "https://example.org/news/"
    assert held(parked, parked + "1.html") == ("follow-policy",)


async def test_kind_a_list_that_is_kept_back_whole_is_said(tmp_path: Path) -> None:
    away = rows_page([(f"https://else.example/{k}.html", title(k), day(k)) for k in range(40, 20, -1)])
    async with watching(tmp_path) as w:
        (first,) = await play(w, steady(away))
        assert any("all 20 links are kept back by follow-policy" in x for x in first.warnings)


@pytest.mark.parametrize(
    "answer",
    [
        (503, "<html>系统维护中</html>".encode(), {**HTML, "Retry-After": "1"}),
        (200, b"", HTML),
        (204, b"", {}),
        (200, "<html><title>维护</title><h1>系统维护中，请稍后访问</h1></html>".encode(), HTML),
        (304, b"", {"ETag": '"other"'}),
    ],
    ids=["503", "empty_body", "204", "maintenance", "304_unasked"],
)
async def test_kind_an_answer_without_a_list_changes_nothing(tmp_path: Path, answer: Answer) -> None:
    async with watching(tmp_path) as w:
        _, bad, good = await play(w, steady(rows(40)), steady(answer), steady(rows(41)))
        assert bad.outcome in ("empty", "fetch-failed") and not bad.new and not bad.complete
        assert [x.title for x in good.new] == [title(41)] and good.complete


async def test_kind_a_cache_that_goes_back_in_time_makes_no_news(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        visits = await play(w, *(steady(rows(n)) for n in (40, 45, 38, 45, 46)))
        assert [len(v.new) for v in visits] == [0, 5, 0, 0, 1]


@pytest.mark.parametrize(
    ("encoded", "content_type"),
    [
        (lambda b: b.decode().encode("gbk"), "text/html; charset=gbk"),
        (lambda b: b.decode().encode("gbk"), "text/html; charset=utf-8"),
        (lambda b: b.decode().encode("gb18030"), "text/html; charset=big5"),
        (lambda b: b.decode().encode("utf-16"), "text/html; charset=utf-8"),
        (lambda b: b"\xef\xbb\xbf" + b, "text/html; charset=gbk"),
        (lambda b: b, "text/html; charset=utf8mb4"),
        (lambda b: b, 'text/html;charset="utf-8"; charset=gbk'),
        (lambda b: b, "text/plain"),
        (lambda b: b, "application/octet-stream"),
        (lambda b: b.replace(b"<li>", b"<li>\0\x0b", 3).replace(b"<ul", b"\0\0<ul", 1), "text/html"),
    ],
    ids=["gbk", "gbk_as_utf8", "gb18030_as_big5", "utf16_as_utf8", "bom_as_gbk", "no_charset", "two_charsets",
         "text_plain", "octets", "nuls"],
)  # fmt: skip
async def test_kind_a_list_that_changes_its_coding_is_the_same_list(
    tmp_path: Path, encoded: Callable[[bytes], bytes], content_type: str
) -> None:
    async with watching(tmp_path) as w:
        other = (200, encoded(body(41)), {"Content-Type": content_type})
        _, changed, back = await play(w, steady(rows(40)), steady(other), steady(rows(42)))
        assert [x.title for x in changed.new] == [title(41)] and [x.title for x in back.new] == [title(42)]


async def test_kind_validators_that_lie_are_found_out(tmp_path: Path) -> None:
    """A server that answers 304 for ever is asked without condition after a while; one that gives one ETag to
    different pages is read."""

    def frozen(path: str, served: Served) -> Answer:
        if "if-none-match" in served.last_headers:
            return 304, b"", {"ETag": '"x"'}
        code, page, headers = rows(newest[0])
        return code, page, {**headers, "ETag": '"x"', "Last-Modified": "Sat, 16 Nov 2041 19:11:00 GMT"}

    newest = [40]
    async with watching(tmp_path) as w:
        await play(w, frozen)
        newest[0] = 41
        outcomes = [await w.visit() for _ in range(22)]
        assert sum(len(v.new) for v in outcomes) == 1

    async with watching(tmp_path / "b") as w:
        same = [(c, b, {**h, "ETag": 'W/"same"'}) for c, b, h in (rows(40), rows(41))]
        visits = await play(w, *map(steady, same))
        assert len(visits[1].new) == 1


def paged(newest: int, robots: Answer = (404, b"", HTML), fails: dict[int, Answer] | None = None) -> Answers:
    """A list of five pages; `fails`: what pages answer instead."""

    def answer(path: str, served: Served) -> Answer:
        if path == "/robots.txt":
            return robots
        page = int(path.partition("page=")[2] or 1)
        if fails and page in fails:
            return fails[page]
        there = range(newest - (page - 1) * 20, newest - page * 20, -1)
        cells = [(f"/city/{k}.html", title(k), day(k)) for k in there]
        return rows_page(cells, pager(lambda n: f"/news/?page={n}", page, 5))

    return answer


@pytest.mark.parametrize(
    "second",
    [
        (429, b"slow down", {**HTML, "Retry-After": "1"}),
        (500, b"x", HTML),
        (404, b"<h1>404</h1>", HTML),
        (302, b"", {**HTML, "Location": "/news/"}),
        (302, b"", {**HTML, "Location": "http://169.254.169.254/latest/meta-data/"}),
        (302, b"", {**HTML, "Location": "http://2852039166/"}),
        (302, b"", {**HTML, "Location": "http://[::ffff:169.254.169.254]/"}),
        (302, b"", {**HTML, "Location": "ftp://a.example/"}),
        (200, b"", HTML),
    ],
    ids=[
        "429",
        "500",
        "404",
        "back_to_page_1",
        "metadata",
        "decimal_address",
        "mapped_address",
        "ftp",
        "empty",
    ],
)
async def test_kind_a_page_2_that_fails_leaves_a_gap_that_the_next_visit_closes(
    tmp_path: Path, second: Answer
) -> None:
    async with watching(tmp_path) as w:
        _, broken, whole = await play(w, paged(100), paged(150, fails={2: second}), paged(150))
        assert len(broken.new) == 20 and not broken.complete and broken.gap_open
        assert len(whole.new) == 30 and whole.complete and not whole.gap_open
        assert {x.title for x in w.emitted} == {title(k) for k in range(101, 151)}


RULES = "User-agent: *\nDisallow: /news/\n"


@pytest.mark.parametrize(
    ("robots", "outcome"),
    [
        (b"\xef\xbb\xbf" + RULES.encode(), "robots-denied"),
        (RULES.encode("utf-16"), "robots-denied"),
        (RULES.replace("\n", "\r").encode(), "robots-denied"),
        (RULES.replace("*", "RECRAWLER/9.9").encode(), "robots-denied"),
        (RULES.replace("*", "recrawlerbot").encode(), "first-visit"),
        (RULES.replace("/news/", "/*?page=").encode(), "first-visit"),
        (b"", "first-visit"),
    ],
    ids=["bom", "utf16", "cr", "our_name", "other_name", "page_2_only", "nothing"],
)
async def test_kind_robots_txt_as_editors_save_it(tmp_path: Path, robots: bytes, outcome: str) -> None:
    async with watching(tmp_path, robots=True) as w:
        (visit,) = await play(w, paged(100, (200, robots, {"Content-Type": "text/plain"})))
        assert visit.outcome == outcome


async def test_kind_paging_that_robots_txt_forbids_is_a_gap_only_where_it_is_needed(tmp_path: Path) -> None:
    robots = 200, RULES.replace("/news/", "/*?page=").encode(), {"Content-Type": "text/plain"}
    async with watching(tmp_path, robots=True) as w:
        _, few, many = await play(w, *(paged(n, robots) for n in (100, 105, 150)))
        assert (few.complete, len(few.new)) == (True, 5)
        assert (many.outcome, many.complete, len(many.new)) == ("robots-denied", False, 20)


async def test_kind_a_login_page_for_robots_txt_is_told_in_the_visit(tmp_path: Path) -> None:
    async with watching(tmp_path, robots=True) as w:
        login = 200, b"<html><body>Please log in</body></html>", HTML
        (visit,) = await play(w, paged(100, login))
        assert visit.complete and any("robots.txt is an HTML page" in x for x in visit.warnings)


@pytest.mark.parametrize(
    "lie", ["Thu, 01 Jan 1970 00:00:00 GMT", "Tue, 01 Jan 1980 00:00:01 GMT", "Sat, 16 Nov 2041 19:11:00 GMT"]
)
async def test_kind_a_modification_time_that_cannot_be_is_not_sent(tmp_path: Path, lie: str) -> None:
    """A cache with such a time answers 304 whenever it is asked with it."""

    def frozen(path: str, served: Served) -> Answer:
        if "if-modified-since" in served.last_headers:
            return 304, b"", {}
        code, html, headers = rows(newest[0])
        return code, html, {**headers, "Last-Modified": lie}

    newest = [40]
    async with watching(tmp_path) as w:
        await play(w, frozen)
        newest[0] = 41
        assert len((await w.visit()).new) == 1


async def test_kind_validators_are_renewed_each_for_itself(tmp_path: Path) -> None:
    """A 304 may bring a new ETag beside an old time; what a later 200 has not is not sent any more."""
    modified = "Mon, 02 Mar 2026 09:00:00 GMT"
    sent: list[tuple[str | None, str | None]] = []

    def answer(with_: dict[str, str], status: int = 200) -> Answers:
        def said(path: str, served: Served) -> Answer:
            headers = {k.lower(): v for k, v in served.last_headers.items()}
            sent.append((headers.get("if-none-match"), headers.get("if-modified-since")))
            return status, b"" if status == 304 else body(40 + len(sent)), {**HTML, **with_}

        return said

    async with watching(tmp_path) as w:
        await play(
            w,
            answer({"ETag": '"a"', "Last-Modified": modified}),
            answer({"ETag": '"b"'}, 304),
            answer({"Last-Modified": modified}),
            answer({}),
            answer({}),
        )
    assert sent == [(None, None), ('"a"', modified), ('"b"', modified), (None, modified), (None, None)]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120, 120", 120.0),
        ("120 , 240", 120.0),
        (" 90 ", 90.0),
        ("1.5", 1.5),
        ("-5", None),
        ("soon, 120", None),
        ("0", None),
        ("Sun, 01 Mar 2026 12:02:00 GMT", 120.0),
        ("Sun, 01 Mar 2026 12:02:00 GMT, Sun, 01 Mar 2026 12:02:00 GMT", 120.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", None),
    ],
)
def test_kind_retry_after_that_is_there_twice(value: str, seconds: float | None) -> None:
    now = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    assert parse_retry_after(value, None, now) == seconds
