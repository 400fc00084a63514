"""How long the store's calls take, and how many bytes a link costs on disk.

    python benchmarks/store.py [--indexes 1000 100000] [--links 60] [--rounds 2000]

For each number of index pages: a database with that many, of which a sample is visited again and again, each
visit with as many links as one page holds. Prints one line a figure; times are medians and 99th percentiles.
"""

from __future__ import annotations

import argparse
import dataclasses
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from recrawler.records import FoundLink, IndexOptions, PageRead, SeriesVisit, Visit, VisitResult
from recrawler.store import Claim
from recrawler.store.sqlite import SqliteStore

T = TypeVar("T")
NOW = datetime(2026, 3, 1, tzinfo=UTC)
TITLES = (
    "市交通局公布春季公交线路调整方案，新增夜班车三条",
    "Council approves the plan for the new river bridge",
)


def link(claim: Claim, number: int, when: datetime, status: str) -> FoundLink:
    page = claim.index
    path = f"www.site-{page.id}.example/news/2026/03/01/article-{number}.html"
    return FoundLink(
        index=page.id, listing="main", url=f"https://{path}", key=f"http://{path}", title=TITLES[number % 2],
        published_at=when - timedelta(minutes=number % 600), precision="minute", found_at=when, page=1,
        rank=number % 60 + 1, status=status, hop_path="L", via=page.url,
    )  # type: ignore[arg-type]  # fmt: skip


def result(claim: Claim, found: tuple[FoundLink, ...], seen: tuple[str, ...], when: datetime) -> VisitResult:
    page = claim.index
    later = when + timedelta(hours=1)
    after = dataclasses.replace(page, visits=page.visits + 1, last_visit_at=when, next_visit_at=later)
    visit = Visit(
        index=page.id, url=page.url, number=after.visits, started_at=when, finished_at=when,
        outcome="met-history", complete=True, gap_open=False, requests=1,
        pages=(PageRead(page.url, 200, 60, len(found)),), new=(), known=len(seen), filtered={},
        series=(SeriesVisit("main", "met-history", True, False, 1),), next_visit_at=later, per_day=9.5,
        basis="dates",
    )  # fmt: skip
    return VisitResult(after, visit, found, tuple(("main", key) for key in seen))


class Clock:
    """Collects how long calls took, by name: on the clock, and of the processor alone."""

    def __init__(self) -> None:
        self.times: dict[str, list[tuple[float, float]]] = {}

    def __call__(self, name: str, call: Callable[[], T]) -> T:
        start, processor = time.perf_counter(), time.thread_time()
        value = call()
        took = time.perf_counter() - start, time.thread_time() - processor
        self.times.setdefault(name, []).append(took)
        return value

    def report(self, head: str) -> None:
        for name, times in self.times.items():
            wall = sorted(wall for wall, _ in times)
            late = wall[min(len(wall) - 1, int(len(wall) * 0.99))]
            processor = statistics.median(cpu for _, cpu in times)
            print(
                f"{head}{name:34} median {statistics.median(wall) * 1e3:8.3f} ms, p99 {late * 1e3:8.3f} ms,"
                f" processor {processor * 1e3:8.3f} ms"
            )


def fill(store: SqliteStore, indexes: int) -> None:
    for number in range(1, indexes + 1):
        url = f"https://www.site-{number}.example/news/"
        due = NOW - timedelta(seconds=indexes - number)
        store.add_index(url, url.removeprefix("https:"), IndexOptions(), NOW, due)


def visit_once(store: SqliteStore, clock: Clock, tick: int, links: int) -> None:
    now = NOW + timedelta(seconds=tick)
    (claim,) = clock("claim_due(1)", lambda: store.claim_due(now, 1, 300.0))
    found = tuple(link(claim, n, now, "new") for n in range(links))
    keys = [x.key for x in found]
    clock(f"known({links}), none", lambda: store.known(claim.index.id, "main", keys))
    clock(
        f"finish, {links} new links, 1 sink",
        lambda: store.finish(claim, result(claim, found, (), now), ["jsonl"]),
    )
    known = clock(f"known({links}), all", lambda: store.known(claim.index.id, "main", keys))
    again = store.claim(claim.index.id, now, 300.0)
    assert again is not None and len(known) == links
    seen = result(again, (), tuple(keys), now + timedelta(seconds=1))
    clock(f"finish, {links} known links", lambda: store.finish(again, seen, ["jsonl"]))


def idle(store: SqliteStore, clock: Clock, indexes: int) -> None:
    early = NOW - timedelta(days=30)
    for _ in range(50):
        clock("claim_due, nothing due", lambda: store.claim_due(early, 16, 300.0))
    clock("claim_due(16)", lambda: store.claim_due(NOW + timedelta(hours=2), 16, 300.0))
    for _ in range(3):
        clock("figures", lambda: store.figures(NOW))
        clock(f"indexes(), all {indexes}", lambda: sum(1 for _ in store.indexes()))
    clock("open", lambda: SqliteStore(store.path).close())


def bytes_a_link(folder: Path, visits: int, links: int) -> None:
    """History alone: baseline links, of which nothing is emitted."""
    with SqliteStore(folder / "bytes.db", create=True) as store:
        fill(store, visits)
        _, empty = store.vacuum()
        for tick in range(visits):
            (claim,) = store.claim_due(NOW + timedelta(seconds=tick), 1, 300.0)
            found = tuple(link(claim, n, NOW, "baseline") for n in range(links))
            store.finish(claim, result(claim, found, (), NOW), [])
        _, full = store.vacuum()
    text = sum(len(x.key) + len(x.title.encode()) for x in found) / links
    print(f"bytes a link: {(full - empty) / (visits * links):.0f}, of which key and title {text:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--indexes", type=int, nargs="*", default=[1000, 100_000])
    parser.add_argument("--links", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--folder", type=Path, default=None, help="where to put the databases")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        for indexes in options.indexes:
            clock = Clock()
            with SqliteStore(Path(name) / f"{indexes}.db", create=True) as store:
                start = time.perf_counter()
                fill(store, indexes)
                print(f"{indexes} index pages added in {time.perf_counter() - start:.2f} s")
                for tick in range(min(options.rounds, indexes)):
                    visit_once(store, clock, tick, options.links)
                idle(store, clock, indexes)
            clock.report(f"{indexes:>7} index pages: ")
        bytes_a_link(Path(name), 500, options.links)


if __name__ == "__main__":
    main()
