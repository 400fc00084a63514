"""Articles of a list that are marked up unlike its other rows: a lead story above, a promoted row between; those
in further columns of a table; and the rest of a list of which a candidate is only a part.

Their links have the URL shape of the list's own, stand beside its rows or lead it, and read like titles. A lead
is taken only where the list tells dates (beside its links or in its URLs) or stands in the same element, if there
are few, in no navigation or footer, and dated if the rows are: a sidebar or a carousel is no lead.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from recrawler.page.blocks import Candidate
from recrawler.page.facts import PageFacts, lineage_of, row_dated, url_shape

_ITEMS = frozenset(("li", "tr", "dd", "article"))
MIN_ROWS = 3
MAX_LEADS = 3
NEAR = 4  # levels, the row's own counted, at which the element after a lead's holds the list
MIN_LENGTH = 0.3  # of the list's median title
BESIDE = 0.3  # least score of the list that a candidate is a part of, beside its own
NEXT_TO = 0.05  # the same where they stand in one element
DAYS = 0.1  # the same where days stand above its parts: that says more
PIECES = 0.7  # the same where its parts are cut by nothing but the markup
ALIKE = 0.8  # share of the links of such a list whose URLs have one shape
USUAL = 0.6  # share of the rows whose links are of one sort, for the others to follow them
HEAD_ROOM = 6  # elements before the first row in which its heading is looked for
MAX_HEADING = 60  # characters of a day
ABREAST = 0.5  # the same for the median title of a further column


def extend(c: Candidate, page: PageFacts) -> int:
    """Adds stray rows to a measured candidate; says how many."""
    if len(c.chosen) < MIN_ROWS or not c.values:
        return 0
    follow_most(c, page)
    like = likeness(c, page)
    if like is None:
        return 0
    found = _between(c, like, page) + _leads(c, like, page)
    _merge(c, found, page)
    return len(found)


def whole(c: Candidate, others: Sequence[Candidate], page: PageFacts) -> Candidate:
    """The list that a measured candidate is a part of, or itself: a lead story has a list of the same URL shape
    beside it, a group of rows below a day has other days beside it, a list may be cut in pieces."""
    if len(c.chosen) == 1:
        like = url_shape(c.chosen[0], page)
        lists = [d for d in others if len(d.chosen) >= MIN_ROWS and likeness(d, page) == like]
        return next(
            (d for d in lists if d.score >= (NEXT_TO if _next_to(d, c, page) else BESIDE) * c.score), c
        )
    own = set(c.chosen)
    for d in others:
        more = own < set(d.chosen) and d.score >= DAYS * c.score
        if more and d.score >= PIECES * c.score and (_several_a_row(d, c, page) or _in_even_rows(d, c, page)):
            return d
        if d.scope == c.scope and page.tree.tag[d.tops[0]] not in _ITEMS and d.headed < len(d.chosen):
            continue  # links in the text of the rows
        alike = more and _above(d.scope, c.scope, page) and _of_one_shape(d, page)
        if alike and (_by_day(d, page) or _in_pieces(d, c, page)):
            return d
    return c


def _next_to(d: Candidate, lead: Candidate, page: PageFacts) -> bool:
    """Whether a list stands in the element that holds the lead story's own."""
    return page.tree.parent[d.scope] == page.tree.parent[lead.tops[0]]


def _in_pieces(d: Candidate, c: Candidate, page: PageFacts) -> bool:
    """Whether what `c` takes for rows are pieces of a list, of several items each that are alike."""
    alike = d.width == 1 and c.width > 1 and d.scope == c.scope and d.score >= PIECES * c.score
    return alike and page.tree.tag[d.tops[0]] in _ITEMS


def _several_a_row(d: Candidate, c: Candidate, page: PageFacts) -> bool:
    """Whether the rows of `c` hold several articles side by side, in some rows more than in others and nothing between
    them: all that is of a day, where `c` has one of each. Their links are made alike and lead to different places."""
    if d.width != 1 or d.scope != c.scope or not c.width > 1 or not _of_one_shape(d, page):
        return False
    tree, targets, class_of = page.tree, page.finder.targets, page.finder.class_of
    at = [tree.anchor_at[k] for k in d.chosen]
    held = Counter([tree.parent[i] for i in at])
    apart = len({targets[k] for k in d.chosen}) == len(at) and len(set(held.values())) > 1
    alike = len({(class_of(i), class_of(tree.parent[i])) for i in at}) == 1
    return apart and alike and all(tree.tail[i].isspace() or not tree.tail[i] for i in at)


def _in_even_rows(d: Candidate, c: Candidate, page: PageFacts) -> bool:
    """Whether each row of `c` holds the same number of links of `d`, at least two, and the last one no more: the rows
    of a grid. The links are headed, or those of each place in a row are much like those of the others."""
    starts = [page.tree.anchor_at[k] for k in d.chosen]
    cuts = [bisect_left(starts, start) for start, _ in c.rows]
    held = [b - a for a, b in pairwise((*cuts, len(starts)))]
    even = cuts[0] == 0 and len(set(held[:-1])) == 1 and held[0] > 1 and 0 < held[-1] <= held[0]
    if not even or d.width != 1 or d.scope != c.scope:
        return False
    if len({page.finder.targets[k] for k in d.chosen}) < len(starts):
        return False
    above = {page.tree.loose[page.tree.parent[i]] for i in starts}
    titled = d.headed == len(starts) and len(above) == 1  # not: the tags, in a heading of their own
    return titled or _alike_abreast([d.chosen[n :: held[0]] for n in range(held[0])], page)


def _alike_abreast(columns: Sequence[Sequence[int]], page: PageFacts) -> bool:
    """Whether the links of some columns are alike in their URLs and about as long."""
    shapes = {Counter([url_shape(k, page) for k in column]).most_common(1)[0][0] for column in columns}
    sizes = [median([page.finder.lengths[k] for k in column]) for column in columns]
    return len(shapes) == 1 and min(sizes) >= ABREAST * max(sizes)


def _of_one_shape(d: Candidate, page: PageFacts) -> bool:
    shapes = Counter([url_shape(k, page) for k in d.chosen])
    return shapes.most_common(1)[0][1] >= ALIKE * len(d.chosen)


def _above(scope: int, inner: int, page: PageFacts) -> bool:
    up = page.tree.parent
    return scope in (inner, up[inner], up[max(up[inner], 0)])


def _by_day(d: Candidate, page: PageFacts) -> bool:
    """Whether the rows stand in groups with something short before each that has a number in it."""
    tree = page.tree
    groups, last = 0, max(d.scope, d.tops[0] - HEAD_ROOM)
    for before, top in zip([-1, *d.tops], d.tops, strict=False):
        if before < 0 or tree.parent[before] != tree.parent[top]:
            groups += 1
            heading = " ".join(tree.words(last, top).split())
            a_bar = tree.tag[last:top].count("a") > 1
            if a_bar or len(heading) > MAX_HEADING or not any(ch.isdigit() for ch in heading):
                return False
        last = tree.end[top]
    return groups > 1


def join_columns(c: Candidate, others: Sequence[Candidate], page: PageFacts) -> None:
    """Joins to a measured candidate the columns beside it that hold further articles: links in other cells of
    the same rows, with the URL shape and about the length of its own."""
    like = likeness(c, page) if len(c.chosen) >= MIN_ROWS and c.values else None
    beside = [d for d in others if like is not None and _is_column(d, c, like, page)]
    if not beside:
        return
    level = c.level + 2  # a cell of the row
    cells = {page.tree.chain(page.tree.anchor_at[k])[level]: k for d in (c, *beside) for k in d.chosen}
    tops = sorted(cells)
    parent, end = page.tree.parent, page.tree.end
    ends = [b if parent[a] == parent[b] else end[parent[a]] for a, b in pairwise(tops)]
    c.chosen, c.tops = [cells[top] for top in tops], tops
    c.rows = list(zip(tops, [*ends, end[parent[tops[-1]]]], strict=True))


def _is_column(d: Candidate, c: Candidate, like: tuple[str, str], page: PageFacts) -> bool:
    """Whether a candidate's links stand beside those of `c`, one in each row but for the last."""
    if d is c or (d.scope, d.level) != (c.scope, c.level) or len(set(d.tops) ^ set(c.tops)) > 1:
        return False
    tree, targets = page.tree, page.finder.targets
    cells = [tree.chain(tree.anchor_at[k])[c.level + 2 :][:1] for k in (*c.chosen, *d.chosen)]
    if not all(cells) or len({cell[0] for cell in cells}) < len(cells):
        return False
    if any(tree.tag[cell[0]] not in ("td", "th") for cell in cells):
        return False
    if len({page.doc.anchors[k].text for k in d.chosen}) <= len(d.chosen) / 2:
        return False  # they say the same in each row: "to the last post"
    apart = {targets[k] for k in d.chosen}.isdisjoint(targets[k] for k in c.chosen)
    as_long = d.values.get("len_median", 0.0) >= ABREAST * c.values["len_median"]
    return apart and as_long and likeness(d, page) == like


def follow_most(c: Candidate, page: PageFacts) -> None:
    """In rows with several links the one is taken that is made as most rows' are, or whose URL has their shape: a
    title of one word may be shorter than the category beside it."""
    if c.width <= 1:
        return
    tree, class_of = page.tree, page.finder.class_of

    def made(k: int) -> tuple[int, str, str]:
        at = tree.anchor_at[k]
        return tree.loose[at], class_of(at), class_of(tree.parent[at])

    _follow(c, made, page)
    _follow(c, lambda k: url_shape(k, page), page)


def _follow(c: Candidate, sort_of: Callable[[int], object], page: PageFacts) -> None:
    """Takes in each row the link of the sort that most rows' links are of, if the row has just one."""
    usual, count = Counter([sort_of(k) for k in c.chosen]).most_common(1)[0]
    if count == len(c.chosen) or count < USUAL * len(c.chosen):
        return
    at, targets = page.tree.anchor_at, page.finder.targets
    for i, (k, (start, end)) in enumerate(zip(c.chosen, c.rows, strict=True)):
        if sort_of(k) != usual:
            inside = range(bisect_left(at, start), bisect_left(at, end))
            others = [j for j in inside if targets[j] >= 0 and sort_of(j) == usual]
            c.chosen[i] = others[0] if len({targets[j] for j in others}) == 1 else k


def likeness(c: Candidate, page: PageFacts) -> tuple[str, str] | None:
    """The URL shape and host that most of the block's links have; null where the shape says nothing."""
    shapes = Counter([url_shape(k, page) for k in c.chosen[:60]])
    shape, count = shapes.most_common(1)[0]
    if count < 0.6 * min(len(c.chosen), 60):
        return None
    return shape if len(shape[0]) > 1 else None


def _between(c: Candidate, like: tuple[str, str], page: PageFacts) -> list[tuple[int, int]]:
    """Links in siblings of the rows that are no rows, one each: (anchor, top)."""
    tree, targets = page.tree, page.finder.targets
    tops, parents = set(c.tops), {tree.parent[t] for t in c.tops}
    tags = {tree.tag[t] for t in c.tops}
    taken = {targets[k] for k in c.chosen}
    first, last = min(parents), max(tree.end[p] for p in parents)
    starts = [row[0] for row in c.rows]
    inside: dict[int, list[int]] = {}
    for k in range(bisect_left(tree.anchor_at, first), bisect_left(tree.anchor_at, last)):
        at = tree.anchor_at[k]
        row = bisect_right(starts, at) - 1
        if targets[k] < 0 or targets[k] in taken or (row >= 0 and at < c.rows[row][1]):
            continue
        while at >= 0 and tree.parent[at] not in parents:
            at = tree.parent[at]
        if at >= 0 and at not in tops and tree.tag[at] in tags and url_shape(k, page) == like:
            inside.setdefault(at, []).append(k)
    out = []
    for top, links in inside.items():
        if len({targets[k] for k in links}) <= 2 and (best := _best(c, links, page)) is not None:
            out.append((best, top))
    return out if len(out) <= len(c.chosen) // 2 else []


def _leads(c: Candidate, like: tuple[str, str], page: PageFacts) -> list[tuple[int, int]]:
    """Headed links above the list."""
    tree, targets = page.tree, page.finder.targets
    dated = c.values.get("dated", 0.0) >= 0.8 or c.values.get("own_date", 0.0) >= 0.5
    anywhere = "/0/" in like[0]
    taken = {targets[k] for k in c.chosen}
    leads: dict[int, int] = {}
    for k in range(bisect_left(tree.anchor_at, c.rows[0][0])):
        if tree.anchor_at[k] not in tree.headed or targets[k] < 0 or targets[k] in taken:
            continue
        if url_shape(k, page) == like:
            leads.setdefault(targets[k], k)
    if len(leads) == 1 and (one := _only_lead(next(iter(leads.values())), c, like, page)) is not None:
        return [one]
    found = [k for k in leads.values() if _apart(tree.anchor_at[k], page) <= _apart(c.scope, page)]
    out = []
    for k in found if len(found) <= MAX_LEADS else ():
        top = page.finder.single_top(tree.anchor_at[k])
        beside, own_date = tree.parent[top] == tree.parent[c.scope], row_dated(k, (top, tree.end[top]), page)
        short = page.finder.lengths[k] < MIN_LENGTH * c.values["len_median"]
        if not (beside and own_date if short else beside or (own_date if dated else anywhere)):
            continue
        out.append((k, top))
    return out


def _only_lead(k: int, c: Candidate, like: tuple[str, str], page: PageFacts) -> tuple[int, int] | None:
    """The only headed link above the list with the element right before the list's that holds all that is said of
    it (author, tags, a date) and no other article."""
    tree, targets = page.tree, page.finder.targets
    at, row = tree.anchor_at[k], tree.anchor_at[c.chosen[0]]
    if _apart(at, page) > max(_apart(row, page), _apart(c.scope, page)):
        return None
    while tree.parent[at] >= 0 and tree.end[tree.parent[at]] <= c.rows[0][0]:
        at = tree.parent[at]
    first, last = bisect_left(tree.anchor_at, at), bisect_left(tree.anchor_at, tree.end[at])
    others = {targets[j] for j in range(first, last) if url_shape(j, page) == like} - {targets[k], -1}
    before = not others and tree.end[at] in tree.chain(c.rows[0][0])[-NEAR:]
    return (k, at) if before and row_dated(k, (at, tree.end[at]), page) else None


def _apart(at: int, page: PageFacts) -> int:
    """How many elements around this one are navigations or footers, by their tags and names."""
    _, nav, foot, _, _, _, _, in_nav, in_footer, _, _ = lineage_of(at, page)
    return int(nav + foot + in_nav + in_footer)


def _best(c: Candidate, links: list[int], page: PageFacts) -> int | None:
    """The link of a stray row that reads like the list's titles."""
    tree, lengths = page.tree, page.finder.lengths
    headed = [k for k in links if tree.anchor_at[k] in tree.headed]
    if c.values["heading"] > 0.5 and not headed:
        return None
    best = max(headed or links, key=lambda k: lengths[k])
    if lengths[best] < MIN_LENGTH * c.values["len_median"]:
        return None
    return best


def _merge(c: Candidate, found: list[tuple[int, int]], page: PageFacts) -> None:
    rows = list(zip(c.chosen, c.tops, c.rows, strict=True))
    rows += [(k, top, (top, page.tree.end[top])) for k, top in found]
    rows.sort(key=lambda row: row[1])
    c.chosen = [k for k, _, _ in rows]
    c.tops = [t for _, t, _ in rows]
    c.rows = [r for _, _, r in rows]
