"""What is made like a row of a list and is none: repeats, boxes of other articles, links with no date."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter

from recrawler.page.blocks import Candidate
from recrawler.page.facts import DATE, PageFacts, url_shape

MIN_ROWS = 3
DATED = 0.8  # share of a list's rows
STRANGERS = 2  # links at each end of a list that may be none of its rows
MAX_WORDS = 400  # characters of a row in which its date is looked for
BOXES = 0.25  # most of a list's rows that may be boxes of several articles

_BARE_DATE = re.compile(r"(?:19|20)\d\d(?:[\s年.,/-]*\d{1,2})?\s?[年月]?(?:\s*[(（]\d+[)）])?")


def drop_repeats(c: Candidate, page: PageFacts) -> None:
    """Takes out the rows that are one link more in the boxes of others and say the same in each: "to the last post"."""
    texts = [page.doc.anchors[k].text for k in c.chosen]
    said, count = Counter(texts).most_common(1)[0]
    if not MIN_ROWS <= count <= len(texts) / 2:
        return
    boxes = [page.tree.parent[top] for top in c.tops]
    held = Counter(boxes)
    kept: list[int] = []
    for i, text in enumerate(texts):
        if text != said:
            kept.append(i)
        elif not kept or kept[-1] != i - 1 or boxes[i - 1] != boxes[i] or held[boxes[i]] != 2:
            return
    ends = [c.rows[i + 1][1] if texts[i + 1 : i + 2] == [said] else c.rows[i][1] for i in kept]
    c.rows = [(c.rows[i][0], end) for i, end in zip(kept, ends, strict=True)]
    c.chosen, c.tops = [c.chosen[i] for i in kept], [c.tops[i] for i in kept]


def drop_strangers(c: Candidate, page: PageFacts) -> None:
    """Takes out links whose URLs have the shape of no other row's, or not that of most rows': those that say nothing, or
    but a year, whose articles they lead to; and at the ends of a dated list those without a date: "more" beside a menu
    above it."""
    shapes = [url_shape(k, page) for k in c.chosen]
    count = Counter(shapes)
    if len(shapes) <= MIN_ROWS or len(count) == 1:
        return
    usual = count.most_common(1)[0][0]
    lone = any(count[x] == 1 for x in (*shapes[:STRANGERS], *shapes[-STRANGERS:]))
    dated = [DATE.search(page.tree.words(*row), 0, MAX_WORDS) is not None for row in c.rows] if lone else []
    own = [told for told, shape in zip(dated, shapes, strict=False) if shape == usual]
    mostly = any(len(x) >= MIN_ROWS and sum(x) >= DATED * len(x) for x in (own, dated))

    def strange(i: int) -> bool:
        return mostly and not dated[i] and count[shapes[i]] == 1

    def mute(i: int) -> bool:
        text = page.doc.anchors[c.chosen[i]].text
        return shapes[i] != usual and (not text or _BARE_DATE.fullmatch(text) is not None)

    first, last = 0, len(shapes)
    for _ in range(STRANGERS):
        first, last = first + strange(first), last - strange(last - 1)
    kept = [i for i in range(first, last) if not mute(i)]
    c.chosen, c.tops = [c.chosen[i] for i in kept], [c.tops[i] for i in kept]
    c.rows = [c.rows[i] for i in kept]


def drop_boxes(c: Candidate, page: PageFacts) -> None:
    """Takes out what is made like a row and holds several headed articles, where the others hold one each: a slider
    above the list, a box of what is read most between its rows."""
    headed = sorted(page.tree.headed)
    if all(bisect_left(headed, end) - bisect_left(headed, start) <= 2 for start, end in c.rows):
        return
    held = [len(_titled(row, url_shape(k, page)[1], page)) for row, k in zip(c.rows, c.chosen, strict=True)]
    kept = [i for i, n in enumerate(held) if n <= 1]
    if 2 in held or not (1 - BOXES) * len(held) <= len(kept) < len(held):
        return
    c.chosen, c.tops = [c.chosen[i] for i in kept], [c.tops[i] for i in kept]
    c.rows = [c.rows[i] for i in kept]


def _titled(region: tuple[int, int], host: str, page: PageFacts) -> set[int]:
    """The targets on a host of the links in headings of a region."""
    tree, targets = page.tree, page.finder.targets
    inside = range(bisect_left(tree.anchor_at, region[0]), bisect_left(tree.anchor_at, region[1]))
    headed = [k for k in inside if targets[k] >= 0 and tree.anchor_at[k] in tree.headed]
    return {targets[k] for k in headed if url_shape(k, page)[1] == host}
