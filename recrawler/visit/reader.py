"""One page: fetched, decoded, analysed, and judged. Whatever goes wrong with it is a value."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from datetime import timezone as fixed_zone
from functools import partial
from http.cookiejar import CookieJar

from recrawler.completion import Outcome
from recrawler.crawluri import CrawlURI
from recrawler.fetch import Failure, Fetcher, PostForm, Request, Response
from recrawler.fetch.body import is_data
from recrawler.page import types as page
from recrawler.page.analysis import analyse
from recrawler.page.jsonlist import Paths
from recrawler.page.types import ListingHint, PageAnalysis
from recrawler.records import Validators
from recrawler.visit.headers import as_headers_tell

_BLOCKED = frozenset(("blocked", "consent", "login"))
AHEAD = 2  # rows dated in the future from which a zone is doubted
REFRESHES = 3  # pages in a row that send on by themselves
EAST = 14  # hours; no zone lies further east
_DENIED = frozenset((401, 403, 407, 451))

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a page told nothing of its list."""

    outcome: Outcome
    why: str
    retry_at: datetime | None = None
    blank: bool = False  # there is nothing on it, not even a site around a list
    put_off: bool = False  # it was not asked for: its turn would have come after the visit's deadline


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was asked for. `analysis` is null where it was not modified or could not be had."""

    requested: str
    url: str  # after redirects
    status: int  # HTTP, or a negative fetch status code
    requests: int
    analysis: PageAnalysis | None = None
    problem: Problem | None = None
    unchanged: bool = False
    validators: Validators | None = None
    encoding: str | None = None
    zone: str = ""  # as the page's dates tell it, where they do: +08:00
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What is known of a list before a page is read: by earlier pages, and by the user of one in JSON."""

    hints: Sequence[ListingHint] = ()
    paths: Paths | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """Fetches and analyses pages. `now` is the wall clock."""

    fetcher: Fetcher
    now: Callable[[], datetime]

    async def read(
        self,
        curi: CrawlURI,
        *,
        deadline: float,
        validators: Validators | None = None,
        form: page.PostForm | None = None,
        form_encoding: str | None = None,
        timezone: tzinfo | None = None,
        zone_open: bool = False,
        hints: Sequence[ListingHint] = (),
        paths: Paths | None = None,
        headers: Callable[[str], Headers] = lambda url: (),
        cookies: CookieJar | None = None,
    ) -> ReadPage:
        """One page; one that shows no list and sends browsers on is followed. `zone_open`: `timezone` is a
        guess, and the page may show a better one. `paths`: where a list in JSON has what. `headers`: what a
        URL is asked with; `cookies`: what the site has set in this visit."""
        sight = Sight(hints, paths)
        look = partial(self._look, curi.url, timezone=timezone, zone_open=zone_open, sight=sight)
        url = form.action if form else curi.url
        request = Request(
            url=url,
            validators=validators,
            referer=curi.via,
            form=PostForm(form.fields, form_encoding or "utf-8") if form else None,
            deadline=deadline,
            data=True,
            headers=headers(url),
            cookies=cookies,
        )
        found = await look(request)
        for _ in range(REFRESHES):
            onward = found.analysis.refresh if found.analysis and found.problem else None
            # A page that comes again by itself is another one where it has set a cookie.
            if onward is None or (onward == found.url and not cookies):
                break
            again = await look(
                Request(
                    url=onward,
                    referer=found.url,
                    deadline=deadline,
                    data=True,
                    headers=headers(onward),
                    cookies=cookies,
                )
            )
            found = replace(again, requests=found.requests + again.requests, validators=None)
        return found

    async def _look(
        self,
        asked: str,
        request: Request,
        *,
        timezone: tzinfo | None,
        zone_open: bool,
        sight: Sight,
    ) -> ReadPage:
        answer = await self.fetcher.fetch(request)
        if isinstance(answer, Failure):
            return _failed(asked, answer)
        if answer.not_modified or (answer.same_body and request.validators is not None):
            return ReadPage(
                asked, answer.url, answer.status, answer.requests,
                unchanged=True, validators=answer.validators, encoding=answer.encoding,
                warnings=answer.warnings,
            )  # fmt: skip
        analysis, zone = self._analyse(answer, timezone, sight), ""
        if zone_open and _ahead(analysis) >= AHEAD:
            analysis, zone = self._find_zone(answer, analysis, timezone, sight)
        return ReadPage(
            asked, answer.url, answer.status, answer.requests,
            analysis=analysis, problem=_judge(answer, analysis),
            validators=answer.validators, encoding=answer.encoding, zone=zone, warnings=answer.warnings,
        )  # fmt: skip

    def _analyse(self, answer: Response, timezone: tzinfo | None, sight: Sight) -> PageAnalysis:
        began = time.perf_counter()
        found = analyse(
            answer.body,
            answer.url,
            now=self.now(),
            encoding=answer.encoding,
            timezone=timezone,
            hints=sight.hints,
            expected=True,
            paths=sight.paths,
        )
        found = as_headers_tell(found, answer.headers)
        return replace(found, elapsed_ms=(time.perf_counter() - began) * 1000)

    def _find_zone(
        self, answer: Response, found: PageAnalysis, zone: tzinfo | None, sight: Sight
    ) -> tuple[PageAnalysis, str]:
        """Rows that are dated in the future tell of a zone further east: the first that puts none there.
        Where not even the easternmost does, they are of the future indeed, or carry a zone of their own."""
        if _ahead(self._analyse(answer, fixed_zone(timedelta(hours=EAST)), sight)):
            return found, ""
        away = self.now().astimezone(zone or UTC).utcoffset() or timedelta(0)
        for hours in range(int(away.total_seconds() // 3600) + 1, EAST + 1):
            again = self._analyse(answer, fixed_zone(timedelta(hours=hours)), sight)
            if not _ahead(again):
                return again, f"{hours:+03d}:00"
        return found, ""


def _ahead(analysis: PageAnalysis) -> int:
    return 0 if analysis.main is None else analysis.listings[analysis.main].ahead


def _failed(url: str, failure: Failure) -> ReadPage:
    outcome: Outcome = "robots-denied" if failure.kind == "robots-denied" else "fetch-failed"
    put_off = failure.kind == "deferred"
    problem = Problem(outcome, f"{failure.kind}: {failure.detail}", failure.retry_at, put_off=put_off)
    status = failure.http_status or failure.status
    return ReadPage(url, failure.url or url, status, failure.requests, problem=problem)


def _is_blank(body: bytes) -> bool:
    """Whether a page without a list has no link either; an empty list of data is none of these."""
    return not is_data(body) and b"<a" not in body.replace(b"\0", b"").lower()


def _judge(answer: Response, analysis: PageAnalysis) -> Problem | None:
    """What keeps a page from telling of its list; null: nothing."""
    said = f"HTTP {answer.status}, {len(answer.body)} bytes"
    if answer.status >= 400:
        if analysis.verdict in _BLOCKED:
            why = f"{said}, {analysis.verdict} page ({analysis.verdict_why})"
            return Problem("blocked", why, answer.retry_at)
        if answer.status in _DENIED:
            return Problem("blocked", f"{said}: the server refuses this page to us", answer.retry_at)
        return Problem("fetch-failed", f"{said}, {analysis.verdict_why}", answer.retry_at)
    if analysis.verdict in _BLOCKED:
        why = f"{said}, {analysis.verdict} page ({analysis.verdict_why})"
        if answer.redirects:
            why += f" after a redirect to {answer.url}"
        return Problem("blocked", why, answer.retry_at)
    if analysis.verdict == "no-list" and is_data(answer.body):
        return Problem("fetch-failed", f"not-html: the page is JSON, and {analysis.verdict_why}")
    if analysis.verdict != "list":
        why = f"no list on the page: {analysis.verdict} ({analysis.verdict_why})"
        return Problem("empty", why, blank=_is_blank(answer.body))
    if answer.truncated:
        return Problem("fetch-failed", "the page is larger than max_bytes and was cut")
    return None
