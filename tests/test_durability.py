"""What survives `kill -9`, and many processes on one file. Real processes, real kills.

RECRAWLER_KILLS sets how many kills there are in each of the two long tests; `pytest -s` shows their figures.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from recrawler.errors import StoreError
from recrawler.sinks.delivery import Deliverer
from recrawler.sinks.jsonl import JsonlSink
from recrawler.sinks.webhook import WebhookSink
from recrawler.store.locks import is_dead, owner
from recrawler.store.sqlite import DaemonLock, SqliteStore
from tests import crashing
from tests.visiting import LEASE, NOW, add, link, result

KILLS = int(os.environ.get("RECRAWLER_KILLS", "20"))
Spawn = Callable[..., BaseProcess]


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    """Starts a function in a process of its own; what still runs at the end is killed."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.crashing", "sqlite_utils", "recrawler.urls"])
    running: list[BaseProcess] = []

    def start(function: Callable[..., None], *args: Any) -> BaseProcess:
        process = context.Process(target=function, args=args, daemon=True)
        process.start()
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.join()


def wait_for(said: Path, text: str, process: BaseProcess, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not (said.exists() and any(line.startswith(text) for line in said.read_text().splitlines())):
        assert process.is_alive() and time.monotonic() < deadline, f"never said '{text}'"
        time.sleep(0.001)


def kill(process: BaseProcess) -> None:
    process.kill()
    process.join()
    assert process.exitcode == -9  # it did not end by itself


def filled(path: Path, indexes: int = 9) -> None:
    with SqliteStore(path, create=True) as store:
        for n in range(indexes):
            add(store, f"n{n}")


def test_no_acknowledged_visit_is_lost_and_nothing_is_there_twice(tmp_path: Path, spawn: Spawn) -> None:
    path = tmp_path / "x.db"
    filled(path)
    rng = random.Random(20)
    acknowledged: set[tuple[int, int]] = set()
    for run in range(KILLS):
        said = tmp_path / f"said{run}"
        process = spawn(crashing.visit_forever, path, said)
        wait_for(said, "started", process)
        time.sleep(rng.uniform(0, 0.04))
        kill(process)
        lines = [line.split() for line in said.read_text().splitlines() if line != "started"]
        acknowledged |= {(int(index), int(number)) for index, number in lines}
    with SqliteStore(path) as store:
        assert store.check() == []
        visits = {(v.index, v.number): v for v in store.visits()}
        assert acknowledged <= visits.keys()
        assert len(acknowledged) >= KILLS
        print(f"{KILLS} kills: {len(acknowledged)} visits acknowledged, {len(visits)} stored")
        assert len(visits) - len(acknowledged) <= KILLS  # stored, but killed before it could say so
        for index in store.indexes():
            assert index.visits == max(n for i, n in visits if i == index.id)
        emitted = [x.key for _, x in store.links()]
        assert len(emitted) == len(set(emitted)) == 3 * len(visits)
        pending = store.pending("jsonl", NOW, 10**6)
        assert [x.link.key for x in sorted(pending, key=lambda x: x.seq)] == [x.link.key for x in pending]
        assert Counter(x.link.key for x in pending) == Counter(emitted)
        assert all(len(v.new) == 3 for v in visits.values())


class Receiver(BaseHTTPRequestHandler):
    """A webhook's other end: notes the events of each request, then acknowledges."""

    server: ReceiverServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.got += [(event["index"], event["id"]) for event in json.loads(body)["events"]]
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


class ReceiverServer(ThreadingHTTPServer):
    got: list[tuple[int, str]]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A sender that was killed."""


@pytest.fixture
def receiver() -> Iterator[ReceiverServer]:
    with ReceiverServer(("127.0.0.1", 0), Receiver) as server:
        server.got = []
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def in_order(store: SqliteStore, delivered: list[tuple[int, str]]) -> bool:
    """Whether the first delivery of each event was in the order of its index."""
    seqs = {x.event_id: seq for seq, x in store.links()}
    by_index: dict[int, list[int]] = {}
    for index, event_id in dict.fromkeys(delivered):
        by_index.setdefault(index, []).append(seqs[event_id])
    return all(order == sorted(order) for order in by_index.values())


def test_sinks_get_everything_over_many_kills(tmp_path: Path, spawn: Spawn, receiver: ReceiverServer) -> None:
    """The file holds every event once. The webhook may get one a second time, but with the same id, and only
    those of the batch that a kill broke off."""
    path, target = tmp_path / "x.db", tmp_path / "out.jsonl"
    hook = f"http://127.0.0.1:{receiver.server_port}/"
    filled(path)
    rng = random.Random(21)
    for run in range(KILLS):
        said = tmp_path / f"said{run}"
        process = spawn(crashing.visit_and_deliver, path, said, target, hook)
        wait_for(said, "started", process)
        time.sleep(rng.uniform(0, 0.05))
        kill(process)
    with SqliteStore(path) as store:
        asyncio.run(Deliverer(store, [JsonlSink(target), WebhookSink(hook)]).drain())
        assert store.sinks() == []
        stored = {x.event_id for _, x in store.links()}
        events = [json.loads(line) for line in target.read_text().splitlines()]  # every line is whole
        assert len(events) == len(stored) >= 3 * KILLS
        assert {event["id"] for event in events} == stored
        assert in_order(store, [(event["index"], event["id"]) for event in events])
        assert {event_id for _, event_id in receiver.got} == stored
        assert len(receiver.got) - len(stored) <= KILLS * crashing.BATCH
        assert in_order(store, receiver.got)
        repeats = len(receiver.got) - len(stored)
        print(f"{KILLS} kills: {len(stored)} events, {repeats} of them given to the webhook twice")


def test_killed_while_the_database_is_made(tmp_path: Path, spawn: Spawn) -> None:
    rng = random.Random(22)
    made = 0
    for run in range(12):
        path, said = tmp_path / f"{run}.db", tmp_path / f"said{run}"
        process = spawn(crashing.make, path, said)
        wait_for(said, "added" if run % 3 == 0 else "started", process)
        time.sleep(rng.uniform(0, 0.03))
        kill(process)
        added = [line for line in said.read_text().splitlines() if line.startswith("added")]
        with SqliteStore(path, create=True) as store:
            assert store.check() == []
            stored = len(list(store.indexes()))
            assert len(added) <= stored <= len(added) + 1
            made += bool(stored)
    assert made >= 4


def test_case_094_two_writers_and_a_long_reader(tmp_path: Path, spawn: Spawn) -> None:
    path = tmp_path / "x.db"
    with SqliteStore(path, create=True) as store:
        first = add(store, "first")
        claim = store.claim(first.id, NOW, LEASE)
        assert claim is not None
        assert store.finish(claim, result(claim, [link(first, str(n)) for n in range(2000)]), [])
        other_program = sqlite3.connect(path, isolation_level=None)  # holds its snapshot all the time
        other_program.execute("BEGIN")
        cursor = other_program.execute("SELECT * FROM emitted ORDER BY seq")
        snapshot = [cursor.fetchone()]
        reading = store.links()
        read = [next(reading)]
        writers = [spawn(crashing.write_some, path, tmp_path / f"w{n}", f"w{n}", 100) for n in (0, 1)]
        while any(writer.is_alive() for writer in writers):
            store.schedule(first.id, NOW)  # a third writer
            read += [pair for _, pair in zip(range(20), reading, strict=False)]
            time.sleep(0.001)
        assert [writer.exitcode for writer in writers] == [0, 0]
        snapshot += cursor.fetchall()
        other_program.close()
        assert len(snapshot) == 2000
        assert len(read + list(reading)) == 2000
        assert len(list(store.links())) == 2000 + 2 * 100 * 20
        assert store.check() == []


def test_second_daemon_is_refused_until_the_first_has_ended(tmp_path: Path, spawn: Spawn) -> None:
    path = tmp_path / "x.db"
    filled(path)
    process = spawn(crashing.hold, path, tmp_path / "said", True)
    wait_for(tmp_path / "said", "holding 9", process)
    with pytest.raises(StoreError, match=rf"in use by process {process.pid}\b"):
        DaemonLock(path)
    with SqliteStore(path) as store:
        assert store.claim(1, NOW, LEASE) is None  # the commands work beside it, without its index pages
        kill(process)
        with DaemonLock(path) as lock:
            with pytest.raises(StoreError, match="in use by process"):
                DaemonLock(tmp_path / "." / "x.db")
            assert store.reset_leases(lock) == 9
            assert len(store.claim_due(NOW, 99, LEASE)) == 9
            assert store.reset_leases(lock) == 0  # not our own
    DaemonLock(path).release()


def test_a_visit_by_hand_that_still_runs_keeps_its_lease(tmp_path: Path, spawn: Spawn) -> None:
    path = tmp_path / "x.db"
    filled(path, 2)
    process = spawn(crashing.hold, path, tmp_path / "said", False)
    wait_for(tmp_path / "said", "holding 2", process)
    with SqliteStore(path) as store, DaemonLock(path) as lock:
        assert store.reset_leases(lock) == 0
        assert store.claim_due(NOW, 9, LEASE) == []
        kill(process)
        assert store.claim(1, NOW, LEASE) is not None  # of a dead process: taken over at once
        assert store.reset_leases() == 1
        assert [c.index.id for c in store.claim_due(NOW, 9, LEASE)] == [2]


def test_a_daemons_lease_from_another_machine_needs_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    filled(path, 1)
    with SqliteStore(path) as store:
        with DaemonLock(path) as lock:
            store.reset_leases(lock)
            assert store.claim(1, NOW, LEASE) is not None
        with store._db.write() as db:  # as if a container of another name had made it
            db.execute("UPDATE indexes SET lease_owner = 'daemon:elsewhere/1/99'")
        assert store.reset_leases() == 0
        assert store.claim(1, NOW, LEASE) is None
        with DaemonLock(path) as lock:
            assert store.reset_leases(lock) == 1


def test_owners() -> None:
    ours = owner()
    host, pid, start = ours.split("/")
    assert not is_dead(ours)
    assert is_dead(f"{host}/{pid}/{int(start or 0) + 1}")  # the number was used again
    assert not is_dead(f"other{host}/{pid}/{start}1")
    assert not is_dead(f"{host}/1/{'' if not start else '0'}") or start
    assert not is_dead("nonsense")


def test_lock_file_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="lock file"):
        DaemonLock(tmp_path / "missing" / "x.db")
