"""The Redis sink against a real server."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

redis = pytest.importorskip("redis", reason="the extra `redis` is not installed")
if shutil.which("redis-server") is None:
    pytest.skip("there is no redis-server on this machine", allow_module_level=True)

from recrawler.records import FoundLink  # noqa: E402
from recrawler.sinks import SinkError  # noqa: E402
from recrawler.sinks.redis import RedisSink  # noqa: E402
from recrawler.store import OutboxItem  # noqa: E402


def item(seq: int) -> OutboxItem:
    link = FoundLink(
        1, "main", f"https://a.example/{seq}", f"https://a.example/{seq}", f"第{seq}条", None, None,
        datetime(2026, 1, 1, tzinfo=UTC), 1, seq, "new", "L", "https://a.example/",
    )  # fmt: skip
    return OutboxItem(seq, "redis", 0, link, f"event-{seq}")


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextmanager
def server(folder: Path, port: int) -> Iterator[None]:
    """A Redis server of our own that keeps nothing."""
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        client = redis.Redis(port=port)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait(timeout=10)


async def test_events_are_entries_in_order(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, port):
        sink = RedisSink(f"redis://127.0.0.1:{port}/0", "news")
        await sink.deliver([item(1), item(2)])
        await sink.deliver([item(3)])
        await sink.close()
        entries = [fields for _, fields in redis.Redis(port=port).xrange("news")]
    assert [e[b"id"] for e in entries] == [b"event-1", b"event-2", b"event-3"]
    assert json.loads(entries[2][b"event"])["title"] == "第3条"


async def test_a_server_that_is_down_is_a_sink_error_and_works_when_it_is_back(tmp_path: Path) -> None:
    port = free_port()
    sink = RedisSink(f"redis://127.0.0.1:{port}/0", timeout=1.0)
    with pytest.raises(SinkError):
        await sink.deliver([item(1)])
    with server(tmp_path, port):
        await sink.deliver([item(1)])
        assert redis.Redis(port=port).xlen("recrawler") == 1
    await sink.close()


async def test_a_key_that_is_no_stream_is_a_sink_error(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, port):
        redis.Redis(port=port).set("news", "text")
        sink = RedisSink(f"redis://127.0.0.1:{port}/0", "news")
        with pytest.raises(SinkError, match="WRONGTYPE"):
            await sink.deliver([item(1)])
        await sink.close()


def test_a_url_that_is_none() -> None:
    with pytest.raises(SinkError, match="Redis URL"):
        RedisSink("http://a.example/")
