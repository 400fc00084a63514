"""Absolute dates: every form with digits or a month's name, as candidates with a score.

Each form is one regular expression without nested repetition, so time is linear in the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

from recrawler.page import datewords as words
from recrawler.page.dateclock import Clock, clock_at, clock_before, zone_offset
from recrawler.page.types import Precision

_DAY = timedelta(days=1)
OLDEST = 1970  # years before it are history in a title, or the zero of a clock
_YEARS_AHEAD = 2
_EXACT: dict[int, Precision] = {1: "minute", 60: "minute", 3600: "hour"}
_MONTH_FIRST_REGIONS = ("us", "ca", "ph", "")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reading of one place in the text. `alone`: a date only where nothing but signs stands around it."""

    start: int
    end: int
    moment: datetime
    precision: Precision
    score: int
    relative: bool = False
    has_zone: bool = False
    coarse: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A text and what it is read against: `now` in the site's zone, the language and the order of day and month."""

    text: str
    now: datetime
    tz: tzinfo
    lang: str | None
    region: str
    day_first: bool | None
    loose: bool

    def on(
        self,
        day: date,
        start: int,
        end: int,
        *,
        score: int,
        clock: Clock | None = None,
        relative: bool = False,
        alone: bool = False,
    ) -> Candidate:
        """The candidate for a calendar day, at its time of day where there is one."""
        zone, precision, hour, minute, second = self.tz, "day", 0, 0, 0
        if clock is not None:
            precision, hour, minute, second = clock.precision, clock.hour, clock.minute, clock.second
            start, end, score = min(start, clock.start), max(end, clock.end), score + 8
            zone = self._zone(clock, day) or self.tz
        local = datetime(day.year, day.month, day.day, hour % 24, minute, second, tzinfo=zone)
        if hour == 24:
            local += _DAY
        known = clock is not None and clock.zone is not None
        return Candidate(start, end, local.astimezone(UTC), precision, score, relative, known, False, alone)  # type: ignore[arg-type]

    def _zone(self, clock: Clock, day: date) -> tzinfo | None:
        if not isinstance(clock.zone, str):
            return clock.zone
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=self.tz)
        return zone_offset(clock.zone, noon.utcoffset(), noon.tzname())

    def ago(self, parts: list[tuple[float, int]], start: int, end: int) -> Candidate:
        """The candidate for (amount, unit in seconds) pairs before now; negative amounts are guesses ("a few")."""
        size = min(unit for _, unit in parts)
        vague = any(amount < 0 for amount, _ in parts)
        half = any(amount % 1 for amount, _ in parts)
        if half and size in (3600, 86400):
            size = 60 if size == 3600 else 3600
        elif vague and size == 60:
            size = 3600
        precision: Precision = _EXACT.get(size, "day")
        span = sum(abs(amount) * unit for amount, unit in parts)
        if span > 60 * words.YEAR:
            span = 0.0
        local = self.now - timedelta(seconds=span)
        coarse = max(unit for _, unit in parts) >= words.WEEK
        if precision == "day":
            return self._coarse(
                self.on(local.date(), start, end, score=45, relative=True, alone=coarse), coarse
            )
        moment = local.astimezone(UTC).replace(microsecond=0)
        return Candidate(start, end, moment, precision, 48, relative=True)

    @staticmethod
    def _coarse(found: Candidate, coarse: bool) -> Candidate:
        return Candidate(
            found.start,
            found.end,
            found.moment,
            found.precision,
            found.score,
            True,
            False,
            coarse,
            found.alone,
        )

    def just_now(self, start: int, end: int) -> Candidate:
        moment = self.now.astimezone(UTC).replace(microsecond=0)
        return Candidate(start, end, moment, "minute", 40, relative=True, alone=True)

    def year(self, text: str) -> int | None:
        """The Gregorian year of four or two digits; eras by their range (Buddhist 2569, Minguo by its own form)."""
        year = int(text)
        if len(text) <= 2:
            buddhist = year + 2500 - 543
            year += 2000 if self.lang != "th" or not self._plausible(buddhist) else buddhist - year
        elif 2500 <= year < 2600:
            year -= 543
        return year if self._plausible(year) else None

    def _plausible(self, year: int) -> bool:
        return OLDEST < year <= self.now.year + _YEARS_AHEAD

    def future(self, day: date) -> bool:
        return day > self.now.date() + _DAY

    def roll(self, month: int, day: int) -> date | None:
        """The latest such day that is not after tomorrow."""
        for year in range(self.now.year + 1, self.now.year - 8, -1):
            found = ymd(year, month, day)
            if found is not None and not self.future(found):
                return found
        return None

    def orders(self) -> tuple[str, ...]:
        """Orders of day and month to try, the likeliest first."""
        if self.day_first is not None:
            return ("dmy", "mdy") if self.day_first else ("mdy", "dmy")
        if self.lang in ("zh", "ja", "ko") or (self.lang == "en" and self.region in _MONTH_FIRST_REGIONS):
            return ("mdy", "dmy")
        return ("dmy", "mdy")


def ymd(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def jalali(year: int, month: int, day: int) -> date | None:
    """The Gregorian day of a date of the Solar Hijri calendar (Iran), by the 33-year rule, right for 1343 to 1472."""
    if not (1343 <= year <= 1472 and 1 <= month <= 12 and 1 <= day <= (31 if month < 7 else 30)):
        return None
    past = 365 * (year - 1) + (8 * (year - 1) + 29) // 33
    inside = 31 * (month - 1) if month < 8 else 30 * (month - 1) + 6
    return date(622, 3, 21) + timedelta(days=past + inside + day - 1)


_EDGE = r"(?<![\d$€£¥₩])(?<!\d[.,:/-])"
_YMD = re.compile(
    _EDGE
    + r"((?:1[34]|19|20|25)\d\d)\s?([-/._])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d)(?!\.\d|[-/]\d{1,3}(?!\d))"
)
_SPACED = re.compile(r"(?<![\d ])((?:19|20)\d\d) (\d\d) (\d\d)(?![ ]?\d\d\d|\d)")
_DMY = re.compile(_EDGE + r"(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)(?!\.\d|[-/]\d)")
_MINGUO = re.compile(_EDGE + r"(1[0-4]\d|9\d)([-/.])(\d\d)\2(\d\d)(?!\d)(?!\.\d|[-/]\d)")
_SOLID = re.compile(
    r"(?<![\w.,/-])((?:19|20)\d\d)([01]\d)([0-3]\d)(?:T?([0-2]\d)([0-5]\d)([0-5]\d)?)?(?![\w%])(?![.,/-]\d)"
)
_NUM = r"(?:\d{1,2}|[一二三四五六七八九十廿卅]{1,3})"
_HAN = re.compile(
    r"(?:(令和|平成|昭和|民[国國])\s?)?(?<![\d.])(?:(\d{2,4}|[〇零○一二三四五六七八九]{2,4}|元|[一二三四五六七八九]?十[一二三四五六七八九]?)\s?[年년]\s?度?)?"
    rf"({_NUM})\s?[月월]\s?({_NUM})\s?([日号號일]|(?!\d|\s?[,.]\s?\d))"
)
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民国": 1911, "民國": 1911}
_SHORT = re.compile(
    r"(?<![\w$€£¥₩#&=+])(?<![\d][.,:/-])(?<!-)(?<!\d )(\d{1,2})\s?([-/.])\s?(\d{1,2})(\.(?!\d))?(?![\d%°])(?!\s?[-/.:,~]\s?\d|\s?[%元€$円])"
)


def absolute(reading: Reading) -> Iterator[Candidate]:
    """Every date of the text that is written with digits and signs."""
    text = reading.text
    for match in _YMD.finditer(text):
        yield from _dated(reading, match, _year_first(reading, match[1], match[3], match[4]), 50)
    if "月" in text or "월" in text:
        yield from _han(reading)
    for match in _DMY.finditer(text):
        yield from _dated(reading, match, _year_last(reading, match), 48)
    for match in _SOLID.finditer(text):
        yield from _solid(reading, match)
    if reading.lang in (None, "zh"):
        for match in _MINGUO.finditer(text):
            yield from _dated(reading, match, ymd(int(match[1]) + 1911, int(match[3]), int(match[4])), 40)
    for match in _SPACED.finditer(text):
        yield from _dated(reading, match, ymd(int(match[1]), int(match[2]), int(match[3])), 30)


def short(reading: Reading) -> Iterator[Candidate]:
    """Dates of two numbers, "12-31" or "31/12": asked only where there is no other date."""
    for match in _SHORT.finditer(reading.text):
        yield from _short(reading, match)


def _dated(
    reading: Reading, match: re.Match[str], day: date | None, score: int, alone: bool = False
) -> Iterator[Candidate]:
    if day is None or not (OLDEST < day.year <= reading.now.year + _YEARS_AHEAD):
        return
    text = reading.text
    clock = clock_at(text, match.end()) or clock_before(text, match.start())
    yield reading.on(day, match.start(), match.end(), clock=clock, score=score, alone=alone and clock is None)


def _year_first(reading: Reading, year: str, month: str, day: str) -> date | None:
    if year[:2] in ("13", "14"):
        return jalali(int(year), int(month), int(day))
    known = reading.year(year)
    return ymd(known, int(month), int(day)) if known else None


def _year_last(reading: Reading, match: re.Match[str]) -> date | None:
    first, sign, second, last = match.groups()
    if len(last) == 2:
        return _two_digit_years(reading, first, sign, second, last)
    if last[:2] in ("13", "14"):
        return jalali(int(last), int(second), int(first))
    year = reading.year(last)
    if year is None:
        return None
    orders = ("dmy",) if sign == "." else reading.orders()
    days = [
        ymd(year, *((int(second), int(first)) if o == "dmy" else (int(first), int(second)))) for o in orders
    ]
    return _likeliest(reading, days)


def _likeliest(reading: Reading, days: list[date | None]) -> date | None:
    """The first real day that is not in the future, else the first real day."""
    real = [d for d in days if d is not None]
    if reading.day_first is not None:
        return real[0] if real else None
    return next((d for d in real if not reading.future(d)), real[0] if real else None)


def _two_digit_years(reading: Reading, first: str, sign: str, second: str, last: str) -> date | None:
    a, b, c = int(first), int(second), int(last)
    if sign == "." and len(first) + len(second) < 4 and reading.lang in (None, "en"):
        return None  # 1.2.23 is a version
    year_first = len(first) == 2 and reading.year(first)
    year_last = reading.year(last)
    readings = {
        "dmy": ymd(year_last, b, a) if year_last else None,
        "mdy": ymd(year_last, a, b) if year_last and sign != "." else None,
        "ymd": ymd(year_first, b, c) if year_first else None,
    }
    east = reading.lang in ("zh", "ja", "ko") and reading.day_first is None
    orders = ("ymd", *reading.orders()) if east else (*reading.orders(), "ymd")
    return _likeliest(reading, [readings[o] for o in orders])


def _han(reading: Reading) -> Iterator[Candidate]:
    for match in _HAN.finditer(reading.text):
        era, year, month, day = match[1], match[2], words.han_number(match[3]), words.han_number(match[4])
        if month is None or day is None or (year is None and not match[5]):
            continue
        if year is None:
            yield from _dated(reading, match, reading.roll(month, day), 35)
            continue
        number = words.han_number(year)
        if number is None:
            continue
        known = number + _ERAS[era] if era else reading.year(str(number))
        yield from _dated(reading, match, ymd(known, month, day) if known and known < 2200 else None, 52)


def _solid(reading: Reading, match: re.Match[str]) -> Iterator[Candidate]:
    day = ymd(int(match[1]), int(match[2]), int(match[3]))
    if day is None or day.year < 1990 or day.year > reading.now.year + 1:
        return
    clock = None
    if match[4] and int(match[4]) < 24:
        zone = timezone.utc if reading.text[match.end() : match.end() + 1] == "Z" else None
        precision: Precision = "second" if match[6] else "minute"
        clock = Clock(
            match.start(), match.end(), int(match[4]), int(match[5]), int(match[6] or 0), precision, zone
        )
    else:
        clock = clock_at(reading.text, match.end())
    yield reading.on(day, match.start(), match.end(), clock=clock, score=40, alone=clock is None)


def _short(reading: Reading, match: re.Match[str]) -> Iterator[Candidate]:
    first, sign, second, dot = match.groups()
    a, b = int(first), int(second)
    if sign == "." and dot:
        orders: tuple[str, ...] = ("dmy",)
    elif (
        sign == "/"
        or reading.day_first is not None
        or (sign == "." and reading.lang not in (None, "zh", "ja", "ko"))
    ):
        orders = reading.orders()
    else:
        orders = ("mdy", "dmy")
    days = [reading.roll(*((b, a) if o == "dmy" else (a, b))) for o in orders]
    day = next((d for d in days if d is not None), None)
    padded = len(first) == len(second) == 2
    if day is None:
        return
    clock = clock_at(reading.text, match.end()) or (
        clock_before(reading.text, match.start()) if padded else None
    )
    weekday = _WEEKDAY_AFTER.match(reading.text, match.end())
    if not (padded or clock or weekday or second[0] == "0" or reading.loose or (dot and sign == ".")):
        return
    end = weekday.end() if weekday and not clock else match.end()
    yield reading.on(day, match.start(), end, clock=clock, score=30, alone=clock is None)


_WEEKDAY_AFTER = re.compile(r"\s?\((?:[月火水木金土日월화수목금토일]|周[一二三四五六日])(?:曜日?|[・·].)?\)")
