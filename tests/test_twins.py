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


def test_one_article_with_and_without_a_slash_is_one() -> None:
    keys = ["http://gazette.example/a/", "http://gazette.example/a"]
    assert len(set(Twins().settle(keys, ["Why it matters"] * 2, nothing_known)[0])) == 1
