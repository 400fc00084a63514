"""Lists of one make on one page, each in a box of its own, that look like one list: told apart by their bars."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote_plus

from recrawler.page.bars import BarCandidate
from recrawler.page.blocks import Candidate
from recrawler.page.facts import PageFacts
from recrawler.page.pairing import part

SURE_BAR = 0.6  # least score of a bar that tells lists apart
LIKELY = 0.25  # least score of a list beside the best one
LEAST = 3  # rows of such a list
HEAD_ROOM = 6  # elements before the first row in which its name is looked for
MAX_NAME = 60  # characters of it


def abreast(
    best: Candidate, scored: Sequence[Candidate], bars: Sequence[BarCandidate], page: PageFacts
) -> dict[Candidate, BarCandidate]:
    """Where bars of one make stand together, below all the lists or above them: as many lists of one make, each with
    its bar. A bar whose URL holds the name of a list is that list's, else they follow each other as the lists do."""
    run = _run(best, bars, page)
    if len(run) < 2:
        return {}
    lists = list(_boxes(best, page).values())
    if len(lists) != len(run):
        lists = [best, *_beside(best, scored, page)][: len(run)]
    if len(lists) != len(run) or any(len(c.chosen) < LEAST for c in lists):
        return {}
    lists.sort(key=lambda c: c.tops[0])
    named = _by_name(lists, run, page)
    rest = iter([b for b in run if b not in named.values()])
    return {c: named.get(c) or next(rest) for c in lists}


def housed(c: Candidate, bars: Sequence[BarCandidate], page: PageFacts) -> Candidate:
    """The part of a list that stands in one box with its bar, where the rest stands in boxes with names of their own
    and without bars: what is most read, beside what is new. Else all of it."""
    boxes = _boxes(c, page)
    if not boxes or not all(_name(held.tops[0], box, page) for box, held in boxes.items()):
        return c
    spots = [page.doc.position.get(n, -1) for b in bars if b.score >= SURE_BAR for n in b.nodes]
    with_bars = [held for box, held in boxes.items() if any(box < at < page.tree.end[box] for at in spots)]
    return with_bars[0] if len(with_bars) == 1 and len(with_bars[0].chosen) >= LEAST else c


def tangled(a: Candidate, b: Candidate) -> bool:
    """Whether the stretches of the page that two lists take overlap."""
    return a.rows[0][0] < b.rows[-1][1] and b.rows[0][0] < a.rows[-1][1]


def _run(best: Candidate, bars: Sequence[BarCandidate], page: PageFacts) -> list[BarCandidate]:
    """Bars of one make that follow each other with no other link between, below the list or else above it."""
    spots = [
        (page.doc.position.get(b.node, -1), b) for b in bars if b.score >= SURE_BAR and len(b.nodes) == 1
    ]
    spots = sorted([(at, b) for at, b in spots if at >= 0 and b.links], key=lambda spot: spot[0])
    below = [(at, b) for at, b in spots if at >= best.rows[-1][1]]
    above = [(at, b) for at, b in spots if page.tree.end[at] <= best.rows[0][0]]
    for some in (below, above[::-1]):
        run = some[:1]
        for at, b in some[1:]:
            first, second = sorted((run[-1][0], at))
            if _make(b) != _make(run[0][1]) or "a" in page.tree.tag[page.tree.end[first] : second]:
                break
            run.append((at, b))
        if len(run) > 1:
            return [b for _, b in sorted(run, key=lambda spot: spot[0])]
    return []


def _make(b: BarCandidate) -> tuple[str, str]:
    return str(b.node.tag), b.node.get("class") or ""


def _beside(best: Candidate, scored: Sequence[Candidate], page: PageFacts) -> list[Candidate]:
    """Other likely lists of the same make, the likeliest first, each in a stretch of the page of its own."""
    out: list[Candidate] = []
    way = _way(best, page)
    for c in scored:
        likely = c.score >= LIKELY and len(c.chosen) >= LEAST and _way(c, page) == way
        if likely and not any(tangled(c, other) for other in (best, *out)):
            out.append(c)
    return out


def _way(c: Candidate, page: PageFacts) -> tuple[str, ...]:
    return tuple([page.tree.tag[i] for i in page.tree.chain(page.tree.anchor_at[c.chosen[0]])])


def _boxes(c: Candidate, page: PageFacts) -> dict[int, Candidate]:
    """The list cut by the elements right below its scope, if several hold it and each of them several rows."""
    tree, held = page.tree, dict[int, list[int]]()
    for i, top in enumerate(c.tops):
        box = top
        while tree.depth[box] > tree.depth[c.scope] + 1:
            box = tree.parent[box]
        held.setdefault(box, []).append(i)
    if len(held) < 2 or min(map(len, held.values())) < 2:
        return {}
    return {box: part(c, rows, page) for box, rows in held.items()}


def _by_name(
    lists: Sequence[Candidate], run: Sequence[BarCandidate], page: PageFacts
) -> dict[Candidate, BarCandidate]:
    """The lists whose names are in the URLs of bars, each with the first such bar that is left."""
    out: dict[Candidate, BarCandidate] = {}
    for c in lists:
        name = _name(c.tops[0], 0, page)
        for b in run if name else ():
            if b not in out.values() and name in _plain(unquote_plus(b.older or b.newer or "")):
                out[c] = b
                break
    return out


def _name(first: int, floor: int, page: PageFacts) -> str:
    """The short text right before the first row that names its list, without signs; a day is no name."""
    for i in range(first - 1, max(floor, first - HEAD_ROOM, 0), -1):
        text = page.tree.text[i].strip()
        if text:
            return "" if len(text) > MAX_NAME or any(ch.isdigit() for ch in text) else _plain(text)
    return ""


def _plain(text: str) -> str:
    return "".join([ch for ch in text.lower() if ch.isalnum()])
