"""Markup of pagination bars that are plain links."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .dom import E, Node
from .pager import Step, info, label_of, older_page, steps
from .site import Page, PageMark, Series

CURRENT = ("span", "strong", "b", "em", "font", "no-href", "self", "hash", "void", "text", "bracket", "li")
OFF = ("omit", "omit", "span", "hash", "void", "no-href", "self")
_ICONS = {
    "next": [
        "fa fa-angle-right",
        "icon-next",
        "glyphicon glyphicon-chevron-right",
        "iconfont icon-right",
        "dashicons-arrow-right",
    ],
    "prev": [
        "fa fa-angle-left",
        "icon-prev",
        "glyphicon glyphicon-chevron-left",
        "iconfont icon-left",
        "dashicons-arrow-left",
    ],
    "last": [
        "fa fa-angle-double-right",
        "icon-last",
        "glyphicon glyphicon-step-forward",
        "iconfont icon-end",
        "dashicons-last",
    ],
    "first": [
        "fa fa-angle-double-left",
        "icon-first",
        "glyphicon glyphicon-step-backward",
        "iconfont icon-start",
        "dashicons-first",
    ],
}


def open_bar(page: Page, block: int | None, series: Series, here: int) -> int:
    """Registers the next bar of a list."""
    return page.new_bar(block, older_page(series, here))


def face(page: Page, step: Step) -> list[object]:
    """What is inside a link: a text, an icon font, an image."""
    if step.face == "icon":
        icon = E(
            "i",
            cls=_ICONS[step.kind][page.pick("icons", range(5))],
            aria_hidden=page.chance("icon-aria", 0.4) and "true",
        )
        return [icon, E("span", step.text, cls="sr-only")] if page.chance("icon-text", 0.3) else [icon]
    if step.face.startswith("image"):
        kind = page.pick("image-kind", ["gif", "png", "svg"])
        name = (
            step.kind
            if page.chance("image-name", 0.6)
            else {"next": "r", "prev": "l", "first": "ll", "last": "rr"}[step.kind]
        )
        return [
            E(
                "img",
                src=page.path(f"/images/{name}.{kind}"),
                alt=step.text if step.face == "image-alt" else "",
                border="0",
            )
        ]
    if page.chance("inner-span", 0.12):
        return [E("span", step.text)]
    return [step.text]


def bar_link(
    page: Page, step: Step, bar: int, series: Series, href: str | None = None, **attrs: object
) -> Node:
    """A working link of the bar, marked with its label."""
    label, orig = label_of(step)
    target = href if href is not None else page.href(page.page_url(step.page or 1, series))
    link = E("a", *face(page, step), href=target, **attrs)  # type: ignore[arg-type]
    link.mark = PageMark(bar, label, orig, step.page)
    if step.kind in {"next", "prev"} and page.chance("rel", 0.3):
        link.attrs["rel"] = step.kind
    if page.chance("link-title", 0.15) and step.kind != "page":
        link.attrs["title"] = page.lex.pager(step.kind if step.kind != "jump" else "next")[0]
    if step.face == "icon" and page.chance("aria", 0.4):
        link.attrs["aria-label"] = page.lex.pager(step.kind)[0]
    return link


def current(page: Page, step: Step, bar: int, series: Series, style: str | None = None) -> Node | str:
    """The marker of the page one is on."""
    style = style or page.pick("current", CURRENT)
    cls = page.names("current")
    match style:
        case "self":
            link = bar_link(page, step, bar, series)
            return link.has_class(cls or "active")
        case "hash" | "void":
            return E(
                "a",
                step.text,
                cls=cls or "active",
                href="#"
                if style == "hash"
                else page.pick("void", ["javascript:;", "javascript:void(0)", "javascript:void(0);"]),
            )
        case "no-href":
            return E("a", step.text, cls=cls or "active")
        case "font":
            return E("font", step.text, color="red")
        case "bracket":
            return f"[{step.text}]"
        case "text":
            return step.text
        case "li":
            return E("span", step.text)
    return E(style, step.text, cls=cls)


def off(page: Page, step: Step, bar: int, series: Series, here: int, style: str | None = None) -> Node | None:
    """A step that leads nowhere on this page (previous on page 1)."""
    style = style or page.pick("off", OFF)
    cls = page.names("disabled")
    match style:
        case "omit":
            return None
        case "hash" | "void":
            return E(
                "a", *face(page, step), cls=cls or "disabled", href="#" if style == "hash" else "javascript:;"
            )
        case "no-href":
            return E("a", *face(page, step), cls=cls)
        case "self":
            # First on page 1 and last on the last page are real links; previous and next are not.
            link = bar_link(page, step, bar, series, page.href(page.page_url(here, series)))
            if step.kind in {"next", "prev"}:
                link.mark = None
            return link
    return E("span", *face(page, step), cls=cls)


def pieces(
    page: Page, found: Sequence[Step], bar: int, series: Series, here: int
) -> list[tuple[Step, Node | str]]:
    """Each step with its markup; steps that are left out are not there."""
    out: list[tuple[Step, Node | str]] = []
    for step in found:
        if step.kind == "gap":
            out.append((step, E("span", step.text, cls=page.names("gap"))))
        elif step.current:
            out.append((step, current(page, step, bar, series)))
        elif step.off:
            made = off(page, step, bar, series, here)
            if made is not None:
                out.append((step, made))
        else:
            link = bar_link(page, step, bar, series)
            role = step.kind if step.kind in {"next", "prev", "first", "last"} else "barlink"
            if page.chance("link-class", 0.5) and (cls := page.names(role)):
                link.has_class(cls)
            out.append((step, link))
    return out


def _ends(page: Page, series: Series, here: int, bar: Node) -> Node:
    """Totals, labels and jump boxes around the links of a bar."""
    if page.chance("label", 0.12):
        bar.kids.insert(
            0, E("span", page.pick("label-word", page.lex.pager("label")), cls=page.names("label"))
        )
    if page.chance("info", 0.3):
        text = E(
            page.pick("info-tag", ["span", "em", "b"]), info(page, series, here), cls=page.names("total")
        )
        bar.kids.insert(0, text) if page.chance("info-first", 0.5) else bar.add(text)
    if page.chance("jump", 0.12):
        bar.add(jump_box(page))
    return bar


def jump_box(page: Page) -> Node:
    """A field for a page number."""
    return E(
        "span",
        E("input", type="text", name="page", size="3", value=str(page.number)),
        E("input", type="button", value=page.lex.data["pager"]["go"], onclick="gotoPage(this)"),
        cls="jump",
    )


def flat(page: Page, block: int | None, series: Series, here: int, found: list[Step] | None = None) -> Node:
    """Links one beside the other in one element."""
    bar = open_bar(page, block, series, here)
    box = E(
        page.pick("bar-tag", ["div", "div", "div", "p", "nav", "center", "span", "h4"]), cls=page.names("bar")
    )
    if box.tag == "nav" and page.chance("bar-aria", 0.5):
        box.attrs["aria-label"] = "Pagination"
    joint = page.pick("joint", ["", " ", " ", "\u00a0", " | ", " · ", "\u00a0\u00a0", ", "])
    parts = pieces(page, found if found is not None else steps(page, series, here), bar, series, here)
    for at, (_, made) in enumerate(parts):
        box.add(joint if at and joint else None, made)
    return _ends(page, series, here, box)


def listed(page: Page, block: int | None, series: Series, here: int, found: list[Step] | None = None) -> Node:
    """ul > li > a, with the current one marked on the li or inside it."""
    bar = open_bar(page, block, series, here)
    ul = E(
        page.pick("bar-list-tag", ["ul", "ul", "ul", "ol"]),
        cls=page.names("bar" if page.chance("bar-on-ul", 0.6) else "barlist"),
    )
    on_li = page.chance("current-on-li", 0.6)
    for step, made in pieces(
        page, found if found is not None else steps(page, series, here), bar, series, here
    ):
        role = (
            "gap"
            if step.kind == "gap"
            else step.kind
            if step.kind in {"next", "prev", "first", "last"}
            else "baritem"
        )
        li = E("li", made, cls=page.names(role) if page.chance("li-class", 0.6) else None)
        if step.current and on_li:
            li.has_class(page.names("current") or "active")
        ul.add(li)
    if page.chance("bare-list", 0.3):
        return ul
    wrap = page.pick("bar-wrap", ["div", "nav", "div", "section"])
    return _ends(page, series, here, E(wrap, ul, cls=page.names("bar"), role=wrap == "nav" and "navigation"))


def table(page: Page, block: int | None, series: Series, here: int, found: list[Step] | None = None) -> Node:
    """Cells of a table row, or all links in one cell."""
    bar = open_bar(page, block, series, here)
    parts = [
        made
        for _, made in pieces(
            page, found if found is not None else steps(page, series, here), bar, series, here
        )
    ]
    if page.chance("one-cell", 0.5):
        spaced = [kid for made in parts for kid in (made, " ")]
        row = E("tr", E("td", spaced, align="center", height="30"))
    else:
        row = E("tr", [E("td", made, width=None if index else "30") for index, made in enumerate(parts)])
    box = E("table", row, width="100%", border="0", cellspacing="0", cellpadding="4", cls=page.names("bar"))
    return E("div", box, align="right") if page.chance("bar-table-div", 0.3) else box


def split(page: Page, block: int | None, series: Series, here: int, found: list[Step] | None = None) -> Node:
    """Previous on one side, next on the other, numbers between or none."""
    bar = open_bar(page, block, series, here)
    chosen = (
        found
        if found is not None
        else steps(page, series, here, page.pick("split-layout", ["prevnext", "prevnext", "window"]), "pn")
    )
    left, mid, right = E("div", cls="left"), E("div", cls="center"), E("div", cls="right")
    for step, made in pieces(page, chosen, bar, series, here):
        side = left if step.kind in {"prev", "first"} else right if step.kind in {"next", "last"} else mid
        side.add(made, " ")
    return E(
        page.pick("split-tag", ["div", "nav"]),
        [part for part in (left, mid, right) if part.kids],
        cls=page.names("bar"),
    )


def two_ways(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Older and newer by word. As the web has it, the link to older items is called previous where the design
    points left, and next where it points right."""
    bar = open_bar(page, block, series, here)
    points_left = page.chance("older-left", 0.55)
    tag = page.pick("two-tag", ["div", "span", "p"])
    arrows = page.pick("two-arrows", ["", "", "arrow", "quote", "double"])
    left_sign = {"": "", "arrow": "← ", "quote": "« ", "double": "<< "}[arrows]
    right_sign = {"": "", "arrow": " →", "quote": " »", "double": " >>"}[arrows]
    text = {
        "older": page.pick("older-word", page.lex.pager("older")),
        "newer": page.pick("newer-word", page.lex.pager("newer")),
    }
    sides: dict[str, Node] = {}
    for name, target in (("older", here + 1), ("newer", here - 1)):
        if not 1 <= target <= series.total:
            continue
        to_left = (name == "older") == points_left
        shown = f"{left_sign}{text[name]}" if to_left else f"{text[name]}{right_sign}"
        step = Step("prev" if to_left else "next", shown, target)
        link = bar_link(page, step, bar, series)
        role = "prev" if to_left else "next"
        sides[role] = E(tag, link, cls=page.names(role) or role) if page.chance("two-wrap", 0.7) else link
    return E(
        page.pick("two-box", ["div", "nav"]),
        [sides[side] for side in ("prev", "next") if side in sides],
        cls=page.names("bar"),
    )


def more(page: Page, block: int | None, series: Series, here: int) -> Node | None:
    """One link with a real address that says "more"."""
    if here >= series.total:
        return None
    bar = open_bar(page, block, series, here)
    step = Step("next", page.pick("more-word", page.lex.pager("more")), here + 1)
    link = bar_link(
        page, step, bar, series, cls=page.pick("more-class", ["btn load-more", "more", "morelink", None])
    )
    return E(page.pick("more-tag", ["div", "p", "center"]), link, cls=page.names("bar"))


def next_only(page: Page, block: int | None, series: Series, here: int) -> Node | None:
    """Only the way on (and back from page 2)."""
    return flat(
        page, block, series, here, [s for s in steps(page, series, here, "prevnext", "pn") if not s.off]
    )


def words(page: Page, block: int | None, series: Series, here: int) -> Node:
    """First, previous, next, last without numbers."""
    return flat(page, block, series, here, steps(page, series, here, "words", "flpn"))


def bare_numbers(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Only numbers, no word at all."""
    found = steps(page, series, here, page.pick("bare-layout", ["all", "window", "near"]), "none")
    return page.pick("bare-form", [flat, listed])(page, block, series, here, found)


PLAIN: dict[str, Callable[[Page, int | None, Series, int], Node | None]] = {
    "flat": flat, "listed": listed, "table": table, "split": split, "two-ways": two_ways, "more": more,
    "next-only": next_only, "words": words, "bare-numbers": bare_numbers,
}  # fmt: skip
