"""What every command has: the database, the settings, and how it prints."""

from __future__ import annotations

import dataclasses
import functools
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from recrawler.errors import SettingsError, StoreError, UsageError
from recrawler.records import IndexPage
from recrawler.settings import Settings, load_settings, parse_duration

if TYPE_CHECKING:
    from rich.console import Console

    from recrawler.sinks import Sink
    from recrawler.sinks.feeds import Source
    from recrawler.store.sqlite import SqliteStore

PIPE_WIDTH = 200  # columns of what is no terminal: a line that is cut cannot be searched

_COMMON = ("db", "config", "as_json")


class App:
    """One command's surroundings. Everything is opened when it is first used."""

    def __init__(self, db: Path | None, config: Path | None, as_json: bool) -> None:
        self.db = db or default_db()
        self.json = as_json
        self._given: dict[str, Any] = {}  # settings that the command line names
        self._config = config
        self._store: SqliteStore | None = None

    @functools.cached_property
    def settings(self) -> Settings:
        return self.read_settings()

    def read_settings(self) -> Settings:
        """The settings as the file has them now; what the command line names goes before. Raises
        `SettingsError`."""
        return dataclasses.replace(load_settings(self._config), **self._given)

    def put_before(self, given: dict[str, Any]) -> None:
        """Settings that the command line names go before those of the file."""
        self._given = given
        self.settings = self.read_settings()

    def store(self, *, create: bool = False) -> SqliteStore:
        """The database. Raises `StoreError` where there is none and `create` is not given."""
        from recrawler.store.sqlite import SqliteStore

        if self._store is None:
            if create:
                try:
                    self.db.parent.mkdir(parents=True, exist_ok=True)
                except OSError as e:
                    raise StoreError(f"cannot make the folder {self.db.parent}: {e.strerror}") from None
            self._store = SqliteStore(self.db, create=create)
        return self._store

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def index(self, name: str) -> IndexPage:
        """The index with this ID or URL. Raises `UsageError`."""
        from recrawler.urls import identity_key

        if name.isdecimal():
            found = self.store().get_index(int(name)) if len(name) < 19 else None
        else:
            found = self.store().find_index(identity_key(typed_url(name)))
        if found is None:
            raise UsageError(f"there is no index '{name}': see `recrawler indexes`")
        return found

    def sinks(self) -> list[Sink]:
        """The sinks that the settings name."""
        s = self.settings
        made: list[Sink] = []
        if s.jsonl:
            from recrawler.sinks.jsonl import JsonlSink

            made.append(JsonlSink(s.jsonl))
        if s.webhook:
            from recrawler.sinks.webhook import WebhookSink

            secret = s.webhook_secret or os.environ.get("RECRAWLER_WEBHOOK_SECRET", "")
            made.append(WebhookSink(s.webhook, secret, user_agent=s.agent, verify=s.tls_verify))
        if s.redis:
            made.append(_redis_sink(s))
        if s.feeds:
            from recrawler.sinks.feeds import FeedSink

            made.append(FeedSink(s.feeds, self._source, base=s.feeds_url))
        return made

    def _source(self, index_id: int) -> Source | None:
        from recrawler.sinks.feeds import Source

        page = self.store().get_index(index_id)
        return None if page is None else Source(page.title or page.url, page.url)

    def emit(self, record: Any) -> None:
        """Print one record as a line of JSON."""
        click.echo(msgspec.json.encode(record))

    @functools.cached_property
    def console(self) -> Console:
        from rich.console import Console

        known = sys.stdout.isatty() or "COLUMNS" in os.environ
        return Console(highlight=False, soft_wrap=True, width=None if known else PIPE_WIDTH)


def _redis_sink(s: Settings) -> Sink:
    try:
        from recrawler.sinks.redis import RedisSink
    except ImportError:
        raise SettingsError("the setting redis needs its client: pip install redis") from None
    return RedisSink(s.redis, s.redis_stream)


def default_db() -> Path:
    from platformdirs import user_data_path

    return user_data_path("recrawler") / "recrawler.db"


def command(name: str, *, json: bool = True, **attrs: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """A command that gets an `App` first; adds --db, --config and --json."""

    def wrap(function: Callable[..., Any]) -> click.Command:
        @functools.wraps(function)
        def call(db: Path | None, config: Path | None, as_json: bool = False, **kw: Any) -> Any:
            app = App(db, config, as_json)
            try:
                if config is not None:
                    app.settings  # noqa: B018 - a file with a fault is told, whether the command needs it or not
                return function(app, **kw)
            finally:
                app.close()

        made: Callable[..., Any] = call
        if json:
            made = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")(made)
        made = click.option(
            "--config",
            type=click.Path(path_type=Path),
            envvar="RECRAWLER_CONFIG",
            help="Settings file (TOML).",
        )(made)
        made = click.option(
            "--db",
            type=click.Path(path_type=Path),
            envvar="RECRAWLER_DB",
            help="The database; default: the platform's data folder.",
        )(made)
        finished: click.Command = click.command(name, **attrs)(made)  # type: ignore[no-untyped-call]
        finished.params.sort(key=lambda x: x.name in _COMMON)  # what a command has alone comes first
        return finished

    return wrap


def typed_url(text: str) -> str:
    """A URL as a user types it, serialised; without a scheme it is https. Raises `InvalidURL`."""
    from recrawler.urls import parse_typed

    bare = text.strip()
    if "://" not in bare and bare.partition(":")[2][:1].isdigit() | (":" not in bare):
        bare = f"https://{bare}"
    return parse_typed(bare).href


def typed_time(text: str, now: datetime) -> datetime:
    """A moment as a user types it: ISO 8601 (UTC unless it says otherwise), or a duration ago."""
    try:
        when = datetime.fromisoformat(text.strip())
        return when if when.tzinfo else when.replace(tzinfo=UTC)
    except ValueError:
        pass
    try:
        return now - timedelta(seconds=parse_duration(text))
    except UsageError:
        hint = "write 2026-01-31T08:00Z, or a duration ago such as 2h"
        raise UsageError(f"'{text}' is no time: {hint}") from None


def clock(when: datetime | None, now: datetime) -> str:
    """A moment for a person: the local time, with the day where it is not today's."""
    if when is None:
        return "-"
    local, today = when.astimezone(), now.astimezone()
    return local.strftime("%H:%M:%S" if local.date() == today.date() else "%Y-%m-%d %H:%M")


_UNITS = ((86400, "days", 2 * 86400), (3600, "h", 2 * 3600), (60, "min", 120), (1, "s", 0))


def distance(when: datetime | None, now: datetime) -> str:
    """How far off a moment is, for a person: `in 5 min`, `3 h ago`."""
    if when is None:
        return "-"
    seconds = (when - now).total_seconds()
    size = abs(seconds)
    text = next(f"{size / unit:.0f} {name}" for unit, name, least in _UNITS if size >= least)
    return f"in {text}" if seconds >= 0 else f"{text} ago"


def span(seconds: float) -> str:
    """A length of time for a person, to two digits: `45 s`, `5.5 min`, `22 min`."""
    unit, name = next((unit, name) for unit, name, least in _UNITS if seconds >= least)
    size = seconds / unit
    return f"{size:.2g} {name}" if unit > 1 and size < 10.0 else f"{size:.0f} {name}"


def count(number: int, one: str) -> str:
    """So many of a thing, for a person: `1 page`, `1,200 pages`."""
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"


def amount(number: float) -> str:
    """An expected number, for a person, to two digits below ten: `0.49`, `1.4`, `3,150`."""
    return f"{number:.2g}" if number < 9.95 else f"{number:,.0f}"
