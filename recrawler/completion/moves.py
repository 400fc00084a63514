"""An article that stands under a new URL (its slug or title was edited) is the same article.

Only a link that has vanished from among its neighbours can have moved, and only to a link that is new in the
same visit; beyond that there has to be evidence, for each merge too many loses an article.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from recrawler.completion.anchors import in_place
from recrawler.completion.walk import UNIT, KnownLink, Row, Walk, short

SIMILAR = 0.75  # least likeness of two titles, or of two URLs, where the dates agree
_ID = re.compile(r"\d{4,}")
_DATE = re.compile(r"(?:19|20)\d\d(?:[01]\d(?:[0-3]\d)?)?")
_NOISE = re.compile(r"[\W_]+")
LEAST_TITLE = 6  # letters below which equal titles say nothing


def vanished(walk: Walk) -> tuple[str, ...]:
    """Keys of the rows of the last first page that should have been met on this walk, and were not."""
    seen = {r.key for r in walk.rows}
    places = in_place(walk)
    if not places:
        return ()
    deepest = short(walk.rows[places[-1]].key)
    base = walk.memory.base
    reach = set(base[: base.index(deepest)]) if deepest in base else set(base)
    return tuple(k for k in walk.memory.head if k not in seen and short(k) in reach)


def moved(news: Sequence[Row], gone: Iterable[KnownLink]) -> dict[str, KnownLink]:
    """Which of the new rows are vanished links under another URL, by key of the new row."""
    out: dict[str, KnownLink] = {}
    free = list(gone)
    for same in (_same_id, _same_title, _alike):
        for row in news:
            match = next((k for k in free if same(row, k)), None) if row.key not in out else None
            if match is not None:
                out[row.key] = match
                free.remove(match)
    return out


def _same_id(row: Row, old: KnownLink) -> bool:
    """The same number that names the article, in URLs of one shape."""
    ids = _ids(row.url)
    return bool(ids) and ids == _ids(old.url) and _skeleton(row.url) == _skeleton(old.url)


def _ids(url: str) -> list[str]:
    path = url.partition("://")[2].partition("/")[2]
    return [x for x in _ID.findall(path) if not _DATE.fullmatch(x)]


def _skeleton(url: str) -> str:
    """The folder of the article."""
    return url.rpartition("/")[0].partition("://")[2]


def _same_title(row: Row, old: KnownLink) -> bool:
    plain = _plain(row.title)
    return len(plain) >= LEAST_TITLE and plain == _plain(old.title) and not _dates_differ(row, old)


def _plain(title: str) -> str:
    return _NOISE.sub("", title).casefold()


def _alike(row: Row, old: KnownLink) -> bool:
    """A like title or slug in the same folder, on the same date."""
    if row.published_at is None or old.published_at is None or _dates_differ(row, old):
        return False
    if _skeleton(row.url) != _skeleton(old.url) or _ids(row.url) != _ids(old.url):
        return False
    titles = SequenceMatcher(None, _plain(row.title), _plain(old.title), autojunk=False).ratio()
    return titles >= SIMILAR and len(_plain(row.title)) >= LEAST_TITLE


def _dates_differ(row: Row, old: KnownLink) -> bool:
    if row.published_at is None or old.published_at is None:
        return False
    unit = max(UNIT[row.precision or "day"], UNIT[old.precision or "day"])
    return abs(row.published_at - old.published_at) >= unit
