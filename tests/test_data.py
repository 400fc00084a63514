"""The generator of labelled pages, and the converter of the public autopager layout."""

from __future__ import annotations

import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"
sys.path.insert(0, str(DATA))

import generate  # noqa: E402


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    generate.write(3, 25, tmp_path / "a")
    generate.write(3, 25, tmp_path / "b")
    assert _files(tmp_path / "a") == _files(tmp_path / "b")


def test_another_seed_gives_other_pages(tmp_path: Path) -> None:
    generate.write(3, 8, tmp_path / "a")
    generate.write(4, 8, tmp_path / "b")
    assert _files(tmp_path / "a") != _files(tmp_path / "b")
