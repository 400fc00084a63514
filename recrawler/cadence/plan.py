"""When to come next: the schedule that makes expected delay plus the price of fetches least.

With V[j] the least cost after a visit at time t_j,

    V[j] = min over k > j of  D(j, k) + price + V[k]

where D(j, k) is the expected delay, in item-seconds, of what comes between t_j and t_k. D is linear in t_k
for a given count at j, so that the minima are found on the lower envelope of lines, in linear time.
All indexes share one price, so that the last fetch of each saves the same delay: no other sharing of the same
number of fetches has less delay in sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recrawler.cadence.rate import Model, curve, links_per_day, usual_per_day
from recrawler.cadence.state import DAY, CadenceState

if TYPE_CHECKING:
    from recrawler.cadence.hours import OpenHours
    from recrawler.cadence.state import Floats

PRICE = 80.0  # at fairness 0.5, an index with 24 links a day is visited about every 30 minutes
LEAST_RATE = 0.02  # links a day below which fairness makes no further difference
STEPS, HORIZON = 12, 8  # grid points in an interval, intervals in the plan
LEAST_STEP, MOST_STEP = 60.0, 600.0
MOST_UNSEEN = 3.0 * DAY  # what came earlier without being seen does not hurry more
LEAST_HORIZON, MOST_HORIZON = 1.5 * 3600, 60.0 * 3600


@dataclass(frozen=True, slots=True)
class Pricing:
    """What a visit costs and when it may be; durations in seconds.

    `price`: link-seconds of delay that one fetch is worth; 0 and less: come as often as `min_every` lets.
    `fairness`: 0 counts each link alike, 1 each index. `every`: a fixed interval instead. `weight`: how much
    more a link of this index counts. `crawl_delay`: what robots.txt asks for. `hours`: when visits may be.
    """

    price: float = PRICE
    fairness: float = 0.5
    min_every: float = 60.0
    max_every: float = DAY
    every: float | None = None
    weight: float = 1.0
    crawl_delay: float = 0.0
    hours: OpenHours | None = None

    def of(self, per_day: float) -> float:
        """The price for an index with so many links a day."""
        return float(self.price * max(per_day, LEAST_RATE) ** self.fairness / max(self.weight, 1e-9))


def next_visit(state: CadenceState, now: float, pricing: Pricing) -> float:
    """The unix time of the next visit, within [now + min_every, now + max_every]; opening hours go before the
    latter. What was not seen for failures waits too, so that the visit after one comes no later."""
    least = max(pricing.min_every, pricing.crawl_delay, 1.0)
    most = max(pricing.max_every, least)
    if pricing.every is not None:
        at = now + max(pricing.every, pricing.crawl_delay, 1.0)
    elif pricing.price <= 0.0:
        at = now + least
    else:
        at = min(max(_best(state, now, pricing), now + least), now + most)
    return pricing.hours.open_at(at) if pricing.hours else at


def _best(state: CadenceState, now: float, pricing: Pricing) -> float:
    import numpy as np

    price = pricing.of(usual_per_day(state))
    interval = math.sqrt(2.0 * price / max(links_per_day(state) / DAY, 1e-12))
    step = min(max(interval / STEPS, LEAST_STEP), MOST_STEP)
    horizon = min(max(interval * HORIZON, LEAST_HORIZON), MOST_HORIZON)
    grid = now + step * np.arange(round(horizon / step) + 1)
    if pricing.hours is not None:
        grid = _open(grid.tolist(), pricing.hours)
    if len(grid) < 2:
        return now + step
    start = min(max(state.learnt, now - MOST_UNSEEN), now)
    c = curve(Model.of(state), start, float(grid[-1]))
    items, moments = np.interp(grid, c.times, c.items), np.interp(grid, c.times, c.moments)
    plan = Plan((grid - start).tolist(), items.tolist(), moments.tolist(), price)
    return float(grid[plan.first_stop()])


def _open(grid: list[float], hours: OpenHours) -> Floats:
    """The grid without its closed times, after its first point, and with the openings."""
    import numpy as np

    spans = list(hours.spans(grid[0], grid[-1]))
    inside = [t for t in grid[1:] if any(a <= t <= b for a, b in spans)]
    openings = [a for a, _ in spans if grid[0] < a <= grid[-1]]
    return np.array([grid[0], *sorted({*inside, *openings})])


@dataclass(frozen=True, slots=True)
class Plan:
    """Times at which visits may be, with the items due until then and their moments (see `rate.Curve`)."""

    times: list[float]
    items: list[float]
    moments: list[float]
    price: float

    def first_stop(self) -> int:
        """The first visit, as an index, of the cheapest schedule. What is unseen at times[0] waits too."""
        t, items, moments = self.times, self.items, self.moments
        lines = _Envelope()
        cost = -0.5 * self.price  # the schedule goes on beyond the horizon
        for k in range(len(t) - 1, 0, -1):
            lines.add(t[k], t[k] * items[k] - moments[k] + cost, k)
            cost = self.price + lines.lowest(items[k - 1] if k > 1 else 0.0) + moments[k - 1]
        return lines.best


class _Envelope:
    """Lines height - slope * x, added with ever smaller slopes and asked for the lowest at ever smaller x."""

    def __init__(self) -> None:
        self.slopes: list[float] = []
        self.heights: list[float] = []
        self.names: list[int] = []
        self.head = 0

    @property
    def best(self) -> int:
        return self.names[self.head]

    def add(self, slope: float, height: float, name: int) -> None:
        slopes, heights = self.slopes, self.heights
        while len(slopes) - self.head >= 2 and (heights[-1] - height) * (slopes[-2] - slopes[-1]) >= (
            heights[-2] - heights[-1]
        ) * (slopes[-1] - slope):
            del slopes[-1], heights[-1], self.names[-1]
        slopes.append(slope)
        heights.append(height)
        self.names.append(name)

    def lowest(self, x: float) -> float:
        slopes, heights, head = self.slopes, self.heights, self.head
        low = heights[head] - slopes[head] * x
        while head + 1 < len(slopes) and (other := heights[head + 1] - slopes[head + 1] * x) <= low:
            low, head = other, head + 1
        self.head = head
        return low


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a visit at some time is expected to find: links, and the sum of their delays in seconds."""

    links: float
    delay: float


def forecast(state: CadenceState, now: float, next_at: float) -> Forecast:
    """Of what was not seen by `now` and comes until `next_at`."""
    start = min(max(state.learnt, now - MOST_UNSEEN), now)
    end = max(next_at, start + 1.0)
    c = curve(Model.of(state), start, end)
    links = float(c.items[-1])
    return Forecast(links, max((end - start) * links - float(c.moments[-1]), 0.0))


def expected_delay(state: CadenceState, now: float, next_at: float) -> float:
    """Mean seconds from publication to a visit at `next_at`, over the links that it is expected to find."""
    found = forecast(state, now, next_at)
    return found.delay / found.links if found.links > 0.0 else max(next_at - now, 0.0) / 2.0
