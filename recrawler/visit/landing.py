"""Where redirects and ways on have led: to a page of the list that was asked for, or away from it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from recrawler.urls import identity_key, parse


def same_page(one: str, other: str) -> bool:
    """Whether two URLs name one page; the scheme, and a slash at the end, make no other."""
    return identity_key(one).rstrip("/") == identity_key(other).rstrip("/")


def led_away(asked: str, landed: str, index: Iterable[str]) -> bool:
    """Whether a page was answered with one that stands above it in its site, like the home page, and that is
    not the index page itself (under any of its URLs `index`): so do sites whose page is gone."""
    if same_page(asked, landed) or any(same_page(landed, url) for url in index):
        return False
    there, here = parse(landed), parse(asked)
    folder, _, name = there.path.rpartition("/")
    return not there.query and name.partition(".")[0] in _HOME and here.path.startswith(f"{folder}/")


def left_out(first: str, later: str) -> list[str]:
    """Names in the query of a list's first page that the URL of a later one has lost, maybe a filter."""
    names = [
        {pair.partition("=")[0] for pair in (parse(url).query or "").split("&")} for url in (first, later)
    ]
    return sorted(names[0] - names[1] - {""})


def is_second(url: str, first: str) -> bool:
    """Whether a URL has the number 2, and nothing else that the address of a list's first page has not."""
    there, here = (Counter(_NUMBERS.findall(x.partition("://")[2])) for x in (url, first))
    return there == here + Counter(("2",)) and parse(url).origin == parse(first).origin


def in_another_script(before: Iterable[str], now: Iterable[str]) -> bool:
    """Whether nearly all titles are of another script (Han, Latin, Cyrillic, ...) than those of before."""
    one, other = _script(before), _script(now)
    return bool(one and other) and one != other


def _script(titles: Iterable[str]) -> str:
    """The script that nearly all titles hold letters of; empty where there is none. Names in Latin letters
    stand in titles of all scripts."""
    found = [{_name(c) for c in title if c.isalpha()} for title in titles]
    count = Counter(name for names in found for name in (names - {"LATIN"} or names))
    name, most = count.most_common(1)[0] if count else ("", 0)
    return name if most >= 0.9 * len(found) else ""


def _name(letter: str) -> str:
    name = unicodedata.name(letter, "?").partition(" ")[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA") else name


_NUMBERS = re.compile(r"\d+")
_HOME = frozenset(("", "index", "default", "home"))
