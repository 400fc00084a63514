"""The saved notebooks: valid, with outputs, made from our own pages alone, free of the machine that ran them.

They are not executed here: `notebooks/run.py` does that.
"""

from __future__ import annotations

import ast
import base64
import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "notebooks"
NAMES = ("01_corpus", "02_features_and_errors", "03_pagination_and_blocks", "04_order_and_dates")
SHARED = Path(os.environ.get("RECRAWLER_SHARED", ROOT.parent / "shared")) / "corpus"
MODULES = ("charts", "judged", "pictures")
SAVE = "run `python notebooks/run.py --in-place`"
each = pytest.mark.parametrize("name", NAMES)


@cache
def notebook(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))


def code_cells(name: str) -> list[dict[str, Any]]:
    return [c for c in notebook(name)["cells"] if c["cell_type"] == "code"]


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def outputs(name: str) -> Iterator[tuple[str, str]]:
    """MIME type and content of all outputs; what is printed is text/plain."""
    for cell in code_cells(name):
        for output in cell["outputs"]:
            if output["output_type"] == "stream":
                yield "text/plain", "".join(output["text"])
            for mime, content in output.get("data", {}).items():
                yield mime, "".join(content)


def shown(name: str) -> str:
    """All text that a reader sees in outputs."""
    return "\n".join(text for mime, text in outputs(name) if mime != "image/png")


def own_rows() -> list[dict[str, Any]]:
    with (ROOT / "data" / "corpus" / "labels.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def load(name: str) -> ModuleType:
    """A module of the folder of notebooks, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"notebooks_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_all_notebooks_are_there() -> None:
    assert tuple(sorted(f.stem for f in FOLDER.glob("*.ipynb"))) == NAMES


@each
def test_valid(name: str) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat comes with the extra `notebooks`")
    nbformat.validate(nbformat.from_dict(notebook(name)))


@each
def test_differences_are_readable(name: str) -> None:
    """Ids are names that stay, and nothing is kept that a run changes for no reason."""
    book = notebook(name)
    ids = [c["id"] for c in book["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z][a-z-]{2,30}", i) for i in ids)
    assert book["metadata"]["language_info"] == {"name": "python"}
    assert all(c["metadata"] == {} for c in book["cells"])
    assert all(c["execution_count"] is None for c in code_cells(name))
    assert "object at 0x" not in shown(name)


@each
def test_outputs_are_saved(name: str) -> None:
    kinds = [mime for mime, _ in outputs(name)]
    assert kinds.count("image/png") >= 3, SAVE
    assert kinds.count("text/html") >= 1, SAVE
    silent = [c["id"] for c in code_cells(name) if not c["outputs"]]
    assert silent in ([], ["setup"]), SAVE
    for cell in code_cells(name):
        assert all(o["output_type"] != "error" and o.get("name") != "stderr" for o in cell["outputs"]), cell[
            "id"
        ]


@each
def test_pictures_are_pictures_of_modest_size(name: str) -> None:
    pictures = [base64.b64decode(text) for mime, text in outputs(name) if mime == "image/png"]
    for png in pictures:
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        assert int.from_bytes(png[16:20], "big") <= 1300  # pixels wide
    assert sum(map(len, pictures)) < 1_500_000


@each
def test_text_explains_what_is_seen(name: str) -> None:
    cells = notebook(name)["cells"]
    assert cells[0]["cell_type"] == "markdown"
    assert source(cells[0]).startswith(f"# {name[:2]} ")
    texts = [source(c) for c in cells if c["cell_type"] == "markdown"]
    assert len(texts) >= 8
    assert texts[-1].startswith("## What follows")


@each
def test_nothing_of_the_machine(name: str) -> None:
    everything = shown(name) + "".join(source(c) for c in notebook(name)["cells"])
    assert not re.findall(r"(?:/(?:work|root|home|tmp|var|usr|opt|Users)/|[A-Z]:\\\\)\S*", everything)
    assert "\x1b[" not in everything


@each
def test_outputs_are_of_the_committed_pages(name: str) -> None:
    rows = own_rows()
    hosts = set(re.findall(r"//([\w.-]+)", "\n".join(json.dumps(r, ensure_ascii=False) for r in rows)))
    assert set(re.findall(r"https?://([\w.-]+)", shown(name))) <= hosts
    assert set(re.findall(r"\bg\d{4}-\d+\b", shown(name))) <= {r["id"] for r in rows}
    assert not re.findall(r"\b(?:ap|zh|ge|gne|pf)-\d{3}\b", shown(name))
    if name == NAMES[0]:
        assert re.search(rf"^data +{len(rows)} ", shown(name), re.MULTILINE), SAVE
    else:
        assert f"{len(rows)} pages in 5 folds, corpora: data\n" in shown(name), SAVE


@pytest.mark.skipif(not SHARED.exists(), reason="no shared folder beside the checkout")
@each
def test_no_text_of_other_pages(name: str) -> None:
    own = json.dumps(own_rows(), ensure_ascii=False)
    text = shown(name)
    with (SHARED / "labels.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        titles = [a["text"].strip() for b in row.get("blocks", ()) for a in b["articles"]]
        for foreign in (row["id"], row["domain"], *(t for t in titles if len(t) >= 10)):
            assert foreign not in text or foreign in own, (row["id"], foreign)


def names_of(tree: ast.Module) -> set[str]:
    """What a module defines or imports at its top."""
    out: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            out.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            out.update(a.asname or a.name for a in node.names)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            out.update(n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))
    return out


@each
def test_what_the_code_imports_exists(name: str) -> None:
    """The notebooks keep up with the package: found without running them."""
    trees = [ast.parse(source(c)) for c in code_cells(name)]
    own = {m: names_of(ast.parse((FOLDER / f"{m}.py").read_text(encoding="utf-8"))) for m in MODULES}
    nodes = [n for tree in trees for n in ast.walk(tree)]
    imported = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    assert "judged" in imported  # which reads the pages and judges them by recrawler.learn
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in own:
            assert node.attr in own[node.value.id], f"{node.value.id}.{node.attr}"
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("recrawler"):
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                inside = importlib.util.find_spec if hasattr(module, "__path__") else lambda _: None
                assert hasattr(module, alias.name) or inside(f"{node.module}.{alias.name}"), ast.unparse(node)


def test_the_shared_part_imports_learn() -> None:
    assert load("judged").learn.__name__ == "recrawler.learn"


def test_a_sample_has_every_group_before_the_second_page_of_any() -> None:
    judged = load("judged")
    pages = [SimpleNamespace(group=g, n=n) for n, g in enumerate("aaaabbcd")]
    assert judged.sample(pages, None) == pages
    assert judged.sample(pages, 100) == pages
    assert [p.group for p in judged.sample(pages, 4)] == ["a", "b", "c", "d"]
    six = judged.sample(pages, 6)
    assert [p.group for p in six] == ["a", "a", "b", "b", "c", "d"]
    assert [p.n for p in six] == sorted(p.n for p in six)


def test_a_further_corpus_is_used_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = load("judged")
    monkeypatch.setenv("RECRAWLER_SHARED", os.devnull)
    assert list(judged.corpora()) == ["data"]
    monkeypatch.setenv("RECRAWLER_SHARED", str(tmp_path))
    assert list(judged.corpora()) == ["data"]
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "labels.jsonl").touch()
    assert judged.corpora() == {"data": ROOT / "data" / "corpus", "shared": tmp_path / "corpus"}


def test_a_page_is_drawn_without_what_runs_or_is_fetched(tmp_path: Path) -> None:
    for needed in ("IPython", "matplotlib", "PIL"):
        pytest.importorskip(needed, reason=f"{needed} comes with the extra `notebooks`")
    pictures, judged = load("pictures"), load("judged")
    body = (
        "<html><head><script>x()</script><link rel=stylesheet href=//a.example/s.css></head><body>"
        "<a href=/1 onclick='y()'>one &lt;b&gt;</a>"
        "<p>two<iframe src=/f></iframe> three</p><a href=/2>next</a>"
    )
    file = tmp_path / "page.html"
    file.write_text(body, encoding="utf-8")
    document = importlib.import_module("recrawler.page.document")
    page = judged.Labelled(
        {"id": "x"}, document.parse(file.read_bytes(), "https://a.example/", "utf-8"), file
    )
    drawn = pictures.marked(page, {1: "missed"}).decode()
    assert not re.search(r"<script|<iframe|<link|onclick|x\(\)", drawn)
    assert "default-src 'none'" in drawn
    assert "two three" in drawn
    assert drawn.index("/1") < drawn.index(pictures.COLORS["missed"]) < drawn.index("next</a>")
    outlined = pictures.outline(page, {1: "missed"})
    assert "one &lt;b&gt;" in outlined
    assert outlined.count(pictures.COLORS["missed"]) == 1


@pytest.mark.slow
def test_the_runner_tells_a_failure(tmp_path: Path) -> None:
    for needed in ("nbclient", "ipykernel"):
        pytest.importorskip(needed, reason=f"{needed} comes with the extra `notebooks`")
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}
    for name, code in (("bad", "1 / 0"), ("good", "__import__('pathlib').Path('judged.py').exists()")):
        cell = {"cell_type": "code", "id": name, "metadata": {}, "execution_count": None, "outputs": []}
        text = json.dumps({**book, "cells": [{**cell, "source": [code]}]})
        (tmp_path / f"{name}.ipynb").write_text(text, encoding="utf-8")
    files = [str(tmp_path / f"{name}.ipynb") for name in ("bad", "good")]
    done = subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), "--in-place", *files],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "bad.ipynb: failed" in done.stderr
    assert "ZeroDivisionError" in done.stderr
    assert done.stdout.startswith("good.ipynb: ")
    kept = json.loads((tmp_path / "good.ipynb").read_text(encoding="utf-8"))["cells"][0]
    assert kept["execution_count"] is None
    assert kept["outputs"][0]["data"]["text/plain"] == ["True"]
    assert json.loads((tmp_path / "bad.ipynb").read_text(encoding="utf-8"))["cells"][0]["outputs"] == []
