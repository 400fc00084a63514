"""Cases of real faults in what an answer means for a visit. The number is that of the case."""

from __future__ import annotations

from pathlib import Path

import pytest

from recrawler.demo import NewsSite
from recrawler.demo.server import Answer
from recrawler.records import IndexOptions
from tests.test_visit import CHALLENGE, HTML
from tests.watching import Watch, paths, watching

CONSENT = (
    b"<html><head><title>Before you continue</title></head><body><h1>We value your privacy</h1>"
    b"<p>We and our partners use cookies. Accept all cookies or manage your consent and privacy choices.</p>"
    b"<form action=/save><button>Accept all</button><button>Reject all</button></form></body></html>"
)


async def test_case_038_a_challenge_page_is_neither_no_news_nor_all_new(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        await w.visit()
        before = (await w.visit(), w.index.series)
        made = w.site.publish(2)
        page = CHALLENGE + b"<!-- " + b"x" * 5000 + b" -->"
        w.served.fault("^/news/", lambda _: (200, page, HTML))
        bad = await w.visit()
        assert (bad.outcome, bad.complete, bad.new) == ("blocked", False, ())
        assert (bad.per_day, w.index.series) == (before[0].per_day, before[1])
        waits = [(w.index.next_visit_at - bad.finished_at).total_seconds()]
        for _ in range(2):
            bad = await w.visit()
            waits.append((w.index.next_visit_at - bad.finished_at).total_seconds())
        assert waits[0] * 4 == waits[1] * 2 == waits[2]  # it backs off
        w.served.faults.clear()
        good = await w.visit()
        assert w.paths(good) == paths(made) and good.complete


@pytest.mark.parametrize(
    ("status", "body", "outcome", "evidence"),
    [
        (403, CHALLENGE, "blocked", ("HTTP 403", "bytes", "blocked page", "Just a moment")),
        (403, b"<h1>Forbidden</h1>", "blocked", ("HTTP 403", "18 bytes", "Forbidden")),
        (503, CHALLENGE, "blocked", ("HTTP 503", "blocked page", "says")),
        (503, b"<h1>Service Unavailable</h1>", "fetch-failed", ("HTTP 503", "28 bytes")),
    ],
)
async def test_case_040_blocks_and_plain_errors_are_told_apart_with_their_evidence(
    tmp_path: Path, status: int, body: bytes, outcome: str, evidence: tuple[str, ...]
) -> None:
    async with watching(tmp_path) as w:
        await w.visit()
        w.served.fault("^/news/", lambda _: (status, body, {**HTML, "Server": "shield"}))
        visit = await w.visit()
        assert visit.outcome == outcome and visit.requests == 1  # not tried again at once
        assert all(part in visit.warnings[0] for part in evidence), visit.warnings
        figures = w.store.figures(w.site.clock)
        host = w.served.base.partition("://")[2]
        assert figures.failing_hosts == ((host, outcome, 1),)


def consent_elsewhere(w: Watch) -> Answer:
    return 302, b"", {"Location": w.served.url("/consent/collect?return=%2Fnews%2F")}


@pytest.mark.parametrize("redirects", [False, True])
async def test_case_041_a_consent_wall_is_told_as_one_and_a_cookie_can_be_set(
    tmp_path: Path, redirects: bool
) -> None:
    async with watching(tmp_path) as w:
        await w.visit()
        url = w.index.url
        made = w.site.publish(2)
        if redirects:
            w.served.fault("^/news/", lambda _: consent_elsewhere(w))
        w.served.fault("^/(?:news|consent)/", lambda _: (200, CONSENT, HTML))
        visit = await w.visit()
        assert (visit.outcome, visit.new) == ("blocked", ())
        assert "consent" in visit.warnings[0] and ("redirect" in visit.warnings[0]) is redirects
        assert w.index.url == url
        w.served.faults.clear()
        w.store.set_options(w.index_id, IndexOptions(headers=(("Cookie", "consent=yes"),)))
        assert w.paths(await w.visit()) == paths(made)
        assert w.served.last_headers["cookie"] == "consent=yes"


async def test_case_076_not_modified_is_a_success_without_change(tmp_path: Path) -> None:
    """200, 304, 304, 200 with news."""
    async with watching(tmp_path) as w:
        await w.visit()
        w.served.fault("^/news/", lambda _: (500, b"no", HTML))
        await w.visit()
        assert w.index.failures == 1
        w.served.faults.clear()
        w.served.fault("^/news/", lambda _: (304, b"", {}))
        for n in (1, 2):
            visit = await w.visit()
            assert (visit.outcome, visit.complete) == ("unchanged", True)
            assert (w.index.failures, w.index.unchanged) == (0, n)
        w.served.faults.clear()
        made = w.site.publish(3)
        visit = await w.visit()
        assert w.paths(visit) == paths(made) and w.index.unchanged == 0


async def test_case_077_noise_in_the_page_is_no_change_of_the_list(tmp_path: Path) -> None:
    count = [0]

    def noisy(site: NewsSite) -> Answer:
        from recrawler.demo.html import list_page

        count[0] += 1
        text = list_page(site, site.main, 1).replace(
            "</body>", f"<p>views {count[0]} token {hash(count[0])}</p></body>"
        )
        return 200, text.encode(), HTML

    async with watching(tmp_path) as w:
        w.served.fault("^/news/$", lambda _: noisy(w.site))
        await w.visit()
        for _ in range(3):
            visit = await w.visit()
            assert (visit.outcome, visit.new, visit.complete) == ("unchanged", (), True)
            assert visit.pages[0].status == 200  # it was read: the bytes differ
        rate = visit.per_day
        made = w.site.publish(1)
        visit = await w.visit()
        assert w.paths(visit) == paths(made)
        assert rate is None or rate <= 200
