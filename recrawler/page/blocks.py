"""Blocks: the repeated structures of a page that may be its list of articles.

A candidate is a set of links that stand at the same place of repeated rows. It is found from the links, not
from containers: links whose way down from the root has the same shape form a group (three strictnesses: tags
alone; with the classes of the link and its parent; with the classes of every ancestor), and every element
where two neighbours of a group part is the scope of one candidate. So the markup of a row does not matter, nor
classes that differ from row to row, nor lists cut in pieces by dates or columns: the scope above the pieces is
a candidate too. `Finder.find` gives them all, with one link chosen per row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from recrawler.page.document import Document
from recrawler.page.outline import Outline

MAX_CANDIDATES = 400
MAX_LINKS_A_ROW = 6  # more links of one shape in a row are tags, not titles
MAX_LEVELS = 3
BLOCK_CLASS = "Baidu_paging_content_indicator"
TIME_CLASS = "Orderby_posttime"

_DIGIT = re.compile(r"\d")


@dataclass(slots=True)
class Candidate:
    """Links `chosen` (anchor indexes, one a row, document order) below the element at position `scope`.

    `rows` are the regions [start, end) of element positions that belong to each chosen link. `width` is the
    mean number of links of this shape in a row. `whole` is the size of the shape's group on the page.
    """

    scope: int
    level: int
    chosen: list[int]
    rows: list[tuple[int, int]]
    width: float
    whole: int
    strictness: int
    tops: list[int] = field(default_factory=list)
    marked: bool = False
    score: float = 0.0
    values: dict[str, float] = field(default_factory=dict)


class Finder:
    """Finds the candidates of one page."""

    def __init__(self, doc: Document, tree: Outline) -> None:
        self.doc = doc
        self.tree = tree
        self.targets = _targets(doc)
        self._classes: dict[int, str] = {}
        self._strict: dict[int, int] = {}
        self._chains: dict[int, list[int]] = {}

    def find(self) -> list[Candidate]:
        """Every candidate with a set of targets of its own, at most `MAX_CANDIDATES`."""
        found: dict[frozenset[int], Candidate] = {}
        for strictness, group in self._groups():
            for candidate in self._of_group(group, strictness):
                key = frozenset(self.targets[k] for k in candidate.chosen)
                found.setdefault(key, candidate)
            if len(found) >= MAX_CANDIDATES:
                break
        return list(found.values())

    def _groups(self) -> Iterator[tuple[int, list[int]]]:
        tree = self.tree
        groups: dict[object, list[int]] = {}
        for k, at in enumerate(tree.anchor_at):
            if self.targets[k] < 0:
                continue
            loose = tree.loose[at]
            near = (loose, self._class(at), self._class(tree.parent[at]))
            groups.setdefault((0, loose), []).append(k)
            groups.setdefault((1, near), []).append(k)
            groups.setdefault((2, self._strictly(at)), []).append(k)
        seen: set[tuple[int, ...]] = set()
        for key, group in sorted(groups.items(), key=lambda item: -len(item[1])):
            if (same := tuple(group)) not in seen:
                seen.add(same)
                yield key[0], group  # type: ignore[index]

    def _class(self, at: int) -> str:
        known = self._classes.get(at)
        if known is None:
            tokens = (self.doc.elements[at].get("class") or "").split() if at >= 0 else []
            known = self._classes[at] = " ".join(sorted(t for t in tokens if not _DIGIT.search(t)))
        return known

    def _strictly(self, at: int) -> int:
        """A number for the shape with all classes on the way down."""
        way = []
        while at >= 0 and at not in self._strict:
            way.append(at)
            at = self.tree.parent[at]
        above = self._strict[at] if at >= 0 else 0
        for here in reversed(way):
            above = self._strict[here] = hash((above, self.tree.loose[here], self._class(here)))
        return above

    def _chain(self, k: int) -> list[int]:
        chain = self._chains.get(k)
        if chain is None:
            chain = self._chains[k] = self.tree.chain(self.tree.anchor_at[k])
        return chain

    def _of_group(self, group: list[int], strictness: int) -> Iterator[Candidate]:
        if len(group) == 1:
            yield self._single(group[0], strictness)
            return
        chains = [self._chain(k) for k in group]
        parts = [_parting(a, b) for a, b in zip(chains, chains[1:], strict=False)]
        for lo, hi, depth in _scopes(parts, chains):
            members, inner = group[lo : hi + 1], parts[lo:hi]
            for level in sorted(set(inner))[:MAX_LEVELS]:
                rows = _rows(members, inner, level)
                if len(members) <= MAX_LINKS_A_ROW * len(rows):
                    yield self._candidate(chains[lo][depth], level, rows, len(group), strictness)

    def _single(self, k: int, strictness: int) -> Candidate:
        at = self.tree.anchor_at[k]
        return Candidate(at, self.tree.depth[at], [k], [(at, self.tree.end[at])], 1.0, 1, strictness, [at])

    def _candidate(
        self, scope: int, level: int, rows: list[list[int]], whole: int, strictness: int
    ) -> Candidate:
        width = sum(map(len, rows)) / len(rows)
        chosen = [row[0] for row in rows] if width == 1 else self._choose(rows)
        tops = [self._chain(k)[min(level + 1, len(self._chain(k)) - 1)] for k in chosen]
        regions = self._regions(tops)
        return Candidate(scope, level, chosen, regions, width, whole, strictness, tops)

    def _choose(self, rows: list[list[int]]) -> list[int]:
        """The article link of each row: long text, and a target that other rows don't share."""
        shared = Counter(u for row in rows for u in {self.targets[k] for k in row})
        anchors = self.doc.anchors

        def worth(k: int) -> float:
            return (min(len(anchors[k].text), 60) + 1) / shared[self.targets[k]] ** 2

        return [max(row, key=worth) for row in rows]

    def _regions(self, tops: list[int]) -> list[tuple[int, int]]:
        """What belongs to each row: from its top element to the next row's, within the common parent.

        The last row of a parent gets as many further siblings as the others have at least.
        """
        tree = self.tree
        regions: list[tuple[int, int]] = []
        least: dict[int, int] = {}
        for top, following in zip(tops, [*tops[1:], -1], strict=True):
            own = tree.end[top]
            if following >= 0 and tree.parent[following] == tree.parent[top]:
                regions.append((top, following))
                gap = following - own
                parent = tree.parent[top]
                least[parent] = min(least.get(parent, gap), gap)
            else:
                room = tree.end[tree.parent[top]] if tree.parent[top] >= 0 else own
                regions.append((top, min(own + least.get(tree.parent[top], 0), room)))
        return regions


def _targets(doc: Document) -> list[int]:
    """A number for each link's URL without fragment; -1 where a plain client cannot follow it."""
    numbers: dict[str, int] = {}
    here = doc.url.partition("#")[0]
    out = []
    for anchor in doc.anchors:
        url = anchor.url.partition("#")[0] if anchor.url else None
        out.append(-1 if url is None or url == here else numbers.setdefault(url, len(numbers)))
    return out


def _parting(a: list[int], b: list[int]) -> int:
    """The depth of the last common element of two chains."""
    depth = min(len(a), len(b)) - 1
    while a[depth] != b[depth]:
        depth -= 1
    return depth


def _scopes(parts: list[int], chains: list[list[int]]) -> Iterator[tuple[int, int, int]]:
    """Each element where neighbours part, once: first and last member below it, and its depth."""
    seen: set[int] = set()
    for i, depth in enumerate(parts):
        if (node := chains[i][depth]) in seen:
            continue
        seen.add(node)
        lo = hi = i
        while lo > 0 and parts[lo - 1] >= depth:
            lo -= 1
        while hi < len(parts) and parts[hi] >= depth:
            hi += 1
        yield lo, hi, depth


def _rows(members: list[int], inner: list[int], level: int) -> list[list[int]]:
    """Members grouped into rows: neighbours that part below `level` are in one row."""
    rows = [[members[0]]]
    for member, depth in zip(members[1:], inner, strict=True):
        if depth > level:
            rows[-1].append(member)
        else:
            rows.append([member])
    return rows
