"""Whether a walk has met the history: is the tail of a page known, in its old place, and beyond doubt."""

from __future__ import annotations

from recrawler.completion.anchors import beyond, in_place, is_anchor
from recrawler.completion.walk import TAIL, Row, Walk, short


def meeting(walk: Walk, at_end: bool) -> tuple[int | None, str]:
    """Position of the page that meets the history, or null; and why."""
    guarded = False
    placed = {walk.rows[i].key for i in in_place(walk)}
    for n, page in enumerate(walk.pages):
        rows = _without_overhang(walk, [r for r in page.rows if not r.pinned])
        tail = rows[-TAIL:]
        if not tail or not all(r.key in placed for r in tail):
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


def _without_overhang(walk: Walk, rows: list[Row]) -> list[Row]:
    """The page without the unknown rows at its end that lie below what the base covered: below its last rows.
    Where others of it should follow, dates alone do not tell: they may be misread, or made up."""
    end = len(rows)
    while end and rows[end - 1].known is None:
        end -= 1
    overhang = rows[end:]
    if not overhang or end < TAIL or short(rows[end - 1].key) not in walk.memory.base[-TAIL:]:
        return rows
    return rows[:end] if all(beyond(walk, r, rows[end - 1], frontier=True) for r in overhang) else rows


def _doubt(walk: Walk, n: int, rows: list[Row]) -> str:
    """Why a page whose tail is known does not yet end the walk; empty: it does."""
    if not walk.memory.trusted:
        return "the list's order is not known"
    if len(rows) < TAIL:
        return "too few rows to judge by"
    if walk.memory.scattered >= TAIL:
        return "new links come in among known ones"
    if not walk.memory.settled and _tie_at_end(walk, n, rows):
        return "equal dates reach to the end of the page"
    run = _trailing_run(walk, rows)
    missing = _missing_above(walk, n, run[0])
    if len(run) < TAIL + 2 * missing:
        return f"{missing} links that stood above are gone or moved"
    return ""


def _trailing_run(walk: Walk, rows: list[Row]) -> list[Row]:
    start = len(rows)
    while start and is_anchor(walk, rows[start - 1]):
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
