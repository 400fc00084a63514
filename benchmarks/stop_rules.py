"""Lists that publish, burst, pin, bump, delete, edit and move while read, watched under four stop rules.

usage: python benchmarks/stop_rules.py [--lists 1000] [--days 60] [--seed 1] [--jobs 2]

Every list lives for so many days and is visited about every two hours. One visit in fifty fails at some
page, one in a hundred is killed before it has written anything (the next one starts from what was written),
and during one in twenty, a slow one, the list moves: before each request something may be published,
deleted or lifted to the top. Each rule watches its own copy of the same life. Counted over all visits:

  missed           links published and listed, that no visit has found by the end
  without a gap    those of them that were not covered by a visit that said it was not complete
  false complete   visits that said "complete" while a link that stood in the list all the time was missing
  old as new       links that were there before the watch and were called new
  requests         requests a visit, beside the least: pages down to the oldest link not yet found
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
    requests: int = 0
    least: int = 0


@dataclass
class Simple:
    """A watcher with a rule that looks at which rows of a page are known."""

    sim: ListSim
    stops: Callable[[list[bool]], bool]
    history: dict[str, KnownLink] = field(default_factory=dict)
    first: bool = True

    def visit(
        self, fail_at: int | None, during: Callable[[int], None], killed: bool = False, pace: float = 2.0
    ) -> tuple[set[str], bool, int]:
        """New links, whether the rule thinks it is complete, requests."""
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
        if killed:
            return set(), False, number
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

    def visit(
        self, fail_at: int | None, during: Callable[[int], None], killed: bool = False, pace: float = 2.0
    ) -> tuple[set[str], bool, int]:
        w = self.watcher
        before = (w.memory, dict(w.history), w.visits) if killed else None
        seen: Seen = w.visit(fail_at=fail_at, during=during, pace=pace)
        if before:
            w.memory, w.history, w.visits = before
            return set(), False, seen.requests
        w.memory = msgspec.json.decode(msgspec.json.encode(w.memory), type=SeriesMemory)
        return seen.emitted(), seen.decision.complete, seen.requests


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


@dataclass
class Life:
    """One list with what it owes: names of links that were published and not yet found."""

    sim: ListSim
    rng: random.Random
    rate: float  # chance of a publication between two visits, bursts apart
    owed: set[str] = field(default_factory=set)
    lifted: set[str] = field(default_factory=set)  # old links that were moved or renamed: news to any reader
    ever: set[str] = field(default_factory=set)

    def publish(self, n: int) -> None:
        made = self.sim.publish(n)
        self.owed.update(made)
        self.ever.update(made)

    def bump(self) -> None:
        i = self.rng.randrange(min(30, len(self.sim.posts)))
        self.lifted.add(self.sim.posts[i].name)
        self.sim.bump(i, redate=self.sim.precision is not None)

    def delete(self) -> None:
        self.sim.delete(self.rng.randrange(min(30, len(self.sim.posts))))

    def edit(self) -> None:
        old, new = self.sim.edit(self.rng.randrange(min(30, len(self.sim.posts))))
        if old in self.owed:  # nobody has seen it under its old name
            self.owed.remove(old)
            self.owed.add(new)
        else:
            self.lifted.add(new)

    def two_hours(self) -> None:
        """What happens to the list between two visits."""
        kind = self.rng.random()
        if kind < 0.02:
            self.publish(self.rng.randint(1, 8 * self.sim.size))
        elif self.rng.random() < self.rate:
            self.publish(self.rng.randint(1, 3))
        if kind > 0.97 and len(self.sim.pinned) < 2:
            i = self.rng.randrange(min(10, len(self.sim.posts)))
            self.lifted.add(self.sim.posts[i].name)
            self.sim.pin(i)
        elif kind > 0.94:
            self.sim.unpin()
        elif kind > 0.91:
            self.bump()
        elif kind > 0.86:
            self.delete()
        elif kind > 0.84:
            self.edit()
        self.sim.now += timedelta(hours=2)

    def move(self) -> None:
        """What may happen between two requests of a visit."""
        kind = self.rng.random()
        if kind < 0.2:
            self.publish(self.rng.randint(1, 2))
        elif kind < 0.3:
            self.delete()
        elif kind < 0.35:
            self.bump()

    def depth(self) -> int:
        """Pages down to the oldest link that is owed."""
        places = [i for i, name in enumerate(self.sim.listed()) if name in self.owed]
        return 1 + (max(places) // self.sim.size if places else 0)


def play(rule: str, seed: int, days: int, score: Score) -> None:
    rng = random.Random(seed)
    sim = new_list(rng)
    life = Life(sim, rng, rng.choice((0.02, 0.1, 0.3, 0.7)))
    watcher = RULES[rule](sim)
    watcher.visit(None, lambda n: None)
    start = set(sim.listed())
    declared: set[str] = set()
    for _ in range(days * 12):
        life.two_hours()
        life.owed.intersection_update(sim.listed())
        score.least += life.depth()
        due = set(life.owed)
        fail_at = rng.randint(1, 4) if rng.random() < 0.02 else None
        killed, moves = rng.random() < 0.01, rng.random() < 0.05

        def during(number: int, moves: bool = moves) -> None:
            if moves and number > 1:
                life.move()

        emitted, complete, requests = watcher.visit(fail_at, during, killed, 30.0 if moves else 2.0)
        score.visits += 1
        score.requests += requests
        score.old += len((emitted & start) - life.lifted)
        life.owed -= emitted
        if complete and (due - emitted) & set(sim.listed()):
            score.false += 1
        elif not complete:
            declared |= life.owed
    # What came in while the last visit read is the next one's; what is still owed then is missed.
    for last in range(3):
        emitted, complete, _ = watcher.visit(None, lambda n: None)
        life.owed -= emitted
        if last and not complete:
            declared |= life.owed
    rest = life.owed & set(sim.listed())
    score.published += len(life.ever)
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
    ap.add_argument("--rule", action="append", choices=list(RULES), help="only this one")
    args = ap.parse_args()
    print(f"{'rule':<24} published   missed  without a gap  false complete  old as new  requests  least")
    for rule in args.rule or RULES:
        score = Score()
        with ProcessPoolExecutor(args.jobs) as pool:
            lives = [(rule, args.seed * 100_000 + n, args.days) for n in range(args.lists)]
            for part in pool.map(live_once, lives, chunksize=8):
                for name in vars(part):
                    setattr(score, name, getattr(score, name) + getattr(part, name))
        share = 100 * score.missed / max(1, score.published)
        print(
            f"{rule:<24} {score.published:>9} {share:>7.3f}% {score.missed_without_gap:>14} {score.false:>15}"
            f" {score.old:>11} {score.requests / score.visits:>9.3f} {score.least / score.visits:>6.3f}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
