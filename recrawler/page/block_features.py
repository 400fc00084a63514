"""What is measured of a candidate block: plain numbers by name, the same in training and in use.

Words in ids and classes are evidence only, never a decision; they are matched as parts of names in the
languages that page makers use for names (English, pinyin). Texts are measured, not read.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from itertools import pairwise

from recrawler.page.blocks import Candidate, visual
from recrawler.page.facts import (
    DATE,
    LINEAGE,
    URL_FACTS,
    PageFacts,
    facts,
    heading_in,
    lineage_of,
    names_of,
    url_facts,
)
from recrawler.page.outline import Outline

MIN_DAYS = 3  # groups of rows, each below its day
MAX_DAY = 40  # characters of a day that stands above its rows
MONTH = 5  # days of a month that such a list has at least
SAMPLE = 10  # rows whose insides are measured

_DAY = re.compile(r"(?<!\d)(?:[0-2]?[1-9]|[1-3]0|31)(?!\d)")
_ROW_TAGS = {
    "li": "row_li", "tr": "row_tr", "tbody": "row_tr", "td": "row_tr", "article": "row_article",
    "section": "row_article", "div": "row_div", "a": "row_a", "h1": "row_h", "h2": "row_h", "h3": "row_h",
    "h4": "row_h", "h5": "row_h", "h6": "row_h", "dl": "row_dl", "dt": "row_dl", "dd": "row_dl", "p": "row_p",
    "span": "row_p", "b": "row_p", "font": "row_p",
}  # fmt: skip
NAMES: tuple[str, ...] = (
    "log_n", "one", "few", "width", "len_median", "len_mean", "len_spread", "len_min", "blank", "long",
    "texts_distinct", "numeric", "own_date", "heading", "image", "whole", "strict",
    "even", "adjacent", "fill", "extent", "start", "depth", "level",
    "row_li", "row_tr", "row_article", "row_div", "row_a", "row_h", "row_dl", "row_p",
    "dated", "time_tag", "beside", "in_row", "first", "longest", "repeated_in_row", "elsewhere",
    *LINEAGE, "row_main", "row_side", "meta", "title", "text_page",
    *URL_FACTS, "shape", "same_dir",
    "bar_after", "bar_before", "bar_in", "bar_score", "bar_near", "bar_gap", "bar_siblings", "bar_common",
    "bar_splits",
    "mass", "mass_rank", "mass_page", "count_rank", "inside_other",
)  # fmt: skip


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
    v["own_date"] = sum([DATE.search(t, 0, 60) is not None for t in texts[:SAMPLE]]) / min(n, SAMPLE)
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
        dated += DATE.search(words, 0, 400) is not None
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
    if not dated and _below_days(c, page):
        dated = m
    v["dated"], v["time_tag"], v["beside"] = dated / m, timed / m, math.log1p(beside / m)
    v["in_row"], v["first"], v["longest"] = math.log(links / m), firsts / m, longest / m
    v["repeated_in_row"], v["elsewhere"] = again / m, elsewhere / m


def _below_days(c: Candidate, page: PageFacts) -> bool:
    """Whether the rows stand in groups with a day above each: short texts between rows, each with the number of a day,
    which falls but where another month begins."""
    gaps = [(a[1], b[0]) for a, b in pairwise(c.rows) if a[1] < b[0]]
    if not MIN_DAYS <= len(gaps) + 1 <= len(c.rows) / 2:
        return False
    said = [" ".join(page.tree.words(start, end).split()) for start, end in gaps]
    days = [int(found[0]) for x in said if len(x) <= MAX_DAY and (found := _DAY.search(x))]
    return len(days) == len(said) and sum(a <= b for a, b in pairwise(days)) <= len(days) / MONTH


def _place(c: Candidate, page: PageFacts, v: dict[str, float], picked: list[int]) -> None:
    tree = page.tree
    lineage = lineage_of(c.scope if len(c.chosen) > 1 else tree.parent[c.tops[0]], page)
    for name, value in zip(LINEAGE, lineage, strict=True):
        v[name] = float(min(value, 3))
    m = len(picked)
    row_main = meta = title = row_side = 0
    for i in picked:
        at, top = tree.anchor_at[c.chosen[i]], c.tops[i]
        own = names_of(top, page)
        row_main += own[3]
        row_side += own[0] or own[1]
        while at > top:
            here = names_of(at, page)
            meta += here[4]
            title += here[5]
            at = tree.parent[at]
    v["row_main"], v["row_side"], v["meta"], v["title"] = row_main / m, row_side / m, meta / m, title / m
    span = page.sums[tree.end[c.scope]] - page.sums[c.scope]
    v["text_page"] = min(1.0, span / page.words)


def _urls(c: Candidate, page: PageFacts, v: dict[str, float]) -> None:
    links = c.chosen[:30]
    n = len(links)
    rows = [url_facts(k, page) for k in links]
    for name, column in zip(URL_FACTS, zip(*rows, strict=True), strict=True):
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


__all__ = ["NAMES", "PageFacts", "facts", "measure", "visual"]
