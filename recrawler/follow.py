"""The follow policy: which links belong to the watched site.

The four policies and their validation are those of the Benjamin crawler's document on follow policies;
where it is silent, docs/reference/policy.md says what holds. Sites are a union, and entry points are
always followed. A policy is compiled once, so that a link costs the same however many suffixes it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from recrawler.errors import InvalidURL, PolicyError
from recrawler.suffixes import Suffixes, default_suffixes
from recrawler.urls import Url, is_ip, parse_typed, serialise, without_fragment


class Policy(StrEnum):
    """How much of the featured URL a link must share."""

    SAME_TLD = "SameTLD"  # the registrable domain
    SAME_DOMAIN = "SameDomain"  # the host
    SAME_DIR = "SameDir"  # the host and the directory
    SAME_SLD = "SameSLD"  # the label before the ICANN suffix


_POLICIES = {p.value: p for p in Policy}
_SITE_OPTIONS = frozenset(("policy", "ignore_port", "alternative_domain_suffix", "psl", "strict"))
_CONFIG_OPTIONS = frozenset(("entry_points", "featured_entry_point", "follow_policy", "sites"))
_DECODED = {"%2e": ".", "%2f": "/", "%5c": "/", "%25": "%"}
_ENCODED = re.compile("|".join(_DECODED), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Site:
    """One featured URL with a policy, compiled to sets: `admits` costs one look-up."""

    featured: Url
    policy: Policy  # after a fall-back
    port: str | None  # None: any
    hosts: frozenset[str]  # SameDomain, SameDir: without a trailing dot
    domains: frozenset[str]  # SameTLD
    label: str | None  # SameSLD
    directory: str | None  # SameDir
    private: bool  # private rules of the suffix list hold
    suffixes: Suffixes

    def admits(self, url: Url) -> bool:
        """Whether the policy lets a link be followed."""
        if self.port is not None and url.port != self.port:
            return False
        host = _host(url)
        if self.label is not None:
            return self.suffixes.second_level(url.host) == self.label
        if host in self.hosts:
            return self.directory is None or _below(url.path, self.directory)
        if not self.domains:
            return False
        return self.suffixes.registrable_domain(url.host, self.private) in self.domains

    def describe(self) -> str:
        """The policy and what it compares, for people: `SameTLD baidu.com`."""
        what = self.label or " ".join(sorted(self.domains or self.hosts)) + (self.directory or "")
        return f"{self.policy.value} {what}"


def _below(path: str, directory: str) -> bool:
    """Whether a path lies in a directory, as written and as a server that decodes it may read it."""
    if not path.startswith(directory):
        return False
    inner, outer = path, directory
    while "%" in inner or ";" in inner:
        decoded, outer = _decode(inner), _decode(outer)
        if not _resolve(decoded).startswith(_resolve(outer)):
            return False
        if decoded == inner:
            break
        inner = decoded
    return True


def _decode(path: str) -> str:
    return _ENCODED.sub(lambda m: _DECODED[m[0].lower()], path)


def _resolve(path: str) -> str:
    """Dot segments resolved as a careless server does: `..;x` climbs, empty segments do not count."""
    out: list[str] = []
    name = ""
    for segment in path.split("/"):
        name = segment.partition(";")[0]
        if name == "..":
            del out[-1:]
        elif name not in ("", "."):
            out.append(segment)
    tail = "/" if out and name in ("", ".", "..") else ""
    return "/" + "/".join(out) + tail


class FollowPolicy:
    """Which links are followed: entry points, and what any site of the union admits."""

    def __init__(
        self, entry_points: Iterable[Url], sites: Iterable[Site], warnings: Iterable[str] = ()
    ) -> None:
        self.entry_points = tuple(entry_points)
        self.sites = tuple(sites)
        self.warnings = tuple(sorted(set(warnings)))
        self._entries = frozenset(without_fragment(u) for u in self.entry_points)

    @classmethod
    def from_config(cls, config: Mapping[str, Any], suffixes: Suffixes | None = None) -> FollowPolicy:
        """Compile `{entry_points, featured_entry_point?, follow_policy?, sites?}`.

        `follow_policy` holds policy, ignore_port, alternative_domain_suffix, psl ("all" or "icann") and
        strict, which is that of the sites too unless they say otherwise; a site holds these and url.
        Raises `PolicyError` with every validation code.
        """
        return _Compiler(suffixes or default_suffixes()).compile(config)

    def admits(self, href: str) -> bool:
        """Whether a link is followed. Text that is no http(s) URL is not; never raises."""
        url = _read(href)
        if url is None:
            return False
        return any(site.admits(url) for site in self.sites) or without_fragment(url) in self._entries

    def admitted_by(self, href: str) -> str | None:
        """What admits a link ("entry point", or the policy with its value), or None."""
        url = _read(href)
        if url is None:
            return None
        if without_fragment(url) in self._entries:
            return "entry point"
        return next((s.describe() for s in self.sites if s.admits(url)), None)


def _read(text: str) -> Url | None:
    try:
        return parse_typed(text)
    except InvalidURL:
        return None


class _Compiler:
    """Reads one configuration, collecting every validation code before it raises."""

    def __init__(self, suffixes: Suffixes) -> None:
        self.suffixes = suffixes
        self.codes: set[str] = set()
        self.warnings: set[str] = set()

    def compile(self, config: Mapping[str, Any]) -> FollowPolicy:
        if set(config) - _CONFIG_OPTIONS:
            self.codes.add("unknown_option")
        texts = _strings(config.get("entry_points"))
        if not texts:
            self.codes.add("no_entry_points")
        featured = config.get("featured_entry_point") or (texts[0] if texts else None)
        entries = [self._entry(t, featured) for t in texts or []]
        follow = self._table(config.get("follow_policy") or {})
        sites = [self._site(featured, follow)]
        extra = config.get("sites") or []
        if not isinstance(extra, (list, tuple)):
            self.codes.add("bad_value")
            extra = []
        tables = [{"strict": follow.get("strict", False)} | self._table(e) for e in extra]
        sites += [self._site(t.pop("url", ""), t) for t in tables]
        if self.codes:
            raise PolicyError(self.codes, _message(self.codes))
        return FollowPolicy([e for e in entries if e], [s for s in sites if s], self.warnings)

    def _table(self, value: object) -> dict[str, Any]:
        if isinstance(value, Mapping):
            return dict(value)
        self.codes.add("bad_value")
        return {}

    def _entry(self, text: str, featured: object) -> Url | None:
        url = _read(text)
        if url is None and text != featured:
            self.codes.add("entry_point_invalid")
        return url

    def _site(self, text: object, options: Mapping[str, Any]) -> Site | None:
        if set(options) - _SITE_OPTIONS:
            self.codes.add("unknown_option")
        policy = _POLICIES.get(str(options.get("policy", Policy.SAME_DOMAIN.value)))
        if policy is None:
            self.codes.add("unknown_policy")
        if options.get("psl", "all") not in ("all", "icann"):
            self.codes.add("unknown_psl")
        if not all(isinstance(options.get(k, False), bool) for k in ("ignore_port", "strict")):
            self.codes.add("bad_value")
        url = _read(text) if isinstance(text, str) else None
        if url is None and text is not None:
            self.codes.add("featured_url_invalid")
        suffixes = self._alternatives(options.get("alternative_domain_suffix"), url, policy)
        if url is None or policy is None:
            return None
        self._check(url, str(text), policy)
        return self._build(url, policy, options, suffixes)

    def _alternatives(self, value: object, url: Url | None, policy: Policy | None) -> list[str]:
        """The alternative suffixes, lower-case ASCII; faults go to the codes."""
        texts = _strings(value) if value is not None else []
        if texts is None:
            self.codes.add("bad_value")
        if not texts:
            return []
        if any(not t.startswith(".") or t == "." for t in texts):
            self.codes.add("alt_suffix_no_leading_dot")
        read = [_suffix(t) for t in texts if t.strip(".")]
        if None in read:
            self.codes.add("alt_suffix_invalid")
        suffixes = sorted({s for s in read if s} | {t for t in texts if not t.strip(".")})
        if len(suffixes) < 2:
            self.codes.add("alt_suffix_needs_two")
        if policy is Policy.SAME_SLD:
            self.codes.add("alt_suffix_with_same_sld")
        if url is not None and is_ip(url.host):
            self.codes.add("alt_suffix_with_ip")
        elif url is not None and not any(_base(_host(url), s) for s in suffixes):
            self.codes.add("alt_suffix_not_in_featured")
        return suffixes

    def _check(self, url: Url, text: str, policy: Policy) -> None:
        """The faults of a featured URL under its policy."""
        host = _host(url)
        if policy is Policy.SAME_SLD and is_ip(host):
            self.codes.add("same_sld_ip")
        elif policy is Policy.SAME_SLD and "." not in host:
            self.codes.add("same_sld_dotless")
        plain = url.query is None and url.fragment is None
        if policy is Policy.SAME_DIR and not (plain and text.strip().endswith("/")):
            self.codes.add("same_dir_no_trailing_slash")

    def _warn(self, code: str, options: Mapping[str, Any]) -> None:
        """A warning, which is an error under `strict`."""
        if options.get("strict"):
            self.codes.add(_STRICT.get(code, code))
        else:
            self.warnings.add(code)

    def _build(self, url: Url, policy: Policy, options: Mapping[str, Any], suffixes: list[str]) -> Site:
        host, private = _host(url), options.get("psl", "all") == "all"
        hosts = _equivalents(host, suffixes)
        domains: set[str] = set()
        if policy is Policy.SAME_TLD:
            domains = {d for h in hosts if (d := self.suffixes.registrable_domain(h, private))}
            if is_ip(host):
                # The document's own fall-back; with suffixes it is an error of theirs alone.
                if not suffixes or options.get("strict"):
                    self._warn("same_tld_ip_falls_back", options)
                policy = Policy.SAME_DOMAIN
            elif not self.suffixes.registrable_domain(host, private):
                self._warn("same_tld_no_registrable_domain", options)
                policy = Policy.SAME_DOMAIN if not domains else policy
            elif len({d.partition(".")[0] for d in domains}) > 1:
                self._warn("alt_suffix_widens_registrable_domain", options)
        return Site(
            featured=url,
            policy=policy,
            port=None if options.get("ignore_port") else url.port,
            hosts=frozenset() if policy is Policy.SAME_SLD else frozenset(hosts),
            domains=frozenset(domains),
            label=self.suffixes.second_level(host) if policy is Policy.SAME_SLD else None,
            directory=url.path if policy is Policy.SAME_DIR else None,
            private=private,
            suffixes=self.suffixes,
        )


_STRICT = {"same_tld_ip_falls_back": "same_tld_ip"}
_MEANING = {
    "unknown_option": f"an option is unknown; known: {', '.join(sorted(_SITE_OPTIONS))}",
    "unknown_policy": f"the policy must be one of {', '.join(_POLICIES)}",
    "unknown_psl": "psl must be 'all' or 'icann'",
    "bad_value": "an option has a value of the wrong type",
    "no_entry_points": "give at least one entry point",
    "entry_point_invalid": "an entry point is not an http or https URL",
    "featured_url_invalid": "the featured URL is not an http or https URL with a host",
    "same_dir_no_trailing_slash": "for SameDir the featured URL must end with /",
    "same_sld_ip": "SameSLD needs a domain name, not an IP address",
    "same_sld_dotless": "SameSLD needs a host with a dot",
    "same_tld_ip": "SameTLD needs a domain name, not an IP address",
    "same_tld_no_registrable_domain": "SameTLD needs a host under a public suffix",
    "alt_suffix_no_leading_dot": "every alternative suffix begins with a dot",
    "alt_suffix_invalid": "an alternative suffix is no domain name",
    "alt_suffix_needs_two": "give at least two alternative suffixes",
    "alt_suffix_with_ip": "alternative suffixes need a domain name, not an IP address",
    "alt_suffix_with_same_sld": "SameSLD takes no alternative suffixes",
    "alt_suffix_not_in_featured": "one alternative suffix must be that of the featured URL",
    "alt_suffix_widens_registrable_domain": "an alternative suffix makes SameTLD match foreign domains",
}


def _message(codes: Iterable[str]) -> str:
    return "; ".join(f"{_MEANING[c]} ({c})" for c in sorted(codes))


def _host(url: Url) -> str:
    return url.host.removesuffix(".")


def _strings(value: object) -> list[str] | None:
    """The value as a list of texts, or None when it is something else."""
    if isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value):
        return list(value)
    return None


def _suffix(text: str) -> str | None:
    """`.Com.CN` as `.com.cn`, an international one as ASCII; None when it is no domain name."""
    href = serialise(f"http://x.{text.strip().removeprefix('.')}/")
    if href is None:
        return None
    host = parse_typed(href).host.removesuffix(".")
    return host[1:] if host.startswith("x.") and ":" not in href[7:] and not is_ip(host) else None


def _base(host: str, suffix: str) -> str:
    """What stands before a suffix in a host; empty when it is not its suffix."""
    return host.removesuffix(suffix) if host.endswith(suffix) else ""


def _equivalents(host: str, suffixes: list[str]) -> set[str]:
    """The host under every alternative suffix, told apart by the longest one that it ends with."""
    mine = max((s for s in suffixes if _base(host, s)), key=len, default=None)
    if mine is None:
        return {host}
    return {host} | {host.removesuffix(mine) + s for s in suffixes}
