"""Lists whose rows hold much besides the article link: texts, votes, tags, shares, pictures, columns."""

from __future__ import annotations

from collections.abc import Sequence

from .dom import E, Node
from .rowparts import author, category, comments, date, date_text, excerpt, hash_of, pinned, read_more, thumb
from .rows import Rows
from .site import Item, Page


def _tags(page: Page, most: int) -> Node:
    words = page.rng.sample(page.lex.data["topics"], page.rng.randint(1, most))
    links = [E("a", word, href=page.path(f"/tag/{hash_of(word) % 300}"), rel="tag") for word in words]
    return E("p", page.lex.word("tags"), ": ", [kid for link in links for kid in (link, ", ")], cls="tags")


def _shares(page: Page, item: Item) -> Node:
    links = []
    for name in ("facebook", "twitter", "whatsapp", "email")[: page.pick("row-shares", [2, 3, 4])]:
        icon = E("i", cls=f"fa fa-{name}")
        links.append(E("a", icon, href=f"https://{name}.example.com/share?u={item.number}", target="_blank"))
    return E("div", links, cls=page.names("share"))


def full_texts(page: Page, items: Sequence[Item], block: int) -> Node:
    """Whole texts below each other; links inside the texts are no rows."""
    box = E(page.pick("texts-tag", ["div", "main"]), cls=page.names("list"))
    level = page.pick("texts-level", ["h2", "h3", "h1"])
    for item in items:
        body = E("div", cls=page.names("body"))
        for _ in range(page.rng.randint(1, 4)):
            text = E("p", page.lex.paragraph(page.rng, 1, 4))
            if page.rng.random() < 0.5:
                other = page.href(page.article_url(item.when))
                text.add(
                    " ",
                    E("a", page.lex.title(page.rng), href=other),
                    ". ",
                    page.lex.paragraph(page.rng, 1, 1),
                )
            body.add(text)
            if page.rng.random() < 0.3:
                image = E("img", src=page.path(f"/uploads/{item.number}-300x200.jpg"), alt="", width="300")
                body.add(E("p", E("a", image, href=page.path(f"/uploads/{item.number}.jpg"))))
        post = E(
            "div", E(level, page.title_link(item, block), cls=page.names("title")), date(page, item), body
        )
        post.add(_tags(page, 5) if page.chance("texts-tags", 0.4) else None)
        post.add(_shares(page, item) if page.chance("texts-shares", 0.3) else None)
        foot = [category(page, item), " | ", comments(page, item)] if page.chance("texts-foot", 0.6) else None
        box.add(
            pinned(
                page, item, post.has_class(page.names("row") or "post").add(E("p", foot) if foot else None)
            )
        )
    return box


def busy_rows(page: Page, items: Sequence[Item], block: int) -> Node:
    """Stories of a link-sharing site: votes, avatar, actions, tags; a dozen links to a row."""
    box = E("div", cls=page.names("list"))
    level = page.pick("busy-level", ["h2", "h3", "div"])
    for item in items:
        vote = [E("a", sign, href="#login", cls="btn") for sign in ("▲", "▼")]
        votes = E("div", E("span", str(item.views % 90), cls="votes"), vote, cls="votebox")
        avatar = E("a", E("img", src=page.path("/avatars/7.png"), alt=item.author), href=page.path("/user/7"))
        line = E("div", avatar, " ", author(page, item), " ", date(page, item), " ", category(page, item))
        save = E("a", page.lex.word("pinned"), href=page.path(f"/save/{item.number}"))
        send = E("a", page.lex.word("share"), href=page.path(f"/share/{item.number}"))
        foot = E("div", comments(page, item), " | ", save, " | ", send)
        title = E(level, page.title_link(item, block), cls=page.names("title"))
        row = E("div", votes, title, line, excerpt(page), cls=page.names("row"), id=f"story-{item.number}")
        row.add(_tags(page, 6) if page.chance("busy-tags", 0.6) else None, foot)
        box.add(pinned(page, item, row))
    return box


def overlay_links(page: Page, items: Sequence[Item], block: int) -> Node:
    """Cards under an empty link that covers them; the heading is no link."""
    box = E(page.pick("overlay-tag", ["section", "div", "ul"]), cls=page.names("list"))
    form = page.pick("overlay", ["empty", "empty", "sign", "button"])
    for item in items:
        inner = {"empty": "", "sign": "→", "button": page.pick("read-more", page.lex.words("more"))}[form]
        link = page.title_link(item, block, inner, cls=page.names("link"))
        link.attrs["title" if page.chance("overlay-title", 0.6) else "aria-label"] = item.title
        heading = E(page.pick("overlay-level", ["h3", "h4", "p"]), item.title, cls=page.names("title"))
        image = E("img", src=page.path(f"/uploads/{item.number}.jpg"), alt=item.title)
        parts = [image, heading, date(page, item)]
        card = E("li" if box.tag == "ul" else "article", cls=page.names("card"))
        box.add(card.add([link, parts] if form == "empty" else [parts, link]))
    return box


def column_lists(page: Page, items: Sequence[Item], block: int) -> Node:
    """A row is a list of its own whose items are the columns; a head and a foot row of the same shape."""
    head = E("ul", [E("li", word) for word in page.lex.words("columns")], cls="titles")
    body = E("li", cls=page.pick("column-body", ["body", "topics-body", None]))
    for at, item in enumerate(items):
        who = E("p", author(page, item), cls=page.names("meta"))
        title = E("li", page.title_link(item, block, cls=page.names("link")), who, cls="title")
        counts = [E("li", str(item.comments)), E("li", str(item.views))]
        fresh = E("a", date_text(page, item) if item.form else "·", href=page.href(item.url) + "#last")
        row = E("ul", title, counts, E("li", fresh, author(page, item)), id=f"topic-{item.number}")
        body.add(pinned(page, item, row.has_class("odd" if at % 2 else "even")))
    foot = E("li", E("p", "\u00a0"), cls="footer")
    return E("ul", E("li", head, cls="header"), body, foot, cls=page.names("list"))


def text_rows(page: Page, items: Sequence[Item], block: int) -> Node:
    """A link, line breaks and a piece of text in a div, nothing else to tell what is what."""
    box = E("div", cls=page.names("list"))
    for item in items:
        row = E("div", page.title_link(item, block), E("br"), E("span", item.cat), E("br"), E("br"))
        said = page.lex.paragraph(page.rng, 1, 1)
        row.add(E("strong", page.lex.word("lastpost") + ":"), " ", said, " ", date(page, item))
        icon = E("div", E("img", src=page.path("/gfx/icon.gif"), alt=""))
        box.add(E("div", row, icon, cls=page.names("row")))
    return box


def teasers(page: Page, items: Sequence[Item], block: int) -> Node:
    """Picture, headline, text and a "read more" button that all lead to the article, and shares."""
    box = E("div", cls=page.names("list"))
    level = page.pick("teaser-level", ["h2", "h3", "h4"])
    for item in items:
        row = E("div", thumb(page, item), E(level, page.title_link(item, block), cls=page.names("title")))
        facts = [
            kid
            for part in (date(page, item), category(page, item), comments(page, item))
            for kid in (part, " ")
        ]
        text = E(
            "div", page.lex.paragraph(page.rng, 1, 3), " ", read_more(page, item), cls=page.names("excerpt")
        )
        row.add(E("div", facts, cls=page.names("meta")), text)
        row.add(_shares(page, item) if page.chance("teaser-shares", 0.5) else None)
        box.add(pinned(page, item, row.has_class(page.names("row") or "clearfix")))
    return box


def rows_with_notes(page: Page, items: Sequence[Item], block: int) -> Node:
    """Rows that carry links to older articles on the same matter, and an advertisement between them."""
    ul = E("ul", cls=page.names("list"))
    for at, item in enumerate(items):
        row = E(
            "li",
            date(page, item),
            E("h3", page.title_link(item, block)),
            excerpt(page),
            cls=page.names("row"),
        )
        if page.rng.random() < 0.3:
            notes = [
                E("li", E("a", page.lex.title(page.rng), href=page.href(page.article_url(item.when))))
                for _ in range(page.rng.randint(1, 3))
            ]
            row.add(E("ul", notes, cls="more-on-this"))
        ul.add(pinned(page, item, row))
        if at % 6 == 3:
            ad = E(
                "a", page.lex.title(page.rng, 0), href=f"https://ads.example.net/c?id={at}", rel="sponsored"
            )
            ul.add(E("li", ad, cls=page.pick("ad-class", ["ad", "sponsored", page.names("row")])))
    return ul


BUSY_ROWS: dict[str, Rows] = {
    "full-texts": full_texts, "rows-with-notes": rows_with_notes, "busy-rows": busy_rows,
    "overlay-links": overlay_links, "column-lists": column_lists, "text-rows": text_rows, "teasers": teasers,
}  # fmt: skip
