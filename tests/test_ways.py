"""Where a bar leads: to older items or to newer ones, whatever its words, arrows and numbers."""

from __future__ import annotations

from itertools import product

import pytest

from recrawler.page.reading import day_of
from recrawler.page.slots import cut
from recrawler.page.types import Listing
from recrawler.page.words import promising, shape
from tests.pagekit import URL, main_of, page, read, rows

ROWS = rows(12, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> <span>{d}</span></li>')
LIST = f"<ul class=list>{ROWS}</ul>"
WORDS = (("Previous page", "Next page"), ("上一页", "下一页"), ("‹", "›"), ("Newer", "Older"))
CURSORS = (  # the page's own, of the page with newer items, of the one with older items
    ("from={}", 47, 56, 38),
    ("start={}", 1047, 1056, 1038),
    ("before={}", 4711, 4903, 4508),
    ("before={}", 1674510060, 1674769260, 1674250860),
    ("max_id={}", 112233445566778899, 112233445566990011, 112233445566550022),
    ("until={}", 900, 950, 850),
)


def paged(bar: str, query: str) -> Listing:
    return main_of(read(page(LIST, bar=f'<div class="pager">{bar}</div>'), f"{URL}?{query}"))


@pytest.mark.parametrize(("words", "cursor"), [*product(WORDS, CURSORS)])
def test_a_cursor_that_falls_from_page_to_page(
    words: tuple[str, str], cursor: tuple[str, int, int, int]
) -> None:
    query, *values = cursor
    here, newer, older = (f"{URL}?{query.format(v)}" for v in values)
    bar = f'<a href="{newer}">{words[0]}</a> <a href="{older}">{words[1]}</a>'
    found = paged(bar, here.partition("?")[2])
    assert (found.newer, found.older) == (newer, older)


@pytest.mark.parametrize(("words", "cursor"), [*product(WORDS, CURSORS)])
def test_a_cursor_that_falls_beside_the_way_to_the_first_page(
    words: tuple[str, str], cursor: tuple[str, int, int, int]
) -> None:
    """On the second page the way back has no cursor to compare."""
    query, here, _, older = cursor
    bar = f'<a href="{URL}">{words[0]}</a> <a href="{URL}?{query.format(older)}">{words[1]}</a>'
    found = paged(bar, query.format(here))
    assert (found.newer, found.older) == (URL, f"{URL}?{query.format(older)}")


@pytest.mark.parametrize(("here", "newer", "older"), [(20, 10, 30), (21, 11, 31), (30, 15, 45)])
@pytest.mark.parametrize("name", ["start", "from", "offset"])
def test_an_offset_rises_whatever_the_words_are(name: str, here: int, newer: int, older: int) -> None:
    bar = f'<a href="{URL}?{name}={newer}">Voorgaande</a> <a href="{URL}?{name}={older}">Meer nieuws</a>'
    found = paged(bar, f"{name}={here}")
    assert (found.newer, found.older) == (f"{URL}?{name}={newer}", f"{URL}?{name}={older}")


def test_a_bound_later_than_the_pages_own_leads_back() -> None:
    """The last page of a weblog: only the way to newer posts is there."""
    later = f"{URL}?updated-max=2025-07-27T09:51:00%2B09:00&max-results=7"
    found = paged(
        f'<a href="{later}">Newer posts</a>', "updated-max=2025-07-21T09:44:00%2B09:00&max-results=7"
    )
    assert (found.newer, found.older) == (later, None)


@pytest.mark.parametrize(
    ("older", "newer"),
    [("Older posts", "Newer posts"), ("Ältere Beiträge", "Neuere Beiträge"), ("较旧的文章", "较新的文章")],
)
def test_the_word_older_says_more_than_a_number_that_falls(older: str, newer: str) -> None:
    bar = f'<a href="/news/list-19.html">{older}</a> <a href="/news/list-21.html">{newer}</a>'
    found = main_of(read(page(LIST, bar=f"<div class=pager>{bar}</div>"), f"{URL}list-20.html"))
    assert found.older == f"{URL}list-19.html"
    assert found.newer == f"{URL}list-21.html"


def test_a_count_of_comments_between_two_articles_is_no_page() -> None:
    """From article to article "next" is the newer one."""
    bar = (
        '<table><tr><td><a href="/strip/2026/03/06/a-door">‹ Prev</a></td><td><a href="#comments">Comments(18)</a></td>'
        '<td><a href="/strip/2026/03/09/two-hats">Next ›</a></td></tr></table>'
    )
    html = page(
        "<h1>The long way down</h1><img src=strip.png alt='A strip'>", bar=f"<div class=nav>{bar}</div>"
    )
    found = read(html, "https://gazette.example/strip/2026/03/08/the-long-way-down")
    assert [x.older for x in found.listings if x.bar] in (
        ["https://gazette.example/strip/2026/03/06/a-door"],
        [],
    )


EVENTS = "".join(
    f'<li><span>3/{14 + i} {w} 6:00 PM</span> <a href="/event/{n}">{t}</a></li>'
    for i, (w, n, t) in enumerate(
        [
            ("Mon", "martial-arts", "Martial arts for children"),
            ("Tue", "ceramics", "An evening of ceramics"),
            ("Wed", "choir", "The harbour choir sings in the square"),
            ("Thu", "night-walk", "A walk by night along the old wall"),
            ("Fri", "jazz", "Four hands at one piano: jazz"),
            ("Sat", "market", "The market of the winter farmers"),
            ("Sun", "chess", "Open tables for chess in the library"),
        ]
    )
)


def test_events_to_come_are_no_articles_with_the_oldest_first() -> None:
    """Their times tell no year, so they would be of the year before; the pages after have later ones."""
    found = main_of(read(page(f"<ul class=list>{EVENTS}</ul>", title="Coming events"), URL))
    assert found.order.verdict == "unknown"
    assert found.older == f"{URL}?page=2"


def test_the_head_of_a_home_made_of_boxes_names_no_page_of_theirs() -> None:
    def box(name: str, first: int) -> str:
        made = rows(5, lambda i, t, u, d: f'<li><h3><a href="{u}">{t}</a></h3> <span>{d}</span></li>', first)
        return f"<section class=box><h2>{name}</h2><ul>{made}</ul></section>"

    head = '<link rel=next href="/page/2/">'
    boxes = box("Culture", 3) + box("Sport", 20) + box("Town", 0) + box("World", 11)
    found = read(page(boxes, bar="", head=head), "https://gazette.example/")
    assert [x.older for x in found.listings if x.older] == []
    one = main_of(read(page(LIST, bar="", head=head), "https://gazette.example/"))
    assert one.older == "https://gazette.example/page/2/"


def test_numbers_of_rows_to_show_are_no_pages_though_other_parameters_are_gone() -> None:
    sizes = "".join(f'<a href="/news/?pageSize={n}">{n}</a> ' for n in (60, 96))
    pages = "".join(f'<a href="/news/?page={n}&pageSize=32">{n}</a> ' for n in (2, 3, 4, 5))
    found = paged(f"<p>Show: <b>32</b> {sizes}</p><p>Page: <b>1</b> {pages}</p>", "query=harbour")
    assert found.bar is not None
    assert [x.text for x in found.bar.links if x.role == "page"] == ["2", "3", "4", "5"]


def test_the_way_home_at_the_head_of_a_list_is_no_article() -> None:
    made = rows(9, lambda i, t, u, d: f'<li><a href="{u}">{t}</a></li>')
    html = page(f'<ul class=list><li><a href="/">The front page of all the news</a></li>{made}</ul>')
    assert "https://gazette.example/" not in [x.href for x in main_of(read(html)).block.links]


ICONS = [
    ('<i class="fa fa-angle-left"></i>', '<i class="fa fa-angle-right"></i>'),
    ('<span class="icon-arrow-left"></span>', '<span class="icon-arrow-right"></span>'),
    ('<i class="bi bi-chevron-left"></i>', '<i class="bi bi-chevron-right"></i>'),
    (
        '<svg><use href="/s.svg#chevron-left"></use></svg>',
        '<svg><use href="/s.svg#chevron-right"></use></svg>',
    ),
    ('<svg><use xlink:href="#left-arrow"/></svg>', '<svg><use xlink:href="#right-arrow"/></svg>'),
    ('<i class="material-icons">chevron_left</i>', '<i class="material-icons">chevron_right</i>'),
    ('<i class="material-icons">navigate_before</i>', '<i class="material-icons">navigate_next</i>'),
    ('<img src="/i/arrow-left.png">', '<img src="/i/arrow-right.png">'),
]


@pytest.mark.parametrize(("back", "forth"), ICONS)
def test_ways_that_are_icons_alone_at_addresses_that_say_nothing(back: str, forth: str) -> None:
    bar = (
        f'<div class=nav><a href="/news/list_3.html">{back}</a> <a href="/news/list_5.html">{forth}</a></div>'
    )
    found = main_of(read(page(LIST, bar=bar), f"{URL}list_4.html"))
    assert (found.newer, found.older) == (f"{URL}list_3.html", f"{URL}list_5.html")


PAIRS = [
    ("Previous", "Next"), ("Newer Entries", "Older Entries"), ("Zurück", "Weiter"), ("Précédent", "Suivant"),
    ("Anterior", "Siguiente"), ("Precedente", "Successivo"), ("Предыдущая", "Следующая"), ("上一页", "下一页"),
    ("新しい記事", "古い記事"), ("이전", "다음"), ("قبلی", "بعدی"), ("السابق", "التالي"), ("Trang trước", "Trang sau"),
    ("Predchádzajúca", "Nasledujúca"), ("Претходна", "Следећа"), ("Prejšnja", "Naslednja"), ("Əvvəlki", "Növbəti"),
    ("Oldingi", "Keyingi"), ("Өмнөх", "Дараах"), ("פוסטים חדשים", "פוסטים ישנים"), ("മുമ്പത്തെ", "അടുത്ത"),
    ("โพสต์ใหม่", "โพสต์เก่า"), ("Nakaraan", "Susunod"), ("Iliyotangulia", "Inayofuata"), ("གོང་མ།", "འོག་མ།"),
    ("Aurrekoa", "Hurrengoa"), ("Fyrri", "Næsta"), ("Blaenorol", "Nesaf"),
    ("Папярэдняя", "Наступная"), ("មុន", "បន្ទាប់"), ("ກ່ອນ", "ຕໍ່ໄປ"), ("පෙර", "ඊළඟ"), ("अघिल्लो", "अर्को"),
]  # fmt: skip


@pytest.mark.parametrize(("back", "forth"), PAIRS)
def test_words_for_the_pages_before_and_after(back: str, forth: str) -> None:
    said, told = shape(back), shape(forth)
    assert promising(back) and promising(forth)
    assert {"prev", "newer"} & set(said.senses) and not {"next", "older"} & set(said.senses)
    assert {"next", "older"} & set(told.senses) and not {"prev", "newer"} & set(told.senses)


@pytest.mark.parametrize(("back", "forth"), PAIRS[:12])
def test_a_list_is_paged_by_words_though_addresses_look_like_articles(back: str, forth: str) -> None:
    """Below an article such a bar would lead on to newer ones; a list's pages are older and older."""
    bar = f'<div class=pg><a href="/news/s/7f3a91bd">{back}</a> <a href="/news/s/c2e8d04a">{forth}</a></div>'
    found = main_of(read(page(LIST, bar=bar), f"{URL}s/9b1c77e0"))
    assert (found.newer, found.older) == (f"{URL}s/7f3a91bd", f"{URL}s/c2e8d04a")


def test_a_bar_that_links_all_its_numbers_stands_on_the_first_page_where_the_address_has_none() -> None:
    bar = "".join(f'<a href="/news/?page={n}">{n}</a> ' for n in (1, 2, 3))
    found = main_of(read(page(LIST, bar=f"<div class=pages>{bar}</div>")))
    assert (found.newer, found.older) == (None, f"{URL}?page=2")


@pytest.mark.parametrize(
    ("here", "back", "forth"),
    [("2026/02/", "2026/01/", "2026/03/"), ("2026/02/09/", "2026/02/08/", "2026/02/10/")],
)
def test_an_earlier_month_or_day_has_the_older_items(here: str, back: str, forth: str) -> None:
    bar = f'<div class=nav><a href="/news/{back}">&laquo; Before</a> <a href="/news/{forth}">After &raquo;</a></div>'
    found = main_of(read(page(LIST, bar=bar), f"{URL}{here}"))
    assert (found.newer, found.older) == (f"{URL}{forth}", f"{URL}{back}")


def test_the_month_before_january_is_of_the_year_before() -> None:
    days = [
        day_of(cut(f"{URL}{path}"))
        for path in ("2025/12/", "2026/01", "2026/01/02/", "2026-02.html", "list-7/")
    ]
    assert days == [(2025, 12), (2026, 1), (2026, 1, 2), (2026, 2), ()]
