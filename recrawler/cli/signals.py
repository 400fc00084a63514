"""Signals, taken by a thread of their own."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self


class Signals:
    """Calls `handle` in a thread with each of these signals, as long as the block lasts.

    A handler of the main thread has to wait until that comes back from a call: from a database that is
    locked, or a disk that hangs. Enter it in the main thread, before others start: they inherit its mask.
    """

    def __init__(self, signals: Iterable[signal.Signals], handle: Callable[[signal.Signals], None]) -> None:
        self._signals, self._handle = frozenset(signals), handle
        self._done = False
        self._thread = threading.Thread(target=self._take, name="recrawler-signals", daemon=True)

    def __enter__(self) -> Self:
        self._before = signal.pthread_sigmask(signal.SIG_BLOCK, self._signals)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done = True
        if self._thread.ident is not None and self._thread.is_alive():
            signal.pthread_kill(self._thread.ident, next(iter(self._signals)))
            self._thread.join()
        signal.pthread_sigmask(signal.SIG_SETMASK, self._before)

    def _take(self) -> None:
        while True:
            got = signal.sigwait(self._signals)
            if self._done:
                return
            self._handle(signal.Signals(got))
