"""Opening hours: when an index may be visited at all (the inverse of quiet hours)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SPAN = re.compile(
    r"(?:(?P<d0>[a-z]{3})(?:\s*-\s*(?P<d1>[a-z]{3}))?\s+)?"
    r"(?P<h0>\d{1,2}):(?P<m0>\d\d)\s*-\s*(?P<h1>\d{1,2}):(?P<m1>\d\d)\s*"
)


@dataclass(frozen=True, slots=True)
class DailySpan:
    """Hours of some weekdays: `start` and `end` are minutes after midnight; an end at or before the start is
    on the next day. `days` are weekdays with Monday 0, of the start."""

    start: int
    end: int
    days: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class OpenHours:
    """Daily spans on the wall clock of a zone, so that they follow daylight saving."""

    daily: tuple[DailySpan, ...]
    zone: tzinfo = UTC

    def spans(self, since: float, until: float) -> Iterator[tuple[float, float]]:
        """The open spans that touch [since, until], ascending and apart, in unix seconds."""
        end = None
        for a, b in sorted(self._each(since, until)):
            if end is not None and a <= end[1]:
                end = (end[0], max(end[1], b))
                continue
            if end is not None:
                yield end
            end = (a, b)
        if end is not None:
            yield end

    def _each(self, since: float, until: float) -> Iterator[tuple[float, float]]:
        day = datetime.fromtimestamp(since, self.zone).date() - timedelta(days=1)
        last = datetime.fromtimestamp(until, self.zone).date()
        while day <= last:
            for s in self.daily:
                a, b = self._at(day, s.start), self._at(day, s.end + 1440 * (s.end <= s.start))
                if day.weekday() in s.days and b > since and a <= until and b > a:
                    yield a, b
            day += timedelta(days=1)

    def _at(self, day: date, minute: int) -> float:
        midnight = datetime.combine(day, datetime.min.time(), self.zone)
        return (midnight + timedelta(minutes=minute)).timestamp()

    def open_at(self, when: float) -> float:
        """The first open time from `when` on (`when` itself where it is open or no day is)."""
        for a, _ in self.spans(when, when + 8 * 86400.0):
            return max(a, when)
        return when


def parse_hours(text: str, zone: tzinfo = UTC) -> OpenHours:
    """Hours from `08:00-19:00`, `Mon-Fri 08:00-19:00, Sat 09:00-12:00` or `Sat 22:00-06:00 Asia/Shanghai`.

    A zone at the end of the text goes before `zone`. Raises ValueError for anything else.
    """
    parts = text.split(",")
    spans = []
    for n, part in enumerate(parts, 1):
        match = _SPAN.match(part.strip().lower())
        rest = part.strip()[match.end() :] if match else ""
        if match is None or (rest and n < len(parts)):
            raise ValueError(
                f"'{part.strip()}' is not a span of hours: write it as 08:00-19:00 or Mon-Fri 08:00-19:00"
            )
        spans.append(_daily(match, part))
    return OpenHours(tuple(spans), _zone(rest) if rest else zone)


def _daily(match: re.Match[str], text: str) -> DailySpan:
    start, end = (int(match[f"h{i}"]) * 60 + int(match[f"m{i}"]) for i in (0, 1))
    if max(start, end) > 1440 or max(int(match["m0"]), int(match["m1"])) > 59:
        raise ValueError(f"'{text.strip()}': a day ends at 24:00, an hour at 59 minutes")
    return DailySpan(start, end, _weekdays(match["d0"], match["d1"], text))


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"'{name}' is not a time zone: write it as Asia/Shanghai") from None


def _weekdays(first: str | None, last: str | None, text: str) -> tuple[int, ...]:
    if first is None:
        return tuple(range(7))
    if first not in _DAYS or (last or first) not in _DAYS:
        raise ValueError(f"'{text.strip()}': weekdays are Mon, Tue, Wed, Thu, Fri, Sat and Sun")
    a, b = _DAYS.index(first), _DAYS.index(last or first)
    return tuple((a + i) % 7 for i in range((b - a) % 7 + 1))
