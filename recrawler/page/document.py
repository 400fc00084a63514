"""A page as a tree: decoded, parsed and capped once; elements and links in document order.

Everything below works on one `Document`. Its elements are held in a tuple, so that lxml's proxies keep
their identity and may be keys of dicts. Comments and processing instructions are left out of the tree.
The index of an `Anchor` is its place among `//a[@href]`, as in the corpus format; rows that the page carries
in a script (`carried`) count too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice

from lxml import etree
from w3lib.encoding import html_body_declared_encoding, resolve_encoding

from recrawler.legacy import is_charset
from recrawler.page.carried import unwrapped
from recrawler.page.tree import tree_of
from recrawler.urls import join

MAX_BYTES = 16_000_000
MAX_NODES = 100_000  # the largest of 190 real pages has 10,000
MAX_TAGS = (
    500_000  # start and end tags that are parsed: the tree of a page full of tags takes 20 times its bytes
)
MAX_ANCHORS = 20_000
MAX_DEPTH = 200  # ancestors that paths and contexts look at
MAX_URL = 8_000  # longer hrefs are no links
MAX_TEXT = 1_000  # characters kept of one link's text

Element = etree._Element

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_BLOCKY = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "figcaption",
        "figure",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "section",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_SILENT = frozenset(("script", "style", "noscript", "template"))
_APART = _BLOCKY | _SILENT
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_KEPT = re.compile(r"[A-Za-z0-9_!$&()*+,;=:@~?/.-]+")  # what the URL standard does not escape
_CONTROLS = bytes((*range(9), 11, *range(14, 32), 127))
_CONTROL_REF = re.compile(
    rb"&#(?:0*(?:[1-8]|11|1[4-9]|2\d|3[01]|127)(?!\d)|[xX]0*(?:[1-8bBeEfF]|1[\da-fA-F]|7[fF])(?![\da-fA-F]));?"
)
_MARKS = (b"aidu_paging", b"AIDU_PAGING", b"rderby_posttime")
_CLASS_OK = re.compile(r"[^\W\d_][\w-]*$")


@dataclass(slots=True, eq=False)  # not frozen: there are hundreds a page, and frozen ones cost twice the time
class Anchor:
    """One `<a href>`. `url` is absolute (WHATWG-serialised, fragment kept), null where `raw` is script, mail,
    a bare fragment or no URL. `text` is the visible text, else the images' alt, else aria-label or title."""

    index: int
    node: Element
    raw: str
    url: str | None
    text: str


@dataclass(frozen=True)
class Document:
    """A parsed page. `elements` are in document order; `encoding` is the one the text was decoded with."""

    root: Element
    url: str
    base_url: str
    lang: str | None
    title: str
    encoding: str
    elements: tuple[Element, ...] = field(repr=False)
    tags: tuple[str, ...] = field(repr=False)  # of each element
    position: dict[Element, int] = field(repr=False)  # each element's place in document order
    places: dict[str, list[int]] = field(repr=False)  # of the elements of each tag, in document order
    anchors: tuple[Anchor, ...] = field(repr=False)
    truncated: bool
    marked: bool = False  # whether a class of Baidu's paging protocol may stand somewhere

    def all(self, *tags: str) -> list[Element]:
        """The elements of some tags, in document order."""
        places = [self.places.get(tag, ()) for tag in tags]
        return [self.elements[i] for i in (places[0] if len(tags) == 1 else sorted(chain(*places)))]

    @cached_property
    def anchor_of(self) -> dict[Element, Anchor]:
        """The anchor of each `<a href>` element."""
        return {a.node: a for a in self.anchors}

    @cached_property
    def end(self) -> list[int]:
        """For each element by position, the position after its last descendant ([i, end) is its subtree)."""
        ends = [0] * len(self.elements)
        stack: list[tuple[int, Element | None]] = []
        for i, node in enumerate(self.elements):
            parent = node.getparent()
            while stack and stack[-1][1] is not parent:
                ends[stack.pop()[0]] = i
            stack.append((i, node))
        for i, _ in stack:
            ends[i] = len(self.elements)
        return ends


def parse(body: bytes | str, url: str, encoding: str | None = None) -> Document:
    """The tree of a page, whatever its bytes are: never raises.

    `encoding` is the charset that the fetch decided on; without one: BOM, strict UTF-8, the <meta>, then
    UTF-8 with replacement. What exceeds `MAX_BYTES`, `MAX_NODES` or `MAX_ANCHORS` is cut off (`truncated`).
    """
    data, used = _decode(body, encoding)
    data = _without_controls(data)
    kept = _thinned(data)
    shown = unwrapped(kept, url)
    return _document(
        tree_of(shown),
        url,
        used,
        cut=len(body) > MAX_BYTES or len(kept) < len(data),
        marked=any(mark in shown for mark in _MARKS),
    )


def remade(doc: Document) -> Document:
    """The document of a tree that was changed."""
    return _document(doc.root, doc.url, doc.encoding, cut=doc.truncated, marked=doc.marked)


def _document(root: Element, url: str, encoding: str, *, cut: bool, marked: bool) -> Document:
    elements = tuple(islice(root.iter(etree.Element), MAX_NODES))
    tags = tuple([node.tag for node in elements])
    places = _places(tags)
    base_url = _base([elements[i] for i in places.get("base", ())], url, encoding)
    anchors, more = _anchors([elements[i] for i in places.get("a", ())], base_url, encoding)
    return Document(
        root=root,
        url=url,
        base_url=base_url,
        lang=_lang(root),
        title=text_of(elements[places["title"][0]]) if "title" in places else "",
        encoding=encoding,
        elements=elements,
        tags=tags,
        position=dict(zip(elements, range(len(elements)), strict=True)),
        places=places,
        anchors=anchors,
        truncated=cut or more or len(elements) >= MAX_NODES,
        marked=marked,
    )


def text_of(node: Element, limit: int = MAX_TEXT) -> str:
    """Visible text below an element, whitespace-normalised; block-level borders count as a space."""
    if not len(node):
        return " ".join((node.text or "")[: 4 * limit].split())[:limit]
    if len(node) == 1 and not len(node[0]) and node[0].tag not in _APART:  # the usual shape, made fast
        child = node[0]
        plain = (node.text or "") + (child.text or "") + (child.tail or "")
        return " ".join(plain[: 4 * limit].split())[:limit]
    parts: list[str] = []
    size = 0
    silent = 0
    for event, part in etree.iterwalk(node, events=("start", "end")):
        if event == "start":
            silent += part.tag in _SILENT
            piece = part.text
        else:
            silent -= part.tag in _SILENT
            piece = part.tail if part is not node else None
        if part.tag in _BLOCKY and part is not node:
            parts.append(" ")
        if piece and not silent:
            parts.append(piece)
            size += len(piece)
            if size > 4 * limit:
                break
    return " ".join("".join(parts).split())[:limit]


def label_of(node: Element) -> str:
    """What a reader sees of a link: its text, else the alt of its images, else aria-label or title."""
    text = text_of(node)
    if text:
        return text
    alts = [img.get("alt") or img.get("title") or "" for img in node.iter("img")] if len(node) else []
    for other in (" ".join(alts), node.get("aria-label") or "", node.get("title") or ""):
        text = " ".join(other.split())[:MAX_TEXT]
        if text:
            return text
    return ""


def is_only(node: Element) -> bool:
    """Whether an element is its parent's only one; `len(parent)` would count all of thousands."""
    return node.getprevious() is None and node.getnext() is None


def xpath(node: Element) -> str:
    """The XPath with positions that leads to an element of this page."""
    return str(node.getroottree().getpath(node))


def path(node: Element) -> str:
    """Tags and stable classes from the body down: the same on every page of a series.

    Classes with digits or underscores (ids of posts, hashes of builds) are left out, and so are positions.
    """
    steps: list[str] = []
    here: Element | None = node
    while here is not None and len(steps) < MAX_DEPTH:
        if here.tag in ("html", "body"):
            break
        steps.append(".".join([str(here.tag), *stable_classes(here)]))
        here = here.getparent()
    return "/".join(reversed(steps))


def stable_classes(node: Element) -> list[str]:
    """Class tokens that look like names, sorted, at most three."""
    return sorted({c for c in (node.get("class") or "").split() if _CLASS_OK.match(c) and not _odd(c)})[:3]


def _odd(token: str) -> bool:
    return any(c.isdigit() for c in token)


def href_url(raw: str, base_url: str, encoding: str = "utf-8") -> str | None:
    """The URL that a plain client can fetch for an href; null for script, mail, bare fragments and such."""
    stripped = raw.strip()
    if stripped.startswith("#") or len(stripped) > MAX_URL:
        return None
    scheme = _SCHEME.match(stripped)
    if scheme and scheme[0].lower() not in ("http:", "https:"):
        return None
    return join(base_url, stripped, encoding)


def _decode(body: bytes | str, encoding: str | None) -> tuple[bytes, str]:
    """The text as UTF-8, and the encoding that it was read with."""
    if isinstance(body, str):
        return body[:MAX_BYTES].encode("utf-8", "replace"), encoding or "utf-8"
    body = body[:MAX_BYTES]
    used = _charset(encoding)
    for bom, name in _BOMS:
        if body.startswith(bom):
            body, used = body[len(bom) :], name
            break
    if used in (None, "utf-8"):
        try:
            body.decode("utf-8")
            return body, "utf-8"  # most pages: nothing to convert
        except UnicodeDecodeError:
            used = used or _charset(html_body_declared_encoding(body)) or "utf-8"
    return body.decode(used, "replace").encode("utf-8", "replace"), used


def _charset(name: str | None) -> str | None:
    """Python's name of an encoding that pages can be in; null for any other that Python knows (base64, idna)."""
    known = resolve_encoding(name) if name else None
    return known if known and is_charset(known) else None


def _without_controls(data: bytes) -> bytes:
    """Without control characters, in whatever way they are written: titles end up on terminals."""
    data = data.translate(None, _CONTROLS)
    return _CONTROL_REF.sub(b"", data) if b"&#" in data else data


def _thinned(data: bytes) -> bytes:
    """As much of the page as holds `MAX_TAGS` tags, if they are spread evenly."""
    tags = data.count(b"<") if len(data) > MAX_TAGS else 0
    return data if tags <= MAX_TAGS else data[: len(data) * MAX_TAGS // tags]


def _places(tags: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for i, tag in enumerate(tags):
        if tag in found:
            found[tag].append(i)
        else:
            found[tag] = [i]
    return found


def _base(nodes: Sequence[Element], url: str, encoding: str) -> str:
    for node in nodes:
        if href := node.get("href"):
            return join(url, href, encoding) or url
    return url


def _anchors(nodes: Sequence[Element], base_url: str, encoding: str) -> tuple[tuple[Anchor, ...], bool]:
    found: list[Anchor] = []
    urls: dict[str, str | None] = {}
    site, folder = (join(base_url, href, encoding) or "" for href in ("/", "."))
    for node in nodes:
        if (raw := node.get("href")) is None:
            continue
        if len(found) >= MAX_ANCHORS:
            return tuple(found), True
        if raw not in urls:
            urls[raw] = _plainly(raw, site, folder) or href_url(raw, base_url, encoding)
        url = urls[raw] or opened_url(node.get("onclick") or raw, base_url, encoding)
        found.append(Anchor(len(found), node, raw, url, label_of(node)))
    return tuple(found), False


def _plainly(raw: str, site: str, folder: str) -> str | None:
    """The URL of an href of the plainest sort, as three of four are, in a `folder` of a `site`, both with a slash at
    the end; null for any other, which it takes the URL parser to read."""
    if not site or "/." in raw or len(raw) > MAX_URL or not _KEPT.fullmatch(raw):
        return None
    if raw.startswith(site):
        return raw
    if raw[0] == "/":
        return site + raw[1:] if raw[1:2] != "/" else None
    return folder + raw if raw[0] not in ".?" and ":" not in raw else None


_OPENS = re.compile(
    r"(?:window\.open\s*\(|\blocation(?:\.href)?\s*=|\blocation\.(?:replace|assign)\s*\()"
    r"\s*(?:\"([^\"'\s]{1,500})\"|'([^\"'\s]{1,500})')(?!\s*\+)"
)


def opened_url(code: str, base_url: str, encoding: str) -> str | None:
    """The absolute URL that a handler opens, where it is written out in it: many systems link articles so."""
    opens = _OPENS.search(code) if "(" in code or "=" in code else None
    return href_url(opens[1] or opens[2], base_url, encoding) if opens else None


def _lang(root: Element) -> str | None:
    lang = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("xml:lang")
    return lang.strip() or None if lang else None
