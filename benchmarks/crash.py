"""kill -9 of the daemon at random moments while a site publishes: nothing lost, nothing twice.

usage: python benchmarks/crash.py [--kills 50] [--seed 1]

The daemon watches a site of our own with a file sink. After the last kill it runs once more until all is
quiet; then the links in the database and the events in the file are counted against what was published.
Exit status 1 where anything is missing, or given out twice under another event id.
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
from datetime import UTC, datetime
from pathlib import Path

from recrawler.demo import NewsSite, Section, serve_site
from recrawler.demo.server import Served

CONFIG = 'allow_networks = ["127.0.0.0/8"]\ndelay = "0s"\nmin_every = "1s"\njsonl = "{out}"\n'


def recrawler(*args: str) -> list[str]:
    return [sys.executable, "-m", "recrawler", *args]


def kill_at_random(common: list[str], served: Served, rng: random.Random) -> None:
    """The daemon, killed at a random moment: of its start, or of its visits and deliveries."""
    daemon = subprocess.Popen(recrawler("run", *common), stderr=subprocess.DEVNULL)
    if rng.random() < 0.7:
        asked, end = len(served.requests), time.monotonic() + 30
        while len(served.requests) == asked and time.monotonic() < end:
            time.sleep(0.01)
    time.sleep(rng.uniform(0.0, 1.5))
    daemon.kill()
    daemon.wait(timeout=15)


def run_until_quiet(common: list[str], published: set[str], base: str, seconds: float = 120.0) -> None:
    """The daemon until it has found what was published, and some seconds more; stopped in order."""
    daemon = subprocess.Popen(recrawler("run", *common), stderr=subprocess.DEVNULL)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = {str(x["url"]).removeprefix(base) for x in links(common)}
        if published <= found:
            break
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
    with tempfile.TemporaryDirectory() as folder, serve_site(site) as served:
        out = Path(folder) / "links.jsonl"
        config = Path(folder) / "c.toml"
        config.write_text(CONFIG.format(out=out))
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
            kill_at_random(common, served, rng)
            print(f"\rkill {n + 1} of {args.kills}", end="", file=sys.stderr)
        print(file=sys.stderr)
        run_until_quiet(common, published, served.base)
        found = Counter(str(x["url"]).removeprefix(served.base) for x in links(common))
        events = [json.loads(line) for line in out.read_text().splitlines()]
        by_url: dict[str, set[str]] = {}
        for e in events:
            by_url.setdefault(e["url"].removeprefix(served.base), set()).add(e["id"])
        command = recrawler("indexes", "--json", *common)
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        indexes = len(done.stdout.splitlines())
    lost, lost_file = published - set(found), published - set(by_url)
    twice = [u for u, n in found.items() if n > 1]
    twice_file = [u for u, ids in by_url.items() if len(ids) > 1]
    print(f"kills {args.kills}  published {len(published)}  index pages {indexes} of 2")
    print(f"database: found {len(found)}  lost {len(lost)}  twice {len(twice)}")
    print(f"file: found {len(by_url)}  lost {len(lost_file)}  twice under another id {len(twice_file)}")
    print(f"redelivered with the same id {len(events) - len(by_url)}")
    return 1 if lost or lost_file or twice or twice_file or indexes != 2 else 0


if __name__ == "__main__":
    sys.exit(main())
