"""What a structure family is: which rows, bars, addresses and surroundings its sites draw from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .names import MODES

if TYPE_CHECKING:
    from .labels import Draft
    from .site import Site

WEST = ("en", "de", "fr", "es", "pt", "it", "nl", "pl", "cs", "tr", "id", "ru", "vi")
CHINA = ("zh-CN",)
SINO = ("zh-CN", "zh-TW")
EAST = ("zh-CN", "zh-TW", "ja", "ko")


@dataclass(frozen=True, slots=True)
class Recipe:
    """One structure family of lists. Where several values are given, each site draws one."""

    name: str
    kind: str | tuple[str, ...]
    rows: tuple[str, ...]
    bars: tuple[str, ...]
    schemes: tuple[str, ...]
    articles: tuple[str, ...]
    langs: tuple[str, ...] = ()  # () = all
    naming: tuple[str, ...] = MODES
    where: tuple[str, ...] = ("below", "below", "below", "both", "above")
    order: tuple[str, ...] = ("newest-first",)
    key: str = "publish"
    dated: float = 0.88
    pins: float = 0.06
    total: tuple[int, int] = (2, 60)
    shells: tuple[str, ...] = ("side-right", "side-right", "side-left", "no-side", "two-sides")
    old: bool = False
    formats: tuple[str, ...] = ()  # () = those of the language
    extra: frozenset[str] = field(default_factory=frozenset)
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Special:
    """A family that is built by a function of its own (articles, threads, shells, ...): it gets the site and
    how many pages are wanted, and gives drafts."""

    name: str
    build: Callable[[Site, int], list[Draft]]
    articles: tuple[str, ...] = ("section-id",)
    langs: tuple[str, ...] = ()
    naming: tuple[str, ...] = MODES
    old: bool = False
    weight: int = 1


_WP = ("wp-date", "wp-day", "slug", "wp-id", "section-slug")
_WP_URLS = ("root-page", "slash-cat", "q-paged", "q-cat-paged", "slash-tag")
_SEMANTIC = ("semantic", "semantic", "bem", "none", "short")

GENERIC: tuple[Recipe, ...] = (
    Recipe(
        "list-flat",
        "news_index",
        ("simple",),
        ("flat",),
        ("q-page", "q-page-file", "list-n", "index-n", "q-p", "o-start", "stem-n"),
        ("section-id", "query", "a-date", "section-slug-id", "show"),
        weight=2,
    ),
    Recipe(
        "list-listed",
        ("news_index", "announcement_index"),
        ("simple", "tagged"),
        ("listed",),
        ("q-page", "slash-page", "slash-number", "page-file", "path-pairs", "zero-page"),
        ("section-id", "section-slug", "node", "uuid"),
        weight=2,
    ),
    Recipe(
        "entries-flat",
        "blog_index",
        ("entries",),
        ("flat", "table"),
        ("slash-page", "root-page", "q-paged", "root-page-bare", "q-pg"),
        _WP,
        weight=2,
    ),
    Recipe(
        "entries-two-ways",
        "blog_index",
        ("entries",),
        ("two-ways",),
        ("root-page", "slash-page", "q-paged", "before", "q-page"),
        _WP,
        weight=2,
    ),
    Recipe(
        "cards-listed",
        ("blog_index", "news_index"),
        ("cards",),
        ("listed",),
        ("q-page", "slash-page", "slash-pn", "slash-seite"),
        ("section-slug", "slug", "section-slug-id"),
    ),
    Recipe(
        "cards-more-link",
        ("blog_index", "news_index"),
        ("cards", "entries"),
        ("more",),
        ("q-page", "cursor", "slash-page", "o-skip", "before"),
        ("section-slug", "slug", "uuid"),
    ),
    Recipe(
        "grid-table",
        "announcement_index",
        ("grid-table",),
        ("flat", "listed", "table"),
        ("q-board", "q-pageno", "q-aspx", "o-offset", "q-jsp", "q-currentpage"),
        ("board", "aspx", "jsp", "query"),
        pins=0.25,
    ),
    Recipe(
        "layout-table",
        ("news_index", "announcement_index"),
        ("layout-table",),
        ("table", "flat", "words"),
        ("q-pageno", "q-jsp", "stem-under", "list-n", "q-session"),
        ("aspx", "query", "section-id", "jsp"),
        old=True,
        weight=2,
    ),
    Recipe(
        "definition-list",
        ("news_index", "announcement_index"),
        ("definitions",),
        ("flat", "listed", "two-ways"),
        ("q-page", "index-n", "slash-page", "stem-n"),
        ("section-id", "section-slug", "a-date"),
    ),
    Recipe(
        "timeline",
        ("news_index", "blog_index"),
        ("timeline",),
        ("listed", "flat", "more"),
        ("q-page", "slash-page", "index-n0-html", "list-n"),
        ("section-slug", "section-id", "a-date"),
    ),
    Recipe(
        "day-groups",
        ("news_index", "blog_index"),
        ("by-day",),
        ("listed", "two-ways", "flat", "split"),
        ("q-page", "slash-page", "before", "q-p"),
        ("section-slug", "wp-day", "section-id"),
    ),
    Recipe(
        "bare-lines",
        ("news_index", "announcement_index"),
        ("bare-lines",),
        ("flat", "words", "next-only"),
        ("page-file", "stem-n", "q-page-file", "index-n"),
        ("section-id", "query", "archives"),
        old=True,
    ),
    Recipe(
        "whole-row-links",
        ("news_index", "announcement_index"),
        ("whole-row",),
        ("flat", "listed"),
        ("q-page", "index-n", "list-n", "slash-number"),
        ("section-id", "section-slug", "a-date"),
    ),
    Recipe(
        "tagged-rows",
        ("news_index", "forum_index"),
        ("tagged",),
        ("flat", "listed"),
        ("list-cat-n", "q-page", "path-pairs"),
        ("section-id", "archives", "show"),
        pins=0.3,
    ),
    Recipe(
        "ranking",
        "news_index",
        ("ranked",),
        ("more", "flat", "next-only"),
        ("q-p", "q-page", "cursor"),
        ("other-host", "uuid"),
        order=("unsorted",),
        key="none",
        dated=1.0,
    ),
    Recipe(
        "numbers-only",
        ("blog_index", "news_index", "forum_index"),
        ("simple", "entries", "cards"),
        ("bare-numbers",),
        ("q-page", "o-start", "slash-page", "zero-page", "q-p"),
        ("section-slug", "archives", "topic"),
        weight=2,
    ),
    Recipe(
        "split-bar",
        ("blog_index", "news_index"),
        ("entries", "simple", "definitions"),
        ("split",),
        ("slash-page", "q-page", "root-page"),
        ("slug", "section-slug", "wp-date"),
    ),
    Recipe(
        "words-only",
        ("news_index", "announcement_index"),
        ("simple", "layout-table", "grid-table"),
        ("words",),
        ("list-n", "stem-under", "q-pageno", "index-n", "down"),
        ("section-id", "aspx", "info"),
        weight=2,
    ),
    Recipe(
        "next-only",
        ("blog_index", "news_index"),
        ("entries", "simple", "cards"),
        ("next-only",),
        ("q-p", "slash-page", "cursor", "before"),
        ("slug", "section-slug", "archives"),
    ),
    Recipe(
        "oldest-first",
        ("news_index", "announcement_index"),
        ("simple", "grid-table", "definitions"),
        ("flat", "listed"),
        ("q-page", "list-n", "slash-page"),
        ("section-id", "archives", "query"),
        order=("oldest-first",),
        dated=1.0,
    ),
    Recipe(
        "not-by-time",
        ("news_index", "announcement_index"),
        ("simple", "entries", "grid-table"),
        ("flat", "listed", "split"),
        ("q-page", "slash-page", "o-offset"),
        ("section-slug", "section-id", "query"),
        order=("unsorted", "unsorted", "same-day"),
        key="none",
        dated=0.9,
    ),
    Recipe(
        "pinned-rows",
        ("news_index", "forum_index", "announcement_index"),
        ("simple", "tagged", "grid-table", "entries"),
        ("flat", "listed"),
        ("q-page", "list-n", "q-board", "slash-page"),
        ("section-id", "archives", "board"),
        pins=1.0,
        dated=1.0,
    ),
    Recipe(
        "undated",
        ("blog_index", "news_index"),
        ("simple", "cards", "entries", "whole-row"),
        ("flat", "listed", "two-ways"),
        ("q-page", "slash-page", "list-n", "root-page"),
        ("slug", "section-slug", "section-id"),
        dated=0.0,
    ),
)
