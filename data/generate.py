#!/usr/bin/env python3
"""Writes labelled pages: `python data/generate.py --seed 7 --pages 900 --out data/corpus`.

The same seed and number of pages give the same bytes on every machine. See data/README.md for the format.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pagegen.compose import list_site
from pagegen.dom import Writer
from pagegen.families import FAMILIES
from pagegen.labels import Draft, line
from pagegen.lexicon import languages
from pagegen.recipes import Recipe, Special
from pagegen.site import Site

DOCTYPES = (
    "<!DOCTYPE html>",
    "<!doctype html>",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    "",
)


def _plan(seed: int) -> Iterator[tuple[Recipe | Special, str, int]]:
    """Endless (family, language, number): every family in turn, and within each every language in turn."""
    rng = random.Random(f"plan{seed}")
    turns: dict[str, list[str]] = {}
    for count in range(1_000_000):
        families = [family for family in FAMILIES for _ in range(family.weight)]
        rng.shuffle(families)
        for family in families:
            left = turns.setdefault(family.name, [])
            if not left:
                left += rng.sample(languages(), len(languages()))
                left[:] = [lang for lang in left if not family.langs or lang in family.langs]
            yield family, left.pop(), count


def drafts(seed: int, pages: int) -> Iterator[tuple[str, str, Draft]]:
    """(name, family, draft) for that many pages."""
    done = 0
    for at, (family, lang, _) in enumerate(_plan(seed)):
        rng = random.Random(f"{seed}/{at}")
        site = Site(
            f"{seed}/{at}/{family.name}",
            lang,
            rng.choice(family.naming),
            family.old,
            rng.choice(family.articles),
            family.fixed,
        )
        wanted = rng.choice([1, 1, 2, 3])
        made = list_site(site, family, wanted) if isinstance(family, Recipe) else family.build(site, wanted)
        for number, draft in enumerate(made):
            yield f"g{at:04d}-{number}", family.name, draft
            done += 1
            if done == pages:
                return


def page_text(draft: Draft) -> str:
    """The HTML of a draft."""
    site = draft.page.site
    doctype = site.pick("doctype", DOCTYPES if site.old else DOCTYPES[:3])
    return (
        doctype + Writer(site.writing, draft.page.site.rng(f"write{draft.page.url}")).write(draft.tree) + "\n"
    )


def write(seed: int, pages: int, out: Path) -> list[dict[str, Any]]:
    """Writes labels.jsonl and pages/ under `out`; returns the label lines."""
    shutil.rmtree(out / "pages", ignore_errors=True)
    (out / "pages").mkdir(parents=True)
    rows = []
    for name, group, draft in drafts(seed, pages):
        text = page_text(draft)
        row = line(draft, text, name, group)
        (out / row["file"]).write_bytes(text.encode())
        rows.append(row)
    lines = "".join(json.dumps(row, ensure_ascii=False, sort_keys=False) + "\n" for row in rows)
    (out / "labels.jsonl").write_bytes(lines.encode())
    return rows


def main(argv: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pages", type=int, default=900)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "corpus")
    args = parser.parse_args(argv)
    rows = write(args.seed, args.pages, args.out)
    size = sum((args.out / row["file"]).stat().st_size for row in rows)
    groups, langs = {row["group"] for row in rows}, {row["lang"] for row in rows}
    print(f"{len(rows)} pages, {len(groups)} structures, {len(langs)} languages, {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
