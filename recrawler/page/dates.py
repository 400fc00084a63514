"""When was it published: the date inside a short text, a <time> attribute, or a URL.

All functions are pure (`now` is an argument) and never raise, whatever the text. A text is read by linear
regular expressions and tables of words; several dates in one text are weighed by what stands around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Literal

from recrawler.page import datewords as words
from recrawler.page.dateago import relative
from recrawler.page.dateforms import Candidate, Reading, absolute, short, ymd
from recrawler.page.datenames import named
from recrawler.page.types import Precision

_MAX_TEXT = 600
_ENOUGH = 15


@dataclass(frozen=True, slots=True)
class Found:
    """A date in a text. `date` is aware, in UTC; with precision "day" it is midnight in the site's zone.

    `start` and `end` bound the date in the text as it was given. `relative`: told as an age ("3 hours ago").
    `has_zone`: the text itself told its zone. `coarse`: weeks, months or years ago, true to that unit only.
    """

    date: datetime
    precision: Precision
    start: int
    end: int
    relative: bool = False
    has_zone: bool = False
    coarse: bool = False


def find_date(
    text: str,
    *,
    now: datetime,
    tz: tzinfo,
    lang: str | None = None,
    day_first: bool | None = None,
    loose: bool = False,
) -> Found | None:
    """The publication date inside a short text (a row, a cell, a label with its value), or None.

    `tz` is the site's zone, used unless the text carries one. `lang` is a BCP 47 tag. `day_first` tells 1/5/26
    from 5/1/26 (see `infer_day_first`); unknown, the language and the calendar decide. `loose` also takes what is
    a date only because the column around it holds dates: "8-1", "1/5", "15:26".
    """
    if not text:
        return None
    clean, places = words.plain(text[:_MAX_TEXT])
    base = words.base_language(lang)
    region = lang.lower()[len(base) + 1 :] if lang and base else ""
    here = (now if now.tzinfo else now.replace(tzinfo=UTC)).astimezone(tz)
    reading = Reading(clean, here, tz, base, region, day_first, loose)
    best = _best(reading)
    if best is None:
        return None
    start, end = best.start, best.end
    if places is not None:
        start, end = places[start], places[end - 1] + 1
    return Found(best.moment, best.precision, start, end, best.relative, best.has_zone, best.coarse)


_DIGIT = re.compile(r"\d")


def _best(reading: Reading) -> Candidate | None:
    has_digit = _DIGIT.search(reading.text) is not None
    found = list(absolute(reading)) if has_digit else []
    if not found and has_digit:
        found += named(reading)
    if not found:
        found += relative(reading)
    if not found and has_digit:
        found += short(reading)
    weighed = [(w, -c.start, c) for c in found if (w := _weight(reading, c)) >= _ENOUGH]
    return max(weighed, key=lambda w: w[:2])[2] if weighed else None


_GOOD = re.compile(
    r"(?:发[布表]|發[佈布表]|刊登|投稿|公[開布]|日期|时间|時間|日時|掲載|登録|등록|작성|게시|입력|posted|publish|date|added|created|submitted"
    r"|veröffentl|publi|опубл|дата|yayın|ngày|tarih|于|於|by)[^\d]{0,10}$",
    re.I,
)
_UPDATED = re.compile(
    r"(?:更新|修改|编辑|updated|modified|edited|aktualis|actualiz|mis à jour|изменен|обновл)[^\d]{0,8}$", re.I
)
_DUE = re.compile(
    r"(?:截[止至]|有效|开标|举[办行]|活动|报名|deadline|expires?|due|until|valid|bis zum|jusqu)[^\d]{0,8}$",
    re.I,
)
_AFTER_LABEL = re.compile(r"来源|來源|作者|浏览|点击|點擊|阅读|編集|编辑|发布|發佈|更新|by|来自|责任|\(|（")
_SIGNS = " \t[]()<>{}|·•,;:~*#/\\-。，「」《》'\"+→»«"
_RANGE_AFTER = re.compile(
    r"\s?(?:[~-]|至|到|–|to|bis|until)\s?(?:(?:19|20)\d\d\s?[-/.年]|\d{1,2}\s?[-/.月]\s?\d{1,2}|\d{1,2}日)",
    re.I,
)


def _weight(reading: Reading, found: Candidate) -> int:
    """The score of a candidate by what stands around it."""
    text = reading.text
    left, right = text[: found.start].rstrip(_SIGNS), text[found.end :].lstrip(_SIGNS)
    before, after = text[max(0, found.start - 24) : found.start], text[found.end : found.end + 1]
    score = found.score
    label = _GOOD.search(before) is not None
    due = _DUE.search(before) is not None
    if due:
        score -= 40
    elif _UPDATED.search(before):
        score -= 12
        label = True
    elif label:
        score += 20
    if not left or not right:
        score += 10
    if after in ("]", ")") or before[-1:] in ("[", "("):
        score += 8
    if before[-1:].isalpha() and not label:
        score -= 20
    if after.isalpha() and not _AFTER_LABEL.match(text, found.end):
        score -= 30
    if found.alone and not label and not _alone(text, found, left, right):
        score -= 60
    if _RANGE_AFTER.match(text, found.end):
        score -= 60
    if found.moment > reading.now + timedelta(days=1, hours=1):
        score -= 15
    return score


def _alone(text: str, found: Candidate, left: str, right: str) -> bool:
    """Nothing but signs around it, on both sides or on one with a sign that separates on the other."""
    if not left and not right:
        return True
    before, after = text[: found.start].rstrip(" "), text[found.end :].lstrip(" ")
    shut = text[found.end : found.end + 1] == "]" and before[-1:] == "["
    edge = (not left and (after[:1] in "|·•,]/-;" or after[:1] == "")) or (
        not right and before[-1:] in "|·•[/-;"
    )
    both = before[-1:] in ("|", "·", "•") and after[:1] in ("|", "·", "•")
    spaced = not found.relative and (not right or not left) and not _latin(left[-1:] or right[:1])
    return shut or edge or both or spaced


def _latin(char: str) -> bool:
    return char.isascii() or char.isalpha() and char < "\u0530"


_STAMP = re.compile(r"(\d{10})(?:\.\d+)?|(\d{13})|(\d{16})")


def parse_time_attr(value: str, *, now: datetime, tz: tzinfo) -> Found | None:
    """The time in an attribute's value (<time datetime>, data-time): ISO 8601, a Unix time, or any other date."""
    value = value.strip() if value else ""
    stamp = _STAMP.fullmatch(value)
    if stamp and value.isascii():
        seconds = int(stamp[1] or stamp[2] or stamp[3]) / (1 if stamp[1] else 1e3 if stamp[2] else 1e6)
        moment = datetime.fromtimestamp(int(seconds), UTC)
        fits = 1995 < moment.year <= now.year + 2
        return Found(moment, "second", 0, len(value), False, True) if fits else None
    return find_date(value, now=now, tz=tz)


_URL_DAY = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<s>[-/_.]?)(?P<m>0[1-9]|1[0-2]|(?<=[-/_])[1-9](?=[-/_]))(?P=s)"
    r"(?P<d>0[1-9]|[12]\d|3[01]|(?<=[-/_])[1-9](?=[-/_.]))(?=\D|$|\d{6}(?:\D|$)|\d{4}(?:\D|$))"
    r"|(?<=[/_-])(?P<y2>(?:19|20)\d\d)[/-](?P<m2>0[1-9]|1[0-2])-?/?(?P<d2>0[1-9]|[12]\d|3[01])(?=\D)"
)
_URL_MONTH = re.compile(r"/(?P<y>(?:19|20)\d\d)[-/]?(?P<m>0[1-9]|1[0-2])(?=/)")


def date_from_url(href: str) -> tuple[date, Literal["day", "month"]] | None:
    """The day (or the month, as its first day) that a URL's path tells of: a weak hint, often not the publication."""
    if not href:
        return None
    path = re.sub(r"^[a-z][a-z0-9+.-]*://[^/]*", "", href[:2000], flags=re.I)
    for match in _URL_DAY.finditer(path):
        year, month, day = (int(match[k] or match[k + "2"]) for k in ("y", "m", "d"))
        found = ymd(year, month, day)
        if found is not None and 1995 <= year < 2100:
            return found, "day"
    match = _URL_MONTH.search(path)
    if match and 1995 <= int(match["y"]) < 2100:
        return date(int(match["y"]), int(match["m"]), 1), "month"
    return None


_ORDERED = re.compile(
    r"(?<![\d.,:/-])(\d{1,2})\s?([-/.])\s?(\d{1,2})(?:\s?\2\s?(?:\d{4}|\d{2}))?(?![\d.,:/-]*\d)"
)


def infer_day_first(texts: Iterable[str]) -> bool | None:
    """Whether the dates of a list are day/month (True) or month/day (False); None where nothing tells.

    A number over 12 tells. Else, in a list of consecutive items, the number that changes more often is the day.
    """
    pairs = [
        (int(m[1]), int(m[3]))
        for t in texts
        if t
        for m in [_ORDERED.search(words.plain(t[:_MAX_TEXT])[0])]
        if m
    ]
    pairs = [(a, b) for a, b in pairs if 1 <= a <= 31 and 1 <= b <= 31]
    day = sum(a > 12 for a, _ in pairs)
    month = sum(b > 12 for _, b in pairs)
    if day != month:
        return day > month
    if day or len(pairs) < 4:
        return None
    firsts, seconds = len({a for a, _ in pairs}), len({b for _, b in pairs})
    if max(firsts, seconds) < 2 * min(firsts, seconds) + 1:
        return None
    return firsts > seconds
