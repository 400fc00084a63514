"""Looking for page 2 of a list whose pager is script: a few common forms of its URL are tried, once.

Only where a user asks for it (`--path pages=probe`), since it asks a site for pages that it may not have. An
answer counts as page 2 if its list stands where that of page 1 does, and half of its links or more are new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from urllib.parse import urlsplit

from recrawler.fetch import Failure, Fetcher, Request
from recrawler.page.analysis import analyse
from recrawler.page.jsonlist.paths import Paths, page_url
from recrawler.page.types import Listing

LEAST_ROWS = 3
NOVEL = 0.5  # of the links are on page 1 too, at most
_PARAMETERS = ("p", "page", "paged", "pageNo")


async def find_pages(
    fetcher: Fetcher,
    url: str,
    first: Listing,
    *,
    now: datetime,
    deadline: float,
    timezone: tzinfo | None,
    paths: Paths | None = None,
) -> tuple[str, int]:
    """The template of the pages' URLs, empty if none of those tried is one; and how many requests it took.
    `first`: the list on the index page at `url`."""
    requests = 0
    for template in templates(url):
        request = Request(page_url(template, 2), referer=url, deadline=deadline, data=True)
        answer = await fetcher.fetch(request)
        requests += answer.requests
        if isinstance(answer, Failure) or answer.status != 200 or answer.redirects:
            continue
        found = analyse(
            answer.body,
            answer.url,
            now=now,
            encoding=answer.encoding,
            timezone=timezone,
            expected=True,
            paths=paths,
        )
        if found.main is not None and any(_goes_on(x, first) for x in found.listings):
            return template, requests
    return "", requests


def _goes_on(listing: Listing, first: Listing) -> bool:
    """Whether a list is another page of the first one."""
    hrefs, known = ({x.href for x in block.links} for block in (listing.block, first.block))
    same = listing.block.path == first.block.path and len(hrefs) >= LEAST_ROWS
    return same and len(hrefs & known) <= NOVEL * len(hrefs)


def templates(url: str) -> Iterator[str]:
    """The forms that are tried, absolute: a parameter, a folder, a file beside the index's own."""
    plain = urlsplit(url)._replace(fragment="").geturl()
    sign = "&" if "?" in plain else "?"
    for name in _PARAMETERS:
        there = re.compile(rf"(?<=[?&]{name}=)[^&]*")
        yield there.sub("{page}", plain) if there.search(plain) else f"{plain}{sign}{name}={{page}}"
    path = plain.partition("?")[0]
    folder, _, file = path.rpartition("/")
    stem, dot, ending = file.rpartition(".") if "." in file else (file, "", "")
    if not dot:
        yield f"{path.rstrip('/')}/page/{{page}}/"
    for name in dict.fromkeys((stem if dot else "index", "list")):
        yield f"{folder}/{name}_{{page}}{dot or '.'}{ending or 'html'}"
    yield f"{folder}/{stem if dot else 'index'}_{{page-1}}{dot or '.'}{ending or 'html'}"
