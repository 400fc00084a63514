"""A webhook: events are POSTed in batches, signed by the Standard Webhooks scheme.

The body is `{"events": [...]}`, each event as in the JSON Lines file. Headers: `webhook-id` (the same for a
repeated batch), `webhook-timestamp` (unix seconds) and, with a secret, `webhook-signature`: `v1,` and the
base64 of HMAC-SHA256 over `id.timestamp.body`. See https://www.standardwebhooks.com/.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import ssl
import time
from collections.abc import Callable, Sequence
from email.utils import parsedate_to_datetime

import httpx
import msgspec

from recrawler.sinks import SinkError, event
from recrawler.store import OutboxItem

# Answers that say that the events are at fault, not the receiver's state or our address.
_REFUSALS = frozenset({400, 413, 415, 422})
_EXCERPT = 200  # bytes of an answer shown in an error


class WebhookSink:
    """POSTs to `url`. Delivered is what is answered by 2xx; redirects are not followed.

    `secret` is the shared key as text, or `whsec_` and base64. `timeout` is in seconds, for one request.
    """

    def __init__(
        self,
        url: str,
        secret: str = "",
        *,
        name: str = "webhook",
        timeout: float = 20.0,
        user_agent: str = "recrawler",
        verify: bool = True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.url, self.name = url, name
        self._shown = _shown(url)
        self._key = secret_bytes(secret)
        self._timeout, self._agent, self._clock = timeout, user_agent, clock
        self._verify = verify and not url.startswith("http:")  # no certificates to load for nothing
        self._tls: ssl.SSLContext | None = None  # made once: that takes longer than a request

    async def deliver(self, items: Sequence[OutboxItem]) -> None:
        """POST the batch. Where the receiver refuses its content, POST each event by itself: those refused
        while others pass are rejected, and a receiver that refuses all is taken to be at fault itself.
        Raises `SinkError`."""
        if self._tls is None:
            self._tls = httpx.create_ssl_context(verify=self._verify, trust_env=False)
        # A client for each batch: none is left behind in an unknown state when a delivery is cancelled.
        async with httpx.AsyncClient(verify=self._tls, timeout=self._timeout, trust_env=False) as client:
            try:
                await self._post(client, items)
            except _RefusedError as e:
                if len(items) == 1:
                    raise SinkError(str(e)) from None
                await self._one_by_one(client, items)

    async def _one_by_one(self, client: httpx.AsyncClient, items: Sequence[OutboxItem]) -> None:
        taken: list[int] = []
        refused: list[int] = []

        def fault(text: str, retry_after: float | None = None) -> SinkError:
            rejected = refused if taken else []
            return SinkError(text, retry_after=retry_after, delivered=taken, rejected=rejected)

        why = ""
        began = time.monotonic()
        for item in items:
            if time.monotonic() - began > self._timeout:  # what is taken so far must not go unnoted
                raise fault(f"{self._shown} is slow: the rest follows")
            try:
                await self._post(client, [item])
                taken.append(item.seq)
            except _RefusedError as e:
                refused.append(item.seq)
                why = str(e)
            except SinkError as e:
                raise fault(str(e), e.retry_after) from None
        if refused:
            raise fault(why)

    async def _post(self, client: httpx.AsyncClient, items: Sequence[OutboxItem]) -> None:
        body = msgspec.json.encode({"events": [event(item) for item in items]})
        try:
            async with client.stream(
                "POST", self.url, content=body, headers=self._headers(items, body)
            ) as answer:
                if answer.is_success:
                    return
                text = await _excerpt(answer)
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as e:
            raise SinkError(f"{self._shown}: {str(e) or type(e).__name__}") from e
        message = f"{self._shown} answered {answer.status_code} {answer.reason_phrase}{text}"
        if answer.status_code in _REFUSALS:
            raise _RefusedError(message)
        if answer.is_redirect:
            message = f"{message}; it redirects to {answer.headers.get('location')}: give that URL"
        raise SinkError(message, retry_after=self._retry_after(answer))

    def _headers(self, items: Sequence[OutboxItem], body: bytes) -> dict[str, str]:
        digest = hashlib.blake2b("\n".join(item.id for item in items).encode(), digest_size=12)
        message, stamp = f"msg_{digest.hexdigest()}", str(int(self._clock()))
        headers = {
            "content-type": "application/json",
            "user-agent": self._agent,
            "webhook-id": message,
            "webhook-timestamp": stamp,
        }
        if self._key:
            headers["webhook-signature"] = signature(self._key, message, stamp, body)
        return headers

    def _retry_after(self, answer: httpx.Response) -> float | None:
        """Seconds, of a number or a date; None for anything else."""
        text = answer.headers.get("retry-after", "").strip()
        if text.isascii() and text.isdigit():
            return float(text)
        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() - self._clock())
        except (ValueError, TypeError, IndexError, OverflowError):
            return None


class _RefusedError(Exception):
    """The receiver does not take this content."""


def _shown(url: str) -> str:
    """A webhook's URL as messages may show it: many hold a token in their path, query or userinfo."""
    scheme, _, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    host = authority.partition("?")[0].rpartition("@")[2]
    return f"{scheme}://{host}{slash}{'...' if path else ''}"


def secret_bytes(secret: str) -> bytes:
    """The key of a shared secret. Raises `SinkError` for `whsec_` with something that is not base64."""
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise SinkError("the webhook secret begins with whsec_, but no base64 follows") from None


def signature(key: bytes, message: str, stamp: str, body: bytes) -> str:
    """The value of `webhook-signature`."""
    signed = f"{message}.{stamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


async def _excerpt(answer: httpx.Response) -> str:
    """The beginning of an answer, on one line."""
    text = b""
    async for part in answer.aiter_raw():
        text += part
        if len(text) >= _EXCERPT:
            break
    shown = " ".join(text[:_EXCERPT].decode("utf-8", "replace").split())
    return f": {shown}" if shown else ""
