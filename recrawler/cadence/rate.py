"""The rate model: how many items are expected in each minute to come.

    rate(u) = level * profile[half-hour of the week] * five[5 minutes of the day] * minute[of the hour]
              * age(time since the last item) * items per episode

The level is a Gamma-Poisson count over the profile-weighted time watched, averaged over four memories by how
well each predicted lately. Every other factor is a ratio (seen + k) / (due + k) of episodes seen to episodes
due by the factors before it, so that without evidence each is one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from recrawler.cadence.state import (
    DAY,
    PRIOR_DAYS,
    PRIOR_EPISODES,
    TABLES,
    CadenceState,
    links_per_episode,
    pack,
    unpack,
)

if TYPE_CHECKING:
    from recrawler.cadence.state import Floats

HALF_LIFE = 28.0 * DAY  # of the tables
FIT_HALF_LIFE = 0.75 * DAY  # of the memories' log-likelihoods: a change of regime is believed in hours
AGES = (120.0, 600.0, 1800.0, 3600.0, 7200.0, 14400.0, 28800.0, 57600.0, 115200.0)  # bounds, seconds
# Pseudo-counts, in episodes: how many it takes until a factor is half believed. Those with little evidence of
# their own; see `believed`.
K_BROAD, K_HOUR, K_DAY, K_KIND, K_WEEK, K_FIVE, K_MINUTE, K_AGE = 1.0, 2.0, 4.0, 4.0, 8.0, 8.0, 24.0, 10.0
EVIDENCE, LEAST_K, MOST_K = 20.0, 0.3, 50.0
K_MEMORY = 2.0
USUAL = 2  # the memory that tells how large an index is
BROAD = 8.0  # half-hours: the width (sigma) of the first look at the day
MONDAY = 3 * 1440  # minutes from the Monday before to the epoch, a Thursday


def _places() -> dict[str, slice]:
    ends = list(accumulate(TABLES.values()))
    return {name: slice(end - size, end) for (name, size), end in zip(TABLES.items(), ends, strict=True)}


_PLACES = _places()


class Model:
    """A state with its tables as one array, and the factors of the rate that follow from them."""

    def __init__(self, state: CadenceState, values: Floats) -> None:
        self.state = state
        self.values = values  # all tables, end to end

    @classmethod
    def of(cls, state: CadenceState) -> Model:
        return cls(state, unpack(state.scales, state.tables))

    def closed(self) -> CadenceState:
        """The state with the tables written into it."""
        scales, tables = pack(self.values)
        return replace(self.state, scales=scales, tables=tables)

    def table(self, name: str) -> Floats:
        """A view: what is added to it is added to the model."""
        return self.values[_PLACES[name]]

    def both(self, name: str) -> Floats:
        """What was seen and what was due, as two rows."""
        import numpy as np

        rows: Floats = np.stack((self.table(name), self.table(f"{name}_due")))
        return rows

    @cached_property
    def level(self) -> float:
        return level(self.state)

    @cached_property
    def profile(self) -> Floats:
        """336 factors of mean 1."""
        return week_profile(self.table("week"), self.table("week_due"))

    @cached_property
    def five(self) -> Floats:
        """288 factors; neighbours count half."""
        both = self.both("five")
        return _shrunk(_spread(both), believed(both, K_FIVE))

    @cached_property
    def clock(self) -> Floats:
        """1440 factors by minute of the day, `five` among them."""
        import numpy as np

        minute = _shrunk(self.both("minute"), K_MINUTE)  # a site may round what it shows: never believed soon
        whole: Floats = (np.repeat(self.five, 5).reshape(24, 60) * minute).reshape(-1)
        return whole

    @cached_property
    def age(self) -> Floats:
        """10 factors. The last is one: that a long silence goes on is for the level to say, and it alone."""
        ratio: Floats = (self.table("age") + K_AGE) / (self.table("age_due") + K_AGE)
        ratio[-1] = 1.0
        return ratio


def _spread(values: Floats, share: float = 0.5) -> Floats:
    """Each value with `share` of both its neighbours, round the clock (along the last axis)."""
    import numpy as np

    ring = np.concatenate((values[..., -1:], values, values[..., :1]), axis=-1)
    wide: Floats = values + share * (ring[..., :-2] + ring[..., 2:])
    return wide


@cache
def _broad() -> Floats:
    """A bell round the clock for each half-hour of the day."""
    import numpy as np

    apart = np.arange(48)
    bell = np.exp(-0.5 * (np.minimum(apart, 48 - apart) / BROAD) ** 2)
    circle: Floats = bell[(apart[:, None] - apart[None, :]) % 48]
    return circle


def week_profile(seen: Floats, due: Floats) -> Floats:
    """336 factors of mean 1, from the broad shape of the day to the half-hour of the week.

    Each step is a ratio of what was seen to what the steps before it make due, shrunk towards one: a bell of
    some hours, half-hours of the day, kinds of day and days, half-hours of working days and of week-ends,
    half-hours of the week. With the twenty dates of a first page the broad steps alone speak.
    """
    import numpy as np

    total, flat = float(seen.sum()), float(due.sum())
    if total <= 0.0 or flat <= 0.0:
        return np.ones(len(seen))
    both = np.stack((seen, due * (total / flat))).reshape(2, 7, 48)
    hours = both.sum(axis=1)
    f = _shrunk(hours @ _broad(), K_BROAD)
    hours[1] *= f
    f = f * _shrunk(_spread(hours), 2.0 * believed(hours, K_HOUR))
    shape = f * _days(both[0].sum(axis=1), both[1] @ f)[:, None]
    both[1] *= shape
    kinds = np.stack((both[:, :5].sum(axis=1), both[:, 5:].sum(axis=1)), axis=1)
    each = np.repeat(_shrunk(_spread(kinds, 1.0), 3.0 * believed(kinds, K_KIND)), (5, 2), axis=0)
    both[1] *= each
    shape *= each * _shrunk(both, K_WEEK)  # one busy hour is no weekly habit: not believed soon
    week: Floats = shape.reshape(-1) / (shape.sum() / shape.size)
    return week


def believed(both: Floats, k: float) -> float:
    """The pseudo-count that the counts themselves ask for; `k` where they are few.

    If the true ratios of the bins vary as a Gamma of mean 1 and shape K, then what was seen varies about what
    was due by due + due^2 / K: the moments give K. A list that keeps office hours is believed soon, and one
    that comes evenly is kept flat (empirical Bayes).
    """
    seen, due = both
    due = due * (seen.sum() / max(due.sum(), 1e-9))
    spread = max(float(((seen - due) ** 2 - due).sum()), 0.0)
    return min(max((float((due * due).sum()) + EVIDENCE) / (spread + EVIDENCE / k), LEAST_K), MOST_K)


def _shrunk(both: Floats, k: float) -> Floats:
    ratio: Floats = (both[0] + k) / (both[1] + k)
    return ratio


def _days(seen: Floats, due: Floats) -> Floats:
    """Factors of the seven days: of working days and week-ends first, then of each."""
    import numpy as np

    c, x = seen.tolist(), due.tolist()
    kinds = [(sum(c[a:b]) + K_DAY) / (sum(x[a:b]) + K_DAY) for a, b in ((0, 5), (5, 7))]
    kind = [kinds[day >= 5] for day in range(7)]
    return np.array([k * (s + K_DAY) / (d * k + K_DAY) for k, s, d in zip(kind, c, x, strict=True)])


def memory_rates(state: CadenceState) -> list[float]:
    """Episodes a day by each memory, each shrunk towards the next longer one."""
    rates: list[float] = []
    count, days = PRIOR_EPISODES, PRIOR_DAYS
    for seen, watched in zip(reversed(state.counts), reversed(state.days), strict=True):
        rates.append((seen + count) / (watched + days))
        count, days = K_MEMORY, K_MEMORY / rates[-1]
    return rates[::-1]


def level(state: CadenceState) -> float:
    """Episodes a day, at the profile's mean: the memories, weighted by how well each predicted of late."""
    weights = [math.exp(fit - max(state.fit)) for fit in state.fit]
    rates = memory_rates(state)
    return sum(w * r for w, r in zip(weights, rates, strict=True)) / sum(weights)


def links_per_day(state: CadenceState) -> float:
    """Links a day at this moment's level; it moves within hours."""
    return level(state) * links_per_episode(state)


def usual_per_day(state: CadenceState) -> float:
    """Links a day over the last week or so: how large an index is, whatever it does today."""
    return memory_rates(state)[USUAL] * links_per_episode(state)


@dataclass(frozen=True, slots=True)
class Minutes:
    """The clock minutes that a span of time touches, the first and the last in part."""

    since: float
    until: float
    first: int  # minutes since the epoch
    length: Floats  # of each, in minutes
    slot: Floats  # half-hour of the week
    day: Floats  # minute of the day

    @classmethod
    def of(cls, since: float, until: float, offset: int) -> Minutes:
        import numpy as np

        first, end = math.floor(since / 60.0), math.ceil(until / 60.0)
        length = np.ones(max(end - first, 1))
        length[0] -= since / 60.0 - first
        length[-1] -= max(end, first + 1) - until / 60.0
        clock = np.arange(first, first + len(length)) + (offset // 60 + MONDAY)
        return cls(since, until, first, length, (clock // 30) % 336, clock % 1440)

    def index(self, when: float) -> int:
        return min(max(math.floor(when / 60.0) - self.first, 0), len(self.length) - 1)

    def ages(self, known: Floats) -> Floats:
        """The age class of each minute, given the ascending times of known items."""
        import numpy as np

        middle = (np.arange(self.first, self.first + len(self.length)) + 0.5) * 60.0
        before = np.searchsorted(known, middle, side="right") - 1
        known = np.concatenate(([-math.inf], known))
        age = middle - known[before + 1]
        classes: Floats = np.searchsorted(AGES, age, side="right")
        return classes


@dataclass(frozen=True, slots=True)
class Curve:
    """Expected items since `start`, cumulative: `items[i]` until `times[i]`; `moments` is the integral of
    rate(u) * (u - start) in item-seconds."""

    times: Floats
    items: Floats
    moments: Floats


def curve(model: Model, start: float, end: float) -> Curve:
    """What is expected from `start`, until when everything is known, to `end`."""
    import numpy as np

    state = model.state
    span = Minutes.of(start, end, state.offset)
    base = span.length * model.profile[span.slot] * model.clock[span.day] * (model.level / 1440.0)
    if state.last is not None:
        unseen = np.cumsum(base)
        known = np.exp(-(unseen - 0.5 * base))
        base = base * (known * model.age[span.ages(np.array([state.last]))] + 1.0 - known)
    base *= links_per_episode(state)
    ends = np.cumsum(span.length) * 60.0
    items = np.concatenate(([0.0], np.cumsum(base)))
    moments = np.concatenate(([0.0], np.cumsum(base * (ends - span.length * 30.0))))
    return Curve(np.concatenate(([0.0], ends)) + start, items, moments)
