"""A small HTML tree with marks, and a writer that varies the way the same tree is written down."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

VOID = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
# Line breaks are only put around these: between inline elements they would add spaces that a reader sees.
_BLOCKS = """html head body div p ul ol li table thead tbody tr td th dl dt dd section article header footer
nav main aside form h1 h2 h3 h4 h5 h6 figure script style meta link title base noscript select option hr
fieldset center"""
BLOCKS = frozenset(_BLOCKS.split())
OPTIONAL_END = frozenset({"li", "td", "tr", "dt", "dd", "option", "th"})
_NAMED = {
    "»": "&raquo;", "«": "&laquo;", "›": "&rsaquo;", "‹": "&lsaquo;", "…": "&hellip;",
    "→": "&rarr;", "←": "&larr;", "·": "&middot;", "\u00a0": "&nbsp;",
}  # fmt: skip


class Raw(str):
    """Markup that is written as it stands (script bodies, comments)."""


class Node:
    """One element. `mark` is what the generator knows about it (see marks in site.py), or None."""

    __slots__ = ("attrs", "kids", "mark", "tag")

    def __init__(self, tag: str, attrs: dict[str, str], kids: list[Node | str], mark: object = None) -> None:
        self.tag, self.attrs, self.kids, self.mark = tag, attrs, kids, mark

    def add(self, *kids: object) -> Node:
        """Append kids (nested lists are flattened, None is left out); returns self."""
        self.kids.extend(_flat(kids))
        return self

    def has_class(self, *tokens: str) -> Node:
        """Add class tokens; returns self."""
        given = [self.attrs["class"]] if self.attrs.get("class") else []
        self.attrs["class"] = " ".join([*given, *tokens])
        return self


def _flat(kids: object) -> Iterator[Node | str]:
    if kids is None or kids is False:
        return
    if isinstance(kids, Node | str):
        yield kids
    elif isinstance(kids, list | tuple):
        for kid in kids:
            yield from _flat(kid)
    else:
        yield str(kids)


def E(tag: str, *kids: object, cls: str | None = None, mark: object = None, **attrs: object) -> Node:  # noqa: N802
    """An element. `cls` is the class; a trailing or inner "_" of a name becomes nothing or "-"."""
    written = {"class": cls} if cls else {}
    for name, value in attrs.items():
        if value is None or value is False:
            continue
        written[name.rstrip("_").replace("_", "-")] = "" if value is True else str(value)
    return Node(tag, written, list(_flat(kids)), mark)


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it in document order."""
    yield node
    for kid in node.kids:
        if isinstance(kid, Node):
            yield from walk(kid)


def text_of(node: Node) -> str:
    """Text with white space folded, as a reader of the parsed page gets it."""

    def parts(one: Node) -> Iterator[str]:
        for kid in one.kids:
            if isinstance(kid, Node):
                yield from parts(kid)
            elif not isinstance(kid, Raw):
                yield kid

    return " ".join("".join(parts(node)).split())


@dataclass(frozen=True, slots=True)
class Writing:
    """How one site writes its HTML."""

    breaks: str = "lines"  # lines | indent | none | ragged
    quote: str = '"'
    upper: bool = False
    xhtml: bool = False
    open_ends: bool = False
    named: bool = False
    shuffle: bool = False

    @classmethod
    def draw(cls, rng: random.Random, old: bool = False) -> Writing:
        """One way of writing; `old` sites more often use capitals and leave out end tags."""
        return cls(
            breaks=rng.choice(["lines", "lines", "indent", "none", "ragged"]),
            quote="'" if rng.random() < 0.08 else '"',
            upper=old and rng.random() < 0.2,
            xhtml=rng.random() < 0.3,
            open_ends=old and rng.random() < 0.3,
            named=rng.random() < 0.5,
            shuffle=rng.random() < 0.3,
        )


class Writer:
    """Turns a tree into text. Deterministic for a given random source."""

    def __init__(self, style: Writing, rng: random.Random) -> None:
        self.style, self.rng = style, rng
        self.out: list[str] = []

    def write(self, root: Node) -> str:
        self._node(root, 0)
        return "".join(self.out)

    def _text(self, text: str) -> str:
        if isinstance(text, Raw):
            return text
        text = escape(text, quote=False)
        if self.style.named:
            for char, name in _NAMED.items():
                text = text.replace(char, name)
        return text

    def _open(self, node: Node) -> str:
        style, tag = self.style, node.tag
        attrs = list(node.attrs.items())
        if style.shuffle:
            self.rng.shuffle(attrs)
        parts = [tag.upper() if style.upper else tag]
        for name, value in attrs:
            value = escape(value, quote=False).replace(
                style.quote, "&quot;" if style.quote == '"' else "&#39;"
            )
            parts.append(f"{name}={style.quote}{value}{style.quote}")
        end = " />" if style.xhtml and tag in VOID else ">"
        return "<" + " ".join(parts) + end

    def _break(self, depth: int) -> None:
        match self.style.breaks:
            case "lines":
                self.out.append("\n")
            case "indent":
                self.out.append("\n" + "  " * min(depth, 14))
            case "ragged":
                self.out.append(self.rng.choice(["\n", "\n\n", "\r\n\t\t", "\n      ", " ", ""]))

    def _node(self, node: Node, depth: int) -> None:
        block = node.tag in BLOCKS
        if block:
            self._break(depth)
        self.out.append(self._open(node))
        if node.tag in VOID:
            return
        last_block = False
        for kid in node.kids:
            if isinstance(kid, Node):
                self._node(kid, depth + 1)
                last_block = kid.tag in BLOCKS
            else:
                self.out.append(self._text(kid))
                last_block = False
        if self.style.open_ends and node.tag in OPTIONAL_END:
            return
        if last_block:
            self._break(depth)
        self.out.append(f"</{node.tag.upper() if self.style.upper else node.tag}>")
