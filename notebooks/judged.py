"""The labelled pages that the notebooks look at, each analysed by models that have seen no page of its group.

Environment:

RECRAWLER_SHARED          a folder with a further corpus (`corpus/labels.jsonl`), by default `shared` beside
                          the checkout; used only where it is present
RECRAWLER_NOTEBOOK_PAGES  how many pages of each corpus are looked at; by default all
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from recrawler import learn
from recrawler.learn.corpus import INDEX, NOT_INDEX, Labelled
from recrawler.learn.fitting import as_model, as_page_model
from recrawler.learn.stages import BarRows, bar_rows, outlined
from recrawler.learn.training import analyses
from recrawler.page import kind as kinds
from recrawler.page.block_features import measure
from recrawler.page.classifier import Floats, PageModel
from recrawler.page.glance import shortlist
from recrawler.page.pagination import scan

ROOT = Path(__file__).resolve().parents[1]
OWN, SHARED = "data", "shared"
SOME_FOLDS = 4  # the least that stages three deep can be cut into
GALLERY = 6  # pages shown as pictures


def budget() -> int | None:
    """Pages of each corpus, from the environment; null for all."""
    told = os.environ.get("RECRAWLER_NOTEBOOK_PAGES", "")
    return int(told) if told.isdigit() else None


def corpora() -> dict[str, Path]:
    """The corpus folders that are present, by name."""
    shared = Path(os.environ.get("RECRAWLER_SHARED") or ROOT.parent / "shared") / "corpus"
    found = {OWN: ROOT / "data" / "corpus", SHARED: shared}
    return {name: folder for name, folder in found.items() if (folder / "labels.jsonl").is_file()}


def sample(pages: Sequence[Labelled], most: int | None) -> list[Labelled]:
    """At most so many pages, in the corpus's order: the first of every group before the second of any."""
    if most is None or most >= len(pages):
        return list(pages)
    seen: Counter[str] = Counter()
    rank = []
    for at, page in enumerate(pages):
        rank.append((seen[page.group], hashlib.sha256(page.group.encode()).digest(), at))
        seen[page.group] += 1
    return [pages[at] for at in sorted(at for *_, at in sorted(rank)[:most])]


def read() -> tuple[list[str], list[Labelled]]:
    """The name of each page's corpus, and the pages."""
    names, pages = [], []
    for name, folder in corpora().items():
        some = sample(learn.read_corpus(folder), budget())
        names += [name] * len(some)
        pages += some
    return names, pages


def kind_of(page: Labelled) -> str:
    """What the labels call the page: index, article, or other (homes, shops, what stands in for a list)."""
    if page.row["kind"] in INDEX:
        return "index"
    return "article" if page.row["kind"] in NOT_INDEX else "other"


@dataclass(frozen=True)
class Candidates:
    """The candidate blocks of one page: features, F1 against the labelled list that each fits best, scores.

    `kind` has the features of the page's kind, which are made from the best two.
    """

    x: Floats
    fit: Floats
    score: Floats
    kind: list[float]


@dataclass
class Judged:
    """Pages with their folds, the models trained without each fold, and the analyses by these."""

    corpus: list[str]
    pages: list[Labelled]
    fold: list[int]
    models: list[PageModel]
    specs: list[dict[str, Any]]

    @cached_property
    def found(self) -> list[dict[str, Any]]:
        """Each page's analysis, in the shape of `recrawler inspect --json`."""
        return [analyses([page], self.models[k])[0] for page, k in zip(self.pages, self.fold, strict=True)]

    @cached_property
    def figures(self) -> list[learn.Figures]:
        """The figures of each page alone."""
        return [learn.evaluate([p], [f]) for p, f in zip(self.pages, self.found, strict=True)]

    @cached_property
    def bars(self) -> BarRows:
        """The features of all groups of links that might be bars, and of their links."""
        return bar_rows(self.pages)

    @cached_property
    def bar_scores(self) -> Floats:
        """The score of each group of `bars`."""
        return self._held_out("bar", self.bars.groups, self.bars.page_of)[:, 1]

    @cached_property
    def link_odds(self) -> Floats:
        """The odds of the roles of each link of `bars` [link, role]."""
        rows = self.bars
        x = rows.links.copy()
        x[:, self.specs[0]["bar_link"]["features"].index("g_score")] = self.bar_scores[rows.group_of]
        return self._held_out("bar_link", x, rows.page_of[rows.group_of])

    @cached_property
    def blocks(self) -> list[Candidates]:
        """The candidate blocks of each page."""
        return [candidates(p, self.models[k]) for p, k in zip(self.pages, self.fold, strict=True)]

    def _held_out(self, name: str, x: Floats, page_of: Floats) -> Floats:
        fold = np.array(self.fold)[page_of]
        out = None
        for k, spec in enumerate(self.specs):
            mine = fold == k
            odds = as_model(spec[name]).predict(x[mine])
            out = np.zeros((len(x), odds.shape[1])) if out is None else out
            out[mine] = odds
        return out


def candidates(page: Labelled, model: PageModel) -> Candidates:
    """The candidate blocks of a page as the analysis sees them."""
    every = outlined(page)
    known, tree = every.facts, every.facts.tree
    place, seen = page.doc.position, scan(page.doc, model)
    spans = [(place[n], tree.end[place[n]], b.score) for b in seen.bars for n in b.nodes if n in place]
    spans += [(place[n], tree.end[place[n]], s) for n, s in seen.rejected if n in place]
    known.bars = spans
    found = shortlist(every.candidates, known, model.get("glance"))
    measure(found, known)
    fit = {id(c): f for c, f in zip(every.candidates, every.fit, strict=True)}
    block, kind = model.models["block"], model.models["kind"]
    x = np.array([[c.values[n] for n in block.features] for c in found], dtype=float)
    x = x.reshape(-1, len(block.features))
    score = block.predict(x)[:, 1]
    for one, s in zip(found, score, strict=True):
        one.score = float(s)
    first, second = [*sorted(found, key=lambda c: -c.score), None, None][:2]
    values = kinds.features(first, second, known, max((b.score for b in seen.bars), default=0.0))
    return Candidates(x, np.array([fit[id(c)] for c in found]), score, [values[n] for n in kind.features])


def judge() -> Judged:
    """All pages, judged out of fold. Models are kept in the temporary folder by the hash of data and code."""
    names, pages = read()
    folds = learn.FOLDS if budget() is None else SOME_FOLDS
    digest = hashlib.sha256(f"{folds} {[p.row['id'] for p in pages]}".encode())
    digest.update(learn.corpus_hash(corpora().values()).encode())
    for part in ("learn", "page"):
        for file in sorted((ROOT / "recrawler" / part).rglob("*.py")):
            digest.update(file.read_bytes())
    kept = Path(tempfile.gettempdir()) / f"recrawler-notebooks-{digest.hexdigest()[:24]}.json"
    if not kept.exists():
        fold, specs = learn.fold_models(pages, folds)
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps({"fold": fold, "specs": specs}), encoding="utf-8")
        part.replace(kept)
    data = json.loads(kept.read_text(encoding="utf-8"))
    return Judged(names, pages, data["fold"], [as_page_model(s) for s in data["specs"]], data["specs"])
