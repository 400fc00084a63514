"""Titles of rows whose link holds more than the title: a date, a category, a lead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import median

from recrawler.page.blocks import Candidate, visual
from recrawler.page.facts import PageFacts
from recrawler.page.outline import SILENT, Outline
from recrawler.page.row_dates import Clock

MIN_ROWS = 3
MOST = 0.8  # share of the rows that have to be made alike
LONG_TITLE, TITLE = 20, 12  # visual lengths: what is surely a title, what may be one
MAX_DATE = 40  # characters
MAX_TITLE = 300  # characters
CUT_IN = 8  # elements of a link that may hold the whole title
_CUT = re.compile(r"\s*(?:\.{2,}|…+|⋯|·{3,})\s*$")
_CUT_BY = (".", "…", "⋯", "·")

Place = tuple[int, bool, int]  # shape of the element; whether it is the text after it; how many before
Pieces = dict[Place, str]


def without_more(c: Candidate, page: PageFacts, clock: Clock, titles: Sequence[str]) -> list[str]:
    """The titles; where the links of nearly all rows are made of the same pieces, the piece that is the title."""
    tree, anchors = page.tree, page.doc.anchors
    whole = [t == anchors[k].text for k, t in zip(c.chosen, titles, strict=True)]
    if len(titles) < MIN_ROWS or sum(whole) < MOST * len(titles):
        return list(titles)
    rows = [_pieces(tree.anchor_at[k], tree) for k in c.chosen]
    places, count = Counter(tuple(row) for row in rows).most_common(1)[0]
    if len(places) < 2 or count < MOST * len(rows):
        return list(titles)
    columns = {p: [row[p] for row in rows if p in row] for p in places}
    title = _title_place({p: texts for p, texts in columns.items() if _may_be_title(texts, clock)})
    if title is None:
        return list(titles)
    return [row.get(title, text) if own else text for row, text, own in zip(rows, titles, whole, strict=True)]


def completed(c: Candidate, page: PageFacts, titles: Sequence[str]) -> list[str]:
    """The titles; of those that are cut short, as lists of a fixed width show them, the whole from the `title` of
    the link or of an element in it."""
    return [
        _whole(k, title, page) if title.rstrip().endswith(_CUT_BY) and _CUT.search(title) else title
        for k, title in zip(c.chosen, titles, strict=True)
    ]


def _whole(k: int, title: str, page: PageFacts) -> str:
    shown = "".join(_CUT.sub("", title).split()).casefold()
    at = page.tree.anchor_at[k]
    for node in page.doc.elements[at : min(page.tree.end[at], at + CUT_IN)]:
        told = " ".join((node.get("title") or "").split())
        if len(told) > len(shown) and "".join(told.split()).casefold().startswith(shown):
            return told[:MAX_TITLE]
    return title


def _pieces(at: int, tree: Outline) -> Pieces:
    """The texts in a link by their place."""
    out: Pieces = {}
    for j in range(at, tree.end[at]):
        if tree.tag[j] in SILENT:
            continue
        for text, after in ((tree.text[j], False), (tree.tail[j] if j > at else "", True)):
            if text and (words := " ".join(text.split())):
                nth = sum(place[:2] == (tree.loose[j], after) for place in out)
                out[tree.loose[j], after, nth] = words
    return out


def _may_be_title(texts: Sequence[str], clock: Clock) -> bool:
    """Not the same few words in all rows, no numbers, no dates."""
    if len(set(texts)) <= max(1, len(texts) // 3):
        return False
    said = [t for t in texts if any(ch.isalpha() for ch in t)]
    dated = sum(len(t) <= MAX_DATE and clock.read(t) is not None for t in texts)
    return len(said) > len(texts) // 2 and dated < 0.6 * len(texts)


def _title_place(columns: dict[Place, list[str]]) -> Place | None:
    """The first column that is as long as titles are, else the longest."""
    sizes = {place: median(visual(t) for t in texts) for place, texts in columns.items()}
    for least in (LONG_TITLE, TITLE):
        for place, size in sizes.items():
            if size >= least:
                return place
    return max(sizes, key=lambda place: sizes[place], default=None)
