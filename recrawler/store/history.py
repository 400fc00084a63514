"""The links that each series has had, its pages' validators, and the transaction that ends a visit."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from recrawler.records import FoundLink, KnownLink, Publication, Validators, VisitResult
from recrawler.store import Claim
from recrawler.store.connection import Connection
from recrawler.store.order import in_order
from recrawler.store.rows import (
    EPOCH,
    INDEX,
    LINK,
    PRECISIONS,
    STATUSES,
    VALIDATORS,
    VISIT,
    clean,
    code,
    moment,
    name,
    pack_url,
    seconds,
    tombstone,
    unpack_url,
)

# A sighting is written when the last one written is older, in seconds: retention counts in days, and a list
# visited every minute would rewrite all of its rows each time.
_SIGHTING = 3600
_DAY = 86400
# What a visit may not overwrite: it is the user's, who may have changed it meanwhile.
_USERS = {"id", "url", "added_at", "state", "options", "next_visit_at"}

# CROSS JOIN: the keys are looked up one by one. Left to choose, SQLite would scan the history for them.
_KNOWN = """SELECT l.key, l.first_visit, l.published_at, l.precision, l.title, l.url, l.last_seen,
    l.admitted AND l.status <> 0
    FROM json_each(?) AS k CROSS JOIN links AS l ON l.index_id = ? AND l.listing = ? AND l.key = k.value"""
# The listings of an index, by one seek each.
_LISTINGS = """WITH RECURSIVE step (listing) AS (
        SELECT min(listing) FROM links WHERE index_id = ?1
        UNION ALL SELECT (SELECT min(listing) FROM links WHERE index_id = ?1 AND listing > step.listing)
        FROM step WHERE step.listing IS NOT NULL
    ) SELECT listing FROM step WHERE listing IS NOT NULL"""


class History:
    """The part of `SqliteStore` that remembers links and writes down visits."""

    _db: Connection

    def known(self, index_id: int, listing: str | None, keys: Iterable[str]) -> dict[str, KnownLink]:
        wanted = list(dict.fromkeys(keys))
        listings = [listing] if listing is not None else self.listings(index_id)
        found: dict[str, KnownLink] = {}
        for one in listings:
            for row in self._db.read(_KNOWN, (_json(wanted), index_id, one)):
                found.setdefault(row[0], _known_link(*row))
        missing = [key for key in wanted if key not in found]
        if missing and self._db.read("SELECT 1 FROM tombstones WHERE index_id = ? LIMIT 1", (index_id,)):
            for one in listings:
                found |= self._buried(index_id, one, missing)
        return found

    def listings(self, index_id: int) -> list[str]:
        """The series of an index that have a history."""
        return [row[0] for row in self._db.read(_LISTINGS, (index_id,))]

    def _buried(self, index_id: int, listing: str, keys: Sequence[str]) -> dict[str, KnownLink]:
        by_hash = {tombstone(listing, key): key for key in keys}
        rows = self._db.read(
            "SELECT hash, first_visit FROM json_each(?) AS k CROSS JOIN tombstones"
            " ON index_id = ? AND hash = k.value",
            (_json(list(by_hash)), index_id),
        )
        return {by_hash[h]: KnownLink(by_hash[h], visit, None, None, "", "") for h, visit in rows}

    def publications(self, index_id: int) -> list[Publication]:
        rows = self._db.read(
            "SELECT published_at, precision, first_seen, status FROM links WHERE index_id = ?", (index_id,)
        )
        return [_publication(*row) for row in rows]

    def validators(self, index_id: int, urls: Iterable[str]) -> dict[str, Validators]:
        rows = self._db.read(
            "SELECT v.* FROM json_each(?) AS k CROSS JOIN validators AS v"
            " ON v.index_id = ? AND v.url = k.value",
            (_json(list(urls)), index_id),
        )
        return {row["url"]: VALIDATORS.decode(row) for row in rows}

    def finish(self, claim: Claim, result: VisitResult, sinks: Sequence[str]) -> bool:
        with self._db.write() as db:
            row = db.execute(
                "SELECT fence, next_visit_at FROM indexes WHERE id = ?", (claim.index.id,)
            ).fetchone()
            if row is None or row["fence"] != claim.fence:
                return False
            at = _whole(result.visit.finished_at)
            fresh = _remember(db, claim.index.id, result, at)
            _still_there(db, claim, result.unchanged, at)
            span = _emit(db, fresh, sinks)
            _write_visit(db, result, span)
            _write_validators(db, claim.index.id, result, at)
            _write_index(db, claim, result, row["next_visit_at"])
            return True


def _json(values: Sequence[Any]) -> str:
    return json.dumps(values)


def _known_link(
    key: str, visit: int, published: float | None, precision: Any, title: str, url: str, seen: int, given: int
) -> KnownLink:
    kind: Any = name(precision, PRECISIONS)
    at, address = moment(published), unpack_url(url, key)
    return KnownLink(key, visit, at, kind, title, address, moment(seen), bool(given))


def _publication(published: float | None, precision: Any, found: float, status: Any) -> Publication:
    exact: Any = name(precision, PRECISIONS)
    kind: Any = name(status, STATUSES)
    return Publication(moment(published), exact, moment(found) or EPOCH, kind)


def _whole(when: datetime) -> int:
    return int(when.timestamp())


def _remember(db: sqlite3.Connection, index_id: int, result: VisitResult, at: int) -> list[FoundLink]:
    """Bring the history up to date; the links that are to be given out."""
    there, buried = _present(db, index_id, result.found)
    rows: dict[tuple[str, str], FoundLink] = {}
    seen = set(result.seen)
    for link in result.found:
        place = (link.listing, link.key)
        if (place in there or place in buried) and link.status not in ("updated", "returned"):
            seen.add(place)
        else:
            rows.setdefault(place, link)  # the list may have moved while it was read: the first place counts
    db.executemany(_REMEMBER, [_history_row(index_id, result.visit.number, x) for x in rows.values()])
    if more := len(rows.keys() - there):
        db.execute("UPDATE indexes SET links = links + ? WHERE id = ?", (more, index_id))
    db.executemany(
        "UPDATE links SET last_seen = ? WHERE index_id = ? AND listing = ? AND key = ? AND last_seen < ?",
        [(at, index_id, *place, at - _SIGHTING) for place in sorted(seen)],
    )
    db.executemany(
        "UPDATE links SET published_at = ?, precision = ? WHERE index_id = ? AND listing = ? AND key = ?",
        [(seconds(at), code(p, PRECISIONS), index_id, *place) for *place, at, p in result.redated],
    )
    return [link for link in rows.values() if link.admitted and link.status != "baseline"]


def _still_there(db: sqlite3.Connection, claim: Claim, listings: Sequence[str], at: int) -> None:
    """The links that were there when the list was last read are there yet: it has not changed since. That is
    written once a day."""
    last = claim.index.last_visit_at
    if last is not None and at // _DAY == _whole(last) // _DAY:
        return
    for listing in listings:
        db.execute(
            "UPDATE links SET last_seen = ?1 WHERE index_id = ?2 AND listing = ?3 AND last_seen >="
            " (SELECT max(last_seen) FROM links WHERE index_id = ?2 AND listing = ?3) - ?4",
            (at, claim.index.id, listing, _SIGHTING),
        )


_REMEMBER = """INSERT INTO links (index_id, listing, key, first_visit, first_seen, last_seen, published_at,
        precision, status, admitted, page, rank, url, title)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (index_id, listing, key) DO UPDATE SET last_seen = excluded.last_seen,
        published_at = coalesce(excluded.published_at, published_at),
        precision = coalesce(excluded.precision, precision), status = excluded.status,
        page = excluded.page, rank = excluded.rank, url = excluded.url, title = excluded.title"""


def _present(
    db: sqlite3.Connection, index_id: int, links: Sequence[FoundLink]
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Which of these the history has already, by listing and key: those that have a row, and those of which
    retention has left a stone. None of them is new, whatever it says."""
    keys: dict[str, list[str]] = {}
    for link in links:
        keys.setdefault(link.listing, []).append(link.key)
    there: set[tuple[str, str]] = set()
    buried: set[tuple[str, str]] = set()
    for listing, wanted in keys.items():
        there |= {(listing, row[0]) for row in db.execute(_KNOWN, (_json(wanted), index_id, listing))}
        stones = db.execute(
            "SELECT hash FROM json_each(?) AS k CROSS JOIN tombstones ON index_id = ? AND hash = k.value",
            (_json([tombstone(listing, key) for key in wanted]), index_id),
        )
        if hashes := {h for (h,) in stones}:
            buried |= {(listing, key) for key in wanted if tombstone(listing, key) in hashes}
    return there, buried


def _history_row(index_id: int, visit: int, link: FoundLink) -> tuple[Any, ...]:
    at = _whole(link.found_at)
    return (
        index_id, link.listing, link.key, visit, at, at, seconds(link.published_at),
        code(link.precision, PRECISIONS), code(link.status, STATUSES), int(link.admitted),
        link.page, link.rank, pack_url(link.url, link.key), clean(link.title),
    )  # fmt: skip


def _emit(db: sqlite3.Connection, links: Sequence[FoundLink], sinks: Sequence[str]) -> tuple[int, int] | None:
    """Number the links and put them into the outbox; the first and the last number, None without links."""
    if not links:
        return None
    before = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'emitted'").fetchone()
    first = (before[0] if before else 0) + 1
    rows = [
        LINK.encode(link) | {"seq": seq, "id": link.event_id, "sort_at": sort_at}
        for seq, (sort_at, link) in enumerate(in_order(links), first)
    ]
    _insert(db, "INSERT INTO emitted", rows)
    outbox = [
        {"sink": sink, "seq": row["seq"], "index_id": row["index_id"]} for row in rows for sink in sinks
    ]
    _insert(db, "INSERT INTO outbox", outbox)
    return first, first + len(rows) - 1


def _insert(db: sqlite3.Connection, verb: str, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows of the same columns."""
    if rows:
        columns = ", ".join(rows[0])
        db.executemany(f"{verb} ({columns}) VALUES (:{columns.replace(', ', ', :')})", rows)


def _write_visit(db: sqlite3.Connection, result: VisitResult, span: tuple[int, int] | None) -> None:
    first, last = span or (None, None)
    _insert(db, "INSERT INTO visits", [VISIT.encode(result.visit) | {"first_seq": first, "last_seq": last}])


def _write_validators(db: sqlite3.Connection, index_id: int, result: VisitResult, at: int) -> None:
    fixed = {"index_id": index_id, "saved_at": at}
    rows = [VALIDATORS.encode(v) | fixed | {"url": url} for url, v in result.validators.items()]
    _insert(db, "INSERT OR REPLACE INTO validators", rows)


def _write_index(db: sqlite3.Connection, claim: Claim, result: VisitResult, scheduled: float | None) -> None:
    """The index as the visit leaves it, its lease ended. Where somebody set another next visit meanwhile,
    the earlier of the two holds."""
    row = {c: v for c, v in INDEX.encode(result.index).items() if c not in _USERS}
    due = seconds(result.index.next_visit_at)
    # Compared as moments: a column may hold finer fractions than a datetime, and would never be the same.
    if scheduled is not None and moment(scheduled) != claim.index.next_visit_at:
        due = scheduled if due is None else min(due, scheduled)
    sets = ", ".join(f"{column} = ?" for column in row)
    db.execute(
        f"UPDATE indexes SET {sets}, next_visit_at = ?, lease_until = NULL, lease_owner = NULL,"
        " fence = fence + 1 WHERE id = ?",  # so that this claim, too, is stale from now on
        (*row.values(), due, claim.index.id),
    )
