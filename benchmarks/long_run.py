"""The real daemon for weeks of simulated time, beside what the pure simulator says of the same sources.

usage: python benchmarks/long_run.py [--traces DIR] [--indexes 1000] [--days 28] [--per-day 4] [--restarts 10]

Engine, scheduler, visitor, fetcher, politeness, store and file sink are the product's; the sites are served
on loopback, each on an address of its own. Only time is simulated (`simtime.py`). On the way the machine is
suspended, its clock is set ahead and back, daylight saving ends in two zones, and the daemon is stopped or
killed (amid a visit) and started again. Without --traces, publish times are made up.

Exit status 1 where a link is missing, was given out twice or is no news, or a due visit was not made in time.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any

from simlife import KILLED, Life, Run
from tracesite import DAY, Source

from recrawler import cadence
from recrawler.cadence import Pricing, Replay
from recrawler.records import IndexOptions
from recrawler.store.sqlite import SqliteStore
from recrawler.urls import identity_key

HOUR = 3600.0
SINCE = datetime(2026, 10, 12, tzinfo=UTC).timestamp()  # summer time ends on 25 October and 1 November
LATE = 60.0  # seconds and a tick after which a due visit counts as late
SPREAD = 2.0  # seconds between two first visits


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("0.0.0.0", 0))
        return int(s.getsockname()[1])


# --- the plan ---


def lives(run: Run, restarts: int) -> list[Life]:
    """The daemon's lives: between them it is down for a minute, once for an hour and once for six, and while
    it is down for the third time its clock, which was ahead, is set right."""
    rng = random.Random(7)
    end = run.since + run.days * DAY
    share = 0.55 * run.days * DAY / max(restarts, 1)  # the last life is a long one, to see its memory
    ends = [run.since + (n + rng.uniform(0.7, 1.0)) * share for n in range(restarts)] + [end]
    downs = [6 * HOUR if n == 3 else HOUR if n == 5 else 60.0 for n in range(restarts)]
    begins = [run.since, *(a + b for a, b in zip(ends, downs, strict=False))]
    how = ["sweep" if n == restarts else ("before", "after", "stop")[n % 3] for n in range(restarts + 1)]
    made = [Life(run, a, b, h) for a, b, h in zip(begins, ends, how, strict=True)]
    for n, life in enumerate(made):
        acts = _acts(life, n, restarts)
        made[n] = replace(life, errors=acts[0], suspends=acts[1])
    return made


def _acts(life: Life, n: int, restarts: int) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """What happens to the machine in the n-th life: (times and errors of its clock, times and lengths)."""

    def at(share: float) -> float:
        return life.begin + share * (life.end - life.begin)

    if n == min(2, restarts - 1):  # 5 h ahead; the clock is right again when the daemon comes back
        return [(at(0.5), 5 * HOUR)], []
    if n == restarts:
        errors = [(at(0.2), 3 * HOUR), (at(0.25), 0.0), (at(0.45), -2 * HOUR), (at(0.5), 0.0)]
        return errors, [(at(0.35), min(5 * HOUR, at(0.42) - at(0.35))), (at(0.7), HOUR)]
    return [], [(at(0.4), 2 * HOUR)] if n == 1 else []


def prepare(run: Run, sources: Sequence[Source]) -> None:
    with SqliteStore(Path(run.folder) / "run.db", create=True) as store:
        start = datetime.fromtimestamp(run.since, UTC)
        for n, s in enumerate(sources):
            url = f"http://{s.address}:{run.port}/news/"
            options = IndexOptions(timezone=s.zone or None)
            store.add_index(url, identity_key(url), options, start, start + timedelta(seconds=n * SPREAD))


# --- the simulator ---


def simulate(job: tuple[list[float], float, float, float, int]) -> Replay:
    times, since, until, price, shown = job
    return cadence.replay(times, since, until, Pricing(price), shown=shown, count_from=since)


def jobs(
    run: Run, sources: Sequence[Source], price: float
) -> list[tuple[list[float], float, float, float, int]]:
    end = run.since + run.days * DAY
    return [(s.times, run.since + n * SPREAD, end, price, s.shown) for n, s in enumerate(sources)]


def fitted_price(run: Run, sources: Sequence[Source], per_day: float) -> float:
    """The price at which the simulator spends so many fetches a day on an index, from some of them."""
    some = sources[:: max(1, len(sources) // 40)]
    price = 80.0
    for _ in range(4):
        spent = fmean(simulate(job).fetches_per_day for job in jobs(run, some, price))
        price *= (spent / per_day) ** 2
    return price


# --- the run ---


def live(life: Life) -> float:
    """Until when it lived: a kill waits for a visit."""
    env = os.environ | {"TZ": "America/New_York"}
    told = json.dumps(asdict(life))
    script = str(Path(__file__).with_name("simlife.py"))
    done = subprocess.run([sys.executable, script, told], env=env, check=False)
    if done.returncode != (KILLED if life.how in ("before", "after") else 0):
        raise SystemExit(f"a life of the daemon ended with status {done.returncode}")
    return float((Path(life.run.folder) / "died").read_text()) if done.returncode else life.end


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open() as file:
        for line in file:
            yield json.loads(line)


@dataclass(frozen=True)
class Links:
    """How many links were to be given out, and what became of them."""

    expected: int
    missing: int
    twice: int
    unexpected: Counter[str]  # by status


def count_links(run: Run, sources: Sequence[Source], visits: Sequence[dict[str, Any]]) -> Links:
    """Against what was published after each first visit and until the last."""
    first: dict[int, float] = {}
    last: dict[int, float] = {}
    for v in visits:
        first.setdefault(v["index"], v["read_at"])
        last[v["index"]] = v["read_at"]
    given: Counter[tuple[int, int]] = Counter()
    status: dict[tuple[int, int], str] = {}
    with SqliteStore(Path(run.folder) / "run.db") as store:
        for _, link in store.links():
            place = link.index, sources[link.index - 1].item(link.url)
            given[place] += 1
            status[place] = link.status if place[1] >= 0 else f"no item: {link.url}"
    wanted = {
        (index, n)
        for index, since in first.items()
        for n in range(sources[index - 1].published(since), sources[index - 1].published(last[index]))
    }
    twice = sum(n - 1 for n in given.values())
    unexpected = Counter(status[place] for place in given.keys() - wanted)
    return Links(len(wanted), len(wanted - given.keys()), twice, unexpected)


def doubled_events(folder: Path) -> int:
    """Links that the file has under two ids."""
    ids: dict[tuple[int, str], set[str]] = defaultdict(set)
    for event in lines(folder / "events.jsonl"):
        ids[event["index"], event["url"]].add(event["id"])
    return sum(len(x) > 1 for x in ids.values())


# --- the report ---


def report(run: Run, sources: Sequence[Source], plan: Sequence[Life], played: Sequence[Replay]) -> int:
    folder = Path(run.folder)
    visits = list(lines(folder / "visits.jsonl"))
    links = count_links(run, sources, visits)
    late = [v["late"] for v in visits if v["late"] > LATE + run.tick]
    never = run.indexes - len({v["index"] for v in visits})
    doubled = doubled_events(folder)
    ends = Counter(x.how for x in plan[:-1])
    suspends, sets = sum(len(x.suspends) for x in plan), sum(len(x.errors) for x in plan) + 1
    print(f"restarts {len(plan) - 1} (in order {ends['stop']}, killed {ends['before'] + ends['after']}), "
          f"suspends {suspends}, clock set {sets} times")  # fmt: skip
    latest = max(v["late"] for v in visits)
    print(f"visits {len(visits)}; never visited {never}; more than {LATE + run.tick:.0f} s late {len(late)}"
          f" (latest {latest:.0f} s)")  # fmt: skip
    print(f"links published {links.expected}; missing {links.missing}, twice {links.twice}, unexpected "
          f"{links.unexpected.total()}, in the file under two ids {doubled}")  # fmt: skip
    if links.unexpected:
        print("unexpected: " + ", ".join(f"{what} {n}" for what, n in links.unexpected.most_common(5)))
    print("outcomes " + ", ".join(f"{k} {n}" for k, n in Counter(v["outcome"] for v in visits).most_common()))
    if run.budget:
        beside_budget(run, plan, visits)
    else:
        beside_simulator(run, visits, played)
    memory(list(lines(folder / "memory.jsonl")), len(visits))
    return 1 if links.missing or links.twice or links.unexpected or late or never or doubled else 0


def beside_budget(run: Run, plan: Sequence[Life], visits: Sequence[dict[str, Any]]) -> None:
    """Requests by week, as a share of the budget of the hours in which the daemon could spend it."""
    off = [(a.end, b.begin) for a, b in pairwise(plan)] + [(at, at + s) for x in plan for at, s in x.suspends]
    for week in range(int(run.days // 7)):
        begin, end = (run.since + (week + n) * 7 * DAY for n in (0, 1))
        lost = sum(max(min(b, end) - max(a, begin), 0.0) for a, b in off)
        spent = sum(v["requests"] for v in visits if begin <= v["at"] < end)
        share = spent / (run.budget * (7 * DAY - lost) / HOUR)
        print(f"week {week + 1}: {spent} requests, {share:.3f} of the budget")


def beside_simulator(run: Run, visits: Sequence[dict[str, Any]], played: Sequence[Replay]) -> None:
    end = run.since + run.days * DAY
    due = [v for v in visits if v["at"] <= end]
    audits = sum(v["pages"] - 1 - len(v["delays"]) // v["shown"] for v in due[run.indexes :])
    pages = sum(v["pages"] for v in due)
    other = sum(v["requests"] - v["pages"] for v in due)
    delays = [d for v in visits for d in v["delays"]]
    days = run.indexes * run.days
    simulated = [d for r in played for d in r.delays]
    rows = [
        ("visits a day and index", len(due) / days, sum(r.visits for r in played) / days),
        ("pages for news a day and index", (pages - audits) / days, sum(r.fetches for r in played) / days),
        ("mean delay, minutes", fmean(delays) / 60, fmean(simulated) / 60),
        ("median delay, minutes", median(delays) / 60, median(simulated) / 60),
    ]  # fmt: skip
    print(f"{'':34}{'daemon':>10}{'simulator':>11}{'ratio':>8}")
    for name, real, said in rows:
        print(f"{name:34}{real:10.3f}{said:11.3f}{real / said:8.3f}")
    print(f"apart from these: pages read past the stop, audits above all, {audits / days:.3f},"
          f" robots.txt {other / days:.3f} a day and index")  # fmt: skip


def memory(looks: Sequence[dict[str, Any]], visits: int) -> None:
    """Memory and open files by process, and in the last one, which lived longest, over its time."""
    by_pid: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for look in looks:
        by_pid[look["pid"]].append(look)
    cpu = sum(x[-1]["cpu"] for x in by_pid.values())
    print(f"processor {cpu:.0f} s in all, {1000 * cpu / visits:.2f} ms a visit, sites and starts included")
    last = list(by_pid.values())[-1]
    print("last process, by day: memory in MB, open files")
    for x in last[:: max(1, len(last) // 8)]:
        print(f"  {(x['at'] - last[0]['at']) / DAY:5.1f} {x['rss'] / 1e6:8.1f} {x['fds']:6}")


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument(
        "--traces", type=Path, help="folder of manifest.json and one CSV of unix seconds a source"
    )
    ap.add_argument("--indexes", type=int, default=1000)
    ap.add_argument("--days", type=float, default=28.0)
    ap.add_argument(
        "--per-day", type=float, default=4.0, help="fetches a day and index that the price is fitted to"
    )
    ap.add_argument("--price", type=float, help="instead of --per-day")
    ap.add_argument("--budget", type=float, default=0.0, help="requests an hour, instead of a price")
    ap.add_argument("--restarts", type=int, default=10)
    ap.add_argument(
        "--tick", type=float, default=15.0, help="simulated seconds between looks at the schedule"
    )
    ap.add_argument("--jobs", type=int, default=1, help="processes of the simulator")
    args = ap.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        traces = str(args.traces.resolve()) if args.traces else ""
        run = Run(folder, traces, args.indexes, SINCE, args.days, free_port(), args.price or 0.0, args.tick)
        sources = run.sources()
        price = args.price or (0.0 if args.budget else fitted_price(run, sources, args.per_day))
        run = replace(run, price=price, budget=args.budget)
        prepare(run, sources)
        paid = f"budget {args.budget:g}/h" if args.budget else f"price {price:.0f}"
        print(f"{args.indexes} index pages, {args.days:g} days, {paid}", flush=True)
        plan = lives(run, args.restarts)
        with ProcessPoolExecutor(args.jobs) as pool:
            played = pool.map(simulate, [] if args.budget else jobs(run, sources, price), chunksize=4)
            ended = run.since
            for life in plan:
                ended = live(replace(life, begin=max(life.begin, ended)))
            status = report(run, sources, plan, list(played))
    print(f"took {timedelta(seconds=math.ceil(time.monotonic() - began))}")
    return status


if __name__ == "__main__":
    sys.exit(main())
