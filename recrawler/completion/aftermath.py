"""What a finished walk found, and what is remembered of it."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime, timedelta

from recrawler.completion.anchors import at_frontier, beyond, bumped, in_place, news_between, older_than
from recrawler.completion.meeting import meeting
from recrawler.completion.resume import broken_off, read_since
from recrawler.completion.walk import (
    BASE_CAP,
    HEAD_CAP,
    TAIL,
    Decision,
    Row,
    SeriesMemory,
    Status,
    Walk,
    short,
)
from recrawler.page.types import Verdict

SHOWN = 1.0  # log10 of the odds against chance at which news at the top outweighs what one page looks like
OLD = timedelta(days=1)  # before the last complete visit: a flood dated so is no news


def statuses(walk: Walk) -> dict[str, Status]:
    """Status of each unknown row of the walk, by key.

    On a first visit all is baseline but the `backfill` newest. Later, unknown rows below the last anchor that
    are older than the base or lie past its end are baseline; unknown rows that stand among the anchors with
    a date before the last complete visit are back-dated, and so are those of a flood: very many at once with
    old dates, wherever they stand. All others are new. Of a list that is not sorted, or not known to be, what
    is read for the first time is baseline.
    """
    if walk.first:
        return _first_statuses(walk)
    rows = walk.rows
    places = in_place(walk)
    first, last = (places[0], places[-1]) if places else (len(rows), len(rows))
    frontier = at_frontier(walk, [rows[i] for i in places])
    in_order = len(places) >= 2 * TAIL and not news_between(rows, first, last)
    unsorted = walk.memory.order == "unsorted"
    first_read = _first_read(walk)
    out: dict[str, Status] = {}
    for i, r in enumerate(rows):
        if r.known is not None:
            continue
        below = bool(places) and i > last
        if r.key in first_read:
            out[r.key] = "baseline"
        elif below and not unsorted:
            old = beyond(walk, r, rows[last], frontier or in_order)
            out[r.key] = "baseline" if old else "new"
        elif older_than(r, walk.memory.floor) and not below:
            out[r.key] = "backdated" if places else "baseline"
        elif first < i < last and older_than(r, walk.memory.complete_at):
            out[r.key] = "backdated"
        else:
            out[r.key] = "new"
    return out | dict.fromkeys(_flood(walk, out), "backdated")


def _first_read(walk: Walk) -> set[str]:
    """Keys of the rows that no visit has come down to before, of a list that need not be sorted: where its
    order is not known, those below the last known link."""
    if walk.memory.order == "unsorted":
        return {r.key for p in walk.unread for r in p.rows}
    if walk.memory.trusted or not walk.memory.reach:
        return set()
    rows = walk.rows
    last = max((i for i, r in enumerate(rows) if r.known), default=len(rows))
    deep = {r.key for p in walk.pages[walk.memory.reach :] for r in p.rows}
    return {r.key for r in rows[last + 1 :] if r.key in deep}


def _flood(walk: Walk, status: dict[str, Status]) -> list[str]:
    """Keys of the new links of a site that publishes its archive again; empty where they are few."""
    since = walk.memory.complete_at
    if since is None or not walk.limits.flood:
        return []
    old = [r.key for r in walk.rows if status.get(r.key) == "new" and older_than(r, since - OLD)]
    there = sum(s == "backdated" for s in status.values())
    return old if len(old) + there >= walk.limits.flood else []


def returned(walk: Walk) -> list[str]:
    """Keys of known links that have come back to the top of the list after they were gone for long."""
    before = walk.limits.gone_before
    if before is None or walk.first:
        return []
    places, base = in_place(walk), set(walk.memory.base)
    above = walk.rows[: places[-1] if places else 0]
    return [
        r.key
        for r in above
        if r.known is not None
        and short(r.key) not in base
        and (r.known.last_seen is None or r.known.last_seen < before)
    ]


def redated(walk: Walk, decision: Decision) -> list[Row]:
    """Known rows whose new date the history has to know from now on: they were lifted, and have their place
    in the new base."""
    return [r for r in walk.rows if bumped(r)] if decision.moves_base else []


def late(walk: Walk, status: dict[str, Status]) -> int | None:
    """How many links an audit has found past the place where the visit would have stopped; null where this
    was no audit."""
    met_at, _ = meeting(walk, True) if walk.limits.audit_pages and not walk.first else (None, "")
    if met_at is None or len(walk.pages) == met_at + 1:
        return None
    rows = (r for p in walk.pages[met_at + 1 :] for r in p.rows)
    return sum(status.get(r.key) in ("new", "backdated") for r in rows)


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
    """The memory after the visit. `order` is what the pages said of the order, `unknown` if nothing; history
    has the last word."""
    old = walk.memory
    memory = replace(
        old,
        order=_settled_order(old) or (order if order != "unknown" else old.order),
        capacity=_capacity(walk, decision),
        head=tuple(r.key for r in walk.pages[0].rows[:HEAD_CAP]) if walk.pages else old.head,
        since_audit=0 if walk.limits.audit_pages else old.since_audit + 1,
        lost=0,
    )
    memory = _with_evidence(walk, memory)
    if _doubts_alone(walk, memory):
        memory = replace(memory, order=old.order)
    if not decision.moves_base:
        return broken_off(walk, memory)
    base, floor = _new_base(walk)
    memory = replace(memory, reach=_reach(walk))
    return replace(memory, base=base, floor=floor, complete_at=now, gap_visit=None, gap_tries=0, broken=None)


def _capacity(walk: Walk, decision: Decision) -> int:
    """The most rows that a page shows: of all pages ever read, until a walk over several, of which nothing
    was left out, shows that it has changed."""
    shown = [p.shown for p in walk.pages]
    if decision.complete and not walk.first and len(shown) > 1:
        return max(shown)
    return max([walk.memory.capacity, *shown])


def _doubts_alone(walk: Walk, memory: SeriesMemory) -> bool:
    """Whether a single page looks unsorted (pins, lifted rows) of a list that was sorted, and has taken all
    its news in at the top."""
    turned = memory.order == "unsorted" and walk.memory.trusted and walk.memory.order != "unsorted"
    return turned and len(walk.pages) == 1 and memory.on_top >= SHOWN and not memory.scattered


def _settled_order(old: SeriesMemory) -> Verdict | None:
    """The order that history has settled, whatever the pages of one visit look like; null: it has not. A list
    whose order no page has told is read as newest-first."""
    if old.disordered:
        return "unsorted"
    if not old.settled or old.order == "unsorted":
        return None
    return "newest-first" if old.order == "unknown" else old.order


def _reach(walk: Walk) -> int:
    old = walk.memory
    if (old.base and not old.reach) or walk.pages[-1].older is None:
        return 0
    return max(old.reach, len(walk.pages))


def _new_base(walk: Walk) -> tuple[tuple[str, ...], datetime | None]:
    """What was read since the old base, then what is left of it below."""
    old, seen = walk.memory, read_since(walk)
    rows = [r for r in walk.rows if not r.pinned]
    here, places = set(seen), in_place(walk)
    anchor = short(walk.rows[places[-1]].key) if places else ""
    below = old.base[old.base.index(anchor) + 1 :] if anchor in old.base else ()
    rest = tuple(b for b in below if b not in here)
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
    places = in_place(walk)
    new = [i for i, r in enumerate(rows) if r.known is None and not r.pinned]
    if not places or not new:
        return memory
    inside = [i for i in new if places[0] < i < places[-1] and not older_than(rows[i], memory.floor)]
    on_top = sum(i < places[0] for i in new)
    if inside:
        scattered = memory.scattered + len(inside)
        order: Verdict = memory.order
        if order == "unknown" and scattered >= TAIL:
            order = "unsorted"
        return replace(memory, scattered=scattered, on_top=0.0, order=order)
    odds = math.log10(math.comb(len(places) + on_top, on_top)) if on_top else 0.0
    return replace(memory, on_top=min(memory.on_top + odds, 99.0), scattered=max(0, memory.scattered - 1))
