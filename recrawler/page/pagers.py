"""Pagers that are no plain links: written by script, select boxes, buttons, forms, "load more" with a URL.

`resolve` gives script links of a group the URL that they go to, where that can be read; `extra_bars` finds
bars that have no `<a href>` at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from recrawler.page.bars import BarCandidate
from recrawler.page.document import Document, Element, href_url, is_only, label_of, text_of
from recrawler.page.forms import carries_page, get_url, request_of
from recrawler.page.groups import MARK, Item
from recrawler.page.scripts import Scripts, Written, integer, postback
from recrawler.page.slots import Scale, cut, hinted, numbers_put, step
from recrawler.page.types import BarLink, PostForm, Role
from recrawler.page.words import TextShape, shape

SCRIPT_SCORE = 0.85  # a bar that is written out by a script's own words
GUESS_SCORE = 0.6
MAX_CLICKS = 400
MAX_EXTRA = 10  # bars of one kind
_URL_ATTRIBUTES = frozenset((
    "data-url", "data-href", "data-next-url", "data-next", "data-next-page", "data-load-url", "data-link",
    "data-ajax-url", "data-page-url", "hx-get", "data-hx-get",
))  # fmt: skip

_TURNING = _URL_ATTRIBUTES | {"onclick"}  # what makes an element turn pages without a link


def resolve(items: Sequence[Item], scale: Scale | None, doc: Document, scripts: Scripts) -> None:
    """Give script links their URLs: read from a data attribute, from the handler, from a function, or from
    siblings' URLs."""
    page = cut(doc.url)
    example = next((i.parts for i in items if scale and i.parts and i.parts.shape == scale.shape), None)
    sample = next((i.url for i in items if scale and i.parts is example and i.url), None)
    for item in items:
        if item.url is not None:
            continue
        url = _data_page(item.anchor.node, doc) or scripts.target(item.script)
        number = item.shape.number if item.shape.pure else integer(item.script)
        if not url and item.script and scale and sample and number and not postback(item.script):
            url = numbers_put(sample, scale, number)
        if url is not None:
            item.url = url
            item.parts = cut(url)
            item.step = step(page, item.parts)


def extra_bars(doc: Document, scripts: Scripts) -> list[BarCandidate]:
    """Bars without links, the likeliest first."""
    found = [bar for w in scripts.written() if (bar := _from_written(w, doc)) is not None]
    found += _selects(doc, scripts)
    found += _clicks(doc, scripts)
    found += _submits(doc)
    if not any(bar.older or bar.form for bar in found):
        found += _loads(doc)
    return found


def _both_ways(
    current: int, newer: str | None, older: str | None
) -> tuple[tuple[Role, int, str | None], tuple[Role, int, str | None]]:
    return ("prev", current - 1, newer), ("next", current + 1, older)


def _from_written(written: Written, doc: Document) -> BarCandidate | None:
    end = written.base + written.count - 1 if written.count is not None else None
    if end is not None and end <= written.base:
        return None

    def url(n: int) -> str | None:
        if n < written.base or (end is not None and n > end):
            return None
        return href_url(written.url_text(n), doc.base_url, doc.encoding)

    older, newer = url(written.current + 1), url(written.current - 1)
    links = [
        BarLink(None, "", role, n - written.base + 1)
        for role, n, target in _both_ways(written.current, newer, older)
        if target is not None
    ]
    node = _holder(written.node)
    return BarCandidate(
        node=node,
        nodes=(node,),
        links=tuple(BarLink(b.href, b.text, _role(b.role), b.page) for b in links),
        anchors=(None,) * len(links),
        score=SCRIPT_SCORE,
        marked=_marked(node),
        current=written.current - written.base + 1,
        depth=written.count,
        older=older,
        newer=newer,
        last=url(end) if end is not None and end > written.current else None,
    )


def _role(role: str) -> Role:
    return "next" if role == "next" else "prev"


def _holder(node: Element) -> Element:
    parent = node.getparent()
    return parent if parent is not None and parent.tag not in ("body", "head", "html") else node


def _marked(node: Element) -> bool:
    here: Element | None = node
    for _ in range(3):
        if here is None:
            return False
        if MARK in (here.get("class") or "").lower():
            return True
        here = here.getparent()
    return False


_PAGES = re.compile(
    r"(?<!per)(?:page|pagina|seite)(?!_?size|_?limit|s?per)", re.I
)  # what such a handler says it turns


def _selects(doc: Document, scripts: Scripts) -> list[BarCandidate]:
    """Select boxes whose options are the URLs of numbered pages, or whose handler makes URLs of numbers or says that it
    turns pages: then there is a next one, and no URL."""
    out = []
    for node in doc.all("select"):
        options = list(node.iter("option"))
        if not 2 <= len(options) <= 5000:
            continue
        numbers = [shape(text_of(o, 60)).number for o in options[:400]]
        rising = sum(a is not None and b is not None and b == a + 1 for a, b in pairwise(numbers))
        if rising < 0.8 * (min(len(options), 400) - 1):
            continue
        urls = [_option_url(o, node, doc, scripts) for o in options[:400]]
        at = next((k for k, o in enumerate(options[:400]) if o.get("selected") is not None), 0)
        led = sum(u is not None for u in urls) >= len(urls) - 1 and len(set(urls)) == len(urls)
        if not led and not (numbers[0] == 1 and _PAGES.search(node.get("onchange") or "")):
            continue
        urls = urls if led else [None] * len(urls)
        out.append(_numbered(node, numbers, urls, at, GUESS_SCORE))
        if len(out) >= MAX_EXTRA:
            break
    return out


def _option_url(option: Element, select: Element, doc: Document, scripts: Scripts) -> str | None:
    given = option.get("value")
    value = (text_of(option, 60) if given is None else given).strip()
    if not value or value.startswith("#"):
        return None
    if value.isdecimal():
        code = (select.get("onchange") or "").replace("this.value", value)
        return scripts.target(code) or _chosen_url(select, value, doc)
    if any(c in value for c in "/.?") and not any(c.isspace() for c in value):
        return href_url(value, doc.base_url, doc.encoding)
    return None


def _chosen_url(select: Element, value: str, doc: Document) -> str | None:
    """Where a form goes when a page's number is chosen in it; null where it is posted or no page is chosen."""
    name, form = select.get("name") or "", next(select.iterancestors("form"), None)
    request = request_of(form, {name: value}, doc) if form is not None and hinted(name) else None
    return get_url(request, doc) if request is not None and request.method == "GET" else None


def _numbered(
    node: Element, numbers: Sequence[int | None], urls: Sequence[str | None], at: int, score: float
) -> BarCandidate:
    """A bar of numbered targets that stands on the one at place `at`."""
    links = tuple(
        BarLink(None, str(n), "page", n) for k, n in enumerate(numbers) if n is not None and k != at
    )
    older = urls[at + 1] if at + 1 < len(urls) else None
    return BarCandidate(
        node=node,
        nodes=(node,),
        links=links,
        anchors=(None,) * len(links),
        score=score,
        marked=_marked(node),
        current=numbers[at],
        depth=max((n for n in numbers if n is not None), default=None),
        older=older,
        newer=urls[at - 1] if at > 0 else None,
        last=urls[-1] if at + 1 < len(urls) else None,
        script=older is None and at + 1 < len(urls),
    )


def _clicks(doc: Document, scripts: Scripts) -> list[BarCandidate]:
    """Buttons, spans and links without href that turn pages by handler or by a data attribute."""
    rows: dict[Element, list[tuple[Element, TextShape, str | None, str]]] = {}
    seen = 0
    for node, tag in zip(doc.elements, doc.tags, strict=True):
        if _TURNING.isdisjoint(node.keys()) or tag in ("form", "body", "select", "input"):
            continue
        if tag == "a" and node.get("href"):
            continue
        url = _data_url(node, doc)
        code = node.get("onclick") or ""
        if url is None and not code:
            continue
        seen += 1
        if seen > MAX_CLICKS:
            break
        said = shape("next" if url is not None and _waits(node) else label_of(node)[:40])
        if said.pure or _turns(said):
            parent = node.getparent()
            if parent is not None and is_only(node) and parent.getparent() is not None:
                parent = parent.getparent()
            if parent is not None:
                rows.setdefault(parent, []).append((node, said, url or scripts.target(code), code))
    out = []
    for holder, row in rows.items():
        bar = _clicked(holder, row)
        if bar is not None:
            out.append(bar)
    return out[:MAX_EXTRA]


_LOADS = re.compile(
    r"\W*(?:load (?:\w+ ){0,2}(?:more|older)|(?:mehr|weitere)\b.{0,20}\bladen|charger (?:plus|la suite|d)|"
    r"(?:cargar|carregar|carica) (?:m[áa]s|mais|altr)|загрузить (?:ещ|бол)|(?:点击|點擊)?(?:加载|载入|載入)更多|"
    r"もっと読み込む|더 ?불러오기|załaduj więcej|načíst další|daha fazla yükle|muat lebih|tải thêm|تحميل المزيد)",
    re.I,
)


def _loads(doc: Document) -> list[BarCandidate]:
    """The one button that says that it loads more, where nothing tells from which address."""
    nodes = [*doc.all("button"), *(a.node for a in doc.anchors if a.url is None)]
    nodes = [n for n in nodes if n.get("disabled") is None and _LOADS.match(label_of(n)[:40])]
    if len(nodes) != 1:
        return []
    link = BarLink(None, label_of(nodes[0])[:40], "next", None)
    return [
        BarCandidate(
            node=nodes[0], nodes=(nodes[0],), links=(link,), anchors=(None,), score=GUESS_SCORE, marked=False,
            current=None, depth=None, older=None, newer=None, last=None, script=True,
        )
    ]  # fmt: skip


def _turns(said: TextShape) -> bool:
    return said.coverage >= 0.5 and bool({"next", "prev", "older", "newer", "more"} & set(said.senses))


def _waits(node: Element) -> bool:
    """Whether an element without text holds the next page's URL: it loads when it is scrolled to."""
    return not label_of(node) and any("next" in name for name in node.keys())  # noqa: SIM118


def _data_page(node: Element, doc: Document) -> str | None:
    """The address that a link without one keeps for script, if it is of the page's own folder, or but a number
    away from the page's own: others give data or pieces of pages."""
    url = _data_url(node, doc)
    if url is None:
        return None
    near = url.startswith(doc.url.partition("?")[0].rpartition("/")[0])
    return url if near or step(cut(doc.url), cut(url)).how in ("number", "added", "removed") else None


def _data_url(node: Element, doc: Document) -> str | None:
    for name in node.keys():  # noqa: SIM118 - an element iterates over its children
        if name in _URL_ATTRIBUTES:
            value = (node.get(name) or "").strip()
            if value and not value.startswith("#") and any(c in value for c in "/.?"):
                return href_url(value, doc.base_url, doc.encoding)
    return None


def _clicked(
    holder: Element, row: Sequence[tuple[Element, TextShape, str | None, str]]
) -> BarCandidate | None:
    numbers = [said.number for _, said, _, _ in row if said.pure and said.number is not None]
    forward = [r for r in row if {"next", "older", "more"} & set(r[1].senses)]
    back = [r for r in row if {"prev", "newer"} & set(r[1].senses)]
    if not forward and (
        len(numbers) < 2 or sum(b == a + 1 for a, b in pairwise(numbers)) < len(numbers) // 2
    ):
        return None
    if forward and not numbers and "more" in forward[0][1].senses and forward[0][2] is None:
        return None  # "more" without a URL unfolds a text as often as it loads a page
    current = _current_beside(holder, numbers)
    ahead = [r[2] for r in row if current and r[1].pure and r[1].number == current + 1]
    older = next((r[2] for r in forward if r[2]), None) or next((u for u in ahead if u), None)
    links = tuple(
        BarLink(None, label_of(node)[:40], _clicked_role(said), said.number if said.pure else None)
        for node, said, _, _ in row
    )
    return BarCandidate(
        node=holder,
        nodes=(holder,),
        links=links,
        anchors=(None,) * len(links),
        score=GUESS_SCORE,
        marked=_marked(holder),
        current=current,
        depth=max(numbers, default=None),
        older=older,
        newer=next((r[2] for r in back if r[2]), None),
        last=None,
        script=older is None and bool(forward or ahead),
    )


def _clicked_role(said: TextShape) -> Role:
    if said.pure:
        return "page"
    return "next" if {"next", "older", "more"} & set(said.senses) else "prev"


def _current_beside(holder: Element, numbers: Sequence[int]) -> int | None:
    """A number of the bar's text that is not among its clickable ones, or the first page."""
    for word in text_of(holder, 400).split():
        if word.isdecimal() and int(word) not in numbers and {int(word) - 1, int(word) + 1} & set(numbers):
            return int(word)
    return 1 if numbers and min(numbers) == 2 else None


def _submits(doc: Document) -> list[BarCandidate]:
    """Forms with a button that says next."""
    out = []
    for form in doc.all("form"):
        for node in form.iter("input", "button"):
            if (node.get("type") or "submit").lower() not in ("submit", "image"):
                continue
            said = shape(_face(node)[:40])
            forward = not {"next", "older"}.isdisjoint(said.senses) and said.coverage >= 0.6
            if forward and node.get("disabled") is None:
                name = node.get("name")
                request = request_of(form, {name: node.get("value") or ""} if name else {}, doc)
                if request is not None and carries_page(request):
                    out.append(_submitting(form, request, doc))
                break
        if len(out) >= MAX_EXTRA:
            break
    return out


def _face(button: Element) -> str:
    """What a reader sees of a button: the value of an <input>, the content of a <button>."""
    shown = label_of(button) if button.tag == "button" else ""
    return shown or button.get("value") or button.get("alt") or label_of(button)


def _submitting(form: Element, request: PostForm, doc: Document) -> BarCandidate:
    older = get_url(request, doc) if request.method == "GET" else None
    return BarCandidate(
        node=form,
        nodes=(form,),
        links=(BarLink(None, "", "next", None),),
        anchors=(None,),
        score=GUESS_SCORE,
        marked=_marked(form),
        current=None,
        depth=None,
        older=older,
        newer=None,
        last=None,
        script=older is None,
        form=request if older is None else None,
    )


def with_node(bar: BarCandidate, other: BarCandidate) -> BarCandidate:
    """A script's bar in place of the empty marked bar that it stands in."""
    return replace(bar, node=other.node, nodes=other.nodes, marked=bar.marked or other.marked)
