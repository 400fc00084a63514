"""What a visit teaches: the first look at a page's dates, and every visit after it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from recrawler.cadence.rate import AGES, FIT_HALF_LIFE, HALF_LIFE, Minutes, Model, memory_rates
from recrawler.cadence.state import DAY, MEMORIES, CadenceState

if TYPE_CHECKING:
    from recrawler.cadence.state import Floats

Span = tuple[float, float]  # an item came between these times, or at both if they are the same

EPISODE = 120.0  # items closer than this belong together
FINE_GAP = 900.0  # a span this short tells the time of day to five minutes, even where items have no date
FLAT_SPAN = 6 * 3600.0  # an undated item of a longer span is taken to have come when items usually come
LOOK_BACK = 84 * DAY  # what is older says nothing of today
SLACK = 300.0  # a site's clock may differ from ours by so much
STEP = DAY  # the most that is learnt at once
WIDTHS = {"hour": 3600.0, "day": DAY}  # how much later than its date an item may have come
FRESH = 30.0  # a date so close to the visit may be no date but the time of the answer, ...
FRESH_MOST = 6.0  # ... and is, after so many of them in excess of four times the others


def first(
    published: Sequence[float] | None,
    links: int,
    now: float,
    *,
    precision: str | None = None,
    tz_offset: int = 0,
) -> CadenceState:
    """The cadence after the first visit, from the dates of the page's links (unix seconds, any order).

    `links` is how many links the page shows. `precision` is the coarsest of the dates': "hour" and "day" name
    the start of one, all else is taken as exact. `tz_offset`: seconds east of UTC of the clock that the site
    lives by, where it is known.
    """
    state = CadenceState(born=now, learnt=now, offset=_whole(tz_offset), visits=1)
    width = WIDTHS.get(precision or "", 0.0)
    times = usable(published, now, width)
    if len(times) < 2:
        return state
    since = min(times[0], now - width / 4.0)  # all of today, and today is young: no reason to think it hot
    state = replace(state, born=since, learnt=since, last=times[0], episodes=1.0, links=1.0)
    return _learn(state, now, _spans(times[1:], width, state.learnt, now), len(times) - 1)


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
    show one. A date outside the time since the visit before says only that the link is new.

    `links` counts what was published since, not old links found deeper in the list. `complete` is false where
    some may have been missed: silence before the oldest one found is then not learnt.
    """
    state = replace(state, visits=state.visits + 1, failures=0)
    if tz_offset is not None:
        state = turned(state, _whole(tz_offset))
    if now <= state.learnt:  # the clock was set back: what it said before cannot be trusted either
        return replace(state, learnt=now, born=min(state.born, now), last=_earlier(state.last, now))
    state.learnt = max(state.learnt, now - LOOK_BACK)
    links = max(links, 0)
    spans = _spans(published, WIDTHS.get(precision or "", 0.0), state.learnt, now)[:links]
    state.fresh = _freshness(state, spans, now)
    if published is None or state.fresh >= FRESH_MOST:
        spans = []
    dated = len(spans)
    spans += [(state.learnt, now)] * (links - dated)
    if not complete:
        state.learnt = min((a for a, _ in spans), default=now)
    tells = published is not None or (links == 0 and state.dated > 0.0)
    return _learn(state, now, spans, dated, known=tells and state.dated >= state.counted)


def failed(state: CadenceState, now: float) -> CadenceState:
    """The cadence after a visit that read no list: nothing is learnt, least of all silence."""
    return replace(state, failures=state.failures + 1)


def usable(published: Sequence[float] | None, now: float, width: float = 0.0) -> list[float]:
    """The dates of a first page that tell a cadence, ascending; none where they tell nothing.

    Left out are dates in the future, older than twelve weeks, and old stragglers (pinned articles). A page
    whose dates are all one and the same, or all of just now, has none: that is when it was built (but a full
    page of today's day or of this hour is a busy one).
    """
    times = sorted(t for t in published or () if math.isfinite(t) and now - LOOK_BACK <= t <= now + SLACK)
    times = [min(t, now) for t in times]
    while len(times) > 3 and _straggles(times, now):
        times = times[1:]
    one = not times or times[-1] - times[0] < 1.0
    if width:
        return [] if one and (not times or times[0] < now - width) else times
    return [] if one or times[0] > now - EPISODE else times


def _straggles(times: Sequence[float], now: float) -> bool:
    gap, rest = times[1] - times[0], now - times[1]
    return gap > max(0.5 * (gap + rest), 8.0 * rest / len(times))


def _spans(published: Sequence[float] | None, width: float, since: float, now: float) -> list[Span]:
    """When each dated item may have come, ascending; the dates that cannot be true are left out."""
    times = sorted(
        t for t in published or () if math.isfinite(t) and since - SLACK - width <= t <= now + SLACK
    )
    starts = [min(max(t, since + 1.0), now) for t in times]
    return [(a, min(max(t + width, a), now)) for t, a in zip(times, starts, strict=True)]


def _freshness(state: CadenceState, spans: Sequence[Span], now: float) -> float:
    """How much speaks for dates that are made up when the page is asked for."""
    if now - state.learnt < 4.0 * FRESH:
        return state.fresh
    fresh = sum(a == b and a >= now - FRESH for a, b in spans)
    return min(max(state.fresh + fresh - 4.0 * (len(spans) - fresh), 0.0), 2.0 * FRESH_MOST)


def _whole(offset: int) -> int:
    return int(offset // 900 * 900)


def _earlier(last: float | None, now: float) -> float | None:
    return None if last is None else min(last, now)


def turned(state: CadenceState, offset: int) -> CadenceState:
    """The state under another offset. An hour's change is daylight saving's: habits keep to the local clock.
    Any other is better knowledge of the zone: habits keep to the true time."""
    import numpy as np

    change = offset - state.offset
    if change == 0 or not state.tables or abs(change) <= 3600:
        return replace(state, offset=offset)
    model = Model.of(state)
    for name, minutes in (("week", 30), ("five", 5), ("minute", 1)):
        for table in (model.table(name), model.table(f"{name}_due")):
            table[:] = np.roll(table, change // 60 // minutes)
    model.state = replace(state, offset=offset)
    return model.closed()


def _learn(
    state: CadenceState, now: float, spans: Sequence[Span], dated: int, *, known: bool = True
) -> CadenceState:
    """Learn all until `now`; `dated` of the spans come from a date. `known`: what comes here has a time."""
    model = Model.of(state)
    times = [a for a, b in spans if a == b]
    others = [(a, b) for a, b in spans if a < b]
    exact = known and not others
    while model.state.learnt < now:
        until = min(now, model.state.learnt + STEP)
        part = [t for t in times if t <= until]
        times = times[len(part) :]
        model = _step(model, until, part, others, exact=exact)
    learnt = model.state
    if others:
        since, until = min(a for a, _ in others), max(b for _, b in others)
        learnt.last = max(learnt.last or since, until - (until - since) / (len(others) + 1))
    learnt.dated += dated
    learnt.counted += len(spans) - dated
    return model.closed()


def _step(
    model: Model, until: float, times: Sequence[float], others: Sequence[Span], *, exact: bool
) -> Model:
    """Learn a part in which items came at `times`, and others at unknown times of their spans."""
    import numpy as np

    since, last = model.state.learnt, model.state.last
    span = Minutes.of(since, until, model.state.offset)
    starts = _episodes(times, last)
    at = np.zeros(len(span.length))
    for t in starts:
        at[span.index(t)] += 1.0
    for a, b in others:
        if a < until and b > since:
            _smear(at, span, model, (a, b))
    model, due = _update(model, until, span, at, fine=exact or until - since <= FINE_GAP)
    if exact:
        known = np.array([last, *times] if last is not None else times)
        model.table("age_due")[:] += np.bincount(span.ages(known), due, minlength=10)
        _add_ages(model.table("age"), starts, times, last)
    state = model.state
    uncertain = float(at.sum()) - len(starts)
    state.last = times[-1] if times else last
    state.links += len(times) + uncertain
    state.episodes += len(starts) + uncertain
    return model


def _episodes(times: Sequence[float], last: float | None) -> list[float]:
    """The first time of each run of items."""
    starts = []
    for t in times:
        if last is None or t - last >= EPISODE:
            starts.append(t)
        last = t
    return starts


def _smear(at: Floats, span: Minutes, model: Model, item: Span) -> None:
    """Spread one item over the minutes in which it may have come; the part of it that is in this span."""
    low, high = max(item[0], span.since), min(item[1], span.until)
    i, j = span.index(low), span.index(high)
    weights = span.length[i : j + 1].copy()
    weights[0] -= (low - max(span.since, (span.first + i) * 60.0)) / 60.0
    weights[-1] -= (min(span.until, (span.first + j + 1) * 60.0) - high) / 60.0
    if item[1] - item[0] > FLAT_SPAN:
        weights *= model.profile[span.slot[i : j + 1]]
    total = float(weights.sum())
    if total > 0.0:
        at[i : j + 1] += weights * ((high - low) / (item[1] - item[0]) / total)


def _add_ages(table: Floats, starts: Sequence[float], times: Sequence[float], last: float | None) -> None:
    """Count each episode under the time since the item before it."""
    i = 0
    for t in starts:
        while times[i] < t:
            last, i = times[i], i + 1
        table[bisect_right(AGES, t - last if last is not None else math.inf)] += 1.0


def _update(model: Model, until: float, span: Minutes, at: Floats, *, fine: bool) -> tuple[Model, Floats]:
    """Decay everything to `until`, add the episodes `at` each minute and the time watched.

    Returns the new model and the episodes that were due each minute by all factors but age.
    """
    import numpy as np

    share = model.profile[span.slot] * span.length
    fade = 0.5 ** ((until - model.state.learnt) / HALF_LIFE)
    state = _levelled(model.state, until, float(at.sum()), float(share.sum()) / 1440.0, fade)
    new = Model(state, model.values * fade)
    new.table("week")[:] += np.bincount(span.slot, at, minlength=336)
    flat = span.length * (
        new.level / 1440.0
    )  # by the level as it is now known, so that a change of it is no habit
    new.table("week_due")[:] += np.bincount(span.slot, flat, minlength=336)
    due = share * (model.level / 1440.0)
    if fine:
        five, minute = span.day // 5, span.day % 60
        new.table("five")[:] += np.bincount(five, at, minlength=288)
        new.table("five_due")[:] += np.bincount(five, due, minlength=288)
        new.table("minute")[:] += np.bincount(minute, at, minlength=60)
        new.table("minute_due")[:] += np.bincount(minute, due * model.five[five], minlength=60)
    return new, due * model.clock[span.day]


def _levelled(state: CadenceState, until: float, seen: float, days: float, fade: float) -> CadenceState:
    """The memories after `days` of profile-weighted time with `seen` episodes."""
    elapsed = until - state.learnt
    fits, counts, times = [], [], []
    keep = 0.5 ** (elapsed / FIT_HALF_LIFE)
    memories = zip(state.counts, state.days, state.fit, memory_rates(state), MEMORIES, strict=True)
    for count, time, fit, rate, half in memories:
        fits.append(fit * keep + seen * math.log(rate) - rate * days)
        left = 0.5 ** (elapsed / half)
        counts.append(count * left + seen)
        times.append(time * left + days)
    top = max(fits)
    return replace(
        state,
        learnt=until,
        fit=[f - top for f in fits],
        counts=counts,
        days=times,
        episodes=state.episodes * fade,
        links=state.links * fade,
        dated=state.dated * fade,
        counted=state.counted * fade,
    )
