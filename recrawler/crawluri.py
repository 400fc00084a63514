"""The records of a crawl: a link before the frontier (`CandidateURI`) and after it (`CrawlURI`).

Attributes, defaults and rules are those of Heritrix's CandidateURI and CrawlURI, with one hop of our own,
N: the next page of a paged index. docs/reference/policy.md tells which attributes the product acts on and
which are carried for interchange; all of them round-trip through JSON.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from typing import Any, Self

from recrawler.attributes import ANNOTATIONS, CREDENTIALS, HERITABLE, Attributes
from recrawler.errors import InvalidURL
from recrawler.hops import (
    DISREGARDED,
    NO_DEPTH,
    RETRIED_LATER,
    FetchStatus,
    Hop,
    SchedulingDirective,
    extend_path,
    hops_after,
    split_path,
)
from recrawler.urls import host_key, join

__all__ = [
    "Attributes",
    "CandidateURI",
    "CrawlURI",
    "FetchStatus",
    "Hop",
    "SchedulingDirective",
    "index_candidate",
]

UNCALCULATED = -1
MAX_OUTLINKS = 6000
MAX_RETRIES = 30
RETRY_DELAY = 900  # seconds, after a failure to connect
PREREQUISITE_CONTEXT = "=PREREQ_MISC"


@dataclass(slots=True)
class CandidateURI:
    """A link that was found and not yet queued. `via` is the URL of the page that held it."""

    url: str
    path_from_seed: str | None = ""
    via: str | None = None
    via_context: str | None = None
    scheduling_directive: int = SchedulingDirective.NORMAL
    class_key: str | None = None  # None until the frontier gives one: `host:port`
    force_revisit: bool = False
    is_seed: bool = False
    precedence: int = 0
    depth: int = UNCALCULATED  # -1: from the hop path
    attributes: Attributes = field(default_factory=Attributes)

    def __post_init__(self) -> None:
        self.path_from_seed = self.path_from_seed or ""
        if self.depth == UNCALCULATED:
            cut, letters = split_path(self.path)
            self.depth = cut + sum(c not in NO_DEPTH for c in letters)

    @property
    def path(self) -> str:
        """The hop path from the seed, "" for a seed."""
        return self.path_from_seed or ""

    @property
    def last_hop(self) -> str:
        return self.path[-1:]

    @property
    def is_redirect(self) -> bool:
        return self.last_hop == Hop.REFER

    @property
    def hop_count(self) -> int:
        """All hops, the cut ones too."""
        cut, letters = split_path(self.path)
        return cut + len(letters)

    @property
    def link_hop_count(self) -> int:
        """Links among the hops that are shown."""
        return self.path.count(Hop.NAVLINK)

    @property
    def embed_hop_count(self) -> int:
        """Hops after the last link."""
        return hops_after(self.path, Hop.NAVLINK)

    @property
    def trans_hops(self) -> int:
        """Hops after the last link or manifest entry."""
        return hops_after(self.path, Hop.NAVLINK + Hop.MANIFEST)

    @property
    def policy_basis(self) -> str:
        """The URL that decides queue and policy: a prerequisite goes with the page that asked for it."""
        return self.via if self.last_hop == Hop.PREREQ and self.via else self.url

    def queue(self) -> str:
        """The class key: as set, or the `host:port` of the policy basis."""
        if self.class_key is None:
            try:
                return host_key(self.policy_basis)
            except InvalidURL:
                return ""
        return self.class_key

    def child(self, url: str, hop: Hop, context: str | None = None) -> CandidateURI:
        """A URI found on this page, with the heritable attributes. `url` may be relative."""
        return CandidateURI(
            url=join(self.url, url) or url,
            path_from_seed=extend_path(self.path, hop),
            via=self.url,
            via_context=context,
            depth=self.depth + (hop not in NO_DEPTH),
            attributes=self.attributes.inherited(),
        )

    def next_page(self, url: str, context: str | None = None) -> CandidateURI:
        """The next page of this index: forced, for it was surely seen before, and sooner than other pages."""
        page = self.child(url, Hop.NEXT, context)
        page.scheduling_directive = SchedulingDirective.HIGH
        page.force_revisit = True
        return page

    def redirect(self, url: str) -> CandidateURI:
        """Where this URI redirects to; it stands for this one, so it is a seed where this one is."""
        target = self.child(url, Hop.REFER)
        target.scheduling_directive = self.scheduling_directive
        target.force_revisit = self.force_revisit
        target.is_seed = self.is_seed
        return target

    def to_json(self) -> dict[str, Any]:
        """Every attribute, as values that JSON has; `from_json` reads it."""
        out = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "attributes"}
        return {
            k: int(v) if isinstance(v, IntEnum) else v for k, v in out.items()
        } | self.attributes.to_json()

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """From `to_json`. Unknown names are ignored, missing ones have their defaults."""
        names = {f.name for f in fields(cls)}
        known = {k: v for k, v in values.items() if k in names}
        return cls(**known, attributes=Attributes(values.get("attrs"), values.get(HERITABLE)))


def index_candidate(
    url: str, *, asked: bool = False, attributes: Mapping[str, Any] | None = None
) -> CandidateURI:
    """An index page to visit: a seed, forced, HIGH when a user asked for it, with heritable attributes."""
    directive = SchedulingDirective.HIGH if asked else SchedulingDirective.NORMAL
    page = CandidateURI(url, scheduling_directive=directive, force_revisit=True, is_seed=True)
    for key, value in (attributes or {}).items():
        page.attributes.put(key, value, heritable=True)
    return page


@dataclass(slots=True)
class CrawlURI(CandidateURI):
    """A URI that the frontier has taken in, with what fetching it brought."""

    ordinal: int = 0
    fetch_status: int = FetchStatus.UNATTEMPTED
    fetch_attempts: int = 0
    deferrals: int = 0
    prerequisite: bool = False
    prerequisite_uri: str | None = None
    content_digest: bytes | None = None
    content_digest_scheme: str | None = None
    content_length: int = UNCALCULATED  # bytes of the body
    content_size: int = UNCALCULATED  # bytes with the headers
    content_type: str | None = None
    user_agent: str | None = None  # None: the setting's
    post: bool = False
    holder: str | None = None
    holder_key: str | None = None
    holder_cost: int = UNCALCULATED
    thread_number: int = 0
    link_extractor_finished: bool = False
    max_outlinks: int = MAX_OUTLINKS
    discarded_outlinks: int = 0
    outlinks: dict[str, CandidateURI] = field(default_factory=dict)  # by URL

    @classmethod
    def promote(cls, candidate: CandidateURI, ordinal: int) -> CrawlURI:
        """What a candidate becomes in the frontier; nothing of it is lost."""
        if isinstance(candidate, CrawlURI):
            return replace(candidate, ordinal=ordinal)
        return cls(**{f.name: getattr(candidate, f.name) for f in fields(CandidateURI)}, ordinal=ordinal)

    def mark_prerequisite(self, url: str) -> CrawlURI:
        """Defer this URI until `url` (its robots.txt) is fetched: one step sooner, in the same queue."""
        first = CrawlURI.promote(self.child(url, Hop.PREREQ, PREREQUISITE_CONTEXT), 0)
        first.prerequisite = True
        first.force_revisit = True
        first.scheduling_directive = max(SchedulingDirective.HIGHEST, self.scheduling_directive - 1)
        first.class_key = self.class_key
        self.prerequisite_uri = first.url
        self.deferrals += 1
        self.fetch_status = FetchStatus.DEFERRED
        return first

    def robots_prerequisite(self, url: str) -> CrawlURI:
        """`mark_prerequisite` for robots.txt, which goes before everything else."""
        first = self.mark_prerequisite(url)
        first.scheduling_directive = SchedulingDirective.HIGHEST
        return first

    def add_outlink(self, link: CandidateURI) -> bool:
        """Keep a link of the page; False, and counted, beyond `max_outlinks`."""
        if link.url in self.outlinks:
            return True
        if len(self.outlinks) >= self.max_outlinks:
            self.discarded_outlinks += 1
            return False
        self.outlinks[link.url] = link
        return True

    def annotate(self, text: str) -> None:
        notes = self.attributes.get(ANNOTATIONS) or []
        if text not in notes:
            self.attributes.put(ANNOTATIONS, [*notes, text])

    @property
    def annotations(self) -> list[str] | None:
        notes: list[str] | None = self.attributes.get(ANNOTATIONS)
        return notes

    def finish_link_extraction(self) -> None:
        """Note that the links were read, and how many were dropped (`dol:3`)."""
        self.link_extractor_finished = True
        if self.discarded_outlinks:
            self.annotate(f"dol:{self.discarded_outlinks}")

    def about_to_log(self) -> None:
        """Note how many tries it took (`3t`) when it took more than one."""
        if self.fetch_attempts > 1:
            self.annotate(f"{self.fetch_attempts}t")

    def _awaits_credentials(self) -> bool:
        return self.fetch_status == 401 and CREDENTIALS in self.attributes

    @property
    def success(self) -> bool:
        """Whether the server answered, whatever it said; not for a 401 that credentials will answer."""
        return self.fetch_status > 0 and not self._awaits_credentials()

    @property
    def needs_retry(self) -> bool:
        """Whether the frontier should try again."""
        if self.fetch_attempts >= MAX_RETRIES:
            return False
        status = self.fetch_status
        return status in RETRIED_LATER or status == FetchStatus.DEFERRED or self._awaits_credentials()

    @property
    def retry_delay(self) -> int:
        """Seconds to wait before a retry."""
        return RETRY_DELAY if self.fetch_status in RETRIED_LATER else 0

    @property
    def disregarded(self) -> bool:
        """Whether it was left out on purpose, which is no failure."""
        return self.fetch_status in DISREGARDED

    @property
    def digest_string(self) -> str | None:
        """`sha1:<base32>` of the content, or None."""
        if self.content_digest is None:
            return None
        return f"{self.content_digest_scheme}:{base64.b32encode(self.content_digest).decode().rstrip('=')}"

    def cleanup(self) -> None:
        """End a processing pass: what it brought goes, attempts and deferrals stay."""
        self.fetch_status = FetchStatus.UNATTEMPTED
        self.prerequisite = False
        self.prerequisite_uri = None
        self.content_size = self.content_length = UNCALCULATED
        self.link_extractor_finished = False
        self.outlinks = {}
        self.attributes.clean()

    def reset_for_rescheduling(self) -> None:
        """Before the next planned visit: tries of this one do not count against it."""
        self.fetch_attempts = 0
        self.deferrals = 0

    def to_json(self) -> dict[str, Any]:
        out = super(CrawlURI, self).to_json()
        out["content_digest"] = None if self.content_digest is None else self.content_digest.hex()
        out["outlinks"] = [link.to_json() for link in self.outlinks.values()]
        return out

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        digest = values.get("content_digest")
        links = [CandidateURI.from_json(v) for v in values.get("outlinks") or ()]
        read = dict(values)
        read["content_digest"] = None if digest is None else bytes.fromhex(digest)
        read["outlinks"] = {link.url: link for link in links}
        return super(CrawlURI, cls).from_json(read)
