"""The daemon's log on standard error: text that a person reads and grep understands, or JSON lines.

A record may carry an event: `log.info("visit", extra={"fields": {...}})`. Text is then `visit key=value ...`
(logfmt), JSON one object with the same keys.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")
_OTHERS = ("httpx", "httpcore", "aiohttp", "asyncio")
_PRIORITY = {
    "DEBUG": 7,
    "INFO": 6,
    "WARNING": 4,
    "ERROR": 3,
    "CRITICAL": 2,
}  # syslog's, as journald reads them
_COLOUR = {"WARNING": "33", "ERROR": "31", "CRITICAL": "31"}


def configure(form: str, level: str, stream: TextIO = sys.stderr) -> None:
    """Log to the stream from now on; may be called again with other values."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if form == "json" else Text(stream, os.environ))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _OTHERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("apscheduler").setLevel(logging.CRITICAL)  # `engine.jobs` says it once and better


class Text(logging.Formatter):
    """A line each: time, level where it is not info, event and fields.

    To journald the level goes as its prefix and the time is its own; a terminal gets the local time and
    colours, all else UTC.
    """

    def __init__(self, stream: TextIO, environ: Mapping[str, str]) -> None:
        super().__init__()
        self._journal = _is_journal(stream, environ)
        self._terminal = stream.isatty()

    def format(self, record: logging.LogRecord) -> str:
        text = one_line(record.getMessage())
        if fields := getattr(record, "fields", None):
            text = f"{text:<7} " + " ".join(
                f"{k}={self._value(v)}" for k, v in fields.items() if v is not None
            )
        if record.levelno != logging.INFO and not self._journal:
            text = f"{self._painted(record.levelname)} {text}"
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        if self._journal:
            return "\n".join(f"<{_PRIORITY.get(record.levelname, 6)}>{line}" for line in text.splitlines())
        return f"{self._when(datetime.fromtimestamp(record.created, UTC))} {text}"

    def _value(self, value: Any) -> str:
        return self._when(value) if isinstance(value, datetime) else written(value)

    def _when(self, at: datetime) -> str:
        """A moment in UTC; to a terminal the local time, with the day where it is not today's."""
        if not self._terminal:
            return at.strftime("%Y-%m-%dT%H:%M:%SZ")
        local = at.astimezone()
        today = local.date() == datetime.now().astimezone().date()
        return local.strftime("%H:%M:%S" if today else "%m-%dT%H:%M")

    def _painted(self, level: str) -> str:
        colour = _COLOUR.get(level, "2")
        return f"\x1b[{colour}m{level.lower()}\x1b[0m" if self._terminal else level.lower()


class JsonLines(logging.Formatter):
    """One object a line: `at`, `level`, `event`, and its fields, or the `message` of a record without any."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at.replace("+00:00", "Z"), "level": record.levelname.lower()}
        if fields := getattr(record, "fields", None):
            line |= {"event": record.getMessage(), **fields}
        else:
            line |= {"event": "log", "message": one_line(record.getMessage()), "logger": record.name}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def one_line(text: str) -> str:
    """The text without line breaks and control characters: what a site says makes no lines of its own."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def written(value: Any) -> str:
    """A value as logfmt has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    text = one_line(str(value))
    return text if text and " " not in text and '"' not in text else json.dumps(text, ensure_ascii=False)


def _is_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether the stream leads to journald, as systemd tells (JOURNAL_STREAM=device:inode)."""
    try:
        stat = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environ.get("JOURNAL_STREAM", "") == f"{stat.st_dev}:{stat.st_ino}"
