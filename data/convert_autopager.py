#!/usr/bin/env python3
"""Turns the folder and CSV of the public autopager data set into the corpus format.

`python data/convert_autopager.py FOLDER CSV --out DIR`, where FOLDER holds the numbered pages (1.html,
2.html, ...) and CSV has a row for each: `File Name` (without the ending), `Encoding`, `failed` (not empty:
could not be labelled), the page's URL, and selectors of the links in PREV, NEXT, PAGE, FIRST and LAST.
A selector is CSS, or XPath where it begins with "/", "./" or "(". As in the data set's own reader, a selector
may hit a link, something inside a link, or something around links. The data set says nothing of article
blocks or of the kind of a page: `blocks` is empty and `kind` "unknown" until somebody fills them in.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import tldextract
from lxml import html as lxml_html
from lxml.html import HtmlElement
from pagegen.lexicon import languages, load
from parsel import Selector

# In this order: where two selectors hit one link, the later and more telling label holds.
LABELS = {"PAGE": "PAGE", "FIRST": "PAGE", "LAST": "PAGE", "PREV": "PREV", "NEXT": "NEXT"}
URL_COLUMNS = ("Page URL", "URL", "Url", "url", "page_url")
FILE_COLUMNS = ("File Name", "File", "file", "id")
GAP = 4  # this many unlabelled links between two labelled ones part two bars
OFFLINE = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


def _column(row: dict[str, str], names: tuple[str, ...]) -> str:
    for name in names:
        if row.get(name):
            return row[name].strip()
    return ""


def _parse(text: str) -> HtmlElement:
    parser = lxml_html.HTMLParser(encoding="utf-8", recover=True, huge_tree=True)
    return lxml_html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)


def _hits(root: HtmlElement, selector: str) -> Iterator[HtmlElement]:
    """The links that a selector means."""
    tree = Selector(root=root, type="html")
    found = tree.xpath(selector) if selector.startswith(("/", "./", "(")) else tree.css(selector)
    for one in found:
        node = one.root
        if not isinstance(node, HtmlElement):
            continue
        around = [node] if node.tag == "a" else list(node.iterancestors("a"))
        yield from around or node.iter("a")


def page_labels(root: HtmlElement, row: dict[str, str]) -> list[dict[str, Any]]:
    """The labelled links of one page in document order."""
    links = root.xpath("//a[@href]")  # kept: a node's id holds as long as the node
    place = {id(link): at for at, link in enumerate(links)}
    given: dict[int, str] = {}
    for orig in LABELS:
        if selector := (row.get(orig) or "").strip():
            given.update({place[id(hit)]: orig for hit in _hits(root, selector) if id(hit) in place})
    out = []
    for at in sorted(given):
        text = " ".join(links[at].text_content().split())
        label = {"i": at, "href": links[at].get("href"), "text": text, "label": LABELS[given[at]]}
        out.append({**label, "orig": given[at], "scope": "bar"})
    return out


def bars_of(labels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Bars: runs of labelled links; a new one begins after a gap, or where a link is repeated."""
    bars: list[list[int]] = []
    seen: set[tuple[str, str, str]] = set()
    for one in labels:
        key = (one["orig"], one["href"], one["text"])
        if not bars or one["i"] - bars[-1][-1] > GAP or key in seen:
            bars.append([])
            seen = set()
        bars[-1].append(one["i"])
        seen.add(key)
    return [{"links": links, "block": None} for links in bars]


@cache
def _older_words() -> tuple[str, ...]:
    return tuple(word.lower() for lang in languages() for word in load(lang).pager("older"))


def _says_older(text: str) -> bool:
    return text.lower().strip("«‹<←»›>→ ") in _older_words()


def _after_current(labels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of bars of bare numbers, the links to the number after the missing one, which is the current page."""
    numbers = {int(one["text"]): one for one in labels if re.fullmatch(r"[0-9]{1,6}", one["text"])}
    if not numbers:
        return []
    current = next(at for at in range(1, max(numbers) + 2) if at not in numbers)
    return [one for one in labels if one["text"] == str(current + 1)]


def older_of(labels: list[dict[str, Any]]) -> dict[str, Any]:
    """The way to older items: the word for older, else NEXT, else the number after the current one."""
    word = [one for one in labels if one["label"] == "PREV" and _says_older(one["text"])]
    following = [one for one in labels if one["label"] == "NEXT"]
    how, picked = "none", word or following or _after_current(labels)
    if picked:
        how = "PREV label leads to older items" if word else "NEXT label"
        how = how if word or following else "only page numbers: current+1"
    script = bool(picked) and all(re.match(r"(?i)\s*(javascript:|#|$)", one["href"]) for one in picked)
    found = {"links": [one["i"] for one in picked], "href": [one["href"] for one in picked]}
    return {**found, "how": how, "js_only": script}


def convert_row(row: dict[str, str], folder: Path, out: Path) -> dict[str, Any]:
    """Writes one page as UTF-8 and gives its label line. Raises OSError, LookupError (unknown encoding)."""
    number = _column(row, FILE_COLUMNS).removesuffix(".html")
    name = f"ap-{number.zfill(3)}"
    raw = (folder / f"{number}.html").read_bytes()
    text = raw.decode(row.get("Encoding") or "utf-8", "replace").replace("\x00", "")
    (out / "pages" / f"{name}.html").write_bytes(text.encode("utf-8", "replace"))
    root = _parse(text)
    failed = bool((row.get("failed") or "").strip())
    labels = [] if failed else page_labels(root, row)
    url = _column(row, URL_COLUMNS)
    domain = OFFLINE(url).top_domain_under_public_suffix or OFFLINE(url).fqdn or "unknown"
    source = {"repo": "TeamHG-Memex/autopager", "path": f"{number}.html", "commit": "", "licence": "MIT"}
    return {
        "id": name, "file": f"pages/{name}.html", "source": source, "url": url, "url_exact": bool(url),
        "domain": domain, "group": domain, "lang": (root.get("lang") or "und").split("-")[0],
        "kind": row.get("kind") or "unknown", "n_links": len(root.xpath("//a[@href]")),
        "labels_by": "autopager", "labels_status": "failed" if failed else "ok", "labels": labels,
        "bars": bars_of(labels), "older": older_of(labels), "blocks": [], "split": "train",
    }  # fmt: skip


def convert(folder: Path, table: Path, out: Path) -> list[dict[str, Any]]:
    """Converts all rows of the CSV; rows whose page is missing or cannot be read are said on stderr."""
    (out / "pages").mkdir(parents=True, exist_ok=True)
    rows = []
    with table.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            try:
                rows.append(convert_row(row, folder, out))
            except (OSError, LookupError, ValueError) as error:
                print(f"{_column(row, FILE_COLUMNS)}: {error}", file=sys.stderr)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (out / "labels.jsonl").write_bytes(text.encode())
    return rows


def main(argv: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("csv", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    rows = convert(args.folder, args.csv, args.out)
    print(f"{len(rows)} pages, {sum(len(row['labels']) for row in rows)} labelled links in {args.out}")
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
