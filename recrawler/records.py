"""What is remembered: index pages, visits, links. Plain values; stores keep them, commands print them.

Times are aware datetimes in UTC. `to_json` gives the command contract's shape of each.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from recrawler.completion import KnownLink as KnownLink
from recrawler.completion import Outcome, SeriesMemory, Status
from recrawler.page.types import Precision

State = Literal["active", "paused"]
RECALL_LEAST = 20  # links found before a share of them is told


def share_found(found: int, late: int, audits: int) -> float | None:
    """Recall as audits tell it: the share of `found` links that were not `late`, found by an audit only. Null
    before an audit was made and `RECALL_LEAST` links were found."""
    if not audits or found < RECALL_LEAST:
        return None
    return round((found - late) / found, 4)


def iso(when: datetime | None) -> str | None:
    """ISO 8601 in UTC with Z, whole seconds unless there are fractions; null stays null."""
    if when is None:
        return None
    text = when.astimezone(UTC).isoformat()
    return text.replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What a user set for one index; null means the setting of the file. Durations in seconds."""

    policy: str = "same-domain"
    featured: str | None = None
    ignore_port: bool = False
    alt_suffix: tuple[str, ...] = ()
    sites: tuple[dict[str, Any], ...] = ()  # further sites, each a follow policy of its own
    scope_regex: str | None = None
    scope_substring: str | None = None
    max_hops: int | None = None
    max_to_crawl: int | None = None
    restrict_domain: bool = False
    output_regex: str | None = None
    output_substring: str | None = None
    lists: str = "auto"  # auto: main and those with a bar of their own; main; all; listing numbers: "1,3"
    max_pages: int | None = None
    every: float | None = None
    min_every: float | None = None
    max_every: float | None = None
    hours: str | None = None  # when visits may be, such as Mon-Fri 08:00-19:00; empty: always
    weight: float | None = None  # how much more a link of this index counts than one of another
    timezone: str | None = None
    paths: dict[str, str] = field(default_factory=dict)  # where a list in JSON has what, see `page.jsonlist`
    updates: str = "report"  # articles known under another URL: report or hide; titles: edits of titles too
    flood: str = "flag"  # flag or hold: very many links with old dates at once
    returned: float | None = None  # a known link that was gone for so long is given out again
    key: dict[str, Any] = field(default_factory=dict)  # options of the identity key, see `urls.KeyOptions`
    attributes: dict[str, Any] = field(default_factory=dict)  # given with every link found here
    headers: tuple[tuple[str, str], ...] = ()  # sent with every request of this index: name, value


@dataclass(frozen=True, slots=True)
class IndexPage:
    """One watched index page, with all that its visits have learnt."""

    id: int
    url: str
    added_at: datetime
    options: IndexOptions = IndexOptions()
    state: State = "active"
    title: str = ""
    series: tuple[SeriesMemory, ...] = ()
    cadence: dict[str, Any] = field(default_factory=dict)  # `cadence.CadenceState` as JSON
    visits: int = 0  # finished visits
    failures: int = 0  # failed ones in a row
    last_outcome: Outcome | None = None
    last_visit_at: datetime | None = None
    last_full_at: datetime | None = None  # the last unconditional request
    unchanged: int = 0  # answers of 304 in a row
    gap_since: datetime | None = None  # when the oldest open gap was opened
    next_visit_at: datetime | None = None
    learnt: dict[str, Any] = field(default_factory=dict)  # charset, timezone, ... of the site
    found: int = 0  # links found after the first visit
    late: int = 0  # those of them that only an audit found
    audits: int = 0

    @property
    def recall(self) -> float | None:
        """Share of the links that normal visits found, as the audits tell it; null while too little is known.

        An audit reads pages past the stop, so it finds what all visits before it have missed there.
        """
        return share_found(self.found, self.late, self.audits)


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link as a visit found it; `key` is its identity in the history of its series."""

    index: int
    listing: str
    url: str
    key: str
    title: str
    published_at: datetime | None
    precision: Precision | None
    found_at: datetime
    page: int  # 1-based
    rank: int  # 1-based, on its page
    status: Status
    hop_path: str
    via: str
    admitted: bool = True  # by policy and scope; only admitted links are given out
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def event_id(self) -> str:
        """The same for every delivery of the same event, so that a receiver can drop a repeat."""
        text = f"{self.index}\n{self.listing}\n{self.key}\n{self.status}\n{iso(self.found_at)}"
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "index": self.index,
            "listing": self.listing,
            "url": self.url,
            "title": self.title,
            "published_at": iso(self.published_at),
            "precision": "minute" if self.precision == "second" else self.precision,
            "found_at": iso(self.found_at),
            "page": self.page,
            "rank": self.rank,
            "status": self.status,
            "hop_path": self.hop_path,
            "via": self.via,
        }
        if self.attributes:
            out["attributes"] = self.attributes
        return out


@dataclass(frozen=True, slots=True)
class Publication:
    """When a link of the history came: by its date where it has one, else when it was found."""

    published_at: datetime | None
    precision: Precision | None
    found_at: datetime
    status: Status


@dataclass(frozen=True, slots=True)
class PageRead:
    """One page of a visit. `status` is the HTTP status, or a negative fetch status code (see `crawluri`)."""

    url: str
    status: int
    links: int
    new: int

    def to_json(self) -> dict[str, Any]:
        return {"url": self.url, "status": self.status, "links": self.links, "new": self.new}


@dataclass(frozen=True, slots=True)
class SeriesVisit:
    """The part of a visit that one listing had."""

    listing: str
    outcome: Outcome
    complete: bool
    gap_open: bool
    pages: int
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "listing": self.listing,
            "outcome": self.outcome,
            "complete": self.complete,
            "gap_open": self.gap_open,
            "pages": self.pages,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Visit:
    """One row of the ledger."""

    index: int
    url: str
    number: int  # 1-based, per index
    started_at: datetime
    finished_at: datetime
    outcome: Outcome
    complete: bool
    gap_open: bool
    pages: tuple[PageRead, ...]
    requests: int
    new: tuple[FoundLink, ...]  # admitted ones with status new, backdated or updated
    known: int
    filtered: dict[str, int]  # links that policy or scope kept back, by rule
    series: tuple[SeriesVisit, ...]
    next_visit_at: datetime | None
    per_day: float | None
    basis: str
    warnings: tuple[str, ...] = ()
    late: int | None = None  # links that the audit of this visit found past the stop; null: it was none
    recall: float | None = None  # of the index after this visit, see `IndexPage.recall`

    def to_json(self) -> dict[str, Any]:
        return {
            "index": self.index,
            "url": self.url,
            "number": self.number,
            "started_at": iso(self.started_at),
            "finished_at": iso(self.finished_at),
            "outcome": self.outcome,
            "complete": self.complete,
            "gap_open": self.gap_open,
            "pages": [p.to_json() for p in self.pages],
            "requests": self.requests,
            "new": [x.to_json() for x in self.new],
            "filtered": sum(self.filtered.values()),
            "filtered_by": self.filtered,
            "known": self.known,
            "next_visit_at": iso(self.next_visit_at),
            "cadence": {"per_day": self.per_day, "basis": self.basis},
            "series": [s.to_json() for s in self.series],
            "audit": None if self.late is None else {"late": self.late},
            "recall": self.recall,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class Validators:
    """What a conditional request sends, and the digests that catch an unchanged page without validators."""

    etag: str | None = None
    last_modified: str | None = None
    body_digest: str | None = None


@dataclass(frozen=True, slots=True)
class HostState:
    """What is remembered of a host between runs."""

    host_key: str  # host and port
    not_before: datetime | None = None  # no request before (Retry-After, slowing down)
    delay: float | None = None  # seconds, as adapted
    robots_body: bytes | None = None
    robots_status: int | None = None
    robots_at: datetime | None = None
    charset: str | None = None


@dataclass(frozen=True, slots=True)
class VisitResult:
    """All that one visit changes; a store writes it in one transaction."""

    index: IndexPage  # as it is after the visit
    visit: Visit
    found: tuple[FoundLink, ...]  # every link that enters the history, with its status
    seen: tuple[tuple[str, str], ...]  # (listing, key) of known links seen again: their last-seen moves
    redated: tuple[tuple[str, str, datetime | None, Precision | None], ...] = ()  # listing, key, new date
    unchanged: tuple[str, ...] = ()  # listings of which all links last seen stay seen (304)
    validators: dict[str, Validators] = field(default_factory=dict)  # by URL of the page
