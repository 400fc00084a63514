"""Which blocks are listings, and which bar pages which: block and bar judged together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median

from recrawler.page.abreast import abreast, housed, tangled
from recrawler.page.block_features import measure
from recrawler.page.blocks import BLOCK_CLASS, MAX_GROUPED, Candidate
from recrawler.page.classifier import PageModel
from recrawler.page.document import Document
from recrawler.page.facts import PageFacts, lineage_of
from recrawler.page.glance import at_bars, shortlist
from recrawler.page.intruders import drop_boxes, drop_repeats, drop_strangers
from recrawler.page.listings import way_to, where
from recrawler.page.pagination import BarCandidate
from recrawler.page.pairing import housed_apart, nearness, pair, split
from recrawler.page.strays import extend, follow_most, join_columns, whole
from recrawler.page.types import ListingHint
from recrawler.page.wholes import MAIN_AT, one_a_row, widest_of_equals

FAINT_AT = 0.03  # the same where someone says that there is a list, or where it has always stood
HINT_WORTH = 0.7  # of a full fit, beside a score of 0..1
MOSTLY = 0.75  # share of a list's links that stand where earlier pages had it
EXACT = 0.1  # more for the very place with all its classes: a last page of one row looks little like a list
OTHER_AT = 0.6  # least score of a further listing without a bar
BARRED_AT = 0.2  # least score of a further listing with a bar of its own
CLOSE = 0.6  # least nearness of a bar to a further listing
OWN_BAR = 0.5  # least score of a bar that makes what it stands at a further listing
SHARED = 0.1  # most of a further listing that stands in another too ...
COPY = 0.8  # ... and of one with a bar of its own: it is the same list else
MAX_LISTINGS = 6
MAX_PASSED = 8  # candidates not taken that are told of
SHORT_TEXT = 12  # visual length of a median link that is no title


@dataclass(frozen=True, slots=True)
class Chosen:
    """A block that is a listing, with its bar."""

    candidate: Candidate
    bar: BarCandidate | None


@dataclass(frozen=True, slots=True)
class Passed:
    """A candidate that was not taken. `sample`: the text of its first link."""

    xpath: str
    score: float
    why: str
    sample: str


@dataclass(slots=True)
class Choice:
    """The listings, the main one first. `hinted`: it is the one that earlier pages taught; `bare`: the page
    marks a link block, and no link is in it."""

    blocks: list[Chosen]
    rejected: list[Passed]
    warnings: list[str]
    hinted: bool = False
    bare: bool = False


@dataclass(slots=True)
class View:
    """A page with its candidate blocks scored, the likeliest first. `glanced`: those of the rest that look most
    like lists at a glance."""

    page: PageFacts
    scored: list[Candidate]
    glanced: list[Candidate]
    hints: Sequence[ListingHint]
    marks: Sequence[int]  # positions of elements with the class of link blocks


def view(page: PageFacts, model: PageModel, hints: Sequence[ListingHint] = ()) -> View:
    """Finds and scores the candidates of a page."""
    marks = marked_blocks(page.doc) if page.doc.marked else []
    candidates = page.finder.find()
    for hint in hints:
        if not any(_fit(c, hint, page) == 1.0 for c in candidates):
            candidates += _standing(hint, page)
    keep = [c for c in candidates if any(_fit(c, h, page) for h in hints) or _within(c, marks, page)]
    keep += at_bars(candidates, page)
    scored = score(candidates, page, model, keep)
    if scored and (best := whole(scored[0], scored[1:], page)) is not scored[0]:
        best.score = max(best.score, scored[0].score)  # the whole is as likely as its part
        scored.remove(best)
        scored.insert(0, best)
    rest = sorted([c for c in candidates if c.score and not c.values], key=lambda c: -c.score)
    return View(page, scored, rest[:MAX_PASSED], hints, marks)


def choose(seen: View, bars: Sequence[BarCandidate], least: float = MAIN_AT) -> Choice:
    """Takes the main listing, of at least this score, and those with bars of their own, and gives each its bar."""
    page, scored, marks = seen.page, seen.scored, seen.marks
    warnings: list[str] = []
    marked = _best_marked(scored, marks, page)
    hinted = _by_hints(seen.hints, scored, page, bars, warnings)
    taken: list[Candidate] = list(hinted)
    if not taken and marks:
        taken = marked[:1]
    elif not taken and scored and scored[0].score >= least:
        taken = split(widest_of_equals(scored, page), page, bars)
    if taken:
        follow_most(taken[0], page)
        drop_repeats(taken[0], page)
        drop_strangers(taken[0], page)
        drop_boxes(taken[0], page)
    fixed = abreast(taken[0], scored, bars, page) if taken and not marks else {}
    if fixed:
        taken = _in_boxes(taken, fixed, len(seen.hints))
    elif taken and not marks:
        taken[0] = housed(taken[0], bars, page)
    for c in taken:
        join_columns(c, scored, page)
    if taken and not hinted:
        taken = _with_further(taken, marked if len(marked) > 1 else scored, page, bars)
    for c in taken:
        extend(c, page)
    pairs = [fixed.get(c, b) for c, b in zip(taken, pair(taken, bars, page, hinted), strict=True)]
    passed = [c for c in (*scored, *seen.glanced) if c not in taken][:MAX_PASSED]
    rejected = [Passed(where(c, page), c.score, _why_not(c, taken, page), _sample(c, page)) for c in passed]
    chosen = [Chosen(c, b) for c, b in zip(taken, pairs, strict=True)]
    return Choice(chosen, rejected, warnings, bool(hinted), bool(marks) and not taken)


def _in_boxes(taken: list[Candidate], lists: Collection[Candidate], hints: int) -> list[Candidate]:
    """The lists that stand in boxes, the main one first; as many as are watched, where earlier pages taught some."""
    main = taken[0] if taken[0] in lists else next(iter(lists))
    found = [main, *(c for c in lists if c is not main)]
    return found[:hints] if hints else found


def marked_blocks(doc: Document) -> list[int]:
    """Positions of the elements with the class of link blocks."""
    return [i for i, n in enumerate(doc.elements) if BLOCK_CLASS in (n.get("class") or "").split()]


def score(
    candidates: list[Candidate], page: PageFacts, model: PageModel, keep: Sequence[Candidate] = ()
) -> list[Candidate]:
    """The candidates worth measuring with their scores, best first."""
    worth = shortlist(candidates, page, model.get("glance"))
    worth += [c for c in keep if c not in worth]
    measure(worth, page)
    learnt = model.get("block")
    if learnt is not None and worth:
        for c, p in zip(worth, learnt.predict_named([c.values for c in worth])[:, 1], strict=True):
            c.score = float(p)
    return sorted(worth, key=lambda c: -c.score)


def _standing(hint: ListingHint, page: PageFacts) -> list[Candidate]:
    """Candidates of the links alone that stand where the hint says. A single row may look like the menu's rows,
    and is then in no group but theirs."""
    steps = _steps(hint)
    usable = [k for k, target in enumerate(page.finder.targets[:MAX_GROUPED]) if target >= 0]
    fits = {k: fit for k in usable if (fit := _step_fit(k, steps, page))}
    best = max(fits.values(), default=0.0)
    return page.finder.of([k for k, fit in fits.items() if fit == best])


def _steps(hint: ListingHint) -> list[list[str]]:
    return [step.split(".") for step in hint.path.replace("//", "/").strip("/").split("/")]


def _fit(c: Candidate, hint: ListingHint, page: PageFacts) -> float:
    """How well a candidate, from its first link to its last, stands where the hint says, 0..1: half for the same
    tags all the way, the rest for classes."""
    steps = _steps(hint)
    return min(_step_fit(k, steps, page) for k in {c.chosen[0], c.chosen[-1]})


def _mostly(c: Candidate, hint: ListingHint, page: PageFacts) -> float:
    """The same of most of its links: one at an end may be a link to more."""
    steps = _steps(hint)
    fits = sorted([_step_fit(k, steps, page) for k in c.chosen], reverse=True)
    return fits[ceil(MOSTLY * len(fits)) - 1]


def _step_fit(k: int, steps: Sequence[Sequence[str]], page: PageFacts) -> float:
    way = way_to(page.tree.anchor_at[k], page)
    if [tag for tag, _ in way] != [step[0] for step in steps]:
        return 0.0
    same = sum([set(step[1:]) <= classes for step, (_, classes) in zip(steps, way, strict=True)])
    return 0.5 + 0.5 * same / len(steps)


def _by_hints(
    hints: Sequence[ListingHint],
    scored: list[Candidate],
    page: PageFacts,
    bars: Sequence[BarCandidate],
    warnings: list[str],
) -> dict[Candidate, str | None]:
    """The list of each hint, with the place of its bar; for none the list of another: two lists of a page may
    stand at one path."""
    out: dict[Candidate, str | None] = {}
    for hint in hints:
        free = [c for c in scored if not any(tangled(c, other) for other in out)]
        free = _with_its_bar(free, hint, page, bars)
        if (found := _by_hint(hint, free, page, warnings)) is not None:
            out[_one_row(found, hint, page)] = hint.bar_path
    return out


def _with_its_bar(
    scored: list[Candidate], hint: ListingHint, page: PageFacts, bars: Sequence[BarCandidate]
) -> list[Candidate]:
    """The candidates without those that are housed with another bar, or hold both lists, where two lists with a
    bar each stand at the place that the hint names."""
    usual = next((b for b in bars if b.xpath == hint.bar_path), None)
    others = [b for b in bars if b is not usual]
    there = [c for c in scored if _fit(c, hint, page) == 1.0] if usual is not None and others else []
    for mine in there:
        rivals = [
            c for c in there
            if any(housed_apart(c, mine, b, page) for b in others) and not _overlap(c, mine, page)
        ]  # fmt: skip
        if usual is not None and any(housed_apart(mine, c, usual, page) for c in rivals):
            return [c for c in scored if not housed_apart(mine, c, usual, page)]
    return scored


def _by_hint(
    hint: ListingHint, scored: list[Candidate], page: PageFacts, warnings: list[str]
) -> Candidate | None:
    """The best candidate, where the place that earlier pages taught counts as much as all the rest."""
    fits = [(_fit(c, hint, page), c) for c in scored]
    if not any(fit for fit, _ in fits):
        warnings.append(f"the list is not where earlier pages had it ({hint.path})")
        return None
    fit, best = max(fits, key=lambda pair: HINT_WORTH * pair[0] + EXACT * (pair[0] == 1.0) + pair[1].score)
    if not fit:
        warnings.append(f"what stands where earlier pages had the list ({hint.path}) is like no list now")
        return None
    own = [c for f, c in fits if f > fit and c.score >= FAINT_AT and _holds(best, c)]
    if own:  # the rest of it stands where the list never stood
        fit, best = max(((f, c) for f, c in fits if c in own), key=lambda pair: pair[1].score)
    wider = [
        c for f, c in fits if f >= fit and (c.scope, c.level) == (best.scope, best.level) and _more(c, best)
    ]
    best = max(wider, key=lambda c: len(c.chosen), default=best)  # all rows, not the odd ones alone
    if len(best.chosen) == 1:  # a row that is marked looks like a list of its own
        wide = [c for c in scored if len(c.chosen) > 1 and best.chosen[0] in c.chosen]
        around = [c for c in wide if _mostly(c, hint, page) >= fit]
        return max(around, key=lambda c: c.score, default=best)
    return whole(one_a_row([best, *(c for f, c in fits if f >= fit and c is not best)], page), scored, page)


def _one_row(c: Candidate, hint: ListingHint, page: PageFacts) -> Candidate:
    """The longest link alone, where links side by side in one element are taken for rows and each row of the list
    has an element of its own: the only row of a last page, with its category."""
    at, parent = page.tree.anchor_at, page.tree.parent
    own_element = "/" in hint.path.rpartition("//")[2]
    if not own_element or len(c.chosen) < 2 or len({parent[at[k]] for k in c.chosen}) > 1:
        return c
    longest = max(c.chosen, key=lambda k: page.finder.lengths[k])
    one, row = page.finder.of([longest])[0], parent[at[longest]]
    one.tops, one.rows = [row], [(row, page.tree.end[row])]
    one.score, one.values = c.score, c.values
    return one


def _more(c: Candidate, part: Candidate) -> bool:
    return set(part.chosen) < set(c.chosen)


def _holds(c: Candidate, part: Candidate) -> bool:
    return part.scope != c.scope and _more(c, part)


def _within(c: Candidate, marks: Sequence[int], page: PageFacts) -> bool:
    at = page.tree.anchor_at
    return any(m <= at[c.chosen[0]] and at[c.chosen[-1]] < page.tree.end[m] for m in marks)


def _best_marked(scored: list[Candidate], marks: Sequence[int], page: PageFacts) -> list[Candidate]:
    """The best candidate of each element marked as a link block, the best of all first."""
    out: list[Candidate] = []
    for mark in marks:
        inside = [c for c in scored if _within(c, [mark], page)]
        if inside:
            best = max(inside, key=lambda c: (c.score, len(c.chosen)))
            best.marked = True
            if best not in out:
                out.append(best)
    return sorted(out, key=lambda c: -c.score)


def _with_further(
    taken: list[Candidate], ranked: list[Candidate], page: PageFacts, bars: Sequence[BarCandidate]
) -> list[Candidate]:
    """Adds other lists of the page, none of their links in one taken before: likely ones, and with own bars."""
    barred = _with_own_bars(taken[0], ranked, page, bars)
    for c in [*barred, *ranked]:
        if len(taken) >= MAX_LISTINGS:
            break
        if len(c.chosen) < 3 or not (c.marked or c.score >= OTHER_AT or c in barred):
            continue
        most = COPY if c in barred and not any(tangled(c, other) for other in taken) else SHARED
        if all(_overlap(c, other, page) <= most for other in taken):
            taken.append(c)
    return taken


def _with_own_bars(
    main: Candidate, ranked: list[Candidate], page: PageFacts, bars: Sequence[BarCandidate]
) -> list[Candidate]:
    """For each bar that stands nearer to another candidate than to the main one: that candidate."""
    out = []
    for bar in bars:
        if bar.score < OWN_BAR and not bar.marked:
            continue
        near = nearness(main, bar, page)
        others = [
            (nearness(c, bar, page), c)
            for c in ranked
            if c.score >= BARRED_AT
            and len(c.chosen) >= 3
            and not tangled(c, main)
            and _overlap(c, main, page) <= COPY
            and not _around(c, main)
            and not housed_apart(main, c, bar, page)
        ]
        others = [(n, c) for n, c in others if n >= CLOSE and n > near]
        if others:
            out.append(max(others, key=lambda pair: pair[0] * pair[1].score)[1])
    return out


def _around(c: Candidate, main: Candidate) -> bool:
    """Whether links stand both above and below the main list: menus of one make all over the page."""
    return c.rows[0][0] < main.rows[0][0] and main.rows[-1][1] <= c.rows[-1][0]


def _overlap(a: Candidate, b: Candidate, page: PageFacts) -> float:
    """The share of articles that two lists have in common, of the shorter one."""
    targets = page.finder.targets
    ours, theirs = {targets[k] for k in a.chosen}, {targets[k] for k in b.chosen}
    return len(ours & theirs) / min(len(ours), len(theirs))


def _sample(c: Candidate, page: PageFacts) -> str:
    return page.doc.anchors[c.chosen[0]].text[:60]


def _why_not(c: Candidate, taken: Sequence[Candidate], page: PageFacts) -> str:
    """What tells a candidate from the lists that were taken."""
    n = len(c.chosen)
    size = f"{n} links" if n > 1 else "1 link"
    targets = page.finder.targets
    own = {targets[k] for k in c.chosen}
    for other in taken:
        theirs = {targets[k] for k in other.chosen}
        if own <= theirs:
            return f"{size}: a part of the list" if own < theirs else f"{size}: the same articles"
        if theirs < own:
            return f"{size}: the list and {len(own - theirs)} more"
        if len(own & theirs) > 0.5 * min(len(own), len(theirs)):
            return f"{size}: overlaps the list"
    side, nav, foot, _, _, _, in_aside, in_nav, in_footer, _, _ = lineage_of(c.scope, page)
    if side or in_aside:
        return f"{size} in a side column"
    if nav or in_nav:
        return f"{size} in a navigation"
    if foot or in_footer:
        return f"{size} in a footer"
    if median(page.finder.lengths[k] for k in c.chosen) < SHORT_TEXT:
        return f"{size} with short texts"
    undated = c.values and not c.values["dated"] and any(t.values and t.values["dated"] for t in taken)
    return f"{size} without dates" if undated else f"{size}, less like a list of articles"
