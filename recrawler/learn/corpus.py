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

from recrawler.errors import UsageError
from recrawler.page.document import Document, parse
from recrawler.page.types import Role

INDEX = frozenset(("blog_index", "news_index", "forum_index", "announcement_index"))
REQUIRED = ("id", "file", "url", "kind", "labels", "older")  # keys that every line has
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
    """The lines of a corpus whose labels are good. Raises `UsageError` for what is no corpus."""
    path = folder / "labels.jsonl"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        told = getattr(e, "strerror", None) or "no UTF-8"
        raise UsageError(f"{path}: {told}; give a folder with labels.jsonl and the pages it names") from None
    rows = [_row(line, f"{path}, line {n}") for n, line in enumerate(lines, 1) if line.strip()]
    good = [row for row in rows if row.get("labels_status", "ok") == "ok"]
    if not good:
        raise UsageError(f"{path} names no page with good labels")
    return good


def _row(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        raise UsageError(f"{where}: no JSON object") from None
    missing = [key for key in REQUIRED if not isinstance(row, dict) or key not in row]
    if missing:
        raise UsageError(f"{where}: lacks {', '.join(missing)}")
    assert isinstance(row, dict)
    return row


def read_corpus(folder: Path) -> list[Labelled]:
    """The pages of a corpus folder, parsed. Raises `UsageError` for missing files and broken labels."""
    return [
        Labelled(row, parse(_body(folder / row["file"]), row["url"], "utf-8"), folder / row["file"])
        for row in read_rows(folder)
    ]


def _body(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as e:
        raise UsageError(f"{file}: {e.strerror}; labels.jsonl names it") from None


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
