"""Puts a list page together: rows, bars, decoys, shell."""

from __future__ import annotations

import random
from datetime import timedelta

from . import clock
from .bars import PLAIN
from .chrome import crumbs, document, footer, header, wrapped
from .dom import E, Node
from .labels import Draft
from .recipes import Recipe
from .rows import ROWS
from .sides import ABOVE, BELOW, sidebar
from .site import Item, Page, Series, Site

BARS = dict(PLAIN)
ALWAYS_DATED = {"timeline": "{y}-{mm}-{dd}", "by-day": "{y}-{mm}-{dd}"}


def draw_series(site: Site, recipe: Recipe) -> Series:
    """The series of one site of a family."""
    rng = site.rng("series")
    low, high = recipe.total
    total = rng.choice(
        [
            low,
            rng.randint(low, high),
            rng.randint(low, high),
            rng.randint(low, max(low, high // 4)),
            high * rng.randint(1, 20),
        ]
    )
    order = rng.choice(recipe.order)
    return Series(total, site.place.size, order, recipe.key, rng.choice(recipe.schemes))


def page_numbers(rng: random.Random, total: int, wanted: int) -> list[int]:
    """Which pages of a series to write: mostly the first, then one in the middle, then the last."""
    options = [1, min(2, total), rng.randint(1, total), total]
    chosen = dict.fromkeys([rng.choice([1, 1, options[1], options[2], total]), options[2], total, 1])
    return list(chosen)[:wanted]


def date_form(site: Site, recipe: Recipe, row: str, number: int) -> str | None:
    """How the list prints dates, or None."""
    if row in ALWAYS_DATED:
        return ALWAYS_DATED[row]
    if not site.chance("dated", recipe.dated):
        return None
    if number < 6 and site.chance("relative", 0.1):
        return "relative"
    return site.pick("date-form", recipe.formats or tuple(site.lex.formats))


def _times(page: Page, count: int) -> list[clock.datetime]:
    series, site = page.series, page.site
    pace = site.pick("pace", [0.5, 3, 8, 14, 30, 70])
    back = (page.number - 1) * series.size * pace
    if series.order == "oldest-first":
        back = (series.total - page.number) * series.size * pace
    newest = site.now - timedelta(minutes=page.rng.randint(3, 900)) - timedelta(hours=min(back, 150_000))
    times = clock.series(page.rng, count, newest, pace)
    if series.order == "oldest-first":
        times.reverse()
    elif series.order == "unsorted":
        page.rng.shuffle(times)
    elif series.order == "same-day":
        times = [newest] * count
    return times


def make_items(page: Page, count: int, form: str | None, pins: int = 0) -> list[Item]:
    """The articles of one page, in the order in which they stand on it."""
    lex, rng = page.lex, page.rng
    odd = 0.15 if page.chance("odd-titles", 0.15) else 0.03
    items = []
    for when in _times(page, count):
        url = page.article_url(when)
        items.append(
            Item(
                lex.title(rng, odd),
                url,
                when,
                rng.choice(lex.data["people"]),
                rng.choice(lex.data["topics"]),
                rng.choice([0, 0, rng.randint(1, 9), rng.randint(10, 400)]),
                rng.randint(3, 9000),
                page.serial,
                form=form,
            )
        )
    for item in items[:pins]:
        item.pinned = True
        item.when -= timedelta(days=rng.randint(30, 700), hours=rng.randint(0, 23))
    return items


def row_count(page: Page) -> int:
    """How many rows: a full page, or what is left on the last one."""
    if page.number < page.series.total:
        return min(page.series.size, 60)
    return page.rng.choice(
        [1, 1, 2, page.rng.randint(1, min(page.series.size, 60)), min(page.series.size, 60)]
    )


def listing(page: Page, recipe: Recipe, series: Series | None = None) -> list[object]:
    """Bar, list, bar, as the site has them."""
    of = series or page.series
    block = page.new_block(of)
    row = page.pick("rows", recipe.rows)
    pins = page.rng.randint(1, 3) if page.number == 1 and page.chance("pins", recipe.pins) else 0
    count = row_count(page)
    items = make_items(
        page, count, date_form(page.site, recipe, row, page.number), min(pins, count - 1) if count > 3 else 0
    )
    bar = BARS[page.pick("bars", recipe.bars)]
    where = page.pick("where", recipe.where)
    above = bar(page, block, of, page.number) if where in {"above", "both"} and of.total > 1 else None
    rows = ROWS[row](page, items, block)
    below = bar(page, block, of, page.number) if where in {"below", "both"} and of.total > 1 else None
    if (
        below is not None
        and page.chance("bar-in-list", 0.08)
        and rows.tag in {"ul", "div", "section", "main"}
    ):
        return [above, rows.add(E("li", below) if rows.tag == "ul" else below)]
    if page.chance("bar-far", 0.1):
        return [above, rows, E("div", E("p", page.lex.paragraph(page.rng, 1, 2)), cls="ad"), below]
    if page.chance("bar-with-list", 0.25):
        return [E("div", above, rows, below, cls=page.names("box"))]
    return [above, rows, below]


def shell(page: Page, recipe: Recipe, section: str, content: list[object]) -> list[object]:
    """Header, columns, footer."""
    kind = page.pick("shell", recipe.shells)
    main = E(
        page.pick("main-tag", ["div", "main", "div", "section"]),
        content,
        cls=page.names("main"),
        id=page.pick("main-id", [None, None, "content", "main"]),
    )
    if kind == "table" or (recipe.old and page.chance("table-shell", 0.5)):
        side = sidebar(page) if page.chance("table-side", 0.8) else None
        cells = [E("td", main, valign="top")]
        if side is not None:
            cells.insert(0 if page.chance("table-left", 0.6) else 1, E("td", side, width="200", valign="top"))
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
    return E(
        "ul",
        [
            E("li", E("a", word, href=page.path(f"/s/{at}.html")))
            for at, word in enumerate(page.lex.data["menu"][3:9])
        ],
    )


def list_page(site: Site, recipe: Recipe, series: Series, number: int) -> Draft:
    """One page of a list."""
    page = Page(site, number, series)
    if site.chance("base", 0.05):
        page.base = site.place.root + site.pick("base-path", ["/", "/site/", "/a/b/"])
    section = site.pick("section-name", site.menu)
    heading = (
        E(page.pick("heading", ["h1", "h2", "h3", "div"]), section, cls=page.names("widgettitle"))
        if page.chance("has-heading", 0.7)
        else None
    )
    content: list[object] = [crumbs(page, section) if page.chance("has-crumbs", 0.5) else None, heading]
    content += [
        make(page) for at, make in enumerate(ABOVE) if page.chance(f"above{at}", (0.15, 0.06, 0.15)[at])
    ]
    content += listing(page, recipe)
    content += [
        make(page) for at, make in enumerate(BELOW) if page.chance(f"below{at}", (0.12, 0.05, 0.1)[at])
    ]
    kind = recipe.kind if isinstance(recipe.kind, str) else site.pick("kind", recipe.kind)
    body = shell(page, recipe, section, content)
    title = f"{section} - {site.domain}" + (
        f" - {number}" if number > 1 and page.chance("title-number", 0.4) else ""
    )
    tree = document(
        page, title, body, body_class=page.pick("body-class", [None, None, "archive", f"page-{number} home"])
    )
    return Draft(page, tree, kind, "list")


def list_site(site: Site, recipe: Recipe, wanted: int) -> list[Draft]:
    """Some pages of one list."""
    series = draw_series(site, recipe)
    return [
        list_page(site, recipe, series, number)
        for number in page_numbers(site.rng("numbers"), series.total, wanted)
    ]
