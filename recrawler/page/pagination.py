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
from dataclasses import dataclass, field, replace

import numpy as np

from recrawler.page.bars import BarCandidate
from recrawler.page.classifier import Floats, PageModel, load_model
from recrawler.page.document import Anchor, Document, Element
from recrawler.page.features import LINK_FEATURES, link_rows
from recrawler.page.groupfeatures import GROUP_FEATURES, group_rows
from recrawler.page.groups import Group, Item, find_groups
from recrawler.page.options import find_options, optional
from recrawler.page.pagers import extra_bars, post_form, with_node
from recrawler.page.reading import Reading, head_links, read, url_way
from recrawler.page.scripts import Scripts
from recrawler.page.slots import Parts, cut, slot_of, step
from recrawler.page.types import BarLink, Role, SortOption

ROLES: tuple[Role, ...] = ("other", "next", "prev", "page", "first", "last")  # classes of the link model
TAKE = 0.4  # least score of a bar; figures hardly change between 0.2 and 0.5
LEADS_BACK = 0.7  # the same of one that only leads back, on a page that writes another by script
LOOK = 0.08  # least score of a group whose links are judged
Rescore = Callable[[Sequence[Group], Floats], Sequence[float]]  # groups and their scores: new scores


@dataclass(slots=True)
class Judged:
    """A group with what the model says of it."""

    reading: Reading
    score: float
    odds: Floats  # [link, role]
    roles: list[Role] = field(default_factory=list)

    @property
    def group(self) -> Group:
        return self.reading.group


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
        one.roles = _roles(one, cut(doc.url))
    kept = [j for j in kept if j.group.marked or any(r != "other" for r in j.roles)]
    bars = [_as_in_head(_bar(copies, doc, scripts), doc) for copies in _series(kept)]
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


SURE_BAR = 0.5  # score from which a group has to have links that page ...
DOUBT = 0.8  # ... though each of them is "other" by odds up to this
SAID = 0.87  # the same for a link with an arrow, or a word, that leads on or back


def _likeliest(judged: Judged) -> list[Role]:
    """Each link's role by its odds. Where a group is a bar and yet none of its links would page, they are
    judged as the links of a bar: by their odds among the roles that page. So is every link of it that says so."""
    items = judged.reading.group.items
    count = len(items)
    roles: list[Role] = [ROLES[int(o.argmax())] for o in judged.odds[:count]]
    if judged.score >= SURE_BAR:
        none = all(r == "other" for r in roles)
        for k, (role, odds) in enumerate(zip(roles, judged.odds, strict=False)):
            least = SAID if _leads(items[k]) else DOUBT if none else 0.0
            if role == "other" and odds[0] < least:
                free = [r for r in ROLES[1:] if r == "page" or r not in roles]
                roles[k] = max(free, key=lambda r: odds[ROLES.index(r)], default="other")
    return roles + ["other"] * (count - len(roles))


def _leads(item: Item) -> bool:
    """A link with a URL that an arrow, or a word, tells to lead on or back."""
    said = set(item.shape.senses) & {"next", "prev", "older", "newer"}
    return item.anchor.url is not None and bool(abs(item.shape.arrow) == 1 or said)


def _roles(judged: Judged, page: Parts) -> list[Role]:
    """The role of each link: the likeliest ones, made consistent with each other."""
    reading = judged.reading
    roles: list[Role] = []
    likeliest = _likeliest(judged)
    for k, item in enumerate(reading.group.items):
        role = likeliest[k]
        if role in ("next", "prev", "first", "last") and item.shape.pure and item.shape.arrow == 0:
            role = "page"
        if role != "other" and item.parts is not None and optional(page, item.parts):
            role = "other"
        if role in ("next", "prev") and _nowhere(item, reading, k, role):
            role = "other"
        if role in ("next", "prev") and _skips(reading, k):
            role = "page"
        if role == "page" and not item.shape.pure:
            role = _end(reading, k)
        roles.append(role)
    for wanted in ("next", "prev"):
        _only_one(roles, judged, wanted)
    if not reading.numbers:
        _lone_arrows(roles, judged)
    return roles


def _lone_arrows(roles: list[Role], judged: Judged) -> None:
    """Without numbers, the only arrow that points a way is next or previous, doubled (»») or not."""
    for way, role, ends in ((1, "next", ("last", "page")), (-1, "prev", ("first", "page"))):
        at = [k for k, i in enumerate(judged.group.items) if i.shape.arrow * way > 0]
        if len(at) == 1 and roles[at[0]] in ends and not judged.group.items[at[0]].shape.senses:
            roles[at[0]] = "next" if role == "next" else "prev"


def _nowhere(item: Item, reading: Reading, k: int, role: Role) -> bool:
    """A next that leads to the page itself or beyond the greatest page, a prev that leads to itself."""
    if item.step is not None and item.step.how == "same" and item.url is not None:
        return True
    page, here = reading.pages[k], reading.current
    if role == "next" and page is not None and here is not None and reading.numbers and reading.sure > 0.5:
        return page > max(*reading.numbers, here) and page > (reading.depth or 0)
    return False


def _end(reading: Reading, k: int) -> Role:
    """First or last for a link without a number that leads to either end."""
    page = reading.pages[k]
    if page == 1:
        return "first"
    return "last" if page is not None and page == reading.depth and page != reading.current else "page"


def _skips(reading: Reading, k: int) -> bool:
    """Whether a link leads several pages away while the bar has the very next one: a jump by ten."""
    page, here = reading.pages[k], reading.current
    if page is None or here is None or reading.sure < 0.4 or abs(page - here) < 2:
        return False
    near = here + 1 if page > here else here - 1
    return any(n == near and i.url for n, i in zip(reading.pages, reading.group.items, strict=True))


def _only_one(roles: list[Role], judged: Judged, wanted: str) -> None:
    """Among several links called next (or prev) only those of the likeliest URL are; others are pages."""
    at = [k for k, r in enumerate(roles) if r == wanted]
    items = judged.group.items
    if len({items[k].url for k in at}) < 2:
        return
    column = ROLES.index("next" if wanted == "next" else "prev")
    best = max(at, key=lambda k: judged.odds[k][column])
    for k in at:
        if items[k].url != items[best].url:
            second = judged.odds[k].copy()
            second[column] = -1.0
            roles[k] = ROLES[int(second.argmax())]


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
    older, newer, onward = _direction(copies)
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
        last=_last(copies),
        item_to_item=all(from_item_to_item(c.reading) for c in copies),
        script=onward is not None,
        form=form,
    )


def _direction(copies: Sequence[Judged]) -> tuple[str | None, str | None, Item | None]:
    """URL of the older page, of the newer one, and the link to the older one where that has no URL."""
    older: list[tuple[float, Item]] = []
    newer: list[tuple[float, Item]] = []
    for one in copies:
        for k, (item, role) in enumerate(zip(one.group.items, one.roles, strict=True)):
            if role == "other" or (item.step is not None and item.step.how == "same"):
                continue
            if item.url is None and item.cues & {"dead", "current"}:
                continue
            way = leaning(one.reading, k, role)
            if way:
                (older if way > 0 else newer).append((abs(way), item))
    on = max(older, key=lambda pair: pair[0], default=None)
    back = max(newer, key=lambda pair: pair[0], default=None)
    if on and back and on[1].url is not None and on[1].url == back[1].url:
        on, back = (on, None) if on[0] >= back[0] else (None, back)
    lost = on[1] if on is not None and on[1].url is None else None
    return on[1].url if on else None, back[1].url if back else None, lost


def leaning(reading: Reading, k: int, role: Role) -> float:
    """How much a link leads to the page with older items (above 0) or newer ones (below 0); 0: neither.

    A page number one on from the current page says most, then words for older and newer, then a number in the
    URL that rises or falls, then the link's role. From article to article "next" is the newer one.
    """
    item = reading.group.items[k]
    page, here = reading.pages[k], reading.current
    away = page - here if page is not None and here is not None else None
    if role in ("page", "first", "last"):
        if away not in (1, -1) or reading.sure < 0.3:
            return 0.0
        return float(away) * (0.9 if role == "page" else 0.5)
    if away in (1, -1) and reading.sure >= 0.3:
        return float(away) * 3.0
    said = item.shape.senses
    way = 1.5 if role == "next" else -1.5
    if "older" in said or "newer" in said:
        way += 2.5 if "older" in said else -2.5
    if from_item_to_item(reading):
        return way if {"older", "newer"} & set(said) else -way
    url = item.url.split("#")[0] if item.url else ""
    way += 2.5 * ((url == reading.head.next) - (url == reading.head.prev)) if url else 0.0
    rises = -2.0 if reading.falling and item.step is not None and item.step.how == "number" else 2.0
    return way + url_way(item.parts, item.step) * rises


def from_item_to_item(reading: Reading) -> bool:
    """Whether a bar leads from article to article: no numbers, and targets that read like articles."""
    if reading.numbers or reading.scale is not None or reading.current is not None:
        return False
    turning = [
        i
        for i in reading.group.items
        if i.step
        and (set(i.shape.senses) & {"next", "prev"} or (not i.shape.senses and abs(i.shape.arrow) == 1))
    ]
    return bool(turning) and all(_to_item(i) for i in turning)


def _to_item(item: Item) -> bool:
    step = item.step
    if step is None or step.hint:
        return False
    return step.how in ("file", "other") or (step.how == "number" and (step.value or 0) > 300)


def _last(copies: Sequence[Judged]) -> str | None:
    """The URL of the last page: the link called last, else the greatest number told."""
    for one in copies:
        for item, role in zip(one.group.items, one.roles, strict=True):
            if role == "last" and item.url:
                return item.url
    numbered = [
        (page, item.url)
        for one in copies
        for item, role, page in zip(one.group.items, one.roles, one.reading.pages, strict=True)
        if role == "page" and page is not None and item.url and page == one.reading.depth
    ]
    return max(numbered)[1] if numbered else None


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
