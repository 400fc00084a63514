"""Where a page's number stands in its URL, and how one URL differs from another.

A URL is cut into a *shape* (every run of digits replaced by `#`) and its numbers. Two URLs of one series have
the same shape and differ in one number, the *slot*; or one of them lacks the slot (page 1 is `/news/`, page 2
`/news/page/2/`). Nothing here knows names of parameters beyond a weak hint.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

_DIGITS = re.compile(r"\d+")
MAX_DIGITS = 20  # of an id that a cursor names
_DATE = re.compile(r"\d{4}-\d{2}")
_HINT = re.compile(
    r"(?:^|[^a-z])(p|pg|pn|pp|page[a-z_]*|[a-z_]*page|paged|pag|pagina[a-z]*|seite|sivu|side|strana?|stran|sayfa|halaman"
    r"|trang|start|offset|from|skip|begin|cursor|after|before|older|max|since|until|updated-max|index|list|curpage|nowpage|cpage)$"
)
_SIMPLE_SPLIT = re.compile(r"^(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?$", re.I)


@dataclass(frozen=True, slots=True)
class Parts:
    """A URL cut up: host without www, path, sorted query pairs; `shape` and `numbers` of path and query."""

    host: str
    path: str
    query: tuple[tuple[str, str], ...]
    shape: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """How a link's URL differs from the page's own.

    `how`: same (nothing but the fragment), number (same shape, one number), added (the link has a further
    number or parameter), removed (the page has it and the link has not), value (one parameter's other value),
    file (another last path segment), other, foreign (another host). `delta` is the difference of the number
    slot, `value` the link's number there, `hint` whether the slot's name sounds like paging.
    """

    how: str
    delta: int | None
    value: int | None
    hint: bool
    shared: float  # share of the longer path that is a common beginning
    keys_added: int
    keys_removed: int


@lru_cache(maxsize=8192)
def cut(url: str) -> Parts:
    """The parts of an absolute http(s) URL; the fragment is dropped."""
    match = _SIMPLE_SPLIT.match(url)
    if match is None:
        return Parts("", url, (), url, ())
    host = match[2].lower().removeprefix("www.")
    path = match[3] or "/"
    query = match[4] or ""
    if query and "=" not in query:  # a path in disguise: ?forum-105-2.html
        path, query = f"{path}?{query}", ""
    pairs = []
    for piece in query.split("&"):
        key, _, value = piece.partition("=")
        if piece:
            pairs.append((key, value))
    pairs.sort()
    text = path + "?" + "&".join(f"{k}={v}" for k, v in pairs)
    numbers = tuple(int(d) if len(d) <= MAX_DIGITS else 0 for d in _DIGITS.findall(text))
    return Parts(host, path, tuple(pairs), _DIGITS.sub("#", text), numbers)


def step(page: Parts, link: Parts) -> Step:
    """The way from the page's URL to a link's."""
    if page.host == link.host and page.path == link.path and page.query == link.query:
        return Step("same", 0, None, False, 1.0, 0, 0)
    before, after = dict(page.query), dict(link.query)
    added = [k for k in after if k not in before]
    removed = [k for k in before if k not in after]
    if page.host != link.host:
        return Step("foreign", None, None, False, 0.0, len(added), len(removed))
    known = (_shared(page.path, link.path), len(added), len(removed))
    if page.shape == link.shape:
        return _by_number(page, link, known)
    if page.path == link.path:
        return _by_query(before, after, added, removed, known)
    if len(added) + len(removed) == 0 and before == after:
        return _by_path(page.path, link.path, known)
    if page.path.rstrip("/") == link.path.rstrip("/"):
        return _by_query(before, after, added, removed, known)
    value, hint = _added_number([(k, after[k]) for k in added])
    if len(added) == 1 and value is not None and not removed:
        return Step("file", None, value, hint, *known)
    return Step("other", None, value, hint, *known)


def slot_of(links: Sequence[Parts]) -> tuple[str, int] | None:
    """The shape that most of the links share and the position of the one number in which they differ."""
    links = list(dict.fromkeys(links))  # no set: of equal shapes the first one counts, on every run
    shapes = Counter(p.shape for p in links if p.numbers)
    if not shapes:
        return None
    best, count = shapes.most_common(1)[0]
    if count < 2:
        return None
    rows = [p.numbers for p in links if p.shape == best]
    varying = [i for i in range(len(rows[0])) if len({r[i] for r in rows}) > 1]
    if not varying:
        return None
    # A page number may stand twice (offset and page): the one with most values counts, the latest first.
    return best, max(varying, key=lambda i: (len({r[i] for r in rows}), i))


@dataclass(frozen=True, slots=True)
class Scale:
    """The line from page number to slot value: value = first + each * (page - 1).

    `share` of the numbered links lie on it; `each` may be negative (pages counted from the oldest).
    """

    shape: str
    slot: int
    first: int
    each: int
    share: float

    def page(self, parts: Parts) -> int | None:
        """The 1-based page number that a URL of this series stands for."""
        if parts.shape != self.shape:
            return None
        far = parts.numbers[self.slot] - self.first
        if far % self.each:
            return None
        return far // self.each + 1


def scale_of(numbered: Iterable[tuple[int, Parts]]) -> Scale | None:
    """The scale that most numbered links agree on; null with fewer than two different pages in one shape."""
    pairs = sorted(dict.fromkeys(numbered), key=lambda pair: pair[0])
    found = slot_of([parts for _, parts in pairs])
    if found is None:
        return None
    shape, slot = found
    points = [(n, p.numbers[slot]) for n, p in pairs if p.shape == shape]
    votes: Counter[tuple[int, int]] = Counter()
    for (n, v), (m, w) in pairwise(points):
        if m != n and (w - v) % (m - n) == 0 and w != v:
            each = (w - v) // (m - n)
            votes[(v - each * (n - 1), each)] += 1
    if not votes:
        return None
    (first, each), _ = votes.most_common(1)[0]
    share = sum(v == first + each * (n - 1) for n, v in points) / len(points)
    return Scale(shape, slot, first, each, share)


def numbers_put(url: str, scale: Scale, page: int) -> str | None:
    """A URL of the same series with another page's number in its slot; null where the slot is not found."""
    value = scale.first + scale.each * (page - 1)
    wanted = list(cut(url).numbers)
    if value < 0 or page < 1 or scale.slot >= len(wanted) or cut(url).shape != scale.shape:
        return None
    wanted[scale.slot] = value
    start = url.find("/", url.find("//") + 2)
    for match in _DIGITS.finditer(url, max(0, start)):
        made = f"{url[: match.start()]}{value}{url[match.end() :]}"
        if list(cut(made).numbers) == wanted and cut(made).shape == scale.shape:
            return made
    return None


def _by_number(page: Parts, link: Parts, known: tuple[float, int, int]) -> Step:
    differing = [i for i, (a, b) in enumerate(zip(page.numbers, link.numbers, strict=True)) if a != b]
    if not differing:
        return Step("same", 0, None, False, *known)
    mine = dict(page.query)
    times = [(k, v) for k, v in link.query if is_time(v) and mine.get(k, v) != v]
    if times:
        (key, value), *_ = times
        return Step(
            "value", _moment(value) - _moment(mine[key]), None, any(hinted(k) for k, _ in link.query), *known
        )
    at = differing[-1]
    name = next((p for p in reversed(link.shape.split("#")[: at + 1]) if p.strip("_-/.=&")), "")
    how = "number" if len(differing) == 1 else "other"
    return Step(how, link.numbers[at] - page.numbers[at], link.numbers[at], hinted(name), *known)


def _by_query(
    before: dict[str, str],
    after: dict[str, str],
    added: list[str],
    removed: list[str],
    known: tuple[float, int, int],
) -> Step:
    changed = [k for k in after if k in before and after[k] != before[k]]
    value, hint = _added_number([(k, after[k]) for k in added])
    if added and not changed and not removed:
        return Step("added", None, value, hint, *known)
    if removed and not added and not changed:
        return Step("removed", None, None, any(hinted(k) for k in removed), *known)
    if len(changed) == 1 and not removed:
        key = changed[0]
        delta = int(after[key]) - int(before[key]) if _small(after[key]) and _small(before[key]) else None
        number = int(after[key]) if _small(after[key]) else value
        return Step("value", delta, number, hinted(key), *known)
    return Step("other", None, value, hint, *known)


def _by_path(page: str, link: str, known: tuple[float, int, int]) -> Step:
    """Paths of unlike shape: a number added (`/news/` to `/news/page/2`, `index.html` to `index_2.html`)."""
    inside = link.startswith(page) or page.startswith(link)
    ours, theirs = (page, link) if inside else (_stem(page), _stem(link))
    common = len(_common(ours, theirs))
    more, less = theirs[common:], ours[common:]
    numbers = _DIGITS.findall(more)
    value = int(numbers[-1]) if len(numbers) == 1 and len(numbers[0]) <= 9 else None
    hint = hinted(_DIGITS.split(more)[0])
    if not _DIGITS.search(less) and len(less.strip("/")) <= 8 and len(numbers) == 1 and more.count("/") <= 3:
        return Step("added", None, value, hint, *known)
    gone = _DIGITS.findall(less)
    if not numbers and len(more.strip("/")) <= 8 and len(gone) == 1 and less.count("/") <= 3:
        return Step("removed", None, None, hinted(_DIGITS.split(less)[0]), *known)
    same_folder = page.rsplit("/", 1)[0] == link.rsplit("/", 1)[0]
    return Step("file" if same_folder else "other", None, value, hint, *known)


def is_time(value: str) -> bool:
    """Whether a parameter's value is a time: a cursor, whose numbers are no page's."""
    return _DATE.search(value) is not None


def _moment(text: str) -> int:
    """A time as a number that is greater for a later one of the same form."""
    return int("".join([d[:4].zfill(2) for d in _DIGITS.findall(text[:40])[:6]]) or 0)


@lru_cache(maxsize=4096)
def hinted(name: str) -> bool:
    """Whether the text before a number (a parameter, a path segment) sounds like paging."""
    return bool(_HINT.search(name.lower().rstrip("=_-/[]. ")))


def _added_number(pairs: list[tuple[str, str]]) -> tuple[int | None, bool]:
    value, hint = None, False
    for key, text in pairs:
        hint = hint or hinted(key)
        if _small(text):
            value = int(text)
    return value, hint


def _small(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _stem(path: str) -> str:
    """A path without its extension and its index file's name."""
    head, _, tail = path.rpartition("/")
    name = tail.rsplit(".", 1)[0] if "." in tail else tail
    return f"{head}/{'' if name in ('index', 'default', 'Default') else name}"


def _common(a: str, b: str) -> str:
    if b.startswith(a):
        return a
    n = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        n += 1
    return a[:n]


def _shared(a: str, b: str) -> float:
    longest = max(len(a), len(b))
    return len(_common(a, b)) / longest if longest else 1.0
