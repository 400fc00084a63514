"""The layers hold, and commands start fast because they import little."""

from __future__ import annotations

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
