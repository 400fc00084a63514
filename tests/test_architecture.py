"""The layers hold, and commands start fast because they import little."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_layers() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def packages() -> list[Path]:
    return sorted(p.parent for p in (ROOT / "recrawler").rglob("__init__.py"))


@pytest.mark.parametrize("package", packages(), ids=lambda p: p.name)
def test_the_map_of_a_package_names_its_modules_and_no_others(package: Path) -> None:
    told = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    there = {p.stem for p in package.glob("*.py")} | {p.parent.name for p in package.glob("*/__init__.py")}
    missing = {name for name in there if not name.startswith("_") and not re.search(rf"\b{name}\b", told)}
    assert not missing
    # Lines of a map begin with the module, and two spaces at least follow.
    listed = {
        name for line in re.findall(r"^ *((?:\w+, )*\w+) {2,}\S", told, re.M) for name in line.split(", ")
    }
    assert listed <= there


@pytest.mark.parametrize(
    "folder", ["recrawler", "tests", "docs", "data", "benchmarks", "notebooks", "models"]
)
def test_no_merge_was_left_half_done(folder: str) -> None:
    mark = re.compile(r"^(?:<{7}|>{7}|\|{7}) ", re.M)
    files = [f for f in (ROOT / folder).rglob("*") if f.suffix in {".py", ".md", ".toml", ".json", ".ipynb"}]
    assert files
    assert [f for f in files if mark.search(f.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("command", ["indexes", "visits", "links", "export", "pause", "edit"])
def test_commands_that_analyse_nothing_do_not_import_what_is_heavy(command: str) -> None:
    code = (
        "import sys\n"
        "from recrawler.cli import run\n"
        f"run([{command!r}, '--help'])\n"
        "heavy = {'sklearn', 'numpy', 'scipy', 'dateparser', 'httpx', 'aiohttp', 'rich', 'lxml'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
