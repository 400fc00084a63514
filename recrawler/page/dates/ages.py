"""Relative dates: "3小时前", "半小时前", "vor 3 Stunden", "1 day 6 hours ago", "昨天 09:27", "just now".

Numbers and units are read as words, of any language at once: what makes them a date is an "ago" word that
touches them. So there is one table of units and one of "ago" words, and no grammar per language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, timedelta
from itertools import islice

from recrawler.page.dates import agewords, words
from recrawler.page.dates.agewords import DAY, HOUR, MINUTE, MONTH, SECOND, WEEK, YEAR
from recrawler.page.dates.clock import clock_at, clock_before, clock_only
from recrawler.page.dates.reading import STRICT, Candidate, Reading, ymd
from recrawler.page.types import Precision

_OLDEST = 50 * YEAR
_LONG = 40  # characters: in a longer text without a digit a word such as "yesterday" is part of a sentence
_MAX_TOKENS = 80
_WEEKDAY_TOKENS = 8
_DIGIT = re.compile(r"\d")
_TOKEN = re.compile(r"\d+|[^\W\d_][^\s\d!-&(-,./:-@\[-`{-~|·•]*")
Token = tuple[str, int, int]  # folded word, start, end
Part = tuple[float, int]  # amount and seconds of its unit; a negative amount is a guess ("a few")


def relative(reading: Reading) -> Iterator[Candidate]:
    """Every relative date of the text."""
    text = reading.text
    if not text.isascii() and _GLUE.search(text):
        yield from _glued(reading)
    if (len(text) > _LONG and not _DIGIT.search(text)) or not (reading.loose or _may_tell(reading)):
        return
    found = islice(_TOKEN.finditer(text), _MAX_TOKENS)
    tokens = [(words.fold(m[0]), m.start(), m.end()) for m in found]
    yield from _ago(reading, tokens)
    yield from _phrases(reading, tokens)
    if len(tokens) <= _WEEKDAY_TOKENS:
        yield from _weekdays(reading, tokens)
    if reading.loose:
        yield from _bare(reading, tokens)


def _may_tell(reading: Reading) -> bool:
    keys = reading.keys
    if not agewords.TELLING.isdisjoint(keys) or {"y", "a"} <= keys:
        return True
    return words.may_name_weekday(keys, reading.lang)


# Some character of every relative form of the scripts without spaces.
_GLUE = re.compile("[前전ก-๛刚剛今昨本た방周週星礼禮曜き어그お오요きょ하]")
_NUMBER = r"(?:\d{1,3}(?:\.\d)?|[一二三四五六七八九十两兩几幾数數半]{1,3}|한|두|세)"
_UNIT = "|".join(sorted(agewords.GLUED_UNITS, key=len, reverse=True))
_PART = re.compile(rf"({_NUMBER})\s*([个個ヶかカケ箇]?)(半?)[多余]?\s*({_UNIT})[钟鐘间間]?(半?)\s*")
_GLUED_PART = rf"{_NUMBER}\s*[个個ヶかカケ箇]?半?[多余]?\s*(?:{_UNIT})[钟鐘间間]?半?\s*"
_GLUED = re.compile(rf"(?<![月\d年.])((?:{_GLUED_PART}){{1,3}})(?:{agewords.GLUED_AGO})")
_GLUED_NOW = re.compile(agewords.GLUED_NOW)
_GLUED_DAY = re.compile("|".join(sorted(agewords.GLUED_DAYS, key=len, reverse=True)))
_GLUED_WEEKDAY = re.compile(
    r"(?:周|週|星期|礼拜|禮拜)([一二三四五六日天])|([月火水木金土日])曜日|([월화수목금토일])요일"
)
_WEEKDAY_SIGNS = ("一二三四五六日", "月火水木金土日", "월화수목금토일")
_AMOUNTS = {"한": 1.0, "두": 2.0, "세": 3.0, "半": 0.5}


def _glued(reading: Reading) -> Iterator[Candidate]:
    """The forms of the scripts without spaces."""
    text = reading.text
    for match in _GLUED.finditer(text):
        parts = [_glued_part(m) for m in _PART.finditer(match[1])]
        known = [part for part in parts if part is not None]
        if known and len(known) == len(parts):
            yield from ago(reading, known, match.start(), match.end())
    for match in _GLUED_NOW.finditer(text):
        yield _just_now(reading, match.start(), match.end())
    for match in _GLUED_DAY.finditer(text):
        yield _named_day(reading, agewords.GLUED_DAYS[match[0]], match.start(), match.end())
    for match in _GLUED_WEEKDAY.finditer(text):
        sign = str(match[match.lastindex or 0]).replace("天", "日")
        number = _WEEKDAY_SIGNS[(match.lastindex or 1) - 1].index(sign)
        yield from _weekday(reading, number, match.start(), match.end())


def _glued_part(match: re.Match[str]) -> Part | None:
    number, counter, half, name, after = match.groups()
    size = agewords.GLUED_UNITS[name]
    if (name == "月" and not counter) or (size == YEAR and len(number) > 2):
        return None  # "3月前": before March
    amount: float | None = _AMOUNTS.get(number)
    if number[0] in "几幾数數":
        amount = -3.0
    elif amount is None:
        amount = float(number) if number[0].isdecimal() else words.han_number(number)
    return None if amount is None else (amount + 0.5 if half or after else amount, size)


def _ago(reading: Reading, tokens: list[Token]) -> Iterator[Candidate]:
    """Chains of number and unit that touch an "ago" word, before or after it."""
    i = 0
    while i < len(tokens):
        parts, after = _chain(tokens, i)
        if not parts:
            i += 1
            continue
        last, first = after, i - 1
        while last < min(len(tokens), after + 2) and tokens[last][0] in words.FILLERS:
            last += 1
        while first >= max(0, i - 2) and tokens[first][0] in words.FILLERS:
            first -= 1
        if last < len(tokens) and tokens[last][0] in agewords.AGO:
            yield from ago(reading, parts, tokens[i][1], tokens[last][2])
        elif first >= 0 and tokens[first][0] in agewords.AGO:
            yield from ago(reading, parts, tokens[first][1], tokens[after - 1][2])
        elif reading.lang == "hu" and tokens[after - 1][0] in agewords.AGO_UNITS:
            yield from ago(reading, parts, tokens[i][1], tokens[after - 1][2])
        elif i > 1 and tokens[i - 1][0] == "a" and tokens[i - 2][0] == "y":  # "il y a"
            yield from ago(reading, parts, tokens[max(0, i - 3)][1], tokens[after - 1][2])
        i = after


def _chain(tokens: list[Token], i: int) -> tuple[list[Part], int]:
    """The parts that begin at token i, and the index after the last of them."""
    parts: list[Part] = []
    end = i
    while i < len(tokens):
        part, i = _part(tokens, i, first=not parts)
        if part is None:
            break
        parts.append(part)
        end = i
        while i < len(tokens) and tokens[i][0] in agewords.ANDS:
            i += 1
    return parts, end


def _part(tokens: list[Token], i: int, first: bool) -> tuple[Part | None, int]:
    """One number and unit at token i, "3 hours", "half an hour", a bare "час"; and the index after it."""
    word = tokens[i][0]
    known = agewords.fixed(word)
    if known is not None:
        return known, i + 1
    amount = agewords.count(word)
    if amount is None:
        size = agewords.unit(word) if first and agewords.single(word) else None
        return (1.0, size) if size else None, i + 1
    j = i + 1
    if amount == 0.5 and j < len(tokens) and agewords.is_one(tokens[j][0]):
        j += 1
    while j < len(tokens) and tokens[j][0] == "of":
        j += 1
    size = agewords.unit(tokens[j][0]) if j < len(tokens) else None
    return (amount, size) if size else None, j + 1


def ago(reading: Reading, parts: list[Part], start: int, end: int) -> Iterator[Candidate]:
    """The candidate for so much time before now, unless that was before there were pages."""
    seconds = sum(abs(amount) * size for amount, size in parts if amount > 0 or size > SECOND)
    if seconds > _OLDEST:
        return
    finest = min(size for _, size in parts)
    if any(amount % 1 for amount, _ in parts):
        finest = {HOUR: MINUTE, DAY: HOUR}.get(finest, finest)
    if finest == MINUTE and any(amount < 0 for amount, _ in parts):
        finest = HOUR
    if finest >= DAY:
        coarse = finest >= WEEK
        free = STRICT if coarse else 0
        day = _back(reading, parts)
        yield reading.on(day, start, end, score=45, relative=True, coarse=coarse, alone=free)
        return
    precision: Precision = "minute" if finest <= MINUTE else "hour"
    moment = (reading.now - timedelta(seconds=seconds)).astimezone(UTC).replace(microsecond=0)
    yield Candidate(start, end, moment, precision, 48, relative=True)


def _back(reading: Reading, parts: list[Part]) -> date:
    """The day so many years, months, weeks and days before today, by the calendar."""
    months = sum(int(abs(amount)) * (12 if size == YEAR else 1) for amount, size in parts if size >= MONTH)
    days = sum(abs(amount) * size for amount, size in parts if size < MONTH) / DAY
    today = (reading.now - timedelta(days=days)).date()
    year, month = divmod(today.year * 12 + today.month - 1 - months, 12)
    return next(day for n in range(4) if (day := ymd(year, month + 1, today.day - n)) is not None)


def _just_now(reading: Reading, start: int, end: int) -> Candidate:
    moment = reading.now.astimezone(UTC).replace(microsecond=0)
    return Candidate(start, end, moment, "minute", 40, relative=True, alone=STRICT)


def _named_day(reading: Reading, days: int, start: int, end: int) -> Candidate:
    """ "yesterday", with the time of day that stands beside it."""
    clock = clock_at(reading.text, end, reading.lang) or clock_before(reading.text, start)
    day = (reading.now - timedelta(days=days)).date()
    score, free = (40, 0) if clock else (25, STRICT)
    return reading.on(day, start, end, clock=clock, score=score, relative=True, alone=free)


def _phrases(reading: Reading, tokens: list[Token]) -> Iterator[Candidate]:
    """ "yesterday", "hôm qua", "just now": phrases of one to five words, the longest first."""
    for i, (word, start, _) in enumerate(tokens):
        for size in range(min(5, len(tokens) - i), 0, -1) if word in agewords.FIRST_WORDS else ():
            phrase, end = " ".join(t[0] for t in tokens[i : i + size]), tokens[i + size - 1][2]
            if phrase in agewords.NOW_PHRASES:
                yield _just_now(reading, start, end)
                break
            if phrase in agewords.DAY_PHRASES:
                yield _named_day(reading, agewords.DAY_PHRASES[phrase], start, end)
                break


def _weekdays(reading: Reading, tokens: list[Token]) -> Iterator[Candidate]:
    """ "Monday", "lundi 10:30": the last such day. A short word ("Die", "Sun") needs a time beside it."""
    for word, start, end in tokens:
        number = words.weekday(word, reading.lang) if len(word) > 2 else None
        if number is not None:
            found = _weekday(reading, number, start, end)
            yield from (one for one in found if len(word) > 4 or one.precision != "day")


def _weekday(reading: Reading, number: int, start: int, end: int) -> Iterator[Candidate]:
    """A weekday, unless other numbers stand beside it and its time: then it belongs to a date."""
    found = _named_day(reading, (reading.now.weekday() - number) % 7, start, end)
    if not _DIGIT.search(reading.text[: found.start] + reading.text[found.end :]):
        yield found


def _bare(reading: Reading, tokens: list[Token]) -> Iterator[Candidate]:
    """Where the column is known to hold dates: "15:26" is today's or yesterday's, "3h" is three hours ago."""
    clock = clock_only(reading.text)
    if clock is not None:
        for days in (0, 1):
            day = (reading.now - timedelta(days=days)).date()
            found = reading.on(day, 0, len(reading.text), clock=clock, score=20, relative=True)
            if found.moment <= reading.now + timedelta(minutes=10):
                yield found
                return
    parts, end = _chain(tokens, 0)
    if parts and end == len(tokens) and tokens[0][0].isdigit():
        yield from ago(reading, parts, tokens[0][1], tokens[-1][2])
