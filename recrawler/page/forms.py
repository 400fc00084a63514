"""Forms that lead to another page of a list: the request that they send, with the values that they stand at."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlencode

from recrawler.page.document import Document, Element, href_url, text_of
from recrawler.page.groups import Item
from recrawler.page.scripts import Scripts, calls, postback
from recrawler.page.slots import hinted
from recrawler.page.types import PostForm
from recrawler.page.words import shape

_SIZE = re.compile(r"size|rows|total|count|limit|per|max", re.I)  # of names: how many rows a page has
MAX_FIELDS = 60
MAX_FIELD = 100_000  # characters of one carried field: __VIEWSTATE is long


def post_form(item: Item, doc: Document, scripts: Scripts) -> PostForm | None:
    """The request that a link sends by submitting a form, its fields carried; null where it sends none."""
    form = _form_of(item.anchor.node, doc)
    target = postback(item.script)
    if target is not None and form is not None:
        extra = {"__EVENTTARGET": target[0], "__EVENTARGUMENT": target[1]}
        return request_of(form, extra, doc)
    call = calls(item.script)
    if call is not None and call[1] and call[1][0]:
        name = scripts.field(call[0])
        if name is not None:
            holder = _form_with(name, doc)
            holder = holder if holder is not None else form
            return request_of(holder, {_name_of(name, doc): call[1][0]}, doc) if holder is not None else None
        around = next(item.anchor.node.iterancestors("form"), None)
        if around is not None and call[1][0].isdecimal() and (name := _page_field(around)) is not None:
            return request_of(around, {name: call[1][0]}, doc)  # a function that stands in a file of its own
    return None


def _page_field(form: Element) -> str | None:
    """The hidden field that holds the page's number, where a form has just one."""
    hidden = [node for node in form.iter("input") if (node.get("type") or "").lower() == "hidden"]
    named = [(node.get("name") or "", (node.get("value") or "").strip()) for node in hidden]
    found = [name for name, value in named if hinted(name) and value.isdecimal() and not _SIZE.search(name)]
    return found[0] if len(found) == 1 else None


def carries_page(request: PostForm) -> bool:
    """Whether a form has a page's number among its fields and asks for nothing else to be typed."""
    return any(hinted(n) and (v.isdigit() or shape(v).senses) for n, v in request.fields)


def get_url(request: PostForm, doc: Document) -> str | None:
    query = urlencode([f for f in request.fields if f[0]], encoding=doc.encoding, errors="replace")
    return href_url(f"{request.action.split('?')[0]}?{query}", doc.base_url, doc.encoding)


def _form_of(node: Element, doc: Document) -> Element | None:
    """The form around an element, else the page's only form with a hidden field."""
    here: Element | None = node
    while here is not None:
        if here.tag == "form":
            return here
        here = here.getparent()
    forms = doc.all("form")
    return forms[0] if len(forms) == 1 else None


def _form_with(name: str, doc: Document) -> Element | None:
    for node in doc.all("input"):
        if name in (node.get("name"), node.get("id")):
            return _form_of(node, doc)
    return None


def _name_of(name: str, doc: Document) -> str:
    """The name that a field is sent under, given its name or id."""
    for node in doc.all("input"):
        if name in (node.get("name"), node.get("id")):
            return node.get("name") or name
    return name


def request_of(form: Element, extra: dict[str, str], doc: Document) -> PostForm | None:
    """A form's request with the values that it stands at; `extra` replaces or adds fields."""
    action = href_url(form.get("action") or doc.url, doc.base_url, doc.encoding)
    if action is None:
        return None
    fields = [(n, v) for n, v in _standing(form) if n not in extra][:MAX_FIELDS]
    fields += extra.items()
    method = "GET" if (form.get("method") or "get").strip().lower() != "post" else "POST"
    if "__EVENTTARGET" in extra:
        method = "POST"
    return PostForm(action, tuple(fields), "GET" if method == "GET" else "POST")


def _standing(form: Element) -> Iterable[tuple[str, str]]:
    """Names and values of a form's fields as they stand; buttons are left out."""
    for node in form.iter("input", "select", "textarea"):
        name = node.get("name")
        kind = (node.get("type") or "text").lower()
        if not name or kind in ("submit", "image", "button", "reset", "file"):
            continue
        if kind in ("checkbox", "radio") and node.get("checked") is None:
            continue
        if node.tag == "select":
            chosen = [o for o in node.iter("option") if o.get("selected") is not None] or list(
                node.iter("option")
            )[:1]
            yield from ((name, o.get("value") or text_of(o, 200)) for o in chosen)
        else:
            value = node.get("value") if node.tag == "input" else node.text
            yield name, (value or "")[:MAX_FIELD]
