"""The command that looks back: simulate, an index's own history under other budgets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from heapq import merge
from typing import TYPE_CHECKING, Any

import click

from recrawler.cli.app import App, amount, command, span
from recrawler.errors import RecrawlerError, UsageError
from recrawler.records import IndexPage, Publication, Visit
from recrawler.settings import parse_budget, parse_duration

if TYPE_CHECKING:
    from recrawler.cadence import Pricing, Replay
    from recrawler.visit.past import Past

SAMPLE = 20  # index pages that stand for all, unless --sample says otherwise
SEARCH, NEAR = 6, 0.03  # tries to meet a budget, and how near is met
NAMES = {0.5: "half", 1.0: "the same", 2.0: "double", 4.0: "four times"}


@dataclass(frozen=True, slots=True)
class Subject:
    """One index whose history can be played."""

    past: Past
    pricing: Pricing
    was: Replay


@dataclass(frozen=True, slots=True)
class Row:
    """One plan and what it would have come to: requests a day, delays in seconds."""

    name: str
    price: float | None
    requests: float
    mean: float | None
    median: float | None
    tail: float | None


@command("simulate")
@click.argument("index", metavar="[ID]", required=False)
@click.option("--all", "every_index", is_flag=True, help="All active index pages.")
@click.option(
    "--budget", "budgets", multiple=True, metavar="N/h", help="So many requests: 5000/h, 100/d. Repeatable."
)
@click.option(
    "--times",
    type=click.FloatRange(0.01, 100.0),
    multiple=True,
    metavar="X",
    help="X times as many requests as now. Repeatable.",
)
@click.option("--every", "intervals", multiple=True, metavar="D", help="A fixed interval. Repeatable.")
@click.option(
    "--days", type=click.FloatRange(1.0, 365.0), default=28.0, metavar="N", help="How far back. [28]"
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    default=SAMPLE,
    metavar="N",
    help="With --all: so many stand for all. [20]",
)
def simulate(
    app: App,
    index: str | None,
    every_index: bool,
    budgets: tuple[str, ...],
    times: tuple[float, ...],
    intervals: tuple[str, ...],
    days: float,
    sample: int,
) -> None:
    """Play the past again under other budgets.

    How late would links have been, for how many requests? One index, or with --all all of them together.
    """
    if bool(index) == every_index:
        raise UsageError("say what to play: an ID, or --all")
    wanted = [_asked(text) for text in budgets]
    fixed = [parse_duration(text) for text in intervals]
    pages = [app.index(index)] if index else [p for p in app.store().indexes() if p.state == "active"]
    subjects = _subjects(app, pages, days, sample)
    share = len(pages) / len(subjects)
    if not app.json:
        _say_what(subjects, len(pages))
    table = _Table(app)
    if any(s.was.visits for s in subjects):
        table.add(_row("as it was", None, [s.was for s in subjects], share))
    if not (wanted or times or fixed):
        times = tuple(NAMES)
    for x in times:
        table.add(_at(NAMES.get(x, f"{x:g} times"), x**-2.0, subjects, share))
    for text, rate in zip(budgets, wanted, strict=True):
        table.add(_meeting(text, rate, subjects, share))
    for text, seconds in zip(intervals, fixed, strict=True):
        plans = [s.past.play(replace(s.pricing, every=seconds)) for s in subjects]
        table.add(_row(f"every {text}", None, plans, share))


def _asked(text: str) -> float:
    """Requests a day."""
    rate = float(parse_budget(text)) * 24.0
    if not 0.0 < rate < float("inf"):
        raise UsageError(f"--budget {text}: give a number, such as 5000/h")
    return rate


def _subjects(app: App, pages: Sequence[IndexPage], days: float, sample: int) -> list[Subject]:
    """Those of the index pages, evenly spread, whose history can be played."""
    if not pages:
        raise RecrawlerError("no index is watched yet: recrawler add-index URL")
    step = max(1, len(pages) // sample)
    made, why = [], ""
    for page in pages[::step][:sample]:
        subject = _subject(app, page, days)
        if subject.past.lacks:
            why = why or f"index {page.id} has too short a history: {subject.past.lacks}"
            continue
        made.append(subject)
    if not made:
        raise RecrawlerError(f"{why}; try again when it has been watched for longer")
    return made


def _subject(app: App, page: IndexPage, days: float) -> Subject:
    from recrawler.cadence import PRICE
    from recrawler.visit.past import as_it_was, past_of
    from recrawler.visit.spending import Spending, pricing

    store = app.store()
    publications: list[Publication] = store.publications(page.id)
    visits: list[Visit] = list(store.visits(page.id))
    past = past_of(page, publications, visits, datetime.now(UTC), days)
    price = Spending(store, app.settings).price or PRICE
    terms = replace(pricing(page, app.settings, price), every=None)
    return Subject(past, terms, as_it_was(past, publications, visits))


def _say_what(subjects: Sequence[Subject], total: int) -> None:
    links = sum(len(s.past.times) for s in subjects)
    days = max(s.past.until - s.past.count_from for s in subjects) / 86400.0
    whose = f"{len(subjects)} of {total} index pages" if total > 1 else "one index"
    click.echo(f"{whose}, {links} links, counted over the last {days:.1f} days")
    if sum(s.past.dated < 0.5 for s in subjects):
        click.echo("Links without a date count from when they were found: their delays are told too small.")


def _at(name: str, factor: float, subjects: Sequence[Subject], share: float) -> Row:
    terms = [replace(s.pricing, price=s.pricing.price * factor) for s in subjects]
    plans = [s.past.play(t) for s, t in zip(subjects, terms, strict=True)]
    return _row(name, terms[0].price, plans, share)


def _meeting(name: str, rate: float, subjects: Sequence[Subject], share: float) -> Row:
    """At the price that meets so many requests a day, or as near as bounds let."""
    low, factor, high = 1e-6, 1.0, 1e6
    row = _at(name, factor, subjects, share)
    for _ in range(SEARCH):
        if abs(row.requests / rate - 1.0) < NEAR or not row.requests:
            break
        low, high = (factor, high) if row.requests > rate else (low, factor)
        aimed = factor * (row.requests / rate) ** 2
        factor = aimed if low < aimed < high else math.sqrt(low * high)
        row = _at(name, factor, subjects, share)
    return row


def _row(name: str, price: float | None, plans: Sequence[Replay], share: float) -> Row:
    delays = list(merge(*(p.delays for p in plans)))

    def at(part: float) -> float | None:
        return delays[min(int(len(delays) * part), len(delays) - 1)] if delays else None

    mean = sum(delays) / len(delays) if delays else None
    return Row(name, price, share * sum(p.fetches_per_day for p in plans), mean, at(0.5), at(0.95))


class _Table:
    """Prints each row as soon as it is known: playing takes a while."""

    def __init__(self, app: App) -> None:
        self._app = app
        if not app.json:
            self._line(("PLAN", "PRICE", "REQUESTS/DAY", "MEAN DELAY", "MEDIAN", "95 %"))

    def add(self, row: Row) -> None:
        if self._app.json:
            self._app.emit(_record(row))
            return
        delays = [_told(x) for x in (row.mean, row.median, row.tail)]
        price = "-" if row.price is None else amount(row.price)
        self._line((row.name, price, amount(row.requests), *delays))

    def _line(self, cells: Sequence[str]) -> None:
        click.echo("  ".join([cells[0].ljust(14), *(c.rjust(12) for c in cells[1:])]))


def _told(seconds: float | None) -> str:
    return "-" if seconds is None else span(seconds)


def _record(row: Row) -> dict[str, Any]:
    def rounded(x: float | None) -> float | None:
        return None if x is None else round(x, 1)

    return {
        "plan": row.name,
        "price": row.price,
        "requests_per_day": round(row.requests, 2),
        "mean_delay": rounded(row.mean),
        "median_delay": rounded(row.median),
        "p95_delay": rounded(row.tail),
    }
