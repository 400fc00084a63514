"""Dates with a month's name, in any language: "Jan 5, 2026", "5 de enero de 2026", "12月 31, 2025".

No grammar per language: around a month's name there stand a day and perhaps a year, with a few words such as
"de" or "года" between them, and their size and side tell which is which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import islice

from recrawler.page.dates import words
from recrawler.page.dates.clock import Clock, clock_at, clock_before
from recrawler.page.dates.reading import EDGE, Candidate, Reading, jalali, ymd

_TOKEN = re.compile(
    r"(?P<cjk>\d{1,2}\s?[月월]|十?[一二三四五六七八九十]月)(?![\d一二三四五六七八九十])"
    r"|(?P<vi>th(?:á|á|a)ng\s?\d{1,2}(?!\d))|(?P<n>\d+)|(?P<thai>[ก-๛]{1,3}\.\s?[ก-๛]{1,2}\.)"
    r"|(?P<w>[^\W\d_][^\s\d!-&(-/:-@\[-`{-~|·•]*)",
    re.I,
)
_CTIME_YEAR = re.compile(r"\s(?:[A-Z]{3,4}\s|[+-]\d{4}\s)?((?:19|20)\d\d)(?!\d)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|[ºª])(?!\w)| ?d\.(?!\w)")  # "gruodžio 9 d." in Lithuanian
_TIME_FOLLOWS = re.compile(r"\s(?:[01]\d|2[0-3]):[0-5]\d")
_MAX_TOKENS = 80
_FEW_TOKENS, _FEW_CHARS = 5, 30
_TORN_TOKENS = 3  # "Jan 2026 05" is a date where nothing else stands
_NUMBER = re.compile(r"\d+")
_YEAR, _DAY = re.compile(r"(?:1[34]|19|20|25)\d\d"), re.compile(r"[0-3]?\d")
Token = re.Match[str]
_BRIDGE = frozenset(":|~;·•()[]")  # no date goes on over these


def named(reading: Reading) -> Iterator[Candidate]:
    """Every date of the text that has a month's name."""
    text = reading.text
    numbers = _NUMBER.findall(text)
    year_near = any(map(_YEAR.fullmatch, numbers)) and any(map(_DAY.fullmatch, numbers))
    few = len(text) < _FEW_CHARS
    eastern = "月" in text or "월" in text
    if not eastern and not words.may_name_month(reading.keys, reading.lang, year_near, few):
        return
    tokens = list(islice(_TOKEN.finditer(text), _MAX_TOKENS))
    kinds = [token.lastgroup for token in tokens]
    for i, kind in enumerate(kinds):
        if kind == "n" or "n" not in kinds[max(0, i - 3) : i + 4]:
            continue
        number, width, persian = _month(reading, tokens, i, year_near)
        if number is not None:
            found = _joined(reading, tokens, i, i + width - 1, number, persian)
            if found is not None:
                yield found


def _month(reading: Reading, tokens: list[Token], i: int, year_near: bool) -> tuple[int | None, int, bool]:
    """The month that token i names, over how many tokens, and whether it is of the Persian calendar."""
    token, kind, lang = tokens[i][0], tokens[i].lastgroup, reading.lang
    if kind == "cjk":
        return words.han_number(token[:-1].strip()), 1, False
    if kind == "vi":
        return int(re.sub(r"\D", "", token)), 1, False
    if kind == "thai":
        return words.month(words.fold(token.replace(" ", "")), "th", True, True), 1, False
    key = words.fold(token)
    if len(key) < 2 or key in words.FILLERS:
        return None, 1, False
    if key in words.JALALI_MONTHS and (lang == "fa" or (year_near and lang is None)):
        return words.JALALI_MONTHS[key], 1, True
    few = len(tokens) <= _FEW_TOKENS
    if i + 1 < len(tokens) and tokens[i + 1].lastgroup == "w" and not token.isascii():
        double = _double(key, words.fold(tokens[i + 1][0]), year_near or few)
        if double is not None:
            return double, 2, False
    number = words.month(key, lang, year_near, few)
    if number is None and (key[0] == "ב" or token[1:2] == "'"):
        number = words.month(key[1:], lang, year_near, few)  # "in January" in Hebrew, "d'agost" in Catalan
    return number, 1, False


def plain_month(name: str, lang: str | None) -> int | None:
    """The month that a word beside a day and a year names; null where it takes more than a look at a table."""
    key = words.fold(name)
    if key in words.FILLERS or key in words.JALALI_MONTHS:
        return None
    return words.month(key, lang, year_near=True, few=True)


def _double(first: str, second: str, sure: bool) -> int | None:
    """The month that two words name: "كانون الثاني", "tháng một"."""
    if first == "thang":
        return words.months_of("vi").get(second)
    if not sure or not "\u0600" < first[0] < "\u06ff":
        return None
    return words.months_of("ar").get(f"{first} {second}")


def _number(text: str, tokens: list[Token], i: int, step: int) -> int | None:
    """The index of the number next to token i on one side, past at most two small words, or None."""
    skipped = 0
    j = i + step
    while 0 <= j < len(tokens):
        left, right = (tokens[j - 1], tokens[j]) if step > 0 else (tokens[j], tokens[j + 1])
        gap = text[left.end() : right.start()]
        if len(gap) > 3 or not _BRIDGE.isdisjoint(gap) or " - " in gap:
            return None
        if tokens[j].lastgroup == "n":
            return None if _other_number(text, tokens[j], step) else j
        if (
            tokens[j].lastgroup not in ("w", "thai")
            or skipped == 2
            or words.fold(tokens[j][0]) not in words.FILLERS
        ):
            return None
        skipped += 1
        j += step
    return None


_NOT_DAY_AFTER = re.compile(
    r"[:h時时시%]|\s?[日号號]|\.\d{1,2}(?!\d)|,\d{3}(?!\d)|\s?-\s?\d{1,2}(?![\d:.h])|\s?[AaPp]\.?[Mm]\b"
)
_NOT_DAY_BEFORE = re.compile(r"(?:[^\W_]|[^\W_]-|\d[.:,]|[$€£¥#]|(?:^|[^\d:.])\d{1,2}\s?-\s?)$")


def _other_number(text: str, token: Token, step: int) -> bool:
    """The number is part of something else: a time of day, a decimal, a range, a name ("COVID-19")."""
    after = _NOT_DAY_AFTER.match(text, token.end())
    if after and not (step < 0 and after[0].lstrip()[0] in "-."):
        return True
    return step < 0 and _NOT_DAY_BEFORE.search(text, max(0, token.start() - 6), token.start()) is not None


def _joined(
    reading: Reading, tokens: list[Token], i: int, last: int, month: int, persian: bool
) -> Candidate | None:
    text = reading.text
    before, after = _number(text, tokens, i, -1), _number(text, tokens, last, 1)
    beyond = _number(text, tokens, after, 1) if after is not None else None
    digits = ["" if j is None else tokens[j][0] for j in (before, after, beyond)]
    if beyond is not None and len(digits[2]) == 2 and text[: tokens[beyond].start()].endswith("'"):
        digits[2] = str(reading.year(digits[2]) or "")  # Jan 5, '26
    if after is not None and len(digits[1]) == 2 and not _short_year(reading, tokens[last], tokens[after]):
        digits[1] = "" if _is_day(digits[0]) else digits[1]
    day, year, used = _roles(*digits)
    if year is None and used[0] and (first := _year_ahead(text, tokens, before)) is not None:
        year, before = tokens[first][0], first
    if day is None or (used == (False, True, True) and len(digits[1]) == 4 and len(tokens) > _TORN_TOKENS):
        return None
    spans = [tokens[j] for j, use in zip((before, after, beyond), used, strict=True) if use and j is not None]
    start = min(t.start() for t in (*spans, tokens[i]))
    end = max(t.end() for t in (*spans, tokens[last]))
    if ordinal := _ORDINAL.match(text, end):
        end = ordinal.end()
    clock: Clock | None = clock_at(text, end, reading.lang)
    if year is None and clock is not None and (late := _CTIME_YEAR.match(text, clock.end)):
        year, end = late[1], late.end()
    when = _day(reading, year, month, day, persian, tokens[i].lastgroup == "thai")
    if when is None:
        return None
    clock = clock or clock_before(text, start)
    free = 0 if year or clock else EDGE
    return reading.on(when, start, end, clock=clock, score=50 if year else 35, alone=free)


def _year_ahead(text: str, tokens: list[Token], day: int | None) -> int | None:
    """The index of a year before the day, past a word that says that it is one: "2024 жылғы 3 қараша"."""
    if not day or tokens[day - 1].lastgroup != "w":
        return None
    ahead = _number(text, tokens, day, -1)
    return ahead if ahead is not None and len(tokens[ahead][0]) == 4 else None


def _roles(left: str, right: str, far: str) -> tuple[int | None, str | None, tuple[bool, bool, bool]]:
    """Which of the numbers before, after and beyond are the day and the year: (day, year or None, used)."""
    if _is_day(left):
        if len(right) == 4 or len(right) == 2:
            return int(left), right, (True, True, False)
        return int(left), None, (True, False, False)
    if len(left) == 4 and _is_day(right):
        return int(right), left, (True, True, False)
    if len(right) == 4 and len(far) == 2 and _is_day(far) and not left:
        return int(far), right, (False, True, True)
    if _is_day(right):
        if len(far) == 4:
            return int(right), far, (False, True, True)
        return int(right), None, (False, True, False)
    return None, None, (False, False, False)


def _short_year(reading: Reading, name: Token, number: Token) -> bool:
    """Two digits after a month are a year: tied by a sign ("5-Jan-25"), or of these years ("5 Jan 25"), or
    between the month and a time of day ("5 Jan 15 10:30:00")."""
    gap = reading.text[name.end() : number.start()]
    if _TIME_FOLLOWS.match(reading.text, number.end()):
        return True
    year = int(number[0])
    close = year if name.lastgroup != "thai" else year + 57
    return any(c in "-/'" for c in gap) or -1 <= reading.now.year % 100 - close % 100 <= 2


def _is_day(number: str) -> bool:
    return 1 <= len(number) <= 2 and 1 <= int(number) <= 31


def _day(reading: Reading, year: str | None, month: int, day: int, persian: bool, thai: bool) -> date | None:
    if year is None:
        return reading.roll_jalali(month, day) if persian else reading.roll(month, day)
    if persian:
        return jalali(int(year) + (1400 if len(year) == 2 else 0), month, day)
    known = int(year) + 1957 if thai and len(year) == 2 else reading.year(year)
    return ymd(known, month, day) if known and reading.plausible(known) else None
