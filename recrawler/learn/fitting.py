"""Fitting with scikit-learn, and the plain form of what was fitted (see `recrawler.page.classifier`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from recrawler.page.classifier import FORMAT, Floats, Model, PageModel, model_from

Spec = dict[str, Any]


MISSING = -30.0  # score of a class that the data has no case of


def logistic(x: Floats, y: Floats, weight: Floats, classes: int = 2, c: float = 0.1) -> Spec:
    """Logistic regression on standardised features; `y` are numbers of classes below `classes`."""
    present = np.unique(y).astype(int)
    if len(present) < 2:
        return _constant(x.shape[1], present, classes)
    scaler = StandardScaler().fit(x)
    fitted = LogisticRegression(C=c, max_iter=1000).fit(scaler.transform(x), y, weight)
    coef, intercept = fitted.coef_, fitted.intercept_
    if classes > 2:
        if len(present) == 2:  # one row tells the second from the first
            coef, intercept = np.vstack([0 * coef, coef]), np.r_[0.0, intercept]
        whole = np.zeros((classes, x.shape[1]))
        whole[present] = coef
        coef, intercept = whole, _spread(intercept, present, classes)
    return {
        "kind": "logistic",
        "mean": _short(scaler.mean_),
        "scale": _short(scaler.scale_),
        "coef": _short(coef),
        "intercept": _short(intercept),
    }


def boosted(
    x: Floats,
    y: Floats,
    weight: Floats,
    classes: int = 2,
    rounds: int = 60,
    leaves: int = 12,
    rate: float = 0.1,
) -> Spec:
    """Gradient-boosted trees."""
    present = np.unique(y).astype(int)
    if len(present) < 2:
        return _constant(x.shape[1], present, classes)
    fitted = HistGradientBoostingClassifier(
        max_iter=rounds,
        learning_rate=rate,
        max_leaf_nodes=leaves,
        l2_regularization=1.0,
        min_samples_leaf=10,
        early_stopping=False,
        random_state=7,
    ).fit(x, y, weight)
    two = len(present) == 2
    trees, of = [], []
    for step in fitted._predictors:
        for k, predictor in enumerate(step):
            trees.append([_node(n) for n in predictor.nodes])
            of.append(0 if classes == 2 else int(present[1 if two else k]))
    base = fitted._baseline_prediction.ravel()
    if classes > 2:
        base = _spread(np.r_[0.0, base] if two else base, present, classes)
    return {"kind": "trees", "trees": trees, "of": of, "base": _short(base)}


def blend(x: Floats, y: Floats, weight: Floats, classes: int = 2, rounds: int = 60, leaves: int = 12) -> Spec:
    """The mean of both: the line carries over to unseen sites, the trees know exceptions."""
    parts = [logistic(x, y, weight, classes), boosted(x, y, weight, classes, rounds, leaves)]
    return {"kind": "blend", "parts": parts, "weights": [0.5, 0.5]}


def _spread(values: Floats, present: NDArray[np.int_], classes: int) -> Floats:
    whole = np.full(classes, MISSING)
    whole[present] = values
    return whole


def _constant(features: int, present: NDArray[np.int_], classes: int) -> Spec:
    """A model of data with one class only, or none: it always says that class."""
    only = int(present[0]) if len(present) else 0
    rows = 1 if classes == 2 else classes
    intercept = (
        np.array([8.0 if only else -8.0]) if classes == 2 else _spread(np.zeros(1), present[:1], classes)
    )
    return {
        "kind": "logistic",
        "mean": [0.0] * features,
        "scale": [1.0] * features,
        "coef": np.zeros((rows, features)).tolist(),
        "intercept": _short(intercept),
    }


def named(features: Sequence[str], classes: Sequence[str], spec: Spec) -> Spec:
    """A spec with the names of its features and classes."""
    return {"features": list(features), "classes": list(classes), **spec}


def as_model(spec: Spec) -> Model:
    """A named spec as a model that predicts, through the very code that users run."""
    return model_from({"format": FORMAT, "models": {"it": spec}}).models["it"]


def as_page_model(specs: dict[str, Spec]) -> PageModel:
    return model_from({"format": FORMAT, "models": specs})


def soft(x: Floats, y: Floats, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """Rows for a target between 0 and 1: each twice, as yes and as no, weighted by its share of either."""
    labels = np.r_[np.ones(len(y)), np.zeros(len(y))]
    weights = np.r_[weight * y, weight * (1 - y)]
    keep = weights > 1e-9
    return np.r_[x, x][keep], labels[keep], weights[keep]


def _node(n: Any) -> list[float]:
    if n["is_leaf"]:
        return [-1, 0, 0, 0, float(f"{n['value']:.4g}")]
    # A threshold may be a value of the data itself: rounded, that row would go the other way.
    return [int(n["feature_idx"]), float(n["num_threshold"]), int(n["left"]), int(n["right"]), 0]


def _short(values: Any) -> Any:
    return np.vectorize(lambda v: float(f"{v:.5g}"))(values).tolist()
