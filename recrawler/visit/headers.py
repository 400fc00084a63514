"""What the headers of an answer say beside its body: where browsers are sent on, where the next page is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from recrawler.page.beyond import refresh_target
from recrawler.page.types import Listing, PageAnalysis
from recrawler.urls import join, parse

_LINK = re.compile(r"<([^>]{1,2000})>([^<]{0,500})")
_NEXT = re.compile(r";\s*rel\s*=\s*(?:\"(?:[^\"]*\s)?next(?:\s[^\"]*)?\"|next\b)", re.I)


def as_headers_tell(found: PageAnalysis, headers: Mapping[str, str]) -> PageAnalysis:
    """The analysis of a page with what its body does not tell: `Refresh` is what `<meta http-equiv=refresh>`
    is, and with `Link: <...>; rel=next` (RFC 8288) APIs name the page after, whose body is a bare array."""
    if found.refresh is None and (told := refresh_target(headers.get("refresh", ""))):
        found = replace(found, refresh=join(found.url, told))
    onward = next_of(headers.get("link", ""), found.url)
    if onward is None or found.main is None:
        return found
    listings = list(found.listings)
    listings[found.main] = _paged(listings[found.main], onward)
    return replace(found, listings=tuple(listings))


def _paged(listing: Listing, onward: str) -> Listing:
    if listing.older or listing.newer or listing.older_form:
        return listing  # the page tells itself
    if listing.order.verdict == "oldest-first":
        return replace(listing, newer=onward, script_pager=False)
    return replace(listing, older=onward, script_pager=False)


def next_of(value: str, url: str) -> str | None:
    """The next page that a `Link` header names, of the same origin and not the page itself; null: none."""
    for target, rest in _LINK.findall(value):
        onward = join(url, target.strip()) if _NEXT.search(rest) else None
        if onward is not None and onward != url and parse(onward).origin == parse(url).origin:
            return onward
    return None
