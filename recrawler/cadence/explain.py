"""The cadence in words and as a sparkline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from statistics import fmean

from recrawler.cadence.plan import Pricing, forecast
from recrawler.cadence.rate import Model, memory_rates, usual_per_day
from recrawler.cadence.state import DAY, CadenceState, basis, links_per_episode

MOST = 0.8  # share of the items that the hours named hold
FEW = 0.3  # of the working days' items at the weekend, for it to be told
LONGEST = 28  # half-hours: a longer span is no habit
SILENT, UNHEARD = 4.0 * DAY, 30.0  # a silence so long, in which so much would have been expected, is told
BLOCKS = "▁▂▃▄▅▆▇█"


def per_day(state: CadenceState, now: float) -> float | None:
    """Links a day over the last week or so; null while nothing is known."""
    if basis(state) == "prior":
        return None
    return float(f"{usual_per_day(state):.3g}")


def silence(state: CadenceState, now: float) -> str:
    """What is said of an index that has published nothing for far longer than it ever did; empty: nothing. A
    holiday is told too: a page that shows robots an old list looks the same."""
    if state.last is None or now - state.last < SILENT:
        return ""
    days, rate = (now - state.last) / DAY, memory_rates(state)[-1]
    if days * rate < UNHEARD:
        return ""
    return (
        f"nothing new for {days:.0f} days, where about {rate * links_per_episode(state):.2g} links a day came"
    )


def profile(state: CadenceState, offset: int = 0) -> list[float]:
    """336 weights of mean 1: how much comes in each half-hour of the week, from Monday 00:00 on the clock
    `offset` seconds east of UTC."""
    import numpy as np

    shift = round((state.offset - offset) / 1800.0)
    values: list[float] = np.roll(Model.of(state).profile, -shift).tolist()
    return values


def explain(
    state: CadenceState,
    now: float,
    next_at: float,
    tz: tzinfo = UTC,
    pricing: Pricing | None = None,
    home: tzinfo | None = None,
) -> str:
    """One or two sentences: how much is published and when, and why the next visit is when it is.

    `tz` is the reader's clock, `home` the one that the site lives by, where it is another."""
    when = _clock(next_at, now, tz)
    why = _reason(state, now, next_at, pricing)
    return f"{_habit(state, now, home or tz)}; next visit {when} because {why}"


def _clock(at: float, now: float, tz: tzinfo) -> str:
    there, here = datetime.fromtimestamp(at, tz), datetime.fromtimestamp(now, tz)
    if there.date() == here.date():
        return f"{there:%H:%M}"
    return f"{there:%a %H:%M}" if at - now < 6 * 86400 else f"{there:%Y-%m-%d %H:%M}"


def _habit(state: CadenceState, now: float, tz: tzinfo) -> str:
    rate = per_day(state, now)
    if rate is None:
        return "cadence not known yet"
    zone = datetime.fromtimestamp(now, tz)
    week = profile(state, int((zone.utcoffset() or timedelta()).total_seconds()))
    hours = _busy(week)
    told = _amount(rate) + (f", most between {hours} {zone.isoformat()[-6:]}" if hours else "")
    return told + (", few at the weekend" if fmean(week[240:]) < FEW * fmean(week[:240]) else "")


def _amount(rate: float) -> str:
    for per, unit in ((1.0, "day"), (7.0, "week"), (30.0, "month")):
        if rate * per >= 1.0 or unit == "month":
            n = rate * per
            if n < 0.75:
                return "less than one item a month"
            number = f"{n:.0f}"
            return f"about {number} item{'s' if number != '1' else ''} a {unit}"
    return ""


def _busy(week: Sequence[float]) -> str:
    """The shortest daily span with most of the items, as `08:00 and 19:00`; empty where there is none of less
    than 14 hours."""
    day = [sum(week[h::48]) for h in range(48)]
    length, start = min((_held(day, start), start) for start in range(48))
    if length > LONGEST:
        return ""
    end = (start + length) % 48
    return f"{start // 2:02}:{start % 2 * 30:02} and {end // 2:02}:{end % 2 * 30:02}"


def _held(day: Sequence[float], start: int) -> int:
    """Half-hours from `start` on until most of the day's items have come."""
    held, length = 0.0, 0
    while held < MOST * sum(day) and length < 48:
        held += day[(start + length) % 48]
        length += 1
    return length


def _reason(state: CadenceState, now: float, next_at: float, pricing: Pricing | None) -> str:
    if state.failures:
        return f"the last {'visit' if state.failures == 1 else f'{state.failures} visits'} failed"
    if pricing is not None and (bound := _bound(now, next_at, pricing)):
        return bound
    if basis(state) == "prior":
        return "nothing has been learnt of it so far"
    found = forecast(state, now, next_at)
    usual = usual_per_day(state) * max(next_at - now, 1.0) / DAY
    if found.links >= 1.5:
        due = f"about {found.links:.0f} new items are expected by then"
    else:
        chance = 1.0 - math.exp(-found.links / links_per_episode(state))
        due = f"the chance of a new item by then is {chance:.0%}"
    if found.links > 1.3 * usual:
        return f"{due}, at a busy time"
    return f"{due}, at a quiet time" if found.links < 0.7 * usual else due


def _bound(now: float, next_at: float, pricing: Pricing) -> str:
    """What sets the time where it is not the expected items."""
    wait = next_at - now
    if pricing.hours is not None and pricing.hours.open_at(next_at - 1.0) > next_at - 1.0:
        return "visits are not open before"
    if pricing.every is not None:
        return "its interval is fixed"
    if wait <= max(pricing.min_every, pricing.crawl_delay) + 1.0:
        return "it may not be visited sooner"
    if wait >= pricing.max_every - 1.0:
        return "so little comes that the longest interval is due"
    return ""


def sparkline(weights: Sequence[float], width: int = 56) -> str:
    """The weights as a row of `width` blocks, the highest at the largest (56: three hours of a week each)."""
    if not weights or width < 1:
        return ""
    cuts = [round(i * len(weights) / width) for i in range(width + 1)]
    means = [fmean(weights[a : max(b, a + 1)]) for a, b in pairwise(cuts)]
    top = max(means) or 1.0
    return "".join(BLOCKS[min(int(m / top * len(BLOCKS)), len(BLOCKS) - 1)] for m in means)
