"""Which field of a list's objects is the link, which the title, which the date: told by names and values."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from typing import Any, TypeVar

from recrawler.page.dates import parse_time_attr
from recrawler.page.document import href_url
from recrawler.page.jsonlist.paths import Paths, filled, is_template, search
from recrawler.page.types import Precision

Fields = dict[str, Any]  # the plain fields of an object by name
T = TypeVar("T")
Getter = Callable[[Any, Fields], T]  # what it gives of an object and its fields
When = tuple[datetime | None, Precision | None]

SAMPLE = 30  # objects that tell which field is what
MOST = 0.8  # of the items have the fields that make them articles
LEAST_TITLE = 4.0  # characters, on the mean
_TAGS = re.compile(r"<[^<>]{1,200}>")
_TITLE = re.compile(r"title|headline|subject|biaoti|(?:^|\.)(?:name|topic|tit|bt)$", re.I)
_NO_TITLE = re.compile(
    r"sub_?title|short|summar|desc|abstract|intro|digest|content|body|author|source|keyword|site|user|channel|"
    r"categ|column|tag|img|image|pic|seo",
    re.I,
)
_LINK = re.compile(r"url|link|href|path", re.I)
_NO_LINK = re.compile(
    r"img|image|pic|thumb|cover|avatar|logo|icon|video|media|api|author|user|source|channel", re.I
)
_PAGE = re.compile(r"^\S+\.s?html?(?:[?#]|$)", re.I)
_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|mp4|mp3|m3u8|css|js)(?:[?#]|$)", re.I)
_DATE = re.compile(r"pub|release|issue|post|date|time|creat|input|add|show", re.I)
_NO_DATE = re.compile(
    r"updat|modif|edit|expir|end|start|dead|delet|reply|comment|len|dura|zone|stamp_?id", re.I
)


def flat(row: Any, prefix: str = "") -> Fields:
    """The plain fields of an object, those of objects in it too, two levels deep: `link.href`."""
    out: Fields = {}
    for key, value in list(row.items())[:100] if isinstance(row, dict) else ():
        if isinstance(value, dict) and prefix.count(".") < 2:
            out.update(flat(value, f"{prefix}{key}."))
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            out[prefix + key] = value
    return out


def best_key(rows: Sequence[Fields], worth: Callable[[str, list[Any]], float]) -> str | None:
    """The key that most of the first rows have and whose values are worth most; null: none is worth anything."""
    rows, scored = rows[:SAMPLE], []
    for key in dict.fromkeys(k for row in rows for k in row):
        values = [row[key] for row in rows if row.get(key) not in (None, "")]
        if len(values) >= MOST * len(rows):
            scored.append((worth(key, values) - 0.2 * key.count("."), key))
    best = max(scored, key=lambda pair: pair[0], default=(0.0, ""))
    return best[1] if best[0] > 0 else None


def title_worth(key: str, values: list[Any]) -> float:
    texts = [clean(v) for v in values if isinstance(v, str)]
    if len(texts) < MOST * len(values) or sum("://" in t or _is_date(t) for t in texts) > len(texts) / 2:
        return 0.0
    length = sum(map(len, texts)) / len(texts)
    named = 2.0 * (_TITLE.search(key) is not None) - 1.5 * (_NO_TITLE.search(key) is not None)
    distinct = len(set(texts)) / len(texts)
    return named + distinct + min(length, 40.0) / 40 - 1.5 if length >= LEAST_TITLE else 0.0


def link_worth(key: str, values: list[Any]) -> float:
    texts = [v for v in values if isinstance(v, str) and is_link(v)]
    if len(texts) < MOST * len(values) or len(set(texts)) < MOST * len(texts):
        return 0.0
    return 1.0 + (_LINK.search(key) is not None) - 1.5 * (_NO_LINK.search(key) is not None)


def is_link(text: str) -> bool:
    """Whether a text is an address of a page, as far as it can be told from the text."""
    text = text.strip()
    begins = text.startswith(("http://", "https://", "/", "./"))
    return (begins or _PAGE.search(text) is not None) and _FILE.search(text) is None


def _is_date(text: str) -> bool:
    digits = sum(c.isdigit() for c in text)
    return digits >= 4 and 2 * digits >= len(text)


def clean(value: Any) -> str:
    """A field as a reader sees it: without markup and entities."""
    return " ".join(html.unescape(_TAGS.sub("", value)).split()) if isinstance(value, str) else ""


def joined(value: Any, url: str) -> str | None:
    """The URL that a field holds, absolute."""
    return href_url(html.unescape(value), url) if isinstance(value, str) and value.strip() else None


def link_of(rows: Sequence[Fields], paths: Paths, url: str) -> Getter[str | None] | None:
    """What gives the URL of an object; null where nothing does."""
    if is_template(paths.url):
        return lambda row, _: href_url(filled(paths.url, row), url)
    if paths.url:
        return lambda row, _: joined(search(paths.url, row), url)
    key = best_key(rows, link_worth)
    return None if key is None else lambda _, fields: joined(fields.get(key), url)


def title_of(rows: Sequence[Fields], paths: Paths) -> Getter[str]:
    """What gives the title of an object."""
    if paths.title:
        return lambda row, _: clean(search(paths.title, row))
    key = best_key(rows, title_worth) or ""
    return lambda _, fields: clean(fields.get(key))


def date_of(rows: Sequence[Fields], paths: Paths, now: datetime, zone: tzinfo) -> Getter[When]:
    """What gives the date of an object and its precision, null where it has none."""

    def read(value: Any) -> When:
        found = parse_time_attr(str(value), now=now, tz=zone) if isinstance(value, str | int) else None
        return (found.date, found.precision) if found else (None, None)

    def worth(key: str, values: list[Any]) -> float:
        dated = sum(read(value)[0] is not None for value in values) >= MOST * len(values)
        return dated * (0.1 + (_DATE.search(key) is not None) - 0.8 * (_NO_DATE.search(key) is not None))

    if paths.date:
        return lambda row, _: read(search(paths.date, row))
    key = best_key(rows, worth) or ""
    return lambda _, fields: read(fields.get(key))
