"""How the daemon does: ticks, visits, how late they were, what went wrong. Counters since the start of the
process; the status page, the metrics and the service manager are told from here."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from recrawler.records import Visit

STUCK = 20.0  # seconds without a tick after which the daemon does not do its work; a busy database takes 10
LATE = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 21_600.0)  # upper bounds of the histogram, in seconds


@dataclass
class Pulse:
    """What has happened so far. Times are seconds of `monotonic`."""

    monotonic: Callable[[], float] = time.monotonic
    ticks: int = 0
    fault: str = ""  # why the schedule could not be looked at by the last tick
    stopping: bool = False
    active: int = 0  # visits under way
    outcomes: Counter[str] = field(default_factory=Counter)  # of visits that were written
    requests: int = 0
    emitted: int = 0
    broken: int = 0  # visits that ended by a fault of ours, or were written by someone else meanwhile
    missed: int = 0  # runs of jobs that were not made
    failed: int = 0  # jobs that ended with an error
    price: float = 0.0  # link-seconds that a request is worth at present
    budget: float = 0.0  # requests an hour; 0: none
    late: list[int] = field(default_factory=lambda: [0] * (len(LATE) + 1))
    late_sum: float = 0.0
    _ticked: float = 0.0

    def __post_init__(self) -> None:
        self._ticked = self.monotonic()

    def tick(self, fault: str = "") -> None:
        """The schedule was looked at, or could not be for this reason."""
        self.ticks += 1
        self.fault = fault
        self._ticked = self.monotonic()

    def claimed(self, late: float) -> None:
        """A visit begins so many seconds after it was due."""
        self.late[bisect_left(LATE, late)] += 1
        self.late_sum += late

    def visited(self, visit: Visit) -> None:
        self.outcomes[visit.outcome] += 1
        self.requests += visit.requests
        self.emitted += len(visit.new)

    @property
    def visits(self) -> int:
        return self.outcomes.total()

    @property
    def silence(self) -> float:
        """Seconds since the last tick."""
        return self.monotonic() - self._ticked

    @property
    def sick(self) -> str:
        """Why this process should be started anew; empty while it does its work."""
        return f"no tick for {self.silence:.0f} s" if self.silence > STUCK else ""

    @property
    def unready(self) -> str:
        """Why index pages are not visited at present; empty while they are."""
        if self.stopping:
            return "stopping"
        if not self.ticks:
            return "starting"
        return self.sick or self.fault
