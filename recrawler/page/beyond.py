"""What a page holds beside its visible lists: feeds that it names, where it sends browsers on to, frames, and
lists of articles in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from recrawler.page.document import Document, href_url
from recrawler.page.jsonlist import arrays, worth

MAX_JSON = 2_000_000  # characters of embedded JSON that are read
LEAST_ITEMS = 3  # of a list in a script

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
    """Where `<meta http-equiv=refresh>`, or a script that does nothing else, sends a browser on to soon, absolute;
    null: nowhere."""
    for node in doc.all("meta"):
        named = (node.get("http-equiv") or "").strip().lower() == "refresh"
        if named and (told := refresh_target(node.get("content") or "")):
            return href_url(told, doc.base_url, doc.encoding)
    scripts = [text for node in doc.all("script") if (text := (node.text or "").strip())]
    sent = _SENDS_ON.fullmatch(scripts[0]) if len(scripts) == 1 and len(doc.anchors) <= FEW else None
    return href_url(sent[1], doc.base_url, doc.encoding) if sent else None


def refresh_target(content: str) -> str | None:
    """The URL, as it is written, of `0; url=/list/`; null where there is none, or it is meant to be read first."""
    told = _REFRESH.match(content)
    return told[2].strip() if told is not None and int(told[1]) <= SOON else None


FEW = 3  # links of a page that is there only to send on
_SENDS_ON = re.compile(
    r"(?:<!--|//.*\n)?\s*(?:(?:window|document|self|top|parent)\.)*location(?:\.href)?"
    r"(?:\s*=\s*|\.(?:replace|assign)\(\s*)[\"']([^\"'\s]{1,500})[\"']\s*\)?\s*;?\s*(?://)?(?:-->)?"
)


def frames_of(doc: Document) -> list[str]:
    """The pages in the frames that a reader can see, absolute: where a page holds no list, one of them may."""
    out: dict[str, None] = {}
    for node in (*doc.all("frame"), *doc.all("iframe")):
        small = any((node.get(side) or "").strip() in ("0", "1") for side in ("width", "height"))
        hidden = small or "display:none" in (node.get("style") or "").replace(" ", "")
        url = href_url(node.get("src") or "", doc.base_url, doc.encoding)
        if url and not hidden:
            out[url] = None
    return list(out)[:3]


def embedded_lists(doc: Document) -> list[str]:
    """Lists of articles in JSON inside the page: one line each, with the place and the number of items."""
    out: list[str] = []
    for name, data in _script_data(doc):
        found = [
            (worth(rows, linked=True), path, len(rows))
            for path, rows in arrays(data, "", 0)
            if len(rows) >= LEAST_ITEMS
        ]
        likely = sorted((x for x in found if x[0] > 0), reverse=True)
        out += [f"{name}: {path} holds {n} items" for _, path, n in likely[:1]]
    return out[:3]


def data_of(doc: Document, name: str) -> Any:
    """The data of the script element with this id, or of the variable that a script sets; null: there is none."""
    return next((data for at, data in _script_data(doc) if at == name), None)


def _script_data(doc: Document) -> Iterator[tuple[str, Any]]:
    """The JSON in script elements with its name: the element's id, the variable that it is assigned to, or its
    type."""
    budget = MAX_JSON
    for node in doc.all("script"):
        text = node.text or ""
        kind = (node.get("type") or "").lower()
        assigned = None if "json" in kind else _ASSIGNED.match(text[:500])
        if not text or not ("json" in kind or assigned):
            continue
        budget -= len(text)
        if budget < 0:
            return
        try:
            data, _ = json.JSONDecoder().raw_decode(text[assigned.end() if assigned else 0 :].lstrip())
        except (ValueError, RecursionError):
            continue
        yield node.get("id") or (assigned[1] if assigned else kind), data


_ASSIGNED = re.compile(r"\s*(?:var\s+|let\s+|const\s+)?((?:window\.)?[\w$.]{2,60})\s*=\s*(?=[{\[])")
