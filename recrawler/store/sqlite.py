"""The default store: one SQLite file, by write-ahead log, one transaction a visit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recrawler.store import Store
from recrawler.store.connection import BUSY_TIMEOUT, Connection
from recrawler.store.history import History
from recrawler.store.indexes import Indexes
from recrawler.store.ledger import Ledger
from recrawler.store.locks import DaemonLock, FileLock
from recrawler.store.outbox import Outbox
from recrawler.store.schema import MIGRATIONS, Migration
from recrawler.store.upkeep import Upkeep


class SqliteStore(Indexes, History, Ledger, Outbox, Upkeep):
    """A `Store` in one SQLite file; any thread may use it, and any number of processes.

    A commit survives the end of the process however it comes; a power cut may take back the last few commits
    whole, though none that `sync` or a delivery came after.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        create: bool = False,
        timeout: float = BUSY_TIMEOUT,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        """Open the file, and bring its schema up to date; with `create`, make it where there is none.

        `timeout` is how many seconds a transaction waits for another process's. Raises `StoreError`, and
        changes nothing, for a file that is missing, foreign, newer, damaged or not writable.
        """
        self.path = Path(path).expanduser().resolve()
        self._db = Connection(self.path, create=create, migrations=migrations, timeout=timeout)
        self._delivery = FileLock(self.path.with_name(self.path.name + ".delivery.lock"))

    def close(self) -> None:
        self._delivery.release()
        self._db.close()

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


if TYPE_CHECKING:
    _IS_A_STORE: type[Store] = SqliteStore

__all__ = ["DaemonLock", "SqliteStore"]
