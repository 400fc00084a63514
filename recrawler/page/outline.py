"""The tree of a page as flat lists, one entry an element in document order, made in one pass.

Block finding asks for parents, depths, subtree ends, texts and shapes thousands of times a page: list
look-ups are ten times cheaper than asking the tree. `loose` is the shape of the way down to an element: tags
alone, inline markup left out, kin tags taken together (div, section, article ...; h1 to h6), table cells
with their column. Two elements with the same number have the same shape.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from recrawler.page.document import Document

# Inline markup that editors put around a title: no part of a link's place in its row.
_INLINE = frozenset("b strong i em font u span s big small mark ins center cite bdi bdo tt label nobr".split())
_KIN = {
    **dict.fromkeys(("section", "article", "main", "header", "hgroup", "figure", "figcaption"), "div"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "h"),
    "ol": "ul",
    "th": "td",
}
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
SILENT = frozenset(("script", "style", "noscript", "template", "head"))


@dataclass(slots=True)
class Outline:
    """Element i: `parent[i]` (-1 for the root), `depth[i]`, `end[i]` (its subtree is [i, end)), `tag[i]`,
    `text[i]` and `tail[i]` (raw, '' where there is none), `loose[i]` (shape number), `names[i]` (id and classes
    in lower case, filled on demand)."""

    parent: list[int]
    depth: list[int]
    end: list[int]
    tag: list[str]
    text: list[str]
    tail: list[str]
    loose: list[int]
    anchor_at: list[int]  # of each anchor, its element's position
    names: dict[int, str] = field(default_factory=dict)

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
            if i == skip or tag[i] in SILENT:
                parts.append(" ")
                j = ends[i]
                if tail[i]:
                    pending.append((j, tail[i]))
                i = j
                continue
            if text[i]:
                parts.append(text[i])
            parts.append(" ")
            if tail[i]:
                pending.append((ends[i], tail[i]))
            i += 1
        while pending:
            stop, words = pending.pop()
            if stop <= end:
                parts.append(words)
        return "".join(parts)


def outline(doc: Document) -> Outline:
    """Walks the elements once."""
    n = len(doc.elements)
    out = Outline([-1] * n, [0] * n, [n] * n, [""] * n, [""] * n, [""] * n, [0] * n, [])
    at: dict[object, int] = {}
    shapes: dict[tuple[int, str], int] = {}
    cells: dict[int, int] = {}
    open_at: list[int] = []
    parent, depth, end, tag, text, tail, loose = (
        out.parent, out.depth, out.end, out.tag, out.text, out.tail, out.loose,
    )  # fmt: skip
    for i, node in enumerate(doc.elements):
        at[node] = i
        up = at.get(node.getparent(), -1)
        while open_at and open_at[-1] != up:
            end[open_at.pop()] = i
        open_at.append(i)
        parent[i] = up
        depth[i] = depth[up] + 1 if up >= 0 else 0
        name = node.tag
        tag[i] = name
        text[i] = node.text or ""
        tail[i] = node.tail or ""
        if name in _INLINE:
            loose[i] = loose[up]
            continue
        name = _KIN.get(name, name)
        if name == "td":
            column = cells[up] = cells.get(up, 0) + 1
            name = f"td{column}"
        key = (loose[up] if up >= 0 else 0, name)
        loose[i] = shapes.setdefault(key, len(shapes) + 1)
    out.anchor_at = [at[a.node] for a in doc.anchors]
    return out
