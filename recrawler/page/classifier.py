"""The learnt part of page analysis: small models kept as plain JSON and evaluated with numpy alone.

A model file holds several models by name (`bar`, `link`, `block`, `kind` ...), each with the names of its
features in order and its classes. Kinds of model:

    logistic  {"mean", "scale", "coef": [class][feature], "intercept": [class]}; one row of coef: two classes
    trees     gradient-boosted trees: {"trees": [[feature, threshold, left, right, value]...], "of": class of
              each tree, "base": [class]}; a leaf has feature -1; one class of trees: two classes
    blend     {"parts": [models], "weights"}: the weighted mean of their probabilities

`recrawler.learn` writes the file; nothing here imports scikit-learn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from recrawler.errors import ModelError

FORMAT = 1
Floats = NDArray[np.float64]


class Scorer(Protocol):
    """Anything that turns rows of features into probabilities of classes, one row each."""

    def predict(self, rows: Floats) -> Floats: ...


@dataclass(frozen=True, slots=True)
class Logistic:
    mean: Floats
    scale: Floats
    coef: Floats
    intercept: Floats

    def predict(self, rows: Floats) -> Floats:
        return _probabilities(((rows - self.mean) / self.scale) @ self.coef.T + self.intercept)


@dataclass(frozen=True, slots=True)
class Trees:
    """All trees as one table of nodes; a leaf leads to itself, so every row takes `depth` steps."""

    roots: NDArray[np.intp]
    feature: NDArray[np.intp]
    threshold: Floats
    child: NDArray[np.intp]  # [node, 0 or 1]
    value: Floats
    of: Floats  # [tree, class] one-hot
    base: Floats
    depth: int

    def predict(self, rows: Floats) -> Floats:
        at = np.repeat(self.roots[None, :], len(rows), axis=0)
        line = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            right = rows[line, self.feature[at]] > self.threshold[at]
            at = self.child[at, right.astype(np.intp)]
        return _probabilities(self.value[at] @ self.of + self.base)


@dataclass(frozen=True, slots=True)
class Blend:
    parts: tuple[Scorer, ...]
    weights: Floats

    def predict(self, rows: Floats) -> Floats:
        total = sum(
            (w * p.predict(rows) for p, w in zip(self.parts, self.weights, strict=True)), np.zeros(())
        )
        return np.asarray(total, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Model:
    """One named model: `features` in the order that rows have them, `classes` in that of probabilities."""

    features: tuple[str, ...]
    classes: tuple[str, ...]
    scorer: Scorer

    def predict(self, rows: Sequence[Sequence[float]] | Floats) -> Floats:
        """Probabilities [row, class]; an empty list of rows gives an empty array."""
        if not len(rows):
            return np.zeros((0, len(self.classes)))
        return self.scorer.predict(np.asarray(rows, dtype=np.float64))

    def predict_named(self, rows: Sequence[Mapping[str, float]]) -> Floats:
        """The same for rows given as name to value; a missing name counts as 0."""
        return self.predict([[row.get(name, 0.0) for name in self.features] for row in rows])


@dataclass(frozen=True)
class PageModel:
    """The models of one file and what the file says of itself."""

    models: Mapping[str, Model]
    meta: Mapping[str, Any] = field(default_factory=dict)

    def get(self, name: str) -> Model | None:
        return self.models.get(name)


def model_from(data: Mapping[str, Any]) -> PageModel:
    """The models of a decoded file. Raises `ModelError` where the format is another or a part is missing."""
    if data.get("format") != FORMAT:
        raise ModelError(
            f"the model file has format {data.get('format')!r}; this version reads format {FORMAT}"
        )
    try:
        models = {
            name: Model(tuple(spec["features"]), tuple(spec["classes"]), _scorer(spec, len(spec["classes"])))
            for name, spec in data["models"].items()
        }
    except (KeyError, TypeError, ValueError, IndexError) as e:
        raise ModelError(f"the model file is damaged: {e!r}; train it again with `recrawler train`") from None
    return PageModel(models, data.get("meta", {}))


def load_model(path: Path | None = None) -> PageModel:
    """The models of a file; without a path the shipped ones, read once. Raises `ModelError`."""
    if path is None:
        return _shipped()
    try:
        return model_from(json.loads(path.read_text(encoding="utf-8")))
    except OSError as e:
        raise ModelError(f"cannot read the model {path}: {e.strerror or e}") from None
    except ValueError as e:
        raise ModelError(f"{path} is not a model file: {e}") from None


def shipped_path() -> Path:
    """Where the shipped model lies: inside an installed wheel, or beside the package in a checkout."""
    inside = Path(str(resources.files("recrawler"))) / "_models" / "page.json"
    return inside if inside.exists() else inside.parents[2] / "models" / "page.json"


@lru_cache(maxsize=1)
def _shipped() -> PageModel:
    return load_model(shipped_path())


def _scorer(spec: Mapping[str, Any], classes: int) -> Scorer:
    kind = spec["kind"]
    if kind == "logistic":
        return Logistic(
            *(np.array(spec[k], dtype=np.float64) for k in ("mean", "scale", "coef", "intercept"))
        )
    if kind == "trees":
        return _trees(spec, classes)
    if kind == "blend":
        parts = tuple(_scorer(part, classes) for part in spec["parts"])
        return Blend(parts, np.array(spec["weights"], dtype=np.float64))
    raise ValueError(f"unknown kind of model {kind!r}")


def _trees(spec: Mapping[str, Any], classes: int) -> Trees:
    outputs = len(spec["base"])
    if outputs not in (1, classes):
        raise ValueError("trees do not fit the classes")
    roots: list[int] = []
    feature: list[int] = []
    threshold: list[float] = []
    child: list[Any] = []
    value: list[float] = []
    for tree in spec["trees"]:
        start = len(feature)
        roots.append(start)
        for here, (split, cut, left, right, leaf) in enumerate(tree, start):
            feature.append(max(0, split))
            threshold.append(cut if split >= 0 else np.inf)
            child.append((start + left, start + right) if split >= 0 else (here, here))
            value.append(leaf)
    of = np.zeros((len(roots), outputs))
    of[np.arange(len(roots)), np.array(spec["of"], dtype=np.intp)] = 1.0
    return Trees(
        np.array(roots, dtype=np.intp),
        np.array(feature, dtype=np.intp),
        np.array(threshold, dtype=np.float64),
        np.array(child, dtype=np.intp).reshape(-1, 2),
        np.array(value, dtype=np.float64),
        of,
        np.array(spec["base"], dtype=np.float64),
        max((_height(tree) for tree in spec["trees"]), default=0),
    )


def _height(tree: Sequence[Sequence[float]]) -> int:
    depths = [0] * len(tree)
    for i, (split, _, left, right, _) in enumerate(tree):
        if split >= 0:
            depths[int(left)] = depths[int(right)] = depths[i] + 1
    return max(depths, default=0)


def _probabilities(raw: Floats) -> Floats:
    """Softmax of several scores; of one score the logistic function and its complement."""
    if raw.shape[1] == 1:
        yes = 1.0 / (1.0 + np.exp(-np.clip(raw, -60, 60)))
        return np.hstack([1.0 - yes, yes])
    grown = np.exp(raw - raw.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True), dtype=np.float64)
