"""Rows that a page carries as text for its script to show: put where a reader sees them, before the page is parsed.

Two ways are in wide use, both of the jPage plug-in that the sites of many Chinese authorities have: records in XML
(each row's HTML in a CDATA section), inside the page and as the answer to its script; and an array of strings of
HTML that a script hands to the plug-in. The way to further rows is what the XML names (`<nextgroup>`), else the
address and parameters of the plug-in's call, which answers GET as well as POST. An answer in JSON may hold HTML
too, as that to a "load more" button often does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape, unescape
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

LEAST = 3  # rows with links
MAX_STRINGS = 5_000  # of an array, or of an answer in JSON
MAX_DEPTH = 8  # of a string in JSON
Options = dict[str, str]

BAR_CLASS = "Baidu_paging_indicator"  # says that a link given here is a way on, which nobody needs to judge
MAX_CALL = 4_000  # bytes of the plug-in's options

_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?<(?!(?:html|rss|feed|rdf:rdf)\b)[a-z][\w:.-]*>", re.I
)
_SCRIPT = re.compile(rb"<script\b([^>]{0,300})>", re.I)
_SCRIPT_END = re.compile(rb"</script\s*>", re.I)
_NAME = re.compile(rb"<([\w:.-]{1,40})>\s{0,20}\Z")  # of the element that a section stands in
_OPEN, _CLOSE = b"<![CDATA[", b"]]>"
_TOTAL = re.compile(rb"<totalrecord>\s*(\d{1,9})\s*<", re.I)
_LINK = re.compile(r"<a\s[^>]{0,500}?href\s*=\s*[\"']?([^\"'\s>]+)", re.I)
_STARTS = (b"['<", b'["<')  # of an array of HTML
_ARRAY = re.compile(rb"\[(?=[\"']<)")
_STRING = re.compile(rb"""\s*(["'])((?:[^\\\n"']|\\.|(?!\1)["'])*)\1\s*(,?)""")
_ESCAPED = re.compile(rb"\\(.)")
_CALL = re.compile(rb"\.jpage\s*\(\s*\{", re.I)
_OPTION = re.compile(r"""(\w{1,40})\s*:\s*(?:'([^']*)'|"([^"]*)"|(\d{1,9})\b)""")
_PARAMS = re.compile(r"ajaxParam\s*:\s*\{([^{}]*)\}")


def unwrapped(data: bytes, url: str) -> bytes:
    """A page (UTF-8) with the rows that it carries in XML or in an array of HTML in their place, and after them a
    link to the next ones where it tells of any. `url`: its address, which may name the range of its rows."""
    if _OPEN in data:
        if _ROOT.match(data):
            return _records(data, url, {}) or data
        return _in_scripts(data, url)
    if any(start in data for start in _STARTS) and (call := _call(data)):
        return _arrays(data, call)
    return data


def html_of(data: Any) -> str:
    """The HTML that JSON holds in its strings, joined; empty where that has hardly a link."""
    pieces = [text for text in islice(_strings(data, MAX_DEPTH), MAX_STRINGS) if _LINK.search(text)]
    found = "\n".join(pieces)
    return found if len(_LINK.findall(found)) >= LEAST else ""


def _strings(data: Any, depth: int) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif depth and isinstance(data, (dict, list)):
        for value in data.values() if isinstance(data, dict) else data:
            yield from _strings(value, depth - 1)


def _in_scripts(data: bytes, url: str) -> bytes:
    """The page with the rows of XML in a script in the script's place."""
    tags = [tag for tag in _SCRIPT.finditer(data) if b"xml" in tag[1].lower()]
    call, out, done = _call(data) if tags else {}, [], 0
    for tag in tags:
        if tag.start() < done:
            continue
        close = _SCRIPT_END.search(data, tag.end())
        if close is None:
            break
        shown = _records(data[tag.end() : close.start()], url, call)
        out += [data[done : tag.start()], shown] if shown else [data[done : close.end()]]
        done = close.end()
    return b"".join([*out, data[done:]])


def _records(xml: bytes, url: str, call: Options) -> bytes | None:
    """The rows of some XML as HTML; null where its sections hold hardly a link."""
    sections = list(_sections(xml))
    rows = [text for name, text in sections if "next" not in name and _LINK.search(text)]
    counted = _TOTAL.search(xml)
    if len(rows) < (1 if counted else LEAST):
        return None
    told = [_LINK.search(text) for name, text in sections if "next" in name]
    onward = next((unescape(link[1]) for link in told if link), "")
    if not onward:
        total = int(counted[1]) if counted else None
        onward = _by_call(call, len(rows)) or _by_range(url, len(rows), total)
    return _shown(rows, onward)


def _sections(xml: bytes) -> Iterator[tuple[str, str]]:
    """Each CDATA section, with the name of the element that it stands in (empty: in none alone)."""
    at = xml.find(_OPEN)
    while at >= 0 and (end := xml.find(_CLOSE, at)) >= 0:
        name = _NAME.search(xml[max(0, at - 64) : at])
        text = xml[at + len(_OPEN) : end].decode("utf-8", "replace")
        yield name[1].decode().lower() if name else "", text
        at = xml.find(_OPEN, end)


def _arrays(data: bytes, call: Options) -> bytes:
    """The page with each array of HTML shown after the script that holds it."""
    out, done = [], 0
    for start in _ARRAY.finditer(data):
        if start.start() < done:
            continue
        rows = [text for text in _strings_at(data, start.end()) if _LINK.search(text)]
        if len(rows) < LEAST:
            continue
        close = _SCRIPT_END.search(data, start.end())
        if close is None:
            break  # nor is there one for the arrays after it
        out += [data[done : close.end()], _shown(rows, _by_call(call, len(rows)))]
        done = close.end()
    return b"".join([*out, data[done:]])


def _strings_at(data: bytes, at: int) -> Iterator[str]:
    """The strings of an array of a script, from behind its bracket."""
    for _ in range(MAX_STRINGS):
        found = _STRING.match(data, at)
        if found is None:
            return
        yield _ESCAPED.sub(rb"\1", found[2]).decode("utf-8", "replace")
        if not found[3]:
            return
        at = found.end()


def _call(page: bytes) -> Options:
    """What the plug-in is told where the page calls it; empty where it does not."""
    call = _CALL.search(page)
    text = page[call.end() : call.end() + MAX_CALL].decode("utf-8", "replace") if call else ""
    params = _PARAMS.search(text)
    asked = urlencode(_options(params[1])) if params else ""
    return {**_options(_PARAMS.sub("", text)), "ajaxParam": asked} if call else {}


def _options(text: str) -> Options:
    return {
        m[1]: next((value for value in m.groups()[1:] if value is not None), "")
        for m in _OPTION.finditer(text)
    }


def _by_call(call: Options, rows: int) -> str:
    """The address of the rows after the first ones, as the plug-in would ask for them; empty where there is none."""
    each, total, group = (_count(call.get(name, "")) for name in ("perPage", "totalRecord", "groupSize"))
    if not call.get("proxyUrl") or not call["ajaxParam"] or not each or rows >= total:
        return ""
    span = {"startrecord": rows + 1, "endrecord": rows + each * max(1, group), "perpage": each}
    return f"{call['proxyUrl']}?{urlencode(span)}&{call['ajaxParam']}"


def _count(told: str) -> int:
    return int(told) if told.isdecimal() and told.isascii() and len(told) < 10 else 0


def _by_range(url: str, rows: int, total: int | None) -> str:
    """The address of the next rows of an answer whose own names the range of its rows and that has all of them."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    start, end = (query.get(name, "") for name in ("startrecord", "endrecord"))
    if not (start.isdecimal() and end.isdecimal()) or len(start + end) > 16:
        return ""
    width = int(end) - int(start) + 1
    if rows < width or (total is not None and int(end) >= total):
        return ""
    query |= {"startrecord": str(int(end) + 1), "endrecord": str(int(end) + width)}
    return urlunsplit(parts._replace(query=urlencode(query)))


def _shown(rows: Sequence[str], onward: str) -> bytes:
    bar = f'<p class="{BAR_CLASS}"><a rel="next" href="{escape(onward)}">next</a></p>' if onward else ""
    return ("<div>" + "\n".join(rows) + f"</div>{bar}").encode()
