"""What a page holds beside its visible lists: feeds that it names, where it sends browsers on to, and lists of
articles in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from recrawler.page.document import Document, href_url

MAX_JSON = 2_000_000  # characters of embedded JSON that are read

_FEED_TYPE = re.compile(r"application/(?:rss|atom|feed)\+(?:xml|json)|application/json\+?feed|text/xml", re.I)


def feeds_of(doc: Document) -> tuple[str, ...]:
    """The feeds that the page's <link rel=alternate> elements name, absolute, each once."""
    found: dict[str, None] = {}
    for node in doc.all("link"):
        if "alternate" not in (node.get("rel") or "").lower().split():
            continue
        if _FEED_TYPE.match((node.get("type") or "").strip()):
            url = href_url(node.get("href") or "", doc.base_url, doc.encoding)
            if url:
                found[url] = None
    return tuple(found)


_REFRESH = re.compile(r"\s*(\d{1,4})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.I)
SOON = 10  # seconds; a page that is sent away later is meant to be read


def refresh_of(doc: Document) -> str | None:
    """Where `<meta http-equiv=refresh>` sends a browser on to soon, absolute; null: nowhere."""
    for node in doc.all("meta"):
        if (node.get("http-equiv") or "").strip().lower() == "refresh":
            told = _REFRESH.match(node.get("content") or "")
            if told is not None and int(told[1]) <= SOON:
                return href_url(told[2].strip(), doc.base_url, doc.encoding)
    return None


def embedded_lists(doc: Document) -> list[str]:
    """Lists of articles in JSON inside the page: one line each, with the place and the number of items."""
    out: list[str] = []
    budget = MAX_JSON
    for node in doc.all("script"):
        if not node.text or len(out) >= 3:
            continue
        kind = (node.get("type") or "").lower()
        if "json" in kind:
            text = node.text
        elif assigned := _ASSIGNED.search(node.text[:500]):
            text = node.text[assigned.end() :].strip().rstrip(";")
        else:
            continue
        budget -= len(text)
        if budget < 0:
            break
        try:
            data, _ = json.JSONDecoder().raw_decode(text.strip())
        except (ValueError, RecursionError):
            continue
        where = node.get("id") or kind or "script"
        out += [f"{where}: {path} holds {n} items" for path, n in _item_lists(data, "$", 0)]
    return out[:3]


_ASSIGNED = re.compile(r"^\s*(?:var\s+|let\s+|const\s+)?(?:window\.)?[\w$.]{2,60}\s*=\s*(?=[{\[])")
_TITLE_KEYS = frozenset(("title", "headline", "name", "subject", "doctitle"))
_URL_KEYS = frozenset(("url", "link", "href", "slug", "path", "permalink", "docpuburl", "id", "item"))


def _item_lists(data: Any, path: str, depth: int) -> Iterator[tuple[str, int]]:
    if depth > 8:
        return
    if isinstance(data, list):
        items = [x for x in data[:50] if isinstance(x, dict)]
        keys = [{k.lower() for k in x} for x in items]
        if len(items) >= 3 and sum(bool(k & _TITLE_KEYS and k & _URL_KEYS) for k in keys) >= 0.8 * len(items):
            yield path, len(data)
            return
        for i, x in enumerate(data[:5]):
            yield from _item_lists(x, f"{path}[{i}]", depth + 1)
    elif isinstance(data, dict):
        for key, value in list(data.items())[:60]:
            yield from _item_lists(value, f"{path}.{key}", depth + 1)
