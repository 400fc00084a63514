"""Where the texts of a row stand: pieces of text by place, which is what columns are made of.

A place is the shape of the way down, where at the element the text stands, the element's classes, and how many
of the same came before: the same place in every row is a column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from recrawler.page.blocks import Candidate
from recrawler.page.facts import PageFacts
from recrawler.page.outline import HEADINGS, SILENT, Outline

HEAD, FOOT = 90, 60  # elements at either end of a row that are searched
MAX_RAW = 400  # characters of a text before its spaces are thinned
MAX_GAP = 40  # elements between two titles that are looked at
BOX = 40  # characters of an element whose parts may be those of one date

MAX_LENGTH = 12  # characters of the length of a film
MIN_LENGTHS = 6  # rows in which lengths show by going up and down
SOME = 0.3  # share of the rows that go up, and that go down
LAST_HOUR, NOON = 24, 12

TEXT, TAIL, BOXED, ATTRIBUTE, TITLE = range(5)  # where a piece was found

_LENGTH = re.compile(r"^\W{0,2}(\d{1,3}):([0-5]\d)\W{0,2}$")
_LENGTH_NAME = re.compile(r"length|durat|runtime|laufzeit|shichang", re.I)
_STAMPED = frozenset(("time", "span", "abbr", "em", "i", "b", "td", "div", "p", "cite", "li"))
_STAMPS = frozenset(("datetime", "data-time", "data-timestamp", "title"))  # attributes that hold a date
_BOXES = frozenset(
    ("div", "span", "p", "td", "time", "a", "dt", "dd", "em", "i", "b", "strong", "li", "small")
)

Place = tuple[int, int, str, int]  # shape, where, classes, how many of the same before
Pieces = dict[Place, str]


def inside(c: Candidate, page: PageFacts) -> list[Pieces]:
    """The texts of each row outside its title, in document order; of a long row its head and its foot. Where
    nothing wraps the rows, what follows a title is of its row."""
    out = []
    tails = _text_between(c, page)
    for i, (start, end) in enumerate(c.rows):
        skip = title_part(page.tree.anchor_at[c.chosen[i]], page.tree)
        row: Pieces = {}
        if end - start <= HEAD + FOOT:
            _gather(row, start, end, skip, page)
        else:
            _gather(row, start, start + HEAD, skip, page)
            _gather(row, end - FOOT, end, skip, page)
        if tails or end > page.tree.end[c.tops[i]]:
            _put(row, page.tree.tail[c.tops[i]], c.tops[i], TAIL, page)
        out.append(row)
    return out


def before(c: Candidate, page: PageFacts) -> list[Pieces] | None:
    """The same where what stands before a title is of its row; null for rows that are wrapped."""
    tree = page.tree
    wrapped = all(end == tree.end[top] for top, (_, end) in zip(c.tops, c.rows, strict=True))
    if len(c.tops) < 2 or (wrapped and not _text_between(c, page)):
        return None
    gaps = [b - tree.end[a] for a, b in pairwise(c.tops) if tree.parent[a] == tree.parent[b]]
    least = min([*gaps, MAX_GAP])
    out = []
    for i, top in enumerate(c.tops):
        up = tree.parent[top]
        if i and tree.parent[c.tops[i - 1]] == up:
            start = tree.end[c.tops[i - 1]]
        else:  # as much as stands between the others
            reach = range(max(up + 1, top - least), top)
            start = next((j for j in reach if tree.parent[j] == up), top)
        lead: Pieces = {}
        if start < top:
            _put(lead, _text_before(start, up, tree), top, TAIL, page)
        _gather(lead, max(start, top - MAX_GAP), top, -1, page, up)
        _put(lead, _text_before(top, up, tree), top, TAIL, page)
        row = _counted_back(lead)
        _gather(row, top, tree.end[top], title_part(tree.anchor_at[c.chosen[i]], tree), page)
        out.append(row)
    return out


def without_lengths(rows: list[Pieces], grouped: bool) -> list[Pieces]:
    """Without the lengths of films and the like, which look like times of day: "3:00" beside "98:20", in an element
    named so, or short ones that go up and down. `grouped`: something stands between rows, as a day does above its
    times."""
    columns: dict[Place, list[tuple[int, int]]] = {}
    for row in rows:
        for place, text in row.items():
            if ":" in text and len(text) <= MAX_LENGTH and (found := _LENGTH.match(text)):
                columns.setdefault(place, []).append((int(found[1]), int(found[2])))
    lengths = {p for p, column in columns.items() if _are_lengths(p[2], column, grouped)}
    return [{p: t for p, t in row.items() if p not in lengths} for row in rows] if lengths else rows


def _are_lengths(name: str, column: list[tuple[int, int]], grouped: bool) -> bool:
    if _LENGTH_NAME.search(name) or max(column)[0] > LAST_HOUR:
        return True
    rises = sum(a < b for a, b in pairwise(column)) / max(1, len(column) - 1)
    return not grouped and len(column) >= MIN_LENGTHS and max(column)[0] < NOON and SOME <= rises <= 1 - SOME


def boxes(i: int, c: Candidate, page: PageFacts) -> Iterator[tuple[Place, str]]:
    """Small elements of a row whose parts may be those of one date ("05" over "Jan 2026"), joined."""
    tree = page.tree
    start, end = c.rows[i]
    skip = title_part(tree.anchor_at[c.chosen[i]], tree)
    for j in range(start, min(end, start + HEAD)):
        if tree.tag[j] not in _BOXES or not 1 < tree.end[j] - j <= 8 or j <= skip < tree.end[j]:
            continue
        text = " ".join(tree.words(j, tree.end[j]).split())
        if len(text) <= BOX and any(ch.isdigit() for ch in text):
            yield (tree.loose[j], BOXED, page.finder.class_of(j), 0), text


_PARTS = frozenset(("div", "p", "time", "span", "em", "i", "small", "font"))


def title_part(at: int, tree: Outline) -> int:
    """The element that is the title: the link, or the heading in a link that wraps the whole row (-1: none)."""
    end = tree.end[at]
    if end - at > 2 or (end - at == 2 and (tree.text[at].strip() or tree.tail[at + 1].strip())):
        for j in range(at + 1, min(end, at + 60)):
            if tree.tag[j] in HEADINGS:
                return j
        if any(tag in _PARTS for tag in tree.tag[at + 1 : end]):
            return -1
    return at


def _text_between(c: Candidate, page: PageFacts) -> bool:
    """Whether bare text stands between all titles, as in <pre> or between line breaks."""
    tree = page.tree
    if len(c.tops) < 2 or any(end > tree.end[top] for top, (_, end) in zip(c.tops, c.rows, strict=True)):
        return False
    return all(tree.tail[top] and not tree.tail[top].isspace() for top in c.tops[:-1])


def _counted_back(pieces: Pieces) -> Pieces:
    """Of texts at the same place the last one, nearest to the title, is number -1, the one before it -2."""
    counts = Counter(place[:3] for place in pieces)
    return {(*place[:3], place[3] - counts[place[:3]]): text for place, text in pieces.items()}


def _text_before(start: int, up: int, tree: Outline) -> str:
    """The text between the child of `up` at position `start` and what precedes it."""
    if start == up + 1:
        return tree.text[up]
    at = start - 1
    while tree.parent[at] != up:
        at = tree.parent[at]
    return tree.tail[at]


def _gather(out: Pieces, start: int, end: int, skip: int, page: PageFacts, up: int = -1) -> None:
    """The texts of the elements [start, end) but `skip`. What follows the first element is left out; where
    the elements are children of `up`, what follows the last one."""
    tree, elements = page.tree, page.doc.elements
    tags, texts, tails, ends = tree.tag, tree.text, tree.tail, tree.end
    j = start
    while j < end:
        tag = tags[j]
        jump = j == skip or tag in SILENT
        if not jump:
            if (text := texts[j]) and not text.isspace():
                _put(out, text, j, TEXT, page)
            if tag in _STAMPED and not _STAMPS.isdisjoint(elements[j].keys()):
                _stamp(out, j, page)
        if (tail := tails[j]) and ends[j] <= end and not tail.isspace():
            outer = ends[j] == end and tree.parent[j] == up if up >= 0 else j == start
            if not outer:
                _put(out, tail, j, TAIL, page)
        j = ends[j] if jump else j + 1


def _put(out: Pieces, raw: str, at: int, where: int, page: PageFacts) -> None:
    """Adds a text that stands at an element, unless it is prose, or nothing."""
    if len(raw) > MAX_RAW:
        return
    text = " ".join(raw.split())
    if len(text) < 2 and not text.isdigit():
        return
    shape, name = page.tree.loose[at], page.finder.class_of(at)
    place, nth = (shape, where, name, 0), 0
    while place in out:
        nth += 1
        place = (shape, where, name, nth)
    out[place] = text


def _stamp(out: Pieces, j: int, page: PageFacts) -> None:
    """The machine-readable date of a <time>, or the full date that a title attribute gives to a short text."""
    node, tag = page.doc.elements[j], page.tree.tag[j]
    if tag == "time":
        value, where = node.get("datetime"), ATTRIBUTE
    else:
        value, where = node.get("data-time") or node.get("data-timestamp") or node.get("title"), TITLE
        where = ATTRIBUTE if value and value.isdigit() else TITLE
    if value and len(value) < 60 and any(ch.isdigit() for ch in value):
        _put(out, value, j, where, page)
