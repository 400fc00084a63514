"""What visits teach: dates of every kind, counts, clocks that jump, and changes of habit."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from statistics import fmean

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recrawler import cadence
from recrawler.cadence import CadenceState, Pricing

MONDAY = 1_780_272_000.0  # 2026-06-01, 00:00 UTC
HOUR, DAY = 3600.0, 86400.0
EVEN = Pricing(330.0, 0.0)


def poisson(seed: int, since: float, until: float, shape: Callable[[float], float]) -> list[float]:
    """Items at random; `shape` gives the items a day at a time, at most 400."""
    chance, t, out = random.Random(seed), since, []
    while (t := t + chance.expovariate(400 / DAY)) < until:
        if chance.random() < shape(t) / 400:
            out.append(t)
    return out


class Watch:
    """Visits a page as the plan says, and keeps each item's delay and each visit's wait."""

    def __init__(
        self, times: list[float], since: float, pricing: Pricing = EVEN, *, dates: bool = True
    ) -> None:
        self.times, self.pricing, self.dates, self.now = times, pricing, dates, since
        old = [t for t in times if t <= since][-25:]
        self.state = cadence.first(old if dates else None, len(old), since)
        self.delays: list[tuple[float, float]] = []
        self.waits: list[tuple[float, float]] = []

    def until(self, end: float) -> Watch:
        while self.now < end:
            at = cadence.next_visit(self.state, self.now, self.pricing)
            news = [t for t in self.times if self.now < t <= at]
            self.waits.append((self.now, at - self.now))
            self.delays += [(t, at - t) for t in news]
            self.state = cadence.visited(self.state, at, news if self.dates else None, len(news))
            self.now = at
        return self

    def delay(self, since: float, until: float) -> float:
        return fmean(d for t, d in self.delays if since <= t < until)

    def wait(self, since: float, until: float) -> float:
        return fmean(w for t, w in self.waits if since <= t < until)


# --- the dates of a first page ---


def test_days_without_hours_tell_how_much_but_not_when() -> None:
    days = [MONDAY - k // 4 * DAY for k in range(40)]
    state = cadence.first(days, 40, MONDAY + 12 * HOUR, precision="day")
    assert cadence.basis(state) == "dates"
    assert cadence.per_day(state, MONDAY) == pytest.approx(4, rel=0.35)
    day = [fmean(cadence.profile(state)[h::48]) for h in range(48)]
    assert max(day) < 1.15 * min(day)


def test_a_page_full_of_today_is_a_busy_one_and_one_of_a_day_past_tells_nothing() -> None:
    now = MONDAY + 10 * HOUR
    busy = cadence.first([MONDAY] * 20, 20, now, precision="day")
    assert cadence.per_day(busy, now) == pytest.approx(48, rel=0.4)
    assert cadence.basis(cadence.first([MONDAY - 9 * DAY] * 20, 20, now, precision="day")) == "prior"
    young = cadence.first([MONDAY] * 20, 20, MONDAY + 60, precision="day")
    assert cadence.per_day(young, now) < 100  # type: ignore[operator]


# Case: a date three days ahead on top; it says nothing, the others do.
def test_dates_ahead_and_a_pinned_old_one_are_left_out() -> None:
    dates = [MONDAY - 2 * HOUR * k for k in range(1, 25)]
    plain = cadence.first(dates, 24, MONDAY)
    odd = cadence.first([*dates, MONDAY + 3 * DAY, MONDAY - 70 * DAY, float("nan")], 27, MONDAY)
    assert odd == plain


def test_one_batch_on_the_page_is_an_episode() -> None:
    batch = [MONDAY - 3 * HOUR + 3.0 * k for k in range(20)]
    state = cadence.first(batch, 20, MONDAY)
    assert state.links / state.episodes > 5
    at_once = [MONDAY - 20.0 + k for k in range(20)]  # the time at which the page was built
    assert cadence.basis(cadence.first(at_once, 20, MONDAY)) == "prior"


# --- the dates of later visits ---


def test_a_new_link_with_a_date_of_other_times_counts_as_found_now() -> None:
    state = cadence.first([MONDAY - HOUR * k for k in range(1, 20)], 19, MONDAY)
    wild = [MONDAY + 3 * DAY, MONDAY - 400 * DAY]
    told = cadence.visited(state, MONDAY + HOUR, wild, 2)
    assert told == cadence.visited(state, MONDAY + HOUR, None, 2)
    assert told.counted == pytest.approx(2) and told.last is not None and told.last <= MONDAY + HOUR


def test_dates_made_up_when_the_page_is_asked_for_are_found_out() -> None:
    state, now = cadence.first(None, 20, MONDAY), MONDAY
    for _ in range(20):
        now += HOUR
        state = cadence.visited(state, now, [now - 1.0, now - 1.0], 2)
    assert cadence.basis(state) == "counts"
    for _ in range(40):  # and honest ones are believed again
        now += HOUR
        state = cadence.visited(state, now, [now - 1500.0, now - 900.0], 2)
    assert cadence.basis(state) == "dates"


def test_an_incomplete_visit_teaches_no_silence_before_what_it_found() -> None:
    state = cadence.first([MONDAY - HOUR * k for k in range(1, 30)], 29, MONDAY)
    late = [MONDAY + DAY - 600.0 * k for k in range(1, 6)]
    whole = cadence.visited(state, MONDAY + DAY, late, 5)
    part = cadence.visited(state, MONDAY + DAY, late, 5, complete=False)
    assert sum(part.days) < sum(whole.days)
    waits = [cadence.next_visit(s, MONDAY + DAY, EVEN) for s in (part, whole)]
    assert waits[0] <= waits[1]


def test_hours_and_days_of_new_links_are_spans() -> None:
    state = cadence.first([MONDAY - HOUR * k for k in range(1, 30)], 29, MONDAY)
    hourly = cadence.visited(state, MONDAY + 4 * HOUR, [MONDAY + HOUR] * 3, 3, precision="hour")
    assert hourly.last is not None and MONDAY + HOUR < hourly.last <= MONDAY + 2 * HOUR
    daily = cadence.visited(state, MONDAY + 4 * HOUR, [MONDAY] * 3, 3, precision="day")
    assert daily.last is not None and MONDAY < daily.last < MONDAY + 4 * HOUR
    assert daily.counts == pytest.approx(hourly.counts)


# Case: the body differs each time, the list does not; and 200, 304, 304, 200 with something new.
def test_unchanged_visits_lengthen_the_interval_and_news_shortens_it() -> None:
    state = cadence.first([MONDAY - HOUR * k for k in range(1, 30)], 29, MONDAY)
    state, now, waits = cadence.failed(state, MONDAY), MONDAY, []
    for _ in range(24):
        now += HOUR
        state = cadence.visited(state, now, None, 0)
        waits.append(cadence.next_visit(state, now, EVEN) - now)
    assert state.failures == 0 and waits[-1] > 1.5 * waits[0]
    news = cadence.visited(state, now + HOUR, [now + 60.0 * k for k in range(1, 4)], 3)
    assert cadence.per_day(news, now) > cadence.per_day(state, now)  # type: ignore[operator]


def test_a_clock_that_was_wrong_does_not_stop_the_learning() -> None:
    state = cadence.first([MONDAY - HOUR * k for k in range(1, 30)], 29, MONDAY)
    state = cadence.visited(state, MONDAY + 400 * DAY, [], 0)  # a year ahead for one visit
    state, now = cadence.visited(state, MONDAY + HOUR, [], 0), MONDAY + HOUR
    assert state.learnt == now
    for _ in range(48):
        now += HOUR
        state = cadence.visited(state, now, [now - 1800.0], 1)
    assert cadence.next_visit(state, now, EVEN) - now < 3 * HOUR


# --- states ---


@pytest.mark.parametrize(
    "raw", [{}, {"tables": "zz", "scales": [1.0]}, {"counts": [1.0], "unknown": 1}, {"scales": [-1.0] * 8}]
)
def test_a_state_with_keys_missing_or_spoilt_is_read(raw: dict[str, object]) -> None:
    state = msgspec.convert(raw, CadenceState)
    state = cadence.visited(state, MONDAY, None, 3)
    assert MONDAY + 60 <= cadence.next_visit(state, MONDAY, Pricing()) <= MONDAY + DAY


def test_a_state_is_small_and_a_decision_the_same_after_json() -> None:
    state = (
        Watch(poisson(1, MONDAY - DAY, MONDAY + 10 * DAY, lambda t: 150), MONDAY)
        .until(MONDAY + 9 * DAY)
        .state
    )
    raw = msgspec.json.encode(state)
    assert len(raw) <= 5000
    again = msgspec.json.decode(raw, type=CadenceState)
    now = MONDAY + 9 * DAY + 600
    assert again == state and cadence.next_visit(again, now, EVEN) == cadence.next_visit(state, now, EVEN)


WILD = st.lists(st.floats(allow_nan=True, allow_infinity=True) | st.floats(1.6e9, 1.9e9), max_size=30)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(-DAY, 9 * DAY), WILD | st.none(), st.integers(-3, 300)), max_size=8))
def test_no_series_of_inputs_raises_or_breaks_the_bounds(
    steps: list[tuple[float, list[float] | None, int]],
) -> None:
    now = MONDAY
    state = cadence.first(steps[0][1] if steps else None, 20, now)
    for k, (wait, dates, links) in enumerate(steps):
        now += wait
        zone = (None, 0, 3600, 28800, -12600)[k % 5]
        precision = (None, "hour", "day", "minute")[k % 4]
        state = cadence.visited(
            state, now, dates, links, precision=precision, tz_offset=zone, complete=k % 3 > 0
        )
        assert now + 60 <= cadence.next_visit(state, now, Pricing()) <= now + DAY
        assert cadence.expected_delay(state, now, now + HOUR) >= 0.0
        assert len(msgspec.json.encode(state)) <= 8192
        cadence.explain(state, now, now + HOUR)


def test_the_module_is_imported_fast() -> None:
    code = "import sys, recrawler.cadence; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- changes of regime ---


def test_a_doubled_rate_is_caught_within_a_day_and_a_tenfold_one_within_hours() -> None:
    change = MONDAY + 15 * DAY
    for before, after, hours, factor in ((24, 48, 24, 1.2), (5, 50, 6, 2.0)):
        times = poisson(5, MONDAY - 10 * DAY, change, lambda t, r=before: r)  # type: ignore[misc]
        times += poisson(6, change, change + 2 * DAY, lambda t, r=after: r)  # type: ignore[misc]
        watch = Watch(times, MONDAY).until(change + (hours + 12) * HOUR)
        old = watch.wait(change - 4 * DAY, change)
        new = watch.wait(change + hours * HOUR, change + (hours + 12) * HOUR)
        assert old > factor * new, (before, after)


def test_case_071_a_silent_site_slows_by_steps_never_dies_and_is_caught_when_it_wakes() -> None:
    wake = MONDAY + 20 * DAY
    times = [MONDAY - 12 * HOUR + 1500.0 * k for k in range(30)] + [wake + 900.0 * k for k in range(40)]
    watch = Watch(times, MONDAY, Pricing(1300.0, 0.0)).until(wake + 12 * HOUR)
    waits = [watch.wait(MONDAY + d * DAY, MONDAY + (d + 2) * DAY) for d in (0, 2, 6, 17)]
    assert waits == sorted(waits) and waits[-1] <= DAY
    found = min(t + d for t, d in watch.delays if t >= wake)
    after = [w for t, w in watch.waits if t >= found]
    assert after[0] < 0.6 * waits[-1] and fmean(after[-5:]) < 0.25 * waits[-1]


def habit(start: int, end: int) -> Callable[[float], float]:
    return lambda t: 110.0 if start <= t % DAY / HOUR < end else 3.0


def test_moved_hours_are_learnt_within_days() -> None:
    change = MONDAY + 21 * DAY
    times = poisson(3, MONDAY - 5 * DAY, change, habit(8, 12))
    times += poisson(4, change, change + 9 * DAY, habit(15, 19))
    watch = Watch(times, MONDAY).until(change + 9 * DAY)
    settled = watch.delay(change - 7 * DAY, change)
    assert watch.delay(change, change + DAY) > 1.3 * settled
    assert watch.delay(change + 5 * DAY, change + 9 * DAY) < 1.25 * settled


def test_daylight_saving_keeps_habits_on_the_local_clock_and_a_found_zone_turns_them() -> None:
    times = poisson(8, MONDAY - 20 * DAY, MONDAY, habit(8, 12))
    state = cadence.first(times, 20, MONDAY, tz_offset=0)
    summer = cadence.visited(state, MONDAY + 60, [], 0, tz_offset=3600)
    zone = cadence.visited(state, MONDAY + 60, [], 0, tz_offset=28800)

    def centre(s: CadenceState) -> int:
        day = [sum(cadence.profile(s)[h::48]) for h in range(48)]
        return max(range(48), key=lambda h: sum(day[(h + k) % 48] for k in range(8)))

    assert abs(centre(summer) - (centre(state) - 2)) <= 1  # an hour earlier by UTC
    assert abs(centre(zone) - centre(state)) <= 1


def test_it_beats_a_fixed_interval_with_dates_and_without() -> None:
    def shape(t: float) -> float:
        return 60.0 if 8 <= t % DAY / HOUR < 18 and (t - MONDAY) // DAY % 7 < 5 else 4.0

    times = poisson(11, MONDAY - 5 * DAY, MONDAY + 21 * DAY, shape)
    for dates, most in ((True, 0.85), (False, 0.9)):
        mine = cadence.replay(
            times, MONDAY, MONDAY + 21 * DAY, EVEN, dates=dates, count_from=MONDAY + 7 * DAY
        )
        fixed = Pricing(every=DAY / mine.fetches_per_day)
        other = cadence.replay(times, MONDAY, MONDAY + 21 * DAY, fixed, count_from=MONDAY + 7 * DAY)
        assert mine.mean_delay is not None and other.mean_delay is not None
        assert mine.mean_delay < most * other.mean_delay, dates
