"""Whether a walk has met the history: is the tail of a page known, in its old place, and beyond doubt."""

from __future__ import annotations

from recrawler.completion.anchors import at_frontier, beyond, in_place, is_anchor, lifted
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


def replaced(walk: Walk) -> int:
    """How many links that stood on top have given way to as many new ones or more, while older ones stay:
    what one page shows of a list that moves on above another that does not. 0 for less than a few."""
    rows, places = walk.rows, in_place(walk)
    if not places:
        return 0
    gone = _missing_above(walk, len(walk.pages) - 1, rows[places[0]])
    return gone if TAIL <= gone <= sum(r.known is None for r in rows[: places[0]]) else 0


def _without_overhang(walk: Walk, rows: list[Row]) -> list[Row]:
    """The page without the unknown rows at its end that lie below what the base covered: below its last rows.
    Where others of it should follow, dates alone do not tell: they may be misread, or made up."""
    end = len(rows)
    while end and rows[end - 1].known is None:
        end -= 1
    overhang = rows[end:]
    if not overhang or not at_frontier(walk, rows[:end]):
        return rows
    return rows[:end] if all(beyond(walk, r, rows[end - 1], frontier=True) for r in overhang) else rows


def _doubt(walk: Walk, n: int, rows: list[Row]) -> str:
    """Why a page whose tail is known does not yet end the walk; empty: it does."""
    if not walk.memory.trusted:
        return "the list's order is not known"
    if len(rows) < TAIL:
        return "too few rows to judge by"
    if shows_few(walk, n) and not goes_on(walk, n):
        return "it shows far fewer links than pages did"
    if walk.memory.scattered >= TAIL:
        return "new links come in among known ones"
    if not walk.memory.settled and _tie_at_end(walk, n, rows):
        return "equal dates reach to the end of the page"
    run = _trailing_run(walk, rows)
    missing = _missing_above(walk, n, run[0])
    if len(run) < TAIL + 2 * missing:
        return f"{missing} links that stood above are gone or moved"
    return ""


# A page that shows less than this part of what pages show may not have been read whole. In the middle of a
# series the pages of real sites show two thirds and more, but where they are counted from the oldest.
PARTLY = 2


def most_shown(walk: Walk) -> int:
    """The most rows that a page of this series has shown."""
    return max(walk.memory.capacity, *(p.shown for p in walk.pages))


def shows_few(walk: Walk, n: int) -> bool:
    """Whether page `n`, which is not the last of the series, shows far fewer rows than pages do."""
    page = walk.pages[n]
    few = page.shown * PARTLY < most_shown(walk)
    return few and page.older is not None and not may_fill(walk, n)


def may_fill(walk: Walk, n: int) -> bool:
    """Whether page `n` is the only one that new rows come to, so that it is rarely full: in an oldest-first
    list, or where pages are counted from the oldest."""
    page = walk.pages[n]
    return n == 0 and (walk.memory.order == "oldest-first" or page.number == page.depth > 1)


def goes_on(walk: Walk, n: int) -> bool:
    """Whether the page after page `n` begins where it ends, as the last visit knew the list: then nothing on
    it was left out, and the site shows fewer rows on a page than it did."""
    if n + 1 >= len(walk.pages):
        return False
    page, following = walk.pages[n : n + 2]
    if following.shown - len(following.rows) >= page.shown:
        return True  # it shows all rows of this page again, and then more
    placed = {walk.rows[i].key for i in in_place(walk)}
    here, after = ([short(r.key) for r in p.rows if r.key in placed] for p in (page, following))
    base = walk.memory.base
    if not here or not after or here[-1] not in base:
        return False
    at = base.index(here[-1])
    return after[0] in base[at + 1 : at + TAIL]


def _trailing_run(walk: Walk, rows: list[Row]) -> list[Row]:
    start, up = len(rows), lifted(walk)
    while start and is_anchor(walk, rows[start - 1], up):
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
