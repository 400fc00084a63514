"""A block made a listing: its rows read, its order judged, its place named, its bar's directions set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from recrawler.page.blocks import BLOCK_CLASS, TIME_CLASS, Candidate
from recrawler.page.dates import date_from_url
from recrawler.page.document import xpath
from recrawler.page.facts import PageFacts, shape_of
from recrawler.page.order import Dated, judge
from recrawler.page.outline import Outline
from recrawler.page.pagination import BarCandidate
from recrawler.page.row_dates import Clock
from recrawler.page.rows import Row, read_rows, settle
from recrawler.page.types import Bar, Block, Link, Listing, Order, SortOption

PAGED, SURE = 4, 0.5  # least rows and score of a list that its bar surely pages
TIMED = 0.8  # share of the rows
_YEAR = re.compile(r"\d{4}|年\s?\d{1,2}\s?月|\d\s?([./-])\s?\d{1,2}\1\s?\d")


MOST_WAYS = 0.25  # of a list's rows may be links of its bar


@dataclass(slots=True)
class Built:
    listing: Listing
    warnings: list[str] = field(default_factory=list)


def build(
    c: Candidate, bar: BarCandidate | None, page: PageFacts, clock: Clock, tabs: Sequence[SortOption]
) -> Built:
    """The listing with its rows read, its order judged and its bar's directions set by the order."""
    rows = _without_ways(read_rows(c, page, clock), bar)
    marked_time = _sorted_mark(c, page)
    order = judge(
        [_dated(r) for r in rows],
        clock.now,
        marked=marked_time,
        tabs=tabs,
        url_dates=(_url_date(r.href) for r in rows),  # read only where nothing better tells
    )
    order = _unless_coming(order, rows, page)
    if bar is not None and bar.node.tag == "link" and order.verdict == "unsorted":
        bar = None  # the head of a home made of several boxes names a next page too, which goes on with none of them
    rows, ahead = settle(rows, clock)
    older, newer = (bar.older, bar.newer) if bar else (None, None)
    if order.verdict == "oldest-first":
        older, newer = newer, older
    block = Block(
        xpath=where(c, page),
        path=block_path(c, page),
        marked=c.marked,
        links=tuple(_link(r) for r in rows),
        score=c.score,
    )
    listing = Listing(
        block=block,
        bar=_bar(bar) if bar else None,
        older=older,
        newer=newer,
        script_pager=bool(bar and bar.script),
        order=order,
        last=bar.last if bar else None,
        older_form=bar.form if bar else None,
        ahead=ahead,
        day_first=clock.day_first,
    )
    early = f"{ahead} row is" if ahead == 1 else f"{ahead} rows are"
    warnings = [f"{early} dated in the future, so without a date here: is the zone right?"] if ahead else []
    return Built(listing, warnings)


def paged(found: Listing, bar: BarCandidate) -> Listing:
    """The listing with the ways that its bar has if it pages a list, where they were taken for ways from article to
    article by their addresses alone."""
    if not bar.item_to_item or len(found.block.links) < PAGED or found.block.score < SURE:
        return found
    return replace(found, older=found.newer, newer=found.older)


def _without_ways(rows: list[Row], bar: BarCandidate | None) -> list[Row]:
    """The rows without the few that are ways on of the list's own bar, and unlike the others in their URLs: arrows
    made like rows."""
    ends = ("next", "prev", "first", "last")
    ways = {x.href for x in bar.links if x.role in ends} if bar else set()
    shapes = [shape_of(r.href.split("/", 3)[-1]) for r in rows] if ways & {r.href for r in rows} else []
    if not shapes:
        return rows
    usual = Counter(shapes).most_common(1)[0][0]
    kept = [r for r, shape in zip(rows, shapes, strict=True) if shape == usual or r.href not in ways]
    return kept if len(rows) - len(kept) <= MOST_WAYS * len(rows) else rows


def build_bare(bar: BarCandidate) -> Listing:
    """A listing without rows, for a page that has a bar and no list of articles: products, a paged article."""
    parent = bar.node.getparent()
    return Listing(
        block=Block(xpath(bar.node if parent is None else parent), "", False, ()),
        bar=_bar(bar),
        older=bar.older,
        newer=bar.newer,
        script_pager=bar.script,
        order=Order("unknown"),
        last=bar.last,
        older_form=bar.form,
    )


def _bar(bar: BarCandidate) -> Bar:
    return Bar(bar.xpath, bar.marked, bar.current, bar.depth, bar.links, bar.score)


def _dated(r: Row) -> Dated:
    return Dated(
        r.href, r.text, r.when.date if r.when else None, r.when.precision if r.when else None, r.pinned
    )


def _url_date(href: str) -> datetime | None:
    found = date_from_url(href)
    return (
        datetime(found[0].year, found[0].month, found[0].day, tzinfo=UTC)
        if found and found[1] == "day"
        else None
    )


def _link(r: Row) -> Link:
    return Link(
        r.href, r.text, r.when.date if r.when else None, r.when.precision if r.when else None, r.pinned
    )


def _unless_coming(order: Order, rows: Sequence[Row], page: PageFacts) -> Order:
    """The verdict, but for rows that rise by times of day without a year: a calendar's coming events, or ages that
    a cache keeps, are no publish times."""
    if order.verdict != "oldest-first":
        return order
    timed = [r for r in rows if r.when is not None and r.when.precision != "day"]
    if len(timed) < TIMED * len(rows) or sum(_tells_year(r, page) for r in timed) > len(timed) / 2:
        return order
    return Order("unknown", (*order.evidence, "the times tell no year, as those of coming events do"))


def _tells_year(r: Row, page: PageFacts) -> bool:
    start, end = r.region
    if _YEAR.search(page.tree.words(start, end)):
        return True
    return any(n.tag == "time" and n.get("datetime") for n in page.doc.elements[start:end])


def where(c: Candidate, page: PageFacts) -> str:
    return xpath(page.doc.elements[c.scope])


def _sorted_mark(c: Candidate, page: PageFacts) -> bool:
    """Whether the block, or an element close above it, carries the class that says sorted by publish time."""
    at = c.scope
    for _ in range(6):
        if at < 0:
            return False
        tokens = (page.doc.elements[at].get("class") or "").split()
        if TIME_CLASS in tokens:
            return True
        if BLOCK_CLASS in tokens:
            return False
        at = page.tree.parent[at]
    return False


def block_path(c: Candidate, page: PageFacts) -> str:
    """Where the links are, without positions: the way to the scope, `//`, and the way from there to a link, with
    the classes that all rows share. The same for every page of a series, one with a single row too."""
    tree, class_of = page.tree, page.finder.class_of
    scope = c.scope if len(c.chosen) > 1 else tree.parent[c.tops[0]]
    ways = [_way(tree.anchor_at[k], tree) for k in c.chosen[:30]]
    made = [tuple([tree.tag[i] for i in way]) for way in ways]
    tags, _ = Counter(made).most_common(1)[0]
    alike = [way for way, own in zip(ways, made, strict=True) if own == tags]
    steps = []
    for tag, *places in zip(tags, *alike, strict=True):
        shared = set.intersection(*[set(class_of(i).split()) for i in set(places)])
        steps.append(".".join([tag, *sorted(shared)[:3]]))
    depth = len(_way(scope, tree))
    return "/".join(steps[:depth]) + "//" + "/".join(steps[depth:])


def way_to(at: int, page: PageFacts) -> list[tuple[str, set[str]]]:
    """Tags and stable classes from below <body> down to an element."""
    tree, class_of = page.tree, page.finder.class_of
    return [(tree.tag[i], set(class_of(i).split())) for i in _way(at, tree)]


def _way(at: int, tree: Outline) -> list[int]:
    return [i for i in tree.chain(at) if tree.tag[i] not in ("html", "body")]
