"""A list whose parts look like lists of their own: columns, days, a lead story, a marked row; and titles in links
that hold more."""

from __future__ import annotations

import pytest

from recrawler.page import choice
from recrawler.page.block_features import measure
from recrawler.page.blocks import Candidate, Finder
from recrawler.page.document import parse
from recrawler.page.facts import facts
from recrawler.page.intruders import drop_repeats
from recrawler.page.outline import outline
from recrawler.page.types import Listing, ListingHint
from recrawler.page.wholes import one_a_row
from tests.pagekit import BAR, URL, day, href, hrefs, links_of, main_of, page, read, rows, titles, urls_of


def two_columns(n: int) -> str:
    cells = [f'<td><a href="{href(i)}">{t}</a> {day(i)}</td>' for i, t in enumerate(titles(n))]
    return "<table>" + "".join(f"<tr>{''.join(cells[i : i + 2])}</tr>" for i in range(0, n, 2)) + "</table>"


@pytest.mark.parametrize("n", [12, 13])
def test_two_articles_beside_each_other_in_a_table_row(n: int) -> None:
    assert urls_of(read(page(two_columns(n)))) == hrefs(n)


def test_a_category_beside_the_title_is_no_second_column() -> None:
    table = (
        "<table>"
        + rows(
            10,
            lambda i, t, u, d: (
                f'<tr><td><a href="/category/{i % 3}/">Harbour news {i % 3}</a></td><td><a href="{u}">{t}</a></td>'
                f"<td>{d}</td></tr>"
            ),
        )
        + "</table>"
    )
    assert urls_of(read(page(table))) == hrefs(10)


def test_a_link_in_the_text_below_the_title_is_no_second_column() -> None:
    def row(i: int, t: str, u: str, d: str) -> str:
        old, name = href(60 + i), titles(1, 60 + i)[0]
        return (
            f'<div class=post><div class=head><h2><a href="{u}">{t}</a></h2>{d}</div><div class=text><p>What was told '
            f'in <a href="{old}">{name}</a> goes on, as all had thought it would go on for long.</p></div></div>'
        )

    assert urls_of(read(page(f"<div class=posts>{rows(8, row)}</div>"))) == hrefs(8)


def by_day(first: int, n: int) -> str:
    """The first day has so many rows, the second the rest."""
    made = [f'<li><a href="{href(i)}">{t}</a></li>' for i, t in enumerate(titles(n))]
    return (
        f"<div class=box><h3>10-03-2026</h3><ul>{''.join(made[:first])}</ul>"
        f"<h3>09-03-2026</h3><ul>{''.join(made[first:])}</ul></div>"
    )


@pytest.mark.parametrize("first", [1, 2, 5])
def test_the_newest_day_has_few_rows_yet(first: int) -> None:
    assert urls_of(read(page(by_day(first, 12)))) == hrefs(12)


@pytest.mark.parametrize("first", [1, 2, 5])
def test_a_day_begins_below_a_known_place(first: int) -> None:
    before = main_of(read(page(by_day(10, 12))))
    found = read(page(by_day(first, 12)), hints=[ListingHint(before.block.path)])
    assert urls_of(found) == hrefs(12)


def test_one_row_a_day_is_not_one_link_a_day() -> None:
    made = [f'<li><a href="{href(i)}">{t}</a></li>' for i, t in enumerate(titles(8))]
    days = [made[:1], made[1:2], made[2:4], made[4:5], made[5:8]]
    box = "".join(f"<div><h2>{10 - n} March 2026</h2><ul>{''.join(d)}</ul></div>" for n, d in enumerate(days))
    assert urls_of(read(page(f"<div class=grid>{box}</div>"))) == hrefs(8)


def test_a_title_of_one_word_beside_a_longer_category() -> None:
    def row(i: int, t: str, u: str, d: str) -> str:
        return (
            f'<dl><dt>{d}</dt><dd><a href="{u}">{t if i else "1984"}</a>'
            f'<a class=cat href="/category/{i}/">Household {i}</a></dd></dl>'
        )

    assert urls_of(read(page(f"<div class=list>{rows(8, row)}</div>"))) == hrefs(8)


def test_a_title_of_one_word_is_told_from_its_category_by_its_address() -> None:
    def row(i: int, t: str, u: str, d: str) -> str:
        title = "1984" if i == 3 else t
        return f'<li>[<a href="/category/{i}/">Gardens</a>] <a href="{u}">{title}</a> <span>{d}</span></li>'

    assert urls_of(read(page(f"<ul class=list>{rows(8, row)}</ul>"))) == hrefs(8)


@pytest.mark.parametrize("to", ["/news/?page={}", "/news/2026/list-{}.html"])
def test_titles_of_a_few_rows_beside_a_long_bar_are_no_page_links(to: str) -> None:
    """The bar and the list stand in one element, which is taken for the bar."""
    bar = "".join(f'<li><a href="{to.format(n)}">{n}</a></li>' for n in (2, 3, 4, 5, 6, 7, 8))
    bar = f'<ul class="pagination"><li><b>1</b></li>{bar}<li><a href="{to.format(2)}">Next</a></li></ul>'
    names = ["Night market", "First look: bus lanes", "A baker sells boats", "1984", "Snow on the bridge"]
    made = [f'<li>• <a href="{href(i)}">{name}</a> <div>{day(i)}</div></li>' for i, name in enumerate(names)]
    assert urls_of(read(page(f"<div>{bar}<ul class=grid>{''.join(made)}</ul></div>", bar=""))) == hrefs(5)


def test_a_title_that_begins_with_next_page_is_a_row_of_a_last_page_of_two() -> None:
    steps = (("首页", ""), ("上一页", "_2"), ("1", ""), ("2", "_2"))
    bar = f"<p class=pages>{' '.join(f'<a href=/news/list{n}.html>{t}</a>' for t, n in steps)} <b>3</b></p>"
    names = ["园林管理处组织校园歌手大赛有关事项的说明", "下一页的故事：本报记者完成安全生产检查"]
    made = "".join(f'<li><a href="/news/80{i}.html">{name}</a></li>' for i, name in enumerate(names))
    known = ListingHint("div.wrap/div.content/ul.list//li/a")
    html = page(f"{bar}<ul class=list>{made}<li>{bar}</li></ul>", bar="")
    found = read(html, f"{URL}list_3.html", hints=[known])
    assert [x.text for x in links_of(found)] == names


def test_a_bar_belongs_to_the_list_of_its_column_though_another_ends_right_above() -> None:
    side = f"<div class=side><h4>Latest</h4><ul>{rows(12, _bare, 40)}</ul></div>"
    bar = '<nav><a href="/news/2/">Older entries</a></nav>'
    text = f"<div>{side}<div class=col>{bar}<div><ul class=list>{rows(20, _item)}</ul></div></div></div>"
    found = main_of(read(page(text, bar="")))
    assert [x.href for x in found.block.links] == hrefs(20) and found.older == f"{URL}2/"


def test_a_title_with_a_pagers_word_is_a_row_of_a_last_page_of_two() -> None:
    names = ["Laatste kans: het fietspad", "De bakker verplaatst de broodoven"]
    made = "".join(
        f"<dt>6 feb</dt><dd><a href=/news/80{i}.html>{name}</a></dd>" for i, name in enumerate(names)
    )
    steps = " ".join(f"<a href=/news/page/{n}/>{n}</a>" for n in (12, 13, 14, 15))
    html = f"<html lang=nl><body><div><div><main><dl>{made}</dl><nav>{steps} <b>16</b></nav></main></div></div></body>"
    found = read(html, f"{URL}page/16/", hints=[ListingHint("div/div/main/dl//dd/a")])
    assert [x.text for x in links_of(found)] == names


@pytest.mark.parametrize("age", ["۱۵ اسفند", "6 maart 2026"])
def test_a_lead_story_in_the_element_of_the_list_below_it_belongs_to_it(age: str) -> None:
    lead = (
        f"<article class=headline><h2><a href={href(0)}>{titles(1)[0]}</a></h2><time>{age}</time></article>"
    )
    found = read(page(f"<div class=box>{lead}<ul class=more>{rows(11, _item, 1)}</ul></div>"))
    assert set(urls_of(found)) == set(hrefs(12))


def test_the_only_row_of_a_last_page_is_its_title_not_the_category_beside_it() -> None:
    def row(i: int, t: str, u: str, d: str) -> str:
        return f"<dt>{d}</dt><dd><a href={u}>{t}</a><a class=cat href=/category/{i % 4}/>Boats</a></dd>"

    known = main_of(read(page(f"<dl class=list>{rows(8, row)}</dl>"))).block.path
    last = read(page(f"<dl class=list>{rows(1, row)}</dl>"), f"{URL}?page=7", hints=[ListingHint(known)])
    assert urls_of(last) == hrefs(1)


def two_sections(n: int) -> str:
    made = [f"<section><h3>Part {k}</h3><div class=box>{rows(n, _row_div, 40 * k)}</div>{ways}</section>"
            for k, ways in enumerate((BAR, BAR.replace("page=", "p2=")))]  # fmt: skip
    return page(f"<div class=all>{''.join(made)}</div>", bar="")


def _row_div(i: int, t: str, u: str, d: str) -> str:
    return f"<div class=entry><h4><a href={u}>{t}</a></h4><p>The first lines.</p><span>{d}</span></div>"


def test_of_two_lists_at_a_known_place_each_is_told_by_its_bar() -> None:
    first = read(two_sections(10)).listings
    assert {x.older for x in first} == {f"{URL}?page=2", f"{URL}?p2=2"}
    assert len({x.block.path for x in first}) == 1
    for x in first:
        assert x.bar is not None
        again = main_of(read(two_sections(10), hints=[ListingHint(x.block.path, x.bar.xpath)]))
        assert (again.older, urls_of_listing(again)) == (x.older, urls_of_listing(x))


def test_a_day_of_several_posts_among_days_of_one() -> None:
    def post(i: int, t: str) -> str:
        return (
            f'<div class=post><h3><a href="{href(i)}">{t}</a></h3><div class=body>What was told of it, at length.'
            f'</div><div class=foot><a href="{href(i)}">12:0{i}</a></div></div>'
        )

    made = [post(i, t) for i, t in enumerate(titles(9))]
    days = [made[:1], made[1:3], *([x] for x in made[3:])]
    box = "".join(
        f"<div class=day><h2>2026/03/{10 - n:02}</h2><div class=posts>{''.join(d)}</div></div>"
        for n, d in enumerate(days)
    )
    assert urls_of(read(page(f"<div class=blog>{box}</div>"))) == hrefs(9)


def test_a_list_cut_in_two_by_its_markup() -> None:
    """Some titles are very short, so that the longest of each piece look more like a list."""
    names = [
        "关于部署污水处理项目的通知：一图读懂|志愿服务活动",
        "招生简章",
        "园林管理处通告",
        "采购结果",
        "读书节",
    ]
    names += ["歌手大赛3问", "展览16问", "【民生】本报记者部署消费券发放：新版公交线路19问"]
    made = [f'<li><a href="{href(i)}">{t}</a></li>' for i, t in enumerate(names)]
    box = f"<div class=feed><ul>{''.join(made[:5])}</ul><ul>{''.join(made[5:])}</ul></div>"
    assert urls_of(read(page(box))) == hrefs(8)


def test_authors_and_buttons_of_the_same_make_are_no_articles() -> None:
    def row(i: int, t: str, u: str, d: str) -> str:
        return (
            f'<div id="story-{i}"><div><a href="{u}">{t}</a></div><div><a href="/user/{i}"><img src=x alt="Lotte"></a> '
            f'<a href="/space-{i}">Lotte Visser {i}</a> <time>{d}</time> <a href="/category/{i}/">Weather</a></div>'
            f'<p>The first lines of the story.</p><div><a href="{u}#comments">{i}</a> | <a href="/save/{i}">Save</a> | '
            f'<a href="/share/{i}">Share</a></div></div>'
        )

    plain = page(f"<div><div>{rows(20, row)}</div></div>")
    before = read(plain)
    assert urls_of(before) == hrefs(20)
    assert urls_of(read(plain, hints=[ListingHint(main_of(before).block.path)])) == hrefs(20)


def two_lists() -> str:
    box = f"<section><h3>News</h3><div class=posts>{rows(10, _item)}</div>{BAR}</section>"
    other = BAR.replace("page=", "p2=")
    return page(
        f"{box}<section><h3>Notices</h3><div class=posts>{rows(10, _item, 20)}</div>{other}</section>", bar=""
    )


def test_two_lists_at_one_known_place_stay_two() -> None:
    text = two_lists()
    first = read(text).listings
    ways = {urls_of_listing(x)[0]: x.older for x in first}
    assert ways == {hrefs(1)[0]: f"{URL}?page=2", hrefs(1, 20)[0]: f"{URL}?p2=2"}
    hints = [ListingHint(x.block.path, x.bar.xpath if x.bar else None) for x in first]
    assert len({x.block.path for x in first}) == 1
    assert {urls_of_listing(x)[0]: x.older for x in read(text, hints=hints).listings} == ways


def test_a_list_keeps_its_bar_where_another_list_has_a_likelier_one() -> None:
    first = next(x for x in read(two_lists()).listings if x.older == f"{URL}?page=2")
    assert first.bar is not None
    only = read(two_lists(), hints=[ListingHint(first.block.path, first.bar.xpath)])
    assert main_of(only).older == f"{URL}?page=2"


def test_odd_rows_in_a_known_place_are_not_the_list() -> None:
    def boxes(first: str, second: str) -> str:
        rest = rows(5, lambda i, t, u, d: f'<p class="nr {(second, first)[i % 2]}"><a href="{u}">{t}</a></p>')
        return page(f"<div class=box>{rest}</div>")

    before = main_of(read(boxes("", "")))
    assert urls_of(read(boxes("odd", ""), hints=[ListingHint(before.block.path)])) == hrefs(5)


def test_a_side_list_of_the_same_make_is_not_joined_to_a_list_in_a_known_place() -> None:
    def boxes(n: int) -> str:
        side = f"<div class=side><ul>{rows(4, _bare, 40)}</ul></div>"
        return page(
            f"<div class=all>{side}<div class=list><ul>{rows(n, _bare)}</ul>{BAR}</div></div>", bar=""
        )

    before = main_of(read(boxes(12)))
    assert [x.href for x in before.block.links] == hrefs(12)
    assert urls_of(read(boxes(3), hints=[ListingHint(before.block.path)])) == hrefs(3)


def _bare(i: int, t: str, u: str, d: str) -> str:
    return f'<li><a href="{u}">{t}</a></li>'


def urls_of_listing(found: Listing) -> list[str]:
    return [x.href for x in found.block.links]


def test_a_list_of_another_heading_with_a_bar_between_is_not_joined() -> None:
    box = f"<div class=box><h3>Volume 12</h3><ul>{rows(10, _item)}</ul>{BAR}"
    box += f"<h3>Volume 11</h3><ul>{rows(10, _item, 20)}</ul>{BAR.replace('page=', 'p2=')}</div>"
    assert all(len(x.block.links) <= 10 for x in read(page(box, bar="")).listings)


def _item(i: int, t: str, u: str, d: str) -> str:
    return f'<li class="row">- <a href="{u}">{t}</a> <span>{d}</span></li>'


def test_a_lead_story_belongs_to_the_list_below_it() -> None:
    lead = (
        f'<article class="featured"><a href="{href(0)}"><img src=x alt=""></a><h2><a href="{href(0)}">{titles(1)[0]}'
        f"</a></h2><p>{day(0)}</p><p>The first lines of the story stand here, and some more of them.</p></article>"
    )
    assert set(urls_of(read(page(f"{lead}<ul class=more>{rows(11, _item, 1)}</ul>")))) == set(hrefs(12))


def test_a_marked_row_in_a_known_place_is_no_list() -> None:
    plain = f"<ul class=list>{rows(8, _item)}</ul>"
    marked = plain.replace('class="row"', 'class="row is-pinned"', 1)
    before = main_of(read(page(plain)))
    assert urls_of(read(page(marked), hints=[ListingHint(before.block.path)])) == hrefs(8)


def test_what_follows_a_list_in_a_known_place_is_not_joined_to_it() -> None:
    related = f"<div class=box><h3>Related</h3><ul>{rows(6, _item, 40)}</ul></div>"
    plain = f'<div class=box><ul class="articles">{rows(10, _item)}</ul></div>'
    before = main_of(read(page(plain)))
    assert urls_of(read(page(plain, bar=BAR + related), hints=[ListingHint(before.block.path)])) == hrefs(10)


LINKS = {
    "title and date": "<a href='{u}'><span>{t}</span><span>{d}</span></a>",
    "bare title and date": "<a href='{u}'>{t}<em>{d}</em></a>",
    "date first": "<a href='{u}'><i>{d}</i> {t}</a>",
    "title, lead, date": "<a href='{u}'><div>{t}</div><div>The lead of story {i} says what it is about, at "
    "length.</div><div>{d}</div></a>",
    "category, title, date": "<a href='{u}'><span>World</span><p>{t}</p><small>{d}</small></a>",
}


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS.keys())
def test_the_title_of_a_link_that_holds_more(link: str) -> None:
    html = (
        "<ul class=list>"
        + rows(8, lambda i, t, u, d: f"<li>{link.format(i=i, t=t, u=u, d=d)}</li>")
        + "</ul>"
    )
    found = links_of(read(page(html)))
    assert [x.text for x in found] == titles(8)
    assert [x.date.date().isoformat() for x in found if x.date] == [day(i) for i in range(8)]


def test_words_set_apart_in_a_title_stay() -> None:
    html = (
        "<ul class=list>"
        + rows(
            8,
            lambda i, t, u, d: f"<li><a href='{u}'>{t}{' <em>again</em>' if i % 3 == 0 else ''}</a> {d}</li>",
        )
        + "</ul>"
    )
    assert links_of(read(page(html)))[0].text.endswith("again")


def test_rows_of_two_stripes_are_one_list_though_one_stripe_looks_the_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the model says of each: the rows take turns."""
    made = rows(12, lambda i, t, u, d: f'<div class="{("even", "")[i % 2]}"><a href="{u}">{t}</a> {d}</div>')

    def favour(candidates: list[Candidate], *rest: object) -> list[Candidate]:
        for c in scored(candidates, *rest):  # type: ignore[arg-type]
            c.score = 0.9 if len(c.chosen) == 6 else 0.9 * c.score
        return sorted(candidates, key=lambda c: -c.score)

    scored = choice.score
    monkeypatch.setattr(choice, "score", favour)
    assert urls_of(read(page(f"<div class=list>{made}</div>"))) == hrefs(12)


def test_a_second_link_in_each_box_that_says_the_same_is_no_row() -> None:
    """The way to a thread's last post, where titles and it are rows alike to the eye."""

    def row(i: int, t: str, u: str, d: str) -> str:
        last = f'<div class=c>Ann, {d} <a href="{u}?page=3">To the last post</a></div>'
        return f'<div class=thread><div class=c><a href="{u}">{t[:14]}</a></div>{last}</div>'

    doc = parse(page(f"<div class=threads>{rows(8, row)}</div>"), URL)
    tree = outline(doc)
    seen = facts(doc, tree, Finder(doc, tree), [])
    both = next(c for c in seen.finder.find() if len(c.chosen) == 16)
    seen.finder.complete(both)
    ends = [end for _, end in both.rows]
    drop_repeats(both, seen)
    assert [doc.anchors[k].text for k in both.chosen] == [t[:14] for t in titles(8)]
    assert [end for _, end in both.rows] == ends[1::2]


@pytest.mark.parametrize("dated", [True, False])
def test_a_menu_made_like_the_rows_of_a_list_is_no_part_of_it(dated: bool) -> None:
    """Both are `ul > li > a`; the menu has short texts, other addresses and no dates."""
    menu = "".join(f'<li><a href="/c{n}.html">Topic {n}</a></li>' for n in range(10))
    made = rows(7, lambda i, t, u, d: f'<li><a href="{u}">{t}</a>{f" <i>{d}</i>" if dated else ""}</li>')
    doc = parse(f"<div><ul>{menu}</ul></div><div><ul>{made}</ul></div>", URL)
    tree = outline(doc)
    seen = facts(doc, tree, Finder(doc, tree))
    both, part = (next(c for c in seen.finder.find() if len(c.chosen) == n) for n in (17, 7))
    measure([both, part], seen)
    both.score, part.score = 0.4, 0.32
    assert one_a_row([both, part], seen) is (part if dated else both)


@pytest.mark.parametrize("end", ["...", "…", "……", " ..", "···"])
@pytest.mark.parametrize("where", ["link", "inside"])
def test_a_title_that_is_cut_short_is_completed_from_its_attribute(end: str, where: str) -> None:
    def row(i: int, t: str, u: str, d: str) -> str:
        link, inside = (f' title="{t}"', "") if where == "link" else ("", f' title="{t}"')
        return f'<li><a href="{u}"{link}><span{inside}>{t[:9]}{end}</span></a> <i>{d}</i></li>'

    found = read(page(f"<ul class=list>{rows(9, row)}</ul>"))
    assert [x.text for x in links_of(found)] == titles(9)


def test_an_attribute_that_says_something_else_is_no_title() -> None:
    made = rows(9, lambda i, t, u, d: f'<li><a href="{u}" title="Read it now">{t}...</a> <i>{d}</i></li>')
    found = read(page(f"<ul class=list>{made}</ul>"))
    assert [x.text for x in links_of(found)] == [f"{t}..." for t in titles(9)]
