"""How long the analysis of a page takes beside lxml's parse of the same bytes, and what hostile pages cost.

usage: python benchmarks/analysis.py [CORPUS] [--mutate N] [--seed 1]

CORPUS is a folder with labels.jsonl (default: data/corpus of this checkout). Printed: median and p99 of the
ratio of processor times, decode to PageAnalysis beside `lxml.html.document_fromstring`. With `--mutate` N
pages are damaged at random (cut, doubled, deeply nested, filled with links, NULs, wrong charsets) and
analysed, after some giants; printed are the longest time, the memory at its peak, and how many raised.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from lxml import html

from recrawler.page.analysis import analyse

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
    out, ours = [], []
    for body, url in pages:
        parser = html.HTMLParser(encoding="utf-8", recover=True, huge_tree=True)
        parse = cpu(lambda body=body, parser=parser: html.document_fromstring(body, parser=parser))
        mine = cpu(lambda body=body, url=url: analyse(body, url, now=NOW))
        out.append(mine / max(parse, 1e-5))
        ours.append(mine * 1000)
    out.sort()
    print(
        f"pages {len(out)}  analysis / lxml's parse: median {statistics.median(out):.2f}  "
        f"p99 {out[int(len(out) * 0.99)]:.2f}  max {out[-1]:.2f}"
    )
    print(f"analysis in ms of processor time: median {statistics.median(ours):.1f}  max {max(ours):.1f}")


def links(count: int) -> bytes:
    return b"".join(b"<li><a href=/a/%d>title of %d</a>" % (n, n) for n in range(count))


def mutate(rng: random.Random, body: bytes) -> bytes:
    kind = rng.randrange(9)
    at = rng.randrange(max(len(body), 1))
    if kind == 0:
        return body[:at]
    if kind == 1:
        return body[:at] + b"<div>" * rng.randint(100, 5000) + body[at:]
    if kind == 2:
        return body[:at] + b"\0" * rng.randint(1, 500) + body[at:]
    if kind == 3:
        charset = rng.choice(("gb18030", "utf-16", "shift_jis", "cp1251"))
        return body.decode("utf-8", "replace").encode(charset, "ignore")
    if kind == 4:
        return bytes(b ^ rng.randrange(256) if rng.random() < 0.01 else b for b in body[:200_000])
    if kind == 5:
        return body[:at] + links(rng.randint(10, 3000)) + body[at:]
    if kind == 6:
        return body[at:] + body[:at]
    if kind == 7:
        return b"<a " + b"x" * rng.randint(1, 1_000_000) + b"=1>" + body
    return body * rng.randint(2, 4)


GIANTS = {
    "100,000 links": b"<ul>" + links(100_000),
    "nested 5,000 deep": b"<div>" * 5000 + b"<a href=/x>x</a>",
    "20 MB of text": b"<p>" + b"some words of text " * 1_100_000,
    "20 MB of numbers": b"<p>" + b"2026-01-02 1 2 3 " * 1_200_000,
    "one attribute of 20 MB": b"<a href='" + b"a" * 20_000_000 + b"'>x</a>",
    "100,000 bars": b"".join(b"<div><a href=?p=%d>%d</a></div>" % (n, n) for n in range(100_000)),
}


def hostile(pages: list[tuple[bytes, str]], count: int, seed: int) -> int:
    rng = random.Random(seed)
    worst, raised, name = 0.0, 0, ""
    cases = list(GIANTS.items())
    for n in range(count + len(cases)):
        label, body = cases[n] if n < len(cases) else (f"mutant {n}", mutate(rng, rng.choice(pages)[0]))
        began = time.process_time()
        try:
            analyse(body, "https://a.example/list?page=3", now=NOW)
        except Exception as e:
            raised += 1
            print(f"{label}: {type(e).__name__}: {e}")
        took = time.process_time() - began
        if n < len(cases):
            print(f"{label:<24} {took:.2f} s")
        if took > worst:
            worst, name = took, label
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"hostile pages {count + len(cases)}  raised {raised}  peak memory {peak:.0f} MB")
    print(f"longest {worst:.2f} s ({name})")
    return 1 if raised or worst > 2.0 or peak > 500 else 0


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("corpus", type=Path, nargs="?", default=ROOT / "data" / "corpus")
    ap.add_argument("--mutate", type=int, default=0)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    rows = [json.loads(line) for line in (args.corpus / "labels.jsonl").open(encoding="utf-8")]
    pages = [((args.corpus / r["file"]).read_bytes(), r["url"]) for r in rows]
    if args.mutate:
        return hostile(pages, args.mutate, args.seed)
    ratios(pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
