"""The price controller: spending meets the budget over a week, whatever the week looks like."""

from __future__ import annotations

import math
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recrawler.cadence import PriceController

START = 1_780_272_000.0
BUDGET = 5000.0


def demand(hour: int, chance: random.Random) -> float:
    """Fetches an hour at price 80: a rhythm of the day and of the week, and the news' own unrest."""
    day = 1.0 + 0.5 * math.cos((hour % 24 - 14) / 24 * 2 * math.pi)
    return BUDGET * (0.7 if hour // 24 % 7 >= 5 else 1.12) * day * math.exp(chance.gauss(0.0, 0.05))


def spend(
    controller: PriceController, weeks: int, power: float = 0.5, change: float = 1.0
) -> tuple[PriceController, list[float]]:
    """Spending of each hour; from the third week on the demand is `change` times as large."""
    chance, now, hours = random.Random(2), START, []
    controller = controller.spent(now, 0.0)
    for hour in range(weeks * 168):
        grown = change if hour >= 336 else 1.0
        spent = 0.0
        for _ in range(4):
            now += 900.0
            part = grown * demand(hour, chance) / 4 * (controller.price / 80.0) ** -power
            controller, spent = controller.spent(now, part), spent + part
        hours.append(spent)
    return controller, hours


@pytest.mark.parametrize(("price", "power"), [(80.0, 0.5), (8000.0, 0.5), (0.8, 0.45), (300.0, 0.35)])
def test_each_week_after_the_first_is_within_two_per_cent(price: float, power: float) -> None:
    _, hours = spend(PriceController(BUDGET, price), 6, power)
    for end in range(336, len(hours) + 1, 24):
        assert sum(hours[end - 168 : end]) / (168 * BUDGET) == pytest.approx(1.0, abs=0.02), end
    assert sum(hours[:168]) / (168 * BUDGET) == pytest.approx(1.0, abs=0.08)


def test_a_doubled_demand_is_met_within_a_week() -> None:
    _, hours = spend(PriceController(BUDGET, 80.0), 5, change=2.0)
    assert sum(hours[504:672]) / (168 * BUDGET) == pytest.approx(1.0, abs=0.02)
    assert sum(hours[336:504]) / (168 * BUDGET) == pytest.approx(1.0, abs=0.06)


def test_in_a_steady_week_the_price_hardly_moves_while_the_spending_does() -> None:
    settled, _ = spend(PriceController(BUDGET, 80.0), 4)
    chance, now, prices, hours = random.Random(5), settled.seen, [], []
    for hour in range(168):
        spent = demand(hour, chance) * (settled.price / 80.0) ** -0.5
        now += 3600.0
        settled = settled.spent(now, spent)
        prices.append(settled.price)
        hours.append(spent)
    assert max(prices) / min(prices) < 1.5 and max(hours) / min(hours) > 3


def test_time_off_is_no_thrift_and_a_clock_set_back_no_matter() -> None:
    controller, _ = spend(PriceController(BUDGET, 80.0), 2)
    price, later = controller.price, controller.seen + 40 * 3600.0
    assert controller.spent(later, 10.0).price == price
    assert controller.spent(later, 10.0).spent(later - 9999.0, 5.0).price == price


def test_another_budget_and_json() -> None:
    controller, _ = spend(PriceController(BUDGET, 80.0), 2)
    assert controller.with_budget(2 * BUDGET).price == pytest.approx(controller.price / 4)
    again = msgspec.convert(msgspec.json.decode(msgspec.json.encode(controller)), PriceController)
    assert again.spent(controller.seen + 3700.0, 4000.0) == controller.spent(controller.seen + 3700.0, 4000.0)


def test_a_budget_a_thousand_times_smaller_is_met_too() -> None:
    """The bounds of the price move with the budget; else a tenth of the way would be the end of it."""
    controller, _ = spend(PriceController(BUDGET, 80.0), 2)
    controller = controller.with_budget(BUDGET / 1000.0)
    for _ in range(48):
        fetches = BUDGET * (controller.price / 80.0) ** -0.5
        controller = controller.spent(controller.seen + 3600.0, fetches)
    assert fetches == pytest.approx(BUDGET / 1000.0, rel=0.5)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(-1e5, 1e6), st.floats(0, 1e7)), max_size=40))
def test_any_calls_leave_a_price_that_can_be_used(calls: list[tuple[float, float]]) -> None:
    controller, now = PriceController(10.0, 80.0), START
    for wait, fetches in calls:
        now += wait
        controller = controller.spent(now, fetches)
        assert 80.0 / 1e4 <= controller.price <= 80.0 * 1e4
