"""A text as it is read for dates: against which now, zone, language and order of day and month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from recrawler.page.dates import words
from recrawler.page.dates.clock import Clock, zone_offset
from recrawler.page.types import Precision

OLDEST = 1970  # years up to it are history in a title, or the zero of a clock
_YEARS_AHEAD = 2
_DAY = timedelta(days=1)
_MONTH_FIRST_REGIONS = ("", "us", "ca", "ph")
_DAY_FIRST_CHINESE = ("hk", "mo", "sg", "my")


EDGE, STRICT = 1, 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reading of one place in the text.

    `alone` says how free it must stand to be a date: STRICT, nothing but signs around it; EDGE, at an end of
    the text or between signs; 0, anywhere.
    """

    start: int
    end: int
    moment: datetime
    precision: Precision
    score: int
    relative: bool = False
    has_zone: bool = False
    coarse: bool = False
    alone: int = 0


class Reading:
    """A text and what it is read against: `now` in the site's zone, language, order of day and month."""

    __slots__ = ("_keys", "bracketed", "day_first", "lang", "loose", "now", "region", "text", "tz")

    def __init__(
        self,
        text: str,
        now: datetime,
        tz: tzinfo,
        lang: str | None = None,
        region: str = "",
        day_first: bool | None = None,
        loose: bool = False,
    ) -> None:
        self.text, self.now, self.tz = text, now, tz
        self.lang, self.region, self.day_first, self.loose = lang, region, day_first, loose
        self._keys: set[str] | None = None
        self.bracketed = text[:1] in ("[", "(") and text[-1:] in ("]", ")")

    @property
    def keys(self) -> set[str]:
        """The folded words of the text."""
        if self._keys is None:
            self._keys = words.keys(self.text)
        return self._keys

    def on(
        self,
        day: date,
        start: int,
        end: int,
        *,
        score: int,
        clock: Clock | None = None,
        relative: bool = False,
        coarse: bool = False,
        alone: int = 0,
    ) -> Candidate:
        """The candidate for a calendar day, at its time of day where there is one."""
        if clock is None:
            moment = datetime(day.year, day.month, day.day, tzinfo=self.tz).astimezone(UTC)
            return Candidate(start, end, moment, "day", score, relative, False, coarse, alone)
        zone = self._zone(clock, day)
        hour = clock.hour % 24
        local = datetime(
            day.year, day.month, day.day, hour, clock.minute, clock.second, tzinfo=zone or self.tz
        )
        if clock.hour == 24:
            local += _DAY
        start, end = min(start, clock.start), max(end, clock.end)
        moment = local.astimezone(UTC)
        return Candidate(
            start, end, moment, clock.precision, score + 8, relative, zone is not None, coarse, alone
        )

    def _zone(self, clock: Clock, day: date) -> tzinfo | None:
        if not isinstance(clock.zone, str):
            return clock.zone
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=self.tz)
        return zone_offset(clock.zone, noon.utcoffset(), self.lang)

    def year(self, digits: str) -> int | None:
        """The Gregorian year of four or two digits; a Buddhist one (2569) is told by its range."""
        year = int(digits)
        if len(digits) <= 2:
            thai = year + 1957
            if self.lang == "th" and self.plausible(thai):
                return thai
            year += 2000 if year <= self.now.year - 1998 else 1900
        elif 2500 <= year < 2600:
            year -= 543
        return year if self.plausible(year) else None

    def plausible(self, year: int) -> bool:
        """A year that a published thing can have."""
        return OLDEST < year <= self.now.year + _YEARS_AHEAD

    def future(self, day: date) -> bool:
        """Later than tomorrow: with a day's tolerance for sites ahead of their zone."""
        return day > self.now.date() + _DAY

    def roll(self, month: int, day: int) -> date | None:
        """The latest such day that is not after tomorrow."""
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        for year in range(self.now.year + 1, self.now.year - 8, -1):
            found = ymd(year, month, day)
            if found is not None and not self.future(found):
                return found
        return None

    def roll_jalali(self, month: int, day: int) -> date | None:
        """The latest such day of the Solar Hijri calendar that is not after tomorrow."""
        for year in range(self.now.year - 621, self.now.year - 626, -1):
            found = jalali(year, month, day)
            if found is not None and not self.future(found):
                return found
        return None

    def orders(self) -> tuple[str, str]:
        """Orders of day and month to try, the likelier first."""
        month_first = self.day_first is False
        if self.day_first is None:
            english = self.lang == "en" and self.region in _MONTH_FIRST_REGIONS
            month_first = english or (
                self.lang in ("zh", "ja", "ko") and self.region not in _DAY_FIRST_CHINESE
            )
        return ("mdy", "dmy") if month_first else ("dmy", "mdy")


def ymd(year: int, month: int, day: int) -> date | None:
    """The date, or None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def jalali(year: int, month: int, day: int) -> date | None:
    """The Gregorian day of a date of the Solar Hijri calendar (Iran), or None where there is no such day.

    By the 33-year cycle of leap years, which agrees with the observed calendar from 1343 to 1472 (1964-2093).
    """
    longest = 31 if month < 7 else 30 if month < 12 or _leap_jalali(year) else 29
    if not (1343 <= year <= 1472 and 1 <= month <= 12 and 1 <= day <= longest):
        return None
    before = 365 * (year - 1) + (8 * (year - 1) + 29) // 33
    inside = 31 * (month - 1) if month < 8 else 30 * (month - 1) + 6
    return date(622, 3, 21) + timedelta(days=before + inside + day - 1)


def _leap_jalali(year: int) -> bool:
    return (8 * year + 29) // 33 > (8 * (year - 1) + 29) // 33
