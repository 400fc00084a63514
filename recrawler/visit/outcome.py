"""What a finished trip amounts to: links with their status, the ledger's row, the index's new state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Any

import msgspec

from recrawler import cadence
from recrawler.completion import Outcome, Row, Status
from recrawler.crawluri import CandidateURI, Hop
from recrawler.page.country import country_zone
from recrawler.records import FoundLink, IndexOptions, IndexPage, PageRead, SeriesVisit, Visit, VisitResult
from recrawler.settings import Settings
from recrawler.visit import renames
from recrawler.visit.course import Course
from recrawler.visit.gate import Gate
from recrawler.visit.spending import opening, pricing
from recrawler.visit.trip import Trip

# From the one that asks most for attention to the one that asks least.
SEVERITY: tuple[Outcome, ...] = (
    "fetch-failed", "robots-denied", "blocked", "empty", "looped", "page-limit", "anchor-lost",
    "unsorted-diff", "end-of-series", "first-visit", "met-history", "unchanged",
)  # fmt: skip
FAILED: frozenset[Outcome] = frozenset(("fetch-failed", "robots-denied", "blocked", "empty"))
ALERT_AFTER = 3  # failed visits in a row
_COARSE = ("second", "minute", "hour", "day")


@dataclass(frozen=True, slots=True)
class Tally:
    """The links of a trip, sorted out."""

    found: tuple[FoundLink, ...]
    seen: tuple[tuple[str, str], ...]
    filtered: dict[str, int]

    @property
    def new(self) -> tuple[FoundLink, ...]:
        return tuple(x for x in self.found if x.admitted and x.status != "baseline")


def conclude(trip: Trip, gate: Gate, settings: Settings, price: float, now: datetime) -> VisitResult:
    """The result of a trip: everything that one transaction writes. `price` is what a fetch costs now."""
    tally = tally_links(trip, gate, now)
    series = tuple(_series_visit(c) for c in trip.courses)
    outcome, complete = _overall(trip, series)
    # A walk that broke off later has read the news of its first page: it is no failed visit.
    failed = outcome in FAILED and not any(c.pages for c in trip.courses)
    state = learn_cadence(trip, tally, failed, complete, now)
    index = _with_recall(trip, _index_after(trip, outcome, failed, complete, state, now), tally)
    plan = pricing(index, settings, price, trip.crawl_delay)
    index = replace(index, next_visit_at=_next_visit(index, settings, plan, state, trip, failed, now))
    unchanged = tuple(c.memory.listing for c in trip.courses if not c.pages and complete)
    return VisitResult(
        index=index,
        visit=_visit(trip, tally, series, index, state, outcome, complete, now),
        found=tally.found,
        seen=tally.seen,
        redated=tuple(
            (c.memory.listing, r.key, r.published_at, r.precision) for c in trip.courses for r in c.redated()
        ),
        unchanged=unchanged,
        validators=trip.validators,
    )


def _visit(
    trip: Trip,
    tally: Tally,
    series: tuple[SeriesVisit, ...],
    index: IndexPage,
    state: cadence.CadenceState,
    outcome: Outcome,
    complete: bool,
    now: datetime,
) -> Visit:
    """The ledger's row. `index` and `state` are those after the visit."""
    told = [w for c in trip.courses for w in (*c.warnings, c.renames.told) if w]
    quiet = "" if tally.new or outcome in FAILED else cadence.silence(state, now.timestamp())
    told += [f"{quiet}; look at the page: recrawler inspect {index.url}"] if quiet else []
    warnings = [*trip.warnings, *told, *_doubts(trip, tally), *_alerts(index, outcome)]
    return Visit(
        index=index.id,
        url=index.url,
        number=index.visits,
        started_at=trip.started_at,
        finished_at=now,
        outcome=outcome,
        complete=complete,
        gap_open=not complete,
        pages=_pages(trip, tally),
        requests=trip.requests,
        new=tally.new,
        known=len(tally.seen) + sum(c.as_it_was for c in trip.courses),
        filtered=tally.filtered,
        series=series,
        next_visit_at=index.next_visit_at,
        per_day=_rounded(cadence.per_day(state, now.timestamp())),
        basis=cadence.basis(state),
        warnings=tuple(dict.fromkeys(warnings)),
        late=_late(trip),
        recall=index.recall,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.3g}")


# --- links ---


def tally_links(trip: Trip, gate: Gate, now: datetime) -> Tally:
    """Every unknown link with its status, and whether policy and scope let it out."""
    found: list[FoundLink] = []
    seen: list[tuple[str, str]] = []
    filtered: Counter[str] = Counter()
    for course in trip.courses:
        status = course.status()
        status |= dict.fromkeys(_told_elsewhere(trip, course, status, found), "baseline")
        for row in course.walk.rows:
            what = status.get(row.key) or ("updated" if _retitled(row, trip.index.options) else None)
            if what is None:
                seen.append((course.memory.listing, row.key))
                continue
            link = _found_link(trip, course, row, what, now)
            rules = _held(link, course, trip.index.options) + gate.kept_back(_candidate(trip, course, row))
            if rules:
                filtered["+".join(rules)] += 1  # every rule is named, each link counted once
            found.append(replace(link, admitted=not rules))
    return Tally(tuple(found), tuple(seen), dict(filtered))


def _told_elsewhere(
    trip: Trip, course: Course, status: dict[str, Status], found: Sequence[FoundLink]
) -> set[str]:
    """Keys of the news of a list that another list of the page has given out, in this visit (they are among
    `found` then) or before: an article is given out once, on whatever lists it stands."""
    news = {key for key, what in status.items() if what in ("new", "backdated")}
    told = {x.key for x in found if x.admitted and x.status != "baseline"}
    for other in trip.courses if news else ():
        if other is not course:
            told |= {key for key, link in other.known(list(news)).items() if link.given}
    return news & told


def _retitled(row: Row, options: IndexOptions) -> bool:
    """Whether the title of a known link was edited, and that is wanted. It never makes a new link."""
    if options.updates != "titles" or row.known is None:
        return False
    return bool(row.title and row.known.title) and row.title != row.known.title


def _held(link: FoundLink, course: Course, options: IndexOptions) -> tuple[str, ...]:
    if link.status == "updated" and options.updates == "hide":
        return ("updates",)
    return ("flood",) if link.status == "backdated" and course.flood and options.flood == "hold" else ()


def _candidate(trip: Trip, course: Course, row: Row) -> CandidateURI:
    page = trip.uris[course.places[row.key].page_url]
    return page.child(row.url, Hop.NAVLINK)


def _found_link(trip: Trip, course: Course, row: Row, status: Status, now: datetime) -> FoundLink:
    place = course.places[row.key]
    candidate = _candidate(trip, course, row)
    future = row.published_at is not None and row.published_at > now + timedelta(minutes=5)
    return FoundLink(
        index=trip.index.id,
        listing=course.memory.listing,
        url=row.url,
        key=row.key,
        title=row.title,
        published_at=None if future else row.published_at,
        precision=None if future else row.precision,
        found_at=now,
        page=place.number,
        rank=row.rank,
        status=status,
        hop_path=candidate.path,
        via=candidate.via or trip.index.url,
        attributes=dict(trip.index.options.attributes),
    )


def _pages(trip: Trip, tally: Tally) -> tuple[PageRead, ...]:
    new = Counter(x.via for x in tally.new)
    there = sum(c.as_it_was for c in trip.courses)  # the first page had not changed, so it was not looked at
    return tuple(
        replace(p, new=new[trip.uris[url].url], links=p.links or (there if url == trip.index.url else 0))
        for url, p in trip.read.items()
    )


# --- how it went ---


def _series_visit(course: Course) -> SeriesVisit:
    d = course.decision
    if d is None:
        return SeriesVisit(course.memory.listing, "fetch-failed", False, True, course.pages, "not read")
    why = d.why
    if d.complete and course.memory.gap_visit is not None:
        why += f"; the gap open since visit {course.memory.gap_visit} is closed"
    return SeriesVisit(course.memory.listing, d.outcome, d.complete, not d.complete, course.pages, why)


def _overall(trip: Trip, series: tuple[SeriesVisit, ...]) -> tuple[Outcome, bool]:
    """A visit is as good as its worst series."""
    if not series:
        return (trip.problem.outcome if trip.problem else "empty"), False
    worst = min(series, key=lambda s: (s.complete, SEVERITY.index(s.outcome)))
    return worst.outcome, all(s.complete for s in series)


def _doubts(trip: Trip, tally: Tally) -> list[str]:
    """What a user should look at: a page that is not the one asked for, links that are all kept back."""
    out: list[str] = []
    came = trip.uris.get(trip.index.url)
    where = f"; {trip.index.url} leads to {came.url}" if came and came.url != trip.index.url else ""
    read = trip.first is not None and trip.first.problem is None
    if read and trip.sent_home and trip.elsewhere:
        out.append(f"the site answers with its home page{where}")
    held = sum(tally.filtered.values())
    if held and held == len(tally.found) and (where or not trip.index.visits):
        rules = ", ".join(sorted(tally.filtered))
        out.append(
            f"all {held} links are kept back by {rules}{where}: --policy, --featured or --site may help"
        )
    return out


def _alerts(index: IndexPage, outcome: Outcome) -> list[str]:
    if index.failures < ALERT_AFTER:
        return []
    look = f"look at the page: recrawler inspect {index.url}"
    return [f"{index.failures} visits in a row ended '{outcome}'; {look}"]


def _index_after(
    trip: Trip, outcome: Outcome, failed: bool, complete: bool, state: cadence.CadenceState, now: datetime
) -> IndexPage:
    before = trip.index
    unchanged = trip.first is not None and trip.first.unchanged
    learnt: dict[str, Any] = dict(before.learnt)
    if trip.encoding:
        learnt["charset"] = trip.encoding
    if trip.learnt_pages is not None:
        learnt["pages"] = trip.learnt_pages
    if trip.learnt_zone:
        learnt["timezone"] = trip.learnt_zone
    if trip.day_first is not None:
        learnt["day_first"] = trip.day_first
    if twins := frozenset().union(*(c.twins.learnt() for c in trip.courses)):
        learnt["twins"] = sorted(twins)
    learnt |= renames.learnt([c.renames for c in trip.courses])
    if trip.elsewhere and any(c.pages for c in trip.courses):
        learnt["landed"] = trip.landed
    if any(c.pages for c in trip.courses):
        learnt.pop("wished", None)
    if trip.index.url in trip.analyses:
        learnt["lists"] = before.options.lists  # as which they were chosen
    lost = sum(_gave_up(c) for c in trip.courses)
    if lost:
        learnt["gaps_lost"] = int(learnt.get("gaps_lost", 0)) + lost
    title = trip.first.analysis.title if trip.first and trip.first.analysis and not failed else ""
    return replace(
        before,
        series=tuple(c.remember(now) for c in trip.courses),
        cadence=msgspec.to_builtins(state),
        title=title or before.title,
        visits=before.visits + 1,
        failures=before.failures + 1 if failed else 0,
        last_outcome=outcome,
        last_visit_at=now,
        last_full_at=before.last_full_at if unchanged else now,
        unchanged=before.unchanged + 1 if unchanged else 0,
        gap_since=None if complete else (before.gap_since or trip.started_at),
        learnt=learnt,
    )


def _late(trip: Trip) -> int | None:
    """Links that only the audit of this visit found, over all lists; null where it was none."""
    told = [c.late for c in trip.courses if c.late is not None]
    return sum(told) if told else None


def _with_recall(trip: Trip, index: IndexPage, tally: Tally) -> IndexPage:
    found = sum(x.status in ("new", "backdated") for x in tally.found)
    if not any(m.base for m in trip.index.series):
        return index  # a first visit: what was asked for with --backfill says nothing of what was missed
    late = _late(trip)
    return replace(
        index,
        found=index.found + found,
        late=index.late + (late or 0),
        audits=index.audits + (late is not None),
    )


def _gave_up(course: Course) -> bool:
    """Whether links between this visit and the base before may be lost for good: the base was left behind
    without having been met."""
    d = course.decision
    lost = ("page-limit", "anchor-lost", "looped", *FAILED)
    return bool(d and d.moves_base and not d.complete and not course.walk.first and d.outcome in lost)


# --- when to come again ---


def learn_cadence(
    trip: Trip, tally: Tally, failed: bool, complete: bool, now: datetime
) -> cadence.CadenceState:
    """The cadence after this visit: what is new and dated teaches it, a failure never does."""
    at = now.timestamp()
    old = trip.index.cadence
    state = msgspec.convert(old, cadence.CadenceState) if old else None
    if failed:
        return cadence.failed(state or cadence.first(None, 0, at), at)
    first = state is None or not any(s.complete_at for s in trip.index.series)
    fresh = [x for x in tally.found if first or x.status == "new"]
    dated = [x for x in fresh if x.published_at is not None]
    precision = max((x.precision or "minute" for x in dated), key=_COARSE.index, default=None)
    times = [x.published_at.timestamp() for x in dated if x.published_at] or None
    offset = _offset(trip.timezone or country_zone(trip.index.url), now)
    if state is None or first:
        return cadence.first(times, len(fresh), at, precision=precision, tz_offset=offset or 0)
    return cadence.visited(
        state, at, times, len(fresh), precision=precision, tz_offset=offset, complete=complete
    )


def _offset(zone: tzinfo | None, now: datetime) -> int | None:
    away = now.astimezone(zone).utcoffset() if zone else None
    return None if away is None else int(away.total_seconds())


def _next_visit(
    index: IndexPage,
    settings: Settings,
    plan: cadence.Pricing,
    state: cadence.CadenceState,
    trip: Trip,
    failed: bool,
    now: datetime,
) -> datetime:
    if failed:
        return opening(plan.hours, _retry(index, settings, plan, trip, now))
    # From its start on: a visit that took longer than its interval is followed by the next at once.
    start = trip.started_at.timestamp()
    at = cadence.next_visit(state, start, plan)
    if index.gap_since is not None and any(m.gap_visit for m in index.series):
        at = min(at, start + max(plan.every or plan.min_every, settings.retry_first))
    return opening(plan.hours, datetime.fromtimestamp(max(at, now.timestamp()), now.tzinfo))


def _retry(
    index: IndexPage, settings: Settings, plan: cadence.Pricing, trip: Trip, now: datetime
) -> datetime:
    most = plan.max_every if plan.every is None else max(plan.every, settings.retry_first)
    first = settings.retry_first if plan.every is None else min(plan.every, settings.retry_first)
    wait = min(first * 2.0 ** min(index.failures - 1, 20), most)
    at_least = trip.problem.retry_at if trip.problem else None
    later = now + timedelta(seconds=wait)
    return max(later, at_least) if at_least else later
