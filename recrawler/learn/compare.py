"""Kinds of models set against each other on the same folds: what the choice of the shipped ones rests on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
from sklearn.metrics import average_precision_score, f1_score
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from recrawler.learn.fitting import Spec, as_model, blend, boosted, logistic, named
from recrawler.learn.stages import YES_NO, BarRows, Stages
from recrawler.page.classifier import Floats
from recrawler.page.features import LINK_FEATURES
from recrawler.page.groupfeatures import GROUP_FEATURES
from recrawler.page.pagination import ROLES

KINDS: dict[str, Callable[[Floats, Floats, Floats, int], Spec]] = {
    "logistic regression": logistic,
    "boosted trees": lambda x, y, w, n: boosted(x, y, w, n, rounds=40),
    "mean of both": lambda x, y, w, n: blend(x, y, w, n, rounds=40),
}


def compare(stages: Stages) -> Iterator[tuple[str, float, float, float, float, float]]:
    """For each kind of model, in one stage and in two: average precision of bars, F1 of next, prev and page
    links, and milliseconds for twelve links. Two stages: the group's score is a feature of its links."""
    rows = stages.bar_rows
    site_fold = stages.fold[rows.page_of]
    with threadpool_limits(1):
        for name, fit in KINDS.items():
            scores = np.zeros(len(rows.is_bar))
            for k in range(stages.folds):
                seen, unseen = site_fold != k, site_fold == k
                weight = stages.weight[rows.page_of][seen]
                spec = fit(rows.groups[seen], rows.is_bar[seen].astype(float), weight, 2)
                scores[unseen] = as_model(named(GROUP_FEATURES, YES_NO, spec)).predict(rows.groups[unseen])[
                    :, 1
                ]
            precision = float(average_precision_score(rows.is_bar, scores))
            for label, given in (("one stage", np.zeros(len(scores))), ("two stages", scores)):
                yield (f"{name}, {label}", precision, *_links(stages, rows, fit, given))


def _links(
    stages: Stages, rows: BarRows, fit: Callable[[Floats, Floats, Floats, int], Spec], scores: Floats
) -> tuple[float, float, float, float]:
    x = rows.links.copy()
    x[:, LINK_FEATURES.index("g_score")] = scores[rows.group_of]
    of_page = rows.page_of[rows.group_of]
    fold = stages.fold[of_page]
    said = np.zeros(len(x), dtype=int)
    spent = 0.0
    for k in range(stages.folds):
        seen, unseen = fold != k, fold == k
        y = rows.roles[seen].astype(float)
        spec = fit(x[seen], y, stages.weight[of_page][seen], len(ROLES))
        model = as_model(named(LINK_FEATURES, ROLES, spec))
        said[unseen] = model.predict(x[unseen]).argmax(axis=1)
        began = time.process_time()
        for _ in range(20):
            model.predict(x[:12])
        spent += (time.process_time() - began) / 20
    f1 = [
        float(f1_score(rows.roles == ROLES.index(r), said == ROLES.index(r)))
        for r in ("next", "prev", "page")
    ]
    return f1[0], f1[1], f1[2], 1000 * spent / stages.folds
