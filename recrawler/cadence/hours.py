"""Opening hours: when an index may be visited at all (the inverse of quiet hours)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SPAN = re.compile(
    r"(?:(?P<d0>[a-z]{3})(?:-(?P<d1>[a-z]{3}))?\s+)?"
    r"(?P<h0>\d{1,2}):(?P<m0>\d\d)\s*-\s*(?P<h1>\d{1,2}):(?P<m1>\d\d)"
)


@dataclass(frozen=True, slots=True)
class OpenHours:
    """Daily hours of some weekdays, on the wall clock of a zone (so that they follow daylight saving).

    `start` and `end` are minutes after midnight; an end at or before the start is on the next day. `days` are
    weekdays with Monday 0, of the start.
    """

    start: int
    end: int
    days: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
    zone: tzinfo = UTC

    def spans(self, since: float, until: float) -> Iterable[tuple[float, float]]:
        """The open spans that touch [since, until], ascending, in unix seconds."""
        day = datetime.fromtimestamp(since, self.zone).date() - timedelta(days=1)
        last = datetime.fromtimestamp(until, self.zone).date()
        while day <= last:
            if day.weekday() in self.days:
                a, b = self._at(day, self.start), self._at(day, self.end + 1440 * (self.end <= self.start))
                if b > since and a <= until and b > a:
                    yield a, b
            day += timedelta(days=1)

    def _at(self, day: object, minute: int) -> float:
        midnight = datetime.combine(day, datetime.min.time(), self.zone)  # type: ignore[arg-type]
        return (midnight + timedelta(minutes=minute)).timestamp()

    def open_at(self, when: float) -> float:
        """The first open time from `when` on (`when` itself where it is open or no day is)."""
        for a, _ in self.spans(when, when + 8 * 86400.0):
            return max(a, when)
        return when


def parse_hours(text: str, zone: tzinfo = UTC) -> OpenHours:
    """Hours from `08:00-19:00`, `Mon-Fri 08:00-19:00` or `Sat 22:00-06:00 Asia/Shanghai`.

    A zone in the text goes before `zone`. Raises ValueError for anything else.
    """
    match = _SPAN.match(text.strip().lower())
    if match is None:
        raise ValueError(f"'{text}' is not a span of hours: write it as 08:00-19:00 or Mon-Fri 08:00-19:00")
    rest = text.strip()[match.end() :].strip()
    if rest:
        try:
            zone = ZoneInfo(rest)
        except (KeyError, ValueError, OSError):
            raise ValueError(f"'{rest}' is not a time zone: write it as Asia/Shanghai") from None
    minutes = [int(match[h]) * 60 + int(match[m]) for h, m in (("h0", "m0"), ("h1", "m1"))]
    if max(minutes) > 1440:
        raise ValueError(f"'{text}': a day ends at 24:00")
    return OpenHours(minutes[0], minutes[1], _weekdays(match["d0"], match["d1"], text), zone)


def _weekdays(first: str | None, last: str | None, text: str) -> tuple[int, ...]:
    if first is None:
        return tuple(range(7))
    if first not in _DAYS or (last or first) not in _DAYS:
        raise ValueError(f"'{text}': weekdays are Mon, Tue, Wed, Thu, Fri, Sat and Sun")
    a, b = _DAYS.index(first), _DAYS.index(last or first)
    return tuple((a + i) % 7 for i in range((b - a) % 7 + 1))
