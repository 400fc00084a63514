"""The tables, as an ordered list of migrations; the version of a file is the number of those applied.

A migration gets a `sqlite_utils.Database` inside an open transaction and must not end it. Never change one
that was released: add another. sqlite_utils is imported only when there is something to migrate: it takes
longer to import (0.15 s) than most commands take to run.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

Migration = Callable[["Database"], None]

APPLICATION_ID = 0x72637277  # "rcrw", in the file's header: tells our files from other programs'

_FIRST = (
    # Times are unix seconds in UTC. `options` .. `learnt` are JSON; `extra` holds the fields of a record
    # that have no column of their own, so that a record may grow without a migration.
    """CREATE TABLE indexes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        url TEXT NOT NULL, key TEXT NOT NULL UNIQUE, host TEXT NOT NULL,
        added_at REAL NOT NULL, state TEXT NOT NULL, title TEXT NOT NULL,
        next_visit_at REAL, lease_until REAL, lease_owner TEXT, fence INTEGER NOT NULL DEFAULT 0,
        visits INTEGER NOT NULL, failures INTEGER NOT NULL, unchanged INTEGER NOT NULL,
        links INTEGER NOT NULL DEFAULT 0,  -- rows of its history
        last_outcome TEXT, last_visit_at REAL, last_full_at REAL, gap_since REAL,
        options TEXT NOT NULL, series TEXT NOT NULL, cadence TEXT NOT NULL, learnt TEXT NOT NULL, extra TEXT
    )""",
    # The schedule: what a tick asks is answered from this index alone.
    "CREATE INDEX indexes_due ON indexes (state, next_visit_at, id, lease_until, host)",
    "CREATE INDEX indexes_leased ON indexes (lease_until, host) WHERE lease_until IS NOT NULL",
    "CREATE INDEX indexes_gaps ON indexes (id) WHERE gap_since IS NOT NULL",
    "CREATE INDEX indexes_failing ON indexes (id) WHERE failures > 0",
    # The ledger. The links that a visit emitted are emitted.seq from first_seq to last_seq.
    """CREATE TABLE visits (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
        number INTEGER NOT NULL, started_at REAL NOT NULL, finished_at REAL NOT NULL,
        outcome TEXT NOT NULL, complete INTEGER NOT NULL, gap_open INTEGER NOT NULL,
        requests INTEGER NOT NULL, known INTEGER NOT NULL, next_visit_at REAL, per_day REAL,
        basis TEXT NOT NULL, first_seq INTEGER, last_seq INTEGER,
        pages TEXT NOT NULL, filtered TEXT NOT NULL, series TEXT NOT NULL, warnings TEXT NOT NULL, extra TEXT,
        UNIQUE (index_id, number)
    )""",
    "CREATE INDEX visits_gaps ON visits (id) WHERE gap_open",
    # History: the table that grows. `precision` and `status` are positions in rows.PRECISIONS and
    # rows.STATUSES; `url` is 's' or 'h' where it is https: or http: and the key from its // on. The page
    # that held a link and its hop path follow from the visit and the page number.
    """CREATE TABLE links (
        index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
        listing TEXT NOT NULL, key TEXT NOT NULL,
        first_visit INTEGER NOT NULL, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
        published_at REAL, precision INTEGER, status INTEGER NOT NULL, admitted INTEGER NOT NULL,
        page INTEGER NOT NULL, rank INTEGER NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL,
        PRIMARY KEY (index_id, listing, key)
    ) WITHOUT ROWID""",
    # Every link given out, as it was then. AUTOINCREMENT: a number is never used again, so that who follows
    # by number misses nothing. `sort_at` orders the links of one moment, oldest published first.
    """CREATE TABLE emitted (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL,
        index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
        listing TEXT NOT NULL, key TEXT NOT NULL, found_at REAL NOT NULL, sort_at REAL NOT NULL,
        url TEXT NOT NULL, title TEXT NOT NULL, published_at REAL, precision TEXT,
        page INTEGER NOT NULL, rank INTEGER NOT NULL, status TEXT NOT NULL,
        hop_path TEXT NOT NULL, via TEXT NOT NULL, attributes TEXT NOT NULL, extra TEXT
    )""",
    "CREATE INDEX emitted_order ON emitted (found_at, sort_at)",
    "CREATE INDEX emitted_of_index ON emitted (index_id, found_at, sort_at)",
    # What each sink has still to get. `dead`: given up; `retry_at`: not before.
    """CREATE TABLE outbox (
        sink TEXT NOT NULL, seq INTEGER NOT NULL,
        index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
        attempts INTEGER NOT NULL DEFAULT 0, retry_at REAL, dead INTEGER NOT NULL DEFAULT 0, error TEXT,
        PRIMARY KEY (sink, seq)
    ) WITHOUT ROWID""",
    "CREATE INDEX outbox_of_index ON outbox (index_id)",
    "CREATE INDEX outbox_waiting ON outbox (sink, retry_at, index_id) WHERE retry_at IS NOT NULL",
    "CREATE INDEX outbox_dead ON outbox (sink) WHERE dead",
    """CREATE TABLE validators (
        index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
        url TEXT NOT NULL, saved_at INTEGER NOT NULL,
        etag TEXT, last_modified TEXT, body_digest TEXT, extra TEXT,
        PRIMARY KEY (index_id, url)
    ) WITHOUT ROWID""",
    """CREATE TABLE hosts (
        host_key TEXT PRIMARY KEY, not_before REAL, delay REAL, robots_body BLOB, robots_status INTEGER,
        robots_at REAL, charset TEXT, extra TEXT
    )""",
)


def _first(db: Database) -> None:
    for statement in _FIRST:
        db.execute(statement)


def _tombstones(db: Database) -> None:
    """What retention leaves of a link: enough to know it again (`rows.tombstone`), about 20 bytes."""
    db.execute(
        """CREATE TABLE tombstones (
            index_id INTEGER NOT NULL REFERENCES indexes (id) ON DELETE CASCADE,
            hash INTEGER NOT NULL, first_visit INTEGER NOT NULL,
            PRIMARY KEY (index_id, hash)
        ) WITHOUT ROWID"""
    )


def _narrow_reads(db: Database) -> None:
    """Indexes for what is asked all the time, without reading rows that are wide: which hosts want to be left
    alone (every claim), how many links there are (every look at the figures)."""
    db.execute("CREATE INDEX hosts_resting ON hosts (not_before, host_key) WHERE not_before IS NOT NULL")
    db.execute("CREATE INDEX indexes_links ON indexes (links)")


def _notes(db: Database) -> None:
    """What the daemon knows of itself, as JSON by name: the budget's price, ..."""
    db.execute("CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")


def _recall(db: Database) -> None:
    """What audits say of the links that visits find: see `records.IndexPage.recall`."""
    for column in ("found", "late", "audits"):
        db.execute(f"ALTER TABLE indexes ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0")
    db.execute("DROP INDEX indexes_links")
    db.execute("CREATE INDEX indexes_counts ON indexes (links, found, late, audits)")


MIGRATIONS: Sequence[Migration] = (_first, _tombstones, _narrow_reads, _notes, _recall)


def migrate(conn: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the schema up to date in one transaction, or leave the file as it is and raise."""
    from sqlite_utils import Database

    conn.execute("BEGIN IMMEDIATE")  # who comes second waits here, and then finds the work done
    try:
        version: int = conn.execute("PRAGMA user_version").fetchone()[0]
        db = Database(conn, recursive_triggers=False, execute_plugins=False)
        for migration in migrations[version:]:
            migration(db)
        conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        conn.execute(f"PRAGMA user_version = {max(version, len(migrations))}")
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise
