"""Standard output and error as this process was given them: closed, in any charset, on a full disk."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import TextIO

_FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def prepare() -> None:
    """Make the three streams fit for use. What was closed leads to nowhere, so that no database or lock gets
    its number; what a charset cannot express (a title in Chinese, in a Latin locale) is escaped."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def is_full(error: OSError) -> bool:
    """Whether there is no room for what was to be written; else nobody reads it any more."""
    return error.errno in _FULL


def let_go() -> OSError | None:
    """Write what is left to print, and drop it where that is not possible: the interpreter would fail over it
    at its end. The error where there is no room for it."""
    fault = None
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as e:  # a pipe or a terminal that was closed, or a full disk
            fault = fault or (e if is_full(e) else None)
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return fault
