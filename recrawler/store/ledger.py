"""What is printed: the links given out, and the ledger of visits."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime

from recrawler.records import FoundLink, Visit
from recrawler.store.connection import Connection
from recrawler.store.rows import LINK, VISIT, seconds

_CHUNK = 500  # rows read at a time: no reader holds the write-ahead log for long


class Ledger:
    """The part of `SqliteStore` that is read by people and programs."""

    _db: Connection

    def links(
        self,
        index_id: int | None = None,
        since: datetime | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> Iterator[tuple[int, FoundLink]]:
        upto = self.last_seq()  # what comes while this is read is left for who follows
        by_number = after is not None
        place = (float(after or 0),) if by_number else (-math.inf, -math.inf, 0.0)
        order = "seq" if by_number else "found_at, sort_at, seq"
        where = f"({order}) > ({', '.join('?' * len(place))}) AND seq <= ?"
        fixed: list[float] = [upto]
        if index_id is not None:
            where, fixed = f"{where} AND index_id = ?", [*fixed, index_id]
        if since is not None:
            where, fixed = f"{where} AND found_at >= ?", [*fixed, seconds(since) or 0.0]
        left = math.inf if limit is None else limit
        while left > 0:
            sql = f"SELECT * FROM emitted WHERE {where} ORDER BY {order} LIMIT ?"
            rows = self._db.read(sql, (*place, *fixed, int(min(left, _CHUNK))))
            for row in rows:
                yield row["seq"], LINK.decode(row)
            if len(rows) < min(left, _CHUNK):
                return
            left -= len(rows)
            place = tuple(rows[-1][column] for column in order.split(", "))

    def last_links(self, index_id: int, limit: int) -> list[FoundLink]:
        sql = (
            "SELECT * FROM emitted WHERE index_id = ? ORDER BY found_at DESC, sort_at DESC, seq DESC LIMIT ?"
        )
        return [LINK.decode(row) for row in reversed(self._db.read(sql, (index_id, limit)))]

    def last_seq(self) -> int:
        """The highest number of an emitted link; 0 without any."""
        rows = self._db.read("SELECT max(seq) FROM emitted")
        return rows[0][0] or 0

    def visits(
        self, index_id: int | None = None, gaps: bool = False, limit: int | None = None
    ) -> Iterator[Visit]:
        where = _LATEST_GAP if gaps else "1"
        fixed: list[int] = []
        if index_id is not None:
            where, fixed = f"{where} AND v.index_id = ?", [index_id]
        last = 0
        if limit is not None:
            last = self._before_last(where, fixed, limit)
        while rows := self._db.read(
            f"SELECT v.*, i.url FROM visits AS v JOIN indexes AS i ON i.id = v.index_id"
            f" WHERE {where} AND v.id > ? ORDER BY v.id LIMIT ?",
            (*fixed, last, _CHUNK),
        ):
            yield from self._with_links(rows)
            last = rows[-1]["id"]

    def _before_last(self, where: str, fixed: Sequence[int], limit: int) -> int:
        """The visit after which `limit` more come; 0 where there are no more than that."""
        rows = self._db.read(
            f"SELECT v.id FROM visits AS v WHERE {where} ORDER BY v.id DESC LIMIT 1 OFFSET ?",
            (*fixed, max(limit, 0)),
        )
        return rows[0][0] if rows else 0

    def _with_links(self, rows: Sequence[sqlite3.Row]) -> Iterator[Visit]:
        for row in rows:
            new = self._db.read(
                "SELECT * FROM emitted WHERE seq BETWEEN ? AND ?", (row["first_seq"], row["last_seq"])
            ) if row["first_seq"] else []  # fmt: skip
            yield VISIT.decode(row, url=row["url"], new=tuple(LINK.decode(x) for x in new))


# Visits of which no later one is there, and that leave a gap.
_LATEST_GAP = """v.gap_open AND NOT EXISTS
    (SELECT 1 FROM visits AS w WHERE w.index_id = v.index_id AND w.number > v.number)"""
