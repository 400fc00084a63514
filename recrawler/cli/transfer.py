"""The commands that move index pages in and out: import, export. Lists of URLs, OPML, or JSON lines."""

from __future__ import annotations

import codecs
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import msgspec

from recrawler.cli.app import App, command, typed_url
from recrawler.cli.options import check, without_login
from recrawler.errors import RecrawlerError, UsageError
from recrawler.records import IndexOptions

SPREAD = 2.0  # seconds between first visits on the mean, so that an import is no flood of requests ...
MOST_SPREAD = 3600.0  # ... within an hour: of more index pages, several take the same two seconds


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an import: where it stood, its URL and options, or what is wrong with it."""

    where: str
    url: str
    options: IndexOptions = IndexOptions()
    fault: str = ""


@command("import", json=False)
@click.argument("file", type=click.File("rb"))
def import_(app: App, file: Any) -> int:
    """Add the index pages of a file, without visiting them.

    FILE (- for standard input) holds URLs one a line, CSV with a column url, OPML, or the lines of `export`.
    First visits are spread over time.
    """
    from recrawler.urls import identity_key
    from recrawler.visit import Gate

    now = datetime.now(UTC)
    store = app.store(create=True)
    added = known = bad = 0
    for entry in entries(file.read()):
        try:
            if entry.fault:
                raise UsageError(entry.fault)
            href, options = without_login(typed_url(entry.url), entry.options)
            Gate.of(href, options, app.settings)
            check(options)
        except RecrawlerError as e:
            click.echo(f"{entry.where}: {e}", err=True)
            bad += 1
            continue
        due = now + timedelta(seconds=(added + random.random()) * SPREAD % MOST_SPREAD)
        _, new = store.add_index(href, identity_key(href), options, now, due)
        added, known = added + new, known + (not new)
    click.echo(f"{added} added, {known} known already, {bad} refused")
    return 1 if bad else 0


def entries(raw: bytes) -> Iterator[Entry]:
    """The index pages that a file names, whatever its format. Raises `UsageError` for broken OPML."""
    text = _decoded(raw)
    head = text.lstrip().partition("\n")[0].strip()
    if head.startswith("<"):
        yield from _opml(raw)
        return
    for delimiter in ",;\t":
        columns = [name.strip().strip('"').lower() for name in head.split(delimiter)]
        if "url" in columns:
            yield from _csv(text.lstrip(), columns.index("url"), delimiter)
            return
    if head.startswith("["):
        yield from _json_array(text)
        return
    for n, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("{"):
            yield _json(f"line {n}", bare)
        elif bare and not bare.startswith("#"):
            yield _line(f"line {n}", bare)


def _decoded(raw: bytes) -> str:
    """The text of a file: UTF-8, or what its byte order mark says (editors on Windows write UTF-16)."""
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return raw.decode("utf-16" if wide else "utf-8-sig", "replace")


def _line(where: str, line: str) -> Entry:
    """A URL, with a remark behind a blank and `#` maybe."""
    url, *rest = line.split(maxsplit=1)
    if rest and not rest[0].startswith("#"):
        fault = f"'{line}' has a blank in it: write one URL a line, and a blank in a URL as %20"
        return Entry(where, line, fault=fault)
    return Entry(where, url)


def _json_array(text: str) -> Iterator[Entry]:
    """An array of URLs, or of what `export` writes as lines."""
    try:
        records = msgspec.json.decode(text)
    except msgspec.DecodeError as e:
        raise UsageError(f"the JSON cannot be read: {e}") from None
    for n, record in enumerate(records, 1):
        whole = {"url": record} if isinstance(record, str) else record
        yield _json(f"item {n}", msgspec.json.encode(whole).decode())


_OPTIONS = frozenset(msgspec.to_builtins(IndexOptions()))


def _json(where: str, line: str) -> Entry:
    try:
        record = msgspec.json.decode(line)
        if not isinstance(record, dict) or not isinstance(record.get("url"), str):
            raise ValueError("there is no url")
        told = record.get("options", {})
        if isinstance(told, dict) and (unknown := sorted(told.keys() - _OPTIONS)):
            raise ValueError(f"there is no option {unknown[0]}")
        return Entry(where, record["url"], msgspec.convert(told, IndexOptions))
    except ValueError as e:  # msgspec's errors are some
        return Entry(where, line, fault=f"this is not a line of `recrawler export`: {e}")


def _csv(text: str, column: int, delimiter: str) -> Iterator[Entry]:
    """Rows below a head that has a column `url`; other columns are left alone."""
    import csv

    rows = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    next(rows)
    for row in rows:
        if len(row) > column and row[column].strip():
            yield Entry(f"line {rows.line_num}", row[column].strip())


_BARE = re.compile(rb"&(?!#?\w{1,10};)")


def _opml(raw: bytes) -> Iterator[Entry]:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        try:
            root = etree.fromstring(raw.lstrip(), parser)
        except etree.XMLSyntaxError:  # many programs write the & of addresses as it is
            root = etree.fromstring(_BARE.sub(b"&amp;", raw.lstrip()), parser)
    except etree.XMLSyntaxError as e:
        raise UsageError(f"the OPML cannot be read: {e}") from None
    if str(root.tag).lower() != "opml":
        raise UsageError(f"this is no OPML: its outermost element is <{root.tag}>")
    for outline in root.iter("outline"):
        url = outline.get("htmlUrl") or outline.get("url")
        if url:
            yield Entry(f"line {outline.sourceline}", url)
        elif outline.get("xmlUrl"):
            click.echo(f"line {outline.sourceline}: a feed without a page (htmlUrl) is left out", err=True)


@command("export", json=False)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--format", "form", type=click.Choice(["json", "urls", "opml"]), help="[by the name; json]")
def export(app: App, file: Path, form: str | None) -> None:
    """Write the watched index pages to a file.

    FILE is - for standard output. JSON lines with all options, bare URLs (.txt), or OPML (.opml).
    """
    form = form or {".txt": "urls", ".opml": "opml"}.get(file.suffix, "json")
    text = "".join(_lines(app, form))
    if str(file) == "-":
        click.echo(text.encode(), nl=False)  # UTF-8, whatever the terminal is
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as e:
        raise UsageError(f"cannot write {file}: {e.strerror}") from None


def _lines(app: App, form: str) -> Iterator[str]:
    pages = app.store().indexes()
    if form == "urls":
        yield from (f"{p.url}\n" for p in pages)
    elif form == "opml":
        yield '<?xml version="1.0" encoding="utf-8"?>\n<opml version="2.0">\n<head/>\n<body>\n'
        for p in pages:
            yield f"<outline {_attributes(text=p.title or p.url, type='link', url=p.url, htmlUrl=p.url)}/>\n"
        yield "</body>\n</opml>\n"
    else:
        plain = msgspec.to_builtins(IndexOptions())
        for p in pages:
            options = {k: v for k, v in msgspec.to_builtins(p.options).items() if v != plain[k]}
            yield msgspec.json.encode({"url": p.url, "options": options}).decode() + "\n"


def _attributes(**values: str) -> str:
    from xml.sax.saxutils import quoteattr

    return " ".join(f"{k}={quoteattr(v)}" for k, v in values.items())
