"""Cases of real faults in what counts as the same link, and in what is given out. The number is that of the case."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from recrawler.demo.server import Answer
from recrawler.records import IndexOptions
from recrawler.settings import Settings
from recrawler.urls import KeyOptions, identity_key
from recrawler.visit.gate import Gate
from recrawler.visit.twins import variants
from tests.test_cases_completion import rows_page
from tests.test_series import START, TITLES, pager
from tests.watching import Watch, watching

HOST = "http://127.0.0.1"


def day(n: int) -> str:
    return f"{START + timedelta(hours=3 * n):%Y-%m-%d %H:%M}"


def title(n: int) -> str:
    return f"{TITLES[n % len(TITLES)]}（第{n}号）"


def listing(url: Callable[[int], str], newest: Callable[[], int], size: int = 20) -> Callable[[str], Answer]:
    """One page of rows; `url` gives the link of each number."""

    def answer(_: str) -> Answer:
        n = newest()
        return rows_page([(url(k), title(k), day(k)) for k in range(n, n - size, -1)])

    return answer


async def test_case_049_links_to_other_sites_are_counted_and_kept_back(tmp_path: Path) -> None:
    newest = [40]

    def url(n: int) -> str:
        return f"https://ads{n}.example/{n}.html" if n in (52, 57) else f"/city/{n}.html"

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", listing(url, lambda: newest[0]))
        await w.visit()
        newest[0] = 58
        visit = await w.visit()
        assert len(visit.new) == 16 and not any("ads" in x.url for x in visit.new)
        assert visit.filtered == {"follow-policy": 2} and visit.to_json()["filtered"] == 2


@pytest.mark.parametrize(
    "other",
    ["/a/1.html?utm_source=a", "/a/1.html?spm=1.2.3", "/a/1.html#comments", "//NEWS.example/a/1.html"],
)
def test_case_052_tracking_fragments_and_case_make_no_new_link(other: str) -> None:
    href = "http:" + other if other.startswith("//") else "http://news.example" + other
    assert identity_key(href) == identity_key("http://news.example/a/1.html")


def test_case_052_unknown_parameters_are_kept_and_a_user_can_drop_them() -> None:
    one, other = "http://news.example/a?q=1&from=list", "http://news.example/a?q=1"
    assert identity_key(one) != identity_key(other)
    told = KeyOptions(strip_params=("from",))
    assert identity_key(one, told) == identity_key(other, told)
    assert identity_key("http://news.example/a?q=1") != identity_key("http://news.example/a?q=2")


async def test_case_052_the_first_url_seen_is_kept(tmp_path: Path) -> None:
    newest, tail = [40], [""]
    async with watching(tmp_path) as w:
        w.served.fault("^/news/", listing(lambda n: f"/city/{n}.html{tail[0]}", lambda: newest[0]))
        await w.visit()
        for tail[0] in ("?utm_source=a", "?spm=1.2.3", "#comments"):
            assert not (await w.visit()).new
        key = identity_key(w.served.url("/city/40.html"))
        assert w.store.known(w.index_id, "main", [key])[key].url == w.served.url("/city/40.html")


async def test_case_053_a_site_that_flips_to_www_and_https_has_nothing_new(tmp_path: Path) -> None:
    newest = [40]
    flip = [lambda n: f"http://example.com/city/{n}" if n % 2 else f"https://www.example.com/city/{n}"]
    options = IndexOptions(policy="same-domain", sites=({"url": "example.com", "policy": "SameTLD"},))
    async with watching(tmp_path, options=options) as w:
        w.served.fault("^/news/", listing(lambda n: flip[0](n), lambda: newest[0]))
        await w.visit()
        flip[0] = lambda n: f"https://www.example.com/city/{n}"
        visit = await w.visit()
        assert (visit.new, visit.complete) == ((), True)
        assert w.index.learnt["twins"] == ["example.com"]
        newest[0] = 43
        flip[0] = lambda n: f"http://example.com/city/{n}"
        visit = await w.visit()
        assert {x.url for x in visit.new} == {f"http://example.com/city/{n}" for n in (41, 42, 43)}


async def test_case_053_twins_in_one_list_are_one_link(tmp_path: Path) -> None:
    """Each article stands twice on the page, under both hosts."""
    newest = [20]
    options = IndexOptions(sites=({"url": "example.com", "policy": "SameTLD"},))

    def answer(_: str) -> Answer:
        numbers = range(newest[0], newest[0] - 10, -1)
        hosts = ("http://example.com", "https://www.example.com")
        return rows_page([(f"{h}/city/{n}", title(n), day(n)) for n in numbers for h in hosts])

    async with watching(tmp_path, options=options) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        newest[0] = 22
        assert len((await w.visit()).new) == 2


def test_case_055_an_empty_path_is_a_slash_and_others_are_kept() -> None:
    assert identity_key("http://h.example") == identity_key("http://h.example/")
    assert identity_key("http://h.example/a") != identity_key("http://h.example/a/")
    assert "http://h.example/a/" in variants("http://h.example/a")
    assert variants("http://127.0.0.1/a.html") == ()


async def test_case_055_slashes_are_one_page_where_the_title_says_so(tmp_path: Path) -> None:
    """All links get a slash; and one of them stands beside another article with one."""
    newest, slash = [40], [""]

    def answer(_: str) -> Answer:
        rows = [(f"/city/{k}{slash[0]}", title(k), day(k)) for k in range(newest[0], newest[0] - 20, -1)]
        if slash[0]:
            rows.insert(0, ("/city/39", "Another article altogether", day(newest[0] + 1)))
        return rows_page(rows)

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        slash[0] = "/"
        assert not (await w.visit()).new  # /city/39 is known; /city/39/ stands under its title


async def test_case_061_the_number_names_the_article_whatever_its_slug(tmp_path: Path) -> None:
    newest, slug = [40], {35: "old"}

    def url(n: int) -> str:
        return f"/2026/{84000 + n}-{slug.get(n, 'story')}.html"

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", listing(url, lambda: newest[0]))
        await w.visit()
        slug[35] = "new"
        newest[0] = 41
        visit = await w.visit()
        assert {(x.url.rpartition("/")[2], x.status) for x in visit.new} == {
            ("84041-story.html", "new"), ("84035-new.html", "updated"),
        }  # fmt: skip


@pytest.mark.parametrize(("updates", "events"), [("report", 0), ("titles", 3)])
async def test_case_062_an_edited_title_is_no_new_link(tmp_path: Path, updates: str, events: int) -> None:
    count = [0]

    def answer(_: str) -> Answer:
        rows = [(f"/city/{k}.html", title(k), day(k)) for k in range(40, 20, -1)]
        rows[3] = (rows[3][0], f"{rows[3][1]} ({count[0]})", rows[3][2])
        return rows_page(rows)

    async with watching(tmp_path, options=IndexOptions(updates=updates)) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        for count[0] in (1, 2, 3):
            await w.visit()
        assert [x.status for x in w.emitted] == ["updated"] * events
        assert len({x.event_id for x in w.emitted}) == events
        assert all(x.title.endswith(f"({n})") for n, x in enumerate(w.emitted, 1))
        assert not (await w.visit()).new


async def test_case_067_a_future_date_is_not_given_out(tmp_path: Path) -> None:
    base = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    newest = [0]

    def answer(_: str) -> Answer:
        rows = [
            (f"/city/{k}.html", title(k), f"{base - timedelta(hours=newest[0] - k + 1):%Y-%m-%d %H:%M}")
            for k in range(newest[0], newest[0] - 20, -1)
        ]
        ahead = (
            f"/city/ahead{newest[0]}.html",
            "A race of next week",
            f"{base + timedelta(days=3):%Y-%m-%d %H:%M}",
        )
        return rows_page([ahead, *rows])

    async with watching(tmp_path, options=IndexOptions(timezone="UTC")) as w:
        w.served.fault("^/news/", answer)
        newest[0] = 40
        await w.visit()
        newest[0] = 42
        visit = await w.visit()
        by_path = {x.url.removeprefix(w.served.base): x for x in visit.new}
        assert set(by_path) == {"/city/41.html", "/city/42.html", "/city/ahead42.html"}
        assert by_path["/city/ahead42.html"].published_at is None
        assert all(x.published_at is None or x.published_at <= datetime.now(UTC) for x in visit.new)
        assert visit.complete and w.index.series[0].order == "newest-first"


async def test_case_068_equal_dates_keep_the_order_of_the_list(tmp_path: Path) -> None:
    numbers = [list(range(30, 10, -1))]

    def answer(_: str) -> Answer:
        return rows_page([(f"/city/{k}.html", title(k), "2026-01-03") for k in numbers[0]])

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        numbers[0] = [35, 33, 31, 34, 32, *numbers[0]]
        await w.visit()
        told = [(x.url.rpartition("/")[2], x.rank) for _, x in w.store.links()]
        assert told == [("32.html", 5), ("34.html", 4), ("31.html", 3), ("33.html", 2), ("35.html", 1)]


def rewrite(w: Watch, sql: str, value: object) -> None:
    """Time that has gone by, as the database has it."""
    with w.store._db.write() as db:
        db.execute(sql, (value,))


@pytest.mark.parametrize("flood", ["flag", "hold"])
async def test_case_097_a_published_archive_is_flagged_and_no_flood_of_news(
    tmp_path: Path, flood: str
) -> None:
    """120 links with dates of the last days, never seen before, come in at once on top; three are news."""
    rows = [(f"/city/{k}.html", title(k), day(k)) for k in range(2000, 1900, -1)]

    def answer(path: str) -> Answer:
        page = int(path.partition("page=")[2] or 1)
        return rows_page(
            rows[(page - 1) * 20 : page * 20], pager(lambda n: f"/news/?page={n}", page, -(-len(rows) // 20))
        )

    async with watching(tmp_path, options=IndexOptions(flood=flood, max_pages=40)) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        rate = (await w.visit()).per_day
        rewrite(
            w,
            "UPDATE indexes SET series = json_set(series, '$[0].complete_at', ?)",
            f"{START + timedelta(hours=6000):%Y-%m-%dT%H:%M:%SZ}",
        )
        old = [(f"/archive/{k}.html", f"Restored: {title(k)}", day(1965 + k // 8)) for k in range(120, 0, -1)]
        rows[0:0] = [(f"/city/{k}.html", title(k), day(k)) for k in (2003, 2002, 2001)] + old
        visit = await w.visit()
        news = [x.url.rpartition("/")[2] for x in visit.new if x.status == "new"]
        assert sorted(news) == ["2001.html", "2002.html", "2003.html"]
        flagged = [x for x in visit.new if x.status == "backdated"]
        assert len(flagged) == (120 if flood == "flag" else 0)
        assert visit.filtered == ({} if flood == "flag" else {"flood": 120})
        assert any("archive" in x for x in visit.warnings)
        assert visit.per_day is None or rate is None or visit.per_day < 5 * rate  # the cadence is not upset
        assert not (await w.visit()).new


@pytest.mark.parametrize(("after", "status"), [(None, []), (30 * 86400.0, ["returned"])])
async def test_case_098_a_link_that_comes_back_after_a_long_absence(
    tmp_path: Path, after: float | None, status: list[str]
) -> None:
    numbers = list(range(40, 20, -1))

    def answer(_: str) -> Answer:
        return rows_page([(f"/city/{k}.html", title(k), day(k)) for k in numbers])

    async with watching(tmp_path, options=IndexOptions(returned=after)) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        numbers.remove(35)
        await w.visit()
        long_ago = w.site.clock.timestamp() - 90 * 86400
        rewrite(w, "UPDATE links SET last_seen = ? WHERE key LIKE '%/city/35.html'", long_ago)
        numbers.insert(0, 35)
        visit = await w.visit()
        assert [x.status for x in visit.new] == status and visit.complete
        assert not (await w.visit()).new


def admitted(index: str, link: str, **options: Any) -> bool:
    return Gate.of(index, IndexOptions(**options), Settings()).policy.admits(link)


def test_case_104_public_suffixes_are_no_common_site() -> None:
    """Hosts below gov.cn are sites of their own, and so are users of a host for all, unless its suffix is not to count; a
    host that has no registrable domain stands for itself, with a warning."""
    council = "https://www.gov.cn/zhengce/"
    assert not admitted(council, "https://www.beijing.gov.cn/a.html", policy="same-tld")
    assert admitted(council, "https://english.www.gov.cn/a.html", policy="same-tld")
    mine, yours = "https://x.github.io/news/", "https://y.github.io/a.html"
    assert not admitted(mine, yours, policy="same-tld")
    icann = ({"url": mine, "policy": "SameTLD", "psl": "icann"},)
    assert admitted(mine, yours, sites=icann)
    assert not admitted(council, "https://www.beijing.gov.cn/a.html", sites=({**icann[0], "url": council},))
    for host in ("http://10.0.0.1", "http://localhost"):
        gate = Gate.of(f"{host}/news/", IndexOptions(policy="same-tld"), Settings())
        assert gate.policy.admits(f"{host}/a.html") and not gate.policy.admits("http://10.0.0.2/a.html")
        assert gate.warnings


async def test_case_112_a_policy_or_an_expression_keeps_to_a_section(tmp_path: Path) -> None:
    def page(n: int) -> Answer:
        rows = [(f"/{('health', 'sport')[k % 2]}/{k}.html", title(k), day(k)) for k in range(n, 0, -1)]
        return rows_page(rows)

    section = IndexOptions(output_regex=r".*/health/.*")
    for path, options in (("/health/", IndexOptions(policy="same-dir")), ("/health/index.html", section)):
        folder = tmp_path / path.strip("/").replace("/", "-")
        folder.mkdir()
        async with watching(folder, options=options, path=path) as w:
            newest = [20]
            w.served.fault("^/health/", lambda _, newest=newest: page(newest[0]))
            await w.visit()
            newest[0] = 26
            visit = await w.visit()
            assert w.paths(visit) == {f"/health/{n}.html" for n in (22, 24, 26)}
            assert sum(visit.filtered.values()) == 3
