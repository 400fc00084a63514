"""The rules of the core as small functions of plain values, in the shapes of conformance case files.

For people who check the rules against cases of their own: `benchmarks/conformance.py DIR` runs folders of
such files through these functions, and docs/reference/conformance.md describes each. Nothing else uses them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from recrawler.crawluri import CandidateURI, CrawlURI, Hop
from recrawler.errors import InvalidURL, PolicyError
from recrawler.follow import FollowPolicy
from recrawler.frontier import Frontier, insert_key
from recrawler.guard import admits_address, parse_networks
from recrawler.robots import MAX_REDIRECTS, RobotsAccess, RobotsAnswer, RobotsRules
from recrawler.scope import CrawlScope
from recrawler.suffixes import registrable_domain
from recrawler.urls import DEFAULT_KEY, KeyOptions, identity_key, is_ip, join, parse, url_parts

__all__ = [
    "address_allowed",
    "follow_errors",
    "follow_warnings",
    "follows",
    "host_allowed",
    "in_scope",
    "max_to_crawl",
    "query_in",
    "registrable",
    "robots_access",
    "robots_allowed",
    "run_ops",
    "same_page",
    "scope_errors",
    "scope_warnings",
    "sooner",
    "url_parts",
]


def follows(config: Mapping[str, Any], url: str) -> bool:
    """Whether a follow policy admits a URL. Raises `PolicyError` for an invalid policy."""
    return FollowPolicy.from_config(config).admits(url)


def follow_errors(config: Mapping[str, Any]) -> list[str]:
    """Every validation code of a follow policy, sorted; empty for a valid one."""
    try:
        FollowPolicy.from_config(config)
    except PolicyError as e:
        return e.codes
    return []


def follow_warnings(config: Mapping[str, Any]) -> list[str]:
    """The warnings of a valid follow policy, sorted."""
    return list(FollowPolicy.from_config(config).warnings)


def in_scope(scope: Mapping[str, Any], url: str, depth: int) -> bool:
    """Whether a crawling scope contains a link at a depth. Raises `PolicyError` for an invalid scope."""
    return CrawlScope.from_config(scope).contains(CandidateURI(url, depth=depth))


def scope_errors(scope: Mapping[str, Any]) -> list[str]:
    """Every validation code of a crawling scope, sorted; empty for a valid one."""
    try:
        CrawlScope.from_config(scope)
    except PolicyError as e:
        return e.codes
    return []


def scope_warnings(scope: Mapping[str, Any]) -> list[str]:
    """The warnings of a valid crawling scope, sorted."""
    return list(CrawlScope.from_config(scope).warnings)


def max_to_crawl(limit: int | None, offered: Sequence[str]) -> list[str]:
    """What a crawl fetches of the URLs offered to its frontier, in order."""
    frontier = Frontier(limit)
    for url in offered:
        frontier.add(CandidateURI(url))
    return [uri.url for uri in iter(frontier.next, None)]


def same_page(a: str, b: str, toggled: Sequence[str] = ()) -> bool:
    """Whether two URLs have one identity key. `toggled` turns default options over: `sort_query`,
    `strip_params=from,ref`. Raises `InvalidURL`.
    """
    options = DEFAULT_KEY
    for text in toggled:
        name, equals, value = text.partition("=")
        new = tuple(value.split(",")) if equals else not asdict(options)[name]
        options = replace(options, **KeyOptions.checked({name: new}))
    return identity_key(a, options) == identity_key(b, options)


def registrable(host: str | None) -> str | None:
    """The registrable domain of a host, the private rules of the suffix list included."""
    return None if host is None else registrable_domain(host)


def query_in(text: str, encoding: str) -> str:
    """The query that a browser sends for the text of a link's query on a page in an encoding."""
    href = join(None, f"http://h.example/?{text}", encoding) or ""
    return href.partition("?")[2]


def robots_allowed(body: bytes, agent: str, url: str) -> bool:
    """Whether a robots.txt lets an agent fetch a URL."""
    return RobotsRules.parse(body).allowed(agent, url)


def address_allowed(address: str, allow_networks: Sequence[str] = ()) -> bool:
    """Whether an IP address may be connected to."""
    return admits_address(address, parse_networks(allow_networks))


def host_allowed(url: str, allow_networks: Sequence[str] = ()) -> tuple[str | None, bool]:
    """The serialised host of a URL, and whether it may be asked for: a literal address only if it is public.

    (None, False) for what does not parse. What a name resolves to is judged when it is resolved.
    """
    try:
        host = parse(url).host
    except InvalidURL:
        return None, False
    name = host.removesuffix(".")
    if name == "localhost" or name.endswith(".localhost"):  # never anything but this machine (RFC 6761)
        return host, address_allowed("127.0.0.1", allow_networks)
    return host, not is_ip(host) or address_allowed(host, allow_networks)


_START = datetime(2000, 1, 1, tzinfo=UTC)


def robots_access(
    responses: Sequence[Mapping[str, Any]],
    url: str,
    at_h: float = 0,
    *,
    agent: str = "recrawler",
    origin: str = "http://a.example",
) -> tuple[bool | None, int]:
    """Whether a URL may be fetched `at_h` hours after robots.txt was first asked for, and how often it was.

    `responses` are what the server answers, in order. None where the URL is of another origin.
    """
    access, fetches = RobotsAccess(), 0
    hours = sorted({0.0, *(float(r.get("at_h", 0)) for r in responses), float(at_h)})
    for hour in (h for h in hours if h <= at_h):
        now = _START + timedelta(hours=hour)
        if access.is_due(now):
            past = [r for r in responses if float(r.get("at_h", 0)) <= hour]
            latest = max((float(r.get("at_h", 0)) for r in past), default=0.0)
            answer = _answer([r for r in past if float(r.get("at_h", 0)) == latest], origin)
            access, fetches = access.learn(answer, now), fetches + 1
    if parse(url).origin != origin:
        return None, fetches
    return access.allowed(agent, url, now), fetches


def _answer(chain: Sequence[Mapping[str, Any]], origin: str) -> RobotsAnswer:
    """One answer, after the redirects of a chain; one that leads to a refused address is a network error."""
    here = f"{origin}/robots.txt"
    for hops, response in enumerate(chain):
        status = response.get("status")
        if status not in (301, 302, 303, 307, 308) or hops >= MAX_REDIRECTS:
            break
        there = join(here, response.get("location", "")) if response.get("location") else None
        if there is None:
            break
        if not host_allowed(there)[1]:
            return RobotsAnswer(None)
        here = there
    if not chain:
        return RobotsAnswer(None)
    headers = {k.lower(): v for k, v in response.get("headers", {}).items()}
    return RobotsAnswer(response.get("status"), _body(response), headers.get("cache-control", ""))


def _body(response: Mapping[str, Any]) -> bytes:
    text, times = response.get("body_repeat", ("", 0))
    exact = response.get("body_latin1")
    tail: bytes = exact.encode("latin-1") if exact is not None else response.get("body", "").encode()
    head: bytes = text.encode() * times
    return head + tail


def sooner(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """Which of two queued URIs comes first: "first" or "second"."""
    keys = [
        insert_key(_record({"url": "http://a.example/", "crawl": True} | dict(r))) for r in (first, second)
    ]
    return "first" if keys[0] <= keys[1] else "second"


def _record(given: Mapping[str, Any]) -> CrawlURI:
    values = dict(given)
    values["scheduling_directive"] = values.pop("directive", values.get("scheduling_directive", 3))
    values["content_digest"] = values.pop("content_digest_hex", values.get("content_digest"))
    return CrawlURI.from_json(values)


def run_ops(given: Mapping[str, Any], ops: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Build a record, do operations on it, and give every attribute of the record that is current then.

    `child` and `mark_prerequisite` make the new record current, `parent` goes back.
    """
    current = _record(given)
    stack: list[CrawlURI] = []
    for name, *args in ops:
        if name == "parent":
            current = stack.pop()
        elif name in ("child", "mark_prerequisite"):
            stack.append(current)
            current = _descend(current, name, args)
        else:
            current = _do(current, name, args)
    return _facts(current)


def _descend(uri: CrawlURI, name: str, args: Sequence[Any]) -> CrawlURI:
    if name == "mark_prerequisite":
        return uri.mark_prerequisite(args[0])
    return CrawlURI.promote(uri.child(args[0], Hop(args[1]), *args[2:]), 0)


def _do(uri: CrawlURI, name: str, args: Sequence[Any]) -> CrawlURI:
    if name == "crawl":
        return CrawlURI.promote(uri, args[0])
    if name == "json":
        return CrawlURI.from_json(json.loads(json.dumps(uri.to_json())))
    if name == "outlinks":
        before = len(uri.outlinks) + uri.discarded_outlinks
        for n in range(before, before + args[0]):
            uri.add_outlink(uri.child(f"http://a.example/{n}", Hop.NAVLINK))
    elif name == "link_extractor_finished":
        uri.finish_link_extraction()
    elif name in ("put", "remove", "make_heritable", "make_non_heritable"):
        getattr(uri.attributes, name)(*args)
    else:
        getattr(uri, name)(*args)
    return uri


_DERIVED = (
    "last_hop", "is_redirect", "hop_count", "link_hop_count", "embed_hop_count", "trans_hops", "policy_basis",
    "annotations", "success", "needs_retry", "retry_delay", "disregarded", "digest_string",
)  # fmt: skip


def _facts(uri: CrawlURI) -> dict[str, Any]:
    facts = _do(uri, "json", ()).to_json()  # what does not survive JSON is no fact
    facts |= {name: getattr(uri, name) for name in _DERIVED}
    facts["attrs_without_heritable"] = facts["attrs"]
    facts["outlinks"] = len(uri.outlinks)
    facts["queue"] = uri.queue()
    return facts
