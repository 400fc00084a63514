"""Dates of rows: when things were published, and how a site writes that."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from .lexicon import Lexicon

_DIGITS = {"arab": "٠١٢٣٤٥٦٧٨٩", "fa": "۰۱۲۳۴۵۶۷۸۹", "deva": "०१२३४५६७८९", "beng": "০১২৩৪৫৬৭৮৯"}


def native(text: str, digits: str | None) -> str:
    """The text with its ASCII digits in another script ("arab", "fa", "deva", "beng"), or as it is."""
    return text.translate(str.maketrans("0123456789", _DIGITS[digits])) if digits else text


def shown(when: datetime, form: str, lex: Lexicon, now: datetime) -> str:
    """A date in a format of the word list, or relative to `now` where the form is "relative"."""
    if form == "relative":
        return relative(when, lex, now)
    values = {
        "y": when.year, "yy": f"{when.year % 100:02d}", "m": when.month, "mm": f"{when.month:02d}",
        "d": when.day, "dd": f"{when.day:02d}", "H": f"{when.hour:02d}", "M": f"{when.minute:02d}",
        "S": f"{when.second:02d}", "month": lex.months[when.month - 1], "mon": lex.short[when.month - 1],
        "wd": lex.days[when.weekday()], "roc": when.year - 1911, "reiwa": when.year - 2018,
        "be": when.year + 543,
    }  # fmt: skip
    return form.format(**values)


def relative(when: datetime, lex: Lexicon, now: datetime) -> str:
    """Three hours ago, yesterday, ...; older than a month in the first absolute format."""
    gone = now - when
    if gone < timedelta(hours=1):
        return lex.word("minutes").format(n=max(1, gone.seconds // 60))
    if gone < timedelta(hours=24):
        return lex.word("hours").format(n=gone.seconds // 3600)
    if gone < timedelta(hours=48):
        return lex.word("yesterday").format(H=f"{when.hour:02d}", M=f"{when.minute:02d}")
    if gone < timedelta(days=30):
        return lex.word("daysago").format(n=gone.days)
    return shown(when, lex.formats[0], lex, now)


def precision(form: str) -> str:
    """What a reader can know from the text: "minute", "day" or "month"; "age" for a relative one."""
    if form == "relative":
        return "age"
    return "minute" if "{M}" in form else "day" if "{d}" in form or "{dd}" in form else "month"


def printed(when: datetime, form: str, now: datetime) -> datetime:
    """The time as far as the text tells it: cut to its minute, day, month, or to the unit of its age."""
    if form == "relative":
        gone = now - when
        unit = (
            timedelta(minutes=1)
            if gone < timedelta(hours=1)
            else timedelta(hours=1)
            if gone < timedelta(days=1)
            else timedelta(days=1)
        )
        return now - gone // unit * unit
    kind = precision(form)
    if kind == "minute":
        return when.replace(second=0)
    return when.replace(hour=0, minute=0, second=0, day=1 if kind == "month" else when.day)


def series(rng: random.Random, count: int, newest: datetime, pace_hours: float) -> list[datetime]:
    """`count` publishing times going back from `newest`, newest first, at about one in `pace_hours`."""
    times, at = [], newest
    for _ in range(count):
        times.append(at)
        at -= timedelta(seconds=int(rng.expovariate(1 / (pace_hours * 3600))) + 61)
    return times
