"""The dates beside the links of a block, read column by column.

A column is the same place in every row: the shape of the way down and the element's classes. A date that only
some rows have (in an excerpt, in a title) loses against the column that dates them all; of two full columns
(published, last reply) the one that the list is sorted by wins, else the first. Rows that the column leaves
out are read with the column's help ("11:32" below "March 4"), then as a whole, then from the heading above
their group.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo

from recrawler.page.blocks import Candidate
from recrawler.page.dates import infer_day_first
from recrawler.page.facts import PageFacts
from recrawler.page.order import MIN_DATED, trend_of
from recrawler.page.outline import HEADINGS, SILENT, Outline
from recrawler.page.types import Precision

SHORT = 70  # characters; longer texts are prose
HEAD, FOOT = 90, 60  # elements at either end of a row that are searched
MAX_RAW = 400  # characters of a text before its spaces are thinned
MAX_READ = 3_000  # texts a page
PROBED = 6  # rows in which every text is searched; further ones only where these had dates
SKEW = timedelta(minutes=10)  # a date so little ahead of us is a clock's fault

TEXT, TAIL, ATTRIBUTE, TITLE = range(4)  # where a piece was found

_DATEISH = re.compile(
    r"\d|[今昨前]天|[昨今]日|前日|刚刚|剛剛|刚才|半小时|[一二三四五六七八九十两半]+个?(?:小时|天|分钟|周|月|年)前|"
    r"just now|yesterday|today|\bago\b|вчера|сегодня|позавчера|gestern|heute|hier\b|aujourd|ayer|\bhoy\b|"
    r"ieri|oggi|ontem|"
    r"hoje|gisteren|vandaag|wczoraj|dziś|dzisiaj|včera|dnes|kemarin|hari ini|dün|bugün|hôm|어제|오늘|방금|أمس|"
    r"اليوم|"
    r"دیروز|امروز|אתמול|היום|一昨日|たった今|i går|i dag",
    re.I,
)
_STAMPED = frozenset(("time", "span", "abbr", "em", "i", "b", "td", "div", "p", "cite", "li"))
_LATE_NAME = re.compile(r"updat|modif|edit|last-?(?:post|reply|comment)|lastmod", re.I)
_NUMERIC = re.compile(r"\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b")
_YEAR = re.compile(r"^\D{0,12}((?:19|20)\d\d)\D{0,12}$")
_MONTH_DAY = re.compile(r"^\W{0,2}(\d{1,2})[-/.](\d{1,2})\W{0,2}$")


@dataclass(frozen=True, slots=True)
class When:
    """A date found in a text: aware, in UTC, and how precise it is."""

    date: datetime
    precision: Precision


Find = Callable[[str, bool, bool | None], When | None]  # text, loose, day first
FindAttribute = Callable[[str], When | None]
Place = tuple[int, int, str, int]  # shape, where, classes, how many of the same before
Column = list[When | None]


@dataclass(slots=True)
class Clock:
    """How dates are read on this page."""

    now: datetime
    zone: tzinfo | None
    find: Find
    find_attribute: FindAttribute
    usual: bool | None = None  # what earlier pages told of day_first
    day_first: bool | None = None
    cache: dict[tuple[str, bool, bool | None], When | None] = field(default_factory=dict)

    def read(self, text: str, loose: bool = False) -> When | None:
        """The date in a text, or null."""
        if text.isdigit() or not _DATEISH.search(text):
            return None
        key = (text, loose, self.day_first)
        if key not in self.cache:
            if len(self.cache) > MAX_READ:
                return None
            self.cache[key] = self.find(text, loose, self.day_first)
        return self.cache[key]


def read_dates(c: Candidate, page: PageFacts, clock: Clock) -> Column:
    """The date of each row of a completed candidate, null where none is told."""
    n = len(c.chosen)
    texts = [pieces(i, c, page) for i in range(n)]
    told = _day_first(texts)
    clock.day_first = clock.usual if told is None else told
    columns = _columns(texts, clock)
    place = _best_column(columns, n)
    out: Column = list(columns[place]) if place is not None else [None] * n
    for i, row in enumerate(texts):
        if out[i] is None and place in row:
            out[i] = clock.read(row[place], loose=True)
        if out[i] is None:
            out[i] = _whole(row, clock)
    if sum(w is None for w in out) > 0.3 * n or (
        place and all(_MONTH_DAY.match(r.get(place, "")) for r in texts)
    ):
        _from_headings(out, texts, place, c, page, clock)
    if not any(out):
        out = _loosely(texts, clock, n)
    return out


def _columns(texts: list[dict[Place, str]], clock: Clock) -> dict[Place, Column]:
    """The dates of each place that has any in the first rows, or in one of the few rows that lack such a place."""
    n = len(texts)
    columns: dict[Place, Column] = {}
    for i, row in enumerate(texts):
        known = i >= PROBED and not columns.keys().isdisjoint(row)
        for place, text in row.items():
            if len(text) > SHORT or (known and place not in columns):
                continue
            when = clock.find_attribute(text) if place[1] == ATTRIBUTE else clock.read(text)
            if when is not None:
                columns.setdefault(place, [None] * n)[i] = when
    return columns


def pieces(i: int, c: Candidate, page: PageFacts) -> dict[Place, str]:
    """The texts of a row outside its title, by place, in document order; of a long row its head and its foot."""
    start, end = c.rows[i]
    skip = title_part(page.tree.anchor_at[c.chosen[i]], page.tree)
    out: dict[Place, str] = {}
    if end - start <= HEAD + FOOT:
        _gather(out, start, end, skip, page)
    else:
        _gather(out, start, start + HEAD, skip, page)
        _gather(out, end - FOOT, end, skip, page)
    return out


def _gather(out: dict[Place, str], start: int, end: int, skip: int, page: PageFacts) -> None:
    tree, class_of = page.tree, page.finder.class_of
    j = start
    while j < end:
        tag = tree.tag[j]
        jump = j == skip or tag in SILENT
        if not jump:
            if (text := tree.text[j]) and not text.isspace():
                _put(out, text, (tree.loose[j], TEXT, class_of(j)))
            if tag in _STAMPED:
                _stamp(out, j, page)
        if (tail := tree.tail[j]) and tree.end[j] <= end and j != start and not tail.isspace():
            _put(out, tail, (tree.loose[j], TAIL, class_of(j)))
        j = tree.end[j] if jump else j + 1


def _put(out: dict[Place, str], raw: str, place: tuple[int, int, str]) -> None:
    if len(raw) > MAX_RAW:  # prose
        return
    text = " ".join(raw.split())
    if len(text) < 2:
        return
    nth = 1
    while (*place, nth) in out:
        nth += 1
    out[(*place, nth)] = text


def _stamp(out: dict[Place, str], j: int, page: PageFacts) -> None:
    """The machine-readable date of a <time>, or the full date that a title attribute gives to a short text."""
    node, tag = page.doc.elements[j], page.tree.tag[j]
    if tag == "time":
        value, where = node.get("datetime"), ATTRIBUTE
    else:
        value, where = node.get("data-time") or node.get("data-timestamp") or node.get("title"), TITLE
        where = ATTRIBUTE if value and value.isdigit() else TITLE
    if value and len(value) < 60 and any(ch.isdigit() for ch in value):
        _put(out, value, (page.tree.loose[j], where, page.finder.class_of(j)))


def title_part(at: int, tree: Outline) -> int:
    """The element that is the title: the link, or the heading in a link that wraps the whole row (-1: none)."""
    end = tree.end[at]
    if end - at > 2:
        for j in range(at + 1, min(end, at + 60)):
            if tree.tag[j] in HEADINGS:
                return j
        if any(tag in ("div", "p", "time", "span") for tag in tree.tag[at + 1 : end]):
            return -1
    return at


def _day_first(texts: list[dict[Place, str]]) -> bool | None:
    """Whether numeric dates of this block are day/month; null where there are none or nothing tells."""
    numeric = [t for row in texts for t in row.values() if len(t) <= SHORT and _NUMERIC.search(t)]
    return infer_day_first(numeric) if numeric else None


def _best_column(columns: dict[Place, Column], n: int) -> Place | None:
    """The column that dates most rows; of several such the one that is in order, is no "updated", is for
    machines, or is the first."""
    share = {place: round(5 * sum(w is not None for w in column) / n) for place, column in columns.items()}
    most = max(share.values(), default=0)
    full = [place for place in columns if share[place] == most]
    if len(full) < 2:
        return full[0] if full else None
    ranked = []
    for order, place in enumerate(full):
        trend = trend_of([(w.date, w.precision) for w in columns[place] if w])
        in_order = trend.rows >= MIN_DATED and trend.distinct > 1 and abs(trend.tau) >= 0.9
        late = bool(_LATE_NAME.search(place[2]))
        ranked.append(((in_order and not late, not late, place[1] >= ATTRIBUTE, -order), place))
    return max(ranked)[1]


def _whole(row: dict[Place, str], clock: Clock) -> When | None:
    """A date that is spread over the elements of a row, or stands in a longer text."""
    text = " ".join([t for p, t in row.items() if p[1] <= TAIL and len(t) <= 2 * SHORT])[:300]
    return clock.read(text) if text else None


def _loosely(texts: list[dict[Place, str]], clock: Clock, n: int) -> Column:
    """Dates that are dates only because the whole column looks like it: "8-1", "15:26"."""
    columns: dict[Place, Column] = {}
    for i, row in enumerate(texts):
        for place, text in row.items():
            if len(text) <= 24 and (when := clock.read(text, loose=True)) is not None:
                columns.setdefault(place, [None] * n)[i] = when
    full = {p: col for p, col in columns.items() if n >= 3 and sum(w is not None for w in col) >= 0.8 * n}
    best = _best_column(full, n)
    return full[best] if best is not None else [None] * n


def _from_headings(
    out: Column,
    texts: list[dict[Place, str]],
    place: Place | None,
    c: Candidate,
    page: PageFacts,
    clock: Clock,
) -> None:
    """Dates from the heading above each group of rows; a heading that is a year completes "05-24" below it."""
    heading: str = ""
    last = max(0, c.rows[0][0] - 14)
    for i, (start, end) in enumerate(c.rows):
        if start > last:
            found = _heading_text(last, start, page, clock)
            heading = found or heading
        last = end
        if not heading:
            continue
        own = texts[i].get(place, "") if place is not None else ""
        if (year := _YEAR.match(heading)) and (short := _MONTH_DAY.match(own)):
            out[i] = clock.read(f"{year[1]}-{short[1]}-{short[2]}") or out[i]
        elif out[i] is None:
            out[i] = clock.read(heading)


def _heading_text(start: int, end: int, page: PageFacts, clock: Clock) -> str:
    """The last short text before a row that is a date or a year."""
    tree = page.tree
    for j in range(end - 1, start - 1, -1):
        if tree.tag[j] in SILENT or not tree.text[j]:
            continue
        text = " ".join(tree.text[j][:80].split())
        if 0 < len(text) <= 40 and (_YEAR.match(text) or clock.read(text) is not None):
            return text
    return ""
