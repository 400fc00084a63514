"""Budget, opening hours, and the commands that look ahead and back: plan, simulate, show."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from recrawler import cadence
from recrawler.engine.local import LocalEngine
from recrawler.records import IndexOptions
from recrawler.settings import Budget, Duration, Settings, format_budget, parse_budget
from recrawler.sinks.delivery import Deliverer
from recrawler.store.sqlite import SqliteStore
from recrawler.visit.past import as_it_was, past_of
from recrawler.visit.spending import Spending, open_hours, opening, pricing
from tests.living import live
from tests.test_cli import Shell
from tests.watching import Watch, watching

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 30, 2, 0, tzinfo=UTC)  # Monday, 10:00 in Shanghai


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, capsys)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Nine days of a dated list, six of one without dates, a day of a new one."""
    path = tmp_path_factory.mktemp("lived") / "lived.db"
    with SqliteStore(path, create=True) as store:
        live(store, days=9)
        live(store, "https://plain.example/list/", days=6, dated=False)
        live(store, "https://young.example/list/", days=1)
    yield path


@pytest.fixture
def told(lived: Path, shell: Shell) -> Shell:
    shell.db = lived
    return shell


# --- the budget ---


@pytest.mark.parametrize(
    ("text", "per_hour"),
    [("5000/h", 5000.0), ("100/min", 6000.0), ("2,400 / d", 100.0), ("1/s", 3600.0), ("", 0.0)],
)
def test_a_budget_is_requests_a_time(text: str, per_hour: float) -> None:
    assert parse_budget(text) == pytest.approx(per_hour)
    assert parse_budget(format_budget(parse_budget(text))) == pytest.approx(per_hour)


@pytest.mark.parametrize(
    "text",
    ["5000", "0/h", "-3/h", "fast", "5000/week", "1e5/h", "9" * 400 + "/h", "9" * 99 + "/h", "0.0001/d"],
)
def test_what_is_no_budget_is_refused_with_one_line(shell: Shell, text: str) -> None:
    SqliteStore(shell.db, create=True).close()
    shell("run", "--once", "--budget", text).fails(2, "is not a budget", "5000/h")


def test_a_budget_and_a_price_exclude_each_other(shell: Shell) -> None:
    SqliteStore(shell.db, create=True).close()
    shell.config.write_text('budget = "10/h"\nprice = 80.0\n')
    shell("plan").fails(2, "budget", "price")
    shell.config.write_text("budget = 10\n")
    shell("plan").fails(2, "budget", '"5000/h"')


def test_the_price_follows_the_budget_and_a_restart_goes_on_with_it(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "r.db", create=True) as store:
        settings = Settings(budget=Budget(100.0))
        spending, at = Spending(store, settings), NOW
        before = spending.price
        for _ in range(90):
            at += timedelta(minutes=5)
            spending.count(25, at)  # three times too many
        spending.keep()
        assert spending.price > 2.0 * before
        again = Spending(store, settings)
        assert again.controller == spending.controller and again.paid[-1] == pytest.approx(300.0)
        doubled = Spending(store, replace(settings, budget=Budget(200.0)))
        assert doubled.price == pytest.approx(spending.price / 4.0)
        assert Spending(store, Settings()).price == cadence.PRICE
        assert Spending(store, Settings(price=7.0)).price == 7.0


def test_polite_is_bounded_by_the_least_interval_alone(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "r.db", create=True) as store:
        page = live(store, days=2, now=NOW, options=IndexOptions(min_every=120.0))
        settings = Settings(budget=parse_budget("polite"))
        terms = pricing(page, settings, Spending(store, settings).price)
        state = cadence.first(None, 20, NOW.timestamp())
        assert cadence.next_visit(state, NOW.timestamp(), terms) == NOW.timestamp() + 120.0


async def test_every_request_that_the_daemon_makes_is_counted(tmp_path: Path) -> None:
    async with watching(tmp_path, robots=True, budget=Budget(50.0)) as w:
        engine = LocalEngine(w.store, w.visitor, w.visitor.settings, Deliverer(w.store, []))
        await engine.run(once=True)
        kept = w.store.note("budget")
        assert kept is not None and "/robots.txt" in " ".join(w.served.requests)
        assert kept["now_spent"] == len(w.served.requests)


async def test_a_crawl_delay_is_the_least_interval(tmp_path: Path) -> None:
    async with watching(tmp_path, robots=True, min_every=Duration(1.0), price=0.001) as w:
        w.served.fault("/robots.txt", lambda path: (200, b"User-agent: *\nCrawl-delay: 900\n", {}))
        w.visitor.settings = replace(w.visitor.settings, max_pages=1, baseline_pages=1)
        visit = await w.visit()
        assert visit.next_visit_at is not None
        assert (visit.next_visit_at - visit.started_at).total_seconds() >= 900.0


def test_a_note_is_kept_by_its_name(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "r.db", create=True) as store:
        assert store.note("a") is None
        store.keep_note("a", {"x": 1})
        store.keep_note("a", {"x": [2.5]})
        assert store.note("a") == {"x": [2.5]}
        store.keep_note("budget", {"price": "no number"})  # of another version: learnt anew
        assert Spending(store, Settings(budget=Budget(9.0))).price == cadence.PRICE


# --- opening hours ---


@dataclass
class Still:
    """A clock that stands where it was put."""

    at: datetime

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()

    async def sleep(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


async def _run_at(w: Watch, at: datetime) -> int:
    """Run the daemon at this moment; how many visits it made."""
    clock = Still(at)
    w.visitor.clock = clock
    engine = LocalEngine(w.store, w.visitor, w.visitor.settings, Deliverer(w.store, []), clock=clock)
    await engine.run(once=True)
    return engine.pulse.visits


async def test_case_110_at_most_every_five_minutes_and_within_hours_alone(tmp_path: Path) -> None:
    options = IndexOptions(min_every=300.0, hours="08:00-19:00", timezone="Asia/Shanghai")
    async with watching(tmp_path, options=options) as w:
        night = datetime(2026, 11, 30, 2, 0, tzinfo=SHANGHAI).astimezone(UTC)
        w.store.schedule(w.index_id, night)  # due all the same: added, resumed or overdue
        assert await _run_at(w, night) == 0 and not w.served.requests
        assert w.index.next_visit_at == datetime(2026, 11, 30, 0, 0, tzinfo=UTC)  # 08:00 there
        at, seen = datetime(2026, 11, 30, 0, 0, tzinfo=UTC), []
        for _ in range(60):
            w.site.publish(1, at=at)
            assert await _run_at(w, at) == 1
            seen.append(at)
            assert w.index.next_visit_at is not None and w.index.next_visit_at >= at + timedelta(minutes=5)
            at = w.index.next_visit_at
        assert len({t.astimezone(SHANGHAI).date() for t in seen}) > 1
        assert all(8 * 60 <= _minute(t) <= 19 * 60 for t in seen)


def _minute(at: datetime) -> float:
    there = at.astimezone(SHANGHAI)
    return there.hour * 60 + there.minute + there.second / 60


async def test_case_110_a_failed_visit_is_tried_again_within_hours(tmp_path: Path) -> None:
    options = IndexOptions(hours="08:00-19:00", timezone="Asia/Shanghai")
    async with watching(tmp_path, options=options) as w:
        closing = datetime(2026, 11, 30, 18, 58, tzinfo=SHANGHAI).astimezone(UTC)
        w.store.schedule(w.index_id, closing)
        w.served.fault(".*", lambda path: (500, b"no", {}))
        assert await _run_at(w, closing) == 1
        assert w.index.last_outcome == "fetch-failed"
        assert w.index.next_visit_at == datetime(2026, 12, 1, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize("day", [(3, 8), (11, 1)])
def test_case_092_hours_follow_daylight_saving(day: tuple[int, int]) -> None:
    new_york = ZoneInfo("America/New_York")
    midnight = datetime(2026, *day, tzinfo=new_york)
    hours = cadence.parse_hours("06:00-07:00", new_york)
    opens = hours.open_at(midnight.timestamp())
    assert datetime.fromtimestamp(opens, new_york) == midnight.replace(hour=6)


def test_several_spans_are_one_set_of_hours() -> None:
    hours = cadence.parse_hours("Mon-Fri 08:00-12:00, 11:00-13:00, Sat 22:00-02:00 Asia/Shanghai")
    monday = datetime(2026, 11, 30, tzinfo=SHANGHAI)
    spans = list(hours.spans(monday.timestamp(), (monday + timedelta(days=7)).timestamp()))
    lengths = [(b - a) / 3600.0 for a, b in spans]
    assert lengths == [5.0] * 5 + [2.0, 4.0, 2.0]  # the last one: Sunday, 11:00


def test_hours_are_on_the_clock_of_the_index(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "r.db", create=True) as store:
        page = live(store, days=0, now=NOW)  # .cn, nothing else known
        night = NOW.replace(hour=14)  # 22:00 there
        for options, hour in ((page.options, 0), (replace(page.options, timezone="Europe/Berlin"), 14)):
            made = replace(page, options=replace(options, hours="08:00-19:00"))
            assert opening(open_hours(made, Settings()), night).hour == hour
        shared = Settings(hours="08:00-19:00")
        assert open_hours(page, shared) is not None
        assert open_hours(replace(page, options=IndexOptions(hours="")), shared) is None


def test_hours_are_options_that_can_be_set_moved_and_refused(shell: Shell, tmp_path: Path) -> None:
    shell("add-index", "https://a.example/", "--no-visit", "--hours", "Mon-Fri 08:00-19:00", "--weight", "2")
    shell("edit", "1", "--hours", "8-19").fails(2, "--hours", "08:00-19:00")
    shell("edit", "1", "--weight", "0").fails(2, "--weight")
    shown = shell("show", "1", "--json").rows[0]["options"]
    assert (shown["hours"], shown["weight"]) == ("Mon-Fri 08:00-19:00", 2.0)
    out = tmp_path / "list.json"
    assert shell("export", out).status == 0
    assert shell("remove", "1").status == 0
    assert shell("import", out).status == 0
    [page] = shell("indexes", "--json").rows
    assert shell("show", page["index"], "--json").rows[0]["options"]["hours"] == "Mon-Fri 08:00-19:00"
    bad = json.dumps({"url": "https://b.example/", "options": {"hours": "always"}})
    out.write_text(bad + "\n")
    refused = shell("import", out)
    assert refused.status == 1 and "--hours" in refused.err and "0 added" in refused.out
    shell.config.write_text('hours = "late"\n')
    shell("plan").fails(2, "hours", "08:00-19:00")


# --- what is told ---


def test_show_tells_the_plan_in_words_and_as_a_week(told: Shell) -> None:
    shown = told("show", "1")
    told_of = r"items a day, most between 0[5-9]:[03]0 and (1[7-9]|2[01]):[03]0 \+08:00; next visit"
    assert re.search(told_of, " ".join(shown.out.split())), shown.out
    assert (
        "because" in shown.out
        and "Mon     Tue     Wed" in shown.out
        and "after publication" in " ".join(shown.out.split())
    )
    row = told("show", "1", "--json").rows[0]["cadence"]
    assert row["profile_zone"] == "+08:00" and len(row["profile"]) == 336
    by_day = [sum(row["profile"][h::48]) for h in range(48)]
    assert sum(by_day[16:38]) > 2 * (sum(by_day[:16]) + sum(by_day[38:]))
    assert 10 < row["day_ahead"]["visits"] < 80 and 10 < row["day_ahead"]["links"] < 40


def test_plan_tells_the_coming_visits_and_what_they_cost(told: Shell) -> None:
    text = told("plan", "--hours", "24").out
    assert "requests an hour" in text and "after publication on average" in text and "none set" in text
    assert text.count("https://") == 3
    first, *rows = told("plan", "--hours", "24", "--json").rows
    assert first["hours"] == 24 and first["budget"] is None and first["price"] == cadence.PRICE
    assert first["visits"] == sum(len(r["visits"]) for r in rows)
    assert sum(r["links"] for r in rows) == pytest.approx(first["links"], rel=0.01)
    assert all(r["visits"] == sorted(r["visits"]) and r["mean_delay"] > 0 for r in rows)
    assert [r["visits"][0] for r in rows] == sorted(r["visits"][0] for r in rows)


def test_plan_tells_how_the_budget_is_spent(shell: Shell) -> None:
    with SqliteStore(shell.db, create=True) as store:
        spending = Spending(store, Settings(budget=Budget(100.0)))
        for k in range(30 * 12):
            spending.count(8, NOW + timedelta(minutes=5 * k))
        spending.keep()
    shell.config.write_text('budget = "100/h"\n')
    assert "Budget: 100/h; spent 96/h over the last 24 hours; 96" in shell("plan").out
    assert shell("plan", "--json").rows[0]["spent_per_hour_day"] == pytest.approx(96.0)
    shell.config.write_text('budget = "polite"\n')
    assert "polite" in shell("plan").out
    shell("plan", "--hours", "0").fails(2, "--hours")


def test_simulate_tells_what_other_budgets_bring(told: Shell) -> None:
    rows = told(
        "simulate", "1", "--times", "0.5", "--times", "1", "--times", "2", "--days", "6", "--json"
    ).rows
    was, *plans = rows
    assert [r["plan"] for r in plans] == ["half", "the same", "double"]
    assert was["plan"] == "as it was" and was["requests_per_day"] == pytest.approx(24, abs=0.5)
    assert 1500 < was["mean_delay"] < 2100  # visited every hour
    for less, more in pairwise(plans):
        assert more["requests_per_day"] > 1.5 * less["requests_per_day"]
        assert more["mean_delay"] < less["mean_delay"]
    asked = told("simulate", "1", "--budget", "1/h", "--every", "1h", "--json").rows[1:]
    assert asked[0]["requests_per_day"] == pytest.approx(24, rel=0.1)
    assert asked[1]["requests_per_day"] == pytest.approx(24, rel=0.04)
    assert asked[0]["mean_delay"] < 0.9 * asked[1]["mean_delay"]
    text = told("simulate", "1", "--times", "0.3").out
    assert "0.3 times" in text and "MEAN DELAY" in text and "counted over the last" in text


def test_simulate_says_why_it_cannot(told: Shell) -> None:
    told("simulate", "3").fails(1, "index 3", "too short a history", "10 links of 3 days")
    told("simulate").fails(2, "an ID, or --all")
    told("simulate", "1", "--all").fails(2, "an ID, or --all")
    told("simulate", "1", "--budget", "polite").fails(2, "5000/h")
    told("simulate", "1", "--every", "5").fails(2, "duration")


def test_simulate_all_leaves_young_ones_out_and_tells_of_missing_dates(told: Shell) -> None:
    done = told("simulate", "--all", "--times", "0.5")
    assert "2 of 3 index pages" in done.out and "without a date" in done.out
    [was, half] = told("simulate", "--all", "--times", "0.5", "--sample", "1", "--json").rows
    assert was["requests_per_day"] == pytest.approx(3 * 24, abs=2)  # one stands for three
    assert half["requests_per_day"] > 0


def test_an_empty_database_is_told_as_such(shell: Shell) -> None:
    SqliteStore(shell.db, create=True).close()
    assert "No index is due" in shell("plan").out
    shell("simulate", "--all").fails(1, "add-index")


def test_a_past_without_dates_counts_from_when_links_were_found(lived: Path) -> None:
    with SqliteStore(lived) as store:
        [dated, plain, _] = store.indexes()
        now = datetime.now(UTC)
        pasts = [past_of(x, store.publications(x.id), [], now, 28.0) for x in (dated, plain)]
        assert [p.dated for p in pasts] == [1.0, 0.0]
        assert pasts[0].since < dated.added_at.timestamp() == pytest.approx(pasts[0].since, abs=3 * 86400)
        assert pasts[1].since == plain.added_at.timestamp()
        was = as_it_was(pasts[1], store.publications(plain.id), store.visits(plain.id))
        assert was.delays == () and was.fetches_per_day == pytest.approx(24, abs=1)


def test_the_outlook_adds_up() -> None:
    now = NOW.timestamp()
    state = cadence.first([now - 1800.0 * k for k in range(40)], 40, now)
    terms = cadence.Pricing(every=600.0)
    found = cadence.outlook(state, now, now + 600.0, terms, now + 7200.0)
    assert [t - now for t in found.visits] == [600.0 * k for k in range(1, 13)]
    assert found.links == pytest.approx(2.0 * 7800.0 / 3600.0, rel=0.15)  # two an hour, to the visit after
    assert found.mean_delay == pytest.approx(300.0, rel=0.1)
    nothing: Any = cadence.outlook(state, now, now - 50.0, terms, now - 100.0)
    assert nothing.visits == ()
