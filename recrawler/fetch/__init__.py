"""HTTP: a page in, a `Response` or a `Failure` out; politeness, limits, guard, charset, validators.

In reading order: `types` (what goes in and out), `client` (one fetch, hop by hop), `exchange` (one request
and its answer), `politeness` (whose turn it is), `robotsgate` (when robots.txt is asked), `transport` (httpx
over aiohttp, the resolver that guards), `head` (heads that break the rules), `faults` (exceptions told in one
line), `coding` and `body` (bytes within limits, is it HTML), `charset` (what is declared) and `charset_guess`
(what the bytes look like).
"""

from recrawler.fetch.charset import decode, decode_charset
from recrawler.fetch.client import Fetcher
from recrawler.fetch.types import (
    STATUS_OF,
    Clock,
    Failure,
    FailureKind,
    HostMemory,
    PostForm,
    Request,
    Response,
    SystemClock,
)
from recrawler.guard import admits_address as guard

__all__ = [
    "STATUS_OF",
    "Clock",
    "Failure",
    "FailureKind",
    "Fetcher",
    "HostMemory",
    "PostForm",
    "Request",
    "Response",
    "SystemClock",
    "decode",
    "decode_charset",
    "guard",
]
