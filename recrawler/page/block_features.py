"""What is measured of a candidate block: plain numbers by name, the same in training and in use.

Words in ids and classes are evidence only, never a decision; they are matched as parts of names in the
languages that page makers use for names (English, pinyin). Texts are measured, not read.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from recrawler.page.blocks import Candidate, Finder
from recrawler.page.document import Document
from recrawler.page.outline import HEADINGS, Outline

_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]")
_DATE = re.compile(
    r"\d{1,4}\s?[-./年]\s?\d{1,2}\s?[-./月]\s?\d{1,4}|\d{1,2}[-/月]\d{1,2}|\b\d{1,2}:\d{2}\b|"
    r"\b(?:19|20)\d\d\b|\d\s?(?:分钟|小时|天|分鐘|小時|日|時間|分|hours?|minutes?|days?|min|h)\s?(?:前|ago)"
    r"|[今昨前]天|刚刚|yesterday|today",
    re.I,
)
_SIDE = re.compile(
    r"side|widget|recent|related|relat|popular|trend|rank|recommend|tuijian|xiangguan|aside|archive-?(?:list|widget)"
    r"|blogroll|friend|youqing|cloud|calendar|hots?\b|rightbar|leftbar|sticky-?bar|carousel|slide|swiper|banner|"
    r"comment|tab-|tabs|ticker|marquee|most|zuixin|random|featured",
    re.I,
)
_NAV = re.compile(r"nav|menu|crumb|topbar|toolbar|dropdown|\btop\b|drawer|lang|login|share|social|pag(?:e|i|er)", re.I)
_FOOT = re.compile(r"foot|copyright|bottom|links?\b|credit|legal", re.I)
_MAIN = re.compile(r"content|main|primary|list|post|entr|articles?|news|blog|result|stream|feed|index|archive|topic|thread|item", re.I)
_META = re.compile(r"meta|tag|categ|author|byline|date|time|more|comment|count|user|avatar|cat\b|label|action|thumb|img|image", re.I)
_TITLE = re.compile(r"title|headline|heading|subject|biaoti|name|tit\b|bt\b", re.I)
_SECTION_URL = re.compile(r"/(?:tags?|categor(?:y|ies)|authors?|users?|members?|profile|topics?|label|search|login|archives?|page)(?:/|$|\.|\?)|[?&](?:cat|tag|author|u|uid|page|paged)=|/\d{4}/\d{1,2}/?$", re.I)
_SHAPE = re.compile(r"\d+|[^\d/?&=.#:]+")

NAMES: tuple[str, ...] = (
    "log_n", "one", "few", "width", "len_median", "len_mean", "len_spread", "len_min", "blank", "long",
    "texts_distinct", "numeric", "heading", "dated", "own_date", "time_tag", "beside", "image", "in_row",
    "first", "longest", "repeated_in_row", "elsewhere", "even", "adjacent", "fill", "extent", "start",
    "depth", "mass", "mass_rank", "count_rank", "mass_page", "text_page", "whole", "strict", "level",
    "row_li", "row_tr", "row_article", "row_div", "row_a", "row_h", "row_dl", "row_p",
    "in_main", "in_article", "in_aside", "in_nav", "in_footer", "in_header", "in_form",
    "side", "nav", "foot", "main", "row_main", "meta", "title", "row_side",
    "same_host", "same_dir", "slug", "digits", "path_depth", "query", "section_url", "shape", "below",
    "bar_after", "bar_before", "bar_in", "bar_score", "bar_near", "bar_gap", "bar_siblings",
    "bar_common", "marked",
)  # fmt: skip


@dataclass(slots=True)
class PageFacts:
    """What the features of every candidate share."""

    doc: Document
    tree: Outline
    finder: Finder
    lengths: list[float]  # visual length of each link's text: wide characters count twice
    mass: float
    words: float  # length of the page's text
    heads: list[bool]  # the link is in a heading or holds one
    images: list[bool]
    host: str
    directory: str
    holders: dict[int, list[int]]  # target -> anchors
    bars: Sequence[tuple[int, int, float]]  # (start, end, score) of each bar
    named: dict[int, tuple[int, ...]]
    lineage: dict[int, tuple[float, ...]]


def facts(doc: Document, tree: Outline, finder: Finder, bars: Sequence[tuple[int, int, float]] = ()) -> PageFacts:
    """Measures the page once."""
    lengths = [visual(a.text) for a in doc.anchors]
    holders: dict[int, list[int]] = {}
    for k, target in enumerate(finder.targets):
        if target >= 0:
            holders.setdefault(target, []).append(k)
    heads, images = _marks(doc, tree)
    split = doc.url.split("/", 3)
    return PageFacts(
        doc=doc,
        tree=tree,
        finder=finder,
        lengths=lengths,
        mass=sum(min(x, 120) for x in lengths) or 1.0,
        words=sum(map(len, tree.text)) + sum(map(len, tree.tail)) or 1.0,
        heads=heads,
        images=images,
        host=split[2] if len(split) > 2 else "",
        directory=doc.url.rpartition("/")[0],
        holders=holders,
        bars=bars,
        named={},
        lineage={},
    )


def visual(text: str) -> float:
    """Length as a reader sees it, at most 200: a CJK character is as wide as two letters."""
    if text.isascii():
        return float(min(len(text), 200))
    return float(min(len(text) + len(_WIDE.findall(text[:200])), 200))


def measure(candidates: list[Candidate], page: PageFacts) -> None:
    """Fills `values` of every candidate."""
    masses = [_mass(c, page) for c in candidates]
    top_mass = max(masses, default=1.0) or 1.0
    top_count = max((len(c.chosen) for c in candidates), default=1)
    for c, mass in zip(candidates, masses, strict=True):
        v: dict[str, float] = {}
        _texts(c, page, v)
        _row_shape(c, page, v)
        _row_texts(c, page, v)
        _place(c, page, v)
        _urls(c, page, v)
        _bars(c, page, v)
        v["mass"] = math.log1p(mass)
        v["mass_rank"] = mass / top_mass
        v["mass_page"] = mass / page.mass
        v["count_rank"] = len(c.chosen) / top_count
        v["marked"] = float(c.marked)
        c.values = v


def vector(c: Candidate) -> list[float]:
    """The values in the order of `NAMES`."""
    return [c.values[name] for name in NAMES]


def _mass(c: Candidate, page: PageFacts) -> float:
    return sum(min(page.lengths[k], 120) for k in c.chosen)


def _marks(doc: Document, tree: Outline) -> tuple[list[bool], list[bool]]:
    """For each link: is it in a heading or holds one; holds an image."""
    heads, images = [], []
    for at in tree.anchor_at:
        inside = tree.tag[at + 1 : min(tree.end[at], at + 40)]
        head = any(t in HEADINGS for t in inside)
        up = tree.parent[at]
        for _ in range(4):
            if head or up < 0:
                break
            head = tree.tag[up] in HEADINGS
            up = tree.parent[up]
        heads.append(head)
        images.append("img" in inside or "svg" in inside or "picture" in inside)
    return heads, images


def _texts(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    n = len(c.chosen)
    lengths = sorted(page.lengths[k] for k in c.chosen)
    mean = sum(lengths) / n
    texts = [page.doc.anchors[k].text for k in c.chosen]
    v["log_n"] = math.log(n)
    v["one"] = float(n == 1)
    v["few"] = float(n < 5)
    v["width"] = c.width
    v["len_median"] = lengths[n // 2]
    v["len_mean"] = mean
    v["len_min"] = lengths[n // 10]
    v["len_spread"] = (sum((x - mean) ** 2 for x in lengths) / n) ** 0.5 / (mean + 1)
    v["blank"] = sum(not x for x in lengths) / n
    v["long"] = sum(x >= 20 for x in lengths) / n
    v["texts_distinct"] = len(set(texts)) / n
    v["numeric"] = sum(t.isdigit() for t in texts) / n
    v["own_date"] = sum(bool(_DATE.search(t)) for t in texts) / n
    v["heading"] = sum(page.heads[k] for k in c.chosen) / n
    v["image"] = sum(page.images[k] for k in c.chosen) / n
    v["whole"] = n / c.whole if c.whole else 1.0
    v["strict"] = float(c.strictness)


def _row_shape(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    tree, n = page.tree, len(c.chosen)
    sizes = [end - start for start, end in c.rows]
    mean = sum(sizes) / n
    v["even"] = (sum((s - mean) ** 2 for s in sizes) / n) ** 0.5 / (mean + 1)
    joined = sum(a[1] == b[0] for a, b in zip(c.rows, c.rows[1:], strict=False))
    v["adjacent"] = joined / (n - 1) if n > 1 else 1.0
    span = tree.end[c.scope] - c.scope
    v["fill"] = min(1.0, sum(sizes) / span)
    total = len(tree.tag)
    v["extent"] = (c.rows[-1][1] - c.rows[0][0]) / total
    v["start"] = c.rows[0][0] / total
    v["depth"] = float(tree.depth[c.scope])
    v["level"] = float(c.level - tree.depth[c.scope])
    tops = Counter(tree.tag[t] for t in c.tops)
    tag = tops.most_common(1)[0][0]
    for name, kinds in (
        ("row_li", ("li",)), ("row_tr", ("tr", "tbody", "td")), ("row_article", ("article", "section")),
        ("row_div", ("div",)), ("row_a", ("a",)), ("row_h", ("h1", "h2", "h3", "h4", "h5", "h6")),
        ("row_dl", ("dl", "dt", "dd")), ("row_p", ("p", "span", "b", "font")),
    ):  # fmt: skip
        v[name] = float(tag in kinds)


def _row_texts(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    """What stands in the rows beside the chosen links."""
    tree, finder, n = page.tree, page.finder, len(c.chosen)
    at = tree.anchor_at
    dated = timed = beside = links = firsts = longest = again = 0.0
    for k, (start, end) in zip(c.chosen, c.rows, strict=True):
        words = " ".join(tree.words(start, end, at[k]).split())
        size = visual(words)
        beside += size
        dated += bool(_DATE.search(words[:400]))
        timed += "time" in tree.tag[start:end]
        lo = k
        while lo > 0 and at[lo - 1] >= start:
            lo -= 1
        hi = k + 1
        while hi < len(at) and at[hi] < end:
            hi += 1
        links += hi - lo
        firsts += all(not page.lengths[j] or finder.targets[j] == finder.targets[k] for j in range(lo, k))
        longest += page.lengths[k] >= max(page.lengths[lo:hi])
        again += any(finder.targets[j] == finder.targets[k] for j in range(lo, hi) if j != k)
    v["dated"], v["time_tag"], v["beside"] = dated / n, timed / n, math.log1p(beside / n)
    v["in_row"], v["first"], v["longest"] = math.log(links / n), firsts / n, longest / n
    v["repeated_in_row"] = again / n
    inside = (c.rows[0][0], c.rows[-1][1])
    elsewhere = 0
    for k in c.chosen:
        elsewhere += any(not inside[0] <= at[j] < inside[1] for j in page.holders[finder.targets[k]])
    v["elsewhere"] = elsewhere / n


def _named(at: int, page: PageFacts) -> tuple[int, ...]:
    known = page.named.get(at)
    if known is None:
        node = page.doc.elements[at]
        name = f"{node.get('id') or ''} {node.get('class') or ''}"
        if name == " ":
            known = (0,) * 6
        else:
            known = tuple(int(bool(p.search(name))) for p in (_SIDE, _NAV, _FOOT, _MAIN, _META, _TITLE))
        page.named[at] = known
    return known


def _lineage(at: int, page: PageFacts) -> tuple[float, ...]:
    """Of an element and all above it: side, nav, foot, main names; main, article, aside, nav, footer, header, form."""
    known = page.lineage.get(at)
    if known is not None:
        return known
    tree = page.tree
    if at < 0 or tree.tag[at] in ("body", "html"):
        known = (0.0,) * 11
    else:
        above = _lineage(tree.parent[at], page) if tree.depth[at] < 150 else (0.0,) * 11
        names = _named(at, page)
        tag = tree.tag[at]
        own = (*names[:4], *(int(tag == t) for t in ("main", "article", "aside", "nav", "footer", "header", "form")))
        known = tuple(a + o for a, o in zip(above, own, strict=True))
    page.lineage[at] = known
    return known


def _place(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    lineage = _lineage(c.scope if len(c.chosen) > 1 else page.tree.parent[c.scope], page)
    names = ("side", "nav", "foot", "main", "in_main", "in_article", "in_aside", "in_nav", "in_footer", "in_header", "in_form")
    for name, value in zip(names, lineage, strict=True):
        v[name] = min(value, 3.0)
    n = len(c.chosen)
    row_main = meta = title = row_side = 0
    for k, top in zip(c.chosen, c.tops, strict=True):
        at = page.tree.anchor_at[k]
        own = _named(top, page)
        row_main += own[3]
        row_side += own[0] or own[1]
        while at > top:
            here = _named(at, page)
            meta += here[4]
            title += here[5]
            at = page.tree.parent[at]
    v["row_main"], v["row_side"], v["meta"], v["title"] = row_main / n, row_side / n, meta / n, title / n
    span = sum(map(len, page.tree.text[c.scope : page.tree.end[c.scope]]))
    v["text_page"] = min(1.0, span / page.words)


def _urls(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    urls = [page.doc.anchors[k].url or "" for k in c.chosen]
    n = len(urls)
    same = slug = digits = deep = query = section = below = 0.0
    shapes: Counter[str] = Counter()
    dirs: Counter[str] = Counter()
    for url in urls:
        path = url.split("/", 3)
        rest = path[3] if len(path) > 3 else ""
        same += len(path) > 2 and path[2] == page.host
        last = rest.rstrip("/").rpartition("/")[2]
        slug += last.count("-") >= 2 or last.count("_") >= 2 or len(last) > 30
        digits += any(ch.isdigit() for ch in rest)
        deep += rest.count("/")
        query += "?" in rest
        section += bool(_SECTION_URL.search("/" + rest))
        below += url.startswith(page.directory)
        shapes[_SHAPE.sub(lambda m: "0" if m[0][0].isdigit() else "a", rest[:120])] += 1
        dirs[url.rstrip("/").rpartition("/")[0]] += 1
    v["same_host"], v["slug"], v["digits"], v["path_depth"] = same / n, slug / n, digits / n, deep / n
    v["query"], v["section_url"], v["below"] = query / n, section / n, below / n
    v["shape"] = shapes.most_common(1)[0][1] / n
    v["same_dir"] = dirs.most_common(1)[0][1] / n


def _bars(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    """How the nearest likely bar stands to the block."""
    tree = page.tree
    first, last = c.rows[0][0], c.rows[-1][1]
    total = len(tree.tag)
    after = before = within = best = near = siblings = common = 0.0
    gap = 1.0
    for start, end, score in page.bars:
        if start >= last:
            away = (start - last) / total
            after = max(after, score / (1 + 30 * away))
        elif end <= first:
            away = (first - end) / total
            before = max(before, score / (1 + 30 * away))
        else:
            away = 0.0
            within = max(within, score)
        closeness = score / (1 + 30 * away)
        if closeness > near:
            near, gap, best = closeness, away, score
            shared = _shared(tree, start, c.scope)
            common = tree.depth[shared] / (tree.depth[c.scope] + 1)
            siblings = float(shared in (c.scope, tree.parent[c.scope]))
    v["bar_after"], v["bar_before"], v["bar_in"], v["bar_score"] = after, before, within, best
    v["bar_near"], v["bar_gap"], v["bar_siblings"], v["bar_common"] = near, gap, siblings, common


def _shared(tree: Outline, a: int, b: int) -> int:
    """The lowest common ancestor of two positions."""
    while not (a <= b < tree.end[a]):
        a = tree.parent[a]
    return a
