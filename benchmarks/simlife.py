"""One life of the real daemon in simulated time, from start to end; `long_run.py` starts it as a process.

usage: python benchmarks/simlife.py JSON        (the fields of `Life`)

Writes a line of JSON for each visit, by true time, to `visits.jsonl`, and one for each look at the process
to `memory.jsonl`.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from simtime import SimulatedLoop, World, foreign_clocks
from tracesite import DAY, Sites, Source, made_up_sources, real_sources

from recrawler.engine.local import LocalEngine
from recrawler.fetch import Fetcher
from recrawler.records import IndexPage, Visit
from recrawler.settings import Budget, Settings
from recrawler.sinks.delivery import Deliverer
from recrawler.sinks.jsonl import JsonlSink
from recrawler.store.sqlite import DaemonLock, SqliteStore
from recrawler.visit import Ask, Report, Visitor

KILLED = 137  # exit status
LOOK = 0.25 * DAY  # between looks at memory


@dataclass(frozen=True)
class Run:
    """What is the same in all lives. Times are unix seconds, true ones."""

    folder: str
    traces: str  # empty: sources are made up
    indexes: int
    since: float
    days: float
    port: int
    price: float
    tick: float
    budget: float = 0.0  # requests an hour; 0: the price stays as it is

    def sources(self) -> list[Source]:
        if self.traces:
            return real_sources(Path(self.traces), self.indexes, self.since, self.days)
        return made_up_sources(self.indexes, self.since, self.days)

    def settings(self) -> Settings:
        if self.budget:
            return Settings(allow_networks=("127.0.0.0/8",), budget=Budget(self.budget))
        return Settings(allow_networks=("127.0.0.0/8",), price=self.price)


@dataclass(frozen=True)
class Life:
    """From `begin` to `end`. How it ends: `stop` in order, `before` or `after` a visit is written by a kill,
    `sweep` in order after a last visit of all.

    `errors` are times at which the machine's clock is set, with its error from then on; `suspends` are times
    with their length in seconds.
    """

    run: Run
    begin: float
    end: float
    how: str
    errors: list[tuple[float, float]] = field(default_factory=list)
    suspends: list[tuple[float, float]] = field(default_factory=list)


@dataclass
class Diary:
    """Writes down each visit as the engine ends it."""

    world: World
    sources: list[Source]
    fd: int
    died: Path
    how: str  # `Life.how`
    due: dict[int, float] = field(default_factory=dict)  # true times, by index
    late: dict[int, float] = field(default_factory=dict)
    die: str = ""  # amid the next visit: `before` it is written, or `after`

    def begun(self, index: IndexPage) -> None:
        """Late is what comes later than was planned when the visit before ended, whatever the clock did."""
        self.late[index.id] = self.world.true - max(self.due[index.id], self.world.woken)

    def plan(self, index: int, due: datetime | None) -> None:
        assert due is not None
        self.due[index] = due.timestamp() - self.world.error

    def kill(self) -> None:
        self.die = self.how

    def read(self) -> None:
        if self.die == "before":
            self.end()

    def end(self) -> None:
        """The end of a kill -9, with its time."""
        self.died.write_text(str(self.world.true))
        os._exit(KILLED)

    def ended(self, visit: Visit, _: float) -> None:
        self.plan(visit.index, visit.next_visit_at)
        source = self.sources[visit.index - 1]
        items = [n for x in visit.new if (n := source.item(x.url)) >= 0]
        line = {
            "at": self.world.true,
            "read_at": source.read_at,
            "index": visit.index,
            "outcome": visit.outcome,
            "complete": visit.complete,
            "requests": visit.requests,
            "pages": len(visit.pages),
            "shown": source.shown,
            "late": round(self.late.pop(visit.index, 0.0), 1),
            "delays": [round(source.read_at - source.times[n], 1) for n in items],
        }
        os.write(self.fd, json.dumps(line).encode() + b"\n")
        if self.die:
            self.end()


@dataclass
class WatchedVisitor(Visitor):
    diary: Diary | None = None

    async def visit(self, index: IndexPage, ask: Ask = Ask()) -> Report:
        assert self.diary is not None
        self.diary.begun(index)
        report = await super().visit(index, ask)
        self.diary.read()
        return report


async def live(life: Life, world: World, loop: SimulatedLoop) -> None:
    run, folder = life.run, Path(life.run.folder)
    sources, settings = run.sources(), run.settings()
    file = os.open(folder / "visits.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    diary = Diary(world, sources, file, folder / "died", life.how)
    server = await loop.create_server(lambda: Sites(sources, world), "0.0.0.0", run.port, reuse_address=True)
    with SqliteStore(folder / "run.db") as store, DaemonLock(store.path) as lock:
        async with Fetcher(settings, store, world) as fetcher:
            visitor = WatchedVisitor(store, fetcher, settings, world, diary)
            sink = JsonlSink(folder / "events.jsonl")
            deliverer = Deliverer(store, [sink], poll=600.0, now=world.now)
            engine = LocalEngine(
                store, visitor, settings, deliverer, diary.ended, lock=lock, clock=world, tick=run.tick
            )
            for index in store.indexes():
                diary.plan(index.id, index.next_visit_at)
            loop.is_busy = lambda: bool(engine._active)
            acts = _fate(life, world, engine, diary), _look(world, folder)
            tasks = [asyncio.create_task(act) for act in acts]
            await engine.run()
            if life.how == "sweep":
                await _sweep(store, world, engine)
            for task in tasks:
                task.cancel()
    server.close()


async def _fate(life: Life, world: World, engine: LocalEngine, diary: Diary) -> None:
    """What happens to the machine and the daemon, in order."""
    acts: list[tuple[float, Callable[[], None]]] = [
        *((at, lambda e=error: world.set_clock(e)) for at, error in life.errors),  # type: ignore[misc]
        *((at, lambda s=length: world.suspend(s)) for at, length in life.suspends),  # type: ignore[misc]
        (life.end, engine.stop if life.how in ("stop", "sweep") else diary.kill),
    ]
    for at, act in sorted(acts, key=lambda x: x[0]):
        await asyncio.sleep(max(at - world.true, 0.0))
        act()


async def _look(world: World, folder: Path) -> None:
    """Memory and file descriptors, by time."""
    with (folder / "memory.jsonl").open("a") as out:
        while True:
            print(json.dumps(_process() | {"at": world.true}), file=out, flush=True)
            await asyncio.sleep(LOOK)


def _process() -> dict[str, float]:
    """Bytes of memory, open files and seconds of processor time."""
    rss = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    fds = sum(1 for _ in Path("/proc/self/fd").iterdir())
    return {"pid": os.getpid(), "rss": rss, "fds": fds, "cpu": sum(os.times()[:2])}


async def _sweep(store: SqliteStore, world: World, engine: LocalEngine) -> None:
    """One more visit of every index, due or not: what was published until now must all be found then."""
    for index in list(store.indexes()):
        store.schedule(index.id, world.now())
    last = LocalEngine(
        store,
        engine.visitor,
        engine.settings,
        engine.deliverer,
        engine.on_visit,
        lock=engine.lock,
        clock=world,
    )
    asyncio.get_running_loop().is_busy = lambda: bool(last._active)  # type: ignore[attr-defined]
    await last.run(once=True)


def main() -> None:
    told: dict[str, Any] = json.loads(sys.argv[1])
    life = Life(**{**told, "run": Run(**told["run"])})
    world = World(life.begin, next((e for at, e in life.errors if at <= life.begin), 0.0))
    loop = SimulatedLoop(world)
    asyncio.set_event_loop(loop)
    with foreign_clocks(world):
        loop.run_until_complete(live(life, world, loop))
    loop.close()


if __name__ == "__main__":
    main()
