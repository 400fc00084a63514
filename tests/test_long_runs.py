"""What a daemon meets in months: visits that overrun, hosts that ask for rest, big imports, memory."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
import weakref
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from recrawler.cli import run
from recrawler.demo import NewsSite, Section
from recrawler.demo.site import Article
from recrawler.frontier import Frontier
from recrawler.records import IndexOptions
from recrawler.store.sqlite import SqliteStore
from tests.fetching import FakeClock
from tests.watching import watching


class SlowClock(FakeClock):
    """A clock by which a visit takes so many seconds: they pass after it was asked at the claim and the start."""

    def __init__(self, start: datetime, seconds: float) -> None:
        super().__init__()
        self.start, self._seconds, self._asked = start, seconds, 0

    def now(self) -> datetime:
        at = super().now()
        self._asked += 1
        if self._asked == 2:
            self.time += self._seconds
        return at

    def monotonic(self) -> float:
        return time.monotonic()  # the fetcher's: nothing has to hurry


@pytest.mark.parametrize(("took", "apart"), [(3.0, 3.0), (0.5, 2.0)])
async def test_case_088_a_visit_that_overruns_is_followed_at_once(
    tmp_path: Path, took: float, apart: float
) -> None:
    """Intervals are from start to start: max(now, last start + interval)."""
    async with watching(tmp_path, options=IndexOptions(every=2.0)) as w:
        await w.visit()
        w.visitor.clock = SlowClock(w.site.clock, took)
        visit = await w.visit()
        assert visit.finished_at - visit.started_at == timedelta(seconds=took)
        assert visit.next_visit_at == visit.started_at + timedelta(seconds=apart)


RETRY_AFTER = {
    "huge": ("317100", 86_400.0),  # capped at a day
    "seconds": ("900", 900.0),
    "date": (None, 900.0),  # an HTTP-date, relative to the answer's own clock, which is a year behind
    "past": ("Sun, 06 Nov 1994 08:49:37 GMT", 0.0),
    "garbage": ("soon", 0.0),
}


@pytest.mark.parametrize("name", RETRY_AFTER)
async def test_case_079_retry_after_holds_for_all_pages_of_a_host(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, seconds = RETRY_AFTER[name]
    behind = datetime.now(UTC) - timedelta(days=365)
    later = format_datetime(behind + timedelta(seconds=900), usegmt=True)
    site = NewsSite([Section("a", "en", 10), Section("b", "en", 10)])
    site.publish(30, section="a")
    site.publish(30, section="b")
    async with watching(tmp_path, site) as w:
        now = datetime.now(UTC)
        other, _ = w.store.add_index(w.served.url("/b/"), "//b/", IndexOptions(), now, now)
        headers = {"Retry-After": text or later, "Content-Type": "text/html"}
        if text is None:
            date = format_datetime(behind, usegmt=True)
            monkeypatch.setattr("recrawler.demo.server._Handler.date_time_string", lambda self: date)
        w.served.fault("/a/", lambda path: (503, b"<h1>busy</h1>", headers))
        visit = await w.visit()
        assert visit.outcome == "fetch-failed" and visit.next_visit_at is not None
        wait = (visit.next_visit_at - now).total_seconds()
        # Where nothing usable is said, the page rests for `retry_first` and the host for a moment.
        assert wait == pytest.approx(max(seconds, 300.0), abs=5)
        if seconds:
            assert w.store.claim_due(now + timedelta(seconds=seconds * 0.9), 5, 60) == []
        claims = w.store.claim_due(now + timedelta(seconds=seconds + 5), 5, 60)
        assert [c.index.id for c in claims] == [other.id], "the host's other page waited as long"


async def test_case_101_pages_come_before_articles_and_the_queue_stays_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = 0
    add = Frontier.add

    def counted(self: Frontier, candidate: object) -> bool:
        nonlocal longest
        done = add(self, candidate)  # type: ignore[arg-type]
        longest = max(longest, len(self))
        return done

    monkeypatch.setattr(Frontier, "add", counted)
    site = NewsSite([Section("news", "en", 40)])
    async with watching(tmp_path, site, articles=480, max_pages=60, baseline_pages=60) as w:
        visit = await w.visit()
    assert len(visit.pages) == 12 and all("list_" in x or x.endswith("/news/") for x in w.requests())
    assert 0 < longest <= 2, "one page ahead, no article in the queue"


def test_case_109_an_import_of_thousands_is_reported_by_line_and_spread(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"https://site{n % 700}.example/list/{n % 4900}/" for n in range(4950)]
    for n in range(50):
        lines.insert(n * 99, "ftp://site.example/" if n % 2 else "http://")
    (tmp_path / "urls.txt").write_text("\n".join(lines))
    began = datetime.now(UTC)
    assert run(["import", str(tmp_path / "urls.txt"), "--db", str(tmp_path / "i.db")]) == 1
    said = capsys.readouterr()
    assert said.out == "4900 added, 50 known already, 50 refused\n"
    refused = said.err.splitlines()
    assert len(refused) == 50 and refused[0].startswith("line 1: ") and refused[1].startswith("line 100: ")
    with SqliteStore(tmp_path / "i.db") as store:
        dues = sorted((p.next_visit_at - began).total_seconds() for p in store.indexes() if p.next_visit_at)
    assert len(dues) == 4900 and dues[0] > -1 and dues[-1] < 3700
    minutes = [sum(60 * m <= due < 60 * m + 60 for due in dues) for m in range(60)]
    assert max(minutes) < 130 and len(set(dues)) > 4800, "about 82 a minute, at random moments"


def _is_dead(x: object) -> bool:
    return type(x) is weakref.ref and x() is None


async def test_case_100_memory_is_flat_after_warm_up(tmp_path: Path) -> None:
    """No object is kept for each visit: as many live ones after 40 visits as after 100."""
    async with watching(tmp_path, articles=30) as w:

        async def after(count: int) -> int:
            for _ in range(count):
                w.site.publish(1)
                await w.visit()
                w.emitted.clear()
            gc.collect()
            # Articles are the site's; of cursors that are gone SQLite's module drops its notes at every 200th.
            return sum(not (isinstance(x, Article) or _is_dead(x)) for x in gc.get_objects())

        await after(20)
        first, last = await after(20), await after(60)
    assert last - first < 30, f"{last - first} objects more after 60 visits"


_DOMAINS = """
import socket
def no_network(*args):
    raise OSError("no network here")
socket.getaddrinfo = socket.socket.connect = no_network
from recrawler.follow import FollowPolicy
from recrawler.urls import registrable_domain
print(registrable_domain("www.news.example.co.uk"), registrable_domain("a.b.gov.cn"))
"""


def test_case_103_the_suffix_list_needs_no_network_and_no_cache(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o555)
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _DOMAINS], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(8)
    ]
    said = [p.communicate(timeout=60) for p in processes]
    assert {out.split() == [b"example.co.uk", b"b.gov.cn"] for out, _ in said} == {True}, said
    assert list(home.iterdir()) == []
