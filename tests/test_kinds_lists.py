"""Kinds of lists as themes make them: what is a row and what is none, front pages in zones, titles in links."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.pagekit import (
    BAR,
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

# --- rows ---


SHORT = ("市政府通过夜班公交线路", "图书馆公布开放时间", "气象台发布暴雨预报", "港务集团推迟渡口改造", "学校调整午餐标准",
         "地铁公司启动延长线", "消防局检查老楼", "水务局修复堤坝", "博物馆重新开放", "医院扩建门诊楼", "公园关闭北门", "铁路局取消班次")  # fmt: skip


@pytest.mark.parametrize("sizes", [(1, 3, 2, 1, 1, 1, 3), (2, 2, 2, 2, 1, 1, 2), (1, 1, 1, 1, 2, 3, 1, 2)])
def test_kind_a_row_of_a_day_holds_all_articles_of_the_day(sizes: tuple[int, ...]) -> None:
    """The date stands in an attribute of the row, and nothing but the links in it."""
    made = iter(
        [f'<a href="/archives/n{900 - 3 * i}-a{i}b/"><span>{t}</span></a>' for i, t in enumerate(SHORT)]
    )
    listed = "".join(
        f'<li class="item relative" data-day="{k}">' + "\n".join(islice(made, n)) + "</li>"
        for k, n in enumerate(sizes)
    )
    heading = '<div class="name">Local</div><div class="post-list"><section class="archive"><div class="head"><span>2026</span></div>'
    bar = (
        '<div class="paginator"><ul class="pages"><li class="current">1</li><li><a href="/news/?page=2">2</a></li>'
        '<li><a href="/news/?page=3">3</a></li><li><a href="/news/?page=2"><i></i></a></li></ul></div>'
    )
    html = (
        "<!DOCTYPE html><html lang=en><head><title>x</title></head><body><main class='page'><div><header><a href='/'>Home</a>"
        f"</header></div><div class='body'><div class='content'><div class='box'>{heading}<ul class='entries'>{listed}</ul>"
        f"</section></div></div>{bar}</div></div></main></body></html>"
    )
    assert urls_of(read(html)) == [
        f"https://gazette.example/archives/n{900 - 3 * i}-a{i}b/" for i in range(12)
    ]


def test_kind_a_link_to_the_comments_in_each_row_is_no_article() -> None:
    def row(i: int, title: str, url: str, date: str) -> str:
        return f'<li><a href="{url}">{title}</a> <a href="/comments/story-{900 - i}.html">{i} comments</a> {date}</li>'

    assert urls_of(read(page(f"<ul>{rows(12, row)}</ul>"))) == hrefs(12)


CARD = '<div class="post"><div class="info"><a class="title" href="{}">{}</a><span>{}</span></div></div>'
STRANGERS = {
    "more beside a menu above the list": '<div class="cats"><div class="bar"><a href="/topics/">more</a></div></div>',
    "a portrait": '<header class="small"><div class="logo"><a href="/about/"><img src="me.png"></a></div></header>',
}


@pytest.mark.parametrize("name", STRANGERS)
def test_kind_a_link_above_a_dated_list_is_no_row_of_it(name: str) -> None:
    """It stands as deep as the titles do, in elements with the same tags."""
    cards = rows(9, lambda _, title, url, date: CARD.format(url, title, date))
    assert urls_of(read(page(f'<div class="posts">{STRANGERS[name]}{cards}</div>'))) == hrefs(9)


def test_kind_links_above_and_below_a_short_list_are_no_rows_of_it() -> None:
    """Breadcrumbs above, an arrow below: two of nine."""
    cards = rows(7, lambda _, title, url, date: CARD.format(url, title, date))
    more = '<div class="post"><div class="info"><a class="title" href="{}">{}</a></div></div>'
    found = read(
        page(
            f'<div class="posts">{more.format("/topics/", "Topics")}{cards}{more.format("/a/b/c/", "Elsewhere")}</div>'
        )
    )
    assert urls_of(found) == hrefs(7)


@pytest.mark.parametrize("name", ["{} ", "{}年", "{}-03", "<b>{}</b> <span>(66)</span>"])
def test_kind_a_heading_that_leads_to_the_articles_of_a_year_is_no_row(name: str) -> None:
    """It is made like the titles below it."""

    def years(_: int, title: str, url: str, date: str) -> str:
        head = (
            f'<div class="entry"><a href="/archives/2026/">{name.format(2026)}</a></div>'
            if title in titles(1)
            else ""
        )
        return f'{head}<div class="entry"><a href="{url}">{title}</a><time>{date}</time></div>'

    assert urls_of(read(page(f'<section class="archive">{rows(12, years)}</section>'))) == hrefs(12)


def test_kind_a_slider_above_a_dated_list_is_no_part_of_it() -> None:
    """Its articles have no dates, whatever elements they stand in."""
    pick = '<div class="pick"><div class="info"><a class="title" href="{}">{}</a></div></div>'
    slider = "".join(pick.format(f"/news/2024/pick-{i}.html", t) for i, t in enumerate(titles(6, 40)))
    cards = rows(9, lambda _, title, url, date: CARD.format(url, title, date))
    found = read(page(f'<div class="top">{slider}</div><div class="posts">{cards}</div>'))
    assert urls_of(found) == hrefs(9)


# --- front pages in zones ---


def _zoned(rail: str, below: str) -> str:
    return (
        f'<section class="hero"><article class="lead"><h1><a href="{href(0)}">{titles(1)[0]}</a></h1><time>{day(0)}</time></article>'
        f'<aside class="rail">{rail}</aside></section><section class="layout"><div class="latest">{below}</div>{hot()}</section>'
    )


def _rail(n: int, start: int) -> str:
    return rows(n, lambda _, t, u, d: f'<article class="rail-story"><h3><a href="{u}">{t}</a></h3><time>{d}</time></article>', start)  # fmt: skip


def _card(_: int, title: str, url: str, date: str) -> str:
    return f'<article class="card"><a href="/topics/x/"><img></a><div><span>{date}</span><h3><a href="{url}">{title}</a></h3></div></article>'


@pytest.mark.parametrize(("upper", "lower"), [(4, 4), (2, 7), (6, 2)])
def test_kind_a_front_page_whose_newest_run_on_from_zone_to_zone(upper: int, lower: int) -> None:
    found = read(page(_zoned(_rail(upper, 1), rows(lower, _card, 1 + upper)), bar=""))
    assert urls_of(found) == hrefs(1 + upper + lower)
    assert main_of(found).order.verdict == "newest-first"


def test_kind_a_zone_of_older_articles_out_of_order_is_another_list() -> None:
    picks = rows(3, _card, 20) + rows(2, _card, 9)
    found = urls_of(read(page(_zoned(_rail(6, 1), picks), bar="")))
    assert found in (hrefs(7), hrefs(3, 20) + hrefs(2, 9))


def test_kind_a_list_with_a_pager_takes_in_no_other_zone() -> None:
    """What stood in it on every page would be known on every page, and end each walk."""
    zone = f'<div class="more">{_rail(5, 30)}</div>'
    found = read(page(rows(12, _card) + BAR + zone, bar=""))
    assert urls_of(found) == hrefs(12)
    assert main_of(found).older is not None


# --- titles ---


def _texts(html: str, n: int) -> list[str]:
    found = links_of(read(page(html)))
    assert len(found) == n
    return [x.text for x in found]


@pytest.mark.parametrize("n", [2, 9])
def test_kind_the_title_of_a_link_says_which_part_of_its_text_is_the_title(n: int) -> None:
    def row(i: int, title: str, url: str, date: str) -> str:
        tags = "".join(f"<i>#{t}</i> " for t in ("boats", "snow", "bread")[: i % 3])
        return f'<a class="entry" href="{url}" title="{title}"><div>{date[5:]}</div><div><div>{title}</div></div><div>{tags}</div></a>'

    assert _texts(f'<div class="list">{rows(n, row)}</div>', n) == titles(n)


@pytest.mark.parametrize("n", [1, 2, 9])
def test_kind_a_date_in_the_link_is_no_part_of_the_title(n: int) -> None:
    def row(_: int, title: str, url: str, date: str) -> str:
        return f'<li><h3><a href="{url}"><time>{date[5:]}</time><div>{title}</div></a></h3></li>'

    earlier = '<div class="pagination"><a href="/news/?page=5">5</a> <b>6</b></div>'
    found = read(page(f'<ul class="news">{rows(n, row)}</ul>', bar=earlier), f"{URL}?page=6")
    assert [x.text for x in links_of(found)] == titles(n)


def test_kind_tags_in_some_links_do_not_make_them_part_of_the_titles() -> None:
    def row(i: int, title: str, url: str, date: str) -> str:
        tags = "".join(f"<em>{t}</em>" for t in ("boats", "snow", "bread")[: i % 4])
        return f'<a class="entry" href="{url}"><b>{date}</b><p>{title}</p><span>{tags}</span></a>'

    assert _texts(f'<div class="list">{rows(12, row)}</div>', 12) == titles(12)


def test_kind_a_mark_before_a_title_in_the_link_is_not_taken_for_it() -> None:
    def row(i: int, title: str, url: str, date: str) -> str:
        mark = "<span>Exclusive</span>" if i in (2, 7) else ""
        return f'<li><a href="{url}">{mark}<span>{title}</span><b>{date}</b></a></li>'

    assert _texts(f"<ul>{rows(12, row)}</ul>", 12) == titles(12)


def test_kind_a_title_before_a_lead_in_a_link_of_its_own() -> None:
    lead = "Officials said that the work would start within weeks, and asked all residents for comments on it"

    def row(i: int, title: str, url: str, date: str) -> str:
        return f'<li><p>{date}</p><div><a href="{url}">{title}</a> <a class="lead" href="{url}">{i}: {title}. {lead}.</a></div></li>'

    assert _texts(f"<ul>{rows(8, row)}</ul>", 8) == titles(8)


def test_kind_words_of_a_title_in_elements_of_their_own_stay_together() -> None:
    """As lists of what was searched for show them."""

    def row(i: int, title: str, url: str, date: str) -> str:
        words = title.split(" ")
        words[i % 4] = f"<b>{words[i % 4]}</b>"
        return f'<li><a href="{url}">{" ".join(words)}</a> {date}</li>'

    assert _texts(f"<ul>{rows(12, row)}</ul>", 12) == titles(12)
