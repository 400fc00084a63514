"""The command that looks ahead: plan."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click
import msgspec

from recrawler.cli.app import App, amount, clock, command, span
from recrawler.records import IndexPage, iso
from recrawler.settings import format_budget

if TYPE_CHECKING:
    from recrawler.cadence import Outlook
    from recrawler.visit.spending import Spending

SAMPLE = 2000  # index pages whose plan is followed; of more, evenly spread ones stand for all
ROWS = 25  # visits that are listed for a person
RECENT = 200  # visits that tell how many requests one takes


@dataclass(frozen=True, slots=True)
class Sums:
    """What the plans of all index pages come to until the end of the span."""

    visits: float
    requests: float
    links: float
    delay: float  # mean, seconds


@command("plan")
@click.option("--hours", type=click.FloatRange(0.1, 168.0), default=1.0, metavar="N", help="How far. [1]")
def plan(app: App, hours: float) -> None:
    """The coming visits, their requests, and how late links will be."""
    from recrawler.visit.spending import Spending

    now = datetime.now(UTC)
    spending = Spending(app.store(), app.settings)
    pages = [p for p in app.store().indexes() if p.state == "active"]
    until = now + timedelta(hours=hours)
    due = sorted(
        (p for p in pages if (p.next_visit_at or now) <= until), key=lambda p: p.next_visit_at or now
    )
    look = _Looker(app, spending, now, until)
    sums = _sums(app, look, pages)
    if app.json:
        app.emit(_summary(hours, sums, spending))
        for page in due:
            app.emit(_record(page, look(page)))
        return
    _print_summary(hours, sums, spending)
    _print_rows(due, look, now)


class _Looker:
    """The outlook of one index page."""

    def __init__(self, app: App, spending: Spending, now: datetime, until: datetime) -> None:
        self._settings, self._price = app.settings, spending.price
        self._now, self._until = now.timestamp(), until.timestamp()

    def __call__(self, page: IndexPage) -> Outlook:
        from recrawler import cadence
        from recrawler.visit.spending import pricing

        state = msgspec.convert(page.cadence, cadence.CadenceState) if page.cadence else None
        if state is None:
            state = cadence.first(None, 0, self._now)
        at = page.next_visit_at.timestamp() if page.next_visit_at else self._now
        terms = pricing(page, self._settings, self._price)
        return cadence.outlook(state, self._now, at, terms, self._until)


def _sums(app: App, look: _Looker, pages: Sequence[IndexPage]) -> Sums:
    every = max(1, math.ceil(len(pages) / SAMPLE))
    seen = [look(page) for page in pages[::every]]
    share = len(pages) / len(seen) if seen else 1.0
    visits, links = (share * sum(x) for x in ([len(o.visits) for o in seen], [o.links for o in seen]))
    delay = share * sum(o.delay for o in seen)
    return Sums(visits, visits * _requests_a_visit(app), links, delay / links if links else 0.0)


def _requests_a_visit(app: App) -> float:
    taken = [v.requests for v in app.store().visits(limit=RECENT)]
    return max(sum(taken) / len(taken), 0.1) if taken else 1.0


def _summary(hours: float, sums: Sums, spending: Spending) -> dict[str, Any]:
    paid = spending.paid
    return {
        "hours": hours,
        "visits": round(sums.visits),
        "requests": round(sums.requests),
        "requests_per_hour": round(sums.requests / hours, 2),
        "links": round(sums.links, 2),
        "mean_delay": round(sums.delay, 1),
        "price": round(spending.price, 4),
        "budget": format_budget(spending.budget) or None,
        "spent_per_hour_day": round(sum(paid[-24:]) / len(paid[-24:]), 2) if paid else None,
        "spent_per_hour_week": round(sum(paid) / len(paid), 2) if paid else None,
    }


def _record(page: IndexPage, found: Outlook) -> dict[str, Any]:
    delay = found.mean_delay
    return {
        "index": page.id,
        "url": page.url,
        "visits": [iso(datetime.fromtimestamp(at, UTC).replace(microsecond=0)) for at in found.visits],
        "links": round(found.links, 3),
        "mean_delay": None if delay is None else round(delay, 1),
    }


def _print_summary(hours: float, sums: Sums, spending: Spending) -> None:
    ahead = "The coming hour" if hours == 1.0 else f"The coming {hours:g} hours"
    rate = sums.requests / hours
    click.echo(f"{ahead}: about {sums.visits:,.0f} visits, {amount(rate)} requests an hour")
    late = f", seen {span(sums.delay)} after publication on average" if sums.links else ""
    click.echo(f"Expected: about {amount(sums.links)} new links{late}")
    click.echo(f"Budget: {_budget_line(spending)}")


def _budget_line(spending: Spending) -> str:
    price = f"one request is worth {amount(spending.price)} link-seconds of delay"
    if not spending.budget:
        return f"none set; {price}"
    if not spending.price:
        return "polite: as often as min_every and the hosts let"
    paid = spending.paid
    spans = [("24 hours", paid[-24:]), ("7 days", paid)] if len(paid) > 24 else [(f"{len(paid)} h", paid)]
    spent = "; ".join(f"{amount(sum(x) / len(x))}/h over the last {name}" for name, x in spans if x)
    return f"{format_budget(spending.budget)}; spent {spent or 'nothing so far'}; {price}"


def _print_rows(due: Sequence[IndexPage], look: _Looker, now: datetime) -> None:
    rows = [("NEXT", "ID", "VISITS", "LINKS", "DELAY", "URL")]
    for page in due[:ROWS]:
        found = look(page)
        delay = "-" if found.mean_delay is None else span(found.mean_delay)
        when = clock(max(page.next_visit_at or now, now), now)
        rows.append((when, str(page.id), f"{len(found.visits):,}", amount(found.links), delay, page.url))
    if not due:
        click.echo("No index is due within this time.")
        return
    for line in columns(rows):
        click.echo(line)
    if len(due) > ROWS:
        click.echo(f"... and {len(due) - ROWS} more index pages: --json prints all")


def columns(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Rows of text as lines of aligned columns, the last one as long as it is."""
    widths = [max(len(r[k]) for r in rows) for k in range(len(rows[0]) - 1)]
    for r in rows:
        yield "  ".join([*(x.ljust(w) for x, w in zip(r, widths, strict=False)), r[-1]]).rstrip()
