"""One page under two URLs: with and without www., with and without a slash at the end.

Neither is left out of identity keys, for on some sites the two are different pages. They are taken for one
where one of them is known and stands under the same title; and, for www., where a site has shown it for
several links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from recrawler.completion import KnownLink
from recrawler.urls import is_ip

LEARNT = 3  # links that show it in one visit, after which the site's two hosts are one
_KEY = re.compile(r"(\w+://)(?:(www)\.)?([^/:?#]+)(:\d+)?([^?#]*)(.*)")
_NOISE = re.compile(r"[\W_]+")


@dataclass
class Twins:
    """What one visit takes for one page. `hosts` are those of which www. is a twin, as learnt before."""

    hosts: frozenset[str] = frozenset()
    seen: dict[str, set[str]] = field(default_factory=dict)  # by host the links that showed it
    _met: dict[tuple[str, str], str] = field(default_factory=dict)  # keys by what twins share, and title

    def settle(
        self, keys: Sequence[str], titles: Sequence[str], known: Callable[[list[str]], dict[str, KnownLink]]
    ) -> tuple[list[str], dict[str, KnownLink]]:
        """Keys of a page's links, those of twins replaced by the one that is known or came first; and what
        the history says of them."""
        found = known(list(keys))
        others = {key: variants(key) for key in keys if key not in found}
        twins = known([v for some in others.values() for v in some]) if others else {}
        settled = []
        for key, title in zip(keys, titles, strict=True):
            twin = next(
                (v for v in others.get(key, ()) if v in twins and self._same(key, title, twins[v])), key
            )
            if twin in twins:
                found[twin] = twins[twin]
            shared = (min((twin, *variants(twin))), _plain(title))
            settled.append(self._met.setdefault(shared, twin) if shared[1] else twin)
        return settled, found

    def learnt(self) -> frozenset[str]:
        """Hosts whose www. is known to be a twin, after this visit."""
        return self.hosts | {host for host, links in self.seen.items() if len(links) >= LEARNT}

    def _same(self, key: str, title: str, twin: KnownLink) -> bool:
        alike = bool(_plain(title)) and _plain(title) == _plain(twin.title)
        one, other = _KEY.fullmatch(key), _KEY.fullmatch(twin.key)
        if one is None or other is None or one[2] == other[2]:
            return alike
        if alike:
            self.seen.setdefault(one[3], set()).add(key)
        return alike or (one[3] in self.hosts and one[5] == other[5])


def variants(key: str) -> tuple[str, ...]:
    """The identity keys that a page may have as well."""
    match = _KEY.fullmatch(key)
    if match is None:
        return ()
    scheme, www, host, port, path, rest = (x or "" for x in match.groups())
    if path == "/" or "." in path.rpartition("/")[2]:
        paths = [path]
    else:
        paths = [path, path.removesuffix("/") if path.endswith("/") else f"{path}/"]
    named = "." in host and not is_ip(host)
    hosts = [f"www.{host}" if www else host, *([host if www else f"www.{host}"] if named else [])]
    made = (f"{scheme}{h}{port}{p}{rest}" for h in hosts for p in paths)
    return tuple(x for x in made if x != key)


def _plain(title: str) -> str:
    return _NOISE.sub("", title).casefold()
