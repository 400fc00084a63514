"""Data in, the list of articles in it out, as the analysis of a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from recrawler.page.country import country_zone
from recrawler.page.jsonlist.fields import (
    LEAST_TITLE,
    MOST,
    SAMPLE,
    Fields,
    best_key,
    clean,
    date_of,
    flat,
    link_of,
    link_worth,
    title_of,
    title_worth,
)
from recrawler.page.jsonlist.paths import Paths, search
from recrawler.page.jsonlist.ways import ways
from recrawler.page.order import Dated, judge
from recrawler.page.types import Block, Link, Listing, PageAnalysis, PageVerdict

DATA = "json:"  # begins the path of a block in data
MAX_ITEMS = 5_000
MAX_DEPTH = 8  # of an array in the data
_CALL = re.compile(r"\s*(?:/\*.*?\*/\s*)?(?:try\s*\{\s*)?[\w$.]{1,80}\s*\(\s*(?=[\[{])", re.S)
_BLANK = "\ufeff \t\r\n"
_PLAIN_KEY = re.compile(r"[A-Za-z_]\w*", re.A)


def decoded(body: bytes | str, encoding: str | None = None) -> Any:
    """The data of a body that is JSON, or a call with JSON in it; null where it is anything else. `encoding`: of
    bytes that are not UTF-8."""
    head = body[:200] if isinstance(body, str) else body[:200].decode("utf-8", "replace")
    call = _CALL.match(head.lstrip(_BLANK))
    if call is None and head.lstrip(_BLANK)[:1] not in ("{", "["):
        return None
    text = (body if isinstance(body, str) else _text(body, encoding)).strip(_BLANK)
    try:
        data, end = json.JSONDecoder(strict=False).raw_decode(text, call.end() if call else 0)
    except (ValueError, RecursionError):
        return None
    rest = text[end:].lstrip()
    return data if rest.startswith(")") or (call is None and not rest) else None


def _text(body: bytes, encoding: str | None) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode(encoding or "utf-8", "replace")


def analyse_json(
    data: Any,
    url: str,
    *,
    now: datetime,
    timezone: tzinfo | None = None,
    paths: Paths | None = None,
    usual: str = "",
) -> PageAnalysis:
    """The list that data holds, as the analysis of a page.

    `timezone`: of dates that tell none; without it that of the host's country, else UTC. `usual`: where the
    array stood on earlier pages; it counts as `paths.items` does.
    """
    paths = paths or Paths()
    where, found = _items(data, paths, usual)
    if found is None:
        why = f"there is no array at {where}" if where else "no array of articles is in the JSON"
        return _without(url, "no-list", f"{why}: name it with --path items=EXPRESSION")
    if not found:
        return _without(url, "empty", f"the array {where} is empty")
    rows = [(row, flat(row)) for row in found[:MAX_ITEMS]]
    link = link_of([fields for _, fields in rows], paths, url)
    if link is None:
        return _without(url, "no-list", f"the objects of {where} name no URL: give --path url=EXPRESSION")
    links = [(href, row, fields) for row, fields in rows if (href := link(row, fields)) is not None]
    if not links:
        return _without(
            url, "no-list", f"no object of {where} has a URL at {paths.url or 'the usual places'}"
        )
    zone = timezone or country_zone(url)
    listing = _listing(links, where, now, zone, paths)
    older, newer = ways(data, url, paths, len(found))
    if listing.order.verdict == "oldest-first":
        older, newer = newer, older
    why = f"{len(links)} objects at {where}"
    listing = replace(listing, older=older, newer=newer)
    return PageAnalysis(url, "index", 1.0, "list", why, 0, (listing,), zone=zone)


def _listing(
    rows: Sequence[tuple[str, Any, Fields]], where: str, now: datetime, zone: tzinfo | None, paths: Paths
) -> Listing:
    title = title_of([fields for *_, fields in rows], paths)
    date = date_of([fields for *_, fields in rows], paths, now, zone or UTC)
    dated = [Dated(href, title(row, fields), *date(row, fields)) for href, row, fields in rows]
    early = [d.date is not None and d.date > now for d in dated]
    links = [
        Link(d.href, d.text, None if ahead else d.date, None if ahead else d.precision)
        for d, ahead in zip(dated, early, strict=True)
    ]
    block = Block(where, DATA + where, False, tuple(links), 1.0)
    return Listing(block, None, None, None, False, judge(dated, now), ahead=sum(early))


def _without(url: str, verdict: PageVerdict, why: str) -> PageAnalysis:
    return PageAnalysis(url, "other", 0.0, verdict, why, None, ())


def _items(data: Any, paths: Paths, usual: str) -> tuple[str, list[Any] | None]:
    """The array of articles and the expression that leads to it; null: there is none."""
    if told := paths.items or usual:
        there = search(told, data)
        if there is None and _is_null(told, data):
            there = []  # what many an API says instead
        if isinstance(there, list) or paths.items:
            return told, there if isinstance(there, list) else None
    found = list(arrays(data, "", 0))
    for linked in (bool(paths.url), True):  # one whose objects name no URL, if there is no better
        likely = [(worth(rows, linked), where, rows) for where, rows in found]
        if best := max((x for x in likely if x[0] > 0), key=lambda x: x[0], default=None):
            return best[1], best[2]
    return "", None


def _is_null(expression: str, data: Any) -> bool:
    """Whether the object that should hold the array is there and says null."""
    above, _, name = expression.rpartition(".")
    holder = search(above or "@", data)
    return isinstance(holder, dict) and name.strip('"') in holder


def arrays(data: Any, where: str, depth: int) -> Iterator[tuple[str, list[Any]]]:
    """Every array of objects in the data, with the JMESPath expression that leads to it."""
    if depth > MAX_DEPTH:
        return
    if isinstance(data, list):
        if data and sum(isinstance(x, dict) for x in data) >= MOST * len(data):
            yield where or "@", data
        for i, x in enumerate(data[:5]):
            yield from arrays(x, f"{where}[{i}]", depth + 1)
    elif isinstance(data, dict):
        for key, value in list(data.items())[:100]:
            name = key if _PLAIN_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
            yield from arrays(value, f"{where}.{name}" if where else name, depth + 1)


def worth(rows: Sequence[Any], linked: bool = False) -> float:
    """How much an array looks like a list of articles: the length of its titles; 0 where it is none.
    `linked`: a user tells how its objects give URLs."""
    some = [flat(x) for x in rows[:SAMPLE]]
    title, link = best_key(some, title_worth), best_key(some, link_worth)
    if title is None or (link is None and not linked):
        return 0.0
    lengths = [len(clean(x.get(title))) for x in some]
    mean = sum(lengths) / len(lengths)
    return min(mean, 60.0) * len(rows) if mean >= LEAST_TITLE else 0.0
