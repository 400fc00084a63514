"""Taking up a walk that was broken off: where it ended, and whether that place was found again.

A gap that is deeper than one visit may read is closed by several. Each first reads the news, until it meets
what was read since the gap opened; then it goes to the page where the walk had ended. Meanwhile the list
has grown or shrunk, so that page has to show rows that were read since the gap opened: then nothing lies
between, and the walk goes on from there to the old base. Where it shows none, rows were deleted, and it is
one page back.
"""

from __future__ import annotations

from dataclasses import replace

from recrawler.completion.meeting import meeting
from recrawler.completion.slips import is_whole, outdated, parted
from recrawler.completion.walk import (
    BASE_CAP,
    GAP_TRIES,
    GAP_VISITS,
    TAIL,
    BrokenWalk,
    Decision,
    PageView,
    SeriesMemory,
    Walk,
    short,
)

BACK = 5  # pages that a walk goes back to find the place


def taken_up(walk: Walk, at_end: bool) -> Decision | None:
    """The step that takes up a broken walk; null where there is none, or it is taken up already."""
    broken = walk.memory.broken
    if broken is None or broken.url is None:
        return None
    if walk.leg is None:
        if walk.exhausted or _there_already(walk, broken) or not _news_read(walk, broken, at_end):
            return None
        return Decision(broken.url, why=f"the news is read; on from page {broken.number}", move="jump")
    if _attached(walk):
        return None
    newer = walk.pages[walk.leg].newer
    if newer is None or walk.exhausted or walk.seeking > BACK or newer in {p.url for p in walk.pages}:
        why = walk.exhausted or "the place where the last walk had ended was not found again"
        return Decision(None, "page-limit", False, given_up(walk), why)
    return Decision(newer, why="rows are missing between the two legs: a page back", move="back")


def _there_already(walk: Walk, broken: BrokenWalk) -> bool:
    if any(p.url == broken.url for p in walk.pages):
        return True
    return walk.memory.order != "oldest-first" and walk.pages[-1].number >= broken.number


def _news_read(walk: Walk, broken: BrokenWalk, at_end: bool = False) -> bool:
    """Whether the first leg has met what was read since the gap opened."""
    if not broken.top:
        return False
    memory = replace(walk.memory, base=broken.top, gap_visit=broken.until + 1, floor=None)
    return meeting(replace(walk, memory=memory), at_end)[0] is not None


def _attached(walk: Walk) -> bool:
    """Whether the second leg begins among rows that the broken walk has read."""
    broken = walk.memory.broken
    if walk.leg is None or broken is None:
        return False
    rows = [r for r in walk.pages[walk.leg].rows if not r.pinned]
    return not rows or sum(map(broken.has_read, rows)) >= min(TAIL, len(rows))


def given_up(walk: Walk) -> bool:
    """Whether a walk that ends at a limit leaves the old base behind: several visits in a row found nothing
    of the gap, or very many worked at it."""
    opened = walk.memory.gap_visit or walk.visit
    if walk.visit - opened >= GAP_VISITS:
        return True
    return not _progress(walk) and walk.memory.gap_tries + 1 >= GAP_TRIES


def _progress(walk: Walk) -> bool:
    """Whether the next visit can begin deeper than this one did."""
    last, broken = walk.pages[-1], walk.memory.broken
    deeper = broken is not None and _attached(walk) and last.url != broken.url
    return last.lasting and (deeper or any(r.known is None for r in last.rows))


def broken_off(walk: Walk, memory: SeriesMemory) -> SeriesMemory:
    """The memory after a walk that did not come to the base. The next visit takes it up; where rows may have
    slipped through, because a failure kept it from looking, it is as if it had not been."""
    opened, whole = memory.gap_visit or walk.visit, is_whole(walk)
    apart = bool(parted(walk)) or outdated(walk)
    if walk.look.torn or apart or not (whole or walk.exhausted):
        round_about = not walk.pages[-1].rows  # the pages repeat: no later visit will get further
        return replace(memory, gap_visit=opened, gap_tries=memory.gap_tries + (round_about or apart))
    old = walk.memory.broken or BrokenWalk()
    met = walk.leg is not None or _news_read(walk, old)
    keys = _keys(walk.pages[: walk.leg])
    last = next((p for p in reversed(walk.pages) if p.shown), walk.pages[-1])  # an empty page is no place
    broken = BrokenWalk(
        top=_first_of_each((*keys, *old.top) if met else keys),
        since=old.since if met else _first_read(walk, opened),
        until=walk.visit,
        url=last.url if last.lasting else None,
        number=last.number,
        whole=whole and (old.whole or not met),
    )
    sought = old.url is not None and met and (walk.leg is not None or not _there_already(walk, old))
    tries = 0 if _progress(walk) else memory.gap_tries + 1
    if sought and not _attached(walk):  # the place was not found: once more, then all from the top
        broken = replace(broken, url=old.url, number=old.number)
        if memory.gap_tries:
            broken, tries = replace(broken, url=None), 0
    return replace(memory, gap_visit=opened, gap_tries=tries, broken=broken)


def _first_read(walk: Walk, opened: int) -> int:
    """The visit that was the first to read any row of this walk since the gap opened."""
    known = (r.known.first_visit for r in walk.rows if r.known is not None)
    return min((n for n in known if n >= opened), default=walk.visit)


def read_since(walk: Walk) -> tuple[str, ...]:
    """Short hashes of the rows that this walk and the broken ones before it have read, newest first."""
    broken = walk.memory.broken
    if walk.leg is None or broken is None:
        return _keys(walk.pages)
    return _first_of_each((*_keys(walk.pages[: walk.leg]), *broken.top, *_keys(walk.pages[walk.leg :])))


def _keys(pages: tuple[PageView, ...]) -> tuple[str, ...]:
    return tuple(short(r.key) for p in pages for r in p.rows if not r.pinned)


def _first_of_each(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))[:BASE_CAP]
