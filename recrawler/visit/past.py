"""An index's own history as a series of publications, for playing other budgets on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from recrawler import cadence
from recrawler.cadence.observe import usable
from recrawler.records import IndexPage, Publication, Visit

LEAST_LINKS, LEAST_DAYS = 10, 3.0  # of a history that can be played
WARM_UP = 14.0  # days that are learnt from and not counted; a third of a shorter history
PAGE = 20  # links of a page where no visit tells
_EXACT = ("second", "minute", "hour")


@dataclass(frozen=True, slots=True)
class Past:
    """When links were published (unix seconds, ascending) since a time from which all are known."""

    times: tuple[float, ...]
    since: float
    until: float
    dated: float  # share of them that had a date; the others came some time before they were found
    shown: int  # links on page 1

    @property
    def count_from(self) -> float:
        """When counting begins."""
        return self.since + min(WARM_UP * 86400.0, (self.until - self.since) / 3.0)

    @property
    def lacks(self) -> str:
        """Why it is too short to be played; empty where it is not."""
        days = (self.until - self.since) / 86400.0
        if len(self.times) >= LEAST_LINKS and days >= LEAST_DAYS:
            return ""
        return (
            f"it knows {len(self.times)} links of {days:.1f} days, and {LEAST_LINKS} links of "
            f"{LEAST_DAYS:.0f} days are the least"
        )

    def play(self, pricing: cadence.Pricing) -> cadence.Replay:
        """What visits under this pricing would have come to."""
        return cadence.replay(
            self.times,
            self.since,
            self.until,
            pricing,
            shown=self.shown,
            dates=self.dated >= 0.5,
            count_from=self.count_from,
        )


def past_of(
    index: IndexPage, publications: Iterable[Publication], visits: Sequence[Visit], now: datetime, days: float
) -> Past:
    """The last `days` of an index's history. What was on the list at the first visit counts as far as its
    dates tell a cadence; back-dated links and new addresses of old ones were not published then."""
    known = [p for p in publications if p.status in ("new", "baseline")]
    baseline = [p.published_at.timestamp() for p in known if p.status == "baseline" and p.published_at]
    added = index.added_at.timestamp()
    old = usable(baseline, added)
    since = max(min([added, *old]), (now - timedelta(days=days)).timestamp())
    dated = [_has_date(p) for p in known if p.status == "new"]
    times = sorted([*old, *(_when(p) for p in known if p.status == "new")])
    return Past(
        tuple(t for t in times if since <= t <= now.timestamp()),
        since,
        now.timestamp(),
        sum(dated) / len(dated) if dated else float(bool(old)),
        max((v.pages[0].links for v in visits if v.pages), default=0) or PAGE,
    )


def _has_date(p: Publication) -> bool:
    return p.published_at is not None and p.precision in _EXACT and p.published_at <= p.found_at


def _when(p: Publication) -> float:
    return (p.published_at if p.published_at and _has_date(p) else p.found_at).timestamp()


def as_it_was(past: Past, publications: Iterable[Publication], visits: Iterable[Visit]) -> cadence.Replay:
    """What the visits that were made came to over the same time; delays of links with a date alone."""
    made = [v for v in visits if past.count_from <= v.started_at.timestamp() <= past.until]
    delays = sorted(
        p.found_at.timestamp() - _when(p)
        for p in publications
        if p.status == "new" and _has_date(p) and past.count_from <= _when(p) <= past.until
    )
    since = min((v.started_at.timestamp() for v in made), default=past.until)
    days = (past.until - since) / 86400.0
    return cadence.Replay(days, len(made), sum(v.requests for v in made), tuple(delays))
