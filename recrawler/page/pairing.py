"""Which bar pages which block: a bar goes to the block it stands nearest to, and may cut one block in two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from recrawler.page.blocks import Candidate
from recrawler.page.facts import PageFacts
from recrawler.page.pagination import BarCandidate

SURE_BAR = 0.6  # least score of a bar that cuts a block in two


def split(c: Candidate, page: PageFacts, bars: Sequence[BarCandidate]) -> list[Candidate]:
    """The block, cut where a bar that is nowhere else stands between its rows: two lists of one shape.

    A part without a bar of its own is left out: below a list's bar stand other things of the same make.
    """
    cuts = []
    for bar in bars:
        spots = [page.doc.position[n] for n in bar.nodes if n in page.doc.position]
        if bar.score >= SURE_BAR and len(spots) == 1:
            cuts.append(spots[0])
    first, last = c.rows[0][0], c.rows[-1][1]
    inner = sorted(at for at in cuts if first < at < last and not any(a <= at < b for a, b in c.rows))
    if not inner:
        return [c]
    parts = _parts(c, inner, page)
    if any(at >= last for at in cuts):  # the last part has a bar of its own
        return [p for p in parts if p.chosen]
    before, after = parts[:-1], parts[-1]
    if len(after.chosen) > 3 * len(before[-1].chosen):
        return [after]
    return [p for p in before if p.chosen]


def _parts(c: Candidate, cuts: list[int], page: PageFacts) -> list[Candidate]:
    out = []
    edges = [-1, *cuts, len(page.tree.tag)]
    for lo, hi in pairwise(edges):
        out.append(part(c, [i for i, top in enumerate(c.tops) if lo <= top < hi], page))
    return out


def part(c: Candidate, rows: Sequence[int], page: PageFacts) -> Candidate:
    """A block's rows of these numbers, as a block of its own; of none, one without links."""
    tops = [c.tops[i] for i in rows]
    return replace(
        c,
        scope=lowest_over(tops, page) if tops else c.scope,
        chosen=[c.chosen[i] for i in rows],
        tops=tops,
        rows=[c.rows[i] for i in rows],
    )


def lowest_over(tops: list[int], page: PageFacts) -> int:
    """The lowest element that holds all rows."""
    at = page.tree.parent[tops[0]] if len(tops) > 1 else tops[0]
    while at > 0 and page.tree.end[at] <= tops[-1]:
        at = page.tree.parent[at]
    return at


def pair(
    taken: Sequence[Candidate],
    bars: Sequence[BarCandidate],
    page: PageFacts,
    usual: Mapping[Candidate, str | None],
) -> list[BarCandidate | None]:
    """The bar of each block: each bar goes to the block it stands nearest to (the first one, where it is housed with
    that alone), each block keeps its best, or the one at its `usual` place: the bar of a list that is not watched
    on this page may be a better one."""
    best: list[tuple[float, BarCandidate] | None] = [None] * len(taken)
    for bar in bars if taken else ():
        near = [(nearness(c, bar, page), -i) for i, c in enumerate(taken)]
        alone = all(housed_apart(taken[0], c, bar, page) for c in taken[1:])
        in_head = bar.node.tag == "link"  # such a bar is the main list's
        closeness, minus = near[0] if alone or in_head else max(near)
        worth = bar.score * closeness + bar.marked + (bar.xpath == usual.get(taken[-minus]))
        held = best[-minus]
        if held is None or worth > held[0]:
            best[-minus] = (worth, bar)
    return [b[1] if b else None for b in best]


def housed_apart(c: Candidate, other: Candidate, bar: BarCandidate, page: PageFacts) -> bool:
    """Whether an element holds the bar and all of one block, and nothing of the other: a column with its list."""
    return any(
        _housing(c, at, page) > _housing(other, at, page)
        for node in bar.nodes
        if (at := page.doc.position.get(node)) is not None
    )


def _housing(c: Candidate, bar: int, page: PageFacts) -> int:
    """Depth of the lowest element that holds a bar's place and all rows of a block."""
    first, last = c.rows[0][0], c.rows[-1][1]
    at = bar
    while at > 0 and not (at <= first and last <= page.tree.end[at]):
        at = page.tree.parent[at]
    return page.tree.depth[at]


def nearness(c: Candidate, bar: BarCandidate, page: PageFacts) -> float:
    """1 for a bar that touches the block, less with every element between; a bar after counts a bit more."""
    first, last = c.rows[0][0], c.rows[-1][1]
    total = len(page.tree.tag)
    out = 0.0
    for node in bar.nodes:
        at = page.doc.position.get(node)
        if at is None:
            continue
        away = at - last if at >= last else (first - page.tree.end[at]) * 1.3 if at < first else 0.0
        out = max(out, 1 / (1 + 30 * max(0.0, away) / total))
    return out
