"""What the service manager is told, over a real datagram socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from recrawler.engine.notify import EVERY, Notifier
from recrawler.engine.pulse import Pulse


class Manager:
    """The end of the socket that systemd holds."""

    def __init__(self, path: Path | str) -> None:
        self.address = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address.replace("@", "\0", 1))
        self._socket.settimeout(20)

    def next(self) -> dict[str, str]:
        """The next message's lines; waits for it."""
        text = self._socket.recv(4096).decode()
        return dict(line.split("=", 1) for line in text.splitlines())

    def waiting(self) -> list[dict[str, str]]:
        """All messages that have come."""
        self._socket.settimeout(0)
        got = []
        try:
            while True:
                got.append(self.next())
        except BlockingIOError:
            return got

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(tmp_path / "notify")
    yield made
    made.close()


def notifier(manager: Manager, **environ: str) -> Notifier:
    return Notifier({"NOTIFY_SOCKET": manager.address, **environ})


def test_ready_reloading_stopping(manager: Manager) -> None:
    tell = notifier(manager)
    tell.ready()
    tell.reloading()
    tell.stopping()
    ready, reloading, stopping = manager.waiting()
    assert ready == {"READY": "1"} and stopping == {"STOPPING": "1"}
    assert reloading["RELOADING"] == "1" and int(reloading["MONOTONIC_USEC"]) > 0


def test_the_watchdog_is_fed_at_ticks_three_times_in_its_limit(manager: Manager) -> None:
    at = [1000.0]
    pulse = Pulse(lambda: at[0])
    tell = notifier(manager, WATCHDOG_USEC="6000000", WATCHDOG_PID=str(os.getpid()))
    assert tell.watchdog == 6.0
    got = []
    for _ in range(120):  # a minute of ticks
        pulse.tick()
        tell.beat(pulse)
        at[0] += 0.5
        got += manager.waiting()
    assert len(got) == 30 and all(x["WATCHDOG"] == "1" for x in got)
    assert got[-1]["STATUS"] == "0 visits under way, 0 made, 0 new links"
    at[0] += 3600  # without a tick nothing is sent
    assert manager.waiting() == []


def test_status_is_told_without_a_watchdog_too(manager: Manager) -> None:
    at = [0.0]
    pulse = Pulse(lambda: at[0])
    tell = notifier(manager, WATCHDOG_USEC="6000000", WATCHDOG_PID="1")
    assert tell.watchdog == 0.0, "another process's watchdog"
    pulse.tick("the database is locked")
    tell.beat(pulse)
    at[0] += EVERY / 2
    tell.beat(pulse)
    (only,) = manager.waiting()
    assert only["STATUS"].endswith("; the database is locked")


def test_a_socket_in_the_kernels_own_space() -> None:
    manager = Manager(f"@recrawler-test-{os.getpid()}")
    Notifier({"NOTIFY_SOCKET": manager.address}).ready()
    assert manager.next() == {"READY": "1"}
    manager.close()


def test_nobody_listens(tmp_path: Path) -> None:
    Notifier({}).ready()
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "nowhere"), "WATCHDOG_USEC": "x"}).ready()
    gone = Manager(tmp_path / "gone")
    gone.close()
    Notifier({"NOTIFY_SOCKET": gone.address}).stopping()
