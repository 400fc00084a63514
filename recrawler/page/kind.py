"""Is a page an index, an article, or something else?

An index is a page whose list of links is the point of it; an article has one text of its own, whatever lists
stand beside it. The features set the best list against the best running text.
"""

from __future__ import annotations

import math
import re

from recrawler.page.block_features import PageFacts, visual
from recrawler.page.blocks import Candidate
from recrawler.page.outline import HEADINGS

NAMES: tuple[str, ...] = (
    "block_score", "block_n", "block_mass", "block_extent", "block_dated", "block_heading", "block_len", "second_score",
    "bar_score", "prose_longest", "prose_total", "prose_outside", "prose_paragraphs", "headings_one", "url_depth", "url_slug",
    "url_digits", "url_page", "og_article", "ld_article", "link_share", "comments", "path_root",
)  # fmt: skip

_ARTICLE_TYPE = re.compile(r'"@type"\s*:\s*"(?:News|Blog|Report)?(?:Article|BlogPosting|Posting)"')
_COMMENT = re.compile(
    r"comment-?(?:form|list|respond|body)|commentlist|reply-?(?:form|list)|disqus|respond", re.I
)


def features(
    best: Candidate | None, second: Candidate | None, page: PageFacts, bar_score: float
) -> dict[str, float]:
    """What tells an index from an article: see `NAMES`."""
    v = dict.fromkeys(NAMES, 0.0)
    if best is not None:
        v["block_score"] = best.score
        v["block_n"] = math.log1p(len(best.chosen))
        v["block_mass"] = best.values.get("mass_page", 0.0)
        v["block_extent"] = best.values.get("extent", 0.0)
        v["block_dated"] = best.values.get("dated", 0.0)
        v["block_heading"] = best.values.get("heading", 0.0)
        v["block_len"] = best.values.get("len_median", 0.0)
    v["second_score"] = second.score if second is not None else 0.0
    v["bar_score"] = bar_score
    _prose(best, page, v)
    _address(page, v)
    _claims(page, v)
    words = sum(page.finder.lengths)
    v["link_share"] = min(1.0, words / (page.words + 1))
    return v


def _prose(best: Candidate | None, page: PageFacts, v: dict[str, float]) -> None:
    """Running text: paragraphs, and how much of it stands outside of the best list's rows."""
    tree = page.tree
    longest = total = outside = paragraphs = 0.0
    inside = [(s, e) for s, e in best.rows] if best is not None and len(best.chosen) > 1 else []
    per_row: dict[int, float] = {}
    at = 0
    for i, tag in enumerate(tree.tag):
        if tag not in ("p", "div", "td", "blockquote", "section", "article", "span", "font"):
            continue
        size = visual(
            " ".join((tree.text[i] + " " + "".join(tree.tail[i + 1 : min(tree.end[i], i + 12)])).split())
        )
        if size < 80:
            continue
        total += size
        paragraphs += 1
        while at < len(inside) and inside[at][1] <= i:
            at += 1
        if at < len(inside) and inside[at][0] <= i:
            per_row[at] = per_row.get(at, 0.0) + size
        else:
            outside += size
    longest = max(per_row.values(), default=0.0)
    v["prose_longest"], v["prose_total"] = math.log1p(longest), math.log1p(total)
    v["prose_outside"], v["prose_paragraphs"] = math.log1p(outside), math.log1p(paragraphs)


def _address(page: PageFacts, v: dict[str, float]) -> None:
    path = page.doc.url.split("/", 3)[3] if page.doc.url.count("/") > 2 else ""
    last = path.split("?")[0].rstrip("/").rpartition("/")[2]
    v["path_root"] = float(not path)
    v["url_depth"] = float(path.count("/"))
    v["url_slug"] = float(last.count("-") >= 3 or last.count("_") >= 3)
    v["url_digits"] = float(bool(re.search(r"\d{4,}", last)))
    v["url_page"] = float(
        bool(
            re.search(
                r"(?:page|p|paged|list|index|start|offset)[/=_-]?\d+|/(?:tag|categor|archive|blog|news|list)",
                path,
            )
        )
    )


def _claims(page: PageFacts, v: dict[str, float]) -> None:
    """What the page says of itself: Open Graph type, JSON-LD type, one main heading, a comment form."""
    tree, elements = page.tree, page.doc.elements
    ones = 0
    for i, tag in enumerate(tree.tag):
        if tag == "meta":
            if elements[i].get("property") == "og:type":
                v["og_article"] = float((elements[i].get("content") or "").lower().startswith("article"))
        elif tag == "script":
            if "ld+json" in (elements[i].get("type") or "") and _ARTICLE_TYPE.search(tree.text[i][:20_000]):
                v["ld_article"] = 1.0
        elif tag == "h1":
            ones += 1
        elif tag in ("form", "div", "ol", "ul", "section") and not v["comments"]:
            name = f"{elements[i].get('id') or ''} {elements[i].get('class') or ''}"
            v["comments"] = float(len(name) > 1 and bool(_COMMENT.search(name)))
    v["headings_one"] = float(ones == 1)


def has_heading(tags: list[str]) -> bool:
    """Whether any of the tags is a heading."""
    return any(t in HEADINGS for t in tags)
