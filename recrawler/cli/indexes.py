"""The commands on index pages: add-index, indexes, show, edit, pause, resume, remove."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from recrawler.cli.app import App, clock, command, distance, typed_time, typed_url
from recrawler.cli.options import apply, index_options, reset, without_login
from recrawler.errors import RecrawlerError
from recrawler.page.types import EMBEDDED
from recrawler.records import IndexOptions, IndexPage, iso
from recrawler.settings import Settings

if TYPE_CHECKING:
    from recrawler.visit import Ask, Gate, Report

OURS = 60.0  # seconds that a first visit in the foreground has to begin
PLANNED = ("every", "min_every", "max_every", "hours", "weight")  # a change of these asks for a new plan


@command("add-index")
@click.argument("url")
@click.option("--backfill", type=click.IntRange(0), default=0, metavar="N", help="Emit the N newest links.")
@click.option("--since", metavar="T", help="Emit the links published since (a time, or a duration ago).")
@click.option("--no-visit", is_flag=True, help="Only add it; the daemon makes the first visit.")
@index_options
def add_index(app: App, url: str, backfill: int, since: str | None, no_visit: bool, **given: Any) -> int:
    """Watch an index page. Finds its list, bar, order and cadence, and records what is there now."""
    from recrawler.urls import identity_key
    from recrawler.visit import Ask, Gate

    now = datetime.now(UTC)
    href = typed_url(url)
    if "://" not in url and not app.json:
        click.echo(f"{url}: no scheme given, taken as {href}", err=True)
    href, options = without_login(href, apply(IndexOptions(), given))
    gate = Gate.of(href, options, app.settings)
    ask = Ask(backfill, typed_time(since, now) if since else None, asked=True)
    wished = {"wished": ask.kept()} if backfill or since else {}
    # A daemon that runs leaves the first visit to us, unless we do not come to it.
    due = now if no_visit else now + timedelta(seconds=OURS)
    index, new = app.store(create=True).add_index(href, identity_key(href), options, now, due, wished)
    if not new:
        raise RecrawlerError(f"{href} is watched already: see `recrawler show {index.id}`")
    if no_visit:
        record = {"index": index.id, "url": index.url, "policy": options.policy, "warnings": gate.warnings}
        if app.json:
            app.emit(record)
        else:
            click.echo(f"Index {index.id} added: {index.url}; its first visit is due now (recrawler run)")
        return 0
    return _first_visit(app, index, gate, ask)


def _first_visit(app: App, index: IndexPage, gate: Gate, ask: Ask) -> int:
    from recrawler.cli.foreground import visit_each
    from recrawler.cli.words import print_added
    from recrawler.page.types import to_json

    [(_, report)] = visit_each(app, [index], ask)
    if isinstance(report, Exception):
        raise report
    if report is None:
        raise RecrawlerError(f"a running daemon visits it just now: see `recrawler show {index.id}`")
    visit, analysis = report.result.visit, report.analysis
    good = visit.outcome in ("first-visit", "page-limit")
    if not good and analysis is not None and analysis.kind == "article":
        app.store().remove_index(index.id)
        raise RecrawlerError(f"{index.url} is an article: give the page that lists the articles")
    if app.json:
        found = None if analysis is None else to_json(analysis)
        warnings = [*gate.warnings, *visit.warnings]
        app.emit(
            {
                "index": index.id,
                "url": index.url,
                "found": found,
                "visit": visit.to_json(),
                "policy": index.options.policy,
                "warnings": warnings,
            }
        )
    elif good:
        print_added(app.console, report, gate)
    if not good:
        click.echo(f"recrawler: {_advice(index, report)}", err=True)
    return 0 if good else 1


def _advice(index: IndexPage, report: Report) -> str:
    """What went wrong with a first visit, and what to do, in one line."""
    visit = report.result.visit
    why = visit.warnings[0] if visit.warnings else visit.outcome
    again = f"index {index.id} is kept; next try {distance(visit.next_visit_at, visit.finished_at)}"
    hint = {
        "empty": f"look at it with `recrawler inspect {index.url}`, or give the page that lists articles",
        "blocked": "the site refuses or asks something of us: see the settings user_agent and contact",
        "robots-denied": "its robots.txt forbids this page",
    }.get(visit.outcome, "")
    analysis = report.analysis
    data = next((w for w in analysis.warnings if w.startswith(EMBEDDED)), "") if analysis else ""
    if data:
        hint = f"{data}: read that with --path script={data.removeprefix(EMBEDDED).partition(': ')[0]}"
    return "; ".join(x for x in (why, hint, again) if x)


def index_record(index: IndexPage, settings: Settings) -> dict[str, Any]:
    """What `indexes --json`, `show --json` and `export` print of an index."""
    return {
        "index": index.id,
        "url": index.url,
        "title": index.title,
        "state": index.state,
        "added_at": iso(index.added_at),
        "visits": index.visits,
        "outcome": index.last_outcome,
        "gap_open": index.gap_since is not None,
        "gap_since": iso(index.gap_since),
        "gaps_lost": index.learnt.get("gaps_lost", 0),
        "failures": index.failures,
        "found": index.found,
        "late": index.late,
        "audits": index.audits,
        "recall": index.recall,
        "last_visit_at": iso(index.last_visit_at),
        "next_visit_at": iso(index.next_visit_at),
    }


@command("indexes")
def indexes(app: App) -> None:
    """What is watched, with last outcome, next visit and open gap."""
    pages = app.store().indexes()
    if app.json:
        for page in pages:
            app.emit(index_record(page, app.settings))
        return
    from recrawler.cli.words import print_indexes

    print_indexes(list(pages), datetime.now(UTC))


@command("show")
@click.argument("index", metavar="ID")
def show(app: App, index: str) -> None:
    """All about one index: lists, plan, last visits and links."""
    from recrawler.cli.shown import print_shown, shown
    from recrawler.visit.spending import Spending

    page = app.index(index)
    price = Spending(app.store(), app.settings).price
    record = index_record(page, app.settings) | shown(page, app.settings, price)
    visits = list(app.store().visits(page.id, limit=8))
    links = app.store().last_links(page.id, 5)
    if app.json:
        app.emit(record | {"links": [x.to_json() for x in links]})
    else:
        print_shown(app.console, page, record, visits, links)


@command("edit", json=False)
@click.argument("index", metavar="ID")
@index_options
@click.option("--unset", multiple=True, metavar="OPTION", help="Back to the default: --unset every.")
def edit(app: App, index: str, unset: tuple[str, ...], **given: Any) -> None:
    """Change the options of an index. What is not named stays as it is."""
    from recrawler.visit import Gate

    page = app.index(index)
    options = apply(reset(page.options, unset), given)
    gate = Gate.of(page.url, options, app.settings)
    app.store().set_options(page.id, options)
    for warning in gate.warnings:
        click.echo(f"warning: {warning}", err=True)
    if any(getattr(options, name) != getattr(page.options, name) for name in PLANNED):
        app.store().schedule(page.id, datetime.now(UTC))
    click.echo(f"Index {page.id} changed.")


@command("pause", json=False)
@click.argument("index", metavar="ID")
def pause(app: App, index: str) -> None:
    """Stop visiting an index; its history stays."""
    page = app.index(index)
    app.store().set_state(page.id, "paused", page.next_visit_at)
    click.echo(f"Index {page.id} is paused: `recrawler resume {page.id}` goes on with it.")


@command("resume", json=False)
@click.argument("index", metavar="ID")
def resume(app: App, index: str) -> None:
    """Visit a paused index again, from where its history stands."""
    page = app.index(index)
    now = datetime.now(UTC)
    app.store().set_state(page.id, "active", now)
    click.echo(f"Index {page.id} is active; its next visit is due now ({clock(now, now)}).")


@command("remove", json=False)
@click.argument("index", metavar="ID")
def remove(app: App, index: str) -> None:
    """Forget an index with its history and what was found on it."""
    page = app.index(index)
    app.store().remove_index(page.id)
    click.echo(f"Index {page.id} removed: {page.url}")
