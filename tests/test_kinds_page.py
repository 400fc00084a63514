"""Kinds of fault in single pages that people meet in the field, beside the cases with a number."""

from __future__ import annotations

import pytest

from tests.pagekit import (
    BAR,
    NAV,
    URL,
    day,
    hrefs,
    links_of,
    main_of,
    page,
    read,
    rows,
    titles,
    urls_of,
)


def item(i: int, title: str, url: str, date: str) -> str:
    return f'<li><a href="{url}">{title}</a> <span class="date">{date}</span></li>'


LIST = f'<ul class="news">{rows(12, item)}</ul>'

# --- pagination ---

SWITCHED_OFF = {
    "class of the link": '<div class="pager"><a href="?page=5">‹</a> <a href="?page=4">4</a> <a href="?page=5">5</a> '
    '<span class="active">6</span> <a class="disabled" href="?page=7">›</a></div>',
    "for readers by ear": '<div class="pager"><a href="?page=5">5</a> <b>6</b> <a aria-disabled="true" href="?page=7">Next</a></div>',
    "class of its item": '<ul class="pagination"><li class="page-item"><a href="?page=5">Previous</a></li>'
    '<li class="page-item disabled"><a href="?page=7">Next</a></li></ul>',
    "kept for its place, unseen": '<nav class="pagination"><div class="pagination-previous"><a href="?page=5">Previous</a></div>'
    '<div class="pagination-next is-invisible"><a href="?page=7">Next</a></div><ul class="pages"><li><a href="?page=1">1</a></li>'
    '<li><span>…</span></li><li><a href="?page=5">5</a></li><li><a class="is-current" href="?page=6">6</a></li></ul></nav>',
    "hidden by its style": '<div class="pager"><a href="?page=5">Previous</a> <b>6</b> <a style="visibility: hidden" href="?page=7">Next</a></div>',
}  # fmt: skip


@pytest.mark.parametrize("name", SWITCHED_OFF)
def test_kind_a_next_link_that_is_switched_off_leads_nowhere(name: str) -> None:
    found = main_of(read(page(LIST, bar=SWITCHED_OFF[name]), f"{URL}?page=6"))
    assert found.older is None
    assert found.newer == f"{URL}?page=5"


@pytest.mark.parametrize("hide", ['class="invisible"', 'style="display: none"', "hidden"])
def test_kind_a_pager_hidden_as_a_whole_for_script_to_load_its_pages_leads_on(hide: str) -> None:
    bar = f'<div class="pager"><a {hide} rel="next" href="?page=2">Next</a></div>'
    assert main_of(read(page(LIST, bar=bar), URL)).older == f"{URL}?page=2"


@pytest.mark.parametrize(
    ("bar", "here", "older"),
    [
        ('<span class="current">1</span> <a href="?page=1">2</a> <a href="?page=2">3</a> <a href="?page=8">last »</a>', "", "?page=1"),
        ('<a href="?page=0">1</a> <b>2</b> <a href="?page=2">3</a> <a href="?page=3">4</a>', "?page=1", "?page=2"),
        ('<b>1</b> <a href="?page=2">2</a> <a href="?page=10">…</a> <a href="?page=57">57</a>', "", "?page=2"),
        ('<a href="?page=10">…</a> <a href="?page=19">19</a> <b>20</b> <a href="?page=21">21</a> <a href="?page=30">…</a>', "?page=20", "?page=21"),
        ("<span>1-12 of 480</span> <a href='?start=12'>Next 12</a>", "", "?start=12"),
        ("共120条 第1/12页 <a href='javascript:void(0)'>首页</a> <a href='javascript:void(0)'>上一页</a> <a href='?p=2'>下一页</a>", "", "?p=2"),
        ('<b>1</b> <a href=" ?page=2\n">2</a> <a href="\t?page=3">3</a>', "", "?page=2"),
        ('<b>1,024</b> <a href="?page=1023">1,023</a> <a href="?page=1025">1,025</a>', "?page=1024", "?page=1025"),
        ('<a href="?page=1">‹</a> Page 2 of 9 <a href="?page=3">›</a>', "?page=2", "?page=3"),
        ('<b>2</b> <a href="?page=2&page=3">3</a> <a href="?page=2&page=4">4</a>', "?page=2", "?page=2&page=3"),
        ('<a href="?page=4">Next</a><a href="?page=5">5</a><a href="?page=4">4</a><b>3</b><a href="?page=2">2</a>', "?page=3", "?page=4"),
        ('<b>1</b> <a href="?page=2">2</a> <a href="?page=9">9</a> <a href="?page=10">&gt;&gt;</a>', "", "?page=2"),
    ],
)  # fmt: skip
def test_kind_pages_counted_from_nought_jumps_and_sloppy_addresses(bar: str, here: str, older: str) -> None:
    found = main_of(read(page(LIST, bar=f'<div class="pager">{bar}</div>'), URL + here))
    assert found.older == URL + older


def test_kind_a_bar_of_words_leads_to_another_folder() -> None:
    """A board whose further pages have other addresses, with a field for a page's number in the bar."""
    bar = (
        '<form><table><tr><td>[首页] [上页] [<a href="/news1/all_101_0.html">下页</a>] [<a href="/news1/all_1378_0.html">'
        '末页</a>]<input type="submit" value="跳转到"> 第 <input name="jumpto" size="3"> 篇</td></tr></table></form>'
    )
    body = f"<table>{rows(30, lambda i, t, u, d: f'<tr><td>{i}</td><td><a href={u}>{t}</a></td><td>{d}</td></tr>')}</table>"
    found = main_of(read(page(f"{bar}{body}", bar=bar), "https://gazette.example/news/all.html"))
    assert found.older == "https://gazette.example/news1/all_101_0.html"


def test_kind_a_head_that_names_page_2_on_every_page_does_not_send_back() -> None:
    head = '<link rel="next" href="/news/?page=2"><link rel="prev" href="/news/?page=1">'
    bar = BAR.replace("2", "4").replace("3", "5").replace(">1<", ">3<")
    found = main_of(read(page(LIST, bar=bar, head=head), f"{URL}?page=3"))
    assert found.older == f"{URL}?page=4"


def test_kind_the_newest_page_has_the_greatest_number() -> None:
    """Pages are counted from the oldest; the one without a number in its address is the newest."""
    bar = '<div class="pages"><span class=current>13</span> <a href="?page=12">12</a> <a href="?page=11">11</a></div>'
    found = main_of(read(page(LIST, bar=bar)))
    assert (found.older, found.newer) == (f"{URL}?page=12", None)
    last = main_of(read(page(LIST, bar=bar), f"{URL}?page=13"))  # the last page of the usual kind
    assert (last.older, last.newer) == (None, f"{URL}?page=12")


LOOKALIKES = {
    "years": '<div class="years"><a class="active" href="/news/?y=2026">2026</a> <a href="/news/?y=2025">2025</a> '
    '<a href="/news/?y=2024">2024</a></div>',
    "letters": '<div class="az">' + " ".join(f'<a href="/news/?l={c}">{c}</a>' for c in "ABCDEFGHIJKL") + "</div>",
    "slides": '<div class=carousel><a href="#s1">1</a><a href="#s2">2</a><a href="#" class=next>Next</a></div>',
    "steps": '<p>上一篇：<a href="/n/1.html">港口扩建</a></p><p>下一篇：<a href="/n/3.html">地铁开工</a></p>',
    "languages": '<div class=lang><a href="?lang=en">EN</a> <a href="?lang=zh">中文</a></div>',
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKALIKES)
@pytest.mark.parametrize("bar", ["", BAR])
def test_kind_what_looks_like_a_bar_leads_to_no_older_page(name: str, bar: str) -> None:
    found = main_of(read(page(LOOKALIKES[name] + LIST, bar=bar)))
    assert found.older == (f"{URL}?page=2" if bar else None)


@pytest.mark.parametrize(
    "comments",
    [
        '<a href="/news/comment-page-2/#comments">Older comments</a>',
        '<b>1</b> <a href="?cpage=2">2</a> <a href="?cpage=3">3</a> <a href="?cpage=2">Next</a>',
    ],
)
def test_kind_pages_of_comments_are_none_of_the_list(comments: str) -> None:
    below = f"{LIST}<div class=comments><div class=pages>{comments}</div></div>"
    assert main_of(read(page(below))).older == f"{URL}?page=2"
    assert main_of(read(page(below, bar=""))).older is None


def test_kind_a_second_copy_of_the_list_for_other_screens_is_no_disorder() -> None:
    html = page(f'<div class="wide">{LIST}</div><div class="narrow" style="display:none">{LIST}</div>')
    found = read(html)
    assert main_of(found).order.verdict == "newest-first"
    assert list(dict.fromkeys(urls_of(found))) == hrefs(12)


ROWS = {
    "a link that says read more": lambda i, t, u, d: f'<div class=item><h3>{t}</h3><p>{d}</p><a href="{u}">Read more</a></div>',
    "lines with breaks": lambda i, t, u, d: f'· <a href="{u}">{t}</a> ({d})<br>',
    "a table in each row": lambda i, t, u, d: f'<table><tr><td><a href="{u}">{t}</a></td><td>{d}</td></tr></table>',
    "terms": lambda i, t, u, d: f'<dt>{d}</dt><dd><a href="{u}">{t}</a></dd>',
    "one title for all": lambda i, t, u, d: f'<li><a href="{u}">Daily bulletin</a><span>{d}</span></li>',
    "links to other things": lambda i, t, u, d: f'<div class=r><a href="{u}">{t}</a><p>Text with <a href="/x{i}">a link</a>. {d}</p></div>',
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_kind_rows_of_odd_make(name: str) -> None:
    found = read(page(f"<div class=list>{rows(10, ROWS[name])}</div>"))
    assert urls_of(found) == hrefs(10)
    assert all(x.date and x.date.date().isoformat() == day(i) for i, x in enumerate(links_of(found)))


def test_kind_a_list_of_one_row_beside_a_bar_is_read() -> None:
    found = read(page(f"<ul>{rows(1, item)}</ul>"))
    assert urls_of(found) == hrefs(1)


# --- what stands in place of a list ---


def small(body: str, title: str = "", head: str = "") -> str:
    return f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


POPULAR = (
    "<aside><h3>Popular</h3><ul>"
    + rows(6, lambda i, t, u, d: f'<li><a href="{u}">{t}</a></li>', 60)
    + "</ul></aside>"
)


def framed(body: str, title: str = "News") -> str:
    """Other things of the site around what is said."""
    return small(f"<header>{NAV}</header><main>{body}</main>{POPULAR}", title)


INSTEAD = {
    "error: maintenance": small("<h1>We’ll be back soon</h1><p>The site is down for scheduled maintenance.</p>"),
    "error: beside what is popular": framed("<h1>Down for maintenance</h1><p>Please come back later.</p>"),
    "error: 维护": small("<p>系统维护中，请稍后再试</p>", "系统维护"),
    "error: 维护 in the title": small("<p>请稍后再来</p>", "系统维护中"),
    "error: database": framed("<h1>Error establishing a database connection</h1>"),
    "error: of the server": framed("<h1>Internal Server Error</h1><p>Something went wrong.</p>"),
    "error: of the program": framed("<b>Fatal error</b>: Uncaught Error: Call to undefined function in /srv/list.php:12"),
    "blocked: country": small("<h1>Sorry</h1><p>This content is not available in your region.</p>", "Unavailable"),
    "blocked: pays": small("<p>Ce site n'est pas accessible : contenu indisponible dans votre pays.</p>"),
    "blocked: 地区": small("<p>抱歉，您所在的地区无法访问本页面。</p>"),
    "blocked: cookie": small("<script>document.cookie='k='+(17*3)+';path=/';location.reload();</script>"),
    "blocked: queue": small("<h1>You are now in line</h1><p>Your estimated wait is 3 minutes.</p>", "Waiting room"),
}  # fmt: skip


@pytest.mark.parametrize("name", INSTEAD)
def test_kind_what_is_said_in_place_of_a_list(name: str) -> None:
    found = read(INSTEAD[name], expected=True)
    assert found.main is None
    assert found.verdict == name.split(":")[0], found.verdict_why


@pytest.mark.parametrize(
    "title",
    ["Maintenance notices", "系统维护公告", "News about service and server errors", "Region: your country"],
)
def test_kind_a_list_about_such_things_is_a_list(title: str) -> None:
    found = read(page(f"<h1>{title}</h1>{LIST}", title=title), expected=True)
    assert found.verdict == "list" and urls_of(found) == hrefs(12)


OF_SOMETHING_ELSE = {
    "a cart": "You have no items in your shopping cart.",
    "a comparison": "Sie haben keine Artikel auf der Vergleichsliste.",
    "a word that begins like no": "Daily notifications of new events in your town",
    "a legend": "Forum contains no new posts</p><p>Forum contains new posts",
}


@pytest.mark.parametrize("name", OF_SOMETHING_ELSE)
def test_kind_what_is_empty_is_not_the_list(name: str) -> None:
    found = read(small(f"{NAV}<h1>Welcome</h1><p>{OF_SOMETHING_ELSE[name]}</p>", "The Gazette"))
    assert found.verdict == "no-list", found.verdict_why


def test_kind_an_article_that_offers_related_searches_is_not_parked() -> None:
    text = "".join(
        f"<p>{t}, as the board said on Tuesday in a long statement to the paper.</p>" for t in titles(12)
    )
    body = f"<h1>A bridge for bicycles</h1>{text}<h3>Related searches</h3><a href='/s?q=bridge'>bridge</a>"
    found = read(small(body, "A bridge for bicycles"), f"{URL}a-bridge-for-bicycles")
    assert (found.kind, found.verdict) == ("article", "no-list"), found.verdict_why


@pytest.mark.parametrize("path", ["", "index.html"])
@pytest.mark.parametrize("dated", [True, False])
def test_kind_a_front_page_with_much_text_is_no_article(path: str, dated: bool) -> None:
    """Whoever adds it means its list, however much of it is something else."""
    text = "".join(f"<p>{' '.join(titles(8, i))}</p>" for i in range(0, 160, 8))
    made = (
        LIST if dated else rows(12, lambda i, t, u, d: f'<h2><a href="{u}">{t}</a></h2><p>{t}, it said.</p>')
    )
    html = page(f"<h1>The Gazette</h1>{text}<div>{made}</div>{text}", bar="", title="The Gazette: about us")
    inner = read(html, f"{URL}about-us-and-our-town.html", expected=True)
    assert (inner.kind, inner.main) == ("article", None)
    front = read(html, f"https://gazette.example/{path}", expected=True)
    assert front.verdict == "list" and urls_of(front) == hrefs(12)
    assert read(html, f"https://gazette.example/{path}").kind == "other"


def test_kind_a_login_without_a_field_is_told_by_its_address() -> None:
    html = small('<h1>Sign in to continue</h1><a href="/sso/start">Continue</a>', "Sign in")
    assert read(html, "https://gazette.example/login?next=/news/").verdict == "login"


@pytest.mark.parametrize("path", ["login?next=/news/", "account/sign-in", "register.php"])
def test_kind_a_login_is_one_though_a_box_of_news_stands_beside_the_form(path: str) -> None:
    """As where a session has ended: the box is not the list that was asked for."""
    form = (
        '<h1>Your account</h1><form method="post"><input name="user"><input type="password" name="pw"></form>'
    )
    html = page(f'{form}<div class="news"><h3>News</h3>{LIST}</div>', bar="", title="The Gazette")
    assert read(html, f"https://gazette.example/{path}", expected=True).verdict == "login"
    assert read(html, URL, expected=True).verdict == "list"  # a login stands on every page of the site


@pytest.mark.parametrize(
    ("script", "to"),
    [
        ('window.location.href = "/news/index.html";', "/news/index.html"),
        ("<!--\nlocation.replace('/zh/news/')\n//-->", "/zh/news/"),
        ("if (navigator.userAgent.match(/mobile/i)) location.href='/m/';", None),
        ("document.cookie='a=1'; location.href='/news/';", None),
    ],
)
def test_kind_a_page_that_is_only_there_to_send_on_by_script(script: str, to: str | None) -> None:
    found = read(small(f"<script>{script}</script>"))
    assert found.refresh == (to and f"https://gazette.example{to}")


def test_kind_a_list_in_a_frame_is_named() -> None:
    html = page('<iframe src="list_frame.html"></iframe><iframe src="/ad" width=1 height=1></iframe>', bar="")
    assert read(html).warnings == (f"a frame of the page holds {URL}list_frame.html",)


@pytest.mark.parametrize(
    "button",
    [
        '<button class="load-more" data-page="2">加载更多</button>',
        '<button onclick="more(2)">Load more stories</button>',
        '<a href="javascript:;" class="more">Mehr laden</a>',
    ],
)
def test_kind_a_button_that_loads_more_is_a_pager_that_needs_script(button: str) -> None:
    found = main_of(read(page(LIST, bar=button)))
    assert found.script_pager and found.older is None


def test_kind_a_button_that_unfolds_is_no_pager() -> None:
    for button in ("<button>Show more</button>", "<button>Load more</button><button>Load more</button>"):
        assert not main_of(read(page(LIST, bar=button))).script_pager


@pytest.mark.parametrize(
    ("handler", "needs_script"),
    [
        ("return shop.gotoPage(this.value);", True),
        ("setPageSize(this.value)", False),
        ("rate(this.value)", False),
    ],
)
def test_kind_a_box_to_choose_a_page_is_a_pager_that_needs_script(handler: str, needs_script: bool) -> None:
    """The list must not be taken for one of a single page."""
    options = "".join(f"<option value={n}>{n}</option>" for n in range(1, 10))
    turn = '<a href="javascript:shop.turn(2);">&gt;</a>' if needs_script else ""
    bar = f'<ul><li><label>Page</label> <select onchange="{handler}">{options}</select> of 9</li><li>{turn}</li></ul>'
    found = main_of(read(page(LIST, bar=bar)))
    assert (found.older, found.script_pager) == (None, needs_script)


@pytest.mark.parametrize(
    ("attributes", "url"),
    [
        ('href="javascript:void(0)" onclick="window.open(\'{}\')"', True),
        ("href='#' onclick='window.open(\"{}\",\"_blank\"); return false'", True),
        ("href=\"javascript:window.open('{}','','width=800')\"", True),
        ('href="javascript:;" onclick="location.href=\'{}\'"', True),
        ('href="javascript:;" onclick="window.location=\'{}\';"', True),
        ('href="javascript:;" onclick="window.open(\'{}\' + sid)"', False),
        ('href="javascript:;" onclick="track(\'{}\')"', False),
        ('href="mailto:a@b.example" onclick="track(\'{}\')"', False),
    ],
)
def test_kind_rows_that_script_opens_are_links_where_the_address_is_written_out(
    attributes: str, url: bool
) -> None:
    list_ = rows(8, lambda i, t, h, d: f"<li><a {attributes.format(h)}>{t}</a> <span>{d}</span></li>")
    found = read(page(f"<ul>{list_}</ul>", bar=""))
    assert (urls_of(found) if found.main is not None else []) == (hrefs(8) if url else [])


@pytest.mark.parametrize("value", ["", ' value="{}"'])
def test_kind_a_box_of_numbers_in_a_form_leads_to_the_pages_that_it_asks_for(value: str) -> None:
    """An option without a value is sent as what it says."""
    options = "".join(f"<option{value.format(n)}{' selected' * (n == 2)}>{n}</option>" for n in range(1, 8))
    bar = (
        f'<form action="/news/"><select name="page">{options}</select><input type="submit" value="Go"></form>'
    )
    found = main_of(read(page(LIST, bar=bar), f"{URL}?page=2"))
    assert (found.older, found.newer) == (f"{URL}?page=3", f"{URL}?page=1")
