"""How long the analysis of a page takes beside lxml's parse of the same bytes, and what hostile pages cost.

usage: python benchmarks/analysis.py [CORPUS] [--mutate N] [--seed 1] [--processes 2]

CORPUS is a folder with labels.jsonl (default: data/corpus of this checkout). Printed: the ratios of processor
times, decode to PageAnalysis beside `lxml.html.document_fromstring`. With `--mutate N`
so many pages are damaged (mutants.py) and analysed in two processes; printed are the longest time, the memory
at its peak, and how many failed, and the exit status is 1 if any took over 2 s or 500 MB, or failed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from lxml import html
from mutants import Cost, costs

from recrawler.page.analysis import analyse
from recrawler.page.document import parse as read_page
from recrawler.page.outline import outline

NOW = datetime(2026, 1, 15, tzinfo=UTC)
ROOT = Path(__file__).resolve().parents[1]


def cpu(work: object, rounds: int = 3) -> float:
    """The least processor time of some rounds, in seconds."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        work()  # type: ignore[operator]
        times.append(time.process_time() - began)
    return min(times)


def ratios(pages: list[tuple[bytes, str]]) -> None:
    out, ours, floor = [], [], []
    for body, url in pages:
        parser = html.HTMLParser(encoding="utf-8", recover=True, huge_tree=True)
        parse = cpu(lambda body=body, parser=parser: html.document_fromstring(body, parser=parser))
        read = cpu(lambda body=body, url=url: outline(read_page(body, url)))
        floor.append(read / max(parse, 1e-5))
        mine = cpu(lambda body=body, url=url: analyse(body, url, now=NOW))
        out.append(mine / max(parse, 1e-5))
        ours.append(mine * 1000)
    out.sort()
    print(
        f"pages {len(out)}  analysis / lxml's parse: median {statistics.median(out):.2f}  "
        f"p90 {out[int(len(out) * 0.9)]:.2f}  p99 {out[int(len(out) * 0.99)]:.2f}  max {out[-1]:.2f}"
    )
    print(f"of these the page read and nothing judged: median {statistics.median(floor):.2f}")
    print(f"analysis in ms of processor time: median {statistics.median(ours):.1f}  max {max(ours):.1f}")


def hostile(pages: list[bytes], count: int, seed: int, processes: int) -> int:
    """Prints what the mutants cost; 1 if any failed, or took more than the promise."""
    done: list[Cost] = []
    for one in costs(count, seed, pages, processes):
        done.append(one)
        if not one.good:
            print(f"BAD {one.label}: {one.seconds:.2f} s, {one.megabytes:.0f} MB {one.fault}")
        if len(done) % 500 == 0:
            print(f"  {len(done)} of {count}", file=sys.stderr, flush=True)
    longest, largest = max(done, key=lambda c: c.seconds), max(done, key=lambda c: c.megabytes)
    print(f"mutants {len(done)} (seed {seed})  failed {sum(bool(c.fault) for c in done)}")
    times = sorted(c.seconds for c in done)
    print(f"seconds: median {statistics.median(times):.3f}  p99 {times[int(len(times) * 0.99)]:.2f}")
    print(f"longest {longest.seconds:.2f} s ({longest.label})")
    print(f"largest {largest.megabytes:.0f} MB ({largest.label})")
    return 0 if all(c.good for c in done) else 1


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("corpus", type=Path, nargs="?", default=ROOT / "data" / "corpus")
    ap.add_argument("--mutate", type=int, default=0)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--processes", type=int, default=2)
    args = ap.parse_args()
    rows = [json.loads(line) for line in (args.corpus / "labels.jsonl").open(encoding="utf-8")]
    pages = [((args.corpus / r["file"]).read_bytes(), r["url"]) for r in rows]
    if args.mutate:
        return hostile([body for body, _ in pages], args.mutate, args.seed, args.processes)
    ratios(pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
