"""The cadence: learnt from dates or counts, bounded, and never taught silence by a failure."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recrawler import cadence
from recrawler.cadence import CadenceState, Pricing

NOW = 1_780_000_000.0
HOUR, DAY = 3600.0, 86400.0


def every(interval: float, days: float, until: float = NOW) -> list[float]:
    return [until - interval * k for k in range(int(days * DAY / interval), 0, -1)]


def test_the_dates_of_the_first_page_give_a_cadence() -> None:
    state = cadence.first(every(HOUR, 2), 48, NOW)
    assert cadence.basis(state) == "dates"
    assert cadence.per_day(state, NOW) == pytest.approx(24, rel=0.5)


@pytest.mark.parametrize(
    "dates", [None, [], [NOW + DAY] * 20, [NOW - 5 * DAY] * 20], ids=["none", "empty", "future", "constant"]
)
def test_dates_that_tell_nothing_do_not_mislead(dates: list[float] | None) -> None:
    state = cadence.first(dates, 20, NOW)
    at = cadence.next_visit(state, NOW, Pricing())
    assert cadence.basis(state) != "dates" and NOW + 60 <= at <= NOW + DAY


def test_busy_lists_are_visited_sooner_than_quiet_ones() -> None:
    busy = cadence.first(every(600, 2), 200, NOW)
    quiet = cadence.first(every(DAY / 2, 14), 28, NOW)
    assert cadence.next_visit(busy, NOW, Pricing()) < cadence.next_visit(quiet, NOW, Pricing())


def test_a_fixed_interval_is_kept_and_bounds_hold() -> None:
    state = cadence.first(every(60, 1), 1000, NOW)
    assert cadence.next_visit(state, NOW, Pricing(every=90.0)) == NOW + 90.0
    assert cadence.next_visit(state, NOW, Pricing(min_every=1800.0)) >= NOW + 1800.0
    silent = cadence.first(None, 0, NOW)
    for k in range(1, 40):
        silent = cadence.visited(silent, NOW + k * DAY, None, 0)
    end = NOW + 39 * DAY
    assert cadence.next_visit(silent, end, Pricing(max_every=6 * HOUR)) <= end + 6 * HOUR


def test_a_failure_teaches_no_silence() -> None:
    state = cadence.first(every(HOUR, 2), 48, NOW)
    before = cadence.per_day(state, NOW)
    for k in range(10):
        state = cadence.failed(state, NOW + k * HOUR)
    assert cadence.per_day(state, NOW) == before


def test_counts_alone_are_learnt() -> None:
    state, at = cadence.first(None, 20, NOW), NOW
    for _ in range(60):
        at += HOUR
        state = cadence.visited(state, at, None, 2)
    assert cadence.basis(state) == "counts"
    assert cadence.per_day(state, at) == pytest.approx(48, rel=0.4)


def test_a_site_that_wakes_is_caught_within_a_day() -> None:
    state, at = cadence.first(every(DAY, 20), 20, NOW), NOW
    slow = cadence.next_visit(state, at, Pricing()) - at
    while at < NOW + DAY:
        later = cadence.next_visit(state, at, Pricing())
        news = [t for t in every(600, 1, until=NOW + DAY) if at < t <= later]
        at, state = later, cadence.visited(state, later, news, len(news))
    assert cadence.next_visit(state, at, Pricing()) - at < slow / 3


STEPS = st.lists(st.tuples(st.floats(1, 3 * DAY), st.integers(0, 60), st.booleans()), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(STEPS, st.floats(60, 600), st.floats(3600, DAY))
def test_any_series_of_visits_gives_a_state_that_goes_through_json_and_a_time_in_bounds(
    steps: list[tuple[float, int, bool]], least: float, most: float
) -> None:
    state, at = cadence.first(None, 10, NOW), NOW
    pricing = Pricing(min_every=least, max_every=most)
    for wait, links, dated in steps:
        before, at = at, at + wait
        news = [before + wait * (k + 1) / (links + 1) for k in range(links)]
        state = cadence.visited(state, at, news if dated and news else None, links)
        raw = json.dumps(msgspec.to_builtins(state))
        assert len(raw) <= 8192
        state = msgspec.convert(json.loads(raw), CadenceState)
        assert at + least - 1 <= cadence.next_visit(state, at, pricing) <= at + most + 1


def test_kind_a_silence_far_longer_than_usual_is_told() -> None:
    busy, rare = cadence.first(every(HOUR, 10), 240, NOW), cadence.first(every(2 * DAY, 60), 30, NOW)
    told: dict[int, list[str]] = {}
    for day in range(1, 15):
        at = NOW + day * DAY
        busy, rare = cadence.visited(busy, at, None, 0), cadence.visited(rare, at, None, 0)
        told[day] = [cadence.silence(s, at) for s in (busy, rare)]
    assert not any(any(told[day]) for day in (1, 2, 3))
    assert all(told[day][0].startswith(f"nothing new for {day} days") for day in (5, 9, 14))
    assert not any(said for _, said in told.values())  # one in two days: two weeks are nothing
    assert cadence.silence(cadence.visited(busy, NOW + 15 * DAY, [NOW + 14.5 * DAY], 1), NOW + 15 * DAY) == ""
