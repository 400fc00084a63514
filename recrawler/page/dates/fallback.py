"""dateparser behind the own forms: for short texts in languages that those do not read.

It is slow (about 1 ms a text, 134 ms without a language) and takes much for a date that is none. So it is
asked only when every word of the text is in its own vocabulary of one known language; answers are kept.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from recrawler.page.dates import words
from recrawler.page.dates.ages import ago
from recrawler.page.dates.agewords import DAY, HOUR, MINUTE
from recrawler.page.dates.reading import Candidate, Reading

_MAX_TEXT = 60
# Languages that the own forms read as well as dateparser does.
_OWN = frozenset(
    re.findall(
        r"\w+",
        "en zh ja ko es fr de pt it ru nl pl tr id vi cs uk el ro hu sv da nb fi bg sk sl hr sr bs be mk ca "
        "gl ar fa he hi bn th ms",
    )
)
_WORD = re.compile(r"[^\W\d_][^\s\d!-/:-@\[-`{-~|·•]*")
# The language of a script that has one of news value; others are told by the page's language only.
_SCRIPTS = (
    ("ka", "\u10a0", "\u10ff"),
    ("hy", "\u0530", "\u058f"),
    ("ta", "\u0b80", "\u0bff"),
    ("te", "\u0c00", "\u0c7f"),
    ("kn", "\u0c80", "\u0cff"),
    ("ml", "\u0d00", "\u0d7f"),
    ("gu", "\u0a80", "\u0aff"),
    ("pa", "\u0a00", "\u0a7f"),
    ("si", "\u0d80", "\u0dff"),
    ("km", "\u1780", "\u17ff"),
    ("lo", "\u0e80", "\u0eff"),
    ("my", "\u1000", "\u109f"),
)


def fallback(reading: Reading) -> Candidate | None:
    """What dateparser reads the whole text as, or None: also where it is not asked."""
    text = reading.text.strip()
    lang = reading.lang or _language(text)
    if len(text) > _MAX_TEXT or lang is None or lang in _OWN or not _is_known(text, lang):
        return None
    answer = _ask(text, lang, reading.now.date())
    if answer is None:
        return None
    start = reading.text.index(text)
    end = start + len(text)
    if isinstance(answer, timedelta):
        seconds = int(answer.total_seconds())
        size = DAY if seconds % DAY == 0 else HOUR if seconds % HOUR == 0 else MINUTE
        return next(ago(reading, [(seconds // size, size)], start, end), None)
    return reading.on(answer, start, end, score=30)


def _language(text: str) -> str | None:
    odd = next((c for c in text if c > "\u036f" and c.isalpha()), "")
    return next((lang for lang, low, high in _SCRIPTS if odd and low <= odd <= high), None)


_BACK = re.compile(r"\\1 \w+ ago")
_PAST = re.compile(r"[12] \w+ ago|ago")


@lru_cache(maxsize=64)
def _vocabulary(lang: str) -> tuple[frozenset[str], frozenset[str]]:
    """Every folded word that dateparser knows in a language, and those of them that tell of a past date."""
    known: set[str] = set(words.months_of(lang)) | set(words.weekdays_of(lang))
    telling, back, ahead = set(words.months_of(lang)), set(), set()
    for meaning, phrase in _phrases(lang):
        parts = {words.fold(word) for word in _WORD.findall(phrase.replace("\\d", ""))}
        known |= parts
        if _BACK.fullmatch(meaning):
            back |= parts
        elif _PAST.fullmatch(meaning):
            telling |= parts
        else:
            ahead |= parts  # units, "in 3 days", fillers: what stands there too does not make a date
    return frozenset(known), frozenset(telling | (back - ahead))


def _phrases(lang: str) -> Iterator[tuple[str, str]]:
    """Every phrase of dateparser's data for a language, with what it stands for ("ago", "\\1 day ago")."""
    try:
        data = importlib.import_module(f"dateparser.data.date_translation_data.{lang}").info
    except (ImportError, AttributeError):
        return
    for key, value in data.items():
        for meaning, names in value.items() if isinstance(value, dict) else [(key, value)]:
            if isinstance(names, list):
                yield from ((meaning, name) for name in names if isinstance(name, str))


def _is_known(text: str, lang: str) -> bool:
    """Every word is one that dateparser knows, and at least one of them makes a date."""
    known, telling = _vocabulary(lang)
    found = {words.fold(word) for word in _WORD.findall(text)}
    return bool(found) and found <= known and not found.isdisjoint(telling)


@lru_cache(maxsize=2048)
def _ask(text: str, lang: str, today: date) -> date | timedelta | None:
    """dateparser's answer on a day: a date, or the age of what is told as an age.

    Which of them it is shows when the same text is read an hour later: an age then moves by an hour too.
    """
    noon = datetime(today.year, today.month, today.day, 12)  # noqa: DTZ001 (dateparser wants it naive)
    first, second = _parse(text, lang, noon), _parse(text, lang, noon + timedelta(hours=1))
    if first is None or second is None or first > noon + timedelta(days=1):
        return None
    if second - first == timedelta(hours=1) and first.minute == noon.minute:
        return noon - first
    return first.date()


def _parse(text: str, lang: str, base: datetime) -> datetime | None:
    from dateparser.date import DateDataParser

    settings: dict[str, Any] = {
        "RELATIVE_BASE": base,
        "PREFER_DATES_FROM": "past",
        "REQUIRE_PARTS": ["day", "month"],
        "RETURN_AS_TIMEZONE_AWARE": False,
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: datetime | None = (
                DateDataParser(languages=[lang], settings=settings).get_date_data(text).date_obj
            )
    except Exception:  # a library's fault on odd input must not lose the page
        return None
    return found.replace(tzinfo=None, second=0, microsecond=0) if found else None
