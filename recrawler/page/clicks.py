"""Rows that only a click opens, made links: for pages whose list would not be seen otherwise.

`<li onclick="location.href='/a/1.html'">`, `<a href="javascript:show(7)">` where a function of the page makes an
address of its argument, `<div data-href="/a/1.html">`. No script is run. (An `<a>` whose handler has the address
written out is a link in any case.)
"""

from __future__ import annotations

from itertools import islice

from recrawler.page.document import Document, Element, href_url, opened_url, remade, text_of
from recrawler.page.scripts import Scripts

LEAST_ROWS = 3
LEAST_TITLE = 6  # characters
MAX_CLICKS = 2_000
MAX_SIZE = 100  # elements of a row
MAX_ELEMENTS = 20_000  # of a page that is worth reading twice; the largest of 190 real pages has 10,000
_ADDRESSES = ("data-href", "data-url", "data-link")
_CLICKED = frozenset(("onclick", "href", *_ADDRESSES))


def opened(doc: Document) -> Document | None:
    """The page with such rows as links; null where it has hardly any, or is huge. The tree of `doc` is changed."""
    if len(doc.elements) > MAX_ELEMENTS:
        return None
    scripts, ends = Scripts(doc), doc.end
    rows = (
        node
        for i, node in enumerate(doc.elements)
        if ends[i] - i <= MAX_SIZE and _CLICKED.intersection(node.keys()) and not _linked(node, doc)
    )
    shown = [node for node in islice(rows, MAX_CLICKS) if len(text_of(node)) >= LEAST_TITLE]
    found = [(node, url) for node in shown if (url := _address(node, doc, scripts))]
    if len({url for _, url in found}) < LEAST_ROWS:
        return None
    for node, url in found:
        _link(node, url)
    return remade(doc)


def _linked(node: Element, doc: Document) -> bool:
    """Whether an element is, holds or stands in a link that leads somewhere."""
    links = [*node.iter("a"), *islice(node.iterancestors("a"), 1)]
    return any((known := doc.anchor_of.get(a)) is not None and known.url for a in links)


def _address(node: Element, doc: Document, scripts: Scripts) -> str | None:
    for name in _ADDRESSES:
        if told := node.get(name):
            return href_url(told, doc.base_url, doc.encoding)
    href = (node.get("href") or "").strip()
    for code in (node.get("onclick") or "", href[len("javascript:") :]):
        if url := opened_url(code, doc.base_url, doc.encoding) or scripts.target(code):
            return url
    return None


def _link(node: Element, url: str) -> None:
    """Gives an `<a>` its address, and any other element a link around what it holds."""
    if node.tag == "a":
        node.set("href", url)
        return
    link = node.makeelement("a", {"href": url})
    link.text, node.text = node.text, None
    link.extend(list(node))
    node.append(link)
