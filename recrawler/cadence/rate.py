"""The rate model: how many items are expected in each minute to come.

    rate(u) = level * profile[half-hour of the week] * five[5 minutes of the day] * minute[of the hour]
              * age(time since the last item) * items per episode

The level is a Gamma-Poisson count over the profile-weighted time watched, averaged over three memories by how
well each predicted lately. Every other factor is a ratio (seen + k) / (due + k) of episodes seen to episodes
due by the factors before it, so that without evidence each is one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
    from numpy.typing import NDArray

    Floats = NDArray[Any]

HALF_LIFE = 28.0 * DAY  # of the tables
FIT_HALF_LIFE = 10.0 * DAY  # of the memories' log-likelihoods
FIT_WEIGHT = 0.25  # they are tempered by
AGES = (120.0, 600.0, 1800.0, 3600.0, 7200.0, 14400.0, 28800.0, 57600.0, 115200.0)  # bounds, seconds
K_HOUR, K_DAY, K_CLASS, K_WEEK, K_FIVE, K_MINUTE, K_AGE = 1.0, 4.0, 2.0, 4.0, 8.0, 16.0, 4.0
MONDAY = 3 * 1440  # minutes from the Monday before to the epoch, a Thursday


@dataclass
class Model:
    """A state's tables as arrays, with the factors that follow from them."""

    state: CadenceState
    tables: dict[str, Floats]
    profile: Floats  # 336, mean 1
    clock: Floats  # 1440, by minute of the day
    five: Floats  # 288
    age: Floats  # 10

    @classmethod
    def of(cls, state: CadenceState) -> Model:
        tables = {name: unpack(state.tables.get(name, ""), size) for name, size in TABLES.items()}
        return cls.fit(state, tables)

    @classmethod
    def fit(cls, state: CadenceState, tables: dict[str, Floats]) -> Model:
        import numpy as np

        five = _five(tables)
        minute = (tables["minute"] + K_MINUTE) / (tables["minute_due"] + K_MINUTE)
        clock = np.repeat(five, 5) * np.tile(minute, 24)
        age = (tables["age"] + K_AGE) / (tables["age_due"] + K_AGE)
        return cls(state, tables, week_profile(tables["week"], tables["week_due"]), clock, five, age)

    def packed(self) -> dict[str, str]:
        return {name: text for name, values in self.tables.items() if (text := pack(values))}


def _five(tables: dict[str, Floats]) -> Floats:
    import numpy as np

    seen, due = tables["five"], tables["five_due"]
    seen = seen + 0.5 * (np.roll(seen, 1) + np.roll(seen, -1))
    due = due + 0.5 * (np.roll(due, 1) + np.roll(due, -1))
    ratio: Floats = (seen + K_FIVE) / (due + K_FIVE)
    return ratio


def week_profile(seen: Floats, watched: Floats) -> Floats:
    """The shrinkage chain: flat, half-hour of day, kind of day, day, half-hour of the kind, of the week."""
    import numpy as np

    total, time = seen.sum(), watched.sum()
    if total <= 0.0 or time <= 0.0:
        return np.ones(len(seen))
    c = seen.reshape(7, 48)
    due = (watched * (total / time)).reshape(7, 48)
    hour_c, hour_d = _smooth(c.sum(axis=0)), _smooth(due.sum(axis=0))
    f = np.tile((hour_c + K_HOUR) / (hour_d + K_HOUR), (7, 1))
    x = due * f
    f *= _days((c.sum(axis=1)), x.sum(axis=1))[:, None]
    x = due * f
    for days in (slice(0, 5), slice(5, 7)):
        f[days] *= (c[days].sum(axis=0) + K_CLASS) / (x[days].sum(axis=0) + K_CLASS)
    x = due * f
    f *= (c + K_WEEK) / (x + K_WEEK)
    flat: Floats = f.reshape(-1) / f.mean()
    return flat


def _smooth(values: Floats) -> Floats:
    import numpy as np

    smooth: Floats = 0.5 * values + 0.25 * (np.roll(values, 1) + np.roll(values, -1))
    return smooth


def _days(seen: Floats, due: Floats) -> Floats:
    import numpy as np

    kind = np.empty(7)
    for days in (slice(0, 5), slice(5, 7)):
        kind[days] = (seen[days].sum() + K_DAY) / (due[days].sum() + K_DAY)
    ratio: Floats = kind * (seen + K_DAY) / (due * kind + K_DAY)
    return ratio


def level(state: CadenceState) -> float:
    """Episodes a day, at the profile's mean."""
    top = max(state.fit)
    total = weight = 0.0
    for count, days, fit in zip(state.counts, state.days, state.fit, strict=True):
        w = math.exp(FIT_WEIGHT * (fit - top))
        total += w * (count + PRIOR_EPISODES) / (days + PRIOR_DAYS)
        weight += w
    return total / weight


def links_per_day(state: CadenceState) -> float:
    return level(state) * links_per_episode(state)


@dataclass(frozen=True, slots=True)
class Minutes:
    """The clock minutes that a span of time touches, the first and the last in part."""

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
        return cls(first, length, (clock // 30) % 336, clock % 1440)

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
    base = span.length * model.profile[span.slot] * model.clock[span.day] * (level(state) / 1440.0)
    if state.last is not None:
        unseen = np.cumsum(base)
        known = np.exp(-(unseen - 0.5 * base))
        base = base * (known * model.age[span.ages(np.array([state.last]))] + 1.0 - known)
    base *= links_per_episode(state)
    ends = np.cumsum(span.length) * 60.0
    items = np.concatenate(([0.0], np.cumsum(base)))
    moments = np.concatenate(([0.0], np.cumsum(base * (ends - span.length * 30.0))))
    return Curve(np.concatenate(([0.0], ends)) + start, items, moments)
