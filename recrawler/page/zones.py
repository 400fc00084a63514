"""A front page without a pager whose newest articles run on from one zone to the next, each marked up otherwise: the
zones whose dates follow each other are one list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from recrawler.page.blocks import Candidate
from recrawler.page.facts import PageFacts, lineage_of
from recrawler.page.pairing import lowest_over
from recrawler.page.strays import extend, likeness
from recrawler.page.types import Link

LIKELY = 0.25  # least score of a zone
LEAST = 2  # rows of a zone

Read = Callable[[Candidate], Sequence[Link]]  # the rows of a block


def run_on(
    main: Candidate, rows: Sequence[Link], others: Iterable[Candidate], page: PageFacts, read: Read
) -> Candidate:
    """The main list, whose rows are given, with the zones below it that are older than all of it, and those above it that are newer: of
    articles with URLs of its shape, all dated, and newest first. A side column below is no zone: it holds what is older,
    or most read. Else the list itself."""
    like, own = likeness(main, page), _falling(rows)
    if like is None or not own:
        return main
    zones = [c for c in others if c.score >= LIKELY and len(c.chosen) >= LEAST and likeness(c, page) == like]
    zones.sort(key=lambda c: c.tops[0])
    below = [c for c in zones if c.tops[0] > main.tops[0] and not _aside(c, page)]
    whole, links = main, own
    for c in [*below, *(c for c in reversed(zones) if c.tops[0] < main.tops[0])]:
        theirs = _falling(read(c)) if _clear(c, whole, page) else []
        order = [*links, *theirs] if c.tops[0] > whole.tops[0] else [*theirs, *links]
        if theirs and (joined := _falling(order)):
            whole, links = _joined(whole, c, page), joined
    if whole is not main:
        extend(whole, page)
    return whole


def _falling(links: Sequence[Link]) -> Sequence[Link]:
    """The rows, if all are dated and none is newer than the one before it; else none. Days alone may be equal."""
    dates = [x.date for x in links if x.date]
    rough = any(x.precision == "day" for x in links)
    fall = all(b <= a or (rough and b.date() == a.date()) for a, b in pairwise(dates))
    return links if fall and len(dates) == len(links) else []


def _clear(c: Candidate, whole: Candidate, page: PageFacts) -> bool:
    """Whether a zone stands above or below all of the list and has none of its articles."""
    targets = page.finder.targets
    apart = c.rows[0][0] >= whole.rows[-1][1] or whole.rows[0][0] >= c.rows[-1][1]
    return apart and {targets[k] for k in c.chosen}.isdisjoint(targets[k] for k in whole.chosen)


def _aside(c: Candidate, page: PageFacts) -> bool:
    side, nav, foot, _, _, _, in_aside, in_nav, in_footer, _, _ = lineage_of(c.scope, page)
    return bool(side or nav or foot or in_aside or in_nav or in_footer)


def _joined(a: Candidate, b: Candidate, page: PageFacts) -> Candidate:
    first, second = (a, b) if a.tops[0] < b.tops[0] else (b, a)
    tops = [*first.tops, *second.tops]
    return replace(
        a,
        scope=lowest_over(tops, page),
        chosen=[*first.chosen, *second.chosen],
        tops=tops,
        rows=[*first.rows, *second.rows],
    )
