"""Start-up of a command that analyses nothing, on a database with 1,000 index pages.

usage: python benchmarks/startup.py [--indexes 1000] [--runs 9]

Prints the median time of `recrawler indexes` beside that of `python -c pass` in the same run, by the wall and
of the processor (a busy machine spoils the first). The aim: at most three times `python -c pass` plus 0.3 s.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def median(command: list[str], runs: int) -> tuple[float, float]:
    """Wall and processor time of a command, in seconds: the median of some runs."""
    wall, cpu = [], []
    for _ in range(runs):
        began, before = time.perf_counter(), os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        wall.append(time.perf_counter() - began)
        cpu.append(sum(after[2:4]) - sum(before[2:4]))
    return statistics.median(wall), statistics.median(cpu)


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--indexes", type=int, default=1000)
    ap.add_argument("--runs", type=int, default=9)
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        urls = Path(folder) / "urls.txt"
        urls.write_text("".join(f"https://site{n}.example/news/\n" for n in range(args.indexes)))
        base = [sys.executable, "-m", "recrawler"]
        db = ["--db", f"{folder}/r.db"]
        subprocess.run([*base, "import", str(urls), *db], check=True, stdout=subprocess.DEVNULL)
        bare = median([sys.executable, "-c", "pass"], args.runs)
        ours = median([*base, "indexes", *db], args.runs)
    for name, k in (("wall", 0), ("processor", 1)):
        limit = 3 * bare[k] + 0.3
        figures = {"python -c pass": bare[k], "recrawler indexes": ours[k], "limit": limit}
        print(f"{name:<10}" + "  ".join(f"{what} {s * 1000:.0f} ms" for what, s in figures.items()))
    return 0 if ours[0] <= 3 * bare[0] + 0.3 else 1


if __name__ == "__main__":
    sys.exit(main())
