"""Kinds of faults in what counts as the same link: URLs that change as a whole, and what must stay apart."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from recrawler.demo.server import Answer
from recrawler.records import IndexOptions
from recrawler.urls import identity_key
from tests.test_cases_completion import rows_page
from tests.test_cases_links import day, listing, title
from tests.test_series import pager
from tests.watching import watching

SITES = IndexOptions(
    sites=({"url": "example.com", "policy": "SameTLD"}, {"url": "example.org", "policy": "SameTLD"})
)
WWW = "http://www.example.com"
Url = Callable[[int], str]


def token() -> str:
    return "".join(random.Random().choices("abcdefghijklmnop0123456789", k=10))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            lambda n: f"/city/{n}.html", lambda n: f"/city/{n}.html?from=list", id="parameter_added"
        ),
        pytest.param(lambda n: f"/city/{n}.html?p=1", lambda n: f"/city/{n}.html", id="parameter_gone"),
        pytest.param(lambda n: f"/show?id={n}&c=1", lambda n: f"/show?c=1&id={n}", id="order_of_parameters"),
        pytest.param(lambda n: f"/city/{n}/", lambda n: f"/city/{n}/index.html", id="index_page_named"),
        pytest.param(lambda n: f"/city/{n}.html", lambda n: f"/x/..//city/{n}.html", id="double_slash"),
        pytest.param(lambda n: f"/city/{n}.html", lambda n: f"/2026/x/{n}.html", id="folder_moved"),
        pytest.param(
            lambda n: f"{WWW}/a/{n}.html", lambda n: f"http://m.example.com/a/{n}.html", id="mobile_host"
        ),
        pytest.param(
            lambda n: f"{WWW}/a/{n}.html", lambda n: f"https://www.example.org/a/{n}.html", id="other_domain"
        ),
        pytest.param(lambda n: f"{WWW}/a/{n}", lambda n: f"{WWW}/a/{n}/amp/", id="amp"),
        pytest.param(
            lambda n: f"/list.php?id={n}&tk={token()}", lambda n: f"/list.php?id={n}&tk={token()}", id="token"
        ),
    ],
)
async def test_kind_all_urls_of_a_list_change_at_once(tmp_path: Path, before: Url, after: Url) -> None:
    """Nothing is new but what is new, then and later; also for links that no first page has shown lately."""
    newest, url = [60], [before]

    def answer(path: str) -> Answer:
        page = int(path.partition("page=")[2] or 1)
        rows = [(url[0](k), title(k), day(k)) for k in range(newest[0] - (page - 1) * 20, 0, -1)][:20]
        return rows_page(rows, pager(lambda n: f"/news/?page={n}", page, -(-newest[0] // 20)))

    async with watching(tmp_path, options=SITES) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        url[0] = after
        for more in (1, 0, 2, 1, 9, 15, 3):
            newest[0] += more
            visit = await w.visit()
            assert {x.title for x in visit.new} == {title(newest[0] - k) for k in range(more)}
            assert visit.complete and len(visit.new) == more
        assert [x.status for x in w.emitted] == ["new"] * 31


async def test_kind_changed_urls_are_told_of_once(tmp_path: Path) -> None:
    folder = ["city"]
    async with watching(tmp_path) as w:
        w.served.fault("^/news/", listing(lambda n: f"/{folder[0]}/{n}.html", lambda: 40))
        await w.visit()
        folder[0] = "town"
        assert any("20 are known by their titles" in x for x in (await w.visit()).warnings)
        assert not (await w.visit()).warnings


async def test_kind_an_audit_after_urls_have_changed_finds_no_archive(tmp_path: Path) -> None:
    folder = ["city"]

    def answer(path: str) -> Answer:
        page = int(path.partition("page=")[2] or 1)
        numbers = range(100 - (page - 1) * 20, 100 - page * 20, -1)
        rows = [(f"/{folder[0]}/{k}.html", title(k), day(k)) for k in numbers]
        return rows_page(rows, pager(lambda n: f"/news/?page={n}", page, 5))

    async with watching(tmp_path, audit_every=2, audit_pages=2, baseline_pages=3) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        folder[0] = "town"
        for _ in range(4):
            visit = await w.visit()
            assert not visit.new and visit.complete


@pytest.mark.parametrize("dated", [True, False])
async def test_kind_other_articles_under_recurring_titles_are_new(tmp_path: Path, dated: bool) -> None:
    """All rows are gone and all have come; their titles recur, on other days or under other numbers."""
    week = [1]

    def answer(_: str) -> Answer:
        rows = [
            (f"/jobs/{week[0] * 100 + k}.html", title(k)[:-5], day(56 * week[0] - k) if dated else "")
            for k in range(12)
        ]
        return rows_page(rows)

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        week[0] = 2
        assert len((await w.visit()).new) == 12


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://n.example/a%2Fb.html", "http://n.example/a/b.html"),
        ("http://n.example/a%23b", "http://n.example/a#b"),
        ("http://n.example/a%3Fb", "http://n.example/a?b"),
        ("http://n.example/a%3Bb", "http://n.example/a;b"),
        ("http://n.example/a+b", "http://n.example/a%20b"),
        ("http://n.example/#!/a", "http://n.example/#!/b"),
        ("http://n.example/A", "http://n.example/a"),
        ("http://n.example/a?id=1", "http://n.example/a?ID=1"),
        ("http://n.example:8080/a", "http://n.example/a"),
        ("http://blog.n.example/a", "http://n.example/a"),
    ],
)
def test_kind_what_may_be_another_article_is_kept_apart(one: str, other: str) -> None:
    assert identity_key(one) != identity_key(other)


@pytest.mark.parametrize(
    "other",
    [
        "  http://n.example/a.html\n",
        "http://n.example/a\n.html",
        "http:\\\\n.example\\a.html",
        "http://reader:secret@n.example/a.html",
        "http://n.example/%61.html",
        "http://n.example:80/a.html",
        "https://n.example:443/a.html",
        "http://n.example/b/%2e%2e/a.html",
        "http://n.example/a.html#:~:text=harbour",
        "http://n.example/a.html?",
        "http://n.example/a.html?UTM_Source=rss&utm_medium=feed",
    ],
)
def test_kind_spellings_of_one_url_are_one(other: str) -> None:
    assert identity_key(other) == identity_key("http://n.example/a.html")


async def test_kind_single_slugs_that_change_are_updates_after_a_move_too(tmp_path: Path) -> None:
    """Five of twenty articles get new slugs: they are told as updated, before the site moves and after it."""
    folder, slugs = ["city"], {}

    def url(n: int) -> str:
        return f"/{folder[0]}/{slugs.get(n, 'story')}-of-number-{n}.html"

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", listing(url, lambda: 40))
        await w.visit()
        for folder[0], slug in (("city", "tale"), ("town", "tale"), ("town", "report")):
            moved = folder[0] == "town" and slug == "tale"
            slugs |= dict.fromkeys(range(30, 35), slug)
            assert [x.status for x in (await w.visit()).new] == ([] if moved else ["updated"] * 5)


async def test_kind_a_pinned_row_with_a_token_is_one_link(tmp_path: Path) -> None:
    """Two pinned rows carry a token that is another one at each request; the list beside them goes on."""
    newest = [40]

    def answer(_: str) -> Answer:
        pins = [
            (f"/pin/{k}.html?cb={k}0{token()}", f"Notice for readers, number {k}", day(k)) for k in (1, 2)
        ]
        news = [(f"/city/{k}.html", title(k), day(k)) for k in range(newest[0], newest[0] - 18, -1)]
        return rows_page([*pins, *news])

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        for newest[0] in (41, 41, 43):
            await w.visit()
        assert sorted(x.title for x in w.emitted) == sorted(title(k) for k in (41, 42, 43))


async def test_kind_numbers_are_no_tokens(tmp_path: Path) -> None:
    """An article under the title and day of one that has gone, with another number, is another one."""
    last = [5000]

    def answer(_: str) -> Answer:
        top = (f"/show?id={last[0]}", "Notice of the harbour board", day(200)[:10])
        return rows_page([top, *((f"/show?id={k}", title(k), day(k)[:10]) for k in range(40, 22, -1))])

    async with watching(tmp_path) as w:
        w.served.fault("^/news/", answer)
        await w.visit()
        last[0] = 5007
        assert len((await w.visit()).new) == 1
