"""One visit, start to end: calls things in order, decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

from recrawler.completion import KnownLink
from recrawler.fetch import Clock, Fetcher, SystemClock
from recrawler.frontier import Frontier
from recrawler.page.jsonlist import PROBE, Paths
from recrawler.page.types import PageAnalysis
from recrawler.records import IndexPage, Validators, VisitResult
from recrawler.settings import Settings, zone_of
from recrawler.store import Store
from recrawler.urls import KeyOptions, host_key, identity_key
from recrawler.visit.ask import Ask
from recrawler.visit.gate import Gate
from recrawler.visit.outcome import conclude
from recrawler.visit.probe import find_pages
from recrawler.visit.proof import prove_order
from recrawler.visit.reader import Reader, ReadPage
from recrawler.visit.spending import Spending
from recrawler.visit.trip import Trip


@dataclass(frozen=True, slots=True)
class Report:
    """A finished visit: what is to be written, and the analysis of the index page where it was read."""

    result: VisitResult
    analysis: PageAnalysis | None


@dataclass
class Visitor:
    """Visits index pages. The caller claims the index before and writes the result after."""

    store: Store
    fetcher: Fetcher
    settings: Settings
    clock: Clock = field(default_factory=SystemClock)
    spending: Spending = field(init=False)

    def __post_init__(self) -> None:
        self.spending = Spending(self.store, self.settings)

    def reconfigure(self, settings: Settings) -> None:
        """Take these settings; of visits under way, for what they have not decided yet."""
        self.settings = settings
        self.spending.adopt(settings)
        self.fetcher.reconfigure(settings)

    async def visit(self, index: IndexPage, ask: Ask = Ask()) -> Report:
        """Read the lists of one index page as far as needed. Page faults end up in the result; raises
        `PolicyError` or `UsageError` only for options that cannot be meant."""
        gate = Gate.of(index.url, index.options, self.settings)
        trip = self._trip(index, ask)
        await self._travel(trip)
        if trip.first is not None and trip.first.url != index.url:
            gate = Gate.of(index.url, index.options, self.settings, trip.first.url)
        trip.crawl_delay = self.fetcher.hosts.crawl_delay(host_key(index.url))
        result = conclude(trip, gate, self.settings, self.spending.price, self.clock.now())
        return Report(result, trip.first.analysis if trip.first else None)

    def _trip(self, index: IndexPage, ask: Ask) -> Trip:
        key = KeyOptions.from_config(index.options.key)
        key = replace(key, strip_params=(*key.strip_params, *index.learnt.get("noise", ())))
        told = index.options.timezone or self.settings.timezone
        zone = told or str(index.learnt.get("timezone", ""))
        return Trip(
            index=index,
            settings=self.settings,
            ask=ask,
            started_at=self.clock.now(),
            frontier=Frontier(index.options.max_to_crawl),
            key_of=partial(identity_key, options=key),
            known_of=lambda listing: partial(self._known, index.id, listing),
            timezone=zone_of(zone),
            paths=_paths(index),
            zone_open=not told,
            day_first=index.learnt.get("day_first"),
        )

    def _known(self, index_id: int, listing: str, keys: list[str]) -> dict[str, KnownLink]:
        return self.store.known(index_id, listing, keys)

    def _validators(self, index_id: int, url: str) -> Validators | None:
        return self.store.validators(index_id, [url]).get(url)

    async def _travel(self, trip: Trip) -> None:
        reader = Reader(self.fetcher, self.clock.now)
        began = self.clock.monotonic()
        deadline = began + self.settings.visit_deadline
        trip.start()
        while curi := trip.frontier.next():
            if why := self._spent(trip, deadline):
                trip.exhaust(why)
                return
            page = await reader.read(
                curi,
                deadline=deadline,
                validators=trip.validators_for(curi.url, partial(self._validators, trip.index.id)),
                form=trip.form_for(curi.url),
                form_encoding=trip.encoding,
                timezone=trip.timezone,
                zone_open=trip.zone_open,
                hints=trip.hints(),
                paths=trip.paths,
                headers=trip.headers_for,
                cookies=trip.cookies,
            )
            if trip.read and (why := self._ran_out(page, deadline)):
                trip.requests += page.requests
                trip.exhaust(why)
                return
            trip.take(curi, page, self.clock.monotonic() - began)
            await self._prove(trip, deadline)
            await self._probe(trip, deadline)
        trip.exhaust(f"max_to_crawl = {trip.index.options.max_to_crawl} reached")

    async def _prove(self, trip: Trip, deadline: float) -> None:
        """Ask articles for the order of a list that tells nothing of it, once for each series."""
        for course in trip.courses if self.settings.fetch_articles else ():
            if course.listing is None or course.memory.order != "unknown" or not course.walk.first:
                continue
            if course.pages != 1:
                continue
            verdict, requests = await prove_order(
                self.fetcher,
                list(course.listing.block.links),
                self.settings.fetch_articles,
                now=self.clock.now(),
                deadline=deadline,
                referer=trip.index.url,
                timezone=trip.timezone,
            )
            trip.requests += requests
            course.prove(verdict)

    async def _probe(self, trip: Trip, deadline: float) -> None:
        """Try where page 2 may be, once an index, where its user asks for it and the page does not tell."""
        analysis = trip.first.analysis if trip.first else None
        wanted = trip.index.options.paths.get("pages") == PROBE and "pages" not in trip.index.learnt
        if not wanted or trip.learnt_pages is not None or analysis is None or analysis.main is None:
            return
        first = analysis.listings[analysis.main]
        if first.older or first.older_form:
            return
        trip.learnt_pages, requests = await find_pages(
            self.fetcher,
            analysis.url,
            first,
            now=self.clock.now(),
            deadline=deadline,
            timezone=trip.timezone,
            paths=trip.paths,
        )
        trip.requests += requests
        if not trip.learnt_pages:
            trip.warnings.append("no page 2 was found under any of the usual addresses: see --path pages")

    def _ran_out(self, page: ReadPage, deadline: float) -> str:
        """Why a page could not be had in the time of this visit; empty: it could, or cannot be had at all. A
        slow site is no site that fails: what was read of it is taken up by the next visit."""
        if page.problem is None or page.problem.outcome != "fetch-failed":
            return ""
        late = self.clock.monotonic() >= deadline
        return page.problem.why if late or page.problem.put_off else ""

    def _spent(self, trip: Trip, deadline: float) -> str:
        """Why no further request may be made; empty: it may."""
        if trip.requests >= self.settings.max_requests:
            return f"max_requests = {self.settings.max_requests} reached"
        if trip.read and self.clock.monotonic() >= deadline:
            return f"visit_deadline = {self.settings.visit_deadline:g}s reached"
        if sum(len(c.places) for c in trip.courses) >= self.settings.max_links:
            return f"max_links = {self.settings.max_links} reached"
        return ""


def _paths(index: IndexPage) -> Paths:
    """Where the user of an index says that things are, with what was found where the user asks to look."""
    paths = Paths.of(index.options.paths)
    return replace(paths, pages=str(index.learnt.get("pages", ""))) if paths.pages == PROBE else paths
