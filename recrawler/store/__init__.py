"""Where everything is kept: the `Store` protocol. `sqlite` is the default implementation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from recrawler.records import FoundLink, HostState, IndexOptions, IndexPage, KnownLink, Validators, Visit, VisitResult


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to visit one index until `expires`. `fence` grows with every claim of it; a result that
    comes with an old fence is refused."""

    index: IndexPage
    fence: int
    expires: datetime


@dataclass(frozen=True, slots=True)
class OutboxItem:
    """One undelivered event for one sink. `seq` orders them; `link` is what to deliver."""

    seq: int
    sink: str
    attempts: int
    link: FoundLink


class Store(Protocol):
    """Everything the product remembers. Methods are short transactions; nothing stays open between calls."""

    # index pages
    def add_index(self, url: str, key: str, options: IndexOptions, now: datetime,
                  next_visit_at: datetime | None) -> tuple[IndexPage, bool]:
        """The index page with this identity key, and whether it is new."""

    def get_index(self, index_id: int) -> IndexPage | None: ...
    def find_index(self, key: str) -> IndexPage | None: ...
    def indexes(self) -> Iterator[IndexPage]: ...
    def set_options(self, index_id: int, options: IndexOptions) -> None: ...
    def set_state(self, index_id: int, state: str, next_visit_at: datetime | None) -> None: ...
    def schedule(self, index_id: int, next_visit_at: datetime) -> None: ...
    def remove_index(self, index_id: int) -> bool: ...

    # visits
    def claim_due(self, now: datetime, limit: int, lease: float, busy_hosts: Iterable[str] = ()) -> list[Claim]:
        """Due index pages, the longest overdue first, at most one a host and none of a busy one; each is
        leased for `lease` seconds."""

    def claim(self, index_id: int, now: datetime, lease: float) -> Claim | None:
        """One index page, due or not; null while another holds it."""

    def next_due(self) -> datetime | None: ...

    def finish(self, claim: Claim, result: VisitResult, sinks: Sequence[str]) -> bool:
        """Write a visit in one transaction: history, ledger, validators, the index's state and one outbox
        row for each emitted link and sink. False: the fence is stale and nothing was written."""

    def release(self, claim: Claim, next_visit_at: datetime) -> bool: ...

    # history
    def known(self, index_id: int, listing: str, keys: Iterable[str]) -> dict[str, KnownLink]: ...
    def validators(self, index_id: int, urls: Iterable[str]) -> dict[str, Validators]: ...

    # what is printed
    def links(self, index_id: int | None = None, since: datetime | None = None, after: int = 0,
              limit: int | None = None) -> Iterator[tuple[int, FoundLink]]:
        """Emitted links with their sequence number, by found_at, then oldest published first."""

    def visits(self, index_id: int | None = None, gaps: bool = False, limit: int | None = None) -> Iterator[Visit]:
        """The ledger, oldest first; with `gaps` the latest visit of each index whose gap is open."""

    # hosts
    def host(self, host_key: str) -> HostState | None: ...
    def save_host(self, state: HostState) -> None: ...

    # outbox
    def pending(self, sink: str, now: datetime, limit: int) -> list[OutboxItem]: ...
    def delivered(self, sink: str, seqs: Sequence[int]) -> None: ...
    def failed(self, sink: str, seqs: Sequence[int], error: str, retry_at: datetime | None) -> None: ...

    def close(self) -> None: ...


__all__ = ["Claim", "OutboxItem", "Store"]
