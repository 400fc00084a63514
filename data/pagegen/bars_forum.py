"""Bars of forum and Chinese list systems."""

from __future__ import annotations

from collections.abc import Callable

from .bars import bar_link, open_bar
from .dom import E, Node
from .pager import Step, info, number_steps, way
from .site import Page, Series


def discuz(page: Page, block: int | None, series: Series, here: int) -> Node:
    """div.pg: previous sign, strong for the current one, "... 120", a jump field, next page."""
    bar = open_bar(page, block, series, here)
    box = E("div", cls="pg")
    if step := way(page, series, here, "prev", "\u00a0\u00a0"):
        box.add(bar_link(page, step, bar, series, cls="prev"))
    if here > 5:
        box.add(bar_link(page, Step("first", "1 ...", 1), bar, series, cls="first"))
    low = max(1, min(here - 4, series.total - 9))
    for number in range(low, min(low + 10, series.total + 1)):
        step = Step("page", str(number), number)
        box.add(E("strong", step.text) if number == here else bar_link(page, step, bar, series))
    if low + 9 < series.total:
        box.add(bar_link(page, Step("last", f"... {series.total}", series.total), bar, series, cls="last"))
    field = E(
        "input",
        type="text",
        name="custompage",
        cls="px",
        size="2",
        value=str(here),
        onkeydown="if(event.keyCode==13) {window.location='forum.php?page='+this.value;}",
    )
    box.add(E("label", field, E("span", f" / {series.total} 页", title=f"共 {series.total} 页")))
    if step := way(page, series, here, "next", page.pick("dz-next", ["下一页", "下一頁"])):
        box.add(bar_link(page, step, bar, series, cls="nxt"))
    jump = E(
        "span", E("a", page.pick("dz-back", ["返 回", "返回列表"]), href=page.path("/forum.php")), cls="pgb y"
    )
    return E("div", jump, box, cls="bm bw0 pgs cl") if page.chance("dz-wrap", 0.6) else box


def dede(page: Page, block: int | None, series: Series, here: int) -> Node:
    """ul.pagelist with a select box and a count of pages and items."""
    bar = open_bar(page, block, series, here)
    ul = E("ul", cls="pagelist")
    for kind, text in (("first", "首页"), ("prev", "上一页")):
        step = way(page, series, here, kind, text)
        ul.add(
            E("li", bar_link(page, step, bar, series))
            if step
            else (E("li", text) if kind == "first" else None)
        )
    for step in number_steps(page, series, here, "block10"):
        ul.add(
            E("li", step.text, cls="thisclass")
            if step.current
            else E("li", bar_link(page, step, bar, series))
        )
    for kind, text in (("next", "下一页"), ("last", page.pick("dede-last", ["末页", "尾页"]))):
        step = way(page, series, here, kind, text)
        ul.add(
            E("li", bar_link(page, step, bar, series))
            if step
            else (E("li", text) if kind == "last" else None)
        )
    if page.chance("dede-select", 0.5):
        choices = [
            E("option", str(at), value=page.href(page.page_url(at, series)), selected=at == here)
            for at in range(1, min(series.total, 30) + 1)
        ]
        ul.add(
            E(
                "li",
                E(
                    "select",
                    choices,
                    name="sldd",
                    onchange="location.href=this.options[this.selectedIndex].value;",
                ),
            )
        )
    count = series.total * series.size - 2
    ul.add(
        E(
            "li",
            E(
                "span",
                "共 ",
                E("strong", str(series.total)),
                "页",
                E("strong", str(count)),
                "条",
                cls="pageinfo",
            ),
        )
    )
    return E("div", ul, cls=page.pick("dede-box", ["dede_pages", "pages", "page"]))


def phpcms(page: Page, block: int | None, series: Series, here: int) -> Node:
    """div#pages: the count is a link without an address, previous and next share a class with it."""
    bar = open_bar(page, block, series, here)
    box = E("div", E("a", f"{series.total * series.size - 1}条", cls="a1"), " ", id="pages", cls="text-c")
    prev = way(page, series, here, "prev", "上一页")
    box.add(
        bar_link(page, prev, bar, series, cls="a1") if prev else bar_self(page, "上一页", bar, series, here),
        " ",
    )
    for step in number_steps(page, series, here, "near" if series.total > 11 else "all"):
        box.add(
            ".."
            if step.kind == "gap"
            else E("span", step.text)
            if step.current
            else bar_link(page, step, bar, series),
            " ",
        )
    after = way(page, series, here, "next", "下一页")
    return box.add(
        bar_link(page, after, bar, series, cls="a1") if after else bar_self(page, "下一页", bar, series, here)
    )


def bar_self(page: Page, text: str, bar: int, series: Series, here: int) -> Node:
    """Previous on page 1 (next on the last one) that leads to the page itself: no label."""
    return E("a", text, href=page.href(page.page_url(here, series)), cls="a1")


def empire(page: Page, block: int | None, series: Series, here: int) -> Node:
    """A bold total that is a link, bold current number, words at the end."""
    bar = open_bar(page, block, series, here)
    space = "\u00a0"
    box = E(
        page.pick("empire-tag", ["div", "td", "p"]).replace("td", "div"),
        E("a", space, E("b", str(series.total * series.size - 4)), " ", title="总数"),
        space * 3,
        cls=page.pick("empire-cls", ["epages", "pagebar", "list_page"]),
    )
    for kind, text in (("first", "首页"), ("prev", "上一页")):
        if step := way(page, series, here, kind, text):
            box.add(bar_link(page, step, bar, series), space)
    for step in number_steps(page, series, here, "block10"):
        box.add(E("b", step.text) if step.current else bar_link(page, step, bar, series), space)
    for kind, text in (("next", "下一页"), ("last", "尾页")):
        if step := way(page, series, here, kind, text):
            box.add(bar_link(page, step, bar, series), space)
    return box


def university(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Spans round every link, dead ones named _d; page files count down."""
    bar = open_bar(page, block, series, here)
    box = E("span", E("span", f"共{series.total * series.size - 5}条", cls="p_t"), cls="p_pages")
    for kind, text in (("first", "首页"), ("prev", "上页")):
        step = way(page, series, here, kind, text)
        box.add(
            E(
                "span",
                bar_link(page, step, bar, series) if step else text,
                cls=f"p_{kind} p_fun" if step else f"p_{kind}_d p_fun_d",
            )
        )
    if page.chance("vsb-numbers", 0.7):
        for step in number_steps(page, series, here):
            box.add(
                E(
                    "span",
                    step.text if step.current or step.kind == "gap" else bar_link(page, step, bar, series),
                    cls="p_no_d" if step.current else "p_dot" if step.kind == "gap" else "p_no",
                )
            )
    for kind, text in (("next", "下页"), ("last", "尾页")):
        step = way(page, series, here, kind, text)
        box.add(
            E(
                "span",
                bar_link(page, step, bar, series) if step else text,
                cls=f"p_{kind} p_fun" if step else f"p_{kind}_d p_fun_d",
            )
        )
    box.add(
        E(
            "span",
            "到第",
            E("input", type="text", size="2", id="goto"),
            "页",
            E("a", "跳转", href="javascript:void(0);", onclick="go2page()"),
            cls="p_goto",
        )
    )
    return E("div", box, align="center", cls="pb_sys_common pb_sys_normal")


def jump_ten(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Numbers by ten with "next ten pages" beside "next page"."""
    bar = open_bar(page, block, series, here)
    box = E("div", cls=page.pick("jump-cls", ["page_tag", "pages", page.names("bar")]))
    low = (here - 1) // 10 * 10 + 1
    if step := way(page, series, here, "prev", "上一页"):
        box.add(bar_link(page, step, bar, series), " ")
    if low > 1:
        box.add(
            bar_link(
                page, Step("jump", page.pick("jump-back", ["上10页", "前十页", "..."]), low - 10), bar, series
            ),
            " ",
        )
    for step in number_steps(page, series, here, "block10"):
        box.add(E("span", step.text, cls="cur") if step.current else bar_link(page, step, bar, series), " ")
    if low + 10 <= series.total:
        box.add(
            bar_link(
                page,
                Step("jump", page.pick("jump-on", ["下10页", "后十页", "下5页", "..."]), low + 10),
                bar,
                series,
            ),
            " ",
        )
    if step := way(page, series, here, "next", "下一页"):
        box.add(bar_link(page, step, bar, series))
    return box


def phpbb(page: Page, block: int | None, series: Series, here: int) -> Node:
    """div.pagination of phpBB, old (commas) or new (list with an arrow button)."""
    bar = open_bar(page, block, series, here)
    total = E("span", info(page, series, here))
    if page.chance("phpbb-old", 0.4):
        inner = E("span")
        for at, step in enumerate(number_steps(page, series, here)):
            inner.add(
                E("span", ", ", cls="page-sep") if at else None,
                E("strong", step.text)
                if step.current
                else " ... "
                if step.kind == "gap"
                else bar_link(page, step, bar, series),
            )
        return E("div", total, " • ", inner, cls="pagination")
    ul = E("ul")
    for step in number_steps(page, series, here):
        if step.kind == "gap":
            ul.add(E("li", E("span", "…"), cls="ellipsis", role="separator"))
        elif step.current:
            ul.add(E("li", E("span", step.text), cls="active"))
        else:
            ul.add(E("li", bar_link(page, step, bar, series, cls="button", role="button")))
    for kind in ("prev", "next"):
        if side := way(page, series, here, kind):
            link = bar_link(page, side, bar, series, cls="button button-icon-only", rel=kind)
            link.kids[:] = [
                E("i", cls="icon fa-chevron-right fa-fw", aria_hidden="true"),
                E("span", side.text, cls="sr-only"),
            ]
            item = E("li", link, cls=f"arrow {'previous' if kind == 'prev' else 'next'}")
            ul.kids.insert(0, item) if kind == "prev" else ul.add(item)
    return E("div", total, " • ", ul, cls="pagination")


def vbulletin(page: Page, block: int | None, series: Series, here: int) -> Node:
    """A table of cells: page 2 of 23, numbers, ">", "Last »"."""
    bar = open_bar(page, block, series, here)
    row = E("tr", E("td", info(page, series, here), cls="vbmenu_control", style="font-weight:normal"))
    for kind, text in (("first", "« " + page.lex.pager("first")[0].strip("« ")), ("prev", "<")):
        if (step := way(page, series, here, kind, text)) and (kind == "prev" or here > 3):
            row.add(
                E(
                    "td",
                    bar_link(page, step, bar, series, cls="smallfont", rel=kind if kind == "prev" else None),
                    cls="alt1",
                )
            )
    for number in range(max(1, here - 2), min(series.total, here + 2) + 1):
        if number == here:
            row.add(E("td", E("span", E("strong", str(number)), cls="smallfont"), cls="alt2"))
        else:
            row.add(
                E(
                    "td",
                    bar_link(page, Step("page", str(number), number), bar, series, cls="smallfont"),
                    cls="alt1",
                )
            )
    for number in (here + 10, here + 50):
        if number < series.total and page.chance("vb-far", 0.5):
            row.add(
                E(
                    "td",
                    bar_link(page, Step("page", str(number), number), bar, series, cls="smallfont"),
                    cls="alt1",
                )
            )
    for kind, text in (("next", ">"), ("last", page.lex.pager("last")[0].strip("» ") + " »")):
        if step := way(page, series, here, kind, text):
            row.add(E("td", bar_link(page, step, bar, series, cls="smallfont"), cls="alt1", nowrap="nowrap"))
    return E(
        "div",
        E("table", row, cls="tborder", cellpadding="3", cellspacing="1", border="0"),
        cls="pagenav",
        align="right",
    )


def brackets(page: Page, block: int | None, series: Series, here: int) -> Node:
    """ "Pages: [1] 2 3 ... 23" of simple forums: only numbers, the current one in brackets."""
    bar = open_bar(page, block, series, here)
    box = E("div", page.pick("bracket-word", page.lex.pager("label")), " ", cls="pagelinks floatleft")
    for step in number_steps(page, series, here):
        if step.current:
            box.add("[", E("strong", step.text), "] ")
        else:
            box.add(" ... " if step.kind == "gap" else bar_link(page, step, bar, series, cls="navPages"), " ")
    if page.chance("go-down", 0.5):
        box.add("\u00a0\u00a0", E("a", E("b", page.lex.word("top")), href="#bot"))
    return box


def xen(page: Page, block: int | None, series: Series, here: int) -> Node:
    """A list where the current page is a link to itself, beside jump links and a field."""
    bar = open_bar(page, block, series, here)
    wrap = E("div", cls="pageNav")
    if step := way(page, series, here, "prev"):
        wrap.add(bar_link(page, step, bar, series, cls="pageNav-jump pageNav-jump--prev"))
    ul = E("ul", cls="pageNav-main")
    for step in number_steps(page, series, here):
        if step.kind == "gap":
            ul.add(
                E(
                    "li",
                    E("a", "…", title="Go to page", data_xf_click="menu", role="button"),
                    cls="pageNav-page pageNav-page--skip",
                )
            )
        else:
            ul.add(
                E(
                    "li",
                    bar_link(page, step, bar, series),
                    cls="pageNav-page pageNav-page--current" if step.current else "pageNav-page",
                )
            )
    wrap.add(ul)
    if step := way(page, series, here, "next"):
        wrap.add(bar_link(page, step, bar, series, cls="pageNav-jump pageNav-jump--next"))
    return E("nav", wrap, cls="pageNavWrapper")


def gnuboard(page: Page, block: int | None, series: Series, here: int) -> Node:
    """nav.pg_wrap: hidden words beside each number, next and end as words."""
    bar = open_bar(page, block, series, here)
    box = E("span", cls="pg")
    if step := way(page, series, here, "first", page.lex.pager("first")[0]):
        box.add(bar_link(page, step, bar, series, cls="pg_page pg_start"))
    for step in number_steps(page, series, here, "block10"):
        if step.current:
            box.add(
                E("strong", step.text, cls="pg_current"),
                E("span", page.lex.pager("label")[0], cls="sound_only"),
            )
        else:
            link = bar_link(page, step, bar, series, cls="pg_page")
            box.add(link.add(E("span", page.lex.pager("label")[0], cls="sound_only")))
    low = (here - 1) // 10 * 10 + 1
    if low + 10 <= series.total:
        box.add(
            bar_link(
                page,
                Step("jump" if here != low + 9 else "next", page.lex.pager("next")[0], low + 10),
                bar,
                series,
                cls="pg_page pg_next",
            )
        )
    if step := way(page, series, here, "last", page.lex.pager("last")[0]):
        box.add(bar_link(page, step, bar, series, cls="pg_page pg_end"))
    return E("nav", box, cls="pg_wrap")


FORUM: dict[str, Callable[[Page, int | None, Series, int], Node | None]] = {
    "discuz": discuz, "dede": dede, "phpcms": phpcms, "empire": empire, "university": university,
    "jump-ten": jump_ten, "phpbb": phpbb, "vbulletin": vbulletin, "brackets": brackets, "xen": xen,
    "gnuboard": gnuboard,
}  # fmt: skip
