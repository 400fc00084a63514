"""A list that speaks the domain (publish, pin, bump, delete, back-date), and a watcher that walks it with
`recrawler.completion` alone: no HTTP, no HTML. Used by the properties and by the simulator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from recrawler.completion import (
    Decision,
    KnownLink,
    Limits,
    Move,
    PageView,
    Row,
    SeriesMemory,
    Status,
    Walk,
    decide,
    read_again,
    redated,
    remember,
    statuses,
)
from recrawler.page.types import Precision, Verdict

START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Post:
    name: str
    at: datetime
    shown: datetime
    real_new: bool = False


@dataclass
class ListSim:
    """A newest-first list with pages of `size` rows; pinned posts stand on top of the first page."""

    size: int = 10
    precision: Precision | None = "minute"
    order: Verdict = "newest-first"
    now: datetime = START
    posts: list[Post] = field(default_factory=list)  # newest first
    pinned: list[Post] = field(default_factory=list)
    marked_pins: bool = False
    cap: int | None = None  # only so many pages are shown
    count: int = 0

    def publish(self, n: int = 1) -> list[str]:
        names = []
        for _ in range(n):
            self.now += timedelta(minutes=7)
            self.count += 1
            post = Post(f"https://news.example/a/{self.count}", self.now, self.now)
            self.posts.insert(0, post)
            names.append(post.name)
        return names

    def delete(self, i: int) -> None:
        if self.posts:
            del self.posts[i % len(self.posts)]

    def pin(self, i: int) -> None:
        if self.posts:
            self.pinned.append(self.posts.pop(i % len(self.posts)))

    def unpin(self) -> None:
        if self.pinned:
            post = self.pinned.pop()
            at = next((k for k, p in enumerate(self.posts) if p.shown <= post.shown), len(self.posts))
            self.posts.insert(at, post)

    def bump(self, i: int, *, redate: bool = True) -> None:
        if self.posts:
            post = self.posts.pop(i % len(self.posts))
            self.now += timedelta(minutes=1)
            if redate:
                post.shown = self.now
            self.posts.insert(0, post)

    def edit(self, i: int) -> tuple[str, str]:
        """The slug of a post is edited: it stands where it was, under another URL. The old and the new name."""
        post = self.posts[i % len(self.posts)]
        old, post.name = post.name, f"{post.name}-e"
        return old, post.name

    def backdate(self, i: int, days: float = 0) -> str:
        """A post that first shows up at place `i`, dated like its neighbour."""
        self.count += 1
        i = min(i, len(self.posts))
        near = self.posts[min(i, len(self.posts) - 1)].shown if self.posts else self.now
        post = Post(f"https://news.example/a/{self.count}", near, near - timedelta(days=days))
        self.posts.insert(i, post)
        return post.name

    def listed(self) -> list[str]:
        shown = self.pinned + self.posts
        return [p.name for p in shown[: None if self.cap is None else self.cap * self.size]]

    def page(self, number: int) -> tuple[list[Post], bool]:
        """Posts of one page, and whether there is a page after it."""
        shown = self.pinned + self.posts
        last = -(-len(shown) // self.size)
        if self.cap is not None:
            last = min(last, self.cap)
        return shown[(number - 1) * self.size : number * self.size], number < last

    def _date(self, post: Post) -> datetime | None:
        if self.precision is None:
            return None
        if self.precision == "day":
            return post.shown.replace(hour=0, minute=0, second=0, microsecond=0)
        return post.shown

    def view(self, number: int, known: Callable[[str], KnownLink | None]) -> PageView:
        posts, more = self.page(number)
        rows = tuple(
            Row(
                key=p.name,
                url=p.name,
                title=p.name,
                published_at=self._date(p),
                precision=self.precision,
                pinned=self.marked_pins and p in self.pinned,
                rank=k,
                known=known(p.name),
            )
            for k, p in enumerate(posts, 1)
        )
        older, newer = f"p{number + 1}" if more else None, f"p{number - 1}" if number > 1 else None
        return PageView(f"p{number}", number, rows, older, newer=newer)


@dataclass
class Seen:
    """What one visit of the watcher brought."""

    decision: Decision
    status: dict[str, Status]
    pages: int
    requests: int = 0

    def emitted(self) -> set[str]:
        return {k for k, s in self.status.items() if s != "baseline"}


@dataclass
class Watcher:
    """Visits a `ListSim` as the product's visits do."""

    sim: ListSim
    limits: Limits = Limits()
    memory: SeriesMemory = SeriesMemory("main")
    history: dict[str, KnownLink] = field(default_factory=dict)
    visits: int = 0

    def visit(
        self,
        *,
        fail_at: int | None = None,
        pace: float = 2.0,
        during: Callable[[int], None] | None = None,
        limits: Limits | None = None,
    ) -> Seen:
        """Walk the list; `fail_at`: the page with this number cannot be fetched; `during(n)` is called
        before page n is read (a list that moves); `pace`: seconds between two requests."""
        self.visits += 1
        memory = self.memory if self.memory.base else replace(self.memory, order=self.sim.order)
        walk = Walk(memory, self.visits, limits or self.limits)
        number, requests = 1, 0
        move: Move = "on"
        while True:
            if during:
                during(number)
            requests += 1
            if number == fail_at:
                decision = Decision(None, "fetch-failed", False, False, "page failed")
                break
            walk = replace(walk, seconds=pace * (requests - 1))
            view = self.sim.view(number, self.history.get)
            walk = read_again(walk, view) if move == "again" else walk.read(view, move)
            decision = decide(walk)
            if decision.next_url is None:
                break
            number, move = int(decision.next_url[1:]), decision.move
        if not walk.pages:
            return Seen(decision, {}, 0)
        status = statuses(walk)
        for r in redated(walk, decision):
            self.history[r.key] = replace(self.history[r.key], published_at=r.published_at)
        self.memory = remember(walk, decision, self.sim.order, self.sim.now)
        for r in walk.rows:
            if r.known is None:
                self.history[r.key] = KnownLink(
                    r.key, self.visits, r.published_at, r.precision, r.title, r.url
                )
        return Seen(decision, status, len(walk.pages), requests)


__all__ = ["START", "Limits", "ListSim", "Post", "Seen", "Watcher", "replace"]
