"""Bars judged a second time, by where they stand to the list.

The first judgement of a group of links sees the group alone. But a bar stands right above or below the rows
that it pages, mostly in the same container, and little else does: with the likeliest block at hand, two arrows
below it are a bar, and the same arrows below a carousel are none. The features are few and the model is a
straight line, so what it learns holds for sites that it has never seen. The other way round, links of a sure bar
that page are no articles: `paging` tells which.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from recrawler.page.blocks import Candidate, visual
from recrawler.page.facts import shape_of
from recrawler.page.groups import Group, Item
from recrawler.page.outline import Outline
from recrawler.page.reading import loads_more
from recrawler.page.words import names_items

NAMES: tuple[str, ...] = (
    "logit", "block_score", "block_rows", "after", "before", "inside", "gap_after", "gap_before",
    "first_after", "siblings", "common", "rank", "rival",
)  # fmt: skip
MAX_PAGING = 30  # visual length of a link that pages
MIN_COVERED = 0.4  # share of its letters that say so: "next", not a title with a "next" in it
MIN_ROWS = 2  # of one URL shape that make a list in a bar's group
MAX_LETTERS = 6  # beside its number: "page 2", not a title with a number
SURE_BAR = 0.7  # least score of a bar whose links are taken for no articles
WORDED_BAR = 0.5  # least score of a bar that says first, previous, next and last ...
LIST_BESIDE = 0.5  # ... on a page whose likeliest block has this score
WAYS = frozenset(("first", "prev", "next", "last"))
MIN_WORDED = 0.6  # share of the letters of such a word that say so
_NUMBERS = re.compile(r"\d+")
Span = tuple[int, int, float]  # start, end, first score


def standing(spans: Sequence[Span], best: Candidate | None, tree: Outline) -> list[list[float]]:
    """For each group of links how it stands to the likeliest block, in the order of `NAMES`."""
    if best is None:
        return [[_logit(score), *[0.0] * 5, 1.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0] for *_, score in spans]
    last = best.rows[-1][1]
    below = sorted([start for start, *_ in spans if start >= last])
    return [_row(i, spans, best, below, tree) for i in range(len(spans))]


def cuts(span: Span, best: Candidate | None) -> bool:
    """Whether a group stands between rows of the likeliest block, in none of them: a sure bar there ends one list and
    begins another."""
    if best is None or not best.rows[0][0] < span[0] < best.rows[-1][0]:
        return False
    return not any(start <= span[0] < end for start, end in best.rows)


def _row(i: int, spans: Sequence[Span], best: Candidate, below: list[int], tree: Outline) -> list[float]:
    start, end, score = spans[i]
    first, last = best.rows[0][0], best.rows[-1][1]
    total = len(tree.tag)
    shared = start
    while not shared <= best.scope < tree.end[shared]:
        shared = tree.parent[shared]
    return [
        _logit(score),
        best.score,
        math.log1p(len(best.chosen)),
        float(start >= last),
        float(end <= first),
        float(start < last and end > first),
        (start - last) / total if start >= last else 1.0,
        (first - end) / total if end <= first else 1.0,
        float(bool(below) and start == below[0]),
        float(shared in (best.scope, tree.parent[best.scope])),
        tree.depth[shared] / (tree.depth[best.scope] + 1),
        float(below.index(start)) if start >= last else -1.0,
        max([s for k, (_, _, s) in enumerate(spans) if k != i], default=0.0),
    ]


def second(group: Group, span: Span, learnt: float, best: Candidate | None) -> float:
    """A group's score by where it stands to the likeliest block. A sure bar between two lists keeps its first one,
    and a group beside a list that names all the ways of a pager is a bar, whatever its URLs are."""
    if not group.items or (span[2] >= SURE_BAR and cuts(span, best)):
        return span[2]
    beside = best is not None and best.score >= LIST_BESIDE and names_all_ways(group)
    return max(learnt, WORDED_BAR) if beside else learnt


def names_all_ways(group: Group) -> bool:
    """Whether a group says first, previous, next and last, its links nothing else. On the first page of a list two
    of the four are words without a link."""
    said = {sense for t in group.tokens if t.shape.coverage >= MIN_WORDED for sense in t.shape.senses}
    worded = [i.shape.coverage >= MIN_WORDED and not WAYS.isdisjoint(i.shape.senses) for i in group.items]
    return bool(worded) and all(worded) and said >= WAYS


def _logit(score: float) -> float:
    score = min(max(score, 1e-4), 1 - 1e-4)
    return math.log(score / (1 - score))


def surely_paging(groups: Sequence[Group], scores: Iterable[float]) -> set[int]:
    """The links that page, of sure bars and of a link to more that stands alone."""
    sure = [g for g, s in zip(groups, scores, strict=True) if s >= SURE_BAR or g.marked]
    more = {g.items[0].anchor.index for g in groups if loads_more(g)}
    return more.union(*map(paging, sure))


def paging(group: Group) -> set[int]:
    """The links of a bar's group that page. The group may hold the list too, where both stand in one element:
    then titles that say "first" or hold a number are told by their URLs, which are like the other titles'."""
    says = [item for item in group.items if _speaks_of_pages(item)]
    others = [item for item in group.items if not _speaks_of_pages(item)]
    numbered, shaped = _titles(says, others, _numbered), _titles(says, others, _shaped)
    alone = Counter([_numbered(item) for item in says])
    titles = {
        item.anchor.index
        for item in says
        if _numbered(item) in numbered or (_shaped(item) in shaped and alone[_numbered(item)] == 1)
    }
    return {item.anchor.index for item in says} - titles


def _titles(says: Sequence[Item], others: Sequence[Item], form: Callable[[Item], str]) -> set[str]:
    """The forms of URLs that more links have which say nothing of pages than links that do."""
    count = Counter([form(item) for item in says])
    return {x for x, n in Counter([form(item) for item in others]).items() if n >= max(MIN_ROWS, count[x])}


def _numbered(item: Item) -> str:
    """The URL but for its numbers: of articles that have nothing else of their own."""
    return _NUMBERS.sub("0", item.url or "")


def _shaped(item: Item) -> str:
    """The shape of the URL: of articles whose titles stand in it."""
    return shape_of((item.url or "").split("/", 3)[-1])


def _speaks_of_pages(item: Item) -> bool:
    """Not every link of a bar's group pages: in a list of one row the row may stand in it ("Issue 23")."""
    shape = item.shape
    said = bool(shape.senses) and not names_items(item.anchor.text)
    paged = said or (item.step is not None and item.step.hint)
    numbered = shape.number is not None and (shape.pure or (paged and shape.letters <= MAX_LETTERS))
    worded = shape.coverage >= MIN_COVERED and bool({*shape.senses} - {"page"})
    return visual(item.anchor.text) <= MAX_PAGING and (numbered or bool(shape.arrow) or worded)
