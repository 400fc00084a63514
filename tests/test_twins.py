"""Twins: one page under two URLs. Two articles of one title are none."""

from __future__ import annotations

import pytest

from recrawler.completion import KnownLink
from recrawler.visit.twins import Twins


def nothing_known(keys: list[str]) -> dict[str, KnownLink]:
    return {}


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "[::1]", "gazette.example"])
def test_two_articles_of_one_title_are_two(host: str) -> None:
    keys = [f"http://{host}/news/{n}.html" for n in (716, 679)]
    assert Twins().settle(keys, ["Why it matters"] * 2, nothing_known)[0] == keys


def known_under_www(keys: list[str]) -> dict[str, KnownLink]:
    """Articles 1 to 9 stand in the history with www., each under its number."""
    there = {
        f"http://www.gazette.example/{n}": KnownLink(
            f"http://www.gazette.example/{n}", 1, None, None, f"Title {n}", ""
        )
        for n in range(1, 10)
    }
    return {key: there[key] for key in keys if key in there}


def test_one_link_that_stands_on_every_page_does_not_prove_two_hosts_one() -> None:
    """The same pinned link, read on page after page; three articles do."""
    twins = Twins()
    for _ in range(5):
        twins.settle(["http://gazette.example/1"], ["Title 1"], known_under_www)
    assert not twins.learnt()
    for n in (2, 3):
        twins.settle([f"http://gazette.example/{n}"], [f"Title {n}"], known_under_www)
    assert twins.learnt() == {"gazette.example"}


def test_one_article_with_and_without_a_slash_is_one() -> None:
    keys = ["http://gazette.example/a/", "http://gazette.example/a"]
    assert len(set(Twins().settle(keys, ["Why it matters"] * 2, nothing_known)[0])) == 1
