"""Bars in the shape in which WordPress and Blogger write them."""

from __future__ import annotations

from collections.abc import Callable

from .bars import bar_link, open_bar
from .dom import E, Node
from .pager import Step, info, number_steps, way
from .site import Page, Series


def wp_numbers(page: Page, block: int | None, series: Series, here: int) -> Node:
    """WordPress, the_posts_pagination()."""
    bar = open_bar(page, block, series, here)
    links: list[object] = []
    reader = page.chance("wp-reader", 0.4)
    if before := way(page, series, here, "prev"):
        links.append(bar_link(page, before, bar, series, cls="prev page-numbers"))
    for step in number_steps(page, series, here):
        hidden = (
            E("span", page.lex.pager("label")[0] + " ", cls="meta-nav screen-reader-text") if reader else None
        )
        if step.kind == "gap":
            links.append(E("span", "…", cls="page-numbers dots"))
        elif step.current:
            links.append(E("span", hidden, step.text, aria_current="page", cls="page-numbers current"))
        else:
            link = bar_link(page, step, bar, series, cls="page-numbers")
            link.kids[:] = [kid for kid in (hidden, step.text) if kid is not None]
            links.append(link)
    if after := way(page, series, here, "next"):
        links.append(bar_link(page, after, bar, series, cls="next page-numbers"))
    heading = E("h2", page.lex.pager("label")[0], cls="screen-reader-text")
    return E("nav", heading, E("div", links, cls="nav-links"), cls="navigation pagination", role="navigation")


def wp_list_type(page: Page, block: int | None, series: Series, here: int) -> Node:
    """WordPress, paginate_links() of type list."""
    bar = open_bar(page, block, series, here)
    ul = E("ul", cls="page-numbers")
    found = [
        way(page, series, here, "prev"),
        *number_steps(page, series, here),
        way(page, series, here, "next"),
    ]
    for step in found:
        if step is None:
            continue
        if step.current or step.kind == "gap":
            ul.add(
                E(
                    "li",
                    E("span", step.text, cls="page-numbers current" if step.current else "page-numbers dots"),
                )
            )
        else:
            extra = f"{step.kind} " if step.kind != "page" else ""
            ul.add(E("li", bar_link(page, step, bar, series, cls=f"{extra}page-numbers")))
    return ul


def wp_older(page: Page, block: int | None, series: Series, here: int) -> Node:
    """WordPress, older and newer posts: previous is older."""
    bar = open_bar(page, block, series, here)
    arrow = page.pick("wp-arrow", ["arrow", "span", "quote", "none"])
    box = E(
        "div",
        cls=page.pick("wp-nav", ["navigation", "nav-links", "paging-navigation"]),
        id=page.pick("wp-nav-id", ["nav-below", None]),
    )
    for kind, key, target, sign in (("prev", "older", here + 1, "←"), ("next", "newer", here - 1, "→")):
        if not 1 <= target <= series.total:
            continue
        sign = {"quote": {"←": "«", "→": "»"}[sign], "none": ""}.get(arrow, sign)
        text = page.pick(f"wp-{key}", page.lex.pager(key))
        link = bar_link(page, Step(kind, text, target), bar, series)
        mark: object = E("span", sign, cls="meta-nav") if arrow == "span" else sign
        link.kids[:] = [
            kid
            for kid in ((mark, " ", text) if kind == "prev" else (text, " ", mark))
            if isinstance(kid, Node | str)
        ]
        box.add(E("div", link, cls="nav-previous" if kind == "prev" else "nav-next"))
    return box


def pagenavi(page: Page, block: int | None, series: Series, here: int) -> Node:
    """The WP-PageNavi shape: a total, numbers, larger steps by ten, last."""
    bar = open_bar(page, block, series, here)
    box = E("div", E("span", info(page, series, here), cls="pages"), cls="wp-pagenavi", role="navigation")
    ends = [("first", "first"), ("prev", "previouspostslink")]
    for kind, cls in ends:
        if (step := way(page, series, here, kind, "«" if kind == "prev" else None)) and here > 3 - (
            kind == "prev"
        ):
            box.add(bar_link(page, step, bar, series, cls=cls))
    low, high = max(1, here - 2), min(series.total, here + 2)
    for number in range(low, high + 1):
        step = Step("page", page.num(f"{number:,}"), number)
        if number == here:
            box.add(E("span", step.text, cls="current"))
        else:
            box.add(bar_link(page, step, bar, series, cls="page larger" if number > here else "page smaller"))
    for number in (10, 20, 30):
        if number > high and number <= series.total and page.chance("pagenavi-larger", 0.6):
            box.add(bar_link(page, Step("page", page.num(number), number), bar, series, cls="larger page"))
    if high < series.total:
        box.add(E("span", "...", cls="extend"))
    for kind, cls, text in (("next", "nextpostslink", "»"), ("last", "last", None)):
        if step := way(page, series, here, kind, text):
            box.add(bar_link(page, step, bar, series, cls=cls))
    return box


def block_query(page: Page, block: int | None, series: Series, here: int) -> Node:
    """WordPress block themes."""
    bar = open_bar(page, block, series, here)
    base = "wp-block-query-pagination"
    nav = E(
        "nav", cls=f"{base} is-content-justification-space-between is-layout-flex", aria_label="Pagination"
    )
    if step := way(page, series, here, "prev"):
        nav.add(bar_link(page, step, bar, series, cls=f"{base}-previous"))
    numbers = E("div", cls=f"{base}-numbers")
    for step in number_steps(page, series, here):
        if step.kind == "gap" or step.current:
            numbers.add(
                E(
                    "span",
                    step.text,
                    cls="page-numbers dots" if step.kind == "gap" else "page-numbers current",
                )
            )
        else:
            numbers.add(bar_link(page, step, bar, series, cls="page-numbers"))
    if page.chance("query-numbers", 0.7):
        nav.add(numbers)
    if step := way(page, series, here, "next"):
        nav.add(bar_link(page, step, bar, series, cls=f"{base}-next"))
    return nav


def blog_pager(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Blogger: newer left, home in the middle, older right; older is the previous."""
    bar = open_bar(page, block, series, here)
    box = E("div", cls="blog-pager", id="blog-pager")
    if here > 1:
        link = bar_link(
            page, Step("next", page.lex.pager("newer")[0], here - 1), bar, series, cls="blog-pager-newer-link"
        )
        box.add(E("span", link, id="blog-pager-newer-link"))
    if here < series.total:
        link = bar_link(
            page, Step("prev", page.lex.pager("older")[0], here + 1), bar, series, cls="blog-pager-older-link"
        )
        box.add(E("span", link, id="blog-pager-older-link"))
    return box.add(E("a", page.lex.word("home"), href=page.path("/"), cls="home-link"))


WORDPRESS_BARS: dict[str, Callable[[Page, int | None, Series, int], Node | None]] = {
    "wp-numbers": wp_numbers, "wp-list-type": wp_list_type, "wp-older": wp_older, "pagenavi": pagenavi,
    "block-query": block_query, "blog-pager": blog_pager,
}  # fmt: skip
