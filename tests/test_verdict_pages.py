"""Whole pages that are no list, in the words that servers, firewalls and panels use; and lists that stay lists."""

from __future__ import annotations

import pytest

from recrawler.page.types import Block, Link, Listing, Order
from recrawler.page.verdict import may_be
from tests.pagekit import FOOT, NAV, hrefs, page, read, rows, urls_of


def bare(title: str, body: str) -> str:
    return f"<!DOCTYPE html><html><head><meta charset=utf-8><title>{title}</title></head><body>{body}</body></html>"


def framed(title: str, body: str) -> str:
    return bare(title, f"<header>{NAV}</header><main><h1>{title}</h1>{body}</main>{FOOT}")


KEY = "3000176000856006061501533003690027800375"
WALLED = [
    ("", f"<script>var arg1='{KEY}';{'x=1;' * 300}</script>"),
    ("滑块验证", "<div id=nc></div><p>请按住滑块，拖动到最右边</p>"),
    ("Un instant...", "<h1>x.example</h1><p>Vérification que vous êtes humain.</p>"),
    ("Один момент…", "<h1>x.example</h1><p>Проверка вашего браузера перед переходом на сайт.</p>"),
    (
        "しばらくお待ちください...",
        "<p>このサイトにアクセスする前に、接続のセキュリティを確認しています。</p>",
    ),
    ("Limited", "<h1>451 Unavailable For Legal Reasons</h1><p>You come from a country of the EEA.</p>"),
    ("拒绝访问", "<h1>您的IP已被禁止访问</h1>"),
]
GONE = [
    ("提示信息", "<p>抱歉，指定的主题不存在或已被删除或正在被审核</p>"),
    ("系统提示", "<p>对不起，您访问的栏目不存在！</p>"),
    ("찾으시는 페이지가 없습니다", "<p>주소를 다시 확인해 주세요.</p>"),
    ("Aradığınız içerik yayından kaldırılmıştır", ""),
    ("Gone", "<p>This category has been removed.</p>"),
]
ASKED = [
    ("警告：本站内容仅限成年人", "<p>未满18岁请离开</p><a href=?ok=1>我已满18岁，进入</a>"),
    ("x", "<h1>Twoja prywatność</h1><p>Przechowujemy pliki cookie.</p><button>Przejdź do serwisu</button>"),
]
UNUSED = [
    ("Site en construction", "<h1>Site en construction</h1>"),
    ("Wartungsmodus", "<h1>Wir sind bald zurück</h1>"),
    ("Under construction", "<p>Come back later.</p>"),
    ("站点创建成功", "<h1>恭喜, 站点创建成功！</h1>"),
    ("没有找到站点", "<h1>没有找到站点</h1><p>您的请求在Web服务器中没有找到对应的站点！</p>"),
    ("IIS7", "<img src=welcome.png alt=IIS7>"),
]
FILLED = [
    ("News", "<app-root></app-root><script src=main.js type=module></script>"),
    ("", "<script>window.location.href='/news/index.html';</script>"),
]
NOTHING = [
    ("通知公告", "<ul class=list></ul><div class=page>共0条 第1/1页</div>"),
    ("お知らせ", "<p>ただいま準備中です。</p>"),
    ("Новости", "<p>Раздел пуст.</p>"),
    ("Tin tức", "<p>Nội dung đang được cập nhật...</p>"),
    ("Haberler", "<p>Henüz haber eklenmemiştir.</p>"),
    ("Avvisi", "<p>Al momento non ci sono avvisi.</p>"),
    ("اخبار", "<p>موردی برای نمایش وجود ندارد</p>"),
    ("新闻", "<p>内容正在更新中，敬请期待</p>"),
]
BARE = [("blocked", WALLED), ("consent", ASKED), ("parked", UNUSED), ("shell", FILLED)]


@pytest.mark.parametrize(
    ("verdict", "title", "body"), [(v, *one) for v, pages in (*BARE, ("soft-404", GONE)) for one in pages]
)
def test_a_page_that_stands_in_the_place_of_a_list(verdict: str, title: str, body: str) -> None:
    assert read(bare(title, body)).verdict == verdict


@pytest.mark.parametrize(
    ("verdict", "title", "body"),
    [(v, *one) for v, pages in (("soft-404", GONE), ("empty", NOTHING)) for one in pages],
)
def test_the_same_among_menus(verdict: str, title: str, body: str) -> None:
    assert read(framed(title, body)).verdict == verdict


@pytest.mark.parametrize(
    "title",
    [
        "Wartungsarbeiten an der Brücke",
        "The site of the old harbour is under construction",
        "某某大桥正在建设中，预计明年通车",
        "Sito archeologico in manutenzione: gli orari",
        "Wartungsarbeiten",
        "404 Media",
    ],
)
def test_a_list_whose_heading_speaks_of_building_or_repair_stays_one(title: str) -> None:
    made = rows(9, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> <span>{d}</span></li>')
    found = read(page(f"<h1>{title}</h1><ul class=list>{made}</ul>", title=title))
    assert (found.verdict, urls_of(found)) == ("list", hrefs(9))


def test_a_page_without_anything_is_no_shell() -> None:
    assert read(bare("", "")).verdict == "no-list"


def test_a_likely_list_of_few_rows_without_dates_is_never_a_shell() -> None:
    """A player or a map beside it may be filled by script, and hardly any text be on the page."""
    rows = tuple(Link(url, "A title") for url in hrefs(3))
    likely = Listing(Block("/html/body", "div", False, rows, 0.65), None, None, None, False, Order("unknown"))
    assert "shell" not in may_be(likely, 0.78)
    assert "soft-404" in may_be(likely, 0.78)
    assert "shell" in may_be(likely, 0.5)


def test_a_long_list_without_dates_beside_an_empty_box_is_not_empty() -> None:
    rows = tuple(Link(url, "A title") for url in hrefs(20))
    likely = Listing(Block("/html/body", "div", False, rows, 0.8), None, None, None, False, Order("unknown"))
    assert may_be(likely, 0.83) == frozenset()
    assert may_be(likely, 0.7) == frozenset(("empty",))


@pytest.mark.parametrize(
    "end", ["No more posts to show", "没有更多内容了", "Больше нет новостей", "これ以上の記事はありません"]
)
def test_the_end_of_a_list_is_not_an_empty_one(end: str) -> None:
    made = rows(4, lambda i, t, u, d: f'<li><a href="{u}">{t}</a></li>')
    assert read(page(f"<ul class=list>{made}</ul><p>{end}</p>", bar="")).verdict != "empty"


@pytest.mark.parametrize(
    "title",
    ["404", "Error 404", "404 - Gazette", "Błąd 404 Gazette", "404 页面", "Gazette | 404", "HTTP 410"],
)
def test_the_number_of_what_is_gone(title: str) -> None:
    assert read(framed(title, "<p>Sorry.</p>")).verdict == "soft-404"
