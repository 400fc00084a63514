"""The daemon as a process: it visits, survives kill -9, stops on SIGTERM, and refuses a second one."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recrawler.demo import NewsSite, Section, serve_site
from recrawler.demo.server import Served
from recrawler.store.sqlite import SqliteStore

CONFIG = 'allow_networks = ["127.0.0.0/8"]\ndelay = "0s"\nrobots = false\nmin_every = "1s"\njsonl = "{out}"\n'


class Machine:
    """Runs `recrawler` commands as processes, on one folder."""

    def __init__(self, folder: Path, served: Served) -> None:
        self.folder, self.served, self.out = folder, served, folder / "out.jsonl"
        (folder / "c.toml").write_text(CONFIG.format(out=self.out))

    def command(self, *args: str) -> list[str]:
        common = ["--db", str(self.folder / "r.db"), "--config", str(self.folder / "c.toml")]
        return [sys.executable, "-m", "recrawler", *args, *common]

    def call(self, *args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(*args), capture_output=True, text=True, timeout=60, check=False)

    @contextmanager
    def daemon(self, *args: str) -> Iterator[subprocess.Popen[str]]:
        process = subprocess.Popen(self.command("run", *args), stderr=subprocess.PIPE, text=True)
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate(timeout=20)

    def found(self) -> list[str]:
        with SqliteStore(self.folder / "r.db") as store:
            return [link.url for _, link in store.links()]

    def wait_for(self, count: int, seconds: float = 25) -> list[str]:
        """The links, as soon as there are so many."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if len(found := self.found()) >= count:
                return found
            time.sleep(0.1)
        raise AssertionError(f"{len(self.found())} links of {count}")


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    site = NewsSite([Section("zh", "zh", 10)])
    site.publish(60)
    with serve_site(site) as served:
        m = Machine(tmp_path, served)
        added = m.call("add-index", served.url("/zh/"), "--every", "1s", "--json")
        assert added.returncode == 0, added.stderr
        yield m


def publish(m: Machine, count: int) -> set[str]:
    return {m.served.url(a.path) for a in m.served.site.publish(count, at=datetime.now(UTC))}


def test_it_finds_links_and_stops_in_order(machine: Machine) -> None:
    with machine.daemon() as process:
        made = publish(machine, 3) | publish(machine, 25)
        assert set(machine.wait_for(28)) == made
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=6) == 0
        assert time.monotonic() - began < 5
    events = [json.loads(line) for line in machine.out.read_text().splitlines()]
    assert {e["url"] for e in events} == made and len({e["id"] for e in events}) == 28


def test_it_stops_in_time_though_a_site_hangs(machine: Machine) -> None:
    asked = []

    def hang(path: str) -> None:
        asked.append(path)
        time.sleep(20)

    machine.served.fault("/zh/", hang)
    with machine.daemon() as process:
        end = time.monotonic() + 20
        while not asked and time.monotonic() < end:
            time.sleep(0.05)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=6) == 0
        assert time.monotonic() - began < 5


def test_kill_9_loses_nothing_and_repeats_nothing(machine: Machine) -> None:
    made: set[str] = set()
    for wait in (0.9, 1.3, 1.7, 2.2):
        made |= publish(machine, 13)
        with machine.daemon() as process:
            time.sleep(wait)
            process.kill()
    made |= publish(machine, 1)
    with machine.daemon() as process:
        found = machine.wait_for(len(made))
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=6)
    assert sorted(found) == sorted(made)
    ids = {}
    for line in machine.out.read_text().splitlines():
        event = json.loads(line)
        ids.setdefault(event["url"], set()).add(event["id"])
    assert set(ids) == made and all(len(x) == 1 for x in ids.values())


def test_a_second_daemon_is_refused(machine: Machine) -> None:
    with machine.daemon() as process:
        publish(machine, 1)
        machine.wait_for(1)
        second = machine.call("run", "--once")
        assert second.returncode == 1 and f"in use by process {process.pid}" in second.stderr
        assert len(second.stderr.strip().splitlines()) == 1
        assert machine.call("indexes").returncode == 0  # other commands work meanwhile


def test_once_visits_what_is_due_and_ends(machine: Machine) -> None:
    made = publish(machine, 2)
    machine.call("edit", "1", "--every", "1h")  # due at once, then not for an hour
    done = machine.call("run", "--once", "--json")
    assert done.returncode == 0, done.stderr
    assert {x["url"] for x in json.loads(done.stdout)["new"]} == made
    assert machine.call("run", "--once", "--json").stdout == ""


def test_the_status_page_and_the_metrics(machine: Machine) -> None:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    with machine.daemon("--web", f"127.0.0.1:{port}"):
        publish(machine, 2)
        machine.wait_for(2)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
            page = answer.read().decode()
        assert machine.served.url("/zh/") in page and "met-history" in page
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    assert "recrawler_links_emitted_total 2" in text and 'recrawler_indexes{state="active"} 1' in text


def test_a_bad_web_address_is_one_line(machine: Machine) -> None:
    done = machine.call("run", "--web", "nowhere")
    assert done.returncode == 2 and "HOST:PORT" in done.stderr and "Traceback" not in done.stderr
