"""Label lines: what the marks of a tree say, read off the written page, and the check that they hold."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from lxml import html as lxml_html
from lxml.html import HtmlElement

from . import clock
from .dom import Node, text_of, walk
from .site import Page, PageMark, RowMark, Series

TEXT_LIMIT = 80
DUMMY = ("javascript:", "#")


class LabelError(Exception):
    """The written page does not say what the generator meant: a fault of the generator."""


@dataclass(slots=True)
class Draft:
    """A page as it was meant: its tree and what is true of it."""

    page: Page
    tree: Node
    kind: str
    verdict: str
    note: str = ""


def parse(text: str) -> HtmlElement:
    """The tree that the corpus format is defined on."""
    parser = lxml_html.HTMLParser(encoding="utf-8", recover=True, huge_tree=True)
    return lxml_html.document_fromstring(text.encode(), parser=parser)


def _links(tree: Node) -> list[Node]:
    return [node for node in walk(tree) if node.tag == "a" and "href" in node.attrs]


def _text(element: HtmlElement) -> str:
    return " ".join(str(element.text_content()).split())


def _pairs(draft: Draft, written: str) -> list[tuple[Node, HtmlElement]]:
    """Each link of the tree with the same link of the parsed page."""
    meant, found = _links(draft.tree), parse(written).xpath("//a[@href]")
    if len(meant) != len(found):
        raise LabelError(f"{len(meant)} links meant, {len(found)} found")
    for node, element in zip(meant, found, strict=True):
        if node.mark is None:
            continue
        # White space between blocks inside a link depends on the writing; all else must agree.
        same_text = text_of(node).replace(" ", "") == _text(element).replace(" ", "")
        if node.attrs["href"] != element.get("href") or not same_text:
            meant_as = f"{node.attrs['href']!r} {text_of(node)!r}"
            raise LabelError(f"meant {meant_as}, found {element.get('href')!r} {_text(element)!r}")
    return list(zip(meant, found, strict=True))


def _page_labels(pairs: list[tuple[Node, HtmlElement]]) -> list[dict[str, Any]]:
    out = []
    for index, (node, element) in enumerate(pairs):
        mark = node.mark
        if isinstance(mark, PageMark):
            out.append({
                "i": index, "href": element.get("href"), "text": _text(element), "label": mark.label,
                "orig": mark.orig, "scope": mark.scope,
            })  # fmt: skip
    return out


def _older(draft: Draft, pairs: list[tuple[Node, HtmlElement]]) -> dict[str, Any]:
    page, links, how = draft.page, [], set()
    for bar, target in page.older_pages.items():
        mine = [
            (at, node.mark)
            for at, (node, _) in enumerate(pairs)
            if isinstance(node.mark, PageMark) and node.mark.bar == bar and node.mark.scope == "bar"
        ]
        hits = [(at, mark) for at, mark in mine if mark.page == target and target is not None]
        words = [(at, mark) for at, mark in hits if mark.orig in {"NEXT", "PREV"}]
        if words:
            how.add("NEXT label" if words[0][1].orig == "NEXT" else "PREV label leads to older items")
        elif hits:
            how.add("only page numbers: current+1")
        links += [at for at, _ in words or [hit for hit in hits if hit[1].orig in {"PAGE", "LAST", "JUMP"}]]
    hrefs = [pairs[at][1].get("href") for at in links]
    if not links and page.has_script_pager:
        return {"links": [], "href": [], "how": "script pager without links", "js_only": True}
    return {
        "links": links,
        "href": hrefs,
        "how": " / ".join(sorted(how)) or "none",
        "js_only": page.js_only and bool(links),
    }


def _common(elements: list[HtmlElement]) -> HtmlElement:
    """The lowest common ancestor; for one link, its parent."""
    if len(elements) == 1:
        parent = elements[0].getparent()
        assert parent is not None
        return parent
    shared = list(elements[0].iterancestors())
    for element in elements[1:]:
        above = set(element.iterancestors())
        shared = [one for one in shared if one in above]
    return shared[0]


def printed_order(rows: list[RowMark], now: datetime) -> str:
    """newest-first, oldest-first or unsorted by the dates that are printed; unknown where they cannot tell
    (fewer than three, all the same, or in order but for one row). Pinned rows are left out."""
    whens = []
    for row in rows:
        if row.when is None or row.pinned:
            continue
        whens.append(clock.printed(row.when, row.form or "", now))
    if len(whens) < 3 or len(set(whens)) < 2:
        return "unknown"
    if whens == sorted(whens, reverse=True):
        return "newest-first"
    if whens == sorted(whens):
        return "oldest-first"
    return "unknown" if _one_aside(whens) else "unsorted"


def _one_aside(whens: list[datetime]) -> bool:
    """Whether the dates fall or rise when one of them is left out."""
    rests = [whens[:at] + whens[at + 1 :] for at in range(len(whens))]
    return any(rest == sorted(rest) or rest == sorted(rest, reverse=True) for rest in rests)


def _block(
    pairs: list[tuple[Node, HtmlElement]], number: int, series: Series, now: datetime
) -> dict[str, Any] | None:
    mine = [
        (at, node.mark, element)
        for at, (node, element) in enumerate(pairs)
        if isinstance(node.mark, RowMark) and node.mark.block == number
    ]
    if not mine:
        return None
    top = _common([element for _, _, element in mine])
    order = printed_order([mark for _, mark, _ in mine], now)
    dated = sum(mark.when is not None for _, mark, _ in mine)
    if series.known_order and order == "unknown" and len(mine) > 1:
        order = series.order
    articles = []
    for at, mark, element in mine:
        one: dict[str, Any] = {"i": at, "href": element.get("href"), "text": _text(element)[:TEXT_LIMIT]}
        if mark.when is not None:
            one["date"] = mark.when.isoformat(timespec="minutes")
            one["precision"] = clock.precision(mark.form or "")
        articles.append(one)
    return {
        "xpath": top.getroottree().getpath(top), "tag": top.tag, "id": top.get("id"), "cls": top.get("class"),
        "articles": articles, "pinned": [at for at, mark, _ in mine if mark.pinned],
        "time_sorted": {"unknown": "unknown", "unsorted": "no"}.get(order, "yes"),
        "time_key": series.key, "dates_beside": "yes" if dated * 2 >= len(mine) else "no",
        "order": order, "note": "", "doubtful": False,
    }  # fmt: skip


def line(draft: Draft, written: str, name: str, group: str) -> dict[str, Any]:
    """The label line of one page. Raises LabelError where the page does not hold what was meant."""
    page, pairs = draft.page, _pairs(draft, written)
    _check_addresses(page, pairs)
    blocks: list[dict[str, Any]] = []
    place: dict[int, int] = {}
    for number, series in enumerate(page.blocks):
        block = _block(pairs, number, series, page.site.now)
        if block is not None:
            place[number] = len(blocks)
            blocks.append(block)
    bars = []
    for bar, block_number in enumerate(page.bars):
        links = [
            at
            for at, (node, _) in enumerate(pairs)
            if isinstance(node.mark, PageMark) and node.mark.bar == bar and node.mark.scope == "bar"
        ]
        if links:
            bars.append(
                {"links": links, "block": place.get(block_number) if block_number is not None else None}
            )
    row: dict[str, Any] = {
        "id": name, "file": f"pages/{name}.html",
        "source": {"repo": "recrawler", "path": "data/generate.py", "commit": "", "licence": "Apache-2.0"},
        "url": page.url, "url_exact": True, "domain": page.site.domain, "group": group, "lang": page.lex.lang,
        "kind": draft.kind, "n_links": len(pairs), "labels_by": "generator", "labels_status": "ok",
        "labels": _page_labels(pairs), "bars": bars, "older": _older(draft, pairs), "blocks": blocks,
        "split": "train", "verdict": draft.verdict, "order": blocks[0]["order"] if blocks else "unknown",
        "now": page.site.now.isoformat(timespec="minutes"),
    }  # fmt: skip
    if page.script_next is not None or row["older"]["js_only"]:
        row["script_next"] = page.script_next
    if draft.note:
        row["note"] = draft.note
    check(row)
    return row


def _check_addresses(page: Page, pairs: list[tuple[Node, HtmlElement]]) -> None:
    """Every link of a bar leads to the page that its mark names, resolved as a browser would."""
    base = urljoin(page.url, page.base or "")
    for node, element in pairs:
        mark = node.mark
        if not isinstance(mark, PageMark) or mark.bar < 0 or mark.page is None:
            continue
        href = str(element.get("href"))
        if href.lower().startswith(DUMMY):
            continue
        block = page.bars[mark.bar]
        meant = page.page_url(mark.page, page.series if block is None else page.blocks[block])
        if urljoin(base, href) != meant:
            raise LabelError(f"{href!r} on {page.url} leads to {urljoin(base, href)}, meant {meant}")


def check(row: dict[str, Any]) -> None:
    """What must hold of any label line, whatever the structure."""
    older = row["older"]
    real = [href for href in older["href"] if not href.lower().startswith(DUMMY[0])]
    if not older["js_only"] and len(real) != len(older["href"]):
        raise LabelError(f"{row['id']}: a script address as the older link")
    if row["verdict"] == "list" and not row["blocks"]:
        raise LabelError(f"{row['id']}: a list without rows")
    indices = [one["i"] for one in row["labels"]]
    if len(set(indices)) != len(indices):
        raise LabelError(f"{row['id']}: a link labelled twice")
