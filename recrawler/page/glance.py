"""The first stage of a ranking cascade: which candidate blocks are worth measuring in full.

A page has some forty candidates, nested and overlapping, and measuring one costs more than all that is asked
here of all of them. A line of two dozen numbers that the search has at hand ranks them (a cascade as in Wang,
Lin and Metzler, SIGIR 2011), and the likeliest few are measured.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from recrawler.page.blocks import Candidate
from recrawler.page.classifier import Floats, Model
from recrawler.page.facts import LINEAGE, PageFacts, lineage_of

MAX_MEASURED = 8  # candidates of a page that are measured in full
MAX_BEHIND = 3.0  # how far a candidate's log-odds may lie behind the best's, in use
LIKELY_BAR, LEAST_ROWS = (
    0.5,
    3,
)  # least score of a bar, and rows of what ends above it, to be measured whatever else
ROW = 40  # elements of a row that may follow its title
LEAST_MASS = 0.02  # of the longest candidate's text: no list has less

NAMES: tuple[str, ...] = (
    "mass", "mass_share", "length_share", "count_share", "density", "one", "width", "whole", "strict", "level",
    "headed", "distinct", "start", "extent",
    *LINEAGE,
)  # fmt: skip


def shortlist(
    candidates: list[Candidate], page: PageFacts, learnt: Model | None, behind: float = MAX_BEHIND
) -> list[Candidate]:
    """The candidates worth measuring, the most promising first; without a model those with most text.
    `behind`: in log-odds, how far from the best a candidate may lie."""
    masses = [_mass(c, page) for c in candidates]
    least = LEAST_MASS * max(masses, default=0.0)
    kept = [c for c, mass in zip(candidates, masses, strict=True) if mass >= least]
    if learnt is None or not kept:
        return sorted(kept, key=lambda c: -_mass(c, page))[:MAX_MEASURED]
    yes = learnt.predict(glance(kept, page))[:, 1].clip(1e-12, 1 - 1e-12)
    odds = np.log(yes / (1 - yes))
    for c, p in zip(kept, yes.tolist(), strict=True):
        c.score = p  # until it is measured
    best = np.argsort(-odds, kind="stable")[:MAX_MEASURED]
    return [kept[i] for i in best if odds[i] >= odds[best[0]] - behind]


def at_bars(candidates: Sequence[Candidate], page: PageFacts) -> list[Candidate]:
    """For each likely bar the candidate with most text of those that end right above it, with no other bar below
    their first rows: a glance does not see bars."""
    at, out = page.tree.anchor_at, []
    spots = [start for start, _, likely in page.bars if likely >= LIKELY_BAR]
    spans = [(at[c.chosen[0]], at[c.chosen[-1]], c) for c in candidates if len(c.chosen) >= LEAST_ROWS]
    for spot in spots:
        above = [
            (end, c) for first, end, c in spans if end < spot and not any(first < x < spot for x in spots)
        ]
        last = max([end for end, _ in above], default=0)
        near = [c for end, c in above if end >= last - ROW]
        out += [max(near, key=lambda c: c.mass)] if near else []
    return out


def glance(candidates: list[Candidate], page: PageFacts) -> Floats:
    """What is known of candidates before any is measured: [candidate, `NAMES`]."""
    tree, targets = page.tree, page.finder.targets
    at, depth, end = tree.anchor_at, tree.depth, tree.end
    total = len(tree.tag)
    masses = [_mass(c, page) for c in candidates]
    most = max(masses, default=0.0) or 1.0
    longest = (
        max([mass / len(c.chosen) for c, mass in zip(candidates, masses, strict=True)], default=0.0) or 1.0
    )
    largest = max([len(c.chosen) for c in candidates], default=1)
    rows = []
    for c, mass in zip(candidates, masses, strict=True):
        chosen, scope = c.chosen, c.scope
        n = len(chosen)
        first, last = at[chosen[0]], at[chosen[-1]]
        rows.append(
            (
                math.log1p(mass),
                mass / most,
                mass / n / longest,
                n / largest,
                mass / (end[scope] - scope),
                n == 1,
                c.width,
                n / c.whole,
                c.strictness,
                c.level - depth[scope],
                c.headed / n,
                len(set(map(targets.__getitem__, chosen))) / n,
                first / total,
                (last - first) / total,
                *lineage_of(scope, page),
            )
        )
    return np.array(rows, dtype=np.float64).reshape(-1, len(NAMES))


def _mass(c: Candidate, page: PageFacts) -> float:
    """The visual length of the links' texts; links that are thumbnails count as if they had their titles."""
    if c.mass >= 2 * len(c.chosen):
        return c.mass
    at, pictured = page.tree.anchor_at, page.tree.pictured
    return c.mass + 20 * sum([at[k] in pictured for k in c.chosen])
