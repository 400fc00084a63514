"""When an article says that it was published: from its metadata, else from its head."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo

from recrawler.page.dates import Found, find_date, parse_time_attr
from recrawler.page.document import Document, parse

# Names of metadata that hold a publish time: Open Graph, Dublin Core, schema.org and their kin.
_META = re.compile(
    r"(?:article:|og:)?(?:published?_?(?:time|date|at)|release_date|pub_?date)|datepublished"
    r"|(?:dc|dcterms)\.(?:date|created|issued|date\.issued)|date",
    re.IGNORECASE,
)
_LD = re.compile(r'"datePublished"\s*:\s*("(?:[^"\\]|\\.)*")')
NEAR = 60  # elements after the heading that may hold the date line


def published(
    body: bytes | str, url: str, *, now: datetime, timezone: tzinfo | None = None, encoding: str | None = None
) -> Found | None:
    """The publish time that an article's page gives, or null; future ones are none."""
    doc = parse(body, url, encoding)
    tz = timezone or UTC
    for value in _values(doc):
        found = parse_time_attr(value, now=now, tz=tz)
        if found is not None and found.date <= now:
            return found
    return _beside_heading(doc, now, tz)


def _values(doc: Document) -> Iterator[str]:
    """Texts of metadata and <time> that may be a publish time, the most telling first."""
    times = []
    for node in doc.elements:
        name = node.get("property") or node.get("name") or node.get("itemprop") or ""
        if node.tag == "meta" and _META.fullmatch(name.strip()):
            yield node.get("content") or ""
        elif node.tag == "script" and node.get("type") == "application/ld+json":
            yield from (json.loads(m) for m in _LD.findall(node.text or ""))
        elif node.tag == "time" and node.get("datetime"):
            times.append(node.get("datetime") or "")
    yield from times


def _beside_heading(doc: Document, now: datetime, tz: tzinfo) -> Found | None:
    """The first date in the elements that follow the main heading."""
    at = next((i for i, n in enumerate(doc.elements) if n.tag == "h1"), None)
    if at is None:
        return None
    for node in doc.elements[at + 1 : at + NEAR]:
        for text in (node.text, node.tail):
            found = find_date(text, now=now, tz=tz, lang=doc.lang) if text and len(text) < 120 else None
            if found is not None and found.date <= now:
                return found
    return None
