"""Every case of the shared conformance folder, where it is there; and the runner itself."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("RECRAWLER_SHARED", ROOT.parent / "shared")) / "conformance"
FILES = sorted(SHARED.glob("*.json")) if SHARED.is_dir() else []


def benchmark(name: str) -> ModuleType:
    """A script of benchmarks/ as a module."""
    spec = importlib.util.spec_from_file_location(f"benchmarks_{name}", ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


runner = benchmark("conformance")


@pytest.mark.skipif(not FILES, reason="no shared folder beside the checkout, and RECRAWLER_SHARED is not set")
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_shared_cases(path: Path) -> None:
    results = runner.run_file(path)
    assert results, f"{path.name} holds no case that the runner knows"
    failed = [f"{what}: expected {want!r}, got {got!r}" for what, want, got in results if want != got]
    assert not failed, "\n".join(failed)


def test_the_runner_counts_a_wrong_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [{"host": "www.example.com", "registrable": "example.com"}, {"host": "com", "registrable": "com"}]
    (tmp_path / "mine.json").write_text(json.dumps({"cases": cases}))
    assert runner.main([str(tmp_path)]) == 1
    assert "mine.json: 1/2" in capsys.readouterr().out


SHAPES = {
    "follow_policy": {"groups": [{"id": "x", "config": {"entry_points": ["a.example"]}}]},
    "scope": {"groups": [{"id": "x", "scope": {"start_urls": ["http://a.example/"]}, "cases": []}]},
    "canonical": {"cases": [{"relation": "same", "a": "http://a/", "b": "http://a"}]},
    "crawluri": {"cases": [{"id": "x", "given": {"url": "http://a/"}, "ops": [], "expect": {}}]},
    "ssrf": {"addresses": []},
    "robots_fetch": {"cases": [{"responses": []}]},
    "robots_google": {"cases": [{"robotstxt": ""}]},
    "urltestdata": ["a comment", {"input": "x", "base": None, "failure": True}],
    "percent_encoding": ["a comment", {"input": "x", "output": {}}],
}


@pytest.mark.parametrize(("name", "data"), SHAPES.items())
def test_a_file_is_told_by_its_shape(name: str, data: object) -> None:
    assert runner._by_shape(data).__name__ == name


def test_a_record_case_with_an_unknown_operation_fails_alone() -> None:
    case = {"id": "x", "given": {"url": "http://a.example/"}, "ops": [["fly"]], "expect": {"depth": 0}}
    fine = {"id": "y", "given": {"url": "http://a.example/"}, "ops": [], "expect": {"depth": 0}}
    results = list(runner.crawluri({"cases": [case, fine]}))
    assert [want == got for _, want, got in results] == [False, True]
