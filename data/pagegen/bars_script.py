"""Bars that need script, a form or a plug-in.

`script_next` of the label line is the address of the page after this one where it can be worked out from what
the page says, and null where it cannot.
"""

from __future__ import annotations

from collections.abc import Callable

from .bars import flat, open_bar
from .dom import E, Node, Raw
from .pager import Step, info, label_of, older_page, steps
from .site import Page, PageMark, Series


def _note(page: Page, series: Series, here: int, known: bool) -> None:
    """Remembers that this page's pager is script, and whether the next address can be worked out."""
    target = older_page(series, here)
    if target is None:
        return
    page.has_script_pager = True
    page.js_only = True
    if known:
        page.script_next = page.href(page.page_url(target, series))


def _stem(page: Page, series: Series) -> tuple[str, str]:
    """("index", "shtml") of the first page's file."""
    name = page.page_url(1, series).rsplit("/", 1)[-1] or "index.html"
    stem, _, ending = name.rpartition(".")
    return stem or "index", ending or "html"


def create_page_html(page: Page, block: int | None, series: Series, here: int) -> Node:
    """createPageHTML(count, current from 0, stem, ending): page 2 is stem_1."""
    open_bar(page, block, series, here)
    stem, ending = _stem(page, series)
    _note(page, series, here, True)
    quote = page.pick("cph-quote", ['"', "'"])
    name = page.pick(
        "cph-name", ["createPageHTML", "createPageHTML", "createPageHTML1", "createPage", "createPageHtml"]
    )
    arguments = f"{series.total}, {here - 1}, {quote}{stem}{quote}, {quote}{ending}{quote}"
    call = f"{name}({arguments})"
    if page.chance("cph-var", 0.3):
        count = series.total * series.size
        call = f"var _total = {series.total};\nvar _cur = {here - 1};\n{name}({arguments},{count});"
    return E(
        "div",
        E("script", Raw(f"\n{call}\n"), type="text/javascript" if page.chance("js-type", 0.6) else None),
        cls=page.names("bar"),
        id=page.pick("cph-id", [None, "page_div", "pages"]),
    )


def count_page(page: Page, block: int | None, series: Series, here: int) -> Node:
    """countPage / currentPage and document.write in the page itself."""
    open_bar(page, block, series, here)
    stem, ending = _stem(page, series)
    _note(page, series, here, True)
    body = f"""
var currentPage = {here - 1};//所在页从0开始
var prevPage = currentPage-1;//上一页
var nextPage = currentPage+1;//下一页
var countPage = {series.total};//共多少页
document.write("共"+countPage+"页");
if(countPage>1&&currentPage!=0&&currentPage!=1)
document.write('<a href="{stem}_'+prevPage+'.{ending}">上一页</a>');
else if(currentPage==1) document.write('<a href="{stem}.{ending}">上一页</a>');
for(var i=0;i<countPage;i++){{ if(currentPage==i) document.write(i+1);
else if(i==0) document.write('<a href="{stem}.{ending}">1</a>');
else document.write('<a href="{stem}_'+i+'.{ending}">'+(i+1)+'</a>'); }}
if(countPage>1&&currentPage!=(countPage-1))
document.write('<a href="{stem}_'+nextPage+'.{ending}">下一页</a>');
"""
    return E("div", E("script", Raw(body), language="JavaScript"), cls=page.names("bar"), align="center")


def _scripted(
    page: Page,
    found: list[Step],
    bar: int,
    href: Callable[[int], str],
    onclick: Callable[[int], str | None],
    data: Callable[[int], str | None] | None = None,
) -> list[object]:
    """Links whose addresses are script, with their labels."""
    out: list[object] = []
    dead = page.pick("js-dead", ["span", "a", "a", "omit"])
    for step in found:
        if step.kind == "gap":
            out.append(step.text)
        elif step.current:
            out.append(
                E(page.pick("js-current", ["span", "strong", "b"]), step.text, cls=page.names("current"))
            )
        elif step.off:
            if dead != "omit":
                out.append(E(dead, step.text, disabled="disabled"))
        else:
            label, orig = label_of(step)
            target = step.page or 1
            out.append(
                E(
                    "a",
                    step.text,
                    href=href(target),
                    onclick=onclick(target),
                    data_url=data(target) if data else None,
                    mark=PageMark(bar, label, orig, step.page),
                )
            )
        out.append(" ")
    return out


def _text_steps(page: Page, series: Series, here: int) -> list[Step]:
    found = steps(page, series, here)
    for step in found:
        step.face = "text"
    return found


def onclick_location(page: Page, block: int | None, series: Series, here: int) -> Node:
    """href="#" with the address in onclick; often a select box beside it."""
    bar = open_bar(page, block, series, here)
    _note(page, series, here, True)
    form = page.pick(
        "onclick-form",
        [
            "location.href='{u}';",
            "location.href=encodeURI('{u}');",
            "window.location='{u}';return false;",
            'self.location.href="{u}"',
        ],
    )
    dummy = page.pick("onclick-href", ["#", "javascript:;", "javascript:void(0)", "###"])
    parts = _scripted(
        page,
        _text_steps(page, series, here),
        bar,
        lambda _: dummy,
        lambda at: form.format(u=page.href(page.page_url(at, series))),
    )
    return E("div", info(page, series, here), " ", parts, cls=page.names("bar"))


def go_page(page: Page, block: int | None, series: Series, here: int) -> Node:
    """javascript:goPage(3) with a form of hidden fields: no address to be had."""
    bar = open_bar(page, block, series, here)
    _note(page, series, here, False)
    name = page.pick("go-name", ["goPage", "gotoPage", "turnPage", "toPage", "jumpPage", "doPage", "fn_list"])
    if page.chance("go-onclick", 0.4):
        parts = _scripted(
            page,
            _text_steps(page, series, here),
            bar,
            lambda _: page.pick("go-href", ["#", "javascript:void(0);", "javascript:;"]),
            lambda at: f"{name}({at});return false;",
        )
    else:
        parts = _scripted(
            page, _text_steps(page, series, here), bar, lambda at: f"javascript:{name}({at})", lambda _: None
        )
    hidden = [
        E("input", type="hidden", name="pageNo", value=str(here)),
        E("input", type="hidden", name="pageSize", value=str(series.size)),
    ]
    return E(
        "form",
        hidden,
        E("div", info(page, series, here), " ", parts, cls=page.names("bar")),
        action=page.path("/list.do"),
        method="post",
        id="pageForm",
    )


def go_template(page: Page, block: int | None, series: Series, here: int) -> Node:
    """goPage(3), with the function beside it that says which address that is."""
    bar = open_bar(page, block, series, here)
    _note(page, series, here, True)
    parts = _scripted(
        page, _text_steps(page, series, here), bar, lambda at: f"javascript:toPage({at});", lambda _: None
    )
    later, other = page.href(page.page_url(2, series)), page.href(page.page_url(3, series))
    cut = next((at for at, (a, b) in enumerate(zip(later, other, strict=False)) if a != b), len(later))
    tail = later[cut + 1 :]
    body = f"\nfunction toPage(n){{ location.href = '{later[:cut]}' + n + '{tail}'; }}\n"
    return E("div", parts, E("script", Raw(body)), cls=page.names("bar"))


def post_back(page: Page, block: int | None, series: Series, here: int) -> Node:
    """ASP.NET: __doPostBack in a form of hidden state."""
    bar = open_bar(page, block, series, here)
    _note(page, series, here, False)
    control = page.pick(
        "control",
        [
            "ctl00$ContentPlaceHolder1$AspNetPager1",
            "AspNetPager1",
            "ctl00$main$GridView1",
            "DataGrid1$_ctl24",
        ],
    )
    grid = "Grid" in control
    parts = _scripted(
        page,
        _text_steps(page, series, here),
        bar,
        lambda at: f"javascript:__doPostBack('{control}','{'Page$' if grid else ''}{at}')",
        lambda _: None,
    )
    state = E("input", type="hidden", name="__VIEWSTATE", id="__VIEWSTATE", value=page.site.place.token * 12)
    box = E(
        "div",
        parts,
        id=control.replace("$", "_"),
        cls=page.names("bar"),
        style="width:100%;text-align:center;",
    )
    function = "function __doPostBack(eventTarget, eventArgument) { theForm.submit(); }"
    script = Raw(f"\nvar theForm = document.forms['form1'];\n{function}\n")
    return E("form", state, E("script", script), box, method="post", action=page.href(page.url), id="form1")


def data_links(page: Page, block: int | None, series: Series, here: int) -> Node:
    """javascript:; with the address in a data attribute."""
    bar = open_bar(page, block, series, here)
    _note(page, series, here, True)
    parts = _scripted(
        page,
        _text_steps(page, series, here),
        bar,
        lambda _: "javascript:;",
        lambda _: None,
        lambda at: page.href(page.page_url(at, series)),
    )
    return E("ul", [E("li", part) for part in parts if isinstance(part, Node)], cls=page.names("bar"))


def select_box(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Only a select box whose values are addresses."""
    open_bar(page, block, series, here)
    _note(page, series, here, True)
    options = [
        E("option", page.num(at), value=page.href(page.page_url(at, series)), selected=at == here)
        for at in range(1, min(series.total, 60) + 1)
    ]
    return E(
        "div",
        info(page, series, here),
        " ",
        E("select", options, name="page", onchange="location.href=this.value;"),
        cls=page.names("bar"),
    )


def get_form(page: Page, block: int | None, series: Series, here: int) -> Node:
    """A form with a page field and buttons for previous and next."""
    open_bar(page, block, series, here)
    _note(page, series, here, False)
    buttons = [
        E("button", page.lex.pager(kind)[0], type="submit", name="p", value=str(target))
        for kind, target in (("prev", here - 1), ("next", here + 1))
        if 1 <= target <= series.total
    ]
    return E(
        "form",
        E("input", type="text", name="page", value=str(here), size="3"),
        buttons,
        info(page, series, here),
        method=page.pick("form-method", ["post", "POST"]),
        action=page.path("/list"),
        cls=page.names("bar"),
    )


def plugin(page: Page, block: int | None, series: Series, here: int) -> Node:
    """An empty element that a plug-in fills; its options may hold the address."""
    open_bar(page, block, series, here)
    template = page.page_url(7, series).split("?")[-1] if "?" in page.page_url(7, series) else ""
    known = bool(template) and "=7" in template and page.chance("plugin-known", 0.6)
    _note(page, series, here, known)
    count = series.total * series.size - 3
    jump = f"location.href='?{template.replace('=7', '=')}'+n" if known else "loadList(n)"
    form = page.pick("plugin-form", ["laypage", "jq", "kk"])
    if form == "laypage":
        turn = f"function(obj,first){{var n=obj.curr;if(!first){{{jump}}}}}"
        body = f"laypage.render({{elem:'pager',count:{count},limit:{series.size},curr:{here},jump:{turn}}});"
    elif form == "jq":
        turn = f"function(i){{var n=i+1;{jump}}}"
        options = f"items_per_page:{series.size},current_page:{here - 1},callback:{turn}"
        body = f"$('#pager').pagination({count},{{{options}}});"
    else:
        turn = f"function(n){{{jump}}}"
        body = f"$('#pager').createPage({{pageCount:{series.total},current:{here},backFn:{turn}}});"
    return E(
        "div",
        E("div", id="pager", cls=page.names("bar")),
        E("script", Raw(f"\n$(function(){{ {body} }});\n")),
    )


def load_button(page: Page, block: int | None, series: Series, here: int) -> Node | None:
    """ "Load more" without an address."""
    if here >= series.total:
        return None
    open_bar(page, block, series, here)
    _note(page, series, here, False)
    word = page.pick("load-word", page.lex.pager("more"))
    if page.chance("load-link", 0.4):
        # A dummy link: it is no way to older items that a client can follow, and no label is made of it.
        return E(
            "div",
            E("a", word, href="javascript:;", cls="load-more", data_page=str(here + 1)),
            cls="more-wrap",
        )
    return E(
        "div", E("button", word, type="button", data_page=str(here + 1), cls="load-more"), cls="more-wrap"
    )


def hash_links(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Numbers that lead to fragments; script turns them into pages."""
    bar = open_bar(page, block, series, here)
    _note(page, series, here, False)
    parts = _scripted(
        page,
        _text_steps(page, series, here),
        bar,
        lambda at: f"#{at}" if page.chance("bare-hash", 0.5) else f"#page={at}",
        lambda _: None,
    )
    return E("div", parts, cls=page.names("bar"))


def sentinel(page: Page, block: int | None, series: Series, here: int) -> Node | None:
    """Endless scrolling: an empty element that may hold the next address."""
    if here >= series.total:
        return None
    open_bar(page, block, series, here)
    known = page.chance("sentinel-url", 0.5)
    _note(page, series, here, known)
    url = page.href(page.page_url(here + 1, series)) if known else None
    watch = "new IntersectionObserver(function(e){ if(e[0].isIntersecting) loadNext(); })"
    body = f"{watch}.observe(document.getElementById('more'));"
    return E(
        "div",
        E(
            "div",
            id="more",
            cls=page.pick("sentinel", ["infinite-scroll", "loading", "spinner"]),
            data_next_url=url,
        ),
        E("script", Raw(body)),
    )


def no_script(page: Page, block: int | None, series: Series, here: int) -> Node:
    """Endless scrolling with a plain bar for those without script."""
    return E("noscript", flat(page, block, series, here))


SCRIPT: dict[str, Callable[[Page, int | None, Series, int], Node | None]] = {
    "create-page": create_page_html, "count-page": count_page, "onclick": onclick_location,
    "go-page": go_page, "go-template": go_template, "post-back": post_back, "data-links": data_links,
    "select": select_box, "form": get_form, "plugin": plugin, "load-button": load_button,
    "hash-links": hash_links, "sentinel": sentinel, "no-script": no_script,
}  # fmt: skip
