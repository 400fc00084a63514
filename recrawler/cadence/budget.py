"""One price for all: moved slowly so that what is spent on fetches meets the budget."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

HOUR = 3600.0
WEEK = 168


@dataclass(frozen=True)
class PriceController:
    """The price (link-seconds a fetch) and the spending it was set by. JSON through msgspec; pure.

    `budget` is fetches an hour. Call `spent` with every visit's requests or now and then with their sum.
    """

    budget: float
    price: float
    hour: int = 0  # hours since the epoch of the last bucket
    buckets: list[float] = field(default_factory=list)  # fetches of the last hours, oldest first
    owed: float = 0.0  # log of the correction so far

    def spent(self, now: float, fetches: float) -> PriceController:
        """After `fetches` requests since the last call. The price moves at the turn of each hour."""
        hour = math.floor(now / HOUR)
        if not self.buckets:
            return replace(self, hour=hour, buckets=[float(fetches)])
        new = self
        while new.hour < hour:
            new = new._turn() if hour - new.hour <= WEEK else replace(new, hour=hour - WEEK, buckets=[0.0])
        buckets = [*new.buckets[:-1], new.buckets[-1] + fetches]
        return replace(new, buckets=buckets)

    def _turn(self) -> PriceController:
        """One hour ended: fetches go with price ^ -1/2, and a week evens out days and week-ends."""
        buckets = self.buckets[-WEEK:]
        done = buckets[-24:]
        spent = max(sum(done) / len(done), 1e-3 * self.budget)
        error = math.log(spent / self.budget)
        step = max(min(2.0 * error / 24.0, 0.2), -0.2)
        return replace(
            self, price=self.price * math.exp(step), hour=self.hour + 1, buckets=[*buckets[1 - WEEK :], 0.0]
        )
