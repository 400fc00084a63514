"""The cadence as policies for a player of publish times: `Policy` (each link alike), `FairPolicy` (half way)
and `EqualPolicy` (each index alike). They hold no rule of their own."""

from __future__ import annotations

from collections.abc import Sequence

from recrawler import cadence


class Policy:
    fairness = 0.0

    def __init__(self, price: float, min_interval: float, max_interval: float) -> None:
        self.pricing = cadence.Pricing(price, self.fairness, min_interval, max_interval)
        self.state = cadence.CadenceState()

    def first(self, now: float, published: Sequence[float] | None, links: int) -> float:
        self.state = cadence.first(published, links, now)
        return cadence.next_visit(self.state, now, self.pricing)

    def visited(self, now: float, published: Sequence[float] | None, links: int) -> float:
        self.state = cadence.visited(self.state, now, published, links)
        return cadence.next_visit(self.state, now, self.pricing)


class FairPolicy(Policy):
    fairness = 0.5


class EqualPolicy(Policy):
    fairness = 1.0
