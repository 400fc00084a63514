"""Puts a list page together: rows, bars, decoys, shell."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from . import clock
from .bars import PLAIN
from .bars_cms import CMS
from .bars_forum import FORUM
from .bars_script import SCRIPT
from .bars_wordpress import WORDPRESS_BARS
from .chrome import crumbs, document, footer, header, wrapped
from .decoys import ABOVE, BELOW, comment_trap, options_bar
from .dom import E, Node
from .labels import Draft
from .recipes import Recipe
from .rows import PLAIN_ROWS, Rows
from .rows_busy import BUSY_ROWS
from .rows_cms import CMS_ROWS
from .rows_forum import FORUM_ROWS
from .rows_tables import TABLE_ROWS
from .rows_wordpress import WORDPRESS_ROWS
from .sides import sidebar
from .site import Item, Page, Series, Shown, Site

BARS: dict[str, Callable[[Page, int | None, Series, int], Node | None]] = {
    **PLAIN,
    **CMS,
    **WORDPRESS_BARS,
    **FORUM,
    **SCRIPT,
}
ROWS: dict[str, Rows] = {**PLAIN_ROWS, **TABLE_ROWS, **BUSY_ROWS, **CMS_ROWS, **FORUM_ROWS, **WORDPRESS_ROWS}
# These print a date whatever the recipe says; the form tells its precision.
ALWAYS_DATED = {"timeline": "{y}-{mm}-{dd}", "by-day": "{y}-{mm}-{dd}", "blogger": "{y}-{mm}-{dd} {H}:{M}"}
BAIDU_BAR = "Baidu_paging_indicator"
BAIDU_LIST = "Baidu_paging_content_indicator"
BAIDU_ORDER = "Orderby_posttime"


def draw_series(site: Site, recipe: Recipe) -> Series:
    """The series of one site of a family."""
    rng = site.rng("series")
    low, high = recipe.total
    middle = rng.randint(low, max(low, high // 4))
    total = rng.choice(
        [low, rng.randint(low, high), rng.randint(low, high), middle, high * rng.randint(1, 20)]
    )
    if rng.random() < (0.3 if "baidu" in recipe.extra else 0.05):
        total = 1
    return Series(total, site.place.size, rng.choice(recipe.order), recipe.key, rng.choice(recipe.schemes))


def page_numbers(rng: random.Random, total: int, wanted: int) -> list[int]:
    """Which pages of a series to write: mostly the first, then one in the middle, then the last."""
    options = [1, min(2, total), rng.randint(1, total), total]
    chosen = dict.fromkeys([rng.choice([1, 1, options[1], options[2], total]), options[2], total, 1])
    return list(chosen)[:wanted]


def date_form(site: Site, recipe: Recipe, row: str, number: int) -> str | None:
    """How the list prints dates, or None."""
    if row == "by-day" and site.chance("by-month", 0.3):
        return "{y}-{mm}"
    if row in ALWAYS_DATED:
        return ALWAYS_DATED[row]
    if not site.chance("dated", recipe.dated):
        return None
    if number < 6 and site.chance("relative", 0.1):
        return "relative"
    return site.pick("date-form", recipe.formats or tuple(site.lex.formats))


def _times(page: Page, series: Series, here: int, count: int) -> list[datetime]:
    pace = page.pick("pace", [0.5, 3, 8, 14, 30, 70])
    back = (here - 1) * series.size * pace
    if series.order == "oldest-first":
        back = (series.total - here) * series.size * pace
    newest = page.site.now - timedelta(minutes=page.rng.randint(3, 900), hours=min(back, 150_000))
    times = clock.series(page.rng, count, newest, pace)
    if series.order == "oldest-first":
        times.reverse()
    elif series.order == "unsorted":
        page.rng.shuffle(times)
    elif series.order == "nearly" and count > 4:
        times.insert(page.rng.randrange(count // 2), times.pop())
    elif series.order == "same-day":
        times = [newest] * count
    return times


def make_items(
    page: Page, series: Series, here: int, count: int, form: str | None, pins: int = 0
) -> list[Item]:
    """The articles of one page, in the order in which they stand on it; pinned ones and, on some sites, one
    with a date in the future stand on top."""
    lex, rng = page.lex, page.rng
    odd = 0.15 if page.chance("odd-titles", 0.15) else 0.03
    items = []
    for when in _times(page, series, here, count):
        item = Item(lex.title(rng, odd), page.article_url(when), when, form=form)
        item.author, item.cat, item.number = (
            rng.choice(lex.data["people"]),
            rng.choice(lex.data["topics"]),
            page.serial,
        )
        item.comments, item.views = (
            rng.choice([0, 0, rng.randint(1, 9), rng.randint(10, 400)]),
            rng.randint(3, 9000),
        )
        items.append(item)
    for item in items[:pins]:
        item.pinned = True
        item.when -= timedelta(days=rng.randint(30, 700), hours=rng.randint(0, 23))
    if here == 1 and not pins and series.order == "newest-first" and page.chance("future-row", 0.03):
        items[0].when = page.site.now + timedelta(days=rng.randint(2, 9))
    return items


def row_count(page: Page, series: Series, here: int) -> int:
    """How many rows: a full page, or what is left on the last one."""
    full = min(series.size, 60)
    if here < series.total:
        return full
    return page.rng.choice([1, 2, page.rng.randint(1, full), page.rng.randint(1, full), full])


def drawn(page: Page, recipe: Recipe, series: Series, form: str | None) -> Shown:
    """Rows made up for this page alone."""
    here = min(page.number, series.total)
    pins = page.rng.randint(1, 3) if here == 1 and page.chance("pins", recipe.pins) else 0
    count = row_count(page, series, here)
    items = make_items(page, series, here, count, form, min(pins, count - 1) if count > 3 else 0)
    return Shown(series, here, items)


def listing(
    page: Page, recipe: Recipe, series: Series, tag: str = "", shown: Shown | None = None
) -> list[object]:
    """Bar, list, bar, as the site has them. `tag` keeps the choices of a second list apart; `shown` are the
    rows of a list that lives, in place of made-up ones."""
    of = shown.series if shown else series
    block = page.new_block(of)
    row = page.pick("rows" + tag, recipe.rows)
    form = date_form(page.site, recipe, row, shown.here if shown else min(page.number, of.total))
    shown = shown or drawn(page, recipe, of, form)
    here = shown.here
    items = [replace(item, form=form) for item in shown.items]
    bar, where = BARS[page.pick("bars", recipe.bars)], page.pick("where", recipe.where)
    above = bar(page, block, of, here) if where in {"above", "both"} and of.total > 1 else None
    rows = ROWS[row](page, items, block)
    below = bar(page, block, of, here) if where in {"below", "both"} and of.total > 1 else None
    if "baidu" in recipe.extra:
        above, below = mark_baidu(page, of, above, rows, below)
    return arranged(page, above, rows, below)


def arranged(page: Page, above: Node | None, rows: Node, below: Node | None) -> list[object]:
    """Where the bars stand relative to the list: beside it, inside it, or some way off."""
    if below is not None and page.chance("bar-in-list", 0.1):
        if rows.tag in {"ul", "ol"}:
            return [above, rows.add(E("li", below))]
        if rows.tag == "table":
            return [above, rows.add(E("tr", E("td", below, colspan="5", align="center")))]
        if rows.tag in {"div", "section", "main"}:
            return [above, rows.add(below)]
    if page.chance("bar-far", 0.1):
        return [above, rows, E("div", E("p", page.lex.paragraph(page.rng, 1, 2)), cls="ad"), below]
    if page.chance("bar-with-list", 0.25):
        return [E("div", above, rows, below, cls=page.names("box"))]
    return [above, rows, below]


def mark_baidu(
    page: Page, series: Series, above: Node | None, rows: Node, below: Node | None
) -> tuple[Node | None, Node | None]:
    """The three classes that Baidu asked webmasters for, as pages have them: the bar's among other tokens,
    the list often unmarked, an empty bar on a list of one page."""
    form = page.pick("baidu", ["full", "full", "order", "order", "bar-only", "bar-only", "list-only"])
    if series.total == 1:
        below = E("div", cls="page")
    for bar in (above, below):
        if bar is None or form == "list-only":
            continue
        bar.has_class(BAIDU_BAR)
        if page.chance("baidu-first", 0.3):
            bar.attrs["class"] = " ".join(reversed(bar.attrs["class"].split()))
    if form != "bar-only":
        rows.has_class(BAIDU_LIST)
    if form == "order":
        rows.has_class(BAIDU_ORDER)
        series.known_order = True
    return above, below


def shell(page: Page, recipe: Recipe, content: list[object]) -> list[object]:
    """Header, columns, footer."""
    kind = page.pick("shell", recipe.shells)
    main = E(page.pick("main-tag", ["div", "main", "div", "section"]), content, cls=page.names("main"))
    main.attrs.update({"id": name} if (name := page.pick("main-id", [None, None, "content", "main"])) else {})
    if recipe.old and page.chance("table-shell", 0.5):
        cells = [E("td", main, valign="top")]
        if page.chance("table-side", 0.8):
            at = 0 if page.chance("table-left", 0.6) else 1
            cells.insert(at, E("td", sidebar(page), width="200", valign="top"))
        return [
            header(page),
            E("table", E("tr", cells), width="960", border="0", align="center"),
            footer(page),
        ]
    match kind:
        case "no-side":
            columns: list[object] = [main]
        case "side-left":
            columns = [sidebar(page), main]
        case "two-sides":
            columns = [E("div", section_list(page), cls="left"), main, sidebar(page)]
        case _:
            columns = [main, sidebar(page)]
    return wrapped(page, header(page), E("div", columns, cls=page.names("page")), footer(page))


def section_list(page: Page) -> Node:
    """A narrow column with the menu of the section."""
    words = page.lex.data["menu"][3:9]
    return E("ul", [E("li", E("a", word, href=page.path(f"/s/{at}.html"))) for at, word in enumerate(words)])


def sort_options(page: Page, series: Series) -> Node | None:
    """The tabs for the order of rows, on some sites; a marked "newest" tab tells the order of the list."""
    if not page.chance("has-sort", 0.14) or series.order in {"oldest-first", "same-day", "nearly"}:
        return None
    active = "newest" if series.order == "newest-first" else "hottest"
    if active == "newest" and page.chance("sort-active", 0.7):
        series.known_order = True
    return options_bar(page, active)


def second_series(first: Series) -> Series:
    """The other list of a page that has two."""
    return Series(max(2, first.total // 2), first.size, first.order, first.key, "two-b")


def lists(page: Page, recipe: Recipe, shown: Sequence[Shown]) -> list[object]:
    """The list of the page, or both where the family has two with a bar each."""
    first, second = [*shown, None, None][:2]
    if "two-lists" not in recipe.extra:
        return listing(page, recipe, page.series, shown=first)
    parts = [
        listing(page, recipe, page.series, shown=first),
        listing(page, recipe, second_series(page.series), "second", second),
    ]
    return [E("section", E("h3", word), part) for word, part in zip(page.site.menu[1:3], parts, strict=True)]


def list_page(
    site: Site,
    recipe: Recipe,
    series: Series,
    number: int,
    shown: Sequence[Shown] = (),
    url: str | None = None,
) -> Draft:
    """One page of a list. `shown`: what its lists show, where that is not to be made up; `url`: where the page
    is, if not at the address that the series gives it."""
    page = Page(site, number, series, url)
    if site.chance("base", 0.05):
        page.base = site.place.root + site.pick("base-path", ["/", "/site/", "/a/b/"])
    section = site.pick("section-name", site.menu)
    content: list[object] = [crumbs(page, section) if page.chance("has-crumbs", 0.5) else None]
    if page.chance("has-heading", 0.7):
        content.append(
            E(page.pick("heading", ["h1", "h2", "h3", "div"]), section, cls=page.names("widgettitle"))
        )
    content += [make(page) for make, share in ABOVE if page.chance(f"above-{make.__name__}", share)]
    content.append(sort_options(page, series))
    content += lists(page, recipe, shown)
    if page.chance("comment-trap", 0.08):
        content.append(comment_trap(page))
    content += [make(page) for make, share in BELOW if page.chance(f"below-{make.__name__}", share)]
    kind = site.pick("kind", recipe.kind)
    title = f"{section} - {site.domain}"
    if number > 1 and page.chance("title-number", 0.4):
        title += f" - {number}"
    body_class = page.pick("body-class", [None, None, "archive", f"page-{number} home"])
    tree = document(page, title, shell(page, recipe, content), body_class=body_class)
    return Draft(page, tree, kind, "list")


def list_site(site: Site, recipe: Recipe, wanted: int) -> list[Draft]:
    """Some pages of one list."""
    series = draw_series(site, recipe)
    numbers = page_numbers(site.rng("numbers"), series.total, wanted)
    return [list_page(site, recipe, series, number) for number in numbers]
