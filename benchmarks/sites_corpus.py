"""Turn a folder of rendered sites with known truth into a corpus (docs: the corpus format).

usage: python benchmarks/sites_corpus.py SITES_DIR OUT_DIR [--times 0,2] [--articles 4]

SITES_DIR holds `common.py` (reads stored pages) and `out/SITE/truth.json`. Links are labelled from the truth:
a link whose target is the next page is NEXT, the one before PREV, other pages of the bar PAGE; a bare number
is PAGE always. Only links of one small container that holds the next or previous page count as a bar.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree

from recrawler.page.document import Anchor, Document, parse, xpath
from recrawler.page.groups import Item, find_groups

ORDER = {"newest_first": "newest-first", "oldest_first": "oldest-first"}


def key(url: str | None) -> str:
    """What two spellings of one page share: the path and query, no host, fragment or trailing slash."""
    if not url:
        return "\0"
    parts = urlsplit(url)
    path = unquote(parts.path).removesuffix("index.html").rstrip("/")
    return f"{path}?{parts.query}" if parts.query else path


def loader(sites: Path) -> Any:
    spec = importlib.util.spec_from_file_location("sites_common", sites / "common.py")
    if spec is None or spec.loader is None:
        sys.exit(f"{sites}/common.py cannot be read")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load


def bar_labels(doc: Document, page: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Labels and bars of one index page."""
    forth, back = key(page.get("next")), key(page.get("prev"))
    others = {key(u) for u in page.get("bar_links") or ()}
    labels, bars = [], []
    for group in find_groups(doc):
        targets = [key(i.anchor.url) for i in group.items]
        known = [t in (forth, back) or t in others for t in targets]
        strong = any(
            t == forth or (t == back and _turns_back(i)) for t, i in zip(targets, group.items, strict=True)
        )
        if not strong or sum(known) < 0.5 * len(known):
            continue
        members = []
        for item, target, ok in zip(group.items, targets, known, strict=True):
            if not ok:
                continue
            labels.append(_label(item.anchor, _role(item, target, forth, back)))
            members.append(item.anchor.index)
        bars.append({"links": members, "block": 0 if page["posts"] else None})
    return labels, bars


def _turns_back(item: Item) -> bool:
    """A link to the page before that is no mere menu entry: page 1 is often the home page."""
    words = set(item.shape.senses) & {"prev", "newer"}
    return bool(words or item.rel & {"prev"} or item.cues & {"prev"} or item.shape.arrow or item.shape.pure)


def _role(item: Item, target: str, forth: str, back: str) -> str:
    """NEXT, PREV, PAGE, or FIRST and LAST, which the format files under PAGE."""
    if item.shape.number is not None and item.shape.arrow == 0:
        return "PAGE"
    if target == forth and "last" not in item.shape.senses and item.shape.arrow < 2:
        return "NEXT"
    if target == back and "first" not in item.shape.senses and item.shape.arrow > -2:
        return "PREV"
    if item.shape.arrow == -2 or "first" in item.shape.senses:
        return "FIRST"
    return "LAST" if item.shape.arrow == 2 or "last" in item.shape.senses else "PAGE"


def _label(anchor: Anchor, what: str) -> dict[str, Any]:
    label = "PAGE" if what in ("FIRST", "LAST") else what
    return {
        "i": anchor.index,
        "href": anchor.raw,
        "text": anchor.text,
        "label": label,
        "orig": what,
        "scope": "bar",
    }


def block(doc: Document, page: dict[str, Any], site: dict[str, Any]) -> list[dict[str, Any]]:
    """The smallest element that holds a link to every post of the page."""
    wanted = {key(p["url"]): p for p in page["posts"]}
    links = [(a, key(a.url)) for a in doc.anchors if key(a.url) in wanted]
    if not wanted or {k for _, k in links} != set(wanted):
        return []
    holders: dict[etree._Element, set[str]] = {}
    for anchor, target in links:
        here = anchor.node
        while here is not None:
            holders.setdefault(here, set()).add(target)
            here = here.getparent()
    full = [n for n, have in holders.items() if len(have) == len(wanted)]
    node = min(full, key=lambda n: sum(1 for _ in n.iter()))
    inside = [(a, k) for a, k in links if node in (a.node, *a.node.iterancestors())]
    best: dict[str, Anchor] = {}
    for anchor, target in inside:
        if target not in best or len(anchor.text) > len(best[target].text):
            best[target] = anchor
    chosen = sorted(best.items(), key=lambda pair: pair[1].index)
    articles = [{"i": a.index, "href": a.raw, "text": a.text} for _, a in chosen]
    pinned = [a.index for k, a in chosen if wanted[k].get("sticky")]
    return [
        {
            "xpath": xpath(node), "tag": str(node.tag),
            "id": node.get("id") or "", "cls": node.get("class") or "",
            "articles": articles, "pinned": pinned,
            "time_sorted": "yes" if site.get("order") in ORDER else "unknown",
            "time_key": "publish", "dates_beside": "yes" if page.get("dates_beside") else "unknown",
            "note": "", "doubtful": False,
        }
    ]  # fmt: skip


def rows(sites: Path, times: list[int], articles: int) -> Iterator[tuple[dict[str, Any], bytes]]:
    load = loader(sites)
    chance = random.Random(7)
    for folder in sorted((sites / "out").iterdir()):
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        for t in times:
            moments = truth["times"]
            moment = moments[t] if isinstance(moments, list) else list(moments.values())[t]
            posts: set[str] = set()
            for kind, pages in moment["indexes"].items():
                for n, page in enumerate(pages):
                    posts |= {p["url"] for p in page["posts"]}
                    body = load(str(folder), t, page["url"])
                    if body:
                        yield row(truth, f"{folder.name}-{t}-{kind}-{n}", page, body, moment["at"]), body
            for n, url in enumerate(chance.sample(sorted(posts), min(articles, len(posts)))):
                body = load(str(folder), t, url)
                if body:
                    name = f"{folder.name}-{t}-article-{n}"
                    yield row(truth, name, {"url": url, "posts": []}, body, moment["at"]), body


def row(site: dict[str, Any], name: str, page: dict[str, Any], body: bytes, now: str) -> dict[str, Any]:
    url = urljoin(f"http://{site['name']}.test/", page["url"])
    doc = parse(body, url, "utf-8")
    article = "-article-" in name
    labels, bars = ([], []) if article else bar_labels(doc, page)
    forth = key(page.get("next"))
    older = [a for a in doc.anchors if key(a.url) == forth and any(a.index == x["i"] for x in labels)]
    return {
        "id": name, "file": f"pages/{name}.html", "url": url, "url_exact": True,
        "domain": f"{site['name']}.test", "group": site["name"], "lang": site["lang"],
        "kind": "article" if article else "news_index",
        "n_links": len(doc.anchors), "labels_by": "truth", "labels_status": "ok",
        "labels": labels, "bars": bars,
        "older": {"links": [a.index for a in older], "href": [a.raw for a in older], "js_only": False,
                  "how": "NEXT label" if older else "none"},
        "blocks": [] if article else block(doc, page, site), "split": "train", "now": now,
    }  # fmt: skip


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("sites", type=Path)
    ap.add_argument("out", type=Path)
    ap.add_argument("--times", default="0")
    ap.add_argument("--articles", type=int, default=4)
    args = ap.parse_args()
    (args.out / "pages").mkdir(parents=True, exist_ok=True)
    with (args.out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for one, body in rows(args.sites, [int(t) for t in args.times.split(",")], args.articles):
            (args.out / one["file"]).write_bytes(body)
            labels.write(json.dumps(one, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
