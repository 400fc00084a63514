"""What very many index pages cost the daemon, in a real SQLite file: start, ticks, claims, idling, memory.

usage: python benchmarks/scale.py [--indexes 100000] [--idle 20] [--folder DIR]

Every index page has a cadence state and a series as after weeks of visits. What is due at once has three
shapes: a host for each page, a few hosts with very many pages, and one host with all. Times are of the
processor.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from recrawler import cadence
from recrawler.completion import SeriesMemory
from recrawler.engine.local import LocalEngine
from recrawler.fetch import Fetcher
from recrawler.records import IndexOptions, IndexPage, Visit, VisitResult
from recrawler.settings import Settings
from recrawler.sinks.delivery import Deliverer
from recrawler.store import Claim
from recrawler.store.sqlite import SqliteStore
from recrawler.visit import Visitor

NOW = datetime.now(UTC)
LEASE = 360.0
MOST = 5.0  # seconds of the processor for one shape
SHAPES = {"a host each": "id", "1,000 hosts": "id % 1000", "one host": "0"}


def row(name: str, value: str, on: str = "") -> None:
    print(f"{name:42}{value:>16}   {on}", flush=True)


def fill(path: Path, count: int) -> None:
    """One page with a state as it is after weeks, and copies of it, due one a second from now on."""
    at = NOW.timestamp()
    times = [at - 3600.0 * n - 97.0 * (n % 7) for n in range(300)]
    state = cadence.first(times, 300, at)
    series = SeriesMemory("main", path="/html/body/div[2]/ul", base=tuple(f"{n:016x}" for n in range(30)))
    with SqliteStore(path, create=True) as store:
        store.add_index("https://www.1.example/news/", "//www.1", IndexOptions(), NOW, NOW)
    with sqlite3.connect(path) as db:
        db.execute(
            "UPDATE indexes SET visits = 300, last_visit_at = ?, cadence = ?, series = ?",
            (at, *(msgspec.json.encode(x).decode() for x in (state, [series]))),
        )
        columns = [r[1] for r in db.execute("PRAGMA table_info(indexes)")]
        made = {"id": "value", "key": "'//www.' || value", "host": "'www.' || value || '.example'",
                "url": "'https://www.' || value", "next_visit_at": f"{at} + value"}  # fmt: skip
        picked = ", ".join(made.get(c, c) for c in columns)
        db.execute(
            f"WITH RECURSIVE n (value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM n WHERE value < {count})"
            f" INSERT INTO indexes ({', '.join(columns)}) SELECT {picked} FROM n, indexes WHERE id = 1"
        )


def due_at_once(path: Path, host: str) -> None:
    with sqlite3.connect(path) as db:
        db.execute(
            f"UPDATE indexes SET next_visit_at = ? + id / 1000.0, lease_until = NULL, host = 'h' || ({host})",
            (NOW.timestamp() - 3600.0,),
        )


def timed(call: Callable[[], Any], repeat: int) -> float:
    """Median seconds of the processor."""
    took = []
    for _ in range(repeat):
        began = time.process_time()
        call()
        took.append(time.process_time() - began)
    return statistics.median(took)


# --- figures ---


def start(path: Path) -> None:
    """A daemon as a process, with nothing due, that stops at once."""
    empty = path.with_name("empty.db")
    SqliteStore(empty, create=True).close()
    for name, db in (("daemon: start and stop", path), ("the same without index pages", empty)):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "recrawler", "run", "--once", "--db", str(db)], check=True,
                       stderr=subprocess.DEVNULL)  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        row(name, f"{took:.2f} s", "processor, interpreter and imports included")
    with SqliteStore(path) as store:
        row("open the file", f"{1000 * timed(lambda: SqliteStore(path).close(), 5):.2f} ms")
        row("free leases of the dead", f"{1000 * timed(store.reset_leases, 5):.2f} ms")
        row("mend the schedule", f"{1000 * timed(lambda: store.mend_clock(NOW, LEASE), 5):.2f} ms")


def tick(path: Path) -> None:
    with SqliteStore(path) as store:
        early = NOW - timedelta(days=1)
        each = timed(lambda: [store.claim_due(early, 16, LEASE) for _ in range(1000)], 5) / 1000
        row("claim, nothing due", f"{1e6 * each:.1f} us", "what a tick costs")
        row("figures of the status page", f"{1000 * timed(lambda: store.figures(NOW), 5):.2f} ms")


def finished(claim: Claim, when: datetime) -> VisitResult:
    """An unchanged list, to be visited again in an hour."""
    page: IndexPage = claim.index
    due = when + timedelta(hours=1)
    after = dataclasses.replace(page, visits=page.visits + 1, last_visit_at=when, next_visit_at=due)
    visit = Visit(
        index=page.id, url=page.url, number=after.visits, started_at=when, finished_at=when,
        outcome="unchanged", complete=True, gap_open=False, pages=(), requests=1, new=(), known=0,
        filtered={}, series=(), next_visit_at=due, per_day=9.5, basis="dates",
    )  # fmt: skip
    return VisitResult(after, visit, (), (), unchanged=("main",))


def claims(path: Path, rounds: int) -> None:
    """As the daemon does it with all overdue: 16 visits at once, a claim when one ends."""
    for name, host in SHAPES.items():
        due_at_once(path, host)
        with SqliteStore(path) as store:
            now = NOW
            held = store.claim_due(now, 16, LEASE)
            claiming, ended = [], 0
            began = time.process_time()
            while held and ended < rounds and time.process_time() - began < MOST:
                claim = held.pop(0)
                store.finish(claim, finished(claim, now), ["jsonl"])
                ended += 1
                at = time.process_time()
                held += store.claim_due(now, 16 - len(held), LEASE)
                claiming.append(time.process_time() - at)
            took = time.process_time() - began
        row(f"claim one of all, {name}", f"{1e6 * statistics.median(claiming):.0f} us", f"{ended} visits")
        row(f"claim and finish, {name}", f"{ended / took:.0f} a second", "of the processor")


async def idle(path: Path, seconds: float) -> None:
    """The engine with nothing due."""
    with SqliteStore(path) as store:
        async with Fetcher(Settings(), store) as fetcher:
            engine = LocalEngine(store, Visitor(store, fetcher, Settings()), Settings(), Deliverer(store, []))
            running = asyncio.create_task(engine.run())
            await asyncio.sleep(2.0)
            began, wall = time.process_time(), time.monotonic()
            await asyncio.sleep(seconds)
            took = (time.process_time() - began) / (time.monotonic() - wall)
            rss = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()  # noqa: ASYNC240
            engine.stop()
            await running
    row("daemon that idles: processor a minute", f"{60_000 * took:.0f} ms", f"over {seconds:g} s")
    row("daemon that idles: memory", f"{rss / 1e6:.0f} MB")


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--indexes", type=int, default=100_000)
    ap.add_argument("--rounds", type=int, default=2000, help="visits of each shape")
    ap.add_argument("--idle", type=float, default=20.0, help="seconds")
    ap.add_argument("--folder", type=Path, help="where to put the database")
    args = ap.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        path = Path(name) / "scale.db"
        fill(path, args.indexes)
        row("index pages", f"{args.indexes}", f"{path.stat().st_size / 1e6:.0f} MB")
        with sqlite3.connect(path) as db:  # nothing is due
            later = NOW.timestamp() + 86400
            db.execute("UPDATE indexes SET next_visit_at = ? + id, lease_until = NULL", (later,))
        start(path)
        tick(path)
        asyncio.run(idle(path, args.idle))
        claims(path, args.rounds)


if __name__ == "__main__":
    main()
