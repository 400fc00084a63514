"""When to come next: the schedule, its bounds, opening hours, and what is said of it."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recrawler import cadence
from recrawler.cadence import Pricing, parse_hours
from recrawler.cadence.plan import Plan

MONDAY = datetime(2026, 6, 1, tzinfo=UTC).timestamp()
HOUR, DAY = 3600.0, 86400.0
SHANGHAI = ZoneInfo("Asia/Shanghai")


def office(days: int, start: float = MONDAY, per_hour: int = 3, offset: float = 8 * HOUR) -> list[float]:
    """Items from 09:00 to 18:00 local, Monday to Friday, at odd times."""
    chance = random.Random(7)
    hours = [start + d * DAY - offset + h * HOUR for d in range(days) if d % 7 < 5 for h in range(9, 18)]
    return sorted(t + chance.uniform(0, HOUR) for t in hours for _ in range(per_hour))


def learnt(times: list[float], now: float) -> cadence.CadenceState:
    return cadence.first([t for t in times if t <= now], 20, now)


def test_it_comes_often_by_day_and_seldom_by_night() -> None:
    times = office(28)
    noon, night = MONDAY + 22 * DAY + 4 * HOUR, MONDAY + 22 * DAY + 16 * HOUR  # 12:00 and 00:00 in Shanghai
    waits = [cadence.next_visit(learnt(times, t), t, Pricing(100.0, 0.0)) - t for t in (noon, night)]
    assert waits[1] > 3 * waits[0]


def cost(plan: Plan, stops: list[int]) -> float:
    """What the schedule pays: delays, and the price of each visit but half of the last one's."""
    total, before = -0.5 * plan.price, 0
    items, moments = [0.0, *plan.items[1:]], [0.0, *plan.moments[1:]]
    for k in stops:
        total += plan.price + plan.times[k] * (items[k] - items[before]) - (moments[k] - moments[before])
        before = k
    return total


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 3), min_size=1, max_size=7), st.floats(0.1, 2000))
def test_the_first_stop_is_that_of_the_cheapest_of_all_schedules(rates: list[float], price: float) -> None:
    times, items, moments = [0.0], [0.0], [0.0]
    for rate in rates:
        times.append(times[-1] + 60.0)
        items.append(items[-1] + rate)
        moments.append(moments[-1] + rate * (times[-1] - 30.0))
    plan, last = Plan(times, items, moments, price), len(rates)
    inner = [[k + 1 for k in range(last - 1) if bits >> k & 1] for bits in range(2 ** (last - 1))]
    best = min(cost(plan, [*stops, last]) for stops in inner)
    mine = min(cost(plan, [*s, last]) for s in inner if [*s, last][0] == plan.first_stop())
    assert mine == pytest.approx(best, rel=1e-9, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.5, 3000), st.floats(2, 50))
def test_a_much_higher_price_never_brings_it_sooner(seed: int, price: float, times: float) -> None:
    chance = random.Random(seed)
    dates = sorted(MONDAY - chance.uniform(0, 20 * DAY) * chance.random() for _ in range(40))
    state = cadence.first(dates, 40, MONDAY)
    low, high = (cadence.next_visit(state, MONDAY, Pricing(p, 0.0)) for p in (price, price * times))
    assert high >= low - 2 * 600.0  # two points of the coarsest grid


def test_the_default_price_visits_a_list_of_24_a_day_every_half_hour() -> None:
    chance = random.Random(3)
    times = sorted(MONDAY + chance.uniform(0, 16 * DAY) for _ in range(16 * 24))
    played = cadence.replay(
        times, MONDAY + 2 * DAY, MONDAY + 16 * DAY, Pricing(), count_from=MONDAY + 5 * DAY
    )
    assert played.days * DAY / played.visits == pytest.approx(1800, rel=0.15)


def test_no_price_is_as_fast_as_polite_and_the_weight_brings_it_sooner() -> None:
    state = learnt(office(14), MONDAY + 10 * DAY)
    now = MONDAY + 10 * DAY
    assert cadence.next_visit(state, now, Pricing(0.0, crawl_delay=90.0)) == now + 90.0
    plain, dear = (cadence.next_visit(state, now, Pricing(2000.0, 0.0, weight=w)) for w in (1.0, 25.0))
    assert dear < plain


def test_fairness_moves_visits_from_busy_lists_to_quiet_ones() -> None:
    now = MONDAY + 30 * DAY
    busy = cadence.first([now - 300.0 * k for k in range(60)], 60, now)
    quiet = cadence.first([now - 40.0 * HOUR * k for k in range(18)], 18, now)

    def ratio(fairness: float) -> float:
        waits = [cadence.next_visit(s, now, Pricing(500.0, fairness)) - now for s in (quiet, busy)]
        return waits[0] / waits[1]

    assert ratio(0.0) > 2 * ratio(1.0)


# Case: the same list every five minutes at most, but only within hours and on working days.
def test_opening_hours_hold_and_the_opening_is_used() -> None:
    hours = parse_hours("Mon-Fri 08:00-19:00", SHANGHAI)
    times = office(40)
    state, now = learnt(times, MONDAY + 25 * DAY), MONDAY + 25 * DAY  # Friday, 08:00 in Shanghai
    pricing, seen = Pricing(500.0, 0.0, min_every=300.0, hours=hours), []
    for _ in range(60):
        at = cadence.next_visit(state, now, pricing)
        seen.append(datetime.fromtimestamp(at, SHANGHAI))
        news = [t for t in times if now < t <= at]
        state, now = cadence.visited(state, at, news, len(news)), at
    assert all(t.weekday() < 5 and 8 <= t.hour + t.minute / 60 <= 19 for t in seen)
    assert any(t.weekday() == 0 and t.hour < 11 for t in seen)  # the Monday after


def test_hours_over_midnight_and_over_daylight_saving() -> None:
    night = parse_hours("22:00-06:00", ZoneInfo("America/New_York"))
    noon = datetime(2026, 3, 7, 12, tzinfo=night.zone).timestamp()
    opening = datetime.fromtimestamp(night.open_at(noon), night.zone)
    assert (opening.day, opening.hour) == (7, 22)
    inside = datetime(2026, 3, 8, 5, 30, tzinfo=night.zone).timestamp()  # the clock went forward at two
    assert night.open_at(inside) == inside


@pytest.mark.parametrize("text", ["", "8-19", "Mon 25:00-26:00", "Xyz 08:00-09:00", "08:00-09:00 Mars/Base"])
def test_hours_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"hours|zone|weekdays|24:00"):
        parse_hours(text)


def test_the_plan_is_told_in_words() -> None:
    now = MONDAY + 25 * DAY + 2 * HOUR  # Friday, 10:00 in Shanghai
    state, pricing = learnt(office(40, per_hour=4), now), Pricing()
    told = cadence.explain(state, now, cadence.next_visit(state, now, pricing), SHANGHAI, pricing)
    assert told.startswith("about 2") and " items a day, most between " in told and "+08:00" in told
    assert "; next visit " in told and " because " in told
    fixed = Pricing(every=600.0)
    assert "10:10 because its interval is fixed" in cadence.explain(state, now, now + 600, SHANGHAI, fixed)
    assert "visits failed" in cadence.explain(
        cadence.failed(cadence.failed(state, now), now), now, now + 900, SHANGHAI, pricing
    )
    unknown = cadence.first(None, 20, now)
    assert "not known yet" in cadence.explain(unknown, now, now + HOUR, SHANGHAI, pricing)


def test_the_sparkline_follows_the_local_week() -> None:
    state = learnt(office(40), MONDAY + 35 * DAY)
    week = cadence.profile(state, 8 * 3600)
    assert len(week) == 336 and sum(week) / 336 == pytest.approx(1.0)
    monday = week[:48]
    assert sum(monday[18:36]) > 4 * sum(monday[:16])
    line = cadence.sparkline(week)
    assert len(line) == 56 and "█" in line and line[3] > line[0]
    assert cadence.sparkline([]) == "" and set(cadence.sparkline([0.0] * 9, 3)) == {"▁"}


def test_what_a_visit_is_expected_to_find() -> None:
    now = MONDAY + 20 * DAY
    state = cadence.first([now - HOUR * k - 900.0 * (k % 3) for k in range(48)], 48, now)
    found = cadence.forecast(state, now, now + 4 * HOUR)
    assert found.links == pytest.approx(4, rel=0.4)
    assert cadence.expected_delay(state, now, now + 4 * HOUR) == pytest.approx(2 * HOUR, rel=0.25)
    assert cadence.expected_delay(cadence.first(None, 0, now), now, now) == pytest.approx(0.5)


def test_what_was_not_seen_for_failures_waits_too() -> None:
    now = MONDAY + 20 * DAY
    state = cadence.first([now - 1800.0 * k for k in range(40)], 40, now)
    wait = cadence.next_visit(state, now, Pricing()) - now
    later = now + 6 * HOUR
    assert cadence.next_visit(cadence.failed(state, later), later, Pricing()) - later < wait


def test_replay_counts_requests_for_further_pages() -> None:
    burst = [MONDAY + 600.0 + k for k in range(50)]
    played = cadence.replay(burst, MONDAY, MONDAY + HOUR, Pricing(every=3600.0), shown=20)
    assert (played.visits, played.fetches, len(played.delays)) == (1, 3, 50)
    assert played.delay_at(0.5) == pytest.approx(2975, abs=2) and played.fetches_per_day == 72
    empty = cadence.replay([], MONDAY, MONDAY + DAY, Pricing(every=3600.0))
    assert empty.mean_delay is None and empty.delay_at(0.95) is None
