"""Kinds of fault in the rows of lists that people meet in the field: what is an article and what stands beside it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from recrawler.page.block_features import measure
from recrawler.page.blocks import Finder
from recrawler.page.classifier import Floats
from recrawler.page.document import parse
from recrawler.page.facts import facts
from recrawler.page.groups import Group
from recrawler.page.outline import outline
from recrawler.page.pagination import scan
from tests.pagekit import BAR, URL, hot, hrefs, links_of, main_of, page, read, rows, urls_of


def test_kind_links_to_the_last_post_in_a_column_of_their_own_are_no_further_articles() -> None:
    """Each leads to the article's own last page, so its address looks like an article's."""

    def row(i: int, title: str, url: str, date: str) -> str:
        last = url.replace(".html", f"-{i % 4 + 2}.html#post{i}")
        return (
            f'<tr><td><a href="{url}">{title}</a></td><td>{date} <a href="{last}">Go to the last post of this</a></td>'
            f"<td>{i + 3}</td></tr>"
        )

    found = read(page(f'<table class="threads"><tbody>{rows(12, row)}</tbody></table>', bar=BAR))
    assert urls_of(found) == hrefs(12)
    assert main_of(found).order.verdict == "newest-first"


def test_kind_bare_headlines_below_days() -> None:
    """No row has a date of its own: a day without a year stands above the headlines of each day."""

    def group(day: int, start: int, n: int) -> str:
        links = rows(n, lambda i, t, u, d: f'<h2><a href="{u}">{t}</a> (<span>{i % 7}</span>)</h2>', start)
        return f'<p class="day">Gruodžio {day} d.</p>{links}'

    days = "".join(group(9 - k, 5 * k, 5) for k in range(6))
    html = page(f'<div id="latest">{days}</div>', side=hot(), bar="").replace("lang=en", "lang=lt")
    found = read(html, now=datetime(2025, 12, 9, 18, tzinfo=UTC))
    assert urls_of(found) == hrefs(30)
    assert [x.date and x.date.day for x in links_of(found)] == [9 - i // 5 for i in range(30)]
    assert main_of(found).order.verdict == "newest-first"


@pytest.mark.parametrize(
    ("heads", "dated"),
    [
        (("9 d.", "8 d.", "5 d.", "2 d.", "30 d.", "28 d."), 1.0),  # across the turn of a month
        (
            ("6 inches", "8 inches", "12 inches", "15 inches", "17 inches", "24 inches"),
            0.0,
        ),  # a menu of screens
        (("Sport", "Culture", "Opinion", "School", "Boats", "Weather"), 0.0),
    ],
)
def test_kind_groups_below_days_are_dated_and_others_are_not(heads: tuple[str, ...], dated: float) -> None:
    groups = "".join(
        f"<p>{head}</p>" + rows(4, lambda i, t, u, d: f'<h3><a href="{u}">{t}</a></h3>', 4 * k)
        for k, head in enumerate(heads)
    )
    doc = parse(f"<html><body><div>{groups}</div></body></html>", URL)
    tree = outline(doc)
    seen = facts(doc, tree, Finder(doc, tree))
    found = [c for c in seen.finder.find() if len(c.chosen) == 24]
    measure(found, seen)
    assert found and {c.values["dated"] for c in found} == {dated}


def test_kind_a_word_for_the_next_page_that_stands_apart_belongs_to_the_bar() -> None:
    """Boards have it below the list among the ways to sort it, where alone it looks little like a bar."""
    numbers = '<div>12 topics <strong>1</strong> <a href="?page=2">2</a> <a href="?page=3">3</a></div>'
    apart = (
        '<form><a href="?page=2">Next</a> <a href="?page=9">Next year</a> <select><option>all</select></form>'
    )
    topics = rows(9, lambda i, t, u, d: f"<li><a href={u}>{t}</a></li>")

    def without_words(groups: Sequence[Group], scores: Floats) -> list[float]:
        return [float(any(item.shape.pure for item in group.items)) for group in groups]

    [bar] = scan(parse(page(f"{numbers}<ul>{topics}</ul>{apart}", bar=""), URL), rescore=without_words).bars
    assert [(x.text, x.role) for x in bar.links if x.role == "next"] == [("Next", "next")]
    assert len(bar.links) == len(bar.anchors)
