"""Decoys in the column of the list: rows of letters, years, numbers and arrows that are no pagination."""

from __future__ import annotations

from collections.abc import Callable

from .dom import E, Node, Raw
from .sides import popular, related
from .site import Page


def carousel(page: Page) -> Node:
    """A slide show with titles, numbered dots and arrows; everything leads to articles or nowhere."""
    count = page.pick("slides", [3, 4, 5, 6])
    slides = [
        E(
            "li",
            E(
                "a",
                E("img", src=page.path(f"/uploads/s{at}.jpg"), alt=""),
                E("p", page.lex.title(page.rng)),
                href=page.href(page.article_url(page.site.now)),
            ),
        )
        for at in range(count)
    ]
    dots = [
        E(
            "a",
            str(at + 1),
            href=page.pick("dot-href", ["#", "javascript:;", "#slide"]),
            cls="on" if at == 0 else None,
        )
        if page.chance("dot-links", 0.6)
        else E("span", str(at + 1))
        for at in range(count)
    ]
    arrows = (
        [E("a", "‹", href="#", cls="prev"), E("a", "›", href="#", cls="next")]
        if page.chance("slide-arrows", 0.6)
        else None
    )
    return E("div", E("ul", slides), E("div", dots, cls="dots"), arrows, cls=page.names("carousel"))


def letters(page: Page) -> Node:
    """A bar of letters A to Z."""
    return E(
        "div",
        [
            kid
            for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            for kid in (E("a", letter, href=page.path(f"/az/{letter}")), " ")
        ],
        cls=page.pick("az", ["alphabet", "letters", "pages"]),
    )


def year_tabs(page: Page) -> Node:
    """Years, or the months of one, as tabs: numbers in a row that lead to other lists."""
    year = page.site.now.year
    if page.chance("tab-years", 0.6):
        tabs = [(page.num(one), f"/{page.site.place.section}/{one}/") for one in range(year, year - 6, -1)]
    else:
        tabs = [(page.num(one), f"/archive/{year}/{one:02d}/") for one in range(1, 13)]
    items = [
        E("li", E("a", text, href=page.path(path)), cls="on" if not at else None)
        for at, (text, path) in enumerate(tabs)
    ]
    return E("ul", items, cls=page.pick("year-tabs", ["tabs", "years", "pages", "filter"]))


def false_steps(page: Page) -> Node:
    """Next, previous and numbers that have nothing to do with pages: steps, votes, a preview."""
    words = [page.lex.pager("next")[0], page.lex.pager("prev")[0], "3", "5"]
    return E(
        "div",
        [
            E(
                "a",
                f"{word} {page.rng.choice(page.lex.data['topics'])}" if at < 2 else word,
                href=page.path(f"/steps/{at}"),
            )
            for at, word in enumerate(words)
        ],
        cls=page.pick("false-steps", ["wizard", "preview", "next-steps", "pager-help"]),
    )


def options_bar(page: Page, active: str = "newest") -> Node:
    """Sort order and rows per page: links that repeat the list. `active` is the tab that is marked."""
    here = page.page_url(1)
    joint = "&" if "?" in here else "?"
    box = E(
        "div",
        E("span", page.lex.word("sort")),
        cls=page.pick("options", ["sort", "toolbar", "filter", "tab"]),
    )
    for key, word in (("time", "newest"), ("hot", "hottest")):
        box.add(
            " ",
            E(
                "a",
                page.lex.word(word),
                href=page.href(f"{here}{joint}sort={key}"),
                cls="active" if word == active and page.chance("sort-active", 0.7) else None,
            ),
        )
    if page.chance("per-page", 0.6):
        box.add(
            E("span", page.lex.word("perpage")),
            [
                kid
                for size in (10, 20, 50, 100)
                for kid in (" ", E("a", str(size), href=page.href(f"{here}{joint}per={size}")))
            ],
        )
    return box


def stars(page: Page) -> Node:
    """A rating of five links."""
    return E(
        "div",
        [
            E("a", str(at), href=page.path(f"/rate?v={at}"), title=f"{at}/5", rel="nofollow")
            for at in range(1, 6)
        ],
        cls=page.pick("stars", ["rating", "star", "rate"]),
    )


def comment_trap(page: Page) -> Raw:
    """A bar that is commented out."""
    return Raw('<!-- <div class="pages"><a href="?page=2">2</a> <a href="?page=3">next</a></div> -->')


# What may stand above and below a list, with the share of sites that have it.
ABOVE: tuple[tuple[Callable[[Page], Node], float], ...] = (
    (carousel, 0.15), (letters, 0.06), (year_tabs, 0.07), (false_steps, 0.05), (stars, 0.02),
)  # fmt: skip
BELOW: tuple[tuple[Callable[[Page], Node], float], ...] = (
    (related, 0.12), (stars, 0.05), (popular, 0.1), (false_steps, 0.03),
)  # fmt: skip
