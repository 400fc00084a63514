"""Whether a walk goes on or stops, and how it ended."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from recrawler.completion.anchors import in_place, older_than
from recrawler.completion.meeting import goes_on, may_fill, meeting, most_shown, replaced, shows_few
from recrawler.completion.resume import given_up, taken_up
from recrawler.completion.slips import checked, left_out, outdated, parted
from recrawler.completion.walk import (
    GAP_TRIES,
    GAP_VISITS,
    HEAD_CAP,
    TAIL,
    Decision,
    Outcome,
    Row,
    Walk,
)

_NUMBERS = re.compile(r"(?<!\d)\d{3,18}(?!\d)")  # long enough to count articles


def decide(walk: Walk) -> Decision:
    """Whether the walk, which has read at least one page, goes on."""
    decision = _decide(walk)
    if decision.next_url is not None or walk.first:
        return decision
    if decision.complete and walk.leg is not None and not _was_whole(walk):
        why = f"{decision.why}; the walk that this one took up was not looked at a second time"
        decision = replace(decision, complete=False, why=why)
    # A walk that ends at a limit is looked at too: the next one relies on what it has read.
    taken_up_later = decision.outcome == "page-limit" and not decision.moves_base
    if decision.complete and (fault := "a page was left out" if left_out(walk) else parted(walk)):
        return replace(decision, complete=False, moves_base=False, why=f"{decision.why}; {fault}")
    return checked(walk, decision) if decision.complete or taken_up_later else decision


def break_off(walk: Walk, outcome: Outcome, why: str) -> Decision:
    """The decision where the next page could not be had. The base stays, so that a later visit reads on; but
    not for ever: a page that many visits could not have will not be had."""
    if walk.first and walk.pages:
        return Decision(None, "first-visit", True, True, why)
    tries = GAP_TRIES if outcome == "robots-denied" else GAP_VISITS
    left_behind = bool(walk.pages) and walk.visit - (walk.memory.gap_visit or walk.visit) >= tries
    return Decision(None, outcome, False, left_behind, why)


def _was_whole(walk: Walk) -> bool:
    return walk.memory.broken is None or walk.memory.broken.whole


def _decide(walk: Walk) -> Decision:
    if (between := left_out(walk)) and not walk.exhausted and not _at_limit(walk):
        return Decision(between, why="the list has grown by a page while it was read", move="between")
    way_on, end = _way_on(walk)
    if walk.first:
        return _first_visit(walk, way_on, end)
    if walk.memory.order == "unsorted" and not walk.memory.settled:
        return _full_diff(walk, way_on, end)
    if (step := taken_up(walk, way_on is None)) is not None:
        return step
    met_at, why = meeting(walk, way_on is None and not _breaks_off(walk))
    if met_at is not None:
        past = len(walk.pages) - 1 - met_at
        if past < walk.limits.audit_pages and way_on and not walk.exhausted and not _at_limit(walk):
            return Decision(way_on, why="audit: looking for back-dated links past the stop")
        return _stop_met(walk, why)
    if _below_floor(walk):
        partly = _partly_read(walk)
        why = "every link of the last visit is gone; stopped at links older than it"
        if outdated(walk):
            why = f"{why}; an old copy of the list would look the same"
            return Decision(None, "anchor-lost", False, False, why)
        sure = walk.memory.trusted and not partly
        return Decision(None, "anchor-lost", sure, True, f"{why}; {partly}" if partly else why)
    if way_on is None:
        return _stop_unmet(walk, end)
    if limit := walk.exhausted or _at_limit(walk):
        return Decision(None, "page-limit", False, given_up(walk), limit)
    return Decision(way_on, why=why)


def _breaks_off(walk: Walk) -> bool:
    """Whether the last page is full and has no bar, though the first one has: that is no end of a list."""
    last = walk.pages[-1]
    full = last.shown >= most_shown(walk)
    return bool(walk.pages[0].bar) and not last.bar and full and last.older is None


def _at_limit(walk: Walk) -> str:
    counted = len(walk.pages) - walk.seeking
    return f"max_pages = {walk.limits.max_pages} reached" if counted >= walk.limits.max_pages else ""


def _way_on(walk: Walk) -> tuple[str | None, str]:
    """The URL of the next page, or null and why there is none."""
    page = walk.pages[-1]
    visited = {p.url for p in walk.pages}
    idle = 0  # pages at the end of the walk that held no link that the walk had not seen
    for p in reversed(walk.pages):
        if p.rows:
            break
        idle += 1
    if len(walk.pages) == 2 and idle and page.shown and page.bar and page.bar == walk.pages[0].bar:
        return None, "loop"  # page 2 is page 1 again, its bar too: no other page can be had
    if page.older is None and page.unfollowable:
        return None, "script"
    if page.older is None:
        return None, "cut" if _cut_short(walk) else "end"
    if page.older in visited:
        return None, "self-next" if page.older == page.url and not idle else "loop"
    if idle >= 2:
        return None, "again" if _comes_again(walk, idle) else "loop"
    if _grown(walk.pages[0].url, page.older):
        return None, "grows"
    return page.older, ""


def _comes_again(walk: Walk, idle: int) -> bool:
    """Whether the `idle` pages without a new row end as the page before them does, and have room: the last
    one is given for each number past the end. (Full pages come again where a list moves while it is read.)"""
    read, repeats = walk.pages[:-idle], walk.pages[-idle:]
    return len(read) > 1 and _has_room(walk) and all(p.last == read[-1].last for p in repeats)


def _cut_short(walk: Walk) -> bool:
    """Whether the series ends above a page that the pages before told of, or where it went on before: a page
    was served empty or in part. Pages that are counted from the oldest end at 1."""
    *before, last = walk.pages
    if walk.memory.order == "oldest-first" or last.number < walk.pages[0].number:
        return False
    shorter = walk.leg is None and len(walk.pages) <= walk.memory.reach
    return shorter or any(last.number < p.depth for p in before)


GROWN = 3  # times more than in the first page's address


def _grown(first: str, url: str) -> bool:
    """Whether each page adds to the address of the one before (`page/2` below `/list/page/2`, `&p=3` after
    `&p=2`): such a series has no end. What repeats on the first page already is no growth."""
    before, after = _parts(first), _parts(url)
    return any(n - before[part] >= GROWN for part, n in after.items())


def _parts(url: str) -> Counter[str]:
    """How often each folder's name and each key of the query stands in an address; numbers apart."""
    path, _, query = url.partition("#")[0].partition("?")
    keys = (f"?{pair.partition('=')[0]}" for pair in query.split("&") if pair)
    return Counter(x for x in (*path.split("/")[3:], *keys) if x and not x.isdigit())


def _first_visit(walk: Walk, way_on: str | None, end: str) -> Decision:
    rows = [r for r in walk.rows if not r.pinned]
    since = walk.limits.backfill_since
    wants_more = len(rows) < walk.limits.backfill or (
        since is not None and not any(r.published_at and r.published_at < since for r in rows[-TAIL:])
    )
    # While the order is not known every visit reads a page more than it has to: the base has to reach below.
    # Of a list that is not sorted every visit reads all: what the base leaves out would be taken for new.
    unsorted = walk.memory.order == "unsorted"
    enough = walk.limits.max_pages if unsorted else walk.limits.baseline_pages + (not walk.memory.trusted)
    if len(walk.pages) >= enough and not wants_more:
        return Decision(None, "first-visit", True, True, "base recorded")
    if way_on is None:
        return Decision(None, "first-visit", True, True, f"base recorded; {_END[end]}")
    if limit := walk.exhausted or _at_limit(walk):
        return Decision(None, "page-limit" if wants_more else "first-visit", not wants_more, True, limit)
    return Decision(way_on, why="reading the base")


def _full_diff(walk: Walk, way_on: str | None, end: str) -> Decision:
    if way_on is None:
        partly = _partly_read(walk)
        ended = end in ("end", "again", "self-next") and not _breaks_off(walk)
        whole = ended and not walk.unread and not partly
        why = f"the list is not sorted by time; {_END[end]}"
        return Decision(None, "unsorted-diff", whole, True, f"{why}; {partly}" if partly else why)
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
    elif walk.pages[-1].older is None and (count := replaced(walk)):
        sure, why = False, f"{why}; {count} links gave way to as many new ones: there may be more"
    return Decision(None, "unchanged" if same else "met-history", sure, True, why)


def _partly_read(walk: Walk) -> str:
    """A page that shows far fewer rows than others do, or hardly any, and may have more: its rows were not
    all recognised. Empty where there is none."""
    first, most = walk.pages[0], most_shown(walk)
    lost = walk.memory.order == "oldest-first" and walk.memory.bar_path is not None and not first.bar
    if lost and first.shown >= most:
        return f"{first.url} does not show whether newer pages follow"
    for n, page in enumerate(walk.pages):
        if shows_few(walk, n) and not (goes_on(walk, n) or (n and goes_on(walk, n - 1))):
            return f"{page.url} shows {page.shown} links where pages show up to {most}"
        if page.older is not None and 0 < page.shown < TAIL and not may_fill(walk, n):
            return f"{page.url} shows {page.shown} links only, and goes on"
    return ""


_END = {
    "end": "there is no older page",
    "cut": "the series ends above pages that it has or had: one was served empty or in part",
    "script": "the older pages can only be reached by running script",
    "again": "the last page is given again for each page past it",
    "self-next": "the last page's next link leads to itself",
    "grows": "the next page's address repeats its own parts: such a series has no end",
    "loop": "the pages repeat: paging has no effect or the list goes round",
}


def _stop_unmet(walk: Walk, end: str) -> Decision:
    """The series ends and the base was not met."""
    if end in ("loop", "grows", "cut"):
        outcome: Outcome = "anchor-lost" if end == "cut" else "looped"
        return Decision(None, outcome, False, given_up(walk), _END[end])
    if end != "script" and _has_room(walk) and walk.memory.order != "oldest-first":
        partly, why = _partly_read(walk), f"every page was read; {_END[end]}"
        why = f"{why}; {partly}" if partly else why
        return Decision(None, "end-of-series", walk.memory.trusted and not partly, True, why)
    places = in_place(walk)
    if places and end != "script" and not any(r.known is None for r in walk.rows[places[-1] :]):
        return _stop_met(walk, f"known history, and no page after; {_END[end]}")
    lost = "links of the last visit stand elsewhere" if places else "no link of the last visit was found"
    return Decision(None, "anchor-lost", False, True, f"{lost}; {_END[end]}")


def _has_room(walk: Walk) -> bool:
    """Whether the last page has room for more rows: then it is the end of the list itself, not of what a site
    chooses to show. So is an empty one, but not right after the first: there it may be that paging fails."""
    first, last = walk.pages[0], walk.pages[-1]
    end = first if len(walk.pages) == 2 and not last.shown else last
    return end.shown < most_shown(walk)


def _below_floor(walk: Walk) -> bool:
    """Whether a whole page is older than all that the base covered (its anchors were deleted)."""
    rows = [r for r in walk.pages[-1].rows if not r.pinned]
    dated = [r for r in rows if r.published_at is not None]
    if any(r.known for r in rows) or len(dated) < TAIL or len(dated) < 0.8 * len(rows):
        return False
    return all(older_than(r, walk.memory.floor) for r in dated) and not _numbered_later(walk, rows)


def _numbered_later(walk: Walk, rows: list[Row]) -> bool:
    """Whether the numbers in the rows' URLs are greater than those of the last visit's first page: then the
    rows are newer than that, and their dates are misread."""
    ids = [n for r in rows if (n := _last_number(r.key)) is not None]
    before = [n for key in walk.memory.head if (n := _last_number(key)) is not None]
    return len(ids) >= TAIL and len(before) >= TAIL and min(ids) > max(before)


def _last_number(key: str) -> int | None:
    found = _NUMBERS.findall(key.partition("://")[2].partition("/")[2])
    return int(found[-1]) if found else None
