"""What the plan of one index comes to over the next hours, if all goes as expected."""

from __future__ import annotations

from dataclasses import dataclass, replace

from recrawler.cadence.plan import Pricing, forecast, next_visit
from recrawler.cadence.state import CadenceState

MOST = 5000  # visits that are followed


@dataclass(frozen=True, slots=True)
class Outlook:
    """Visits (unix seconds, ascending) until the end of the span; the links that these and the one after them
    are expected to find, and the sum of the links' delays in seconds."""

    visits: tuple[float, ...]
    links: float
    delay: float

    @property
    def mean_delay(self) -> float | None:
        return self.delay / self.links if self.links > 0.0 else None


def outlook(state: CadenceState, now: float, next_at: float, pricing: Pricing, until: float) -> Outlook:
    """The visits from `next_at` (at once, if that is past) until `until`, each planned as if the one before
    it had found what was expected."""
    visits: list[float] = []
    links = delay = 0.0
    at = max(next_at, now)
    while True:
        found = forecast(state, now, at)
        links, delay = links + found.links, delay + found.delay
        if at > until or len(visits) == MOST:
            return Outlook(tuple(visits), links, delay)
        visits.append(at)
        # What will be the last item by then is not known: the age of the one that is would say it is silent.
        state, now = replace(state, learnt=at, last=None), at
        at = next_visit(state, now, pricing)
