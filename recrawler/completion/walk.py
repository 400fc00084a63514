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
Status = Literal["new", "baseline", "backdated", "updated", "returned"]
Move = Literal["on", "jump", "back", "between", "again"]

TAIL = 3  # rows at the end of a page that have to be anchors
BASE_CAP = 160  # rows of the base that are kept, newest first
HEAD_CAP = 100  # rows of the first page that are kept with their whole keys
GAP_TRIES = 3  # visits in a row that read nothing new of a gap before it is given up
GAP_VISITS = 30  # visits that work at one gap in all
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
    last_seen: datetime | None = None  # null: not known, or so long ago that retention dropped the row
    given: bool = False  # it was given out


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
    `newer` leads the other way.
    """

    url: str
    number: int
    rows: tuple[Row, ...]
    older: str | None
    unfollowable: bool = False
    shown: int = 0  # rows of the page itself, those seen on earlier pages of the visit too
    newer: str | None = None
    bar: str = ""  # what its bar says, to tell a page that is another one again; empty: not known
    depth: int = 0  # pages that its bar tells of; 0: not told
    last: str = ""  # key of its last row, seen on earlier pages of the visit or not
    lasting: bool = True  # its URL can be asked for at a later visit too


@dataclass(frozen=True, slots=True)
class BrokenWalk:
    """What is kept of a walk that was broken off, so that a later visit takes it up where it ended.

    `top` holds short hashes of what was read in one piece by the visits `since` to `until`, newest first:
    what a walk meets that has read the news. `url` (null: it cannot be asked for again) and `number` are the
    deepest page read. `whole` is false where it ended before it could be seen whether rows had slipped
    through.
    """

    top: tuple[str, ...] = ()
    since: int = 0
    until: int = 0
    url: str | None = None
    number: int = 0
    whole: bool = True

    def has_read(self, row: Row) -> bool:
        return row.known is not None and self.since <= row.known.first_visit <= self.until


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
    gap_tries: int = 0  # visits in a row that brought no progress
    broken: BrokenWalk | None = None
    on_top: float = 0.0
    scattered: int = 0
    since_audit: int = 0
    complete_at: datetime | None = None  # when the base was read
    newest_url: str | None = None  # oldest-first lists: the page that held the newest rows
    lost: int = 0  # visits in a row that did not find the block
    reach: int = 0  # pages that have been read of a list that goes on below them; 0: all

    @property
    def settled(self) -> bool:
        """Whether visits have shown that new links come in at the newest end, and nowhere else."""
        return self.on_top >= SETTLED and self.scattered == 0

    @property
    def disordered(self) -> bool:
        """Whether pages have shown that the list is not sorted, and visits that new links come anywhere."""
        return self.order == "unsorted" and self.scattered >= TAIL

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
    flood: int = 0  # so many links with old dates at once are a re-published archive; 0: none is
    gone_before: datetime | None = None  # known links last seen before that have returned; null: none has


@dataclass(frozen=True, slots=True)
class SecondLook:
    """What reading pages again has shown: whether the list has moved while it was read, and how."""

    checked: frozenset[str] = frozenset()  # URLs of the pages
    moved: bool = False  # one of them had changed
    grown: bool = False  # rows have come in at the top: all pages are looked at once more
    shrunk: bool = False  # rows are gone from the middle of a page
    torn: str = ""  # why rows may have been missed nevertheless


@dataclass(frozen=True, slots=True)
class Walk:
    """A visit's reading of one series so far: its pages in walk order.

    A walk that takes up a broken one has two legs: the news, then (from `pages[leg]` on) the pages from the
    place where the broken one ended.
    """

    memory: SeriesMemory
    visit: int  # number of this visit, 1-based
    limits: Limits = Limits()
    pages: tuple[PageView, ...] = ()
    exhausted: str = ""  # why no further request may be made; empty: it may
    leg: int | None = None  # position of the second leg's first page
    seeking: int = 0  # pages read to find the place where the broken walk ended: they count for no limit
    seconds: float = 0.0  # since the first page was read
    look: SecondLook = SecondLook()

    def read(self, page: PageView, move: Move = "on") -> Walk:
        """The walk with a page more; rows that stood on an earlier page of this visit are left out."""
        seen = {r.key for p in self.pages for r in p.rows}
        fresh = tuple(r for r in unique(page.rows) if r.key not in seen)
        page = replace(page, rows=fresh, shown=len(page.rows), last=page.rows[-1].key if page.rows else "")
        if move == "on":
            return replace(self, pages=(*self.pages, page))
        if move == "between":
            return self._with_between(page)
        at = len(self.pages) if self.leg is None else self.leg
        pages = (*self.pages[:at], page, *self.pages[at:])
        return replace(self, pages=pages, leg=at, seeking=self.seeking + 1)

    def _with_between(self, page: PageView) -> Walk:
        """The walk with a page put above the one that names it as the newer one."""
        at = next((n for n, p in enumerate(self.pages) if p.newer == page.url), len(self.pages))
        leg = self.leg if self.leg is None or at > self.leg else self.leg + 1
        return replace(self, pages=(*self.pages[:at], page, *self.pages[at:]), leg=leg)

    @property
    def first(self) -> bool:
        return not self.memory.base

    @property
    def rows(self) -> list[Row]:
        return [r for p in self.pages for r in p.rows]

    @property
    def unread(self) -> tuple[PageView, ...]:
        """Pages that no visit has read before: below all that were, and without a known link."""
        below = self.pages[self.memory.reach :] if self.memory.reach else ()
        return tuple(p for p in below if p.rows and not any(r.known for r in p.rows))


@dataclass(frozen=True, slots=True)
class Decision:
    """Go on to `next_url`, or stop with an outcome. `moves_base`: the next visit starts from this one.

    `move` says how: `on` to the older page, with a `jump` to where a broken walk ended, `back` towards the
    newer end to find that place, to a page that lies `between` two that were read, or to a page `again`.
    """

    next_url: str | None
    outcome: Outcome = "met-history"
    complete: bool = False
    moves_base: bool = False
    why: str = ""
    move: Move = "on"


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
