"""Kinds of faults in dates: lists over New Year, two dates in a row, clocks, and what is no date."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from recrawler.page.dates import find_date
from tests.pagekit import links_of, main_of, page, read, titles

SHANGHAI = ZoneInfo("Asia/Shanghai")
URL = "https://gazette.example.cn/news/"
MARCH = datetime(2026, 3, 10, tzinfo=UTC)


def days(cells: list[str], now: datetime, wrap: Callable[[str], str] = str) -> list[str | None]:
    """The dates, as the site's days or minutes, of a list whose rows hold these texts."""
    rows = "".join(
        f'<li><a href="/news/{900 - i}.html">{t}</a> <span class="d">{wrap(c)}</span></li>'
        for i, (t, c) in enumerate(zip(titles(len(cells)), cells, strict=True))
    )
    links = links_of(read(page(f'<ul class="list">{rows}</ul>'), URL, now=now))
    assert len(links) == len(cells)
    local = [None if x.date is None else x.date.astimezone(SHANGHAI) for x in links]
    forms = {"day": "%Y-%m-%d", "minute": "%Y-%m-%d %H:%M"}
    return [
        d and f"{d:{forms.get(x.precision or '', '%Y-%m-%d %H:%M')}}"
        for d, x in zip(local, links, strict=True)
    ]


def test_kind_the_old_year_on_new_years_day() -> None:
    cells = ["01-01 09:00", "01-01 00:10", "12-31 23:50", "12-31 12:00", "12-30 10:00", "12-28 08:00"]
    found = days(cells, datetime(2026, 1, 1, 4, 0, tzinfo=UTC))
    assert found == [f"{2026 if c < '02' else 2025}-{c}" for c in cells]


def test_kind_a_slow_list_on_new_years_eve_ends_a_year_ago_not_tomorrow() -> None:
    cells = ["12-30", "12-02", "11-05", "10-01", "08-08", "06-06", "03-03", "02-02", "01-01"]
    assert days(cells, datetime(2025, 12, 31, 4, 0, tzinfo=UTC)) == [f"2025-{c}" for c in cells]


@pytest.mark.parametrize("form", ["{}", "[{}]"])
def test_kind_a_list_without_years_goes_down_past_two_new_years(form: str) -> None:
    cells = ["03-01", "02-10", "01-05", "12-20", "11-11", "07-07", "04-04", "03-02", "01-10", "10-10"]
    found = days([form.format(c) for c in cells], MARCH)
    years = [2026] * 3 + [2025] * 6 + [2024]
    assert found == [f"{y}-{c}" for y, c in zip(years, cells, strict=True)]


def test_kind_pins_of_last_year_take_no_list_into_the_past() -> None:
    pins = ["12-20", "11-11", "10-10", "09-09"]
    news = ["03-09", "03-08", "03-07", "03-06", "03-05", "03-04", "03-03"]
    assert days([*pins, *news], MARCH) == [*(f"2025-{d}" for d in pins), *(f"2026-{d}" for d in news)]


@pytest.mark.parametrize(
    "row",
    [
        "活动时间：2026-04-{e:02}</span><span class='p'>2026-03-{p:02}",
        "2026-04-{e:02}</span><span class='p'>2026-03-{p:02}",
        "2026-03-{p:02}</span><span class='p'>2026-04-{e:02}",
        "<time datetime='2026-04-{e:02}'>soon</time></span><span class='p'>2026-03-{p:02}",
        "<time class='published' datetime='2026-03-{p:02}'>x</time>"
        "<time class='updated' datetime='2026-03-0{u}'>y</time>",
    ],
    ids=["labelled", "event_first", "event_last", "event_for_machines", "updated"],
)
def test_kind_of_two_dates_in_a_row_that_of_publication_is_taken(row: str) -> None:
    cells = [row.format(e=20 - i, p=9 - i, u=9 - (i * 5) % 7) for i in range(8)]
    assert days(cells, MARCH) == [f"2026-03-{9 - i:02}" for i in range(8)]


def test_kind_a_list_of_events_alone_has_no_dates_of_publication() -> None:
    """Dates ahead are none of publication; the list is one all the same."""
    cells = [f"2026-04-{20 - i:02}" for i in range(8)]
    assert days(cells, MARCH) == [None] * 8


def test_kind_ages_and_dates_in_one_column_go_down() -> None:
    cells = ["2分钟前", "昨天 23:58", "昨天 12:00", "昨天", "前天", "03-07", "2025-12-30"]
    found = days(cells, datetime(2026, 3, 9, 16, 2, tzinfo=UTC))  # two minutes past midnight there
    assert found == [
        "2026-03-10 00:00", "2026-03-09 23:58", "2026-03-09 12:00", "2026-03-09", "2026-03-08",
        "2026-03-07", "2025-12-30",
    ]  # fmt: skip


def test_kind_zero_dates_are_none() -> None:
    assert days(["0000-00-00", "2026-03-09", "2026-03-08", "1970-01-01", "2026-03-07"], MARCH) == [
        None, "2026-03-09", "2026-03-08", None, "2026-03-07",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "lang", "right"),
    [
        ("2026年3月1日 凌晨12:05", "zh", "2026-03-01 00:05"),
        ("2026年3月1日 中午12:05", "zh", "2026-03-01 12:05"),
        ("2026年3月1日 晚上12:05", "zh", "2026-03-02 00:05"),
        ("2026年3月1日 下午3:05", "zh", "2026-03-01 15:05"),
        ("March 1, 2026 12:30 AM", "en", "2026-03-01 00:30"),
        ("March 1, 2026 12:30 PM", "en", "2026-03-01 12:30"),
        ("2026-03-01 24:00", "en", "2026-03-02 00:00"),
        ("Thu, 03 Sep 15 00:01:01 +0800", "en", "2015-09-03 00:01"),
        ("Sun Mar 01 10:00:00 CST 2026", "zh", "2026-03-01 10:00"),
        ("18-Jan-18", "en", "2018-01-18 00:00"),
    ],
)
def test_kind_clocks_of_twelve_hours_and_short_years(text: str, lang: str, right: str) -> None:
    found = find_date(text, now=MARCH, tz=SHANGHAI, lang=lang)
    assert found is not None and f"{found.date.astimezone(SHANGHAI):%Y-%m-%d %H:%M}" == right


@pytest.mark.parametrize(
    "text", ["2026年第3期", "第10-12版", "比分 3-1", "版本 1.2.3", "192.168.1.10", "3 min read", "in 3 days", "3天后",
             "2026-02-30", "9999-12-31", "+8610-8888"],
)  # fmt: skip
def test_kind_what_is_no_date_of_publication(text: str) -> None:
    found = find_date(text, now=MARCH, tz=SHANGHAI, lang="zh")
    assert found is None or found.date > MARCH


@pytest.mark.parametrize(
    ("local", "utc"),
    [("2026-03-29 01:59", "00:59"), ("2026-03-29 03:01", "01:01"), ("2025-10-26 03:30", "02:30")],
)
def test_kind_hours_around_a_change_of_clocks(local: str, utc: str) -> None:
    found = find_date(local, now=MARCH + timedelta(days=60), tz=ZoneInfo("Europe/Berlin"), lang="de")
    assert found is not None and f"{found.date:%H:%M}" == utc


def test_kind_a_list_whose_events_lie_ahead_is_sorted_by_its_other_dates() -> None:
    rows = "".join(
        f'<li><a href="/news/{900 - i}.html">{t}</a> <i>2026-05-{(i * 7) % 28 + 1:02}</i> <b>2026-03-{9 - i:02}</b></li>'
        for i, t in enumerate(titles(8))
    )
    assert main_of(read(page(f"<ul>{rows}</ul>"), URL, now=MARCH)).order.verdict == "newest-first"


@pytest.mark.parametrize(
    ("cells", "right"),
    [
        (["12/08", "12/08", "12/07", "12/04", "12/03", "12/02"], ["12-08", "12-08", "12-07", "12-04", "12-03", "12-02"]),
        (["08/12", "08/12", "07/12", "04/12", "03/12", "02/12"], ["12-08", "12-08", "12-07", "12-04", "12-03", "12-02"]),
    ],
)  # fmt: skip
def test_kind_of_days_without_a_year_the_number_that_changes_is_the_day(
    cells: list[str], right: list[str]
) -> None:
    assert days(cells, datetime(2026, 12, 9, tzinfo=UTC)) == [f"2026-{day}" for day in right]


LENGTHS = {
    "by their name": (["10:12", "09:40", "08:30", "07:05", "06:01"], '<i class="film-duration">{}</i>'),
    "longer than a day has hours": (["10:12", "09:40", "08:30", "07:05", "06:01", "98:20"], "<i>{}</i>"),
    "short ones up and down": (["3:00", "2:56", "4:50", "5:01", "3:41", "9:18", "4:46", "2:19"], "<i>{}</i>"),
}


@pytest.mark.parametrize("name", LENGTHS)
def test_kind_the_lengths_of_films_are_no_times_of_day(name: str) -> None:
    cells, wrap = LENGTHS[name]
    assert days(cells, MARCH + timedelta(hours=12), wrap.format) == [None] * len(cells)


@pytest.mark.parametrize(
    "cells",
    [
        ["11:50", "11:20", "9:41", "9:18", "8:46", "7:05", "3:00", "2:19"],  # newest first
        [
            "11:50",
            "23:20",
            "9:41",
            "20:18",
            "8:46",
            "17:05",
            "3:00",
            "22:19",
        ],  # a list that is not sorted by time
    ],
)
def test_kind_times_of_day_are_no_lengths(cells: list[str]) -> None:
    assert None not in days(cells, MARCH + timedelta(hours=15, minutes=50))
