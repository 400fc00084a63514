"""What a candidate bar says of pages: each link's page number, the current page, the greatest page told.

A number written on a link is its page. Where links have none, their URLs tell: the numbered links of a bar
give the scale of its URLs (value = first + each * (page - 1)), and the page's own URL may name the current
page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recrawler.page.document import Document, Element, href_url, is_only
from recrawler.page.groups import Group, Item, Token, cues_of
from recrawler.page.options import sizes
from recrawler.page.pagers import resolve
from recrawler.page.scripts import Scripts, integer, postback
from recrawler.page.slots import Parts, Scale, Step, cut, is_time, scale_of
from recrawler.page.words import names_items

MAX_PAGE = 200_000  # greater numbers are times, ids or cursors

_OF = re.compile(
    r"(?<![\d.,–~—-])(?<![-–~—]\s)(\d{1,6})\s*(?:/|of|von|de|di|из|sur|van|ze?|a[vf]|din|dari|trên|của|από|من|از|מתוך|"
    r"共|\|)\s*(\d{1,6})(?![\d.,])",
    re.I,
)
_BEFORE = re.compile(r"before|until|older|(?:^|[ _-])max(?:$|[ _-])|to_date")
_DAY = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])(?:[/-]([0-3]?\d))?(?=[/.-]|$)")
_ROW = re.compile(r"(?:start|offset|from|skip|begin|cursor|since|after)(?:$|[_-])", re.I)
_AFTER = re.compile(r"since|newer|(?:^|[ _-])min(?:$|[ =_-])|from_date|after=(?:\d{9,}|\d{4}-)")


@dataclass(frozen=True, slots=True)
class Head:
    """`<link rel=next>` and `<link rel=prev>` of the page, without fragment."""

    next: str | None
    prev: str | None
    node: Element | None = None  # the `<link rel=next>`


ALL_WORDS = 0.8  # share of a text's letters that a pager's words make up, for it to say nothing else
SURE_LAST = 0.5  # how sure the current page has to be for it


@dataclass(slots=True)
class Reading:
    """What a group says: numbered links, the scale of its URLs, the current and the greatest page told."""

    group: Group
    head: Head
    scale: Scale | None
    pages: list[int | None]  # of each item, 1-based
    current: int | None
    sure: float  # how sure the current page is
    depth: int | None
    numbers: list[int]  # page numbers written on links, in order
    of: tuple[int, int] | None  # the "2 / 15" or "Page 2 of 15" that stands there
    falling: bool = False  # the numbers in URLs fall from the first page to the last
    day: tuple[int, ...] = ()  # year, month and perhaps day that the page's own URL names
    from_oldest: bool = False  # pages are counted from the oldest, and this is the newest


def read(group: Group, doc: Document, head: Head, scripts: Scripts) -> Reading:
    """Work out the page numbers of a group's links and the current page."""
    items = group.items
    numbered = _without_sizes(
        [(i.shape.number, i) for i in items if i.shape.number is not None and _plain(i)]
    )
    scale = _scale(numbered)
    if any(i.url is None for i in items):
        resolve(items, scale, doc, scripts)
        scale = scale or _scale(numbered)
    by_url: dict[str, int] = {}
    for n, item in numbered:
        if item.url:
            by_url.setdefault(item.url.split("#")[0], n)
    pages = [_page_of(item, by_url, scale) for item in items]
    told = [n for n, _ in numbered]
    reading = Reading(group, head, scale, pages, None, 0.0, None, told, x_of_y(group))
    reading.falling = descending(reading) > 0.5
    reading.day = day_of(cut(doc.url))
    _current(reading, doc)
    if scale is None and reading.current is not None:
        _scale_by_current(reading, doc)
    told = [n for n in reading.pages if n is not None]
    of = reading.of
    if of and of[0] == reading.current and (not told or of[1] >= max(told)):
        told.append(of[1])
    if reading.current:
        told.append(reading.current)
    reading.depth = max(told, default=None)
    reading.from_oldest = _from_oldest(reading, doc)
    return reading


def _from_oldest(reading: Reading, doc: Document) -> bool:
    """Whether the page whose URL has no number yet is the last by number: then that one is the newest."""
    here, numbers = reading.current, reading.numbers
    if here is None or here < 2 or here != reading.depth or reading.sure < SURE_LAST or len(numbers) < 2:
        return False
    before = (
        i.url for i, n in zip(reading.group.items, reading.pages, strict=True) if n == here - 1 and i.url
    )
    return any(url.startswith(doc.url.partition("#")[0]) for url in before)


def _without_sizes(numbered: list[tuple[int, Item]]) -> list[tuple[int, Item]]:
    """Numbered links but for how many rows a page may show, where others tell pages: such numbers make leaps."""
    asked = {n for n, i in numbered if i.parts is not None and sizes(i.parts, n)}
    if not asked or len(asked) == len({n for n, _ in numbered}) or any(n + 1 in asked for n in asked):
        return numbered
    return [(n, i) for n, i in numbered if n not in asked]


def _scale(numbered: Sequence[tuple[int, Item]]) -> Scale | None:
    scale = scale_of([(n, i.parts) for n, i in numbered if i.parts is not None])
    return scale if scale is not None and scale.share >= 0.6 else None


def _page_of(item: Item, by_url: dict[str, int], scale: Scale | None) -> int | None:
    n = item.shape.number if _plain(item) else None
    if n is None and item.url:
        n = by_url.get(item.url.split("#")[0])
    if n is None and item.parts is not None and scale is not None:
        n = scale.page(item.parts)
    if n is None and item.url is None and item.script and not item.shape.jump:
        n = _script_page(item.script)
    return n if n is not None and 0 < n < 10**7 else None


def _script_page(script: str) -> int | None:
    target = postback(script)
    if target is None:
        return integer(script)
    number = target[1].rpartition("$")[2]  # a grid's argument is Page$2
    return int(number) if number.isdecimal() and len(number) < 8 else None


def _scale_by_current(reading: Reading, doc: Document) -> None:
    """The scale of a bar without numbers ("page 2 of 9", next, last), by the number in the page's own URL."""
    page = cut(doc.url)
    for item in reading.group.items:
        if item.step is None or item.step.how != "number" or item.parts is None:
            continue
        slot = next(
            i for i, (a, b) in enumerate(zip(page.numbers, item.parts.numbers, strict=True)) if a != b
        )
        if page.numbers[slot] == reading.current:
            reading.scale = Scale(page.shape, slot, 1, 1, 1.0)
            break
    if reading.scale is None:
        return
    for k, item in enumerate(reading.group.items):
        if reading.pages[k] is None and item.parts is not None:
            n = reading.scale.page(item.parts)
            reading.pages[k] = n if n is not None and 0 < n < 10**7 else None


def _plain(item: Item) -> bool:
    return item.shape.number is not None and item.shape.arrow == 0 and not item.shape.jump


def x_of_y(group: Group) -> tuple[int, int] | None:
    """The "2 / 15" or "Page 2 of 15" of a bar, in whatever words."""
    text = " ".join(t.text for t in group.tokens if t.item is None)[:300]
    for match in _OF.finditer(text):
        x, y = int(match[1]), int(match[2])
        if 1 <= x <= y:
            return x, y
    return None


class _Votes(dict[int, float]):
    """Weights of what the current page may be."""

    def add(self, n: int | None, weight: float) -> None:
        if n is not None and 0 < n < 10**7:
            self[n] = self.get(n, 0.0) + weight


def _current(reading: Reading, doc: Document) -> None:
    """The page that the bar stands on, by votes of plain text, odd classes, self links and the URL."""
    votes = _Votes()
    numbers = set(reading.numbers)
    for token in reading.group.tokens:
        _vote_of_token(token, numbers, votes)
    votes.add(_odd_one(reading.group.tokens), 1.0)
    if reading.scale is not None:
        votes.add(reading.scale.page(cut(doc.url)), 1.0)
    for n, item in zip(reading.pages, reading.group.items, strict=True):
        if n and item.step and item.step.how == "same" and item.shape.number is None:
            votes.add(n, 0.3)
    if reading.of is not None:
        votes.add(reading.of[0], 1.0)
    if numbers and not votes:
        _vote_of_gaps(reading, numbers, votes)
    if votes:
        best = max(votes, key=lambda n: (votes[n], -n))
        reading.current, reading.sure = best, votes[best] / (sum(votes.values()) + 0.3)


def _vote_of_token(token: Token, numbers: set[int], votes: _Votes) -> None:
    n = token.shape.number
    if n is None or token.shape.jump:
        return
    if "current" in _marks(token):  # whatever else it says: "1 (current)"
        votes.add(n, 1.5)
    if not (token.shape.pure or "page" in token.shape.senses):
        return
    if token.item is None:
        near = bool(numbers & {n - 1, n + 1})
        votes.add(n, 2.0 if near and n not in numbers else 0.5 if near else 0.1)
    elif _is_dead(token.item) or (token.item.step and token.item.step.how == "same"):
        votes.add(n, 1.5 if numbers - {n} else 0.2)


def _is_dead(item: Item) -> bool:
    """A link that leads nowhere and runs nothing, and whose fragment names no page."""
    return item.url is None and not item.script and not any(c.isdigit() for c in item.anchor.raw)


def _vote_of_gaps(reading: Reading, numbers: set[int], votes: _Votes) -> None:
    """A number left out of a run; the first page where the bar begins with 2."""
    linked = {n for n, i in zip(reading.pages, reading.group.items, strict=True) if n and i.url}
    if 2 in numbers and 1 not in linked:
        votes.add(1, 0.5)
    numbered = [i.step for i in reading.group.items if i.shape.number is not None and _plain(i)]
    if 1 in numbers and all(s is not None and s.how == "added" and s.hint for s in numbered):
        votes.add(1, 0.5)  # the page's own address has no number where all of theirs have one
    for n in sorted(numbers):
        if n + 2 in numbers and n + 1 not in numbers:
            votes.add(n + 1, 0.4)


def _marks(token: Token) -> frozenset[str]:
    cues = cues_of(token.node) | (frozenset(("current",)) if token.node.get("aria-current") else frozenset())
    parent = token.node.getparent()
    if parent is not None and is_only(token.node):
        cues |= cues_of(parent)
    return cues


def _odd_one(tokens: list[Token]) -> int | None:
    """The one number whose tags and classes differ from all the others'."""
    signed: dict[str, list[int]] = {}
    for token in tokens:
        if token.shape.number is not None and token.shape.pure:
            signed.setdefault(_signature(token.node), []).append(token.shape.number)
    if len(signed) < 2 or sum(map(len, signed.values())) < 3:
        return None
    lone = [v[0] for v in signed.values() if len(v) == 1]
    return lone[0] if len(lone) == 1 else None


def _signature(node: Element) -> str:
    parent = node.getparent()
    above = f"{parent.tag}.{parent.get('class')}" if parent is not None and is_only(node) else ""
    return f"{above}/{node.tag}.{node.get('class')}"


def head_links(doc: Document) -> Head:
    """The page's `<link rel=next|prev>`."""
    found: dict[str, str] = {}
    element = None
    end = doc.places.get("body", [len(doc.tags)])[0]
    for at in doc.places.get("link", ()):
        node = doc.elements[at]
        if at < end and (rel := (node.get("rel") or "").lower()) in ("next", "prev", "previous"):
            url = href_url(node.get("href") or "", doc.base_url, doc.encoding)
            if url:
                found.setdefault(rel[:4], url.split("#")[0])
                element = node if rel == "next" else element
    return Head(found.get("next"), found.get("prev"), element)


def url_way(link: Parts | None, step: Step | None) -> int:
    """Whether a link's URL alone leads on (1: a page number more, or the first one) or back (-1) in a series.

    Of a cursor the name of its parameter tells (before=, after=), and the page's own value of it.
    """
    if link is None or step is None:
        return 0
    if is_cursor(link, step):
        return _cursor_way(link, step.delta)
    if step.how == "number" and step.delta and (step.hint or abs(step.delta) == 1):
        return 0 if _uneven(link, step) else 1 if step.delta > 0 else -1
    if step.how == "value" and step.hint and step.delta:
        return 0 if _uneven(link, step) else 1 if step.delta > 0 else -1
    if step.how == "added" and (step.hint or step.value in (1, 2)):
        return 1
    return -1 if step.how == "removed" and step.hint else 0


def loads_more(group: Group) -> bool:
    """A link alone that says "more" and nothing else, and whose URL is the page's own with a page's number more."""
    if len(group.items) != 1:
        return False
    item = group.items[0]
    alone = "more" in item.shape.senses and item.shape.coverage >= ALL_WORDS
    return alone and item.step is not None and item.step.hint and url_way(item.parts, item.step) > 0


def day_of(link: Parts) -> tuple[int, ...]:
    """The year, month and perhaps day that a URL's path names."""
    found = _DAY.search(link.path)
    return tuple([int(n) for n in found.groups() if n]) if found else ()


def is_cursor(link: Parts, step: Step) -> bool:
    """Whether what a link's URL has for a page's number is a time, an id or another value of a row: one too great
    for a page, none at all, or the bound that its name tells of."""
    if (step.value or 0) > MAX_PAGE or (step.how in ("value", "added") and step.value is None):
        return True
    if step.keys_added and any(is_time(value) for _, value in link.query):
        return True
    return step.how in ("number", "value") and is_bounded(link)


def is_bounded(link: Parts) -> bool:
    """Whether a URL asks for what is before a row or a time."""
    return any(_BEFORE.search(k.lower()) for k, _ in link.query)


def _cursor_way(link: Parts, delta: int | None) -> int:
    """Before and after a time, by parameters' names: what is before an earlier one leads on, before a later one
    back. A cursor that means "after this row" leads on."""
    pairs = " ".join(f"{k}={v}".lower() for k, v in link.query)
    if is_bounded(link):
        return -1 if delta and delta > 0 else 1
    if _AFTER.search(pairs):
        return 1 if delta and delta < 0 else -1
    return 0


def _uneven(link: Parts, step: Step) -> bool:
    """Whether a row's number is no multiple of its distance to the page's own, as an offset would be: the id of a
    row, which may fall from page to page as well as rise."""
    if not step.delta or step.value is None or not any(_ROW.match(k) for k, _ in link.query):
        return False
    return step.value % step.delta != 0 and (step.value - 1) % step.delta != 0


def descending(reading: Reading) -> float:
    """1 where the numbers in URLs fall from page to page (the last has the least), -1 where they rise."""
    if reading.scale is not None:
        return 1.0 if reading.scale.each < 0 else -1.0
    values: dict[str, int] = {}
    for item in reading.group.items:
        if item.step is None or item.step.value is None or item.step.value > MAX_PAGE:
            continue
        for sense, arrow in (("first", -2), ("prev", -1), ("next", 1), ("last", 2)):
            if sense in item.shape.senses and names_items(item.anchor.text):
                continue  # "previous posts" are older ones: that says nothing of how the numbers run
            if sense in item.shape.senses or (not item.shape.senses and item.shape.arrow == arrow):
                values.setdefault(sense, item.step.value)
    for near, far in (("next", "last"), ("prev", "next"), ("first", "prev"), ("first", "last")):
        if near in values and far in values and values[near] != values[far]:
            return 1.0 if values[near] > values[far] else -1.0
    return 0.0
