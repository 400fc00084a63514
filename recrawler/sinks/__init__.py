"""Delivery of the outbox: where new links go.

    delivery     takes what is pending in the store to each sink, with retries and dead letters
    threads      blocking calls beside the event loop
    files        what writes to files share
    jsonl        a JSON Lines file
    webhook      signed HTTP requests
    feeds        Atom and JSON Feed files
    redis        a Redis stream

Another sink is one class with a `name` and `deliver`; nothing else knows what kinds there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from recrawler.errors import RecrawlerError
from recrawler.store import OutboxItem


class SinkError(RecrawlerError):
    """A sink did not take all that it was given; what it says nothing of is tried again later.

    `delivered` are numbers (`OutboxItem.seq`) that it did take, `rejected` those that it will never take:
    they become dead letters at once. `retry_after` is in seconds, where the sink asks for a time.
    """

    def __init__(
        self,
        message: str,
        *,
        retry_after: float | None = None,
        delivered: Sequence[int] = (),
        rejected: Sequence[int] = (),
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.delivered = tuple(delivered)
        self.rejected = tuple(rejected)


class Sink(Protocol):
    """Where new links go. `name` is what the outbox knows it by: it must not change between runs."""

    @property
    def name(self) -> str: ...

    async def deliver(self, items: Sequence[OutboxItem]) -> None:
        """Take all of `items`, in order, for good: who returns has them on disk, or acknowledged. May get
        an item a second time, with the same `id`. Raises `SinkError`; may be cancelled."""


def event(item: OutboxItem) -> dict[str, Any]:
    """What every sink gives out for a link: its command contract's JSON, led by the event's `id` and the
    article's `key`, which is one on whatever index it was found."""
    return {"id": item.id, "key": item.link.key, **item.link.to_json()}


__all__ = ["Sink", "SinkError", "event"]
