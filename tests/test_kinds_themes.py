"""Kinds of structure that themes of content-management systems have, each in a small page of our own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from recrawler.page.types import ListingHint
from tests.pagekit import (
    BAR,
    CLOUD,
    URL,
    hot,
    hrefs,
    links_of,
    main_of,
    page,
    read,
    rows,
    titles,
    urls_of,
)

SECTIONS = "".join(f'<li><a href="/c/{x}/">{x}</a> (12)</li>' for x in ("culture", "economy", "sport"))
Maker = Callable[[int, str, str, str], str]


def card(i: int, title: str, url: str, date: str) -> str:
    return f'<article class="card"><a href="{url}"><h2>{title}</h2><time>{date}</time><p>More of it.</p></a></article>'


def story(i: int, title: str, url: str, date: str) -> str:
    """A whole post, with the links that belong to it."""
    return (
        f'<article><header><h2><a href="{url}">{title}</a></h2></header><p class="info">{date} by '
        f'<a href="/author/ida">Ida</a> in <a href="/c/town">Town</a>, <a href="/t/ferry">ferry</a>, '
        f'<a href="/t/snow">snow</a>, <a href="/t/bread">bread</a></p><p>Text of the story.</p></article>'
    )


def headed(i: int, title: str, url: str, date: str) -> str:
    """The same below a header that is named like a pager."""
    return story(i, title, url, date).replace("<header>", '<header class="page-header">')


@pytest.mark.parametrize(
    ("back", "on"),
    [
        ("Предыдущие записи", "Следующие записи"),
        ("« Previous entries", "Next entries »"),
        ("Previous posts", "Next posts"),
    ],
)
def test_kind_previous_posts_are_older_where_addresses_count_on(back: str, on: str) -> None:
    bar = f'<nav class="posts"><div><a href="/news/page/6/">{back}</a></div><div><a href="/news/page/4/">{on}</a></div></nav>'
    found = main_of(read(page(rows(8, card, 32), bar=bar), f"{URL}page/5/"))
    assert (found.older, found.newer) == (f"{URL}page/6/", f"{URL}page/4/")


def test_kind_a_link_to_more_below_the_last_row_is_the_way_on_and_no_row() -> None:
    """A calendar in the side column looks more like a bar."""
    more = '<div class="load-more-wrap"><a class="button load-more" href="/page/2/">Load more</a></div>'
    days = "".join(f'<td><a href="/2026/03/{i:02}/">{i}</a></td>' for i in range(1, 8))
    month = '<nav><span><a href="/2026/02/">« Feb</a></span></nav>'
    side = f"<aside>{SECTIONS}<table><caption>March 2026</caption><tr>{days}</tr></table>{month}</aside>"
    front = "https://gazette.example/"
    found = read(page(f"<main>{rows(8, card)}{more}</main>", bar="", side=side), front)
    assert urls_of(found) == hrefs(8)
    assert main_of(found).older == "https://gazette.example/page/2/"
    taught = ListingHint(main_of(found).block.path)
    assert urls_of(
        read(page(f"<main>{rows(8, card, 2)}{more}</main>", bar="", side=side), front, hints=[taught])
    ) == hrefs(8, 2)


@pytest.mark.parametrize(("lead", "row"), [(story, card), (story, story), (headed, headed)])
def test_kind_a_lead_with_author_and_tags_in_a_box_of_its_own_is_the_first_row(
    lead: Maker, row: Maker
) -> None:
    first = f'<div class="leading"><div class="item">{rows(1, lead)}</div></div>'
    rest = f'<div class="others"><h3>Other articles</h3><div class="columns">{rows(7, row, 1)}</div></div>'
    assert urls_of(read(page(first + rest))) == hrefs(8)


def test_kind_a_slider_made_like_a_row_is_none() -> None:
    def tile(i: int, title: str, url: str, date: str) -> str:
        return (
            f'<div class="tile{" lead" if i == 0 else ""}"><figure><a href="{url}"><img src="/{i}.jpg"></a></figure><div>'
            f'<a href="/c/town/">Town</a><h3><a href="{url}">{title}</a></h3><p><a href="/author/ida">Ida</a> {date}</p></div></div>'
        )

    picks = [(f"/news/2019/pick-{i}.html", f"Ferry line {i} sinks") for i in range(4)]
    slides = "".join(
        f'<div class="slide"><a href="{url}"><img src="/p.jpg"></a><h2><a href="{url}">{title}</a></h2></div>'
        for url, title in picks
    )
    main = f'<main><div class="slider">{slides}</div>{rows(8, tile)}{BAR}</main>'
    assert urls_of(read(page(main, bar="", side=hot() + CLOUD))) == hrefs(8)


def test_kind_the_title_of_a_link_without_text_is_its_rows_heading() -> None:
    def covered(i: int, title: str, url: str, date: str) -> str:
        return (
            f"<article><h2>{title}</h2><p>Some words of it.</p><footer>{date}</footer>"
            f'<a class="cover" aria-label="post link to {title}" href="{url}"></a></article>'
        )

    assert [x.text for x in links_of(read(page(rows(8, covered))))] == titles(8)


def test_kind_rows_with_classes_of_their_own_are_found_again_with_a_link_of_another_make_below() -> None:
    """Each row has its number and its tags in its class, as rows of some systems have."""

    def own(i: int, title: str, url: str, date: str) -> str:
        tags = " ".join(("tag-tunnel", "tag-rules", "tag-wall")[: i % 4])
        made = (
            f'<article id="post-{900 - i}" class="card post-{900 - i} post category-{"abc"[i % 3]} {tags}">'
        )
        return made + card(i, title, url, date).partition(">")[2]

    last = '<div class="all"><a href="/stories/of-the-year-2026.html">All our stories of the year</a></div>'
    first, later = (page(f"<main>{rows(8, own, start)}{last}</main>", bar="") for start in (3, 0))
    taught = ListingHint(main_of(read(first)).block.path)
    assert urls_of(read(later, hints=[taught]))[:8] == hrefs(8)


def test_kind_a_short_title_beside_a_longer_time_that_leads_to_the_article_is_the_title() -> None:
    mixed = [f"Snow {i}" if i % 2 else title for i, title in enumerate(titles(10))]
    made = "".join(
        f'<li><a href="/wiki/{i}-s" class="time" title="{i}-s">07:{20 + i}, 5 March 2026</a> <span><a href="/wiki/{i}-s" '
        f'title="{t}">{t}</a></span> <span>(<a href="/wiki/{i}-s?action=history" title="hist">hist</a>)</span> '
        f'<a href="/wiki/User:Ida"><bdi>Ida</bdi></a> (<a href="/wiki/User_talk:Ida">talk</a>)</li>'
        for i, t in enumerate(mixed)
    )
    assert [x.text for x in links_of(read(page(f'<h1>New pages</h1><ul class="pages">{made}</ul>')))] == mixed


STEPS = (
    '<nav aria-label="Page navigation"><ul class="pagination"><li class="disabled"><span>←</span></li><li class="active">'
    '<a href="/news/">1 <span>(current)</span></a></li><li><a href="/news/page/2/">2</a></li><li><a href="/news/page/9/">9'
    '</a></li><li><a href="/news/page/2/" aria-label="Next">→</a></li></ul></nav>'
)  # fmt: skip


def test_kind_links_that_say_read_more_below_short_rows_are_no_part_of_the_bar() -> None:
    names = ("通知 6", "市水务局资助第二隧道计划引发热议", "夜间公交方案 1981", "市长办公室？ 图书馆开放时间")
    made = "".join(
        f'<article><h2><a href="/news/2026/n-{i}.html">{name}</a></h2><div>教育委员会否决河堤加固工程 …</div><div>'
        f'<a class="btn" href="/news/2026/n-{i}.html"><strong>➟ Read more</strong></a></div></article><hr>'
        for i, name in enumerate(names)
    )
    found = read(page(f"<main><h2>Articles</h2>{made}{STEPS}</main>", bar=""))
    assert [x.text for x in links_of(found)] == list(names)
    assert main_of(found).older == f"{URL}page/2/"


@pytest.mark.parametrize("name", ["Issue {}", "No. {}"])
@pytest.mark.parametrize("row", ['<li><a href="{}">{}</a> <span>{}</span></li>', '<article><h2><a href="{}">{}</a></h2><p>{}</p></article>'])  # fmt: skip
def test_kind_numbered_issues_are_rows_beside_their_bar(name: str, row: str) -> None:
    made = rows(8, lambda i, _, url, date: row.format(url, name.format(245 - i), date))
    found = read(page(f"<main><h2>News</h2>{made}{STEPS}</main>", bar=""))
    assert urls_of(found) == hrefs(8)
    assert main_of(found).older == f"{URL}page/2/"


TILES = {
    "without headings": '<a href="{0}"><img src="/i.jpg"></a><div><a href="{0}">{1}</a></div><div>{2}</div>',
    "nothing but links": '<a href="{0}">{1}</a>',
}  # fmt: skip


def grid(tiles: list[str]) -> str:
    pairs = ["".join(tiles[n : n + 2]) for n in range(0, len(tiles), 2)]
    return "".join(f'<div class="pair">{pair}</div>' for pair in pairs)


@pytest.mark.parametrize("name", TILES)
def test_kind_of_a_grid_every_tile_is_a_row(name: str) -> None:
    made = rows(
        12, lambda i, title, url, date: f'<div class="tile">{TILES[name].format(url, title, date)}</div>'
    )
    found = read(page(f"<main>{grid(made.splitlines())}</main>{BAR}", bar="", side=hot(6)))
    assert urls_of(found) == hrefs(12)


ARCHIVES = [
    ("%Y-%m", "%d", '<p><span>{2}</span> <a href="{0}">{1}</a></p>'),
    ("%B %Y", "%d.", '<li><a href="{0}">{1}</a> <time>{2}</time></li>'),
    ("%Y年%m月", "%d日", '<p><span>{2}</span> <a href="{0}">{1}</a></p>'),
    ("%m/%Y", "%d", '<article><h2><a href="{0}">{1}</a></h2><span class="d">{2}</span></article>'),
]


@pytest.mark.parametrize(("month", "own", "row"), ARCHIVES)
def test_kind_days_below_a_heading_of_their_month_are_dates(month: str, own: str, row: str) -> None:
    days = [date(2026, 3, 9) - timedelta(days=4 * i) for i in range(14)]
    made, last = "", ""
    for url, title, day in zip(hrefs(14), titles(14), days, strict=True):
        heading = day.strftime(month)
        made += "" if heading == last else f"<h3>{heading}</h3>"
        made += row.format(url, title, day.strftime(own))
        last = heading
    found = read(page(f'<div id="archives">{made}</div>'))
    assert [x.date and x.date.date() for x in links_of(found)] == days
    assert main_of(found).order.verdict == "newest-first"


def test_kind_counts_of_comments_below_a_month_are_no_days() -> None:
    counts = (3, 0, 12, 7, 1, 30, 2, 9, 4, 15)
    made = "".join(
        f'<li><a href="{url}">{title}</a> <span>({n})</span></li>'
        for url, title, n in zip(hrefs(10), titles(10), counts, strict=True)
    )
    assert not any(x.date for x in links_of(read(page(f"<h3>March 2026</h3><ul>{made}</ul>"))))


def test_kind_a_box_with_the_same_articles_beside_the_list_is_not_taken_for_it() -> None:
    """The box stands on every page: taken for the list, the pages would repeat."""

    def entry(i: int, title: str, url: str, date: str) -> str:
        return (
            f'<article class="entry"><header><span class="summary"><a href="{url}">{title}</a></span><div class="by">by '
            f'<a href="/author/ida">Ida</a> — <span>published</span> {date}</div></header><p>More of the story.</p></article>'
        )

    box = rows(
        5,
        lambda i, title, url, date: (
            f'<article class="item"><a href="{url}">{title}</a><span>{date}</span></article>'
        ),
    )
    main = f'<main><h1>News</h1><div><div class="entries">{rows(5, entry)}</div>{BAR}</div></main>'
    found = main_of(
        read(
            page(
                main,
                bar="",
                side=f'<aside><section class="portlet"><header>News</header>{box}</section></aside>',
            )
        )
    )
    assert "main" in found.block.xpath
    assert [x.href for x in found.block.links] == hrefs(5)


def test_kind_a_page_that_is_marked_as_the_current_one_is_it_whatever_the_dots_leave_out() -> None:
    bar = (
        '<nav><ul class="pagination"><li class="page-item active"><a class="page-link" href="/index.html">1 <span class="sr">'
        '(current)</span></a></li><li class="page-item"><a class="page-link" href="/index2.html">2</a></li><li class="page-item '
        'disabled"><span class="page-link">…</span></li><li class="page-item"><a class="page-link" href="/index4.html">4</a>'
        '</li><li class="page-item"><a class="page-link" href="/index5.html">5</a></li><li class="page-item"><a '
        'class="page-link" href="/index2.html">→</a></li></ul></nav>'
    )
    found = main_of(read(page(rows(8, card), bar=bar), "https://gazette.example/"))
    assert found.bar is not None
    assert (found.bar.current, found.older, found.newer) == (1, "https://gazette.example/index2.html", None)


def test_kind_titles_of_all_rows_rather_than_the_continue_reading_that_some_have() -> None:
    names = ("Note 86", "City archive? school meal fund", "The stadium vote", "Note 12", "A museum wing 1981")

    def post(i: int, name: str) -> str:
        url = f"/news/2026/n-{i}.html"
        more = (
            f'<p><a class="more" href="{url}">Continue reading <span>{name}</span></a></p>'
            if i % 2 == 0
            else ""
        )
        return f'<article class="post-{i} entry"><header><h2><a href="{url}">{name}</a></h2></header><div><p>Words.</p>{more}</div></article>'

    found = main_of(
        read(page(f"<main>{''.join(post(i, n) for i, n in enumerate(names))}</main>", side=hot(5)))
    )
    assert [x.text for x in found.block.links] == list(names)
    assert found.block.path.endswith("h2/a")


@pytest.mark.parametrize("name", ["Note 23", "通知 23"])
def test_kind_a_numbered_title_on_a_last_page_is_no_number_of_a_page(name: str) -> None:
    item = '<article class="item"><a class="link" href="{}">{}</a><span>{}</span></article>'
    bar = '<ul class="pagination"><li><a href="/news/page/11/">«</a></li>' + "".join(
        f'<li><a href="/news/page/{n}/">{n}</a></li>' for n in range(8, 12)
    )
    shown = [
        ("/news/2026/a.html", "Regional court opens the quota", "2026-02-03"),
        ("/news/2026/b.html", name, "2026-02-01"),
    ]
    last = "".join(item.format(*row) for row in shown)
    first = rows(4, lambda _, title, url, date: item.format(url, title, date))
    taught = ListingHint(
        main_of(read(page(f'<main><div class="archive">{first}</div>{BAR}</main>', bar=""))).block.path
    )
    html = page(
        f'<main><div class="archive">{last}</div>{bar}<li class="active"><a>12</a></li></ul></main>', bar=""
    )
    assert [x.text for x in links_of(read(html, f"{URL}page/12/", hints=[taught]))] == [shown[0][1], name]
