"""In which order the links of one visit are given out: oldest published first. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from recrawler.records import FoundLink


def in_order(links: Sequence[FoundLink]) -> list[tuple[float, FoundLink]]:
    """Links by found_at, then oldest published first, each with the unix seconds that it was placed by.

    Equal dates keep the order of the list, read from its old end; a link without a date stands where its
    place in the list puts it, with the date of its older neighbour.
    """
    series: dict[str, list[FoundLink]] = {}
    for link in links:
        series.setdefault(link.listing, []).append(link)
    placed = [pair for of_one in series.values() for pair in _dated(_from_old_end(of_one))]
    return sorted(placed, key=lambda pair: (pair[1].found_at, pair[0]))  # stable


def _from_old_end(links: Sequence[FoundLink]) -> list[FoundLink]:
    rows = sorted(links, key=lambda link: (link.page, link.rank))
    dates = [link.published_at for link in rows if link.published_at is not None]
    rising = sum(a < b for a, b in pairwise(dates))
    falling = sum(a > b for a, b in pairwise(dates))
    return rows if rising > falling else rows[::-1]


def _dated(links: Sequence[FoundLink]) -> list[tuple[float, FoundLink]]:
    """Each link with its date; where it has none, with that of the one before, else of the one after."""
    known = next((link.published_at for link in links if link.published_at is not None), None)
    out = []
    for link in links:
        known = link.published_at or known
        out.append(((known or link.found_at).timestamp(), link))
    return out
