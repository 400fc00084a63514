"""Is a page an index, an article, or something else?

An index is a page whose list of links is the point of it; an article has one text of its own, whatever lists
stand beside it. The features set the best list against the best running text.
"""

from __future__ import annotations

import math
import re
from operator import add

from recrawler.page.blocks import Candidate, visual
from recrawler.page.document import Element
from recrawler.page.facts import PageFacts, shape_of

NAMES: tuple[str, ...] = (
    "block_score", "block_n", "block_mass", "block_extent", "block_start", "block_dated", "block_heading",
    "block_len", "block_beside", "second_score", "bar_score", "prose_longest", "prose_total", "prose_outside",
    "prose_before", "prose_paragraphs", "headings_one", "heading_in_title", "heading_long", "url_depth", "url_slug",
    "url_digits", "url_page", "url_like_block", "og_article", "og_website", "ld_article", "published_meta",
    "body_single", "body_index", "link_share", "comments", "path_root",
)  # fmt: skip

ONE_PARAGRAPH, FOUR_PARAGRAPHS = math.log1p(150), math.log1p(500)  # visual length, at most 200 a paragraph
# Least visual length of running text. A Chinese, Japanese or Korean character counts two and says three.
PROSE, PROSE_EAST = 80, 60

_SINGLE = re.compile(
    r"(?:^|[\s_-])(?:single|post-template|detail|article|postid|entry-page|node-type|post-page|show)(?:$|"
    r"[\s_-])",
    re.I,
)
_INDEX = re.compile(
    r"(?:^|[\s_-])(?:home|index|archive|category|tag|paged|blog|list|front|search-results)(?:$|[\s_-])", re.I
)
_FRONT = re.compile(r"/(?:(?:index|default|home)(?:\.\w{2,5})?/?)?", re.I)
_ARTICLE_TYPE = re.compile(r'"@type"\s*:\s*"(?:News|Blog|Report)?(?:Article|BlogPosting|Posting)"')
_PUBLISHED = frozenset(
    ("article:published_time", "pubdate", "publishdate", "datePublished", "og:release_date")
)
_PROSE = frozenset(("p", "div", "td", "blockquote", "section", "article", "span", "font", "li"))
_BREAKS = frozenset(("br", "a", "b", "strong", "em", "img", "i", "font", "span"))
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
        v["block_start"] = best.values.get("start", 0.0)
        v["block_beside"] = best.values.get("beside", 0.0)
        v["url_like_block"] = _like_block(best, page)
    v["second_score"] = second.score if second is not None else 0.0
    v["bar_score"] = bar_score
    _prose(best, page, v)
    _address(page, v)
    _claims(page, v)
    _heading(page, v)
    words = sum(page.finder.lengths)
    v["link_share"] = min(1.0, words / (page.words + 1))
    return v


def is_article(v: dict[str, float]) -> bool:
    """Whether a page that is no index is an article: it says so, or has much running text, or some below a
    heading that is its title."""
    if v["og_article"] or v["ld_article"]:
        return True
    titled = v["heading_in_title"] or v["published_meta"] or v["body_single"]
    return v["prose_outside"] > (ONE_PARAGRAPH if titled else FOUR_PARAGRAPHS)


def is_front(url: str) -> bool:
    """Whether an address is that of a site's front page, which is no article, however much text is on it."""
    return _FRONT.fullmatch("/" + url.partition("://")[2].partition("/")[2].partition("#")[0]) is not None


def _prose(best: Candidate | None, page: PageFacts, v: dict[str, float]) -> None:
    """Running text: paragraphs, how much of it stands outside of the best list's rows, and before them."""
    tree = page.tree
    rows = best.rows if best is not None and len(best.chosen) > 1 else []
    first = rows[0][0] if rows else len(tree.tag)
    in_row: dict[int, float] = {}
    total = outside = before = 0.0
    paragraphs = at = 0
    sizes = map(add, map(len, tree.text), map(len, tree.tail))
    least = PROSE_EAST // 2  # characters: fewer are too short in any script
    for i in [i for i, size in enumerate(sizes) if size >= least]:
        text, tag = tree.text[i], tree.tag[i]
        size = len(text) if tag in _PROSE else 0
        size += len(tree.tail[i]) if tag in _BREAKS else 0
        if size < least:
            continue
        size = _running(" ".join(f"{text} {tree.tail[i]}".split()))
        if not size:
            continue
        total += size
        paragraphs += 1
        while at < len(rows) and rows[at][1] <= i:
            at += 1
        if at < len(rows) and rows[at][0] <= i:
            in_row[at] = in_row.get(at, 0.0) + size
        else:
            outside += size
            before += size if i < first else 0
    v["prose_longest"], v["prose_total"] = math.log1p(max(in_row.values(), default=0.0)), math.log1p(total)
    v["prose_outside"], v["prose_before"] = math.log1p(outside), math.log1p(before)
    v["prose_paragraphs"] = math.log1p(paragraphs)


def _running(text: str) -> int:
    """The visual length of a running text, at most 200; 0 if it is too short for one."""
    size = visual(text)
    wide = size - len(text) > 0.5 * len(text)
    return int(size) if size >= (PROSE_EAST if wide else PROSE) else 0


def _like_block(best: Candidate, page: PageFacts) -> float:
    """Share of the block's links whose URL has the shape of the page's own: an article's neighbours do."""
    rest = page.doc.url.split("/", 3)[-1] if page.doc.url.count("/") > 2 else ""
    own = shape_of(rest)
    if not rest:
        return 0.0
    shapes = [page.shapes.get(page.finder.targets[k], ("", ""))[0] for k in best.chosen[:60]]
    return sum([s == own for s in shapes]) / len(shapes)


def _heading(page: PageFacts, v: dict[str, float]) -> None:
    """The main heading: only one, long, and part of the document's title."""
    tree = page.tree
    ones = page.doc.places.get("h1", [])
    v["headings_one"] = float(len(ones) == 1)
    title = page.doc.title.casefold()
    for i in ones[:3]:
        text = " ".join(tree.words(i, tree.end[i]).split())
        if len(text) > 8 and text.casefold()[:60] in title:
            v["heading_in_title"] = 1.0
            v["heading_long"] = max(v["heading_long"], visual(text))


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
                r"(?:page|p|paged|list|index|start|offset)[/=_-]?\d+|/(?:tag|categor|archive|blog|news|"
                r"list)",
                path,
            )
        )
    )


def _claims(page: PageFacts, v: dict[str, float]) -> None:
    """What the page says of itself: Open Graph and JSON-LD types, classes of <body>, a comment form."""
    for node in page.doc.all("meta"):
        name = node.get("property") or node.get("name") or ""
        if name == "og:type":
            content = (node.get("content") or "").lower()
            v["og_article"] = float(content.startswith("article"))
            v["og_website"] = float(content in ("website", "blog"))
        elif name in _PUBLISHED:
            v["published_meta"] = 1.0
    for node in page.doc.all("script"):
        if "ld+json" in (node.get("type") or "") and _ARTICLE_TYPE.search((node.text or "")[:20_000]):
            v["ld_article"] = 1.0
    for node in page.doc.all("body"):
        v["body_single"] = float(_SINGLE.search(_named(node)) is not None)
        v["body_index"] = float(_INDEX.search(_named(node)) is not None)
    holders = page.doc.all("form", "ol", "section")
    v["comments"] = float(any(_COMMENT.search(_named(node)) is not None for node in holders))


def _named(node: Element) -> str:
    return f"{node.get('id') or ''} {node.get('class') or ''}"
