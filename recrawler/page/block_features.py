"""What is measured of a candidate block: plain numbers by name, the same in training and in use.

Words in ids and classes are evidence only, never a decision; they are matched as parts of names in the
languages that page makers use for names (English, pinyin). Texts are measured, not read.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from recrawler.page.blocks import Candidate, Finder, visual
from recrawler.page.document import Document
from recrawler.page.outline import HEADINGS, Outline

SAMPLE = 10  # rows whose insides are measured
MAX_MEASURED = 10  # candidates of a page that are measured in full
MAX_BEHIND = 2.6  # how far a candidate's promise may lie behind the best

_DATE = re.compile(
    r"\d{1,4}\s?[-./年]\s?\d{1,2}(?:\s?[-./月]|\b)|\d月\d|\d:\d\d|\b(?:19|20)\d\d\b|"
    r"\d\s?(?:分钟|小时|天|分鐘|小時|日|時間|分|시간|일|분)\s?(?:前|전)|\d (?:hour|min|day|week|month)|[今昨前]天|刚刚|"
    r"[Yy]esterday|[Tt]oday"
)
# Names of ids and classes, as parts of words. Groups: side, nav, foot, main, meta, title.
_NAMES = (
    re.compile(
        r"side|widget|recent|relat|popular|trend|rank|recommend|tuijian|xiangguan|aside|blogroll|friend|"
        r"youqing|"
        r"cloud|calendar|hots?(?![a-z])|carousel|slid|swiper|banner|comment|tab-|tabs|ticker|marquee|most|"
        r"zuixin|"
        r"random|featured|spotlight|promo|advert|archive-?(?:list|widget)"
    ),
    re.compile(
        r"nav|menu|crumb|topbar|toolbar|dropdown|(?<![a-z])top(?![a-z])|drawer|lang|login|share|social|"
        r"pag(?:e|i|er)"
    ),
    re.compile(r"foot|copyright|bottom|links?(?![a-z])|credit|legal"),
    re.compile(
        r"content|main|primary|list|post|entr|articles?|news|blog|result|stream|feed|index|archive|topic|"
        r"thread|item"
    ),
    re.compile(
        r"meta|tag|categ|author|byline|date|time|more|comment|count|user|avatar|cat(?![a-z])|label|action|"
        r"thumb|im(?:g|age)"
    ),
    re.compile(r"title|headline|heading|subject|biaoti|name|tit(?![a-z])|bt(?![a-z])"),
)
_SECTION_URL = re.compile(
    r"/(?:tags?|categor(?:y|ies)|authors?|users?|members?|profile|topics?|label|search|login|archives?|"
    r"page)(?:/|$|\.|\?)|"
    r"[?&](?:cat|tag|author|u|uid|page|paged)=|/\d{4}/\d{1,2}/?$",
    re.I,
)
_DIGITS = re.compile(r"\d+")
_SIGN = re.compile(r"[-_+,;:!~]|%20")
_ROW_TAGS = {
    "li": "row_li", "tr": "row_tr", "tbody": "row_tr", "td": "row_tr", "article": "row_article",
    "section": "row_article", "div": "row_div", "a": "row_a", "h1": "row_h", "h2": "row_h", "h3": "row_h",
    "h4": "row_h", "h5": "row_h", "h6": "row_h", "dl": "row_dl", "dt": "row_dl", "dd": "row_dl", "p": "row_p",
    "span": "row_p", "b": "row_p", "font": "row_p",
}  # fmt: skip
_PLACES = ("main", "article", "aside", "nav", "footer", "header", "form")
_LINEAGE = (
    "side", "nav", "foot", "main", "in_main", "in_article", "in_aside", "in_nav", "in_footer", "in_header",
    "in_form",
)  # fmt: skip
_NOTHING = (0,) * len(_LINEAGE)
_URL_FACTS = ("same_host", "slug", "digits", "path_depth", "query", "section_url", "below")

NAMES: tuple[str, ...] = (
    "log_n", "one", "few", "width", "len_median", "len_mean", "len_spread", "len_min", "blank", "long",
    "texts_distinct", "numeric", "own_date", "heading", "image", "whole", "strict",
    "even", "adjacent", "fill", "extent", "start", "depth", "level",
    "row_li", "row_tr", "row_article", "row_div", "row_a", "row_h", "row_dl", "row_p",
    "dated", "time_tag", "beside", "in_row", "first", "longest", "repeated_in_row", "elsewhere",
    *_LINEAGE, "row_main", "row_side", "meta", "title", "text_page",
    *_URL_FACTS, "shape", "same_dir",
    "bar_after", "bar_before", "bar_in", "bar_score", "bar_near", "bar_gap", "bar_siblings", "bar_common",
    "bar_splits",
    "mass", "mass_rank", "mass_page", "count_rank", "inside_other",
)  # fmt: skip


@dataclass(slots=True)
class PageFacts:
    """What the features of every candidate share."""

    doc: Document
    tree: Outline
    finder: Finder
    mass: float  # of all links' text
    words: float  # length of the page's text
    host: str
    directory: str
    holders: dict[int, list[int]]  # target -> anchors
    bars: Sequence[tuple[int, int, float]]  # (start, end, score) of each bar
    sums: list[int]  # text lengths before each element
    named: dict[int, tuple[int, ...]] = field(default_factory=dict)
    by_name: dict[str, tuple[int, ...]] = field(default_factory=dict)
    lineage: dict[int, tuple[int, ...]] = field(default_factory=dict)
    urls: dict[int, tuple[float, ...]] = field(default_factory=dict)
    shapes: dict[int, tuple[str, str]] = field(default_factory=dict)


def facts(
    doc: Document, tree: Outline, finder: Finder, bars: Sequence[tuple[int, int, float]] = ()
) -> PageFacts:
    """Measures the page once."""
    holders: dict[int, list[int]] = {}
    for k, target in enumerate(finder.targets):
        if target >= 0:
            holders.setdefault(target, []).append(k)
    sums = [0]
    total = 0
    for text in tree.text:
        total += len(text)
        sums.append(total)
    split = doc.url.split("/", 3)
    return PageFacts(
        doc=doc,
        tree=tree,
        finder=finder,
        mass=sum([min(x, 120.0) for x in finder.lengths]) or 1.0,
        words=float(total + sum(map(len, tree.tail))) or 1.0,
        host=split[2] if len(split) > 2 else "",
        directory=doc.url.rpartition("/")[0],
        holders=holders,
        bars=bars,
        sums=sums,
    )


def shortlist(candidates: list[Candidate], page: PageFacts) -> list[Candidate]:
    """The candidates worth measuring: by link text, headings and place; the list is never far down there."""
    ranked = sorted([(-_promise(c, page), i) for i, c in enumerate(candidates)])
    least = ranked[0][0] + MAX_BEHIND if ranked else 0.0
    return [candidates[i] for p, i in ranked[:MAX_MEASURED] if p <= least]


def _promise(c: Candidate, page: PageFacts) -> float:
    side, nav, foot, main, _, _, _, in_nav, in_footer, _, _ = lineage_of(c.scope, page)
    away = min(side, 2) * 0.6 + min(nav + in_nav, 2) * 0.8 + min(foot + in_footer, 2) * 0.9
    heads = c.headed / len(c.chosen)
    mass = c.mass
    if mass < 2 * len(c.chosen):  # thumbnails: their titles stand beside them
        mass += 20 * sum([page.tree.anchor_at[k] in page.tree.pictured for k in c.chosen])
    return math.log1p(mass) + 1.2 * heads - away + 0.15 * min(main, 3) - (0.6 if c.width > 2 else 0.0)


def measure(candidates: list[Candidate], page: PageFacts) -> None:
    """Fills `values` of every candidate."""
    lengths = page.finder.lengths
    masses = [sum([min(lengths[k], 120.0) for k in c.chosen]) for c in candidates]
    top_mass = max(masses, default=1.0) or 1.0
    top_count = max((len(c.chosen) for c in candidates), default=1)
    sets = [{page.finder.targets[k] for k in c.chosen} for c in candidates]
    for c, mass, own in zip(candidates, masses, sets, strict=True):
        page.finder.complete(c)
        v: dict[str, float] = {}
        picked = _sample(c)
        _texts(c, page, v)
        _row_shape(c, page, v)
        _row_texts(c, page, v, picked)
        _place(c, page, v, picked)
        _urls(c, page, v)
        _bars(c, page, v)
        v["mass"] = math.log1p(mass)
        v["mass_rank"] = mass / top_mass
        v["mass_page"] = mass / page.mass
        v["count_rank"] = len(c.chosen) / top_count
        v["inside_other"] = float(any(own < other for other in sets))
        c.values = v


def vector(c: Candidate) -> list[float]:
    """The values in the order of `NAMES`."""
    values = c.values
    return [values[name] for name in NAMES]


def _sample(c: Candidate) -> list[int]:
    """Numbers of at most `SAMPLE` rows, spread over the list."""
    n = len(c.chosen)
    if n <= SAMPLE:
        return list(range(n))
    return [i * (n - 1) // (SAMPLE - 1) for i in range(SAMPLE)]


def _titles(c: Candidate, page: PageFacts) -> tuple[list[str], list[float]]:
    """The texts that name the rows, and their lengths: those of the links, or the headings beside links that are
    images or all say the same ("read more")."""
    anchors, lengths = page.doc.anchors, page.finder.lengths
    texts = [anchors[k].text for k in c.chosen]
    n = len(texts)
    if len(set(texts)) > max(1, n // 3) or c.headed or (n < 3 and texts[0]):
        return texts, [lengths[k] for k in c.chosen]
    beside = [heading_in(page.tree, *row) for row in c.rows]
    if sum([not t for t in beside]) > 0.3 * n:
        return texts, [lengths[k] for k in c.chosen]
    return beside, [visual(t) for t in beside]


def heading_in(tree: Outline, start: int, end: int) -> str:
    """The text of the first heading in a region."""
    for i in range(start, min(end, start + 200)):
        if tree.tag[i] in HEADINGS and (text := " ".join(tree.words(i, tree.end[i]).split())):
            return text
    return ""


def _texts(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    n = len(c.chosen)
    tree = page.tree
    texts, sizes = _titles(c, page)
    lengths = sorted(sizes)
    mean = sum(lengths) / n
    at = [tree.anchor_at[k] for k in c.chosen]
    beside = bool(texts[0]) and texts[0] != page.doc.anchors[c.chosen[0]].text
    v["log_n"] = math.log(n)
    v["one"] = float(n == 1)
    v["few"] = float(n < 5)
    v["width"] = c.width
    v["len_median"] = lengths[n // 2]
    v["len_mean"] = mean
    v["len_min"] = lengths[n // 10]
    v["len_spread"] = math.sqrt(sum([(x - mean) ** 2 for x in lengths]) / n) / (mean + 1)
    v["blank"] = lengths.count(0.0) / n
    v["long"] = sum([x >= 20 for x in lengths]) / n
    v["texts_distinct"] = len(set(texts)) / n
    v["numeric"] = sum([t.isdigit() for t in texts]) / n
    v["own_date"] = sum([_DATE.search(t, 0, 60) is not None for t in texts[:SAMPLE]]) / min(n, SAMPLE)
    v["heading"] = 1.0 if beside else c.headed / n
    v["image"] = sum([a in tree.pictured for a in at]) / n
    v["whole"] = n / c.whole if c.whole else 1.0
    v["strict"] = float(c.strictness)


def _row_shape(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    tree, n = page.tree, len(c.chosen)
    sizes = [end - start for start, end in c.rows]
    mean = sum(sizes) / n
    v["even"] = math.sqrt(sum([(s - mean) ** 2 for s in sizes]) / n) / (mean + 1)
    joined = sum([a[1] == b[0] for a, b in zip(c.rows, c.rows[1:], strict=False)])
    v["adjacent"] = joined / (n - 1) if n > 1 else 1.0
    span = tree.end[c.scope] - c.scope
    v["fill"] = min(1.0, sum(sizes) / span)
    total = len(tree.tag)
    v["extent"] = (c.rows[-1][1] - c.rows[0][0]) / total
    v["start"] = c.rows[0][0] / total
    v["depth"] = float(tree.depth[c.scope])
    v["level"] = float(c.level - tree.depth[c.scope])
    for name in _ROW_TAGS.values():
        v[name] = 0.0
    tag = Counter([tree.tag[t] for t in c.tops]).most_common(1)[0][0]
    if tag in _ROW_TAGS:
        v[_ROW_TAGS[tag]] = 1.0


def _row_texts(c: Candidate, page: PageFacts, v: dict[str, float], picked: list[int]) -> None:
    """What stands in the rows beside the chosen links."""
    tree, targets, lengths = page.tree, page.finder.targets, page.finder.lengths
    at, m = tree.anchor_at, len(picked)
    dated = timed = beside = links = firsts = longest = again = elsewhere = 0.0
    inside = (c.rows[0][0], c.rows[-1][1])
    for i in picked:
        k, (start, end) = c.chosen[i], c.rows[i]
        words = tree.words(start, min(end, start + 80), at[k])
        beside += min(len(words), 800)
        dated += _DATE.search(words, 0, 400) is not None
        timed += "time" in tree.tag[start:end]
        lo, hi = k, k + 1
        while lo > 0 and at[lo - 1] >= start:
            lo -= 1
        while hi < len(at) and at[hi] < end:
            hi += 1
        links += hi - lo
        own = targets[k]
        firsts += all([not lengths[j] or targets[j] == own for j in range(lo, k)])
        longest += lengths[k] >= max(lengths[lo:hi])
        holders = page.holders[own]
        if len(holders) > 1:
            again += any([lo <= j < hi and j != k for j in holders])
            elsewhere += any([not inside[0] <= at[j] < inside[1] for j in holders])
    v["dated"], v["time_tag"], v["beside"] = dated / m, timed / m, math.log1p(beside / m)
    v["in_row"], v["first"], v["longest"] = math.log(links / m), firsts / m, longest / m
    v["repeated_in_row"], v["elsewhere"] = again / m, elsewhere / m


def _named(at: int, page: PageFacts) -> tuple[int, ...]:
    """Which kinds of names an element's id and classes hold."""
    known = page.named.get(at)
    if known is None:
        node = page.doc.elements[at]
        name = f"{node.get('id') or ''} {node.get('class') or ''}"
        known = _NOTHING[:6] if name == " " else _kinds(_DIGITS.sub("", name[:200]).lower(), page)
        page.named[at] = known
    return known


def _kinds(name: str, page: PageFacts) -> tuple[int, ...]:
    known = page.by_name.get(name)
    if known is None:
        known = page.by_name[name] = tuple([int(p.search(name) is not None) for p in _NAMES])
    return known


def lineage_of(at: int, page: PageFacts) -> tuple[int, ...]:
    """How many elements from here up have names of each kind or are landmarks: see `_LINEAGE`."""
    way = []
    parent, tag, known = page.tree.parent, page.tree.tag, page.lineage
    while at >= 0 and at not in known and tag[at] not in ("body", "html"):
        way.append(at)
        at = parent[at]
    here = known.get(at, _NOTHING)
    for at in reversed(way):
        names = _named(at, page)
        if any(names[:4]):
            here = (*[a + b for a, b in zip(here[:4], names[:4], strict=True)], *here[4:])
        if tag[at] in _PLACES:
            spot = 4 + _PLACES.index(tag[at])
            here = (*here[:spot], here[spot] + 1, *here[spot + 1 :])
        known[at] = here
    return here


def _place(c: Candidate, page: PageFacts, v: dict[str, float], picked: list[int]) -> None:
    tree = page.tree
    lineage = lineage_of(c.scope if len(c.chosen) > 1 else tree.parent[c.tops[0]], page)
    for name, value in zip(_LINEAGE, lineage, strict=True):
        v[name] = float(min(value, 3))
    m = len(picked)
    row_main = meta = title = row_side = 0
    for i in picked:
        at, top = tree.anchor_at[c.chosen[i]], c.tops[i]
        own = _named(top, page)
        row_main += own[3]
        row_side += own[0] or own[1]
        while at > top:
            here = _named(at, page)
            meta += here[4]
            title += here[5]
            at = tree.parent[at]
    v["row_main"], v["row_side"], v["meta"], v["title"] = row_main / m, row_side / m, meta / m, title / m
    span = page.sums[tree.end[c.scope]] - page.sums[c.scope]
    v["text_page"] = min(1.0, span / page.words)


def _url_facts(k: int, page: PageFacts) -> tuple[float, ...]:
    """Of one link's URL: see `_URL_FACTS`; its shape and folder are kept too."""
    target = page.finder.targets[k]
    known = page.urls.get(target)
    if known is None:
        url = page.doc.anchors[k].url or ""
        parts = url.split("/", 3)
        rest = parts[3] if len(parts) > 3 else ""
        last = rest.rstrip("/").rpartition("/")[2]
        known = page.urls[target] = (
            float(len(parts) > 2 and parts[2] == page.host),
            float(last.count("-") >= 2 or last.count("_") >= 2 or len(last) > 30),
            float(_DIGITS.search(rest) is not None),
            float(rest.count("/")),
            float("?" in rest),
            float(_SECTION_URL.search("/" + rest[:300]) is not None),
            float(url.startswith(page.directory)),
        )
        page.shapes[target] = (shape_of(rest), url.rstrip("/").rpartition("/")[0])
    return known


def url_shape(k: int, page: PageFacts) -> tuple[str, str]:
    """The shape and the host of a link's URL."""
    _url_facts(k, page)
    url = page.doc.anchors[k].url or ""
    parts = url.split("/", 3)
    return page.shapes[page.finder.targets[k]][0], parts[2] if len(parts) > 2 else ""


def row_dated(k: int, region: tuple[int, int], page: PageFacts) -> bool:
    """Whether something like a date stands in a row beside its link."""
    words = page.tree.words(region[0], min(region[1], region[0] + 120), page.tree.anchor_at[k])
    return _DATE.search(words, 0, 400) is not None


def shape_of(rest: str) -> str:
    """The shape of a URL's part behind the host, segment by segment: 0 digits, a letters, x both, s words with
    signs between them; endings of files and names in the query are kept."""
    path, _, query = rest[:300].partition("#")[0].partition("?")
    out = [_segment(part) for part in path.split("/")]
    shape = "/".join(out)
    if query:
        pairs = [pair.partition("=") for pair in query.split("&")]
        shape += "?" + "&".join([f"{name}={_segment(value)}" for name, _, value in pairs])
    return shape


def _segment(part: str) -> str:
    stem, dot, ending = part.rpartition(".")
    if not stem or not ending.isalpha() or len(ending) > 5:
        stem, dot, ending = part, "", ""
    if stem.isdigit():
        kind = "0"
    elif _SIGN.search(stem):
        kind = "s"
    else:
        kind = "x" if _DIGITS.search(stem) else "a" if stem else ""
    return kind + dot + ending


def _urls(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    links = c.chosen[:30]
    n = len(links)
    rows = [_url_facts(k, page) for k in links]
    for name, column in zip(_URL_FACTS, zip(*rows, strict=True), strict=True):
        v[name] = sum(column) / n
    kept = [page.shapes[page.finder.targets[k]] for k in links]
    v["shape"] = Counter([s for s, _ in kept]).most_common(1)[0][1] / n
    v["same_dir"] = Counter([d for _, d in kept]).most_common(1)[0][1] / n


def _bars(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    """How the nearest likely bar stands to the block."""
    tree = page.tree
    first, last = c.rows[0][0], c.rows[-1][1]
    total = len(tree.tag)
    after = before = within = best = near = siblings = common = 0.0
    gap, splits = 1.0, 0.0
    starts = [row[0] for row in c.rows]
    for start, end, score in page.bars:
        away = start - last if start >= last else first - end if end <= first else 0
        closeness = score / (1 + 30 * away / total)
        if start >= last:
            after = max(after, closeness)
        elif end <= first:
            before = max(before, closeness)
        else:
            within = max(within, score)
            after_it = len(starts) - bisect_left(starts, end)
            alone = not any(a <= start < b for a, b in c.rows)
            splits = max(splits, score * min(after_it, len(starts) - after_it, 3) / 3) if alone else splits
        if closeness > near:
            near, gap, best = closeness, away / total, score
            shared = _shared(tree, start, c.scope)
            common = tree.depth[shared] / (tree.depth[c.scope] + 1)
            siblings = float(shared in (c.scope, tree.parent[c.scope]))
    v["bar_after"], v["bar_before"], v["bar_in"], v["bar_score"] = after, before, within, best
    v["bar_splits"] = splits
    v["bar_near"], v["bar_gap"], v["bar_siblings"], v["bar_common"] = near, gap, siblings, common


def _shared(tree: Outline, a: int, b: int) -> int:
    """The lowest common ancestor of two positions."""
    while not a <= b < tree.end[a]:
        a = tree.parent[a]
    return a


__all__ = ["NAMES", "PageFacts", "facts", "measure", "shortlist", "vector", "visual"]
