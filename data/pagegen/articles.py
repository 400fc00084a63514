"""Articles, articles over several pages, forum threads, and pages that show one item each."""

from __future__ import annotations

from datetime import datetime, timedelta

from . import clock
from .bars import bar_link, flat, listed, two_ways
from .bars_wordpress import blog_pager, wp_older
from .chrome import channels, crumbs, document, footer, header, share, wrapped
from .decoys import stars
from .dom import E, Node
from .labels import Draft
from .pager import steps
from .recipes import Special
from .rowparts import excerpt, meta
from .sides import popular, recent, related, sidebar, tags
from .site import Item, Page, Series, Site

_PATHS = ("section-id", "wp-date", "gov", "content", "section-slug", "slug", "dede-a", "art", "show")


def framed(page: Page, *content: object) -> list[object]:
    """Header, the content with a side column on most sites, footer."""
    columns: list[object] = [E("div", list(content), cls=page.names("main"))]
    if page.chance("article-side", 0.7):
        columns.insert(page.pick("article-side-at", [0, 1]), sidebar(page))
    return wrapped(page, header(page), E("div", columns, cls=page.names("page")), footer(page))


def some_item(page: Page) -> Item:
    """A made-up article of any age."""
    lex, rng = page.lex, page.rng
    when = page.site.now - timedelta(minutes=rng.randint(10, 900_000))
    form = page.pick("article-date", [form for form in lex.formats if "{y}" in form])
    item = Item(lex.title(rng), page.article_url(when), when, form=form, number=page.serial)
    item.author, item.cat = rng.choice(lex.data["people"]), rng.choice(lex.data["topics"])
    item.comments, item.views = rng.randint(0, 90), rng.randint(10, 9000)
    return item


def _text(page: Page) -> Node:
    paragraphs: list[Node] = []
    for _ in range(page.rng.randint(3, 9)):
        paragraph = E("p", page.lex.paragraph(page.rng, 2, 6))
        if page.rng.random() < 0.2:
            tag = E(
                "a",
                page.rng.choice(page.lex.data["topics"]),
                href=page.path(f"/tag/{page.rng.randint(1, 99)}"),
            )
            paragraph.add(" ", tag, " ", page.lex.paragraph(page.rng, 1, 1))
        paragraphs.append(paragraph)
    if page.rng.random() < 0.3:
        paragraphs.insert(1, E("p", E("img", src=page.path(f"/uploads/{page.serial}.jpg"), alt="")))
    if page.rng.random() < 0.15:
        paragraphs.append(E("ul", [E("li", page.lex.paragraph(page.rng, 1, 1)) for _ in range(4)]))
    classes = ["content", "entry-content", "article-body", "text", "TRS_Editor", None]
    return E("div", paragraphs, cls=page.pick("text-class", classes))


def _neighbour(page: Page, key: str) -> Node:
    link = E("a", page.lex.title(page.rng), href=page.href(page.article_url(page.site.now)))
    if page.chance("nb-rel", 0.3):
        link.attrs["rel"] = key
    word = page.lex.word("prevarticle" if key == "prev" else "nextarticle")
    if page.chance("nb-word-in", 0.4):
        link.kids.insert(0, E("span", word))
        return E("div", link, cls=f"nav-{'previous' if key == 'prev' else 'next'}")
    if page.chance("nb-word-only", 0.25):
        link.kids[:] = [word]
        return E("span", link, cls=key)
    return E("p", word, ": " if page.lex.space else "：", link)


def neighbours(page: Page) -> Node:
    """Previous and next article: links to articles, no pagination."""
    pair = [_neighbour(page, "prev"), _neighbour(page, "next")]
    if page.chance("nb-one", 0.15):
        pair.pop(page.rng.randrange(2))
    classes = ["post-navigation", "prevnext", "pages", "nav-links", "pager", None]
    return E(page.pick("nb-tag", ["div", "nav", "div"]), pair, cls=page.pick("nb-class", classes))


def _comments(page: Page, count: int) -> Node:
    box = E("div", E("h3", page.lex.word("comments").format(n=count)), id="comments")
    for at in range(count):
        who = E("a", page.rng.choice(page.lex.data["people"]), href=page.path(f"/u/{at + 7}"))
        when = clock.shown(
            page.site.now - timedelta(hours=at * 7 + 1), page.lex.formats[0], page.lex, page.site.now
        )
        reply = E("a", page.lex.word("quote"), href=f"#comment-{at}")
        box.add(E("div", who, " ", E("span", when), E("p", page.lex.paragraph(page.rng, 1, 2)), reply))
    return box


def article_page(page: Page, item: Item, *middle: object) -> Node:
    """The whole document of an article."""
    level = page.pick("art-level", ["h1", "h1", "h2", "div"])
    content: list[object] = [crumbs(page, item.cat) if page.chance("art-crumbs", 0.6) else None]
    content += [E(level, item.title, cls=page.names("title")), meta(page, item), _text(page), *middle]
    if page.chance("art-share", 0.5):
        content.append(share(page))
    if page.chance("art-stars", 0.12):
        content.append(stars(page))
    if page.chance("art-nb", 0.6):
        content.append(neighbours(page))
    if page.chance("art-related", 0.6):
        content.append(related(page))
    if page.chance("art-comments", 0.4):
        content.append(_comments(page, page.rng.randint(1, 8)))
    body_class = page.pick("art-body", [None, "single", "article", f"postid-{item.number}"])
    return document(page, f"{item.title} - {page.site.domain}", framed(page, content), body_class=body_class)


def articles(site: Site, wanted: int) -> list[Draft]:
    """Articles; their links to the articles before and after are no pagination."""
    out = []
    for number in range(1, wanted + 1):
        page = Page(site, number, Series(1, 10))
        item = some_item(page)
        page.url = item.url if item.url.startswith(site.place.root) else page.url
        out.append(Draft(page, article_page(page, item), "article", "no-list"))
    return out


def paged_articles(site: Site, wanted: int) -> list[Draft]:
    """Articles over several pages, with a bar that turns the pages of the text."""
    out = []
    total = site.pick("parts", [2, 3, 4, 6, 9])
    scheme = site.pick("part-scheme", ["stem-n", "stem-under", "slash-number", "q-page", "list-cat-n"])
    for number in {1: [2], 2: [1, total], 3: [1, 2, total]}[wanted]:
        series = Series(total, 1, order="unsorted", key="none", scheme=scheme)
        page = Page(site, number, series)
        item = some_item(page)
        bar = page.pick("part-bar", [flat, listed])(page, None, series, number)
        out.append(Draft(page, article_page(page, item, bar), "article_paged", "no-list"))
    return out


def _post(page: Page, number: int, at: int, when: datetime, in_table: bool) -> Node:
    said_at = clock.shown(when, "{y}-{mm}-{dd} {H}:{M}", page.lex, page.site.now)
    name = E("a", page.rng.choice(page.lex.data["people"]), href=page.path(f"/space-uid-{at + 3}.html"))
    who = E("div", name, E("p", f"{page.lex.word('replies')}: {page.rng.randint(1, 900)}"), cls="author")
    anchor = E("a", f"#{(number - 1) * 15 + at + 1}", href=page.href(f"{page.url}#post{at}"))
    quote = E("a", page.lex.word("quote"), href=page.path(f"/reply.php?p={at}"))
    text = E("div", page.lex.paragraph(page.rng, 1, 4))
    said = E("div", anchor, " ", E("span", said_at, cls=page.names("date")), text, quote, cls="post")
    return E("tr", E("td", who), E("td", said)) if in_table else E("div", who, said)


def threads(site: Site, wanted: int) -> list[Draft]:
    """Threads of a forum; the bar pages the replies, and now and then bears Baidu's class."""
    out = []
    total = site.pick("reply-pages", [1, 2, 3, 8, 40])
    scheme = site.pick("thread-scheme", ["q-showforum", "forum-dash", "o-start", "slash-page"])
    series = Series(total, 15, order="oldest-first", key="none", scheme=scheme)
    for number in list(dict.fromkeys([1, min(2, total), total]))[:wanted]:
        page = Page(site, number, series)
        title = page.lex.title(page.rng)
        posts = E(
            page.pick("posts-tag", ["div", "table"]),
            cls=page.pick("posts-class", ["posts", "topic", "thread", None]),
        )
        when = page.site.now - timedelta(days=100)
        for at in range(page.rng.randint(3, 12)):
            when += timedelta(hours=page.rng.randint(1, 30))
            posts.add(_post(page, number, at, when, posts.tag == "table"))
        bars = [
            page.pick("thread-bar", [flat, listed])(page, None, series, number)
            for _ in range(page.pick("thread-bars", [1, 2, 2]))
        ]
        for bar in bars:
            # The bar turns pages forwards, whatever the order of the posts.
            if site.lex.lang == "zh-CN" and site.chance("thread-baidu", 0.25):
                bar.has_class("Baidu_paging_indicator")
        for number_of_bar in page.older_pages:
            page.older_pages[number_of_bar] = number + 1 if number < total else None
        shown = bars if total > 1 else []
        content = [crumbs(page, page.lex.word("subject")), E("h1", title), shown[:1], posts, shown[1:]]
        content.append(neighbours(page) if page.chance("thread-nb", 0.4) else None)
        out.append(Draft(page, document(page, title, framed(page, content)), "forum_thread", "no-list"))
    return out


def item_pages(site: Site, wanted: int) -> list[Draft]:
    """Comics and day pages: one item on a page, the ways to its neighbours are the only navigation."""
    out = []
    total = site.pick("strips", [40, 300, 2000])
    full = site.chance("strip-ends", 0.6)
    older_word = site.chance("strip-older", 0.3)
    # Page 1 is the oldest here: "previous" leads to older items.
    series = Series(
        total, 1, order="oldest-first", scheme=site.pick("strip-scheme", ["slash-number", "q-p", "stem-n"])
    )
    for number in [total, total // 2, 2][:wanted]:
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
        item = some_item(page)
        picture = E("img", src=page.path(f"/comics/{number}.png"), alt=item.title)
        line = E("div", [kid for link in links for kid in (link, " ")], cls=page.names("bar"))
        tree = document(page, item.title, framed(page, E("h2", item.title), picture, line, excerpt(page)))
        out.append(Draft(page, tree, "item_nav", "no-list"))
    return out


def portal_articles(site: Site, wanted: int) -> list[Draft]:
    """Articles of big portals: a short text among hundreds of links to other articles."""
    out = []
    for number in range(1, wanted + 1):
        page = Page(site, number, Series(1, 10))
        item = some_item(page)
        page.url = item.url if item.url.startswith(site.place.root) else page.url
        around = [make(page) for make in (related, popular, recent, related, tags)[: page.rng.randint(2, 5)]]
        head = [channels(page), crumbs(page, item.cat), E("h1", item.title), meta(page, item)]
        content = [*head, _text(page), share(page), *around]
        side = E("div", [make(page) for make in (popular, recent, popular)], cls=page.names("side"))
        body = wrapped(page, header(page), E("div", content, cls=page.names("main")), side, footer(page))
        out.append(Draft(page, document(page, item.title, body), "article", "no-list"))
    return out


def single_posts(site: Site, wanted: int) -> list[Draft]:
    """A blog that shows one post a page, with the ways to the older and the newer one."""
    out = []
    total = site.pick("posts", [30, 200, 900])
    series = Series(total, 1, scheme=site.pick("single-scheme", ["updated-max", "root-page", "q-paged"]))
    make = site.pick("single-bar", [blog_pager, wp_older, two_ways])
    for number in [1, total // 2, total][:wanted]:
        page = Page(site, number, series)
        item = some_item(page)
        title = E("h3", E("a", item.title, href=page.href(item.url)), cls=page.names("title"))
        foot = _comments(page, 2) if page.chance("single-comments", 0.3) else None
        content = [title, meta(page, item), _text(page), foot, make(page, None, series, number)]
        out.append(Draft(page, document(page, site.domain, framed(page, content)), "item_nav", "no-list"))
    return out


ARTICLE_FAMILIES: tuple[Special, ...] = (
    Special("article", articles, _PATHS, weight=10),
    Special("article-paged", paged_articles, _PATHS, weight=2),
    Special("thread", threads, ("thread", "topic", "showthread"), weight=4),
    Special("portal-article", portal_articles, _PATHS, weight=3),
    Special("item-pages", item_pages, ("slug", "section-id"), weight=2),
    Special("single-posts", single_posts, ("blogger", "wp-date", "slug")),
)
