"""`recrawler inspect --batch -` with honest models: no page is analysed by a model that saw its site.

usage, in place of the command of an evaluation, from the folder of a corpus:

    python benchmarks/out_of_fold.py [--with DIR]... inspect --batch - < lines

The corpus of the working directory and the further ones (`--with`; by default data/corpus of this checkout)
are cut into folds by `group`; for each fold all models (bars, roles, blocks, kind) are trained without it,
and each page is analysed by the models of its own fold. Fold models are kept in the temporary folder, by the
hash of data and code, so that a second run trains nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recrawler.page.analysis import analyse
from recrawler.page.classifier import PageModel, model_from
from recrawler.page.types import to_json

ROOT = Path(__file__).resolve().parents[1]


def code_hash() -> str:
    """What the models depend on besides data: the code of page analysis and training."""
    digest = hashlib.sha256()
    for folder in ("page", "learn"):
        for file in sorted((ROOT / "recrawler" / folder).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def models(corpora: list[Path]) -> tuple[dict[str, int], list[PageModel]]:
    """The fold of each group, and the models of each fold."""
    from recrawler.learn import corpus_hash

    name = hashlib.sha256((corpus_hash(corpora) + code_hash()).encode()).hexdigest()[:24]
    kept = Path(tempfile.gettempdir()) / f"recrawler-folds-{name}.json"
    if kept.exists():
        data = json.loads(kept.read_text(encoding="utf-8"))
    else:
        data = fit(corpora)
        part = kept.with_suffix(f".{hash(kept)}.part")
        part.write_text(json.dumps(data), encoding="utf-8")
        part.replace(kept)
    return data["fold"], [model_from(m) for m in data["models"]]


def fit(corpora: list[Path]) -> dict[str, Any]:
    from recrawler.learn import fold_models, read_corpus

    pages = [page for folder in corpora for page in read_corpus(folder)]
    fold, specs = fold_models(pages)
    groups = {page.group: k for page, k in zip(pages, fold, strict=True)}
    return {
        "fold": groups,
        "models": [{"format": 1, "meta": {"fold": k}, "models": s} for k, s in enumerate(specs)],
    }


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--with", dest="more", action="append", type=Path, default=None, metavar="DIR")
    ap.add_argument("command", choices=["inspect"])
    ap.add_argument("--batch", default="-")
    ap.add_argument("--now", default="2024-06-01T00:00:00+00:00")
    args = ap.parse_args()
    here = Path.cwd()
    more = args.more if args.more is not None else [ROOT / "data" / "corpus"]
    more = [d for d in more if (d / "labels.jsonl").exists() and d.resolve() != here]
    fold, by_fold = models([here, *more])
    rows = [json.loads(line) for line in (here / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    group_of = {r["id"]: r.get("group") or r.get("domain") or r["id"] for r in rows}
    now = datetime.fromisoformat(args.now)
    text = sys.stdin.read() if args.batch == "-" else Path(args.batch).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.strip():
            one = json.loads(line)
            model = by_fold[fold[str(group_of[one["id"]])]]
            when = now if now.tzinfo else now.replace(tzinfo=UTC)
            body = Path(one["file"]).read_bytes()
            began = time.perf_counter()
            found = to_json(analyse(body, one["url"], now=when, model=model))
            ms = round(1000 * (time.perf_counter() - began), 3)
            print(json.dumps({**found, "id": one["id"], "url": one["url"], "ms": ms}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
