"""Retention, figures and checks."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from recrawler.store import SinkState, StoreFigures
from recrawler.store.connection import Connection
from recrawler.store.rows import tombstone

_DAY = 86400
_CHUNK = 2000  # rows that one transaction removes, so that no visit waits long
_VALIDATORS_DAYS = 30  # of pages that no visit reads any more
_ROBOTS_DAYS = 30  # of hosts that no index page is on


class Upkeep:
    """The part of `SqliteStore` that keeps its size within bounds, and tells of it."""

    _db: Connection
    if TYPE_CHECKING:

        def sinks(self) -> list[SinkState]: ...

    def prune(
        self, now: datetime, *, history_days: int = 0, ledger_days: int = 0, events_days: int = 0
    ) -> dict[str, int]:
        """Apply retention (0: keep for ever); rows removed, by what they were.

        A link ages only while its list is read without it: its age is counted back from when any link of its
        series was last seen, so that a list that answers 304 for years, or fails, loses nothing. What goes
        leaves a tombstone, and is never taken for new again. The latest visit of each index, and what a sink
        has still to get, stay whatever their age.
        """
        at = now.timestamp()
        removed = {"links": 0, "visits": 0, "events": 0, "validators": 0}
        for (index_id,) in self._db.read("SELECT id FROM indexes ORDER BY id"):
            if history_days:
                removed["links"] += self._bury(index_id, history_days * _DAY)
            if ledger_days:
                removed["visits"] += self._drop_visits(index_id, at - ledger_days * _DAY)
            removed["validators"] += self._drop_validators(index_id, at - _VALIDATORS_DAYS * _DAY)
        removed["hosts"] = self._drop_hosts(at - _ROBOTS_DAYS * _DAY)
        if events_days:
            removed["events"] = self._drop_events(at - events_days * _DAY)
        return removed

    def _bury(self, index_id: int, age: float) -> int:
        read_at = self._db.read(
            "SELECT listing, max(last_seen) FROM links WHERE index_id = ? GROUP BY listing", (index_id,)
        )
        buried = 0
        for listing, last in read_at:
            while count := self._bury_some(index_id, listing, last - age):
                buried += count
        return buried

    def _bury_some(self, index_id: int, listing: str, before: float) -> int:
        with self._db.write() as db:
            rows = db.execute(
                "SELECT key, first_visit FROM links WHERE index_id = ? AND listing = ? AND last_seen < ?"
                " LIMIT ?",
                (index_id, listing, before, _CHUNK),
            ).fetchall()
            db.executemany(
                "INSERT OR IGNORE INTO tombstones (index_id, hash, first_visit) VALUES (?, ?, ?)",
                [(index_id, tombstone(listing, key), visit) for key, visit in rows],
            )
            db.executemany(
                "DELETE FROM links WHERE index_id = ? AND listing = ? AND key = ?",
                [(index_id, listing, key) for key, _ in rows],
            )
            db.execute("UPDATE indexes SET links = links - ? WHERE id = ?", (len(rows), index_id))
            return len(rows)

    def _drop_visits(self, index_id: int, before: float) -> int:
        with self._db.write() as db:
            return db.execute(
                "DELETE FROM visits WHERE index_id = ?1 AND finished_at < ?2 AND number <"
                " (SELECT max(number) FROM visits WHERE index_id = ?1)",
                (index_id, before),
            ).rowcount

    def _drop_validators(self, index_id: int, before: float) -> int:
        stale = "FROM validators WHERE index_id = ? AND saved_at < ?"
        if not self._db.read(f"SELECT 1 {stale} LIMIT 1", (index_id, before)):
            return 0
        with self._db.write() as db:
            return db.execute(f"DELETE {stale}", (index_id, before)).rowcount

    def _drop_hosts(self, before: float) -> int:
        with self._db.write() as db:
            return db.execute(
                "DELETE FROM hosts WHERE coalesce(robots_at, 0) < ?1 AND coalesce(not_before, 0) < ?1"
                " AND host_key NOT IN (SELECT host FROM indexes)",
                (before,),
            ).rowcount

    def _drop_events(self, before: float) -> int:
        dropped = 0
        while True:
            with self._db.write() as db:
                count = _drop_some_events(db, before)
            if not count:
                return dropped
            dropped += count

    def vacuum(self) -> tuple[int, int]:
        """Give free space back; bytes before and after. Not while a daemon runs: it takes the file alone."""
        before = self.size()
        self._db.run("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.run("VACUUM")
        self._db.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return before, self.size()

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
        return StoreFigures(**dict(row), size=self.size(), sinks=tuple(self.sinks()))


# Each from an index of its own, but the links: rows are wide, and a status page asks often.
_FIGURES = """SELECT
    (SELECT count(*) FROM indexes WHERE state = 'active') AS active,
    (SELECT count(*) FROM indexes) - (SELECT count(*) FROM indexes WHERE state = 'active') AS paused,
    (SELECT count(*) FROM indexes WHERE state = 'active' AND next_visit_at <= ?1
        AND (lease_until IS NULL OR lease_until <= ?1)) AS overdue,
    (SELECT count(*) FROM indexes WHERE lease_until > ?1) AS leased,
    (SELECT count(*) FROM indexes WHERE gap_since IS NOT NULL) AS gaps,
    (SELECT count(*) FROM indexes WHERE failures > 0) AS failing,
    (SELECT coalesce(sum(links), 0) FROM indexes) AS links,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'visits'), 0) AS visits,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'emitted'), 0) AS emitted"""


def _drop_some_events(db: sqlite3.Connection, before: float) -> int:
    return db.execute(
        "DELETE FROM emitted WHERE seq IN (SELECT seq FROM emitted WHERE found_at < ?"
        " AND seq NOT IN (SELECT seq FROM outbox) LIMIT ?)",
        (before, _CHUNK),
    ).rowcount
