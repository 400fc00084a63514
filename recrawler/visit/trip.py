"""What one visit carries while it goes on: its frontier, its courses, and what has been read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from http.cookiejar import CookieJar

from recrawler.completion import TAIL, Limits, SeriesMemory, Walk, short
from recrawler.crawluri import CandidateURI, CrawlURI, index_candidate
from recrawler.frontier import Frontier
from recrawler.page.jsonlist import Paths
from recrawler.page.types import Listing, ListingHint, PageAnalysis, PostForm
from recrawler.records import IndexPage, PageRead, Validators
from recrawler.settings import Settings, zone_of
from recrawler.urls import parse
from recrawler.visit.ask import Ask
from recrawler.visit.course import Course, Known, Step
from recrawler.visit.landing import led_away, same_page
from recrawler.visit.reader import Headers, Problem, ReadPage
from recrawler.visit.renames import Renames
from recrawler.visit.twins import Twins

FULL_AFTER = 20  # answers of 304 in a row after which one request is unconditional
GONE = frozenset((404, 410))  # what many sites answer past the last page
MAIN = "main"


@dataclass
class Trip:
    """One visit under way."""

    index: IndexPage
    settings: Settings
    ask: Ask
    started_at: datetime
    frontier: Frontier
    key_of: Callable[[str], str]
    known_of: Callable[[str], Known]
    timezone: tzinfo | None = None
    paths: Paths | None = None  # where a list in JSON has what
    zone_open: bool = True  # the zone is learnt, not told
    courses: list[Course] = field(default_factory=list)
    uris: dict[str, CandidateURI] = field(default_factory=dict)  # of the pages read, by URL as requested
    read: dict[str, PageRead] = field(default_factory=dict)  # likewise
    analyses: dict[str, PageAnalysis] = field(default_factory=dict)  # likewise
    queued: set[str] = field(default_factory=set)
    validators: dict[str, Validators] = field(default_factory=dict)
    first: ReadPage | None = None  # the index page itself
    problem: Problem | None = None  # that kept the visit from reading any list
    crawl_delay: float = 0.0  # seconds that robots.txt asks for
    requests: int = 0
    warnings: list[str] = field(default_factory=list)
    encoding: str | None = None
    learnt_zone: str = ""
    learnt_pages: str | None = None  # a template of the pages' URLs; empty: looked for and not found
    day_first: bool | None = None  # whether 5/6 is of June on this site, as its pages have told
    fell_back: bool = False
    cookies: CookieJar = field(default_factory=CookieJar)  # that the site sets, for this visit alone

    # --- where to go ---

    def start(self) -> None:
        """Queue the pages that the visit begins with: the index page, or the page where the newest rows of
        an oldest-first list were met."""
        for memory in self.index.series:
            url = memory.newest_url or self.index.url
            self.courses.append(self._course(memory, url))
        starts = [c.wants.url for c in self.courses if c.wants] or [self.index.url]
        for url in dict.fromkeys(starts):
            self._queue_start(url)

    def _queue_start(self, url: str) -> None:
        seed = index_candidate(self.index.url, asked=self.ask.asked, attributes=self.index.options.attributes)
        self._queue(seed if url == self.index.url else seed.next_page(url))

    def _queue(self, candidate: CandidateURI) -> None:
        if candidate.url not in self.queued:
            self.queued.add(candidate.url)
            self.frontier.add(candidate)

    def _course(self, memory: SeriesMemory, url: str) -> Course:
        audit = 0
        if self.settings.audit_every and memory.since_audit + 1 >= self.settings.audit_every:
            audit = self.settings.audit_pages
        gone, wished = self.index.options.returned, self._wished
        limits = Limits(
            max_pages=self.index.options.max_pages or self.settings.max_pages,
            baseline_pages=self.settings.baseline_pages,
            backfill=wished.backfill,
            backfill_since=wished.since,
            audit_pages=audit,
            flood=self.settings.flood,
            gone_before=None if gone is None else self.started_at - timedelta(seconds=gone),
        )
        walk = Walk(memory, self.index.visits + 1, limits)
        twins = Twins(frozenset(self.index.learnt.get("twins", ())))
        renames = Renames.of(self.index.learnt)
        return Course(walk, self.key_of, self.known_of(memory.listing), Step(url), twins, renames)

    @property
    def _wished(self) -> Ask:
        """What a first visit is asked to give out: by its caller, or when the index was added."""
        asked = self.ask.backfill or self.ask.since
        return self.ask if asked else Ask.of(self.index.learnt.get("wished"))

    def form_for(self, url: str) -> PostForm | None:
        return next((c.wants.form for c in self.courses if c.wants and c.wants.url == url), None)

    def validators_for(self, url: str, stored: Callable[[str], Validators | None]) -> Validators | None:
        """What a conditional request of this page sends; null where "not modified" would settle nothing."""
        mine = [c for c in self.courses if c.wants and c.wants.url == url]
        if mine and all(c.wants and c.wants.move == "again" for c in mine):
            return self.validators.get(url)
        settles = (
            self.index.unchanged < FULL_AFTER
            and not self._other_lists
            and all(
                not c.places  # a page in the middle of a walk tells nothing by being as it was
                and c.memory.base
                and c.memory.trusted
                and c.memory.scattered < TAIL
                and c.memory.order != "oldest-first"
                and c.memory.gap_visit is None
                and not c.walk.limits.audit_pages
                for c in mine
            )
        )
        return stored(url) if mine and settles else None

    @property
    def _other_lists(self) -> bool:
        """Whether the user has asked for other lists of the page since they were chosen."""
        wanted = self.index.options.lists
        return bool(self.index.learnt.get("lists", wanted) != wanted)

    def headers_for(self, url: str) -> Headers:
        """The user's own headers, which may be secret: for the index page's origin alone. A way on may lead
        anywhere."""
        return self.index.options.headers if parse(url).origin == parse(self.index.url).origin else ()

    def hints(self) -> list[ListingHint]:
        """What is known of the blocks, for the analysis of the next page; nothing where other lists than
        those are to be found on it."""
        if self._other_lists and not self.analyses:
            return []
        return [
            ListingHint(c.memory.path, c.memory.bar_path, c.memory.order, self.day_first)
            for c in self.courses
            if c.memory.path and c.wants
        ]

    # --- what was read ---

    def take(self, curi: CrawlURI, page: ReadPage, seconds: float) -> None:
        """Give a page to the courses that want it, and queue what they want next; `seconds`: since the visit
        began."""
        for course in self.courses:
            course.walk = replace(course.walk, seconds=seconds)
        self.requests += page.requests
        self.warnings += page.warnings
        self.queued.discard(curi.url)
        self.uris.setdefault(curi.url, curi if page.url == curi.url else curi.redirect(page.url))
        self.encoding = page.encoding or self.encoding
        if page.zone:
            self.learnt_zone, self.timezone = page.zone, zone_of(page.zone)
        if page.validators is not None and page.problem is None:
            self.validators[curi.url] = page.validators
        if curi.url == self.index.url:
            self.first = self.first or page
        page = self._judged_by_landing(curi.url, page)
        links = 0
        if page.analysis is not None:
            links = sum(len(x.block.links) for x in page.analysis.listings)
        if not page.unchanged or curi.url not in self.read:
            self.read[curi.url] = PageRead(curi.url, page.status, links, 0)
        if page.problem is not None:
            self._trouble(curi, page.problem, page.status in GONE)
        elif page.unchanged:
            for course in self._waiting(curi.url):
                course.unchanged("the server says that the page has not changed")
        elif page.analysis is not None:
            self.analyses[curi.url] = page.analysis
            told = [x.day_first for x in page.analysis.listings if x.day_first is not None]
            self.day_first = told[0] if told else self.day_first
            if curi.url == self.index.url and page.analysis.stale:
                self.warnings.append(page.analysis.stale)
            self._give(curi.url, page.analysis)
        self._queue_wants(curi)

    def _judged_by_landing(self, asked: str, page: ReadPage) -> ReadPage:
        """A later page that was answered with one that is none of the list, or with the first one again, is
        like one without rows."""
        index = {self.index.url, self.landed}
        away = led_away(asked, page.url, index)
        if asked not in index and any(same_page(page.url, url) for url in index):
            away = all(c.is_deep for c in self._waiting(asked)) and not same_page(asked, page.url)
        if page.problem is not None or not away or asked == self.index.url:
            return page
        return replace(page, problem=Problem("empty", f"no page of the list: it leads to {page.url}"))

    @property
    def landed(self) -> str:
        """Where the index page was found, after redirects: by this visit, else by the one before."""
        return self.first.url if self.first else str(self.index.learnt.get("landed", self.index.url))

    @property
    def elsewhere(self) -> str:
        """Where the index page's redirects have led to; empty: where they led before."""
        before = str(self.index.learnt.get("landed", self.index.url))
        return "" if self.first is None or same_page(self.landed, before) else self.landed

    def _waiting(self, url: str) -> list[Course]:
        return [c for c in self.courses if c.wants is not None and c.wants.url == url]

    def _trouble(self, curi: CrawlURI, problem: Problem, gone: bool) -> None:
        self.warnings.append(f"{curi.url}: {problem.why}")
        for course in self._waiting(curi.url):
            if self._began_elsewhere(course, curi.url):
                self._begin_at_index(course)
            elif course.pages and ((gone and course.at_end) or _is_past_the_end(problem, course)):
                course.take(curi.url, None)  # a page without rows ends the series
            else:
                course.stop(problem.outcome, problem.why)
        self.fell_back = self.fell_back or curi.url != self.index.url
        if not any(c.pages for c in self.courses):
            self.problem = problem

    def _began_elsewhere(self, course: Course, url: str) -> bool:
        return not course.pages and url != self.index.url and not self.fell_back

    def _begin_at_index(self, course: Course) -> None:
        """The remembered newest page is gone."""
        course.wants = Step(self.index.url)
        self._queue_start(self.index.url)

    def _give(self, url: str, analysis: PageAnalysis) -> None:
        waiting = self._waiting(url)
        places = matched(analysis, waiting)
        if url == self.index.url and self._other_lists:
            self._drop_unwanted(waiting, places, analysis)
        claimed = {n for n in places if n is not None}
        for course, n in zip(waiting, places, strict=True):
            if (
                n is not None
                and not course.pages
                and course.is_strange(analysis.listings[n], self._astray(url))
            ):
                n = None
            no_way = n is not None and course.has_lost_its_bar(analysis.listings[n])
            if (n is None or no_way) and self._began_elsewhere(course, url):
                self._begin_at_index(course)
                continue
            if n is None and not course.pages:
                where = f"; the page now leads to {self.elsewhere}" if self.elsewhere else ""
                course.stop("empty", f"the list is no longer on the page{where}")
                self.warnings.append(f"{url}: the list is no longer on the page{where}")
                self.validators.pop(url, None)  # the same page again would be no news
                course.walk = replace(course.walk, memory=replace(course.memory, lost=course.memory.lost + 1))
                continue
            listing = None if n is None else analysis.listings[n]
            if listing and not course.pages and course.memory.path not in ("", listing.block.path):
                self.warnings.append(f"{course.memory.listing}: the list stands in another place of the page")
            course.take(url, listing)
        if url == self.index.url and not (self._astray(url) and self.index.series):
            self._begin_new(url, analysis, claimed)

    def _drop_unwanted(self, waiting: list[Course], places: list[int | None], analysis: PageAnalysis) -> None:
        """Watch a list no more that the user does not ask for any longer; its history stays."""
        lists = self.index.options.lists
        wanted = {None, *chosen(analysis, lists)}
        by_number = lists[:1].isdigit()
        for n in reversed(range(len(waiting))):
            main = waiting[n].memory.listing == MAIN and not by_number
            if not main and (lists == MAIN or places[n] not in wanted) and len(self.courses) > 1:
                self.courses.remove(waiting[n])
                del waiting[n], places[n]

    @property
    def sent_home(self) -> bool:
        """Whether the index page was asked for and the site's home page came, as for pages that are gone."""
        came = self.uris.get(self.index.url)
        return came is not None and _is_home(came.url) and not _is_home(self.index.url)

    def _astray(self, url: str) -> bool:
        """Whether this is the index page, and its address leads where it did not at earlier visits."""
        return url == self.index.url and bool(self.elsewhere)

    def _begin_new(self, url: str, analysis: PageAnalysis, claimed: set[int]) -> None:
        """Courses for the listings of the index page that no series watches yet."""
        names = {c.memory.listing for c in self.courses}
        for n in chosen(analysis, self.index.options.lists):
            taken = MAIN in names and self._other_lists and self.index.options.lists != MAIN
            main = n == analysis.main and not taken
            name = MAIN if main else listing_name(analysis.listings[n], names)
            if n in claimed or name in names:
                continue
            names.add(name)
            course = self._course(SeriesMemory(name), url)
            self.courses.append(course)
            course.take(url, analysis.listings[n])

    def _queue_wants(self, curi: CrawlURI) -> None:
        """Queue what the courses want; a page that another course has had read already is given at once."""
        for course in self.courses:
            while (step := course.wants) and step.move != "again" and step.url in self.analyses:
                self._give(step.url, self.analyses[step.url])
            if step is not None:
                self._queue(self._candidate(step, curi, course))

    def _candidate(self, step: Step, curi: CrawlURI, course: Course) -> CandidateURI:
        came = self.uris.get(step.via) or curi
        page = came.next_page(step.url)
        if step.move == "jump" and course.memory.broken is not None:  # as if each page before had been read
            for _ in range(course.memory.broken.number - 2):
                page = page.next_page(step.url)
            page.via = came.url
        return page

    def exhaust(self, why: str) -> None:
        for course in self.courses:
            course.exhaust(why)


def _is_home(url: str) -> bool:
    return parse(url).path == "/" and not parse(url).query


def matched(analysis: PageAnalysis, courses: Sequence[Course]) -> list[int | None]:
    """Which listing of a page belongs to each series: the one at its path that stands with its bar, else one
    at its path (of several the one with most links that it knows), else the one with its bar."""
    out: list[int | None] = [None] * len(courses)
    for sure in (True, False):
        for at, course in enumerate(courses):
            if out[at] is None:
                out[at] = _match(analysis, course, {n for n in out if n is not None}, sure)
    return out


def _match(analysis: PageAnalysis, course: Course, claimed: set[int], sure: bool) -> int | None:
    memory, listings = course.memory, analysis.listings
    same = [n for n, x in enumerate(listings) if x.block.path == memory.path and n not in claimed]
    if sure:
        barred = [n for n in same if (bar := listings[n].bar) and bar.xpath == memory.bar_path]
        return barred[0] if barred else None
    if same:
        return max(same, key=lambda n: course.count_known(listings[n])) if len(same) > 1 else same[0]
    free = [n for n in range(len(listings)) if n not in claimed]
    beside = [
        n for n in free if memory.bar_path and (bar := listings[n].bar) and bar.xpath == memory.bar_path
    ]
    if beside:  # a page of few rows may show them at another place
        return beside[0]
    return analysis.main if memory.listing == MAIN and analysis.main in free else None


def chosen(analysis: PageAnalysis, lists: str) -> list[int]:
    """Listings that are watched, by the option `lists` (see `IndexOptions`)."""
    every = list(range(len(analysis.listings)))
    if lists == "all":
        return every
    if lists in (MAIN, "auto"):
        main = [] if analysis.main is None else [analysis.main]
        if lists == MAIN:
            return main
        return main + [n for n in every if analysis.listings[n].bar is not None and n not in main]
    wanted = {int(x) - 1 for x in lists.split(",") if x.strip().isdecimal()}
    return [n for n in every if n in wanted]


def listing_name(listing: Listing, taken: set[str]) -> str:
    """A stable name for a further listing: from its path, with a number where two share it."""
    stem = f"list-{short(listing.block.path)[:6]}"
    names = (stem, *(f"{stem}-{n}" for n in range(2, 100)))
    return next(n for n in names if n not in taken)


def _is_past_the_end(problem: Problem, course: Course) -> bool:
    """Whether a page without rows is what a site shows behind its last page: no blank one, none that its bar
    told of."""
    return problem.outcome == "empty" and not problem.blank and not course.is_promised()
