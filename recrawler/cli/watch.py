"""The command that visits now, in the foreground: visit."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from recrawler.cli.app import App, command
from recrawler.cli.words import visit_line
from recrawler.errors import RecrawlerError, UsageError
from recrawler.records import IndexPage, Visit


@command("visit")
@click.argument("index", metavar="[ID|URL]", required=False)
@click.option("--all", "every", is_flag=True, help="Every active index.")
@click.option("--due", is_flag=True, help="Those that are due.")
def visit(app: App, index: str | None, every: bool, due: bool) -> int:
    """Visit now: one index, --all, or those that are --due."""
    from recrawler.cli.foreground import visit_each
    from recrawler.visit import Ask, Report
    from recrawler.visit.outcome import FAILED

    if bool(index) + every + due != 1:
        raise UsageError("say what to visit: an ID, a URL, --all or --due")
    status = 0
    for page, report in visit_each(app, _pages(app, index, due), Ask(asked=True)):
        if not isinstance(report, Report):
            click.echo(f"recrawler: index {page.id}{_not_visited(report)}", err=True)
            status = 1
            continue
        result = report.result.visit
        _print_visit(app, result)
        if result.outcome in FAILED:
            status = 1
    return status


def _pages(app: App, index: str | None, due: bool) -> list[IndexPage]:
    if index:
        return [app.index(index)]
    now = datetime.now(UTC)
    active = (x for x in app.store().indexes() if x.state == "active")
    return [x for x in active if not due or (x.next_visit_at is not None and x.next_visit_at <= now)]


def _not_visited(why: Exception | None) -> str:
    if why is None:
        return " is being visited by another process"
    return f": {why}" if isinstance(why, RecrawlerError) else f": {type(why).__name__}: {why}"


def _print_visit(app: App, result: Visit) -> None:
    from recrawler.cli.printing import link_line

    if app.json:
        app.emit(result.to_json())
        return
    click.echo(visit_line(result, result.finished_at))
    for link in result.new:
        click.echo(link_line(link))
