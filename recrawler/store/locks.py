"""Which process is the daemon, and which one delivers: locks on side files, gone with their process.

`flock` is held by the open file, so that it ends with the process however that ends, and a second holder in
the same process is refused too. Side files are never deleted: a lock on a deleted name locks nobody out.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from recrawler.errors import StoreError


class FileLock:
    """An exclusive lock on a side file. `acquire` never waits."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    def acquire(self) -> bool:
        """Whether the lock is ours now. Raises `StoreError` where the side file cannot be written."""
        if self._fd is not None:
            return True
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as e:
            raise StoreError(f"cannot write the lock file {self.path}: {e.strerror}") from None
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return False
        os.ftruncate(fd, 0)
        os.write(fd, f"{os.getpid()}\n".encode())
        self._fd = fd
        return True

    def holder(self) -> int | None:
        """The process that holds it, as far as the side file says."""
        try:
            return int(self.path.read_text().strip())
        except (OSError, ValueError):
            return None

    def held_by(self) -> int | None:
        """The process that holds it now; null where nobody does."""
        pid = self.holder()
        if pid is None:
            return None
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return pid
        finally:
            os.close(fd)
        return None  # it ended without a word

    def release(self) -> None:
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, 0)
            os.close(self._fd)
            self._fd = None


class DaemonLock:
    """The right to be the daemon of one database; held until `release`, or the end of the process.

    Raises `StoreError` where another process has it.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser().resolve()
        self._lock = _daemons_lock(self.path)
        if not self._lock.acquire():
            holder = self._lock.holder()
            who = f"process {holder}" if holder else "another process"
            raise StoreError(
                f"{path} is in use by {who}, a running daemon: stop that one first, or use another --db"
            )

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> DaemonLock:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()


def running_daemon(path: str | Path) -> int | None:
    """The process of the daemon that runs on this database; null where none does."""
    return _daemons_lock(Path(path).expanduser().resolve()).held_by()


def _daemons_lock(path: Path) -> FileLock:
    return FileLock(path.with_name(path.name + ".lock"))


def owner() -> str:
    """This process, told apart from a later one with the same number: `host/pid/start`."""
    pid = os.getpid()
    return f"{os.uname().nodename}/{pid}/{_started(pid)}"


def is_dead(owner_: str) -> bool:
    """Whether an owner is surely gone: a process of this machine that no longer runs."""
    host, _, rest = owner_.rpartition("/")[0].rpartition("/")
    start = owner_.rpartition("/")[2]
    if host != os.uname().nodename or not rest.isdigit():
        return False
    pid = int(rest)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False  # it runs, as another user
    return _started(pid) != start


def _started(pid: int) -> str:
    """When a process started, in ticks since boot; empty where the system does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]
