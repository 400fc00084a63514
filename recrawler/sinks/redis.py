"""A Redis stream: one entry an event, for other workers to read. Needs the extra `redis`.

Each entry has the fields `id` (the same when an event is repeated, so that a reader can drop it) and `event`
(the JSON of the JSON Lines file). A batch is one transaction: all of it is in the stream, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from recrawler.sinks import SinkError, event
from recrawler.store import OutboxItem


class RedisSink:
    """Appends to the stream `stream` of the server at `url` (redis://, rediss:// or unix://).

    `keep` is about how many entries the stream holds; older ones are trimmed, 0 keeps all. `timeout` is in
    seconds, for connecting and for each answer.
    """

    def __init__(
        self,
        url: str,
        stream: str = "recrawler",
        *,
        keep: int = 1_000_000,
        name: str = "redis",
        timeout: float = 10.0,
    ) -> None:
        self.name, self._stream, self._keep = name, stream, keep
        try:
            self._client = Redis.from_url(url, socket_timeout=timeout, socket_connect_timeout=timeout)
        except ValueError as e:
            shown = f"{url.partition('://')[0]}://...@{url.rpartition('@')[2]}" if "@" in url else url
            raise SinkError(f"{shown} is no Redis URL: {e}") from None

    async def deliver(self, items: Sequence[OutboxItem]) -> None:
        """Append the items in order. Raises `SinkError` (no connection, no memory, not a stream)."""
        try:
            async with self._client.pipeline(transaction=True) as pipe:
                for item in items:
                    fields: dict[Any, Any] = {"id": item.id, "event": msgspec.json.encode(event(item))}
                    pipe.xadd(self._stream, fields, maxlen=self._keep or None, approximate=True)
                await pipe.execute()
        except (RedisError, OSError) as e:
            raise SinkError(f"{type(e).__name__}: {e}") from None

    async def close(self) -> None:
        await self._client.aclose()
