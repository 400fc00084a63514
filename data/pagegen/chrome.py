"""What stands around a list on every page: header, menus, breadcrumbs, footer, and the document itself."""

from __future__ import annotations

import json

from .dom import E, Node, Raw
from .rowparts import hash_of
from .site import Page

_TONGUES = [
    ("English", "en"),
    ("中文", "zh"),
    ("Deutsch", "de"),
    ("Français", "fr"),
    ("Español", "es"),
    ("日本語", "ja"),
    ("Русский", "ru"),
    ("العربية", "ar"),
    ("Português", "pt"),
    ("Italiano", "it"),
]


def _path_of(page: Page, word: str) -> str:
    form = page.pick(
        "menu-path",
        [
            "/{n}/",
            "/c{n}.html",
            "/channel/{n}",
            "/index.php?cat={n}",
            "/list-{n}-1.html",
            "/col{n}/index.html",
        ],
    )
    return page.path(form.format(n=hash_of(word) % 900))


def menu(page: Page) -> Node:
    """The main menu; on some sites with a second level or a mega menu."""
    ul = E("ul", cls=page.names("nav"))
    deep = page.pick("menu-depth", [0, 0, 0, 1, 1, 2])
    home = E(
        "li",
        E(
            "a",
            page.lex.word("home"),
            href=page.href(page.site.place.root + "/"),
            cls="active" if page.chance("home-active", 0.2) else None,
        ),
    )
    ul.add(home)
    for at, word in enumerate(page.site.menu):
        li = E(
            "li",
            E("a", word, href=_path_of(page, word)),
            cls=page.names("navitem") if page.chance("nav-class", 0.4) else None,
        )
        own = page.site.rng(f"sub{at}")
        if deep and own.random() < 0.6:
            words = own.sample(page.lex.data["topics"], own.randint(2, min(10, len(page.lex.data["topics"]))))
            sub = E(
                "ul",
                [E("li", E("a", topic, href=_path_of(page, word + topic))) for topic in words],
                cls="sub-menu",
            )
            li.add(
                E("div", sub, sub_columns(page, own) if own.random() < 0.4 else None, cls="mega")
                if deep == 2
                else sub
            )
        ul.add(li)
    tag = page.pick("nav-tag", ["nav", "div", "nav", "table"])
    if tag == "table":
        cells = [E("td", li.kids, align="center") for li in ul.kids if isinstance(li, Node)]
        return E("table", E("tr", cells), width="100%", border="0")
    return E(tag, ul, cls=page.names("nav"))


def sub_columns(page: Page, own: object) -> Node:
    """A column of recent articles inside a mega menu."""
    rng = page.rng
    return E(
        "div",
        [
            E("p", E("a", page.lex.title(rng, odd=0), href=page.href(page.article_url(page.site.now))))
            for _ in range(rng.randint(2, 4))
        ],
        cls="mega-recent",
    )


def channels(page: Page) -> Node:
    """Rows of channels, as portals have them at the top: a hundred short links."""
    rows, topics = [], page.lex.data["topics"]
    for line in range(page.pick("channel-rows", [2, 3, 5])):
        words = page.site.rng(f"channels{line}").sample(topics, min(10, len(topics)))
        hosts = [f"https://{hash_of(word) % 97}{line}.{page.site.domain}/" for word in words]
        links = [E("a", word, href=host, target="_blank") for word, host in zip(words, hosts, strict=True)]
        rows.append(E("li", [kid for link in links for kid in (link, " ")]))
    more = [E("a", word, href=page.path(f"/ch/{at}")) for at, word in enumerate(page.lex.data["menu"])]
    below = E("p", [kid for link in more for kid in (link, " | ")])
    return E("div", E("ul", rows), below, cls=page.pick("channels", ["channels", "nav-all", "top-links"]))


def tongues(page: Page) -> Node:
    """A language switcher."""
    return E(
        "ul",
        [
            E("li", E("a", name, href=page.path(f"/{code}/"), hreflang=code))
            for name, code in _TONGUES[: page.pick("tongues", [2, 3, 6, 10])]
        ],
        cls="lang",
    )


def login_links(page: Page) -> Node:
    """Log in, register, cart."""
    parts: list[object] = [
        E("a", page.pick("login-word", page.lex.words("login")), href=page.path("/login")),
        " | ",
        E("a", page.pick("register-word", page.lex.words("register")), href=page.path("/register")),
    ]
    if page.chance("cart", 0.15):
        parts += [
            " ",
            E("a", E("span", str(page.rng.randint(0, 9)), cls="badge"), href=page.path("/cart"), cls="cart"),
        ]
    return E("div", parts, cls="userbar")


def search_box(page: Page) -> Node:
    """A search form."""
    return E(
        "form",
        E(
            "input",
            type="text",
            name=page.pick("search-name", ["s", "q", "keyword", "wd"]),
            placeholder=page.lex.word("search"),
        ),
        E("input", type="submit", value=page.lex.word("search")),
        action=page.path("/search"),
        method="get",
        cls="search",
    )


def header(page: Page) -> Node:
    """The top of the page."""
    logo_tag = page.pick("logo", ["h1", "div", "p"])
    logo = E(
        logo_tag,
        E(
            "a",
            E("img", src=page.path("/images/logo.png"), alt=page.site.domain)
            if page.chance("logo-image", 0.5)
            else page.site.domain,
            href=page.href(page.site.place.root + "/"),
        ),
        cls="logo",
    )
    parts: list[object] = [logo]
    if page.chance("has-login", 0.45):
        parts.insert(0, login_links(page))
    if page.chance("has-tongues", 0.2):
        parts.append(tongues(page))
    if page.chance("has-search", 0.5):
        parts.append(search_box(page))
    if page.chance("has-channels", 0.1):
        parts.append(channels(page))
    if page.chance("menu-inside", 0.6):
        return E(
            page.pick("header-tag", ["header", "div", "div"]), parts, menu(page), cls=page.names("header")
        )
    return E("div", E("div", parts, cls=page.names("header")), menu(page), cls=None)


def crumbs(page: Page, section: str) -> Node:
    """Where one is."""
    joint = page.pick("crumb-joint", [" > ", " » ", " / ", " › ", "\u00a0>>\u00a0"])
    parts: list[object] = [page.lex.word("breadcrumb") if page.chance("crumb-word", 0.5) else None]
    trail = [
        (page.lex.word("home"), page.site.place.root + "/"),
        (page.site.menu[0], page.site.place.root + "/c/"),
        (section, page.page_url(1)),
    ]
    if page.chance("crumb-list", 0.3):
        return E(
            "ol",
            [E("li", E("a", text, href=page.href(url))) for text, url in trail[:2]],
            E("li", section),
            cls=page.names("crumbs"),
        )
    for at, (text, url) in enumerate(trail):
        linked = at < 2 or page.chance("crumb-last", 0.4)
        parts += [joint if at else None, E("a", text, href=page.href(url)) if linked else E("span", text)]
    return E(
        page.pick("crumb-tag", ["div", "p", "nav", "td"]).replace("td", "div"),
        parts,
        cls=page.names("crumbs"),
    )


def footer(page: Page) -> Node:
    """Legal links, link farm, share buttons, copyright."""
    legal = E(
        "ul",
        [
            E("li", E("a", word, href=page.path(f"/about/{hash_of(word) % 90}.html")))
            for word in page.lex.words("legal")
        ],
    )
    parts: list[object] = []
    if page.chance("farm", 0.35):
        rng = page.site.rng("farm")
        names = [
            f"{rng.choice(page.lex.data['topics'])} {rng.choice(page.lex.data['stems']).title()}"
            for _ in range(rng.randint(6, 24))
        ]
        farm = [
            E(
                "a",
                name,
                href=f"http://www.{rng.choice(page.lex.data['stems'])}{at}.example.org/",
                target="_blank",
            )
            for at, name in enumerate(names)
        ]
        parts.append(E("div", [kid for link in farm for kid in (link, " ")], cls="friends"))
    if page.chance("footer-select", 0.1):
        parts.append(
            E(
                "select",
                E("option", "--"),
                [
                    E("option", word, value=f"http://{at}.example.org/")
                    for at, word in enumerate(page.lex.data["topics"][:6])
                ],
                onchange="window.open(this.value)",
            )
        )
    parts.append(
        legal
        if page.chance("legal-list", 0.6)
        else E("p", [kid for li in legal.kids if isinstance(li, Node) for kid in (*li.kids, " | ")])
    )
    if page.chance("footer-share", 0.4):
        parts.append(share(page))
    parts.append(E("p", f"© {page.site.now.year} {page.site.domain} {page.lex.word('rights')}"))
    if page.chance("to-top", 0.3):
        parts.append(E("a", page.lex.word("top"), href="#top"))
    return E(page.pick("footer-tag", ["footer", "div", "div"]), parts, cls=page.names("footer"))


def share(page: Page) -> Node:
    """Share buttons."""
    marks = ["facebook", "twitter", "weibo", "whatsapp", "linkedin", "telegram", "email"]
    return E(
        "div",
        E("span", page.lex.word("share")),
        [
            E(
                "a",
                E("i", cls=f"icon-{name}"),
                href=f"https://{name}.example.com/share?url={page.site.domain}",
                title=name,
            )
            for name in marks[: page.pick("shares", [2, 3, 5, 7])]
        ],
        cls=page.names("share"),
    )


_SCRIPT = """
var _hmt = _hmt || []; (function(){ var s = document.createElement('script'); s.async = 1;
s.src = '/js/stat.js?%s'; document.head.appendChild(s); })();
"""


def head(page: Page, title: str) -> Node:
    """The head of the document."""
    parts: list[object] = [
        E("meta", charset="utf-8")
        if page.chance("meta-charset", 0.7)
        else E("meta", http_equiv="Content-Type", content="text/html; charset=utf-8"),
        E("title", title),
    ]
    if page.base:
        parts.append(E("base", href=page.base))
    if page.chance("viewport", 0.7):
        parts.append(E("meta", name="viewport", content="width=device-width, initial-scale=1"))
    parts.append(E("link", rel="stylesheet", href=page.path("/css/style.css")))
    if page.chance("feed", 0.25):
        parts.append(
            E("link", rel="alternate", type="application/rss+xml", href=page.path("/feed/"), title="RSS")
        )
    if page.chance("head-script", 0.6):
        parts.append(E("script", Raw(_SCRIPT % page.site.place.token)))
    if page.chance("head-settings", 0.3):
        settings = {"ajax": page.site.place.root + "/ajax", "nonce": page.site.place.token}
        texts = page.lex.words("legal") + page.lex.words("more") + page.lex.words("consent")
        settings |= {f"msg{at}": text for at, text in enumerate(texts)}
        parts.append(E("script", Raw(f"var settings = {json.dumps(settings, ensure_ascii=False)};")))
    if page.chance("head-style", 0.4):
        parts.append(E("style", Raw(".clearfix:after{content:'';display:block;clear:both} a{color:#333}")))
    return E("head", parts)


def document(page: Page, title: str, *body: object, body_class: str | None = None) -> Node:
    """The whole document."""
    attrs = {"lang": page.lex.lang} if page.chance("lang-attr", 0.75) else {}
    if page.lex.rtl:
        attrs["dir"] = "rtl"
    return E("html", head(page, title), E("body", list(body), cls=body_class), **attrs)


def wrapped(page: Page, *kids: object) -> list[object]:
    """The kids inside some meaningless wrappers, more on some sites."""
    out: list[object] = list(kids)
    for level in range(page.pick("wrappers", [0, 0, 1, 1, 2, 3, 5])):
        out = [
            E(
                "div",
                out,
                cls=page.names(f"w{level}") if page.chance(f"wrap{level}", 0.5) else None,
                id=f"box{level}" if page.chance(f"wrap-id{level}", 0.2) else None,
            )
        ]
    return out
