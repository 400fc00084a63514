"""A JSON Lines file that every new link is appended to: one object a line, on disk before it is acknowledged.

The file may be rotated at any time, by renaming it (it is made anew) or by truncating it. After a crash the
last line is made whole, and events that are already in the tail of the file are not written again.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from recrawler.sinks import SinkError, event
from recrawler.sinks.files import Writes, sync_folder
from recrawler.store import OutboxItem

_TAIL = 1 << 20  # bytes looked through for what a crash left unacknowledged: more than one batch
_RECENT = 10_000  # event ids remembered
# Some readers split lines at these too; in JSON they occur inside strings only, so they can be escaped.
_BREAKS = (("\u2028", b"\\u2028"), ("\u2029", b"\\u2029"), ("\x85", b"\\u0085"))


def line(item: OutboxItem) -> bytes:
    """The line of an event, with its newline."""
    text = msgspec.json.encode(event(item))
    for char, escape in _BREAKS:
        text = text.replace(char.encode(), escape)
    return text + b"\n"


class JsonlSink:
    """Appends to the file at `path`. The folder must exist; the file is made where there is none."""

    def __init__(self, path: str | Path, name: str = "jsonl") -> None:
        self.path = Path(path).expanduser()
        self.name = name
        self._fd: int | None = None
        self._recent: dict[str, None] = {}  # ids in the file, oldest first
        self._writes = Writes(self.path)

    async def deliver(self, items: Sequence[OutboxItem]) -> None:
        """Append the items and sync. Raises `SinkError` (disk full, read-only, gone), the file left whole."""
        await self._writes.run(self._append, items)

    def _append(self, items: Sequence[OutboxItem]) -> None:
        try:
            fd = self._open()
            fcntl.flock(fd, fcntl.LOCK_EX)  # two databases may share one file
            try:
                self._write(fd, items)
            finally:
                fcntl.flock(fd, fcntl.LOCK_UN)
        except OSError as e:
            self.close()  # begin afresh next time, with the tail looked at
            raise SinkError(f"cannot write {self.path}: {e.strerror or e}") from e

    def _write(self, fd: int, items: Sequence[OutboxItem]) -> None:
        fresh = [item for item in items if item.id not in self._recent]
        data = b"".join(line(item) for item in fresh)
        if not data:
            return
        regular = stat.S_ISREG(os.fstat(fd).st_mode)
        size = os.fstat(fd).st_size
        try:
            _write_all(fd, data)
            if regular:
                os.fsync(fd)
        except OSError:
            if regular:
                os.ftruncate(fd, size)  # half a batch is worse than none
            raise
        self._remember(item.id for item in fresh)

    def _remember(self, ids: Iterable[str]) -> None:
        self._recent.update(dict.fromkeys(ids))
        while len(self._recent) > _RECENT:
            del self._recent[next(iter(self._recent))]

    def _open(self) -> int:
        """The open file; opened anew where its name leads to another one by now."""
        if self._fd is not None and _same(self._fd, self.path):
            return self._fd
        self.close()
        made = not self.path.exists()
        fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self._fd = fd
        if made:
            sync_folder(self.path.parent)
        if stat.S_ISREG(os.fstat(fd).st_mode):
            fcntl.flock(fd, fcntl.LOCK_EX)
            try:
                self._remember(_mend(fd))
            finally:
                fcntl.flock(fd, fcntl.LOCK_UN)
        return fd

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def _same(fd: int, path: Path) -> bool:
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    ours = os.fstat(fd)
    return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        written = os.write(fd, view)
        if written == 0:
            raise OSError(errno.EIO, "nothing was written")
        view = view[written:]


def _mend(fd: int) -> list[str]:
    """Make the last line whole (ended where it is a full object, cut off where it is not, for it will be
    delivered again); the event ids in the file's tail."""
    size = os.fstat(fd).st_size
    start = max(0, size - _TAIL)
    tail = os.pread(fd, size - start, start)
    lines = tail.split(b"\n")
    last = lines.pop()
    if last and _id(last) is not None:
        _write_all(fd, b"\n")
        lines.append(last)
    elif last:
        os.ftruncate(fd, size - len(last))
    if start:
        lines = lines[1:]  # its beginning is not in the tail
    ids = (_id(one) for one in lines)
    return [one for one in ids if one]


def _id(text: bytes) -> str | None:
    """The event id of a line; empty for an object without one, None for what is no object."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return str(value.get("id", "")) if isinstance(value, dict) else None
