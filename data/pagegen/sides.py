"""Decoys beside a list: what stands in side columns, and a short list of related articles."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import timedelta

from . import clock
from .dom import E, Node
from .rowparts import hash_of
from .site import Page


def _widget(page: Page, title: str, *kids: object) -> Node:
    heading = E(
        page.pick("widget-level", ["h3", "h4", "h2", "div", "p"]),
        E("span", title) if page.chance("widget-span", 0.3) else title,
        cls=page.names("widgettitle"),
    )
    return E(
        page.pick("widget-tag", ["div", "section", "aside", "div"]),
        heading,
        list(kids),
        cls=page.names("widget"),
    )


def _titles(page: Page, count: int, dated: bool, numbered: bool = False) -> Node:
    ul = E("ol" if numbered and page.chance("rank-ol", 0.5) else "ul")
    when = page.site.now
    for at in range(count):
        when -= timedelta(hours=page.rng.randint(1, 60))
        link = E("a", page.lex.title(page.rng), href=page.href(page.article_url(when)))
        number = (
            E("em", str(at + 1), cls=f"n{at + 1}") if numbered and page.chance("rank-number", 0.6) else None
        )
        beside = E("span", clock.shown(when, page.lex.formats[0], page.lex, page.site.now)) if dated else None
        ul.add(E("li", number, link, " ", beside))
    return ul


def recent(page: Page) -> Node:
    """Newest articles, with or without dates."""
    return _widget(
        page,
        page.lex.word("recent"),
        _titles(page, page.pick("recent-count", [5, 5, 6, 8, 10]), page.chance("recent-dates", 0.4)),
    )


def popular(page: Page) -> Node:
    """Most read, numbered."""
    more = (
        E("a", page.lex.pager("more")[1], href=page.path("/hot/"), cls="more")
        if page.chance("popular-more", 0.4)
        else None
    )
    return _widget(
        page,
        page.lex.word("popular"),
        more,
        _titles(page, page.pick("popular-count", [5, 8, 10]), False, numbered=True),
    )


def tags(page: Page) -> Node:
    """A tag cloud; some tags are numbers or years."""
    words = page.rng.sample(
        page.lex.data["topics"], min(len(page.lex.data["topics"]), page.rng.randint(6, 14))
    )
    words += [str(page.rng.randint(1, 12)) for _ in range(page.rng.randint(0, 2))] + (
        ["2024", "2025"] if page.chance("year-tags", 0.3) else []
    )
    box = E("div", cls=page.pick("cloud", ["tagcloud", "tags", page.names("tags")]))
    for word in words:
        box.add(
            E(
                "a",
                word,
                href=page.path(f"/tag/{hash_of(word) % 300}"),
                style=f"font-size:{page.rng.randint(9, 20)}px",
            ),
            " ",
        )
    return _widget(page, page.lex.word("tags"), box)


def archives(page: Page) -> Node:
    """Months with the number of articles, as links or in a select box."""
    rows, when = [], page.site.now
    for _ in range(page.pick("months", [6, 12, 18])):
        name = (
            f"{page.lex.months[when.month - 1]} {when.year}"
            if page.lex.space
            else f"{when.year}年{when.month}月"
        )
        rows.append((name, page.path(f"/{when:%Y/%m}/"), page.rng.randint(1, 40)))
        when = when.replace(day=1) - timedelta(days=1)
    if page.chance("archive-select", 0.2):
        return _widget(
            page,
            page.lex.word("archives"),
            E(
                "select",
                [E("option", name, value=url) for name, url, _ in rows],
                onchange="location=this.value",
            ),
        )
    return _widget(
        page,
        page.lex.word("archives"),
        E("ul", [E("li", E("a", name, href=url), f" ({count})") for name, url, count in rows]),
    )


def categories(page: Page) -> Node:
    """Categories with counts."""
    words = page.lex.data["topics"][: page.pick("cats", [5, 8, 12])]
    return _widget(
        page,
        page.lex.word("categories"),
        E(
            "ul",
            [
                E(
                    "li",
                    E("a", word, href=page.path(f"/category/{hash_of(word) % 97}/")),
                    f" ({page.rng.randint(1, 300)})" if page.chance("cat-counts", 0.5) else None,
                )
                for word in words
            ],
        ),
    )


def month_calendar(page: Page) -> Node:
    """A calendar whose days are links, with previous and next month."""
    now = page.site.now
    names = [page.lex.days[at] for at in range(7)]
    table = E(
        "table",
        E("caption", f"{page.lex.months[now.month - 1]} {now.year}"),
        E("tr", [E("th", name) for name in names]),
        id="wp-calendar" if page.chance("wp-cal", 0.4) else None,
        cls="calendar",
    )
    for week in calendar.monthcalendar(now.year, now.month):
        cells = []
        for day in week:
            linked = day and (page.rng.random() < 0.5 or page.chance("all-days", 0.4))
            text = str(day) if day else "\u00a0"
            cells.append(
                E(
                    "td",
                    E("a", text, href=page.path(f"/{now:%Y/%m}/{day:02d}/")) if linked else text,
                    cls="today" if day == now.day else None,
                )
            )
        table.add(E("tr", cells))
    back, forth = now.replace(day=1) - timedelta(days=1), now.replace(day=28) + timedelta(days=5)
    sign = page.pick("cal-sign", [("« ", " »"), ("<", ">"), ("‹ ", " ›")])
    table.add(
        E(
            "tr",
            E(
                "td",
                E("a", sign[0] + page.lex.short[back.month - 1], href=page.path(f"/{back:%Y/%m}/")),
                colspan="3",
            ),
            E("td", "\u00a0"),
            E(
                "td",
                E("a", page.lex.short[forth.month - 1] + sign[1], href=page.path(f"/{forth:%Y/%m}/")),
                colspan="3",
            ),
        )
    )
    return _widget(page, page.lex.word("archives"), table)


def recent_comments(page: Page) -> Node:
    """Who said what where."""
    return _widget(
        page,
        page.lex.word("replies"),
        E(
            "ul",
            [
                E(
                    "li",
                    E("span", page.rng.choice(page.lex.data["people"])),
                    " » ",
                    E(
                        "a",
                        page.lex.title(page.rng),
                        href=page.href(page.article_url(page.site.now))
                        + f"#comment-{page.rng.randint(10, 999)}",
                    ),
                )
                for _ in range(5)
            ],
        ),
    )


def profile(page: Page) -> Node:
    """About the author, with a picture and a text."""
    return _widget(
        page,
        page.rng.choice(page.lex.data["people"]),
        E("img", src=page.path("/images/me.jpg"), alt=""),
        E("p", page.lex.paragraph(page.rng, 1, 2)),
    )


def poll(page: Page) -> Node:
    """A form with radio buttons."""
    return _widget(
        page,
        page.lex.title(page.rng),
        E(
            "form",
            [
                E("label", E("input", type="radio", name="v", value=str(at)), word)
                for at, word in enumerate(page.lex.data["topics"][:4])
            ],
            E("input", type="submit", value="OK"),
            action=page.path("/vote"),
            method="post",
        ),
    )


def section_menu(page: Page) -> Node:
    """The menu of the section, the current one marked."""
    words = page.site.menu[: page.pick("section-menu", [4, 6, 9])]
    return E(
        "ul",
        [
            E("li", E("a", word, href=page.path(f"/s/{hash_of(word) % 90}/")), cls="on" if at == 1 else None)
            for at, word in enumerate(words)
        ],
        cls="side-menu",
    )


WIDGETS: tuple[Callable[[Page], Node], ...] = (
    recent,
    popular,
    tags,
    archives,
    categories,
    month_calendar,
    recent_comments,
    profile,
    poll,
    section_menu,
)


def sidebar(page: Page) -> Node:
    """Two to six widgets, the same ones on all pages of a site."""
    chosen = page.site.rng("widgets").sample(WIDGETS, page.pick("widget-count", [2, 3, 3, 4, 5, 6]))
    return E(
        page.pick("side-tag", ["div", "aside", "div", "td"]).replace("td", "div"),
        [make(page) for make in chosen],
        cls=page.names("side"),
        id="sidebar" if page.chance("side-id", 0.3) else None,
    )


def related(page: Page) -> Node:
    """Related articles."""
    return _widget(
        page,
        page.lex.word("related"),
        _titles(page, page.rng.randint(3, 8), page.chance("related-dates", 0.4)),
    )
