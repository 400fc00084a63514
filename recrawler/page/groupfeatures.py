"""Numbers that the classifier judges groups of links by: is this one a pagination bar?

Values by name, the same in training and in use: the run of its numbers, the scale of its URLs, its words and
arrows, its place on the page and among other groups like it, and what the names around it say.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from recrawler.page.document import Document, Element
from recrawler.page.features import is_dated, is_option, is_slug, log2
from recrawler.page.groups import Token, cues_of
from recrawler.page.reading import Reading
from recrawler.page.slots import cut

_PAGER_NAME = re.compile(r"pag(?:e|in)")
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

GROUP_FEATURES: tuple[str, ...] = (
    "items", "numbers", "number_share", "run", "ordered", "fit", "each_log", "each_one", "first_log", "hint",
    "current_sure", "url_current", "of", "max_log", "starts_low", "gaps", "month_like", "year_numbers",
    "depth_log", "plain_numbers", "plain_turns", "options",
    "words", "next", "prev", "older", "newer", "more", "first_last", "arrows", "strong_arrows", "images",
    "covered", "letters", "text_per_item", "text", "alone", "singles",
    "seeds_share", "repeats", "rivals", "twins", "place", "anchors_before", "anchors_after",
    "page_class", "marked", "nav_tag", "table_cells", "footer", "header", *(f"bad_{name}" for name in _BAD),
    "date_urls", "slug_next", "queryless", "foreign", "no_url", "same_stem", "one_on", "shared", "duplicates",
    "how_file", "how_number", "how_added", "rel", "head_next",
)  # fmt: skip


def group_rows(readings: list[Reading], doc: Document) -> list[dict[str, float]]:
    """The feature values of all groups of a page by name; some tell how a group stands to the others."""
    rows = [
        _numbers(r, doc) | _words(r) | _place(r, doc) | _names(r.group.node) | _addresses(r) for r in readings
    ]
    targets = [frozenset(i.url.split("#")[0] for i in r.group.items if i.url) for r in readings]
    shapes = [{i.parts.shape for i in r.group.items if i.parts is not None} for r in readings]
    same = Counter(targets)
    for k, row in enumerate(rows):
        row["marked"] = float(readings[k].group.marked)
        row["twins"] = float(same[targets[k]] > 1 and bool(targets[k]))
        rivals = 0
        if len(targets[k]) <= 2:
            rivals = sum(
                bool(shapes[k] & s) and targets[k] != t for s, t in zip(shapes, targets, strict=True)
            )
        row["rivals"] = min(float(rivals), 10.0)
    return rows


def _numbers(reading: Reading, doc: Document) -> dict[str, float]:
    """The numbers that a group tells, and the scale of its URLs."""
    group, scale = reading.group, reading.scale
    count = max(1, len(group.items))
    numbers = [i.shape.number for i in group.items if i.shape.number is not None and i.shape.pure]
    tokens = [t for t in group.tokens if t.shape.number is not None and t.shape.pure]
    told = [t.shape.number or 0 for t in tokens]
    return {
        "numbers": min(len(numbers), 30.0),
        "number_share": len(numbers) / count,
        "run": sum(b == a + 1 for a, b in pairwise(told)) / max(1, len(told) - 1),
        "ordered": float(len(told) > 1 and all(a < b for a, b in pairwise(told))),
        "fit": scale.share if scale else 0.0,
        "each_log": log2(abs(scale.each)) if scale else 0.0,
        "each_one": float(scale is not None and scale.each == 1),
        "first_log": log2(abs(scale.first)) if scale else 0.0,
        "current_sure": reading.sure,
        "url_current": float(scale is not None and scale.page(cut(doc.url)) is not None),
        "of": float(reading.of is not None),
        "max_log": log2(max(numbers, default=0)),
        "starts_low": float(bool(told) and min(told) <= 2),
        "gaps": float(bool(told) and max(told) > 2 * len(told)),
        "month_like": float(len(told) >= 20 and max(told) <= 31),
        "year_numbers": sum(1900 < n < 2100 for n in numbers) / count,
        "depth_log": log2(reading.depth),
        "plain_numbers": min(sum(t.item is None for t in tokens), 40.0),
        "options": sum(is_option(i, scale) for i in group.items) / count,
    }


def _words(reading: Reading) -> dict[str, float]:
    """The words, arrows and pictures of a group."""
    group = reading.group
    count = max(1, len(group.items))
    senses = {s for i in group.items for s in i.shape.senses if i.shape.coverage >= 0.5}
    values = {name: float(name in senses) for name in ("next", "prev", "older", "newer", "more")}
    return values | {
        "words": float(len(senses & {"next", "prev", "older", "newer"})),
        "first_last": float(len(senses & {"first", "last"})),
        "arrows": min(sum(i.shape.arrow != 0 for i in group.items), 5.0),
        "strong_arrows": min(sum(abs(i.shape.arrow) == 2 for i in group.items), 4.0),
        "images": sum(not i.anchor.text for i in group.items) / count,
        "covered": sum(i.shape.coverage for i in group.items) / count,
        "letters": sum(i.shape.letters == 1 for i in group.items) / count,
        "text_per_item": min(group.text_len / count, 80.0),
        "text": min(group.text_len, 400.0),
        "alone": float(count == 1 and not group.text_len),
        "plain_turns": min(sum(t.item is None and _turn(t) for t in group.tokens), 4.0),
        "rel": float(sum(bool(i.rel & {"next", "prev"}) for i in group.items)),
    }


def _place(reading: Reading, doc: Document) -> dict[str, float]:
    """Where a group stands on the page."""
    group = reading.group
    count = max(1, len(group.items))
    first = group.items[0].anchor.index if group.items else 0
    return {
        "items": min(len(group.items), 40.0),
        "singles": float(len(group.items) == 1),
        "seeds_share": group.seeds / count,
        "repeats": min(group.repeats, 20.0),
        "place": first / max(1, len(doc.anchors)),
        "anchors_before": min(first / 20, 10.0),
        "anchors_after": min((len(doc.anchors) - first - count) / 20, 10.0),
    }


def _names(node: Element) -> dict[str, float]:
    """What the tags, classes and ids around a group say."""
    above = _ancestors(node, 12)
    names = " ".join(f"{n.get('class') or ''} {n.get('id') or ''}" for n in above[:4]).lower()
    tags = {n.tag for n in above}
    values = {f"bad_{name}": float(pattern.search(names) is not None) for name, pattern in _BAD.items()}
    return values | {
        "page_class": float("page" in cues_of(node)) + float(_PAGER_NAME.search(names) is not None),
        "nav_tag": float("nav" in tags),
        "table_cells": float("td" in tags),
        "footer": float("footer" in tags),
        "header": float("header" in tags),
    }


def _addresses(reading: Reading) -> dict[str, float]:
    """How the URLs of a group differ from the page's, in shares of its links."""
    items = reading.group.items
    count = max(1, len(items))
    steps = [i.step for i in items if i.step is not None]
    urls = [i.url.split("#")[0] for i in items if i.url]
    how = Counter(s.how for s in steps)
    stem = how["same"] + how["number"] + how["added"] + how["removed"] + how["value"]
    return {
        "hint": sum(s.hint for s in steps) / count,
        "date_urls": sum(is_dated(i) for i in items) / count,
        "slug_next": sum(is_slug(i) for i in items) / count,
        "queryless": sum(i.parts is not None and not i.parts.query for i in items) / count,
        "foreign": how["foreign"] / count,
        "no_url": sum(i.url is None for i in items) / count,
        "same_stem": stem / count,
        "one_on": sum(s.delta in (1, -1) or (s.how == "added" and s.value in (1, 2)) for s in steps) / count,
        "shared": sum(s.shared for s in steps) / count,
        "duplicates": 1 - len(set(urls)) / max(1, len(urls)),
        "how_file": how["file"] / count,
        "how_number": how["number"] / count,
        "how_added": how["added"] / count,
        "head_next": float(reading.head.next is not None and reading.head.next in urls),
    }


def _turn(token: Token) -> bool:
    """An arrow or a pager's word, as a bar shows where there is nothing to link to."""
    said = token.shape
    return said.arrow != 0 or (
        said.coverage >= 0.6 and bool({"next", "prev", "first", "last"} & set(said.senses))
    )


def _ancestors(node: Element, levels: int) -> list[Element]:
    out: list[Element] = []
    here: Element | None = node
    while here is not None and len(out) < levels:
        out.append(here)
        here = here.getparent()
    return out
