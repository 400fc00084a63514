"""The cadence in words and as a sparkline."""

from __future__ import annotations

import math
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from recrawler.cadence.rate import Model, links_per_day
from recrawler.cadence.state import CadenceState, basis

if TYPE_CHECKING:
    from recrawler.cadence.plan import Pricing

MOST = 0.8  # share of the items that the hours named hold


def per_day(state: CadenceState, now: float) -> float | None:
    """Links a day, lately; null while nothing is known."""
    if basis(state) == "prior":
        return None
    rate = links_per_day(state)
    return float(f"{rate:.3g}")


def profile(state: CadenceState, offset: int = 0) -> list[float]:
    """336 weights of mean 1: how much comes in each half-hour of the week, from Monday 00:00 on the clock
    `offset` seconds east of UTC."""
    import numpy as np

    shift = round((state.offset - offset) / 1800.0)
    values: list[float] = np.roll(Model.of(state).profile, -shift).tolist()
    return values


def explain(
    state: CadenceState, now: float, next_at: float, tz: tzinfo = UTC, pricing: Pricing | None = None
) -> str:
    """One or two sentences: how much is published and when, and why the next visit is when it is."""
    when = _clock(next_at, now, tz)
    return f"{_habit(state, now, tz)}; next visit {when} because {_reason(state, now, next_at, pricing)}"


def _clock(at: float, now: float, tz: tzinfo) -> str:
    there, here = datetime.fromtimestamp(at, tz), datetime.fromtimestamp(now, tz)
    if there.date() == here.date():
        return f"{there:%H:%M}"
    return f"{there:%a %H:%M}" if at - now < 6 * 86400 else f"{there:%Y-%m-%d %H:%M}"


def _habit(state: CadenceState, now: float, tz: tzinfo) -> str:
    rate = per_day(state, now)
    if rate is None:
        return "cadence not known yet"
    hours = _busy(state, now, tz)
    return _amount(rate) + (f", most between {hours}" if hours else "")


def _amount(rate: float) -> str:
    for per, unit in ((1.0, "day"), (7.0, "week"), (30.0, "month")):
        if rate * per >= 1.0 or unit == "month":
            n = rate * per
            if n < 0.75:
                return "less than one item a month"
            number = f"{n:.0f}"
            return f"about {number} item{'s' if number != '1' else ''} a {unit}"
    return ""


def _busy(state: CadenceState, now: float, tz: tzinfo) -> str:
    """The shortest daily span with most of the items, as `08:00 and 19:00 +08:00`; empty where there is none
    of less than 14 hours."""
    zone = datetime.fromtimestamp(now, tz)
    offset = zone.utcoffset()
    week = profile(state, int(offset.total_seconds()) if offset else 0)
    day = [sum(week[h::48]) for h in range(48)]
    total = sum(day)
    best: tuple[int, int] | None = None
    for start in range(48):
        held, length = 0.0, 0
        while held < MOST * total and length < 48:
            held += day[(start + length) % 48]
            length += 1
        if best is None or length < best[1]:
            best = (start, length)
    if best is None or best[1] > 28:
        return ""
    a, b = best[0], (best[0] + best[1]) % 48
    return f"{a // 2:02}:{a % 2 * 30:02} and {b // 2:02}:{b % 2 * 30:02} {zone.isoformat()[-6:]}"


def _reason(state: CadenceState, now: float, next_at: float, pricing: Pricing | None) -> str:
    from recrawler.cadence.plan import forecast

    wait = next_at - now
    if pricing is not None and pricing.every is not None:
        return "its interval is fixed"
    if pricing is not None and wait <= max(pricing.min_every, pricing.crawl_delay) + 1.0:
        return "it may not be visited sooner"
    if basis(state) == "prior":
        return "nothing has been learnt of it so far"
    if pricing is not None and wait >= pricing.max_every - 1.0:
        return "so little comes that only the longest interval is due"
    found = forecast(state, now, next_at)
    mean = links_per_day(state) * wait / 86400.0
    ratio = found.links / mean if mean > 0 else 1.0
    pace = "a busy time" if ratio > 1.3 else "a quiet time" if ratio < 0.7 else "its usual pace"
    items = "item is" if found.links < 1.5 else "items are"
    return f"{_number(found.links)} new {items} expected by then, at {pace}"


def _number(n: float) -> str:
    return (
        f"{n:.0f}"
        if n >= 9.5
        else f"{n:.1f}"
        if n >= 0.05
        else f"{max(n, 0.0):.2g}"
        if not math.isnan(n)
        else "0"
    )
