"""Home pages, section pages of several short lists, shops and other listings that are no list of news."""

from __future__ import annotations

from datetime import timedelta

from . import clock
from .articles import framed, some_item
from .bars import flat, listed
from .chrome import crumbs, document, footer, header, search_box, wrapped
from .decoys import carousel, letters, options_bar, stars
from .dom import E, Node
from .labels import Draft
from .recipes import Special
from .rowparts import date, hash_of
from .sides import popular, sidebar
from .site import Page, Series, Site

_PATHS = ("section-id", "wp-date", "gov", "content", "section-slug", "slug", "dede-a", "art", "show")


def _short_list(page: Page, topic: str, at: int) -> Node:
    """A heading, a few rows and, mostly, a "more" link."""
    head = E("h2", E("a", topic, href=page.path(f"/{at}/")), cls=page.names("widgettitle"))
    if page.chance("home-more", 0.7):
        head.add(
            E("a", page.pick("home-more-word", page.lex.pager("more")), href=page.path(f"/{at}/"), cls="more")
        )
    rows = []
    for _ in range(page.rng.randint(3, 8)):
        item = some_item(page)
        item.form = page.pick("home-form", [None, None, "{mm}-{dd}", page.lex.formats[0]])
        rows.append(E("li", E("a", item.title, href=page.href(item.url)), " ", date(page, item)))
    return E("div", head, E("ul", rows), cls=page.names("widget"))


def homes(site: Site, wanted: int) -> list[Draft]:
    """Home pages of portals: many short lists, no bar."""
    page = Page(site, 1, Series(1, 10))
    page.url = site.place.root + "/"
    boxes = [_short_list(page, site.menu[at % len(site.menu)], at) for at in range(page.rng.randint(4, 12))]
    top = carousel(page) if page.chance("home-carousel", 0.7) else None
    side = sidebar(page) if page.chance("home-side", 0.4) else None
    body = wrapped(page, header(page), top, E("div", boxes, cls=page.names("main")), side, footer(page))
    kind = site.pick("home-kind", ["news_home", "home_or_other"])
    return [Draft(page, document(page, site.domain, body), kind, "no-list")]


def section_pages(site: Site, wanted: int) -> list[Draft]:
    """Pages of a section that show the head of two to five lists with "more" links."""
    page = Page(site, 1, Series(1, 10))
    boxes = [_short_list(page, word, at) for at, word in enumerate(site.menu[: page.rng.randint(2, 5)])]
    content = [crumbs(page, site.menu[0]), boxes]
    return [Draft(page, document(page, site.menu[0], framed(page, content)), "home_or_other", "no-list")]


def forum_homes(site: Site, wanted: int) -> list[Draft]:
    """The list of boards, each with its last post."""
    page = Page(site, 1, Series(1, 10))
    page.url = site.place.root + page.pick("board-path", ["/", "/forum/", "/index.php", "/bbs/"])
    body = E("tbody")
    for at, topic in enumerate(page.lex.data["topics"]):
        item = some_item(page)
        board = E(
            "td",
            E("h3", E("a", topic, href=page.path(f"/forum-{at + 2}-1.html"))),
            E("p", page.lex.paragraph(page.rng, 1, 1)),
        )
        last = E(
            "td",
            E("a", item.title[:24], href=page.href(item.url)),
            E("br"),
            date(page, item),
            " ",
            E("a", item.author, href=page.path("/u/7")),
        )
        body.add(E("tr", board, E("td", str(item.views)), E("td", str(item.comments)), last))
    table = E("table", body, cls=page.pick("boards", ["forumlist", "fl_tb", page.names("list")]))
    tree = document(page, site.domain, framed(page, table, E("p", page.lex.word("comments").format(n=4711))))
    return [Draft(page, tree, "forum_home", "no-list")]


def landings(site: Site, wanted: int) -> list[Draft]:
    """Home pages of firms: pictures, texts, a few links."""
    page = Page(site, 1, Series(1, 10))
    page.url = site.place.root + "/"
    parts = []
    for at in range(page.rng.randint(3, 8)):
        more = E("a", page.lex.words("more")[0], href=page.path(f"/page{at}/"))
        parts.append(
            E("section", E("h2", page.lex.title(page.rng, 0)), E("p", page.lex.paragraph(page.rng)), more)
        )
    slides = carousel(page) if page.chance("land-slides", 0.6) else None
    body = wrapped(page, header(page), slides, parts, footer(page))
    return [Draft(page, document(page, site.domain, body), "home_or_other", "no-list")]


def _product(page: Page) -> Node:
    item = some_item(page)
    url = page.href(item.url)
    return E(
        "li",
        E("a", E("img", src=page.path(f"/img/{item.number}.jpg"), alt=item.title), href=url),
        E("h3", E("a", item.title[:40], href=url)),
        E("span", f"{page.rng.randint(3, 900)}.{page.rng.randint(0, 99):02d} €", cls="price"),
        stars(page) if page.chance("shop-stars", 0.3) else None,
        E("a", page.lex.word("price"), href=page.path(f"/cart/add/{item.number}"), cls="btn"),
    )


def _event(page: Page) -> Node:
    item = some_item(page)
    when = clock.shown(
        page.site.now + timedelta(days=page.rng.randint(1, 60)), page.lex.formats[0], page.lex, page.site.now
    )
    link = E("a", item.title, href=page.href(item.url))
    return E(
        "li",
        E("span", when, cls="event-date"),
        E("h3", link),
        E("span", page.rng.choice(page.lex.data["where"])),
    )


def _review(page: Page) -> Node:
    item = some_item(page)
    rating = E("span", "★" * page.rng.randint(1, 5), cls="rating")
    who = E("a", item.author, href=page.path(f"/u/{hash_of(item.author) % 900}"))
    return E("li", rating, who, " ", date(page, item), E("p", page.lex.paragraph(page.rng, 1, 4)))


def _picture(page: Page) -> Node:
    item = some_item(page)
    image = E("img", src=page.path(f"/thumbs/{item.number}.jpg"), alt="")
    return E("li", E("a", image, href=page.href(item.url), title=item.title))


_CELLS = {"shop_list": _product, "event_list": _event, "review_list": _review, "media_list": _picture}


def _paged(site: Site, wanted: int, kind: str) -> list[Draft]:
    out = []
    total = site.pick("shop-pages", [2, 4, 12, 60])
    scheme = site.pick("shop-scheme", ["q-page", "q-p", "slash-page", "o-offset", "q-seite", "zero-page"])
    series = Series(total, 24, order="unsorted", key="none", scheme=scheme)
    for number in list(dict.fromkeys([1, min(2, total), total]))[:wanted]:
        page = Page(site, number, series)
        cells = [_CELLS[kind](page) for _ in range(page.rng.randint(5, 24))]
        make = page.pick("shop-bar", [flat, listed])
        top = make(page, None, series, number) if page.chance("shop-top", 0.5) else None
        options = options_bar(page, "hottest") if kind == "shop_list" else None
        rows = E("ul", cells, cls=page.names("list"))
        content = [options, top, rows, make(page, None, series, number)]
        out.append(Draft(page, document(page, site.menu[1], framed(page, content)), kind, "no-list"))
    return out


def shops(site: Site, wanted: int) -> list[Draft]:
    """Product lists: paged, but no news."""
    return _paged(site, wanted, "shop_list")


def other_lists(site: Site, wanted: int) -> list[Draft]:
    """Events, reviews and pictures: paged, but no news."""
    return _paged(site, wanted, site.pick("other-kind", ["event_list", "review_list", "media_list"]))


def search_forms(site: Site, wanted: int) -> list[Draft]:
    """A search form with many fields and no results."""
    page = Page(site, 1, Series(1, 10))
    fields = []
    for at, word in enumerate(page.lex.data["topics"][:7]):
        choice = E("select", [E("option", str(number)) for number in range(1, 13)])
        fields.append(E("p", E("label", word), choice if at % 2 else E("input", name=f"f{at}")))
    form = E(
        "form", fields, E("input", type="submit", value=page.lex.word("search")), action=page.path("/search")
    )
    content = [E("h1", page.lex.word("search")), form, letters(page), popular(page)]
    body = wrapped(page, header(page), E("div", content, cls=page.names("main")), footer(page))
    return [Draft(page, document(page, page.lex.word("search"), body), "home_or_other", "no-list")]


def directories(site: Site, wanted: int) -> list[Draft]:
    """Link directories, site maps and lists of names: many links, none of them an article."""
    page = Page(site, 1, Series(1, 10))
    groups = []
    for word in site.menu[: page.rng.randint(3, 8)]:
        names = page.rng.sample(page.lex.data["topics"], page.rng.randint(3, 9))
        links = [E("li", E("a", name, href=page.path(f"/{hash_of(word + name) % 999}/"))) for name in names]
        groups.append([E("h3", word), E("ul", links)])
    content = [letters(page) if page.chance("dir-letters", 0.5) else None, groups, search_box(page)]
    return [Draft(page, document(page, site.menu[0], framed(page, content)), "home_or_other", "no-list")]


HOME_FAMILIES: tuple[Special, ...] = (
    Special("portal-home", homes, _PATHS, weight=3),
    Special("section-page", section_pages, _PATHS, weight=2),
    Special("forum-home", forum_homes, ("thread", "topic")),
    Special("landing", landings, weight=2),
    Special("shop", shops, ("slug", "section-slug-id", "query"), weight=3),
    Special("other-lists", other_lists, ("slug", "section-slug-id", "query"), weight=2),
    Special("search-form", search_forms),
    Special("directory", directories, weight=2),
)
