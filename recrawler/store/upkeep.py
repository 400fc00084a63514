"""Retention, figures and checks."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recrawler.store import SinkState, StoreFigures
from recrawler.store.connection import Connection
from recrawler.store.rows import to_json, tombstone

_DAY = 86400
_TIDY_WAIT = 0.25  # seconds that others may have to wait for a checkpoint
_CHUNK = 2000  # rows that one transaction removes, so that no visit waits long
_VALIDATORS_DAYS = 30  # of pages that no visit reads any more
_ROBOTS_DAYS = 30  # of hosts that no index page is on


class Upkeep:
    """The part of `SqliteStore` that keeps its size within bounds, and tells of it."""

    _db: Connection
    if TYPE_CHECKING:

        def sinks(self) -> list[SinkState]: ...

    def in_place(self) -> bool:
        return self._db.in_place()

    def prune(
        self, now: datetime, *, history_days: int = 0, ledger_days: int = 0, events_days: int = 0
    ) -> dict[str, int]:
        """Apply retention (0: keep for ever); rows removed, by what they were.

        A link ages only while its list is read without it: its age is counted back from when any link of its
        series was last seen, so that a list that answers 304 for years, or fails, loses nothing. What goes
        leaves a tombstone, and is never taken for new again. The latest visit of each index, and what a sink
        has still to get, stay whatever their age; dead letters go with their events.

        Reads the whole history (about a second for each million links): once a day, and beside the event
        loop. It works on a connection of its own, in transactions of a few milliseconds.
        """
        at = now.timestamp()
        with contextlib.closing(self._db.another()) as db:
            pruner = _Pruner(db)
            removed = {"links": 0, "visits": 0}
            if history_days or ledger_days:
                for (index_id,) in db.read("SELECT id FROM indexes ORDER BY id"):
                    if history_days:
                        removed["links"] += pruner.bury(index_id, history_days * _DAY)
                    if ledger_days:
                        removed["visits"] += pruner.drop(_OLD_VISITS, at - ledger_days * _DAY, index_id)
            removed["dead"] = pruner.drop(_OLD_DEAD, at - events_days * _DAY) if events_days else 0
            removed["events"] = pruner.drop(_OLD_EVENTS, at - events_days * _DAY) if events_days else 0
            removed["validators"] = pruner.drop(_OLD_VALIDATORS, at - _VALIDATORS_DAYS * _DAY)
            removed["hosts"] = pruner.drop(_OLD_HOSTS, at - _ROBOTS_DAYS * _DAY)
        return removed

    def note(self, name: str) -> dict[str, Any] | None:
        rows = self._db.read("SELECT value FROM notes WHERE name = ?", (name,))
        value: dict[str, Any] | None = json.loads(rows[0][0]) if rows else None
        return value

    def keep_note(self, name: str, value: dict[str, Any]) -> None:
        with self._db.write() as db:
            db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, to_json(value)))

    def vacuum(self) -> tuple[int, int]:
        """Give free space back; bytes before and after. Not while a daemon runs: it takes the file alone."""
        before = self.size()
        self._db.run("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.run("VACUUM")
        self._db.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return before, self.size()

    def tidy(self) -> None:
        """Cut the write-ahead log to nothing, where nobody reads at the moment. Syncs the file: call it in a
        thread, now and then.

        The planner gets no statistics (`PRAGMA optimize`): without them its plans are always those that were
        tried, whatever the tables hold.
        """
        with contextlib.closing(self._db.another(timeout=_TIDY_WAIT)) as db:
            db.run("PRAGMA wal_checkpoint(TRUNCATE)")

    def size(self) -> int:
        """Bytes on disk, write-ahead log included."""
        files = (self._db.path, Path(f"{self._db.path}-wal"))
        return sum(f.stat().st_size for f in files if f.exists())

    def check(self) -> list[str]:
        """What is wrong with the file, in SQLite's words; empty where all is well."""
        lines = [row[0] for row in self._db.read("PRAGMA quick_check")]
        lines += [f"{row[0]}: a row of a removed index" for row in self._db.read("PRAGMA foreign_key_check")]
        return [line for line in lines if line != "ok"]

    def figures(self, now: datetime) -> StoreFigures:
        at = now.timestamp()
        row = self._db.read(_FIGURES, (at,))[0]
        hosts = tuple(tuple(r) for r in self._db.read(_FAILING_HOSTS))
        return StoreFigures(**dict(row), size=self.size(), sinks=tuple(self.sinks()), failing_hosts=hosts)


# Each from an index of its own: rows are wide, and a status page asks often.
_FIGURES = """WITH states AS (SELECT state, count(*) AS n FROM indexes GROUP BY state) SELECT
    coalesce((SELECT n FROM states WHERE state = 'active'), 0) AS active,
    coalesce((SELECT sum(n) FROM states WHERE state <> 'active'), 0) AS paused,
    (SELECT count(*) FROM indexes WHERE state = 'active' AND next_visit_at <= ?1
        AND (lease_until IS NULL OR lease_until <= ?1)) AS overdue,
    (SELECT count(*) FROM indexes WHERE lease_until > ?1) AS leased,
    (SELECT count(*) FROM indexes WHERE gap_since IS NOT NULL) AS gaps,
    (SELECT count(*) FROM indexes WHERE failures > 0) AS failing,
    (SELECT count(*) FROM hosts WHERE not_before > ?1) AS resting,
    totals.links, totals.found, totals.late, totals.audits,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'visits'), 0) AS visits,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'emitted'), 0) AS emitted
    FROM (SELECT coalesce(sum(links), 0) AS links, coalesce(sum(found), 0) AS found,
        coalesce(sum(late), 0) AS late, coalesce(sum(audits), 0) AS audits FROM indexes) AS totals"""
_FAILING_HOSTS = """SELECT host, coalesce(last_outcome, ''), count(*) AS pages FROM indexes
    WHERE failures > 0 GROUP BY 1, 2 ORDER BY pages DESC, host LIMIT 200"""


# What goes: ?1 its latest time, ?2 the most rows of one transaction, ?3 the index where there is one.
_OLD_VISITS = """DELETE FROM visits WHERE id IN (SELECT id FROM visits
    WHERE index_id = ?3 AND finished_at < ?1
    AND number < (SELECT max(number) FROM visits WHERE index_id = ?3) LIMIT ?2)"""
_OLD_DEAD = """DELETE FROM outbox WHERE (sink, seq) IN (SELECT o.sink, o.seq
    FROM outbox AS o JOIN emitted AS e ON e.seq = o.seq WHERE o.dead AND e.found_at < ?1 LIMIT ?2)"""
_OLD_EVENTS = """DELETE FROM emitted WHERE seq IN (SELECT seq FROM emitted WHERE found_at < ?1
    AND seq NOT IN (SELECT seq FROM outbox) LIMIT ?2)"""
_OLD_VALIDATORS = """DELETE FROM validators WHERE (index_id, url) IN
    (SELECT index_id, url FROM validators WHERE saved_at < ?1 LIMIT ?2)"""
_OLD_HOSTS = """DELETE FROM hosts WHERE host_key IN (SELECT host_key FROM hosts
    WHERE coalesce(robots_at, 0) < ?1 AND coalesce(not_before, 0) < ?1
    AND host_key NOT IN (SELECT host FROM indexes) LIMIT ?2)"""


class _Pruner:
    """Removes rows a few at a time, on a connection of its own: it keeps no visit waiting."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def drop(self, sql: str, before: float, index_id: int | None = None) -> int:
        dropped = 0
        while True:
            with self._db.write() as db:
                count = db.execute(sql, (before, _CHUNK, index_id)[: 3 if index_id else 2]).rowcount
            dropped += count
            if count < _CHUNK:
                return dropped

    def bury(self, index_id: int, age: float) -> int:
        read_at = self._db.read(
            "SELECT listing, max(last_seen) FROM links WHERE index_id = ? GROUP BY listing", (index_id,)
        )
        return sum(self._bury_series(index_id, listing, last - age) for listing, last in read_at)

    def _bury_series(self, index_id: int, listing: str, before: float) -> int:
        buried = 0
        while True:
            rows = self._db.read(
                "SELECT key, first_visit FROM links WHERE index_id = ? AND listing = ? AND last_seen < ?"
                " LIMIT ?",
                (index_id, listing, before, _CHUNK),
            )
            if rows:
                buried += self._bury_rows(index_id, listing, before, rows)
            if len(rows) < _CHUNK:
                return buried

    def _bury_rows(self, index_id: int, listing: str, before: float, rows: list[sqlite3.Row]) -> int:
        """Stones for rows; not for one that was seen since it was read."""
        with self._db.write() as db:
            gone = [
                (index_id, tombstone(listing, key), visit)
                for key, visit in rows
                if db.execute(
                    "DELETE FROM links WHERE index_id = ? AND listing = ? AND key = ? AND last_seen < ?",
                    (index_id, listing, key, before),
                ).rowcount
            ]
            db.executemany(
                "INSERT OR IGNORE INTO tombstones (index_id, hash, first_visit) VALUES (?, ?, ?)", gone
            )
            db.execute("UPDATE indexes SET links = links - ? WHERE id = ?", (len(gone), index_id))
            return len(gone)
