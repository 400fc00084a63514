"""Pagers whose links are script, or no links at all: what of them can be followed, and what cannot."""

from __future__ import annotations

import pytest

from recrawler.page.bars import BarCandidate
from recrawler.page.document import parse
from recrawler.page.pagination import LEADS_BACK, _with_extra
from recrawler.page.scripts import Scripts
from recrawler.page.words import promising, shape
from tests.pagekit import href, main_of, page, read, rows

NEXT = "https://gazette.example/news/?page=2"
LIST = (
    "<ul class=list>"
    + rows(12, lambda i, t, u, d: f'<li><a href="{u}">{t}</a><span>{d}</span></li>')
    + "</ul>"
)


def numbered(link: str) -> str:
    """A bar of numbers and a next link; `link` is the markup of one, with {n} and {text}."""
    steps = [link.format(n=n, text=text) for n, text in ((2, "2"), (3, "3"), (2, "Next"))]
    return f"<div class=pages><span>1</span> {' '.join(steps)}</div>"


BARS = {
    "a handler behind a href that does nothing": numbered(
        "<a href='javascript:void(0)' onclick=\"location.href=encodeURI('/news/?page={n}');\">{text}</a>"
    ),
    "a handler behind javascript:;": numbered(
        "<a href='javascript:;' onclick=\"location.href='/news/?page={n}'\">{text}</a>"
    ),
    "addresses in data attributes": numbered('<a href="javascript:;" data-url="/news/?page={n}">{text}</a>'),
    "an element that loads when it is seen": '<div class=spinner data-next-url="/news/?page=2"></div>',
    "layui": "<div id=pager></div><script>laypage.render({elem:'pager',count:33,limit:12,curr:1,"
    "jump:function(o,first){if(!first){location.href='?page='+o.curr}}});</script>",
    "a jQuery plug-in": "<div id=pager></div><script>$('#pager').pagination(33,{items_per_page:12,"
    "callback:function(i){var n=i+1;location.href='?page='+n}});</script>",
}


@pytest.mark.parametrize("bar", BARS.values(), ids=BARS.keys())
def test_case_023_an_address_that_is_written_out_is_followed(bar: str) -> None:
    assert main_of(read(page(LIST, bar=bar))).older == NEXT


def test_addresses_in_data_attributes_of_a_page_in_a_folder_of_its_own() -> None:
    steps = "".join(f'<a href="javascript:;" data-url="/news/page/{n}/">{n}</a> ' for n in (3, 4))
    bar = f'<div class=pages><a href="javascript:;" data-url="/news/">1</a> <b>2</b> {steps}</div>'
    found = read(page(LIST, bar=bar), url="https://gazette.example/news/page/2/")
    assert main_of(found).older == "https://gazette.example/news/page/3/"


def test_a_grid_is_paged_by_posting_its_form() -> None:
    steps = numbered("""<a href="javascript:__doPostBack('grid','Page${n}')">{text}</a>""")
    form = f"<form method=post id=form1><input type=hidden name=__VIEWSTATE value=xyz>{LIST}{steps}</form>"
    found = main_of(read(page(form, bar="")))
    assert found.script_pager and found.older is None and found.older_form is not None
    assert ("__EVENTARGUMENT", "Page$2") in found.older_form.fields
    assert [b.page for b in found.bar.links if b.role == "page"] == [2, 3]  # type: ignore[union-attr]


def test_a_button_is_read_by_its_text_not_by_its_value() -> None:
    form = (
        '<form method=post action="/list"><input name=page value=1 size=3>'
        "<button type=submit name=p value=2>Next</button></form>"
    )
    found = main_of(read(page(LIST, bar=form)))
    assert found.older_form is not None and ("p", "2") in found.older_form.fields


def test_a_plugin_without_an_address_is_no_way_on() -> None:
    bar = "<div id=pager></div><script>laypage.render({elem:'pager',count:33,jump:function(o){load(o.curr)}})</script>"
    assert main_of(read(page(LIST, bar=bar))).older is None


# What sites say on the link to older items, or to newer ones.
OLDER = (
    "Äldre artiklar", "Starší příspěvky", "Starsze artykuły", "Articoli meno recenti", "Entradas menos recientes",
    "Articles moins récents", "نوشته‌های قدیمی", "पुरानी पोस्ट", "Bài đăng cũ hơn", "المقالات الأقدم", "Älter",
)  # fmt: skip
NEWER = (
    "Nyare artiklar", "Novější příspěvky", "Publicações recentes", "مطالب جدید", "नई पोस्ट", "최신 글", "之后的文章", "Neuer",
)  # fmt: skip


@pytest.mark.parametrize("text", OLDER)
def test_words_for_older(text: str) -> None:
    said = shape(text).senses
    assert promising(text) and "older" in said and "newer" not in said


@pytest.mark.parametrize("text", NEWER)
def test_words_for_newer(text: str) -> None:
    said = shape(text).senses
    assert promising(text) and "newer" in said and "older" not in said


@pytest.mark.parametrize("text", ["Следующая", "Следующая страница", "İleri", "下 一 页"])
def test_words_for_next(text: str) -> None:
    assert promising(text) and "next" in shape(text).senses


@pytest.mark.parametrize("text", ["← Articoli meno recenti", "← Äldre artiklar"])
def test_older_posts_lead_on_whatever_the_arrow(text: str) -> None:
    bar = f'<nav><p class=prev><a href="/news/list_2.html" rel=prev>{text}</a></p></nav>'
    found = main_of(read(page(LIST, bar=bar)))
    assert (found.older, found.newer) == ("https://gazette.example/news/list_2.html", None)


def test_the_rows_are_those_of_the_list() -> None:
    assert f"https://gazette.example{href(0)}" in {x.href for x in main_of(read(page(LIST))).block.links}


@pytest.mark.parametrize("score", [0.5, 0.9])
def test_a_pager_written_by_script_beside_a_weak_bar_that_only_leads_back(score: float) -> None:
    """Links of steps look a little like a bar; one that surely is one stands for itself, as on a last page."""
    script = "<div class=pages><script>createPageHTML1(6, 0, 'index', 'html')</script></div>"
    doc = parse(
        page(LIST, bar=f"<p class=steps><a href=/steps/2>3</a></p>{script}"), "https://gazette.example/news/"
    )
    steps = next(n for n in doc.elements if n.get("class") == "steps")
    weak = BarCandidate(
        steps, (steps,), (), (), score, False, None, None, None, "https://gazette.example/steps/2", None
    )
    ways = [b.older for b in _with_extra([weak], doc, Scripts(doc))]
    assert ("https://gazette.example/news/index_1.html" in ways) == (score < LEADS_BACK)
