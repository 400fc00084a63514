"""The crawling scope: the examples of docs/reference/policy.md, then the rest."""

from __future__ import annotations

import time
from typing import Any

import pytest

from recrawler.crawluri import CandidateURI, index_candidate
from recrawler.errors import PolicyError
from recrawler.scope import CrawlScope
from tests.test_follow import blocks

EXAMPLES = [pytest.param(lines, id=f"line-{n}") for n, lines in blocks("scope")]


def read(lines: list[tuple[str, str]]) -> CrawlScope:
    config: dict[str, Any] = {"start_urls": [v for k, v in lines if k == "start"]}
    for key, value in lines:
        if key in ("url_regex", "url_substring", "output_regex", "output_substring"):
            config[key] = value
        elif key in ("max_hops", "max_to_crawl"):
            config[key] = int(value)
        elif key == "restrict_domain":
            config[key] = value == "true"
        else:
            assert key in ("start", "in", "out", "warn", "gives_out", "holds_back"), f"unknown key {key!r}"
    return CrawlScope.from_config(config)


def test_the_page_has_its_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("lines", EXAMPLES)
def test_examples_of_the_reference(lines: list[tuple[str, str]]) -> None:
    scope = read(lines)
    assert list(scope.warnings) == [v for k, v in lines if k == "warn"]
    for key, value in lines:
        if key == "in":
            depth, url = value.split()
            assert scope.contains(CandidateURI(url, depth=int(depth))), value
        elif key == "out":
            depth, url, rule = value.split()
            assert scope.verdict(CandidateURI(url, depth=int(depth))) == rule, value
        elif key in ("gives_out", "holds_back"):
            assert scope.gives_out(value) == (key == "gives_out"), value


def scope_of(**options: Any) -> CrawlScope:
    return CrawlScope.from_config({"start_urls": ["https://a.example/"], **options})


def codes_of(config: dict[str, Any]) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        CrawlScope.from_config(config)
    return caught.value.codes


def test_every_fault_is_reported_at_once() -> None:
    config = {"start_urls": ["mailto:x"], "max_hops": -2, "max_to_crawl": 0, "url_regex": "[", "depth": 1}
    assert codes_of(config) == [
        "bad_regex", "max_to_crawl_below_one", "negative_max_hops", "start_url_invalid", "unknown_option"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({"start_urls": []}, ["no_start_urls"]),
        ({"start_urls": "https://a.example/"}, ["bad_value"]),
        ({"max_hops": 1.5}, ["bad_value"]),
        ({"max_hops": True}, ["bad_value"]),
        ({"url_regex": 3}, ["bad_value"]),
        ({"restrict_domain": "yes"}, ["bad_value"]),
        ({"output_regex": "*"}, ["bad_regex"]),
    ],
)
def test_values_of_the_wrong_kind(options: dict[str, Any], codes: list[str]) -> None:
    assert codes_of({"start_urls": ["https://a.example/"], **options}) == codes


def test_every_rule_that_holds_a_link_back_is_named() -> None:
    scope = scope_of(max_hops=1, restrict_domain=True)
    assert scope.verdicts(CandidateURI("https://b.example/", depth=2)) == ("max-hops", "restrict-domain")
    assert scope.verdicts(CandidateURI("https://a.example/x/1", depth=1)) == ()
    featured = scope_of(max_hops=1, url_substring="/x/")
    assert featured.verdicts(CandidateURI("https://a.example/y", depth=2)) == ("max-hops", "url-feature")


def test_the_index_is_in_scope_however_deep() -> None:
    scope = scope_of(max_hops=0, url_substring="nowhere")
    assert scope.contains(CandidateURI("https://A.example/#x", depth=9))
    assert not scope.contains(CandidateURI("https://a.example/?p=2", depth=0))


def test_pages_of_the_index_use_no_depth_but_their_links_do() -> None:
    page = index_candidate("https://a.example/").next_page("/?p=2").next_page("/?p=3")
    article = page.child("/9.html", "L")
    assert scope_of(max_hops=0).contains(page)
    assert scope_of(max_hops=0).verdict(article) == "max-hops"
    assert scope_of(max_hops=1).contains(article)


def test_features_see_the_canonical_url() -> None:
    scope = scope_of(url_regex=r"http://b\.example/新闻/\d+", url_substring="/财经/")
    assert scope.contains(CandidateURI("HTTP://u@B.example:80/x/../新闻/1#top"))
    assert scope.contains(CandidateURI("http://c.example/%E8%B4%A2%E7%BB%8F/1"))
    assert not scope.contains(CandidateURI("http://c.example/新闻/1"))


def test_a_hash_bang_route_is_part_of_the_url() -> None:
    assert scope_of(url_substring="#!/news/").contains(CandidateURI("https://b.example/#!/news/1"))


@pytest.mark.parametrize(
    "pattern", [r"https://a\.example/(a|aa)+$", r"https://a\.example/(a+)+b", r".*(a*)*b"]
)
def test_a_regex_cannot_hang(pattern: str) -> None:
    scope = scope_of(url_regex=pattern)
    start = time.perf_counter()
    assert not scope.contains(CandidateURI("https://a.example/" + "a" * 3000 + "!"))
    assert time.perf_counter() - start < 2


def test_contradictions_are_warned_of() -> None:
    scope = scope_of(url_regex="", restrict_domain=True)
    assert scope.warnings == ("empty_feature_ignored",)
    assert scope.verdict(CandidateURI("https://b.example/")) == "restrict-domain"
    two = CrawlScope.from_config(
        {"start_urls": ["https://a.example/", "https://b.example/"], "max_to_crawl": 1}
    )
    assert two.warnings == ("max_to_crawl_below_start_urls",)
    assert scope_of(url_regex="(?i)HTTPS://.*").warnings == ()


def test_max_to_crawl() -> None:
    assert scope_of().may_fetch(10**9)
    assert [scope_of(max_to_crawl=2).may_fetch(n) for n in (0, 1, 2)] == [True, True, False]


def test_an_address_has_no_subdomains() -> None:
    scope = CrawlScope.from_config({"start_urls": ["http://192.0.2.1/"], "restrict_domain": True})
    assert scope.contains(CandidateURI("http://192.0.2.1:81/x"))
    assert not scope.contains(CandidateURI("http://x.192.0.2.1.example/"))
