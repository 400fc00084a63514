"""Weak hints at dates: the one in a URL's path, and the order of day and month in the dates of a list."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Literal

from recrawler.page.dates import words
from recrawler.page.dates.reading import ymd

_MAX_URL = 2000
_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]*|//[^/]*")
# /2026/01/05/ /20260105/ t20260105_1.html /2026-01/05/ /2026/0105/ /202601/05/ /art/2026/1/5/ 20260105103000
_DAY = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d\d)(?:[-/_.]?(?P<m>0[1-9]|1[0-2])[-/_.]?(?P<d>0[1-9]|[12]\d|3[01])"
    r"|(?P<s>[-/_])(?P<m1>[1-9]|1[0-2])(?P=s)(?P<d1>[1-9]|[12]\d|3[01]))"
    r"(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?)?(?!\d)"
)
_MONTH = re.compile(r"/(?P<y>(?:19|20)\d\d)[-/]?(?P<m>0[1-9]|1[0-2])(?=/)")


def date_from_url(href: str) -> tuple[date, Literal["day", "month"]] | None:
    """The day (or the month, as its first day) that a URL's path tells of, or None.

    A weak hint: it is often the day of publication, and often a day that the page is about.
    """
    if not href:
        return None
    host = _HOST.match(href)
    path = href[host.end() if host else 0 :][:_MAX_URL]
    for match in _DAY.finditer(path):
        month, day = int(match["m"] or match["m1"]), int(match["d"] or match["d1"])
        found = ymd(int(match["y"]), month, day)
        if found is not None and 1995 <= found.year < 2100:
            return found, "day"
    other = _MONTH.search(path)
    if other and 1995 <= int(other["y"]) < 2100:
        return date(int(other["y"]), int(other["m"]), 1), "month"
    return None


_MAX_TEXT = 200
_PAIR = re.compile(r"(?<![\d.,:/-])(\d{1,2})\s?([-/.])\s?(\d{1,2})(?:\s?\2\s?(\d{4}|\d{2}))?(?![\d.,:/-]*\d)")
_ENOUGH = 4  # dates


def infer_day_first(texts: Iterable[str]) -> bool | None:
    """Whether the dates of one list are day/month (True) or month/day (False); None where nothing tells.

    A number over 12 tells. Else, as the items of a list follow each other in time, the number that takes more
    values is the day.
    """
    found = [_PAIR.search(words.plain(text[:_MAX_TEXT])[0]) for text in texts if text]
    first_numbers, last = {m[1] for m in found if m}, {m[4] for m in found if m and m[4]}
    if len(first_numbers) == 1 and last and (len(last) > 1 or len({m[3] for m in found if m}) == 1):
        return None  # 26/05/22, 26/05/21: the year stands first; or 24/03/29 in all rows, which tells nothing
    pairs = [(int(m[1]), int(m[3])) for m in found if m]
    pairs = [(a, b) for a, b in pairs if 1 <= a <= 31 and 1 <= b <= 31 and min(a, b) <= 12]
    first, second = sum(a > 12 for a, _ in pairs), sum(b > 12 for _, b in pairs)
    if first != second:
        return first > second
    firsts, seconds = len({a for a, _ in pairs}), len({b for _, b in pairs})
    if first or len(pairs) < _ENOUGH or max(firsts, seconds) <= 2 * min(firsts, seconds):
        return None
    return firsts > seconds
