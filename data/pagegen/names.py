"""Class names of a site: the same role is called differently from site to site, and by nothing on some."""

from __future__ import annotations

import random
import string

MODES = ("semantic", "bem", "utility", "hashed", "none", "misleading", "short", "numbered")

# Words that designers use for a role. They are common vocabulary, not those of any one site.
WORDS: dict[str, list[str]] = {
    "page": ["wrapper", "container", "page", "site", "wrap", "layout"],
    "header": ["header", "site-header", "top", "masthead", "head", "topbar"],
    "nav": ["nav", "menu", "main-nav", "navigation", "navbar", "primary-menu"],
    "navitem": ["nav-item", "menu-item", "item"],
    "main": ["main", "content", "primary", "site-content", "col-main", "mainbox"],
    "side": ["sidebar", "aside", "secondary", "side", "col-right", "widget-area"],
    "widget": ["widget", "side-box", "panel", "module", "block", "box"],
    "widgettitle": ["widget-title", "title", "box-title", "hd", "panel-heading"],
    "footer": ["footer", "site-footer", "foot", "bottom", "colophon"],
    "list": ["list", "news-list", "post-list", "posts", "articles", "entries", "items", "feed", "listing"],
    "row": ["item", "post", "entry", "row", "news-item", "list-item", "article", "story", "teaser"],
    "title": ["title", "entry-title", "post-title", "headline", "name", "tit"],
    "link": ["link", "title-link", "permalink", "more-link"],
    "date": ["date", "time", "pubdate", "posted-on", "meta-date", "published", "day"],
    "meta": ["meta", "entry-meta", "info", "byline", "post-info", "details"],
    "author": ["author", "by", "writer", "user"],
    "excerpt": ["excerpt", "summary", "desc", "intro", "entry-summary", "text"],
    "thumb": ["thumb", "thumbnail", "pic", "image", "cover", "media"],
    "cat": ["category", "cat", "tag", "section", "label", "kicker"],
    "comments": ["comments", "replies", "comment-count", "reply"],
    "more": ["more", "read-more", "readmore", "btn-more"],
    "bar": ["pagination", "pager", "pages", "page-nav", "paging", "pagebar", "paginator"],
    "barlist": ["pagination-list", "pager-items", "page-list", "numbers"],
    "baritem": ["page-item", "pager-item", "page", "num"],
    "barlink": ["page-link", "page", "num", "pg"],
    "current": ["current", "active", "on", "cur", "selected", "is-active", "now"],
    "disabled": ["disabled", "off", "inactive", "is-disabled", "gray"],
    "next": ["next", "nxt", "page-next", "pager-next", "nextpage"],
    "prev": ["prev", "previous", "page-prev", "pager-prev", "prevpage"],
    "first": ["first", "page-first", "home"],
    "last": ["last", "page-last", "end"],
    "gap": ["dots", "ellipsis", "gap", "break"],
    "total": ["total", "count", "page-info", "results"],
    "crumbs": ["breadcrumb", "breadcrumbs", "location", "position", "path", "crumbs"],
    "group": ["group", "day-group", "section", "month", "block"],
    "carousel": ["carousel", "slider", "slideshow", "banner", "focus", "swiper"],
    "share": ["share", "social", "social-links", "sharing"],
    "pinned": ["sticky", "pinned", "top", "is-pinned", "stick"],
    "card": ["card", "tile", "box", "panel", "cell"],
    "body": ["body", "card-body", "inner", "content", "bd"],
}
_WRONG = [
    "nav-list",
    "sidebar-box",
    "footer-links",
    "menu",
    "tags",
    "related",
    "ad-slot",
    "widget",
    "comments-box",
    "main",
]
_UTILITY = {
    "list": ["divide-y divide-gray-200", "grid grid-cols-3 gap-6", "space-y-8", "flex flex-col"],
    "row": ["py-4 flex", "p-6 rounded-lg shadow", "border-b pb-3", "flex items-start gap-4"],
    "bar": ["mt-8 flex justify-center", "flex items-center justify-between py-3", "inline-flex -space-x-px"],
    "current": ["bg-blue-600 text-white px-3 py-2", "z-10 bg-indigo-50 px-4 py-2", "font-bold underline"],
    "date": ["text-sm text-gray-500", "text-xs uppercase", "ml-auto text-gray-400"],
    "title": ["text-xl font-semibold", "text-lg leading-6 mb-2", "font-bold hover:underline"],
}
_UTILITY_ANY = [
    "flex",
    "mt-4",
    "px-4 py-2",
    "text-sm",
    "w-full",
    "mx-auto max-w-5xl",
    "block",
    "relative",
    "mb-6",
]


class Namer:
    """Gives the class of a role; the same role of one site always has the same class."""

    def __init__(self, mode: str, rng: random.Random) -> None:
        self.mode, self.rng = mode, rng
        self.prefix = rng.choice(["c", "l", "m", "nw", "ui", "site", "x", "ct"])
        self.known: dict[str, str | None] = {}

    def __call__(self, role: str) -> str | None:
        if role not in self.known:
            self.known[role] = self._name(role)
        return self.known[role]

    def _hash(self, size: int) -> str:
        return "".join(self.rng.choice(string.ascii_letters + string.digits) for _ in range(size))

    def _name(self, role: str) -> str | None:
        rng = self.rng
        words = WORDS.get(role, [role])
        match self.mode:
            case "semantic":
                return rng.choice(words)
            case "bem":
                base = rng.choice(words).split("-")[0]
                return (
                    f"{self.prefix}-{base}"
                    if role in {"list", "bar", "side", "nav"}
                    else f"{self.prefix}-{role}__{base}"
                )
            case "utility":
                return rng.choice(_UTILITY.get(role, _UTILITY_ANY))
            case "hashed":
                style = rng.randrange(3)
                if style == 0:
                    return f"css-{self._hash(6).lower()}"
                return (
                    f"sc-{self._hash(8)} {self._hash(6)}"
                    if style == 1
                    else f"{role}_{rng.choice(words)}__{self._hash(5)}"
                )
            case "misleading":
                return (
                    rng.choice(_WRONG)
                    if role in {"list", "row", "bar", "side", "main"}
                    else rng.choice([None, *words])
                )
            case "short":
                return rng.choice(
                    [role[:2], rng.choice(words)[:1] + role[:1], role[0] + str(rng.randint(1, 9)), None]
                )
            case "numbered":
                return f"{rng.choice(['box', 'style', 'col', 'td', 'txt'])}{rng.randint(1, 40)}"
        return None
