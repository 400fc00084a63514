"""Markup of lists: what one row looks like, and what holds the rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import clock
from .dom import E, Node, Raw
from .site import Item, Page

Rows = Callable[[Page, Sequence[Item], int], Node]


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


def _pinned(page: Page, item: Item, node: Node) -> Node:
    if item.pinned and page.chance("pin-class", 0.7):
        node.has_class(page.names("pinned") or "sticky")
    return node


def _pin_sign(page: Page, item: Item) -> Node | None:
    if not item.pinned or not page.chance("pin-sign", 0.6):
        return None
    return E(
        page.pick("pin-tag", ["span", "em", "i", "font"]),
        f"[{page.lex.word('pinned')}]" if page.chance("pin-bracket", 0.5) else page.lex.word("pinned"),
    )


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
            row.add(dot, _pin_sign(page, item), page.title_link(item, block, E("span", item.title), when))
        elif side == "before":
            row.add(when, " ", dot, _pin_sign(page, item), page.title_link(item, block, cut=cut))
        elif side == "bare" and item.form:
            row.add(dot, page.title_link(item, block, cut=cut), f" ({date_text(page, item)})")
        else:
            row.add(dot, _pin_sign(page, item), page.title_link(item, block, cut=cut), " ", when)
        ul.add(_pinned(page, item, row))
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
        box.add(_pinned(page, item, row))
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


def grid_table(page: Page, items: Sequence[Item], block: int) -> Node:
    """A table with columns: number, title, author or office, date, views."""
    columns = page.lex.words("columns")
    numbered = page.chance("col-number", 0.4)
    out = E("table", cls=page.names("list"), width=page.pick("table-width", ["100%", "98%", None]))
    head = E("tr", E("th", "No.") if numbered else None, [E("th", name) for name in columns])
    body = E("tbody") if page.chance("tbody", 0.6) else out
    if page.chance("thead", 0.6):
        out.add(E("thead", head) if page.chance("thead-tag", 0.6) else head)
    for at, item in enumerate(items):
        row = E("tr", cls=page.pick("stripe", [None, "alt"]) if at % 2 else None)
        if numbered:
            row.add(E("td", page.lex.word("pinned") if item.pinned else str(item.number % 5000)))
        row.add(
            E("td", _pin_sign(page, item), page.title_link(item, block), cls=page.names("title")),
            E("td", author(page, item)),
            E("td", date_text(page, item) if item.form else "-", cls=page.names("date")),
            E("td", str(item.views)),
        )
        body.add(_pinned(page, item, row))
    return out if body is out else out.add(body)


def layout_table(page: Page, items: Sequence[Item], block: int) -> Node:
    """Rows as old sites lay them out: a table, or a table for every row."""
    own = page.chance("table-per-row", 0.3)
    holder = (
        E("td", valign="top")
        if own
        else E("table", width="100%", border="0", cellspacing="0", cellpadding="0", cls=page.names("list"))
    )
    for item in items:
        cells = [
            E(
                "td",
                E("img", src=page.path("/images/dot.gif"), width="6", height="6"),
                width="16",
                align="center",
            ),
            E("td", page.title_link(item, block, cut=30), height="26", align="left"),
            E("td", date(page, item, "span"), width="90", align="right") if item.form else None,
        ]
        if page.chance("date-first-cell", 0.2):
            cells = [cells[0], cells[2], cells[1]]
        row = E("tr", cells)
        holder.add(E("table", row, width="100%", border="0") if own else row)
        if not own and page.chance("rule-row", 0.3):
            holder.add(E("tr", E("td", colspan="3", background=page.path("/images/line.gif"), height="1")))
    return E("table", E("tr", holder), width="96%", align="center") if own else holder


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
            "li", "[", category(page, item), "] ", _pin_sign(page, item), page.title_link(item, block), " "
        )
        if page.chance("tagged-comments", 0.6):
            row.add(comments(page, item), " ")
        if page.chance("tagged-author", 0.4):
            row.add(author(page, item), " ")
        ul.add(_pinned(page, item, row.add(date(page, item))))
    return ul


def ranked(page: Page, items: Sequence[Item], block: int) -> Node:
    """A ranking in table rows, two or three for each item, with votes and comment links."""
    body = E("table", border="0", cellpadding="0", cellspacing="0", cls=page.names("list"))
    first = (page.number - 1) * page.series.size
    for at, item in enumerate(items):
        vote = E(
            "a", E("div", cls="votearrow", title="upvote"), href=page.path(f"/vote?id={item.number}&how=up")
        )
        body.add(
            E(
                "tr",
                E("td", f"{first + at + 1}.", align="right", cls="rank"),
                E("td", vote),
                E(
                    "td",
                    page.title_link(item, block),
                    Raw(" "),
                    E("span", f"({item.url.split('/')[2]})", cls="sitebit"),
                    cls=page.names("title"),
                ),
            )
        )
        body.add(
            E(
                "tr",
                E("td", colspan="2"),
                E(
                    "td",
                    E("span", f"{item.views} points", cls="score"),
                    " ",
                    author(page, item),
                    " ",
                    date(page, item),
                    " | ",
                    comments(page, item),
                    cls="subtext",
                ),
            )
        )
        if page.chance("spacer", 0.6):
            body.add(E("tr", style="height:5px"))
    return body


ROWS: dict[str, Rows] = {
    "simple": simple, "entries": entries, "cards": cards, "grid-table": grid_table,
    "layout-table": layout_table, "definitions": definitions, "timeline": timeline, "by-day": by_day,
    "bare-lines": bare_lines, "whole-row": whole_row, "tagged": tagged, "ranked": ranked,
}  # fmt: skip
