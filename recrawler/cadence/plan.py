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

from recrawler.cadence.rate import Curve, Model, curve, links_per_day
from recrawler.cadence.state import DAY, CadenceState

if TYPE_CHECKING:
    from recrawler.cadence.hours import OpenHours

PRICE = 92.0  # at fairness 0.5, an index with 24 links a day is visited about every 30 minutes
LEAST_RATE = 0.02  # links a day below which fairness makes no further difference
STEPS, HORIZON = 12, 6  # grid points in an interval, intervals in the plan
LEAST_STEP, MOST_STEP = 60.0, 600.0
LEAST_HORIZON, MOST_HORIZON = 1.5 * 3600, 30.0 * 3600


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
    """The unix time of the next visit, within [now + min_every, now + max_every] (opening hours may move it
    on)."""
    least = max(pricing.min_every, pricing.crawl_delay, 1.0)
    most = max(pricing.max_every, least)
    if pricing.every is not None:
        wait = max(pricing.every, pricing.crawl_delay, 1.0)
    elif pricing.price <= 0.0:
        wait = least
    else:
        wait = min(max(_best(state, now, pricing), least), most)
    return pricing.hours.open_at(now + wait) if pricing.hours else now + wait


def _best(state: CadenceState, now: float, pricing: Pricing) -> float:
    import numpy as np

    rate = links_per_day(state)
    price = pricing.of(rate)
    interval = math.sqrt(2.0 * price / max(rate / DAY, 1e-12))
    step = min(max(interval / STEPS, LEAST_STEP), MOST_STEP)
    horizon = min(max(interval * HORIZON, LEAST_HORIZON), MOST_HORIZON)
    start = min(max(state.learnt, now - 3 * DAY), now)
    c = curve(Model.of(state), start, now + horizon)
    at = now + step * np.arange(round(horizon / step) + 1)
    return step * _first_stop(*_on(c, at), price)


def _on(c: Curve, at: object) -> tuple[list[float], list[float], list[float]]:
    import numpy as np

    times = np.asarray(at, dtype=float)
    items, moments = np.interp(times, c.times, c.items), np.interp(times, c.times, c.moments)
    return (times - c.times[0]).tolist(), items.tolist(), moments.tolist()


def _first_stop(t: list[float], items: list[float], moments: list[float], price: float) -> int:
    """The first grid point of the cheapest schedule. What is unseen at t[0] waits too."""
    slopes: list[float] = []  # lines height - slope * x, steepest first: those lowest for some x to come
    heights: list[float] = []
    names: list[int] = []
    head = 0
    cost = -0.5 * price  # the schedule goes on beyond the horizon
    for k in range(len(t) - 1, 0, -1):
        slope, height = t[k], t[k] * items[k] - moments[k] + cost
        while len(slopes) - head >= 2 and not (
            (heights[-1] - height) * (slopes[-2] - slopes[-1])
            < (heights[-2] - heights[-1]) * (slopes[-1] - slope)
        ):
            del slopes[-1], heights[-1], names[-1]
        slopes.append(slope)
        heights.append(height)
        names.append(k)
        x = items[k - 1] if k > 1 else 0.0
        while (
            head + 1 < len(slopes)
            and heights[head + 1] - slopes[head + 1] * x <= heights[head] - slopes[head] * x
        ):
            head += 1
        cost = price + heights[head] - slopes[head] * x + moments[k - 1]
    return names[head]


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a visit at some time is expected to find: links, and the sum of their delays in seconds."""

    links: float
    delay: float


def forecast(state: CadenceState, now: float, next_at: float) -> Forecast:
    """Of what was not seen by `now` and comes until `next_at`."""
    start = min(max(state.learnt, now - 3 * DAY), now)
    end = max(next_at, start + 1.0)
    c = curve(Model.of(state), start, end)
    links = float(c.items[-1])
    return Forecast(links, max((end - start) * links - float(c.moments[-1]), 0.0))


def expected_delay(state: CadenceState, now: float, next_at: float) -> float:
    """Mean seconds from publication to a visit at `next_at`, over the links that it is expected to find."""
    found = forecast(state, now, next_at)
    return found.delay / found.links if found.links > 0.0 else max(next_at - now, 0.0) / 2.0
