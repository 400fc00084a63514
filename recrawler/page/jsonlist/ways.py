"""The pages before and after one of an API's: what the answer tells of them, or a parameter that counts."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from recrawler.page.jsonlist.fields import is_link, joined
from recrawler.page.jsonlist.paths import Paths, page_of, page_url, search

Ways = tuple[str | None, str | None]

_PAGES = re.compile(
    r"p|pg|pn|page|pages|paged|page_?(?:no|num|number|index|id)|cur(?:rent)?_?page|now_?page|p_?index", re.I
)
_ROWS = re.compile(r"start|offset|skip|from|begin|first_?(?:result|row)", re.I)
_SIZE = re.compile(r"limit|size|count|rows|num|per_?page|page_?size|ps|max_?results?|take", re.I)
_NEXT = (
    "next",
    "next_url",
    "nextUrl",
    "nextPage",
    "next_page",
    "next_page_url",
    "nextLink",
    "@odata.nextLink",
)
_PLACES = ("links", "_links", "paging", "pagination", "meta", "data", "page")
_MORE = re.compile(r"has_?(?:more|next)(?:_?page)?|more", re.I)
_LAST = re.compile(r"is_?(?:last|end)(?:_?page)?|last|finished", re.I)


def ways(data: Any, url: str, paths: Paths, count: int) -> Ways:
    """The URLs of the next page and of the one before, null where there is none or nothing tells. `count`: the
    objects on this page."""
    if paths.next:
        told = search(paths.next, data)
        if told in (None, "", False):
            return None, None
        return (_with(url, paths.param, str(told)) if paths.param else joined(str(told), url)), None
    if not paths.param and not paths.template and (onward := _told_next(data, url)):
        return onward, None
    return (None, None) if _ended(data) else numbered(url, paths, count)


def numbered(url: str, paths: Paths, count: int) -> Ways:
    """The pages beside one whose number, or number of rows to leave out, stands in its URL: as a user says, or
    in a parameter with one of the usual names."""
    if paths.template:
        template = urljoin(url, paths.template)
        page = page_of(template, url)
        return page_url(template, page + 1), page_url(template, page - 1) if page > 1 else None
    query = dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))
    name = paths.param or next((k for k in query if _PAGES.fullmatch(k) or _ROWS.fullmatch(k)), "")
    here = query.get(name, "")
    if not name or (here and not here.isdecimal()) or len(here) > 9:
        return None, None
    by_rows = _ROWS.fullmatch(name) is not None
    sizes = [int(v) for k, v in query.items() if _SIZE.fullmatch(k) and v.isdecimal() and 0 < len(v) < 6]
    now, each = int(here or not by_rows), (next(iter(sizes), 0) or count) if by_rows else 1
    least = 0 if by_rows else min(now, 1)
    newer = _with(url, name, str(now - each)) if now - each >= least else None
    return _with(url, name, str(now + each)), newer


def _told_next(data: Any, url: str) -> str | None:
    """A URL of the next page that the answer itself gives under one of the usual names."""
    if not isinstance(data, dict):
        return None
    for place in (data, *(data.get(name) for name in _PLACES)):
        for name in _NEXT:
            value = place.get(name) if isinstance(place, dict) else None
            value = value.get("href") if isinstance(value, dict) else value
            if isinstance(value, str) and is_link(value):
                return joined(value, url)
    return None


def _ended(data: Any, depth: int = 0) -> bool:
    """Whether the answer says that no page follows."""
    if not isinstance(data, dict) or depth > 2:
        return False
    for key, value in data.items():
        if isinstance(value, bool) and (
            (_MORE.fullmatch(key) and not value) or (_LAST.fullmatch(key) and value)
        ):
            return True
        if _ended(value, depth + 1):
            return True
    return False


def _with(url: str, name: str, value: str) -> str:
    """The URL with a query parameter set, in its place if it is there."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    changed = [(k, value if k == name else v) for k, v in pairs]
    if name not in dict(pairs):
        changed.append((name, value))
    return urlunsplit(parts._replace(query=urlencode(changed), fragment=""))
