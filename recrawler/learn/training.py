"""Training a model file, judging it by folds, and writing it with its card."""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recrawler.learn.compare import compare
from recrawler.learn.corpus import Labelled, corpus_hash, read_corpus
from recrawler.learn.figures import Figures, evaluate
from recrawler.learn.fitting import as_page_model
from recrawler.learn.stages import FOLDS, Stages
from recrawler.page.analysis import analyse
from recrawler.page.classifier import FORMAT, PageModel
from recrawler.page.types import to_json

NOW = datetime(
    2024, 6, 1, tzinfo=UTC
)  # relative dates are read against it where a page's labels name no time
FIGURES = (
    "older_index", "older", "block_good", "block_exact", "role_next", "role_prev", "role_page", "kind",
)  # fmt: skip


def train(pages: Sequence[Labelled], meta: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The content of a model file, trained on all the pages."""
    return {"format": FORMAT, "meta": dict(meta or {}), "models": Stages(pages).specs()}


def fold_models(pages: Sequence[Labelled], folds: int = FOLDS) -> tuple[list[int], list[dict[str, Any]]]:
    """The fold of each page, and for each fold the specs trained without it."""
    stages = Stages(pages, folds)
    return stages.fold.tolist(), [stages.specs(frozenset((k,))) for k in range(stages.folds)]


def cross_validate(
    pages: Sequence[Labelled], folds: int = FOLDS, now: datetime = NOW
) -> tuple[list[int], list[dict[str, Any]]]:
    """The fold of each page and its analysis by a model that has seen no page of its group."""
    fold, specs = fold_models(pages, folds)
    models = [as_page_model(s) for s in specs]
    return fold, [_analysis(page, models[k], now) for page, k in zip(pages, fold, strict=True)]


def analyses(pages: Iterable[Labelled], model: PageModel | None, now: datetime = NOW) -> list[dict[str, Any]]:
    """Each page's analysis by one model, in the inspect contract's shape.

    `now`: for pages whose labels do not tell when they were fetched.
    """
    return [_analysis(page, model, now) for page in pages]


def _analysis(page: Labelled, model: PageModel | None, now: datetime = NOW) -> dict[str, Any]:
    told = page.row.get("now")
    when = datetime.fromisoformat(told) if told else now
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    body = page.source()
    began = time.perf_counter()
    found = analyse(body, page.row["url"], now=when, model=model)
    return {**to_json(found), "ms": round(1000 * (time.perf_counter() - began), 3)}


def train_to(corpora: Sequence[Path], out: Path, comparing: bool = False) -> Iterator[str]:
    """Train on the pages of all corpora and write `out` and its card (`.md` beside it); says how it goes.

    `comparing`: the card tells also how other kinds of models do on the same folds.
    """
    per_corpus = [read_corpus(folder) for folder in corpora]
    pages = [page for some in per_corpus for page in some]
    groups = len({p.group for p in pages})
    yield f"{len(pages)} pages of {groups} sites; judging by {FOLDS} folds of sites"
    stages = Stages(pages)
    judged = judge(stages)
    for line in evaluate(pages, judged).lines():
        yield f"  {line}"
    meta = {"data": corpus_hash(corpora), "pages": len(pages), "sites": groups, "folds": stages.folds}
    data = {"format": FORMAT, "meta": meta, "models": stages.specs()}
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    names = [folder.name if folder.name != "corpus" else f"{folder.parent.name}/corpus" for folder in corpora]
    sizes = [len(some) for some in per_corpus]
    out.with_suffix(".md").write_text(card(meta, names, sizes, stages, judged, comparing), encoding="utf-8")
    yield f"written: {out} ({out.stat().st_size // 1024} KB) and {out.with_suffix('.md')}"


def judge(stages: Stages) -> list[dict[str, Any]]:
    """The analysis of every page by models that have not seen its fold."""
    models = [as_page_model(stages.specs(frozenset((k,)))) for k in range(stages.folds)]
    return [_analysis(p, models[k]) for p, k in zip(stages.pages, stages.fold, strict=True)]


def evaluation(corpora: Sequence[Path], folds: bool = True, now: datetime = NOW) -> Iterator[str]:
    """The figures of corpora, by folds or by the shipped model."""
    pages = [page for folder in corpora for page in read_corpus(folder)]
    found = cross_validate(pages, now=now)[1] if folds else analyses(pages, None, now)
    yield from evaluate(pages, found).lines()


def card(
    meta: Mapping[str, Any],
    names: Sequence[str],
    sizes: Sequence[int],
    stages: Stages,
    judged: Sequence[Any],
    comparing: bool = False,
) -> str:
    """The model's card: what it was made from, how good it is, where it is weak."""
    out = [
        "# Card of the page model",
        "",
        "What it is: six small models (is a group of links a pagination bar, alone and beside the list; its",
        "links' roles; is a candidate block worth measuring, and is it the list of articles; is the page an",
        "index), as plain numbers in `page.json`.",
        "What it is for: `recrawler.page.analysis`. What it is not for: telling what a page is about, or",
        "anything of people. How the stages hang together: `recrawler/learn/stages.py`.",
        "",
        "## Data",
        "",
        *(f"- {name}: {size} pages" for name, size in zip(names, sizes, strict=True)),
        f"- SHA-256 of labels and pages: `{meta['data']}`",
        f"- {meta['pages']} pages of {meta['sites']} sites in {meta['folds']} folds; no site is in two folds",
        "",
        "## Figures",
        "",
        "Each page is judged by models that have seen no page of its site. Spread: least and greatest fold.",
        "",
        *_figures_table(names, sizes, stages, judged),
        "",
        "## Weak spots",
        "",
        *_weak_spots(stages, judged),
        "",
        *(_comparison(stages) if comparing else ()),
    ]
    return "\n".join(out)


def _comparison(stages: Stages) -> list[str]:
    """What else was tried for bars and roles, on the same folds and features."""
    out = [
        "## What was tried",
        "",
        "Bars and roles by other kinds of models, all corpora together. The mean of both in two stages is",
        "shipped for these; `block` is boosted trees, `pair` and `kind` are logistic regression.",
        "",
        "| model | bars, average precision | next F1 | prev F1 | page F1 | ms for 12 links |",
        "|---|---|---|---|---|---|",
    ]
    for name, precision, forth, back, page, ms in compare(stages):
        out.append(f"| {name} | {precision:.3f} | {forth:.3f} | {back:.3f} | {page:.3f} | {ms:.2f} |")
    return [*out, ""]


def _figures_table(
    names: Sequence[str], sizes: Sequence[int], stages: Stages, judged: Sequence[Any]
) -> list[str]:
    out = []
    start = 0
    for name, size in zip(names, sizes, strict=True):
        rows = range(start, start + size)
        start += size
        whole = _of([stages.pages[i] for i in rows], [judged[i] for i in rows]).values()
        per_fold = []
        for k in range(stages.folds):
            mine = [i for i in rows if stages.fold[i] == k]
            if mine:
                per_fold.append(_of([stages.pages[i] for i in mine], [judged[i] for i in mine]).values())
        out += [f"### {name}", "", "| figure | all | least | greatest |", "|---|---|---|---|"]
        for figure in FIGURES:
            spread = [v[figure] for v in per_fold if figure in v]
            if figure in whole and spread:
                out.append(f"| {figure} | {whole[figure]:.3f} | {min(spread):.3f} | {max(spread):.3f} |")
        out.append("")
    return out


def _of(pages: Sequence[Labelled], found: Sequence[Any]) -> Figures:
    return evaluate(pages, found)


def _weak_spots(stages: Stages, judged: Sequence[Any]) -> list[str]:
    """Where errors gather: the share of pages with a wrong older link by kind and by language."""
    figures = evaluate(stages.pages, judged)
    wrong = {name for name, what in figures.errors if what.startswith("older")}
    out = []
    for field in ("kind", "lang"):
        total: Counter[str] = Counter(str(p.row.get(field)) for p in stages.pages)
        bad = Counter(str(p.row.get(field)) for p in stages.pages if p.row["id"] in wrong)
        worst = sorted(bad, key=lambda v: -bad[v] / total[v])[:5]
        told = ", ".join(f"{v} {bad[v]}/{total[v]}" for v in worst) or "none"
        out.append(f"- wrong older links by {field}: {told}")
    good = [1 - b for b in figures.blocks]
    if good:
        out.append(f"- mean F1 missing to 1 on lists: {statistics.mean(good):.3f}")
    return out
