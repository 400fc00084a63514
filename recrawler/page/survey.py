"""One HTML document in, its analysis out: all steps joined.

The order of work: candidates for bars and blocks; the learnt models score both, a block with the bars around it
among its features; the best block is the main listing; every bar goes to the listing it stands nearest to; rows get
titles, dates and pins; the order is judged; the page gets its kind and verdict.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from recrawler.page import beyond, joint, zones
from recrawler.page import choice as choosing
from recrawler.page import kind as kinds
from recrawler.page import listings as lists
from recrawler.page import verdict as verdicts
from recrawler.page.bars import BarCandidate
from recrawler.page.blocks import Finder
from recrawler.page.classifier import Floats, PageModel
from recrawler.page.country import country_zone
from recrawler.page.dates import find_date, parse_time_attr
from recrawler.page.document import Document, text_of
from recrawler.page.facts import facts
from recrawler.page.groups import Group
from recrawler.page.outline import Outline, outline
from recrawler.page.pagination import TAKE, scan
from recrawler.page.row_dates import Clock, When
from recrawler.page.types import (
    EMBEDDED,
    Kind,
    Listing,
    ListingHint,
    PageAnalysis,
    PageVerdict,
    Rejected,
    SortOption,
)  # fmt: skip
from recrawler.page.wholes import MAIN_AT

FAINT = 10  # groups that are hardly bars and still told to the blocks, as in training
STALE = timedelta(days=730)
LETTERS_FROM = 80  # links whose texts tell a page's language
_LETTERS = (
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
)  # in this order: Japanese has Chinese characters too
LEAST_ROWS, MOST_DATED = 5, 0.8  # of a list that is there only because one is expected
CLEAR = 0.5  # score from which it needs neither bar nor dates
DOUBTFUL = 0.1  # score from which a bar is enough for such a list without dates
SURE_INDEX = 0.6  # of a page whose list is paged, though the addresses of its pages look like articles'
ARTICLE = "an article, not an index; "
INDEX_AT = 0.4  # least kind score of an index: of real pages between .4 and .5, most are


@dataclass(frozen=True, slots=True)
class Given:
    """What is known beside the page: `analyse` tells of each."""

    now: datetime
    zone: tzinfo | None
    hints: Sequence[ListingHint]
    expected: bool
    model: PageModel


@dataclass(slots=True)
class Page:
    """What all steps share."""

    doc: Document
    tree: Outline
    view: choosing.View
    first_bar: float  # the best score of a bar before blocks were known
    bars: tuple[BarCandidate, ...]
    sort_options: tuple[SortOption, ...]
    rejected: list[Rejected]
    clock: Clock
    warnings: list[str]


def survey(doc: Document, given: Given) -> PageAnalysis:
    """What a document says."""
    now, expected = given.now, given.expected
    page = _read(doc, given)
    choice = choosing.choose(page.view, page.bars, choosing.FAINT_AT if expected else MAIN_AT)
    listings = _listings(page, choice)
    best = choice.blocks[0].candidate if choice.blocks else None
    kind, kind_score = _kind(page, choice, given.model)
    main: int | None = 0 if listings and (kind == "index" or choice.hinted) else None
    if main is not None and kind_score >= SURE_INDEX and (bar := choice.blocks[main].bar) is not None:
        listings[main] = lists.paged(listings[main], bar)
    if not listings and page.bars:
        listings = [lists.build_bare(max(page.bars, key=lambda b: b.score))]
    verdict, why = _verdict(page, kind, kind_score, main, listings, choice.bare)
    if kind == "article" and kinds.is_front(page.doc.url):
        kind, why = "other", why.removeprefix(ARTICLE)
    doubtful = verdict in ("no-list", "shell") and kind != "article"
    if expected and doubtful and listings and _likely(listings[0]):
        main, verdict, why = 0, "list", f"{why}; yet a list is expected here, and there is one"
    if verdict != "list":
        main, kind = None, "article" if kind == "article" and verdict == "no-list" else "other"
    stale = _stale(main, listings, now)
    page.warnings += _elsewhere(doc, main, verdict, stale)
    page.rejected += [Rejected("block", x.xpath, x.score, x.why, x.sample) for x in choice.rejected]
    return PageAnalysis(
        url=doc.url,
        kind=kind,
        kind_score=round(kind_score, 4),
        verdict=verdict,
        verdict_why=why if best is not None or verdict != "list" else "",
        main=main,
        listings=tuple(listings),
        sort_options=page.sort_options,
        feeds=beyond.feeds_of(doc),
        warnings=tuple(dict.fromkeys(page.warnings)),
        title=doc.title,
        lang=doc.lang,
        rejected=tuple(page.rejected),
        zone=page.clock.zone,
        refresh=beyond.refresh_of(doc),
        stale=stale,
    )


def _listings(page: Page, choice: choosing.Choice) -> list[Listing]:
    """The listings of the blocks chosen; none, where the best is hardly like a list."""
    page.warnings += choice.warnings
    listings = [_listing(page, b) for b in choice.blocks]
    if listings and listings[0].bar is None:
        listings = _with_zones(page, choice, listings)
    if listings and not choice.hinted and _faint(listings[0]):
        if not _likely(listings[0]):
            choice.blocks = []
            return []
        page.warnings.append(f"it is doubtful whether this is the list: {listings[0].block.path}")
    return listings


def _with_zones(page: Page, choice: choosing.Choice, listings: list[Listing]) -> list[Listing]:
    """The listings, the main one with what of it stands in other zones of the page."""
    main, page_facts = choice.blocks[0].candidate, page.view.page
    whole = zones.run_on(
        main,
        listings[0].block.links,
        page.view.scored,
        page_facts,
        lambda c: lists.build(c, None, page_facts, page.clock, ()).listing.block.links,
    )
    if whole is main:
        return listings
    held = set(whole.chosen)
    apart = [held.isdisjoint(b.candidate.chosen) for b in choice.blocks]
    choice.blocks = [
        choosing.Chosen(whole, None),
        *(b for b, free in zip(choice.blocks, apart, strict=True) if free),
    ]
    return [_listing(page, choice.blocks[0]), *(x for x, free in zip(listings, apart, strict=True) if free)]


def _elsewhere(doc: Document, main: int | None, verdict: PageVerdict, stale: str) -> list[str]:
    """Where the list may be that the page does not show, or shows an old state of."""
    told = [stale] if stale else []
    if main is None or stale:
        told += [EMBEDDED + x for x in beyond.embedded_lists(doc)]
    if verdict in ("shell", "no-list"):
        told += [f"a frame of the page holds {x}" for x in beyond.frames_of(doc)]
    return told


def _read(doc: Document, given: Given) -> Page:
    look = Look(doc, outline(doc), given.model, given.hints)
    seen = scan(doc, given.model, look.rescore)
    rejected = [
        Rejected(
            "bar", doc.root.getroottree().getpath(n), s, "less like a bar", " ".join(text_of(n, 60).split())
        )
        for n, s in seen.rejected[:5]
    ]
    return Page(
        doc=doc,
        tree=look.tree,
        view=look.view or look.see([]),
        first_bar=max([look.best_bar, *(b.score for b in seen.bars if not any(b.anchors))]),
        bars=seen.bars,
        sort_options=seen.sort_options,
        rejected=rejected,
        clock=_clock(given.now, given.zone or country_zone(doc.url), _language(doc), given.hints),
        warnings=["the page is too large: only a part was read"] if doc.truncated else [],
    )


class Look:
    """Blocks and bars judged together: the groups' first scores help to find the block, and where they stand
    to it gives them their last."""

    def __init__(self, doc: Document, tree: Outline, model: PageModel, hints: Sequence[ListingHint]) -> None:
        self.doc = doc
        self.tree = tree
        self.model = model
        self.hints = hints
        self.view: choosing.View | None = None
        self.best_bar = 0.0  # the best first score of a bar

    def see(self, spans: Sequence[joint.Span], paging: Collection[int] = ()) -> choosing.View:
        """Finds the blocks, with what is known of bars; `paging`: links that are surely no articles."""
        known = sorted(spans, key=lambda span: -span[2])
        kept = [s for s in known if s[2] >= TAKE] + [s for s in known if s[2] < TAKE][:FAINT]
        found = facts(self.doc, self.tree, Finder(self.doc, self.tree, paging), kept)
        self.view = choosing.view(found, self.model, self.hints)
        return self.view

    def rescore(self, groups: Sequence[Group], scores: Floats) -> list[float]:
        """The scores of groups of links in the light of the likeliest block."""
        spans = []
        for group, score in zip(groups, scores, strict=True):
            start = self.doc.position[group.node]
            spans.append((start, self.tree.end[start], float(score)))
        self.best_bar = max([s for *_, s in spans if s >= TAKE], default=0.0)
        seen = self.see(spans, joint.surely_paging(groups, scores))
        learnt = self.model.get("pair")
        if learnt is None or not spans:
            return [s for *_, s in spans]
        rows = joint.standing(spans, seen.scored[0] if seen.scored else None, self.tree)
        judged = learnt.predict(rows)[:, 1]
        best = seen.scored[0] if seen.scored else None
        return [
            joint.second(group, span, float(new), best)
            for group, span, new in zip(groups, spans, judged, strict=True)
        ]


def _language(doc: Document) -> str | None:
    """The language that a page declares; where it declares none, or English as many templates do, the one that
    its letters tell of."""
    if doc.lang and not doc.lang.lower().startswith("en"):
        return doc.lang
    text = doc.title + "".join([a.text for a in doc.anchors[:LETTERS_FROM]])
    for lang, letters in _LETTERS:
        if len(letters.findall(text)) > 0.2 * len(text):
            return lang
    return doc.lang


def _clock(now: datetime, zone: tzinfo | None, lang: str | None, hints: Sequence[ListingHint]) -> Clock:
    tz = zone or UTC

    def find(text: str, loose: bool, day_first: bool | None) -> When | None:
        found = find_date(text, now=now, tz=tz, lang=lang, loose=loose, day_first=day_first)
        return When(found.date, found.precision) if found else None

    def find_attribute(text: str) -> When | None:
        found = parse_time_attr(text, now=now, tz=tz)
        return When(found.date, found.precision) if found else None

    usual = next((h.day_first for h in hints if h.day_first is not None), None)
    return Clock(now, zone, find, find_attribute, usual)


def _listing(page: Page, block: choosing.Chosen) -> Listing:
    made = lists.build(block.candidate, block.bar, page.view.page, page.clock, page.sort_options)
    page.warnings += made.warnings
    return made.listing


def _kind(page: Page, choice: choosing.Choice, model: PageModel) -> tuple[Kind, float]:
    """Index, article or other; the score is that of being an index."""
    blocks = [b.candidate for b in choice.blocks]
    best, second = [*blocks, None, None][:2]
    values = kinds.features(best, second, page.view.page, page.first_bar)
    learnt = model.get("kind")
    if learnt is None:
        score = best.score if best is not None else 0.0
    else:
        score = float(learnt.predict_named([values])[0, 1])
    if score >= INDEX_AT:
        return "index", score
    return ("article" if kinds.is_article(values) else "other"), score


def _verdict(
    page: Page, kind: Kind, kind_score: float, main: int | None, listings: Sequence[Listing], bare: bool
) -> tuple[PageVerdict, str]:
    if (said := verdicts.by_title(page.doc, page.tree)) is not None:
        return said
    if main is not None:
        block = listings[main].block
        why = f"{len(block.links)} rows at {block.path or block.xpath}, score {block.score:.2f}"
        if others := verdicts.may_be(listings[main], kind_score):
            other, told = verdicts.instead(page.doc, page.tree, prose=False)
            return (other, told) if other in others else ("list", why)
        return "list", why
    if bare:
        return "empty", "the element that is marked as the link block holds no links"
    verdict, why = verdicts.instead(page.doc, page.tree, kind == "article")
    if verdict == "no-list" and kind == "article":
        return verdict, f"{ARTICLE}{why}"
    return verdict, why


def _faint(found: Listing) -> bool:
    return found.block.score < MAIN_AT and not found.block.marked


def _likely(found: Listing) -> bool:
    """Whether the best block of a page that is not clearly an index is a list all the same: it has a bar that
    leads on, or its rows are dated, or it looks more like a list than not; where it looks little like one, the bar
    and more."""
    bar, links = found.bar, found.block.links
    dated = sum(x.date is not None for x in links) >= MOST_DATED * len(links)
    leads = bool(bar and (found.older or found.newer or found.older_form))
    if _faint(found):
        return len(links) >= LEAST_ROWS and leads and (dated or found.block.score >= DOUBTFUL)
    return len(links) >= LEAST_ROWS and (leads or dated or found.block.score >= CLEAR)


def _stale(main: int | None, listings: Sequence[Listing], now: datetime) -> str:
    """What shows that the static list is an old one, beside a newer one that script shows."""
    links = listings[main].block.links if main is not None else ()
    dates = [x.date for x in links if x.date]
    if not dates or len(dates) < 0.5 * len(links) or now - max(dates) <= STALE:
        return ""
    return f"the static list looks stale: its newest date is {max(dates).date().isoformat()}"
