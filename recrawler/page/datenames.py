"""Dates with a month's name, in any language: "Jan 5, 2026", "5 de enero de 2026", "12月 31, 2025".

No grammar per language: around a month's name there stand a day and perhaps a year, with a few words such as
"de" or "года" between them, and their size and side tell which is which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from recrawler.page import datewords as words
from recrawler.page.dateclock import clock_at, clock_before
from recrawler.page.dateforms import Candidate, Reading, jalali, ymd

_TOKEN = re.compile(
    r"(?P<cjk>\d{1,2}\s?[月월]|十?[一二三四五六七八九十]月)(?![\d一二三四五六七八九十])|(?P<vi>th[áa]ng\s?\d{1,2}(?!\d))|(?P<n>\d+)"
    r"|(?P<thai>[ก-๛]{1,3}\.\s?[ก-๛]{1,2}\.)|(?P<w>[^\W\d_](?:[^\s\d!-&(-,./:-@\[-`{-~|·•،-])*)",
    re.I,
)
_CTIME_YEAR = re.compile(r"\s(?:[A-Z]{3,4}\s|[+-]\d{4}\s)?((?:19|20)\d\d)(?!\d)")
_MAX_TOKENS = 80


def named(reading: Reading) -> Iterator[Candidate]:
    """Every date of the text that has a month's name."""
    tokens = [m for m, _ in zip(_TOKEN.finditer(reading.text), range(_MAX_TOKENS), strict=False)]
    for i, token in enumerate(tokens):
        if token.lastgroup == "n":
            continue
        before, after = _number(reading.text, tokens, i, -1), _number(reading.text, tokens, i, 1)
        if before is None and after is None:
            continue
        number, width, persian = _month(reading, tokens, i)
        if width == 2:
            after = _number(reading.text, tokens, i + 1, 1)
        if number is not None:
            yield from _joined(reading, tokens, i, width, number, persian)


def _month(reading: Reading, tokens: list[re.Match[str]], i: int) -> tuple[int | None, int, bool]:
    """The month that token i names, over how many tokens, and whether it is of the Persian calendar."""
    token = tokens[i]
    if token["cjk"]:
        return words.han_number(token["cjk"][:-1].strip()), 1, False
    if token["vi"]:
        return int(re.sub(r"\D", "", token["vi"])), 1, False
    key = words.fold(token[0].replace(" ", ""))
    if key in words.JALALI and reading.lang in (None, "fa"):
        return words.JALALI[key], 1, True
    sure = reading.lang is not None or any(len(t["n"] or "") == 4 for t in tokens[max(0, i - 3) : i + 5])
    if i + 1 < len(tokens) and tokens[i + 1]["w"]:
        double = words.month(f"{key} {words.fold(tokens[i + 1][0])}", reading.lang, sure)
        if double is None and key == "thang":
            double = words.months_of("vi").get(words.fold(tokens[i + 1][0]))
        if double is not None:
            return double, 2, False
    if len(key) < 2 or key in words.FILLERS:
        return None, 1, False
    number = words.month(key, reading.lang, sure)
    if number is None and key[0] == "ב":
        number = words.month(key[1:], reading.lang, sure)
    return number, 1, False


def _number(text: str, tokens: list[re.Match[str]], i: int, step: int) -> int | None:
    """The index of the number next to token i on one side, past at most two small words; None where there is none."""
    skipped = 0
    j = i + step
    while 0 <= j < len(tokens):
        gap = (
            text[tokens[j - 1].end() : tokens[j].start()]
            if step > 0
            else text[tokens[j].end() : tokens[j + 1].start()]
        )
        if len(gap) > 3 or ":" in gap or "|" in gap:
            return None
        if tokens[j]["n"]:
            return None if _is_clock(text, tokens[j]) else j
        if tokens[j].lastgroup != "w" or words.fold(tokens[j][0]) not in words.FILLERS or skipped == 2:
            return None
        skipped += 1
        j += step
    return None


def _is_clock(text: str, token: re.Match[str]) -> bool:
    """The number is part of a time of day ("10:30", "10h30")."""
    return (
        text[token.end() : token.end() + 1] in (":", "h", "時", "时", "시")
        or text[max(0, token.start() - 1) : token.start()] == ":"
    )


def _joined(
    reading: Reading, tokens: list[re.Match[str]], i: int, width: int, month: int, persian: bool
) -> Iterator[Candidate]:
    text = reading.text
    last = i + width - 1
    before, after = _number(text, tokens, i, -1), _number(text, tokens, last, 1)
    values = [tokens[j]["n"] if j is not None else "" for j in (before, after)]
    beyond = _number(text, tokens, after, 1) if after is not None else None
    far = tokens[beyond]["n"] if beyond is not None else ""
    day, year, ends = _roles(values[0], values[1], far, before, after, beyond)
    if day is None:
        return
    found = [j for j in ends if j is not None]
    start = min([tokens[j].start() for j in found] + [tokens[i].start()])
    end = max([tokens[j].end() for j in found] + [tokens[last].end()])
    clock = clock_at(text, end)
    if year is None and clock is not None and (late := _CTIME_YEAR.match(text, clock.end)):
        year = late[1]
    when = _day(reading, year, month, day, persian)
    if when is None:
        return
    clock = clock or clock_before(text, start)
    yield reading.on(when, start, end, clock=clock, score=50 if year else 35)


def _roles(
    left: str, right: str, far: str, before: int | None, after: int | None, beyond: int | None
) -> tuple[int | None, str | None, tuple[int | None, ...]]:
    """Which number is the day and which the year: (day, year or None, token indices used)."""
    if left and _is_day(left):
        if len(right) == 4 or (len(right) == 2):
            return int(left), right, (before, after)
        return int(left), None, (before,)
    if len(left) == 4 and _is_day(right):
        return int(right), left, (before, after)
    if right and _is_day(right):
        if len(far) == 4:
            return int(right), far, (after, beyond)
        return int(right), None, (after,)
    return None, None, ()


def _is_day(number: str) -> bool:
    return bool(number) and len(number) <= 2 and 1 <= int(number) <= 31


def _day(reading: Reading, year: str | None, month: int, day: int, persian: bool) -> date | None:
    if year is None:
        return None if persian else reading.roll(month, day)
    if persian:
        return jalali(int(year) if len(year) == 4 else 1400 + int(year), month, day)
    known = reading.year(year)
    return ymd(known, month, day) if known else None
