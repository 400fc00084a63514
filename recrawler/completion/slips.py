"""Rows that slip through while a list is read.

A page is read, a row on it is deleted, and the first row of the next page moves up onto the page that was
read already. Or a row further down is lifted to the top. Neither shows on the pages that follow. So before
a walk whose news went on over a page's end is called complete, or is left for the next visit to take up, the
first page is read again: what moved up
stands on it now. Where it has changed, or the walk took more than a few seconds, all pages with news are
read again, the last one first. A page whose end is history needs no second reading; nothing new comes in
below it.

Where addresses count from the oldest page on, a list that grows by a page has another second page from one
moment to the next: what was read after the first page is then the third. Its number tells, and it names the
page between.

Where a page came from a cache, rows are on no page: those that stood right below the end of the page
before. They may have been deleted as well. So the next visits look again, and believe it when three in a row
have seen the same.

If something was published meanwhile, a row may have moved up and down again: then all pages are looked at
once more. A list from which rows vanish, and that has grown again by then, moves faster than it can be
read; that is said.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from recrawler.completion.anchors import in_place, older_than
from recrawler.completion.walk import GAP_TRIES, TAIL, Decision, PageView, Row, Walk, short, unique

STILL = 10.0  # seconds for which a list whose first page is as it was is taken to have stood still


def checked(walk: Walk, decision: Decision) -> Decision:
    """The decision to stop, or to read a page again before."""
    url = _unchecked(walk)
    if is_whole(walk) or (walk.exhausted and not decision.complete):
        return decision
    if url is None or walk.look.torn:
        return replace(decision, complete=False, moves_base=False, why=walk.look.torn)
    if walk.exhausted:
        why = f"{walk.exhausted}, before a second look at what may have moved while it was read"
        return Decision(None, "page-limit", False, False, why)
    return Decision(url, why="was anything moved while it was read?", move="again")


def is_whole(walk: Walk) -> bool:
    """Whether no row can have slipped through this walk."""
    return _unchecked(walk) is None and not walk.look.torn


def left_out(walk: Walk) -> str | None:
    """The URL of a page between two that were read one after the other; null where none was left out."""
    if walk.memory.order == "oldest-first":
        return None
    read = {p.url for p in walk.pages}
    for n, (before, page) in enumerate(pairwise(walk.pages), 1):
        if n != walk.leg and page.number > before.number + 1 and page.newer and page.newer not in read:
            return page.newer
    return None


def parted(walk: Walk) -> str:
    """Why two pages do not fit together: several rows that stood between the end of the one, where news go
    on, and the beginning of the other are on neither. Empty where they fit, or enough visits have seen it."""
    if walk.memory.order in ("oldest-first", "unsorted") or walk.memory.gap_tries + 1 >= GAP_TRIES:
        return ""
    place = {b: i for i, b in enumerate(walk.memory.base)}
    anchored = [place.get(short(r.key)) for r in walk.rows]
    anchors, seen, at = set(in_place(walk)), {short(r.key) for r in walk.rows}, 0
    for n, page in enumerate(walk.pages):
        begins = page.rows and n not in (0, walk.leg) and at in anchors and at - 1 not in anchors
        mark = anchored[at] if begins else None
        if mark is not None:
            above = [p for i in anchors if i < at and (p := anchored[i]) is not None]
            missing = [b for b in walk.memory.base[max(above, default=-1) + 1 : mark] if b not in seen]
            if len(missing) >= TAIL:
                return (
                    f"{len(missing)} links that stood right above {page.url} are gone: it may be an old copy"
                )
        at += len(page.rows)
    return ""


def outdated(walk: Walk) -> bool:
    """Whether nothing on the pages is as new as the base: the site may have deleted all that came since, or a
    cache may have answered. False where enough visits have seen that."""
    dated = [r for r in walk.rows if r.published_at is not None and not r.pinned]
    old = len(dated) >= TAIL and all(older_than(r, walk.memory.floor) for r in dated)
    return old and walk.memory.gap_tries + 1 < GAP_TRIES


def _unchecked(walk: Walk) -> str | None:
    """The deepest page of the first segment that has to be read again and was not."""
    if walk.memory.order == "oldest-first":
        return None  # it grows at the end that is read first: rows move towards the reader only
    placed = {walk.rows[i].key for i in in_place(walk)}
    todo = None
    for n, page in enumerate(walk.pages):
        last = next((r for r in reversed(page.rows) if not r.pinned), None)
        met = n == len(walk.pages) - 1 or (last is not None and last.key in placed)
        if page.url not in walk.look.checked and (walk.look.grown if met else _may_slip(walk, n, last)):
            todo = page.url
        if met or (n == 0 and not walk.look.moved and walk.seconds < STILL):
            break  # the second segment; or the first page speaks for the others
    return todo


def _may_slip(walk: Walk, n: int, last: Row | None) -> bool:
    """Whether a row below page `n` that moves up onto it may be one that nobody has read."""
    broken = walk.memory.broken
    read_before = broken is not None and last is not None and broken.has_read(last)
    return n + 1 != walk.leg and not read_before


def read_again(walk: Walk, page: PageView) -> Walk:
    """The walk with a page that was read before: rows that it has not seen are put where they stand now.

    Where hardly any is left that it has seen, the two readings cannot be put together.
    """
    at = next(n for n, p in enumerate(walk.pages) if p.url == page.url)
    old, rows = walk.pages[at], unique(page.rows)
    seen = {r.key for p in walk.pages for r in p.rows}
    above = {r.key for p in walk.pages[: at + 1] for r in p.rows}
    here = sum(r.key in above for r in rows if not r.pinned)
    look = replace(walk.look, checked=walk.look.checked | {page.url})
    if here < min(TAIL, max(len(rows), 1)):
        why = f"{page.url} shows other links when it is read again"
        return replace(walk, look=replace(look, torn=why))
    then, now = ([r.key for r in some if not r.pinned] for some in (old.rows, rows))
    kept = set(now)
    left = [n for n, key in enumerate(then) if key in kept]
    look = replace(
        look,
        moved=look.moved or now != then,
        shrunk=look.shrunk or bool(left and len(left) <= left[-1]),
    )
    if at == 0 and _grown(then, now):
        if look.grown and look.shrunk:
            look = replace(look, torn="the list moves faster than it can be read")
        elif not look.grown:
            look = replace(look, grown=True, checked=frozenset())
    again = replace(old, rows=_merged(old.rows, rows, seen))
    return replace(walk, look=look, pages=(*walk.pages[:at], again, *walk.pages[at + 1 :]))


def _grown(then: list[str], now: list[str]) -> bool:
    """Whether rows have come in above others that were there."""
    known = set(then)
    old = [n for n, key in enumerate(now) if key in known]
    return bool(old) and len(old) <= old[-1]


def same_again(walk: Walk, url: str) -> Walk:
    """The walk once a page was asked for again and is as it was."""
    return replace(walk, look=replace(walk.look, checked=walk.look.checked | {url}))


def _merged(before: tuple[Row, ...], now: tuple[Row, ...], seen: set[str]) -> tuple[Row, ...]:
    """The rows of a page with those that its second reading adds, each after the one that it stands below."""
    merged, place = list(before), 0
    for row in now:
        here = next((n for n, r in enumerate(merged) if r.key == row.key), None)
        if here is not None:
            place = here + 1
        elif row.key not in seen:
            merged.insert(place, row)
            place += 1
    return tuple(merged)
