"""Delay at an equal number of requests, by fairness, beside a fixed interval and the square root rule.

    python -m benchmarks.cadence_sharing TRACES [--per-day 24] [--sources N] [--no-dates] [--fairness 0,0.5,1]

TRACES holds manifest.json (name: {"kind", "t0", "t1", ...}) and one CSV of unix seconds a source. Each rule
gets `per-day` requests a source and day over all (one for each visit and each further page of 20 or 30 links)
shared out as it likes; its price is searched until that is met within 2 %. The first 14 days (a third of a
shorter trace) are not counted. Delays are in seconds: over links, and the mean over sources.
"""

from __future__ import annotations

import argparse
import json
import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from benchmarks.cadence_first_days import Visit, by_square_root
from benchmarks.cadence_policy import Policy

DAY = 86400.0
NEAR, TRIES = 0.02, 10
Rule = Callable[[float], tuple[Visit, Visit]]  # price -> what the first visit does, and what later ones do


@dataclass(frozen=True, slots=True)
class Source:
    times: Sequence[float]
    since: float
    until: float
    shown: int


@dataclass(frozen=True, slots=True)
class Played:
    delays: list[float]
    requests: int
    days: float


def play(source: Source, rule: tuple[Visit, Visit]) -> Played:
    """One source under a rule; intervals between a minute and a day."""
    first, visit = rule
    begin = source.since + min(14.0, (source.until - source.since) / DAY / 3.0) * DAY
    seen, requests = bisect_right(source.times, source.since), 0
    last, at = source.since, first(source.since, source.times[max(0, seen - source.shown) : seen])
    delays: list[float] = []
    while (at := min(max(at, last + 60.0), last + DAY)) <= source.until:
        new = source.times[seen : bisect_right(source.times, at)]
        seen += len(new)
        if at >= begin:
            requests += 1 + len(new) // source.shown
            delays += [at - t for t in new if t >= begin]
        last, at = at, visit(at, new)
    delays += [source.until - t for t in source.times[seen:] if begin <= t <= source.until]
    return Played(delays, requests, (source.until - begin) / DAY)


def fixed(price: float) -> tuple[Visit, Visit]:
    """An interval of that many seconds."""
    return (lambda now, _: now + price), (lambda now, _: now + price)


def learnt(fairness: float, dates: bool) -> Rule:
    def rule(price: float) -> tuple[Visit, Visit]:
        policy = type("Shared", (Policy,), {"fairness": fairness})(price, 60.0, DAY)

        def first(now: float, new: Sequence[float]) -> float:
            return float(policy.first(now, new if dates else None, len(new)))

        def visit(now: float, new: Sequence[float]) -> float:
            return float(policy.visited(now, new if dates else None, len(new)))

        return first, visit

    return rule


def spending(played: Sequence[Played]) -> float:
    """Requests a source and day."""
    return sum(p.requests for p in played) / sum(p.days for p in played)


def at_budget(
    sources: Sequence[Source], rule: Rule, per_day: float, price: float, power: float
) -> list[Played]:
    """Every source at the price that meets the budget; requests go with price ^ -1/power."""
    played: list[Played] = []
    for _ in range(TRIES):
        played = [play(source, rule(price)) for source in sources]
        spent = spending(played)
        if abs(spent / per_day - 1.0) < NEAR:
            break
        price *= (spent / per_day) ** power
    return played


def load(folder: Path, count: int) -> list[Source]:
    manifest = json.loads((folder / "manifest.json").read_text())
    names = [name for name, about in sorted(manifest.items()) if about["kind"] != "synthetic"]
    step = max(1, math.ceil(len(names) / count)) if count else 1
    made = []
    for name in names[::step]:
        t0, t1 = float(manifest[name]["t0"]), float(manifest[name]["t1"])
        times = sorted(map(float, (folder / f"{name}.csv").read_text().split()))
        made.append(Source(times, t0, t1, 30 if int(t0) % 2 else 20))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("traces", type=Path)
    parser.add_argument("--per-day", type=float, default=24.0)
    parser.add_argument("--sources", type=int, default=0, help="so many of them, to be quick")
    parser.add_argument("--no-dates", action="store_true")
    parser.add_argument("--fairness", default="0,0.5,1")
    options = parser.parse_args()
    sources, per_day = load(options.traces, options.sources), options.per_day
    rules: list[tuple[str, Rule, float, float]] = [
        ("fixed interval", fixed, DAY / per_day, 1.0),
        ("square root", by_square_root, 1300.0 * (12.0 / per_day) ** 2, 2.0),
    ]
    for text in options.fairness.split(","):
        price = {0.0: 1400.0, 0.5: 600.0}.get(float(text), 300.0) * (12.0 / per_day) ** 2
        rules.append((f"fairness {text}", learnt(float(text), not options.no_dates), price, 2.0))
    print(f"{len(sources)} sources, {per_day:g} requests a source and day, of the fixed interval's delay:")
    base: tuple[float, float] | None = None
    for name, rule, price, power in rules:
        played = at_budget(sources, rule, per_day, price, power)
        delays = sorted(d for p in played for d in p.delays)
        means = fmean(delays), fmean(fmean(p.delays) for p in played if p.delays)
        base = base or means
        print(
            f"{name:<15} links {means[0] / base[0]:.2f}  sources {means[1] / base[1]:.2f}"
            f"  mean {means[0]:.0f} s  median {median(delays):.0f}"
            f"  95 % {delays[int(len(delays) * 0.95)]:.0f}"
            f"  requests {spending(played):.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
