"""robots.txt by RFC 9309: the rules of a file, and whether a site may be accessed after what it answered.

Protego matches paths. Before it stands a line filter, because Protego is more generous than the RFC: it
splits lines at more characters, ends a group at lines that it does not know, and takes an agent's name for
another that begins with it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from protego import Protego

from recrawler.errors import InvalidURL
from recrawler.urls import parse_typed

MAX_BYTES = 512_000  # 500 KiB, what RFC 9309 2.5 makes a crawler read at least
MAX_LINE = 16_663  # characters; a longer line is cut, as a large search engine does
MAX_REDIRECTS = 5
LIFE = timedelta(hours=24)
SHORTEST_LIFE = timedelta(minutes=10)
RETRY = timedelta(minutes=1)  # the least wait after an answer that told nothing
GIVE_UP = timedelta(days=30)

_EOL = re.compile(r"\r\n|\r|\n")
_OTHER_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # str.splitlines breaks at these too
_TOKEN = re.compile(r"[A-Za-z_-]+")
_PRODUCT = re.compile(r"([A-Za-z_-]+)/")
_HIGH_ESCAPES = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_NOBODY = "<!>"  # what the filter writes for an agent that no token can be
_ANYBODY = "<?>"  # what is asked for an agent without a group: only * holds
_AGENT = "user-agent"
_DELAY = "crawl-delay"
# What owners write for a field's name, as the parser of a large search engine reads it.
_FIELDS = {
    _AGENT: (_AGENT, "useragent", "user agent"),
    "disallow": ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"),
    "allow": ("allow",),
    _DELAY: (_DELAY, "crawldelay", "crawl delay"),
}
_BY_SPELLING = {spelling: name for name, spellings in _FIELDS.items() for spelling in spellings}


class RobotsRules:
    """The rules of one robots.txt."""

    def __init__(self, rules: Protego, delays: Protego | None, agents: frozenset[str]) -> None:
        self._rules = rules
        self._delays = delays
        self._agents = agents

    @classmethod
    def parse(cls, body: bytes) -> RobotsRules:
        """Read a file of any content; lines that are no rules do not count. Never raises."""
        lines = list(_lines(body))
        rules = Protego.parse("\n".join(f"{f}: {v}" for f, v in lines if f != _DELAY))
        # Crawl-delay is outside the RFC, so it must not end a group of the rules; of itself it does.
        has_delays = any(f == _DELAY for f, _ in lines)
        delays = Protego.parse("\n".join(f"{f}: {v}" for f, v in lines)) if has_delays else None
        return cls(rules, delays, frozenset(v for f, v in lines if f == _AGENT))

    def allowed(self, agent: str, url: str) -> bool:
        """Whether `agent` (a product token or a whole User-Agent header) may fetch an absolute URL."""
        path = _path(url)
        if path == "/robots.txt":
            return True
        verdict: bool = self._rules.can_fetch(f"http://h{path}", self._group(agent))
        return verdict

    def crawl_delay(self, agent: str) -> float | None:
        """Seconds between two requests that the site asks this agent for, or None."""
        if self._delays is None:
            return None
        seconds: float | None = self._delays.crawl_delay(self._group(agent))
        return seconds

    def _group(self, agent: str) -> str:
        """The name of the group that holds for an agent, in the filter's brackets."""
        tokens = _PRODUCT.findall(agent) or [agent.strip()]
        names = [f"<{t.lower()}>" for t in tokens]
        return next((n for n in names if n in self._agents), _ANYBODY)


def _path(url: str) -> str:
    """Path and query of a URL as a request would carry them, in the form that rules are held in."""
    try:
        parsed = parse_typed(url)
    except InvalidURL:
        return "/"
    return _plain(parsed.path + ("" if parsed.query is None else f"?{parsed.query}"))


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    """The fields of a file that matter, in order: (name in lower case, value)."""
    for line in _EOL.split(_text(body)):
        stripped = line[:MAX_LINE].partition("#")[0].strip(" \t\0")
        field = _field(stripped)
        if field is None:
            continue
        name, value = field
        if name == _AGENT:
            value = _agent(value)
        yield name, _OTHER_BREAKS.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), value)


def _text(body: bytes) -> str:
    """The part of a file within the limit, without a byte order mark (whole or damaged)."""
    if len(body) > MAX_BYTES:
        body = body[: MAX_BYTES + 1]
        end = max(body.rfind(b"\n"), body.rfind(b"\r"))
        body = body[: end + 1]
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # against the RFC, yet its owner's wish
        body = body.decode("utf-16", "ignore").encode()
    for mark in (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"):
        if body.startswith(mark):
            body = body[len(mark) :]
            break
    return _plain(body.decode("utf-8", "surrogateescape"))


def _plain(text: str) -> str:
    """Escapes beyond ASCII decoded, so that both spellings compare equal.

    A byte that is not UTF-8 becomes a private character: Protego would read all such bytes as one.
    """
    decoded = _HIGH_ESCAPES.sub(
        lambda m: bytes.fromhex(m[0].replace("%", "")).decode("utf-8", "surrogateescape"), text
    )
    return "".join(chr(ord(c) + 0x1A00) if "\udc80" <= c <= "\udcff" else c for c in decoded)


def _field(line: str) -> tuple[str, str] | None:
    """Name and value of a line, or None. Without a colon there must be just two words."""
    name, colon, value = line.partition(":")
    if not colon:
        words = line.split()
        if len(words) != 2:
            return None
        name, value = words
    known = _BY_SPELLING.get(" ".join(name.split()).lower())
    return None if known is None else (known, value.strip())


def _agent(value: str) -> str:
    """`*`, or the product token at the value's beginning, in brackets so that only the whole name matches."""
    if value == "*" or value[:2] in ("* ", "*\t"):
        return "*"
    token = _TOKEN.match(value)
    return f"<{token[0].lower()}>" if token else _NOBODY


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """What asking for robots.txt brought, redirects followed. `status` None: a network error."""

    status: int | None
    body: bytes = b""
    cache_control: str = ""


@dataclass(frozen=True, slots=True)
class RobotsAccess:
    """What is known of a site's robots.txt; `learn` gives the state after one more answer."""

    body: bytes | None = None  # the last copy that was had; b"" where the site has none
    fresh_until: datetime | None = None
    unreachable_since: datetime | None = None  # with no answer that told something in between

    def is_due(self, now: datetime) -> bool:
        """Whether robots.txt must be asked for before the site is accessed."""
        return self.fresh_until is None or now >= self.fresh_until

    def learn(self, answer: RobotsAnswer, now: datetime) -> RobotsAccess:
        """RFC 9309 2.3.1: 2xx gives rules, 4xx and endless redirects allow everything, else nothing is known.

        An unreachable file leaves the last copy in force; see `allowed` for a site without one.
        """
        status = answer.status
        if status is not None and 200 <= status < 300:
            return RobotsAccess(answer.body, now + lifetime(answer.cache_control))
        if status == 304 and self.body is not None:
            return RobotsAccess(self.body, now + lifetime(answer.cache_control))
        if status is not None and 300 <= status < 500:
            return RobotsAccess(b"", now + lifetime(answer.cache_control))
        return replace(self, fresh_until=now + RETRY, unreachable_since=self.unreachable_since or now)

    def allowed(self, agent: str, url: str, now: datetime) -> bool:
        """Whether a URL of the site may be fetched.

        Without any copy nothing may, until the file was unreachable for longer than 30 days.
        """
        if _path(url) == "/robots.txt":
            return True
        if self.body is not None:
            return _rules(self.body).allowed(agent, url)
        since = self.unreachable_since
        return since is not None and now - since > GIVE_UP


@lru_cache(maxsize=64)
def _rules(body: bytes) -> RobotsRules:
    return RobotsRules.parse(body)


_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,12})", re.IGNORECASE)
_NO_STORE = re.compile(r"(?:^|[\s,])no-(?:store|cache)(?:$|[\s,])", re.IGNORECASE)


def lifetime(cache_control: str) -> timedelta:
    """How long a copy is used: 24 hours, or less by Cache-Control, but not under 10 minutes."""
    if _NO_STORE.search(cache_control):
        return SHORTEST_LIFE
    match = _MAX_AGE.search(cache_control)
    if match is None:
        return LIFE
    return min(LIFE, max(SHORTEST_LIFE, timedelta(seconds=min(int(match[1]), 10**6))))
