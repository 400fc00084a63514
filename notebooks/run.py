"""Executes the notebooks, one after another; exits with 1 if one of them fails.

usage: python notebooks/run.py [--in-place] [NOTEBOOK...]

By default the executed notebooks go to a temporary folder and are forgotten, and a part of the pages is
looked at (RECRAWLER_NOTEBOOK_PAGES, by default 80 of each corpus). With `--in-place` they are saved where
they are, from all pages of data/ and of no other corpus: these are the outputs to commit.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE = Path(__file__).resolve().parent
SOME = "80"
LIMIT = 900  # seconds for one cell


def execute(source: Path, target: Path) -> None:
    """Run a notebook and write it with its outputs. Raises `CellExecutionError`."""
    notebook = nbformat.read(source, as_version=4)
    where = {"metadata": {"path": HERE}}
    client = NotebookClient(
        notebook, timeout=LIMIT, kernel_name="python3", resources=where, extra_arguments=["--log-level=ERROR"]
    )
    client.execute()
    quiet(notebook)
    nbformat.validate(notebook)
    target.write_text(nbformat.writes(notebook, ensure_ascii=False) + "\n", encoding="utf-8")


def quiet(notebook: nbformat.NotebookNode) -> None:
    """Drop what changes from run to run: counts, times, the version of Python."""
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = None


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--in-place", action="store_true", help="save the outputs, made from data/ alone")
    ap.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    args = ap.parse_args()
    if args.in_place:
        os.environ["RECRAWLER_SHARED"] = os.devnull
        os.environ["RECRAWLER_NOTEBOOK_PAGES"] = "all"
    else:
        os.environ.setdefault("RECRAWLER_NOTEBOOK_PAGES", SOME)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in args.notebooks or sorted(HERE.glob("*.ipynb")):
            began = time.monotonic()
            try:
                execute(source, source if args.in_place else Path(folder, source.name))
            except CellExecutionError as e:
                failed += 1
                print(f"{source.name}: failed\n{e}", file=sys.stderr)
            else:
                print(f"{source.name}: {time.monotonic() - began:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
