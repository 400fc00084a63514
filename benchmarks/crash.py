"""kill -9 of the daemon at random moments while a site publishes: nothing lost, nothing twice.

usage: python benchmarks/crash.py [--kills 50] [--seed 1]

The daemon watches a site of our own, with a file sink and a webhook. The receiver of the webhook is a
server of our own that now and then fails, hangs, or hangs up before it has answered. After the last kill
the daemon runs once more until all is quiet; then the links in the database and the events in the file and
at the receiver are counted against what was published. Exit status 1 where anything is missing, or given
out twice under another event id.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from recrawler.demo import NewsSite, Section, serve_site
from recrawler.demo.server import Served

CONFIG = """allow_networks = ["127.0.0.0/8"]
delay = "0s"
min_every = "1s"
jsonl = "{out}"
webhook = "{hook}"
"""


@dataclass
class Receiver:
    """What the webhook was given: events by article, and how often it misbehaved."""

    rng: random.Random
    url: str = ""
    events: list[dict[str, str]] = field(default_factory=list)
    calls: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    well: bool = False  # it misbehaves no more

    def fault(self) -> str:
        kind = self.rng.choices(("", "fails", "hangs", "takes and hangs up"), (80, 8, 4, 8))[0]
        if self.well:
            return ""
        self.faults[kind] += bool(kind)
        return kind


@contextmanager
def receiving(rng: random.Random) -> Iterator[Receiver]:
    """A webhook's receiver on a loopback port."""
    receiver = Receiver(rng)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.calls += 1
            fault = receiver.fault()
            if fault == "hangs":
                time.sleep(5.0)
                return
            if fault != "fails":
                receiver.events += json.loads(body)["events"]
            if fault != "takes and hangs up":
                self.send_response(503 if fault else 204)
                self.end_headers()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()


def recrawler(*args: str) -> list[str]:
    return [sys.executable, "-m", "recrawler", *args]


def kill_at_random(common: list[str], served: Served, receiver: Receiver, rng: random.Random) -> None:
    """The daemon, killed at a random moment: of its start, of its visits, or right after a delivery."""
    daemon = subprocess.Popen(recrawler("run", *common), stderr=subprocess.DEVNULL)
    if rng.random() < 0.7:
        asked, end = len(served.requests), time.monotonic() + 30
        while len(served.requests) == asked and time.monotonic() < end:
            time.sleep(0.01)
    if rng.random() < 0.4:
        calls, end = receiver.calls, time.monotonic() + 10
        while receiver.calls == calls and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(rng.uniform(0.0, 0.1))
    else:
        time.sleep(rng.uniform(0.0, 1.5))
    daemon.kill()
    daemon.wait(timeout=15)


def run_until_quiet(common: list[str], published: set[str], served: Served, receiver: Receiver) -> None:
    """The daemon until it has found and delivered what was published; stopped in order."""
    receiver.well = True
    subprocess.run(recrawler("sinks", "retry", *common), check=True, stdout=subprocess.DEVNULL)
    daemon = subprocess.Popen(recrawler("run", *common), stderr=subprocess.DEVNULL)
    end = time.monotonic() + 240.0
    while time.monotonic() < end:
        found = {str(x["url"]).removeprefix(served.base) for x in links(common)}
        given = {x["url"].removeprefix(served.base) for x in list(receiver.events)}
        if published <= found and published <= given:
            break
        time.sleep(1.0)
    time.sleep(5.0)
    daemon.send_signal(signal.SIGTERM)
    daemon.wait(timeout=15)


def links(common: list[str]) -> list[dict[str, object]]:
    done = subprocess.run(recrawler("links", "--json", *common), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--kills", type=int, default=50)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    rng = random.Random(args.seed)
    site = NewsSite([Section("zh", "zh", 12), Section("en", "en", 10)], seed=args.seed)
    for name in ("zh", "en"):
        site.publish(120, section=name)
    with (
        tempfile.TemporaryDirectory() as folder,
        serve_site(site) as served,
        receiving(random.Random(args.seed)) as receiver,
    ):
        out = Path(folder) / "links.jsonl"
        config = Path(folder) / "c.toml"
        config.write_text(CONFIG.format(out=out, hook=receiver.url))
        common = ["--db", f"{folder}/r.db", "--config", str(config)]
        for name in ("zh", "en"):
            url = served.url(f"/{name}/")
            subprocess.run(recrawler("add-index", url, "--every", "1s", "--json", *common), check=True,
                           stdout=subprocess.DEVNULL)  # fmt: skip
        published: set[str] = set()
        for n in range(args.kills):
            for name in ("zh", "en"):
                made = site.publish(rng.choice((0, 1, 2, 30)), section=name, at=datetime.now(UTC))
                published |= {a.path for a in made}
            kill_at_random(common, served, receiver, rng)
            print(f"\rkill {n + 1} of {args.kills}", end="", file=sys.stderr)
        print(file=sys.stderr)
        run_until_quiet(common, published, served, receiver)
        found = Counter(str(x["url"]).removeprefix(served.base) for x in links(common))
        given = {
            "file": [json.loads(line) for line in out.read_text().splitlines()],
            "webhook": receiver.events,
        }
        command = recrawler("indexes", "--json", *common)
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        indexes = len(done.stdout.splitlines())
    twice = [u for u, n in found.items() if n > 1]
    lost = published - set(found)
    print(f"kills {args.kills}  published {len(published)}  index pages {indexes} of 2")
    print(f"database: found {len(found)}  lost {len(lost)}  twice {len(twice)}")
    bad = bool(lost or twice or indexes != 2)
    for sink, events in given.items():
        ids: dict[str, set[str]] = {}
        for e in events:
            ids.setdefault(e["url"].removeprefix(served.base), set()).add(e["id"])
        missing, double = published - set(ids), [u for u, some in ids.items() if len(some) > 1]
        again = len(events) - sum(len(some) for some in ids.values())
        print(f"{sink}: found {len(ids)}  lost {len(missing)}  twice under another id {len(double)}"
              f"  redelivered with the same id {again}")  # fmt: skip
        bad = bad or bool(missing or double)
    print("the receiver " + ", ".join(f"{kind} {n} times" for kind, n in receiver.faults.items() if kind))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
