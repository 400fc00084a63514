"""Opening a database: what is refused, what it says, and that nothing is changed by it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from recrawler.errors import StoreError
from recrawler.store import schema
from recrawler.store.sqlite import SqliteStore
from tests.visiting import NOW, add, visit

ROOT = Path(__file__).parent.parent


def files(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file()}


def refused(path: Path, create: bool = False) -> str:
    """The one line that says why; nothing may have changed."""
    before = files(path.parent)
    with pytest.raises(StoreError) as caught:
        SqliteStore(path, create=create, timeout=0.2)
    assert files(path.parent) == before
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_missing_file_is_not_made(tmp_path: Path) -> None:
    assert "recrawler add-index" in refused(tmp_path / "no.db")


def test_folder_in_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    assert "folder" in refused(tmp_path / "x")


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize(
    "content", [b"hello, this is a text file\n" * 50, b"\x00" * 5000, b"SQLite format 3"]
)
def test_file_that_is_no_database(tmp_path: Path, content: bytes, create: bool) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(content)
    assert "not a database" in refused(path, create)


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
@pytest.mark.parametrize(
    ("application", "version"), [(0, 0), (0, 1), (1234, 1), (schema.APPLICATION_ID + 1, 2)]
)
def test_database_of_another_program(
    tmp_path: Path, application: int, version: int, journal: str, create: bool
) -> None:
    path = tmp_path / "x.db"
    conn = sqlite3.connect(path)
    conn.execute(f"PRAGMA journal_mode = {journal}")
    conn.execute("CREATE TABLE theirs (x)")
    conn.execute(f"PRAGMA application_id = {application}")
    conn.execute(f"PRAGMA user_version = {version}")
    conn.close()
    assert "another program" in refused(path, create)


def test_database_of_another_program_that_has_it_open(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    theirs = sqlite3.connect(path, isolation_level=None)
    theirs.execute("PRAGMA journal_mode = WAL")
    theirs.execute("CREATE TABLE theirs (x)")
    with pytest.raises(StoreError, match="another program"):
        SqliteStore(path, create=True)
    theirs.execute("INSERT INTO theirs VALUES (1)")
    assert theirs.execute("SELECT count(*) FROM theirs").fetchone() == (1,)
    theirs.close()


def test_newer_version(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    SqliteStore(path, create=True).close()
    conn = sqlite3.connect(path)
    conn.execute("PRAGMA user_version = 99")
    conn.close()
    text = refused(path)
    assert "newer" in text
    assert "update recrawler" in text


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.touch()
    assert "no database" in refused(path)
    with SqliteStore(path, create=True) as store:
        assert add(store).id == 1


def test_empty_database_of_nobody(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    conn = sqlite3.connect(path)
    conn.execute("VACUUM")  # writes the first page, and nothing on it
    conn.close()
    assert path.stat().st_size > 0
    assert "empty database" in refused(path)
    with SqliteStore(path, create=True) as store:
        assert add(store).id == 1


def test_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with SqliteStore(path, create=True) as store:
        visit(store, add(store), *map(str, range(300)))
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(bytes(data))
    with pytest.raises(StoreError, match="damaged"), SqliteStore(path) as store:
        list(store.links())


def test_damage_that_sqlite_cannot_tell_in_words(tmp_path: Path) -> None:
    """Its message quotes the damaged schema, which is no text."""
    path = tmp_path / "x.db"
    with SqliteStore(path, create=True) as store:
        visit(store, add(store), "a")
    data = bytearray(path.read_bytes())
    place = data.index(b"CREATE TABLE")
    data[place : place + 40] = b"\xba" * 40
    path.write_bytes(bytes(data))
    with pytest.raises(StoreError, match="damaged"), SqliteStore(path) as store:
        list(store.links())


AS_NOBODY = """
import os, sys
from recrawler.errors import StoreError
from recrawler.store.sqlite import SqliteStore
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
try:
    SqliteStore(sys.argv[1], create=sys.argv[2] == "create")
except StoreError as e:
    print(e)
"""


@pytest.mark.parametrize("what", ["folder", "file", "unreadable", "no folder to make"])
def test_no_right_to_write(tmp_path: Path, what: str) -> None:
    tmp_path.parent.chmod(0o755)
    tmp_path.parent.parent.chmod(0o755)
    tmp_path.chmod(0o777)
    path = tmp_path / "x.db"
    if what != "no folder to make":
        SqliteStore(path, create=True).close()
    mode = {"folder": 0o666, "file": 0o444, "unreadable": 0o000}.get(what, 0)
    if what == "no folder to make":
        path = tmp_path / "sub" / "x.db"
    else:
        path.chmod(mode)
    if what in ("folder", "no folder to make"):
        tmp_path.chmod(0o555)
    before = files(tmp_path) if os.geteuid() == 0 else {}
    create = "create" if what == "no folder to make" else "open"
    run = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, path, create], capture_output=True, text=True, cwd=ROOT, check=False
    )
    after = files(tmp_path) if os.geteuid() == 0 else {}
    tmp_path.chmod(0o755)
    assert run.stderr == ""
    assert len(run.stdout.splitlines()) == 1
    assert "permi" in run.stdout.lower() or "cannot write" in run.stdout
    assert after == before


def test_missing_folders_are_made(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a" / "b" / "c.db", create=True) as store:
        assert add(store).id == 1


@pytest.mark.parametrize("name", ["a b.db", "a?mode=ro#x.db", "50%20.db", "新闻.db", "a'b\".db"])
def test_any_file_name(tmp_path: Path, name: str) -> None:
    SqliteStore(tmp_path / name, create=True).close()
    assert [p for p in files(tmp_path) if p.endswith(".db")] == [name]
    with SqliteStore(tmp_path / name) as store:
        assert list(store.indexes()) == []


def test_a_link_to_the_file_is_the_same_database(tmp_path: Path) -> None:
    (tmp_path / "alias.db").symlink_to(tmp_path / "x.db")
    with SqliteStore(tmp_path / "x.db", create=True) as a, SqliteStore(tmp_path / "alias.db") as b:
        add(a)
        assert len(list(b.indexes())) == 1
        assert a.begin_delivery()
        assert not b.begin_delivery()


def test_many_make_it_at_once(tmp_path: Path) -> None:
    path = tmp_path / "x.db"

    def make(number: int) -> None:
        with SqliteStore(path, create=True) as store:
            add(store, f"n{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(make, range(16)))
    with SqliteStore(path) as store:
        assert len(list(store.indexes())) == 16
        assert store.check() == []


def test_opening_is_light(tmp_path: Path) -> None:
    """Nothing that takes long to import is needed to read a database whose schema is current."""
    path = tmp_path / "x.db"
    with SqliteStore(path, create=True) as store:
        add(store)
    code = (
        "import sys; from recrawler.store.sqlite import SqliteStore\n"
        f"assert len(list(SqliteStore({str(path)!r}).indexes())) == 1\n"
        "print([m for m in ('sqlite_utils', 'numpy', 'tldextract', 'asyncio') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout.strip() == "[]"


# migrations


def version(path: Path) -> tuple[int, int]:
    conn = sqlite3.connect(path)
    try:
        return (
            conn.execute("PRAGMA application_id").fetchone()[0],
            conn.execute("PRAGMA user_version").fetchone()[0],
        )
    finally:
        conn.close()


def first_version(path: Path) -> None:
    """A database as the first version made it, with something in each table."""
    with SqliteStore(path, create=True) as store:
        for name in "abc":
            visit(store, add(store, name), "1", "2", sinks=["jsonl"])
        for what in ("TABLE tombstones", "INDEX hosts_resting", "INDEX indexes_counts", "TABLE notes"):
            store._db.run(f"DROP {what}")  # what came in since
        for column in ("found", "late", "audits"):
            store._db.run(f"ALTER TABLE indexes DROP COLUMN {column}")
        store._db.run("PRAGMA user_version = 1")
    assert version(path) == (schema.APPLICATION_ID, 1)


def test_migration_from_the_first_version(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    first_version(path)
    with SqliteStore(path) as store:
        assert version(path) == (schema.APPLICATION_ID, len(schema.MIGRATIONS))
        assert [p.visits for p in store.indexes()] == [1, 1, 1]
        assert len(list(store.links())) == 6
        assert [v.outcome for v in store.visits()] == ["met-history"] * 3
        assert len(store.pending("jsonl", NOW, 10)) == 6
        assert store.check() == []


def test_every_version_migrates_to_the_same_schema(tmp_path: Path) -> None:
    def layout(path: Path) -> list[Any]:
        conn = sqlite3.connect(path)
        rows = conn.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()
        conn.close()
        return rows

    SqliteStore(tmp_path / "new.db", create=True).close()
    for applied in range(1, len(schema.MIGRATIONS)):
        path = tmp_path / f"{applied}.db"
        SqliteStore(path, create=True, migrations=schema.MIGRATIONS[:applied]).close()
        SqliteStore(path).close()
        assert layout(path) == layout(tmp_path / "new.db")


def test_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    first_version(path)

    def half(db: Any) -> None:
        db.execute("CREATE TABLE half (x)")
        db["half"].insert({"x": 1})
        raise RuntimeError("in the middle")

    before = files(tmp_path)
    with pytest.raises(RuntimeError, match="in the middle"):
        SqliteStore(path, migrations=[schema.MIGRATIONS[0], half])
    assert files(tmp_path)["x.db"] == before["x.db"]
    with SqliteStore(path) as store:
        assert len(list(store.links())) == 6


def test_migrations_run_once_when_many_open(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    first_version(path)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: SqliteStore(path).close(), range(12)))
    assert version(path) == (schema.APPLICATION_ID, len(schema.MIGRATIONS))
