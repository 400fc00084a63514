"""Index pages: what the user set, when each is due, who is visiting it; and hosts."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from recrawler.records import HostState, IndexOptions, IndexPage
from recrawler.store import Claim
from recrawler.store.connection import Connection
from recrawler.store.locks import DaemonLock, is_dead, owner
from recrawler.store.rows import HOST, INDEX, moment, seconds, to_json

_CHUNK = 500  # rows read at a time where a caller goes through all
_SCAN = 256  # due rows that a claim chooses from
_FIRST_SPAN = 3600.0  # seconds: how urgent a first visit is
_LONGEST_REST = 3600.0  # seconds after the clock was set back
# Which index pages come first, each answered by an index: rows are many and wide.
_OVERVIEW = (
    "failures > 0 ORDER BY id",
    "gap_since IS NOT NULL ORDER BY id",
    "state = 'active' ORDER BY next_visit_at",
    "state = 'paused'",
)
_DAEMON = "daemon:"  # marks the leases of a daemon


class Indexes:
    """The part of `SqliteStore` that knows which pages are watched, and when each is due."""

    _db: Connection
    _owner: str = ""

    # what is watched

    def add_index(
        self,
        url: str,
        key: str,
        options: IndexOptions,
        now: datetime,
        next_visit_at: datetime | None,
        learnt: Mapping[str, Any] = MappingProxyType({}),
    ) -> tuple[IndexPage, bool]:
        from recrawler.urls import host_key  # only here: its suffix list takes long to load

        page = IndexPage(
            id=0, url=url, added_at=now, options=options, next_visit_at=next_visit_at, learnt=dict(learnt)
        )
        row = INDEX.encode(page) | {"key": key, "host": host_key(url)}
        del row["id"]
        with self._db.write() as db:
            there = db.execute("SELECT * FROM indexes WHERE key = ?", (key,)).fetchone()
            if there is not None:
                return INDEX.decode(there), False
            columns, marks = ", ".join(row), ", ".join("?" * len(row))
            new = db.execute(f"INSERT INTO indexes ({columns}) VALUES ({marks})", (*row.values(),))
            return dataclasses.replace(page, id=new.lastrowid or 0), True

    def get_index(self, index_id: int) -> IndexPage | None:
        return self._one("SELECT * FROM indexes WHERE id = ?", index_id)

    def find_index(self, key: str) -> IndexPage | None:
        return self._one("SELECT * FROM indexes WHERE key = ?", key)

    def _one(self, sql: str, parameter: int | str) -> IndexPage | None:
        rows = self._db.read(sql, (parameter,))
        return INDEX.decode(rows[0]) if rows else None

    def indexes(self) -> Iterator[IndexPage]:
        last = 0
        while rows := self._db.read("SELECT * FROM indexes WHERE id > ? ORDER BY id LIMIT ?", (last, _CHUNK)):
            yield from map(INDEX.decode, rows)
            last = rows[-1]["id"]

    def overview(self, limit: int) -> list[IndexPage]:
        shown: dict[int, IndexPage] = {}
        for which in _OVERVIEW:
            if len(shown) < limit:
                for row in self._db.read(f"SELECT * FROM indexes WHERE {which} LIMIT ?", (limit,)):
                    shown.setdefault(row["id"], INDEX.decode(row))
        return list(shown.values())[:limit]

    # what the user sets

    def set_options(self, index_id: int, options: IndexOptions) -> bool:
        return self._update("options = ?", to_json(options), index_id)

    def set_state(self, index_id: int, state: str, next_visit_at: datetime | None) -> bool:
        return self._update("state = ?, next_visit_at = ?", state, seconds(next_visit_at), index_id)

    def schedule(self, index_id: int, next_visit_at: datetime) -> bool:
        return self._update("next_visit_at = ?", seconds(next_visit_at), index_id)

    def remove_index(self, index_id: int) -> bool:
        with self._db.write() as db:  # the rest goes with it, by foreign keys
            return db.execute("DELETE FROM indexes WHERE id = ?", (index_id,)).rowcount > 0

    def _update(self, what: str, *parameters: object) -> bool:
        with self._db.write() as db:
            return db.execute(f"UPDATE indexes SET {what} WHERE id = ?", parameters).rowcount > 0

    # who visits

    def claim_due(
        self, now: datetime, limit: int, lease: float, busy_hosts: Iterable[str] = ()
    ) -> list[Claim]:
        due = self.next_due()
        if limit <= 0 or due is None or due > now:
            return []  # most ticks end here, without the write lock
        with self._db.write() as db:
            ids = _due(db, _stamp(now), limit, set(busy_hosts))
            return [self._lease(db, index_id, now, lease) for index_id in ids]

    def claim(self, index_id: int, now: datetime, lease: float) -> Claim | None:
        with self._db.write() as db:
            row = db.execute(
                "SELECT lease_until, lease_owner FROM indexes WHERE id = ?", (index_id,)
            ).fetchone()
            if row is None:
                return None
            held = row["lease_until"] is not None and row["lease_until"] > _stamp(now)
            if held and not _is_gone(row["lease_owner"], alone=False):
                return None
            return self._lease(db, index_id, now, lease)

    def _lease(self, db: sqlite3.Connection, index_id: int, now: datetime, lease: float) -> Claim:
        expires = now + timedelta(seconds=lease)
        db.execute(
            "UPDATE indexes SET lease_until = ?, lease_owner = ?, fence = fence + 1 WHERE id = ?",
            (seconds(expires), self._owner or owner(), index_id),
        )
        row = db.execute("SELECT * FROM indexes WHERE id = ?", (index_id,)).fetchone()
        return Claim(INDEX.decode(row), row["fence"], expires)

    def next_due(self) -> datetime | None:
        free = self._db.read(
            "SELECT next_visit_at FROM indexes WHERE state = 'active' AND next_visit_at IS NOT NULL"
            " AND lease_until IS NULL ORDER BY next_visit_at LIMIT 1"
        )
        held = self._db.read(  # one of a dead process is due when its lease ends; +: few are held
            "SELECT min(max(next_visit_at, lease_until)) FROM indexes"
            " WHERE lease_until IS NOT NULL AND +state = 'active'"
        )
        stamps = [row[0] for row in (*free, *held) if row[0] is not None]
        return moment(min(stamps)) if stamps else None

    def release(self, claim: Claim, next_visit_at: datetime) -> bool:
        with self._db.write() as db:
            return (
                db.execute(
                    "UPDATE indexes SET lease_until = NULL, lease_owner = NULL, fence = fence + 1,"
                    " next_visit_at = ? WHERE id = ? AND fence = ?",
                    (seconds(next_visit_at), claim.index.id, claim.fence),
                ).rowcount
                > 0
            )

    def hurry_failed(self, since: datetime, now: datetime) -> int:
        with self._db.write() as db:
            hurried = db.execute(
                "UPDATE indexes SET next_visit_at = ?2 WHERE failures > 0 AND last_visit_at >= ?1"
                " AND next_visit_at > ?2 AND lease_until IS NULL",
                (_stamp(since), _stamp(now)),
            )
            return hurried.rowcount

    def reset_leases(self, lock: DaemonLock | None = None) -> int:
        """Free what dead processes of this machine hold; number freed.

        With `lock`, the proof that no other daemon runs on this file, also what any daemon held, of whatever
        machine; and what this store claims from now on counts as a daemon's.
        """
        if lock is not None:
            self._owner = f"{_DAEMON}{owner()}"
        with self._db.write() as db:
            owners = db.execute(
                "SELECT DISTINCT lease_owner FROM indexes WHERE lease_until IS NOT NULL"
            ).fetchall()
            dead = [o for (o,) in owners if _is_gone(o, lock is not None) and o != self._owner]
            return sum(
                db.execute(
                    "UPDATE indexes SET lease_until = NULL, lease_owner = NULL WHERE lease_owner = ?", (o,)
                ).rowcount
                for o in dead
            )

    def shift(self, seconds: float) -> None:
        """The clock was set by so many seconds: all that is due, held, waiting or resting goes with it."""
        with self._db.write() as db:
            for table, column in (
                ("outbox", "retry_at"),
                ("hosts", "not_before"),
                ("indexes", "lease_until"),
            ):
                db.execute(
                    f"UPDATE {table} SET {column} = {column} + ? WHERE {column} IS NOT NULL", (seconds,)
                )
            db.execute("UPDATE indexes SET next_visit_at = next_visit_at + ?", (seconds,))

    def mend_clock(self, now: datetime, lease: float) -> int:
        """After the clock was set back unseen: what was last visited after `now` is due as long after it as
        it was to be after its visit, no lease is longer than `lease` seconds, and no event or host rests
        longer than an hour; number of index pages changed. Cheap where nothing was written after `now`."""
        at = _stamp(now)
        newest = self._db.read(
            "SELECT (SELECT finished_at FROM visits ORDER BY id DESC LIMIT 1) > ?1"
            " OR (SELECT added_at FROM indexes WHERE id = (SELECT max(id) FROM indexes)) > ?1"
            " OR EXISTS (SELECT 1 FROM indexes WHERE lease_until > ?1 + ?2)",
            (at, lease),
        )
        if not newest[0][0]:
            return 0
        with self._db.write() as db:
            for table, column in (("outbox", "retry_at"), ("hosts", "not_before")):
                rest = f"UPDATE {table} SET {column} = ?1 + ?2 WHERE {column} > ?1 + ?2"
                db.execute(rest, (at, _LONGEST_REST))
            early = db.execute(
                "UPDATE indexes SET next_visit_at = ?1 + next_visit_at - coalesce(last_visit_at, added_at)"
                " WHERE next_visit_at > ?1"
                " AND coalesce(last_visit_at, added_at) BETWEEN ?1 AND next_visit_at",
                (at,),
            )
            held = db.execute(
                "UPDATE indexes SET lease_until = ?1 + ?2 WHERE lease_until > ?1 + ?2", (at, lease)
            )
            return early.rowcount + held.rowcount

    # hosts

    def host(self, host_key: str) -> HostState | None:
        rows = self._db.read("SELECT * FROM hosts WHERE host_key = ?", (host_key,))
        return HOST.decode(rows[0]) if rows else None

    def save_host(self, state: HostState) -> None:
        row = HOST.encode(state)
        columns, marks = ", ".join(row), ", ".join("?" * len(row))
        with self._db.write() as db:
            db.execute(f"INSERT OR REPLACE INTO hosts ({columns}) VALUES ({marks})", (*row.values(),))


def _is_gone(owner_: str, alone: bool) -> bool:
    """Whether whoever claimed no longer runs; `alone`: no daemon but this one runs."""
    if owner_.startswith(_DAEMON):
        return alone or is_dead(owner_.removeprefix(_DAEMON))
    return is_dead(owner_)


# The due rows that wait longest come from the index of the schedule alone, what they are chosen by from their
# rows. A visit is due when what waits is worth one fetch, after a time T since the last one; after t it is
# worth (t/T)^2, as both the links that wait and their waiting grow with t.
_WAITING = """WITH due AS MATERIALIZED (
        SELECT id FROM indexes WHERE state = 'active' AND next_visit_at <= ?1
        AND (lease_until IS NULL OR lease_until <= ?1)
        AND host NOT IN (SELECT value FROM json_each(?2)) ORDER BY next_visit_at, id LIMIT ?3)
    SELECT i.id, i.host, iif(last_visit_at <= ?1, last_visit_at, next_visit_at - ?4) AS since
    FROM due CROSS JOIN indexes AS i USING (id)
    ORDER BY (?1 - since) / max(next_visit_at - since, 1.0) DESC, next_visit_at, id"""


def _due(db: sqlite3.Connection, now: float, limit: int, busy: set[str]) -> list[int]:
    """Up to `limit` free index pages that are due, most urgent first, each on a host of its own that is
    neither busy nor has asked to be left alone."""
    held = db.execute("SELECT host FROM indexes WHERE lease_until > ?", (now,))
    resting = db.execute("SELECT host_key FROM hosts WHERE not_before > ?", (now,))
    taken = busy | {host for rows in (held, resting) for (host,) in rows}
    ids: list[int] = []
    while len(ids) < limit:
        rows = db.execute(_WAITING, (now, json.dumps(list(taken)), _SCAN, _FIRST_SPAN)).fetchall()
        for index_id, host, _ in rows:
            if host not in taken and len(ids) < limit:
                ids.append(index_id)
                taken.add(host)
        if len(rows) < _SCAN:
            break
    return ids


def _stamp(when: datetime) -> float:
    return when.timestamp()
