"""The daemon as a service: told by signals, watched by a manager and by requests, stopped whatever hangs."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recrawler.demo import NewsSite, Section, serve_site
from recrawler.demo.html import list_page
from tests.httpserver import free_port
from tests.test_daemon import CONFIG, Machine, publish
from tests.test_notify import Manager


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """Two lists of one site, added and not yet visited by the daemon."""
    site = NewsSite([Section("zh", "zh", 10)])
    site.publish(30)
    with serve_site(site) as served:
        m = Machine(tmp_path, served)
        added = m.call("add-index", served.url("/zh/"), "--every", "1s", "--json")
        assert added.returncode == 0, added.stderr
        yield m


class Log:
    """The daemon's standard error, line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.lines: list[str] = []
        self._process = process
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stderr is not None
        self.lines.extend(iter(self._process.stderr.readline, ""))

    def wait_for(self, text: str, seconds: float = 20) -> str:
        return until(lambda: next((x for x in self.lines if text in x), None), seconds, lambda: self.lines)


def until(true: Callable[[], Any], seconds: float = 20, what: Callable[[], Any] = lambda: "") -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := true():
            return found
        time.sleep(0.05)
    raise AssertionError(f"it does not come true: {what()}")


def stops_in_time(process: subprocess.Popen[str]) -> float:
    """Seconds from SIGTERM to the end, with exit status 0."""
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=8) == 0
    return time.monotonic() - began


# --- the end, whatever hangs ---


def test_it_stops_in_time_though_a_sink_hangs(machine: Machine) -> None:
    """A pipe that nobody reads: opening it waits for ever."""
    os.mkfifo(machine.folder / "hangs.jsonl")
    (machine.folder / "c.toml").write_text(CONFIG.format(out=machine.folder / "hangs.jsonl"))
    with machine.daemon() as process:
        publish(machine, 1)
        machine.wait_for(1)
        assert stops_in_time(process) < 5


def test_it_stops_in_time_though_a_webhook_hangs(machine: Machine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listens:  # and never answers
        hook = f'webhook = "http://127.0.0.1:{listens.getsockname()[1]}/"\n'
        (machine.folder / "c.toml").write_text(CONFIG.format(out=machine.out) + hook)
        with machine.daemon() as process:
            publish(machine, 1)
            machine.wait_for(1)
            listens.accept()
            assert stops_in_time(process) < 5


def test_it_stops_in_time_though_the_database_is_locked(machine: Machine) -> None:
    """The main thread sits in SQLite for up to ten seconds; who takes the signal must not."""
    with machine.daemon() as process:
        log = Log(process)
        log.wait_for("visit ")
        other = sqlite3.connect(machine.folder / "r.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        time.sleep(1.5)  # a visit falls due each second: by now the daemon waits for the lock
        assert stops_in_time(process) < 5
        other.execute("ROLLBACK")
        other.close()
    assert machine.call("run", "--once").returncode == 0  # what was cut off is visited again


def buffered() -> dict[str, str]:
    """The environment with output kept back as it usually is: what nobody reads is still there at the end."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}


@pytest.mark.skipif(shutil.which("setsid") is None, reason="setsid gives a process a terminal")
def test_it_ends_when_its_terminal_is_closed(machine: Machine) -> None:
    terminal, its_side = pty.openpty()
    command = ["setsid", "--ctty", *machine.command("run")]
    process = subprocess.Popen(command, stdin=its_side, stderr=its_side, env=buffered())
    try:
        os.close(its_side)
        seen = b""
        while b"visit " not in seen:
            seen += os.read(terminal, 4096)
        os.close(terminal)
        assert process.wait(timeout=8) == 0
    finally:
        process.kill()


def test_it_ends_when_nobody_reads_its_visits(machine: Machine) -> None:
    process = subprocess.Popen(machine.command("run", "--json"), stdout=subprocess.PIPE, env=buffered())
    assert process.stdout is not None
    json.loads(process.stdout.readline())
    process.stdout.close()
    assert process.wait(timeout=15) == 0


# --- stopped by the machine ---


def test_case_091_a_process_that_was_stopped_goes_on_soon_and_asks_one_page_at_a_time(
    machine: Machine,
) -> None:
    site, under_way, most = machine.served.site, 0, 0
    lock = threading.Lock()

    def watch(path: str) -> Any:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.05)
        with lock:
            under_way -= 1
        return 200, list_page(site, site.main, 1).encode(), {"Content-Type": "text/html; charset=utf-8"}

    machine.served.fault("/zh/", watch)
    with machine.daemon() as process:
        log = Log(process)
        log.wait_for("visit ")
        process.send_signal(signal.SIGSTOP)
        made = publish(machine, 3)
        time.sleep(3.0)
        process.send_signal(signal.SIGCONT)
        began = time.monotonic()
        assert set(machine.wait_for(3)) == made
        assert time.monotonic() - began < 10
        assert most <= 1
        assert stops_in_time(process) < 5


# --- the service manager ---


def test_systemd_is_told_of_the_whole_life(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    manager = Manager(machine.folder / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", manager.address)
    monkeypatch.setenv("WATCHDOG_USEC", "1500000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    with machine.daemon() as process:
        assert manager.next() == {"READY": "1"}
        beats = [manager.next() for _ in range(3)]
        assert all(x["WATCHDOG"] == "1" and "visits under way" in x["STATUS"] for x in beats)
        process.send_signal(signal.SIGHUP)
        until(lambda: "RELOADING" in manager.next())
        until(lambda: "READY" in manager.next())
        process.send_signal(signal.SIGSTOP)  # no ticks: no watchdog
        time.sleep(0.3)
        manager._socket.settimeout(0)
        manager.waiting()
        time.sleep(1.2)
        assert manager.waiting() == []
        process.send_signal(signal.SIGCONT)
        process.send_signal(signal.SIGTERM)
        manager._socket.settimeout(10)
        until(lambda: "STOPPING" in manager.next())
        assert process.wait(timeout=8) == 0
    manager.close()


# --- settings ---


def test_settings_are_read_again_on_sighup(machine: Machine) -> None:
    config, text = machine.folder / "c.toml", CONFIG.format(out=machine.out)
    with machine.daemon() as process:
        log = Log(process)
        log.wait_for("visit ")
        config.write_text(text + 'concurrency = 3\nlog_format = "json"\nuser_agent = "other/1"\n')
        process.send_signal(signal.SIGHUP)
        line = json.loads(log.wait_for("read again"))
        assert line["message"] == (
            "settings read again; changed: concurrency, log_format; needs a restart: user_agent"
        )
        config.write_text(text + 'concurrency = "many"\n')
        process.send_signal(signal.SIGHUP)
        line = json.loads(log.wait_for("stay as they are"))
        assert line["level"] == "error" and "concurrency" in line["message"]
        config.write_text(text + 'log_format = "json"\nconcurrency = 3\n')
        process.send_signal(signal.SIGHUP)
        log.wait_for("nothing changed")
        made = publish(machine, 2)
        assert set(machine.wait_for(2)) == made
        assert stops_in_time(process) < 5


def test_what_the_command_line_says_outlives_a_reload(machine: Machine) -> None:
    with machine.daemon("--log-level", "warning") as process:
        log = Log(process)
        (machine.folder / "c.toml").write_text(CONFIG.format(out=machine.out) + 'log_level = "debug"\n')
        publish(machine, 1)
        machine.wait_for(1)
        process.send_signal(signal.SIGHUP)
        time.sleep(1.5)
        assert log.lines == []
        stops_in_time(process)


# --- requests ---


def get(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()
    except (urllib.error.URLError, OSError):
        return 0, ""


def test_health_readiness_and_metrics(machine: Machine) -> None:
    port = free_port()
    with machine.daemon("--web", f"127.0.0.1:{port}", "--budget", "90/min") as process:
        until(lambda: get(port, "/ready") == (200, "ready\n"))
        assert get(port, "/health") == (200, "ok\n")
        made = publish(machine, 2)
        assert set(machine.wait_for(2)) == made
        status, text = get(port, "/metrics")
        assert status == 200
        values = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        assert values["recrawler_ready"] == "1" and float(values["recrawler_ticks_total"]) >= 1
        assert values["recrawler_budget"] == "5400.000"
        assert values["recrawler_jobs_missed_total"] == values["recrawler_gaps_open"] == "0"
        assert float(values["recrawler_tick_age_seconds"]) < 5
        count = int(values["recrawler_late_seconds_count"])
        assert count >= 1 and values['recrawler_late_seconds_bucket{le="+Inf"}'] == str(count)
        assert get(port, "/nothing")[0] == 404
        assert stops_in_time(process) < 5


def test_doctor_tells_of_a_running_daemon(machine: Machine) -> None:
    def checks() -> dict[str, str]:
        done = machine.call("doctor", "--json")
        return {x["check"]: x["text"] for x in map(json.loads, done.stdout.splitlines())}

    time.sleep(1.1)
    idle = checks()
    assert idle["daemon"] == "does not run" and "start the daemon" in idle["schedule"]
    with machine.daemon() as process:
        Log(process).wait_for("visit ")
        assert f"runs as process {process.pid};" in checks()["daemon"]
        process.kill()
        process.wait()
        assert checks()["daemon"] == "does not run", "killed: the side file still names it"
