"""The stages of the page model, each trained on what the one before says of pages that it has not seen.

    bar       is a group of links a pagination bar?
    glance    which candidates for the list are worth measuring?
    block     is a candidate the list of articles? how near bars stand, and how good, is among its features
    pair      is a group a bar, seeing how it stands to the likeliest block?
    bar_link  the role of each link of a group; the group's score by `pair` is one of its features
    kind      is the page an index? the best block and bar against the page's running text

A stage that is fed with scores from the pages that those scores were trained on learns to trust them too
much. So `Stages` keeps, for every set of folds left out, the models trained on the others, and asks each
page's features of a model that has not seen its fold. Leaving out nothing gives the model to ship; leaving
out one fold gives the model that this fold is judged by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from recrawler.learn.corpus import Labelled, folds_of
from recrawler.learn.fitting import Spec, as_model, blend, boosted, logistic, named, soft
from recrawler.page import glance as glances
from recrawler.page import joint
from recrawler.page import kind as kinds
from recrawler.page.block_features import NAMES as BLOCK_NAMES
from recrawler.page.block_features import PageFacts, facts, measure
from recrawler.page.blocks import Candidate, Finder
from recrawler.page.classifier import Floats, Model
from recrawler.page.features import LINK_FEATURES, link_rows
from recrawler.page.groupfeatures import GROUP_FEATURES, group_rows
from recrawler.page.groups import find_groups
from recrawler.page.outline import outline
from recrawler.page.pagination import ROLES, TAKE
from recrawler.page.reading import head_links, read
from recrawler.page.scripts import Scripts

FOLDS = 5
YES_NO = ("no", "yes")
WIDE = 7.0  # candidates farther behind than those in use teach what is no list
HOPELESS = 0.02  # links of groups below this score are not asked for their roles

Left = frozenset[int]
Ints = NDArray[np.intp]
T = TypeVar("T")


@dataclass(slots=True)
class BarRows:
    """All candidate bars of all pages: features and labels of groups and of their links."""

    groups: Floats
    is_bar: Ints
    links: Floats
    roles: Ints
    group_of: Ints  # the group row of each link row
    page_of: Ints  # the page of each group row
    span: Ints  # where each group stands: positions [start, end)


@dataclass(slots=True)
class BlockRows:
    """The candidate blocks of one page that a glance model has measured, as a bar model shows them."""

    at: list[int]  # which of all candidates they are
    x: Floats
    y: Floats  # F1 against the best labelled list
    bar: float  # the best bar's score, 0 without one


@dataclass(slots=True)
class Outlined:
    """All candidates of one page, none measured, and how well each fits a labelled list: F1 of its targets
    against the best."""

    facts: PageFacts
    candidates: list[Candidate]
    fit: Floats


@dataclass
class Stages:
    """Models by the folds that they have not seen. `weight` evens out sites with many pages."""

    pages: Sequence[Labelled]
    folds: int = FOLDS
    fold: Ints = field(init=False)
    weight: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.folds = max(2, min(self.folds, len({p.group for p in self.pages})))
        self.fold = np.array(folds_of(self.pages, self.folds))
        sizes = Counter(p.group for p in self.pages)
        self.weight = np.array([sizes[p.group] ** -0.5 for p in self.pages])
        self.weight /= self.weight.mean()
        self._kept: dict[tuple[str, Left], Any] = {}
        self._outlines: dict[int, Outlined] = {}
        self.bar_rows = bar_rows(self.pages)

    def specs(self, left: Left = frozenset()) -> dict[str, Spec]:
        """All models, trained on the pages whose folds are not left out."""
        with threadpool_limits(1):  # on these sizes more threads only wait for each other
            return {
                "bar": self.bar(left),
                "bar_link": self.link(left),
                "glance": self.glance(left),
                "block": self.block(left),
                "pair": self.pair(left),
                "kind": self.page_kind(left),
            }

    def bar(self, left: Left) -> Spec:
        return self._once("bar", left, self._fit_bar)

    def link(self, left: Left) -> Spec:
        return self._once("link", left, self._fit_link)

    def glance(self, left: Left) -> Spec:
        return self._once("glance", left, self._fit_glance)

    def block(self, left: Left) -> Spec:
        return self._once("block", left, self._fit_block)

    def pair(self, left: Left) -> Spec:
        return self._once("pair", left, self._fit_pair)

    def page_kind(self, left: Left) -> Spec:
        return self._once("kind", left, self._fit_kind)

    def _once(self, name: str, left: Left, make: Callable[[Left], T]) -> T:
        key = (name, left)
        if key not in self._kept:
            self._kept[key] = make(left)
        kept: T = self._kept[key]
        return kept

    def _seen(self, left: Left) -> NDArray[np.bool]:
        return ~np.isin(self.fold, list(left))

    def _fit_bar(self, left: Left) -> Spec:
        rows = self.bar_rows
        at = self._seen(left)[rows.page_of]
        weight = self.weight[rows.page_of][at]
        return named(GROUP_FEATURES, YES_NO, blend(rows.groups[at], rows.is_bar[at].astype(float), weight))

    def _fit_link(self, left: Left) -> Spec:
        """The roles of links. A group's score is its last one, by a line of a dozen features that hardly
        remembers a page and is fed by models that have not seen it."""
        rows = self.bar_rows
        x_pair, groups = self._standing(left)
        scores = np.zeros(len(rows.is_bar))
        scores[groups] = as_model(self.pair(left)).predict(x_pair)[:, 1]
        of_link = rows.page_of[rows.group_of]
        at = self._seen(left)[of_link] & (scores[rows.group_of] >= HOPELESS)
        x = rows.links[at]
        x[:, LINK_FEATURES.index("g_score")] = scores[rows.group_of][at]
        y = rows.roles[at].astype(float)
        return named(LINK_FEATURES, ROLES, blend(x, y, self.weight[of_link][at], len(ROLES), rounds=40))

    def _scores(self, left: Left) -> Floats:
        """The score of every group by a bar model that has not seen `left`."""
        return self._once(
            "scores", left, lambda _: as_model(self.bar(left)).predict(self.bar_rows.groups)[:, 1]
        )

    def _outlined(self, page: int) -> Outlined:
        if page not in self._outlines:
            self._outlines[page] = outlined(self.pages[page])
        return self._outlines[page]

    def _fit_glance(self, left: Left) -> Spec:
        xs, ys, weights = [], [], []
        for page in map(int, np.flatnonzero(self._seen(left))):
            known = self._outlined(page)
            if teaches_blocks(self.pages[page], known.fit):
                xs.append(glances.glance(known.candidates, known.facts))
                ys.append(known.fit**2)
                weights.append(np.full(len(known.fit), self.weight[page]))
        x, y, weight = soft(_rows(xs, glances.NAMES), _values(ys), _values(weights))
        return named(glances.NAMES, YES_NO, logistic(x, y, weight))

    def _page_rows(self, page: int, left: Left) -> BlockRows:
        """Candidate blocks as models show them that have seen neither `left` nor the page's fold."""
        blind = left | {int(self.fold[page])}
        return self._once(f"rows {page}", blind, lambda _: self._measure(page, blind))

    def _measure(self, page: int, blind: Left) -> BlockRows:
        known, scores = self._outlined(page), self._scores(blind)
        mine = np.flatnonzero(self.bar_rows.page_of == page)
        mine = mine[np.argsort(-scores[mine])]
        # As many as `scan` tells of: every bar, and the ten best of the rest.
        mine = mine[: int((scores[mine] >= TAKE).sum()) + 10]
        spans = [
            (int(start), int(end), float(scores[g])) for g in mine for start, end in (self.bar_rows.span[g],)
        ]
        known.facts.bars = spans
        found = glances.shortlist(known.candidates, known.facts, self._model("glance", blind), WIDE)
        measure(found, known.facts)
        place = {id(c): i for i, c in enumerate(known.candidates)}
        at = [place[id(c)] for c in found]
        x = [[c.values[n] for n in BLOCK_NAMES] for c in found]
        best = max((s for *_, s in spans if s >= TAKE), default=0.0)
        return BlockRows(at, np.array(x, dtype=float).reshape(-1, len(BLOCK_NAMES)), known.fit[at], best)

    def _model(self, name: str, left: Left) -> Model:
        return self._once(f"{name} model", left, lambda _: as_model(getattr(self, name)(left)))

    def _fit_block(self, left: Left) -> Spec:
        xs, ys, weights = [], [], []
        for page in np.flatnonzero(self._seen(left)):
            rows = self._page_rows(int(page), left)
            if teaches_blocks(self.pages[int(page)], rows.y):
                xs.append(rows.x)
                ys.append(rows.y**2)
                weights.append(np.full(len(rows.y), self.weight[page]))
        x, y, weight = soft(_rows(xs, BLOCK_NAMES), _values(ys), _values(weights))
        return named(BLOCK_NAMES, YES_NO, boosted(x, y, weight, rounds=150, rate=0.08))

    def _likeliest(self, page: int, rows: BlockRows, block: Spec) -> list[Candidate]:
        """The candidates of a page, scored by a block model, the best first."""
        found = [self._outlined(page).candidates[i] for i in rows.at]
        model = self._once(f"model {id(block)}", frozenset(), lambda _: as_model(block))
        for candidate, score, row in zip(found, model.predict(rows.x)[:, 1], rows.x, strict=True):
            candidate.score = float(score)
            candidate.values = dict(zip(BLOCK_NAMES, map(float, row), strict=True))
        return sorted(found, key=lambda c: -c.score)

    def _standing(self, left: Left) -> tuple[Floats, Ints]:
        return self._once("standing", left, self._stand)

    def _stand(self, left: Left) -> tuple[Floats, Ints]:
        """How each group stands to the likeliest block of its page, and which groups these are."""
        rows, groups = [], []
        for page in map(int, np.flatnonzero(self._seen(left))):
            mine = np.flatnonzero(self.bar_rows.page_of == page)
            if not len(mine):
                continue
            blind = left | {int(self.fold[page])}
            best = [*self._likeliest(page, self._page_rows(page, left), self.block(blind)), None][0]
            scores = self._scores(blind)
            spans = [
                (int(self.bar_rows.span[g][0]), int(self.bar_rows.span[g][1]), float(scores[g])) for g in mine
            ]
            rows += joint.standing(spans, best, self._outlined(page).facts.tree)
            groups += mine.tolist()
        return _rows(rows, joint.NAMES), np.array(groups, dtype=int)

    def _fit_pair(self, left: Left) -> Spec:
        x, groups = self._standing(left)
        weight = self.weight[self.bar_rows.page_of[groups]]
        return named(joint.NAMES, YES_NO, logistic(x, self.bar_rows.is_bar[groups].astype(float), weight))

    def _kind_row(self, page: int, rows: BlockRows, block: Spec) -> list[float]:
        """Features of the page kind, with the candidates scored by a block model."""
        known = self._outlined(page)
        first, second = [*self._likeliest(page, rows, block), None, None][:2]
        values = kinds.features(first, second, known.facts, rows.bar)
        return [values[name] for name in kinds.NAMES]

    def _fit_kind(self, left: Left) -> Spec:
        xs, ys, weights = [], [], []
        for page in np.flatnonzero(self._seen(left)):
            kind = self.pages[int(page)].kind
            if kind is None:
                continue
            block = self.block(left | {int(self.fold[page])})
            xs.append(self._kind_row(int(page), self._page_rows(int(page), left), block))
            ys.append(kind)
            weights.append(self.weight[page])
        # Few sites, many shapes: a strongly regularised line is right on .97 of unseen sites, a blend on .94.
        x = _rows(xs, kinds.NAMES)
        return named(kinds.NAMES, YES_NO, logistic(x, np.array(ys, dtype=float), np.array(weights), c=0.02))


def _rows(parts: Sequence[Any], names: Sequence[str]) -> Floats:
    """Rows of features, one below the other; a few pages may give none."""
    return np.vstack([np.empty((0, len(names))), *parts])


def _values(parts: Sequence[Floats]) -> Floats:
    return np.concatenate([np.empty(0), *parts])


def teaches_blocks(page: Labelled, fit: Floats) -> bool:
    """Pages whose list is labelled and among the candidates, and pages that surely have none."""
    if not len(fit):
        return False
    if page.blocks():
        return bool(fit.max() >= 0.7)
    return page.row["kind"] in ("article", "article_paged", "forum_thread")


def outlined(page: Labelled) -> Outlined:
    """The candidates of a labelled page."""
    tree = outline(page.doc)
    finder = Finder(page.doc, tree)
    found = finder.find()
    wanted = [frozenset(finder.targets[i] for i in block) - {-1} for block in page.blocks()]
    own = [{finder.targets[k] for k in c.chosen} for c in found]
    fit = [max((_f1(targets, w) for w in wanted), default=0.0) for targets in own]
    return Outlined(facts(page.doc, tree, finder), found, np.array(fit))


def _f1(found: set[int], wanted: frozenset[int]) -> float:
    both = len(found & wanted)
    return 2 * both / (len(found) + len(wanted)) if both else 0.0


def bar_rows(pages: Sequence[Labelled]) -> BarRows:
    """Training rows of all candidate bars of the pages."""
    groups: list[list[float]] = []
    links: list[list[float]] = []
    is_bar: list[bool] = []
    roles: list[int] = []
    group_of: list[int] = []
    page_of: list[int] = []
    span: list[tuple[int, int]] = []
    for at, page in enumerate(pages):
        labels = page.roles()
        head, scripts = head_links(page.doc), Scripts(page.doc)
        readings = [read(g, page.doc, head, scripts) for g in find_groups(page.doc)]
        for reading, row in zip(readings, group_rows(readings, page.doc), strict=True):
            group = reading.group
            if not group.items:
                continue
            told = [labels.get(i.anchor.index, "other") for i in group.items]
            links += [[v[n] for n in LINK_FEATURES] for v in link_rows(reading, row, 0.0)]
            roles += [ROLES.index(role) for role in told]
            group_of += [len(groups)] * len(told)
            groups.append([row[name] for name in GROUP_FEATURES])
            is_bar.append(any(role != "other" for role in told))
            page_of.append(at)
            start = page.doc.position[group.node]
            span.append((start, page.doc.end[start]))
    return BarRows(
        groups=np.array(groups, dtype=float).reshape(-1, len(GROUP_FEATURES)),
        is_bar=np.array(is_bar, dtype=int),
        links=np.array(links, dtype=float).reshape(-1, len(LINK_FEATURES)),
        roles=np.array(roles, dtype=int),
        group_of=np.array(group_of, dtype=int),
        page_of=np.array(page_of, dtype=int),
        span=np.array(span, dtype=int).reshape(-1, 2),
    )
