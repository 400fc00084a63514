"""What a walk is made of: rows, pages, memory, limits; plain values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

from recrawler.page.types import Precision, Verdict

Outcome = Literal[
    "met-history", "first-visit", "end-of-series", "unchanged", "page-limit", "looped", "anchor-lost",
    "unsorted-diff", "blocked", "empty", "fetch-failed", "robots-denied",
]  # fmt: skip
Status = Literal["new", "baseline", "backdated", "updated"]

TAIL = 3  # rows at the end of a page that have to be anchors
BASE_CAP = 160  # rows of the base that are kept, newest first
HEAD_CAP = 100  # rows of the first page that are kept with their whole keys
GAP_TRIES = 3  # visits that try to close one gap before it is given up
SETTLED = 3.0  # log10 of the odds against chance at which the history has settled an order

UNIT = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
}


@dataclass(frozen=True, slots=True)
class KnownLink:
    """What the history says of a link: in which visit it came in, and as what."""

    key: str
    first_visit: int
    published_at: datetime | None
    precision: Precision | None
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Row:
    """One link of the list; `known` is null where the history of its series has never held it."""

    key: str
    url: str
    title: str
    published_at: datetime | None
    precision: Precision | None
    pinned: bool
    rank: int  # 1-based, as it stands on its page
    known: KnownLink | None = None


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of a walk: its rows in walk order, and the way on.

    `older` is null where there is no way on; `unfollowable` then says that there is one for a browser only.
    """

    url: str
    number: int
    rows: tuple[Row, ...]
    older: str | None
    unfollowable: bool = False
    shown: int = 0  # rows of the page itself, those seen on earlier pages of the visit too


@dataclass(frozen=True, slots=True)
class SeriesMemory:
    """What is remembered of one series (a listing and the pages after it) between visits.

    `base` holds short hashes of the identity keys of the last complete visit's rows, newest first; `floor`
    is the publish time at its old end. `gap_visit` is the number of the visit that opened the gap: links that
    came in since are in the history but are no anchors. `on_top` and `scattered` are what the history says
    of the order: log10 odds that new links come in at the newest end, and the number that did not.
    """

    listing: str
    path: str = ""
    bar_path: str | None = None
    order: Verdict = "unknown"
    base: tuple[str, ...] = ()
    head: tuple[str, ...] = ()  # identity keys of the first page's rows: has anything changed, has one gone
    floor: datetime | None = None
    capacity: int = 0  # most rows ever seen on one page
    gap_visit: int | None = None
    gap_tries: int = 0
    on_top: float = 0.0
    scattered: int = 0
    since_audit: int = 0
    complete_at: datetime | None = None  # when the base was read
    newest_url: str | None = None  # oldest-first lists: the page that held the newest rows
    lost: int = 0  # visits in a row that did not find the block

    @property
    def settled(self) -> bool:
        """Whether visits have shown that new links come in at the newest end, and nowhere else."""
        return self.on_top >= SETTLED and self.scattered == 0

    @property
    def trusted(self) -> bool:
        """Whether the list has an order that a stop rule can rely on."""
        return self.order in ("newest-first", "oldest-first") or self.settled


@dataclass(frozen=True, slots=True)
class Limits:
    """What a visit may spend on one series, and what it was asked for beyond the news."""

    max_pages: int = 30
    baseline_pages: int = 2
    backfill: int = 0  # first visit: so many links are wanted as new
    backfill_since: datetime | None = None
    audit_pages: int = 0  # pages past the stop; 0: no audit in this visit


@dataclass(frozen=True, slots=True)
class Walk:
    """A visit's reading of one series so far."""

    memory: SeriesMemory
    visit: int  # number of this visit, 1-based
    limits: Limits = Limits()
    pages: tuple[PageView, ...] = ()
    exhausted: str = ""  # why no further request may be made; empty: it may

    def read(self, page: PageView) -> Walk:
        """The walk with one page more; rows that stood on an earlier page of this visit are left out."""
        seen = {r.key for p in self.pages for r in p.rows}
        fresh = tuple(r for r in unique(page.rows) if r.key not in seen)
        page = replace(page, rows=fresh, shown=len(page.rows))
        return replace(self, pages=(*self.pages, page))

    @property
    def first(self) -> bool:
        return not self.memory.base

    @property
    def rows(self) -> list[Row]:
        return [r for p in self.pages for r in p.rows]


@dataclass(frozen=True, slots=True)
class Decision:
    """Go on to `next_url`, or stop with an outcome. `moves_base`: the next visit starts from this one."""

    next_url: str | None
    outcome: Outcome = "met-history"
    complete: bool = False
    moves_base: bool = False
    why: str = ""


def unique(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The first row of each key."""
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(row.key, row)
    return tuple(first.values())


@lru_cache(maxsize=16384)
def short(key: str) -> str:
    """48 bits of a key: enough for the few hundred rows of one base."""
    return hashlib.blake2b(key.encode(), digest_size=6).hexdigest()
