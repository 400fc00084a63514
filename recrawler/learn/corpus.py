"""Labelled pages: a folder with `labels.jsonl` (one JSON object a line) and the pages that it names.

The format is described in data/README.md. Link indexes are places among `//a[@href]`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recrawler.page.document import Document, parse
from recrawler.page.types import Role

INDEX = frozenset(("blog_index", "news_index", "forum_index", "announcement_index"))
NOT_INDEX = frozenset(("article", "article_paged", "forum_thread", "item_nav"))


@dataclass(frozen=True, slots=True)
class Labelled:
    """One page of a corpus: its line of labels and its tree."""

    row: dict[str, Any]
    doc: Document
    file: Path

    def source(self) -> bytes:
        """The page's bytes, read again: trees are kept, bytes are not."""
        return self.file.read_bytes()

    @property
    def group(self) -> str:
        """The site, by which folds are made."""
        return str(self.row.get("group") or self.row.get("domain") or self.row["id"])

    @property
    def kind(self) -> int | None:
        """1 for an index page, 0 for a page that is none, null where the labels do not say."""
        kind = self.row["kind"]
        if kind in INDEX:
            return 1
        return 0 if kind in NOT_INDEX or kind == "home_or_other" else None

    def roles(self) -> dict[int, Role]:
        """The role of each labelled link of a bar, by its index; mini-pagers inside rows have none."""
        out: dict[int, Role] = {}
        for label in self.row["labels"]:
            if label["scope"] == "bar":
                orig = label.get("orig", label["label"])
                out[label["i"]] = (orig if orig in ("FIRST", "LAST") else label["label"]).lower()
        return out

    def blocks(self) -> list[list[int]]:
        """The anchors of the articles of each labelled list."""
        return [[a["i"] for a in block["articles"]] for block in self.row.get("blocks", ())]


def read_rows(folder: Path) -> list[dict[str, Any]]:
    """The lines of a corpus whose labels are good."""
    with (folder / "labels.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return [row for row in rows if row.get("labels_status", "ok") == "ok"]


def read_corpus(folder: Path) -> list[Labelled]:
    """The pages of a corpus folder, parsed. Raises `OSError` where a file is missing."""
    return [
        Labelled(row, parse((folder / row["file"]).read_bytes(), row["url"], "utf-8"), folder / row["file"])
        for row in read_rows(folder)
    ]


def corpus_hash(folders: Iterable[Path]) -> str:
    """SHA-256 over the labels and pages of corpora, by which a model's card names its data."""
    digest = hashlib.sha256()
    for folder in folders:
        digest.update((folder / "labels.jsonl").read_bytes())
        for row in read_rows(folder):
            digest.update(hashlib.sha256((folder / row["file"]).read_bytes()).digest())
    return digest.hexdigest()


def folds_of(pages: Sequence[Labelled], folds: int) -> list[int]:
    """The fold of each page: all pages of one group together, the groups spread by a hash of their names."""
    names = sorted({p.group for p in pages}, key=lambda g: hashlib.sha256(g.encode()).digest())
    place = {name: k % folds for k, name in enumerate(names)}
    return [place[p.group] for p in pages]
