"""Pages that are no list of news: articles, threads, home pages, shops, and what stands in a list's way."""

from __future__ import annotations

import json
from datetime import timedelta

from . import clock
from .bars import bar_link, flat, listed
from .chrome import crumbs, document, footer, header, login_links, share, wrapped
from .dom import E, Node, Raw
from .labels import Draft
from .pager import steps
from .recipes import Special
from .rows import date, excerpt, meta
from .sides import ABOVE, BELOW, carousel, options_bar, related, sidebar, stars
from .site import Item, Page, Series, Site


def _framed(page: Page, *content: object) -> list[object]:
    columns: list[object] = [E("div", list(content), cls=page.names("main"))]
    if page.chance("article-side", 0.7):
        columns.insert(page.pick("article-side-at", [0, 1]), sidebar(page))
    return wrapped(page, header(page), E("div", columns, cls=page.names("page")), footer(page))


def _item(page: Page) -> Item:
    lex, rng = page.lex, page.rng
    when = page.site.now - timedelta(minutes=rng.randint(10, 900_000))
    form = page.pick("article-date", [form for form in lex.formats if "{y}" in form])
    return Item(
        lex.title(rng),
        page.article_url(when),
        when,
        rng.choice(lex.data["people"]),
        rng.choice(lex.data["topics"]),
        rng.randint(0, 90),
        rng.randint(10, 9000),
        page.serial,
        form=form,
    )


def _body(page: Page, low: int = 3, high: int = 9) -> Node:
    paragraphs: list[Node] = []
    for _ in range(page.rng.randint(low, high)):
        paragraph = E("p", page.lex.paragraph(page.rng, 2, 6))
        if page.rng.random() < 0.2:
            paragraph.add(
                " ",
                E(
                    "a",
                    page.rng.choice(page.lex.data["topics"]),
                    href=page.path(f"/tag/{page.rng.randint(1, 99)}"),
                ),
                " ",
                page.lex.paragraph(page.rng, 1, 1),
            )
        paragraphs.append(paragraph)
    if page.rng.random() < 0.3:
        paragraphs.insert(1, E("p", E("img", src=page.path(f"/uploads/{page.serial}.jpg"), alt="")))
    if page.rng.random() < 0.15:
        paragraphs.append(E("ul", [E("li", page.lex.paragraph(page.rng, 1, 1)) for _ in range(4)]))
    return E(
        "div",
        paragraphs,
        cls=page.pick("body-cls", ["content", "entry-content", "article-body", "text", "TRS_Editor", None]),
    )


def _neighbours(page: Page) -> Node:
    """Previous and next article: links to articles, no pagination."""

    def one(key: str) -> Node:
        link = E(
            "a",
            page.lex.title(page.rng),
            href=page.href(page.article_url(page.site.now)),
            rel=key if page.chance("nb-rel", 0.3) else None,
        )
        word = page.lex.word("prevarticle" if key == "prev" else "nextarticle")
        if page.chance("nb-word-in", 0.4):
            link.kids.insert(0, E("span", word))
            return E("div", link, cls=f"nav-{'previous' if key == 'prev' else 'next'}")
        if page.chance("nb-word-only", 0.25):
            link.kids[:] = [word]
            return E("span", link, cls=key)
        return E("p", word, "：" if not page.lex.space else ": ", link)

    return E(
        page.pick("nb-tag", ["div", "nav", "div"]),
        one("prev"),
        one("next"),
        cls=page.pick("nb-cls", ["post-navigation", "prevnext", "pages", "nav-links", None]),
    )


def _comments(page: Page, count: int) -> Node:
    box = E("div", E("h3", page.lex.word("comments").format(n=count)), id="comments")
    for at in range(count):
        who = page.rng.choice(page.lex.data["people"])
        when = page.site.now - timedelta(hours=at * 7 + 1)
        box.add(
            E(
                "div",
                E("a", who, href=page.path(f"/u/{at + 7}")),
                " ",
                E("span", clock.shown(when, page.lex.formats[0], page.lex, page.site.now)),
                E("p", page.lex.paragraph(page.rng, 1, 2)),
                E("a", page.lex.word("quote"), href=f"#comment-{at}"),
            )
        )
    return box


def article_page(page: Page, item: Item, *middle: object) -> Node:
    """The whole document of an article."""
    content: list[object] = [
        crumbs(page, item.cat) if page.chance("art-crumbs", 0.6) else None,
        E(page.pick("art-level", ["h1", "h1", "h2", "div"]), item.title, cls=page.names("title")),
        meta(page, item),
        _body(page),
        list(middle),
    ]
    if page.chance("art-share", 0.5):
        content.append(share(page))
    if page.chance("art-stars", 0.12):
        content.append(stars(page))
    if page.chance("art-nb", 0.6):
        content.append(_neighbours(page))
    if page.chance("art-related", 0.6):
        content.append(related(page))
    if page.chance("art-comments", 0.4):
        content.append(_comments(page, page.rng.randint(1, 8)))
    return document(
        page,
        f"{item.title} - {page.site.domain}",
        _framed(page, content),
        body_class=page.pick("art-body", [None, "single", "article", f"postid-{item.number}"]),
    )


def articles(site: Site, wanted: int) -> list[Draft]:
    """Articles; their links to the articles before and after are no pagination."""
    out = []
    for number in range(1, wanted + 1):
        page = Page(site, number, Series(1, 10))
        item = _item(page)
        page.url = item.url if item.url.startswith(site.place.root) else page.url
        out.append(Draft(page, article_page(page, item), "article", "no-list"))
    return out


def paged_articles(site: Site, wanted: int) -> list[Draft]:
    """Articles over several pages, with a bar that turns the pages of the text."""
    out = []
    total = site.pick("parts", [2, 3, 4, 6, 9])
    for number in {1: [2], 2: [1, total], 3: [1, 2, total]}[wanted]:
        series = Series(
            total,
            1,
            scheme=site.pick("part-scheme", ["stem-n", "stem-under", "slash-number", "q-page", "list-cat-n"]),
        )
        page = Page(site, number, series)
        item = _item(page)
        bar = page.pick("part-bar", [flat, listed])(page, None, series, number)
        out.append(Draft(page, article_page(page, item, bar), "article_paged", "no-list"))
    return out


def threads(site: Site, wanted: int) -> list[Draft]:
    """Threads of a forum; the bar pages the replies."""
    out = []
    total = site.pick("reply-pages", [1, 2, 3, 8, 40])
    series = Series(
        total, 15, scheme=site.pick("thread-scheme", ["q-showforum", "forum-dash", "o-start", "slash-page"])
    )
    for number in dict.fromkeys([1, min(2, total), total][:wanted]):
        page = Page(site, number, series)
        title = page.lex.title(page.rng)
        posts = E(
            page.pick("posts-tag", ["div", "table"]),
            cls=page.pick("posts-cls", ["posts", "topic", "thread", None]),
        )
        when = page.site.now - timedelta(days=100)
        for at in range(page.rng.randint(3, 12)):
            when += timedelta(hours=page.rng.randint(1, 30))
            who = E(
                "div",
                E("a", page.rng.choice(page.lex.data["people"]), href=page.path(f"/space-uid-{at + 3}.html")),
                E("p", f"{page.lex.word('replies')}: {page.rng.randint(1, 900)}"),
                cls="author",
            )
            said = E(
                "div",
                E("a", f"#{(number - 1) * 15 + at + 1}", href=page.href(f"{page.url}#post{at}")),
                " ",
                E(
                    "span",
                    clock.shown(when, "{y}-{mm}-{dd} {H}:{M}", page.lex, page.site.now),
                    cls=page.names("date"),
                ),
                E("div", page.lex.paragraph(page.rng, 1, 4)),
                E("a", page.lex.word("quote"), href=page.path(f"/reply.php?p={at}")),
                cls="post",
            )
            posts.add(E("tr", E("td", who), E("td", said)) if posts.tag == "table" else E("div", who, said))
        make = page.pick("thread-bar", [flat, listed])
        bars = [
            make(page, None, series, number) if total > 1 else None
            for _ in range(page.pick("thread-bars", [1, 2, 2]))
        ]
        tree = document(
            page,
            title,
            _framed(
                page,
                crumbs(page, page.lex.word("subject")),
                E("h1", title),
                bars[0],
                posts,
                bars[1:],
                _neighbours(page) if page.chance("thread-nb", 0.4) else None,
            ),
        )
        out.append(Draft(page, tree, "forum_thread", "no-list"))
    return out


def homes(site: Site, wanted: int) -> list[Draft]:
    """Home pages of portals: many short lists, each with a "more" link, no bar."""
    page = Page(site, 1, Series(1, 10))
    page.url = site.place.root + "/"
    boxes = []
    for at in range(page.rng.randint(4, 12)):
        topic = site.menu[at % len(site.menu)]
        head = E("h2", E("a", topic, href=page.path(f"/{at}/")), cls=page.names("widgettitle"))
        if page.chance("home-more", 0.7):
            head.add(
                E(
                    "a",
                    page.pick("home-more-word", page.lex.pager("more")),
                    href=page.path(f"/{at}/"),
                    cls="more",
                )
            )
        rows = []
        for _ in range(page.rng.randint(3, 8)):
            item = _item(page)
            item.form = page.pick("home-form", [None, None, "{mm}-{dd}", page.lex.formats[0]])
            rows.append(E("li", E("a", item.title, href=page.href(item.url)), " ", date(page, item)))
        boxes.append(E("div", head, E("ul", rows), cls=page.names("widget")))
    top = carousel(page) if page.chance("home-carousel", 0.7) else None
    tree = document(
        page,
        site.domain,
        wrapped(
            page,
            header(page),
            top,
            E("div", boxes, cls=page.names("main")),
            sidebar(page) if page.chance("home-side", 0.4) else None,
            footer(page),
        ),
    )
    return [Draft(page, tree, site.pick("home-kind", ["news_home", "home_or_other"]), "no-list")]


def landings(site: Site, wanted: int) -> list[Draft]:
    """Home pages of firms: pictures, texts, a few links."""
    page = Page(site, 1, Series(1, 10))
    page.url = site.place.root + "/"
    parts = [
        E(
            "section",
            E("h2", page.lex.title(page.rng, 0)),
            E("p", page.lex.paragraph(page.rng)),
            E("a", page.lex.words("more")[0], href=page.path(f"/page{at}/")),
            cls=f"block{at}",
        )
        for at in range(page.rng.randint(3, 8))
    ]
    tree = document(
        page,
        site.domain,
        wrapped(
            page,
            header(page),
            carousel(page) if page.chance("land-slides", 0.6) else None,
            parts,
            footer(page),
        ),
    )
    return [Draft(page, tree, "home_or_other", "no-list")]


def shops(site: Site, wanted: int) -> list[Draft]:
    """Product lists: paged, but not news."""
    out = []
    total = site.pick("shop-pages", [2, 4, 12, 60])
    series = Series(
        total,
        24,
        order="unsorted",
        key="none",
        scheme=site.pick("shop-scheme", ["q-page", "q-p", "slash-page", "o-offset", "q-seite"]),
    )
    for number in dict.fromkeys([1, min(2, total), total][:wanted]):
        page = Page(site, number, series)
        cells = []
        for _ in range(page.rng.randint(6, 24)):
            item = _item(page)
            url = page.href(item.url)
            cells.append(
                E(
                    "li",
                    E("a", E("img", src=page.path(f"/img/{item.number}.jpg"), alt=item.title), href=url),
                    E("h3", E("a", item.title[:40], href=url)),
                    E("span", f"{page.rng.randint(3, 900)}.{page.rng.randint(0, 99):02d} €", cls="price"),
                    stars(page) if page.chance("shop-stars", 0.3) else None,
                    E("a", page.lex.word("price"), href=page.path(f"/cart/add/{item.number}"), cls="btn"),
                )
            )
        make = page.pick("shop-bar", [flat, listed])
        top = make(page, None, series, number) if page.chance("shop-top", 0.5) else None
        tree = document(
            page,
            site.menu[1],
            _framed(
                page,
                options_bar(page),
                top,
                E("ul", cells, cls=page.names("list")),
                make(page, None, series, number),
            ),
        )
        out.append(Draft(page, tree, "shop_list", "no-list"))
    return out


def item_pages(site: Site, wanted: int) -> list[Draft]:
    """Comics and day pages: one item on a page, the ways to its neighbours are the only navigation."""
    out = []
    total = site.pick("strips", [40, 300, 2000])
    full = site.chance("strip-ends", 0.6)
    older_word = site.chance("strip-older", 0.3)
    for number in [total, total // 2, 2][:wanted]:
        # Here page 1 is the oldest: "previous" leads to older items.
        series = Series(
            total,
            1,
            order="oldest-first",
            scheme=site.pick("strip-scheme", ["slash-number", "q-p", "stem-n"]),
        )
        page = Page(site, number, series)
        bar = page.new_bar(None, number - 1 if number > 1 else None)
        found = [
            step
            for step in steps(page, series, number, "words", "flpn")
            if full or step.kind in {"next", "prev"}
        ]
        for step in found:
            if older_word and step.kind in {"next", "prev"}:
                step.text, step.face = page.lex.pager("older" if step.kind == "prev" else "newer")[0], "text"
        links = [bar_link(page, step, bar, series) for step in found if not step.off]
        item = _item(page)
        picture = E("img", src=page.path(f"/comics/{number}.png"), alt=item.title)
        tree = document(
            page,
            item.title,
            _framed(
                page,
                E("h2", item.title),
                picture,
                E("div", [kid for link in links for kid in (link, " ")], cls=page.names("bar")),
                excerpt(page),
            ),
        )
        out.append(Draft(page, tree, "item_nav", "no-list"))
    return out


def _plain(page: Page, title: str, *content: object, bare: bool = False) -> Node:
    body = (
        list(content)
        if bare
        else wrapped(page, header(page), E("div", list(content), cls=page.names("main")), footer(page))
    )
    return document(page, title, body)


def obstacles(site: Site, wanted: int) -> list[Draft]:
    """What is served in the place of a list: log-in, consent, challenge, soft 404, parked, shell, empty."""
    page = Page(site, 1, Series(1, 10))
    lex = page.lex
    which = site.pick(
        "obstacle", ["login", "consent", "blocked", "soft_404", "parked", "script_shell", "empty", "empty"]
    )
    bare = site.chance("bare", 0.5)
    if which == "login":
        form = E(
            "form",
            E("label", lex.word("username"), E("input", name="user", type="text")),
            E("label", lex.word("password"), E("input", name="pass", type="password")),
            E("input", type="submit", value=lex.words("login")[0]),
            method="post",
            action=page.path("/login"),
        )
        tree = _plain(
            page,
            lex.words("login")[0],
            E("h1", lex.words("login")[0]),
            E("p", lex.word("loginneeded")),
            form,
            login_links(page),
            bare=bare,
        )
    elif which == "consent":
        words = lex.words("consent")
        tree = _plain(
            page,
            words[0],
            E(
                "div",
                E("h2", words[0]),
                E("p", words[1]),
                E("button", words[2]),
                E("a", words[3], href=page.path("/consent/options")),
                E("a", lex.words("legal")[0], href=page.path("/privacy")),
                cls="cmp-dialog",
                role="dialog",
            ),
            bare=True,
        )
    elif which == "blocked":
        words = lex.words("challenge")
        tree = _plain(
            page,
            words[0],
            E("h1", words[0]),
            E("p", words[1]),
            E(
                "div",
                id="challenge-form",
                cls=page.pick("captcha", ["g-recaptcha", "h-captcha", "verify-box"]),
            ),
            E("script", Raw("setTimeout(function(){location.reload()},4000)")),
            E("p", words[2]),
            E("p", f"Ray ID: {page.rng.getrandbits(48):x}"),
            bare=True,
        )
    elif which == "soft_404":
        words = lex.words("notfound")
        tree = _plain(
            page,
            words[0],
            E("h1", page.pick("404", ["404", words[0]])),
            E("p", words[1]),
            E("a", lex.word("home"), href=page.path("/")),
            related(page) if page.chance("404-related", 0.3) else None,
            bare=bare,
        )
    elif which == "parked":
        words = lex.words("parked")
        links = [
            E("li", E("a", topic, href=f"http://ads.example.net/click?k={at}"))
            for at, topic in enumerate(lex.data["topics"][:8])
        ]
        tree = _plain(
            page,
            site.domain,
            E("h1", site.domain),
            E("p", words[0]),
            E("a", words[1], href="https://sale.example.net/?d=" + site.domain),
            E("h4", words[2]),
            E("ul", links),
            bare=True,
        )
    elif which == "script_shell":
        data = json.dumps({"props": {"page": 1}, "buildId": site.place.token})
        tree = document(
            page,
            site.domain,
            E("noscript", lex.word("noscript")),
            E("div", id=page.pick("root-id", ["root", "app", "__next"])),
            E("script", Raw(data), type="application/json"),
            E("script", src=page.path("/static/js/main.js")),
        )
    else:
        holder = E(page.pick("empty-tag", ["ul", "div", "table"]), cls=page.names("list"))
        tree = _plain(
            page,
            site.menu[0],
            crumbs(page, site.menu[0]),
            E("h1", site.menu[0]),
            holder,
            E("p", page.pick("empty-word", lex.words("empty"))),
            sidebar(page) if page.chance("empty-side", 0.5) else None,
        )
    verdict = {"soft_404": "soft-404", "script_shell": "shell"}.get(which, which)
    return [Draft(page, tree, which, verdict)]


def search_forms(site: Site, wanted: int) -> list[Draft]:
    """A search form with many fields and no results."""
    page = Page(site, 1, Series(1, 10))
    fields = [
        E(
            "p",
            E("label", word),
            E("select", [E("option", str(at)) for at in range(1, 13)])
            if at % 2
            else E("input", name=f"f{at}"),
        )
        for at, word in enumerate(page.lex.data["topics"][:7])
    ]
    tree = _plain(
        page,
        page.lex.word("search"),
        E("h1", page.lex.word("search")),
        E(
            "form",
            fields,
            E("input", type="submit", value=page.lex.word("search")),
            action=page.path("/search"),
        ),
        [make(page) for make in ABOVE[1:2] + BELOW[2:]],
    )
    return [Draft(page, tree, "home_or_other", "no-list")]


_ART = ("section-id", "wp-date", "gov", "content", "section-slug", "slug", "dede-a", "art", "show")
SPECIALS: tuple[Special, ...] = (
    Special("article", articles, _ART, weight=4),
    Special("article-paged", paged_articles, _ART),
    Special("thread", threads, ("thread", "topic", "showthread"), weight=2),
    Special("portal-home", homes, _ART, weight=2),
    Special("landing", landings),
    Special("shop", shops, ("slug", "section-slug-id", "query"), weight=2),
    Special("item-pages", item_pages, ("slug", "section-id")),
    Special("obstacle", obstacles, ("section-id", "slug"), weight=4),
    Special("search-form", search_forms),
)
