"""A list of a made-up site that lives: it publishes, pins, lifts and deletes, and its pages move as it does.

A `Site` and a `Recipe` give the looks, as they do for single pages; the rows come from here. The clock is the
site's own (`site.now`, local time).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from urllib.parse import parse_qsl, unquote, urlsplit

from .compose import draw_series, list_page, second_series
from .labels import Draft
from .links import ARTICLES, SCHEMES
from .recipes import Recipe
from .site import Item, Series, Shown, Site, slug

PAGES = (3, 9)  # how many pages a list has when it is met
SIZE = 20  # most rows of one page
PAST_END = ("404", "first", "last", "empty")  # what a page number that is too high gives
PAGE_FIELDS = ("__EVENTARGUMENT", "p", "page", "pageNo")  # fields of a posted form that name the page


@dataclass
class LivingList:
    """One list. `posts` are newest first, in the order in which they were published."""

    site: Site
    series: Series
    rng: random.Random
    posts: list[Item] = field(default_factory=list)
    serial: int = 800_000

    def publish(self, count: int, gap: timedelta) -> list[Item]:
        """So many posts, the last one now, with about `gap` between two."""
        lex, site = self.site.lex, self.site
        new: list[Item] = []
        at = site.now
        for _ in range(count):
            new.append(Item(lex.title(self.rng, 0.05), "", at))
            at -= max(timedelta(seconds=61), gap * self.rng.uniform(0.5, 1.5))
        for item in reversed(new):
            self.serial += self.rng.randint(1, 9)
            item.number, item.url = self.serial, self._address(item.when)
            item.author, item.cat = self.rng.choice(lex.data["people"]), self.rng.choice(lex.data["topics"])
            item.comments, item.views = self.rng.choice([0, 0, 3, 41]), self.rng.randint(3, 9000)
            item.born = item.when if self.posts else None  # the first ones have been talked of for long
        self.posts[:0] = new
        return new

    def _address(self, when: datetime) -> str:
        style = ARTICLES[self.site.article_style]
        path = style(self.site.place, self.serial, when, f"{slug(self.rng)}-{self.serial % 1000}")
        return path if path.startswith("http") else self.site.place.root + path

    def pin(self, at: int) -> None:
        self.posts[at].pinned = True

    def unpin(self) -> None:
        for item in self.posts:
            item.pinned = False

    def bump(self, at: int) -> None:
        """The post was answered: it is dated now, and stands on top."""
        item = self.posts.pop(at)
        item.born, item.when = item.begun, self.site.now
        self.posts.insert(0, item)

    def delete(self, first: int, count: int) -> None:
        del self.posts[first : first + count]

    def listed(self) -> list[Item]:
        """All posts as they stand in the list, from the first row of page 1."""
        rest = [item for item in self.posts if not item.pinned]
        match self.series.order:
            case "oldest-first":
                rest.reverse()
            case "unsorted":
                rest.sort(key=lambda item: random.Random(item.number).random())
            case "nearly":
                rest.sort(key=self._about, reverse=True)
            case "same-day":
                rest = [replace(item, when=item.when.replace(day=1, hour=8, minute=0)) for item in rest]
        return [item for item in self.posts if item.pinned] + rest

    def _about(self, item: Item) -> datetime:
        return item.when + timedelta(hours=random.Random(item.number).choice([0, 0, 0, 9]))

    @property
    def total(self) -> int:
        """How many pages it has."""
        return max(1, -(-len(self.posts) // self.series.size))

    def shown(self, number: int) -> Shown:
        series, size = replace(self.series, total=self.total), self.series.size
        return Shown(series, number, self.listed()[(number - 1) * size : number * size])


class LivingSite:
    """A site with one list, or two on the same page."""

    def __init__(self, site: Site, recipe: Recipe, root: str) -> None:
        self.site, self.recipe = site, recipe
        site.place = replace(site.place, root=root, size=min(site.place.size, SIZE))
        self.rng = site.rng("life")
        self.pace = timedelta(hours=site.pick("pace", [0.5, 3, 8, 14, 30]))
        self.past_end = site.pick("past-end", PAST_END)
        first = replace(draw_series(site, recipe), total=1)
        series = [first, second_series(first)] if "two-lists" in recipe.extra else [first]
        self.lists = [
            LivingList(site, one, site.rng(f"life{at}"), serial=800_000 - 90_000 * at)
            for at, one in enumerate(series)
        ]
        for one in self.lists:
            one.publish(self.rng.randint(*PAGES) * one.series.size - self.rng.randrange(4), self.pace)
        if site.chance("pins", recipe.pins):
            self.lists[0].pin(self.rng.randrange(len(self.lists[0].posts)))

    def url(self, number: int, which: int = 0) -> str:
        """Address of a page of one of the lists."""
        one = self.lists[which]
        return self.site.place.root + SCHEMES[one.series.scheme](self.site.place, number, one.total)

    def find(self, path: str) -> tuple[int, int] | None:
        """(list, page number) at a path with query; null where there is no list page."""
        wanted = unquote(urlsplit(path).path), sorted(parse_qsl(urlsplit(path).query, True))
        for which, one in enumerate(self.lists):
            for number in range(1, one.total + 3):
                url = urlsplit(self.url(number, which))
                if wanted == (unquote(url.path), sorted(parse_qsl(url.query, True))):
                    return which, number
        return None

    def posted(self, fields: Sequence[tuple[str, str]]) -> tuple[int, int]:
        """(list, page number) that a submitted form asks for."""
        asked = dict(fields)
        for name in PAGE_FIELDS:
            number = asked.get(name, "").rpartition("$")[2]
            if number.isdigit():
                return 0, int(number)
        return 0, 1

    def page(self, which: int, number: int, url: str | None = None) -> Draft | None:
        """The page as it is now, or null where it does not exist; `url`: asked for at this address."""
        one, rows = self.lists[which], None
        if number > one.total:
            if self.past_end == "404":
                return None
            rows = [] if self.past_end == "empty" else None
            number = 1 if self.past_end == "first" else one.total
        shown = [x.shown(number if at == which else 1) for at, x in enumerate(self.lists)]
        if rows is not None:
            shown[which] = replace(shown[which], items=rows)
        return list_page(self.site, self.recipe, shown[0].series, number, shown, url)
