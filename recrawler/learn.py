"""Training and evaluation of the page model; the only module that imports scikit-learn.

A corpus is a folder with `labels.jsonl` and its pages (docs: the corpus format). Models are trained in stages:
`bar` judges groups of links; `bar_link` gives each link of a group its role, with the group's score, as given by
folds that never saw the page's group, among its features. Folds are by `group` (the site), so that no figure
comes from a site that the model has seen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from recrawler.page.classifier import FORMAT, Floats, PageModel, model_from
from recrawler.page.document import Document, parse
from recrawler.page.features import GROUP_FEATURES, LINK_FEATURES, group_row, head_links, link_rows, read
from recrawler.page.groups import find_groups
from recrawler.page.pagination import ROLES

FOLDS = 5


@dataclass(frozen=True, slots=True)
class Labelled:
    """One page of a corpus: its labels, and its tree."""

    row: dict[str, Any]
    doc: Document

    @property
    def group(self) -> str:
        return str(self.row.get("group") or self.row.get("domain") or self.row["id"])


def read_corpus(folder: Path) -> list[Labelled]:
    """The pages of a corpus folder; those whose labels failed are left out."""
    out = []
    with (folder / "labels.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("labels_status", "ok") == "ok":
                out.append(Labelled(row, parse((folder / row["file"]).read_bytes(), row["url"], "utf-8")))
    return out


def corpus_hash(folder: Path) -> str:
    """SHA-256 over a corpus's labels and pages, by which a card names its data."""
    digest = hashlib.sha256((folder / "labels.jsonl").read_bytes())
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        digest.update(hashlib.sha256((folder / json.loads(line)["file"]).read_bytes()).digest())
    return digest.hexdigest()


@dataclass(slots=True)
class BarTable:
    """Rows of groups and links with labels. `group_of` is the group row of each link row."""

    groups: Floats
    is_bar: Floats
    links: Floats
    roles: Floats
    group_of: Floats
    site: list[str]  # of each group row


def bar_table(pages: Iterable[Labelled]) -> BarTable:
    """Training rows of all candidate bars of the pages."""
    groups, is_bar, links, roles, group_of, site = [], [], [], [], [], []
    for page in pages:
        labels = _roles(page.row)
        head = head_links(page.doc)
        for group in find_groups(page.doc):
            if not group.items:
                continue
            reading = read(group, page.doc)
            row = group_row(reading, head, page.doc)
            told = [labels.get(i.anchor.index, "other") for i in group.items]
            links += link_rows(reading, head, row, 0.0)
            roles += [ROLES.index(role) for role in told]
            group_of += [len(groups)] * len(told)
            groups.append([row[name] for name in GROUP_FEATURES])
            is_bar.append(any(role != "other" for role in told))
            site.append(page.group)
    as_array = np.asarray
    return BarTable(
        as_array(groups, dtype=float), as_array(is_bar, dtype=int), as_array(links, dtype=float),
        as_array(roles, dtype=int), as_array(group_of, dtype=int), site,
    )  # fmt: skip


def _roles(row: dict[str, Any]) -> dict[int, Any]:
    out = {}
    for label in row["labels"]:
        if label["scope"] == "bar":
            orig = label.get("orig", label["label"])
            out[label["i"]] = (orig if orig in ("FIRST", "LAST") else label["label"]).lower()
    return out


def _logistic(x: Floats, y: Floats, weight: Floats | None = None, c: float = 0.1) -> dict[str, Any]:
    scaler = StandardScaler().fit(x)
    fitted = LogisticRegression(C=c, max_iter=1000).fit(scaler.transform(x), y, weight)
    return {
        "kind": "logistic",
        "mean": _round(scaler.mean_),
        "scale": _round(scaler.scale_),
        "coef": _round(fitted.coef_),
        "intercept": _round(fitted.intercept_),
    }


def _boosted(
    x: Floats, y: Floats, weight: Floats | None = None, rounds: int = 60, depth: int = 4
) -> dict[str, Any]:
    fitted = HistGradientBoostingClassifier(
        max_iter=rounds, learning_rate=0.12, max_depth=depth, l2_regularization=1.0, min_samples_leaf=8,
        early_stopping=False, random_state=7,
    ).fit(x, y, weight)  # fmt: skip
    trees, of = [], []
    for step in fitted._predictors:
        for k, predictor in enumerate(step):
            trees.append([_node(n) for n in predictor.nodes])
            of.append(k)
    return {"kind": "trees", "trees": trees, "of": of, "base": _round(fitted._baseline_prediction.ravel())}


def _node(n: Any) -> list[float]:
    if n["is_leaf"]:
        return [-1, 0, 0, 0, round(float(n["value"]), 5)]
    return [int(n["feature_idx"]), float(f"{n['num_threshold']:.6g}"), int(n["left"]), int(n["right"]), 0]


def _blend(x: Floats, y: Floats, weight: Floats | None = None, rounds: int = 60) -> dict[str, Any]:
    parts = [_logistic(x, y, weight), _boosted(x, y, weight, rounds)]
    return {"kind": "blend", "parts": parts, "weights": [0.5, 0.5]}


def _round(values: Any) -> Any:
    return np.vectorize(lambda v: float(f"{v:.6g}"))(values).tolist()


def fit_bars(table: BarTable) -> dict[str, Any]:
    """The specs of the `bar` and `bar_link` models."""
    scores = np.zeros(len(table.is_bar))
    folds = min(FOLDS, len(set(table.site)))
    for seen, unseen in GroupKFold(folds).split(table.groups, table.is_bar, table.site):
        spec = _spec(GROUP_FEATURES, ("no", "yes"), _blend(table.groups[seen], table.is_bar[seen]))
        scores[unseen] = _single(spec).predict(table.groups[unseen])[:, 1]
    links = table.links.copy()
    links[:, LINK_FEATURES.index("g_score")] = scores[table.group_of]
    near = scores[table.group_of] >= 0.02  # the hopeless are never asked
    return {
        "bar": _spec(GROUP_FEATURES, ("no", "yes"), _blend(table.groups, table.is_bar)),
        "bar_link": _spec(LINK_FEATURES, ROLES, _blend(links[near], table.roles[near], rounds=40)),
    }


def _spec(features: Sequence[str], classes: Sequence[str], model: dict[str, Any]) -> dict[str, Any]:
    return {"features": list(features), "classes": list(classes), **model}


def _single(spec: dict[str, Any]) -> Any:
    return model_from({"format": FORMAT, "models": {"it": spec}}).models["it"]


def train(pages: Sequence[Labelled]) -> dict[str, Any]:
    """A model file's content, trained on all the pages."""
    with threadpool_limits(1):  # on these sizes more threads only wait for each other
        return {"format": FORMAT, "models": fit_bars(bar_table(pages)), "meta": {}}


def model_of(data: dict[str, Any]) -> PageModel:
    return model_from(json.loads(json.dumps(data)))
