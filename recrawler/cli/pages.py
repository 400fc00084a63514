"""The commands on the analysis of pages: inspect, train, evaluate."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from recrawler.cli.app import App, command, typed_time, typed_url
from recrawler.cli.options import json_paths
from recrawler.errors import RecrawlerError, UsageError
from recrawler.page.types import PageAnalysis
from recrawler.settings import zone_of

if TYPE_CHECKING:
    from recrawler.page.jsonlist import Paths

NO_URL = "http://localhost/"  # what the links of a file are resolved against when no --url is given


@command("inspect")
@click.argument("page", metavar="[FILE|URL]", required=False)
@click.option("--url", metavar="URL", help="The address of a FILE, against which its links are resolved.")
@click.option("--batch", metavar="FILE|-", help='Analyse many: one {"id", "file", "url"} a line.')
@click.option("--now", metavar="T", help="The time that relative and year-less dates are read against.")
@click.option("--timezone", metavar="ZONE", help="The zone of the page's dates.")
@click.option("--path", multiple=True, metavar="NAME=EXPR", help="Where a list in JSON has what.")
def inspect(
    app: App,
    page: str | None,
    url: str | None,
    batch: str | None,
    now: str | None,
    timezone: str | None,
    path: tuple[str, ...],
) -> int:
    """Say what one page holds and why. Lists, pagination, order, dates; nothing is stored."""

    if (page is None) == (batch is None):
        raise UsageError("give one FILE or URL, or --batch FILE")
    moment = datetime.now(UTC)
    at = typed_time(now, moment) if now else moment
    sight = Sight(at, zone_of(timezone or app.settings.timezone), json_paths(path))
    if batch is not None:
        return _inspect_batch(app, batch, sight)
    assert page is not None
    found = _inspect_one(app, page, url, sight)
    if app.json:
        from recrawler.page.types import to_json

        app.emit(to_json(found))
    else:
        from recrawler.cli.picture import print_analysis

        print_analysis(app.console, found)
    return 0


@dataclass(frozen=True, slots=True)
class Sight:
    """What pages are looked at with: the time, the zone of their dates, where lists in JSON have what."""

    now: datetime
    zone: tzinfo | None
    paths: Paths


def timed(body: bytes, url: str, sight: Sight, encoding: str | None = None) -> PageAnalysis:
    """The analysis of a page, with the time that it took."""
    from recrawler.page.analysis import analyse

    began = time.perf_counter()
    found = analyse(body, url, now=sight.now, encoding=encoding, timezone=sight.zone, paths=sight.paths)
    return replace(found, elapsed_ms=(time.perf_counter() - began) * 1000)


def _inspect_one(app: App, page: str, url: str | None, sight: Sight) -> PageAnalysis:
    path = Path(page)
    host = page.partition("/")[0]
    named = (
        page[:1] in "./~" or path.suffix in (".html", ".htm", ".json") or not set(host) & set(".:")
    )  # no host is
    if "://" not in page and (path.exists() or named or url is not None):
        return timed(_read(path), typed_url(url) if url else NO_URL, sight)
    if url is not None:
        raise UsageError("--url goes with a FILE; a URL is fetched from where it is")
    import asyncio

    return asyncio.run(_fetch_and_analyse(app, typed_url(page), sight))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as e:
        raise UsageError(f"cannot read {path}: {e.strerror}") from None


class _NoHosts:
    """Hosts of a single look: nothing is remembered."""

    def host(self, host_key: str) -> None:
        return None

    def save_host(self, state: object) -> None:
        return None


async def _fetch_and_analyse(app: App, url: str, sight: Sight) -> PageAnalysis:
    from recrawler.fetch import Failure, Fetcher, Request

    async with Fetcher(app.settings, _NoHosts()) as fetcher:
        answer = await fetcher.fetch(Request(url, data=True))
    if isinstance(answer, Failure):
        raise RecrawlerError(f"{url}: {answer.kind}: {answer.detail}")
    found = timed(answer.body, answer.url, sight, answer.encoding)
    if answer.status >= 400:
        found = replace(found, warnings=(f"the server answered HTTP {answer.status}", *found.warnings))
    return found


def _inspect_batch(app: App, batch: str, sight: Sight) -> int:
    from recrawler.page.types import to_json

    for line in _batch_lines(batch):
        name: Any = None
        try:
            record = msgspec.json.decode(line)
            name = record.get("id")
            path, url = Path(record["file"]), record.get("url") or NO_URL
            found = to_json(timed(path.read_bytes(), typed_url(url), sight))
            app.emit({"id": name, **found, "url": url})
        except (OSError, RecrawlerError, msgspec.DecodeError, KeyError, AttributeError, TypeError) as e:
            app.emit({"id": name, "error": f"{type(e).__name__}: {e}"})
    return 0


def _batch_lines(batch: str) -> Iterator[str]:
    if batch == "-":
        yield from (line for line in sys.stdin if line.strip())
        return
    text = _read(Path(batch)).decode("utf-8-sig", "replace")
    yield from (line for line in text.splitlines() if line.strip())


_corpus = click.option(
    "--corpus", "corpora", multiple=True, required=True, type=click.Path(path_type=Path), metavar="DIR",
    help="A folder of labelled pages (labels.jsonl); may be given several times.",
)  # fmt: skip


@command("train", json=False)
@_corpus
@click.option("--out", type=click.Path(path_type=Path), default=Path("page.json"), show_default=True)
def train(app: App, corpora: tuple[Path, ...], out: Path) -> None:
    """Train the page model on labelled pages. Writes it with its card."""
    from recrawler.learn import train_to

    for line in train_to(list(corpora), out):
        click.echo(line)


@command("evaluate", json=False)
@_corpus
@click.option("--folds/--no-folds", default=True, help="No page is scored by a model that saw its group.")
def evaluate(app: App, corpora: tuple[Path, ...], folds: bool) -> None:
    """Score the analysis on labelled pages. Older link, blocks, roles, order, kind.

    Relative dates are read against the time at which a page was fetched, if its labels tell it, else now.
    """
    from recrawler.learn import evaluation

    for line in evaluation(list(corpora), folds=folds, now=datetime.now(UTC)):
        click.echo(line)
