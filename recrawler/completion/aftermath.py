"""What a finished walk found, and what is remembered of it."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime

from recrawler.completion.anchors import beyond, in_place, news_between, older_than
from recrawler.completion.resume import broken_off, read_since
from recrawler.completion.walk import (
    BASE_CAP,
    HEAD_CAP,
    TAIL,
    Decision,
    SeriesMemory,
    Status,
    Walk,
    short,
)
from recrawler.page.types import Verdict


def statuses(walk: Walk) -> dict[str, Status]:
    """Status of each unknown row of the walk, by key.

    On a first visit all is baseline but the `backfill` newest. Later, unknown rows below the last anchor that
    are older than the base or lie past its end are baseline; unknown rows that stand among the anchors with
    a date before the last complete visit are back-dated; all others are new. Of a list that is not sorted,
    what stands on pages that are read for the first time is baseline.
    """
    if walk.first:
        return _first_statuses(walk)
    rows = walk.rows
    places = in_place(walk)
    first, last = (places[0], places[-1]) if places else (len(rows), len(rows))
    at_frontier = len(places) >= TAIL and short(rows[last].key) in walk.memory.base[-TAIL:]
    in_order = len(places) >= 2 * TAIL and not news_between(rows, first, last)
    unsorted = walk.memory.order == "unsorted"
    first_read = {r.key for p in walk.unread for r in p.rows} if unsorted else set()
    out: dict[str, Status] = {}
    for i, r in enumerate(rows):
        if r.known is not None:
            continue
        below = bool(places) and i > last
        if r.key in first_read:
            out[r.key] = "baseline"
        elif below and not unsorted:
            old = beyond(walk, r, rows[last], at_frontier or in_order)
            out[r.key] = "baseline" if old else "new"
        elif older_than(r, walk.memory.floor) and not below:
            out[r.key] = "backdated" if places else "baseline"
        elif first < i < last and older_than(r, walk.memory.complete_at):
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
        head=tuple(r.key for r in walk.pages[0].rows[:HEAD_CAP]) if walk.pages else old.head,
        since_audit=0 if walk.limits.audit_pages else old.since_audit + 1,
        lost=0,
    )
    memory = _with_evidence(walk, memory)
    if not decision.moves_base:
        return broken_off(walk, memory)
    base, floor = _new_base(walk)
    memory = replace(memory, reach=_reach(walk))
    return replace(memory, base=base, floor=floor, complete_at=now, gap_visit=None, gap_tries=0, broken=None)


def _reach(walk: Walk) -> int:
    old = walk.memory
    if (old.base and not old.reach) or walk.pages[-1].older is None:
        return 0
    return max(old.reach, len(walk.pages))


def _new_base(walk: Walk) -> tuple[tuple[str, ...], datetime | None]:
    """What was read since the old base, then what is left of it below."""
    old, seen = walk.memory, read_since(walk)
    rows = [r for r in walk.rows if not r.pinned]
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
