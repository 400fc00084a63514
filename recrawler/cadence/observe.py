"""What a visit teaches: the first look at a page's dates, and every visit after it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recrawler.cadence.rate import (
    FIT_HALF_LIFE,
    HALF_LIFE,
    Minutes,
    Model,
    level,
)
from recrawler.cadence.state import DAY, MEMORIES, PRIOR_DAYS, PRIOR_EPISODES, CadenceState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

EPISODE = 120.0  # items closer than this belong together
FINE_GAP = 900.0  # undated items found within this gap tell the time of day to five minutes
LOOK_BACK = 84 * DAY  # older dates of a first page say nothing of today
SLACK = 300.0  # a site's clock may differ from ours by so much
STEP = DAY  # the most that is learnt at once
COARSE = frozenset({"day"})


def first(
    published: Sequence[float] | None,
    links: int,
    now: float,
    *,
    precision: str | None = None,
    tz_offset: int = 0,
) -> CadenceState:
    """The cadence after the first visit, from the dates of the page's links (unix seconds, any order).

    `links` is how many links the page shows. `precision` is the coarsest of the dates' ("day": the hour is
    unknown). `tz_offset`: seconds east of UTC of the clock that the site lives by, where it is known.
    """
    state = CadenceState(born=now, learnt=now, offset=_quarter(tz_offset), visits=1)
    times = usable(published, now)
    if len(times) < 2:
        return state
    state = replace(state, born=times[0], learnt=times[0], last=times[0])
    if precision in COARSE:
        return _learn_counts(state, now, len(times) - 1)
    return _learn_dates(state, now, times[1:])


def visited(
    state: CadenceState,
    now: float,
    published: Sequence[float] | None,
    links: int,
    *,
    precision: str | None = None,
    tz_offset: int | None = None,
    complete: bool = True,
) -> CadenceState:
    """The cadence after a later visit that found `links` new ones; `published` has the dates of those that
    show one. Dates outside the time since the visit before say only that the link is new.

    `complete` is false where links may have been missed: silence before the oldest one found is not learnt.
    """
    state = replace(state, visits=state.visits + 1, failures=0)
    if tz_offset is not None and _quarter(tz_offset) != state.offset:
        state = _turned(state, _quarter(tz_offset))
    links = max(links, 0)
    times = [] if precision in COARSE else _within(published, state.learnt, now)
    times = times[:links] if links else times
    if not complete:
        state = replace(state, learnt=max(state.learnt, min(times, default=now)))
    if now <= state.learnt:
        return state
    undated = max(links - len(times), 0)
    if not undated and published is not None and precision not in COARSE:
        return _learn_dates(state, now, times)
    return _learn_counts(state, now, links)


def failed(state: CadenceState, now: float) -> CadenceState:
    """The cadence after a visit that read no list: nothing is learnt, least of all silence."""
    return replace(state, failures=state.failures + 1)


def usable(published: Sequence[float] | None, now: float) -> list[float]:
    """The dates of a first page that tell a cadence, ascending; none where they tell nothing.

    Left out are dates in the future, older than twelve weeks, and an old straggler (a pinned article); a page
    whose dates are all the same (its build time, a bulk import) has none.
    """
    times = sorted(t for t in published or () if math.isfinite(t) and now - LOOK_BACK <= t <= now + SLACK)
    times = [min(t, now) for t in times]
    while len(times) > 3 and times[1] - times[0] > max(
        0.5 * (now - times[0]), 8 * (now - times[1]) / len(times)
    ):
        times = times[1:]
    if not times or times[-1] - times[0] < EPISODE:
        return []
    return times


def _within(published: Sequence[float] | None, since: float, now: float) -> list[float]:
    times = (t for t in published or () if math.isfinite(t) and since - SLACK <= t <= now + SLACK)
    return sorted(min(max(t, since), now) for t in times)


def _quarter(offset: int) -> int:
    return int(offset // 900 * 900)


def _turned(state: CadenceState, offset: int) -> CadenceState:
    """The same local habits under another offset, such as daylight saving's."""
    return replace(state, offset=offset)


def _learn_dates(state: CadenceState, now: float, times: Sequence[float]) -> CadenceState:
    model = Model.of(state)
    rest = list(times)
    while model.state.learnt < now:
        until = min(now, model.state.learnt + STEP)
        part = [t for t in rest if t <= until]
        rest = rest[len(part) :]
        model = _step(model, until, part)
    return replace(model.state, tables=model.packed())


def _learn_counts(state: CadenceState, now: float, links: int) -> CadenceState:
    model = Model.of(state)
    total = now - state.learnt
    while model.state.learnt < now:
        until = min(now, model.state.learnt + STEP)
        share = links * (until - model.state.learnt) / total
        model = _step_counted(model, until, share)
    last = now - total / (links + 1) if links else state.last
    return replace(model.state, tables=model.packed(), last=last)


def _episodes(times: Sequence[float], last: float | None) -> list[float]:
    starts = []
    for t in times:
        if last is None or t - last >= EPISODE:
            starts.append(t)
        last = t
    return starts


def _step(model: Model, until: float, times: Sequence[float]) -> Model:
    """Learn a span whose items all have a time."""
    import numpy as np

    state = model.state
    span = Minutes.of(state.learnt, until, state.offset)
    starts = _episodes(times, state.last)
    seen = np.array([span.index(t) for t in starts], dtype=int)
    known = np.array([t for t in (state.last, *times) if t is not None])
    at = np.bincount(seen, minlength=len(span.length))
    model = _update(model, until, span, at.astype(float), len(starts), fine=True)
    classes = span.ages(known)
    due = model.tables.pop("due")
    model.tables["age_due"] += np.bincount(classes, due, minlength=10)
    before = np.searchsorted(known, starts, side="left") - 1
    for t, i in zip(starts, before, strict=True):
        gap = t - known[i] if i >= 0 else math.inf
        model.tables["age"][int(np.searchsorted(_ages(), gap, side="right"))] += 1
    state = model.state
    state.last = times[-1] if times else state.last
    state.links += len(times)
    state.episodes += len(starts)
    state.dated += len(times)
    return Model.fit(state, model.tables)


def _ages() -> Floats:
    import numpy as np

    from recrawler.cadence.rate import AGES

    return np.array(AGES)


def _step_counted(model: Model, until: float, links: float) -> Model:
    """Learn a span of which only the number of items is known."""
    span = Minutes.of(model.state.learnt, until, model.state.offset)
    fine = until - model.state.learnt <= FINE_GAP
    at = span.length * (links / span.length.sum())
    model = _update(model, until, span, at, links, fine=fine)
    model.tables.pop("due")
    model.state.links += links
    model.state.episodes += links
    model.state.counted += links
    return Model.fit(model.state, model.tables)


def _update(model: Model, until: float, span: Minutes, at: Floats, seen: float, *, fine: bool) -> Model:
    """Decay everything to `until` and add the episodes `at` each minute, and the time watched."""
    import numpy as np

    state = model.state
    elapsed = until - state.learnt
    share = model.profile[span.slot] * span.length / 1440.0
    due = share * level(state)
    fade = 0.5 ** (elapsed / HALF_LIFE)
    tables = {name: values * fade for name, values in model.tables.items()}
    tables["week"] += np.bincount(span.slot, at, minlength=336)
    tables["week_due"] += np.bincount(span.slot, span.length / 30.0, minlength=336)
    if fine:
        five = span.day // 5
        tables["five"] += np.bincount(five, at, minlength=288)
        tables["five_due"] += np.bincount(five, due, minlength=288)
        due = due * model.five[five]
        minute = span.day % 60
        tables["minute"] += np.bincount(minute, at, minlength=60)
        tables["minute_due"] += np.bincount(minute, due, minlength=60)
        due = due * model.clock[span.day] / model.five[five]
    tables["due"] = due
    state = _levelled(state, until, seen, float(share.sum()))
    for name in ("episodes", "links", "dated", "counted", "fresh"):
        setattr(state, name, getattr(state, name) * fade)
    return Model(state, tables, model.profile, model.clock, model.five, model.age)


def _levelled(state: CadenceState, until: float, seen: float, days: float) -> CadenceState:
    """The three memories after `days` of profile-weighted time with `seen` episodes."""
    elapsed = until - state.learnt
    fits, counts, times = [], [], []
    keep = 0.5 ** (elapsed / FIT_HALF_LIFE)
    for count, time, fit, half in zip(state.counts, state.days, state.fit, MEMORIES, strict=True):
        rate = (count + PRIOR_EPISODES) / (time + PRIOR_DAYS)
        fits.append(fit * keep + seen * math.log(rate) - rate * days)
        fade = 0.5 ** (elapsed / half)
        counts.append(count * fade + seen)
        times.append(time * fade + days)
    top = max(fits)
    return replace(state, learnt=until, fit=[f - top for f in fits], counts=counts, days=times)
