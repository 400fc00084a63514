"""What a person reads: a few lines that can be checked at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from recrawler.cli.app import amount, clock, count, distance, span
from recrawler.records import FoundLink, IndexPage, Visit
from recrawler.settings import Settings, format_duration

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


def shown(page: IndexPage, settings: Settings, price: float) -> dict[str, Any]:
    """What `show` adds to the record of an index: options, series, cadence."""
    import msgspec

    now = datetime.now(UTC)
    out: dict[str, Any] = {
        "options": msgspec.to_builtins(page.options),
        "series": [
            {
                "listing": m.listing,
                "path": m.path,
                "order": m.order if m.order != "unknown" or not m.settled else "newest-first",
                "settled": m.settled,
                "base": len(m.base),
                "gap_open": m.gap_visit is not None,
            }
            for m in page.series
        ],
    }
    if page.cadence:
        out["cadence"] = _cadence(page, settings, price, now)
    return out


def _cadence(page: IndexPage, settings: Settings, price: float, now: datetime) -> dict[str, Any]:
    import msgspec

    from recrawler import cadence
    from recrawler.visit.spending import home_zone, pricing

    state = msgspec.convert(page.cadence, cadence.CadenceState)
    at, since = (page.next_visit_at or now).timestamp(), now.timestamp()
    here = now.astimezone().tzinfo or UTC
    home = home_zone(page, settings) or here
    terms = pricing(page, settings, price)
    ahead = cadence.outlook(state, since, at, terms, since + 86400.0)
    away = now.astimezone(home).utcoffset() or timedelta(0)
    return {
        "per_day": cadence.per_day(state, since),
        "basis": cadence.basis(state),
        "plan": cadence.explain(state, since, at, here, terms, home),
        "day_ahead": {
            "visits": len(ahead.visits),
            "links": round(ahead.links, 2),
            "mean_delay": None if ahead.mean_delay is None else round(ahead.mean_delay, 1),
        },
        "profile": [round(x, 4) for x in cadence.profile(state, int(away.total_seconds()))],
        "profile_zone": now.astimezone(home).isoformat()[-6:],
    }


def _week(profile: Sequence[float], zone: str) -> tuple[str, str]:
    """The week and the mean day as rows of blocks, with what they stand over."""
    from recrawler.cadence import sparkline

    names = "".join(day.ljust(8) for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
    hours = "".join(f"{h:02}".ljust(6) for h in range(0, 24, 3))
    day = [sum(profile[h::48]) / 7.0 for h in range(48)]
    return f"{sparkline(profile)}\n{names}", f"{sparkline(day, 48)}\n{hours}{zone}"


def _ahead(ahead: dict[str, Any]) -> str:
    told = f"about {count(ahead['visits'], 'visit')} for {amount(ahead['links'])} links"
    delay = ahead["mean_delay"]
    return told if delay is None else f"{told}, seen {span(delay)} after publication on average"


def print_shown(
    console: Console,
    page: IndexPage,
    record: dict[str, Any],
    visits: Sequence[Visit],
    links: Sequence[FoundLink],
) -> None:
    """All about one index: its state, its plan, its last visits and links."""
    from rich.text import Text

    from recrawler.cli.facts import print_facts

    now = datetime.now(UTC)
    console.print(Text(f"Index {page.id}: {page.title or page.url}", style="bold"))
    facts: list[Fact] = [("page", page.url), *_state(page, visits, now), ("recall", recall_line(page))]
    for s in record["series"]:
        settled = ", settled by its history" if s["settled"] else ""
        facts.append(("list", f"{s['listing']}: {s['order']}{settled}; {s['path']}"))
    if "cadence" in record:
        facts += _plan(record["cadence"])
    print_facts(console, [*facts, ("options", _options_line(page))])
    if visits:
        console.print("Last visits", style="bold")
    for v in visits:
        console.print(Text("  " + visit_line(v, now, whose=False)))
    if links:
        console.print("Last links", style="bold")
    for x in links:
        via = "" if x.via == page.url else f"  on {x.via}"
        console.print(Text(f"  {clock(x.found_at, now)}  {x.hop_path}  {x.title}"))
        console.print(Text(f"    {x.url}{via}", style="dim"))


def _state(page: IndexPage, visits: Sequence[Visit], now: datetime) -> Iterator[Fact]:
    """How an index is doing, and what to do where it is not well."""
    failed = f", {count(page.failures, 'failed visit')} in a row" if page.failures else ""
    yield "state", f"{page.state}{failed}"
    yield "last visit", f"{distance(page.last_visit_at, now)}, {page.last_outcome or 'not visited yet'}"
    if page.gap_since:
        text = f"open since {clock(page.gap_since, now)}"
        deep = [f"page {m.broken.number}" for m in page.series if m.broken and m.broken.url]
        yield "gap", f"{text}; the next visit goes on from {', '.join(deep)}" if deep else text
        if visits:
            yield "to do", advice(visits[-1])
    if lost := page.learnt.get("gaps_lost"):
        said = f"{count(lost, 'gap')} could not be closed, links may be missing"
        yield "lost", f"{said}: recrawler visits --index {page.id}"


def _plan(planned: dict[str, Any]) -> Iterator[Fact]:
    yield "cadence", planned["plan"]
    yield "24 h ahead", _ahead(planned["day_ahead"])
    yield from zip(("week", "day"), _week(planned["profile"], planned["profile_zone"]), strict=True)


def recall_line(page: IndexPage) -> str:
    """What the audits say of the share of links that visits find."""
    if page.recall is None:
        return f"not known yet: {count(page.found, 'link')} found, {count(page.audits, 'audit')} made"
    late = f"{page.late} of {page.found} links were found by an audit only ({count(page.audits, 'audit')})"
    return f"{page.recall:.1%}: {late}"


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


def _options_line(page: IndexPage) -> str:
    import msgspec

    from recrawler.records import IndexOptions

    plain = msgspec.to_builtins(IndexOptions())
    given = {k: v for k, v in msgspec.to_builtins(page.options).items() if v != plain[k]}
    for name in ("every", "min_every", "max_every"):
        if name in given:
            given[name] = format_duration(given[name])
    rest = ", ".join(f"{k}={v}" for k, v in given.items() if k != "policy")
    return page.options.policy + (f"; {rest}" if rest else "")


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
