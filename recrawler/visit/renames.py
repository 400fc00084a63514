"""A whole list under other URLs: the site has moved, or each link carries something that changes by itself.

One article under a new URL is a matter of `completion.moves`. Here the rows stand as they stood, title by
title, and hardly a URL is known: the list is the old one. Its links keep the keys that the history has; and
what changed is learnt, so that the next visits need no titles: a beginning or an end of all URLs for another
one (`Rewrite`), or parameters that are no part of the article.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from recrawler.completion import KnownLink
from recrawler.completion.walk import UNIT
from recrawler.page.types import Link

LEAST = 5  # rows under known titles that show it
KEPT = 8  # rewrites that are remembered, the latest
SHARE = 0.6  # of the unknown rows, or of the links that are gone, where those are fewer
_NOISE = re.compile(r"[\W_]+")
_TOKEN = re.compile(r"(?=[\w.~-]*\d)(?=[\w.~-]*[A-Za-z])[\w.~-]{6,}|\d{10,}")
_NUMBER = re.compile(r"\d{2,}")
Known = Callable[[list[str]], dict[str, KnownLink]]
Pair = tuple[str, str]  # the key as it is now, and as the history has it


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Keys that begin, or end, with `now` were known with `before` in its place."""

    side: str  # "begin" or "end"
    now: str
    before: str

    def old(self, key: str) -> str | None:
        """The key under which the history may know this one."""
        if self.side == "begin":
            return self.before + key[len(self.now) :] if key.startswith(self.now) else None
        return key[: len(key) - len(self.now)] + self.before if key.endswith(self.now) else None


@dataclass
class Renames:
    """What one visit learns of the URLs of its list, and what earlier ones have."""

    rewrites: tuple[Rewrite, ...] = ()
    noise: frozenset[str] = frozenset()  # parameters that are no part of an article's URL
    seen: bool = False  # the list was under other URLs once
    count: int = 0  # rows of this visit
    told: str = ""  # what to say of it, where it is seen for the first time

    @classmethod
    def of(cls, learnt: dict[str, Any]) -> Renames:
        """From what the index has learnt."""
        rewrites = tuple(Rewrite(*x) for x in learnt.get("rewrites", ()))
        noise = frozenset(learnt.get("noise", ()))
        return cls(rewrites, noise, bool(rewrites or noise or learnt.get("renamed")))

    def settle(
        self,
        keys: Sequence[str],
        links: Sequence[Link],
        found: dict[str, KnownLink],
        head: Sequence[str],
        known: Known,
    ) -> tuple[list[str], dict[str, KnownLink]]:
        """Keys of a page's links, those under other URLs replaced by the ones that the history has; and what
        it says of them. `head`: the keys of the last first page."""
        keys, found = self._rewritten(list(keys), dict(found), known)
        here = set(keys)
        gone = [k for k in head if k not in here]
        unknown = [i for i, k in enumerate(keys) if k not in found]
        if not gone or not self._worth_a_look([keys[i] for i in unknown], len(keys)):
            return keys, found
        old = known(gone)
        pairs = _by_title([(i, links[i]) for i in unknown], [old[k] for k in gone if k in old])
        # Where most are known as they stand, the rest are single articles under new URLs.
        few = 2 * (len(keys) - len(unknown)) < len(pairs)
        if few and _shown(pairs, len(unknown), gone):
            self._learn([(keys[i], k.key) for i, k in pairs.items()], keys)
            self.count += len(pairs)
            if not self.seen:
                self.told = f"the links have other URLs than before: {self.count} are known by their titles"
        elif not self._loose:
            pairs = {i: k for i, k in pairs.items() if _differ_in_token(keys[i], k.key)}
        for i, link in pairs.items():
            keys[i] = link.key
            found[link.key] = link
        return keys, found

    def _worth_a_look(self, unknown: Sequence[str], rows: int) -> bool:
        return (
            len(unknown) >= min(LEAST, rows)
            or (self._loose and bool(unknown))
            or any("?" in k for k in unknown)
        )

    @property
    def _loose(self) -> bool:
        """Whether a single title is enough: the list was under other URLs, and no rewrite says which."""
        return self.seen and not self.rewrites

    def _rewritten(
        self, keys: list[str], found: dict[str, KnownLink], known: Known
    ) -> tuple[list[str], dict[str, KnownLink]]:
        maybe = {
            i: [o for r in self.rewrites if (o := r.old(k))]
            for i, k in enumerate(keys)
            if self.rewrites and k not in found
        }
        old = known([o for some in maybe.values() for o in some]) if any(maybe.values()) else {}
        for i, some in maybe.items():
            match = next((o for o in some if o in old), None)
            if match is not None and match not in keys:
                keys[i] = match
                found[match] = old[match]
        return keys, found

    def _learn(self, pairs: list[Pair], keys: Sequence[str]) -> None:
        rewrite = rewrite_of(pairs)
        if rewrite is not None and rewrite not in self.rewrites:
            self.rewrites += (rewrite,)
        elif rewrite is None:
            self.noise |= noise_of(pairs, keys)


def learnt(renames: Sequence[Renames]) -> dict[str, Any]:
    """What the index remembers of the renames of its lists."""
    if not any(r.seen or r.count for r in renames):
        return {}
    rewrites = dict.fromkeys((w.side, w.now, w.before) for r in renames for w in r.rewrites)
    noise = frozenset[str]().union(*(r.noise for r in renames))
    return {"renamed": True, "rewrites": [list(w) for w in rewrites][-KEPT:], "noise": sorted(noise)}


def _by_title(rows: Sequence[tuple[int, Link]], gone: Sequence[KnownLink]) -> dict[int, KnownLink]:
    """For each row, by its place, the vanished link of its title whose date may be the same one; of several
    the lower ones first, for news come in at the top."""
    left: dict[str, list[KnownLink]] = {}
    for link in gone:
        left.setdefault(_plain(link.title), []).append(link)
    out: dict[int, KnownLink] = {}
    for i, row in reversed(rows):
        title = _plain(row.text)
        same = [k for k in left.get(title, ()) if title and _may_be(row, k)]
        if same:
            out[i] = same[-1]
            left[title].remove(same[-1])
    return out


def _may_be(row: Link, old: KnownLink) -> bool:
    """Whether a row and a link of one title may be one article: its date says so, or, where there is none,
    its URL has no other number. Titles recur ("Prices of the week")."""
    if row.date is None or old.published_at is None:
        ids, before = set(_NUMBER.findall(_tail(row.href))), set(_NUMBER.findall(_tail(old.url)))
        return not ids or not before or not ids.isdisjoint(before)
    unit = max(UNIT[row.precision or "day"], UNIT[old.precision or "day"])
    return abs(row.date - old.published_at) < unit


def _tail(url: str) -> str:
    return url.partition("://")[2].partition("/")[2]


def _plain(title: str) -> str:
    return _NOISE.sub("", title).casefold()


def _shown(pairs: dict[int, KnownLink], unknown: int, gone: Sequence[str]) -> bool:
    """Whether so many titles stand as they stood, in their old order, that the list is the old one."""
    if len({_plain(k.title) for k in pairs.values()}) < LEAST or len(pairs) < SHARE * min(unknown, len(gone)):
        return False
    place = {key: n for n, key in enumerate(gone)}
    ends: list[int] = []  # of the longest run in the old order
    for i in sorted(pairs):
        n = place[pairs[i].key]
        at = bisect_left(ends, n)
        ends[at : at + 1] = [n]
    return len(ends) >= 0.8 * len(pairs)


def rewrite_of(pairs: Sequence[Pair]) -> Rewrite | None:
    """The one change of a beginning or an end that leads from all keys to the known ones, or null."""
    now, before = pairs[0]
    start = _shared(now, before)
    end = _shared(now[start:][::-1], before[start:][::-1])
    made = (
        Rewrite("begin", now[: len(now) - end], before[: len(before) - end]),
        Rewrite("end", now[start:], before[start:]),
    )
    fits = (r for r in made if all(r.old(k) == o for k, o in pairs))
    return next(fits, None) if len(pairs) >= LEAST else None


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def noise_of(pairs: Sequence[Pair], keys: Sequence[str]) -> frozenset[str]:
    """Parameters in whose values, and in nothing else, the keys differ from the known ones; empty where links
    would be one without them."""
    names: set[str] = set()
    for now, before in pairs:
        (path, one), (there, other) = _split(now), _split(before)
        if path != there:
            return frozenset()
        names |= {pair.partition("=")[0] for pair in set(one) ^ set(other)}
    bare = [
        (path, tuple(p for p in query if p.partition("=")[0] not in names))
        for path, query in map(_split, keys)
    ]
    return frozenset(names) if len(pairs) >= LEAST and len(set(bare)) == len(set(keys)) else frozenset()


def _differ_in_token(now: str, before: str) -> bool:
    """Whether two keys differ in nothing but values that nobody types: tokens, points in time."""
    (path, one), (there, other) = _split(now), _split(before)
    odd = set(one) ^ set(other)
    names = [[p.partition("=")[0] for p in query] for query in (one, other)]
    return path == there and names[0] == names[1] and all(_TOKEN.fullmatch(p.partition("=")[2]) for p in odd)


def _split(key: str) -> tuple[str, list[str]]:
    path, _, query = key.partition("?")
    return path, query.split("&") if query else []
