"""One made-up site and one page of it, with all choices that its pages share."""

from __future__ import annotations

import random
import string
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from . import clock
from .dom import E, Node, Writing
from .lexicon import Lexicon, load
from .links import ARTICLES, SCHEMES, Place, written
from .names import Namer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PageMark:
    """A link of a pagination bar: what the label file will say about it."""

    bar: int
    label: str  # NEXT | PREV | PAGE
    orig: str  # also FIRST | LAST | JUMP
    page: int | None
    scope: str = "bar"


@dataclass(frozen=True, slots=True)
class RowMark:
    """The article link of a row. `when` is the date printed in the row (None: none printed)."""

    block: int
    pinned: bool = False
    when: datetime | None = None
    form: str | None = None


@dataclass(slots=True)
class Item:
    """One article that a list shows."""

    title: str
    url: str
    when: datetime
    author: str = ""
    cat: str = ""
    comments: int = 0
    views: int = 0
    number: int = 0
    born: datetime | None = None  # when it was published, if `when` is its last reply; None: made up
    pinned: bool = False
    form: str | None = None  # date format; None: no date printed

    @property
    def begun(self) -> datetime:
        """When it was published, where `when` is that of its last reply."""
        return self.born or self.when - timedelta(days=self.views % 300)


@dataclass(slots=True)
class Series:
    """What a list of pages is: its length, order, and the scheme of its addresses."""

    total: int
    size: int
    order: str = "newest-first"
    key: str = "publish"
    scheme: str = "q-page"
    known_order: bool = False  # the page tells the order even where no dates are printed


@dataclass(frozen=True, slots=True)
class Shown:
    """What one list of a page shows: the rows that stand on page `here` of `series`."""

    series: Series
    here: int
    items: Sequence[Item]


SLUG_WORDS = [
    "river",
    "plan",
    "team",
    "light",
    "city",
    "note",
    "open",
    "spring",
    "night",
    "report",
    "water",
    "music",
    "guide",
    "green",
]


def slug(rng: random.Random) -> str:
    """A made-up article slug."""
    return "-".join(rng.sample(SLUG_WORDS, rng.randint(2, 6)))


class Site:
    """All choices that the pages of one site share. `pick` always gives the same answer for the same key."""

    def __init__(
        self, seed: str, lang: str, naming: str, old: bool, article_style: str, fixed: dict[str, list[Any]]
    ) -> None:
        self.seed, self.fixed = seed, fixed
        rng = self.rng("site")
        self.lex: Lexicon = load(lang)
        self.names = Namer(naming, self.rng("names"))
        self.writing = Writing.draw(rng, old)
        self.old = old
        self.article_style = article_style
        stem = rng.choice(self.lex.data["stems"]) + rng.choice(
            ["", "", "-" + rng.choice(self.lex.data["stems"]), str(rng.randint(1, 99))]
        )
        self.domain = f"{stem}.{rng.choice(self.lex.data['tld'])}"
        host = rng.choice(["www.", "www.", "", "news.", "blog.", "bbs."]) + self.domain
        scheme = "http" if old or rng.random() < 0.3 else "https"
        self.now = datetime.fromisoformat("2023-01-05T09:30") + timedelta(
            minutes=rng.randrange(60 * 24 * 900)
        )
        sections = [
            "news",
            "blog",
            "xwzx",
            "notice",
            "press",
            "updates",
            "stories",
            "tzgg",
            "archive",
            "board",
            "media",
            "info",
            "events",
            "zxdt",
            "aktuelles",
            "noticias",
        ]
        self.place = Place(
            root=f"{scheme}://{host}",
            section=rng.choice(sections),
            cat=rng.randint(2, 480),
            size=rng.choice([5, 7, 8, 10, 10, 12, 15, 20, 20, 25, 30, 40, 50]),
            token="".join(rng.choices(string.ascii_lowercase, k=6)),
            first_plain=rng.random() < 0.75,
            began=self.now,
        )
        self.href_style = rng.choice(["absolute", "absolute", "root", "root", "document", "scheme"])
        self.menu = rng.sample(self.lex.data["menu"], min(len(self.lex.data["menu"]), rng.randint(6, 14)))

    def rng(self, key: str) -> random.Random:
        """A random source of its own for one purpose."""
        return random.Random(f"{self.seed}/{key}")

    def pick(self, key: str, options: Sequence[T]) -> T:
        """One of the options, the same on all pages of the site; the family may narrow them."""
        given: Sequence[T] = self.fixed.get(key, options)
        return self.rng(key).choice(given)

    def chance(self, key: str, share: float) -> bool:
        """True on that share of sites, the same on all pages of one."""
        return self.rng(key).random() < share


class Page:
    """One page being built: its address, its place in the series, and what has been put on it so far."""

    def __init__(self, site: Site, number: int, series: Series, url: str | None = None) -> None:
        self.site, self.number, self.series = site, number, series
        self.rng = site.rng(f"page{number}")
        self.lex = site.lex
        self.names = site.names
        self.pick, self.chance = site.pick, site.chance
        self.url = url or self.page_url(number)
        self.base: str | None = None
        self.bars: list[int | None] = []  # block of each bar
        self.blocks: list[Series] = []
        self.older_pages: dict[int, int | None] = {}  # bar -> page number that holds older items
        self.script_next: str | None = None
        self.has_script_pager = False
        self.js_only = False
        self.serial = 900_000 - number * 997
        self.native = site.lex.digits if site.chance("native-digits", 0.5) else None

    def page_url(self, number: int, series: Series | None = None) -> str:
        """Address of page `number` of the series."""
        of = series or self.series
        return self.site.place.root + SCHEMES[of.scheme](self.site.place, number, of.total)

    def href(self, url: str) -> str:
        """An absolute address as this site writes it."""
        return written(url, self.url, self.site.href_style, self.base)

    def path(self, path: str) -> str:
        """A path of this site as it writes it."""
        return self.href(self.site.place.root + path)

    def num(self, number: int | str) -> str:
        """A number with the digits of the language where the site uses them."""
        return clock.native(str(number), self.native)

    def slug(self) -> str:
        """A made-up article slug."""
        return slug(self.rng)

    def article_url(self, when: datetime) -> str:
        """A new article address in the style of the site."""
        self.serial -= self.rng.randint(1, 9)
        path = ARTICLES[self.site.article_style](
            self.site.place, self.serial, when, f"{self.slug()}-{self.serial % 1000}"
        )
        return path if path.startswith("http") else self.site.place.root + path

    def new_bar(self, block: int | None, older: int | None) -> int:
        """Registers a bar that pages `block`; `older` is the page number with older items."""
        self.bars.append(block)
        self.older_pages[len(self.bars) - 1] = older
        return len(self.bars) - 1

    def new_block(self, series: Series) -> int:
        """Registers a list."""
        self.blocks.append(series)
        return len(self.blocks) - 1

    def title_link(self, item: Item, block: int, *kids: object, cls: str | None = None, cut: int = 0) -> Node:
        """The article link of a row; `kids` instead of the bare title, `cut` shortens it as many sites do."""
        text = item.title if not cut or len(item.title) <= cut else item.title[:cut].rstrip() + "..."
        link = E("a", *(kids or (text,)), href=self.href(item.url), cls=cls)
        link.mark = RowMark(block, item.pinned, item.when if item.form else None, item.form)
        if self.chance("title-attr", 0.3) or text != item.title:
            link.attrs["title"] = item.title
        if self.chance("blank", 0.3):
            link.attrs["target"] = "_blank"
        return link
