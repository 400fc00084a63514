"""Writing files: one write at a time, and names that survive a power cut."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recrawler.sinks import SinkError
from recrawler.sinks.threads import in_thread


class Writes:
    """The writes of one sink, each in a thread. A disk that hangs holds one thread, not one more at each
    attempt; and none overtakes the one before it, whose end nobody waited for."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.under_way = False

    async def run(self, write: Callable[..., None], *args: Any) -> None:
        """Call `write`. Raises what it raises, and `SinkError` while the last call goes on."""
        if self.under_way:
            raise SinkError(f"the last write to {self._path} has not come back yet")
        self.under_way = True
        await in_thread(self._run, write, *args)

    def _run(self, write: Callable[..., None], *args: Any) -> None:
        try:
            write(*args)
        finally:
            self.under_way = False


def sync_folder(folder: Path) -> None:
    """Make the names of new files survive a power cut."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
