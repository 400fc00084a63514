"""Pagination bars: what pages a list, what only looks like it, and where the older items are.

Each page is a list of made-up articles with the markup under test around it, judged by the shipped model.
"""

from __future__ import annotations

import time
from urllib.parse import urljoin

import pytest

from recrawler.page.bars import BarCandidate
from recrawler.page.classifier import load_model
from recrawler.page.document import parse
from recrawler.page.groups import find_groups
from recrawler.page.options import find_options
from recrawler.page.pagination import find_bars, scan

BASE = "https://news.example.test"


def rows(count: int = 12, start: int = 700) -> str:
    return "".join(
        f'<li><a href="/a/{start - n}.html">Council agrees on the plan number {start - n} for the harbour</a>'
        f"<span>2024-05-{28 - n:02d}</span></li>"
        for n in range(count)
    )


def page(bar: str, before: str = "", after: str = "", head: str = "") -> str:
    return (
        f"<html><head><title>News</title>{head}</head><body><div class=top><a href='/'>Home</a>"
        f"<a href='/about'>About us</a></div>{before}<div class=main><ul class=list>{rows()}</ul>{bar}</div>{after}"
        "<div class=foot><a href='/imprint'>Imprint</a></div></body></html>"
    )


def bars(html: str, url: str = "/news/") -> list[BarCandidate]:
    return find_bars(parse(html, urljoin(BASE, url)))


def bar(html: str, url: str = "/news/") -> BarCandidate:
    found = bars(html, url)
    assert len(found) == 1, [(b.xpath, b.score) for b in found]
    return found[0]


def roles(one: BarCandidate) -> dict[str, str]:
    return {link.text: link.role for link in one.links}


def numbers(template: str, pages: list[int], current: int, mark: str = "<b>{}</b>") -> str:
    return " ".join(
        mark.format(n) if n == current else f'<a href="{template.format(n)}">{n}</a>' for n in pages
    )


def test_numbers_and_words() -> None:
    html = page(
        f"<div class=pager><a href='/news/?page=2'>Previous</a> {numbers('/news/?page={}', [1, 2, 3, 4, 5], 3)}"
        " <a href='/news/?page=4'>Next</a> <a href='/news/?page=20'>Last</a></div>"
    )
    one = bar(html, "/news/?page=3")
    assert roles(one) == {
        "Previous": "prev", "1": "page", "2": "page", "4": "page", "5": "page", "Next": "next", "Last": "last",
    }  # fmt: skip
    assert (one.current, one.depth) == (3, 20)
    assert one.older == f"{BASE}/news/?page=4"
    assert one.newer == f"{BASE}/news/?page=2"
    assert one.last == f"{BASE}/news/?page=20"
    assert {link.text: link.page for link in one.links}["Last"] == 20


def test_bare_numbers_lead_to_the_page_after_the_current_one() -> None:
    one = bar(page(f"<p>{numbers('list_{}.html', [1, 2, 3, 4, 5, 6], 4)}</p>"), "/news/list_4.html")
    assert one.current == 4
    assert one.older == f"{BASE}/news/list_5.html"
    assert one.newer == f"{BASE}/news/list_3.html"


def test_offsets_are_pages_too() -> None:
    links = "".join(f'<a href="/news/?start={20 * n}">{n + 1}</a> ' for n in range(1, 6))
    one = bar(page(f"<div class=pages><span>1</span> {links}</div>"))
    assert (one.current, one.depth) == (1, 6)
    assert one.older == f"{BASE}/news/?start=20"


@pytest.mark.parametrize(
    ("back", "forth"),
    [("‹", "›"), ("«", "»"), ("&lt;", "&gt;"), ("←", "→"), ("◀", "▶"), ("&lt;&lt;", "&gt;&gt;")],
)
def test_arrows_alone(back: str, forth: str) -> None:
    html = page(
        f"<div class=pager><a href='/news/page/2/'>{back}</a> <a href='/news/page/4/'>{forth}</a></div>"
    )
    one = bar(html, "/news/page/3/")
    assert one.older == f"{BASE}/news/page/4/"
    assert one.newer == f"{BASE}/news/page/2/"


def test_first_and_last_by_doubled_arrows_and_their_place() -> None:
    html = page(
        "<div class=pager><a href='/n?p=1'>«</a> <a href='/n?p=4'>‹</a> "
        f"{numbers('/n?p={}', [4, 5, 6], 5)} <a href='/n?p=6'>›</a> <a href='/n?p=9'>»</a></div>"
    )
    one = bar(html, "/n?p=5")
    assert roles(one)["›"] == "next"
    assert roles(one)["‹"] == "prev"
    assert roles(one)["»"] == "last"
    assert roles(one)["«"] == "first"


def test_pictures_and_icon_fonts() -> None:
    html = page(
        "<div class=pagination><a href='/news/?p=1'><img src='/i/prev.gif' alt=''></a>"
        "<a href='/news/?p=3'><img src='/i/next.gif' alt=''></a></div>"
    )
    assert bar(html, "/news/?p=2").older == f"{BASE}/news/?p=3"
    html = page(
        "<nav class=pagination><a href='/news/?p=1'><i class='icon-chevron-left'></i></a>"
        "<a href='/news/?p=3'><i class='icon-chevron-right'></i></a></nav>"
    )
    assert bar(html, "/news/?p=2").older == f"{BASE}/news/?p=3"


@pytest.mark.parametrize(
    ("prev", "following"),
    [
        ("上一页", "下一页"), ("前へ", "次へ"), ("이전", "다음"), ("Zurück", "Weiter"), ("Précédent", "Suivant"),
        ("Anterior", "Siguiente"), ("Предыдущая", "Следующая"), ("السابق", "التالي"), ("পূর্ববর্তী", "পরবর্তী"),
        ("Vorige", "Volgende"), ("Poprzednia", "Następna"), ("Sebelumnya", "Selanjutnya"), ("Trước", "Tiếp"),
        ("Önceki", "Sonraki"), ("Předchozí", "Další"), ("قبلی", "بعدی"),
    ],
)  # fmt: skip
def test_words_of_many_languages(prev: str, following: str) -> None:
    html = page(
        f"<div class=p><a href='list_2.html'>{prev}</a> {numbers('list_{}.html', [2, 3, 4], 3)} "
        f"<a href='list_4.html'>{following}</a></div>"
    )
    one = bar(html, "/news/list_3.html")
    assert roles(one)[following] == "next"
    assert roles(one)[prev] == "prev"


def test_words_never_seen_are_told_by_their_urls() -> None:
    html = page(
        f"<div class=p><a href='list_2.html'>Qorbi</a> {numbers('list_{}.html', [1, 2, 3, 4, 5], 3)} "
        "<a href='list_4.html'>Zamtu</a></div>"
    )
    one = bar(html, "/news/list_3.html")
    assert one.older == f"{BASE}/news/list_4.html"
    assert roles(one)["Zamtu"] == "next"


@pytest.mark.parametrize("digits", ["০১২৩৪৫৬৭৮৯", "٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "०१२३४५६७८९"])
def test_numbers_in_any_languages_digits(digits: str) -> None:
    links = " ".join(f'<a href="/news/?page={n}">{digits[n]}</a>' for n in range(2, 7))
    one = bar(page(f"<div class=pages><b>{digits[1]}</b> {links}</div>"))
    assert (one.current, one.depth) == (1, 6)
    assert one.older == f"{BASE}/news/?page=2"


def test_older_posts_stand_on_the_left_and_are_called_previous() -> None:
    html = page(
        "<nav class=navigation><div class=nav-previous><a href='/page/4/'>← Older posts</a></div>"
        "<div class=nav-next><a href='/page/2/'>Newer posts →</a></div></nav>"
    )
    one = bar(html, "/page/3/")
    assert roles(one)["← Older posts"] == "prev"
    assert one.older == f"{BASE}/page/4/"
    assert one.newer == f"{BASE}/page/2/"


def test_newer_may_be_the_word_for_the_next_page() -> None:
    html = page(f"<div class=pages>{numbers('/page/{}/', [1, 2, 3], 1)} <a href='/page/2/'>Newer ›</a></div>")
    assert bar(html, "/").older == f"{BASE}/page/2/"


def test_pages_counted_from_the_oldest() -> None:
    html = page(
        "<p><a href='../list.htm'>首页</a> <a href='39.htm'>上页</a> <a href='37.htm'>下页</a>"
        " <a href='1.htm'>尾页</a></p>"
    )
    one = bar(html, "/list/38.htm")
    assert one.older == f"{BASE}/list/37.htm"
    assert one.newer == f"{BASE}/list/39.htm"


def test_cursors_have_no_number() -> None:
    html = page(
        "<div id=blog-pager><span><a class=newer href='/'>Newer Posts</a></span><span><a class=older "
        "href='/search?updated-max=2024-05-01T10:00:00Z&max-results=7'>Older Posts</a></span></div>"
    )
    assert bar(html, "/search?updated-max=2024-05-09T10:00:00Z&max-results=7").older == (
        f"{BASE}/search?updated-max=2024-05-01T10:00:00Z&max-results=7"
    )


def test_previous_posts_of_a_first_page_are_older_where_a_time_in_their_address_says_so() -> None:
    to = "/search?updated-max=2026-03-01T10:00:00Z&max-results=20"
    one = bar(page(f"<div class=pager><a href='{to}'>이전 글</a> <a href='/'>홈</a></div>"), "/")
    assert (one.older, one.newer) == (f"{BASE}{to}", None)


@pytest.mark.parametrize(
    ("query", "older"), [("after=MTIzNDU2", True), ("before=MTIzNDU2", True), ("since=2026-03-01", False)]
)
def test_a_cursor_leads_on_unless_it_names_a_later_time(query: str, older: bool) -> None:
    one = bar(page(f"<div class=pager><a href='/news/?{query}'>Next page</a></div>"))
    assert (one.older == f"{BASE}/news/?{query}") is older


def test_arrows_that_are_images_beside_few_numbers_are_of_the_bar() -> None:
    to, image = "/news/list_{}.html", "<a href='{}'><img src='/i/{}.svg' alt=''></a>"
    ends = [image.format(to.format(n), name) for n, name in ((1, "ll"), (8, "l"), (10, "r"), (10, "rr"))]
    steps = [f"<a href='{to.format(n)}'>{n}</a>" for n in (5, 6, 7, 8)] + [
        "9",
        f"<a href='{to.format(10)}'>10</a>",
    ]
    one = bar(page(f"<p class=mt-8>{' '.join([*ends[:2], *steps, *ends[2:]])}</p>"), "/news/list_9.html")
    assert (one.older, one.newer) == (f"{BASE}/news/list_10.html", f"{BASE}/news/list_8.html")


@pytest.mark.parametrize(
    "of", ["صفحه 1 از 9", "صفحة ١ من ٩", "Strona 1 z 9", "Sida 1 av 9", "Halaman 1 dari 9", "Trang 1 trên 9"]
)
def test_page_so_and_so_of_so_many_in_many_languages(of: str) -> None:
    one = bar(page(f"<div class=more><a href='/news/?before=1690109820'>→</a>{of}</div>"))
    assert (one.current, one.older) == (1, f"{BASE}/news/?before=1690109820")


def test_a_calendar_beside_a_list_is_no_bar_that_holds_the_lists_own() -> None:
    days = "".join(f"<td><a href='/2026/03/{d:02}/'>{d}</a></td>" for d in range(1, 31))
    items = "".join(
        f"<li>2026-03-01 <a href='/news/{n}.html'>招生简章开展第{n}号</a></li>" for n in range(14)
    )
    ways = "<em>1</em> <a href='/news/index_2.html'>2</a> <a href='/news/index_3.html'>3</a>"
    nav = f"<nav>{ways} <a href='/news/index_2.html' rel=next>下一页</a></nav>"
    both = f"<div><div><table><tr>{days}</tr></table></div><div><ul>{items}</ul>{nav}</div></div>"
    found = find_groups(parse(page(both), f"{BASE}/news/"))
    assert [len(g.items) for g in found if g.node.tag == "nav"] == [3]


def test_a_jump_by_ten_is_not_the_next_page() -> None:
    html = page(
        f"<div class=p>{numbers('list_{}.html', list(range(1, 11)), 3)} <a href='list_13.html'>下10页</a>"
        " <a href='list_4.html'>下一页</a></div>"
    )
    one = bar(html, "/news/list_3.html")
    assert one.older == f"{BASE}/news/list_4.html"
    assert roles(one)["下10页"] != "next"


def test_rel_next_says_it_without_words() -> None:
    html = page("<div><a rel=prev href='/n?p=1'>Zurr</a> <a rel=next href='/n?p=3'>Morr</a></div>")
    assert bar(html, "/n?p=2").older == f"{BASE}/n?p=3"


def test_link_rel_next_of_the_head_is_read_where_the_page_shows_no_way_on() -> None:
    html = page("", head='<link rel="next" href="/news/page/2/">')
    assert bar(html, "/news/").older == f"{BASE}/news/page/2/"
    article = page("", head='<link rel="next" href="/2024/05/some-other-story/">')
    assert bars(article, "/2024/05/this-story/") == []


# What only looks like a bar


CALENDAR = (
    "<aside><table class=cal><caption>May 2024</caption><tr>"
    + "</tr><tr>".join(
        "".join(f"<td><a href='/2024/05/{d:02d}/'>{d}</a></td>" for d in range(w, min(w + 7, 32)))
        for w in range(1, 32, 7)
    )
    + "</tr><tr><td colspan=3><a href='/2024/04/'>« Apr</a></td><td colspan=4>&nbsp;</td></tr></table></aside>"
)
PAGER = f"<div class=pages>« ‹ {numbers('/news/?page={}', [1, 2, 3], 1)} <a href='/news/?page=2'>›</a> <a href='/news/?page=9'>»</a></div>"


def test_a_calendar_is_no_bar() -> None:
    one = bar(page(PAGER, after=CALENDAR))
    assert one.older == f"{BASE}/news/?page=2"
    assert bars(page("", after=CALENDAR)) == []


DECOYS = {
    "carousel": "<div class=slider><a href='#' class=prev>‹</a><a href='#s1'>1</a><a href='#s2'>2</a>"
    "<a href='#s3'>3</a><a href='#' class=next>›</a></div>",
    "tags": "<div class=tags><a href='/tag/harbour'>harbour 12</a> <a href='/tag/council'>council 7</a> "
    "<a href='/tag/2023'>2023</a> <a href='/tag/2024'>2024</a></div>",
    "letters": "<p class=letters>"
    + " ".join(f"<a href='/az/{c}'>{c}</a>" for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    + "</p>",
    "stars": "<div class=rating>" + "".join(f"<a href='/rate?v={n}'>{n}</a>" for n in range(1, 6)) + "</div>",
    "crumbs": "<div class=path><a href='/'>Home</a> › <a href='/news/'>News</a> › <a href='/news/city/'>City</a></div>",
    "words": "<p><a href='/preview'>Preview</a> <a href='/steps'>Next steps for the port</a> <a href='/form'>Last name</a>"
    " <a href='/cart'>3</a></p>",
    "years": "<ul class=archive>"
    + "".join(f"<li><a href='/{y}/'>{y}</a></li>" for y in range(2015, 2025))
    + "</ul>",
}


@pytest.mark.parametrize("name", sorted(DECOYS))
def test_decoys_are_no_bars(name: str) -> None:
    assert bars(page("", before=DECOYS[name])) == []


def test_only_the_true_bar_among_all_of_them() -> None:
    one = bar(page(PAGER, before="".join(DECOYS.values()), after=CALENDAR))
    assert one.older == f"{BASE}/news/?page=2"
    assert roles(one)["»"] == "last"


def test_articles_beside_an_article_are_told_apart_from_pages() -> None:
    html = page(
        "<div class=post-nav><a rel=prev href='/2024/05/ferry-strike-ends/'>Previous article: Ferry strike ends</a>"
        "<a rel=next href='/2024/05/mayor-resigns-today/'>Next article: Mayor resigns today</a></div>"
    )
    assert all(b.item_to_item for b in bars(html, "/2024/05/port-plan-approved/"))


def test_mini_pagers_inside_rows_are_left_out() -> None:
    threads = "".join(
        f"<tr><td><a href='/t/{n}'>How do I mend the rigging of an old boat, part {n}</a> <small>[ "
        + " ".join(f"<a href='/t/{n}?page={k}'>{k}</a>" for k in (1, 2, 3))
        + " ]</small></td><td>12</td></tr>"
        for n in range(400, 415)
    )
    html = f"<table>{threads}</table><div class=pages>{numbers('/forum?page={}', [1, 2, 3, 4], 1)}</div>"
    one = bar(html, "/forum")
    assert one.older == f"{BASE}/forum?page=2"
    assert all("/t/" not in (link.href or "") for link in one.links)


# Several bars


def test_copies_above_and_below_the_list_are_one_bar() -> None:
    html = page(PAGER, before=PAGER)
    one = bar(html)
    assert len(one.nodes) == 2
    assert sum(link.role == "next" for link in one.links) == 1


def test_two_lists_have_two_bars() -> None:
    def half(key: str, other: str, start: int) -> str:
        links = numbers(f"/both?{other}=1&{key}={{}}", [1, 2, 3], 1)
        return f"<div class=half><ul>{rows(8, start)}</ul><div class=pages>{links}</div></div>"

    found = bars(half("p1", "p2", 800) + half("p2", "p1", 300), "/both?p1=1&p2=1")
    assert [b.older for b in found] == [f"{BASE}/both?p2=1&p1=2", f"{BASE}/both?p1=1&p2=2"]


# The ends of a series


def test_no_next_beyond_the_greatest_page() -> None:
    one = bar(page(f"<div class=pages>{numbers('/news/?page={}', [1, 2, 3, 4], 4)}</div>"), "/news/?page=4")
    assert one.older is None
    assert not one.script


@pytest.mark.parametrize("href", ["/news/?page=4", "#", "/news/?page=4#list", "javascript:;"])
def test_a_next_that_stays_is_none(href: str) -> None:
    html = page(
        f"<div class=pages>{numbers('/news/?page={}', [1, 2, 3, 4], 4)} <a class=disabled href='{href}'>Next</a></div>"
    )
    one = bar(html, "/news/?page=4")
    assert one.older is None
    assert not one.script


def test_fragments_are_no_pages() -> None:
    html = page("<div class=pages><b>1</b> <a href='#2'>2</a> <a href='#3'>3</a> <a href='#2'>Next</a></div>")
    assert all(b.older is None and all(link.href is None for link in b.links) for b in bars(html))


# Baidu's classes


def test_the_mark_is_one_class_of_several_and_may_be_empty() -> None:
    html = page("<div class='page_tag Baidu_paging_indicator'></div>")
    one = bar(html)
    assert one.marked
    assert one.links == ()
    assert one.older is None


def test_marked_twice_is_one_bar() -> None:
    marked = f"<div class='Baidu_paging_indicator x'>{numbers('list_{}.html', [1, 2, 3], 1)}</div>"
    one = bar(page(marked, before=marked), "/news/list_1.html")
    assert one.marked
    assert len(one.nodes) == 2
    assert one.older == f"{BASE}/news/list_2.html"


# Script, forms and other ways


def test_a_written_bar_counts_from_zero() -> None:
    script = "<div class=fy><script>createPageHTML(9, 0, 'index', 'shtml');</script></div>"
    one = bar(page(script), "/news/index.shtml")
    assert one.older == f"{BASE}/news/index_1.shtml"
    assert (one.current, one.depth) == (1, 9)
    assert one.last == f"{BASE}/news/index_8.shtml"
    later = bar(page(script.replace("9, 0", "9, 8")), "/news/index_8.shtml")
    assert later.older is None
    assert later.newer == f"{BASE}/news/index_7.shtml"
    second = bar(page(script.replace("9, 0", "9, 1")), "/news/index_1.shtml")
    assert second.newer == f"{BASE}/news/index.shtml"


def test_a_written_bar_inside_the_marked_element() -> None:
    script = (
        "<div class='p Baidu_paging_indicator'><script>createPageHTML(3, 1, 'list', 'html')</script></div>"
    )
    one = bar(page(script), "/news/list_1.html")
    assert one.marked
    assert one.older == f"{BASE}/news/list_2.html"


def test_a_loop_that_writes_links() -> None:
    script = """<script>
        var countPage = 5; var currentPage = 0;
        for (var i = 1; i < countPage; i++) { document.write('<a href="index_' + i + '.html">' + (i + 1) + '</a>'); }
    </script>"""
    one = bar(page(script), "/news/index.html")
    assert one.older == f"{BASE}/news/index_1.html"
    assert one.depth == 5


def test_a_handler_that_goes_somewhere() -> None:
    html = page(
        "<p>上一页 <a href='#' onclick=\"location.href=encodeURI('index_2.html');\">下一页</a>"
        " <a href='#' onclick=\"location.href=encodeURI('index_9.html');\">尾页</a></p>"
    )
    one = bar(html, "/news/index.html")
    assert one.older == f"{BASE}/news/index_2.html"
    assert all(link.href is None for link in one.links)


def test_a_function_of_the_page_number() -> None:
    html = page(
        "<script>function go(n){ window.location = 'list.asp?page=' + n; }</script><div class=pages><b>1</b> "
        "<a href='javascript:go(2)'>2</a> <a href='javascript:go(3)'>3</a> <a href='javascript:go(2)'>Next</a></div>"
    )
    assert bar(html).older == f"{BASE}/news/list.asp?page=2"


def test_a_template_is_learnt_from_siblings() -> None:
    html = page(
        "<div class=pages><b>1</b> <a href='/news/?page=2'>2</a> <a href='/news/?page=3'>3</a> "
        "<a href='javascript:void(0)' onclick=\"turn('next', 2)\">Next</a></div>"
    )
    one = bar(html)
    assert one.older == f"{BASE}/news/?page=2"
    assert all(not (link.href or "").startswith("javascript") for link in one.links)


def test_postback_is_named_with_its_fields() -> None:
    html = (
        "<form method=post action='./list.aspx' id=f><input type=hidden name=__VIEWSTATE value='abc='>"
        + page(
            "<div class=pages><span>1</span> <a href=\"javascript:__doPostBack('ctl$pager','2')\">2</a> "
            "<a href=\"javascript:__doPostBack('ctl$pager','3')\">3</a> "
            "<a href=\"javascript:__doPostBack('ctl$pager','2')\">下一页</a></div>"
        )
        + "</form>"
    )
    one = bar(html, "/news/list.aspx")
    assert one.older is None
    assert one.script
    assert one.form is not None
    assert one.form.action == f"{BASE}/news/list.aspx"
    assert dict(one.form.fields) == {
        "__VIEWSTATE": "abc=", "__EVENTTARGET": "ctl$pager", "__EVENTARGUMENT": "2",
    }  # fmt: skip


def test_a_function_that_submits_a_form() -> None:
    html = (
        "<script>function turn(n){document.f.pageNo.value=n; document.f.submit();}</script>"
        "<form name=f method=post action='/news/search'><input type=hidden name=pageNo value=1>"
        "<input type=hidden name=q value='port'></form>"
        + page(
            "<div class=pages><b>1</b> <a href='javascript:turn(2)'>2</a> <a href='javascript:turn(2)'>Next</a></div>"
        )
    )
    one = bar(html)
    assert one.script
    assert one.form is not None
    assert dict(one.form.fields) == {"pageNo": "2", "q": "port"}


def test_a_form_around_the_bar_is_sent_where_its_function_stands_in_another_file() -> None:
    fields = "<input type=hidden name=pageNo value=1><input type=hidden name=pageSize value=20>"
    ways = '1 <a href="#" onclick="doPage(2);return false;">2</a> <a href="#" onclick="doPage(2)">Next</a>'
    one = bar(page(f"<form method=post action=/list.do>{fields}<div class=pages>{ways}</div></form>"))
    assert one.script and one.form is not None
    assert dict(one.form.fields) == {"pageNo": "2", "pageSize": "20"}
    other = fields.replace("pageSize", "page_id")
    doubtful = bar(page(f"<form method=post action=/list.do>{other}<div class=pages>{ways}</div></form>"))
    assert doubtful.form is None


def test_a_button_that_submits_the_next_page() -> None:
    html = page(
        "<form action='/news/' method=get><input type=hidden name=page value=2><input type=submit value='Next page'></form>"
    )
    assert bar(html).older == f"{BASE}/news/?page=2"


def test_a_select_of_urls() -> None:
    options = "".join(
        f"<option value='list_{n}.html'{' selected' if n == 2 else ''}>Page {n}</option>" for n in range(1, 6)
    )
    one = bar(page(f"<select onchange='location.href=this.value'>{options}</select>"), "/news/list_2.html")
    assert (one.current, one.depth) == (2, 5)
    assert one.older == f"{BASE}/news/list_3.html"


def test_a_select_of_numbers_in_a_form_that_is_sent_by_get() -> None:
    options = "".join(f"<option value={n}{' selected' if n == 2 else ''}>{n}</option>" for n in range(1, 4))
    form = (
        "<form {}><input type=hidden name=cat value=7><select name=page>{}</select><input type=submit></form>"
    )
    assert bar(page(form.format("action='/news/'", options)), "/news/").older == f"{BASE}/news/?cat=7&page=3"
    assert all(b.older is None for b in bars(page(form.format("method=post", options))))


def test_load_more_with_a_url() -> None:
    html = page("<button class=more data-url='/news/?page=2'>Load more</button>")
    assert bar(html).older == f"{BASE}/news/?page=2"


def test_more_without_a_url_is_not_guessed() -> None:
    assert all(b.older is None for b in bars(page("<button class=more onclick='more()'>Load more</button>")))


# Options


def test_page_size_and_sort_links_are_options() -> None:
    sizes = "Show " + " ".join(f"<a href='/news/?per_page={n}'>{n}</a>" for n in (20, 50, 100))
    sort = "<a class=active href='/news/?sort=newest'>Newest</a> <a href='/news/?sort=hot'>Hot</a>"
    html = page(PAGER, before=f"<div class=tools><p>{sizes}</p><p>{sort}</p></div>")
    found = scan(parse(html, f"{BASE}/news/"))
    assert [b.older for b in found.bars] == [f"{BASE}/news/?page=2"]
    pages = {link.href for b in found.bars for link in b.links if link.role != "other"}
    assert all("per_page" not in (h or "") and "sort" not in (h or "") for h in pages)
    told = {o.text: (o.by, o.active) for o in found.sort_options}
    assert told == {
        "20": ("other", False), "50": ("other", False), "100": ("other", False),
        "Newest": ("time", True), "Hot": ("other", False),
    }  # fmt: skip


def test_the_active_option_is_often_no_link() -> None:
    html = page("", before="<div class=tab><strong>最新</strong> <a href='/news?order=hot'>最热</a></div>")
    options = find_options(parse(html, f"{BASE}/news"))
    assert [(o.text, o.by, o.active) for o in options] == [("最新", "time", True), ("最热", "other", False)]


def test_a_lone_newest_is_a_heading() -> None:
    assert find_options(parse(page("", before="<h2><a href='/new'>Newest</a></h2>"), f"{BASE}/news")) == ()


# Any page


@pytest.mark.parametrize(
    "html",
    [
        "<a href='?page=2'>2</a>" * 100_000,
        "".join(f"<li><a href='/l_{n}.html'>{n}</a></li>" for n in range(60_000)),
        "<div>" * 5_000 + "<a href='?p=2'>2</a>",
        "".join(f"<span onclick='go({n})'>{n}</span>" for n in range(30_000)),
        "<select>" * 1 + "".join(f"<option value='l_{n}.html'>{n}</option>" for n in range(50_000)),
        "<div>" + "".join(f"<p><a href='?sort={n}'>new</a></p>" for n in range(30_000)),
        f"<a href='/{'1/' * 500_000}'>2</a>" * 2,
        "<script>" + "function p(a){location.href='" * 40_000 + "</script><a href='javascript:p(2)'>2</a>",
        f"<script>{'page' * 15_000}</script><script>document.write({'count' * 12_000}</script>",
        f"<script>$('.x').pagination({'window.' * 8_000}</script>",
    ],
    ids=["links", "numbers", "deep", "clicks", "select", "sorts", "long", "script", "one word", "one name"],
)
def test_hostile_pages_take_no_time(html: str) -> None:
    load_model()
    began = time.process_time()
    find_bars(parse(html, f"{BASE}/news/"))
    assert time.process_time() - began < 2
