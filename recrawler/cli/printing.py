"""The commands that print what was found: links, visits."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import click

from recrawler.cli.app import App, clock, command, typed_time
from recrawler.cli.words import advice, visit_line
from recrawler.errors import UsageError
from recrawler.records import FoundLink

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
FOLLOW = 0.5  # seconds between looks at the store
COLUMNS = (
    "index", "listing", "url", "title", "published_at", "precision", "found_at", "page", "rank", "status",
    "hop_path", "via",
)  # fmt: skip


@command("links")
@click.option("--index", metavar="ID", help="Only the links of one index.")
@click.option("--since", metavar="T", help="Only links found since (a time, or a duration ago).")
@click.option("--follow", is_flag=True, help="Go on and print each new link as it is found.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a header.")
@click.option("--urls", is_flag=True, help="Print bare URLs.")
def links(app: App, index: str | None, since: str | None, follow: bool, as_csv: bool, urls: bool) -> None:
    """The new links, oldest first."""
    if app.json + as_csv + urls > 1:
        raise UsageError("choose one of --json, --csv and --urls")
    now = datetime.now(UTC)
    page = app.index(index).id if index else None
    moment = typed_time(since, now) if since else None
    show = _printer(app, as_csv, urls)
    seen = 0
    for seq, link in app.store().links(page, moment):
        seen = max(seen, seq)
        show(link)
    while follow:
        sys.stdout.flush()
        time.sleep(FOLLOW)
        for seq, link in app.store().links(page, moment, after=seen):
            seen = max(seen, seq)
            show(link)


def _printer(app: App, as_csv: bool, urls: bool) -> Callable[[FoundLink], None]:
    if app.json:
        return lambda link: app.emit(link.to_json())
    if urls:
        return lambda link: click.echo(link.url)
    if as_csv:
        writer = csv.DictWriter(sys.stdout, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        return lambda link: _ignore(writer.writerow({k: _harmless(v) for k, v in link.to_json().items()}))
    return lambda link: click.echo(link_line(link))


def _harmless(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula, marked as text: titles are written by strangers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _ignore(_: Any) -> None:
    return None


def link_line(link: FoundLink) -> str:
    """One link for a person: when found, which index, when published, title, URL."""
    now = datetime.now(UTC)
    mark = "" if link.status == "new" else f"[{link.status}] "
    date = "-" if link.published_at is None else clock(link.published_at, now)
    return f"{clock(link.found_at, now)}  {link.index}  {date:<16}  {mark}{link.title}\n    {link.url}"


@command("visits")
@click.option("--index", metavar="ID", help="Only the visits of one index.")
@click.option("--gaps", is_flag=True, help="The latest visit of each index whose gap is open.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the latest N.")
def visits(app: App, index: str | None, gaps: bool, limit: int | None) -> None:
    """The ledger: how each visit ended. Tells whether anything can have been missed."""
    page = app.index(index).id if index else None
    now = datetime.now(UTC)
    for visit in app.store().visits(page, gaps=gaps, limit=limit):
        if app.json:
            app.emit(visit.to_json())
        else:
            click.echo(visit_line(visit, now))
            if gaps:
                click.echo(f"    {visit.url}\n    -> {advice(visit)}")
