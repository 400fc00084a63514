"""What is served: health and readiness by the pulse, figures, a page that hostile titles do not break."""

from __future__ import annotations

import asyncio
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recrawler.engine.pulse import STUCK, Pulse
from recrawler.engine.reload import AT_START, change
from recrawler.errors import UsageError
from recrawler.records import HostState
from recrawler.settings import Settings
from recrawler.store.sqlite import SqliteStore
from recrawler.web import serve
from recrawler.web.views import span
from tests.visiting import add, result, visit

NOW = datetime.now(UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "w.db", create=True, timeout=0.1) as made:
        yield made


async def get(port: int, path: str) -> tuple[int, str]:
    def ask() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as e:
            return e.code, e.read().decode()

    return await asyncio.to_thread(ask)


async def test_health_is_whether_ticks_happen_and_readiness_whether_they_can_claim(
    store: SqliteStore,
) -> None:
    at = [0.0]
    pulse = Pulse(lambda: at[0])
    async with serve("127.0.0.1:0", store, pulse) as port:
        assert await get(port, "/health") == (200, "ok\n")
        assert await get(port, "/ready") == (503, "starting\n")
        pulse.tick()
        assert await get(port, "/ready") == (200, "ready\n")
        pulse.tick("the disk is full")
        assert await get(port, "/health") == (200, "ok\n"), "a new process would find it as full"
        assert await get(port, "/ready") == (503, "the disk is full\n")
        pulse.tick()
        at[0] += STUCK + 5
        for path in ("/health", "/ready"):
            assert await get(port, path) == (503, "no tick for 25 s\n")
        pulse.tick()
        pulse.stopping = True
        assert await get(port, "/ready") == (503, "stopping\n")
        assert (await get(port, "/health"))[0] == 200


async def test_a_database_that_cannot_be_read_is_not_ready(store: SqliteStore) -> None:
    pulse = Pulse()
    pulse.tick()
    async with serve("127.0.0.1:0", store, pulse) as port:
        with store._db.write() as db:
            db.execute("ALTER TABLE indexes RENAME TO gone")
        status, text = await get(port, "/ready")
        assert status == 503 and "indexes" in text
        with store._db.write() as db:
            db.execute("ALTER TABLE gone RENAME TO indexes")
        assert (await get(port, "/ready"))[0] == 200


async def test_the_page_shows_what_needs_attention_and_escapes_what_sites_say(store: SqliteStore) -> None:
    for n in range(150):
        add(store, f"n{n}", NOW + timedelta(minutes=n))
    bad = store.get_index(150)
    assert bad is not None
    claim = store.claim(bad.id, NOW, 60)
    assert claim is not None
    evil = "<script>alert('x')</script>"
    store.finish(
        claim,
        result(claim, when=NOW, gap=True, index={"failures": 3, "title": evil, "last_outcome": "page-limit"}),
        [],
    )
    pulse = Pulse()
    pulse.tick()
    async with serve("127.0.0.1:0", store, pulse) as port:
        status, text = await get(port, "/")
    assert status == 200 and "<script>" not in text and "&lt;script&gt;" in text
    assert text.index("Needs attention") < text.index("n149.example") < text.index("Next visits")
    assert len(re.findall(r"href='https://n\d+", text)) == 100, "a hundred rows, however many there are"
    assert "page-limit x3" in text and "150</b>index pages" in text


async def test_a_page_without_index_pages_says_how_to_begin(store: SqliteStore) -> None:
    async with serve("127.0.0.1:0", store, Pulse()) as port:
        _, text = await get(port, "/")
    assert "recrawler add-index URL" in text and "Needs attention" not in text


async def test_metrics_are_of_the_format_and_each_is_told_once(store: SqliteStore) -> None:
    now = datetime.now(UTC)
    page = add(store, "a", now - timedelta(minutes=5))
    add(store, "b", now - timedelta(minutes=5))
    visit(store, page, "x", "y", when=now, sinks=['we"b'])
    store.save_host(HostState("c.example:443", not_before=now + timedelta(hours=1)))
    pulse = Pulse()
    pulse.claimed(3.0)
    async with serve("127.0.0.1:0", store, pulse) as port:
        _, text = await get(port, "/metrics")
    lines = text.splitlines()
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) == len(set(names))
    for line in lines:
        assert line.startswith("#") or re.fullmatch(
            r'recrawler_\w+({\w+="([^"\\]|\\.)*"(,\w+="([^"\\]|\\.)*")*})? -?[\d.]+', line
        ), line
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert values['recrawler_outbox_pending{sink="we\\"b"}'] == "2"
    assert values["recrawler_overdue"] == "1" and values["recrawler_hosts_resting"] == "1"
    assert 299 < float(values["recrawler_overdue_longest_seconds"]) < 330
    buckets = [int(v) for k, v in values.items() if "late_seconds_bucket" in k]
    assert buckets == sorted(buckets) and buckets[0] == 0 and buckets[-1] == 1


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:99999", ":x", "127.0.0.1:\u00b2"])
async def test_an_address_that_is_none(store: SqliteStore, address: str) -> None:
    with pytest.raises(UsageError, match="HOST:PORT"):
        async with serve(address, store, Pulse()):
            pass


async def test_a_port_in_use_is_one_line(store: SqliteStore) -> None:
    async with serve("127.0.0.1:0", store, Pulse()) as port:
        with pytest.raises(UsageError, match="cannot listen there"):
            async with serve(f"127.0.0.1:{port}", store, Pulse()):
                pass


def test_spans() -> None:
    lengths = {0.4: "0 s", 119: "119 s", 121: "2 min", 7199: "120 min", 7300: "2 h", 86400 * 3: "3 days"}
    assert {n: span(timedelta(seconds=n)) for n in lengths} == lengths


def test_what_a_reload_changes() -> None:
    names = {f.name for f in fields(Settings)}
    assert names >= AT_START
    new = Settings(concurrency=3, webhook="http://127.0.0.1/", contact="me")
    changed = change(Settings(), new)
    assert (changed.live, changed.later) == (("contact", "concurrency"), ("webhook",))
    assert changed.settings == Settings(concurrency=3, contact="me")
    assert change(new, new).describe() == "nothing changed"


async def test_case_106_feeds_are_served_with_an_etag(store: SqliteStore, tmp_path: Path) -> None:
    folder = tmp_path / "feeds"
    folder.mkdir()
    (folder / "index-1.atom").write_text("<feed/>")
    (folder / "index-1.json").write_text("{}")
    (tmp_path / "secret.json").write_text("{}")

    def ask(path: str, etag: str = "") -> tuple[int, str, str]:
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"If-None-Match": etag})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.headers["Content-Type"], answer.headers["ETag"]
        except urllib.error.HTTPError as e:
            return e.code, "", e.headers["ETag"] or ""

    async with serve("127.0.0.1:0", store, Pulse(), str(folder)) as port:
        status, kind, etag = await asyncio.to_thread(ask, "/feeds/index-1.atom")
        assert (status, kind) == (200, "application/atom+xml; charset=utf-8") and etag
        assert (await asyncio.to_thread(ask, "/feeds/index-1.atom", etag))[0] == 304
        assert (await asyncio.to_thread(ask, "/feeds/index-1.json"))[1].startswith("application/feed+json")
        outside = ["/feeds/..%2Fsecret.json", "/feeds/%2e%2e/secret.json"]
        no_names = [f"/feeds/{'x' * 300}.json", "/feeds/a%00b.json"]
        for path in ("/feeds/index-2.atom", *outside, *no_names):
            assert (await asyncio.to_thread(ask, path))[0] == 404


async def test_a_fault_of_the_daemon_is_not_told_as_one_of_the_address(store: SqliteStore) -> None:
    with pytest.raises(OSError, match="of the daemon"):
        async with serve("127.0.0.1:0", store, Pulse()):
            raise OSError("a fault of the daemon")


@pytest.mark.parametrize(
    "sent", [b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"nonsense\r\n\r\n"]
)
async def test_kind_what_is_no_http_is_no_error_of_ours(
    store: SqliteStore, sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Scanners and TLS handshakes at the port of the status page fill no log with tracebacks."""
    async with serve("127.0.0.1:0", store, Pulse()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        assert b" 400 " in (await reader.read())[:40]
        writer.close()
        assert await get(port, "/health") == (200, "ok\n")
    assert not caplog.records
