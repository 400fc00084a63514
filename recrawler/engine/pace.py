"""How fast visits may begin under a budget: what days of downtime have saved is not spent at once. Pure."""

from __future__ import annotations

from dataclasses import dataclass

HASTE = (
    3.0  # times the budget; the busiest hours of a week need less (the price follows the budget, not this)
)
SAVED = 300.0  # seconds of haste that may be spent at once


@dataclass
class Pace:
    """A bucket that fills with requests, at `HASTE` times the budget. Times are monotonic seconds.

    The controller of the price makes good what is spent too much within half a day. That is too late where
    thousands of visits are due at once: they would all be made as fast as hosts bear it.
    """

    budget: float  # requests an hour; 0 and infinity: no limit
    left: float = 0.0  # requests that may be made now; less than 0: they were made ahead
    filled: float | None = None  # when `left` was right

    def room(self, now: float, most: int) -> int:
        """How many visits may begin now, of at most `most`."""
        rate = HASTE * self.budget / 3600.0
        if not 0.0 < rate < float("inf"):
            return most
        full = max(rate * SAVED, 1.0)
        self.left = full if self.filled is None else min(self.left + rate * max(now - self.filled, 0.0), full)
        self.filled = now
        return max(min(int(self.left), most), 0)

    def spend(self, requests: float) -> None:
        self.left -= requests
