"""Values to columns and back: one codec for each record.

A field that has no column of its own goes into the JSON column `extra`, and a stored row that lacks a field
takes its default, so that a record may grow without breaking what was stored.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

import msgspec

from recrawler.errors import StoreError
from recrawler.records import FoundLink, HostState, IndexPage, Validators, Visit

T = TypeVar("T")

PRECISIONS = ("second", "minute", "hour", "day")
STATUSES = ("baseline", "new", "backdated", "updated", "returned")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def seconds(when: datetime | None) -> float | None:
    """Unix seconds of an aware datetime."""
    return None if when is None else (when - EPOCH).total_seconds()


def moment(stamp: float | None) -> datetime | None:
    """The aware datetime, in UTC, of unix seconds; before 1970 too."""
    return None if stamp is None else EPOCH + timedelta(seconds=stamp)


def code(text: str | None, names: Sequence[str]) -> int | str | None:
    """A short stand-in for one of `names`; a text that is not among them is kept as it is."""
    return names.index(text) if text in names else text


def name(stored: int | str | None, names: Sequence[str]) -> str | None:
    """The inverse of `code`."""
    return names[stored] if isinstance(stored, int) else stored


def clean(text: str) -> str:
    """Text that SQLite and JSON take: lone surrogates, which no encoding knows, become '?'."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def pack_url(url: str, key: str) -> str:
    """'s' or 'h' where the URL is https: or http: and the key from its `//` on, which is the usual case and
    halves a row; else the URL. `unpack_url` is the inverse."""
    scheme, colon, rest = url.partition(":")
    if colon and scheme in ("http", "https") and rest == key[key.find("//") :] and "//" in key:
        return "s" if scheme == "https" else "h"
    return url


def unpack_url(packed: str, key: str) -> str:
    if packed in ("s", "h"):
        return ("https:" if packed == "s" else "http:") + key[key.find("//") :]
    return packed


def tombstone(listing: str, key: str) -> int:
    """64 bits that stand for a link of an index once retention has dropped its row."""
    digest = hashlib.blake2b(f"{listing}\n{key}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


class Codec(Generic[T]):
    """How a record is laid out in its table.

    `plain` fields are stored as they are, `times` as unix seconds, `flags` as 0 or 1, `nested` as JSON;
    `skip` are not stored here. `renamed` gives the column where it is not called as the field.
    """

    def __init__(
        self,
        kind: type[T],
        *,
        plain: Sequence[str],
        times: Sequence[str] = (),
        flags: Sequence[str] = (),
        nested: Sequence[str] = (),
        skip: Sequence[str] = (),
        renamed: Mapping[str, str] | None = None,
    ) -> None:
        self.kind = kind
        self._plain, self._times, self._flags, self._nested = plain, times, flags, nested
        self._column = {f: f for f in (*plain, *times, *flags, *nested)} | dict(renamed or {})
        placed = {*self._column, *skip}
        self._rest = [f for f in fields(kind) if f.name not in placed]  # type: ignore[arg-type]
        self.columns = (*self._column.values(), "extra")

    def encode(self, value: T) -> dict[str, Any]:
        """Column values of a record, by column."""
        row: dict[str, Any] = {}
        for f in self._plain:
            v = getattr(value, f)
            row[self._column[f]] = clean(v) if isinstance(v, str) else v
        for f in self._times:
            row[self._column[f]] = seconds(getattr(value, f))
        for f in self._flags:
            row[self._column[f]] = int(getattr(value, f))
        for f in self._nested:
            row[self._column[f]] = to_json(getattr(value, f))
        rest = {f.name: v for f in self._rest if (v := getattr(value, f.name)) != _default(f)}
        row["extra"] = to_json(rest) if rest else None
        return row

    def decode(self, row: sqlite3.Row, **given: Any) -> T:
        """The record of a row; `given` fields come from elsewhere. Raises `StoreError` for a row that this
        version cannot read."""
        try:
            return self._decode(row, given)
        except (msgspec.ValidationError, msgspec.DecodeError) as e:
            what = self.kind.__name__
            raise StoreError(
                f"a stored {what} cannot be read ({e}): was it written by another version?"
            ) from e

    def _decode(self, row: sqlite3.Row, given: Mapping[str, Any]) -> T:
        column = self._column
        values: dict[str, Any] = msgspec.json.decode(row["extra"]) if row["extra"] else {}
        for f in self._plain:
            values[f] = row[column[f]]
        for f in self._times:
            values[f] = moment(row[column[f]])
        for f in self._flags:
            values[f] = bool(row[column[f]])
        for f in self._nested:
            values[f] = msgspec.json.decode(row[column[f]])
        values |= given
        return msgspec.convert(values, self.kind)


def to_json(value: Any) -> str:
    """JSON text of builtins, dataclasses and datetimes."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # a lone surrogate somewhere inside
        return msgspec.json.encode(_scrub(msgspec.to_builtins(value))).decode()


def _scrub(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {_scrub(k): _scrub(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_scrub(v) for v in value]
    return value


INDEX = Codec(
    IndexPage,
    plain=(
        "id", "url", "state", "title", "visits", "failures", "last_outcome", "unchanged", "found", "late",
        "audits",
    ),
    times=("added_at", "last_visit_at", "last_full_at", "gap_since", "next_visit_at"),
    nested=("options", "series", "cadence", "learnt"),
)  # fmt: skip
VISIT = Codec(
    Visit,
    plain=("index", "number", "outcome", "requests", "known", "per_day", "basis"),
    times=("started_at", "finished_at", "next_visit_at"),
    flags=("complete", "gap_open"),
    nested=("pages", "filtered", "series", "warnings"),
    skip=("url", "new"),
    renamed={"index": "index_id"},
)
LINK = Codec(
    FoundLink,
    plain=(
        "index", "listing", "url", "key", "title", "precision", "page", "rank", "status", "hop_path", "via",
    ),
    times=("published_at", "found_at"),
    nested=("attributes",),
    skip=("admitted",),
    renamed={"index": "index_id"},
)  # fmt: skip
HOST = Codec(
    HostState,
    plain=("host_key", "delay", "robots_body", "robots_status", "charset"),
    times=("not_before", "robots_at"),
)
VALIDATORS = Codec(Validators, plain=("etag", "last_modified", "body_digest"))
