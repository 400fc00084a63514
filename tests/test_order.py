"""The verdict on a list's order, and what it rests on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recrawler.page.order import Dated, broken_top, judge, trend_of
from recrawler.page.types import Precision, SortOption
from tests.pagekit import NOW, hot, links_of, main_of, page, read, rows


def listed(ages: Sequence[float | None], precision: Precision = "day", pinned: int = 0) -> list[Dated]:
    """Rows of the given ages in days, in page order; whole days are midnights."""
    out = []
    for i, age in enumerate(ages):
        when = NOW - timedelta(days=age) if age is not None else None
        if when is not None and precision == "day":
            when = when.replace(hour=0)
        told = precision if when is not None else None
        out.append(Dated(f"https://x.example/a/{i}", f"Title {i}", when, told, i < pinned))
    return out


def test_dates_that_fall_are_newest_first_and_dates_that_rise_oldest_first() -> None:
    assert judge(listed(range(1, 11)), NOW).verdict == "newest-first"
    assert judge(listed(range(10, 0, -1)), NOW).verdict == "oldest-first"


def test_ties_and_no_variance_are_no_evidence() -> None:
    for ages in ([3] * 12, [3], [3, 2], [None] * 8):
        order = judge(listed(ages), NOW)
        assert order.verdict == "unknown"
        assert order.evidence


def test_days_with_many_ties_are_sorted_by_the_day() -> None:
    assert judge(listed([1, 1, 1, 2, 2, 3, 3, 3, 4, 5, 5]), NOW).verdict == "newest-first"


def test_a_batch_published_in_any_order_on_one_day_does_not_unsort_the_list() -> None:
    minutes = [1.5, 1.52, 1.51, 1.56, 1.54, 1.53, 2.5, 3.5, 4.5, 5.5]
    assert judge(listed(minutes, "minute"), NOW).verdict == "newest-first"


def test_shuffled_dates_are_unsorted() -> None:
    ages = list(range(1, 21))
    random.Random(4).shuffle(ages)
    order = judge(listed(ages), NOW)
    assert order.verdict == "unsorted"
    assert "shuffled" in order.evidence[0]


def test_a_few_rows_out_of_place_are_forgiven() -> None:
    ages = [1, 2, 3, 9, 4, 5, 6, 7, 8, 10, 11, 12, 30, 13, 14, 15]
    assert judge(listed(ages), NOW).verdict == "newest-first"


def test_pinned_rows_do_not_count() -> None:
    assert judge(listed([400, 300, 500, 1, 2, 3, 4, 5], pinned=3), NOW).verdict == "newest-first"


def test_future_rows_do_not_count() -> None:
    assert judge(listed([-3, 1, 2, 3, 4, 5]), NOW).verdict == "newest-first"
    assert judge(listed([5, 4, 3, 2, 1, -40]), NOW).verdict == "oldest-first"


def test_events_that_lie_ahead_tell_nothing_of_publication() -> None:
    assert judge(listed([-1, -2, -3, -4, -5, -6]), NOW).verdict == "unknown"


def test_dates_of_different_precision_are_compared_by_the_coarser() -> None:
    mixed = listed([0.1, 0.2, 0.4], "minute") + listed([1, 2, 3, 4])
    assert judge(mixed, NOW).verdict == "newest-first"


def test_equal_dates_and_alphabetical_titles_are_not_by_publish_time() -> None:
    same = [Dated(f"https://x.example/{t}", t, NOW.replace(hour=0), "day") for t in "ACEGIK"]
    order = judge(same, NOW)
    assert order.verdict == "unsorted"
    assert "alphabetical" in order.evidence[0]
    upset = [Dated(f"https://x.example/{t}", t, NOW.replace(hour=0), "day") for t in "CAEGKI"]
    assert judge(upset, NOW).verdict == "unknown"


def test_the_class_says_sorted_whatever_the_dates_lack() -> None:
    assert judge(listed([None] * 9), NOW, marked=True).verdict == "newest-first"
    assert judge(listed(range(9, 0, -1)), NOW, marked=True).verdict == "oldest-first"


def test_the_active_sort_tab_speaks_where_dates_are_silent() -> None:
    newest = SortOption("Newest", "https://x.example/?s=new", True, "time")
    hottest = SortOption("Hot", "https://x.example/?s=hot", True, "other")
    idle = SortOption("Newest", "https://x.example/?s=new", False, "time")
    silent = listed([None] * 8)
    assert judge(silent, NOW, tabs=[newest]).verdict == "newest-first"
    assert judge(silent, NOW, tabs=[hottest, idle]).verdict == "unsorted"
    assert judge(silent, NOW, tabs=[idle]).verdict == "unknown"
    ages = list(range(1, 21))
    random.Random(4).shuffle(ages)
    assert judge(listed(ages), NOW, tabs=[newest]).verdict == "unsorted"


def numbered(ids: Sequence[int]) -> list[Dated]:
    return [Dated(f"https://x.example/a/{i}.html", f"Title {i}", None, None) for i in ids]


def test_numbers_in_urls_that_fall_without_fail_are_a_hint_and_others_none() -> None:
    assert judge(numbered(range(540, 530, -1)), NOW).verdict == "newest-first"
    assert judge(numbered([540, 539, 537, 538, 536, 535, 534, 533, 532, 531]), NOW).verdict == "unknown"
    assert judge(numbered(range(530, 540)), NOW).verdict == "unknown"
    assert judge(numbered(range(540, 536, -1)), NOW).verdict == "unknown"


def test_numbers_that_rise_tell_of_the_oldest_first_where_the_rows_have_one_date() -> None:
    words = ["kiln", "ash", "oak", "sea", "elm", "dew", "fog", "bay", "ivy", "jug"]

    def dated(ids: Sequence[int], ages: Sequence[float]) -> list[Dated]:
        both = zip(numbered(ids), words, listed(ages), strict=True)
        return [replace(n, text=word, date=d.date, precision="day") for n, word, d in both]

    assert judge(dated(range(530, 540), [2] * 10), NOW).verdict == "oldest-first"
    assert judge(dated(range(530, 540), [2, 2, 2, 2, 2, 3, 3, 3, 3, 3]), NOW).verdict == "newest-first"
    assert (
        judge(dated([530, 531, 533, 532, 534, 535, 536, 537, 538, 539], [2] * 10), NOW).verdict == "unknown"
    )


def test_dates_in_urls_are_a_hint_only_if_they_fall() -> None:
    def dates(days: Sequence[int]) -> list[datetime | None]:
        return [datetime(2026, 3, 1, tzinfo=UTC) - timedelta(days=d) for d in days]

    silent = listed([None] * 10)
    assert judge(silent, NOW, url_dates=dates(range(10))).verdict == "newest-first"
    assert judge(silent, NOW, url_dates=dates([0, 44, 1, 2, 3, 90, 4, 5, 60, 6])).verdict == "unknown"


@given(st.permutations(range(1, 16)))
def test_what_is_called_sorted_has_nearly_all_pairs_in_order(ages: list[int]) -> None:
    verdict = judge(listed(ages), NOW).verdict
    falls = sum(a < b for i, a in enumerate(ages) for b in ages[i + 1 :]) / (15 * 14 / 2)
    if verdict == "newest-first":
        assert falls >= 0.9
    if verdict == "oldest-first":
        assert falls <= 0.1


@given(st.lists(st.integers(0, 400), max_size=40))
def test_the_trend_of_a_list_is_that_of_its_mirror_turned(ages: list[int]) -> None:
    dates = [(NOW - timedelta(days=a), "day") for a in ages]
    there, back = trend_of(dates), trend_of(dates[::-1])  # type: ignore[arg-type]
    assert there.tau == -back.tau
    assert (there.falling, there.rising) == (back.rising, back.falling)


def test_rows_at_the_top_that_break_the_run_are_pinned_ones() -> None:
    def dates(ages: Sequence[int]) -> list[tuple[datetime, Precision] | None]:
        return [(NOW - timedelta(days=a), "day") for a in ages]

    assert broken_top(dates([300, 90, 1, 2, 3, 4, 5, 6, 7])) == 2
    assert broken_top(dates([40, 1, 1, 1, 2, 2, 2])) == 1
    assert broken_top(dates([1, 2, 3, 4, 5, 6, 7])) == 0
    assert broken_top(dates([300, 90, 5, 1, 9, 2, 7, 3])) == 0
    assert broken_top([None, *dates([1, 2, 3, 4, 5, 6])]) == 0


def test_pinned_rows_of_a_page_are_marked_by_word_class_or_date() -> None:
    def plain(i: int, t: str, u: str, d: str) -> str:
        return f'<li><a href="{u}">{t}</a><span>{d}</span></li>'

    ways = [
        '<li><em>[置顶]</em><a href="/old/1.html">The rules of this house, please read</a><span>2024-01-02</span></li>',
        '<li class="item sticky"><a href="/old/1.html">The rules of this house, please read</a><span>2024-01-02</span></li>',
        '<li><a href="/old/1.html">The rules of this house, please read</a><span>2024-01-02</span></li>',
    ]
    for first in ways:
        found = read(page(f"<ul>{first}{rows(10, plain)}</ul>", side=hot()))
        assert [x.pinned for x in links_of(found)] == [True] + [False] * 10
        assert main_of(found).order.verdict == "newest-first"


@pytest.mark.parametrize(
    ("name", "image"), [('id="sticktopic_12"', ""), ("", '<img src="/i/pin_1.gif?v=2">'), ("class=stick", "")]
)
def test_a_pinned_row_of_a_short_page_is_marked_by_its_name_or_an_image(name: str, image: str) -> None:
    def row(i: int, t: str, u: str, d: str) -> str:
        return f'<li {name if i < 2 else ""}>{image if i < 2 else ""}<a href="{u}">{t}</a></li>'

    assert [x.pinned for x in links_of(read(page(f"<ul>{rows(5, row)}</ul>")))] == [True] * 2 + [False] * 3


def test_a_mark_that_all_rows_carry_pins_none() -> None:
    content = rows(8, lambda i, t, u, d: f'<li class="sticky-card sticky"><a href="{u}">{t}</a> {d}</li>')
    assert not any(x.pinned for x in links_of(read(page(f"<ul>{content}</ul>"))))


def test_an_oldest_first_list_has_its_newer_items_on_the_pages_after() -> None:
    n = 8
    content = "".join(
        f'<li><a href="/news/s-{100 + i}.html">A story of the old days, told in part {i}</a> 2026-01-{i + 1:02d}</li>'
        for i in range(n)
    )
    listing = main_of(read(page(f"<ul>{content}</ul>")))
    assert listing.order.verdict == "oldest-first"
    assert listing.newer == "https://gazette.example/news/?page=2"
    assert listing.older is None
    assert listing.last == "https://gazette.example/news/?page=3"


def test_numbers_do_not_overrule_two_days_in_disorder() -> None:
    days = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
    rows = [
        Dated(f"https://a.example/{90 - i}.html", f"t{i}", NOW - timedelta(days=d), "day")
        for i, d in enumerate(days)
    ]
    assert judge(rows, NOW).verdict == "unknown"
