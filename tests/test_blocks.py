"""Which links are the list: structures of all kinds, with the usual company around them."""

from __future__ import annotations

import pytest

from recrawler.page.types import ListingHint
from tests.pagekit import (
    CLOUD,
    FOOT,
    NAV,
    URL,
    day,
    hot,
    href,
    hrefs,
    links_of,
    main_of,
    page,
    read,
    rows,
    titles,
    urls_of,
)

STRUCTURES = {
    "list items": lambda n: (
        "<ul class=list>"
        + rows(n, lambda i, t, u, d: f'<li><a href="{u}">{t}</a><span>{d}</span></li>')
        + "</ul>"
    ),
    "table rows": lambda n: (
        "<table>"
        + rows(n, lambda i, t, u, d: f'<tr><td>{i + 1}</td><td><a href="{u}">{t}</a></td><td>{d}</td></tr>')
        + "</table>"
    ),
    "table with an author": lambda n: (
        "<table>"
        + rows(
            n,
            lambda i, t, u, d: (
                f'<tr><td><a href="{u}">{t}</a></td><td><a href="/user/{i % 3}">ann{i % 3}</a></td>'
                f"<td>{d}</td></tr>"
            ),
        )
        + "</table>"
    ),
    "definition list": lambda n: (
        "<dl>"
        + rows(
            n, lambda i, t, u, d: f'<dt><a href="{u}">{t}</a></dt><dd>{d} A short summary of the story.</dd>'
        )
        + "</dl>"
    ),
    "cards": lambda n: (
        "<div class=grid>"
        + rows(
            n,
            lambda i, t, u, d: (
                f'<div class="card"><a href="{u}"><img src="/i/{i}.jpg" alt=""></a><div class="body">'
                f'<a class="cat" href="/{"sport" if i % 2 else "culture"}/">{"Sport" if i % 2 else "Culture"}</a>'
                f'<h3><a href="{u}">{t}</a></h3><time datetime="{d}">{d}</time>'
                f'<a href="{u}#comments">{i} comments</a></div></div>'
            ),
        )
        + "</div>"
    ),
    "articles with classes of their own": lambda n: rows(
        n,
        lambda i, t, u, d: (
            f'<article id="post-{900 - i}" class="post-{900 - i} post type-post hentry">'
            f'<header><h2 class="entry-title"><a href="{u}" rel="bookmark">{t}</a></h2></header>'
            f'<div class="entry-meta"><time datetime="{d}">{d}</time> by <a href="/author/kim">Kim</a></div>'
            f'<p>What happened, told in one or two sentences for the front page. <a href="{u}">Continue reading</a></p>'
            f"</article>"
        ),
    ),
    "odd and even rows": lambda n: (
        "<div id=threads>"
        + rows(
            n,
            lambda i, t, u, d: (
                f'<div class="{"odd" if i % 2 else "even"}"><a href="{u}">{t}</a> <em>{d}</em></div>'
            ),
        )
        + "</div>"
    ),
    "headings and texts without a wrapper": lambda n: rows(
        n,
        lambda i, t, u, d: (
            f'<h2><a href="{u}">{t}</a></h2><p>{d}. The first lines of the story stand here.</p>'
        ),
    ),
    "links that wrap their rows": lambda n: (
        "<section>"
        + rows(n, lambda i, t, u, d: f'<a class="item item-{i}" href="{u}"><h3>{t}</h3><p>{d}</p></a>')
        + "</section>"
    ),
    "coloured titles": lambda n: (
        "<ul>"
        + rows(
            n,
            lambda i, t, u, d: (
                f'<li><a href="{u}">{t}</a> {d}</li>'
                if i % 3
                else f'<li><b><font color=red><a href="{u}">{t}</a></font></b> {d}</li>'
            ),
        )
        + "</ul>"
    ),
    "a notice mark before the title": lambda n: (
        "<ul>"
        + rows(
            n,
            lambda i, t, u, d: (
                f'<li><a href="/notices/">[Notice]</a><a href="{u}">{t}</a><span>{d[5:]}</span></li>'
            ),
        )
        + "</ul>"
    ),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_one_article_link_per_row_whatever_the_markup(name: str) -> None:
    found = read(page(STRUCTURES[name](12), side=hot() + CLOUD))
    assert urls_of(found) == hrefs(12)
    assert [x.text for x in links_of(found)] == titles(12)
    assert found.kind == "index"
    assert found.verdict == "list"


@pytest.mark.parametrize("name", ["list items", "articles with classes of their own", "cards"])
def test_lists_of_one_or_two_rows_are_found_at_the_place_that_earlier_pages_taught(name: str) -> None:
    path = main_of(read(page(STRUCTURES[name](12), side=hot()))).block.path
    for n in (1, 2):
        found = read(page(STRUCTURES[name](n), side=hot()), hints=[ListingHint(path)])
        assert urls_of(found) == hrefs(n)
        assert found.verdict == "list"
        assert not any("earlier pages" in w for w in found.warnings)


def test_a_hint_that_no_longer_fits_is_said_and_the_list_found_anew() -> None:
    path = main_of(read(page(STRUCTURES["list items"](12)))).block.path
    found = read(
        page(f"<main><div class=fresh>{STRUCTURES['cards'](12)}</div></main>"), hints=[ListingHint(path)]
    )
    assert urls_of(found) == hrefs(12)
    assert any("not where earlier pages had it" in w for w in found.warnings)


def test_a_list_in_two_columns_is_one_list() -> None:
    def item(i: int, t: str, u: str, d: str) -> str:
        return f'<li><a href="{u}">{t}</a> <i>{d}</i></li>'

    both = f"<div class=cols><ul>{rows(10, item)}</ul><ul>{rows(10, item, 10)}</ul></div>"
    found = read(page(both, side=hot()))
    assert urls_of(found) == hrefs(20)


def test_links_to_comments_in_the_rows_are_no_articles() -> None:
    items = "".join(
        f'<li value="{i + 1}"><a href="https://other{i}.example/story">{t}</a> <small>(other{i}.example)</small><br>'
        f'<small>{i + 10} points by u{i} {i + 1} hours ago | <a href="/item?id={900 - i}">{i + 3} comments</a></small></li>'
        for i, t in enumerate(titles(10))
    )
    found = read(page(f"<ol>{items}</ol>", bar='<a href="/news?p=2">More</a>'))
    assert urls_of(found) == [f"https://other{i}.example/story" for i in range(10)]
    assert main_of(found).older == "https://gazette.example/news?p=2"


def test_a_list_in_the_columns_of_a_table_is_one_list() -> None:
    cells = [f'<td><a href="{href(i)}">{t}</a><br>{day(i)}</td>' for i, t in enumerate(titles(12))]
    table = "".join(f"<tr>{''.join(cells[i : i + 3])}</tr>" for i in range(0, 12, 3))
    assert urls_of(read(page(f"<table>{table}</table>", side=hot()))) == hrefs(12)


def test_a_list_in_groups_by_date_is_one_list_and_the_headings_date_its_rows() -> None:
    def item(i: int, t: str, u: str, d: str) -> str:
        return f'<li><a href="{u}">{t}</a></li>'

    groups = "".join(f"<h3>2026-03-0{9 - g}</h3><ul>{rows(4, item, 4 * g)}</ul>" for g in range(4))
    found = read(page(f"<div class=archive>{groups}</div>", side=hot()))
    assert urls_of(found) == hrefs(16)
    days = [x.date.day if x.date else None for x in links_of(found)]
    assert days == [9] * 4 + [8] * 4 + [7] * 4 + [6] * 4
    assert main_of(found).order.verdict == "newest-first"


def test_a_row_whose_only_link_says_read_more_has_the_heading_beside_it_as_text() -> None:
    content = rows(
        8,
        lambda i, t, u, d: (
            f'<div class=post><h2>{t}</h2><p>{d} Some lines.</p><a href="{u}">Read more</a></div>'
        ),
    )
    found = read(page(content, side=hot()))
    assert urls_of(found) == hrefs(8)
    assert [x.text for x in links_of(found)] == titles(8)


def test_a_row_whose_only_link_is_an_image_has_the_heading_beside_it_as_text() -> None:
    content = rows(
        8,
        lambda i, t, u, d: (
            f'<div class=post><a href="{u}"><img src="/p/{i}.jpg"></a><h2>{t}</h2><p>{d}</p></div>'
        ),
    )
    found = read(page(content))
    assert urls_of(found) == hrefs(8)
    assert [x.text for x in links_of(found)] == titles(8)


def test_a_promoted_row_between_the_others_is_of_the_list() -> None:
    def item(i: int, t: str, u: str, d: str) -> str:
        if i == 4:
            return f'<li class="wide"><div><a href="{u}"><strong>{t}</strong></a></div><span>{d}</span></li>'
        return f'<li><a href="{u}">{t}</a><span>{d}</span></li>'

    found = read(page(f"<ul>{rows(12, item)}</ul>", side=hot()))
    assert urls_of(found) == hrefs(12)


def test_a_lead_story_above_the_list_is_of_the_list() -> None:
    lead = f'<section class="lead"><h1><a href="{href(0)}">{titles(1)[0]}</a></h1><p>Published 2026-03-10</p></section>'
    rest = rows(
        9, lambda i, t, u, d: f'<div class=row><h2><a href="{u}">{t}</a></h2><span>{d}</span></div>', start=1
    )
    found = read(page(lead + f"<div class=list>{rest}</div>", side=hot()))
    assert urls_of(found) == hrefs(10)


def test_repeats_of_one_target_are_one_link_without_fragment() -> None:
    content = rows(
        8,
        lambda i, t, u, d: (
            f'<div class=p><a href="{u}#comments">{i}</a> <a href="{u}">{t}</a> <span>{d}</span></div>'
        ),
    )
    found = read(page(content))
    assert urls_of(found) == hrefs(8)


@pytest.mark.parametrize(
    "decoy",
    [
        "<table class=cal>"
        + "".join(
            "<tr>"
            + "".join(
                f'<td><a href="/2026/03/{7 * w + d + 1:02d}/">{7 * w + d + 1}</a></td>' for d in range(7)
            )
            + "</tr>"
            for w in range(4)
        )
        + "</table>",
        "<ul class=archives>"
        + "".join(
            f'<li><a href="/2025/{m:02d}/">Archive of month {m} of the year 2025</a></li>'
            for m in range(1, 13)
        )
        + "</ul>",
        CLOUD,
        '<div class="breadcrumb"><a href="/">Home</a> &gt; <a href="/news/">News</a></div>',
    ],
    ids=["calendar", "archives by month", "tag cloud", "breadcrumb"],
)
def test_what_stands_beside_a_short_list_is_not_taken_for_it(decoy: str) -> None:
    content = STRUCTURES["articles with classes of their own"](3)
    found = read(page(content, side=f'<div class="sidebar">{decoy}</div>'))
    assert urls_of(found) == hrefs(3)


def test_two_lists_with_bars_of_their_own_are_two_listings() -> None:
    def bar(key: str) -> str:
        return (
            f'<div class="pager"><b>1</b> <a href="/news/?{key}=2">2</a> <a href="/news/?{key}=3">3</a> '
            f'<a href="/news/?{key}=2">Next</a></div>'
        )

    def item(i: int, t: str, u: str, d: str) -> str:
        return f'<li><a href="{u}">{t}</a><span>{d}</span></li>'

    first = f"<div id=a><h2>Reports</h2>{bar('p1')}<ul>{rows(10, item)}</ul>{bar('p1')}</div>"
    second = f"<div id=b><h2>Notices</h2><ul>{rows(10, item, 20)}</ul>{bar('p2')}</div>"
    found = read(page(first + second, bar=""))
    assert len(found.listings) >= 2
    by_older = {x.older: [link.href for link in x.block.links] for x in found.listings if x.older}
    assert by_older["https://gazette.example/news/?p1=2"] == hrefs(10)
    assert by_older["https://gazette.example/news/?p2=2"] == hrefs(10, 20)


def test_the_class_of_a_link_block_comes_before_all_judgement() -> None:
    marked = '<div class="x Baidu_paging_content_indicator Orderby_posttime"><ul>' + rows(
        4, lambda i, t, u, d: f'<li><a href="{u}">{t[:12]}</a></li>'
    ) + "</ul></div>"  # fmt: skip
    other = "<ul>" + "".join(
        f'<li><a href="/big/{i}.html">A much longer title that reads like an article number {i}</a> 2026-03-0{i % 9 + 1}</li>'
        for i in range(20)
    ) + "</ul>"  # fmt: skip
    found = read(page(other + marked))
    assert urls_of(found) == hrefs(4)
    assert main_of(found).block.marked
    assert main_of(found).order.verdict == "newest-first"
    assert "Orderby_posttime" in main_of(found).order.evidence[0]


def test_links_keep_their_fragment_and_are_resolved_against_base() -> None:
    content = rows(6, lambda i, t, u, d: f'<li><a href="story{i}.html#top">{t}</a> {d}</li>')
    found = read(page(f"<ul>{content}</ul>", head='<base href="https://cdn.example/a/">'))
    assert urls_of(found) == [f"https://cdn.example/a/story{i}.html#top" for i in range(6)]


def test_links_that_no_client_can_follow_are_no_articles() -> None:
    content = rows(8, lambda i, t, u, d: f'<li><a href="javascript:show({i})">{t}</a> {d}</li>')
    found = read(f"<html><body>{NAV}<ul>{content}</ul>{FOOT}</body></html>")
    assert found.main is None or not any("javascript" in u for u in urls_of(found))


def test_the_path_of_a_block_names_no_position_and_no_number() -> None:
    path = main_of(read(page(STRUCTURES["articles with classes of their own"](12)), URL)).block.path
    assert "[" not in path
    assert "900" not in path
    assert "//" in path
