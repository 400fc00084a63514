"""How a URL is read: what `recrawler doctor URL` prints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from recrawler.errors import PolicyError
from recrawler.follow import FollowPolicy, Policy
from recrawler.suffixes import Suffixes, default_suffixes
from recrawler.urls import DEFAULT_KEY, KeyOptions, host_key, identity_key, is_ip, parse_typed

STALE_DAYS = 365


@dataclass(frozen=True, slots=True)
class UrlReport:
    """How one URL is read; every field is a value that JSON has."""

    given: str
    href: str  # as it is requested
    scheme: str
    host: str
    port: int
    path: str
    query: str | None
    fragment: str | None
    is_ip: bool
    key: str  # the identity in the history
    queue: str  # host and port, the unit of politeness
    registrable_domain: str | None
    icann_domain: str | None  # without the private rules of the suffix list
    second_level: str | None  # what SameSLD compares
    admitted_by: str | None  # of the policy asked about
    policies: dict[str, str]  # what each policy would compare with this URL featured, or its errors
    suffix_list: str | None  # the day of the list's version
    suffix_list_days: int | None  # its age
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"warnings": list(self.warnings)}


def explain(
    url: str,
    policy: FollowPolicy | None = None,
    *,
    options: KeyOptions = DEFAULT_KEY,
    suffixes: Suffixes | None = None,
    today: date | None = None,
) -> UrlReport:
    """Explain a URL as a person types it. Raises `InvalidURL` for what is no http(s) URL.

    `policy`: which of its sites admits the URL. `today`: for the age of the suffix list.
    """
    listed = suffixes or default_suffixes()
    read = parse_typed(url)
    published = listed.published
    age = (today - published).days if today and published else None
    return UrlReport(
        given=url,
        href=read.href,
        scheme=read.scheme,
        host=read.host,
        port=read.effective_port,
        path=read.path,
        query=read.query,
        fragment=read.fragment,
        is_ip=is_ip(read.host),
        key=identity_key(read.href, options),
        queue=host_key(read.href),
        registrable_domain=listed.registrable_domain(read.host),
        icann_domain=listed.registrable_domain(read.host, private=False),
        second_level=listed.second_level(read.host),
        admitted_by=policy.admitted_by(url) if policy else None,
        policies={p.value: _featured(url, p, listed) for p in Policy},
        suffix_list=published.isoformat() if published else None,
        suffix_list_days=age,
        warnings=tuple(_warnings(url, read.href, age)),
    )


def _featured(url: str, policy: Policy, suffixes: Suffixes) -> str:
    """What the policy compares when this URL is the featured one."""
    config = {"entry_points": [url], "follow_policy": {"policy": policy.value}}
    try:
        compiled = FollowPolicy.from_config(config, suffixes)
    except PolicyError as e:
        return str(e)
    told = "; ".join(s.describe() for s in compiled.sites)
    return told + "".join(f" ({w})" for w in compiled.warnings)


def _warnings(given: str, href: str, age: int | None) -> Iterable[str]:
    if "@" in href.partition("://")[2].partition("/")[0]:
        yield "the user name and password are sent to the host and left out of the key"
    if "\\" in given:
        yield "a backslash is read as a slash"
    if "xn--" in href.partition("://")[2].partition("/")[0]:
        yield "the host is an international name, shown in its ASCII form"
    if age is not None and age > STALE_DAYS:
        yield f"the suffix list is {age} days old: give a newer one with the setting suffix_list"
