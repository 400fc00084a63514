"""Which rows of a walk are known history in its old place: anchors, and what lies below them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import lru_cache

from recrawler.completion.walk import TAIL, UNIT, Row, Walk, short


def bumped(row: Row) -> bool:
    """Whether a known link carries a clearly later date than at the base: it was lifted to the top again."""
    if row.known is None or row.published_at is None or row.known.published_at is None:
        return False
    coarse = max(UNIT[row.precision or "day"], UNIT[row.known.precision or "day"])
    return row.published_at - row.known.published_at > 2 * coarse


def lifted(walk: Walk) -> set[str]:
    """Keys of the known links that were lifted. A later date says so, but not right below others that stand
    as they stood in the base, date and all: what is lifted comes to the top, so there a date is only read
    otherwise (its form has changed, and the zone is not known)."""
    index = _places(walk.memory.base)
    out: set[str] = set()
    steady, before = 0, None
    for r in walk.rows:
        if r.pinned:
            continue
        place = None if r.known is None else index.get(short(r.key))
        follows = before is not None and place == before + 1
        if bumped(r) and not (follows and steady >= TAIL):
            out.add(r.key)
            steady = 0
        elif place is not None:
            steady = steady + 1 if follows else 1
        before = place
    return out


def is_anchor(walk: Walk, row: Row, lifted: Collection[str]) -> bool:
    if row.known is None or row.pinned or row.key in lifted:
        return False
    return walk.memory.gap_visit is None or row.known.first_visit < walk.memory.gap_visit


def older_than(row: Row, floor: datetime | None) -> bool:
    if floor is None or row.published_at is None:
        return False
    return row.published_at + UNIT[row.precision or "day"] <= floor


def in_place(walk: Walk) -> list[int]:
    """Positions in `walk.rows` of the anchors that kept their order: a longest subsequence that stands in
    the order of the base. Pins and bumps drop out."""
    rows = walk.rows
    index = _places(walk.memory.base)
    up = lifted(walk)
    at = [i for i, r in enumerate(rows) if is_anchor(walk, r, up)]
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


@lru_cache(maxsize=64)
def _places(base: tuple[str, ...]) -> dict[str, int]:
    return {b: i for i, b in enumerate(base)}


def _without_lead(rows: list[Row], chain: list[int]) -> list[int]:
    """The chain without its first one or two places, where only these stand above news."""
    for lead in range(TAIL):
        rest = chain[lead:]
        if len(rest) < TAIL:
            break
        if not news_between(rows, rest[0], rest[-1]):
            return rest
    return chain


def news_between(rows: list[Row], first: int, last: int) -> bool:
    return any(rows[i].known is None and not rows[i].pinned for i in range(first, last))


def _scattered(walk: Walk) -> bool:
    places = in_place(walk)
    return not places or news_between(walk.rows, places[0], places[-1])


def beyond(walk: Walk, row: Row, anchor: Row, frontier: bool) -> bool:
    """Whether an unknown row below `anchor` is one that the base did not reach to. The dates tell; without
    them (or where they tie) the place does, if `anchor` is at the base's `frontier`."""
    floor = walk.memory.floor
    if floor is not None and row.published_at is not None:
        if older_than(row, floor):
            return True
        if row.published_at > floor:
            return False
    return frontier and walk.memory.trusted and _below_all(walk, row, anchor)


def at_frontier(walk: Walk, rows: Sequence[Row]) -> bool:
    """Whether rows, the last ones above what is asked about, stand where the base ends: the last one among
    its last, the others near them. Two pins and a lifted row may stand together, but not so."""
    base, tail = walk.memory.base, [short(r.key) for r in rows[-TAIL:]]
    return len(tail) == TAIL and tail[-1] in base[-TAIL:] and set(tail) <= set(base[-2 * TAIL :])


def _below_all(walk: Walk, row: Row, anchor: Row) -> bool:
    """Whether an unknown row right below the base's last anchor is one that the base did not reach to. Where
    their dates tie, only if nothing new stands among the anchors, as it would in a list sorted otherwise."""
    if row.published_at is None or row.published_at != anchor.published_at:
        return True
    return walk.memory.settled or not _scattered(walk)
