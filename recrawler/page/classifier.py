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
from itertools import repeat
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from recrawler.errors import ModelError

FORMAT = 1
MAX_LEAVES = 63  # of a tree
AT_ONCE = 200  # rows, so that the splits of all trees for all of them fit into a cache
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
    """All trees side by side, without walking any (the QuickScorer of Lucchese et al., SIGIR 2015).

    A tree's leaves are bits, the leftmost the lowest. A split at which a row goes right drops the leaves on its
    left; the lowest one that no split of the tree drops is the row's leaf. Split s of every tree stands in row s
    of `feature`, `threshold` and `drop`; a tree with fewer splits than the others has some that drop nothing.
    """

    feature: NDArray[np.intp]  # [split, tree]
    threshold: Floats  # [split, tree]
    drop: NDArray[Any]  # [split, tree] bits, unsigned
    leaf: Floats  # [tree, leaf]
    of: Floats  # [tree, class] one-hot
    base: Floats

    def predict(self, rows: Floats) -> Floats:
        right = rows.take(self.feature, axis=1) > self.threshold
        kept = ~np.bitwise_or.reduce(right * self.drop, axis=1)  # [row, tree]
        lowest = np.bitwise_count((kept & -kept) - 1)
        return _probabilities(self.leaf[np.arange(len(self.leaf)), lowest] @ self.of + self.base)


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
        table = np.asarray(rows, dtype=np.float64)
        if len(table) <= AT_ONCE:
            return self.scorer.predict(table)
        starts = range(0, len(table), AT_ONCE)
        return np.concatenate([self.scorer.predict(table[i : i + AT_ONCE]) for i in starts])

    def predict_named(self, rows: Sequence[Mapping[str, float]]) -> Floats:
        """The same for rows given as name to value; a missing name counts as 0."""
        return self.predict([list(map(row.get, self.features, repeat(0.0))) for row in rows])


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
    trees = [_laid_out(tree) for tree in spec["trees"]]
    width = max((len(leaves) for _, leaves in trees), default=1)
    if width > MAX_LEAVES:
        raise ValueError(f"a tree has {width} leaves; at most {MAX_LEAVES} are read")
    kind = next(t for t in (np.uint16, np.uint32, np.uint64) if width <= np.iinfo(t).bits)
    shape = (max((len(splits) for splits, _ in trees), default=0), len(trees))
    feature, threshold = np.zeros(shape, dtype=np.intp), np.full(shape, np.inf)
    drop = np.zeros(shape, dtype=kind)
    leaf = np.zeros((len(trees), width))
    for t, (splits, leaves) in enumerate(trees):
        leaf[t, : len(leaves)] = leaves
        for s, (column, cut, first, last) in enumerate(splits):
            feature[s, t], threshold[s, t] = column, cut
            drop[s, t] = (1 << last) - (1 << first)
    of = np.zeros((len(trees), outputs))
    of[np.arange(len(trees)), np.array(spec["of"], dtype=np.intp)] = 1.0
    return Trees(feature, threshold, drop, leaf, of, np.array(spec["base"], dtype=np.float64))


def _laid_out(tree: Sequence[Sequence[float]]) -> tuple[list[tuple[int, float, int, int]], list[float]]:
    """The splits of a tree, each with the range of leaves on its left, and the values of its leaves."""
    splits: list[tuple[int, float, int, int]] = []
    leaves: list[float] = []
    todo = [(0, -1, 0)]  # node; where it is a right child: the split above, and the first leaf of that
    while todo:
        at, above, first = todo.pop()
        if above >= 0:
            column, cut, *_ = tree[above]
            splits.append((int(column), cut, first, len(leaves)))
        column, _, left, right, value = tree[at]
        if column < 0:
            leaves.append(value)
        else:
            todo += [(int(right), at, len(leaves)), (int(left), -1, 0)]
    return splits, leaves


def _probabilities(raw: Floats) -> Floats:
    """Softmax of several scores; of one score the logistic function and its complement."""
    if raw.shape[1] == 1:
        yes = 1.0 / (1.0 + np.exp(-np.maximum(raw, -60.0)))
        return np.concatenate((1.0 - yes, yes), axis=1)
    grown = np.exp(raw - raw.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True), dtype=np.float64)
