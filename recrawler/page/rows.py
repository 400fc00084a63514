"""The rows of a block: each with its article's link, title, date and whether it is pinned."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from recrawler.page.blocks import Candidate
from recrawler.page.facts import PageFacts, heading_in
from recrawler.page.order import broken_top
from recrawler.page.outline import SILENT, Outline
from recrawler.page.row_dates import SKEW, Clock, When, read_dates
from recrawler.page.row_titles import MAX_DATE, MAX_TITLE, before_leads, completed, trimmed, without_more

MARK = 30  # characters of a text that is a mark
MARKED_IN = 80  # elements of a row that are searched for one

_PIN_TEXT = re.compile(
    r"置\s?顶|置\s?頂|^\W{0,2}[顶頂]\W{0,2}$|固定表示|固定記事|\bpinned\b|\bsticky\b|📌|закрепл|anheftet|angepinnt|"
    r"épinglé|fijado|fissato|مثبت|고정",
    re.I,
)
# Something of each pin text: a look for plain strings costs a tenth of the pattern's.
_PIN_HINTS = (
    "顶", "頂", "固定", "pinned", "sticky", "📌", "закрепл", "anheftet", "angepinnt", "épinglé", "fijado",
    "fissato", "مثبت", "고정",
)  # fmt: skip
# Of a name with a space before it: the search skips from one sign to the next.
_PIN_NAME = re.compile(
    r"[-_\s](?:stick(?:y|ied)?(?:thread|topic|post)?|pinned|pin|pushpin|thumb-?tack|zhiding|top-?flag|is-?top|"
    r"top-?(?:mark|icon|tag|post)|"
    r"post-?top|topped|announcement|super-sticky|icon-?(?:top|pin|stick\w*))(?:$|[-_\s])",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `anchor` is the index of its article's link; `when` is null where no date was told."""

    anchor: int
    href: str
    text: str
    when: When | None = None
    pinned: bool = False
    region: tuple[int, int] = (0, 0)


def read_rows(c: Candidate, page: PageFacts, clock: Clock) -> list[Row]:
    """The rows of a candidate, in page order, each target once."""
    anchors = page.doc.anchors
    said = [[anchors[j].text for j in _span(k, row, page)] for k, row in zip(c.chosen, c.rows, strict=True)]
    titles = before_leads(_titles(c, page, clock), said, clock)
    titles = trimmed(c, page, clock, without_more(c, page, clock, titles))
    titles = completed(c, page, titles)
    whens = read_dates(c, page, clock)
    marks = _pin_marks(c, page)
    rows: list[Row] = []
    seen: set[int] = set()
    for i, k in enumerate(c.chosen):
        target = page.finder.targets[k]
        if target in seen:
            continue
        seen.add(target)
        rows.append(Row(k, _href(k, c.rows[i], page), titles[i], whens[i], marks[i], c.rows[i]))
    if not any(r.pinned for r in rows):
        cut = broken_top([(r.when.date, r.when.precision) if r.when else None for r in rows])
        rows[:cut] = [replace(r, pinned=True) for r in rows[:cut]]
    return rows


def _span(k: int, region: tuple[int, int], page: PageFacts) -> list[int]:
    """The links of a row with the same target as its chosen one, that one included."""
    at, targets = page.tree.anchor_at, page.finder.targets
    return [j for j in page.holders.get(targets[k], [k]) if region[0] <= at[j] < region[1]] or [k]


def _href(k: int, region: tuple[int, int], page: PageFacts) -> str:
    """The row's URL: the one without a fragment, if the row has both."""
    anchors = page.doc.anchors
    own = anchors[k].url or ""
    if "#" not in own:
        return own
    plain = [u for j in _span(k, region, page) if (u := anchors[j].url) and "#" not in u]
    return plain[0] if plain else own


def _titles(c: Candidate, page: PageFacts, clock: Clock) -> list[str]:
    """Each row's title: the heading in the link, the link's text, or the heading near a link without one."""
    tree, anchors = page.tree, page.doc.anchors
    spans = [_span(k, region, page) for k, region in zip(c.chosen, c.rows, strict=True)]
    counts = Counter([text for span in spans for text in {anchors[j].text for j in span}])
    n = len(c.chosen)
    out = []
    for k, region, span in zip(c.chosen, c.rows, spans, strict=True):
        text = ""
        for j in _by_worth(k, span, page, clock):
            at = tree.anchor_at[j]
            label = heading_in(tree, at, tree.end[at]) or anchors[j].text
            if label and counts[label] <= max(1, n // 3):
                text = label
                break
        out.append(
            (_within(text, k, region, page) or heading_in(tree, *region) or anchors[k].text)[:MAX_TITLE]
        )
    return out


def _by_worth(k: int, mates: list[int], page: PageFacts, clock: Clock) -> list[int]:
    """The links to one article, the likeliest title first: in a heading, seen by a reader, no date, the row's own."""
    tree, anchors = page.tree, page.doc.anchors

    def worth(j: int) -> tuple[bool, bool, bool, bool, float]:
        at, text = tree.anchor_at[j], anchors[j].text
        unseen = not tree.words(at, tree.end[at]).strip()
        dated = len(text) <= MAX_DATE and clock.read(text) is not None
        return at not in tree.headed, unseen, dated, j != k, -page.finder.lengths[j]

    return sorted(mates, key=worth) if len(mates) > 1 else mates


def _within(label: str, k: int, region: tuple[int, int], page: PageFacts) -> str:
    """The label; of a link that shows no text, and whose label ends with the row's heading ("post link to ..."), that."""
    at = page.tree.anchor_at[k]
    if not label or page.tree.text[at].strip() or page.tree.words(at, page.tree.end[at]).strip():
        return label
    heading = heading_in(page.tree, *region)
    return heading if heading and label.casefold().endswith(heading.casefold()) else label


def _pin_marks(c: Candidate, page: PageFacts) -> list[bool]:
    """Rows that say they are pinned, by a word, a name or an image; a mark that most rows carry says nothing."""
    tree, class_of = page.tree, page.finder.class_of
    first, last = c.rows[0][0], c.rows[-1][1]
    names, words = _pin_names(page, first, last), _pin_words(tree, first, last)
    places = _pin_places(c, page)
    if not (names or words or places):
        return [False] * len(c.rows)

    def is_marked(start: int, end: int) -> bool:
        end = min(end, start + MARKED_IN)
        texts = (*tree.text[start:end], *tree.tail[start + 1 : end])
        return not (
            names.isdisjoint(map(class_of, range(start, end)))
            and places.isdisjoint(range(start, end))
            and words.isdisjoint(texts)
        )

    marks = [is_marked(*row) for row in c.rows]
    return marks if sum(marks) * 2 <= len(marks) else [False] * len(marks)


def _pin_names(page: PageFacts, first: int, last: int) -> set[str]:
    """The classes in a region that say of something that it is pinned; nearly always none, as they are given."""
    given = {node.get("class") or "" for node in page.doc.elements[first:last]}
    if not _named_pinned("\n".join(given)):
        return set()
    return set(filter(_named_pinned, set(map(page.finder.class_of, range(first, last)))))


def _named_pinned(name: str) -> bool:
    return bool(name) and _PIN_NAME.search(f" {name}") is not None


def _pin_words(tree: Outline, first: int, last: int) -> set[str]:
    """The short visible texts of a region that say of something that it is pinned."""
    texts = zip(tree.text[first:last], tree.tag[first:last], strict=True)
    short = {text for text, tag in texts if 0 < len(text) < MARK and tag not in SILENT}
    short.update([text for text in tree.tail[first:last] if 0 < len(text) < MARK])
    said = "\n".join(short).lower()
    if not any(hint in said for hint in _PIN_HINTS):
        return set()
    return {text for text in short if _PIN_TEXT.search(text.strip())}


def _pin_places(c: Candidate, page: PageFacts) -> set[int]:
    """The rows whose id says that they are pinned, and the images in rows whose file's name does."""
    elements, tags = page.doc.elements, page.tree.tag
    found = {start for start, _ in c.rows if _named_pinned(elements[start].get("id") or "")}
    for start, end in c.rows:
        for i in range(start, min(end, start + MARKED_IN)):
            if tags[i] == "img":
                file = (elements[i].get("src") or "").rpartition("/")[2].partition(".")[0]
                if _named_pinned(file):
                    found.add(i)
    return found


def settle(rows: Sequence[Row], clock: Clock) -> tuple[list[Row], int]:
    """Takes out dates that lie ahead of now; the second value says how many. A few minutes are read as now."""
    out, ahead = [], 0
    for row in rows:
        if row.when and row.when.date > clock.now:
            late = row.when.date - clock.now
            ahead += late > SKEW
            row = replace(row, when=None if late > SKEW else When(clock.now, row.when.precision))
        out.append(row)
    return out, ahead
