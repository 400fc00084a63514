"""What systemd is told of the daemon: ready, reloading, stopping, a line of status, and that it is alive.

The protocol of sd_notify(3): lines of KEY=VALUE in one datagram to the socket that NOTIFY_SOCKET names.
Without that variable nothing is sent.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping

from recrawler.engine.pulse import Pulse

EVERY = 10.0  # seconds between two lines of status


class Notifier:
    """Sends to the service manager; never waits and never fails."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        if self._address.startswith("@"):  # a name in the kernel's own space
            self._address = "\0" + self._address[1:]
        ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        limit = environ.get("WATCHDOG_USEC", "") if ours else ""
        self.watchdog = int(limit) / 1e6 if limit.isdecimal() else 0.0  # seconds; 0: nobody waits for us
        self._beat_at: float | None = None

    def ready(self) -> None:
        self._send("READY=1")

    def reloading(self) -> None:
        """`ready` has to follow."""
        self._send("RELOADING=1", f"MONOTONIC_USEC={time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def beat(self, pulse: Pulse) -> None:
        """Call at every tick, and only then: where ticks end, the watchdog has the daemon started anew."""
        every = min(EVERY, self.watchdog / 3.0) if self.watchdog else EVERY
        now = pulse.monotonic()
        if self._beat_at is not None and now - self._beat_at < every:
            return
        self._beat_at = now
        self._send("WATCHDOG=1", f"STATUS={status_line(pulse)}")

    def _send(self, *lines: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
                s.setblocking(False)
                s.sendto("\n".join(lines).encode(), self._address)
        except OSError:
            pass  # nobody listens any more: the visits go on


def status_line(pulse: Pulse) -> str:
    """How the daemon does, for a person."""
    text = f"{pulse.active} visits under way, {pulse.visits} made, {pulse.emitted} new links"
    return f"{text}; {pulse.unready}" if pulse.unready else text
