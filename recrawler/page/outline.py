"""The tree of a page as flat lists, one entry an element in document order, made in one pass.

Block finding asks for parents, depths, subtree ends, texts and shapes thousands of times a page: list
look-ups are ten times cheaper than asking the tree. `loose` is the shape of the way down to an element: tags
alone, inline markup left out, kin tags taken together (div, section, article ...; h1 to h6), table cells
with their column. Two elements with the same number have the same shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recrawler.page.document import Document, Element

# Inline markup that editors put around a title: no part of a link's place in its row.
_INLINE = frozenset(
    ("b", "strong", "i", "em", "font", "u", "span", "s", "big", "small", "mark", "ins", "center", "cite")
) | {"bdi", "bdo", "tt", "label", "nobr"}
_KIN = {
    **dict.fromkeys(("section", "article", "main", "header", "hgroup", "figure", "figcaption"), "div"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "h"),
    "ol": "ul",
    "th": "td",
}
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
IMAGES = frozenset(("img", "svg", "picture", "video"))
SILENT = frozenset(("script", "style", "noscript", "template", "head"))
_SHAPED = {**dict.fromkeys(_INLINE, ""), **_KIN}  # the tag that tells of a shape; empty: none
_SPLITS = 6  # how far up a heading or an image is looked for its link


@dataclass(slots=True)
class Outline:
    """Element i: `parent[i]` (-1 for the root), `depth[i]`, `end[i]` (its subtree is [i, end)), `tag[i]`,
    `text[i]` and `tail[i]` (raw, '' where there is none), `loose[i]` (shape number).

    `anchor_at` is the position of each anchor's element; `headed` and `pictured` hold the positions of links
    that are in a heading or hold one, and of those that hold an image.
    """

    nodes: tuple[Element, ...]
    parent: list[int]
    depth: list[int]
    end: list[int]
    tag: Sequence[str]
    text: list[str]
    tail: list[str]
    loose: list[int]
    anchor_at: list[int]
    headed: set[int]
    pictured: set[int]

    def chain(self, i: int) -> list[int]:
        """The positions from the root down to element i."""
        out = []
        parent = self.parent
        while i >= 0:
            out.append(i)
            i = parent[i]
        out.reverse()
        return out

    def words(self, start: int, end: int, skip: int = -1) -> str:
        """The visible text of the elements [start, end), whitespace kept; `skip`: an element whose subtree is
        left out (its tail is kept). The tail of the region's own siblings is included up to `end`."""
        parts: list[str] = []
        text, tail, ends, tag = self.text, self.tail, self.end, self.tag
        pending: list[tuple[int, str]] = []
        i = start
        while i < end:
            while pending and pending[-1][0] <= i:
                parts.append(pending.pop()[1])
            jump = i == skip or tag[i] in SILENT
            if not jump and text[i]:
                parts.append(text[i])
            if tail[i] and ends[i] <= end:
                pending.append((ends[i], tail[i]))
            i = ends[i] if jump else i + 1
        while pending:
            parts.append(pending.pop()[1])
        return " ".join(parts)


def outline(doc: Document) -> Outline:
    """Walks the elements once."""
    nodes = doc.elements
    n = len(nodes)
    at = doc.position
    texts = [node.text or "" for node in nodes]
    tails = [node.tail or "" for node in nodes]
    above = map(Element.getparent, nodes[1:])
    parents = [-1, *map(at.__getitem__, above)]  # type: ignore[arg-type]  # only the root has none
    depth, end = _extent(parents, n)
    tree = Outline(
        nodes, parents, depth, end, doc.tags, texts, tails, _shapes(parents, doc.tags), [], set(), set()
    )
    tree.anchor_at = [at[a.node] for a in doc.anchors]
    _mark(tree, doc.places)
    return tree


def _extent(parents: list[int], n: int) -> tuple[list[int], list[int]]:
    depth, end = [0] * n, list(range(1, n + 1))
    for i, up in enumerate(parents):
        if up >= 0:
            depth[i] = depth[up] + 1
    for i in range(n - 1, 0, -1):
        up = parents[i]
        if end[up] < end[i]:
            end[up] = end[i]
    return depth, end


def _shapes(parents: list[int], tags: Sequence[str]) -> list[int]:
    loose: list[int] = []
    below: list[dict[str, int]] = [{}]  # of each shape: those of its children
    columns: dict[int, int] = {}
    for up, tag in zip(parents, tags, strict=True):
        above = loose[up] if up >= 0 else 0
        tag = _SHAPED.get(tag, tag)
        if tag == "td":
            column = columns[up] = columns.get(up, 0) + 1
            tag = f"td{column}"
        number = below[above].get(tag) if tag else above
        if number is None:
            number = below[above][tag] = len(below)
            below.append({})
        loose.append(number)
    return loose


def _mark(tree: Outline, places: Mapping[str, list[int]]) -> None:
    """Finds the links in or around headings, and those around images."""
    anchors = set(tree.anchor_at)
    for name in HEADINGS & places.keys():
        for i in places[name]:
            tree.headed.update([j for j in range(i + 1, min(tree.end[i], i + 12)) if j in anchors])
            if (link := _link_around(i, tree)) in anchors:
                tree.headed.add(link)
    for name in IMAGES & places.keys():
        for i in places[name]:
            if (link := _link_around(i, tree)) in anchors:
                tree.pictured.add(link)


def _link_around(i: int, tree: Outline) -> int:
    """The `<a>` a few elements up, else whatever stands there (-1 above the root)."""
    for _ in range(_SPLITS):
        i = tree.parent[i]
        if i < 0 or tree.tag[i] == "a":
            break
    return i
