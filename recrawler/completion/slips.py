"""Rows that slip through while a list is read.

A page is read, a row on it (or above) is deleted, and the first row of the next page moves up onto the page that
was read already. A row below may be lifted to the top. Neither shows on the pages that follow. So before a walk over
several pages is called complete, the pages of its first segment are read again, the last one first: rows that
moved up stand on them now. A page whose end is history needs no second reading; nothing new comes in below it.
If something was published meanwhile, a row may have moved up and down again: then all pages are looked at once
more. (Two deletions, each made up for by a publication in the seconds between two requests, would still hide a row.)
"""

from __future__ import annotations

from dataclasses import replace

from recrawler.completion.anchors import in_place
from recrawler.completion.walk import Decision, Row, Walk


def checked(walk: Walk, decision: Decision) -> Decision:
    """The decision to stop, or to read a page again before."""
    url = _unchecked(walk)
    if url is None and not walk.torn:
        return decision
    if url is None or walk.torn:
        return replace(decision, complete=False, moves_base=False, why=walk.torn)
    if walk.exhausted:
        why = f"{walk.exhausted}, before a second look at what may have moved while it was read"
        return Decision(None, "page-limit", False, False, why)
    return Decision(url, why="was anything moved while it was read?", move="again")


def _unchecked(walk: Walk) -> str | None:
    """The deepest page of the first segment that has to be read again and was not."""
    if walk.memory.order == "oldest-first":
        return None  # it grows at the end that is read first: rows move towards the reader only
    placed = {walk.rows[i].key for i in in_place(walk)}
    todo = None
    for n, page in enumerate(walk.pages):
        last = next((r for r in reversed(page.rows) if not r.pinned), None)
        met = n == len(walk.pages) - 1 or (last is not None and last.key in placed)
        if page.url not in walk.checked and (walk.churned if met else _may_slip(walk, n, last)):
            todo = page.url
        if met:
            break  # the second segment
    return todo


def _may_slip(walk: Walk, n: int, last: Row | None) -> bool:
    """Whether a row below page `n` that moves up onto it may be one that nobody has read."""
    opened, known = walk.memory.gap_visit, last.known if last is not None else None
    read_before = opened is not None and known is not None and known.first_visit >= opened
    return n + 1 != walk.leg and not read_before
