"""The first two days of an index: delay times fetches, beside an interval by the square root of the rate.

    python benchmarks/cadence_first_days.py TRACES [--prices 1300,330,82] [--starts 0,12,24]

TRACES holds manifest.json (name: {"kind", "t0", ...}) and one CSV of unix seconds a source. Every source is
added `starts` days after its t0, with the newest 20 or 30 dates on its first page, and watched for 48 hours.
Also printed: processor time of a decision, and the largest state as JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from recrawler import cadence

DAY = 86400.0
Visit = Callable[[float, Sequence[float]], float]  # now, new dates -> the next visit


def by_square_root(price: float) -> tuple[Visit, Visit]:
    """An interval of sqrt(2 price / rate), the rate from the dates of the last 14 days."""
    times: list[float] = []
    born = 0.0

    def visit(now: float, new: Sequence[float]) -> float:
        times[:] = [t for t in [*times, *new] if t > now - 14 * DAY]
        since = max(now - 14 * DAY, min(times[0], born) if times else born)
        rate = (len(times) + 0.5) / max(now - since, DAY)
        return now + math.sqrt(2 * price / rate)

    def first(now: float, dates: Sequence[float]) -> float:
        nonlocal born
        born = now
        times.extend(dates)
        return visit(now, [])

    return first, visit


class Learnt:
    """The cadence as a policy; `spent` and `size` are its costs."""

    spent, decisions, size = 0.0, 0, 0

    def __init__(self, price: float) -> None:
        self.pricing = cadence.Pricing(price, 0.0)
        self.state = cadence.CadenceState()

    def first(self, now: float, dates: Sequence[float]) -> float:
        self.state = cadence.first(dates, len(dates), now)
        return cadence.next_visit(self.state, now, self.pricing)

    def visit(self, now: float, new: Sequence[float]) -> float:
        begin = time.process_time()
        self.state = cadence.visited(self.state, now, new, len(new))
        at = cadence.next_visit(self.state, now, self.pricing)
        Learnt.spent += time.process_time() - begin
        Learnt.decisions += 1
        return at


def watch(
    times: Sequence[float], since: float, shown: int, first: Visit, visit: Visit
) -> tuple[list[float], int]:
    """Delays and fetches of 48 hours; intervals between a minute and a day."""
    seen, until, fetches = bisect_right(times, since), since + 2 * DAY, 0
    delays: list[float] = []
    last, at = since, first(since, times[max(0, seen - shown) : seen])
    while (at := min(max(at, last + 60.0), last + DAY)) <= until:
        new = times[seen : bisect_right(times, at)]
        seen += len(new)
        delays += [at - t for t in new]
        fetches += 1 + len(new) // shown
        last, at = at, visit(at, new)
    return delays + [until - t for t in times[seen : bisect_right(times, until)]], fetches


def product(results: Sequence[tuple[list[float], int]]) -> float:
    delays = [d for r in results for d in r[0]]
    return sum(delays) / len(delays) * sum(r[1] for r in results)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("traces", type=Path)
    parser.add_argument("--prices", default="1300,330,82")
    parser.add_argument("--starts", default="0,6,12,18,24,30,36")
    options = parser.parse_args()
    manifest = json.loads((options.traces / "manifest.json").read_text())
    real = {name: about for name, about in sorted(manifest.items()) if about["kind"] != "synthetic"}
    traces = {name: sorted(map(float, (options.traces / f"{name}.csv").read_text().split())) for name in real}
    starts, ratios = [float(s) for s in options.starts.split(",")], []
    for price in (float(p) for p in options.prices.split(",")):
        row = []
        for start in starts:
            mine, other = [], []
            for name, about in real.items():
                since, shown = float(about["t0"]) + start * DAY, 30 if int(about["t0"]) % 2 else 20
                policy = Learnt(price)
                mine.append(watch(traces[name], since, shown, policy.first, policy.visit))
                other.append(watch(traces[name], since, shown, *by_square_root(price)))
                Learnt.size = max(Learnt.size, len(msgspec.json.encode(policy.state)))
            row.append(product(mine) / product(other))
        ratios += row
        print(
            f"price {price:6g}  delay x fetches, of the square root's, by start:",
            *(f"{r:.3f}" for r in row),
            flush=True,
        )
    spent = 1e3 * Learnt.spent / Learnt.decisions
    print(f"mean {sum(ratios) / len(ratios):.3f}; {spent:.2f} ms of processor time a decision; ", end="")
    print(f"largest state {Learnt.size} bytes")


if __name__ == "__main__":
    main()
