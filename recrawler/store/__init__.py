"""Where everything is kept: the `Store` protocol. `sqlite` is the default implementation.

connection   opening with every check, short transactions, SQLite's errors as one clear line
schema       the tables, as an ordered list of migrations
rows         values to columns and back
locks        which process is the daemon, which one delivers
indexes      index pages, their schedule and leases; hosts
history      the links and validators of each index; the transaction that ends a visit
order        in which order the links of one visit are given out
ledger       what is printed: emitted links and visits
outbox       events on their way to sinks
upkeep       retention, figures, checks
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from recrawler.records import (
    FoundLink,
    HostState,
    IndexOptions,
    IndexPage,
    KnownLink,
    Publication,
    Validators,
    Visit,
    VisitResult,
)

if TYPE_CHECKING:
    from recrawler.store.locks import DaemonLock


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to visit one index until `expires`. `fence` grows whenever somebody claims it and when the
    visit ends; a result that comes with an old fence is refused."""

    index: IndexPage
    fence: int
    expires: datetime


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """One undelivered event for one sink. `seq` orders them; `link` is what to deliver.

    `id` is the same at every delivery of the event, so that a receiver can drop a repeat. `attempts` counts
    the failed ones so far, `error` is the last one's.
    """

    seq: int
    sink: str
    attempts: int
    link: FoundLink
    id: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SinkState:
    """What one sink has still to get. `oldest` is when the oldest pending event was found."""

    sink: str
    pending: int
    dead: int
    oldest: datetime | None
    error: str | None  # of the latest failed attempt of what is pending or dead


@dataclass(frozen=True, slots=True)
class StoreFigures:
    """Counts for a status page. `visits` and `emitted` are of all time, `links` those in the history now,
    `resting` the hosts that are left alone for a while, `size` is the bytes on disk."""

    active: int
    paused: int
    overdue: int
    leased: int
    gaps: int
    failing: int
    resting: int
    visits: int
    links: int
    emitted: int
    size: int
    found: int = 0  # links found after first visits, and those of them that only an audit found
    late: int = 0
    audits: int = 0
    sinks: tuple[SinkState, ...] = ()
    failing_hosts: tuple[tuple[str, str, int], ...] = ()  # host, outcome, index pages; the worst first


class Store(Protocol):
    """Everything the product remembers. Methods are short transactions; nothing stays open between calls:
    iterators too read a piece at a time. Every method may raise `StoreError` (locked, full, damaged)."""

    # index pages
    def add_index(
        self,
        url: str,
        key: str,
        options: IndexOptions,
        now: datetime,
        next_visit_at: datetime | None,
        learnt: Mapping[str, Any] = ...,
    ) -> tuple[IndexPage, bool]:
        """The index page with this identity key, and whether it is new; `learnt`: what its first visit is to
        know."""

    def get_index(self, index_id: int) -> IndexPage | None: ...
    def find_index(self, key: str) -> IndexPage | None: ...
    def indexes(self) -> Iterator[IndexPage]: ...
    def overview(self, limit: int) -> list[IndexPage]:
        """Index pages for a person to look at: those that fail, those with a gap, then as they fall due."""

    def set_options(self, index_id: int, options: IndexOptions) -> bool: ...
    def set_state(self, index_id: int, state: str, next_visit_at: datetime | None) -> bool: ...
    def schedule(self, index_id: int, next_visit_at: datetime) -> bool: ...
    def remove_index(self, index_id: int) -> bool:
        """Forget an index with all that belongs to it, events not yet delivered included."""

    # visits
    def claim_due(
        self, now: datetime, limit: int, lease: float, busy_hosts: Iterable[str] = ()
    ) -> list[Claim]:
        """Due index pages, at most one a host, and none of a host that is busy (one with a visit under way
        anywhere is) or has asked to be left alone; each is leased for `lease` seconds.

        First come those whose wait since the last visit is the greatest multiple of what it was to be. So
        where more is due than can be visited, all intervals grow by the same factor: that is what a higher
        price of visits would do, and no index waits for ever. The choice is among a few hundred of free
        hosts that wait longest.
        """

    def claim(self, index_id: int, now: datetime, lease: float) -> Claim | None:
        """One index page, due or not, paused or not; null while another holds it, or where there is none."""

    def next_due(self) -> datetime | None:
        """When the next active index that nobody holds is due; may be past."""

    def finish(self, claim: Claim, result: VisitResult, sinks: Sequence[str]) -> bool:
        """Write a visit in one transaction: history, ledger, validators, the index's state and one outbox
        row for each emitted link and sink. False: the fence is stale and nothing was written.

        Emitted are the admitted links of `found` but baseline ones, each identity once in the life of its
        series. Options and state set by the user meanwhile stay, and of two next visits the earlier holds.
        """

    def release(self, claim: Claim, next_visit_at: datetime) -> bool: ...
    def hurry_failed(self, since: datetime, now: datetime) -> int:
        """What failed and was last visited since then is due now; number of index pages."""

    def reset_leases(self, lock: DaemonLock | None = None) -> int:
        """Free what dead processes of this machine hold; number freed. With `lock`, the proof that no other
        daemon runs, also what any daemon held."""

    def shift(self, seconds: float) -> None:
        """The clock was set by so many seconds: all that is due, held, waiting or resting goes with it."""

    def mend_clock(self, now: datetime, lease: float) -> int:
        """After the clock was set back unseen: what was last visited after `now` is due as long after it as
        it was to be after its visit, no lease is longer than `lease` seconds, and no event or host rests
        longer than an hour; number of index pages changed. Cheap where nothing was written after `now`."""

    # history
    def known(self, index_id: int, listing: str | None, keys: Iterable[str]) -> dict[str, KnownLink]:
        """Those of `keys` that the series knows; with `listing` None, that any series of the index knows.
        Title and URL are empty where retention has kept no more than the fact."""

    def publications(self, index_id: int) -> list[Publication]:
        """When each link of an index's history came, those kept back by policy too; in no order."""

    def validators(self, index_id: int, urls: Iterable[str]) -> dict[str, Validators]: ...

    # what is printed
    def links(
        self,
        index_id: int | None = None,
        since: datetime | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> Iterator[tuple[int, FoundLink]]:
        """Emitted links with their sequence number, by found_at, then oldest published first.

        With `after`: those with a higher number only, by number: what came since, for following.
        """

    def last_links(self, index_id: int, limit: int) -> list[FoundLink]:
        """The latest links of an index, in the order of `links`."""

    def visits(
        self, index_id: int | None = None, gaps: bool = False, limit: int | None = None
    ) -> Iterator[Visit]:
        """The ledger, oldest first; with `gaps` the latest visit of each index whose gap is open; with
        `limit` the latest so many."""

    # hosts
    def host(self, host_key: str) -> HostState | None: ...
    def save_host(self, state: HostState) -> None: ...

    # the daemon
    def note(self, name: str) -> dict[str, Any] | None:
        """What was kept under this name; null where there is nothing."""

    def keep_note(self, name: str, value: dict[str, Any]) -> None: ...

    # outbox
    def begin_delivery(self) -> bool:
        """Whether this store alone delivers from now on, until it is closed. False: another one does."""

    def sync(self) -> None:
        """Make what was committed survive a power cut too. Nothing may be delivered before."""

    def pending(self, sink: str, now: datetime, limit: int) -> list[OutboxItem]:
        """The next events for a sink, in order; of an index that waits for a retry, none."""

    def delivered(self, sink: str, seqs: Sequence[int]) -> None: ...
    def failed(self, sink: str, seqs: Sequence[int], error: str, retry_at: datetime | None) -> None:
        """Count an attempt; `retry_at` None: these are dead letters from now on."""

    def dead_letters(self, sink: str | None = None, limit: int = 100) -> list[OutboxItem]: ...
    def revive(self, sink: str | None = None) -> int:
        """Dead letters become pending again; how many."""

    def drop_sink(self, sink: str) -> int:
        """Forget what a sink that no longer exists has not got; how many."""

    def sinks(self) -> list[SinkState]: ...

    # upkeep
    def in_place(self) -> bool:
        """Whether what is written is still to be found: a database file may be deleted or replaced while it
        is in use."""

    def figures(self, now: datetime) -> StoreFigures: ...
    def prune(
        self, now: datetime, *, history_days: int = 0, ledger_days: int = 0, events_days: int = 0
    ) -> dict[str, int]:
        """Apply retention (0: keep for ever); rows removed, by what they were. Takes a while: call it once a
        day, in a thread."""

    def tidy(self) -> None:
        """What keeps the files small and is done every hour or so, in a thread."""

    def vacuum(self) -> tuple[int, int]:
        """Give free space back; bytes before and after. Not while a daemon runs."""

    def close(self) -> None: ...


__all__ = ["Claim", "OutboxItem", "SinkState", "Store", "StoreFigures"]
