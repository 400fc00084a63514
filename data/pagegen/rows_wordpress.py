"""Lists in the shape in which WordPress and Blogger write them."""

from __future__ import annotations

from collections.abc import Sequence

from . import clock
from .dom import E, Node
from .rowparts import author, category, comments, date_text, excerpt, hash_of, read_more
from .rows import Rows
from .site import Item, Page


def wp_classic(page: Page, items: Sequence[Item], block: int) -> Node:
    """WordPress of 2010: the date links to the article as well; categories and comments in a line below."""
    box = E("div", id="content", role="main")
    for item in items:
        post = E(
            "div",
            id=f"post-{item.number}",
            cls=f"post-{item.number} post type-post status-publish hentry category-{hash_of(item.cat) % 40}",
        )
        if item.pinned:
            post.has_class("sticky")
        when = (
            E(
                "a",
                E("span", date_text(page, item), cls="entry-date"),
                href=page.href(item.url),
                title=f"{item.when:%H:%M}",
                rel="bookmark",
            )
            if item.form
            else None
        )
        post.add(
            E("h2", page.title_link(item, block), cls="entry-title"),
            E(
                "div",
                E("span", page.lex.word("date") + " ", cls="meta-prep"),
                when,
                " ",
                E("span", author(page, item), cls="author vcard"),
                cls="entry-meta",
            ),
            E(
                "div",
                excerpt(page),
                read_more(page, item) if page.chance("wpc-more", 0.6) else None,
                cls="entry-summary",
            ),
            E(
                "div",
                E("span", page.lex.word("categories") + ": ", category(page, item)),
                " | ",
                E("span", comments(page, item), cls="comments-link"),
                cls="entry-utility",
            ),
        )
        box.add(post)
    return box


def wp_modern(page: Page, items: Sequence[Item], block: int) -> Node:
    """WordPress of later years: article, header, footer, two <time> elements."""
    box = E("main", id="main", cls="site-main")
    level = page.pick("wpm-level", ["h2", "h2", "h1"])
    for item in items:
        stamp = f"{item.when:%Y-%m-%dT%H:%M:%S}+00:00"
        posted = None
        if item.form:
            times = [E("time", date_text(page, item), cls="entry-date published", datetime=stamp)]
            if page.chance("wpm-updated", 0.4):
                times.append(E("time", date_text(page, item), cls="updated", datetime=stamp))
            linked = page.chance("wpm-date-link", 0.6)
            posted = E(
                "span",
                E("a", times, href=page.href(item.url), rel="bookmark") if linked else times,
                cls="posted-on",
            )
        details = E(
            page.pick("wpm-meta", ["div", "footer"]),
            posted,
            " ",
            E("span", author(page, item), cls="byline"),
            E("span", category(page, item), cls="cat-links"),
            cls="entry-meta",
        )
        picture = (
            E(
                "a",
                E("img", src=page.path(f"/wp-content/uploads/{item.number}.jpg"), alt=""),
                href=page.href(item.url),
                cls="post-thumbnail",
                aria_hidden="true",
                tabindex="-1",
            )
            if page.chance("wpm-thumb", 0.5)
            else None
        )
        post = E(
            "article",
            E("header", E(level, page.title_link(item, block), cls="entry-title"), cls="entry-header"),
            picture,
            E("div", excerpt(page), cls="entry-content"),
            details,
            id=f"post-{item.number}",
            cls=f"post-{item.number} post type-post hentry category-{hash_of(item.cat) % 40}",
        )
        box.add(post.has_class("sticky") if item.pinned else post)
    return box


def wp_block(page: Page, items: Sequence[Item], block: int) -> Node:
    """WordPress block themes."""
    ul = E(
        "ul",
        cls="wp-block-post-template is-layout-flow"
        + page.pick("wpb-grid", ["", " is-flex-container columns-3"]),
    )
    for item in items:
        parts: list[object] = [E("h2", page.title_link(item, block), cls="wp-block-post-title")]
        if item.form:
            when = E("time", date_text(page, item), datetime=f"{item.when:%Y-%m-%dT%H:%M:%S}+00:00")
            parts.append(
                E(
                    "div",
                    E("a", when, href=page.href(item.url)) if page.chance("wpb-date-link", 0.5) else when,
                    cls="wp-block-post-date",
                )
            )
        if page.chance("wpb-image", 0.5):
            parts.insert(
                0,
                E(
                    "figure",
                    E(
                        "a",
                        E("img", src=page.path(f"/wp-content/uploads/{item.number}.jpg"), alt=item.title),
                        href=page.href(item.url),
                        target="_self",
                    ),
                    cls="wp-block-post-featured-image",
                ),
            )
        if page.chance("wpb-text", 0.6):
            parts.append(E("div", excerpt(page), cls="wp-block-post-excerpt"))
        ul.add(E("li", parts, cls=f"wp-block-post post-{item.number} post type-post"))
    return ul


def _blogger_post(page: Page, item: Item, block: int) -> Node:
    stamp = f"{item.when:%Y-%m-%dT%H:%M:%S}+09:00"
    href = page.href(item.url)
    clock_time = E("abbr", f"{item.when:%H:%M}", cls="published", title=stamp)
    foot = [
        E("span", page.lex.word("by").format(who=item.author), cls="post-author vcard"),
        E("span", E("a", clock_time, href=href, cls="timestamp-link", rel="bookmark"), cls="post-timestamp"),
        E("a", comments(page, item).kids, href=href + "#comment-form", cls="comment-link"),
    ]
    words = page.rng.sample(page.lex.data["topics"], 2)
    labels = [E("a", word, href=page.path(f"/search/label/{hash_of(word)}"), rel="tag") for word in words]
    return E(
        "div",
        E("h3", page.title_link(item, block), cls="post-title entry-title"),
        E("div", page.lex.paragraph(page.rng, 2, 5), cls="post-body entry-content"),
        E("div", foot, cls="post-footer"),
        E("span", page.lex.word("tags") + ": ", labels, cls="post-labels"),
        cls="post hentry",
    )


def blogger(page: Page, items: Sequence[Item], block: int) -> Node:
    """Blogger: posts under a heading for each day, the clock time in the footer of the post."""
    box = E("div", cls="blog-posts hfeed")
    last, posts = "", E("div")
    form = page.pick("blogger-day", page.lex.formats[:4])
    for item in items:
        day = clock.shown(item.when, form, page.lex, page.site.now)
        if day != last:
            posts = E("div", cls="date-posts")
            box.add(E("div", E("h2", E("span", day), cls="date-header"), posts, cls="date-outer"))
            last = day
        posts.add(E("div", _blogger_post(page, item, block), cls="post-outer"))
    return box


WORDPRESS_ROWS: dict[str, Rows] = {
    "wp-classic": wp_classic, "wp-modern": wp_modern, "wp-block": wp_block, "blogger": blogger,
}  # fmt: skip
