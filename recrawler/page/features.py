"""Numbers that a classifier judges bars and their links by.

`read` works out what a group says of pages (scale, current page, each link's page); `link_rows` and `group_row`
turn that into the feature vectors named by `LINK_FEATURES` and `GROUP_FEATURES`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from recrawler.page.document import Document, Element, href_url
from recrawler.page.groups import Group, Item, Token, cues_of
from recrawler.page.pagers import resolve
from recrawler.page.scripts import Scripts, integer, postback
from recrawler.page.slots import Parts, Scale, Step, cut, scale_of
from recrawler.page.words import SENSES, shape

_OF = re.compile(r"(?<![\d.,])(\d{1,6})\s*(?:/|of|von|de|di|из|sur|van|共|\|)\s*(\d{1,6})(?![\d.,])", re.I)
_DATE_PATH = re.compile(r"[/=](?:19|20)\d\d[/-]?(?:0?[1-9]|1[0-2])(?:[/-]|[0-3]\d(?!\d)|$)")
_BEFORE = re.compile(r"before|until|older|(?:^|[ _-])max(?:$|[ _-])|to_date")
_AFTER = re.compile(r"after|since|newer|(?:^|[ _-])min(?:$|[ _-])|from_date")
MAX_PAGE = 200_000  # greater numbers are times, ids or cursors
_LONG_NUMBER = re.compile(r"\d{5}")
_BAD = {
    "calendar": re.compile(r"calend|archive|month|datepick"),
    "tags": re.compile(r"tag|cloud|categor|label|alphabet|letter|a-z|index-bar"),
    "slide": re.compile(r"slid|carousel|swiper|banner|flex-control|bx-|owl|gallery|lightbox|highslide"),
    "crumb": re.compile(r"bread|crumb|location|position|path"),
    "rating": re.compile(r"rating|star|vote|score|review"),
    "social": re.compile(r"social|share|follow|cart|login|lang|menu|nav-?bar|topbar|header|footer"),
    "post": re.compile(r"post-?nav|entry-nav|article|single|related|comment|adjacent"),
    "sort": re.compile(r"sort|order|per-?page|limit|filter|view|toolbar"),
}


@dataclass(frozen=True, slots=True)
class Head:
    """`<link rel=next>` and `<link rel=prev>` of the page, without fragment."""

    next: str | None
    prev: str | None
    node: Element | None = None  # the `<link rel=next>`


@dataclass(slots=True)
class Reading:
    """What a group says: numbered links, the scale of its URLs, the current page and the greatest page told."""

    group: Group
    head: Head
    scale: Scale | None
    pages: list[int | None]  # of each item, 1-based
    current: int | None
    sure: float  # how sure the current page is
    depth: int | None
    numbers: list[int]  # page numbers written on links, in order
    falling: bool = False  # the numbers in URLs fall from the first page to the last


def read(group: Group, doc: Document, head: Head, scripts: Scripts) -> Reading:
    """Work out the page numbers of a group's links and the current page."""
    items = group.items
    numbered = [(i.shape.number, i) for i in items if i.shape.number is not None and _plain(i)]
    scale = _scale(numbered)
    if any(i.url is None and i.script for i in items):
        resolve(items, scale, doc, scripts)
        scale = scale or _scale(numbered)
    by_url: dict[str, int] = {}
    for n, item in numbered:
        if item.url and n is not None:
            by_url.setdefault(item.url.split("#")[0], n)
    pages = [_page_of(item, by_url, scale) for item in items]
    reading = Reading(group, head, scale, pages, None, 0.0, None, [n for n, _ in numbered if n is not None])
    reading.falling = _descending(reading) > 0.5
    _current(reading, doc)
    if scale is None and reading.current is not None:
        _scale_by_current(reading, doc)
    told = [n for n in reading.pages if n is not None]
    of = _x_of_y(group)
    if of and (not told or of[1] >= max(told)):
        told.append(of[1])
    if reading.current:
        told.append(reading.current)
    reading.depth = max(told, default=None)
    return reading


def _scale(numbered: list[tuple[int | None, Item]]) -> Scale | None:
    scale = scale_of([(n, i.parts) for n, i in numbered if i.parts is not None and n is not None])
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
    if target is not None:
        return int(target[1]) if target[1].isdigit() and len(target[1]) < 8 else None
    return integer(script)


def _scale_by_current(reading: Reading, doc: Document) -> None:
    """The scale of a bar without numbers ("page 2 of 9", next, last): where the page's own URL has its number."""
    page = cut(doc.url)
    for item in reading.group.items:
        if item.step is None or item.step.how != "number" or item.parts is None:
            continue
        slot = next(i for i, (a, b) in enumerate(zip(page.numbers, item.parts.numbers, strict=True)) if a != b)
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


def _x_of_y(group: Group) -> tuple[int, int] | None:
    """The "2 / 15" or "Page 2 of 15" of a bar, in whatever words."""
    text = " ".join(t.text for t in group.tokens if t.item is None)[:300]
    for match in _OF.finditer(text):
        x, y = int(match[1]), int(match[2])
        if 1 <= x <= y:
            return x, y
    return None


def _current(reading: Reading, doc: Document) -> None:
    """The page that the bar stands on: votes of text outside links, odd classes, self links and the URL."""
    votes: dict[int, float] = {}

    def vote(n: int | None, weight: float) -> None:
        if n is not None and 0 < n < 10**7:
            votes[n] = votes.get(n, 0.0) + weight

    linked = {n for n, i in zip(reading.pages, reading.group.items, strict=True) if n and i.url}
    numbers = set(reading.numbers)
    odd = _odd_one(reading.group.tokens)
    for token in reading.group.tokens:
        n = token.shape.number
        if n is None or token.shape.jump or not (token.shape.pure or "page" in token.shape.senses):
            continue
        if token.item is None:
            near = bool(numbers & {n - 1, n + 1})
            vote(n, 2.0 if near and n not in numbers else 0.5 if near else 0.1)
        elif token.item.url is None or (token.item.step and token.item.step.how == "same"):
            vote(n, 1.5 if numbers - {n} else 0.2)
        if "current" in _marks(token):
            vote(n, 1.5)
    if odd is not None:
        vote(odd, 1.0)
    page = cut(doc.url)
    if reading.scale is not None:
        vote(reading.scale.page(page), 1.0)
    for n, item in zip(reading.pages, reading.group.items, strict=True):
        if n and item.step and item.step.how == "same" and item.shape.number is None:
            vote(n, 0.3)
    if (of := _x_of_y(reading.group)) is not None:
        vote(of[0], 1.0)
    if numbers and not votes:
        if 2 in numbers and 1 not in linked:
            vote(1, 0.5)
        for n in sorted(numbers):
            if n + 2 in numbers and n + 1 not in numbers:
                vote(n + 1, 0.4)
    if votes:
        best = max(votes, key=lambda n: (votes[n], -n))
        reading.current, reading.sure = best, votes[best] / (sum(votes.values()) + 0.3)


def _marks(token: Token) -> frozenset[str]:
    cues = cues_of(token.node) | (frozenset(("current",)) if token.node.get("aria-current") else frozenset())
    parent = token.node.getparent()
    if parent is not None and len(parent) == 1:
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
    above = f"{parent.tag}.{parent.get('class')}" if parent is not None and len(parent) == 1 else ""
    return f"{above}/{node.tag}.{node.get('class')}"


CUES = ("next", "prev", "older", "newer", "first", "last", "page", "current", "dead", "icon")
LINK_FEATURES: tuple[str, ...] = (
    "number", "number_log", "pure", "arrow", "arrow_strong", "coverage", "letters", "length", "ellipsis", "jump",
    *(f"word_{s}" for s in SENSES), "title_next", "title_prev",
    "rel_next", "rel_prev", *(f"cue_{c}" for c in CUES),
    "cue_next_odd", "cue_prev_odd",
    "image", "no_url", "hash", "script", "same", "how_number", "how_added", "how_removed", "how_value", "how_file",
    "how_other", "foreign", "hint", "delta", "delta_one", "value_log", "shared", "keys_added", "keys_removed", "date_url",
    "page_known", "page_rel", "page_next", "page_prev", "page_max", "page_one", "page_current", "on_scale",
    "place", "from_start", "from_end", "before_numbers", "after_numbers", "after_current", "before_current", "single",
    "twin_of_number", "head_next", "head_prev", "descending",
    "g_items", "g_numbers", "g_run", "g_fit", "g_current", "g_words", "g_arrows", "g_text", "g_repeats", "g_page_class",
    "g_marked", "g_other_next", "g_other_prev", "g_same_stem", "g_has_older", "neighbour", "option", "slug",
    "arrow_rank", "arrows_same_way", "leads_on", "leads_back", "g_descending_url", "g_score",
)  # fmt: skip

GROUP_FEATURES: tuple[str, ...] = (
    "items", "numbers", "number_share", "run", "ordered", "fit", "each_log", "each_one", "hint", "current_sure", "url_current",
    "words", "next", "prev", "older", "newer", "more", "first_last", "arrows", "strong_arrows", "images", "covered",
    "text_per_item", "text", "seeds_share", "repeats", "place", "depth_log", "page_class", "marked", "nav_tag",
    *(f"bad_{name}" for name in _BAD), "max_log", "year_numbers", "date_urls", "foreign", "no_url", "same_stem", "one_on",
    "shared", "singles", "duplicates", "rel", "head_next", "table_cells", "footer", "header", "letters", "alone",
    "how_file", "how_number", "how_added", "starts_low", "gaps", "anchors_before", "anchors_after", "of",
    "plain_numbers", "first_log", "month_like", "options", "slug_next", "queryless", "plain_turns", "rivals", "twins",
)  # fmt: skip


def link_rows(reading: Reading, group: dict[str, float], score: float) -> list[list[float]]:
    """One feature vector a link, in the order of the group's items."""
    items, pages, head = reading.group.items, reading.pages, reading.head
    count = len(items)
    number_at = [k for k, i in enumerate(items) if i.shape.number is not None and i.shape.pure]
    urls = [i.url.split("#")[0] if i.url else None for i in items]
    number_urls = {urls[k] for k in number_at}
    descending = _descending(reading)
    told = {*reading.numbers, reading.current or 0}
    ranks, ways = _arrow_ranks(items)
    order = _orders(reading)
    nexts = sum("next" in i.shape.senses or "next" in i.rel for i in items)
    prevs = sum("prev" in i.shape.senses or "prev" in i.rel for i in items)
    older = float(any("older" in i.shape.senses for i in items))
    shared_cues = frozenset.intersection(*(i.cues for i in items)) if count > 1 else frozenset()
    tail = [
        min(count, 30.0), group["numbers"], group["run"], group["fit"], group["current_sure"], group["words"],
        group["arrows"], group["text"], group["repeats"], group["page_class"], group["marked"],
    ]  # fmt: skip
    rows = []
    for k, item in enumerate(items):
        said, step = item.shape, item.step
        how = step.how if step else ""
        page = pages[k]
        rel = page - reading.current if page is not None and reading.current is not None else None
        title = (item.anchor.node.get("title") or item.anchor.node.get("aria-label") or "").lower()[:60]
        row = [
            float(said.number is not None), _log(said.number), float(said.pure), float(_sign(said.arrow)),
            float(abs(said.arrow) == 2), said.coverage, min(said.letters, 40.0), min(len(item.anchor.text), 60.0),
            float(said.ellipsis), float(said.jump),
            *(float(s in said.senses) for s in SENSES), *_title(title),
            float("next" in item.rel), float("prev" in item.rel or "previous" in item.rel),
            *(float(c in item.cues) for c in CUES),
            float("next" in item.cues and "next" not in shared_cues),
            float("prev" in item.cues and "prev" not in shared_cues),
            float(bool(len(item.anchor.node)) and next(item.anchor.node.iter("img"), None) is not None),
            float(item.anchor.url is None), float(item.anchor.raw.strip().startswith("#")), float(bool(item.script)),
            float(how == "same"), float(how == "number"), float(how == "added"), float(how == "removed"),
            float(how == "value"), float(how == "file"), float(how == "other"), float(how == "foreign"),
            float(bool(step and step.hint)), _clip(step.delta if step else None), float(abs(step.delta or 0) == 1 if step else 0),
            _log(step.value if step else None), step.shared if step else 0.0,
            min(step.keys_added, 4.0) if step else 0.0, min(step.keys_removed, 4.0) if step else 0.0,
            float(_dated(item)),
            float(page is not None), _clip(rel), float(rel == 1), float(rel == -1),
            float(page is not None and page == reading.depth), float(page == 1), float(rel == 0),
            float(bool(reading.scale and item.parts and reading.scale.shape == item.parts.shape)),
            k / max(1, count - 1) if count > 1 else 0.5, min(k, 10.0), min(count - 1 - k, 10.0),
            float(bool(number_at) and k < number_at[0]), float(bool(number_at) and k > number_at[-1]),
            float(order[k] == 1), float(order[k] == -1), float(count == 1),
            float(said.number is None and urls[k] is not None and urls[k] in number_urls),
            float(urls[k] is not None and urls[k] == head.next), float(urls[k] is not None and urls[k] == head.prev),
            descending, *tail, float(nexts - ("next" in said.senses or "next" in item.rel) > 0),
            float(prevs - ("prev" in said.senses or "prev" in item.rel) > 0), group["same_stem"], older,
            float(said.number is not None and bool({said.number - 1, said.number + 1} & told)),
            float(_option(item, reading.scale)), float(_slug(item)),
            float(ranks[k]), float(ways[_sign(said.arrow)] if said.arrow else 0),
            float(url_way(item.parts, step) > 0), float(url_way(item.parts, step) < 0), float(reading.falling), score,
        ]  # fmt: skip
        rows.append(row)
    return rows


def group_rows(readings: list[Reading], doc: Document) -> list[dict[str, float]]:
    """The feature values of all groups of a page; some tell how a group stands to the others."""
    rows = [_group_row(r, doc) for r in readings]
    targets = [frozenset(i.url.split("#")[0] for i in r.group.items if i.url) for r in readings]
    shapes = [{i.parts.shape for i in r.group.items if i.parts is not None} for r in readings]
    same = Counter(targets)
    for k, row in enumerate(rows):
        row["twins"] = float(same[targets[k]] > 1 and bool(targets[k]))
        if len(targets[k]) <= 2:
            rivals = sum(bool(shapes[k] & s) and targets[k] != t for s, t in zip(shapes, targets, strict=True))
            row["rivals"] = min(float(rivals), 10.0)
    return rows


def _group_row(reading: Reading, doc: Document) -> dict[str, float]:
    group, head = reading.group, reading.head
    items = group.items
    count = max(1, len(items))
    numbers = [i.shape.number for i in items if i.shape.number is not None and i.shape.pure]
    senses = {s for i in items for s in i.shape.senses if i.shape.coverage >= 0.5}
    steps = [i.step for i in items if i.step is not None]
    names = " ".join(_names(group.node)).lower()
    urls = [i.url.split("#")[0] for i in items if i.url]
    tokens = [t for t in group.tokens if t.shape.number is not None and t.shape.pure]
    told = [t.shape.number for t in tokens if t.shape.number is not None]
    rises = sum(b == a + 1 for a, b in zip(told, told[1:], strict=False))
    first = items[0].anchor.index if items else 0
    same_stem = sum(s.how in ("same", "number", "added", "removed", "value") for s in steps) / count
    scale = reading.scale
    tags = {n.tag for n in _ancestors(group.node, 12)}
    values = {
        "items": min(len(items), 40.0), "numbers": min(len(numbers), 30.0), "number_share": len(numbers) / count,
        "run": rises / max(1, len(told) - 1), "fit": scale.share if scale else 0.0,
        "ordered": float(all(a < b for a, b in zip(told, told[1:], strict=False)) and len(told) > 1),
        "each_log": _log(abs(scale.each)) if scale else 0.0, "each_one": float(bool(scale and scale.each == 1)),
        "hint": sum(s.hint for s in steps) / count, "current_sure": reading.sure,
        "url_current": float(bool(scale and scale.page(cut(doc.url)) is not None)),
        "words": float(len(senses & {"next", "prev", "older", "newer"})), "next": float("next" in senses),
        "prev": float("prev" in senses), "older": float("older" in senses), "newer": float("newer" in senses),
        "more": float("more" in senses), "first_last": float(len(senses & {"first", "last"})),
        "arrows": min(sum(i.shape.arrow != 0 for i in items), 5.0),
        "strong_arrows": min(sum(abs(i.shape.arrow) == 2 for i in items), 4.0),
        "images": float(sum(not i.anchor.text for i in items)) / count,
        "covered": sum(i.shape.coverage for i in items) / count,
        "text_per_item": min(group.text_len / count, 80.0), "text": min(group.text_len, 400.0),
        "seeds_share": group.seeds / count, "repeats": min(group.repeats, 20.0),
        "place": first / max(1, len(doc.anchors)), "depth_log": _log(reading.depth),
        "page_class": float("page" in cues_of(group.node)) + float(bool(re.search(r"pag(e|in)", names))),
        "marked": float(group.marked), "nav_tag": float(bool(tags & {"nav"})),
        **{f"bad_{name}": float(bool(pattern.search(names))) for name, pattern in _BAD.items()},
        "max_log": _log(max(numbers, default=0)),
        "year_numbers": sum(1900 < n < 2100 for n in numbers) / count,
        "date_urls": sum(_dated(i) for i in items) / count,
        "foreign": sum(s.how == "foreign" for s in steps) / count,
        "no_url": sum(i.url is None for i in items) / count, "same_stem": same_stem,
        "one_on": sum(s.delta in (1, -1) or (s.how == "added" and s.value in (1, 2)) for s in steps) / count,
        "shared": sum(s.shared for s in steps) / count, "singles": float(len(items) == 1),
        "duplicates": 1 - len(set(urls)) / max(1, len(urls)),
        "rel": float(sum(bool(i.rel & {"next", "prev"}) for i in items)),
        "head_next": float(any(u == head.next for u in urls)), "table_cells": float("td" in tags),
        "footer": float("footer" in tags), "header": float("header" in tags),
        "letters": sum(i.shape.letters == 1 for i in items) / count, "alone": float(count == 1 and not group.text_len),
        "how_file": sum(s.how == "file" for s in steps) / count,
        "how_number": sum(s.how == "number" for s in steps) / count,
        "how_added": sum(s.how == "added" for s in steps) / count,
        "starts_low": float(bool(told) and min(told) <= 2), "gaps": float(bool(told) and max(told) > 2 * len(told)),
        "anchors_before": min(first / 20, 10.0), "anchors_after": min((len(doc.anchors) - first - count) / 20, 10.0),
        "of": float(_x_of_y(group) is not None),
        "plain_numbers": min(sum(t.item is None for t in tokens), 40.0),
        "first_log": _log(abs(scale.first)) if scale else 0.0,
        "month_like": float(bool(told) and max(told) <= 31 and len(told) >= 20),
        "options": sum(_option(i, scale) for i in items) / count,
        "slug_next": sum(_slug(i) for i in items) / count,
        "plain_turns": min(sum(t.item is None and _turn(t) for t in group.tokens), 4.0),
        "rivals": 0.0,
        "twins": 0.0,
        "queryless": sum(bool(i.parts and not i.parts.query) for i in items) / count,
    }  # fmt: skip
    return values


def head_links(doc: Document) -> Head:
    """The page's `<link rel=next|prev>`."""
    found: dict[str, str] = {}
    element = None
    for node in doc.elements:
        if node.tag == "link" and (rel := (node.get("rel") or "").lower()) in ("next", "prev", "previous"):
            url = href_url(node.get("href") or "", doc.base_url, doc.encoding)
            if url:
                found.setdefault(rel[:4], url.split("#")[0])
                element = node if rel == "next" else element
        elif node.tag == "body":
            break
    return Head(found.get("next"), found.get("prev"), element)


def url_way(link: Parts | None, step: Step | None) -> int:
    """Whether a link's URL alone leads on (1: a page number more, or the first one) or back (-1) in a series.

    A number too great for a page is a cursor: then only the name of its parameter tells (before=, after=).
    """
    if link is None or step is None:
        return 0
    if (step.value is not None and step.value > MAX_PAGE) or (step.how in ("value", "added") and step.value is None):
        return _cursor_way(link)
    if step.how == "number" and step.delta and (step.hint or abs(step.delta) == 1):
        return 1 if step.delta > 0 else -1
    if step.how == "value" and step.hint and step.delta:
        return 1 if step.delta > 0 else -1
    if step.how == "added" and (step.hint or step.value in (1, 2)):
        return 1
    return -1 if step.how == "removed" and step.hint else 0


def _cursor_way(link: Parts) -> int:
    keys = " ".join(k.lower() for k, _ in link.query)
    return 1 if _BEFORE.search(keys) else -1 if _AFTER.search(keys) else 0


def _arrow_ranks(items: list[Item]) -> tuple[list[int], dict[int, int]]:
    """For each arrow its rank from the bar's middle outwards among those that point its way, from 1."""
    ways = {1: 0, -1: 0}
    ranks = [0] * len(items)
    for k, item in enumerate(items):
        if item.shape.arrow > 0:
            ways[1] += 1
            ranks[k] = ways[1]
    for k in range(len(items) - 1, -1, -1):
        if items[k].shape.arrow < 0:
            ways[-1] += 1
            ranks[k] = ways[-1]
    return ranks, ways


def _option(item: Item, scale: Scale | None) -> bool:
    """A number that is the value of a parameter which is not the bar's: so many a page, not a page."""
    if item.shape.number is None or item.parts is None or item.shape.number not in item.parts.numbers:
        return False
    if scale is not None and scale.shape == item.parts.shape:
        return item.parts.numbers[scale.slot] != scale.first + scale.each * (item.shape.number - 1)
    return item.shape.number % 5 == 0


def _dated(item: Item) -> bool:
    return item.url is not None and _DATE_PATH.search(item.url) is not None


def _slug(item: Item) -> bool:
    """Whether the last segment of the path reads like an article's name: words and hyphens, or a long number."""
    if item.parts is None:
        return False
    last = item.parts.path.rstrip("/").rsplit("/", 1)[-1]
    return last.count("-") >= 2 or sum(c.isalpha() for c in last) >= 16 or bool(_LONG_NUMBER.search(last))


def _turn(token: Token) -> bool:
    """An arrow or a pager's word, as a bar shows where there is nothing to link to."""
    said = token.shape
    return said.arrow != 0 or (said.coverage >= 0.6 and bool({"next", "prev", "first", "last"} & set(said.senses)))


def _descending(reading: Reading) -> float:
    """1 where the numbers in URLs fall from page to page (the last page has the least), -1 where they rise."""
    if reading.scale is not None:
        return 1.0 if reading.scale.each < 0 else -1.0
    values: dict[str, int] = {}
    for item in reading.group.items:
        if item.step is None or item.step.value is None or item.step.value > MAX_PAGE:
            continue
        for sense, arrow in (("first", -2), ("prev", -1), ("next", 1), ("last", 2)):
            if sense in item.shape.senses or (not item.shape.senses and item.shape.arrow == arrow):
                values.setdefault(sense, item.step.value)
    for near, far in (("next", "last"), ("prev", "next"), ("first", "prev"), ("first", "last")):
        if near in values and far in values and values[near] != values[far]:
            return 1.0 if values[near] > values[far] else -1.0
    return 0.0


def _orders(reading: Reading) -> list[int]:
    """Whether each item stands right after (1) or right before (-1) the current page's token."""
    places: list[int] = []
    at = None
    for token in reading.group.tokens:
        if at is None and token.shape.number is not None and token.shape.number == reading.current and token.shape.pure:
            at = len(places) + (0.5 if token.item is None else 0)
        if token.item is not None:
            places.append(len(places))
    out = []
    for k in range(len(reading.group.items)):
        far = k - at if at is not None else None
        out.append(1 if far in (0.5, 1) else -1 if far in (-0.5, -1) else 0)
    return out


def _names(node: Element) -> list[str]:
    return [f"{n.get('class') or ''} {n.get('id') or ''}" for n in _ancestors(node, 4)]


def _ancestors(node: Element, levels: int) -> list[Element]:
    out = []
    here: Element | None = node
    while here is not None and len(out) < levels:
        out.append(here)
        here = here.getparent()
    return out


def _title(title: str) -> tuple[float, float]:
    senses = shape(title).senses if title else ()
    return float("next" in senses), float("prev" in senses)


def _log(n: int | None) -> float:
    return 0.0 if not n or n < 0 else float(min(n, 10**6).bit_length())


def _clip(n: int | None) -> float:
    return 0.0 if n is None else float(max(-6, min(6, n)))


def _sign(n: int) -> int:
    return (n > 0) - (n < 0)
