"""Start-up of a command that analyses nothing, on a database with 1,000 index pages.

usage: python benchmarks/startup.py [--indexes 1000] [--runs 9]

Prints the median wall time of `recrawler indexes` beside that of `python -c pass` in the same run. The aim:
at most three times `python -c pass` plus 0.3 s.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def median(command: list[str], runs: int) -> float:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


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
    limit = 3 * bare + 0.3
    figures = {"python -c pass": bare, "recrawler indexes": ours, "limit": limit}
    print("  ".join(f"{name} {seconds * 1000:.0f} ms" for name, seconds in figures.items()))
    return 0 if ours <= limit else 1


if __name__ == "__main__":
    sys.exit(main())
