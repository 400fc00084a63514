"""Which links are given out: follow policy and crawling scope of one index, compiled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from recrawler.crawluri import CandidateURI
from recrawler.errors import PolicyError
from recrawler.follow import FollowPolicy
from recrawler.records import IndexOptions
from recrawler.scope import CrawlScope
from recrawler.settings import Settings
from recrawler.urls import Suffixes, default_suffixes, is_ip, parse

POLICIES = {"same-domain": "SameDomain", "same-tld": "SameTLD", "same-sld": "SameSLD", "same-dir": "SameDir"}


@dataclass(frozen=True, slots=True)
class Gate:
    """Filters outputs, never the stop test: a list whose links are all kept back still meets its history."""

    policy: FollowPolicy
    scope: CrawlScope

    @classmethod
    def of(cls, url: str, options: IndexOptions, settings: Settings, landed: str | None = None) -> Gate:
        """Compile the options of an index; `landed` is where its URL leads. Raises `PolicyError` with the
        codes of both parts."""
        suffixes = _suffixes(settings.suffix_list) if settings.suffix_list else None
        codes: list[str] = []
        messages: list[str] = []
        policy = scope = None
        try:
            config = policy_config(url, options, strict=settings.strict)
            if landed is not None and options.featured is None and same_site(url, landed, suffixes):
                config["sites"].append({"url": landed, "policy": config["follow_policy"]["policy"]})
            policy = FollowPolicy.from_config(config, suffixes)
        except PolicyError as e:
            codes += e.codes
            messages.append(str(e))
        try:
            scope = CrawlScope.from_config(scope_config(url, options))
        except PolicyError as e:
            codes += e.codes
            messages.append(str(e))
        if policy is None or scope is None:
            raise PolicyError(codes, "; ".join(messages))
        return cls(policy, scope)

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(self.policy.warnings) + tuple(self.scope.warnings)

    def kept_back(self, candidate: CandidateURI) -> tuple[str, ...]:
        """Names of all rules that keep a link from being given out; empty: it is."""
        rules: tuple[str, ...] = () if self.policy.admits(candidate.url) else ("follow-policy",)
        rules += self.scope.verdicts(candidate)
        return rules if self.scope.gives_out(candidate.url) else (*rules, "output-scope")


def same_site(url: str, landed: str, suffixes: Suffixes | None = None) -> bool:
    """Whether an index page leads to another host of its own site: `example.com` to `www.example.com`."""
    one, other = parse(url).host, parse(landed).host
    if one == other or is_ip(one) or is_ip(other):
        return False
    known = suffixes or default_suffixes()
    domain = known.registrable_domain(one)
    return domain is not None and domain == known.registrable_domain(other)


@lru_cache(maxsize=4)
def _suffixes(path: str) -> Suffixes:
    return Suffixes(Path(path))


def policy_config(url: str, options: IndexOptions, *, strict: bool = False) -> dict[str, Any]:
    """The follow policy's configuration in the shape of `FollowPolicy.from_config`."""
    site: dict[str, Any] = {
        "policy": POLICIES.get(options.policy, options.policy),
        "ignore_port": options.ignore_port,
        "strict": strict,
    }
    if options.alt_suffix:
        site["alternative_domain_suffix"] = list(options.alt_suffix)
    config: dict[str, Any] = {"entry_points": [url], "follow_policy": site, "sites": list(options.sites)}
    if options.featured is not None:
        config["featured_entry_point"] = options.featured
    return config


def scope_config(url: str, options: IndexOptions) -> dict[str, Any]:
    """The crawling scope's configuration in the shape of `CrawlScope.from_config`."""
    config = {
        "start_urls": [url],
        "max_hops": options.max_hops,
        "url_regex": options.scope_regex,
        "url_substring": options.scope_substring,
        "max_to_crawl": options.max_to_crawl,
        "restrict_domain": options.restrict_domain,
        "output_regex": options.output_regex,
        "output_substring": options.output_substring,
    }
    return {k: v for k, v in config.items() if v is not None}
