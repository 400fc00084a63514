"""The commands that look after things: sinks, doctor, vacuum."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from recrawler.cli.app import App, command, count, distance
from recrawler.errors import RecrawlerError, StoreError, UsageError
from recrawler.records import iso
from recrawler.settings import Settings
from recrawler.store import StoreFigures

_LEAST_FREE = 200_000_000  # bytes on the disk
_LATE = timedelta(minutes=15)  # so long after it was due a visit of a running daemon is a bad sign


@command("doctor")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option("--index", metavar="ID", help="Ask the follow policy of this index.")
def doctor(app: App, urls: tuple[str, ...], index: str | None) -> int:
    """Check the installation, or say how a URL is read.

    Without a URL: settings, model, database, daemon, index pages and sinks, each in one line. With URLs:
    how each is read, and which policy admits it.
    """
    if not urls:
        return _check_all(app)
    from pathlib import Path

    from recrawler.explain import explain
    from recrawler.urls import KeyOptions, Suffixes
    from recrawler.visit import Gate

    page = app.index(index) if index else None
    gate = Gate.of(page.url, page.options, app.settings) if page else None
    suffixes = Suffixes(Path(app.settings.suffix_list)) if app.settings.suffix_list else None
    for url in urls:
        report = explain(
            url,
            gate.policy if gate else None,
            options=KeyOptions.from_config(page.options.key if page else {}),
            suffixes=suffixes,
            today=datetime.now(UTC).date(),
        ).to_json()
        if app.json:
            app.emit(report)
        else:
            for name, value in report.items():
                for line in _value_lines(value):
                    click.echo(f"{name:<19} {line}")
            click.echo()
    return 0


def _value_lines(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{k}: {v}" for k, v in value.items()] or ["-"]
    if isinstance(value, (list, tuple)):
        return [str(v) for v in value] or ["-"]
    return ["-" if value in (None, "") else str(value)]


def _check_all(app: App) -> int:
    """Each part in one line; 1 where one of them is not well."""
    bad = 0
    for name, good, text in _checks(app):
        bad += not good
        if app.json:
            app.emit({"check": name, "ok": good, "text": text})
        else:
            click.echo(f"{'ok ' if good else 'BAD'}  {name:<12} {text}")
    return 1 if bad else 0


def _checks(app: App) -> Iterator[tuple[str, bool, str]]:
    from recrawler import __version__

    yield "recrawler", True, __version__
    settings = app.settings
    nameless = "" if settings.contact else " (no contact is set: sites may ask who you are)"
    yield "settings", True, settings.agent + nameless
    yield _suffixes(settings)
    yield _model()
    yield from _database(app)


def _suffixes(settings: Settings) -> tuple[str, bool, str]:
    from pathlib import Path

    from recrawler.explain import STALE_DAYS
    from recrawler.urls import Suffixes, default_suffixes

    try:
        listed = Suffixes(Path(settings.suffix_list)) if settings.suffix_list else default_suffixes()
    except RecrawlerError as e:
        return "suffix list", False, str(e)
    if listed.published is None:
        return "suffix list", True, "of unknown age"
    days = (datetime.now(UTC).date() - listed.published).days
    hint = "; a newer one can be given with the setting suffix_list" if days > STALE_DAYS else ""
    return "suffix list", True, f"of {listed.published}, {days} days old{hint}"


def _model() -> tuple[str, bool, str]:
    from recrawler.page.classifier import load_model

    try:
        load_model()
    except RecrawlerError as e:
        return "page model", False, str(e)
    return "page model", True, "can be read"


def _database(app: App) -> Iterator[tuple[str, bool, str]]:
    try:
        store = app.store()
    except StoreError as e:
        yield "database", not app.db.exists(), str(e)
        return
    faults = store.check()
    figures = store.figures(datetime.now(UTC))
    holds = f"{figures.active} active index pages, {figures.links} links"
    yield "database", not faults, "; ".join(faults) or f"{app.db}: {figures.size / 1e6:.1f} MB, {holds}"
    yield _room(app, figures)
    yield _daemon(app)
    yield _schedule(app, figures)
    yield _pages(figures)
    for sink in figures.sinks:
        text = f"{sink.pending} pending, {sink.dead} dead" + (f": {sink.error}" if sink.error else "")
        yield f"sink {sink.sink}", not sink.dead, text


def _room(app: App, figures: StoreFigures) -> tuple[str, bool, str]:
    """Space on the disk, and files that a process may have open."""
    import resource
    import shutil

    free = shutil.disk_usage(app.db.parent).free
    if free < max(_LEAST_FREE, figures.size // 10):
        return "room", False, f"{free / 1e6:.0f} MB free beside {app.db}: a full disk stops every visit"
    files, wanted = resource.getrlimit(resource.RLIMIT_NOFILE)[0], 4 * app.settings.concurrency + 64
    if files < wanted:
        much = f"concurrency = {app.settings.concurrency} may need {wanted}: raise it with ulimit -n"
        return "room", False, f"a process may have {files} files open, {much}, or LimitNOFILE= in the unit"
    return "room", True, f"{free / 1e9:.1f} GB free, {files} open files allowed"


def _daemon(app: App) -> tuple[str, bool, str]:
    from recrawler.store.locks import running_daemon

    pid = running_daemon(app.db)
    text = f"runs as process {pid}; kill -HUP {pid} has it read the settings again" if pid else "does not run"
    return "daemon", True, text


def _schedule(app: App, figures: StoreFigures) -> tuple[str, bool, str]:
    """Whether visits come in time, and what to do about it where not."""
    from recrawler.store.locks import running_daemon

    now, due = datetime.now(UTC), app.store().next_due()
    if due is None:
        return "schedule", True, "nothing to visit"
    if not figures.overdue or due > now:
        return "schedule", True, f"next visit {distance(due, now)}"
    late = f"{count(figures.overdue, 'visit')} overdue, the first was due {distance(due, now)}"
    if running_daemon(app.db) is None:
        return "schedule", True, f"{late}: start the daemon with `recrawler run`"
    if now - due < _LATE:
        return "schedule", True, late
    if figures.resting:
        late += f"; {figures.resting} hosts have asked to be left alone, their pages wait"
    return "schedule", False, f"{late}: raise concurrency, or look into the daemon's log for slow hosts"


def _pages(figures: StoreFigures) -> tuple[str, bool, str]:
    troubles = []
    if figures.failing:
        troubles.append(f"{figures.failing} fail (recrawler indexes)")
    if figures.gaps:
        troubles.append(f"{figures.gaps} have an open gap (recrawler visits --gaps)")
    return "index pages", True, ", ".join(troubles) or "none fails, no gap is open"


@command("sinks")
@click.argument("action", type=click.Choice(["list", "retry", "drop"]), default="list")
@click.argument("name", required=False)
def sinks(app: App, action: str, name: str | None) -> None:
    """What each sink has still to get.

    `retry` tries again what it refused; `drop NAME` forgets a sink that is no longer in the settings.
    """
    store = app.store()
    known = {s.name for s in app.sinks()} | {s.sink for s in store.sinks()}
    if name is not None and name not in known:
        raise UsageError(f"there is no sink '{name}': see `recrawler sinks`")
    if action == "retry":
        click.echo(f"{count(store.revive(name), 'event')} to be tried again")
    elif action == "drop":
        if name is None:
            raise UsageError("say which sink to drop: see `recrawler sinks`")
        click.echo(f"{count(store.drop_sink(name), 'event')} of {name} forgotten")
    else:
        _list_sinks(app)


def _list_sinks(app: App) -> None:
    configured = {s.name for s in app.sinks()}
    states = {s.sink: s for s in app.store().sinks()}
    for name in sorted(configured | set(states)):
        state = states.get(name)
        record = {
            "sink": name,
            "configured": name in configured,
            "pending": state.pending if state else 0,
            "dead": state.dead if state else 0,
            "oldest": iso(state.oldest) if state else None,
            "error": state.error if state else None,
        }
        if app.json:
            app.emit(record)
        else:
            error = f"  {record['error']}" if record["error"] else ""
            gone = "" if name in configured else "  (not in the settings)"
            click.echo(f"{name}: {record['pending']} pending, {record['dead']} dead{gone}{error}")
    if not configured and not app.json:
        click.echo("No sink is set: use `recrawler links`, or set jsonl, webhook, redis or feeds.")


@command("vacuum", json=False)
@click.option("--history-days", type=click.IntRange(1), help="Forget links unseen for so long.")
def vacuum(app: App, history_days: int | None) -> None:
    """Forget what is old, and give free space of the database back. Not while a daemon runs."""
    from recrawler.store.sqlite import DaemonLock

    store = app.store()
    with DaemonLock(store.path):
        days = history_days or app.settings.history_days
        s, now = app.settings, datetime.now(UTC)
        gone = store.prune(now, history_days=days, ledger_days=s.ledger_days, events_days=s.events_days)
        before, after = store.vacuum()
    removed = ", ".join(f"{n} {what}" for what, n in gone.items() if n) or "nothing"
    click.echo(f"{removed} forgotten; {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after")
