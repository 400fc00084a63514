"""Kinds of faults in operation: what a command is started with, and what happens to its files while it runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recrawler.demo import NewsSite, Section
from recrawler.demo.html import list_page
from recrawler.demo.server import Answer
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


def test_kind_a_backfill_is_kept_for_the_first_visit_that_succeeds(machine: Machine) -> None:  # noqa: F811
    """It was asked for while the site was down, without a visit, or while a daemon is quicker."""
    served, broken = machine.served, [True]
    served.site.sections["en"] = Section("en", "en", 10)
    served.site.publish(30, section="en")
    served.fault("^/en/", lambda p: (503, b"busy", {}) if broken[0] else page(served.site, p))
    assert machine.call("add-index", served.url("/en/"), "--backfill", "4").returncode == 1
    broken[0] = False
    assert machine.call("visit", "2").returncode == 0
    assert len(machine.found()) == 4
    served.site.publish(1, section="en")
    machine.call("visit", "2")
    assert len(machine.found()) == 5  # once is enough

    machine.call("remove", "2")
    with machine.daemon() as process:
        Log(process).wait_for(" visit ")
        assert machine.call("add-index", served.url("/en/"), "--backfill", "3").returncode == 0
        assert len(machine.wait_for(3)) == 3
    machine.call("remove", "3")
    machine.call("add-index", served.url("/en/"), "--backfill", "2", "--no-visit")
    machine.call("run", "--once")
    assert len(machine.found()) == 2


def page(site: NewsSite, path: str) -> Answer:
    number = int(path.rpartition("_")[2].removesuffix(".html")) if "_" in path else 1
    return 200, list_page(site, site.sections["en"], number).encode(), {"Content-Type": "text/html"}
