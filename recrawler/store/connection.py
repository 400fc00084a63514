"""One SQLite connection: opened with every check, used in short transactions from any thread.

The file is never opened here but by SQLite: closing any other descriptor of it would drop the POSIX locks
that SQLite holds in this process.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from recrawler.errors import StoreError
from recrawler.store import schema

BUSY_TIMEOUT = 10.0  # seconds that a transaction waits for another process's
_WAL_LIMIT = 64_000_000  # bytes that the write-ahead log is cut back to
_CACHE_KIB = 16_384


class Connection:
    """Reads and write transactions on one database file."""

    def __init__(
        self,
        path: Path,
        *,
        create: bool,
        migrations: Sequence[schema.Migration] = schema.MIGRATIONS,
        timeout: float = BUSY_TIMEOUT,
    ) -> None:
        self.path = path
        self._timeout = timeout
        self._migrations = migrations
        self._lock = threading.RLock()
        self._conn = _open(path, create, migrations, timeout)
        self._file = _file_at(path)

    def another(self, timeout: float | None = None) -> Connection:
        """A second connection to the same file, for what takes longer, or waits no longer than `timeout`."""
        wait = self._timeout if timeout is None else timeout
        return Connection(self.path, create=False, migrations=self._migrations, timeout=wait)

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """All rows of one statement; no cursor stays open."""
        with self._lock, _translated(self.path, self._timeout):
            return self._conn.execute(sql, parameters).fetchall()

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction; it alone writes from the start on, and is undone by any exception."""
        with self._lock, _translated(self.path, self._timeout):
            self._conn.execute("BEGIN IMMEDIATE")
            try:
                yield self._conn
                self._conn.execute("COMMIT")
            except BaseException:
                if self._conn.in_transaction:
                    self._conn.execute("ROLLBACK")
                raise

    def run(self, sql: str) -> list[sqlite3.Row]:
        """A statement that cannot be part of a transaction (VACUUM, a checkpoint)."""
        return self.read(sql)

    def sync(self) -> None:
        """Force the write-ahead log to the disk: with synchronous=NORMAL a commit survives the end of the
        process at once, but a power cut only from here on."""
        try:
            fd = os.open(f"{self.path}-wal", os.O_RDONLY)
        except FileNotFoundError:
            return
        try:
            os.fsync(fd)
        except OSError as e:
            raise StoreError(f"cannot sync {self.path}: {e.strerror}") from None
        finally:
            os.close(fd)

    def in_place(self) -> bool:
        """Whether the file that is open is still the one at its path: what is written into one that was
        deleted or replaced is lost."""
        return _file_at(self.path) == self._file

    def close(self) -> None:
        with self._lock, _translated(self.path, self._timeout):
            self._conn.close()


def _file_at(path: Path) -> tuple[int, int] | None:
    """What tells a file from any other: device and inode; null where there is none."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _open(
    path: Path, create: bool, migrations: Sequence[schema.Migration], timeout: float
) -> sqlite3.Connection:
    try:
        fresh = _is_fresh(path, create)
    except OSError as e:
        raise StoreError(f"cannot open the database {path}: {e.strerror}") from None
    _check_writable(path)
    with _translated(path, timeout):
        version = 0 if fresh else _version(path, create, len(migrations), timeout)
        conn = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
        try:
            if version < len(migrations):
                schema.migrate(conn, migrations)
            _configure(conn, timeout)
        except BaseException:
            conn.close()
            raise
    return conn


def _is_fresh(path: Path, create: bool) -> bool:
    """Whether there is no database yet; raises `StoreError` where there must be one."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder: give the path of a database file with --db")
    if path.exists() and path.stat().st_size > 0:
        return False
    if not create:
        raise StoreError(f"no database at {path}: begin with 'recrawler add-index URL', or give --db PATH")
    path.parent.mkdir(parents=True, exist_ok=True)
    return True


def _check_writable(path: Path) -> None:
    folder = path.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(f"cannot write in the folder {folder}: make it writable, or give another --db PATH")
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise StoreError(f"cannot write the database {path}: make it writable, or give another --db PATH")


def _version(path: Path, create: bool, known: int, timeout: float) -> int:
    """The schema version of a file that is ours; raises `StoreError`, changing nothing, for any other."""
    application, version, tables = _identity(path, timeout)
    if application == 0 and version == 0 and tables == 0:
        if create:
            return 0
        raise StoreError(f"{path} is an empty database: begin with 'recrawler add-index URL'")
    if application != schema.APPLICATION_ID:
        raise StoreError(f"{path} is a database of another program: give another path with --db")
    if version > known:
        raise StoreError(
            f"{path} was written by a newer recrawler (schema {version}, this one knows {known}): "
            "update recrawler, or give another --db PATH"
        )
    return version


def _identity(path: Path, timeout: float) -> tuple[int, int, int]:
    """Application id, version and number of tables of any SQLite file, which stays as it is: a reader does
    not move what a write-ahead log holds into the file; and where there is no log, only a writer takes away
    the empty one that comes with opening."""
    mode = "ro" if path.with_name(path.name + "-wal").exists() else "rw"
    conn = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=timeout)
    try:
        application: int = conn.execute("PRAGMA application_id").fetchone()[0]
        version: int = conn.execute("PRAGMA user_version").fetchone()[0]
        tables: int = conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    finally:
        conn.close()
    return application, version, tables


def _configure(conn: sqlite3.Connection, timeout: float) -> None:
    conn.row_factory = sqlite3.Row
    _use_wal(conn, timeout)
    conn.execute("PRAGMA synchronous = NORMAL")
    conn.execute("PRAGMA foreign_keys = ON")
    conn.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT}")
    conn.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")


def _use_wal(conn: sqlite3.Connection, timeout: float) -> None:
    """Switch to the write-ahead log: that needs the file alone for a moment, and SQLite does not wait."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            conn.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as e:
            if "locked" not in str(e) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


@contextlib.contextmanager
def _translated(path: Path, timeout: float) -> Iterator[None]:
    """What SQLite says of the file and the disk, as one line that says what to do. Faults of ours (broken
    constraints, wrong statements) pass as they are."""
    try:
        yield
    except sqlite3.DatabaseError as e:
        if type(e) not in (sqlite3.OperationalError, sqlite3.DatabaseError):
            raise
        raise StoreError(_message(path, timeout, str(e))) from e
    except UnicodeDecodeError as e:  # SQLite quotes what it cannot read, and Python cannot read the quotation
        raise StoreError(_message(path, timeout, "malformed")) from e


def _message(path: Path, timeout: float, text: str) -> str:
    if "locked" in text or "busy" in text:
        return f"{path} was locked by another process for more than {timeout:g} s: try again"
    if "full" in text:
        return f"no room to write {path}: free space on its disk, then try again"
    if "readonly" in text:
        return f"cannot write the database {path}: make it writable, or give another --db PATH"
    if "unable to open" in text:
        return f"cannot open the database {path}: check the permissions of it and its folder"
    if "not a database" in text:
        return f"{path} is not a database: give another path with --db"
    if "malformed" in text:
        return f"{path} is damaged: restore a copy, or save what is left with 'sqlite3 FILE .recover'"
    return f"{path}: {text}"
