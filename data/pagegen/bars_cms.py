"""Bars in the shape in which widespread systems and style kits write them."""

from __future__ import annotations

from collections.abc import Callable

from .bars import bar_link, open_bar
from .dom import E, Node, Raw
from .pager import Step, info, number_steps, way
from .site import Page, Series


def drupal7(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Drupal 7: ul.pager."""
    bar = open_bar(page, block, series, here)
    ul = E("ul", cls="pager")
    for kind, cls in (("first", "pager-first first"), ("prev", "pager-previous")):
        if step := way(page, series, here, kind):
            ul.add(E("li", bar_link(page, step, bar, series), cls=cls))
    for step in number_steps(page, series, here, "near"):
        if step.kind == "gap":
            ul.add(E("li", "…", cls="pager-ellipsis"))
        elif step.current:
            ul.add(E("li", step.text, cls="pager-current"))
        elif abs((step.page or 0) - here) < 9:
            ul.add(
                E("li", bar_link(page, step, bar, series, title=f"Go to page {step.page}"), cls="pager-item")
            )
    for kind, cls in (("next", "pager-next"), ("last", "pager-last last")):
        if step := way(page, series, here, kind):
            ul.add(E("li", bar_link(page, step, bar, series), cls=cls))
    return E("div", ul, cls="item-list")


def drupal8(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Drupal 8 and later: nav.pager with hidden words and arrow signs."""
    bar = open_bar(page, block, series, here)
    ul = E("ul", cls="pager__items js-pager__items")
    signs = {"first": "« First", "prev": "‹‹", "next": "››", "last": "Last »"}

    def put(kind: str) -> None:
        if (step := way(page, series, here, kind)) is None:
            return
        link = bar_link(page, step, bar, series, title=step.text)
        link.kids[:] = [
            E("span", page.lex.pager(kind)[0], cls="visually-hidden"),
            E("span", signs[kind], aria_hidden="true"),
        ]
        name = "previous" if kind == "prev" else kind
        ul.add(E("li", link, cls=f"pager__item pager__item--{name}"))

    put("first")
    put("prev")
    for step in number_steps(page, series, here):
        if step.kind == "gap":
            ul.add(E("li", "…", cls="pager__item pager__item--ellipsis", role="presentation"))
            continue
        link = bar_link(page, step, bar, series, title=f"Page {step.text}")
        link.kids.insert(0, E("span", page.lex.pager("label")[0], cls="visually-hidden"))
        ul.add(E("li", link, cls="pager__item is-active" if step.current else "pager__item"))
    put("next")
    put("last")
    return E(
        "nav", E("h4", page.lex.pager("label")[0], cls="visually-hidden"), ul, cls="pager", role="navigation"
    )


def bootstrap(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Bootstrap 2 to 5."""
    bar = open_bar(page, block, series, here)
    version = page.pick("bootstrap", [2, 3, 3, 4, 4, 5])
    item, link_cls = ("page-item", "page-link") if version >= 4 else (None, None)
    ul = E(
        "ul",
        cls="pagination"
        + page.pick("bs-extra", ["", " pagination-sm", " justify-content-center", " pull-right"]),
    )
    if version == 2:
        ul.attrs.pop("class")
    arrows = page.pick("bs-arrows", [("«", "»"), ("‹", "›"), None])

    def put(kind: str, sign: str | None) -> None:
        step = way(page, series, here, kind, sign)
        if step is None:
            off = E(
                "a" if page.chance("bs-off-a", 0.5) else "span", sign or page.lex.pager(kind)[0], cls=link_cls
            )
            if off.tag == "a":
                off.attrs["href"] = "#"
            ul.add(E("li", off, cls=" ".join(filter(None, (item, "disabled")))))
            return
        link = bar_link(page, step, bar, series, cls=link_cls)
        if sign and page.chance("bs-aria", 0.5):
            link.attrs["aria-label"] = page.lex.pager(kind)[0]
            link.kids[:] = [E("span", sign, aria_hidden="true")]
        ul.add(E("li", link, cls=item))

    put("prev", arrows[0] if arrows else None)
    for step in number_steps(page, series, here, page.pick("bs-layout", ["window", "ends", "all"])):
        if step.kind == "gap":
            ul.add(E("li", E("span", "...", cls=link_cls), cls=" ".join(filter(None, (item, "disabled")))))
        elif step.current:
            hidden = E("span", "(current)", cls="sr-only") if page.chance("bs-sr", 0.4) else None
            ul.add(
                E(
                    "li",
                    E("span", step.text, " " if hidden else None, hidden, cls=link_cls),
                    cls=" ".join(filter(None, (item, "active"))),
                )
            )
        else:
            ul.add(E("li", bar_link(page, step, bar, series, cls=link_cls), cls=item))
    put("next", arrows[1] if arrows else None)
    return E("div", ul, cls="pagination") if version == 2 else E("nav", ul, aria_label="Page navigation")


def tailwind(page: Page, block: int | None, series: Series, here: int) -> Node:
    """A utility-class bar with a short form for phones and a long one, both in the page."""
    bar = open_bar(page, block, series, here)
    box = "relative inline-flex items-center px-4 py-2 text-sm font-medium text-gray-700 bg-white border"
    svg = Raw('<svg class="w-5 h-5" viewBox="0 0 20 20"><path d="M12.7 5.3L8 10l4.7 4.7"/></svg>')
    small, large = (
        E("div", cls="flex justify-between flex-1 sm:hidden"),
        E("span", cls="relative z-0 inline-flex rounded-md shadow-sm"),
    )
    for kind in ("prev", "next"):
        step = way(page, series, here, kind)
        if step is None:
            small.add(
                E(
                    "span",
                    page.pick(f"cms-{kind}", page.lex.pager(kind)).format(k=series.size),
                    cls=box + " cursor-default",
                )
            )
        else:
            small.add(bar_link(page, step, bar, series, cls=box))
    if step := way(page, series, here, "prev"):
        link = bar_link(page, step, bar, series, cls=box, rel="prev", aria_label=page.lex.pager("prev")[0])
        link.kids[:] = [svg]
        large.add(link)
    for step in number_steps(page, series, here, "ends"):
        if step.kind == "gap" or step.current:
            large.add(E("span", E("span", step.text, cls=box), aria_current="page" if step.current else None))
        else:
            large.add(bar_link(page, step, bar, series, cls=box, aria_label=f"Go to page {step.page}"))
    if step := way(page, series, here, "next"):
        link = bar_link(page, step, bar, series, cls=box, rel="next", aria_label=page.lex.pager("next")[0])
        link.kids[:] = [svg]
        large.add(link)
    total = E("p", info(page, series, here), cls="text-sm text-gray-700 leading-5")
    return E(
        "nav",
        small,
        E("div", total, large, cls="hidden sm:flex-1 sm:flex sm:items-center"),
        role="navigation",
        cls="flex items-center justify-between",
    )


def will_paginate(page: Page, block: int | None, series: Series, here: int) -> Node:
    """The Rails gem's shape."""
    bar = open_bar(page, block, series, here)
    box = E("div", cls="pagination")
    for kind, cls in (("prev", "previous_page"), ("next", "next_page")):
        step = way(page, series, here, kind)
        made = (
            bar_link(page, step, bar, series, cls=cls, rel=kind)
            if step
            else E(
                "span",
                page.pick(f"cms-{kind}", page.lex.pager(kind)).format(k=series.size),
                cls=f"{cls} disabled",
            )
        )
        if kind == "prev":
            box.add(made, " ")
            for one in number_steps(page, series, here, "ends"):
                if one.kind == "gap":
                    box.add(E("span", "…", cls="gap"), " ")
                else:
                    box.add(
                        E("em", one.text, cls="current") if one.current else bar_link(page, one, bar, series),
                        " ",
                    )
        else:
            box.add(made)
    return box


def step_links(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Django's tutorial shape: first, previous, "page 2 of 23", next, last."""
    bar = open_bar(page, block, series, here)
    box = E("span", cls="step-links")
    for kind in ("first", "prev"):
        if step := way(page, series, here, kind):
            box.add(bar_link(page, step, bar, series), " ")
    box.add(E("span", info(page, series, here), cls="current"), " ")
    for kind in ("next", "last"):
        if step := way(page, series, here, kind):
            box.add(bar_link(page, step, bar, series), " ")
    return E("div", box, cls="pagination")


def joomla(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Joomla: start, previous, numbers, next, end; dead ones are spans."""
    bar = open_bar(page, block, series, here)
    ul = E("ul", cls=page.pick("joomla-ul", ["pagination-list", "pagination", None]))
    pieces = [("first", "pagination-start"), ("prev", "pagination-prev")]
    for kind, cls in pieces:
        step = way(page, series, here, kind)
        ul.add(
            E(
                "li",
                bar_link(page, step, bar, series, cls="pagenav")
                if step
                else E("span", page.lex.pager(kind)[0], cls="pagenav"),
                cls=cls,
            )
        )
    for step in number_steps(page, series, here, "near"):
        if step.kind == "page" and abs((step.page or 0) - here) < 10:
            ul.add(
                E(
                    "li",
                    E("span", step.text, cls="pagenav")
                    if step.current
                    else bar_link(page, step, bar, series, cls="pagenav"),
                )
            )
    for kind, cls in (("next", "pagination-next"), ("last", "pagination-end")):
        step = way(page, series, here, kind)
        ul.add(
            E(
                "li",
                bar_link(page, step, bar, series, cls="pagenav")
                if step
                else E("span", page.lex.pager(kind)[0], cls="pagenav"),
                cls=cls,
            )
        )
    return E("div", E("p", info(page, series, here), cls="counter pull-right"), ul, cls="pagination")


def range_log(page: Page, block: int | None, series: Series, here: int) -> Node:
    """A wiki's log: (newest | oldest) view (newer 50 | older 50) (20 | 50 | 100)."""
    bar = open_bar(page, block, series, here)
    box = E("p", cls="mw-pager-navigation-bar")

    def pair(kind: str, key: str, target: int) -> None:
        text = f"{page.lex.pager(key)[-1]} {series.size}"
        alive = 1 <= target <= series.total
        box.add(
            bar_link(
                page,
                Step(kind, text, target),
                bar,
                series,
                cls="mw-nextlink" if kind == "next" else "mw-prevlink",
            )
            if alive
            else text
        )

    box.add("(")
    pair("prev", "newer", here - 1)
    box.add(" | ")
    pair("next", "older", here + 1)
    box.add(") (")
    here_url = page.page_url(here, series)
    joint = "&" if "?" in here_url else "?"
    for at, size in enumerate((20, 50, 100, 250, 500)):
        box.add(
            " | " if at else None,
            E("a", str(size), href=page.href(f"{here_url}{joint}limit={size}"), cls="mw-numlink"),
        )
    return box.add(")")


CMS: dict[str, Callable[[Page, int | None, Series, int], Node | None]] = {
    "drupal7": drupal7, "drupal8": drupal8, "bootstrap": bootstrap, "tailwind": tailwind,
    "will-paginate": will_paginate, "step-links": step_links, "joomla": joomla, "range-log": range_log,
}  # fmt: skip
