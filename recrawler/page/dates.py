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
from recrawler.page.datefallback import fallback
from recrawler.page.dateforms import absolute, short
from recrawler.page.datenames import named
from recrawler.page.datereading import EDGE, Candidate, Reading, ymd
from recrawler.page.types import Precision

_MAX_TEXT = 600  # characters that are read of a longer text, half from each end


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
    a date only because the column around it holds dates: "8-1", "1/5", "15:26", "3h".
    """
    if not text:
        return None
    clean, places = words.plain(_ends(text))
    base = words.base_language(lang)
    region = lang.strip().lower()[3:] if lang and base else ""
    here = (now if now.tzinfo else now.replace(tzinfo=UTC)).astimezone(tz)
    best = _best(Reading(clean, here, tz, base, region, day_first, loose))
    if best is None:
        return None
    start, end = best.start, best.end
    if places is not None:
        start, end = places[start], places[end - 1] + 1
    if len(text) > _MAX_TEXT and start >= _MAX_TEXT // 2:
        start, end = start + len(text) - _MAX_TEXT, end + len(text) - _MAX_TEXT
    return Found(best.moment, best.precision, start, end, best.relative, best.has_zone, best.coarse)


def _ends(text: str) -> str:
    half = _MAX_TEXT // 2
    return text if len(text) <= _MAX_TEXT else f"{text[: half - 1]}\n{text[-half:]}"


_HAS_NUMBER = re.compile(r"\d|月")
_ENOUGH = 16  # the least weight of a date
_SURE = 55  # no other form can outweigh this one


def _best(reading: Reading) -> Candidate | None:
    """The weightiest date of the text; of equal ones the first. The commoner forms are read first."""
    weighed: list[tuple[int, Candidate]] = []
    seen = False
    numbers = _HAS_NUMBER.search(reading.text) is not None
    for form in (absolute, named, relative, short) if numbers else (relative,):
        found = list(form(reading))
        seen = seen or bool(found)
        weighed += [(weight, c) for c in found if (weight := _weight(reading, c)) >= _ENOUGH]
        if any(weight >= _SURE for weight, _ in weighed):
            break
    if not seen:
        last = fallback(reading)
        return last
    weighed = [(w, c) for w, c in weighed if not _spans(reading.text, c, weighed)]
    return max(weighed, key=lambda w: (w[0], -w[1].start))[1] if weighed else None


_TO = re.compile(r"\s*(?:[~-]{1,2}|至|到|から|to|bis|until|till|au|al|до|a)\s*", re.I)


def _spans(text: str, one: Candidate, others: list[tuple[int, Candidate]]) -> bool:
    """It is one end of a range of dates: an event, not a publication."""
    return any(
        (one.end <= o.start and _TO.fullmatch(text, one.end, o.start) is not None)
        or (o.end <= one.start and _TO.fullmatch(text, o.end, one.start) is not None)
        for _, o in others
    )


_LABEL = re.compile(
    r"(?P<due>(?:截[止至]|有效|开标|举[办行]|活动|报名|会议|締切|期限|開催)(?:[^\d\s:]{0,4}:\s?|[^\d\s:]{0,3}|[时日][间期]\s)$|截[止至]\s$"
    r"|\b(?:deadline|expires?|due|until|valid|up ?to|held on|as o[nf]|dated|prior to|before|since|seit|joined|bis zum|до|jusqu'au)\b[^\d]{0,8}$)"
    r"|(?:(?P<touched>更新|修改|编辑|回复|修正|수정|\bupdated?\b|\bmodified|\bedited|\blast\b|aktualis|actualiz|mis à jour|измен|обновл)"
    r"|(?P<issued>发[布表]|發[佈布表]|刊登|投稿|公[開布]|日期|时间|時間|日時|掲載|登録|등록|작성|게시|입력|发文|posted|publi|pubbl"
    r"|\b(?:date|data|added|created|submitted|on)\b|veröffentl|опубл|\bдата|yayın|ngày|tarih|于|於))[^\d]{0,12}$",
    re.I,
)
_AFTER = re.compile(
    r"来源|來源|作者|浏览|点击|點擊|阅读|編集|编辑|发布|發佈|更新|来自|责任|更|by|에|に|のニュース|,|投稿|公開"
)
_SIGNS = " \t\n[]()<>{}|·•,;:~*#/\\-。「」《》'\"+→»«.…"
_RANGE_AFTER = re.compile(
    r"\s?(?:[~-]|至|到)\s?(?:(?:19|20)\d\d\s?[-/.年]|\d{1,2}\s?[-/.月]\s?\d{1,2}|\d{1,2}日)"
)
_RANGE_BEFORE = re.compile(r"(?:\d[-/.月]\d{1,2}日?|日)\s?(?:[~-]|至|到)\s?$")


def _weight(reading: Reading, found: Candidate) -> int:
    """The candidate's score, better where a label or an edge speaks for it, worse where a sentence goes on."""
    text, start, end = reading.text, found.start, found.end
    before, after = text[max(0, start - 28) : start], text[end : end + 14]
    left, right = text[:start].rstrip(_SIGNS), text[end:].lstrip(_SIGNS)
    score = found.score
    label = _LABEL.search(before) if left else None
    if label is not None:
        score += {"due": -45, "touched": -12, "issued": 20}[str(label.lastgroup)]
    else:
        score -= 20 if before[-1:].isalpha() else 0
    if not left or not right:
        score += 10
    elif (
        label is None
        and len(text) > _SENTENCE
        and not (before.rstrip()[-1:] in _BETWEEN or after.lstrip()[:1] in _BETWEEN)
    ):
        score -= 35 if found.relative else 20
    if before[-1:] in ("[", "(") and after[:1] in ("]", ")"):
        score += 8
    if after[:1].isalpha() and not _AFTER.match(after):
        score -= 30
    elif after[:1] == "," and len(text) > _SENTENCE and right[:1] > "\u2e80":
        score -= 35
    if found.alone and label is None and not _stands_alone(reading, found, left, right):
        score -= 60
    if (after and _RANGE_AFTER.match(after)) or (before and _RANGE_BEFORE.search(before)):
        score -= 60
    if found.moment > reading.now + timedelta(days=1, hours=1):
        score -= 15
    return score


_SENTENCE = 60  # characters: a longer text is rather a sentence than a row's line of facts
_BETWEEN = "|·•,;:/\\-]["


def _stands_alone(reading: Reading, found: Candidate, left: str, right: str) -> bool:
    """Only signs are around it; on one side there may be text beyond a sign, or beyond a space in CJK text."""
    if not (left or right) or (found.alone == EDGE and not (left and right)):
        return True
    before, after = reading.text[: found.start].rstrip(" "), reading.text[found.end :].lstrip(" ")
    if before[-1:] in ("[", "(") and after[:1] in ("]", ")"):
        return not (left and right) or before[-1:] == "["
    shut_left, shut_right = before[-1:] in _BETWEEN, after[:1] in _BETWEEN
    if shut_left and shut_right:
        return True
    if found.relative:
        return False
    spaced_left = not left or (reading.text[found.start - 1] == " " and not _spaced_script(left[-1]))
    spaced_right = not right or (reading.text[found.end] == " " and not _spaced_script(right[0]))
    return (shut_left or spaced_left) and (shut_right or spaced_right)


def _spaced_script(char: str) -> bool:
    """A letter of a script that has spaces between words (so that a space does not set a date apart)."""
    return char.isalpha() and char < "\u2e80"


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
