"""Groups of links that might be pagination bars: found by shape, judged elsewhere.

A *seed* is a link that looks like one of a pager (a number, an arrow, a word, a `rel`, a class, a URL that
goes one page on). Each seed climbs to the highest ancestor that still holds little but seeds; seeds that
reach the same ancestor are one group, and every link below it is a member.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree

from recrawler.page.document import Anchor, Document, Element, is_only
from recrawler.page.slots import Parts, Step, cut, step
from recrawler.page.words import TextShape, names_items, promising, shape

MAX_GROUPS = 60
MAX_MEMBERS = 80  # links of one group that are looked at
MAX_SEEDS = 3_000
MAX_CLIMB = 9  # ancestors that a seed climbs at most
MAX_TOKENS = 400
MAX_REPEATS = 5  # as many groups at like places are rows, not bars

MARK = "baidu_paging_indicator"

_CLASS_SENSES = (
    (
        "next",
        re.compile(r"next|nxt|forward|(?:^|[^a-z])right|xiayiye|siguiente|suivant|weiter|volgende"),
    ),
    (
        "prev",
        re.compile(r"prev|(?:^|[^a-z])back(?:$|[^a-z])|(?:^|[^a-z])left|shangyiye|anterior|zuruck|vorige"),
    ),
    ("older", re.compile(r"older")),
    ("newer", re.compile(r"newer")),
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
_NUMBER = re.compile(r"\W{0,3}\d{1,3}(?:[,.]?\d{3})?\W{0,3}$|(?:(\w{1,8})\.? |第)\d{1,4}[页頁]?$")
_TURNS = re.compile(r"next|prev|older|newer|page-?num")
_POINTS = re.compile(
    r"(?:chevron|arrow|angle|caret|fa)[\w-]*-(?:right|left|forward|back)|(?:right|left)-?(?:arrow|chevron|angle)"
)
# A literal first letter and no flags: this is asked of most links of every page.
_IDLE = re.compile(r"\s*(?:void\s*\(?\s*\d?\s*\)?|(?:return\s+)?(?:false|true)|undefined)?[\s;]*$", re.I)
SAME = 2  # links of a bar at most that say the same and lead to different pages: dots
MAX_OTHERS = 8  # links of a bar that are no seeds; more of them, beside a calendar's many numbers, are a list
_ONE_ON = re.compile(r"p(?<![^\W\d_]p)(?:g|n|n?o|age[a-z]*|agina)?[=/_,-]?[=/]?\d{1,4}(?!\d)")
_OFFSET = re.compile(r"[?&](?:start|offset|from|skip)=\d")


@dataclass(slots=True, eq=False)
class Item:
    """A link of a group with all that its features need."""

    anchor: Anchor
    shape: TextShape
    parts: Parts | None
    step: Step | None
    rel: frozenset[str]
    cues: frozenset[str]  # senses of classes and ids on the link, its lone parent and its icons
    script: str  # what the href or onclick would run
    url: str | None  # the anchor's URL, or the one that its script is read to go to


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


def find_groups(doc: Document) -> list[Group]:
    """Candidate bars in document order, at most `MAX_GROUPS`; copies are not merged yet."""
    seeds = {}
    for anchor in doc.anchors:
        if is_seed(anchor):
            seeds[anchor.node] = anchor
            if len(seeds) >= MAX_SEEDS:
                break
    nodes: dict[Element, None] = {}
    if doc.marked:
        nodes.update((n, None) for n in doc.elements if MARK in (n.get("class") or "").lower())
    settled: dict[Element, bool] = {}
    for node in seeds:
        nodes.setdefault(_climb(node, seeds, settled))
    outer = _outermost(nodes)
    named: dict[Element, str] = {}
    counts = Counter(_place(node, named) for node in outer)
    page = cut(doc.url)
    groups = []
    for node in outer:
        repeats = counts[_place(node, named)]
        if (
            repeats < MAX_REPEATS
            or _count(node) >= MAX_REPEATS
            or (doc.marked and MARK in (node.get("class") or "").lower())
        ):
            groups.append(_group(node, doc, page, seeds, repeats))
        if len(groups) >= MAX_GROUPS:
            break
    return [g for g in groups if g.items or g.marked]


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
        script=_script(node) if anchor.url is None else "",
        url=anchor.url,
    )


def is_seed(anchor: Anchor) -> bool:
    """Whether a link looks like one of a pager. The cheap tests come first: most links fail them all."""
    text, node = anchor.text, anchor.node
    if len(text) > 40 or text.count(" ") > 5:
        rel = node.get("rel")
        return rel is not None and ("next" in rel or "prev" in rel)
    if text and text[-1].isdigit() and (number := _NUMBER.match(text)):
        return number[1] is None or bool(shape(number[1]).senses and not names_items(number[1]))
    if anchor.url is None and not anchor.raw.lstrip().startswith(("javascript", "#")):
        return False
    if promising(text):
        return True
    if (rel := node.get("rel")) and ("next" in rel or "prev" in rel):
        return True
    if len(text) > 30:
        return False
    names = node.get("class") or node.get("id") or ""
    if not text and len(node):
        drawn = _below(node)
        names = names or drawn
        if _POINTS.search(drawn.lower()):
            return True
    if names and _TURNS.search(names.lower()):
        return True
    raw = anchor.raw.lower()
    if _ONE_ON.search(raw):
        return True
    return "=" in raw and _OFFSET.search(raw) is not None


def _below(node: Element) -> str:
    """Classes and the names of images inside a link without text."""
    return " ".join(
        [
            f"{child.get('class') or ''} {_image(child)}"
            for child in node.iter("i", "span", "img", "svg", "em", "use", "b")
        ]
    )


def _image(node: Element) -> str:
    """The name of an image's file, or of a drawing's part."""
    if node.tag == "use":
        return (node.get("href") or node.get("xlink:href") or "").rpartition("#")[2][:60]
    return (node.get("src") or "").rsplit("/", 1)[-1][:60]


def _cues(node: Element) -> frozenset[str]:
    text = [node.get("class") or "", node.get("id") or ""]
    parent = node.getparent()
    if parent is not None and is_only(node):
        text += [parent.get("class") or "", parent.get("id") or ""]
    if len(node):
        for child in node.iter("i", "span", "img", "svg", "em", "use"):
            text += [child.get("class") or "", _image(child)]
    return _senses_of(" ".join(t for t in text if t))


def cues_of(node: Element) -> frozenset[str]:
    """Senses of the class and id of one element."""
    return _senses_of(f"{node.get('class') or ''} {node.get('id') or ''}")


@lru_cache(maxsize=4096)
def _senses_of(names: str) -> frozenset[str]:
    lowered = names[:300].lower()
    if not lowered.strip():
        return frozenset()
    return frozenset(name for name, pattern in _CLASS_SENSES if pattern.search(lowered))


def _script(node: Element) -> str:
    """What a click on a link runs: its handler, where the href is only there to do nothing."""
    href, handler = (node.get("href") or "").strip(), node.get("onclick") or ""
    if href[:11].lower() == "javascript:" and len(href) > 12 and not (handler and _IDLE.match(href, 11)):
        return href[11:500]
    return handler[:500]


def _climb(node: Element, seeds: Mapping[Element, Anchor], settled: dict[Element, bool]) -> Element:
    """The highest ancestor that holds little but seeds. `settled` remembers what was asked."""
    best = node
    here = node.getparent()
    for _ in range(MAX_CLIMB):
        if here is None or here.tag in ("body", "html"):
            break
        if here not in settled:
            settled[here] = _mostly_seeds(here, seeds)
        if not settled[here]:
            break
        best = here
        here = here.getparent()
    return best


def _mostly_seeds(node: Element, seeds: Mapping[Element, Anchor]) -> bool:
    """Whether a subtree holds few links that are no seeds, little text and few elements."""
    mine = repeated = 0
    numbers: set[str] = set()
    targets: set[str | None] = set()
    said: dict[str, set[str | None]] = {}
    rest: list[str] = []
    for here in node.iter("a"):
        if here in seeds:
            mine += 1
            text, target = seeds[here].text, here.get("href")
            targets.add(target)
            said.setdefault(text, set()).add(target)
            if text.isdigit():
                repeated += text in numbers
                numbers.add(text)
        elif (href := here.get("href")) is not None:
            rest.append(href)
            if len(rest) > mine + MAX_OTHERS:
                return False
    others = sum(href not in targets for href in rest)  # an arrow's image leads where a number does
    if others > min(max(1, mine // 2), MAX_OTHERS) or repeated > 1 + len(numbers) // 4:
        return False  # no bar tells a page twice: a calendar and a bar, or two bars
    if any(len(there) > SAME and text for text, there in said.items()):
        return False  # "read more" of each row of a list
    size, chars = 60 + 12 * mine, 80 + 22 * mine
    for here in node.iter():
        size -= 1
        if here.text and here.tag not in ("script", "style", "option"):
            chars -= len(here.text.strip())
        if here.tail and here is not node:
            chars -= len(here.tail.strip())
        if size < 0 or chars < 0:
            return False
    return True


def _outermost(nodes: Mapping[Element, None]) -> list[Element]:
    """Nodes in their order without those inside another."""
    kept = []
    for node in nodes:
        above = node.getparent()
        for _ in range(MAX_CLIMB + 3):
            if above is None or above in nodes:
                break
            above = above.getparent()
        if above is None or above not in nodes:
            kept.append(node)
    return kept


def _count(node: Element) -> int:
    return sum(a.get("href") is not None for a in node.iter("a"))


def _place(node: Element, named: dict[Element, str]) -> tuple[str, ...]:
    """Where a group hangs: rows of one list share it. `named` remembers elements: a class may be a megabyte."""
    above = list(_upwards(node, 4))
    for n in above:
        if n not in named:
            named[n] = f"{n.tag}.{(n.get('class') or '')[:30]}"
    return tuple([named[n] for n in above])


def _group(node: Element, doc: Document, page: Parts, seeds: Mapping[Element, Anchor], repeats: int) -> Group:
    anchors = doc.anchor_of
    members: list[Item] = []
    chars = 0
    for here in node.iter("a"):
        if here in anchors and len(members) < MAX_MEMBERS:
            members.append(describe(anchors[here], page))
    marked = doc.marked and any(MARK in (n.get("class") or "").lower() for n in _upwards(node, 3))
    tight = _lowest_common(node, members) if len(members) > 1 else node
    tokens = list(_tokens(tight, {i.anchor.node: i for i in members}))
    chars = sum(len(t.text) for t in tokens)
    mine = sum(i.anchor.node in seeds for i in members)
    return Group(tight, members, tokens, marked, chars, repeats, mine)


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


def _tokens(top: Element, items: Mapping[Element, Item]) -> Iterator[Token]:
    """Links and texts of a bar in reading order, at most `MAX_TOKENS` elements of it."""
    seen = 0
    inside: Element | None = None
    for event, node in etree.iterwalk(top, events=("start", "end")):
        if event == "start":
            seen += 1
            if seen > MAX_TOKENS:
                return
            if inside is not None:
                continue
            if node in items:
                inside = node
                yield Token(items[node].anchor.text, items[node].shape, node, items[node])
            elif node.tag in ("script", "style", "option"):
                inside = node
            elif text := _clean(node.text):
                yield Token(text, shape(text), node)
            continue
        if inside is node:
            inside = None
        if inside is None and node is not top and (text := _clean(node.tail)):
            parent = node.getparent()
            yield Token(text, shape(text), parent if parent is not None else top)


def _clean(text: str | None) -> str:
    return " ".join(text.split())[:120] if text else ""
