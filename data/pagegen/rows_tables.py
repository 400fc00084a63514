"""Lists in tables: with columns, for layout only, two beside each other, a ranking."""

from __future__ import annotations

from collections.abc import Sequence

from .dom import E, Node, Raw
from .rowparts import author, comments, date, date_text, pin_sign, pinned
from .rows import Rows, simple
from .site import Item, Page


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
            E("td", pin_sign(page, item), page.title_link(item, block), cls=page.names("title")),
            E("td", author(page, item)),
            E("td", date_text(page, item) if item.form else "-", cls=page.names("date")),
            E("td", str(item.views)),
        )
        body.add(pinned(page, item, row))
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


def two_columns(page: Page, items: Sequence[Item], block: int) -> Node:
    """Two rows beside each other: cells of a table, or two lists that are filled one after the other."""
    if page.chance("column-lists", 0.4):
        half = (len(items) + 1) // 2
        halves = [part for part in (items[:half], items[half:]) if part]
        return E("div", [simple(page, part, block) for part in halves], cls=page.names("group"))
    table = E("table", width="100%", cls=page.names("list"))
    for at in range(0, len(items), 2):
        cells = [
            E("td", page.title_link(one, block, cut=30), " ", date(page, one)) for one in items[at : at + 2]
        ]
        table.add(E("tr", cells))
    return table


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


TABLE_ROWS: dict[str, Rows] = {
    "grid-table": grid_table, "layout-table": layout_table, "two-columns": two_columns, "ranked": ranked,
}  # fmt: skip
