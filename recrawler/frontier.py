"""The frontier of one visit: which URI is fetched next, and none twice."""

from __future__ import annotations

import heapq

from recrawler.crawluri import CandidateURI, CrawlURI
from recrawler.hops import FetchStatus, SchedulingDirective

_MAX_PRECEDENCE = 127
_ORDINAL_BITS = 48


def insert_key(uri: CrawlURI) -> tuple[str, int]:
    """Where a URI stands: its queue, then directive, precedence (at most 127) and ordinal in one number."""
    order = uri.scheduling_directive << 56
    order |= min(uri.precedence, _MAX_PRECEDENCE) << _ORDINAL_BITS
    return uri.queue(), order | (uri.ordinal & ((1 << _ORDINAL_BITS) - 1))


class Frontier:
    """Queues by class key. `next` takes the queue whose head is soonest, so robots.txt goes before pages.

    `max_to_crawl` bounds how many URIs are ever taken out to be fetched, failed ones and retries included;
    prerequisites are not counted, nor is a URI that was only deferred for its own.
    """

    def __init__(self, max_to_crawl: int | None = None) -> None:
        self.max_to_crawl = max_to_crawl
        self.taken = 0
        self._heap: list[tuple[int, str, int, CrawlURI]] = []
        self._seen: set[str] = set()
        self._ordinal = 0

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, candidate: CandidateURI) -> bool:
        """Queue a candidate; False when its URL was here before and is not forced."""
        if candidate.url in self._seen and not candidate.force_revisit:
            return False
        self._seen.add(candidate.url)
        if (
            candidate.is_seed
            and candidate.via
            and candidate.scheduling_directive == SchedulingDirective.NORMAL
        ):
            candidate.scheduling_directive = SchedulingDirective.MEDIUM  # a seed's redirect
        self._ordinal += 1
        self._push(CrawlURI.promote(candidate, self._ordinal))
        return True

    def put_back(self, uri: CrawlURI) -> None:
        """Queue a URI again, as it is: to come after its prerequisite, or for a retry."""
        if uri.fetch_status == FetchStatus.DEFERRED:
            self.taken -= 1
        self._push(uri)

    def _push(self, uri: CrawlURI) -> None:
        uri.class_key = uri.queue()
        key, order = insert_key(uri)
        self._ordinal += 1  # no two entries are equal, so that URIs are never compared
        heapq.heappush(self._heap, (order, key, self._ordinal, uri))

    def next(self) -> CrawlURI | None:
        """The URI to fetch now, its attempt counted; None when the queues or the limit are exhausted."""
        if not self._heap:
            return None
        counts = not self._heap[0][3].prerequisite
        if counts and self.max_to_crawl is not None and self.taken >= self.max_to_crawl:
            return None
        uri = heapq.heappop(self._heap)[3]
        self.taken += counts
        uri.fetch_attempts += 1
        return uri
