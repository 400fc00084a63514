"""The publication date in a text or an attribute: all forms are tried, the weightiest date wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from recrawler.page.dates import words
from recrawler.page.dates.ages import relative
from recrawler.page.dates.fallback import fallback
from recrawler.page.dates.forms import absolute, short
from recrawler.page.dates.names import named, plain_month
from recrawler.page.dates.reading import OLDEST, Candidate, Reading
from recrawler.page.dates.weight import in_range, weight
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

    `tz` is the site's zone, used unless the text carries one. `lang` is a BCP 47 tag. `day_first` tells
    1/5/26 from 5/1/26 (see `infer_day_first`); unknown, the language and the calendar decide. `loose` also
    takes what is a date only because the column around it holds dates: "8-1", "1/5", "15:26", "3h".
    """
    if not text:
        return None
    base, region = words.language(lang)
    if (sure := _plain_date(text, now, tz, base)) is not None:
        return sure
    clean, places = words.plain(_ends(text))
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


_TIME = (
    r"(?:(?:T|(?:,| -)? (?:at )?)(?P<h>\d\d?):(?P<i>[0-5]\d)(?::(?P<s>[0-5]\d))?"
    r"(?: ?(?P<half>[AaPp])[Mm]|(?P<utc>Z)|(?P<east>[+-](?:0\d|1[0-3])):(?P<more>[0-5]\d))?)?"
)
_YEAR, _DAY = r"(?P<y>(?:19|20)\d\d)", r"(?P<d>\d\d?)"
_MONTH, _NAME, _TH = r"(?P<m>\d\d?)", "(?P<name>[A-Za-z]{3,12})", r"(?:st|nd|rd|th|\.)?"
_PLAIN = [
    re.compile(form + _TIME, re.ASCII)
    for form in (
        rf"{_YEAR}(?P<sign>[-/.]){_MONTH}(?P=sign){_DAY}",
        rf"{_DAY}\.{_MONTH}\.{_YEAR}",
        rf"{_DAY}{_TH}(?P<sign>[- ]){_NAME}(?P=sign){_YEAR}",
        rf"{_NAME} {_DAY}{_TH},? {_YEAR}",
    )
]


def _plain_date(text: str, now: datetime, tz: tzinfo, lang: str | None) -> Found | None:
    """The past day, or minute, that the whole text is in the plainest way, read without further ado: the forms
    and their weights would come to the same."""
    edge = int(text[0] == "[" and text[-1] == "]")
    for form in _PLAIN[:-1] if text[edge].isdigit() else _PLAIN[-1:]:
        if (match := form.fullmatch(text, edge, len(text) - edge)) is not None:
            break
    else:
        return None
    said = match.groupdict()
    name, second = said.get("name"), said["s"]
    month = plain_month(name, lang) if name else int(said["m"])
    clock = _plain_time(said["h"], said["i"], second, said["half"])
    if month is None or clock is None:
        return None
    zone = _plain_zone(said["east"], said["more"]) if said["east"] else UTC if said["utc"] else None
    try:
        local = datetime(int(said["y"]), month, int(said["d"]), *clock, tzinfo=zone or tz)
    except ValueError:
        return None
    if local > now or local.year <= OLDEST or (edge and zone):
        return None
    precision: Precision = "second" if second else "minute" if said["i"] else "day"
    return Found(local.astimezone(UTC), precision, edge, len(text) - edge, has_zone=zone is not None)


def _plain_zone(hours: str, minutes: str) -> tzinfo:
    """The zone of an offset like "+05", "30"."""
    east = timedelta(hours=int(hours[1:]), minutes=int(minutes))
    return timezone(-east if hours[0] == "-" else east)


def _plain_time(
    hour: str | None, minute: str | None, second: str | None, half: str | None
) -> tuple[int, int, int] | None:
    """The time of day; null for one that is perhaps that of a program that knows the day only, and for none."""
    if hour is None or minute is None:
        return 0, 0, 0
    at = int(hour)
    if half:
        return None if at > 12 else (at % 12 + (12 if half in "Pp" else 0), int(minute), int(second or 0))
    return None if at in (0, 24) and int(minute) == 0 else (at, int(minute), int(second or 0))


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


_STAMP = re.compile(r"(\d{10})(?:\.\d+)?|(\d{13})|(\d{16})", re.ASCII)


def parse_time_attr(value: str, *, now: datetime, tz: tzinfo) -> Found | None:
    """The time in an attribute's value (<time datetime>, data-time), or None: ISO 8601, a Unix time (in
    seconds, milli- or microseconds), or any other date that `find_date` reads."""
    value = value.strip() if value else ""
    stamp = _STAMP.fullmatch(value)
    if stamp is None:
        return find_date(value, now=now, tz=tz)
    seconds = int(stamp[0][:10])
    moment = datetime.fromtimestamp(seconds, UTC)
    if not 1995 < moment.year <= now.year + 2:
        return None
    return Found(moment, "second", 0, len(value), has_zone=True)
