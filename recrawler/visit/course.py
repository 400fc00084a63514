"""The course of one series through its pages: which page it wants next, fed with pages until it is done.

A course turns what the analysis says of a page into the completion loop's walk order. For an oldest-first
list it first goes to the page that holds the newest rows, then walks back; pages read on the way are kept, so
that none is asked for twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from recrawler.completion import (
    TAIL,
    Decision,
    KnownLink,
    Move,
    Outcome,
    PageView,
    Row,
    SeriesMemory,
    Status,
    Walk,
    break_off,
    decide,
    late,
    moved,
    read_again,
    redated,
    remember,
    returned,
    same_again,
    statuses,
    vanished,
)
from recrawler.page.types import Listing, PostForm, Verdict
from recrawler.visit.direction import (
    climbs,
    counts_down,
    ends_older,
    is_mislabelled,
    order_together,
    oriented,
    said_before,
    without_stamps,
    words,
)
from recrawler.visit.landing import in_another_script, left_out
from recrawler.visit.renames import Renames
from recrawler.visit.twins import Twins

LIKELY = 0.5  # score of a block that is a list more likely than not

Known = Callable[[list[str]], dict[str, KnownLink]]
Key = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Step:
    """A page that a course wants: its URL, the form that leads there if any, the page that named it, and what
    it is wanted for."""

    url: str
    form: PostForm | None = None
    via: str = ""
    move: Move = "on"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row was met."""

    page_url: str
    number: int


@dataclass
class Course:
    """One series in one visit. Done when `wants` is null; `decision` then says how it ended."""

    walk: Walk
    key_of: Key
    known: Known
    wants: Step | None
    twins: Twins = field(default_factory=Twins)
    renames: Renames = field(default_factory=Renames)
    decision: Decision | None = None
    listing: Listing | None = None  # as the first page that was read showed it
    verdicts: list[Verdict] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)  # by key
    warnings: list[str] = field(default_factory=list)
    late: int | None = None  # links that an audit found past the stop; null: no audit
    flood: bool = False
    _kept: dict[str, tuple[PageView, str | None]] = field(default_factory=dict)  # oldest-first: by URL
    _forms: dict[str, PostForm] = field(default_factory=dict)
    _said: frozenset[str] = frozenset()  # words of the link that leads on from the page read last
    _turned: bool = False  # oldest-first: the newest page has been reached
    _disproved: bool = False  # what was taken for it has older rows at its end

    @property
    def memory(self) -> SeriesMemory:
        return self.walk.memory

    @property
    def as_it_was(self) -> int:
        """How many known links stand on a first page that has not changed."""
        unread = self.decision is not None and self.decision.complete and not self.walk.pages
        return len(self.memory.head) if unread else 0

    @property
    def pages(self) -> int:
        return len(self.walk.pages)

    def take(self, url: str, listing: Listing | None) -> None:
        """Read the page that was wanted; `listing` is this series' part of it, null if it has none."""
        number, turned = self._number(), {}
        if listing is not None:
            self._learn(listing)
            told = self.memory.order == "unknown" and bool(self.walk.pages)
            turned = self._turn(order_together(self.walk.rows, listing.block.links) if told else "unknown")
            listing = oriented(listing, self.memory.order)
            if self._is_reversed(url, listing):
                listing = replace(listing, older=listing.newer, newer=listing.older)
            self._said = words(listing, listing.older)
            if listing.bar and listing.bar.current:
                number = listing.bar.current
        view = self._view(url, number, listing)
        if self.walk.pages and (lost := left_out(self.walk.pages[0].url, url)) and self._starts_anew(view):
            self.warnings.append(f"{url} leaves out {', '.join(lost)} and shows another list")
            view = self._view(url, number, None)
        if self.memory.order == "oldest-first":
            self._take_oldest_first(view, listing)
            self._kept |= turned
        else:
            self._feed(view)

    def _starts_anew(self, view: PageView) -> bool:
        """Whether most rows of a page are newer than the end of the page before it."""
        before = [r.published_at for r in self.walk.pages[-1].rows if r.published_at and not r.pinned]
        here = [r.published_at for r in view.rows if r.published_at]
        if self.memory.order != "newest-first" or not before or len(here) < TAIL:
            return False
        return sum(d > before[-1] for d in here) > len(here) / 2

    def _is_reversed(self, url: str, listing: Listing) -> bool:
        """Whether what a page takes for its newer page is the way on, as the walk has come."""
        if self.memory.order == "oldest-first":
            return False
        if not self.walk.pages:
            return self.memory.order == "newest-first" and is_mislabelled(listing, url)
        on = self.wants is None or self.wants.move == "on"
        return counts_down(listing, self.walk.pages[0].number) or (on and said_before(listing, self._said))

    @property
    def is_deep(self) -> bool:
        """Whether a page is wanted that cannot be the first one: paging has led to other rows before."""
        on = self.wants is not None and self.wants.move == "on" and self.memory.order != "oldest-first"
        return on and sum(bool(p.rows) for p in self.walk.pages) > 1

    @property
    def at_end(self) -> bool:
        """Whether the page that is wanted lies past all that the pages read tell of."""
        return bool(self.walk.pages) and self._number() > max(p.depth for p in self.walk.pages)

    def _number(self) -> int:
        """The number of the page that was wanted, as far as the walk tells."""
        move, pages = (self.wants.move if self.wants else "on"), self.walk.pages
        if move == "jump" and self.memory.broken is not None:
            return self.memory.broken.number
        if move == "between":
            return pages[-1].number - 1
        if move == "back" and self.walk.leg is not None:
            return max(1, pages[self.walk.leg].number - 1)
        if self.walk.leg is not None and self.memory.order != "oldest-first":
            return pages[-1].number + 1
        return len(pages) + len(self._kept) + 1

    def prove(self, order: Verdict) -> None:
        """The order as the articles themselves tell it."""
        if order != "unknown":
            self.verdicts.append(order)
            self.walk = replace(self.walk, memory=replace(self.memory, order=order))

    def stop(self, outcome: Outcome, why: str) -> None:
        """The wanted page could not be had: the walk is broken off."""
        self.wants = None
        self.decision = break_off(self.walk, outcome, why)
        if self.decision.outcome == "first-visit":
            self.warnings.append(f"the base could be read down to page {len(self.walk.pages)} only: {why}")

    def exhaust(self, why: str) -> None:
        """No further request may be made for this visit."""
        if self.wants is None:
            return
        self.wants, self.walk = None, replace(self.walk, exhausted=why)
        nothing_read = Decision(None, "page-limit", False, False, why)
        self.decision = decide(self.walk) if self.walk.pages else nothing_read

    def unchanged(self, why: str) -> None:
        """The page is as it was: the first one, which was known to be all that had to be read, or one that is
        read again."""
        if self.wants is not None and self.wants.move == "again":
            self.walk = same_again(self.walk, self.wants.url)
            self._go_on(self.wants.via)
            return
        self.wants = None
        self.walk = replace(self.walk, memory=replace(self.memory, since_audit=self.memory.since_audit + 1))
        self.decision = Decision(None, "unchanged", True, False, why)

    def status(self) -> dict[str, Status]:
        """Status of each unknown row, by key, and of known ones that are news again: an article under a new
        URL is `updated`, one that was gone for long `returned`."""
        if not self.walk.pages:
            return {}
        status = statuses(self.walk)
        self.late = late(self.walk, status)
        self.flood = 0 < self.walk.limits.flood <= sum(s == "backdated" for s in status.values())
        if self.flood:
            self.warnings.append(
                "very many links with old dates at once: the site has published its archive again"
            )
        news = [r for r in self.walk.rows if status.get(r.key) in ("new", "backdated")]
        gone = vanished(self.walk) if news and not self.walk.first else ()
        if gone:
            status.update(dict.fromkeys(moved(news, self.known(list(gone)).values()), "updated"))
        return status | dict.fromkeys(returned(self.walk), "returned")

    def remember(self, now: datetime) -> SeriesMemory:
        """The memory after this visit."""
        if self.decision is None or not self.walk.pages:
            return self.memory
        memory = remember(self.walk, self.decision, self._order(), now)
        return replace(memory, on_top=0.0) if self._disproved else memory

    def redated(self) -> list[Row]:
        return redated(self.walk, self.decision) if self.decision is not None else []

    # --- reading ---

    def _learn(self, listing: Listing) -> None:
        """What a page says of the order counts from the first page on; history has the last word."""
        self.listing = self.listing or listing
        self.verdicts.append(listing.order.verdict)
        memory = replace(self.memory, path=self.memory.path if self.walk.pages else listing.block.path)
        if listing.bar is not None and not self.walk.pages:
            memory = replace(memory, bar_path=listing.bar.xpath)
        verdict = listing.order.verdict
        # One page that looks unsorted (an unmarked pin, a bump) does not undo what earlier visits saw.
        doubtful = verdict == "unsorted" and bool(memory.base) and memory.order != "unknown"
        told_by_history = memory.settled or memory.disordered
        if not self.walk.pages and verdict != "unknown" and not told_by_history and not doubtful:
            memory = replace(memory, order=verdict)
        self.walk = replace(self.walk, memory=memory)

    def _turn(self, order: Verdict) -> dict[str, tuple[PageView, str | None]]:
        """Take up an order that the pages have told together. Where that is oldest-first, the pages that were
        read from the wrong end are given back; on a later visit it is too late, for the base is there."""
        if order == "newest-first" or (order == "oldest-first" and self.walk.first):
            self.prove(order)
        if self.memory.order != "oldest-first" or order != "oldest-first":
            return {}
        pages, self.walk = self.walk.pages, replace(self.walk, pages=())
        return {p.url: (replace(p, rows=p.rows[::-1], older=p.newer, newer=p.older), p.older) for p in pages}

    def _order(self) -> Verdict:
        """The order that most pages told; a walk over sorted pages is not unsorted for one disorder."""
        told = Counter(v for v in self.verdicts if v != "unknown")
        if self._disproved:
            return "unsorted"
        return told.most_common(1)[0][0] if told else "unknown"

    def _view(self, url: str, number: int, listing: Listing | None) -> PageView:
        if listing is None:
            return PageView(url, number, (), None)
        links = without_stamps(listing.block.links)
        keys, known = self.twins.settle(
            [self.key_of(x.href) for x in links], [x.text for x in links], self.known
        )
        keys, known = self.renames.settle(keys, links, known, self.memory.head, self.known)
        rows = tuple(
            Row(key, x.href, x.text, x.date, x.precision, x.pinned, rank, known.get(key))
            for rank, (key, x) in enumerate(zip(keys, links, strict=True), 1)
        )
        for r in rows:
            self.places.setdefault(r.key, Place(url, number))
        older, unfollowable = listing.older, listing.script_pager
        newer, lasting = listing.newer, url not in self._forms
        if older is None and listing.older_form is not None:
            older = _form_url(listing.older_form)
            self._forms[older] = listing.older_form
            unfollowable = False
        depth = listing.bar.depth or 0 if listing.bar else 0
        bar = _bar(listing)
        return PageView(
            url, number, rows, older, unfollowable, newer=newer, bar=bar, depth=depth, lasting=lasting
        )

    def _take_oldest_first(self, view: PageView, listing: Listing | None) -> None:
        newer = listing.newer if listing else None
        view = replace(view, rows=view.rows[::-1])
        if self._turned:
            self._feed(view)
            return
        came = next((url for url, (_, onward) in self._kept.items() if onward == view.url), None)
        view = replace(view, older=view.older or came)  # a last page of few rows may show no bar
        jump = listing.last if listing and not self._kept else None
        self._kept[view.url] = (view, newer)
        onward = next((u for u in (jump, newer) if u and u not in self._kept), None)
        if onward is not None and len(self._kept) <= self.walk.limits.max_pages:
            self.wants = Step(onward, via=view.url)
            return
        self._turned = True
        if ends_older(next(iter(self._kept.values()))[0], view):
            self._disprove()
            return
        self.walk = replace(self.walk, memory=replace(self.memory, newest_url=view.url))
        self._feed(view)

    def _disprove(self) -> None:
        """Each page is in order and the pages are not: days, the newest first, of which each begins with its
        oldest row. Such a list is compared whole, from its first page on."""
        first, onward = next(iter(self._kept.values()))
        self._kept.clear()
        self._compare_whole(self.memory.scattered)
        self._feed(replace(first, older=onward, newer=None))

    def _compare_whole(self, scattered: int) -> None:
        memory = replace(self.memory, order="unsorted", newest_url=None, scattered=scattered)
        self._disproved, self.walk = True, replace(self.walk, memory=memory)

    def _feed(self, view: PageView) -> None:
        """Give the walk a page, and find out what it wants next."""
        move = self.wants.move if self.wants else "on"
        self.walk = read_again(self.walk, view) if move == "again" else self.walk.read(view, move)
        if self.walk.first and climbs(self.walk.pages):
            self._compare_whole(2 * TAIL)  # as if visits had shown it: no page tells it by itself
        self._go_on(view.url)

    def _go_on(self, via: str) -> None:
        """What the walk wants next; a page that was read on the way to its start is given at once."""
        self.decision = decide(self.walk)
        while (url := self.decision.next_url) in self._kept and self.decision.move != "again":
            self.walk = self.walk.read(self._kept.pop(url or "")[0], self.decision.move)
            self.decision, via = decide(self.walk), url or ""
        self.wants = None
        if url is not None:
            self.wants = Step(url, self._forms.get(url), via, self.decision.move)
        elif not self.decision.complete and (self.decision.outcome == "looped" or self._needs_script()):
            self.warnings.append(f"{self.memory.listing}: {self.decision.why}")

    def _needs_script(self) -> bool:
        return bool(self.walk.pages) and self.walk.pages[-1].unfollowable

    def is_promised(self) -> bool:
        """Whether the bar told of the page that is wanted: without rows it is a fault, not the end."""
        depth = self.listing.bar.depth if self.listing and self.listing.bar else None
        return depth is not None and self.memory.order != "oldest-first" and self._number() <= depth

    def has_lost_its_bar(self, listing: Listing) -> bool:
        """Whether the page that held the newest rows of an oldest-first list is full, and shows no way to
        newer ones any more."""
        known = self.memory.order == "oldest-first" and self.memory.bar_path is not None
        full = len(listing.block.links) >= self.memory.capacity
        return known and full and listing.bar is None and not self.walk.pages and not self._kept

    def is_strange(self, listing: Listing, astray: bool) -> bool:
        """Whether a list shares nothing with the one that is watched: no known link, and neither dates nor a
        bar beside something like a list that would make it one of news, nor its place, if it has no dates. On
        a page that has gone `astray`, whose address leads where it did not before, or in another script, only
        known links do."""
        block = listing.block
        barred = listing.bar is not None and block.score >= LIKELY
        placed = block.path == self.memory.path and self.memory.floor is None
        likely = placed or barred or any(x.date for x in block.links)
        if not self.memory.base or self.count_known(listing):
            return False
        return astray or not likely or self._is_foreign(listing)

    def _is_foreign(self, listing: Listing) -> bool:
        """Whether a list is in another script than the one watched: a site that serves each country."""
        before = [k.title for k in self.known(list(self.memory.head)).values()]
        return in_another_script(before, [x.text for x in listing.block.links])

    def count_known(self, listing: Listing) -> int:
        """How many links of a listing are in the history of this series."""
        return len(self.known([self.key_of(x.href) for x in listing.block.links]))


def _bar(listing: Listing) -> str:
    if listing.bar is None:
        return ""
    return f"{listing.bar.current} " + " ".join(f"{x.text}={x.href}" for x in listing.bar.links)


def _form_url(form: PostForm) -> str:
    """A name for the page that a form leads to, so that a walk can tell it from others."""
    return f"{form.action}#form:" + "&".join(f"{k}={v}" for k, v in form.fields if len(v) < 80)
