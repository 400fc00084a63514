"""The completion loop's decisions: when a walk over the pages of a list may stop, and what on them is new.

A walk reads pages from the newest end of a list towards the older one. Everything here is in *walk order*:
the first row of the first page is where the newest link is expected. (For an oldest-first list that is the
last row of its last page; `visit` turns such pages round.)

The rule, and why it is sound. Between two visits a list changes by insertions at its newest end, by
deletions, by pins, and by rows that are lifted to the top again ("bumps"). So it consists of two segments:
what was put on top since the base (the last complete visit), then what is left of the base, in its old
order. Nothing can be missed once the walk has reached the second segment. Known rows in the first segment
are pins and bumps; hence one known link on a page proves nothing, and the *tail* of a page is asked:

- its last rows (`TAIL`) are all anchors: in the history as of the base, not pinned, not dated anew;
- what stood above them in the base has been seen on the way, or so much of the base's order is kept that the
  rest must have been deleted. Where neither holds, where dates tie across the page's end, or where the order
  is not known, one page more is read (the guard page) and has to show nothing new.

Baidu's rule (a page that intersects the last visit ends the walk) is the first condition with any row in the
place of the tail; one pinned article makes it lose links.

    walk        what a walk is made of
    anchors     which rows are known history in its old place
    meeting     is the tail of a page known history
    resume      a walk that was broken off is taken up where it ended
    slips       rows that slip through while a list is read
    decision    go on, or stop with an outcome
    aftermath   what was found, and what is remembered
    moves       articles that stand under a new URL
"""

from recrawler.completion.aftermath import late, redated, remember, returned, statuses
from recrawler.completion.decision import break_off, decide
from recrawler.completion.moves import moved, vanished
from recrawler.completion.slips import read_again, same_again
from recrawler.completion.walk import (
    SETTLED,
    TAIL,
    BrokenWalk,
    Decision,
    KnownLink,
    Limits,
    Move,
    Outcome,
    PageView,
    Row,
    SeriesMemory,
    Status,
    Walk,
    short,
)

__all__ = [
    "SETTLED",
    "TAIL",
    "BrokenWalk",
    "Decision",
    "KnownLink",
    "Limits",
    "Move",
    "Outcome",
    "PageView",
    "Row",
    "SeriesMemory",
    "Status",
    "Walk",
    "break_off",
    "decide",
    "late",
    "moved",
    "read_again",
    "redated",
    "remember",
    "returned",
    "same_again",
    "short",
    "statuses",
    "vanished",
]
