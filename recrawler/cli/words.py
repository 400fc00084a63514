"""What a person reads: a few lines that can be checked at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from recrawler.cli.app import clock, count, distance
from recrawler.records import IndexPage, Visit

if TYPE_CHECKING:
    from rich.console import Console

    from recrawler.cli.facts import Fact
    from recrawler.page.types import Link, Listing, PageAnalysis
    from recrawler.visit import Gate, Report


def print_added(console: Console, report: Report, gate: Gate) -> None:
    """What add-index found, for a person to check."""
    from rich.text import Text

    from recrawler.cli.facts import print_facts

    visit, index, analysis = report.result.visit, report.result.index, report.analysis
    console.print(Text(f"Index {index.id} added: {index.title or index.url}", style="bold"))
    facts: list[Fact] = [("page", index.url)]
    if analysis is not None and analysis.main is not None:
        facts += listing_lines(analysis, analysis.listings[analysis.main])
    known = visit.per_day is not None
    rate = f"about {visit.per_day:g} links a day (from {visit.basis})" if known else "not known yet"
    when = f"next visit {clock(visit.next_visit_at, visit.finished_at)}"
    when += f" ({distance(visit.next_visit_at, visit.finished_at)})"
    facts.append(("cadence", f"{rate}; {when}"))
    facts.append(("policy", f"{index.options.policy}: {_sites(gate)}"))
    facts.append(("base", _base(report)))
    told = [*gate.warnings, *visit.warnings, *(analysis.warnings if analysis else ())]
    print_facts(console, [*facts, *(("warning", warning) for warning in dict.fromkeys(told))])


def _sites(gate: Gate) -> str:
    return " or ".join(s.describe() for s in gate.policy.sites)


def _base(report: Report) -> str:
    visit = report.result.visit
    links = len(report.result.found)
    text = f"{links} links on {count(len(visit.pages), 'page')} recorded; new ones are emitted from now on"
    if visit.new:
        text += f"; {len(visit.new)} of them emitted as asked"
    if visit.filtered:
        text += "; kept back by " + ", ".join(f"{k}: {v}" for k, v in visit.filtered.items())
    return text


def listing_lines(analysis: PageAnalysis, listing: Listing) -> list[tuple[str, str]]:
    """Name and text of each line on one listing: list, newest row, bar, order."""
    block = listing.block
    marked = " (marked by the site)" if block.marked else ""
    lines = [("list", f"{len(block.links)} links at {block.xpath}{marked}")]
    first = next((x for x in block.links if not x.pinned), block.links[0] if block.links else None)
    if first is not None:
        lines.append(("first", first.text + _dated(first, analysis)))
    pins = sum(x.pinned for x in block.links)
    if pins:
        lines.append(("pinned", f"{pins} of them"))
    lines.append(("bar", bar_line(listing)))
    evidence = f" ({'; '.join(listing.order.evidence[:2])})" if listing.order.evidence else ""
    lines.append(("order", f"{listing.order.verdict}{evidence}"))
    more = len(analysis.listings) - 1
    if more:
        lines.append(("also", f"{count(more, 'other list')} on the page: see `recrawler inspect`"))
    return lines


def _dated(link: Link, analysis: PageAnalysis) -> str:
    """When a link was published, on the clock of its page, so that it can be compared with the page."""
    if link.date is None:
        return ""
    local = link.date.astimezone(analysis.zone or UTC)
    return f"  ({local:%Y-%m-%d %H:%M} {local.isoformat()[-6:]}, to the {link.precision})"


def bar_line(listing: Listing) -> str:
    """Where a list stands among its pages, and what leads to older items."""
    bar = listing.bar
    if bar is None:
        return f"none; older items: {listing.older}" if listing.older else "none: the list is one page"
    where = f"page {bar.current or '?'}" + (f" of {bar.depth}" if bar.depth else "")
    if listing.older:
        return f"{where}; older items: {listing.older}"
    if listing.older_form:
        return f"{where}; older items by a form"
    if listing.script_pager:
        return f"{where}; the next page needs script: only this page can be read"
    return f"{where}; no older page"


def print_indexes(pages: Sequence[IndexPage], now: datetime) -> None:
    """One line an index; plain text, so that it starts fast with many."""
    if not pages:
        click.echo("No index is watched yet: recrawler add-index URL")
        return
    rows = [("ID", "LAST", "NEXT", "GAP", "URL")]
    for p in pages:
        state: str = "paused" if p.state == "paused" else (p.last_outcome or "not visited")
        if p.failures:
            state += f" x{p.failures}"
        due = "-" if p.state == "paused" else distance(p.next_visit_at, now)
        rows.append((str(p.id), state, due, "open" if p.gap_since else "", p.url))
    widths = [max(len(r[k]) for r in rows) for k in range(4)]
    for r in rows:
        click.echo("  ".join(x.ljust(w) for x, w in zip(r, [*widths, 0], strict=True)).rstrip())


_ADVICE = {
    "page-limit": "it closes by itself, a piece at each visit; where it does not: --max-pages, --max-every",
    "fetch-failed": "it is tried again by itself; if it lasts, open the page in a browser: it may have moved",
    "blocked": "the site refuses us: set `contact`, visit less often, or give it a cookie (--header)",
    "robots-denied": "its robots.txt forbids the page: respect that (recrawler pause)",
    "empty": "the page holds no list now: recrawler inspect shows what it holds",
    "anchor-lost": "the list was exchanged whole: visit it more often (--max-every)",
    "looped": "its page numbers lead round: only page 1 can be trusted; visit it more often (--max-every)",
    "unsorted-diff": "the list is not sorted by time: --max-pages up to its length, or watch its sorted view",
    "met-history": "its order is not known yet: it settles with the next links",
    "unchanged": "its order is not known yet: it settles with the next links",
    "end-of-series": "its order is not known yet: it settles with the next links",
    "first-visit": "the next visit closes it",
}


def advice(v: Visit) -> str:
    """What to do about a visit that was not complete, in one line."""
    if any("moved" in s.why or "again" in s.why for s in v.series if not s.complete):
        return "the list moved while it was read: the next visit closes it"
    return _ADVICE[v.outcome]


# What says of itself why it ended as it did.
_PLAIN = ("first-visit", "met-history", "unchanged")


def visit_line(v: Visit, now: datetime, *, whose: bool = True) -> str:
    """One visit of the ledger on one line; `whose`: with its index."""
    parts = [
        clock(v.started_at, now),
        *([f"index {v.index}"] if whose else []),
        v.outcome,
        "complete" if v.complete else "GAP OPEN",
        f"{len(v.new)} new",
        f"{v.known} known",
        f"{count(len(v.pages), 'page')}, {count(v.requests, 'request')}",
    ]
    if v.late is not None:
        parts.append(f"audit: {v.late} late")
    if v.filtered:
        parts.append("kept back " + ", ".join(f"{k} {n}" for k, n in v.filtered.items()))
    why = _why(v)
    return "  ".join(parts) + (f"  - {why}" if why else "")


def _why(v: Visit) -> str:
    """What a visit's outcome does not say itself."""
    if v.warnings:
        return v.warnings[0].removeprefix(f"{v.url}: ")
    if v.complete and v.outcome in _PLAIN:
        return ""
    return next((s.why for s in v.series if s.outcome == v.outcome), "")
