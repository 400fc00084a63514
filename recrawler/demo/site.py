"""Articles, lists and what changes in them."""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

_ZH = (
    ("市政府", "教育局", "图书馆", "地铁公司", "环保部门", "大学", "医院", "港口", "消防队", "气象台"),
    ("公布", "讨论", "启动", "推迟", "完成", "检查", "扩大", "调整", "批准", "介绍"),
    ("新线路规划", "暑期安排", "节水方案", "旧城改造", "招聘结果", "冬季供暖", "公园开放时间", "渡轮班次"),
    ("", "，市民反应积极", "，下月实施", "，费用下降", "，专家提出建议", "，将征求意见"),
)
_EN = (
    ("City council", "The harbour board", "The library", "A research team", "The tram company", "Farmers"),
    ("approves", "delays", "opens", "reviews", "extends", "publishes", "debates", "repairs"),
    (
        "the new ferry timetable",
        "a school budget",
        "the river bridge",
        "winter heating plans",
        "water report",
    ),
    ("", " before summer", " after long talks", " for the third year", " despite the cost"),
)
WORDS = {"zh": _ZH, "en": _EN}


@dataclass
class Article:
    """One article. `shown` is the date beside its link; null where the site shows none."""

    number: int
    title: str
    published: datetime
    path: str
    shown: datetime | None = None
    pinned: bool = False


@dataclass
class Section:
    """One list of the site: newest first unless `oldest_first`, `size` articles a page."""

    name: str
    lang: str = "zh"
    size: int = 12
    oldest_first: bool = False
    dated: bool = True  # else neither the list nor the URLs tell when an article came (the article does)
    articles: list[Article] = field(default_factory=list)  # newest first

    @property
    def path(self) -> str:
        return f"/{self.name}/"

    def rows(self) -> list[Article]:
        pins = [a for a in self.articles if a.pinned]
        rest = [a for a in self.articles if not a.pinned]
        return pins + (rest[::-1] if self.oldest_first else rest)

    def pages(self) -> int:
        return max(1, -(-len(self.articles) // self.size))

    def page(self, number: int) -> list[Article]:
        return self.rows()[(number - 1) * self.size : number * self.size]


class NewsSite:
    """A site with sections. All methods may be called while it is served."""

    def __init__(
        self, sections: list[Section] | None = None, *, seed: int = 1, start: datetime | None = None
    ) -> None:
        self.sections = {s.name: s for s in sections or [Section("news")]}
        self.lock = threading.RLock()
        self.clock = start or datetime.now(UTC) - timedelta(days=10)
        self._random = random.Random(seed)
        self._count = 0

    @property
    def main(self) -> Section:
        return next(iter(self.sections.values()))

    def publish(
        self, count: int = 1, *, section: str | None = None, at: datetime | None = None, pinned: bool = False
    ) -> list[Article]:
        """New articles on top of a section, the newest last in the result. Without `at` the site's own
        clock goes on by some minutes for each."""
        where = self.sections[section] if section else self.main
        made = []
        with self.lock:
            for _ in range(count):
                self.clock = at or self.clock + timedelta(minutes=self._random.randint(3, 40))
                made.append(self._article(where, self.clock, pinned))
                where.articles.insert(0, made[-1])
        return made

    def _article(self, section: Section, when: datetime, pinned: bool = False) -> Article:
        self._count += 1
        title = "".join if section.lang == "zh" else " ".join
        *words, tail = (self._random.choice(part) for part in WORDS[section.lang])
        path = f"/{section.name}/{when:%Y%m}/{self._count:05d}.html"
        if not section.dated:
            path = f"/{section.name}/{blake2b(path.encode(), digest_size=5).hexdigest()}.html"
        return Article(self._count, title(words) + tail, when, path, when, pinned)

    def backdate(self, place: int, *, section: str | None = None) -> Article:
        """An article that first shows up at `place` of the list, dated like its neighbour."""
        where = self.sections[section] if section else self.main
        with self.lock:
            near = where.articles[min(place, len(where.articles) - 1)]
            made = self._article(where, near.published)
            where.articles.insert(place, made)
        return made

    def delete(self, place: int, count: int = 1, *, section: str | None = None) -> list[Article]:
        where = self.sections[section] if section else self.main
        with self.lock:
            gone = where.articles[place : place + count]
            del where.articles[place : place + count]
        return gone

    def bump(self, place: int, *, section: str | None = None) -> Article:
        """An old article is lifted to the top with a new date."""
        where = self.sections[section] if section else self.main
        with self.lock:
            article = where.articles.pop(place)
            self.clock += timedelta(minutes=1)
            article.shown = self.clock
            where.articles.insert(0, article)
        return article

    def rename(self, place: int, *, section: str | None = None) -> Article:
        """The slug of an article is edited: the same title and date under a new URL."""
        where = self.sections[section] if section else self.main
        with self.lock:
            article = where.articles[place]
            article.path = article.path.replace(".html", "-edited.html")
        return article

    def pin(self, place: int, *, section: str | None = None) -> Article:
        where = self.sections[section] if section else self.main
        with self.lock:
            where.articles[place].pinned = True
            return where.articles[place]

    def find(self, path: str) -> Article | None:
        with self.lock:
            every = (a for s in self.sections.values() for a in s.articles)
            return next((a for a in every if a.path == path), None)
