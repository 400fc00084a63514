"""The tree of a page's bytes, whatever they are: libxml2's, put together as browsers do."""

from __future__ import annotations

from itertools import islice

from lxml import etree

MAX_LATER = 100_000  # elements of what stands behind that are kept
_EMPTY = "<html><body></body></html>"


def tree_of(data: bytes) -> etree._Element:
    """The root of a page in UTF-8; of nothing that can be parsed, that of an empty page."""
    parser = etree.HTMLParser(
        encoding="utf-8", recover=True, huge_tree=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser) if data.strip() else None
    except (etree.LxmlError, ValueError, AssertionError):
        root = None
    return _gathered(root) if root is not None else etree.fromstring(_EMPTY, etree.HTMLParser())


def _gathered(root: etree._Element) -> etree._Element:
    """The tree with what stands behind an early `</html>`, which libxml2 makes a page of its own: browsers take it for
    more of the first one's head and body. Templates that are joined of several files have such ends."""
    held: dict[str, etree._Element] = {}
    for later in list(islice(root.itersiblings(), MAX_LATER)):
        held = held or {str(x.tag): x for x in (root.find("head"), root.find("body")) if x is not None}
        root.append(later)  # below the root it can be taken out
        if later.tag != "html":
            _put(root, held, later)
            continue
        for name, value in later.attrib.items():
            root.set(name, root.get(name, value))
        for part in list(islice(later, MAX_LATER)):
            _put(root, held, part)
        root.remove(later)
    return root


def _put(root: etree._Element, held: dict[str, etree._Element], part: etree._Element) -> None:
    """Adds a head or a body to a tree, or what is in it where the tree has one; anything else to the body."""
    tag = str(part.tag)
    place = held.get(tag if tag == "head" else "body")
    if place is None:
        root.append(part)
        if tag in ("head", "body"):
            held[tag] = part
    elif tag not in ("head", "body"):
        place.append(part)
    else:
        last = next(place.iterchildren(reversed=True), None)  # the length would count all of thousands
        if last is None:
            place.text = (place.text or "") + (part.text or "")
        else:
            last.tail = (last.tail or "") + (part.text or "")
        place.extend(list(part))
