"""The rows of a block: each with its article's link, title, date and whether it is pinned.

Dates are read column by column: the same place in every row. A date that only some rows have (in an excerpt,
in a title) loses against the column that dates them all; of two full columns (published, last reply) the one
that the list is sorted by wins, else the first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo

from recrawler.page.block_features import PageFacts
from recrawler.page.blocks import Candidate
from recrawler.page.order import MIN_DATED, broken_top, trend_of
from recrawler.page.outline import HEADINGS, Outline
from recrawler.page.types import Precision

MAX_PIECE = 160  # characters of one text node that are searched for a date
MAX_PIECES = 40  # text nodes a row
MAX_TITLE = 300
SKEW = timedelta(minutes=10)  # a date so little ahead of us is a clock's fault

_DATEISH = re.compile(
    r"\d|[今昨前]天|[昨今]日|前日|刚刚|剛剛|刚才|半小时|一[天周年]前|[一二三四五六七八九十两]+个?(?:小时|天|分钟)前|"
    r"just now|yesterday|today|ago\b|вчера|сегодня|gestern|heute|hier|aujourd|ayer|hoy|ieri|oggi|어제|오늘|方금|أمس|اليوم",
    re.I,
)
_PIN_TEXT = re.compile(
    r"置\s?顶|置\s?頂|^\W{0,2}[顶頂]\W{0,2}$|固定表示|固定記事|\bpinned\b|\bsticky\b|📌|закрепл|anheftet|angepinnt|"
    r"épinglé|fijado|fissato|مثبت|고정",
    re.I,
)
_PIN_NAME = re.compile(
    r"(?:^|[-_\s])(?:sticky|stick|stickied|pinned|pin|pushpin|thumb-?tack|zhiding|top-?flag|is-?top|top-?(?:mark|icon|tag|post)|"
    r"post-?top|topped|announcement|super-sticky|icon-?(?:top|pin|stick\w*))(?:$|[-_\s])",
    re.I,
)
_DAY_MONTH = re.compile(r"^(\d{1,2})\s+((?:19|20)\d\d)\s?[-./年]\s?(\d{1,2})月?$")


@dataclass(frozen=True, slots=True)
class When:
    """A date found in a text: aware, in UTC, and how precise it is."""

    date: datetime
    precision: Precision


Find = Callable[[str], When | None]
FindAttribute = Callable[[str], When | None]


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `anchor` is the index of its article's link; `when` is null where no date was told."""

    anchor: int
    href: str
    text: str
    when: When | None = None
    pinned: bool = False
    region: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class Clock:
    """How dates are read on this page."""

    now: datetime
    zone: tzinfo | None
    find: Find
    find_attribute: FindAttribute
    cache: dict[str, When | None] = field(default_factory=dict)

    def read(self, text: str) -> When | None:
        """The date in a text, or null."""
        if text not in self.cache:
            if len(self.cache) > 5_000:
                return None
            self.cache[text] = self.find(text) if _DATEISH.search(text) else None
        return self.cache[text]


def read_rows(c: Candidate, page: PageFacts, clock: Clock) -> list[Row]:
    """The rows of a candidate, in page order, each target once."""
    titles = _titles(c, page)
    whens = _dates(c, page, clock)
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
        rows = [replace(r, pinned=i < cut) for i, r in enumerate(rows)]
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


def _titles(c: Candidate, page: PageFacts) -> list[str]:
    """Each row's title: the heading in the link, the link's text, or the heading near a link without one."""
    tree, anchors = page.tree, page.doc.anchors
    counts = Counter(anchors[k].text for k in c.chosen)
    n = len(c.chosen)
    out = []
    for k, region in zip(c.chosen, c.rows, strict=True):
        text = ""
        mates = sorted(
            _span(k, region, page),
            key=lambda j: (tree.anchor_at[j] not in tree.headed, j != k, -page.finder.lengths[j]),
        )
        for j in mates:
            at = tree.anchor_at[j]
            label = _heading(tree, at, tree.end[at]) or anchors[j].text
            if label and counts[label] <= max(1, n // 3):
                text = label
                break
        out.append((text or _heading(tree, *region) or anchors[k].text)[:MAX_TITLE])
    return out


def _heading(tree: Outline, start: int, end: int) -> str:
    """The text of the first heading in a region."""
    for i in range(start, min(end, start + 200)):
        if tree.tag[i] in HEADINGS and (text := " ".join(tree.words(i, tree.end[i]).split())):
            return text
    return ""


def _pieces(i: int, c: Candidate, page: PageFacts) -> dict[object, str]:
    """The texts of a row outside its title, by place: (shape, whether it follows the element, how many before)."""
    tree = page.tree
    start, end = c.rows[i]
    title = tree.anchor_at[c.chosen[i]]
    skip = _title_part(title, tree)
    out: dict[object, str] = {}
    seen: Counter[object] = Counter()
    j = start
    while j < end and len(out) < MAX_PIECES:
        jump = j == skip or tree.tag[j] in ("script", "style", "noscript", "template")
        for text, side in ((tree.text[j], 0), (tree.tail[j], 1)):
            if (jump and not side) or not text or not (piece := " ".join(text.split())) or len(piece) < 2:
                continue
            place = (tree.loose[j], side)
            seen[place] += 1
            out[(*place, seen[place])] = piece[:MAX_PIECE]
        node = page.doc.elements[j]
        stamp = (node.get("datetime") if tree.tag[j] == "time" else node.get("title")) if not jump else None
        if stamp and len(stamp) < 60 and any(ch.isdigit() for ch in stamp) and tree.tag[j] != "a":
            kind = 2 if tree.tag[j] == "time" else 3
            out[(tree.loose[j], kind, 1)] = stamp
        j = tree.end[j] if jump else j + 1
    return out


def _title_part(at: int, tree: Outline) -> int:
    """The element that is the title: the link, or the heading inside a link that wraps the whole row."""
    if tree.end[at] - at > 2:
        for j in range(at + 1, min(tree.end[at], at + 60)):
            if tree.tag[j] in HEADINGS:
                return j
        if any(tree.tag[j] in ("div", "p", "time", "span") for j in range(at + 1, tree.end[at])):
            return -1
    return at


def _dates(c: Candidate, page: PageFacts, clock: Clock) -> list[When | None]:
    """The date of each row, from the best column; rows that it leaves out are read as a whole."""
    n = len(c.chosen)
    columns: dict[object, list[When | None]] = {}
    texts: list[dict[object, str]] = []
    for i in range(n):
        pieces = _pieces(i, c, page)
        texts.append(pieces)
        for place, text in pieces.items():
            kind = place[1]  # type: ignore[index]
            when = clock.find_attribute(text) if kind == 2 else clock.read(text)
            if when is not None:
                columns.setdefault(place, [None] * n)[i] = when
    best = _best_column(columns, n)
    out = list(best) if best else [None] * n
    for i in range(n):
        if out[i] is None:
            out[i] = _whole(texts[i], clock)
    return out


def _best_column(columns: dict[object, list[When | None]], n: int) -> list[When | None] | None:
    ranked = []
    for order, (place, column) in enumerate(columns.items()):
        dated = [(w.date, w.precision) for w in column if w]
        trend = trend_of(dated)
        in_order = trend.rows >= MIN_DATED and trend.distinct > 1 and abs(trend.tau) >= 0.9
        machine = place[1] in (2, 3)  # type: ignore[index]
        share = len(dated) / n
        ranked.append((round(share * 5), in_order, machine, -order, column))
    return max(ranked, key=lambda r: r[:4])[4] if ranked else None


def _whole(pieces: dict[object, str], clock: Clock) -> When | None:
    """A date that is spread over the elements of a row."""
    text = " ".join(t for p, t in pieces.items() if p[1] < 2)[:400]  # type: ignore[index]
    if split := _DAY_MONTH.match(text[:20].strip()):
        text = f"{split[2]}-{split[3]}-{split[1]}"
    return clock.read(text) if text else None


def _pin_marks(c: Candidate, page: PageFacts) -> list[bool]:
    """Rows that say they are pinned, by a word or a class; a mark that most rows carry says nothing."""
    marks = [_is_marked(i, c, page) for i in range(len(c.chosen))]
    if sum(marks) * 2 > len(marks):
        return [False] * len(marks)
    return marks


def _is_marked(i: int, c: Candidate, page: PageFacts) -> bool:
    tree = page.tree
    start, end = c.rows[i]
    end = min(end, start + 80)
    for j in range(start, end):
        node = page.doc.elements[j]
        if (name := node.get("class")) and _PIN_NAME.search(name):
            return True
        for text in (tree.text[j], tree.tail[j] if j > start else ""):
            if 0 < len(text) < 30 and _PIN_TEXT.search(text.strip()):
                return True
    return False


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
