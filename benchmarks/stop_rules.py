"""Lists that publish, pin, bump, delete and move, watched under four stop rules.

usage: python benchmarks/stop_rules.py [--lists 1000] [--days 60] [--seed 1]

Every list lives for so many days and is visited about every two hours (with failures and restarts between).
Each rule watches its own copy of the same life. Counted over all visits:

  missed        links published and listed, that no visit has found by the end
  false         visits that said "complete" while a link that stood in the list was missing
  old           links that were there before the watch and were called new
  pages         pages read, beside the least: those down to the oldest link not yet found
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent))

from recrawler.completion import KnownLink, Limits, SeriesMemory
from tests.listsim import ListSim, Seen, Watcher

MAX_PAGES = 30


@dataclass
class Score:
    published: int = 0
    missed: int = 0
    missed_without_gap: int = 0
    false: int = 0
    old: int = 0
    visits: int = 0
    pages: int = 0
    least: int = 0


@dataclass
class Simple:
    """A watcher with a rule that looks at which rows of a page are known."""

    sim: ListSim
    stops: Callable[[list[bool]], bool]
    history: dict[str, KnownLink] = field(default_factory=dict)
    first: bool = True

    def visit(self, fail_at: int | None, during: Callable[[int], None]) -> tuple[set[str], bool, int]:
        """New links, whether the rule thinks it is complete, pages read."""
        new: set[str] = set()
        number, done = 1, False
        while number <= MAX_PAGES:
            during(number)
            if number == fail_at:
                break
            view = self.sim.view(number, self.history.get)
            new |= {r.key for r in view.rows if r.known is None}
            done = view.older is None or self.first or self.stops([r.known is not None for r in view.rows])
            if done:
                break
            number += 1
        for key in new:
            self.history[key] = KnownLink(key, 1, None, None, "", key)
        emitted = set() if self.first else new
        self.first = False
        return emitted, done, number


def any_known(known: list[bool]) -> bool:
    return any(known)


def five_in_a_row(known: list[bool]) -> bool:
    run = 0
    for k in known:
        run = run + 1 if k else 0
        if run >= 5:
            return True
    return False


def no_unknown(known: list[bool]) -> bool:
    return all(known)


class Ours:
    """The product's rule, its memory taken through JSON at every restart."""

    def __init__(self, sim: ListSim) -> None:
        self.watcher = Watcher(sim, Limits(max_pages=MAX_PAGES))

    def visit(self, fail_at: int | None, during: Callable[[int], None]) -> tuple[set[str], bool, int]:
        seen: Seen = self.watcher.visit(fail_at=fail_at, during=during)
        self.watcher.memory = msgspec.json.decode(msgspec.json.encode(self.watcher.memory), type=SeriesMemory)
        return seen.emitted(), seen.decision.complete, seen.pages


RULES: dict[str, Callable[[ListSim], Ours | Simple]] = {
    "recrawler": Ours,
    "any known link": lambda sim: Simple(sim, any_known),
    "five known in a row": lambda sim: Simple(sim, five_in_a_row),
    "no unknown on the page": lambda sim: Simple(sim, no_unknown),
}


def new_list(rng: random.Random) -> ListSim:
    sim = ListSim(
        size=rng.choice((5, 8, 10, 12, 15, 20, 30, 50)),
        precision=rng.choice(("minute", "minute", "day", None)),
        marked_pins=rng.random() < 0.5,
    )
    sim.publish(rng.randint(2, 12) * sim.size)
    for _ in range(rng.choice((0, 0, 1, 2))):
        sim.pin(rng.randrange(len(sim.posts)))
    return sim


def live(sim: ListSim, rng: random.Random, owed: set[str], lifted: set[str], rate: float) -> None:
    """What happens to a list between two visits."""
    kind = rng.random()
    if kind < 0.02:
        owed.update(sim.publish(rng.randint(1, 8 * sim.size)))
    elif rng.random() < rate:
        owed.update(sim.publish(rng.randint(1, 3)))
    if kind > 0.97 and len(sim.pinned) < 2:
        lifted.add(sim.posts[0].name)
        sim.pin(rng.randrange(min(10, len(sim.posts))))
    elif kind > 0.94:
        sim.unpin()
    elif kind > 0.91:
        i = rng.randrange(min(30, len(sim.posts)))
        lifted.add(sim.posts[i].name)
        sim.bump(i, redate=sim.precision is not None)
    elif kind > 0.86:
        sim.delete(rng.randrange(min(30, len(sim.posts))))
    sim.now += timedelta(hours=2)


def play(rule: str, seed: int, days: int, score: Score) -> None:
    rng = random.Random(seed)
    sim = new_list(rng)
    rate = rng.choice((0.02, 0.1, 0.3, 0.7))
    watcher = RULES[rule](sim)
    watcher.visit(None, lambda n: None)
    start = set(sim.listed())
    owed: set[str] = set()
    lifted: set[str] = set()
    ever: set[str] = set()
    declared: set[str] = set()
    for _ in range(days * 12):
        live(sim, rng, owed, lifted, rate)
        ever |= owed
        fail_at = rng.randint(1, 4) if rng.random() < 0.02 else None
        moves = rng.random() < 0.05

        def during(number: int, moves: bool = moves, owed: set[str] = owed) -> None:
            if moves and number == 2:
                owed.update(sim.publish(2))

        owed.intersection_update(sim.listed())
        depth = [i for i, name in enumerate(sim.listed()) if name in owed]
        score.least += 1 + (max(depth) // sim.size if depth else 0)
        emitted, complete, pages = watcher.visit(fail_at, during)
        score.visits += 1
        score.pages += pages
        score.old += len((emitted & start) - lifted)
        before_walk = owed - emitted
        owed -= emitted
        if complete and before_walk & set(sim.listed()) and not moves:
            score.false += 1
        elif not complete:
            declared |= owed
    # What came in while the last visit read is the next one's.
    for last in range(2):
        emitted, complete, _ = watcher.visit(None, lambda n: None)
        owed -= emitted
        if last and not complete:
            declared |= owed
    rest = owed & set(sim.listed())
    score.published += len(ever | owed)
    score.missed += len(rest)
    score.missed_without_gap += len(rest - declared)


def live_once(life: tuple[str, int, int]) -> Score:
    score = Score()
    play(*life, score)
    return score


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--lists", type=int, default=1000)
    ap.add_argument("--days", type=int, default=60)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--jobs", type=int, default=1)
    args = ap.parse_args()
    print(f"{'rule':<24} published  missed  without a gap  false complete  old as new  pages/visit   least")
    for rule in RULES:
        score = Score()
        with ProcessPoolExecutor(args.jobs) as pool:
            lives = [(rule, args.seed * 100_000 + n, args.days) for n in range(args.lists)]
            for part in pool.map(live_once, lives, chunksize=8):
                for name in vars(part):
                    setattr(score, name, getattr(score, name) + getattr(part, name))
        share = 100 * score.missed / max(1, score.published)
        print(
            f"{rule:<24} {score.published:>9} {share:>6.3f}% {score.missed_without_gap:>14} {score.false:>15}"
            f" {score.old:>11} {score.pages / score.visits:>12.3f} {score.least / score.visits:>7.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
