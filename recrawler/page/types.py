"""What the analysis of a page says: plain values, and the inspect contract's JSON shape of each.

Every href is absolute (resolved against <base>), WHATWG-serialised, fragment kept. Times are aware, in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal

Precision = Literal["second", "minute", "hour", "day"]
Role = Literal["next", "prev", "first", "last", "page", "other"]
Verdict = Literal["newest-first", "oldest-first", "unsorted", "unknown"]
Kind = Literal["index", "article", "other"]
# What the page as a whole is. Only "list" can tell of new links; "empty" is a list shell with no rows.
PageVerdict = Literal[
    "list", "no-list", "empty", "blocked", "consent", "login", "soft-404", "error", "parked", "shell"
]


EMBEDDED = "a list in JSON inside the page: "  # begins a warning; the script's name and ": " follow


@dataclass(frozen=True, slots=True)
class Link:
    """One article link of a block. `precision` is null where `date` is."""

    href: str
    text: str
    date: datetime | None = None
    precision: Precision | None = None
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of one list. `xpath` leads to the lowest common ancestor of the article links; `path` is the
    same without positions (tags and stable classes), which survives from page to page."""

    xpath: str
    path: str
    marked: bool
    links: tuple[Link, ...]
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class BarLink:
    """One link of a pagination bar. `href` is null where it is script; `page` is 1-based."""

    href: str | None
    text: str
    role: Role
    page: int | None = None


@dataclass(frozen=True, slots=True)
class PostForm:
    """A pager that submits a form: the request that gives the next page."""

    action: str
    fields: tuple[tuple[str, str], ...]
    method: Literal["GET", "POST"] = "POST"


@dataclass(frozen=True, slots=True)
class Bar:
    """A pagination bar; copies above and below the list are merged into one."""

    xpath: str
    marked: bool
    current: int | None
    depth: int | None
    links: tuple[BarLink, ...]
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Order:
    verdict: Verdict
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """A block with the bar that pages it.

    `older` and `newer` are the URLs of the pages with older and newer items (null: none, or not followable).
    `last` is the URL of the last page of the series where the bar tells it (an oldest-first walk starts there).
    `older_form` is the POST that leads to older items where there is no URL. `ahead` counts rows that the
    zone assumed puts in the future: their dates are not given. `day_first` tells whether 5/6 is of June, where
    the dates show it. A block without links is that of a page which
    has a bar and no list of articles.
    """

    block: Block
    bar: Bar | None
    older: str | None
    newer: str | None
    script_pager: bool
    order: Order
    last: str | None = None
    older_form: PostForm | None = None
    ahead: int = 0
    day_first: bool | None = None


@dataclass(frozen=True, slots=True)
class SortOption:
    text: str
    href: str | None
    active: bool
    by: Literal["time", "other"]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that was not taken, for `inspect`. `sample`: the text of its first link."""

    what: Literal["block", "bar"]
    xpath: str
    score: float
    why: str
    sample: str = ""


@dataclass(frozen=True, slots=True)
class PageAnalysis:
    """Everything that one page says. `main` is an index into `listings`, or null; `zone` is the one that its
    dates were read in, null where nothing told; `refresh` is where a browser would be sent on to by itself."""

    url: str
    kind: Kind
    kind_score: float
    verdict: PageVerdict
    verdict_why: str
    main: int | None
    listings: tuple[Listing, ...]
    sort_options: tuple[SortOption, ...] = ()
    feeds: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    title: str = ""
    lang: str | None = None
    rejected: tuple[Rejected, ...] = field(default=(), repr=False)
    elapsed_ms: float = 0.0
    zone: tzinfo | None = None
    refresh: str | None = None
    stale: str = ""  # what shows that the static list is not the one that a browser shows; empty: nothing


@dataclass(frozen=True, slots=True)
class ListingHint:
    """What a series knows of its block, bar and dates from earlier pages: tried first, judged still."""

    path: str
    bar_path: str | None = None
    order: Verdict = "unknown"
    day_first: bool | None = None


def to_json(found: PageAnalysis) -> dict[str, Any]:
    """The inspect contract's object of one page (without id)."""
    return {
        "url": found.url,
        "kind": found.kind,
        "kind_score": found.kind_score,
        "ms": round(found.elapsed_ms, 2),
        "main": found.main,
        "listings": [_listing_json(x) for x in found.listings],
        "sort_options": [
            {"text": s.text, "href": s.href, "active": s.active, "by": s.by} for s in found.sort_options
        ],
        "feeds": list(found.feeds),
        "warnings": list(found.warnings),
        "verdict": found.verdict,
        "verdict_why": found.verdict_why,
        "title": found.title,
        "lang": found.lang,
    }


def _listing_json(x: Listing) -> dict[str, Any]:
    return {
        "block": {
            "xpath": x.block.xpath,
            "marked": x.block.marked,
            "links": [
                {
                    "href": link.href,
                    "text": link.text,
                    "date": _iso(link.date),
                    "precision": "minute" if link.precision == "second" else link.precision,
                    "pinned": link.pinned,
                }
                for link in x.block.links
            ],
            "path": x.block.path,
            "score": round(x.block.score, 4),
        },
        "bar": _bar_json(x),
        "older": x.older,
        "newer": x.newer,
        "script_pager": x.script_pager,
        "order": {"verdict": x.order.verdict, "evidence": list(x.order.evidence)},
        "last": x.last,
    }


def _bar_json(x: Listing) -> dict[str, Any] | None:
    if x.bar is None:
        return None
    return {
        "xpath": x.bar.xpath,
        "marked": x.bar.marked,
        "current": x.bar.current,
        "depth": x.bar.depth,
        "links": [
            {"href": link.href, "text": link.text, "role": link.role, "page": link.page}
            for link in x.bar.links
        ],
        "score": round(x.bar.score, 4),
    }


def _iso(when: datetime | None) -> str | None:
    return when.astimezone(UTC).isoformat().replace("+00:00", "Z") if when else None
