"""Is a list sorted by publish time? A verdict with its evidence.

Evidence, strongest first: the `Orderby_posttime` class; dates beside the links; an active sort tab; dates in
URLs; numbers in URLs that fall (or, where the rows are dated, rise) without fail. A list is called sorted only on
evidence: a sorted list taken for unsorted costs requests, an unsorted one taken for sorted loses articles. Rows that
are pinned or dated in the future are left out, ties are no evidence, and a few rows out of place are forgiven.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

import numpy as np

from recrawler.page.types import Order, Precision, SortOption, Verdict

_GRAIN = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}
_SECONDS = {precision: grain.total_seconds() for precision, grain in _GRAIN.items()}
MIN_DATED = 3  # rows with dates that can be compared
SORTED_TAU = 0.9  # share of pairs in order, minus those out of order
SORTED_RUN = 0.8  # share of rows in the longest run that is in order
STRAY_TAU, STRAY_RUN = 0.8, 0.85  # the same where a few rows lie far off: one of ten spoils many pairs
SHUFFLED_TAU = 0.6
MIN_NUMBERED = 8  # strictly falling numbers: by chance once in 40,000 lists
MOST_DATED = 0.8  # share of the rows that have dates
MAX_PINNED = 5
MAX_ROWS = 200  # rows that are compared pair by pair
_BELOW = np.triu(np.ones((MAX_ROWS, MAX_ROWS), dtype=bool), 1)  # each row (first index) with those below it
_NUMBER = re.compile(r"\d{2,12}")


STAMPS, STAMPED = 5, timedelta(minutes=5)  # so many dates within so short a time are when the page was built


@dataclass(frozen=True, slots=True)
class Dated:
    """What the order judge needs of a row. `date` is when it was published, null if not told."""

    href: str
    text: str
    date: datetime | None
    precision: Precision | None
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Trend:
    """How a sequence of dates runs. `tau` is +1 for newest first, -1 for oldest first; `falling` and `rising`
    are the shares of rows in the longest run of each kind; `moves` counts neighbours whose dates differ, `rarest`
    the rows of the date that fewest have."""

    rows: int
    tau: float
    falling: float
    rising: float
    moves: int
    distinct: int
    rarest: int


def _stamped(dates: Sequence[tuple[datetime, Precision]]) -> bool:
    fine = [d for d, precision in dates if precision in ("second", "minute")]
    return len(fine) >= STAMPS and max(fine) - min(fine) <= STAMPED


def judge(
    rows: Sequence[Dated],
    now: datetime,
    *,
    marked: bool = False,
    tabs: Sequence[SortOption] = (),
    url_dates: Iterable[datetime | None] = (),
) -> Order:
    """The verdict on a list's rows, in page order.

    `marked`: the block carries the class that says it is sorted by publish time. `url_dates`: the date that
    each row's URL holds, if any.
    """
    dates = [(r.date, r.precision) for r in rows if r.date and r.precision and not r.pinned and r.date <= now]
    if _stamped(dates):
        dates = []
    trend = trend_of(dates)
    verdict, why = _of_dates(trend)
    if verdict in ("unknown", "unsorted") and (days := _by_day(dates)):
        verdict, why = "newest-first", (days,)
    if marked:
        said: Verdict = "oldest-first" if verdict == "oldest-first" else "newest-first"
        return Order(said, ("the block is marked Orderby_posttime", *why))
    if verdict == "unknown" and _alphabetical(rows, trend):
        return Order("unsorted", ("the dates are equal and the titles alphabetical", *why))
    if verdict != "unknown":
        return Order(verdict, why)
    if tab := _of_tabs(tabs):
        return Order(tab.verdict, (*tab.evidence, *why))
    weak = _of_urls(rows, url_dates, dated=trend.rows >= MOST_DATED * len(rows))
    way = {"newest-first": trend.tau, "oldest-first": -trend.tau}.get(weak.verdict, 1.0)
    if trend.distinct > 1 and trend.rows >= MIN_DATED and way < SHUFFLED_TAU:
        return Order("unknown", (*why, "the URLs say otherwise than the dates"))
    return Order(weak.verdict, (*why, *weak.evidence))


def trend_of(dates: Sequence[tuple[datetime, Precision]]) -> Trend:
    """How dates in page order run; dates closer than the coarser precision are equal."""
    dates = dates[:MAX_ROWS]
    n = len(dates)
    stamps = [d.timestamp() for d, _ in dates]
    down, up, moves = _steps(dates, stamps)
    stamps = [s // _SECONDS[p] * _SECONDS[p] for s, (_, p) in zip(stamps, dates, strict=True)]
    return Trend(
        rows=n,
        tau=(down - up) / (down + up) if down + up else 0.0,
        falling=_longest_run([-s for s in stamps]) / n if n else 0.0,
        rising=_longest_run(stamps) / n if n else 0.0,
        moves=moves,
        distinct=len(set(stamps)),
        rarest=min(Counter(stamps).values(), default=0),
    )


def _steps(dates: Sequence[tuple[datetime, Precision]], stamps: Sequence[float]) -> tuple[int, int, int]:
    """How many pairs of rows fall, how many rise, and how many neighbours differ, as `compare` has it."""
    n = len(dates)
    if n < 2:
        return 0, 0, 0
    at = np.array(stamps)
    grain = np.array([_SECONDS[p] for _, p in dates])
    apart = np.subtract.outer(at, at)
    sure = (np.abs(apart) >= np.maximum.outer(grain, grain)) & _BELOW[:n, :n]
    down = int(np.count_nonzero(sure & (apart > 0)))
    return down, int(np.count_nonzero(sure)) - down, int(np.count_nonzero(sure.diagonal(1)))


def compare(a: tuple[datetime, Precision], b: tuple[datetime, Precision]) -> int:
    """+1 if `a` is surely later than `b`, -1 if surely earlier, 0 if they may be equal."""
    grain = max(_GRAIN[a[1]], _GRAIN[b[1]])
    if abs(a[0] - b[0]) < grain:
        return 0
    return 1 if a[0] > b[0] else -1


def broken_top(dates: Sequence[tuple[datetime, Precision] | None]) -> int:
    """How many rows at the top break a run that is newest first below them: pinned ones, by their dates.

    Each of them must be older than the row that follows the pinned ones, and the rest clearly sorted.
    """
    known = [(i, d) for i, d in enumerate(dates) if d is not None]
    if len(known) < MIN_DATED + 2:
        return 0
    if known[0][0] != 0:
        return 0
    for cut in range(1, min(MAX_PINNED, len(known) // 3) + 1):
        if known[cut - 1][0] != cut - 1:
            break
        rest = [d for _, d in known[cut:]]
        if not all(compare(d, rest[0]) < 0 for _, d in known[:cut]):
            continue
        trend = trend_of(rest)
        clear = trend.distinct >= MIN_DATED or (trend.distinct == 2 and trend.tau == 1 and trend.rows >= 5)
        if clear and trend.tau >= 0.95 and trend.falling >= SORTED_RUN:
            return cut
    return 0


def _of_dates(t: Trend) -> tuple[Verdict, tuple[str, ...]]:
    if not t.rows:
        return "unknown", ("no dates beside the links",)
    if t.rows < MIN_DATED or t.distinct < 2:
        return "unknown", (f"{t.rows} dated rows, {t.distinct} distinct: no evidence",)
    told = f"{t.rows} dated rows, {t.distinct} distinct, {max(t.falling, t.rising):.0%} in order"
    if _runs(t.tau, t.falling) and (t.distinct >= MIN_DATED or (t.rows >= 5 and t.rarest >= 2)):
        return "newest-first", (told,)
    if _runs(-t.tau, t.rising) and t.distinct >= MIN_DATED and t.rows >= 4:
        return "oldest-first", (told,)
    mixed = abs(t.tau) < SHUFFLED_TAU and max(t.falling, t.rising) < SORTED_RUN
    if mixed and t.rows >= 5 and t.distinct >= MIN_DATED:
        return "unsorted", (f"{told}: the dates are shuffled",)
    return "unknown", (f"{told}: not clear",)


def _runs(tau: float, run: float) -> bool:
    return (tau >= SORTED_TAU and run >= SORTED_RUN) or (tau >= STRAY_TAU and run >= STRAY_RUN)


def _by_day(dates: Sequence[tuple[datetime, Precision]]) -> str | None:
    """Sorted by the day, in any order within it (a batch published at once): the evidence, or null."""
    t = trend_of([(d, "day") for d, _ in dates])
    if t.distinct >= 4 and t.tau >= 0.97 and t.falling >= 0.95:
        return f"{t.rows} dated rows, {t.distinct} distinct days, {t.falling:.0%} in order by the day"
    return None


def _longest_run(values: Sequence[float]) -> int:
    """Length of the longest non-decreasing subsequence."""
    tails: list[float] = []
    for value in values:
        at = bisect_right(tails, value)
        tails[at : at + 1] = [value]
    return len(tails)


def _alphabetical(rows: Sequence[Dated], trend: Trend) -> bool:
    """All dates equal, and the titles in the order of the alphabet: sorted by title."""
    titles = [r.text.casefold().strip() for r in rows if not r.pinned]
    if len(titles) < 5 or trend.distinct > 1 or trend.rows < len(titles) * 0.8:
        return False
    return all(a <= b for a, b in pairwise(titles)) and len(set(titles)) == len(titles)


def _of_tabs(tabs: Sequence[SortOption]) -> Order | None:
    active = next((t for t in tabs if t.active), None)
    if active is None:
        return None
    if active.by == "time":
        return Order("newest-first", (f"the active sort tab is {active.text!r}",))
    return Order("unsorted", (f"the active sort tab is {active.text!r}, which is not time",))


def _of_urls(rows: Sequence[Dated], url_dates: Iterable[datetime | None], *, dated: bool) -> Order:
    """`dated`: the rows have dates too. Without them numbers that rise may be those of chapters or products."""
    days = [(d, "day") for d, r in zip(url_dates, rows, strict=False) if d and not r.pinned]
    if len(days) >= max(5, 0.8 * len(rows)):
        trend = trend_of(days)  # type: ignore[arg-type]
        if trend.distinct >= 4 and trend.tau >= 0.98 and trend.falling >= 0.9:
            return Order("newest-first", (f"dates in {len(days)} URLs fall",))
        if trend.distinct >= 4:
            return Order("unknown", (f"dates in {len(days)} URLs are not in order",))
    numbers = _numbers([r.href for r in rows if not r.pinned])
    if len(numbers) >= MIN_NUMBERED and all(a > b for a, b in pairwise(numbers)):
        return Order("newest-first", (f"numbers in {len(numbers)} URLs fall without fail",))
    if dated and len(numbers) >= MIN_NUMBERED and all(a < b for a, b in pairwise(numbers)):
        return Order("oldest-first", (f"numbers in {len(numbers)} URLs rise without fail",))
    return Order("unknown")


def _numbers(hrefs: Sequence[str]) -> list[int]:
    """The number of each URL that makes out the article, if all have one at the same place from the end."""
    found = [_NUMBER.findall(h.split("/", 3)[-1]) for h in hrefs]
    if not found or any(not f for f in found):
        return []
    return [int(f[-1]) for f in found]
