"""Real faults of cadence, played on a served site with a clock of our own."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recrawler.demo import NewsSite, Section
from recrawler.demo.html import list_page
from recrawler.records import Visit
from recrawler.visit.twins import Twins
from tests.test_planning import Still
from tests.watching import Watch, paths, watching

START = datetime(2026, 6, 1, 6, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
Nonce = Callable[[str], tuple[int, bytes, dict[str, str]]]


async def _visits(w: Watch, clock: Still, until: datetime) -> list[Visit]:
    """Visit whenever the daemon would."""
    made = []
    while (due := w.index.next_visit_at or clock.at) <= until:
        clock.at = max(due, clock.at)
        made.append(await w.visit())
    clock.at = until
    return made


def _waits(visits: list[Visit]) -> list[float]:
    return [(v.next_visit_at - v.finished_at).total_seconds() for v in visits if v.next_visit_at]


def _changing(w: Watch) -> Nonce:
    """The first page with another token, another count and another advertisement each time."""
    numbers = itertools.count(1)

    def answer(path: str) -> tuple[int, bytes, dict[str, str]]:
        n = next(numbers)
        odd = f"<aside>{n * 37} visitors <a href=/ad/{n}>ad {n}</a><input value=t{n * 7919:08x}></aside>"
        text = list_page(w.site, w.site.main, 1).replace("</body>", f"{odd}</body>")
        return 200, text.encode(), {"Content-Type": "text/html; charset=utf-8"}

    return answer


def _site(articles: int = 60) -> NewsSite:
    """A site of a fixed time: what one test sees, another sees too."""
    site = NewsSite([Section("news", "zh", 10)], start=START)
    site.publish(articles)
    return site


async def test_case_071_a_burst_after_weeks_of_silence_is_met_at_once_and_whole(tmp_path: Path) -> None:
    async with watching(tmp_path, _site(30)) as w:
        w.visitor.clock = clock = Still(START + DAY)
        quiet = await _visits(w, clock, START + 20 * DAY)
        waits = _waits(quiet)
        assert waits[-1] > 1.8 * waits[0] and max(waits) <= 86400.0  # slower by steps, never for good
        burst = [w.site.publish(1, at=clock.at + k * timedelta(minutes=15))[0] for k in range(40)]
        found = await _visits(w, clock, clock.at + 2 * DAY)
        first = next(v for v in found if v.new)
        assert _waits([first])[0] < 0.6 * waits[-1]
        assert {x for v in found for x in w.paths(v)} == paths(burst)
        assert all(v.complete for v in found)


async def test_case_076_an_unchanged_page_is_a_visit_that_found_nothing(tmp_path: Path) -> None:
    async with watching(tmp_path, _site()) as w:
        w.visitor.clock = clock = Still(w.site.clock + HOUR)
        planned = _waits([await w.visit()])[0]
        seen = _last_seen(w)
        w.served.fault("/news/", lambda path: (503, b"", {}))
        clock.at += HOUR
        failed = await w.visit()
        assert (failed.outcome, w.index.failures) == ("fetch-failed", 1)
        w.served.faults.clear()
        unchanged = []
        for _ in range(6):
            clock.at += 4 * HOUR
            unchanged.append(await w.visit())
        assert {(v.outcome, v.complete, v.pages[0].status) for v in unchanged} == {("unchanged", True, 304)}
        waits = _waits(unchanged)
        assert waits[-1] > waits[0] > 1.5 * planned and w.index.failures == 0
        assert _last_seen(w) > seen
        w.site.publish(5, at=clock.at)
        clock.at += HOUR
        again = await w.visit()
        assert len(again.new) == 5 and again.pages[0].status == 200 and _waits([again])[0] < waits[-1]


def _last_seen(w: Watch) -> float:
    [[last]] = w.store._db.read("SELECT min(last_seen) FROM links WHERE page = 1")
    return float(last)


async def test_case_077_a_page_that_always_differs_teaches_no_news(tmp_path: Path) -> None:
    waits = []
    for number, changing in enumerate((False, True)):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with watching(folder, _site()) as w:
            if changing:
                w.served.fault("^/news/$", _changing(w))
            w.visitor.clock = clock = Still(w.site.clock + HOUR)
            await w.visit()
            made = []
            for _ in range(8):
                clock.at += HOUR
                made.append(await w.visit())
            assert not any(v.new for v in made) and all(v.complete for v in made)
            waits.append(_waits(made))
    unchanged, differing = waits
    assert differing == unchanged and differing[-1] > 1.3 * differing[0]


async def test_case_067_a_date_ahead_counts_as_found_now(tmp_path: Path) -> None:
    rates = []
    for number, ahead in enumerate((0, 3)):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with watching(folder, _site()) as w:
            w.visitor.clock = clock = Still(w.site.clock + timedelta(minutes=5))
            await w.visit()
            clock.at += HOUR
            w.site.publish(2, at=clock.at - timedelta(minutes=9) + ahead * DAY)
            w.site.clock = clock.at
            visit = await w.visit()
            assert len(visit.new) == 2
            assert all((x.published_at is None) == bool(ahead) for x in visit.new)
            rates.append(visit.per_day)
            assert visit.basis == "dates" and w.index.cadence["last"] <= clock.at.timestamp()
    assert rates[0] == pytest.approx(rates[1], rel=0.02)


async def test_refusals_and_retry_after_teach_no_silence(tmp_path: Path) -> None:
    async with watching(tmp_path, _site()) as w:
        w.visitor.clock = clock = Still(w.site.clock + HOUR)
        before = _waits([await w.visit()])[0]
        rate = w.index.cadence["counts"]
        for answer in ((503, b"", {}), (403, b"no", {}), (500, b"", {})):
            await _refused(w, clock, answer)
            assert w.index.cadence["counts"] == rate
        w.served.faults.clear()
        made = w.site.publish(60)
        clock.at = max(clock.at + HOUR, w.site.clock)
        visit = await w.visit()
        assert w.paths(visit) == paths(made) and _waits([visit])[0] < 2 * before
        rate = w.index.cadence["counts"]
        await _refused(w, clock, (429, b"", {"Retry-After": "7200"}))
        assert w.index.cadence["counts"] == rate


async def _refused(w: Watch, clock: Still, answer: tuple[int, bytes, dict[str, str]]) -> None:
    w.served.faults.clear()
    w.served.fault("/news/", lambda path: answer)
    clock.at += 6 * HOUR
    assert (await w.visit()).outcome in ("fetch-failed", "blocked")


def test_two_articles_of_one_title_are_two_on_a_host_without_a_twin() -> None:
    keys = ["http://127.0.0.1:9000/n/1.html", "http://127.0.0.1:9000/n/2.html", "http://intranet/n/3.html"]
    settled, _ = Twins().settle(keys, ["Weather for tomorrow"] * 3, lambda _: {})
    assert settled == keys
