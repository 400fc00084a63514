"""Blocks: the repeated structures of a page that may be its list of articles.

A candidate is a set of links that stand at the same place of repeated rows. It is found from the links, not
from containers: links whose way down from the root has the same shape form a group (by tags alone, and with the
classes of the link and its parent), and every element where two neighbours of a group part is the scope of one
candidate. So the markup of a row does not matter, nor
classes that differ from row to row, nor lists cut in pieces by dates or columns: the scope above the pieces is
a candidate too. `Finder.find` gives them all, with one link chosen per row; of several columns with the same
targets (thumbnail, title, "read more") the one that reads most like titles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from recrawler.page.document import Document
from recrawler.page.outline import Outline

MAX_CANDIDATES = 400
MAX_GROUPED = 6_000  # links that are looked at
MAX_DEPTH = 250  # deeper links are left out
MAX_LINKS_A_ROW = 8  # more links of one shape in a row are tags, not titles
MAX_LEVELS = 3
MAX_MASS = 80.0  # visual length that counts of one link
MIN_SINGLE = 10  # visual length of a link that may be a list of its own, if it is in no heading
BLOCK_CLASS = "Baidu_paging_content_indicator"
TIME_CLASS = "Orderby_posttime"

_DIGIT = re.compile(r"\d")
_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]+")


@dataclass(slots=True, eq=False)
class Candidate:
    """Links `chosen` (anchor indexes, one a row, document order) below the element at position `scope`.

    `level` is the depth of the element whose children are the rows. `width` is the mean number of links of
    this shape in a row, `whole` the size of the shape's group on the page. `tops` are the rows' elements and
    `rows` the regions [start, end) of positions that belong to each row: see `Finder.complete`.
    """

    scope: int
    level: int
    chosen: list[int]
    width: float
    whole: int
    strictness: int
    mass: float = 0.0  # visual length of all its texts, each at most `MAX_MASS`
    headed: int = 0  # links in or around headings
    tops: list[int] = field(default_factory=list)
    rows: list[tuple[int, int]] = field(default_factory=list)
    marked: bool = False
    score: float = 0.0
    values: dict[str, float] = field(default_factory=dict)


class _Classes(dict[int, str]):
    """The classes of an element that do not look like numbers, sorted. Nothing is asked for as often, so what is
    known is given without a call of our own."""

    def __init__(self, doc: Document) -> None:
        super().__init__({-1: ""})
        self.elements = doc.elements
        self.steady = {"": ""}

    def __missing__(self, at: int) -> str:
        name = self.elements[at].get("class") or ""
        known = self.steady.get(name)
        if known is None:
            known = self.steady[name] = " ".join(sorted([t for t in name.split() if not _DIGIT.search(t)]))
        self[at] = known
        return known


class Finder:
    """Finds the candidates of one page. `targets` and `lengths` are of each link: see `_targets`, `visual`.
    `without`: links that are known to be none of articles, those of the bars."""

    def __init__(self, doc: Document, tree: Outline, without: Collection[int] = ()) -> None:
        self.doc = doc
        self.tree = tree
        self.targets = _targets(doc)
        for k in without:
            self.targets[k] = -1
        self.lengths = [visual(a.text) for a in doc.anchors]
        self._masses = [x if x < MAX_MASS else MAX_MASS for x in self.lengths]
        self._headed = [at in tree.headed for at in tree.anchor_at]
        self.class_of = _Classes(doc).__getitem__

    def find(self) -> list[Candidate]:
        """Every candidate with a set of targets of its own, or with one that stands in a second place of the page
        (the list, and a box that shows the same articles beside it), at most `MAX_CANDIDATES`."""
        found: dict[tuple[frozenset[int], bool], Candidate] = {}
        for strictness, group in self._groups():
            for candidate in self._of_group(group, strictness):
                targets = frozenset(map(self.targets.__getitem__, candidate.chosen))
                held = found.get((targets, False))
                second = held is not None and _apart(candidate, held)
                held = found.get((targets, True)) if second else held
                if held is None or self._better(candidate, held):
                    found[targets, second] = candidate
            if len(found) >= MAX_CANDIDATES:
                break
        return list(found.values())

    def of(self, group: list[int]) -> list[Candidate]:
        """The candidates that these links make, ascending, whatever others look like them."""
        return list(self._of_group(group, 1)) if group else []

    def complete(self, c: Candidate) -> None:
        """Fills in the rows of a candidate."""
        if c.rows:
            return
        tree = self.tree
        if len(c.chosen) == 1:
            top = self.single_top(tree.anchor_at[c.chosen[0]])
            c.tops, c.rows = [top], [(top, tree.end[top])]
            return
        parent, depth = tree.parent, tree.depth
        for k in c.chosen:
            at = tree.anchor_at[k]
            for _ in range(depth[at] - c.level - 1):
                at = parent[at]
            c.tops.append(at)
        c.rows = self._regions(c.tops)

    def _groups(self) -> Iterator[tuple[int, list[int]]]:
        """Links by shape, loosely and with classes; the largest groups first where there are very many."""
        tree, targets, class_of = self.tree, self.targets, self.class_of
        shapes, parent = tree.loose, tree.parent
        loose: dict[int, list[int]] = {}
        near: dict[tuple[int, str, str], list[int]] = {}
        for k, at in enumerate(tree.anchor_at[:MAX_GROUPED]):
            if targets[k] < 0 or tree.depth[at] > MAX_DEPTH:
                continue
            shape = shapes[at]
            loose.setdefault(shape, []).append(k)
            near.setdefault((shape, class_of(at), class_of(parent[at])), []).append(k)
        whole = {group[0]: len(group) for group in loose.values()}
        groups = [(0, group) for group in loose.values()]
        groups += [(1, group) for group in near.values() if whole.get(group[0]) != len(group)]
        if len(groups) > MAX_CANDIDATES:
            groups.sort(key=lambda pair: -len(pair[1]))
        for strictness, group in groups:
            if len(group) > 1 or self._speaks(group[0]):
                yield strictness, group

    def _speaks(self, k: int) -> bool:
        """Whether a link that stands alone may be the only row of a list."""
        return self.lengths[k] >= MIN_SINGLE or self.tree.anchor_at[k] in self.tree.headed

    def _of_group(self, group: list[int], strictness: int) -> Iterator[Candidate]:
        if len(group) == 1:
            at = self.tree.anchor_at[group[0]]
            yield self._candidate(at, self.tree.depth[at], group, 1.0, 1, strictness)
            return
        shared = [self._shared(a, b) for a, b in pairwise(group)]
        parts = [self.tree.depth[at] for at in shared]
        for lo, hi, depth in _scopes(parts):
            members, inner = group[lo : hi + 1], parts[lo:hi]
            scope = shared[parts.index(depth, lo)]
            *outer, deepest = sorted(set(inner))
            for level in outer[:MAX_LEVELS]:
                rows = _rows(members, inner, level)
                width = len(members) / len(rows)
                if width <= MAX_LINKS_A_ROW:
                    yield self._candidate(scope, level, self._choose(rows), width, len(group), strictness)
            if len(outer) < MAX_LEVELS:  # each link is a row
                yield self._candidate(scope, deepest, members, 1.0, len(group), strictness)

    def _shared(self, a: int, b: int) -> int:
        """The lowest element that holds two links, the first of which comes first."""
        at, later = self.tree.anchor_at[a], self.tree.anchor_at[b]
        end, parent = self.tree.end, self.tree.parent
        while end[at] <= later:
            at = parent[at]
        return at

    def _candidate(
        self, scope: int, level: int, chosen: list[int], width: float, whole: int, strictness: int
    ) -> Candidate:
        mass, headed = sum(map(self._masses.__getitem__, chosen)), sum(map(self._headed.__getitem__, chosen))
        return Candidate(scope, level, chosen, width, whole, strictness, mass, headed)

    def _better(self, a: Candidate, b: Candidate) -> bool:
        """Of two columns with the same targets: which reads more like titles; if both do, whose rows are wider."""
        if a.chosen == b.chosen:
            return a.level < b.level
        return (self._worth(a), -a.level) > (self._worth(b), -b.level)

    def _worth(self, c: Candidate) -> float:
        long = sum([min(self.lengths[k], 60.0) for k in c.chosen])
        texts = len({self.doc.anchors[k].text for k in c.chosen})
        once = len({self.targets[k] for k in c.chosen}) / len(c.chosen)
        return (long + 40 * c.headed) * (0.2 + texts / len(c.chosen)) * once**2

    def _choose(self, rows: list[list[int]]) -> list[int]:
        """The article link of each row: long text, in a heading, with a target that other rows don't share."""
        shared = Counter([u for row in rows for u in {self.targets[k] for k in row}])
        headed, at = self.tree.headed, self.tree.anchor_at

        def worth(k: int) -> float:
            return (min(self.lengths[k], 60) + 1 + 30 * (at[k] in headed)) / shared[self.targets[k]] ** 2

        return [row[0] if len(row) == 1 else max(row, key=worth) for row in rows]

    def _regions(self, tops: list[int]) -> list[tuple[int, int]]:
        """What belongs to each row: its top element, and what follows it up to the next row if every row of the
        parent is followed by something (a title and a text without a common wrapper).

        The last row of a parent gets as many further elements as the others have at least.
        """
        parent, end = self.tree.parent, self.tree.end
        least: dict[int, int] = {}
        for top, following in pairwise(tops):
            if parent[following] == (up := parent[top]):
                gap = following - end[top]
                least[up] = min(least.get(up, gap), gap)
        regions: list[tuple[int, int]] = []
        for top, following in zip(tops, [*tops[1:], -1], strict=True):
            own, up = end[top], parent[top]
            spare = least.get(up, 0)
            if spare and following >= 0 and parent[following] == up:
                own = following
            elif spare:
                own = min(own + spare, end[up])
            regions.append((top, own))
        return regions

    def single_top(self, at: int) -> int:
        """The row of a link that stands alone: the largest element around it with few other links."""
        tree = self.tree
        while (up := tree.parent[at]) >= 0 and tree.tag[up] not in ("body", "main", "html", "table", "ul"):
            links = sum(1 for t in tree.tag[up : min(tree.end[up], up + 400)] if t == "a")
            if links > MAX_LINKS_A_ROW or tree.end[up] - up > 400:
                break
            at = up
            if tree.tag[at] in ("article", "li", "tr"):
                break
        return at


def _apart(a: Candidate, b: Candidate) -> bool:
    """Whether all links of one candidate stand before those of the other."""
    return a.chosen[-1] < b.chosen[0] or b.chosen[-1] < a.chosen[0]


def visual(text: str) -> float:
    """Length as a reader sees it, at most 200: a CJK character is as wide as two letters."""
    if text.isascii():
        return float(min(len(text), 200))
    return float(min(len(text) + len("".join(_WIDE.findall(text[:200]))), 200))


def _targets(doc: Document) -> list[int]:
    """A number for each link's URL without fragment; -1 where a plain client cannot follow it, and for the page itself
    and the site's front, which are no articles."""
    numbers: dict[str, int] = {}
    here = doc.url.partition("#")[0]
    front = "/".join([*doc.url.split("/", 3)[:3], ""])
    out = []
    for anchor in doc.anchors:
        url = anchor.url
        if url is not None and "#" in url:
            url = url.partition("#")[0]
        out.append(-1 if url is None or url in (here, front) else numbers.setdefault(url, len(numbers)))
    return out


def _scopes(parts: list[int]) -> Iterator[tuple[int, int, int]]:
    """Each element where neighbours part, once: first and last member below it, and its depth.

    `parts` are the depths at which neighbours part; a stack finds the widest stretch of each, in linear time.
    """
    stack: list[tuple[int, int]] = []  # (depth, first member)
    for i, depth in enumerate([*parts, -1]):
        first = i
        while stack and stack[-1][0] > depth:
            above, first = stack.pop()
            yield first, i, above
        if not stack or stack[-1][0] < depth:
            stack.append((depth, first))


def _rows(members: list[int], inner: list[int], level: int) -> list[list[int]]:
    """Members grouped into rows: neighbours that part below `level` are in one row."""
    rows = [[members[0]]]
    for member, depth in zip(members[1:], inner, strict=True):
        if depth > level:
            rows[-1].append(member)
        else:
            rows.append([member])
    return rows
