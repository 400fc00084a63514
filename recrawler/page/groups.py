"""Groups of links that might be pagination bars: found by shape, judged elsewhere.

A *seed* is a link that looks like one of a pager (a number, an arrow, a word, a `rel`, a class, a URL that goes
one page on). Each seed climbs to the highest ancestor that still holds little but seeds; seeds that reach the
same ancestor are one group, and every link below it is a member.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from recrawler.page.document import Anchor, Document, Element
from recrawler.page.slots import Parts, Step, cut, step
from recrawler.page.words import TextShape, shape

MAX_GROUPS = 60
MAX_MEMBERS = 80  # links of one group that are looked at
MAX_SEEDS = 3_000
MAX_CLIMB = 9  # ancestors that a seed climbs at most
MAX_TOKENS = 400

MARK = "baidu_paging_indicator"

_CLASS_SENSES = (
    (
        "next",
        re.compile(r"next|nxt|older|forward|(?:^|[^a-z])right|xiayiye|siguiente|suivant|weiter|volgende"),
    ),
    (
        "prev",
        re.compile(
            r"prev|newer|(?:^|[^a-z])back(?:$|[^a-z])|(?:^|[^a-z])left|shangyiye|anterior|zuruck|vorige"
        ),
    ),
    ("first", re.compile(r"first|(?:^|[^a-z])start|shouye")),
    ("last", re.compile(r"(?:^|[^a-z])last|(?:^|[^a-z])end(?:$|[^a-z])|weiye|moye")),
    (
        "page",
        re.compile(
            r"pag(?:e|in|er|ing)|(?:^|[^a-z])pn(?:$|[^a-z])|seite|nav-?links|fenye|navigation|wp-?navi|digg|yahoo|manu|quotes|scott|flickr|badoo"
        ),
    ),
    (
        "current",
        re.compile(
            r"current|active|selected|(?:^|[^a-z])(?:on|now|cur|this|here|hover|sel|thisclass|disabled)(?:$|[^a-z])"
        ),
    ),
    (
        "dead",
        re.compile(
            r"disable|inactive|(?:^|[^a-z])(?:off|no|nolink|gray|grey|hidden|unavailable)(?:$|[^a-z])"
        ),
    ),
    ("icon", re.compile(r"icon|(?:^|[^a-z])fa(?:$|[^a-z])|glyph|chevron|arrow|caret|angle")),
)


@dataclass(frozen=True, slots=True)
class Item:
    """A link of a group with all that its features need."""

    anchor: Anchor
    shape: TextShape
    parts: Parts | None
    step: Step | None
    rel: frozenset[str]
    cues: frozenset[str]  # senses of classes and ids on the link, its lone parent and its icons
    script: str  # what the href or onclick would run


@dataclass(slots=True)
class Token:
    """A piece of a bar in reading order: a link (`item`) or text outside links."""

    text: str
    shape: TextShape
    node: Element
    item: Item | None = None


@dataclass(slots=True)
class Group:
    """A candidate bar."""

    node: Element
    items: list[Item]
    tokens: list[Token] = field(default_factory=list)
    marked: bool = False
    text_len: int = 0
    repeats: int = 1  # groups of the page whose nodes share this one's path
    seeds: int = 0


@dataclass(frozen=True, slots=True)
class Reader:
    """Positions and running sums of a document, for questions about subtrees in O(log n)."""

    doc: Document
    page: Parts
    anchor_at: list[int]  # positions of the anchors
    seed_at: list[int]
    text_before: list[int]  # characters before the element at each position

    def anchors_in(self, lo: int, hi: int) -> int:
        return bisect_left(self.anchor_at, hi) - bisect_left(self.anchor_at, lo)

    def seeds_in(self, lo: int, hi: int) -> int:
        return bisect_left(self.seed_at, hi) - bisect_left(self.seed_at, lo)

    def text_in(self, lo: int, hi: int) -> int:
        return self.text_before[min(hi, len(self.text_before) - 1)] - self.text_before[lo]


def find_groups(doc: Document) -> list[Group]:
    """Candidate bars in document order, at most `MAX_GROUPS`; copies are not merged yet."""
    page = cut(doc.url)
    cache: dict[int, Item] = {}
    seeds = []
    for anchor in doc.anchors:
        item = _seed(anchor, page, doc)
        if item is not None:
            cache[anchor.index] = item
            seeds.append(anchor)
            if len(seeds) >= MAX_SEEDS:
                break
    marks = [n for n in doc.elements if (c := n.get("class")) and MARK in c.lower()]
    if not seeds and not marks:
        return []
    reader = _reader(doc, page, seeds)
    nodes: dict[Element, None] = dict.fromkeys(marks)
    for anchor in seeds:
        nodes.setdefault(_climb(anchor.node, reader))
    groups = [_group(node, reader, cache) for node in _outermost(list(nodes), reader)]
    groups = [g for g in groups if g.items or g.marked]
    _count_repeats(groups)
    if len(groups) > MAX_GROUPS:
        groups = sorted(groups, key=lambda g: (not g.marked, g.repeats, -len(g.items)))[:MAX_GROUPS]
        groups.sort(key=lambda g: doc.position[g.node])
    return groups


def describe(anchor: Anchor, page: Parts) -> Item:
    """Everything that features ask of one link."""
    node = anchor.node
    parts = cut(anchor.url) if anchor.url else None
    return Item(
        anchor=anchor,
        shape=shape(anchor.text),
        parts=parts,
        step=step(page, parts) if parts else None,
        rel=frozenset((node.get("rel") or "").lower().split()),
        cues=_cues(node),
        script=_script(node),
    )


def _seed(anchor: Anchor, page: Parts, doc: Document) -> Item | None:
    """The item of a link that looks like one of a pager, else null. Cheap tests first."""
    text, node = anchor.text, anchor.node
    rel = node.get("rel")
    if len(text) > 40 and not (rel and ("next" in rel or "prev" in rel)):
        return None
    if anchor.url is None and not anchor.raw.lstrip().startswith(("javascript", "#")):
        return None
    said = shape(text)
    if said.number is not None and (said.pure or "page" in said.senses or text[:1] == "第"):
        return describe(anchor, page)
    if said.arrow or said.ellipsis or (said.senses and said.senses != ("page",) and said.coverage >= 0.5):
        return describe(anchor, page)
    item = describe(anchor, page)
    if item.rel & {"next", "prev"} or item.cues & {"next", "prev"} and (len(text) <= 25 or not text):
        return item
    one_on = item.step is not None and (
        item.step.how in ("added", "number", "value")
        and item.step.hint
        and (item.step.delta in (1, -1) or item.step.value in (1, 2) and item.step.how == "added")
    )
    return item if one_on and len(text) <= 30 else None


def _cues(node: Element) -> frozenset[str]:
    text = [node.get("class") or "", node.get("id") or ""]
    parent = node.getparent()
    if parent is not None and len(parent) == 1:
        text += [parent.get("class") or "", parent.get("id") or ""]
    if len(node):
        for child in node.iter("i", "span", "img", "svg", "em", "use"):
            text += [child.get("class") or "", (child.get("src") or "").rsplit("/", 1)[-1][:60]]
    joined = " ".join(t for t in text if t).lower()
    if not joined:
        return frozenset()
    return frozenset(name for name, pattern in _CLASS_SENSES if pattern.search(joined))


def cues_of(node: Element) -> frozenset[str]:
    """Senses of the class and id of one element."""
    joined = f"{node.get('class') or ''} {node.get('id') or ''}".strip().lower()
    if not joined:
        return frozenset()
    return frozenset(name for name, pattern in _CLASS_SENSES if pattern.search(joined))


def _script(node: Element) -> str:
    href = (node.get("href") or "").strip()
    if href[:11].lower() == "javascript:" and len(href) > 12:
        return href[11:500]
    return (node.get("onclick") or "")[:500]


def _reader(doc: Document, page: Parts, seeds: list[Anchor]) -> Reader:
    position = doc.position
    running, before = 0, []
    for node in doc.elements:
        before.append(running)
        if node.text and node.tag not in ("script", "style"):
            running += len(node.text.strip())
        if node.tail:
            running += len(node.tail.strip())
    before.append(running)
    return Reader(
        doc,
        page,
        [position[a.node] for a in doc.anchors],
        [position[a.node] for a in seeds],
        before,
    )


def _climb(node: Element, reader: Reader) -> Element:
    """The highest ancestor that holds little but seeds."""
    doc = reader.doc
    best = node
    here = node.getparent()
    for _ in range(MAX_CLIMB):
        if here is None or here.tag in ("body", "html"):
            break
        lo = doc.position.get(here, -1)
        if lo < 0:
            break
        hi = doc.end[lo]
        seeds = reader.seeds_in(lo, hi)
        others = reader.anchors_in(lo, hi) - seeds
        if (
            others > max(1, seeds // 2)
            or reader.text_in(lo, hi) > 80 + 22 * seeds
            or hi - lo > 60 + 12 * seeds
        ):
            break
        best = here
        here = here.getparent()
    return best


def _outermost(nodes: list[Element], reader: Reader) -> list[Element]:
    """Nodes in document order without those inside another; a marked node wins over what surrounds it."""
    position, end = reader.doc.position, reader.doc.end
    kept: list[Element] = []
    edge = -1
    for node in sorted(nodes, key=lambda n: position[n]):
        if position[node] >= edge:
            kept.append(node)
            edge = end[position[node]]
    return kept


def _group(node: Element, reader: Reader, cache: dict[int, Item]) -> Group:
    doc = reader.doc
    lo = doc.position[node]
    hi = doc.end[lo]
    first = bisect_left(reader.anchor_at, lo)
    last = bisect_left(reader.anchor_at, hi)
    items = []
    for anchor in doc.anchors[first : min(last, first + MAX_MEMBERS)]:
        items.append(cache.get(anchor.index) or describe(anchor, reader.page))
    tight = _lowest_common(node, items) if items else node
    marked = any(MARK in (n.get("class") or "").lower() for n in _upwards(node, 3))
    if MARK in (node.get("class") or "").lower():
        tight = node
    low = doc.position[tight]
    group = Group(tight, items, marked=marked, text_len=reader.text_in(low, doc.end[low]))
    group.seeds = reader.seeds_in(lo, hi)
    group.tokens = list(_tokens(tight, doc, {i.anchor.node: i for i in items}))
    return group


def _upwards(node: Element, levels: int) -> Iterator[Element]:
    here: Element | None = node
    for _ in range(levels):
        if here is None:
            return
        yield here
        here = here.getparent()


def _lowest_common(top: Element, items: list[Item]) -> Element:
    """The lowest element below (or at) `top` that holds all items; for one item its own parent chain is kept
    up to `top` where those hold nothing else."""
    if len(items) == 1:
        return top
    chains = []
    for item in (items[0], items[-1]):
        chain = [item.anchor.node]
        while chain[-1] is not top and (parent := chain[-1].getparent()) is not None:
            chain.append(parent)
        chains.append(chain[::-1])
    common = top
    for a, b in zip(*chains, strict=False):
        if a is not b:
            break
        common = a
    # A plain number or "page 1 of 9" may stand beside the links' common ancestor, one level up.
    parent = common.getparent()
    if common is not top and parent is not None and parent.tag not in ("body", "html"):
        return parent if sum(len((c.text or "").strip()) for c in parent if c is not common) < 60 else common
    return common


def _tokens(node: Element, doc: Document, items: dict[Element, Item]) -> Iterator[Token]:
    """Links and texts of a bar in reading order."""
    lo = doc.position[node]
    hi = min(doc.end[lo], lo + MAX_TOKENS)
    pending: list[tuple[int, int, Element]] = []  # elements whose tail is still to come
    shut = lo  # up to here everything belongs to the link or script seen last
    hushed: set[int] = set()  # elements inside a link: their tails are its text
    for at in range(lo, hi + 1):
        while pending and pending[-1][0] <= at:
            _, start, done = pending.pop()
            parent = done.getparent()
            if parent is not None and start not in hushed and (text := _clean(done.tail)):
                yield Token(text, shape(text), parent)
        if at >= hi:
            break
        here = doc.elements[at]
        if at > lo:
            pending.append((doc.end[at], at, here))
        if at < shut:
            hushed.add(at)
            continue
        item = items.get(here)
        if item is not None or here.tag in ("script", "style"):
            shut = doc.end[at]
        if item is not None:
            yield Token(item.anchor.text, item.shape, here, item)
        elif here.tag not in ("script", "style") and (text := _clean(here.text)):
            yield Token(text, shape(text), here)


def _clean(text: str | None) -> str:
    return " ".join(text.split())[:120] if text else ""


def _count_repeats(groups: list[Group]) -> None:
    """How many groups hang at the same place of repeated rows: mini-pagers of threads, rows of a table."""
    counts: dict[tuple[str, ...], int] = {}
    keys = []
    for group in groups:
        key = tuple(f"{n.tag}.{(n.get('class') or '')[:30]}" for n in _upwards(group.node, 4))
        keys.append(key)
        counts[key] = counts.get(key, 0) + 1
    for group, key in zip(groups, keys, strict=True):
        group.repeats = counts[key]
