"""Events on their way to sinks. An event leaves the outbox only when its sink has acknowledged it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from recrawler.store import OutboxItem, SinkState
from recrawler.store.connection import Connection
from recrawler.store.locks import FileLock
from recrawler.store.rows import LINK, moment, seconds

_ITEMS = """SELECT o.sink, o.attempts, o.error, e.*
    FROM outbox AS o JOIN emitted AS e ON e.seq = o.seq"""


class Outbox:
    """The part of `SqliteStore` that hands events to sinks."""

    _db: Connection
    _delivery: FileLock

    def begin_delivery(self) -> bool:
        return self._delivery.acquire()

    def sync(self) -> None:
        self._db.sync()

    def pending(self, sink: str, now: datetime, limit: int) -> list[OutboxItem]:
        rows = self._db.read(
            f"{_ITEMS} WHERE o.sink = ?1 AND NOT o.dead AND o.index_id NOT IN"
            " (SELECT index_id FROM outbox WHERE sink = ?1 AND retry_at > ?2)"
            " ORDER BY o.seq LIMIT ?3",
            (sink, seconds(now), limit),
        )
        return [_item(row) for row in rows]

    def delivered(self, sink: str, seqs: Sequence[int]) -> None:
        with self._db.write() as db:
            db.executemany("DELETE FROM outbox WHERE sink = ? AND seq = ?", [(sink, seq) for seq in seqs])

    def failed(self, sink: str, seqs: Sequence[int], error: str, retry_at: datetime | None) -> None:
        with self._db.write() as db:
            db.executemany(
                "UPDATE outbox SET attempts = attempts + 1, error = ?, retry_at = ?, dead = ?"
                " WHERE sink = ? AND seq = ?",
                [(error, seconds(retry_at), int(retry_at is None), sink, seq) for seq in seqs],
            )

    def dead_letters(self, sink: str | None = None, limit: int = 100) -> list[OutboxItem]:
        rows = self._db.read(
            f"{_ITEMS} WHERE o.dead AND (?1 IS NULL OR o.sink = ?1) ORDER BY o.sink, o.seq LIMIT ?2",
            (sink, limit),
        )
        return [_item(row) for row in rows]

    def revive(self, sink: str | None = None) -> int:
        with self._db.write() as db:
            return db.execute(
                "UPDATE outbox SET dead = 0, attempts = 0, retry_at = NULL"
                " WHERE dead AND (?1 IS NULL OR sink = ?1)",
                (sink,),
            ).rowcount

    def drop_sink(self, sink: str) -> int:
        with self._db.write() as db:
            return db.execute("DELETE FROM outbox WHERE sink = ?", (sink,)).rowcount

    def sinks(self) -> list[SinkState]:
        rows = self._db.read(
            "SELECT o.sink, sum(NOT o.dead) AS pending, sum(o.dead) AS dead, min(o.seq) AS first,"
            " min(CASE WHEN NOT o.dead THEN e.found_at END) AS oldest"
            " FROM outbox AS o JOIN emitted AS e ON e.seq = o.seq GROUP BY o.sink"
        )
        return [
            SinkState(r["sink"], r["pending"], r["dead"], moment(r["oldest"]), self._last_error(r["sink"]))
            for r in rows
        ]

    def _last_error(self, sink: str) -> str | None:
        rows = self._db.read(
            "SELECT error FROM outbox WHERE sink = ? AND error IS NOT NULL ORDER BY dead, seq LIMIT 1",
            (sink,),
        )
        return rows[0][0] if rows else None


def _item(row: sqlite3.Row) -> OutboxItem:
    return OutboxItem(row["seq"], row["sink"], row["attempts"], LINK.decode(row), row["id"], row["error"])
