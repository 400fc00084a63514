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
PROSE = 100  # visual length of what is hardly a title
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
    held = Counter(place for row in rows for place in row)
    columns = {p: [row[p] for row in rows if p in row] for p, n in held.items() if n >= MOST * len(rows)}
    if len(columns) < 2:
        return list(titles)
    said = {p: texts for p, texts in columns.items() if _may_be_title(texts, clock)}
    title = _title_place(said)
    alike = Counter(tuple(row) for row in rows).most_common(1)[0][1] >= MOST * len(rows)
    if title is None or not (alike or (not title[1] and _size(said[title]) >= LONG_TITLE)):
        return list(titles)  # of rows unlike each other, what follows a piece may be the rest of a title
    usual = sum(p[:2] == title[:2] for p in columns)
    return [
        _piece(row, title, usual, text) if own else text
        for row, text, own in zip(rows, titles, whole, strict=True)
    ]


def _piece(row: Pieces, place: Place, usual: int, text: str) -> str:
    """The piece at a place; the longest at such places where a row has more of them than others, a mark before its
    title."""
    like = [words for other, words in row.items() if other[:2] == place[:2]]
    return max(like, key=visual) if len(like) > usual else row.get(place, text)


def trimmed(c: Candidate, page: PageFacts, clock: Clock, titles: Sequence[str]) -> list[str]:
    """The titles; of those that are all of a link's text, what its `title` says of it, or else without the dates at its
    ends that stand in elements of their own."""
    out = []
    for k, title in zip(c.chosen, titles, strict=True):
        told = " ".join((page.doc.anchors[k].node.get("title") or "").split())
        if title != page.doc.anchors[k].text:
            out.append(title)
        elif visual(told) >= TITLE and told in title:
            out.append(told)
        else:
            out.append(_undated(title, list(_pieces(page.tree.anchor_at[k], page.tree).values()), clock))
    return out


def before_leads(titles: Sequence[str], said: Sequence[Sequence[str]], clock: Clock) -> list[str]:
    """The titles; where they are as long as leads, the link before it that each row has to the same article. `said`: the
    texts of each row's links to its article, in page order."""
    prose = [visual(t) >= PROSE for t in titles]
    first = [next(iter(texts), "") for texts in said]
    shorter = [bool(f) and visual(f) < visual(t) for f, t in zip(first, titles, strict=True)]
    if not titles or min(sum(prose), sum(shorter)) < MOST * len(titles):
        return list(titles)
    if _size(first) < TITLE or not _may_be_title(first, clock):
        return list(titles)
    return [f if less else t for f, t, less in zip(first, titles, shorter, strict=True)]


def _undated(title: str, pieces: Sequence[str], clock: Clock) -> str:
    kept = title
    for piece in (pieces[0], pieces[-1]) if len(pieces) > 1 else ():
        short = len(piece) <= MAX_DATE and any(ch.isdigit() for ch in piece)
        if short and clock.read(piece) is not None:
            kept = (kept.removeprefix(piece) if piece is pieces[0] else kept.removesuffix(piece)).strip()
    return kept if visual(kept) >= TITLE else title


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
    sizes = {place: _size(texts) for place, texts in columns.items()}
    for least in (LONG_TITLE, TITLE):
        for place, size in sizes.items():
            if size >= least:
                return place
    return max(sizes, key=lambda place: sizes[place], default=None)


def _size(texts: Sequence[str]) -> float:
    return median([visual(t) for t in texts])
