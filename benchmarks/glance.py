"""How many of a page's candidate blocks are measured after a glance, and whether its list is among them.

usage: python benchmarks/glance.py [CORPUS]... (default: data/corpus of this checkout)

Out of fold: no page is glanced at by a model that has seen its site. A list counts as kept if a candidate is
measured that fits it as well as any does (F1 at least 0.8, and at most 0.02 below the best).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from recrawler.learn.corpus import read_corpus
from recrawler.learn.fitting import as_model
from recrawler.learn.stages import Stages, outlined
from recrawler.page.glance import shortlist

ROOT = Path(__file__).resolve().parents[1]
GOOD, NEAR = 0.8, 0.02


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("corpus", type=Path, nargs="*", default=[ROOT / "data" / "corpus"])
    folders = ap.parse_args().corpus
    corpora = [read_corpus(folder) for folder in folders]
    stages = Stages([page for pages in corpora for page in pages])
    models = [as_model(stages.glance(frozenset((k,)))) for k in range(stages.folds)]
    folds = iter(stages.fold)
    for folder, pages in zip(folders, corpora, strict=True):
        lists = kept = found = measured = 0
        for page, fold in zip(pages, folds, strict=False):
            known = outlined(page)
            if not page.blocks() or not len(known.fit) or known.fit.max() < GOOD:
                continue
            few = shortlist(known.candidates, known.facts, models[fold])
            fit = {id(c): f for c, f in zip(known.candidates, known.fit, strict=True)}
            lists += 1
            found += len(known.candidates)
            measured += len(few)
            kept += max(fit[id(c)] for c in few) >= max(GOOD, known.fit.max() - NEAR)
        share = kept / max(1, lists)
        print(
            f"{folder}: {lists} pages with a list, kept {share:.3f}; "
            f"measured {measured / max(1, lists):.1f} of {found / max(1, lists):.1f} candidates"
        )


if __name__ == "__main__":
    main()
