"""When was it published: the date inside a short text, a <time> attribute, or a URL.

All functions are pure (`now` is an argument) and never raise, whatever the text. A text is read by linear
regular expressions and tables of words; several dates in one text are weighed by what stands around them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Literal

from recrawler.page import datewords as words
from recrawler.page.dateago import relative
from recrawler.page.datefallback import fallback
from recrawler.page.dateforms import absolute, short
from recrawler.page.datenames import named
from recrawler.page.datereading import Candidate, Reading, ymd
from recrawler.page.dateweight import in_range, weight
from recrawler.page.types import Precision

_MAX_TEXT = 600  # characters that are read of a longer text, half from each end


@dataclass(frozen=True, slots=True)
class Found:
    """A date in a text. `date` is aware, in UTC; with precision "day" it is midnight in the site's zone.

    `start` and `end` bound the date in the text as it was given. `relative`: told as an age ("3 hours ago").
    `has_zone`: the text itself told its zone. `coarse`: weeks, months or years ago, true to that unit only.
    """

    date: datetime
    precision: Precision
    start: int
    end: int
    relative: bool = False
    has_zone: bool = False
    coarse: bool = False


def find_date(
    text: str,
    *,
    now: datetime,
    tz: tzinfo,
    lang: str | None = None,
    day_first: bool | None = None,
    loose: bool = False,
) -> Found | None:
    """The publication date inside a short text (a row, a cell, a label with its value), or None.

    `tz` is the site's zone, used unless the text carries one. `lang` is a BCP 47 tag. `day_first` tells 1/5/26
    from 5/1/26 (see `infer_day_first`); unknown, the language and the calendar decide. `loose` also takes what is
    a date only because the column around it holds dates: "8-1", "1/5", "15:26", "3h".
    """
    if not text:
        return None
    clean, places = words.plain(_ends(text))
    base, region = words.language(lang)
    here = now if now.tzinfo is tz else (now if now.tzinfo else now.replace(tzinfo=UTC)).astimezone(tz)
    best = _best(Reading(clean, here, tz, base, region, day_first, loose))
    if best is None:
        return None
    start, end = best.start, best.end
    if places is not None:
        start, end = places[start], places[end - 1] + 1
    if len(text) > _MAX_TEXT and start >= _MAX_TEXT // 2:
        start, end = start + len(text) - _MAX_TEXT, end + len(text) - _MAX_TEXT
    return Found(best.moment, best.precision, start, end, best.relative, best.has_zone, best.coarse)


def _ends(text: str) -> str:
    half = _MAX_TEXT // 2
    return text if len(text) <= _MAX_TEXT else f"{text[: half - 1]}\n{text[-half:]}"


_NUMBER = re.compile(r"\d|月")
_ENOUGH = 16  # the least weight of a date
_SURE = 55  # no other form can outweigh this one


def _best(reading: Reading) -> Candidate | None:
    """The weightiest date of the text; of equal ones the first. The commoner forms are read first."""
    weighed: list[tuple[int, Candidate]] = []
    seen = False
    for form in _forms(reading):
        for found in form(reading):
            seen = True
            score = weight(reading, found)
            if score >= _ENOUGH:
                weighed.append((score, found))
        if weighed and max(score for score, _ in weighed) >= _SURE:
            break
    if not seen:
        return fallback(reading)
    if len(weighed) > 1:
        weighed = [(score, one) for score, one in weighed if not in_range(reading.text, one, weighed)]
    return max(weighed, key=lambda w: (w[0], -w[1].start))[1] if weighed else None


def _forms(reading: Reading) -> tuple[Callable[[Reading], Iterator[Candidate]], ...]:
    """The forms that a text can have, by the kinds of characters in it."""
    text = reading.text
    if _NUMBER.search(text) is None:
        return (relative,)
    if text.upper() == text.lower() and text.isascii() and not reading.loose:  # no letters
        return (absolute, short)
    return (absolute, named, relative, short)


_STAMP = re.compile(r"(\d{10})(?:\.\d+)?|(\d{13})|(\d{16})")


def parse_time_attr(value: str, *, now: datetime, tz: tzinfo) -> Found | None:
    """The time in an attribute's value (<time datetime>, data-time): ISO 8601, a Unix time, or any other date."""
    value = value.strip() if value else ""
    stamp = _STAMP.fullmatch(value)
    if stamp and value.isascii():
        seconds = int(stamp[1] or stamp[2] or stamp[3]) / (1 if stamp[1] else 1e3 if stamp[2] else 1e6)
        moment = datetime.fromtimestamp(int(seconds), UTC)
        fits = 1995 < moment.year <= now.year + 2
        return Found(moment, "second", 0, len(value), False, True) if fits else None
    return find_date(value, now=now, tz=tz)


_URL_DAY = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<s>[-/_.]?)(?P<m>0[1-9]|1[0-2]|(?<=[-/_])[1-9](?=[-/_]))(?P=s)"
    r"(?P<d>0[1-9]|[12]\d|3[01]|(?<=[-/_])[1-9](?=[-/_.]))(?=\D|$|\d{6}(?:\D|$)|\d{4}(?:\D|$))"
    r"|(?<=[/_-])(?P<y2>(?:19|20)\d\d)[/-](?P<m2>0[1-9]|1[0-2])-?/?(?P<d2>0[1-9]|[12]\d|3[01])(?=\D)"
)
_URL_MONTH = re.compile(r"/(?P<y>(?:19|20)\d\d)[-/]?(?P<m>0[1-9]|1[0-2])(?=/)")


def date_from_url(href: str) -> tuple[date, Literal["day", "month"]] | None:
    """The day (or the month, as its first day) that a URL's path tells of: a weak hint, often not the publication."""
    if not href:
        return None
    path = re.sub(r"^[a-z][a-z0-9+.-]*://[^/]*", "", href[:2000], flags=re.I)
    for match in _URL_DAY.finditer(path):
        year, month, day = (int(match[k] or match[k + "2"]) for k in ("y", "m", "d"))
        found = ymd(year, month, day)
        if found is not None and 1995 <= year < 2100:
            return found, "day"
    match = _URL_MONTH.search(path)
    if match and 1995 <= int(match["y"]) < 2100:
        return date(int(match["y"]), int(match["m"]), 1), "month"
    return None


_ORDERED = re.compile(
    r"(?<![\d.,:/-])(\d{1,2})\s?([-/.])\s?(\d{1,2})(?:\s?\2\s?(?:\d{4}|\d{2}))?(?![\d.,:/-]*\d)"
)


def infer_day_first(texts: Iterable[str]) -> bool | None:
    """Whether the dates of a list are day/month (True) or month/day (False); None where nothing tells.

    A number over 12 tells. Else, in a list of consecutive items, the number that changes more often is the day.
    """
    pairs = [
        (int(m[1]), int(m[3]))
        for t in texts
        if t
        for m in [_ORDERED.search(words.plain(t[:_MAX_TEXT])[0])]
        if m
    ]
    pairs = [(a, b) for a, b in pairs if 1 <= a <= 31 and 1 <= b <= 31]
    day = sum(a > 12 for a, _ in pairs)
    month = sum(b > 12 for _, b in pairs)
    if day != month:
        return day > month
    if day or len(pairs) < 4:
        return None
    firsts, seconds = len({a for a, _ in pairs}), len({b for _, b in pairs})
    if max(firsts, seconds) < 2 * min(firsts, seconds) + 1:
        return None
    return firsts > seconds
