"""Dates in texts, attributes and URLs: the table of data/dates.tsv, properties, and what is no date."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from recrawler.page.dates import Found, date_from_url, fallback, find_date, infer_day_first, parse_time_attr
from recrawler.page.dates.reading import jalali

DATA = Path(__file__).parent.parent / "data"
SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 1, 15, 14, 30, tzinfo=SHANGHAI)


def rows() -> list[tuple[str, ...]]:
    lines = (DATA / "dates.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")]


ROWS = rows()


def find(
    text: str, lang: str | None = None, now: datetime = NOW, tz: ZoneInfo = SHANGHAI, **more: bool
) -> Found | None:
    return find_date(text, now=now, tz=tz, lang=lang, **more)


def wall(found: Found | None, tz: ZoneInfo = SHANGHAI) -> str | None:
    """The date as a wall clock shows it, to its precision."""
    if found is None:
        return None
    digits = {"day": 10, "hour": 16, "minute": 16, "second": 19}[found.precision]
    return found.date.astimezone(tz).strftime("%Y-%m-%d %H:%M:%S")[:digits]


def test_the_table_is_large() -> None:
    assert len({row[:3] for row in ROWS}) == len(ROWS)
    assert len(ROWS) >= 300
    assert len({row[1] for row in ROWS}) >= 40


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "|".join(row[:3]))
def test_table(row: tuple[str, ...]) -> None:
    text, lang, option, right, precision = row
    day_first = {"dayfirst": True, "monthfirst": False}.get(option)
    found = find_date(
        text, now=NOW, tz=SHANGHAI, lang=lang or None, day_first=day_first, loose=option == "loose"
    )
    if right == "none":
        assert found is None
        return
    assert found is not None
    assert found.precision == precision
    moment = found.date.astimezone(SHANGHAI).replace(tzinfo=None)
    assert moment == datetime.fromisoformat(right)
    assert 0 <= found.start < found.end <= len(text)
    assert text[found.start : found.end] == text[found.start : found.end].strip()


# What the site's zone and now do.


def test_a_day_is_midnight_in_the_sites_zone() -> None:
    found = find("2026-01-05", tz=NEW_YORK)
    assert found is not None
    assert found.date == datetime(2026, 1, 5, 5, tzinfo=UTC)
    assert found.date.tzinfo is UTC


def test_summer_time_of_the_site_is_that_of_the_date() -> None:
    assert find("2025-07-05 10:00", tz=NEW_YORK).date == datetime(2025, 7, 5, 14, tzinfo=UTC)
    assert find("2026-01-05 10:00", tz=NEW_YORK).date == datetime(2026, 1, 5, 15, tzinfo=UTC)


def test_a_zone_in_the_text_goes_before_the_sites() -> None:
    found = find("2026-01-05T10:00:01+09:00", tz=NEW_YORK)
    assert found is not None and found.has_zone
    assert found.date == datetime(2026, 1, 5, 1, 0, 1, tzinfo=UTC)
    assert not find("2026-01-05 10:00").has_zone


@pytest.mark.parametrize(
    ("tz", "lang", "hour"),
    [(SHANGHAI, None, 2), (ZoneInfo("America/Chicago"), None, 16), (UTC, "zh", 2), (UTC, "en", 16)],
)
def test_cst_is_the_sites_own_where_it_can_be(tz: ZoneInfo, lang: str | None, hour: int) -> None:
    found = find("2026-01-05 10:00 CST", lang=lang, tz=tz)
    assert found is not None and found.has_zone
    assert found.date == datetime(2026, 1, 5, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "text", "right"),
    [
        ((2026, 1, 1, 0, 30), "12-31", "2025-12-31"),
        ((2026, 1, 1, 0, 30), "1月1日", "2026-01-01"),
        ((2025, 12, 31, 23, 30), "01-01", "2026-01-01"),  # a site ahead of its zone
        ((2025, 12, 31, 23, 30), "01-02", "2025-01-02"),
        ((2025, 12, 31, 23, 30), "Jan 1", "2026-01-01"),
        ((2026, 3, 1, 8, 0), "02-29", "2024-02-29"),
        ((2026, 1, 1, 0, 10), "昨天 23:50", "2025-12-31 23:50"),
        ((2026, 1, 1, 0, 10), "20分钟前", "2025-12-31 23:50"),
        ((2024, 3, 31, 8, 0), "1个月前", "2024-02-29"),
        ((2024, 2, 29, 8, 0), "1 year ago", "2023-02-28"),
    ],
)
def test_around_the_turn_of_the_year(now: tuple[int, ...], text: str, right: str) -> None:
    assert wall(find(text, now=datetime(*now, tzinfo=SHANGHAI))) == right


def test_now_is_read_in_the_sites_zone() -> None:
    late = datetime(2026, 1, 15, 20, 0, tzinfo=UTC)  # the 16th in Shanghai
    assert wall(find("今天", now=late)) == "2026-01-16"
    assert wall(find("今天", now=late, tz=NEW_YORK), NEW_YORK) == "2026-01-15"
    naive = late.replace(tzinfo=None)  # taken for UTC
    assert wall(find("今天", now=naive)) == "2026-01-16"


def test_a_future_date_is_given_as_it_is() -> None:
    assert wall(find("2026-01-18")) == "2026-01-18"


def test_precision_of_ages_allows_ties() -> None:
    texts = ["30秒前", "3分钟前", "半小时前", "3小时前", "几分钟前", "昨天", "3天前"]
    precisions = [find(text, "zh").precision for text in texts]
    assert precisions == ["minute", "minute", "minute", "hour", "hour", "day", "day"]
    assert all(find(text, "zh").relative for text in texts)
    assert [find(t).coarse for t in ("3天前", "2周前", "1个月前", "1年前")] == [False, True, True, True]


# Which of several dates, and where it stands.


def test_place_in_the_text_as_given() -> None:
    text = "发布时间：２０２５\u200b-12-31 10:00 来源：本站"
    found = find(text, "zh")
    assert found is not None
    assert text[found.start : found.end] == "２０２５\u200b-12-31 10:00"
    long = "标题" * 1000 + " 2025-12-31"
    found = find(long, "zh")
    assert found is not None
    assert long[found.start : found.end] == "2025-12-31"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("更新：2026-01-10 发布：2026-01-02", "2026-01-02"),
        ("会议定于2026年1月12日召开 2026-01-08", "2026-01-08"),
        ("[2026-01-08] 关于2026年1月12日停水的通知", "2026-01-08"),
        ("Conference on January 12, 2026 | Posted Jan 8, 2026", "2026-01-08"),
    ],
)
def test_the_date_of_publication_among_others(text: str, right: str) -> None:
    assert wall(find(text)) == right


def test_day_first_rules_where_it_is_told() -> None:
    assert wall(find("05/06/2025", "en", day_first=True)) == "2025-06-05"
    assert wall(find("05/06/2025", "fr", day_first=False)) == "2025-05-06"
    assert wall(find("13/06/2025", "en", day_first=False)) == "2025-06-13"


def test_loose_takes_what_a_column_of_dates_holds() -> None:
    for text in ("8-1", "15:26", "1/20", "3h"):
        assert find(text) is None
        assert find(text, loose=True) is not None


@pytest.mark.parametrize(
    ("texts", "right"),
    [
        (["13/01/2026", "05/01/2026"], True),
        (["01/13/2026", "01/05/2026"], False),
        (["12-31", "12-30"], False),
        (["05/01/2026", "04/01/2026", "03/01/2026", "02/01/2026"], True),
        (["01/05/2026", "01/04/2026", "01/03/2026", "01/02/2026"], False),
        (["05.01.2026 10:30", "04.01.2026 10:10", "03.01.2026 10:10", "02.01.2026"], True),
        (["06/09 07:55", "06/08 10:00", "06/07 19:01", "05/31 01:02"], False),
        (["26/05/22", "26/05/21", "26/05/20", "26/04/09"], None),  # the year stands first
        (["24-03-29", "24-03-29", "24-03-29"], None),  # which number is the year, no other row tells
        (["05/01/2026", "04/01/2026"], None),
        (["01/01/2026", "02/02/2026", "03/03/2026", "04/04/2026"], None),
        (["2026-01-05", "no date", ""], None),
        ([], None),
    ],
)
def test_order_of_day_and_month_of_a_list(texts: list[str], right: bool | None) -> None:
    assert infer_day_first(texts) is right


# Attributes and URLs.


@pytest.mark.parametrize(
    ("value", "right", "precision", "has_zone"),
    [
        ("2026-01-05T10:00:01+08:00", "2026-01-05 10:00:01", "second", True),
        ("2026-01-05T10:00", "2026-01-05 10:00", "minute", False),
        ("2026-01-05", "2026-01-05", "day", False),
        ("2026-01-05T00:00:00+08:00", "2026-01-05", "day", True),
        ("20260105T020001Z", "2026-01-05 10:00:01", "second", True),
        ("1767578401", "2026-01-05 10:00:01", "second", True),
        ("1767578401.25", "2026-01-05 10:00:01", "second", True),
        ("1767578401000", "2026-01-05 10:00:01", "second", True),
        ("1767578401000000", "2026-01-05 10:00:01", "second", True),
        ("Mon, 05 Jan 2026 02:00:01 GMT", "2026-01-05 10:00:01", "second", True),
        (" 2026-01-05 10:00:01 ", "2026-01-05 10:00:01", "second", False),
        ("2026年1月5日", "2026-01-05", "day", False),
    ],
)
def test_attributes(value: str, right: str, precision: str, has_zone: bool) -> None:
    found = parse_time_attr(value, now=NOW, tz=SHANGHAI)
    assert found is not None
    assert (wall(found), found.precision, found.has_zone) == (right, precision, has_zone)


@pytest.mark.parametrize(
    "value", ["", "PT5M", "2026-01", "0000-00-00", "0", "9999999999", "1970-01-01T00:00:00Z", "x"]
)
def test_attributes_without_a_date(value: str) -> None:
    assert parse_time_attr(value, now=NOW, tz=SHANGHAI) is None


@pytest.mark.parametrize(
    "path",
    [
        "/2026/01/05/",
        "/20260105/",
        "/t20260105_123.html",
        "/2026-01-05/title",
        "/2026-01/05/content_1.html",
        "/n1/2026/0105/c1001-1.html",
        "/art/2026/1/5/art_1_2.html",
        "/202601/05/a.html",
        "/news/20260105103000.html",
        "/a/20260105A01XYZ00",
        "/show?date=2026-01-05",
        "/2026/01/05",
    ],
)
def test_day_in_a_url(path: str) -> None:
    for href in (path, f"https://news.example.com:8080{path}", f"//20200202.example.com{path}"):
        assert date_from_url(href) == (date(2026, 1, 5), "day")


@pytest.mark.parametrize(
    ("href", "right"),
    [
        ("/2026/01/", (date(2026, 1, 1), "month")),
        ("/202601/title.html", (date(2026, 1, 1), "month")),
        ("/article/123456.html", None),
        ("/id/20269999/", None),
        ("/20260105123/", None),
        ("/1920x1080/", None),
        ("https://20260105.example.com/", None),
        ("/2026-02-30/", None),
        ("", None),
    ],
)
def test_month_or_nothing_in_a_url(href: str, right: object) -> None:
    assert date_from_url(href) == right


# Properties.

DAYS = st.dates(date(1990, 1, 1), date(2026, 1, 15))
FULL_FORMS = [
    *("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y年%m月%d日", "%Y%m%d", "[%Y-%m-%d]", "%d.%m.%Y"),
    *("%B %d, %Y", "%d %b %Y", "%b. %d, %Y", "%A, %d %B %Y", "Posted on %B %d, %Y"),
    *("发布时间：%Y-%m-%d", "标题文字 %Y-%m-%d", "%Y-%m-%d 来源：本报"),
]


@given(DAYS, st.sampled_from(FULL_FORMS))
def test_any_day_in_any_form(day: date, form: str) -> None:
    assert wall(find(day.strftime(form))) == day.isoformat()


@given(
    DAYS,
    st.times(),
    st.sampled_from(["%Y-%m-%d %H:%M", "%Y年%m月%d日 %H:%M", "%d.%m.%Y, %H:%M", "%b %d, %Y %I:%M %p"]),
)
def test_any_minute_in_any_form(day: date, time: object, form: str) -> None:
    moment = datetime.combine(day, time.replace(second=0, microsecond=0))  # type: ignore[attr-defined]
    assume((moment.hour, moment.minute) != (0, 0))
    found = find(moment.strftime(form))
    assert found is not None and found.precision == "minute"
    assert found.date.astimezone(SHANGHAI).replace(tzinfo=None) == moment


PLAIN_FORMS = [
    *("{y}-{m}-{d}", "{y}/{m:02}/{d:02}", "[{y}.{m:02}.{d:02}]", "{d} {name} {y}", "{d:02}-{name}-{y}"),
    *("{name} {d}, {y}", "{name} {d:02} {y}"),
]
PLAIN_TIMES = [
    "",
    " {h:02}:{i:02}",
    " {h}:{i:02}",
    " {h}:{i:02} PM",
    " {h}:{i:02}am",
    " {h:02}:{i:02}:{s:02}",
]
NAMES = [
    "Jan",
    "May",
    "Sept",
    "december",
    "MAR",
    "Mai",
    "junio",
    "Mehr",
    "about",
    "thang",
    "Monday",
    "copies",
]


@given(
    st.sampled_from(PLAIN_FORMS),
    st.sampled_from(PLAIN_TIMES),
    st.sampled_from(NAMES),
    st.sampled_from([None, "en", "de", "es", "fa", "th", "vi", "hu", "zh"]),
    st.tuples(*[st.integers(low, high) for low, high in ((1965, 2027), (0, 13), (0, 32), (0, 25), (0, 59))]),
    st.integers(0, 59),
)
def test_the_quick_look_at_plain_forms_finds_what_the_forms_find(
    form: str, time: str, name: str, lang: str | None, numbers: tuple[int, ...], second: int
) -> None:
    y, m, d, h, i = numbers
    text = (form + time).format(y=y, m=m, d=d, h=h, i=i, s=second, name=name)
    quick, slow = (
        find(text, lang),
        find(f"{text}\u200b", lang),
    )  # the forms alone see through an invisible sign
    assert (quick and (quick.date, quick.precision, quick.start)) == (
        slow and (slow.date, slow.precision, slow.start)
    )


@given(DAYS, st.sampled_from(["٠", "۰", "०", "০", "๐", "０"]))
def test_digits_of_other_scripts(day: date, zero: str) -> None:
    plain = day.strftime("%Y/%m/%d")
    other = plain.translate({ord(str(i)): chr(ord(zero) + i) for i in range(10)})
    assert find(other) == find(plain)


@given(
    st.dates(date(2024, 1, 1), date(2027, 12, 31)), st.sampled_from(["%m-%d", "%m月%d日", "%B %d", "[%m-%d]"])
)
def test_a_date_without_year_is_the_latest_one(day: date, form: str) -> None:
    found = find(day.strftime(form))
    assert found is not None
    got = found.date.astimezone(SHANGHAI).date()
    tomorrow = NOW.date() + timedelta(days=1)
    assert (got.month, got.day) == (day.month, day.day)
    assert got <= tomorrow
    leap = (day.month, day.day) == (2, 29)
    assert leap or got.replace(year=got.year + 1) > tomorrow


AGES = [
    *(("{}分钟前", 60), ("{}小时前", 3600), ("{}天前", 86400), ("{}日前", 86400), ("{} minutes ago", 60)),
    *(("vor {} Stunden", 3600), ("hace {} días", 86400), ("{} часов назад", 3600), ("il y a {} minutes", 60)),
]
MOMENTS = st.datetimes(*(datetime(year, 1, 1) for year in (1972, 9997)), timezones=st.just(UTC))  # noqa: DTZ001


@given(st.integers(1, 99), st.sampled_from(AGES), MOMENTS)
def test_an_age_is_so_much_before_now(number: int, age: tuple[str, int], now: datetime) -> None:
    found = find_date(age[0].format(number), now=now, tz=UTC)
    assert found is not None and found.relative
    past = now - timedelta(seconds=number * age[1]) - found.date
    assert timedelta(0) <= past < timedelta(days=1) if age[1] == 86400 else past < timedelta(seconds=1)


@given(st.dates(date(1980, 1, 1), date(2060, 1, 1)))
def test_jalali_days_follow_each_other(day: date) -> None:
    """The 33-year rule gives each day one date, in order, and the known new years."""
    assert jalali(1404, 10, 15) == date(2026, 1, 5)
    assert [jalali(y, 1, 1) for y in (1370, 1400, 1403, 1404)] == [
        *(date(1991, 3, 21), date(2021, 3, 21), date(2024, 3, 20), date(2025, 3, 21))
    ]
    assert (jalali(1403, 12, 30), jalali(1404, 12, 30)) == (date(2025, 3, 20), None)
    year = day.year - 621
    dates = [jalali(year, m, d) for m in range(1, 13) for d in range(1, 32)]
    real = [d for d in dates if d is not None]
    assert real == [real[0] + timedelta(days=i) for i in range(len(real))]
    assert jalali(year + 1, 1, 1) == real[-1] + timedelta(days=1)


# Nothing raises, whatever the text.

PIECES = sorted({row[0] for row in ROWS})
ZONES = [SHANGHAI, NEW_YORK, UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))]
ODD = "0123456789-/.:,()[] 年月日时前天昨小分半今Tago²①٣𝟗Zz+~至\u200f\u0301İıß"
TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=ODD, max_size=40),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map(" ".join),
    st.tuples(st.sampled_from(PIECES), st.text(max_size=3), st.sampled_from(PIECES)).map("".join),
)
TAGS = st.one_of(st.none(), st.sampled_from(sorted({row[1] for row in ROWS})), st.text(max_size=6))


@given(TEXTS, MOMENTS, st.sampled_from(ZONES), TAGS, st.sampled_from([None, True, False]), st.booleans())
@example("999 years 999 weeks 999 days 999 hours ago", NOW, SHANGHAI, "en", None, True)
@example("9" * 5000, NOW, SHANGHAI, None, None, True)
@example("𐩀 days ago", NOW, SHANGHAI, None, None, True)
def test_no_text_raises(
    text: str, now: datetime, tz: ZoneInfo, lang: str | None, first: bool | None, loose: bool
) -> None:
    found = find_date(text, now=now, tz=tz, lang=lang, day_first=first, loose=loose)
    assert found is None or (found.date.tzinfo is UTC and 0 <= found.start < found.end <= len(text))
    attribute = parse_time_attr(text, now=now, tz=tz)
    assert attribute is None or attribute.date.tzinfo is UTC
    infer_day_first([text, text[:7]])
    date_from_url(text)
    date_from_url(f"https://example.com/{text}")


@given(TEXTS, MOMENTS)
def test_the_same_text_is_the_same_date(text: str, now: datetime) -> None:
    assert find_date(text, now=now, tz=SHANGHAI) == find_date(text, now=now, tz=SHANGHAI)


# dateparser.


def test_dateparser_is_not_imported_for_the_languages_that_the_own_forms_read() -> None:
    code = (
        "import sys\nfrom datetime import UTC, datetime\nfrom recrawler.page.dates import find_date\n"
        "for text, lang in [('3小时前', 'zh'), ('5 janvier 2026', 'fr'), ('5 Ocak 2026', None),"
        " ('Top 10', None), ('not a date at all, 7 of them', 'de'), ('lundi 7', 'fr')]:\n"
        "    find_date(text, now=datetime(2026, 1, 15, tzinfo=UTC), tz=UTC, lang=lang)\n"
        "assert 'dateparser' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_dateparser_is_asked_once_a_day_for_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    parse = fallback._parse
    monkeypatch.setattr(fallback, "_parse", lambda text, *more: asked.append(text) or parse(text, *more))
    fallback._ask.cache_clear()
    assert wall(find("siku 3 zilizopita", "sw")) == "2026-01-12"
    assert wall(find("siku 3 zilizopita", "sw", now=NOW - timedelta(hours=3))) == "2026-01-12"
    assert asked == ["siku 3 zilizopita"] * 2  # twice for the one answer: is it an age?
    assert wall(find("saa 3 zilizopita", "sw", now=NOW - timedelta(hours=3))) == "2026-01-15 08:30"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("siku 3", "sw"),
        ("habari 3 zilizopita", "sw"),
        ("2026", "ka"),
        ("3 საათი", "ka"),
        ("11-28 siku", "sw"),
    ],
)
def test_dateparser_is_not_asked_what_is_no_date(
    text: str, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fallback, "_ask", lambda *_: pytest.fail("asked"))
    assert find(text, lang) is None


def test_the_calendar_is_what_the_script_writes() -> None:
    spec = importlib.util.spec_from_file_location("date_names", DATA / "date_names.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.table() == script.CALENDAR.read_text(encoding="utf-8")
