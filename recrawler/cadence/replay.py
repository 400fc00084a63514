"""What another price, budget or interval would have brought: an index's own history, played again."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from recrawler.cadence.observe import first, visited
from recrawler.cadence.plan import Pricing, next_visit


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay came to: requests, and seconds from publication to discovery of each item, ascending."""

    days: float
    visits: int
    fetches: int
    delays: tuple[float, ...]

    @property
    def fetches_per_day(self) -> float:
        return self.fetches / self.days if self.days > 0.0 else 0.0

    @property
    def mean_delay(self) -> float | None:
        return fmean(self.delays) if self.delays else None

    def delay_at(self, share: float) -> float | None:
        """The delay that this share of the items does not exceed: .5 the median, .95 the tail."""
        return self.delays[min(int(len(self.delays) * share), len(self.delays) - 1)] if self.delays else None


def replay(
    times: Sequence[float],
    since: float,
    until: float,
    pricing: Pricing,
    *,
    shown: int = 20,
    dates: bool = True,
    count_from: float | None = None,
) -> Replay:
    """Visit a page that published at `times` (ascending) from `since` to `until`, and see when each is found.

    The page shows the newest `shown` items; more new ones cost a request per further page. Without `dates`
    the visits only count. What comes before `count_from` is learnt from but not counted.
    """
    begin = since if count_from is None else count_from
    seen = bisect_right(times, since)
    old = times[max(0, seen - shown) : seen]
    state = first(old if dates else None, len(old), since)
    visits = fetches = 0
    delays: list[float] = []
    at = next_visit(state, since, pricing)
    while at <= until:
        found = times[seen : bisect_right(times, at)]
        seen += len(found)
        if at >= begin:
            visits, fetches = visits + 1, fetches + 1 + len(found) // shown
            delays += [at - t for t in found if t >= begin]
        state = visited(state, at, found if dates else None, len(found))
        at = next_visit(state, at, pricing)
    delays += [until - t for t in times[seen : bisect_right(times, until)] if t >= begin]
    return Replay((until - begin) / 86400.0, visits, fetches, tuple(sorted(delays)))
