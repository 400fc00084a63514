"""Relative dates: "3小时前", "半小时前", "vor 3 Stunden", "1 day 6 hours ago", "昨天 09:27", "just now".

Numbers and units are read as words, in any language at once: what makes them a date is an "ago" word that
touches them. So there is one table of units and one of "ago" words, and no grammar per language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

from recrawler.page import datewords as words
from recrawler.page.dateclock import Clock, clock_at, clock_before
from recrawler.page.dateforms import Candidate, Reading

_CJK_NUMBER = r"(?:\d{1,4}(?:\.\d)?|[一二三四五六七八九十两兩几幾数數半]{1,3})"
_CJK_UNITS = {
    "秒": 1, "초": 1, "分": 60, "분": 60, "小时": 3600, "小時": 3600, "时": 3600, "時": 3600, "钟头": 3600, "鐘頭": 3600,
    "시간": 3600, "天": 86400, "日": 86400, "일": 86400, "周": 604800, "週": 604800, "星期": 604800, "礼拜": 604800,
    "禮拜": 604800, "주": 604800, "月": 2629800, "개월": 2629800, "달": 2629800, "年": 31557600, "년": 31557600,
}  # fmt: skip
_UNIT = r"秒|초|분|分|小[时時]|[钟鐘][头頭]|[时時]|시간|天|日|일|[周週]|星期|[礼禮]拜|주|月|개월|달|年|년"
_CJK_PART = re.compile(
    rf"({_CJK_NUMBER})\s*[个個ヶかカケ箇]?(半)?[多余]?\s*({_UNIT})[钟鐘间間]?\s*(半)?(?=\s*(?:[以之]?[前전]|{_CJK_NUMBER}))"
)
_CJK_AGO = re.compile(
    rf"(?:{_CJK_NUMBER}\s*[个個ヶかカケ箇]?半?[多余]?\s*(?:{_UNIT})[钟鐘间間]?\s*半?){{1,3}}[以之]?[前전]"
)
_CJK_NOW = re.compile(r"刚刚|剛剛|刚才|剛才|たった今|たったいま|방금(?:\s*전)?")
_CJK_DAYS = {
    "大前天": 3, "前天": 2, "前日": 2, "一昨日": 2, "おととい": 2, "그저께": 2, "그제": 2, "昨天": 1, "昨日": 1, "昨晚": 1,
    "きのう": 1, "어제": 1, "今天": 0, "今日": 0, "本日": 0, "今早": 0, "今晨": 0, "きょう": 0, "오늘": 0,
}  # fmt: skip
_CJK_DAY = re.compile("|".join(_CJK_DAYS))
_TOKEN = re.compile(r"\d+|[^\W\d_](?:[^\s\d!-&(-,./:-@\[-`{-~|·•،])*")
_COARSE = words.WEEK


def relative(reading: Reading) -> Iterator[Candidate]:
    """Every relative date of the text."""
    text = reading.text
    if not text.isascii():
        yield from _cjk(reading)
    tokens = [(words.fold(m[0]), m.start(), m.end()) for m in _TOKEN.finditer(text)] if len(text) else []
    keys = {t[0] for t in tokens}
    if not keys.isdisjoint(words.AGO) or "recien" in keys:
        yield from _ago(reading, tokens)
    yield from _named_days(reading, tokens, keys)


def _cjk(reading: Reading) -> Iterator[Candidate]:
    text = reading.text
    if "前" in text or "전" in text:
        for match in _CJK_AGO.finditer(text):
            parts = [_cjk_part(p) for p in _CJK_PART.finditer(match[0])]
            if parts and None not in parts:
                yield reading.ago([p for p in parts if p is not None], match.start(), match.end())
    for match in _CJK_NOW.finditer(text):
        yield reading.just_now(match.start(), match.end())
    for match in _CJK_DAY.finditer(text):
        yield _day(reading, _CJK_DAYS[match[0]], match.start(), match.end())


def _cjk_part(match: re.Match[str]) -> tuple[float, int] | None:
    number, before, name, after = match.groups()
    size = next((s for n, s in _CJK_UNITS.items() if name.startswith(n)), None)
    if number == "半":
        amount: float | None = 0.5
    elif number[0] in "几幾数數":
        amount = -3.0
    elif number[0].isdigit():
        amount = float(number)
    else:
        amount = words.han_number(number)
    if size is None or amount is None:
        return None
    return (amount + 0.5 if before or after else amount), size


def _day(reading: Reading, days: int, start: int, end: int) -> Candidate:
    """ "yesterday", with the time of day that stands beside it."""
    clock: Clock | None = clock_at(reading.text, end)
    if clock is None:
        clock = clock_before(reading.text, start)
    day = (reading.now - timedelta(days=days)).date()
    return reading.on(
        day, start, end, clock=clock, score=40 if clock else 25, relative=True, alone=clock is None
    )


def _ago(reading: Reading, tokens: list[tuple[str, int, int]]) -> Iterator[Candidate]:
    """Chains of number and unit that touch an "ago" word, before or after it."""
    i = 0
    while i < len(tokens):
        parts, after = _chain(tokens, i)
        if not parts:
            i += 1
            continue
        last = after
        while last < len(tokens) and last < after + 2 and tokens[last][0] in words.FILLERS | {"yang"}:
            last += 1
        first = i - 1
        while first >= 0 and first > i - 3 and tokens[first][0] in words.FILLERS and tokens[first][0] != "a":
            first -= 1
        if last < len(tokens) and tokens[last][0] in words.AGO:
            yield reading.ago(parts, tokens[i][1], tokens[last][2])
        elif first >= 0 and (tokens[first][0] in words.AGO or tokens[first][0] == "a"):
            yield reading.ago(parts, tokens[first][1], tokens[after - 1][2])
        i = after


def _chain(tokens: list[tuple[str, int, int]], i: int) -> tuple[list[tuple[float, int]], int]:
    """The (amount, seconds) pairs that begin at token i, and the index after them."""
    parts: list[tuple[float, int]] = []
    while i < len(tokens):
        word = tokens[i][0]
        double = words.dual(word)
        amount = words.count(word)
        size = None
        step = 2
        if double is not None:
            amount, size, step = 2.0, double, 1
        elif amount is not None and i + 1 < len(tokens):
            if tokens[i + 1][0] in ("an", "a") and i + 2 < len(tokens):
                step = 3
            size = words.unit(tokens[i + step - 1][0])
        elif amount is None and not parts and (size := words.unit(word)) is not None and len(word) > 2:
            amount, step = 1.0, 1
        if amount is None or size is None:
            break
        parts.append((amount, size))
        i += step
        while i < len(tokens) and tokens[i][0] in ("i", "and", "und", "et", "y", "e", "и"):
            i += 1
    return parts, i


def _named_days(reading: Reading, tokens: list[tuple[str, int, int]], keys: set[str]) -> Iterator[Candidate]:
    for size in (1, 2, 3, 4):
        for i in range(len(tokens) - size + 1):
            key = tokens[i][0] if size == 1 else " ".join(t[0] for t in tokens[i : i + size])
            if key in words.NOW_WORDS:
                yield reading.just_now(tokens[i][1], tokens[i + size - 1][2])
            elif key in words.DAY_WORDS:
                yield _day(reading, words.DAY_WORDS[key] * -1, tokens[i][1], tokens[i + size - 1][2])
        if size == 1 and len(tokens) > 12:
            return
