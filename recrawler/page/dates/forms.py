"""Absolute dates with digits and signs: every form, as candidates with a score.

Each form is one regular expression without nested repetition, so time is linear in the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date

from recrawler.page.dates import words
from recrawler.page.dates.clock import Clock, clock_at, clock_before
from recrawler.page.dates.reading import EDGE, STRICT, Candidate, Reading, jalali, ymd
from recrawler.page.types import Precision

# A number that follows a currency sign, a letter's hyphen or another number's sign is no date.
_FREE = r"(?<![\d$€£¥₩])(?<!\d[.,:/-])"
_YMD = re.compile(
    _FREE
    + r"((?:1[34]|19|20|25)\d\d)\s?([-/._])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d)(?!\.\d|[-/]\d{1,3}(?!\d))"
)
_DMY = re.compile(_FREE + r"(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)(?!\.\d|[-/]\d)")
_MINGUO = re.compile(_FREE + r"(1[0-4]\d|9\d)([-/.])(\d\d?)\2(\d\d?)(?!\d)(?!\.\d|[-/]\d)")
_SPACED = re.compile(r"(?<![\d ])((?:19|20)\d\d) (\d\d) (\d\d)(?! ?\d\d\d|\d)")
_SOLID = re.compile(
    r"(?<![\w.,/-])((?:19|20)\d\d)([01]\d)([0-3]\d)(?:T?([0-2]\d)([0-5]\d)([0-5]\d)?(Z?))?(?![\w%])(?![.,/-]\d)"
)
_NUM = r"(?:\d{1,2}|[一二三四五六七八九十廿卅]{1,3})"
_HAN = re.compile(
    rf"(?:(?:(令和|平成|昭和|民[国國]|(?<![A-Za-z])[RH](?=\d))\s?({_NUM}|1\d\d|元|[一二三四五六七八九十百零〇○]{{2,7}})"
    r"|(?<![\d.])(\d{2,4}|[〇零○0Oo一二三四五六七八九]{2,4}))\s?[年년]\s?)?"
    rf"({_NUM})\s?[月월]\s?({_NUM})(?:\s?([日號号일])|(?!\d|\s?[,.:]\s?\d))"
)
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民国": 1911, "民國": 1911, "R": 2018, "H": 1988}
_LAST_YEAR = re.compile(r"(去年|昨年|작년)\s?$")
_SHORT = re.compile(
    r"(?<![\w$€£¥₩#&=+])(?<!\d[.,:/-])(?<!-)(\d{1,2})\s?([-/.])\s?(\d{1,2})(\.(?!\d))?(?![\d%°])"
    r"(?!\s?[-/.:~]\s?\d|,\d\d\d|\s?[%元€$円])"
)
_SHORT_DAY = re.compile(r"\s?\((?:[月火水木金土日월화수목금토일]|周[一二三四五六日])(?:曜日?|[・·].)?\)")
_FAR_EAST = ("zh", "ja", "ko")
_DOTTED = frozenset(
    ("ru", "uk", "be", "bg", "de", "pl", "cs", "sk", "fi", "nb", "da", "tr", "hr", "sl", "et")
)
_YEAR_FIRST = (*_FAR_EAST, "sv", "lt", "hu")  # languages that write 26-01-05


# Dates that a page's layout tears: "05 2026-01", "05 01/2026", "2026-01 05", "01-05 2026".
_TORN = re.compile(
    r"(?<![\d./-])(?:(?P<d1>[0-3]\d)日?\s?(?P<y1>20\d\d)\s?[-/.年]\s?(?P<m1>[01]?\d)月?"
    r"|(?P<d4>[0-3]\d)日?\s(?P<m4>[01]?\d)\s?[-/.]\s?(?P<y4>20\d\d)"
    r"|(?P<y2>20\d\d)\s?[-/.年]\s?(?P<m2>[01]?\d)月?\s(?P<d2>[0-3]\d)"
    r"|(?P<a>[0-3]\d)(?P<sign>[-/.])(?P<b>[0-3]\d)\s(?P<y3>20\d\d))(?![\d:]|\s?[-/.]\s?\d|\s?[日号])"
)
# Years of an era, or by the era's first letter: "R7.12.31", "民國115/1/5".
_ERA_SIGNS = re.compile(
    r"((?<![A-Za-z])[RH]|令和|平成|昭和|民[国國])\s?(\d{1,3})([./-])\s?(\d{1,2})\3\s?(\d{1,2})(?!\d)"
)
# Years, months and days that are named by words after or before their numbers: Mongolian, Uyghur, Tibetan.
_NAMED = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[\s-]?(?:оны|онд|يىلى?|ལོ)[^\d,;|]{0,12}(\d{1,2})[^\d,;|]{1,14}(\d{1,2})(?!\d)"
)
_NAMES = ("он", "يىل", "ལོ")
# Something of the forms above. They begin with what must not stand before them, and are tried at every character; a
# digit at the beginning is looked for at once.
_THREE = re.compile(r"\d\s?([-/._])\s?\d{1,2}\s?\1\s?\d")
_TWO = re.compile(r"\d\s?[-/.]\s?\d")
_EIGHT = re.compile(r"\d\d{3}(?:\d{4}| \d\d \d\d)")


def absolute(reading: Reading) -> Iterator[Candidate]:
    """Every date of the text that is written with digits and signs and has a year, or a 月 or 월."""
    text = reading.text
    if _THREE.search(text):
        yield from _three_numbers(reading)
    if "月" in text or "월" in text:
        for match in _HAN.finditer(text):
            yield from _han(reading, match)
    if any(name in text for name in _NAMES):
        for match in _NAMED.finditer(text):
            yield from _dated(reading, match, ymd(int(match[1]), int(match[2]), int(match[3])), 50)
    if _EIGHT.search(text):
        for match in _SOLID.finditer(text):
            yield from _solid(reading, match)
        for match in _SPACED.finditer(text):
            yield from _dated(reading, match, ymd(int(match[1]), int(match[2]), int(match[3])), 30)
    if "20" in text and (" " in text or len(text) < 11):
        for match in _TORN.finditer(text):
            yield from _dated(reading, match, _torn(reading, match), 35, STRICT)


def _torn(reading: Reading, match: re.Match[str]) -> date | None:
    if match["sign"]:
        year, a, b = int(match["y3"]), int(match["a"]), int(match["b"])
        orders = ("mdy", "dmy") if match["sign"] == "-" or reading.lang is None else reading.orders()
        return _likeliest(reading, [ymd(year, *((a, b) if order == "mdy" else (b, a))) for order in orders])
    parts = [match[f"{name}1"] or match[f"{name}2"] or match[f"{name}4"] for name in "ymd"]
    return ymd(*map(int, parts))


def _three_numbers(reading: Reading) -> Iterator[Candidate]:
    text = reading.text
    found = False
    for match in _ERA_SIGNS.finditer(text):
        if len(match[1]) > 1 or reading.lang == "ja":
            year = int(match[2]) + _ERAS[match[1]]
            yield from _dated(reading, match, ymd(year, int(match[4]), int(match[5])), 54)
    for match in _YMD.finditer(text):
        found = True
        yield from _dated(reading, match, _year_first(reading, match[1], match[3], match[4]), 50)
    for match in _DMY.finditer(text):
        found = True
        yield from _dated(reading, match, _year_last(reading, match), 48)
    if not found and reading.lang in (None, "zh"):
        for match in _MINGUO.finditer(text):
            padded = len(match[3]) == len(match[4]) == 2
            if (
                not padded
                and reading.region not in ("tw", "hant")
                and (match[2] != "/" or reading.lang is None)
            ):
                continue  # 115.1.3 is a version, a score or a paragraph
            day = ymd(int(match[1]) + 1911, int(match[3]), int(match[4]))
            yield from _dated(reading, match, day, 40 if day and day <= reading.now.date() else 0)


def short(reading: Reading) -> Iterator[Candidate]:
    """Dates of two numbers: "12-31", "31/12", "31.12."."""
    if _TWO.search(reading.text):
        for match in _SHORT.finditer(reading.text):
            yield from _short(reading, match)


def _dated(
    reading: Reading, match: re.Match[str], day: date | None, score: int, free: int = 0
) -> Iterator[Candidate]:
    if day is not None and reading.plausible(day.year):
        clock = clock_at(reading.text, match.end(), reading.lang) or clock_before(reading.text, match.start())
        yield reading.on(day, match.start(), match.end(), clock=clock, score=score, alone=free)


def _year_first(reading: Reading, year: str, month: str, day: str) -> date | None:
    if year[:2] in ("13", "14"):
        return jalali(int(year), int(month), int(day))
    known = reading.year(year)
    return ymd(known, int(month), int(day)) if known else None


def _year_last(reading: Reading, match: re.Match[str]) -> date | None:
    first, sign, second, last = match.groups()
    if len(last) == 2:
        return _two_digit_years(reading, first, sign, second, last)
    if last[:2] in ("13", "14"):
        return jalali(int(last), int(second), int(first))
    year = reading.year(last)
    if year is None:
        return None
    orders = ("dmy",) if sign == "." else reading.orders()
    pairs = [(int(second), int(first)) if order == "dmy" else (int(first), int(second)) for order in orders]
    return _likeliest(reading, [ymd(year, *pair) for pair in pairs])


def _likeliest(reading: Reading, days: list[date | None]) -> date | None:
    """The first real day of the last two years, else the first that is not in the future, else the first."""
    real = [d for d in days if d is not None]
    if reading.day_first is not None:
        return real[0] if real else None
    past = [d for d in real if not reading.future(d)]
    recent = [d for d in past if (reading.now.date() - d).days < 750]
    return next(iter(recent + past + real), None)


def _two_digit_years(reading: Reading, first: str, sign: str, second: str, last: str) -> date | None:
    if sign == "." and len(first) + len(second) < 4 and reading.lang in (None, "en", *_FAR_EAST):
        return None  # 1.2.23 is a version
    a, b, c = int(first), int(second), int(last)
    early, late = reading.year(first) if len(first) == 2 else None, reading.year(last)
    readings = {
        "dmy": ymd(late, b, a) if late else None,
        "mdy": ymd(late, a, b) if late and sign != "." else None,
        "ymd": ymd(early, b, c) if early else None,
    }
    orders = reading.orders()
    if reading.lang in _YEAR_FIRST and reading.day_first is None:
        return _likeliest(reading, [readings[order] for order in ("ymd", *orders)])
    found, other = _likeliest(reading, [readings[order] for order in (*orders, "ymd")]), readings["ymd"]
    if found and other and reading.day_first is None and sign != "." and found < other <= reading.now.date():
        return other  # 26/04/25 in June 2026 is of April 2026 rather than of 2025
    return found


def _han(reading: Reading, match: re.Match[str]) -> Iterator[Candidate]:
    era, counted, year, *_, sign = match.groups()
    month, day = words.han_number(match[4]), words.han_number(match[5])
    if month is None or day is None:
        return
    if era or year:
        known = _han_year(reading, era, counted or year)
        yield from _dated(reading, match, ymd(known, month, day) if known else None, 52)
    elif sign and _LAST_YEAR.search(reading.text, 0, match.start()):
        yield from _dated(reading, match, ymd(reading.now.year - 1, month, day), 40)
    elif sign:
        yield from _dated(reading, match, reading.roll(month, day), 35)


def _han_year(reading: Reading, era: str | None, year: str) -> int | None:
    number = words.han_number(year)
    if number is None:
        return None
    if era:
        return number + _ERAS[era]
    if 90 <= number < 150 and reading.lang in (None, "zh"):
        return number + 1911
    return reading.year(str(number)) if len(year) in (2, 4) else None


def _solid(reading: Reading, match: re.Match[str]) -> Iterator[Candidate]:
    """ "20260105" and "20260105103000": dates only where they stand by themselves."""
    day = ymd(int(match[1]), int(match[2]), int(match[3]))
    if day is None or not 1990 <= day.year <= reading.now.year + 1:
        return
    if match[4] and int(match[4]) < 24:
        precision: Precision = "second" if match[6] else "minute"
        hour, minute, second = int(match[4]), int(match[5]), int(match[6] or 0)
        zone = UTC if match[7] else None
        clock: Clock | None = Clock(match.start(), match.end(), hour, minute, second, precision, zone)
    else:
        clock = clock_at(reading.text, match.end(), reading.lang)
    yield reading.on(day, match.start(), match.end(), clock=clock, score=40, alone=0 if clock else STRICT)


def _short(reading: Reading, match: re.Match[str]) -> Iterator[Candidate]:
    first, sign, second, dot = match.groups()
    day = _short_day(reading, int(first), sign, int(second), bool(dot))
    if day is None:
        return
    clock = clock_at(reading.text, match.end(), reading.lang)
    padded = len(first) == len(second) == 2
    if clock is None and padded:
        clock = clock_before(reading.text, match.start())
    weekday = _SHORT_DAY.match(reading.text, match.end())
    if clock or weekday or reading.loose or _looks_dated(reading, first, sign, second, bool(dot)):
        end = weekday.end() if weekday and not clock else match.end()
        free = 0 if clock or weekday else _freedom(reading, match)
        yield reading.on(day, match.start(), end, clock=clock, score=30, alone=free)


def _freedom(reading: Reading, match: re.Match[str]) -> int:
    """ "06-09" at the start of a row, or at its end but for "/" (a ratio), is a date beside a title."""
    zero = len(match[1]) == len(match[3]) == 2 and (match[1][0] == "0" or match[3][0] == "0")
    at_edge = match.start() == 0 or (match.end() == len(reading.text) and match[2] != "/")
    return EDGE if zero and at_edge else STRICT


def _short_day(reading: Reading, a: int, sign: str, b: int, dot: bool) -> date | None:
    orders: tuple[str, ...] = reading.orders()
    if sign == "." and dot:
        orders = ("dmy",)
    elif reading.day_first is None and (
        (sign == "-" and reading.lang != "nl") or (sign == "." and reading.lang is None)
    ):
        orders = ("mdy", "dmy")  # as in ISO dates
    days = (reading.roll(*((b, a) if order == "dmy" else (a, b))) for order in orders)
    real = (d for d in days if d is not None)
    if sign == "/" and reading.day_first is None and reading.lang in _DOTTED:
        return max(real, default=None)  # a foreign form: the later reading is the likelier
    return next(real, None)


def _looks_dated(reading: Reading, first: str, sign: str, second: str, dot: bool) -> bool:
    """Two bare numbers are shaped like a date rather than a score, a ratio, a page count or a price."""
    zero = first[0] == "0" or second[0] == "0"
    padded = len(first) == len(second) == 2
    east = reading.lang in (None, *_FAR_EAST)
    if sign == ".":
        if dot:
            return reading.lang not in (None, "en", *_FAR_EAST) or padded
        return reading.bracketed or (padded and reading.lang not in (None, "en"))
    if sign == "/" and east and second[0] == "0":
        return True  # "1/05": a page count has no such zero
    return padded and (east or zero)
