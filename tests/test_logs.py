"""The daemon's log: a line an event, readable by people, journald and programs."""

from __future__ import annotations

import io
import json
import logging
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recrawler.cli import logs

FIELDS = {
    "index": 3,
    "complete": True,
    "gap": None,
    "took": 0.25,
    "next": datetime(2026, 3, 1, 12, 0, 5, tzinfo=UTC),
    "late": 0.0,
    "why": 'a "b"\nc',
    "url": "http://a/?x=1",
}
log = logging.getLogger("recrawler.test")


@pytest.fixture(autouse=True)
def _root() -> Iterator[None]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


def lines(stream: io.StringIO) -> list[str]:
    return stream.getvalue().splitlines()


def test_an_event_in_text_is_logfmt() -> None:
    out = io.StringIO()
    logs.configure("text", "info", out)
    log.info("visit", extra={"fields": FIELDS})
    log.warning("a sink\x1b[31m rests\nforged line")
    log.debug("not this")
    visit, warning = lines(out)
    when, _, rest = visit.partition(" ")
    assert when.endswith("Z") and "T" in when
    assert (
        rest
        == 'visit   index=3 complete=yes took=0.25 next=2026-03-01T12:00:05Z late=0 why="a \\"b\\" c" url=http://a/?x=1'
    )
    assert warning.partition(" ")[2] == "warning a sink [31m rests forged line"


def test_an_event_as_json_has_the_same_fields() -> None:
    out = io.StringIO()
    logs.configure("json", "debug", out)
    log.warning("visit", extra={"fields": FIELDS})
    log.debug("said %s", "so")
    try:
        raise ValueError("x")
    except ValueError:
        log.exception("broken")
    event, message, fault = (json.loads(line) for line in lines(out))
    assert (
        {k: event[k] for k in FIELDS} == FIELDS | {"next": "2026-03-01T12:00:05Z"}
        and event["event"] == "visit"
        and event["level"] == "warning"
    )
    assert (
        message["event"] == "log"
        and message["message"] == "said so"
        and message["logger"] == "recrawler.test"
    )
    assert "ValueError: x" in fault["traceback"]


def test_a_terminal_gets_local_time_and_colours() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    logs.configure("text", "info", out)
    log.error("bad")
    (line,) = lines(out)
    assert line[2] == line[5] == ":" and line[9:] == "\x1b[31merror\x1b[0m bad"
    at = datetime.now(UTC) + timedelta(days=3)
    log.info("visit", extra={"fields": {"next": at}})
    assert lines(out)[1].endswith(f"next={at.astimezone():%m-%dT%H:%M}")


def test_journald_gets_the_level_as_its_prefix_and_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "journal").open("w+") as stream:
        stat = os.fstat(stream.fileno())
        monkeypatch.setenv("JOURNAL_STREAM", f"{stat.st_dev}:{stat.st_ino}")
        logs.configure("text", "info", stream)
        log.info("visit", extra={"fields": {"index": 1}})
        try:
            raise ValueError("x")
        except ValueError:
            log.exception("broken")
        stream.seek(0)
        first, *rest = stream.read().splitlines()
    assert first == "<6>visit   index=1"
    assert rest[0] == "<3>broken" and all(line.startswith("<3>") for line in rest)


def test_another_level_and_format_hold_at_once() -> None:
    out = io.StringIO()
    logs.configure("text", "error", out)
    log.warning("no")
    logs.configure("json", "warning", out)
    log.warning("yes")
    (line,) = lines(out)
    assert json.loads(line)["message"] == "yes"


def test_values() -> None:
    assert logs.written(1.5) == "1.5" and logs.written(2.0) == "2" and logs.written("") == '""'
    assert logs.written("新闻 列表") == '"新闻 列表"' and logs.written(False) == "no"
