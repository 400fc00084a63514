"""Whether a walk goes on or stops, and how it ended."""

from __future__ import annotations

from recrawler.completion.anchors import beyond, in_place, is_anchor, older_than
from recrawler.completion.walk import GAP_TRIES, HEAD_CAP, TAIL, Decision, Row, Walk, short


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
        partly = _partly_read(walk)
        why = "every link of the last visit is gone; stopped at links older than it"
        sure = walk.memory.trusted and not partly
        return Decision(None, "anchor-lost", sure, True, f"{why}; {partly}" if partly else why)
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
    # While the order is not known every visit reads a page more than it has to: the base has to reach below.
    enough = walk.limits.baseline_pages + (not walk.memory.trusted)
    if len(walk.pages) >= enough and not wants_more:
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
    sure = walk.memory.trusted and not (partly := _partly_read(walk))
    same = walk.memory.head == tuple(r.key for r in walk.pages[0].rows[:HEAD_CAP]) and len(walk.pages) == 1
    if not walk.memory.trusted:
        why += "; the list's order is not settled yet"
    elif partly:
        why += f"; {partly}"
    return Decision(None, "unchanged" if same else "met-history", sure, True, why)


PARTLY = 3  # a page that shows less than this part of what pages show has not been read whole


def _partly_read(walk: Walk) -> str:
    """A page in the middle of the series that shows far fewer rows than others do: its rows were not all
    recognised, or the site has changed. Empty where there is none."""
    most = max(walk.memory.capacity, *(p.shown for p in walk.pages))
    filling = walk.memory.order == "oldest-first"  # the page that new rows come to is rarely full
    for page in walk.pages[filling:]:
        if page.older is not None and page.shown * PARTLY < most:
            return f"{page.url} shows {page.shown} links where pages show up to {most}"
    return ""


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


def _meeting(walk: Walk, at_end: bool) -> tuple[int | None, str]:
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
    """The page without the unknown rows at its end that lie below what the base covered."""
    end = len(rows)
    while end and rows[end - 1].known is None:
        end -= 1
    overhang = rows[end:]
    if not overhang or not end:
        return rows
    frontier = end >= TAIL and short(rows[end - 1].key) in walk.memory.base[-TAIL:]
    return rows[:end] if all(beyond(walk, r, rows[end - 1], frontier) for r in overhang) else rows


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


def _below_floor(walk: Walk) -> bool:
    """Whether a whole page is older than all that the base covered (its anchors were deleted)."""
    rows = [r for r in walk.pages[-1].rows if not r.pinned and r.known is None]
    dated = [r for r in rows if r.published_at is not None]
    if len(dated) < TAIL or len(dated) < 0.8 * len(rows):
        return False
    return all(older_than(r, walk.memory.floor) for r in dated)
