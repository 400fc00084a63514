"""The budget over real sources: what is spent of it in each week, and in the worst seven days.

    python benchmarks/cadence_budget.py TRACES [--budget 5000/d] [--step N] [--fairness F]

TRACES holds manifest.json (name: {"kind", "t0", "t1", ...}) and one CSV of unix seconds a source. All sources
are watched at once, moved by whole weeks, at the one price of the controller, which begins at ten times the
default. Printed: spending as a share of the budget by week, and in any seven days after the first week; how
far the price moves within a day.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from recrawler import cadence
from recrawler.settings import parse_budget

HOUR, DAY, WEEK = 3600.0, 86400.0, 7 * 86400.0


@dataclass
class Source:
    """One page that is watched; `times` on the common clock."""

    times: Sequence[float]
    shown: int
    seen: int = 0
    state: cadence.CadenceState = field(default_factory=cadence.CadenceState)

    def begin(self, now: float) -> None:
        self.seen = bisect_right(self.times, now)
        old = self.times[max(0, self.seen - self.shown) : self.seen]
        self.state = cadence.first(old, len(old), now)

    def visit(self, now: float) -> int:
        """Look; the requests that it took."""
        end = bisect_right(self.times, now)
        new, self.seen = self.times[self.seen : end], end
        self.state = cadence.visited(self.state, now, new, len(new))
        return 1 + len(new) // self.shown


def load(folder: Path, step: int) -> tuple[list[Source], float]:
    """Every `step`-th real source, moved by whole weeks so that all begin in one week; days in common."""
    manifest = json.loads((folder / "manifest.json").read_text())
    names = [name for name, about in sorted(manifest.items()) if about["kind"] != "synthetic"][::step]
    sources, common = [], math.inf
    for name in names:
        about = manifest[name]
        moved = math.floor(about["t0"] / WEEK) * WEEK
        times = sorted(float(x) - moved for x in (folder / f"{name}.csv").read_text().split())
        sources.append(Source(times, 30 if int(about["t0"]) % 2 else 20))
        common = min(common, about["t1"] - moved)
    return sources, common


def play(
    sources: Sequence[Source], until: float, per_hour: float, fairness: float
) -> tuple[list[float], list[float]]:
    """Requests of each hour from one week in, and the price at its end."""
    controller = cadence.PriceController(per_hour, 800.0)
    pricing = cadence.Pricing(controller.price, fairness)
    queue, spent, prices = [], [], []
    for number, source in enumerate(sources):
        source.begin(WEEK)
        queue.append((WEEK + 600.0 * number / len(sources), number))
    heapq.heapify(queue)
    end, paid = WEEK + HOUR, 0
    while queue[0][0] < until:
        now, number = heapq.heappop(queue)
        while now >= end:
            controller = controller.spent(end, 0)
            spent.append(float(paid))
            prices.append(controller.price)
            end, paid = end + HOUR, 0
        took = sources[number].visit(now)
        controller, paid = controller.spent(now, took), paid + took
        pricing = replace(pricing, price=controller.price)
        heapq.heappush(queue, (cadence.next_visit(sources[number].state, now, pricing), number))
    return spent, prices


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("traces", type=Path)
    parser.add_argument("--budget", help="default: 24 requests a source-day")
    parser.add_argument("--step", type=int, default=1, help="every n-th source only, to be quick")
    parser.add_argument("--fairness", type=float, default=0.5)
    options = parser.parse_args()
    sources, until = load(options.traces, options.step)
    per_hour = float(parse_budget(options.budget)) if options.budget else float(len(sources))
    spent, prices = play(sources, until, per_hour, options.fairness)
    weeks = [sum(spent[a : a + 168]) / (168 * per_hour) for a in range(0, len(spent) - 167, 168)]
    print(f"{len(sources)} sources, {per_hour:g} requests an hour; of the budget, by week:", end=" ")
    print(*(f"{w:.3f}" for w in weeks))
    sevens = [sum(spent[a : a + 168]) / (168 * per_hour) for a in range(168, len(spent) - 167, 24)]
    if sevens:
        worst = max(sevens, key=lambda s: abs(s - 1.0))
        print(
            f"any seven days after the first week: {min(sevens):.3f} to {max(sevens):.3f}, worst {worst:.3f}"
        )
    days = [prices[a : a + 24] for a in range(336, len(prices) - 23, 24)]
    swings = sorted(max(day) / min(day) for day in days)
    if swings:
        print(f"price {prices[-1]:.1f}; within a day it moves by a factor of {swings[len(swings) // 2]:.2f}")


if __name__ == "__main__":
    main()
