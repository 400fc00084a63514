"""Train the shipped model anew: one command from the project's data and the shared corpora.

usage: python benchmarks/train_model.py [--shared DIR] [--out models/page.json]

The shared folder (RECRAWLER_SHARED, or ../shared beside the checkout) gives real labelled pages (`corpus`)
and rendered sites with known truth (`sites`, turned into a corpus first); without it the model is trained on
data/corpus alone, and the card says so.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from recrawler.learn import train_to

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(os.environ.get("RECRAWLER_SHARED", ROOT.parent / "shared"))
    ap.add_argument("--shared", type=Path, default=default)
    ap.add_argument("--out", type=Path, default=ROOT / "models" / "page.json")
    args = ap.parse_args()
    corpora = [ROOT / "data" / "corpus"]
    if (args.shared / "corpus" / "labels.jsonl").exists():
        corpora.append(args.shared / "corpus")
    with tempfile.TemporaryDirectory() as folder:
        if (args.shared / "sites" / "out").exists():
            sites = Path(folder) / "sites"
            converter = ROOT / "benchmarks" / "sites_corpus.py"
            subprocess.run([sys.executable, converter, args.shared / "sites", sites], check=True)
            corpora.append(sites)
        for line in train_to(corpora, args.out, comparing=True):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
