"""Training: honest folds, models in plain JSON that predict what was fitted, figures and floors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from recrawler.errors import ModelError, UsageError
from recrawler.learn.corpus import Labelled, corpus_hash, folds_of, read_corpus
from recrawler.learn.figures import evaluate
from recrawler.learn.fitting import as_model, as_page_model, blend, boosted, logistic, named
from recrawler.learn.stages import Stages, bar_rows
from recrawler.learn.training import cross_validate
from recrawler.page.block_features import NAMES as BLOCK_NAMES
from recrawler.page.classifier import Floats, load_model, model_from, shipped_path
from recrawler.page.features import LINK_FEATURES
from recrawler.page.groupfeatures import GROUP_FEATURES
from recrawler.page.kind import NAMES as KIND_NAMES
from recrawler.page.pagination import ROLES, find_bars

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "data" / "corpus"
SHARED = Path(os.environ.get("RECRAWLER_SHARED", ROOT.parent / "shared")) / "corpus"


def write_corpus(folder: Path, sites: int = 6) -> Path:
    """A small corpus: on each site two pages of a list with a bar."""
    (folder / "pages").mkdir(parents=True)
    lines = []
    for site in range(sites):
        for number in (1, 2):
            name = f"s{site}-{number}"
            rows = "".join(
                f"<li><a href='/a/{site}{number}{k}'>A story of the town, part {k}</a>" for k in range(8)
            )
            html = f"<ul>{rows}</ul><p class=pages><a href='?p={3 - number}'>{3 - number}</a> <a href='?p=3'>Next</a></p>"
            (folder / "pages" / f"{name}.html").write_text(html)
            labels = [
                {
                    "i": 8,
                    "href": f"?p={3 - number}",
                    "text": "",
                    "label": "PAGE",
                    "orig": "PAGE",
                    "scope": "bar",
                },
                {"i": 9, "href": "?p=3", "text": "Next", "label": "NEXT", "orig": "NEXT", "scope": "bar"},
            ]
            articles = [{"i": k, "href": f"/a/{site}{number}{k}", "text": ""} for k in range(8)]
            row = {
                "id": name, "file": f"pages/{name}.html", "url": f"https://s{site}.test/news?p={number}",
                "group": f"s{site}", "lang": "en", "kind": "news_index" if number == 1 else "article", "labels_status": "ok", "labels": labels,
                "bars": [{"links": [8, 9], "block": 0}],
                "older": {"links": [9], "href": ["?p=3"], "how": "NEXT label", "js_only": False},
                "blocks": [{"xpath": "/html/body/ul", "articles": articles, "doubtful": False, "time_sorted": "yes"}],
            }  # fmt: skip
            lines.append(json.dumps(row))
    (folder / "labels.jsonl").write_text("\n".join(lines))
    return folder


@pytest.fixture
def small(tmp_path: Path) -> list[Labelled]:
    return read_corpus(write_corpus(tmp_path / "c"))


def test_folds_keep_sites_together(small: list[Labelled]) -> None:
    fold = folds_of(small, 3)
    by_site: dict[str, set[int]] = {}
    for page, k in zip(small, fold, strict=True):
        by_site.setdefault(page.group, set()).add(k)
    assert all(len(k) == 1 for k in by_site.values())
    assert set(fold) == {0, 1, 2}
    assert fold == folds_of(list(small), 3)


def test_no_stage_is_trained_on_the_fold_that_it_is_asked_of(small: list[Labelled]) -> None:
    """Every model that the models for fold 0 rest on was fitted without fold 0."""
    asked = []

    class Watched(Stages):
        def _fit_bar(self, left: frozenset[int]) -> dict[str, object]:
            asked.append(("bar", left))
            return super()._fit_bar(left)

        def _fit_block(self, left: frozenset[int]) -> dict[str, object]:
            asked.append(("block", left))
            return super()._fit_block(left)

    Watched(small, 3).specs(frozenset((0,)))
    assert asked
    assert all(0 in left for _, left in asked)
    # and a stage's own inputs come from models that have not seen the page's fold either
    assert {left for name, left in asked if name == "bar"} >= {frozenset((0, 1)), frozenset((0, 2))}


def test_rows_carry_every_feature_and_label(small: list[Labelled]) -> None:
    rows = bar_rows(small)
    assert rows.groups.shape[1] == len(GROUP_FEATURES)
    assert rows.links.shape[1] == len(LINK_FEATURES)
    assert np.isfinite(rows.groups).all()
    assert np.isfinite(rows.links).all()
    assert {ROLES[r] for r in rows.roles} == {"page", "next"}
    assert rows.is_bar.all()


@pytest.mark.parametrize("classes", [2, 4])
def test_plain_models_predict_as_scikit_learn_does(classes: int) -> None:
    chance = np.random.default_rng(3)
    x = chance.normal(size=(300, 6))
    y = (np.abs(x[:, 0] * 2 + x[:, 1]) * classes / 3).astype(int).clip(0, classes - 1).astype(float)
    weight = np.ones(len(y))
    names, kinds = [f"f{k}" for k in range(6)], [f"c{k}" for k in range(classes)]
    line = as_model(named(names, kinds, logistic(x, y, weight, classes))).predict(x)
    scaled = (x - x.mean(0)) / x.std(0)
    wanted = LogisticRegression(C=0.1, max_iter=1000).fit(scaled, y).predict_proba(scaled)
    assert np.abs(line - wanted).max() < 1e-3
    with threadpool_limits(1):
        _check_trees(x, y, weight, names, kinds, line)


def _check_trees(
    x: Floats, y: Floats, weight: Floats, names: list[str], kinds: list[str], line: Floats
) -> None:
    trees = as_model(named(names, kinds, boosted(x, y, weight, len(kinds), rounds=20))).predict(x)
    fitted = HistGradientBoostingClassifier(
        max_iter=20, learning_rate=0.1, max_leaf_nodes=12, l2_regularization=1.0, min_samples_leaf=10,
        early_stopping=False, random_state=7,
    ).fit(x, y, weight)  # fmt: skip
    assert np.abs(trees - fitted.predict_proba(x)).max() < 1e-3
    both = as_model(named(names, kinds, blend(x, y, weight, len(kinds), rounds=20))).predict(x)
    assert np.abs(both - (line + trees) / 2).max() < 1e-9
    assert np.allclose(both.sum(axis=1), 1)


@pytest.mark.parametrize("present", [[2.0], [1.0, 3.0], [0.0, 1.0, 3.0]])
def test_classes_that_the_data_lacks_are_never_said(present: list[float]) -> None:
    chance = np.random.default_rng(5)
    x = chance.normal(size=(120, 3))
    y = np.array(present)[(np.abs(x[:, 0]) * 2).astype(int) % len(present)]
    kinds = [f"c{k}" for k in range(4)]
    with threadpool_limits(1):
        said = as_model(named(["a", "b", "c"], kinds, blend(x, y, np.ones(120), 4, rounds=10))).predict(x)
    assert said.shape == (120, 4)
    assert set(said.argmax(axis=1)) <= {int(p) for p in present}
    lacking = [k for k in range(4) if k not in present]
    assert said[:, lacking].max() < 1e-6


def test_named_rows_may_be_in_any_order() -> None:
    model = as_model(named(["a", "b"], ["no", "yes"], logistic(np.eye(2), np.array([0.0, 1.0]), np.ones(2))))
    assert np.allclose(model.predict_named([{"b": 1.0, "a": 0.0, "c": 9.0}]), model.predict([[0.0, 1.0]]))
    assert model.predict([]).shape == (0, 2)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"format": 99, "models": {}},
        {"format": 1},
        {"format": 1, "models": {"x": {"features": [], "classes": ["a"]}}},
        {"format": 1, "models": {"x": {"features": [], "classes": ["a", "b"], "kind": "oracle"}}},
        {
            "format": 1,
            "models": {"x": {"features": [], "classes": ["a", "b"], "kind": "trees", "base": [0, 0, 0]}},
        },
    ],
)
def test_a_damaged_model_is_refused_in_one_line(data: dict[str, object]) -> None:
    with pytest.raises(ModelError) as refused:
        model_from(data)
    assert "\n" not in str(refused.value)


def test_a_missing_or_foreign_model_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot read"):
        load_model(tmp_path / "none.json")
    (tmp_path / "m.json").write_text("<html>")
    with pytest.raises(ModelError, match="not a model file"):
        load_model(tmp_path / "m.json")


def test_the_shipped_model_is_plain_json_and_fits_the_code() -> None:
    data = json.loads(shipped_path().read_text(encoding="utf-8"))
    assert {"bar", "bar_link", "block", "kind"} <= set(data["models"])
    assert data["models"]["bar"]["features"] == list(GROUP_FEATURES)
    assert data["models"]["bar_link"]["features"] == list(LINK_FEATURES)
    assert data["models"]["bar_link"]["classes"] == list(ROLES)
    assert data["models"]["block"]["features"] == list(BLOCK_NAMES)
    assert data["models"]["kind"]["features"] == list(KIND_NAMES)
    assert len(data["meta"]["data"]) == 64
    assert (shipped_path().with_suffix(".md")).read_text(encoding="utf-8").count(data["meta"]["data"]) == 1


def test_analysis_does_not_import_scikit_learn() -> None:
    code = (
        "import sys; from recrawler.page.analysis import analyse; from datetime import datetime, UTC; "
        "analyse('<a href=x>y</a>', 'https://a.test/', now=datetime.now(UTC)); assert 'sklearn' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_figures_of_right_and_wrong_answers(small: list[Labelled]) -> None:
    def answer(page: Labelled, older: str | None, role: str, block: int) -> dict[str, object]:
        base = page.row["url"].split("?")[0]
        links = [{"href": page.doc.anchors[k].url} for k in range(block)]
        bar = {"links": [{"href": f"{base}?p=3", "role": role}]}
        listing = {
            "block": {"links": links},
            "bar": bar,
            "older": older,
            "order": {"verdict": "newest-first"},
        }
        return {"kind": "index", "main": 0, "listings": [listing], "ms": 1.0}

    right = [answer(p, p.row["url"].split("?")[0] + "?p=3", "next", 8) for p in small]
    best = evaluate(small, right).values()
    assert (
        best["older"] == best["older_index"] == best["block_exact"] == best["role_next"] == best["order"] == 1
    )
    wrong = [answer(p, None, "prev", 3) for p in small]
    worst = evaluate(small, wrong)
    values = worst.values()
    assert values["older"] == values["block_exact"] == values["role_next"] == values["role_prev"] == 0
    assert values["block_good"] == 0
    assert len(worst.errors) >= len(small)
    assert evaluate(small, [{"listings": []} for _ in small]).values()["older"] == 0


def test_the_hash_names_labels_and_pages(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "c", 2)
    before = corpus_hash([folder])
    assert before == corpus_hash([folder])
    (folder / "pages" / "s0-1.html").write_text("<p>other</p>")
    assert corpus_hash([folder]) != before


@pytest.mark.skipif(not SHARED.exists(), reason="the shared corpus is not beside this checkout")
def test_the_shipped_model_keeps_its_floor_on_the_shared_corpus() -> None:
    """Floors below what the shipped model reaches; it has seen these pages, so this guards against loss only."""
    pages = read_corpus(SHARED)
    wrong = 0
    for page in pages:
        if page.kind != 1 or page.row["older"]["js_only"]:
            continue
        best = max(find_bars(page.doc), key=lambda b: (b.marked, b.score), default=None)
        wanted = {page.doc.anchors[i].url for i in page.row["older"]["links"]}
        older = best.older if best is not None else None
        wrong += older not in wanted if wanted else older is not None
    assert wrong <= 4


@pytest.mark.slow
def test_training_on_the_projects_own_data_reaches_its_floor() -> None:
    """Bars of the project's own pages, by a model that has not seen their sites."""
    pages = read_corpus(DATA)[::2]
    stages = Stages(pages, 3)
    left = frozenset((0,))
    with threadpool_limits(1):
        model = as_page_model({"bar": stages.bar(left), "bar_link": stages.link(left)})
    right = total = 0
    for page, k in zip(pages, stages.fold, strict=True):
        wanted = {i for i, role in page.roles().items() if role == "next"}
        if k != 0 or not wanted:
            continue
        total += 1
        told = {
            a.index
            for b in find_bars(page.doc, model)
            for a, link in zip(b.anchors, b.links, strict=True)
            if a is not None and link.role == "next"
        }
        right += bool(told & wanted)
    assert total >= 20
    assert right / total >= 0.8


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (None, "give a folder with labels.jsonl"),
        ("", "names no page"),
        ('{"id": 1\n', "line 1: no JSON object"),
        ("[1]\n", "line 1: lacks id"),
        ('{"id": 1, "file": "a.html", "url": "http://a/", "kind": "x", "labels": [], "older": {}}', "a.html"),
    ],
)
def test_what_is_no_corpus_is_refused_in_one_line(tmp_path: Path, labels: str | None, said: str) -> None:
    if labels is not None:
        (tmp_path / "labels.jsonl").write_text(labels, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        read_corpus(tmp_path)


@pytest.mark.parametrize("some", ["one", "without lists", "eight"])
def test_a_handful_of_pages_can_be_judged_by_folds(small: list[Labelled], some: str) -> None:
    pages = {
        "one": small[:1],
        "without lists": [replace(p, row=p.row | {"blocks": []}) for p in small],
        "eight": small[:8],
    }[some]
    fold, found = cross_validate(pages, folds=3)
    assert len(fold) == len(found) == len(pages)
