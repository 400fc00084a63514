"""One price for all indexes, moved so that what is spent on fetches meets a budget.

Fetches go with price ^ -1/2, so that fetches * price ^ 1/2 is a demand that the price does not change. It has
a rhythm of the week, which is learnt: in a steady week the price stands still while the spending follows the
news, and only what departs from the plan is made up for, within a day or so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

HOUR = 3600.0
WEEK = 168
MAKE_UP = 12.0  # hours in which what was spent too much or too little is made up for
FOLLOW = 24.0  # hours over which the demand is averaged
LEARN = 0.3  # weight of this week in the rhythm
CHANGE = 0.2  # log of how far a day's demand is from the week's when it changes
MOST = 0.5  # the share of the budget that making up may take or give
SWING = 1e4  # how far the price may go from the one it was given


@dataclass(frozen=True)
class PriceController:
    """The price (link-seconds a fetch) under a budget (fetches an hour), and what it was set by.

    Pure, and JSON through msgspec. Call `spent` with what was fetched since the last call, at least once an
    hour while the daemon runs; hours without a call are taken as time off, not as thrift.
    """

    budget: float
    price: float
    start: float = 0.0  # the price it began with, under this budget
    began: float = 0.0  # since when `now_spent` counts
    seen: float = 0.0  # the time of the last call
    now_spent: float = 0.0
    hours: int = 0  # learnt
    scale: float = 0.0  # demand lately, relative to the rhythm
    week: tuple[float, ...] = ()  # demand of the last hours by hour of the week; 0: not seen yet
    owed: float = 0.0  # fetches above the plan so far
    rhythm: tuple[float, ...] = ()  # demand by hour of the week, of mean 1; none in the first week
    paid: tuple[float, ...] = ()  # fetches an hour in the hours of the last week that it ran, the latest last

    def spent(self, now: float, fetches: float) -> PriceController:
        """After `fetches` requests since the last call; the price moves at the turn of each hour."""
        end = (math.floor(self.seen / HOUR) + 1.0) * HOUR
        if self.seen == 0.0 or now < self.seen or now >= end + HOUR:
            start = self.start or self.price
            return replace(self, start=start, began=now, seen=now, now_spent=float(fetches))
        if now < end:
            return replace(self, seen=now, now_spent=self.now_spent + fetches)
        share = (end - self.seen) / max(now - self.seen, 1e-9)
        turned = self._turn(end, self.now_spent + fetches * share)
        return replace(turned, began=end, seen=now, now_spent=fetches * (1.0 - share))

    def with_budget(self, budget: float) -> PriceController:
        """The same demand under another budget: the price moves at once, and its bounds with it."""
        dearer = (self.budget / budget) ** 2
        start = (self.start or self.price) * dearer
        return replace(self, budget=budget, price=self.price * dearer, start=start, owed=0.0)

    def _turn(self, end: float, spent: float) -> PriceController:
        """Learn the hour that ended."""
        length = end - self.began
        if length < HOUR / 2:
            return self
        hour = int(self.began // HOUR) % WEEK
        share = length / HOUR
        demand = max(spent / share, 0.01 * self.budget) * math.sqrt(self.price)
        scale, whole = self.scale or self.budget * math.sqrt(self.price), self._whole()
        known = any(self.week[hour % 24 :: 24])
        plan = self.budget * whole[hour] if known else self.budget
        owed = self.owed + (spent - plan * share) * (1.0 if known else 0.5)
        surprise = max(min(math.log(demand / (scale * whole[hour])), 1.0), -1.0)
        scale *= math.exp(surprise / min(FOLLOW, self.hours + 1.0))
        week = list(self.week or (0.0,) * WEEK)
        week[hour] = demand
        paid = (*self.paid[1 - WEEK :], spent / share)
        turned = replace(self, hours=self.hours + 1, scale=scale, owed=owed, week=tuple(week), paid=paid)
        rhythm = turned._rhythm(hour)
        turned = replace(turned, rhythm=rhythm, owed=owed if bool(rhythm) == bool(self.rhythm) else 0.0)
        return replace(turned, price=turned._price())

    def _whole(self) -> tuple[float, ...]:
        """The rhythm, or as much as the first week shows of it."""
        return self.rhythm or _level(_filled(self.week or (0.0,) * WEEK))

    def _rhythm(self, hour: int) -> tuple[float, ...]:
        """The rhythm after this hour: relative to its week, or to the last day while the demand changes."""
        if not self.rhythm:
            return _level(self.week) if all(self.week) else ()
        mean = sum(self.week) / WEEK
        mean = self.scale if abs(math.log(self.scale / mean)) > CHANGE else mean
        rhythm = list(self.rhythm)
        rhythm[hour] += LEARN * (self.week[hour] / mean - rhythm[hour])
        return _level(rhythm)

    def _price(self) -> float:
        """The price at which the week's demand meets the budget, with what is owed."""
        made_up = max(min(self.owed / (MAKE_UP * self.budget), MOST), -MOST)
        price = (self.scale / (self.budget * (1.0 - made_up))) ** 2
        return min(max(price, self.start / SWING), self.start * SWING)


def _filled(week: Sequence[float]) -> list[float]:
    """A week with the hours not seen yet as on other days, or else as all others."""
    seen = [x for x in week if x]
    rest = fmean(seen) if seen else 1.0
    days = [[x for x in week[hour::24] if x] for hour in range(24)]
    means = [fmean(day) if day else rest for day in days]
    return [x or means[hour % 24] for hour, x in enumerate(week)]


def _level(week: Sequence[float]) -> tuple[float, ...]:
    mean = sum(week) / len(week)
    return tuple(x / mean for x in week)
