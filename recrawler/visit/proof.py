"""Proof of a list's order from its articles: some are fetched, and say when they were published.

Only where the list itself tells nothing, and only as many as the setting `fetch_articles` allows.
"""

from __future__ import annotations

from datetime import datetime, tzinfo

from recrawler.fetch import Failure, Fetcher, Request
from recrawler.page.article import published
from recrawler.page.order import Dated, judge
from recrawler.page.types import Link, Verdict


async def prove_order(
    fetcher: Fetcher,
    links: list[Link],
    count: int,
    *,
    now: datetime,
    deadline: float,
    referer: str,
    timezone: tzinfo | None,
) -> tuple[Verdict, int]:
    """The order that `count` articles, spread over the page, tell; and how many requests it took."""
    rows: list[Dated] = []
    requests = 0
    for link in spread([x for x in links if not x.pinned], count):
        answer = await fetcher.fetch(Request(link.href, referer=referer, deadline=deadline))
        requests += answer.requests
        if isinstance(answer, Failure) or answer.status != 200:
            continue
        found = published(answer.body, answer.url, now=now, timezone=timezone, encoding=answer.encoding)
        if found is not None:
            rows.append(Dated(link.href, link.text, found.date, found.precision))
    return judge(rows, now).verdict, requests


def spread(links: list[Link], count: int) -> list[Link]:
    """So many of the links, evenly from first to last."""
    if len(links) <= count:
        return links
    step = (len(links) - 1) / max(count - 1, 1)
    return [links[round(i * step)] for i in range(count)]
