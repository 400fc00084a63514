"""Where a bar leads: to the page with older items, to the one with newer items, to the last one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recrawler.page.document import Element, is_only
from recrawler.page.groups import Item
from recrawler.page.reading import Reading, day_of, is_bounded, is_cursor, url_way
from recrawler.page.roles import Judged
from recrawler.page.types import Role

_OFF = re.compile(r"(?:^|[\s_-])disabled(?:$|[\s_-])")
_UNSEEN_CLASS = re.compile(
    r"(?:^|\s)(?:is-)?invisible(?:$|\s)"
)  # not hidden: themes hide for small screens alone
_UNSEEN_STYLE = re.compile(r"visibility:hidden|display:none")


def direction(copies: Sequence[Judged]) -> tuple[str | None, str | None, Item | None]:
    """URL of the older page, of the newer one, and the link to the older one where that has no URL."""
    older: list[tuple[float, Item]] = []
    newer: list[tuple[float, Item]] = []
    for one in copies:
        unseen = [is_unseen(i.anchor.node) for i in one.group.items]
        for k, (item, role) in enumerate(zip(one.group.items, one.roles, strict=True)):
            if role == "other" or (item.step is not None and item.step.how == "same"):
                continue
            if item.url is None and item.cues & {"dead", "current"}:
                continue
            if is_off(item.anchor.node) or (unseen[k] and not all(unseen)):
                continue
            way = leaning(one.reading, k, role)
            if way:
                (older if way > 0 else newer).append((abs(way), item))
    on = max(older, key=lambda pair: pair[0], default=None)
    back = max(newer, key=lambda pair: pair[0], default=None)
    if on and back and on[1].url is not None and on[1].url == back[1].url:
        on, back = (on, None) if on[0] >= back[0] else (None, back)
    lost = on[1] if on is not None and on[1].url is None else None
    return on[1].url if on else None, back[1].url if back else None, lost


def is_off(node: Element) -> bool:
    """Whether a link is switched off: it has an address, and a reader sees that it leads past the end."""
    return any(
        x.get("aria-disabled") == "true" or _OFF.search((x.get("class") or "").lower()) for x in _shells(node)
    )


def is_unseen(node: Element) -> bool:
    """Whether a link keeps its place and no reader sees it. Where others of its bar are seen, it leads past the end;
    a whole bar is hidden where script loads its pages, and leads on."""
    return any(
        x.get("hidden") is not None
        or _UNSEEN_CLASS.search(x.get("class") or "")
        or _UNSEEN_STYLE.search((x.get("style") or "").replace(" ", ""))
        for x in _shells(node)
    )


def _shells(node: Element) -> list[Element]:
    """A link, and the element that holds it alone."""
    parent = node.getparent()
    return [node] if parent is None or not is_only(node) else [node, parent]


def leaning(reading: Reading, k: int, role: Role) -> float:
    """How much a link leads to the page with older items (above 0) or newer ones (below 0); 0: neither.

    A page number one on from the current page says most, then words for older and newer, then a number in the
    URL that rises or falls, then the link's role. From article to article "next" is the newer one.
    """
    item = reading.group.items[k]
    page, here = reading.pages[k], reading.current
    away = page - here if page is not None and here is not None else None
    if away is not None and reading.from_oldest:
        away = -away
    if role in ("page", "first", "last"):
        if away not in (1, -1) or reading.sure < 0.3:
            return 0.0
        return float(away) * (0.9 if role == "page" else 0.5)
    if away in (1, -1) and reading.sure >= 0.3:
        return float(away) * 3.0
    said = item.shape.senses
    way = 1.5 if role == "next" else -1.5
    if "older" in said or "newer" in said:
        way += 4.0 if "older" in said else -4.0
    if apart := _days_back(reading, item):
        return way + 4.0 * apart
    if from_item_to_item(reading):
        return way if {"older", "newer"} & set(said) else -way
    url = item.url.split("#")[0] if item.url else ""
    way += 2.5 * ((url == reading.head.next) - (url == reading.head.prev)) if url else 0.0
    return way + 2.0 * (-1 if _falls(reading, item) else 1) * url_way(item.parts, item.step)


def _days_back(reading: Reading, item: Item) -> int:
    """Whether a link's URL names an earlier month or day than the page's own (1), or a later one (-1)."""
    day = day_of(item.parts) if item.parts is not None and reading.day else ()
    if len(day) != len(reading.day):
        return 0
    return (day < reading.day) - (day > reading.day)


def _falls(reading: Reading, item: Item) -> bool:
    """Whether a page's number in the link's URL is the less, the farther the page is."""
    if not reading.falling or item.step is None or item.parts is None:
        return False
    return item.step.how == "number" and not is_cursor(item.parts, item.step)


def from_item_to_item(reading: Reading) -> bool:
    """Whether a bar leads from article to article: no numbers, and targets that read like articles."""
    counted = any(
        i.shape.number is not None and i.shape.pure for i in reading.group.items
    )  # not: Comments (18)
    if counted or reading.scale is not None or reading.current is not None:
        return False
    turning = [
        i
        for i in reading.group.items
        if i.step
        and (set(i.shape.senses) & {"next", "prev"} or (not i.shape.senses and abs(i.shape.arrow) == 1))
    ]
    return bool(turning) and all(_to_item(i) for i in turning)


def turned(reading: Reading) -> bool:
    """Whether a bar's next link is taken for the way to a newer article, for want of words that say so."""
    said = {sense for i in reading.group.items for sense in i.shape.senses}
    dated = any(_days_back(reading, i) for i in reading.group.items)
    return from_item_to_item(reading) and said.isdisjoint(("older", "newer")) and not dated


def _to_item(item: Item) -> bool:
    step = item.step
    if step is None or item.parts is None or step.hint or is_bounded(item.parts):
        return False
    return step.how in ("file", "other") or (step.how == "number" and (step.value or 0) > 300)


def last_page(copies: Sequence[Judged]) -> str | None:
    """The URL of the last page: the link called last, else the greatest number told."""
    for one in copies:
        for item, role in zip(one.group.items, one.roles, strict=True):
            if role == "last" and item.url:
                return item.url
    numbered = [
        (page, item.url)
        for one in copies
        for item, role, page in zip(one.group.items, one.roles, one.reading.pages, strict=True)
        if role == "page" and page is not None and item.url and page == one.reading.depth
    ]
    return max(numbered)[1] if numbered else None
