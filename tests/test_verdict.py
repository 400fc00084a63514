"""What a page as a whole is: a list, or what is served in its place."""

from __future__ import annotations

import json

import pytest

from tests.pagekit import BAR, FOOT, NAV, NOW, URL, hot, hrefs, links_of, page, read, rows, titles, urls_of


def small(body: str, title: str = "", head: str = "") -> str:
    return f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


INSTEAD = {
    "blocked: challenge": small(
        '<div id="cf-wrapper"><h1>Just a moment...</h1><p>Checking your browser before accessing gazette.example.</p>'
        '<form id="challenge-form" action="/x?__cf_chl_f_tk=1" method="POST"></form></div>'
        '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1"></script>',
        "Just a moment...",
    ),
    "blocked: plain refusal": small("<h1>Access Denied</h1><p>You don't have permission. Reference #18.5b</p>", "Access Denied"),
    "blocked: slider": small("<div class=box><h2>访问验证</h2><p>请完成安全验证后继续访问，向右滑动验证。</p></div>", "验证"),
    "blocked: captcha": small('<p>One more step</p><div class="g-recaptcha" data-sitekey="x"></div>', "gazette.example"),
    "consent": small(
        "<h1>Before you continue</h1><p>We and our partners use cookies and process data. Manage your privacy choices."
        "</p><form action='/save'><button>Accept all cookies</button><button>Reject</button></form>",
        "Before you continue",
    ),
    "login": small(
        "<h1>Sign in</h1><form action='/session' method=post><input name=user><input type=password name=pw>"
        "<button>Log in</button></form><a href='/forgot'>Forgot password?</a>",
        "Log in",
    ),
    "soft-404": small(
        f"{NAV}<h1>Page not found</h1><p>The page that you are looking for does not exist.</p>{FOOT}", "404 - Not found"
    ),
    "parked: with a list of searches": small(
        "<h1>This domain is for sale</h1><ul>"
        + "".join(f"<li><a href='/search?q={i}'>Car insurance number {i}</a></li>" for i in range(12))
        + "</ul><p>Related searches</p>",
        "gazette.example",
    ),
    "blocked: with a list of others": page(
        "<h1>Access denied</h1><ul>" + rows(8, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> {d}</li>') + "</ul>"
    ),
    "soft-404: with a list of others": page(
        "<h1>页面不存在</h1><ul>" + rows(8, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> {d}</li>') + "</ul>",
        title="页面不存在",
    ),
    "parked": small("<h1>gazette.example</h1><p>This domain is for sale. Buy this domain now.</p><a href='https://x.example'>Related searches</a>"),
    "empty": small(f"{NAV}<main><h1>News</h1><div class=list></div><p>No articles found.</p></main>{FOOT}", "News"),
    "empty: 暂无": small(f"{NAV}<div class=list>暂无数据</div>{FOOT}", "新闻"),
    "shell": small(
        '<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>'
        '<script src="/static/main.8f2a.js"></script>',
        "Gazette",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", INSTEAD)
def test_what_is_served_in_place_of_a_list_is_named_with_its_evidence(name: str) -> None:
    found = read(INSTEAD[name])
    assert found.verdict == name.split(":")[0]
    assert found.verdict_why
    assert found.main is None
    assert found.kind != "index"


def test_an_article_is_no_index() -> None:
    prose = "".join(
        f"<p>{t}. " + "The council met on Tuesday and spoke for a long time about it. " * 4 + "</p>"
        for t in titles(9)
    )
    related = (
        "<h3>Related</h3><ul>" + rows(5, lambda i, t, u, d: f'<li><a href="{u}">{t}</a></li>', 40) + "</ul>"
    )
    found = read(
        small(
            f"{NAV}<article><h1>{titles(1)[0]}</h1><time>2026-03-01</time>{prose}</article>"
            f"<div class=related>{related}</div>{FOOT}",
            f"{titles(1)[0]} - The Gazette",
            '<meta property="og:type" content="article">',
        ),
        "https://gazette.example/news/2026/story-1.html",
    )  # fmt: skip
    assert found.kind == "article"
    assert found.main is None
    assert "article" in found.verdict_why


@pytest.mark.parametrize(
    "words", ["captcha", "Access denied", "404 Not Found", "This domain is for sale", "Log in"]
)
def test_words_alone_decide_nothing_where_there_is_a_list(words: str) -> None:
    content = rows(10, lambda i, t, u, d: f'<li><a href="{u}">{words}: {t}</a><span>{d}</span></li>')
    found = read(page(f"<ul>{content}</ul><form><input type=password></form>", side=hot()))
    assert found.verdict == "list"
    assert urls_of(found) == hrefs(10)


def test_a_marked_block_without_links_is_empty_though_a_sidebar_is_full() -> None:
    found = read(page('<div class="Baidu_paging_content_indicator"></div>', side=hot(), bar=""))
    assert found.verdict == "empty"
    assert found.main is None


def test_a_shell_names_its_feeds_and_the_lists_in_its_json() -> None:
    data = {
        "props": {
            "posts": [{"title": t, "slug": f"s-{i}", "date": "2026-03-01"} for i, t in enumerate(titles(12))]
        }
    }
    found = read(
        small(
            f'<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{json.dumps(data)}</script>',
            "Gazette",
            '<link rel="alternate" type="application/rss+xml" href="/feed.xml"><link rel="alternate" hreflang="de" href="/de">'
            '<link rel="alternate" type="application/feed+json" href="https://cdn.example/feed.json">',
        )
    )  # fmt: skip
    assert found.verdict == "shell"
    assert found.feeds == ("https://gazette.example/feed.xml", "https://cdn.example/feed.json")
    assert any("props.posts holds 12 items" in w for w in found.warnings)


def test_a_list_assigned_to_a_variable_is_named_too() -> None:
    data = json.dumps({"list": [{"title": t, "url": f"/a/{i}"} for i, t in enumerate(titles(5))]})
    found = read(small(f"<div id=app></div><script>window.__STATE__ = {data};</script>", "Gazette"))
    assert any("list holds 5 items" in w for w in found.warnings)


def test_a_static_list_that_is_years_old_is_said_to_look_stale() -> None:
    content = "".join(
        f'<li><a href="/a/{i}.html">{t}</a> <span>{2022}-11-{20 - i:02d}</span></li>'
        for i, t in enumerate(titles(10))
    )
    old = read(page(f"<ul>{content}</ul>"))
    assert old.verdict == "list"
    assert any("stale" in w for w in old.warnings)
    fresh = read(page("<ul>" + rows(10, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> {d}</li>') + "</ul>"))
    assert not any("stale" in w for w in fresh.warnings)


def test_dates_ahead_of_now_are_not_given_out() -> None:
    def item(i: int, t: str, u: str, d: str) -> str:
        return f'<li><a href="{u}">{t}</a> <span>{"2026-03-13" if i == 0 else d}</span></li>'

    found = read(page(f"<ul>{rows(10, item)}</ul>", side=hot()))
    assert links_of(found)[0].date is None
    assert all(x.date and x.date <= NOW for x in links_of(found)[1:])
    assert any("future" in w for w in found.warnings)


@pytest.mark.parametrize("body", ["", "   ", "\x00\x00", "<", "<html", "not html at all", "{}", "<a href=>x</a>", b"\xff\xfe\x00", b"%PDF-1.4"])  # fmt: skip
def test_nothing_is_no_list_and_raises_nothing(body: str | bytes) -> None:
    found = read(body)
    assert found.main is None
    assert found.verdict != "list"


def test_a_page_with_a_bar_and_no_rows_is_no_list() -> None:
    found = read(small(NAV + BAR + FOOT, "News"), URL)
    assert found.verdict != "list"


def test_a_dated_list_is_taken_where_one_is_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Someone watches the page: then a block like a list is one, however little the page is like an index."""
    monkeypatch.setattr("recrawler.page.survey.INDEX_AT", 1.1)
    html = page("<ul>" + rows(8, lambda i, t, u, d: f'<li><a href="{u}">{t}</a> {d}</li>') + "</ul>")
    assert read(html).main is None
    assert links_of(read(html, expected=True))
    assert read(INSTEAD["parked: with a list of searches"], expected=True).main is None


def test_where_a_page_sends_browsers_on() -> None:
    def refresh(content: str) -> str | None:
        return read(small("Moved", head=f'<meta http-equiv="Refresh" content="{content}">')).refresh

    assert refresh("0; url=/new/") == "https://gazette.example/new/"
    assert refresh("3;URL='https://other.example/x'") == "https://other.example/x"
    assert refresh("300; url=/news/") is None  # a page that is read meanwhile
    assert refresh("60") is None and refresh("0; url=javascript:alert(1)") is None
