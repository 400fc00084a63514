"""The list rather than one of its parts, and titles rather than all that stands in their rows: of candidates about as
good as the best one, which to take."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from recrawler.page.blocks import Candidate
from recrawler.page.facts import PageFacts, url_shape
from recrawler.page.listings import way_to
from recrawler.page.outline import HEADINGS

MAIN_AT = 0.15  # least score of a main listing
NEARLY = 0.5  # of the best score
LONGER = 2.0  # times as long are titles than what stands beside them in their rows
DATED = 0.8  # of the rows of a list have dates, and fewer of a list with a menu
STRIPED = 0.8  # of the neighbours in a list are unlike each other
EQUAL = 0.03  # scores no farther apart say nothing ...
ALIKE = 0.1  # ... nor those of a list whose further links are just like those of its part


def widest_of_equals(scored: Sequence[Candidate], page: PageFacts) -> Candidate:
    """The best candidate, or one about as good that holds it and more rows like its own: the list rather than one
    of its parts."""
    best = one_a_row(scored, page)
    least = best.score - ALIKE
    equals = [c for c in scored if c.score >= least and _continues(c, best, page)]
    equals = [c for c in equals if c.score >= best.score - EQUAL or _alike(c, best, page)]
    if best.values["dated"] >= DATED:
        equals = [c for c in equals if c.values["dated"] >= DATED]  # not: a slider above, of the same make
    equals += [c for c in scored if c.score >= MAIN_AT and _striped(c, best)]
    equals += [c for c in scored if c.score >= NEARLY * best.score and _in_more_rows(c, best, page)]
    return max([best, *equals], key=lambda c: len(c.chosen))


def one_a_row(scored: Sequence[Candidate], page: PageFacts) -> Candidate:
    """The best candidate, or nearly as good a part of it, where the rest stands otherwise in the same rows, or is far
    shorter and leads elsewhere: titles without the links to authors and comments beside them, or without a menu
    above that is made like them and has no dates."""
    best = scored[0]

    def around(ks: Sequence[int]) -> set[str]:
        return {page.tree.tag[page.tree.parent[page.tree.anchor_at[k]]] for k in ks}

    def longer(ks: Sequence[int], others: Sequence[int]) -> bool:
        one, other = ([page.finder.lengths[k] for k in some] for some in (ks, others))
        shapes, theirs = ({url_shape(k, page) for k in some} for some in (ks, others))
        return shapes.isdisjoint(theirs) and median(one) >= LONGER * median(other)

    for c in scored[1:]:
        own = set(c.chosen)
        rest = [k for k in best.chosen if k not in own]
        half = own < set(best.chosen) and 2 * len(c.chosen) <= len(best.chosen)
        if not half or c.score < NEARLY * best.score:
            continue
        if around(c.chosen).isdisjoint(around(rest)) or longer(c.chosen, rest):
            at = page.tree.anchor_at
            inside = [any(a <= at[k] < b for a, b in c.rows) for k in rest]
            menu = (
                not any(inside)
                and longer(c.chosen, rest)
                and c.values["dated"] >= DATED > best.values["dated"]
            )
            return c if all(inside) or menu else best
    return best


def _continues(c: Candidate, part: Candidate, page: PageFacts) -> bool:
    """Whether a candidate is a part with further rows of the same shape: not beside its links in their rows, and
    below no heading of their own."""
    tree, at = page.tree, page.tree.anchor_at
    own = set(part.chosen)
    if not own < set(c.chosen) or len({tree.loose[at[k]] for k in c.chosen}) > 1:
        return False
    further = [at[k] for k in c.chosen if k not in own]
    if any(start <= i < end for start, end in part.rows for i in further):
        return False
    return not any(tag in HEADINGS for a, b in pairwise(c.rows) for tag in tree.tag[a[1] : b[0]])


def _in_more_rows(c: Candidate, part: Candidate, page: PageFacts) -> bool:
    """Whether a candidate has the articles of a part in the same rows, and those of further rows: the titles, where
    the part is the "continue reading" that only long posts have."""
    targets = page.finder.targets
    if c.width > 1 or (c.scope, c.level) != (part.scope, part.level) or not set(part.tops) < set(c.tops):
        return False
    own = {top: targets[k] for top, k in zip(c.tops, c.chosen, strict=True)}
    same = all(own[top] == targets[k] for top, k in zip(part.tops, part.chosen, strict=True))
    return same and set(c.chosen).isdisjoint(part.chosen)


def _alike(c: Candidate, part: Candidate, page: PageFacts) -> bool:
    """Whether all further links have the shapes of URLs of a part's, and the classes around them."""

    def sort(k: int) -> tuple[tuple[str, str], list[set[str]]]:
        way = way_to(page.tree.anchor_at[k], page)
        return url_shape(k, page), [classes for _, classes in way]

    own = [sort(k) for k in {part.chosen[0], part.chosen[-1]}]
    return all(sort(k) in own for k in c.chosen)


def _striped(c: Candidate, part: Candidate) -> bool:
    """Whether a candidate is a part with further rows between most of its own: every other row has another class."""
    if (c.scope, c.level) != (part.scope, part.level) or not set(part.chosen) < set(c.chosen) or c.width > 1:
        return False
    own = set(part.chosen)
    turns = sum((a in own) != (b in own) for a, b in pairwise(c.chosen))
    return turns >= STRIPED * (len(c.chosen) - 1)
