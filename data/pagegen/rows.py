"""Markup of lists: what one row looks like, and what holds the rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import clock
from .dom import E, Node
from .rowparts import (
    author,
    category,
    comments,
    date,
    date_text,
    excerpt,
    hash_of,
    meta,
    pin_sign,
    pinned,
    read_more,
    thumb,
)
from .site import Item, Page

Rows = Callable[[Page, Sequence[Item], int], Node]


def simple(page: Page, items: Sequence[Item], block: int) -> Node:
    """ul > li: title and date on one line, in one of several orders."""
    ul = E(page.pick("list-tag", ["ul", "ul", "ul", "ol", "div"]), cls=page.names("list"))
    row_tag = "li" if ul.tag in {"ul", "ol"} else page.pick("row-tag", ["div", "p"])
    side = page.pick("date-side", ["before", "after", "after", "inside", "bare"])
    cut = page.pick("cut", [0, 0, 24, 40])
    stripes = page.chance("stripes", 0.15)
    breaks = page.pick("every", [0, 0, 0, 5])
    for at, item in enumerate(items):
        row = E(row_tag, cls=page.names("row") if page.chance("row-class", 0.4) else None)
        if stripes:
            row.has_class("odd" if at % 2 else "even")
        when = date(page, item)
        dot = page.pick("dot", [None, None, "· ", "• ", "- "])
        if side == "inside" and when is not None:
            row.add(dot, pin_sign(page, item), page.title_link(item, block, E("span", item.title), when))
        elif side == "before":
            row.add(when, " ", dot, pin_sign(page, item), page.title_link(item, block, cut=cut))
        elif side == "bare" and item.form:
            row.add(dot, page.title_link(item, block, cut=cut), f" ({date_text(page, item)})")
        else:
            row.add(dot, pin_sign(page, item), page.title_link(item, block, cut=cut), " ", when)
        ul.add(pinned(page, item, row))
        if breaks and at % breaks == breaks - 1 and at < len(items) - 1:
            ul.add(
                E(row_tag, cls="line")
                if page.chance("line-row", 0.5)
                else E("li" if row_tag == "li" else "hr")
            )
    return ul


def entries(page: Page, items: Sequence[Item], block: int) -> Node:
    """Blog entries: heading, line of details, excerpt, more link."""
    box = E(page.pick("entries-tag", ["div", "div", "main", "section"]), cls=page.names("list"))
    tag = page.pick("entry-tag", ["article", "div", "article", "section"])
    level = page.pick("level", ["h2", "h2", "h3", "h1"])
    wrapped = page.chance("entry-header", 0.4)
    for item in items:
        heading = E(level, page.title_link(item, block), cls=page.names("title"))
        head: list[object] = (
            [heading, meta(page, item)] if page.chance("title-first", 0.7) else [meta(page, item), heading]
        )
        row = E(tag, E("header", head) if wrapped else head, cls=page.names("row"))
        if page.chance("entry-thumb", 0.4):
            row.kids.insert(0, E("div", thumb(page, item), cls=page.names("thumb")))
        if page.chance("entry-excerpt", 0.8):
            row.add(excerpt(page))
        if page.chance("entry-more", 0.5):
            row.add(read_more(page, item) if page.chance("more-bare", 0.5) else E("p", read_more(page, item)))
        if page.chance("entry-own-class", 0.3):
            row.has_class(f"post-{item.number}", f"category-{hash_of(item.cat) % 40}")
        box.add(pinned(page, item, row))
    return box


def cards(page: Page, items: Sequence[Item], block: int) -> Node:
    """A grid of cards; the link wraps the card, or the picture and the title each."""
    grid = E(page.pick("grid-tag", ["div", "div", "ul"]), cls=page.names("list"))
    whole = page.chance("card-link", 0.5)
    cell = "li" if grid.tag == "ul" else page.pick("cell-tag", ["div", "article"])
    for item in items:
        if whole:
            inner = E(
                "div",
                E(page.pick("card-level", ["h3", "h4", "p"]), item.title, cls=page.names("title")),
                date(page, item),
                excerpt(page) if page.chance("card-text", 0.4) else None,
                cls=page.names("body"),
            )
            card = E(
                cell,
                page.title_link(item, block, thumb(page, item, linked=False), inner, cls=page.names("card")),
            )
        else:
            card = E(
                cell,
                thumb(page, item),
                E(
                    "div",
                    category(page, item),
                    E("h3", page.title_link(item, block), cls=page.names("title")),
                    meta(page, item),
                    cls=page.names("body"),
                ),
                cls=page.names("card"),
            )
        grid.add(
            E("div", card, cls=page.names("row"))
            if page.chance("card-column", 0.3) and cell != "li"
            else card
        )
    return grid


def definitions(page: Page, items: Sequence[Item], block: int) -> Node:
    """A definition list: date and title as dt and dd, either way round; or one dl per row."""
    single = page.chance("one-dl", 0.7)
    box = E("dl" if single else "div", cls=page.names("list"))
    dated_dt = page.chance("dt-date", 0.6)
    for item in items:
        when, link = date(page, item, page.pick("dl-date", ["span", "time"])), page.title_link(item, block)
        if dated_dt and when is not None:
            pair = [
                E("dt", when),
                E("dd", link, category(page, item) if page.chance("dd-cat", 0.3) else None),
            ]
        else:
            pair = [
                E("dt", link),
                E("dd", when, " ", excerpt(page, "span") if page.chance("dd-text", 0.5) else None),
            ]
        box.add(pair) if single else box.add(E("dl", pair, cls=page.names("row")))
    return box


def timeline(page: Page, items: Sequence[Item], block: int) -> Node:
    """A day badge beside each title: day, month and year stand in elements of their own."""
    box = E(
        page.pick("timeline-tag", ["ul", "div"]),
        cls=page.pick("timeline-class", ["timeline", page.names("list")]),
    )
    for item in items:
        badge = E(
            "div",
            E("span", f"{item.when.day:02d}", cls="day"),
            E(
                "span",
                page.pick("badge", ["{m}", "{y}", "{mon}"]).format(
                    m=f"{item.when:%Y-%m}",
                    y=f"{item.when:%Y.%m}",
                    mon=page.lex.short[item.when.month - 1] + f" {item.when.year}",
                ),
                cls="month",
            ),
            cls=page.names("date"),
        )
        body = E(
            "div",
            E(page.pick("tl-level", ["h3", "h4", "p"]), page.title_link(item, block)),
            excerpt(page) if page.chance("tl-text", 0.6) else None,
            cls=page.names("body"),
        )
        box.add(E("li" if box.tag == "ul" else "div", badge, body, cls=page.names("row")))
    return box


def by_day(page: Page, items: Sequence[Item], block: int) -> Node:
    """Rows under a heading for each day or month; only the clock time, if anything, beside the link."""
    box = E("div", cls=page.names("list"))
    monthly = page.chance("by-month", 0.3)
    last, group = "", E("ul")
    heading = page.pick("group-level", ["h2", "h3", "h4", "div", "dt"])
    heading = "h3" if heading == "dt" else heading
    for item in items:
        label = (
            f"{page.lex.months[item.when.month - 1]} {item.when.year}"
            if monthly
            else clock.shown(
                item.when, page.pick("group-form", page.lex.formats[:3]), page.lex, page.site.now
            )
        )
        if label != last:
            group = E("ul")
            nested = page.chance("group-box", 0.5)
            box.add(
                E("div", E(heading, label, cls="day-title"), group, cls=page.names("group"))
                if nested
                else [E(heading, label), group]
            )
            last = label
        beside = (
            E("span", f"{item.when:%H:%M}", cls=page.names("date"))
            if page.chance("group-time", 0.5)
            else None
        )
        group.add(E("li", beside, " ", page.title_link(item, block)))
    return box


def bare_lines(page: Page, items: Sequence[Item], block: int) -> Node:
    """Links and line breaks, no element for a row."""
    box = E(page.pick("lines-tag", ["div", "td", "p", "pre"]), cls=page.names("list"))
    if box.tag == "td":
        box.tag = "div"
    for item in items:
        lead = f"{date_text(page, item)}\u00a0" if item.form and page.chance("lines-lead", 0.5) else "・"
        box.add(lead, page.title_link(item, block))
        box.add(f" [{date_text(page, item)}]" if item.form and lead == "・" else None, E("br"))
    return box


def whole_row(page: Page, items: Sequence[Item], block: int) -> Node:
    """One link round everything of the row: title, excerpt and date."""
    box = (
        E("ul", cls=page.names("list")) if page.chance("whole-ul", 0.6) else E("div", cls=page.names("list"))
    )
    for item in items:
        inner = [
            E(page.pick("whole-level", ["h3", "h4", "strong", "p"]), item.title),
            E("span", page.lex.paragraph(page.rng, 1, 1)[:90], cls=page.names("excerpt"))
            if page.chance("whole-text", 0.5)
            else None,
            date(page, item, page.pick("whole-date", ["span", "i", "time"])),
        ]
        link = page.title_link(item, block, *inner, cls=page.names("link"))
        box.add(E("li", link) if box.tag == "ul" else link)
    return box


def tagged(page: Page, items: Sequence[Item], block: int) -> Node:
    """Category in front, title, comment count and author behind, all links."""
    ul = E("ul", cls=page.names("list"))
    for item in items:
        row = E(
            "li", "[", category(page, item), "] ", pin_sign(page, item), page.title_link(item, block), " "
        )
        if page.chance("tagged-comments", 0.6):
            row.add(comments(page, item), " ")
        if page.chance("tagged-author", 0.4):
            row.add(author(page, item), " ")
        ul.add(pinned(page, item, row.add(date(page, item))))
    return ul


def lead_and_rest(page: Page, items: Sequence[Item], block: int) -> Node:
    """The first one large and by itself, the rest a plain list below."""
    first, rest = items[0], items[1:]
    lead = E(
        page.pick("lead-tag", ["div", "article", "section"]),
        E("div", thumb(page, first), cls=page.names("thumb")),
        E("h2", page.title_link(first, block), cls=page.names("title")),
        meta(page, first),
        excerpt(page),
        cls=page.pick("lead-class", ["lead", "featured", "headline", page.names("card")]),
    )
    return E("div", lead, simple(page, rest, block) if rest else None, cls=page.names("box"))


PLAIN_ROWS: dict[str, Rows] = {
    "simple": simple, "entries": entries, "cards": cards, "definitions": definitions, "timeline": timeline,
    "by-day": by_day, "bare-lines": bare_lines, "whole-row": whole_row, "tagged": tagged,
    "lead-and-rest": lead_and_rest,
}  # fmt: skip
