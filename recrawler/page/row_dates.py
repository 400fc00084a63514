"""The dates beside the links of a block, read column by column.

A column is the same place in every row: the shape of the way down and the element's classes. A date that only
some rows have (in an excerpt, in a title) loses against the column that dates them all; of two full columns
(published, last reply) the one that the list is sorted by wins, else the first. Rows that the column leaves
out are read with the column's help ("11:32" below "March 4"), then as a whole, then from the heading above
their group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise

from recrawler.page.blocks import Candidate
from recrawler.page.dates import infer_day_first
from recrawler.page.facts import PageFacts
from recrawler.page.order import MIN_DATED, trend_of
from recrawler.page.outline import SILENT
from recrawler.page.row_texts import ATTRIBUTE, TAIL, Pieces, Place, before, boxes, inside, without_lengths
from recrawler.page.types import Precision

SHORT = 70  # characters; longer texts are prose
MAX_READ = 3_000  # texts a page
PROBED = 6  # rows in which every text is searched; further ones only where these had dates
MOST = 0.8  # share of the rows that a full column dates
SKEW = timedelta(minutes=10)  # a date so little ahead of us is a clock's fault
MIN_FALLING = 6  # rows from which their fall tells years apart
TURN, TIED = timedelta(days=30), timedelta(days=3)
SOON = timedelta(days=1, hours=1)  # ahead of us no site's zone is so far

_DIGIT = re.compile(r"\d")
_HAN = "一二三四五六七八九十两半"
# Of a text in lower case. A pattern all of whose forms begin with a letter, and not with a class of them or the
# edge of a word, is searched for three times as fast.
_DATEISH = re.compile(
    "|".join([rf"{numeral}[{_HAN}]*个?(?:小时|天|分钟|周|月|年)前" for numeral in _HAN])
    + r"|今天|昨天|前天|昨日|今日|前日|刚刚|剛剛|刚才|半小时|"
    r"just now|yesterday|today|ago\b(?<!\wago)|вчера|сегодня|позавчера|gestern|heute|hier\b|aujourd|ayer|"
    r"hoy\b(?<!\whoy)|ieri|oggi|ontem|hoje|gisteren|vandaag|wczoraj|dziś|dzisiaj|včera|dnes|kemarin|hari ini|dün|"
    r"bugün|hôm|어제|오늘|방금|أمس|اليوم|دیروز|امروز|אתמול|היום|一昨日|たった今|i går|i dag"
)
_LATE_NAME = re.compile(r"updat|modif|edit|last-?(?:post|reply|comment)|lastmod", re.I)
_NUMERIC = re.compile(r"\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b")
_SLASHED = re.compile(r"^\W{0,2}(?:0?[1-9]/(?:0?[1-9]|[12]\d|3[01])|[1-3]\d/(?:0?[1-9]|1[0-2]))\W{0,2}$")
_YEARLESS = re.compile(r"^\W{0,2}\d{1,2}\s?[-/.月]\s?\d{1,2}\s?日?(?:\s+\d{1,2}:\d\d)?\W{0,2}$")
_YEAR = re.compile(r"^\D{0,12}((?:19|20)\d\d)\D{0,12}$")
_MONTH_DAY = re.compile(r"^\W{0,2}(\d{1,2})[-/.](\d{1,2})\W{0,2}$")
_DAY = re.compile(r"^\W{0,2}([0-2]?\d|3[01])\s?(?:[日号일.]|st|nd|rd|th)?\W{0,2}$")
_YEAR_MONTH = re.compile(
    r"^((?:19|20)\d\d)\s?[-/.年]\s?([01]?\d)\s?月?$|^([01]?\d)\s?[-/.]\s?((?:19|20)\d\d)$"
)
_NAMED_MONTH = re.compile(r"^(?=\D*(?:19|20)\d\d\D*$)(?=.*[^\W\d_]{3})")
_CLOCK = re.compile(r"^\W{0,2}([01]?\d|2[0-3])\s?[:.：h]\s?([0-5]\d)(?::\d\d)?\s?(?:Uhr|uhr)?\W{0,2}$")


@dataclass(frozen=True, slots=True)
class When:
    """A date found in a text: aware, in UTC, and how precise it is."""

    date: datetime
    precision: Precision


Find = Callable[[str, bool, bool | None], When | None]  # text, loose, day first
FindAttribute = Callable[[str], When | None]
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
        if text.isdigit() or not (_DIGIT.search(text) or _DATEISH.search(text.lower())):
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
    grouped = any(a[1] < b[0] for a, b in pairwise(c.rows))
    texts = without_lengths(inside(c, page), grouped)
    told = _day_first(texts)
    clock.day_first = clock.usual if told is None else told
    out, place = _by_column(texts, clock)
    if _dated(out) < n and (others := before(c, page)) is not None:
        others = without_lengths(others, grouped)
        found, there = _by_column(others, clock)
        if _dated(found) > _dated(out):
            texts, out, place = others, found, there
    boxed = _dated(out) < MOST * n and _from_boxes(out, c, page, clock)
    for i, row in enumerate(texts):
        if out[i] is None:
            out[i] = _whole(row, clock)
    if boxed or _dated(out) < 0.7 * n or (place and all(_MONTH_DAY.match(r.get(place, "")) for r in texts)):
        _from_headings(out, texts, place, c, page, clock)
    if not any(out):
        out = _below_months(texts, c, page, clock)
    if not any(out):
        out = _loosely(texts, clock, n)
    if place is not None:
        _over_years(out, [row.get(place, "") for row in texts])
    return out


def _dated(column: Column) -> int:
    return sum(when is not None for when in column)


def _by_column(texts: list[Pieces], clock: Clock) -> tuple[Column, Place | None]:
    """The dates of the best column, and its place; null where there is none."""
    n = len(texts)
    columns = _published(_columns(texts, clock), clock.now)
    place = _best_column(columns, n)
    out: Column = list(columns[place]) if place is not None else [None] * n
    for i, row in enumerate(texts):
        if out[i] is None and place in row:
            out[i] = clock.read(row[place], loose=True)
    return out, place


def _from_boxes(out: Column, c: Candidate, page: PageFacts, clock: Clock) -> bool:
    """Dates whose parts stand in elements of their own, if they date more rows than any single text."""
    columns: dict[Place, Column] = {}
    for i in range(len(out)):
        for place, text in boxes(i, c, page):
            if place not in columns and i >= PROBED:
                continue
            if (when := clock.read(text)) is not None:
                columns.setdefault(place, [None] * len(out))[i] = when
    best = _best_column(columns, len(out))
    if best is None or _dated(columns[best]) <= _dated(out):
        return False
    out[:] = columns[best]
    return True


def _columns(texts: list[Pieces], clock: Clock) -> dict[Place, Column]:
    """The dates of each place that has any in the first rows, or in one of the few rows that lack such a place."""
    n = len(texts)
    columns: dict[Place, Column] = {}
    for i, row in enumerate(texts):
        known = [place for place in columns if place in row] if i >= PROBED else []
        for place in known or row:
            if len(text := row[place]) > SHORT:
                continue
            when = clock.find_attribute(text) if place[1] == ATTRIBUTE else clock.read(text)
            if when is not None:
                columns.setdefault(place, [None] * n)[i] = when
    return columns


def _over_years(out: Column, texts: list[str]) -> None:
    """Days without a year that go down past a New Year, as they are read each for itself: "01-10" and, a row
    below, "12-20" of the year before are right; but "04-04" and then "03-30" of the year before last are not
    (each is read as the latest such day). Only where the upper half of a list goes down, as it does below the
    turn: pins do not."""
    rows = [(i, w) for i, w in enumerate(out) if w is not None]
    if len(rows) < MIN_FALLING or not all(_YEARLESS.match(texts[i]) for i, _ in rows):
        return
    newest, before, years, turn = rows[0][1].date, rows[0][1].date, 0, 0
    moved: list[tuple[int, When]] = []
    for n, (i, when) in enumerate(rows):
        day = _years_back(when.date, years)
        if day > before + TURN and _years_back(when.date, years + 1) <= before:
            years, turn = years + 1, turn or n
            day = _years_back(when.date, years)
        if day > before + TIED or (years and when.date > newest + TIED):
            return
        before = day
        moved.append((i, When(day, when.precision)))
    if years and 2 * turn >= len(rows):
        for i, when in moved:
            out[i] = when


def _years_back(when: datetime, years: int) -> datetime:
    """The same day of an earlier year; of 29 February the day after, where there is none."""
    try:
        return when.replace(year=when.year - years)
    except ValueError:
        return when.replace(year=when.year - years, month=3, day=1)


def _published(columns: dict[Place, Column], now: datetime) -> dict[Place, Column]:
    """Without columns of the future (events, deadlines), where another one is there."""
    soon = now + SOON
    past = {
        place: column
        for place, column in columns.items()
        if 2 * sum(w is not None and w.date > soon for w in column) <= _dated(column)
    }
    return past or columns


def _day_first(texts: list[Pieces]) -> bool | None:
    """Whether numeric dates of this block are day/month; null where there are none or nothing tells. Without years
    ("12/08") they tell where most rows have one."""
    numeric = [t for row in texts for t in row.values() if len(t) <= SHORT and _NUMERIC.search(t)]
    if not numeric:
        slashed = [next((t for t in row.values() if "/" in t and _SLASHED.match(t)), "") for row in texts]
        numeric = slashed if 2 * sum(map(bool, slashed)) > len(slashed) else []
    return infer_day_first(numeric) if numeric else None


def _best_column(columns: dict[Place, Column], n: int) -> Place | None:
    """The column that dates most rows; of several such the one that is newest first (a forum's last posts), that
    is in order, is no "updated", is for machines, or is the first."""
    share = {place: round(5 * sum(w is not None for w in column) / n) for place, column in columns.items()}
    most = max(share.values(), default=0)
    full = [place for place in columns if share[place] == most]
    if len(full) < 2:
        return full[0] if full else None
    ranked = []
    for order, place in enumerate(full):
        trend = trend_of([(w.date, w.precision) for w in columns[place] if w])
        told = trend.rows >= MIN_DATED and trend.distinct > 1
        falls, in_order = told and trend.tau >= 0.9, told and abs(trend.tau) >= 0.9
        late = bool(_LATE_NAME.search(place[2]))
        rank = (falls and not late, falls, in_order and not late, not late, place[1] >= ATTRIBUTE, -order)
        ranked.append((rank, place))
    return max(ranked)[1]


def _whole(row: Pieces, clock: Clock) -> When | None:
    """A date that is spread over the elements of a row, or stands in a longer text."""
    text = " ".join([t for p, t in row.items() if p[1] <= TAIL and len(t) <= 2 * SHORT])[:300]
    return clock.read(text) if text else None


def _loosely(texts: list[Pieces], clock: Clock, n: int) -> Column:
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
    texts: list[Pieces],
    place: Place | None,
    c: Candidate,
    page: PageFacts,
    clock: Clock,
) -> None:
    """Dates from the heading above each group of rows: a heading that is a year completes "05-24" below it, one
    that is a day completes "11:32"."""
    clocks = _same_place(texts, _CLOCK)
    for i, heading in enumerate(
        _headings(c, page, lambda text: bool(_YEAR.match(text)) or clock.read(text) is not None)
    ):
        if not heading:
            continue
        own = texts[i].get(place, "") if place is not None else ""
        if (year := _YEAR.match(heading)) and (short := _MONTH_DAY.match(own)):
            out[i] = clock.read(f"{year[1]}-{short[1]}-{short[2]}") or out[i]
        elif (day := clock.read(heading)) is not None:
            out[i] = _at(day, clocks[i], clock) if clocks[i] else _of_year(out[i], day)


def _of_year(own: When | None, heading: When) -> When:
    """A row's date below a heading that is one: where both name the same day, the heading knows the year."""
    if own is None or (own.date - heading.date) % timedelta(days=1) or own.date.month != heading.date.month:
        return own or heading
    return heading if own.date.day == heading.date.day else own


def _same_place(texts: list[Pieces], made: re.Pattern[str]) -> list[str]:
    """The short text of each row that is made so, if nearly all rows have one at the same place, else nothing."""
    seen: dict[Place, int] = {}
    for row in texts:
        for place, text in row.items():
            if len(text) < 12 and made.match(text):
                seen[place] = seen.get(place, 0) + 1
    place = max(seen, key=lambda p: seen[p], default=(0, 0, "", 0))
    if seen.get(place, 0) < MOST * len(texts):
        return [""] * len(texts)
    return [row.get(place, "") for row in texts]


def _at(day: When, text: str, clock: Clock) -> When:
    """A day with a time of day that stands elsewhere."""
    local = day.date.astimezone(clock.zone or UTC).date()
    found = _CLOCK.match(text)
    return clock.read(f"{local} {int(found[1]):02}:{found[2]}") or day if found else day


def _below_months(texts: list[Pieces], c: Candidate, page: PageFacts, clock: Clock) -> Column:
    """Dates of rows that tell nothing but a day of the month, below headings that name a month and its year. Only
    where the days of most rows go one way."""
    days = _same_place(texts, _DAY)
    headings = _headings(c, page, lambda text: _month_of(text, clock) is not None) if any(days) else ()
    out: Column = []
    for text, heading in zip(days, headings, strict=False):
        month, day = _month_of(heading, clock) if heading else None, _DAY.match(text)
        out.append(clock.read(f"{month}-{int(day[1]):02}") if month and day else None)
    trend = trend_of([(w.date, w.precision) for w in out if w])
    return out if len(out) == len(texts) and abs(trend.tau) >= 0.9 else [None] * len(texts)


def _month_of(text: str, clock: Clock) -> str | None:
    """The year and month ("2026-03") that a text names, if it names nothing else."""
    if found := _YEAR_MONTH.match(text):
        return f"{found[1] or found[4]}-{int(found[2] or found[3]):02}"
    first = clock.read(f"1 {text}") if _NAMED_MONTH.match(text) else None
    local = first.date.astimezone(clock.zone or UTC) if first else None
    return f"{local:%Y-%m}" if local and local.day == 1 else None


def _headings(c: Candidate, page: PageFacts, tells: Callable[[str], bool]) -> Iterator[str]:
    """For each row the nearest text above it, between rows, that tells what is asked."""
    heading: str = ""
    last = max(0, c.rows[0][0] - 14)
    for start, end in c.rows:
        if start > last:
            heading = _heading_text(last, start, page, tells) or heading
        last = end
        yield heading


def _heading_text(start: int, end: int, page: PageFacts, tells: Callable[[str], bool]) -> str:
    """The last short text before a row that tells what is asked."""
    tree = page.tree
    for j in range(end - 1, start - 1, -1):
        if tree.tag[j] in SILENT or not tree.text[j]:
            continue
        text = " ".join(tree.text[j][:80].split())
        if 0 < len(text) <= 40 and tells(text):
            return text
    return ""
