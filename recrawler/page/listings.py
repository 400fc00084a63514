"""Which blocks are listings, and which bar pages which: block and bar judged together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from recrawler.page.block_features import PageFacts, measure, shortlist
from recrawler.page.blocks import BLOCK_CLASS, TIME_CLASS, Candidate
from recrawler.page.classifier import PageModel
from recrawler.page.dates import date_from_url
from recrawler.page.document import Element, path, stable_classes, xpath
from recrawler.page.order import Dated, judge
from recrawler.page.pagination import BarCandidate
from recrawler.page.row_dates import Clock
from recrawler.page.rows import Row, read_rows, settle
from recrawler.page.types import Bar, Block, Link, Listing, ListingHint, SortOption

MAIN_AT = 0.15  # least score of a main listing
OTHER_AT = 0.6  # least score of a further listing without a bar
BARRED_AT = 0.3  # least score of a further listing with a bar of its own
MAX_LISTINGS = 6


@dataclass(frozen=True, slots=True)
class Chosen:
    """A block that is a listing, with its bar."""

    candidate: Candidate
    bar: BarCandidate | None


@dataclass(frozen=True, slots=True)
class Passed:
    """A candidate that was not taken."""

    xpath: str
    score: float
    why: str


@dataclass(slots=True)
class Choice:
    """The listings, the main one first; `hinted`: it is the one that earlier pages taught."""

    blocks: list[Chosen]
    rejected: list[Passed]
    warnings: list[str]
    hinted: bool = False


@dataclass(slots=True)
class Built:
    listing: Listing
    warnings: list[str] = field(default_factory=list)


def choose(
    page: PageFacts, bars: Sequence[BarCandidate], model: PageModel, hints: Sequence[ListingHint]
) -> Choice:
    """Scores the candidates, takes the main listing and those with bars of their own."""
    candidates = page.finder.find()
    scored = score(candidates, page, model, keep=_fitting(candidates, hints, page))
    warnings: list[str] = []
    marked = _marked_first(scored, page)
    hinted = [c for h in hints if (c := _by_hint(h, scored, page, warnings)) is not None]
    ranked = marked or scored
    taken: list[Candidate] = list(hinted)
    if not taken and ranked and (ranked[0].score >= MAIN_AT or ranked[0].marked):
        taken.append(ranked[0])
    if taken and not hinted:
        taken += _further(taken[0], ranked if len(marked) > 1 else scored, page, bars)
    pairs = pair(taken, bars, page)
    rejected = [Passed(_where(c, page), c.score, _why_not(c)) for c in scored if c not in taken][:8]
    return Choice([Chosen(c, b) for c, b in zip(taken, pairs, strict=True)], rejected, warnings, bool(hinted))


def score(
    candidates: list[Candidate], page: PageFacts, model: PageModel, keep: Sequence[Candidate] = ()
) -> list[Candidate]:
    """The candidates worth measuring with their scores, best first."""
    worth = shortlist(candidates, page)
    worth += [c for c in keep if c not in worth]
    measure(worth, page)
    learnt = model.get("block")
    if learnt is not None and worth:
        for c, p in zip(worth, learnt.predict_named([c.values for c in worth])[:, 1], strict=True):
            c.score = float(p)
    return sorted(worth, key=lambda c: -c.score)


def block_path(c: Candidate, page: PageFacts) -> str:
    """Where the links are, without positions: the way to the scope, `//`, the commonest way from there to a link.

    The same for every page of a series, one with a single row too.
    """
    links = Counter(path(page.doc.elements[page.tree.anchor_at[k]]) for k in c.chosen[:20])
    commonest = links.most_common(1)[0][0].split("/")
    scope = c.scope if len(c.chosen) > 1 else page.tree.parent[c.tops[0]]
    depth = len([s for s in path(page.doc.elements[scope]).split("/") if s])
    return "/".join(commonest[:depth]) + "//" + "/".join(commonest[depth:])


def _fitting(candidates: list[Candidate], hints: Sequence[ListingHint], page: PageFacts) -> list[Candidate]:
    return [c for c in candidates if any(_fit(c, h, page) > 0 for h in hints)] if hints else []


def _fit(c: Candidate, hint: ListingHint, page: PageFacts) -> float:
    """How well a candidate stands where the hint says, 0..1: same tags all the way; classes make the rest."""
    steps = hint.path.replace("//", "/").strip("/").split("/")
    node = page.doc.elements[page.tree.anchor_at[c.chosen[0]]]
    here: Element | None = node
    same = 0
    for step in reversed(steps):
        if here is None:
            return 0.0
        tag, *classes = step.split(".")
        if here.tag != tag:
            return 0.0
        same += set(classes) == set(stable_classes(here))
        here = here.getparent()
    if here is None or here.tag not in ("body", "html"):
        return 0.0
    return 0.5 + 0.5 * same / len(steps)


def _by_hint(
    hint: ListingHint, scored: list[Candidate], page: PageFacts, warnings: list[str]
) -> Candidate | None:
    """The candidate at the place that earlier pages taught, the widest of the best fitting."""
    fits = [(round(_fit(c, hint, page), 2), len(c.chosen), c.score, c) for c in scored]
    best = max((f for f in fits if f[0] >= 0.5), key=lambda f: f[:3], default=None)
    if best is None:
        warnings.append(f"the list is not where earlier pages had it ({hint.path})")
        return None
    return best[3]


def _marked_first(scored: list[Candidate], page: PageFacts) -> list[Candidate]:
    """The best candidate of each element marked as a link block, in document order."""
    marks = [i for i, n in enumerate(page.doc.elements) if BLOCK_CLASS in (n.get("class") or "").split()]
    out: list[Candidate] = []
    for at in marks:
        inside = [c for c in scored if at <= c.rows[0][0] and c.rows[-1][0] < page.tree.end[at]]
        if inside:
            best = max(inside, key=lambda c: (c.score, len(c.chosen)))
            best.marked = True
            if best not in out:
                out.append(best)
    return out


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


def _further(
    main: Candidate, ranked: list[Candidate], page: PageFacts, bars: Sequence[BarCandidate]
) -> list[Candidate]:
    """Other lists of the page: none of their links in a list taken before."""
    taken = [main]
    used = {page.finder.targets[k] for k in main.chosen}
    for c in ranked:
        if c is main or len(taken) >= MAX_LISTINGS:
            continue
        targets = {page.finder.targets[k] for k in c.chosen}
        if len(targets & used) > 0.1 * len(targets) or len(c.chosen) < 3:
            continue
        if c.marked or c.score >= OTHER_AT:
            taken.append(c)
            used |= targets
    return taken[1:]


def pair(
    taken: Sequence[Candidate], bars: Sequence[BarCandidate], page: PageFacts
) -> list[BarCandidate | None]:
    """The bar of each block: each bar goes to the block it stands nearest to, each block keeps its best."""
    best: list[tuple[float, BarCandidate] | None] = [None] * len(taken)
    for bar in bars:
        near = [(_nearness(c, bar, page), -i) for i, c in enumerate(taken)]
        if not near:
            break
        closeness, minus = max(near)
        worth = bar.score * closeness + bar.marked
        held = best[-minus]
        if held is None or worth > held[0]:
            best[-minus] = (worth, bar)
    return [b[1] if b else None for b in best]


def _nearness(c: Candidate, bar: BarCandidate, page: PageFacts) -> float:
    """1 for a bar that touches the block, less with every element between; a bar after counts a bit more."""
    first, last = c.rows[0][0], c.rows[-1][1]
    total = len(page.tree.tag)
    out = 0.0
    for node in bar.nodes:
        at = page.doc.position.get(node)
        if at is None:
            continue
        away = at - last if at >= last else (first - page.tree.end[at]) * 1.3 if at < first else 0.0
        out = max(out, 1 / (1 + 30 * max(0.0, away) / total))
    return out


def build(chosen: Chosen, page: PageFacts, clock: Clock, tabs: Sequence[SortOption]) -> Built:
    """The listing with its rows read, its order judged and its bar's directions set by the order."""
    c, bar = chosen.candidate, chosen.bar
    rows = read_rows(c, page, clock)
    marked_time = _sorted_mark(c, page)
    order = judge(
        [_dated(r) for r in rows],
        clock.now,
        marked=marked_time,
        tabs=tabs,
        url_dates=[_url_date(r.href) for r in rows],
    )
    rows, ahead = settle(rows, clock)
    older, newer = (bar.older, bar.newer) if bar else (None, None)
    if order.verdict == "oldest-first":
        older, newer = newer, older
    block = Block(
        xpath=_where(c, page),
        path=block_path(c, page),
        marked=c.marked,
        links=tuple(_link(r) for r in rows),
        score=c.score,
    )
    listing = Listing(
        block=block,
        bar=Bar(bar.xpath, bar.marked, bar.current, bar.depth, bar.links, bar.score) if bar else None,
        older=older,
        newer=newer,
        script_pager=bool(bar and bar.script),
        order=order,
        last=bar.last if bar else None,
        older_form=bar.form if bar else None,
    )
    warnings = [f"{ahead} rows are dated in the future: their dates are not given"] if ahead else []
    return Built(listing, warnings)


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


def _where(c: Candidate, page: PageFacts) -> str:
    return xpath(page.doc.elements[c.scope])


def _why_not(c: Candidate) -> str:
    v = c.values
    if not v:
        return "not measured"
    if v["side"] or v["in_aside"]:
        return f"{len(c.chosen)} links in a side column"
    if v["nav"] or v["in_nav"]:
        return f"{len(c.chosen)} links in a navigation"
    return f"{len(c.chosen)} links, less like a list of articles than the one taken"


def training_rows(page: PageFacts, wanted: Sequence[frozenset[int]]) -> list[tuple[Candidate, float]]:
    """Measured candidates of a labelled page, each with the F1 of its targets against the best labelled list.

    `wanted`: for each labelled list the numbers (`Finder.targets`) of its articles' links.
    """
    found = shortlist(page.finder.find(), page)
    measure(found, page)
    out = []
    for c in found:
        targets = {page.finder.targets[k] for k in c.chosen}
        out.append((c, max((_f1(targets, w) for w in wanted), default=0.0)))
    return out


def _f1(found: set[int], wanted: frozenset[int]) -> float:
    both = len(found & wanted)
    return 2 * both / (len(found) + len(wanted)) if both else 0.0
