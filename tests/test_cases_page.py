"""Faults that people have met in the field, reproduced on one page; the number is that of the case."""

from __future__ import annotations

import pytest

from recrawler.page.document import parse
from recrawler.page.pagination import scan
from recrawler.urls import KeyOptions, identity_key, join
from tests.pagekit import (
    BAR,
    NOW,
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

BASE = "https://gazette.example"
LIST = "<ul class=list>" + rows(12, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> <i>{d}</i></li>') + "</ul>"


def bar_of(links: str) -> str:
    return f'<div class="pages">{links}</div>'


@pytest.mark.parametrize(
    "following",
    ["/news/?tag=a&page=4", "#", "", "/news/?tag=a&page=4#list", "/news/?page=4&tag=a", "javascript:void(0)"],
)
def test_case_017_a_next_link_of_the_last_page_that_leads_to_itself_is_none(following: str) -> None:
    back = " ".join(f'<a href="/news/?tag=a&page={n}">{n}</a>' for n in (1, 2, 3))
    bar = bar_of(f"{back} <b>4</b> <a href='{following}'>Next</a>")
    found = main_of(read(page(LIST, bar=bar), f"{BASE}/news/?tag=a&page=4"))
    assert found.older is None and not found.script_pager
    assert found.newer == f"{BASE}/news/?tag=a&page=3"


def test_case_020_a_calendar_beside_the_bar_is_none() -> None:
    days = "".join(
        "<tr>" + "".join(f'<td><a href="/2026/03/{d:02}/">{d}</a></td>' for d in range(w, w + 7)) + "</tr>"
        for w in range(1, 29, 7)
    )
    calendar = (
        f'<table id="wp-calendar"><caption>March 2026</caption><tr><th>M<th>T<th>W<th>T<th>F<th>S<th>S</tr>{days}'
        '<tfoot><tr><td><a href="/2026/02/">« Feb</a></td></tr></tfoot></table>'
    )
    found = read(page(LIST, side=f"<aside>{calendar}</aside>"))
    assert [x.older for x in found.listings] == [f"{BASE}/news/?page=2"]
    assert all("/2026/0" not in (x.href or "") for x in main_of(found).bar.links)  # type: ignore[union-attr]
    alone = read(page(LIST, bar="", side=f"<aside>{calendar}</aside>"))
    assert main_of(alone).older is None


def test_case_022_entities_are_decoded_once_and_urls_do_not_grow() -> None:
    url, seen = f"{BASE}/list?amp%3Bp=1", set()
    for _ in range(6):
        doc = parse('<a href="list?&amp;amp;p=2">2</a>', url)
        url = doc.anchors[0].url or ""
        seen.add(url)
    assert seen == {f"{BASE}/list?&amp;p=2"}  # one hop further is no longer URL
    assert parse('<a href="list?a=1&amp;p=2">2</a>', url).anchors[0].url == f"{BASE}/list?a=1&p=2"


@pytest.mark.parametrize("idle", ["javascript:void(0)", "#", "javascript:;"])
def test_case_023_a_page_function_is_read_from_numbered_siblings_and_never_fetched(idle: str) -> None:
    bar = bar_of(
        "<b>1</b> <a href='/news/?p=2'>2</a> <a href='/news/?p=3'>3</a> "
        f"<a href='{idle}' onclick=\"goPage('next','2')\">Next</a>"
    )
    found = main_of(read(page(LIST, bar=bar)))
    assert found.older == f"{BASE}/news/?p=2"
    assert found.bar is not None
    assert all(x.href is None or x.href.startswith("https:") for x in found.bar.links)


def test_case_023_a_postback_is_named_with_its_fields_and_as_script_without_a_form() -> None:
    links = "<span>1</span> " + " ".join(
        f"<a href=\"javascript:__doPostBack('list$pager','{n}')\">{n}</a>" for n in (2, 3)
    )
    form = '<form method="post" action="list.aspx"><input type="hidden" name="__VIEWSTATE" value="a/b=">{}</form>'
    found = main_of(read(form.format(page(LIST, bar=bar_of(links)))))
    assert (found.older, found.script_pager) == (None, True)
    assert found.older_form is not None
    assert dict(found.older_form.fields) == {
        "__VIEWSTATE": "a/b=", "__EVENTTARGET": "list$pager", "__EVENTARGUMENT": "2",
    }  # fmt: skip
    found = main_of(read(page(LIST, bar=bar_of("<b>1</b> <a href='javascript:turn()'>Next</a>"))))
    assert (found.older, found.script_pager) == (None, True)


def test_case_025_numbers_that_are_fragments_are_no_pages() -> None:
    bar = bar_of("<a class=on href='#1'>1</a> <a href='#2'>2</a> <a href='#3'>3</a> <a href='#2'>Next</a>")
    found = main_of(read(page(LIST, bar=bar)))
    assert found.older is None
    assert found.bar is None or all(x.href is None for x in found.bar.links)


def test_case_026_a_bar_that_script_writes_counts_from_zero() -> None:
    script = """<script>var countPage = 5, currentPage = 0;
        for (var i = 1; i < countPage; i++) document.write('<a href="index_' + i + '.html">' + (i + 1) + '</a>');
        </script>"""
    found = main_of(read(page(LIST, bar=bar_of(script)), f"{BASE}/news/index.html"))
    assert found.older == f"{BASE}/news/index_1.html"  # the second page
    assert found.bar is not None and (found.bar.current, found.bar.depth) == (1, 5)
    cms = "<script>createPageHTML(5, {}, 'index', 'html');</script>"
    for at in range(1, 5):
        url = f"{BASE}/news/index_{at}.html"
        found = main_of(read(page(LIST, bar=bar_of(cms.format(at))), url))
        assert found.older == (f"{BASE}/news/index_{at + 1}.html" if at < 4 else None)


def test_case_028_only_the_true_bar_among_its_likenesses() -> None:
    likenesses = (
        '<p><a href="/preview">Preview</a> <a href="/steps">Next steps</a> <label>Last name</label></p>'
        '<div class="rating">' + "".join(f'<a href="/rate?v={n}">{n}</a>' for n in range(1, 6)) + "</div>"
        '<div class="cart next"><a href="/cart">3</a></div><p class="pagination-note">a &lt; b</p>'
    )
    bar = bar_of(
        "<a href='/news/?page=1'>«</a> <a href='/news/?page=2'>‹</a> <a href='/news/?page=1'>1</a> <a href='/news/?page=2'>2</a> <b>3</b> "
        "<a href='/news/?page=4'>4</a> <a href='/news/?page=4'>›</a> <a href='/news/?page=9'>»</a>"
    )
    found = main_of(read(page(likenesses + LIST, bar=bar), f"{BASE}/news/?page=3"))
    assert found.bar is not None
    assert {x.text: x.role for x in found.bar.links} == {
        "«": "first", "‹": "prev", "1": "page", "2": "page", "4": "page", "›": "next", "»": "last",
    }  # fmt: skip
    assert (found.older, found.newer) == (f"{BASE}/news/?page=4", f"{BASE}/news/?page=2")


def test_case_029_no_next_beyond_the_greatest_number() -> None:
    links = " ".join(f"<a href='/news/?page={n}'>{n}</a>" for n in range(1, 5)) + " <span>5</span>"
    found = main_of(read(page(LIST, bar=bar_of(links)), f"{BASE}/news/?page=5"))
    assert (found.older, found.script_pager) == (None, False)
    assert found.newer == f"{BASE}/news/?page=4"


def two_lists(first: str = "", second: str = "") -> str:
    parts = []
    for key, start, mark in (("p1", 0, first), ("p2", 40, second)):
        bar = bar_of(
            f"<b>1</b> <a href='?{key}=2'>2</a> <a href='?{key}=3'>3</a> <a href='?{key}=2'>Next</a>"
        )
        items = rows(8, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> {d}</li>', start)
        above = bar if key == "p1" else ""
        parts.append(f"<section><h2>{key}</h2>{above}<ul class='list {mark}'>{items}</ul>{bar}</section>")
    return page("".join(parts), bar="")


def test_case_031_each_bar_goes_to_its_own_list_and_copies_are_one() -> None:
    found = read(two_lists())
    assert [(x.older, len(x.block.links)) for x in found.listings] == [
        (f"{URL}?p1=2", 8),
        (f"{URL}?p2=2", 8),
    ]
    assert [len(x.bar.links) for x in found.listings if x.bar] == [3, 3]
    assert len(scan(parse(two_lists(), URL)).bars) == 2


def test_case_031_marked_classes_come_first() -> None:
    found = read(two_lists(second="Baidu_paging_content_indicator"))
    assert main_of(found).block.marked
    assert main_of(found).older == f"{URL}?p2=2"


def test_case_032_page_sizes_and_sort_orders_are_options() -> None:
    tools = "Show " + " ".join(f'<a href="/news/?per={n}">{n}</a>' for n in (20, 50, 100))
    tools += ' <a class="active" href="/news/?sort=new">Newest</a> <a href="/news/?sort=hot">Hot</a>'
    undated = "<ul>" + rows(12, lambda i, t, u, d: f'<li><a href="/n/{(i * 7) % 12}">{t}</a></li>') + "</ul>"
    found = read(page(f"<div class=tools>{tools}</div>{undated}"))
    listing = main_of(found)
    assert listing.older == f"{BASE}/news/?page=2"
    assert listing.bar is not None
    assert not [
        x
        for x in listing.bar.links
        if x.role != "other" and ("per=" in str(x.href) or "sort=" in str(x.href))
    ]
    assert {(s.text, s.by, s.active) for s in found.sort_options} >= {
        ("Newest", "time", True),
        ("Hot", "other", False),
    }
    assert listing.order.verdict == "newest-first" and "sort tab" in listing.order.evidence[0]


def test_case_035_one_article_a_row_beside_its_category() -> None:
    items = rows(
        10, lambda i, t, u, d: f'<li><a href="/c/{i % 2}/">[{("Notice", "News")[i % 2]}]</a><a href="{u}">{t}</a><span>{d[5:]}</span></li>'
    )  # fmt: skip
    found = read(page(f"<ul>{items}</ul>"))
    assert urls_of(found) == hrefs(10)
    assert [x.text for x in links_of(found)] == titles(10)


def test_case_037_a_list_in_two_parts_without_the_sidebar() -> None:
    item = lambda i, t, u, d: f'<li><a href="{u}">{t}</a> <em>{d}</em></li>'  # noqa: E731
    parts = f"<ul class=list>{rows(10, item)}</ul><ul class=list>{rows(10, item, 10)}</ul>"
    found = read(page(parts, side=hot(10)))
    assert urls_of(found) == hrefs(20)
    assert main_of(found).block.score > 0.5


def test_case_041_a_consent_wall_is_no_list_by_its_words_or_its_address() -> None:
    form = "<h1>Before you continue</h1><p>We and our partners use cookies.</p><form><button>Accept all</button></form>"
    assert read(f"<title>x</title>{form}").verdict == "consent"
    assert (
        read("<title>Go on</title><p>One click.</p>", "https://consent.example/collect?return=x").verdict
        == "consent"
    )


def test_case_040_kinds_of_refusal_are_told_with_their_evidence() -> None:
    challenge = "<title>Just a moment...</title><h1>Checking your browser</h1><script src=/cdn-cgi/challenge-platform/x></script>"
    plain = "<title>403 Forbidden</title><h1>403 Forbidden</h1><hr>nginx"
    for html, shown in ((challenge, "Just a moment"), (plain, "403")):
        found = read(html)
        assert found.verdict == "blocked"
        assert (
            shown in found.verdict_why
            and "characters of text" in found.verdict_why
            and "title" in found.verdict_why
        )


def test_case_044_a_list_that_script_renders_is_said_with_the_json_and_the_feeds_there_are() -> None:
    data = ", ".join(f'{{"title": "{t}", "url": "/a/{i}"}}' for i, t in enumerate(titles(9)))
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    script = '<script>fetch("/api/list?page=1").then(r => r.json()).then(show)</script>'
    found = read(page("<ul id=list></ul>" + script, bar="", head=feed))
    assert (found.verdict, found.main) == ("shell", None)
    assert found.feeds == (f"{BASE}/feed.xml",)
    inside = f'<script type="application/json" id="state">{{"list": {{"items": [{data}]}}}}</script>'
    found = read(page("<ul id=list></ul>" + script + inside, bar=""))
    assert found.main is None
    assert any("state: list.items holds 9 items" in w for w in found.warnings)


def test_case_046_a_static_list_that_is_years_old_is_said_to_look_stale() -> None:
    old = rows(10, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> <i>2022-11-{20 - i:02}</i></li>')
    data = ", ".join(f'{{"title": "{t}", "url": "/a/{i}"}}' for i, t in enumerate(titles(9)))
    inside = f'<script type="application/json" id="state">{{"news": [{data}]}}</script>'
    found = read(page(f"<ul>{old}</ul>{inside}"))
    assert any("looks stale" in w and "2022-11-20" in w for w in found.warnings)
    assert any("state: news holds 9 items" in w for w in found.warnings)


@pytest.mark.parametrize(
    ("base", "first", "older"),
    [
        ("<base href='/'>", f"{BASE}/news/1.html", f"{BASE}/news/2.html"),
        ("<base target=_blank><base href='/x/'><base href='/y/'>", f"{BASE}/x/news/1.html", f"{BASE}/x/news/2.html"),
        ("<base href='https://cdn.example/a/b'>", "https://cdn.example/a/news/1.html", "https://cdn.example/a/news/2.html"),
        ("", f"{BASE}/news/list/news/1.html", f"{BASE}/news/list/news/2.html"),
    ],
)  # fmt: skip
def test_case_050_links_and_bars_resolve_against_the_first_base_with_an_address(
    base: str, first: str, older: str
) -> None:
    items = "".join(
        f'<li><a href="news/{i + 1 if not i else 90 - i}.html">{t}</a> {day(i)}</li>'
        for i, t in enumerate(titles(9))
    )
    html = page(
        f"<ul>{items}</ul>",
        bar=bar_of('<b>1</b> <a href="news/2.html">2</a> <a href="news/2.html">Next</a>'),
        head=base,
    )
    found = main_of(read(html, f"{BASE}/news/list/"))
    assert (found.block.links[0].href, found.older) == (first, older)


def test_case_052_one_article_under_its_tracked_addresses() -> None:
    same = ["?utm_source=a", "?spm=1.2.3", "#comments", "?utm_medium=b&utm_source=c"]
    key = identity_key("https://gazette.example/a/1.html")
    assert {identity_key(f"https://GAZETTE.example/a/1.html{x}") for x in same} == {key}
    assert (
        identity_key(f"{BASE}/a/1.html?q=2") != key != identity_key(f"{BASE}/a/1.html?a=2")
    )  # unknown ones are kept


def test_case_053_twins_by_scheme_are_one_and_by_www_where_it_is_told() -> None:
    pair = "http://gazette.example/a", "https://gazette.example/a"
    assert identity_key(pair[0]) == identity_key(pair[1])
    www = "https://www.gazette.example/a"
    assert identity_key(www) != identity_key(
        pair[1]
    )  # two sites may live there: told by the option, not guessed
    told = KeyOptions(merge_mobile=True)
    assert identity_key(www, told) == identity_key(pair[0], told)


def test_case_055_an_empty_path_is_a_slash_and_others_stay() -> None:
    assert identity_key("http://h.example") == identity_key("http://h.example/")
    assert identity_key("http://h.example/a") != identity_key("http://h.example/a/")
    assert join("http://h.example", "") == "http://h.example/"
    assert join("http://h.example/b", "/b") == "http://h.example/b"


def test_case_056_escapes_are_neither_undone_nor_doubled() -> None:
    assert join(URL, "/music/AC%252FDC?page=2") == f"{BASE}/music/AC%252FDC?page=2"
    assert join(URL, "/x/%25E5%e5%2f") == f"{BASE}/x/%25E5%e5%2f"
    keys = {identity_key(f"{BASE}/music/{x}") for x in ("AC%252FDC", "AC%2FDC", "AC/DC")}
    assert len(keys) == 3
    assert identity_key(f"{BASE}/%e5%41") == identity_key(f"{BASE}/%E5A")


def test_case_058_dot_segments_and_session_ids_make_no_new_pages() -> None:
    a, b = "0123456789abcdef" * 2, "fedcba9876543210" * 2
    assert join(URL, "/./././list?x=1") == f"{BASE}/list?x=1"
    for form in ("/list?sid={}&page=2", "/list;jsessionid={}?page=2", "/list?page=2&PHPSESSID={}"):
        assert identity_key(BASE + form.format(a)) == identity_key(BASE + form.format(b))
        assert form.format(a).split("/")[-1] in (join(URL, form.format(a)) or "")  # what is fetched keeps it
    assert identity_key(f"{BASE}/list?sid=17") != identity_key(f"{BASE}/list?sid=18")


def test_case_059_an_international_host_is_one_in_both_spellings() -> None:
    assert join("http://x.example/", "http://例子.中国/a") == "http://xn--fsqu00a.xn--fiqs8s/a"
    assert identity_key("http://例子.中国/a") == identity_key("http://xn--fsqu00a.xn--fiqs8s/a")


ZH = [("刚刚", 0, "minute"), ("2分鐘前", 0.03, "minute"), ("半小时前", 0.5, "minute"), ("3小时前", 3, "hour"),
      ("三小时前", 3, "hour"), ("昨天 09:27", 34.55, "minute"), ("一天前", 24, "day")]  # fmt: skip


def test_case_064_relative_words_of_chinese_with_their_precision() -> None:
    items = "".join(
        f'<li><a href="{href(i)}">{t}</a> <span>{ZH[i][0]}</span></li>' for i, t in enumerate(titles(len(ZH)))
    )
    found = main_of(
        read(page(f"<ul>{items}</ul>").replace("lang=en", "lang=zh"), "https://gazette.example.cn/news/")
    )
    for link, (text, hours, precision) in zip(found.block.links, ZH, strict=True):
        assert link.date is not None and link.precision == precision, text
        assert abs((NOW - link.date).total_seconds() / 3600 - hours) <= (24 if precision == "day" else 1), (
            text
        )
    assert found.order.verdict in ("newest-first", "unknown")


GLUED = ["发布时间：{} 10:00", "[{}]", "来源：本报 {}", "{}来源：新华", "日期：{} 点击：21"]


@pytest.mark.parametrize("glued", GLUED)
def test_case_065_a_date_is_found_beside_what_is_glued_to_it(glued: str) -> None:
    items = "".join(
        f'<li><a href="{href(i)}">{t}</a><span>{glued.format(day(i))}</span></li>'
        for i, t in enumerate(titles(8))
    )
    links = links_of(read(page(f"<ul>{items}</ul>").replace("lang=en", "lang=zh")))
    assert [x.date and x.date.date().isoformat() for x in links] == [day(i) for i in range(8)]
    short = "".join(
        f'<li><a href="{href(i)}">{t}</a><span>[{day(i)[5:]}]</span></li>' for i, t in enumerate(titles(8))
    )
    links = links_of(read(page(f"<ul>{short}</ul>").replace("lang=en", "lang=zh")))
    assert [x.date and x.date.date().isoformat() for x in links] == [day(i) for i in range(8)]


def test_case_067_a_row_of_the_future_is_an_outlier_and_has_no_date() -> None:
    items = rows(
        10, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> <i>{"2026-03-13" if not i else d}</i></li>'
    )
    found = read(page(f"<ul>{items}</ul>"))
    assert main_of(found).order.verdict == "newest-first"
    assert links_of(found)[0].date is None and all(x.date for x in links_of(found)[1:])
    assert any("in the future" in w for w in found.warnings)


def test_case_068_rows_of_one_day_keep_the_order_of_the_page() -> None:
    items = rows(20, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> <i>2026-01-03</i></li>')
    found = read(page(f"<ul>{items}</ul>"))
    assert urls_of(found) == hrefs(20)
    assert {x.precision for x in links_of(found)} == {"day"}


def test_case_001_rows_of_one_day_by_title_are_not_sorted_by_time() -> None:
    names = sorted(titles(11))
    items = "".join(f'<li><a href="/n/{i}.html">{t}</a> <i>2026-03-03</i></li>' for i, t in enumerate(names))
    order = main_of(read(page(f"<ul>{items}</ul>"))).order
    assert order.verdict == "unsorted" and "alphabetical" in order.evidence[0]


def test_case_070_an_ascending_list_has_its_newer_items_behind_the_next_link() -> None:
    items = rows(10, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> <i>{day(30 - i)}</i></li>')
    found = main_of(read(page(f"<ul>{items}</ul>", bar=BAR)))
    assert found.order.verdict == "oldest-first"
    assert found.newer == f"{BASE}/news/?page=2" and found.older is None
    assert found.last == f"{BASE}/news/?page=3"


def test_case_034_the_row_of_a_last_page_is_found_by_what_earlier_pages_taught() -> None:
    from recrawler.page.types import ListingHint

    item = lambda i, t, u, d: f'<li><a href="{u}">{t}</a><span>{d}</span></li>'  # noqa: E731
    first = main_of(read(page(f"<ul class=rows>{rows(12, item)}</ul>", side=hot())))
    last = read(
        page(
            f"<ul class=rows>{rows(1, item)}</ul>",
            side=hot(),
            bar=bar_of('<a href="/news/?page=6">6</a> <b>7</b>'),
        ),
        f"{BASE}/news/?page=7",
        hints=[ListingHint(first.block.path)],
    )
    assert (last.verdict, urls_of(last)) == ("list", hrefs(1))


def test_case_034_the_row_of_a_last_page_is_no_row_of_the_menu_that_looks_like_it() -> None:
    from recrawler.page.types import ListingHint

    def made(count: int, bar: str) -> str:
        items = "".join(
            f"<li>2026-11-{20 - n} <a href=/n/{n}.html>{title}</a></li>" for n, title in titles[:count]
        )
        menu = "".join(f"<li><a href=/{x}/>{x}</a></li>" for x in ("home", "city", "sport", "about"))
        return f"<header><ul>{menu}</ul></header><main><ul class=news>{items}</ul><p class=pager>{bar}</main>"

    titles = [(n, f"The council decides on the new ferry timetable, part {n}") for n in range(12)]
    first = main_of(read(made(12, "<b>1</b> <a href=/news/page-2/>2</a> <a href=/news/page-2/>Next</a>")))
    hint = ListingHint(first.block.path)
    last = read(made(1, "<a href=/news/>1</a> <b>2</b>"), f"{BASE}/news/page-2/", hints=[hint])
    assert [u.rpartition("/n/")[2] for u in urls_of(last)] == ["0.html"]
