"""The completion loop's decisions: when a walk over the pages of a list may stop, and what on them is new.

A walk reads pages from the newest end of a list towards the older one. Everything here is in *walk order*:
the first row of the first page is where the newest link is expected. (For an oldest-first list that is the
last row of its last page; `visit` turns such pages round.)

The rule, and why it is sound. Between two visits a list changes by insertions at its newest end, by
deletions, by pins, and by rows that are lifted to the top again ("bumps"). So it consists of two segments:
what was put on top since the base (the last complete visit), then what is left of the base, in its old
order. Nothing can be missed once the walk has reached the second segment. Known rows in the first segment
are pins and bumps; hence one known link on a page proves nothing, and the *tail* of a page is asked:

- its last rows (`TAIL`) are all anchors: in the history as of the base, not pinned, not dated anew;
- what stood above them in the base has been seen on the way, or so much of the base's order is kept that the
  rest must have been deleted. Where neither holds, where dates tie across the page's end, or where the order
  is not known, one page more is read (the guard page) and has to show nothing new.

Baidu's rule (a page that intersects the last visit ends the walk) is the first condition with any row in the
place of the tail; one pinned article makes it lose links.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from recrawler.page.types import Precision, Verdict

Outcome = Literal[
    "met-history", "first-visit", "end-of-series", "unchanged", "page-limit", "looped", "anchor-lost",
    "unsorted-diff", "blocked", "empty", "fetch-failed", "robots-denied",
]  # fmt: skip
Status = Literal["new", "baseline", "backdated", "updated"]

TAIL = 3  # rows at the end of a page that have to be anchors
BASE_CAP = 160  # rows of the base that are kept, newest first
GAP_TRIES = 3  # visits that try to close one gap before it is given up
SETTLED = 3.0  # log10 of the odds against chance at which the history has settled an order

_UNIT = {
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
    head: tuple[str, ...] = ()  # the rows of the first page, to see that nothing has changed
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
        return replace(self, pages=(*self.pages, replace(page, rows=fresh)))

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


def short(key: str) -> str:
    """48 bits of a key: enough for the few hundred rows of one base."""
    return hashlib.blake2b(key.encode(), digest_size=6).hexdigest()


# --- deciding ---------------------------------------------------------------------------------------------


def decide(walk: Walk) -> Decision:
    """Whether the walk, which has read at least one page, goes on."""
    way_on, end = _way_on(walk)
    if walk.first:
        return _first_visit(walk, way_on, end)
    if walk.memory.order == "unsorted" and not walk.memory.settled:
        return _full_diff(walk, way_on, end)
    met_at, why = _meeting(walk, way_on is None)
    if met_at is not None:
        past = len(walk.pages) - 1 - met_at
        if past < walk.limits.audit_pages and way_on and not walk.exhausted and not _at_limit(walk):
            return Decision(way_on, why="audit: looking for back-dated links past the stop")
        return _stop_met(walk, why)
    if _below_floor(walk):
        return Decision(
            None, "anchor-lost", walk.memory.trusted, True,
            "every link of the last visit is gone; stopped at links older than it",
        )  # fmt: skip
    if way_on is None:
        return _stop_unmet(walk, end)
    if limit := walk.exhausted or _at_limit(walk):
        return Decision(None, "page-limit", False, walk.memory.gap_tries + 1 >= GAP_TRIES, limit)
    return Decision(way_on, why=why)


def _at_limit(walk: Walk) -> str:
    return f"max_pages = {walk.limits.max_pages} reached" if len(walk.pages) >= walk.limits.max_pages else ""


def _way_on(walk: Walk) -> tuple[str | None, str]:
    """The URL of the next page, or null and why there is none."""
    page = walk.pages[-1]
    visited = {p.url for p in walk.pages}
    idle = 0  # pages at the end of the walk that held no link that the walk had not seen
    for p in reversed(walk.pages):
        if p.rows:
            break
        idle += 1
    if page.older is None:
        return None, "script" if page.unfollowable else "end"
    if page.older in visited:
        return None, "self-next" if page.older == page.url and not idle else "loop"
    if idle >= 2:
        return None, "loop"
    return page.older, ""


def _first_visit(walk: Walk, way_on: str | None, end: str) -> Decision:
    rows = [r for r in walk.rows if not r.pinned]
    since = walk.limits.backfill_since
    wants_more = len(rows) < walk.limits.backfill or (
        since is not None and not any(r.published_at and r.published_at < since for r in rows[-TAIL:])
    )
    if len(walk.pages) >= walk.limits.baseline_pages and not wants_more:
        return Decision(None, "first-visit", True, True, "base recorded")
    if way_on is None:
        return Decision(None, "first-visit", True, True, f"base recorded; {_END[end]}")
    if limit := walk.exhausted or _at_limit(walk):
        return Decision(None, "page-limit" if wants_more else "first-visit", not wants_more, True, limit)
    return Decision(way_on, why="reading the base")


def _full_diff(walk: Walk, way_on: str | None, end: str) -> Decision:
    if way_on is None:
        whole = end in ("end", "self-next")
        return Decision(None, "unsorted-diff", whole, True, f"the list is not sorted by time; {_END[end]}")
    if limit := walk.exhausted or _at_limit(walk):
        why = f"the list is not sorted by time and is longer than the limit: {limit}"
        return Decision(None, "unsorted-diff", False, True, why)
    return Decision(way_on, why="the list is not sorted by time: every page is compared")


def _stop_met(walk: Walk, why: str) -> Decision:
    same = walk.memory.head == tuple(short(r.key) for r in walk.pages[0].rows) and len(walk.pages) == 1
    if not walk.memory.trusted:
        why += "; the list's order is not settled yet"
    return Decision(None, "unchanged" if same else "met-history", walk.memory.trusted, True, why)


_END = {
    "end": "there is no older page",
    "script": "the older pages can only be reached by running script",
    "self-next": "the last page's next link leads to itself",
    "loop": "the pages repeat: paging has no effect or the list goes round",
}


def _stop_unmet(walk: Walk, end: str) -> Decision:
    """The series ends and the base was not met."""
    if end == "loop":
        return Decision(None, "looped", False, True, _END[end])
    last = walk.pages[-1]
    shown = max((len(p.rows) for p in walk.pages), default=0)
    room = len(last.rows) < max(walk.memory.capacity, shown) and walk.memory.order != "oldest-first"
    if end != "script" and room:
        # A page with room left is the end of the list itself, not of what a site chooses to show.
        why = f"every page was read; {_END[end]}"
        return Decision(None, "end-of-series", walk.memory.trusted, True, why)
    return Decision(None, "anchor-lost", False, True, f"no link of the last visit was found; {_END[end]}")


# --- meeting the history ----------------------------------------------------------------------------------


def _bumped(row: Row) -> bool:
    """Whether a known link now carries a clearly later date: it was lifted to the top again."""
    if row.known is None or row.published_at is None or row.known.published_at is None:
        return False
    coarse = max(_UNIT[row.precision or "day"], _UNIT[row.known.precision or "day"])
    return row.published_at - row.known.published_at > 2 * coarse


def _is_anchor(walk: Walk, row: Row) -> bool:
    if row.known is None or row.pinned or _bumped(row):
        return False
    return walk.memory.gap_visit is None or row.known.first_visit < walk.memory.gap_visit


def _older_than(row: Row, floor: datetime | None) -> bool:
    if floor is None or row.published_at is None:
        return False
    return row.published_at + _UNIT[row.precision or "day"] <= floor


def _without_overhang(walk: Walk, rows: list[Row]) -> list[Row]:
    """The page without the unknown rows at its end that lie below what the base covered."""
    end = len(rows)
    while end and rows[end - 1].known is None:
        end -= 1
    overhang = rows[end:]
    if not overhang or not end:
        return rows
    frontier = end >= TAIL and short(rows[end - 1].key) in walk.memory.base[-TAIL:]
    return rows[:end] if all(_beyond(walk, r, rows[end - 1], frontier) for r in overhang) else rows


def _beyond(walk: Walk, row: Row, anchor: Row, frontier: bool) -> bool:
    """Whether an unknown row below `anchor` is one that the base did not reach to. The dates tell; without
    them (or where they tie) the place does, if `anchor` is at the base's `frontier`."""
    floor = walk.memory.floor
    if floor is not None and row.published_at is not None:
        if _older_than(row, floor):
            return True
        if row.published_at > floor:
            return False
    return frontier and _below_all(walk, row, anchor)


def _below_all(walk: Walk, row: Row, anchor: Row) -> bool:
    """Whether an unknown row right below the base's last anchor is one that the base did not reach to. Where
    their dates tie, only if nothing new stands among the anchors, as it would in a list sorted otherwise."""
    if row.published_at is None or row.published_at != anchor.published_at:
        return True
    return walk.memory.settled or not _scattered(walk)


def _scattered(walk: Walk) -> bool:
    places = _in_place(walk)
    return not places or _news_between(walk.rows, places[0], places[-1])


def _in_place(walk: Walk) -> list[int]:
    """Positions in `walk.rows` of the anchors that kept their order: a longest subsequence that stands in
    the order of the base. Pins and bumps drop out."""
    rows = walk.rows
    index = {b: i for i, b in enumerate(walk.memory.base)}
    at = [i for i, r in enumerate(rows) if _is_anchor(walk, r)]
    order = [index.get(short(rows[i].key), len(index)) for i in at]
    tops: list[int] = []  # for each length, the least order value that a subsequence of it can end with
    ends: list[int] = []
    before: list[int] = []
    for n, value in enumerate(order):
        k = bisect_right(tops, value)
        tops[k : k + 1] = [value]
        ends[k : k + 1] = [n]
        before.append(ends[k - 1] if k else -1)
    chain: list[int] = []
    n = ends[-1] if ends else -1
    while n >= 0:
        chain.append(at[n])
        n = before[n]
    chain.reverse()
    return _without_lead(rows, chain)


def _without_lead(rows: list[Row], chain: list[int]) -> list[int]:
    """The chain without its first one or two places, where only these stand above news."""
    for lead in range(TAIL):
        rest = chain[lead:]
        if len(rest) < TAIL:
            break
        if not _news_between(rows, rest[0], rest[-1]):
            return rest
    return chain


def _news_between(rows: list[Row], first: int, last: int) -> bool:
    return any(rows[i].known is None and not rows[i].pinned for i in range(first, last))


def _meeting(walk: Walk, at_end: bool) -> tuple[int | None, str]:
    """Position of the page that meets the history, or null; and why."""
    guarded = False
    in_place = {walk.rows[i].key for i in _in_place(walk)}
    for n, page in enumerate(walk.pages):
        rows = _without_overhang(walk, [r for r in page.rows if not r.pinned])
        tail = rows[-TAIL:]
        if not tail or not all(r.key in in_place for r in tail):
            # A guard page without rows of its own (a repeat) neither confirms nor denies.
            guarded = guarded and not page.rows
            continue
        doubt = _doubt(walk, n, rows)
        if not doubt:
            return n, "the end of the page is known history"
        quiet = all(r.known for r in rows)
        if guarded and quiet:
            return n, "the end of the page is known history, and so is the page after"
        if n == len(walk.pages) - 1 and at_end:
            return n, f"known history, and no page after ({doubt})"
        guarded = True
        if n == len(walk.pages) - 1:
            return None, f"one page more: {doubt}"
    return None, "the end of the page is not known history"


def _doubt(walk: Walk, n: int, rows: list[Row]) -> str:
    """Why a page whose tail is known does not yet end the walk; empty: it does."""
    if not walk.memory.trusted:
        return "the list's order is not known"
    if len(rows) < TAIL:
        return "too few rows to judge by"
    if not walk.memory.settled and _tie_at_end(walk, n, rows):
        return "equal dates reach to the end of the page"
    run = _trailing_run(walk, rows)
    missing = _missing_above(walk, n, run[0])
    if len(run) < TAIL + 2 * missing:
        return f"{missing} links that stood above are gone or moved"
    return ""


def _trailing_run(walk: Walk, rows: list[Row]) -> list[Row]:
    start = len(rows)
    while start and _is_anchor(walk, rows[start - 1]):
        start -= 1
    return rows[start:]


def _missing_above(walk: Walk, n: int, anchor: Row) -> int:
    """How many rows of the base that stood above `anchor` have not been seen on pages 0..n."""
    base = walk.memory.base
    mark = short(anchor.key)
    above = base[: base.index(mark)] if mark in base else base
    seen = {short(r.key) for p in walk.pages[: n + 1] for r in p.rows}
    return sum(b not in seen for b in above)


def _tie_at_end(walk: Walk, n: int, rows: list[Row]) -> bool:
    """Whether the date at the page's end is one that new links carry too, at day precision: a list that is
    sorted otherwise within a day may hold more of them on the next page."""
    last = rows[-1]
    if last.published_at is None or last.precision != "day":
        return False
    seen = [r for p in walk.pages[: n + 1] for r in p.rows if not r.pinned]
    newest = max((r.published_at for r in seen if r.published_at), default=None)
    fresh = {r.published_at for r in seen if r.known is None}
    return last.published_at == newest or last.published_at in fresh


def _below_floor(walk: Walk) -> bool:
    """Whether a whole page is older than all that the base covered (its anchors were deleted)."""
    rows = [r for r in walk.pages[-1].rows if not r.pinned and r.known is None]
    dated = [r for r in rows if r.published_at is not None]
    if len(dated) < TAIL or len(dated) < 0.8 * len(rows):
        return False
    return all(_older_than(r, walk.memory.floor) for r in dated)


# --- what was found, and what is remembered ---------------------------------------------------------------


def statuses(walk: Walk) -> dict[str, Status]:
    """Status of each unknown row of the walk, by key.

    On a first visit all is baseline but the `backfill` newest. Later, unknown rows below the last anchor that
    are older than the base or lie past its end are baseline; unknown rows that stand among the anchors with
    a date before the last complete visit are back-dated; all others are new.
    """
    if walk.first:
        return _first_statuses(walk)
    rows = walk.rows
    places = _in_place(walk)
    first, last = (places[0], places[-1]) if places else (len(rows), len(rows))
    at_frontier = len(places) >= TAIL and short(rows[last].key) in walk.memory.base[-TAIL:]
    in_order = len(places) >= 2 * TAIL and not _news_between(rows, first, last)
    out: dict[str, Status] = {}
    for i, r in enumerate(rows):
        if r.known is not None:
            continue
        below = bool(places) and i > last
        if below and walk.memory.order != "unsorted":
            beyond = _beyond(walk, r, rows[last], at_frontier or in_order)
            out[r.key] = "baseline" if beyond else "new"
        elif _older_than(r, walk.memory.floor) and not below:
            out[r.key] = "backdated" if places else "baseline"
        elif first < i < last and _older_than(r, walk.memory.complete_at):
            out[r.key] = "backdated"
        else:
            out[r.key] = "new"
    return out


def _first_statuses(walk: Walk) -> dict[str, Status]:
    out: dict[str, Status] = {}
    since = walk.limits.backfill_since
    left = walk.limits.backfill
    for r in sorted(walk.rows, key=lambda r: r.pinned):
        wanted = not r.pinned and (
            left > 0 or (since is not None and r.published_at is not None and r.published_at >= since)
        )
        out[r.key] = "new" if wanted else "baseline"
        left -= wanted
    return out


def remember(walk: Walk, decision: Decision, order: Verdict, now: datetime) -> SeriesMemory:
    """The memory after the visit. `order` is what the pages said of the order, `unknown` if nothing."""
    old = walk.memory
    memory = replace(
        old,
        order=order if order != "unknown" else old.order,
        capacity=max([old.capacity, *(len(p.rows) for p in walk.pages)]),
        head=tuple(short(r.key) for r in walk.pages[0].rows) if walk.pages else old.head,
        since_audit=0 if walk.limits.audit_pages else old.since_audit + 1,
        lost=0,
    )
    memory = _with_evidence(walk, memory)
    if not decision.moves_base:
        return replace(memory, gap_visit=old.gap_visit or walk.visit, gap_tries=old.gap_tries + 1)
    base, floor = _new_base(old, [r for r in walk.rows if not r.pinned])
    return replace(memory, base=base, floor=floor, complete_at=now, gap_visit=None, gap_tries=0)


def _new_base(old: SeriesMemory, rows: list[Row]) -> tuple[tuple[str, ...], datetime | None]:
    """This visit's rows, then what is left of the old base below them."""
    seen = [short(r.key) for r in rows]
    here = set(seen)
    last = max((i for i, b in enumerate(old.base) if b in here), default=None)
    rest = old.base[last + 1 :] if last is not None else ()
    base = (*seen, *rest)[:BASE_CAP]
    if rest and old.floor:
        return base, old.floor
    oldest = sorted([r.published_at for r in rows if r.published_at is not None][-TAIL:])
    return base, oldest[len(oldest) // 2] if oldest else None


def _with_evidence(walk: Walk, memory: SeriesMemory) -> SeriesMemory:
    """What this visit's new links say of the order: m links above n known ones are by chance on top with
    probability 1 / C(n + m, m)."""
    if walk.first:
        return memory
    rows = walk.rows
    places = _in_place(walk)
    new = [i for i, r in enumerate(rows) if r.known is None and not r.pinned]
    if not places or not new:
        return memory
    inside = [i for i in new if places[0] < i < places[-1] and not _older_than(rows[i], memory.floor)]
    on_top = sum(i < places[0] for i in new)
    if inside:
        scattered = memory.scattered + len(inside)
        order: Verdict = memory.order
        if order == "unknown" and scattered >= TAIL:
            order = "unsorted"
        return replace(memory, scattered=scattered, on_top=0.0, order=order)
    odds = math.log10(math.comb(len(places) + on_top, on_top)) if on_top else 0.0
    return replace(memory, on_top=min(memory.on_top + odds, 99.0), scattered=max(0, memory.scattered - 1))
