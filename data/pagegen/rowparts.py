"""Parts of rows: date, picture, author, category, comments, excerpt, more link."""

from __future__ import annotations

from . import clock
from .dom import E, Node
from .site import Item, Page


def date_text(page: Page, item: Item) -> str:
    """The printed date of a row."""
    return page.num(clock.shown(item.when, item.form or "", page.lex, page.site.now))


def date(page: Page, item: Item, tag: str | None = None) -> Node | None:
    """The date element of a row, or None where this list prints none."""
    if not item.form:
        return None
    tag = tag or page.pick("date-tag", ["span", "span", "time", "em", "i", "small", "div", "font", "abbr"])
    node = E(tag, date_text(page, item), cls=page.names("date"))
    if tag == "time":
        node.attrs["datetime"] = f"{item.when:%Y-%m-%dT%H:%M:%S}+00:00"
    if tag == "abbr":
        node.attrs["title"] = f"{item.when:%Y-%m-%d %H:%M}"
    return node


def thumb(page: Page, item: Item, linked: bool = True) -> Node:
    """A picture, which usually links to the article too."""
    lazy = page.chance("lazy", 0.3)
    image = E(
        "img",
        src=page.path(f"/uploads/{item.number}.jpg"),
        alt=item.title if page.chance("alt", 0.4) else "",
        loading="lazy" if lazy else None,
        width="120",
    )
    return E("a", image, href=page.href(item.url), cls=page.names("thumb")) if linked else image


def author(page: Page, item: Item) -> Node:
    """The author, linked to a profile on many sites."""
    path = page.pick("author-path", ["/author/", "/u/", "/space-uid-", "/profile.php?u="])
    link = E(
        "a",
        item.author,
        href=page.path(path + str(abs(hash_of(item.author)) % 900)),
        cls=page.names("author"),
    )
    return link if page.chance("author-link", 0.6) else E("span", page.lex.word("by").format(who=item.author))


def hash_of(text: str) -> int:
    """A number that depends on the text only (not on the process, as hash() does)."""
    return sum((at + 7) * ord(char) for at, char in enumerate(text))


def category(page: Page, item: Item) -> Node:
    """The link to the category of a row."""
    return E(
        "a",
        item.cat,
        href=page.path(f"/category/{hash_of(item.cat) % 97}/"),
        cls=page.names("cat"),
        rel="category" if page.chance("rel-cat", 0.3) else None,
    )


def comments(page: Page, item: Item) -> Node:
    """A link to the comments of a row: same address with a fragment, or a page of its own."""
    text = page.lex.word("comments").format(n=item.comments) if item.comments else page.lex.word("nocomments")
    if page.chance("comment-count", 0.3):
        text = str(item.comments)
    return E(
        "a",
        text,
        href=page.href(item.url) + page.pick("comment-anchor", ["#comments", "#respond", "#disqus_thread"]),
        cls=page.names("comments"),
    )


def excerpt(page: Page, tag: str = "p") -> Node:
    """Some lines of the article."""
    return E(
        tag,
        page.lex.paragraph(page.rng, 1, 2)[: page.pick("excerpt-cut", [60, 120, 200, 400])] + "…",
        cls=page.names("excerpt"),
    )


def read_more(page: Page, item: Item) -> Node:
    """The "read more" link of a row."""
    return E(
        "a", page.pick("read-more", page.lex.words("more")), href=page.href(item.url), cls=page.names("more")
    )


def meta(page: Page, item: Item) -> Node:
    """Author, date, category and comments of a row in one line."""
    parts: list[object] = [date(page, item)]
    if page.chance("meta-author", 0.6):
        parts.append(author(page, item))
    if page.chance("meta-cat", 0.5):
        parts.append(category(page, item))
    if page.chance("meta-comments", 0.4):
        parts.append(comments(page, item))
    site_order = page.site.rng("meta-order")
    site_order.shuffle(parts)
    joint = page.pick("meta-joint", [" ", " | ", " / ", " · "])
    return E(
        page.pick("meta-tag", ["div", "p", "span", "footer"]),
        [kid for part in parts if part is not None for kid in (part, joint)],
        cls=page.names("meta"),
    )


def pinned(page: Page, item: Item, node: Node) -> Node:
    """The row with the class of a pinned one, where it is and the site says so."""
    if item.pinned and page.chance("pin-class", 0.7):
        node.has_class(page.names("pinned") or "sticky")
    return node


def pin_sign(page: Page, item: Item) -> Node | None:
    """The word before a pinned title, on some sites."""
    if not item.pinned or not page.chance("pin-sign", 0.6):
        return None
    return E(
        page.pick("pin-tag", ["span", "em", "i", "font"]),
        f"[{page.lex.word('pinned')}]" if page.chance("pin-bracket", 0.5) else page.lex.word("pinned"),
    )
