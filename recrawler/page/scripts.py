"""Pagers written in script, read without running any.

What is read: URLs that a handler goes to (`location.href='index_2.html'`), functions that make one from a
page number (`function go(n){location='list_'+n+'.html'}`), functions that submit a form with a page number in
a field, ASP.NET's `__doPostBack`, and inline calls and loops that write a bar
(`createPageHTML(9, 0, "index", "shtml")`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

from recrawler.page.document import Document, Element, href_url

MAX_SCRIPT = 60_000  # characters of all inline scripts that are read
MAX_URL = 500

_QUOTED = r"""(?:"((?:[^"\\\n]|\\.){0,300})"|'((?:[^'\\\n]|\\.){0,300})')"""
_GOES = (
    r"(?:(?:window|document|self|top|parent|this)\.){0,4}location(?:\.href)?"
    r"\s*(?:=|\.(?:replace|assign)\s*\()\s*(?:encodeURI(?:Component)?\s*\(\s*)?"
)
_GOES_TO = re.compile(_GOES + _QUOTED + r"\s*[);,}]?")
_FUNCTION = re.compile(r"function\s+(\w{1,40})\s*\(\s*(\w{1,40})?[^)]{0,200}\)\s*\{")
_CALL = re.compile(r"(\w{1,40})\s*\(([^()]{0,300})\)")
_ARGUMENT = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|(-?\d{1,9})|[^,]*)\s*(?:,|$)""")
_FIELD = re.compile(
    r"""(?:\.(\w{1,40})\.value|getElementById\(\s*["']([\w$-]{1,60})["']\s*\)\.value|\$\(\s*["'][#\[]?(?:name=)?["']?([\w$-]{1,60})["']?\]?["']\s*\)\.val\s*\()\s*=?\s*(\w{1,40})"""
)
_POSTBACK = re.compile(r"""__doPostBack\(\s*['"]([^'"]{0,200})['"]\s*,\s*['"]([^'"]{0,100})['"]""")
_WRITTEN = re.compile(
    r"""(?<!\w)(\w{0,40}page\w{0,40})\s*\(\s*(["'][\w#-]{1,60}["']\s*,\s*)?(\d{1,6})\s*,\s*(\d{1,6})\s*,\s*["']([\w./%-]{1,120})["']\s*,\s*["'](\w{2,6})["']""",
    re.I,
)
_GOES_WITH_NUMBER = re.compile(
    _GOES + _QUOTED + r"\s*\+\s*[\w\s().+-]{1,60}?\s*(?:\+\s*" + _QUOTED + r"|(?=[;}\n]))"
)
_PLUGIN = re.compile(
    r"(?:\.(?:pagination|paging|pager|page|laypage|jqPaginator|createPage)|\blaypage(?:\.render)?)"
    r"\s*\(\s*(\d{1,6}(?=\s*[,)]))?",
    re.I,
)
_LOOP = re.compile(
    r"""href\s*=\s*\\?["']?(?P<pre>[\w./?=&%:-]{0,200})["']\s*\+\s*(?P<expr>[\w\s()+-]{1,60}?)\s*\+\s*\\?["'](?P<post>[\w./?=&%-]{0,40})""",
)
_COUNT = re.compile(r"\b(\w{0,40}(?:count|total|pages|pagenum|sum)\w{0,40})\s*[=:]\s*[\"']?(\d{1,6})\b", re.I)
_CURRENT = re.compile(
    r"\b(\w{0,40}(?:curr|cur_?page|now|pageindex|thispage|nowpage)\w{0,40})\s*[=:]\s*[\"']?(\d{1,6})\b", re.I
)
# Something of `_WRITTEN`: a look for it costs a tenth of the pattern's, which may begin anywhere before "page".
_WRITTEN_HINT = re.compile(r"page\w{0,40}\s*\(\s*[\d\"']")  # of a text in lower case
_SIZE = re.compile(r"(?:page_?size|per_?page|limit)\s*[=:]\s*[\"']?(\d{1,4})\b", re.I)


@dataclass(frozen=True, slots=True)
class Template:
    """How a function turns its first argument into a URL."""

    before: str
    after: str

    def fill(self, value: str) -> str:
        return f"{self.before}{value}{self.after}"


@dataclass(frozen=True, slots=True)
class Written:
    """A bar that script writes: `count` pages, on `current`, both by the script's own counting from `base`.

    The URL of page n is before + n + after; that of the first page has no number where `first` is given.
    """

    node: Element
    count: int | None
    current: int
    base: int
    before: str
    after: str
    first: str | None

    def url_text(self, n: int) -> str:
        """The href of the page that the script calls `n`."""
        if n == self.base and self.first is not None:
            return self.first
        return f"{self.before}{n}{self.after}"


class Scripts:
    """The inline scripts of one page, read when first asked."""

    def __init__(self, doc: Document) -> None:
        self.doc = doc

    @cached_property
    def sources(self) -> list[tuple[Element, str]]:
        """Inline scripts with something of paging in them."""
        out, left = [], MAX_SCRIPT
        for node in self.doc.all("script"):
            if node.get("src"):
                continue
            text = (node.text or "")[:left]
            left -= len(text)
            if "location" in text or "submit" in text or _names_pager(text.lower()):
                out.append((node, text))
            if left <= 0:
                break
        return out

    @cached_property
    def _functions(self) -> dict[str, tuple[str, str]]:
        """Each function's first parameter and the beginning of its body."""
        found: dict[str, tuple[str, str]] = {}
        for _, text in self.sources:
            for match in _FUNCTION.finditer(text):
                found.setdefault(match[1], (match[2] or "", text[match.end() : match.end() + 800]))
        return found

    def template(self, name: str) -> Template | None:
        """The URL that a function goes to, as a template of its first argument."""
        if name not in self._functions:
            return None
        parameter, body = self._functions[name]
        if not parameter:
            return None
        joined = re.search(
            _GOES
            + _QUOTED
            + r"\s*\+\s*\(?\s*"
            + re.escape(parameter)
            + r"\s*\)?\s*(?:\+\s*"
            + _QUOTED
            + ")?",
            body,
        )
        if joined is None:
            return None
        return Template(joined[1] or joined[2] or "", joined[3] or joined[4] or "")

    def field(self, name: str) -> str | None:
        """The form field that a function puts its first argument into before it submits."""
        if name not in self._functions:
            return None
        parameter, body = self._functions[name]
        if "submit" not in body:
            return None
        for match in _FIELD.finditer(body):
            if match[4] == parameter:
                return match[1] or match[2] or match[3]
        return None

    def target(self, code: str) -> str | None:
        """The absolute URL that an onclick or `javascript:` code goes to, or null."""
        literal = _GOES_TO.search(code)
        text = None
        if literal is not None and not code[literal.end() - 1 :].lstrip().startswith("+"):
            text = literal[1] or literal[2]
        elif (call := calls(code)) is not None and call[1]:
            template = self.template(call[0])
            text = template.fill(call[1][0]) if template is not None and call[1][0] else None
        return href_url(text, self.doc.base_url, self.doc.encoding) if text and len(text) < MAX_URL else None

    def written(self) -> list[Written]:
        """Bars that inline scripts write."""
        out = []
        for node, text in self.sources:
            found = _written_by_call(node, text) or _written_by_loop(node, text) or _by_plugin(node, text)
            if found is not None:
                out.append(_placed(found, self.doc.url))
        return out


def calls(code: str) -> tuple[str, list[str]] | None:
    """The first call in a handler with its literal arguments (text of strings and integers, else empty)."""
    for match in _CALL.finditer(code):
        if match[1] in ("return", "if", "void", "encodeURI", "function"):
            continue
        found = []
        for arg in _ARGUMENT.finditer(match[2]):
            found.append(next((g for g in arg.groups() if g is not None), ""))
            if arg.end() >= len(match[2]) or len(found) > 8:
                break
        return match[1], found
    return None


def postback(code: str) -> tuple[str, str] | None:
    """Target and argument of ASP.NET's `__doPostBack`."""
    match = _POSTBACK.search(code)
    return (match[1], match[2]) if match else None


def integer(code: str) -> int | None:
    """The page number among the arguments of a call: its first integer."""
    call = calls(code)
    for arg in call[1] if call else ():
        if arg.isdecimal() and len(arg) < 8:
            return int(arg)
    return None


def _names_pager(lowered: str) -> bool:
    return "page" in lowered or "paging" in lowered or "pagination" in lowered


def _placed(found: Written, url: str) -> Written:
    """Settle what the script counts from: on a page whose URL has no number it stands on its first page."""
    name = url.split("#")[0]
    pattern = re.escape(found.before.lstrip("./")) + r"(\d{1,6})" + re.escape(found.after) + "$"
    number = re.search(pattern, name)
    if number is not None:
        return replace(found, current=int(number[1]))
    return replace(found, base=found.current) if found.first is not None and found.current <= 1 else found


def _written_by_call(node: Element, text: str) -> Written | None:
    """`createPageHTML(count, current, "index", "shtml")`: counted from 0, so that page 2 is index_1.shtml.

    With an element's name as first argument the kin count from 1, and page 2 is index_2.shtml.
    """
    if not _WRITTEN_HINT.search(text.lower()):
        return None
    for match in _WRITTEN.finditer(text):
        before = text[: match.start()].rstrip()
        count, current = int(match[3]), int(match[4])
        if before.endswith("function") or current > count:
            continue
        stem, ext = match[5], match[6].lstrip(".")
        return Written(node, count, current, int(bool(match[2])), f"{stem}_", f".{ext}", f"{stem}.{ext}")
    return None


def _written_by_loop(node: Element, text: str) -> Written | None:
    """`document.write('<a href="index_' + nextPage + '.html">')` with the page count and the current page."""
    if not re.search(r"document\.write|innerHTML|\.(?:append|html)\(", text):
        return None
    link = _LOOP.search(text)
    if link is None or not (link["pre"] or link["post"]) or (current := _CURRENT.search(text)) is None:
        return None
    count = _COUNT.search(text)
    before, after = link["pre"], link["post"]
    stem = before.rstrip("_-")
    first = f"{stem}{after}" if stem != before and after.startswith(".") else None
    return Written(node, int(count[2]) if count else None, int(current[2]), 0, before, after, first)


def _by_plugin(node: Element, text: str) -> Written | None:
    """A pagination plugin's callback that goes to a URL with the page number (counted from 1) in it."""
    goes = _GOES_WITH_NUMBER.search(text) if "location" in text else None
    plugin = _PLUGIN.search(text) if goes is not None else None
    if plugin is None or goes is None:
        return None
    count, size = _COUNT.search(text), _SIZE.search(text)
    told = plugin[1] or (count[2] if count else None)
    total = int(told) if told else None
    pages = -(-total // max(1, int(size[1]))) if total is not None and size else None
    before, after = goes[1] or goes[2] or "", goes[3] or goes[4] or ""
    return Written(node, pages, 1, 1, before, after, None) if before else None


__all__ = ["Scripts", "Template", "Written", "calls", "integer", "postback"]
