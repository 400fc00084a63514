"""Which way a list runs: pages turned as its series knows it, and the order that several of them tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from recrawler.completion import PageView, Row
from recrawler.page.order import Dated, judge
from recrawler.page.types import Link, Listing, Verdict
from recrawler.visit.landing import is_second

STAMPS, STAMPED = 5, timedelta(minutes=5)  # so many dates within so short a time are one stamp


def order_together(rows: Sequence[Row], links: Sequence[Link]) -> Verdict:
    """What the rows read so far and those of one page more tell together, where no page tells it alone."""
    read = [Dated(r.url, r.title, r.published_at, r.precision, r.pinned) for r in rows]
    read += [Dated(x.href, x.text, x.date, x.precision, x.pinned) for x in links]
    newest = max((r.date for r in read if r.date), default=datetime.min.replace(tzinfo=UTC))
    return judge(read, newest).verdict


def oriented(listing: Listing, order: Verdict) -> Listing:
    """The listing with its ways on as they are fetched (a fragment is no other page), and as the series'
    order has them: a page of few rows cannot tell by itself that it is of an oldest-first list, where the
    pages after it are newer; nor can one with pinned rows or few dates undo what the series is known for."""
    listing = replace(
        listing, older=_page(listing.older), newer=_page(listing.newer), last=_page(listing.last)
    )
    turned = listing.order.verdict == "oldest-first"
    if turned == (order == "oldest-first") or (turned and order == "unknown"):
        return listing
    return replace(listing, older=listing.newer, newer=listing.older)


def without_stamps(links: Sequence[Link]) -> Sequence[Link]:
    """The rows without dates that are no publish times: where a whole page is dated within a few minutes, the
    site shows when the page was built."""
    dates = [x.date for x in links if x.date is not None and x.precision != "day"]
    if len(dates) < STAMPS or max(dates) - min(dates) > STAMPED:
        return links
    return [x if x.precision == "day" else replace(x, date=None, precision=None) for x in links]


def ends_older(first: PageView, last: PageView) -> bool:
    """Whether all dated rows of the last page are older than those of the first."""
    begin, end = ([r.published_at for r in p.rows if r.published_at] for p in (first, last))
    return bool(begin and end) and max(end) < min(begin)


def climbs(pages: Sequence[PageView]) -> bool:
    """Whether the second page of a walk down is newer than the first, all of it: each page has its newest row
    first, and the newest of all stand on the last page."""
    return len(pages) == 2 and ends_older(pages[1], pages[0])


def counts_down(listing: Listing, first: int) -> bool:
    """Whether a walk that began on page `first` goes down a series whose pages are numbered from the oldest:
    then it has come from where the page, which knows only its own number, says older rows are."""
    here = listing.bar.current or 0 if listing.bar else 0
    ahead = {x.href: x.page for x in listing.bar.links if x.href} if listing.bar else {}
    return 0 < here < first and ahead.get(listing.newer or "") == here - 1


def words(listing: Listing, url: str | None) -> frozenset[str]:
    """What the bar says at the links to a page, numbers apart."""
    links = listing.bar.links if listing.bar and url else ()
    return frozenset(x.text for x in links if x.href == url and x.page is None and x.text)


def said_before(listing: Listing, said: frozenset[str]) -> bool:
    """Whether the words that have led on from the page before stand at what is taken for the way back:
    whatever they mean, they lead on again."""
    return bool(said & words(listing, listing.newer) - words(listing, listing.older))


def is_mislabelled(listing: Listing, url: str) -> bool:
    """Whether the newest page, at `url`, names a second one as newer: nothing is newer than what it shows."""
    no_way_on = listing.older is None and listing.older_form is None
    return no_way_on and is_second(listing.newer or "", url)


def _page(url: str | None) -> str | None:
    return url if url is None or "#!" in url else url.partition("#")[0]
