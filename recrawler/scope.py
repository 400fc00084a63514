"""The crawling scope: which links a crawl may follow from its start URLs, and which it gives out.

The data items and their order are those of the source document on modelling a crawler's scope: start URLs,
max hops, link features (a regex, a substring), max to crawl, restriction to the domain. Where its prose and
its sample code disagree the prose holds, with a warning. The output scope (its "processing scope") is apart:
it filters what is given out, never what is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol
from urllib.parse import quote, unquote

import regex  # type: ignore[import-untyped]

from recrawler.errors import InvalidURL, PolicyError
from recrawler.urls import Url, is_ip, parse_typed, without_fragment

REGEX_SECONDS = 0.02  # a pattern that backtracks for longer on one URL does not match it

_ASCII = "".join(map(chr, range(128)))

_OPTIONS = frozenset(
    (
        "start_urls",
        "max_hops",
        "url_regex",
        "url_substring",
        "max_to_crawl",
        "restrict_domain",
        "output_regex",
        "output_substring",
    )
)
_MEANING = {
    "unknown_option": f"an option is unknown; known: {', '.join(sorted(_OPTIONS))}",
    "bad_value": "an option has a value of the wrong type",
    "no_start_urls": "give at least one start URL",
    "start_url_invalid": "a start URL is not an http or https URL",
    "negative_max_hops": "max hops must be 0 or more",
    "max_to_crawl_below_one": "max to crawl must be 1 or more",
    "bad_regex": "a regex of the scope does not compile: look for brackets that are not closed",
}


class Candidate(Protocol):
    """What the scope asks of a link; `crawluri.CandidateURI` has it."""

    @property
    def url(self) -> str: ...
    @property
    def depth(self) -> int: ...


class Feature:
    """A link feature: a regex over the whole canonical URL, a substring of it, or either of the two."""

    def __init__(self, pattern: regex.Pattern[str] | None, substring: str | None) -> None:
        self.pattern = pattern
        # A canonical URL is ASCII: text beyond it stands there percent-encoded.
        self.substring = None if substring is None else quote(substring, safe=_ASCII)
        self._decoded = pattern is not None and not pattern.pattern.isascii()

    def __bool__(self) -> bool:
        return self.pattern is not None or self.substring is not None

    def matches(self, url: str) -> bool:
        """Whether one of the features lets the URL in; case counts."""
        if self.substring is not None and self.substring in url:
            return True
        if self.pattern is None:
            return False
        return self._full(url) or (self._decoded and self._full(unquote(url)))

    def _full(self, text: str) -> bool:
        assert self.pattern is not None
        try:
            return self.pattern.fullmatch(text, timeout=REGEX_SECONDS) is not None
        except TimeoutError:
            return False


class CrawlScope:
    """Which links are in scope. `warnings` names settings that contradict each other."""

    def __init__(
        self,
        start_urls: tuple[str, ...],
        *,
        max_hops: int | None = None,
        feature: Feature | None = None,
        max_to_crawl: int | None = None,
        restrict_domain: bool = False,
        output: Feature | None = None,
        warnings: tuple[str, ...] = (),
    ) -> None:
        self.start_urls = start_urls
        self.max_hops = max_hops
        self.feature = feature or Feature(None, None)
        self.max_to_crawl = max_to_crawl
        self.restrict_domain = restrict_domain and not self.feature
        self.output = output or Feature(None, None)
        self.warnings = warnings
        parsed = [parse_typed(s) for s in start_urls]
        self._starts = {s.lower() for s in start_urls} | {without_fragment(u).lower() for u in parsed}
        self._hosts = tuple({u.host.removesuffix(".") for u in parsed})

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> CrawlScope:
        """Read start_urls, max_hops, url_regex, url_substring, max_to_crawl, restrict_domain and the output
        features output_regex and output_substring. Raises `PolicyError` with every validation code.
        """
        return _read(config)

    def contains(self, candidate: Candidate) -> bool:
        """Whether the link may be followed."""
        return self.verdict(candidate) is None

    def verdict(self, candidate: Candidate) -> str | None:
        """The first rule that keeps the link out, or None."""
        return next(iter(self.verdicts(candidate)), None)

    def verdicts(self, candidate: Candidate) -> tuple[str, ...]:
        """Every rule that keeps the link out: not-a-url, max-hops, restrict-domain, url-feature."""
        if candidate.url.lower() in self._starts:
            return ()
        url = _url(candidate.url)
        if url is None:
            return ("not-a-url",)
        if without_fragment(url).lower() in self._starts:
            return ()
        rules = {
            "max-hops": self.max_hops is None or candidate.depth <= self.max_hops,
            "restrict-domain": not self.restrict_domain or self._under_domain(url.host),
            "url-feature": not self.feature or self.feature.matches(_canonical(url)),
        }
        return tuple(name for name, holds in rules.items() if not holds)

    def gives_out(self, href: str) -> bool:
        """Whether a link passes the output scope; without output features every URL does."""
        url = _url(href)
        return url is not None and (not self.output or self.output.matches(_canonical(url)))

    def may_fetch(self, attempted: int) -> bool:
        """Whether one page more may be asked for, after so many attempts (failed ones count)."""
        return self.max_to_crawl is None or attempted < self.max_to_crawl

    def _under_domain(self, host: str) -> bool:
        name = host.removesuffix(".")
        return any(name == h or (not is_ip(h) and name.endswith(f".{h}")) for h in self._hosts)


def _url(text: str) -> Url | None:
    try:
        return parse_typed(text)
    except InvalidURL:
        return None


def _canonical(url: Url) -> str:
    """What features are matched with: no userinfo, and no fragment but a hash-bang route."""
    fragment = url.fragment or ""
    return without_fragment(url) + (f"#{fragment}" if fragment.startswith("!") else "")


def _read(config: Mapping[str, Any]) -> CrawlScope:
    codes: set[str] = {"unknown_option"} if set(config) - _OPTIONS else set()
    warnings: set[str] = set()
    starts = config.get("start_urls") or ()
    _check_starts(starts, codes)
    max_hops = _number(config, "max_hops", 0, "negative_max_hops", codes)
    limit = _number(config, "max_to_crawl", 1, "max_to_crawl_below_one", codes)
    restrict = config.get("restrict_domain", False)
    if not isinstance(restrict, bool):
        codes.add("bad_value")
    feature = _feature(config, "url", codes, warnings)
    output = _feature(config, "output", codes, warnings)
    if feature and restrict:
        warnings.add("restrict_domain_ignored")
    if limit is not None and limit < len(starts):
        warnings.add("max_to_crawl_below_start_urls")
    if codes:
        raise PolicyError(codes, "; ".join(f"{_MEANING[c]} ({c})" for c in sorted(codes)))
    return CrawlScope(
        tuple(starts),
        max_hops=max_hops,
        feature=feature,
        max_to_crawl=limit,
        restrict_domain=restrict,
        output=output,
        warnings=tuple(sorted(warnings)),
    )


def _check_starts(starts: object, codes: set[str]) -> None:
    if not isinstance(starts, (list, tuple)) or not all(isinstance(s, str) for s in starts):
        codes.add("bad_value")
    elif not starts:
        codes.add("no_start_urls")
    elif any(_url(s) is None for s in starts):
        codes.add("start_url_invalid")


def _number(config: Mapping[str, Any], name: str, least: int, code: str, codes: set[str]) -> int | None:
    value = config.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        codes.add("bad_value")
        return None
    if value < least:
        codes.add(code)
    return value


def _feature(config: Mapping[str, Any], prefix: str, codes: set[str], warnings: set[str]) -> Feature:
    """The feature of `<prefix>_regex` and `<prefix>_substring`; an empty one counts as not given."""
    values = {k: config.get(f"{prefix}_{k}") for k in ("regex", "substring")}
    if not all(v is None or isinstance(v, str) for v in values.values()):
        codes.add("bad_value")
        return Feature(None, None)
    if "" in values.values():
        warnings.add("empty_feature_ignored")
    pattern = _pattern(values["regex"], codes, warnings) if values["regex"] else None
    return Feature(pattern, values["substring"] or None)


def _pattern(text: str, codes: set[str], warnings: set[str]) -> regex.Pattern[str] | None:
    try:
        pattern = regex.compile(text)
    except regex.error:
        codes.add("bad_regex")
        return None
    if not any(_can_begin(pattern, scheme) for scheme in ("http://", "https://")):
        warnings.add("regex_cannot_match_absolute_url")
    return pattern


def _can_begin(pattern: regex.Pattern[str], text: str) -> bool:
    """Whether some URL that begins with `text` could match."""
    match: Callable[..., object] = pattern.fullmatch
    try:
        return match(text, partial=True, timeout=REGEX_SECONDS) is not None
    except TimeoutError:
        return True
