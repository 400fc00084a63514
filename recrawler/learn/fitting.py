"""Fitting with scikit-learn, and the plain form of what was fitted (see `recrawler.page.classifier`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from recrawler.page.classifier import FORMAT, Floats, Model, PageModel, model_from

Spec = dict[str, Any]


def logistic(x: Floats, y: Floats, weight: Floats, c: float = 0.1) -> Spec:
    """Logistic regression on standardised features; constant features count nothing."""
    scaler = StandardScaler().fit(x)
    fitted = LogisticRegression(C=c, max_iter=1000).fit(scaler.transform(x), y, weight)
    return {
        "kind": "logistic",
        "mean": _short(scaler.mean_),
        "scale": _short(scaler.scale_),
        "coef": _short(fitted.coef_),
        "intercept": _short(fitted.intercept_),
    }


def boosted(
    x: Floats, y: Floats, weight: Floats, rounds: int = 60, leaves: int = 12, rate: float = 0.1
) -> Spec:
    """Gradient-boosted trees."""
    fitted = HistGradientBoostingClassifier(
        max_iter=rounds,
        learning_rate=rate,
        max_leaf_nodes=leaves,
        l2_regularization=1.0,
        min_samples_leaf=10,
        early_stopping=False,
        random_state=7,
    ).fit(x, y, weight)
    trees, of = [], []
    for step in fitted._predictors:
        for k, predictor in enumerate(step):
            trees.append([_node(n) for n in predictor.nodes])
            of.append(k)
    return {"kind": "trees", "trees": trees, "of": of, "base": _short(fitted._baseline_prediction.ravel())}


def blend(x: Floats, y: Floats, weight: Floats, rounds: int = 60, leaves: int = 12) -> Spec:
    """The mean of both: the line carries over to unseen sites, the trees know exceptions."""
    parts = [logistic(x, y, weight), boosted(x, y, weight, rounds, leaves)]
    return {"kind": "blend", "parts": parts, "weights": [0.5, 0.5]}


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
    return [int(n["feature_idx"]), float(f"{n['num_threshold']:.6g}"), int(n["left"]), int(n["right"]), 0]


def _short(values: Any) -> Any:
    return np.vectorize(lambda v: float(f"{v:.5g}"))(values).tolist()
