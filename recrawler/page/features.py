"""Numbers that the classifier judges the links of a bar by: next, previous, a page, or none of these?

Values by name, the same in training and in use. Words, classes and ids are evidence beside the shape of
texts, the way that URLs differ from the page's own, and how a link stands among its neighbours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from recrawler.page.groups import Item
from recrawler.page.reading import Reading, descending, url_way
from recrawler.page.slots import Scale, Step
from recrawler.page.words import SENSES, shape

CUES = ("next", "prev", "older", "newer", "first", "last", "page", "current", "dead", "icon")
HOWS = ("same", "number", "added", "removed", "value", "file", "other", "foreign")

_DATE_PATH = re.compile(r"[/=](?:19|20)\d\d[/-]?(?:0?[1-9]|1[0-2])(?:[/-]|[0-3]\d(?!\d)|$)")
_LONG_NUMBER = re.compile(r"\d{5}")
_OF_GROUP = (
    "items", "numbers", "run", "fit", "current_sure", "words", "arrows", "text", "repeats", "page_class",
    "marked", "same_stem",
)  # fmt: skip

LINK_FEATURES: tuple[str, ...] = (
    "number", "number_log", "pure", "arrow", "arrow_strong", "coverage", "letters", "length",
    "ellipsis", "jump",
    *(f"word_{s}" for s in SENSES), "title_next", "title_prev",
    "rel_next", "rel_prev", *(f"cue_{c}" for c in CUES), "cue_next_odd", "cue_prev_odd", "image",
    "no_url", "hash", "script", *(f"how_{h}" for h in HOWS), "hint", "delta", "delta_one", "value_log",
    "shared", "keys_added", "keys_removed", "date_url", "slug", "option", "leads_on", "leads_back",
    "head_next", "head_prev",
    "page_known", "page_rel", "page_next", "page_prev", "page_max", "page_one", "page_current", "on_scale",
    "neighbour", "twin_of_number",
    "place", "from_start", "from_end", "before_numbers", "after_numbers", "after_current", "before_current",
    "single", "arrow_rank", "arrows_same_way",
    *(f"g_{n}" for n in _OF_GROUP), "g_other_next", "g_other_prev", "g_has_older",
    "g_way", "g_falling", "g_score",
)  # fmt: skip


@dataclass(slots=True)
class _Among:
    """What the features of all links of one group share."""

    reading: Reading
    number_at: list[int]  # places of the pure numbers
    urls: list[str | None]  # without fragment
    number_urls: set[str | None]
    ranks: list[int]
    ways: dict[int, int]
    beside: list[int]
    shared_cues: frozenset[str]


def link_rows(reading: Reading, group: dict[str, float], score: float) -> list[dict[str, float]]:
    """The feature values of each link of a group by name, in order."""
    items = reading.group.items
    if not items:
        return []
    number_at = [k for k, i in enumerate(items) if i.shape.number is not None and i.shape.pure]
    urls = [i.url.split("#")[0] if i.url else None for i in items]
    ranks, ways = _arrow_ranks(items)
    among = _Among(
        reading,
        number_at,
        urls,
        {urls[k] for k in number_at},
        ranks,
        ways,
        _beside_current(reading),
        frozenset.intersection(*(i.cues for i in items)) if len(items) > 1 else frozenset(),
    )
    common = _of_group(reading, group, score)
    nexts = [_says(i, "next") for i in items]
    prevs = [_says(i, "prev") for i in items]
    rows = []
    for k, item in enumerate(items):
        row = (
            _text(item)
            | _address(item, k, among)
            | _page(item, k, among)
            | _standing(item, k, among)
            | common
        )
        row["g_other_next"] = float(sum(nexts) - nexts[k] > 0)
        row["g_other_prev"] = float(sum(prevs) - prevs[k] > 0)
        rows.append(row)
    return rows


def _text(item: Item) -> dict[str, float]:
    """What a link's text, title, classes and picture say."""
    said, node = item.shape, item.anchor.node
    title = (node.get("title") or node.get("aria-label") or "").lower()[:60]
    named = shape(title).senses if title else ()
    values = {
        "number": float(said.number is not None),
        "number_log": log2(said.number),
        "pure": float(said.pure),
        "arrow": float(_sign(said.arrow)),
        "arrow_strong": float(abs(said.arrow) == 2),
        "coverage": said.coverage,
        "letters": min(said.letters, 40.0),
        "length": min(len(item.anchor.text), 60.0),
        "ellipsis": float(said.ellipsis),
        "jump": float(said.jump),
        "title_next": float("next" in named),
        "title_prev": float("prev" in named),
        "rel_next": float("next" in item.rel),
        "rel_prev": float("prev" in item.rel or "previous" in item.rel),
        "image": float(bool(len(node)) and next(node.iter("img"), None) is not None),
    }
    values.update((f"word_{s}", float(s in said.senses)) for s in SENSES)
    values.update((f"cue_{c}", float(c in item.cues)) for c in CUES)
    return values


def _address(item: Item, k: int, among: _Among) -> dict[str, float]:
    """How a link's URL differs from the page's."""
    step, reading, url = item.step, among.reading, among.urls[k]
    way = url_way(item.parts, step)
    values = {
        "no_url": float(item.anchor.url is None),
        "hash": float(item.anchor.raw.strip().startswith("#")),
        "script": float(bool(item.script)),
        "date_url": float(is_dated(item)),
        "slug": float(is_slug(item)),
        "option": float(is_option(item, reading.scale)),
        "leads_on": float(way > 0),
        "leads_back": float(way < 0),
        "head_next": float(url is not None and url == reading.head.next),
        "head_prev": float(url is not None and url == reading.head.prev),
    }
    values.update((f"how_{h}", float(step is not None and step.how == h)) for h in HOWS)
    return values | _step(step)


def _step(step: Step | None) -> dict[str, float]:
    if step is None:
        return dict.fromkeys(
            ("hint", "delta", "delta_one", "value_log", "shared", "keys_added", "keys_removed"), 0.0
        )
    return {
        "hint": float(step.hint),
        "delta": _clip(step.delta),
        "delta_one": float(abs(step.delta or 0) == 1),
        "value_log": log2(step.value),
        "shared": step.shared,
        "keys_added": min(step.keys_added, 4.0),
        "keys_removed": min(step.keys_removed, 4.0),
    }


def _page(item: Item, k: int, among: _Among) -> dict[str, float]:
    """Which page a link leads to, seen from the current one."""
    reading, said = among.reading, item.shape
    page, here = reading.pages[k], reading.current
    away = page - here if page is not None and here is not None else None
    told = {*reading.numbers, here or 0}
    scale = reading.scale
    return {
        "page_known": float(page is not None),
        "page_rel": _clip(away),
        "page_next": float(away == 1),
        "page_prev": float(away == -1),
        "page_max": float(page is not None and page == reading.depth),
        "page_one": float(page == 1),
        "page_current": float(away == 0),
        "on_scale": float(scale is not None and item.parts is not None and scale.shape == item.parts.shape),
        "neighbour": float(said.number is not None and bool({said.number - 1, said.number + 1} & told)),
        "twin_of_number": float(
            said.number is None and among.urls[k] is not None and among.urls[k] in among.number_urls
        ),
    }


def _standing(item: Item, k: int, among: _Among) -> dict[str, float]:
    """Where a link stands in its group."""
    count = len(among.urls)
    numbers = among.number_at
    arrow = _sign(item.shape.arrow)
    return {
        "place": k / (count - 1) if count > 1 else 0.5,
        "from_start": min(k, 10.0),
        "from_end": min(count - 1 - k, 10.0),
        "before_numbers": float(bool(numbers) and k < numbers[0]),
        "after_numbers": float(bool(numbers) and k > numbers[-1]),
        "after_current": float(among.beside[k] == 1),
        "before_current": float(among.beside[k] == -1),
        "single": float(count == 1),
        "arrow_rank": float(among.ranks[k]),
        "arrows_same_way": float(among.ways[arrow]) if arrow else 0.0,
        "cue_next_odd": float("next" in item.cues and "next" not in among.shared_cues),
        "cue_prev_odd": float("prev" in item.cues and "prev" not in among.shared_cues),
    }


def _of_group(reading: Reading, group: dict[str, float], score: float) -> dict[str, float]:
    values = {f"g_{name}": group[name] for name in _OF_GROUP}
    values["g_has_older"] = float(any("older" in i.shape.senses for i in reading.group.items))
    values["g_way"] = descending(reading)
    values["g_falling"] = float(reading.falling)
    values["g_score"] = score
    return values


def _says(item: Item, word: str) -> bool:
    return word in item.shape.senses or word in item.rel


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


def is_option(item: Item, scale: Scale | None) -> bool:
    """A number that is the value of a parameter which is not the bar's: so many a page, not a page."""
    if item.shape.number is None or item.parts is None or item.shape.number not in item.parts.numbers:
        return False
    if scale is not None and scale.shape == item.parts.shape:
        return item.parts.numbers[scale.slot] != scale.first + scale.each * (item.shape.number - 1)
    return item.shape.number % 5 == 0


def is_dated(item: Item) -> bool:
    return item.url is not None and _DATE_PATH.search(item.url) is not None


def is_slug(item: Item) -> bool:
    """Whether the path's last segment reads like an article's name: words and hyphens, or a long number."""
    if item.parts is None:
        return False
    last = item.parts.path.rstrip("/").rsplit("/", 1)[-1]
    return last.count("-") >= 2 or sum(c.isalpha() for c in last) >= 16 or bool(_LONG_NUMBER.search(last))


def _beside_current(reading: Reading) -> list[int]:
    """Whether each link stands right after (1) or right before (-1) the current page's number."""
    seen = 0
    at: float | None = None
    for token in reading.group.tokens:
        if at is None and token.shape.pure and token.shape.number == reading.current:
            at = seen + (0.0 if token.item is not None else -0.5)
        seen += token.item is not None
    if at is None or reading.current is None:
        return [0] * len(reading.group.items)
    return [1 if 0 < k - at <= 1 else -1 if 0 < at - k <= 1 else 0 for k in range(len(reading.group.items))]


def log2(n: int | None) -> float:
    return 0.0 if not n or n < 0 else float(min(n, 10**6).bit_length())


def _clip(n: int | None) -> float:
    return 0.0 if n is None else float(max(-6, min(6, n)))


def _sign(n: int) -> int:
    return (n > 0) - (n < 0)
