"""The JSON Lines sink: every line whole, every event once, whatever happens to the file."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import resource
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recrawler.sinks import SinkError
from recrawler.sinks.jsonl import JsonlSink, line
from recrawler.sinks.threads import in_thread
from recrawler.store import OutboxItem
from tests.visiting import NOW, link


class _Page:
    id = 1
    url = "https://a.example/"


def item(slug: str, **fields: Any) -> OutboxItem:
    found = link(_Page, slug, **fields)  # type: ignore[arg-type]
    return OutboxItem(1, "jsonl", 0, found, found.event_id)


def slugs(path: Path) -> list[str]:
    """The events of a file, every line of which must be whole."""
    data = path.read_bytes()
    assert data == b"" or data.endswith(b"\n")
    return [json.loads(text)["url"].rpartition("/")[2].removesuffix(".html") for text in data.splitlines()]


def write(sink: JsonlSink, *items: OutboxItem) -> None:
    asyncio.run(sink.deliver(items))


def test_a_line_an_event(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    one = item("1", title="新闻 “一”\u2028\x85\n", published_at=NOW, precision="minute", attributes={"a": 1})
    write(JsonlSink(path), one)
    text = path.read_text("utf-8")
    assert len(text.splitlines()) == 1  # by any reader's idea of a line
    assert "新闻" in text
    assert json.loads(text) == {"id": one.id, "key": one.link.key, **one.link.to_json()}
    assert text.startswith('{"id":')


def test_the_same_event_is_written_once(tmp_path: Path) -> None:
    """As after a crash between the write and its acknowledgement, in the same process and in another."""
    path = tmp_path / "out.jsonl"
    sink = JsonlSink(path)
    write(sink, item("1"), item("2"))
    write(sink, item("2"), item("3"))
    assert slugs(path) == ["1", "2", "3"]
    write(JsonlSink(path), item("1"), item("3"), item("4"))
    assert slugs(path) == ["1", "2", "3", "4"]


def test_every_torn_end_is_mended(tmp_path: Path) -> None:
    """Whatever part of the last line a crash left."""
    path = tmp_path / "out.jsonl"
    whole, last = line(item("1")), line(item("二"))
    for cut in range(1, len(last), 3):
        path.write_bytes(whole + last[:cut])
        write(JsonlSink(path), item("二"), item("3"))
        assert slugs(path) == ["1", "二", "3"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(torn=st.binary(max_size=40).map(lambda b: b.replace(b"\n", b"")))
def test_any_rubbish_at_the_end_is_cut_off_or_ended(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(line(item("1")) + torn)
    write(JsonlSink(path), item("2"))
    lines = path.read_bytes().split(b"\n")
    assert json.loads(lines[0])["id"] == item("1").id
    assert json.loads(lines[-2])["id"] == item("2").id
    assert lines[-1] == b""


def test_lines_of_others_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text('{"theirs": 1}\nnot json\n\n[1]\n')
    write(JsonlSink(path), item("1"))
    assert path.read_text().startswith('{"theirs": 1}\nnot json\n\n[1]\n{"id"')
    path.write_text('{"theirs": 1}')  # no newline at the end, but whole
    write(JsonlSink(path), item("1"))
    assert path.read_text().startswith('{"theirs": 1}\n{"id"')


def test_big_file_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(
        line(item("old")) + line(item("long", title="x" * 900_000)) * 3 + line(item("last"))[:-1]
    )
    size = path.stat().st_size
    write(JsonlSink(path), item("last"), item("new"))
    assert path.stat().st_size == size + 1 + len(line(item("new")))


@pytest.mark.parametrize("how", ["renamed", "deleted", "truncated", "replaced"])
def test_rotation(tmp_path: Path, how: str) -> None:
    path = tmp_path / "out.jsonl"
    sink = JsonlSink(path)
    write(sink, item("1"))
    if how == "renamed":
        path.rename(tmp_path / "out.jsonl.1")
    elif how == "deleted":
        path.unlink()
    elif how == "truncated":
        os.truncate(path, 0)
    else:
        (tmp_path / "other").write_bytes(line(item("0")))
        (tmp_path / "other").replace(path)
    write(sink, item("2"))
    assert slugs(path) == (["0", "2"] if how == "replaced" else ["2"])
    if how == "renamed":
        assert slugs(tmp_path / "out.jsonl.1") == ["1"]


def test_rotation_under_way(tmp_path: Path) -> None:
    """A rotator renames the file again and again while batches are written: every event is in one of them."""
    path = tmp_path / "out.jsonl"
    sink = JsonlSink(path)
    done = threading.Event()
    parts: list[Path] = []

    def rotate() -> None:
        while not done.is_set():
            with contextlib.suppress(FileNotFoundError):
                part = tmp_path / f"part{len(parts)}"
                path.rename(part)
                parts.append(part)
            done.wait(0.001)

    rotator = threading.Thread(target=rotate)
    rotator.start()
    for n in range(150):
        write(sink, item(f"{n}a"), item(f"{n}b"))
    done.set()
    rotator.join()
    written = [x for part in [*parts, path] if part.exists() for x in slugs(part)]
    assert sorted(written) == sorted(f"{n}{c}" for n in range(150) for c in "ab")
    assert len(parts) > 1


def test_write_errors_leave_the_file_whole(tmp_path: Path) -> None:
    """A file that may not grow any more, as on a full disk: no torn line, and all is there afterwards."""
    path = tmp_path / "out.jsonl"
    sink = JsonlSink(path)
    write(sink, item("1"))
    size = path.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, hard))  # Python ignores SIGXFSZ
    try:
        for _ in range(2):
            with pytest.raises(SinkError, match=r"out\.jsonl"):
                write(sink, item("2"), item("3"))
            assert path.stat().st_size == size
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    write(sink, item("2"), item("3"))
    assert slugs(path) == ["1", "2", "3"]


def test_sync_that_fails_is_no_delivery(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.jsonl"
    sink = JsonlSink(path)
    write(sink, item("1"))

    def fail(fd: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(SinkError, match="Input/output error"):
            write(sink, item("2"))
    assert slugs(path) == ["1"]
    write(sink, item("2"))
    assert slugs(path) == ["1", "2"]


@pytest.mark.parametrize("name", ["missing/out.jsonl", "."])
def test_file_that_cannot_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(SinkError, match="cannot write"):
        write(JsonlSink(tmp_path / name), item("1"))


def test_a_pipe_is_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    sink = JsonlSink(path)
    write(sink, item("1"))
    write(sink, item("2"))
    assert [json.loads(text)["id"] for text in os.read(fd, 10_000).splitlines()] == [
        item("1").id,
        item("2").id,
    ]
    os.close(fd)
    sink.close()


def test_two_databases_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"

    def run(name: str) -> None:
        sink = JsonlSink(path)
        for n in range(60):
            write(sink, item(f"{name}{n}", title="x" * 9000))

    threads = [threading.Thread(target=run, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(slugs(path)) == sorted(f"{c}{n}" for c in "ab" for n in range(60))


async def test_a_disk_that_hangs_holds_one_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.jsonl"
    sink = JsonlSink(path)
    goes_on = threading.Event()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda fd: goes_on.wait(10))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(sink.deliver([item("1")]), 0.02)
        with pytest.raises(SinkError, match="not come back"):
            await sink.deliver([item("1")])
        goes_on.set()
        while sink._writes.under_way:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    await sink.deliver([item("1"), item("2")])  # the first did reach the file after all
    assert slugs(path) == ["1", "2"]


async def test_errors_come_out_of_threads() -> None:
    def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await in_thread(fail)
    assert await in_thread(lambda a: a + 1, 2) == 3
