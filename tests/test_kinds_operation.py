"""Kinds of faults in operation: what a command is started with, and what happens to its files while it runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recrawler.store.sqlite import SqliteStore
from tests.test_daemon import Machine
from tests.test_service import Log, machine  # noqa: F401 - a fixture
from tests.visiting import add, visit


def shell(db: Path, command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """A command as a shell would run it; `command` may redirect its streams."""
    recrawler = f"{sys.executable} -m recrawler"
    line = command.replace("recrawler", recrawler, 1).replace("DB", f"--db {db}", 1)
    env = os.environ | {"PYTHONUTF8": "0"} | environ
    return subprocess.run(
        ["sh", "-c", line],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env=env,
        timeout=60,
        check=False,
    )


@pytest.fixture
def db(tmp_path: Path) -> Path:
    with SqliteStore(tmp_path / "r.db", create=True) as store:
        visit(store, add(store), "a", title="港口扩建方案公布 🎉")
    return tmp_path / "r.db"


@pytest.mark.parametrize("charset", ["latin-1", "gbk"])
def test_kind_a_title_that_the_terminals_charset_lacks_is_escaped(db: Path, charset: str) -> None:
    for command in ("links", "show 1", "links --csv"):
        done = shell(db, f"recrawler {command} DB", PYTHONIOENCODING=charset)
        assert (done.returncode, done.stderr) == (0, "") and r"\U0001f389" in done.stdout
    done = shell(db, "recrawler links --json DB", PYTHONIOENCODING=charset)
    assert "港口扩建方案公布 🎉" in done.stdout  # JSON is UTF-8, whatever the terminal is


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("command", ["indexes", "links --json", "export -", "visits"])
def test_kind_output_that_finds_no_room_is_one_line_and_a_failure(db: Path, command: str) -> None:
    done = shell(db, f"recrawler {command} DB > /dev/full")
    assert done.returncode == 1
    assert done.stderr == "recrawler: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_kind_a_command_whose_streams_are_closed_does_its_work(db: Path, closed: str) -> None:
    """So do some supervisors start programs. The database must not get the number of standard error."""
    assert shell(db, f"recrawler pause 1 DB {closed}").returncode == 0
    assert shell(db, f"recrawler run --once DB {closed}").returncode == 0
    with SqliteStore(db) as store:
        assert store.check() == [] and next(iter(store.indexes())).state == "paused"


@pytest.mark.parametrize("what", ["deleted", "replaced"])
def test_kind_a_database_that_is_taken_away_ends_the_daemon(machine: Machine, what: str) -> None:  # noqa: F811
    """It would go on into a file that nobody can open, and all of it would be lost."""
    with machine.daemon() as process:
        log = Log(process)
        log.wait_for(" visit ")
        if what == "replaced":
            shutil.copy(machine.folder / "r.db", machine.folder / "copy.db")
            (machine.folder / "copy.db").replace(machine.folder / "r.db")
        for file in machine.folder.glob("r.db*" if what == "deleted" else "r.db-*"):
            file.unlink()
        log.wait_for("recrawler: the database was deleted or replaced while the daemon ran")
        assert process.wait(timeout=8) == 1
