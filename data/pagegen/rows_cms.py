"""Lists in the shape in which widespread systems of news and public sites write them."""

from __future__ import annotations

from collections.abc import Sequence

from .dom import E, Node
from .rowparts import category, date, date_text, excerpt, thumb
from .rows import Rows
from .site import Item, Page


def drupal_views(page: Page, items: Sequence[Item], block: int) -> Node:
    """Drupal views: rows with numbered, odd and even, first and last classes."""
    box = E("div", cls="view-content")
    for at, item in enumerate(items):
        row = E("div", cls=f"views-row views-row-{at + 1} views-row-{'even' if at % 2 else 'odd'}")
        if at in {0, len(items) - 1}:
            row.has_class("views-row-first" if at == 0 else "views-row-last")
        row.add(
            E(
                "div",
                E("span", page.title_link(item, block), cls="field-content"),
                cls="views-field views-field-title",
            )
        )
        if item.form:
            row.add(
                E(
                    "div",
                    E("span", date_text(page, item), cls="field-content"),
                    cls="views-field views-field-created",
                )
            )
        if page.chance("views-body", 0.5):
            row.add(
                E("div", E("div", excerpt(page), cls="field-content"), cls="views-field views-field-body")
            )
        box.add(row)
    return E("div", box, cls="view view-news") if page.chance("view-box", 0.7) else box


def dede_list(page: Page, items: Sequence[Item], block: int) -> Node:
    """DedeCMS: preview picture, category, title, a line of details, an introduction."""
    ul = E("ul", cls="e2")
    for item in items:
        li = E("li", thumb(page, item) if page.chance("dede-pic", 0.4) else None)
        if page.chance("dede-cat", 0.5):
            li.add(E("b", "[", category(page, item), "]"), " ")
        li.add(page.title_link(item, block, cls="title"))
        facts = [E("small", "日期："), date_text(page, item), " "] if item.form else []
        li.add(
            E(
                "span",
                facts,
                E("small", "点击："),
                str(item.views),
                " ",
                E("small", "好评："),
                str(item.comments),
                cls="info",
            )
        )
        ul.add(li.add(excerpt(page)) if page.chance("dede-intro", 0.7) else li)
    return E("div", ul, cls="listbox")


def phpcms_list(page: Page, items: Sequence[Item], block: int) -> Node:
    """PHPCMS: date in a floating span before the link, an empty row with a rule after each five."""
    ul = E("ul", cls="list lh24 f14")
    for at, item in enumerate(items):
        ul.add(
            E(
                "li",
                E("span", date_text(page, item), cls="rt") if item.form else None,
                "·",
                page.title_link(item, block),
            )
        )
        if at % 5 == 4 and at < len(items) - 1:
            ul.add(E("li", cls="bk20 hr"))
    return ul


def gov_list(page: Page, items: Sequence[Item], block: int) -> Node:
    """Lists of Chinese public bodies: li with date and link; or cells of a table; or five rows to a list."""
    form = page.pick("gov-form", ["ul", "ul", "uls", "table", "h4"])
    cut = page.pick("gov-cut", [0, 0, 28])
    if form == "table":
        table = E(
            "table",
            width="100%",
            border="0",
            cellspacing="0",
            cellpadding="0",
            id=page.pick("gov-id", ["line_u9", None, "newslist"]),
        )
        for at, item in enumerate(items):
            table.add(
                E(
                    "tr",
                    E("td", E("span", "·"), page.title_link(item, block, cut=cut), height="27"),
                    E(
                        "td",
                        E("span", date_text(page, item), cls="timestyle") if item.form else None,
                        width="80",
                    ),
                    id=f"line_u9_{at}",
                )
            )
        return table
    box = E("div", cls=page.names("list"))
    ul = E("ul", cls=page.names("barlist") if page.chance("gov-odd-class", 0.1) else None)
    for at, item in enumerate(items):
        when = date(page, item, "span")
        link = page.title_link(item, block, cut=cut)
        kids: list[object] = [when, link] if page.chance("gov-date-first", 0.4) else [link, when]
        if form == "h4":
            box.add(
                E(
                    "div",
                    E("h4", link),
                    E("p", page.lex.paragraph(page.rng, 1, 2)),
                    when,
                    cls=page.names("row"),
                )
            )
            continue
        ul.add(E("li", kids, id=f"line_u8_{at}" if page.chance("gov-line-id", 0.2) else None))
        if form == "uls" and at % 5 == 4 and at < len(items) - 1:
            box.add(ul)
            ul = E("ul")
    return box if form == "h4" else box.add(ul)


def joomla_list(page: Page, items: Sequence[Item], block: int) -> Node:
    """Joomla: leading items and rows of columns, or a table of a category."""
    if page.chance("joomla-table", 0.4):
        body = E(
            "tbody",
            [
                E(
                    "tr",
                    E(
                        "td",
                        page.title_link(item, block),
                        cls="list-title",
                        headers="categorylist_header_title",
                    ),
                    E("td", date_text(page, item) if item.form else "", cls="list-date small"),
                    E("td", item.author, cls="list-author"),
                    E("td", E("span", str(item.views), cls="badge"), cls="list-hits"),
                    cls=f"cat-list-row{at % 2}",
                )
                for at, item in enumerate(items)
            ],
        )
        return E("table", body, cls="category table table-striped")
    box = E("div", cls="blog")
    for at, item in enumerate(items):
        info = E(
            "dl",
            E("dt", page.lex.word("breadcrumb"), cls="article-info-term"),
            E("dd", category(page, item), cls="category-name"),
            E("dd", date(page, item, "time"), cls="published") if item.form else None,
            cls="article-info muted",
        )
        post = E(
            "div",
            E("div", E("h2", page.title_link(item, block)), cls="page-header"),
            info,
            excerpt(page),
            E(
                "p",
                E("a", page.lex.words("more")[0] + ": " + item.title, href=page.href(item.url), cls="btn"),
                cls="readmore",
            ),
            cls="item column-1",
        )
        box.add(
            E("div", post, cls="items-leading")
            if at == 0
            else E("div", post, cls="items-row cols-1 row-fluid")
        )
    return box


CMS_ROWS: dict[str, Rows] = {
    "drupal-views": drupal_views, "dede-list": dede_list, "phpcms-list": phpcms_list, "gov-list": gov_list,
    "joomla-list": joomla_list,
}  # fmt: skip
