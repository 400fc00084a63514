"""What the processes do that the durability tests kill. What is acknowledged goes to a side file, at once."""

from __future__ import annotations

import asyncio
import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path

from recrawler.sinks.delivery import Deliverer
from recrawler.sinks.jsonl import JsonlSink
from recrawler.sinks.webhook import WebhookSink
from recrawler.store.sqlite import DaemonLock, SqliteStore
from tests.visiting import HOUR, LEASE, NOW, add, link, links, result

BATCH = 7


def say(path: Path, text: str) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(fd, f"{text}\n".encode())
    os.close(fd)


def make(path: Path, said: Path) -> None:
    """Make a database, and add index pages to it."""
    say(said, "started")
    with SqliteStore(path, create=True) as store:
        for number in itertools.count():
            add(store, f"n{number}", NOW + HOUR)
            say(said, f"added {number}")


def visit_due(store: SqliteStore, sinks: list[str]) -> Iterator[str]:
    """Visit what is due next, each visit finding three new links; which visit each was, once it is stored."""
    due = store.next_due()
    assert due is not None
    for claim in store.claim_due(due, 3, LEASE):
        page = claim.index
        slugs = [f"{page.id}-{page.visits + 1}-{n}" for n in range(3)]
        assert store.finish(claim, result(claim, links(page, *slugs, when=due), when=due), sinks)
        yield f"{page.id} {page.visits + 1}"


def visit_forever(path: Path, said: Path) -> None:
    """As the daemon: visit, and say what was stored."""
    with SqliteStore(path) as store, DaemonLock(path) as lock:
        store.reset_leases(lock)
        while True:
            for done in visit_due(store, ["jsonl"]):
                say(said, done)
            say(said, "started")


def visit_and_deliver(path: Path, said: Path, target: Path, hook: str) -> None:
    """The same, with sinks at work beside it."""

    async def run() -> None:
        with SqliteStore(path) as store, DaemonLock(path) as lock:
            store.reset_leases(lock)
            sinks = [JsonlSink(target), WebhookSink(hook)]
            deliverer = Deliverer(store, sinks, poll=0.01, batch=BATCH)
            task = asyncio.create_task(deliverer.run())
            while not task.done():
                visits = list(visit_due(store, deliverer.names))
                assert visits
                deliverer.wake()
                say(said, "started")
                await asyncio.sleep(0.002)

    asyncio.run(run())


def write_some(path: Path, said: Path, name: str, visits: int) -> None:
    """Another process that visits by hand."""
    with SqliteStore(path) as store:
        page = add(store, name)
        for number in range(visits):
            claim = store.claim(page.id, NOW + HOUR * number, LEASE)
            assert claim is not None
            found = [link(page, f"{number}-{n}", NOW + HOUR * number) for n in range(20)]
            assert store.finish(claim, result(claim, found, when=NOW + HOUR * number), ["jsonl"])
    say(said, f"{name} done")


def hold(path: Path, said: Path, daemon: bool) -> None:
    """Claim everything, as the daemon or by hand, and do nothing."""
    with SqliteStore(path) as store:
        if daemon:
            lock = DaemonLock(path)
            store.reset_leases(lock)
        held = [store.claim(page.id, NOW, 86400.0) for page in store.indexes()]
        say(said, f"holding {sum(claim is not None for claim in held)}")
        time.sleep(600)
