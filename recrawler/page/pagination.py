"""Pagination bars: which links page a list, and where its older items are.

`find_bars(doc, model)` returns `BarCandidate`s in document order, copies above and below a list merged.
Of each:

- `node` is the bar's element (the first copy's), `nodes` all copies; `xpath` leads to the first.
- `links` are the contract's `BarLink`s: `href` null where a plain client cannot follow it, `page` 1-based.
- `older`, `newer`, `last` are URLs for a newest-first list: the page with older items is the next one in the
  series, whatever the words. For a list that is oldest-first swap the first two (`last` then has the newest).
- `script` is true where there is a next page but no URL; `form` is then the request that leads there, if any.
- `marked`: the bar has Baidu's class. It may then have no links at all (a list of one page).

`scan(doc, model)` gives the same with the candidates that were not taken and the sort options.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from recrawler.page.bars import BarCandidate
from recrawler.page.classifier import Floats, PageModel, load_model
from recrawler.page.document import Anchor, Document, Element
from recrawler.page.features import LINK_FEATURES, link_rows
from recrawler.page.forms import post_form
from recrawler.page.groupfeatures import GROUP_FEATURES, group_rows
from recrawler.page.groups import Group, find_groups
from recrawler.page.options import find_options
from recrawler.page.pagers import extra_bars, with_node
from recrawler.page.reading import head_links, read, url_way
from recrawler.page.roles import ROLES, Judged, roles_of
from recrawler.page.scripts import Scripts
from recrawler.page.slots import cut, slot_of, step
from recrawler.page.types import BarLink, Role, SortOption
from recrawler.page.ways import direction, last_page, turned
from recrawler.page.words import shape

TAKE = 0.4  # least score of a bar; figures hardly change between 0.2 and 0.5
LEADS_BACK = 0.7  # the same of one that only leads back, on a page that writes another by script
WORDED = 0.6  # share of the letters of a link's text that say "next"
LOOK = 0.08  # least score of a group whose links are judged
Rescore = Callable[[Sequence[Group], Floats], Sequence[float]]  # groups and their scores: new scores


@dataclass(frozen=True, slots=True)
class Scan:
    """All that was found: bars, and groups of links that were judged and not taken, with their scores."""

    bars: tuple[BarCandidate, ...]
    rejected: tuple[tuple[Element, float], ...]
    sort_options: tuple[SortOption, ...] = ()


def find_bars(doc: Document, model: PageModel | None = None) -> list[BarCandidate]:
    """The pagination bars of a page, in document order. `model`: null for the shipped one."""
    return list(scan(doc, model).bars)


def scan(doc: Document, model: PageModel | None = None, rescore: Rescore | None = None) -> Scan:
    """The bars of a page, the candidates that were rejected, and the sort options.

    `rescore` gives the groups other scores than those that the model gave them alone: by where they stand.
    """
    scripts = Scripts(doc)
    judged = judge(doc, model or load_model(), scripts, rescore)
    kept = [j for j in judged if j.score >= TAKE or j.group.marked]
    for one in kept:
        one.roles = roles_of(one, cut(doc.url))
    kept = [j for j in kept if j.group.marked or any(r != "other" for r in j.roles)]
    bars = [_with_turns(_as_in_head(_bar(copies, doc, scripts), doc), doc) for copies in _series(kept)]
    bars = _with_extra(bars, doc, scripts)
    taken = {n for b in bars for n in b.nodes}
    rejected = [(j.group.node, j.score) for j in judged if j.group.node not in taken]
    rejected.sort(key=lambda pair: -pair[1])
    paging = {
        a.node
        for b in bars
        for a, link in zip(b.anchors, b.links, strict=True)
        if a is not None and link.role != "other"
    }
    return Scan(tuple(bars), tuple(rejected[:10]), find_options(doc, paging))


def _with_extra(bars: list[BarCandidate], doc: Document, scripts: Scripts) -> list[BarCandidate]:
    """The bars and those without links, where the page has no better: one written into an empty marked
    element takes its place; others count only on a page without a bar that leads on."""
    if any(b.older or (b.newer and b.score >= LEADS_BACK) for b in bars):
        return bars
    out = list(bars)
    for extra in extra_bars(doc, scripts):
        for k, bar in enumerate(out):
            if bar.node is extra.node or any(n in bar.nodes for n in _above(extra.node)):
                if not bar.links or extra.older or extra.form:
                    out[k] = with_node(extra, bar)
                break
        else:
            out.append(extra)
    if not any(b.older or b.newer or b.script for b in out) and (hidden := _by_head(doc)) is not None:
        out.append(hidden)
    return out


def _with_turns(bar: BarCandidate, doc: Document) -> BarCandidate:
    """The bar with the "next" and "previous" that stand apart from its numbers: links of these words to where it
    leads."""
    ways = {url for url in (bar.older, bar.newer) if url}
    turns: tuple[Role, ...] = ("next", "prev")
    for role in turns:
        if not ways or any(link.role == role for link in bar.links):
            continue
        for anchor in doc.anchors:
            if anchor.url not in ways or anchor in bar.anchors:
                continue
            if role in (said := shape(anchor.text)).senses and said.coverage >= WORDED:
                link = BarLink(anchor.url, anchor.text, role, None)
                bar = replace(bar, links=(*bar.links, link), anchors=(*bar.anchors, anchor))
                break
    return bar


def _as_in_head(bar: BarCandidate, doc: Document) -> BarCandidate:
    """The bar with the ways on spelt as <link rel=next> spells them: the slash at the end may matter."""
    head = head_links(doc)
    return replace(bar, older=_spelt(bar.older, head.next), newer=_spelt(bar.newer, head.prev))


def _spelt(ours: str | None, told: str | None) -> str | None:
    same = ours is not None and told is not None and ours.rstrip("/") == told.rstrip("/")
    return told if same else ours


def _by_head(doc: Document) -> BarCandidate | None:
    """A bar made of `<link rel=next>` alone, where its URL is one of a next page, not of another article."""
    head = head_links(doc)
    if head.next is None or head.node is None:
        return None
    target = cut(head.next)
    if url_way(target, step(cut(doc.url), target)) <= 0:
        return None
    anchor = next((a for a in doc.anchors if a.url and a.url.split("#")[0] == head.next), None)
    node = anchor.node if anchor is not None else head.node
    link = BarLink(head.next, anchor.text if anchor is not None else "", "next", None)
    return BarCandidate(
        node=node,
        nodes=(node,),
        links=(link,),
        anchors=(anchor,),
        score=TAKE,
        marked=False,
        current=None,
        depth=None,
        older=head.next,
        newer=head.prev,
        last=None,
    )


def _above(node: Element) -> list[Element]:
    return [n for n, _ in zip(node.iterancestors(), range(4), strict=False)]


def judge(
    doc: Document, model: PageModel, scripts: Scripts | None = None, rescore: Rescore | None = None
) -> list[Judged]:
    """The groups of a page with their scores and, where those are not hopeless, their links' odds."""
    groups = find_groups(doc)
    bar_model, link_model = model.get("bar"), model.get("bar_link")
    if not groups or bar_model is None or link_model is None:
        return []
    head = head_links(doc)
    scripts = scripts or Scripts(doc)
    readings = [read(g, doc, head, scripts) for g in groups]
    rows = group_rows(readings, doc)
    scores = bar_model.predict_named(rows)[:, 1]
    final = scores if rescore is None else np.asarray(rescore([r.group for r in readings], scores))
    vectors: list[dict[str, float]] = []
    looked = []
    for reading, row, score, other in zip(readings, rows, scores, final, strict=True):
        looked.append(bool(reading.group.items) and (max(score, other) >= LOOK or reading.group.marked))
        if looked[-1]:
            vectors += link_rows(reading, row, float(other))
    odds = link_model.predict_named(vectors)
    out, at = [], 0
    for reading, score, look in zip(readings, final, looked, strict=True):
        n = len(reading.group.items) if look else 0
        out.append(Judged(reading, float(score), odds[at : at + n]))
        at += n
    return out


def _series(kept: list[Judged]) -> list[list[Judged]]:
    """Bars of one list together: copies above and below it, and halves (prev here, next there)."""
    out: list[list[Judged]] = []
    for one in kept:
        for copies in out:
            if any(_one_series(one, other) for other in copies):
                copies.append(one)
                break
        else:
            out.append([one])
    return out


def _one_series(a: Judged, b: Judged) -> bool:
    ours, theirs = _targets(a), _targets(b)
    if not ours or not theirs:
        return a.group.marked and b.group.marked and not ours and not theirs
    if ours & theirs:
        both = len(ours & theirs)
        return both >= 0.5 * min(len(ours), len(theirs))
    parts = [
        i.parts
        for j in (a, b)
        for i, r in zip(j.group.items, j.roles, strict=True)
        if r != "other" and i.parts
    ]
    halves = min(len(ours), len(theirs)) <= 2 and not set(a.roles) & set(b.roles) - {"other", "page"}
    if halves and a.group.node.getparent() is b.group.node.getparent():
        return True  # prev and next side by side, whatever their URLs look like
    found = slot_of(parts)
    if not halves or found is None:
        return False
    rows = [p.numbers for p in set(parts) if p.shape == found[0]]
    return sum(len({r[i] for r in rows}) > 1 for i in range(len(rows[0]))) == 1


def _targets(judged: Judged) -> set[str]:
    return {
        i.url.split("#")[0]
        for i, r in zip(judged.group.items, judged.roles, strict=True)
        if r != "other" and i.url and not (i.step and i.step.how == "same")
    }


def _bar(copies: list[Judged], doc: Document, scripts: Scripts) -> BarCandidate:
    lead = max(copies, key=lambda j: (j.group.marked, j.score))
    seen: set[tuple[str, str | None, str]] = set()
    links: list[BarLink] = []
    anchors: list[Anchor] = []
    for one in [lead, *(c for c in copies if c is not lead)]:
        for item, role, page in zip(one.group.items, one.roles, one.reading.pages, strict=True):
            key = (role, item.anchor.url, "" if item.anchor.url else item.anchor.text)
            if key not in seen:
                seen.add(key)
                links.append(BarLink(item.anchor.url, item.anchor.text, role, page))
                anchors.append(item.anchor)
    depths = [c.reading.depth for c in copies if c.reading.depth]
    older, newer, onward = direction(copies)
    form = post_form(onward, doc, scripts) if onward is not None else None
    return BarCandidate(
        node=copies[0].group.node,
        nodes=tuple(c.group.node for c in copies),
        links=tuple(links),
        anchors=tuple(anchors),
        score=lead.score,
        marked=any(c.group.marked for c in copies),
        current=lead.reading.current,
        depth=max(depths, default=None),
        older=older,
        newer=newer,
        last=last_page(copies),
        item_to_item=all(turned(c.reading) for c in copies),
        script=onward is not None,
        form=form,
    )


__all__ = [
    "GROUP_FEATURES",
    "LINK_FEATURES",
    "ROLES",
    "BarCandidate",
    "Scan",
    "find_bars",
    "judge",
    "scan",
]
