"""All about one index, as `show` tells it: its state, its plan, its last visits and links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from recrawler.cli.app import amount, clock, count, distance, span
from recrawler.cli.words import advice, visit_line
from recrawler.records import FoundLink, IndexPage, Visit
from recrawler.settings import Settings, format_duration

if TYPE_CHECKING:
    from rich.console import Console

    from recrawler.cli.facts import Fact


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
    from recrawler.cadence.outlook import MOST

    if ahead["visits"] >= MOST:
        return f"more than {MOST:,} visits"
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
        facts += _plan(page, record["cadence"])
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
    if page.last_visit_at is None:
        yield "last visit", f"none yet; the first is due {distance(page.next_visit_at, now)}"
    else:
        yield "last visit", f"{distance(page.last_visit_at, now)}, {page.last_outcome}"
    if page.gap_since:
        text = f"open since {clock(page.gap_since, now)}"
        deep = [f"page {m.broken.number}" for m in page.series if m.broken and m.broken.url]
        yield "gap", f"{text}; the next visit goes on from {', '.join(deep)}" if deep else text
        if visits:
            yield "to do", advice(visits[-1])
    if lost := page.learnt.get("gaps_lost"):
        said = f"{count(lost, 'gap')} could not be closed, links may be missing"
        yield "lost", f"{said}: recrawler visits --index {page.id}"


def _plan(page: IndexPage, planned: dict[str, Any]) -> Iterator[Fact]:
    if page.state == "paused":
        yield "cadence", f"paused: no visits until `recrawler resume {page.id}`"
    else:
        yield "cadence", planned["plan"]
        yield "24 h ahead", _ahead(planned["day_ahead"])
    yield from zip(("week", "day"), _week(planned["profile"], planned["profile_zone"]), strict=True)


def recall_line(page: IndexPage) -> str:
    """What the audits say of the share of links that visits find."""
    if page.recall is None:
        return f"not known yet: {count(page.found, 'link')} found, {count(page.audits, 'audit')} made"
    late = f"{page.late} of {page.found} links were found by an audit only ({count(page.audits, 'audit')})"
    return f"{page.recall:.1%}: {late}"


def _options_line(page: IndexPage) -> str:
    import msgspec

    from recrawler.records import IndexOptions

    plain = msgspec.to_builtins(IndexOptions())
    given = {k: v for k, v in msgspec.to_builtins(page.options).items() if v != plain[k]}
    for name in ("every", "min_every", "max_every"):
        if name in given:
            given[name] = format_duration(given[name])
    if "headers" in given:  # their values are cookies and passwords
        given["headers"] = [f"{name}: ..." for name, _ in page.options.headers]
    rest = ", ".join(f"{k}={v}" for k, v in given.items() if k != "policy")
    return page.options.policy + (f"; {rest}" if rest else "")
