"""The follow policy: the examples of docs/reference/policy.md, then what the page does not show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recrawler.errors import PolicyError
from recrawler.follow import FollowPolicy
from tests.test_conformance import ROOT, benchmark

PAGE = ROOT / "docs" / "reference" / "policy.md"
fuzzing = benchmark("policy")


def blocks(kind: str, page: Path = PAGE) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """The fenced blocks of one kind: line number, and (key, value) of each line."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        lines = [line.partition(": ") for line in match[1].splitlines()]
        yield text.count("\n", 0, match.start()) + 1, [(k, v) for k, _, v in lines]


def config_of(lines: list[tuple[str, str]]) -> dict[str, Any]:
    config: dict[str, Any] = {"entry_points": [], "follow_policy": {}, "sites": []}
    for key, value in lines:
        if key == "entry":
            config["entry_points"].append(value)
        elif key == "featured":
            config["featured_entry_point"] = value
        elif key == "site":
            url, policy = value.split()
            config["sites"].append({"url": url, "policy": policy})
        elif key == "alt":
            config["follow_policy"]["alternative_domain_suffix"] = value.split()
        elif key in ("ignore_port", "strict"):
            config["follow_policy"][key] = value == "true"
        elif key == "policy":
            config["follow_policy"]["policy"] = value
        else:
            assert key in ("follow", "not", "warn", "error"), f"unknown key {key!r} in a policy block"
    return config


def urls(lines: list[tuple[str, str]], key: str) -> list[str]:
    return [url for k, v in lines if k == key for url in v.split()]


EXAMPLES = [pytest.param(lines, id=f"line-{n}") for n, lines in blocks("policy")]


def test_the_page_has_its_examples() -> None:
    assert len(EXAMPLES) >= 20


@pytest.mark.parametrize("lines", EXAMPLES)
def test_examples_of_the_reference(lines: list[tuple[str, str]]) -> None:
    config, errors = config_of(lines), urls(lines, "error")
    if errors:
        with pytest.raises(PolicyError) as caught:
            FollowPolicy.from_config(config)
        assert caught.value.codes == sorted(errors)
        return
    policy = FollowPolicy.from_config(config)
    assert list(policy.warnings) == urls(lines, "warn")
    assert [u for u in urls(lines, "follow") if not policy.admits(u)] == []
    assert [u for u in urls(lines, "not") if policy.admits(u)] == []
    assert urls(lines, "follow"), "an example without a URL shows nothing"


def policy_of(featured: str, **options: Any) -> FollowPolicy:
    entry = "http://entry.invalid/"
    return FollowPolicy.from_config(
        {"entry_points": [entry], "featured_entry_point": featured, "follow_policy": options}
    )


def codes_of(config: dict[str, Any]) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        FollowPolicy.from_config(config)
    return caught.value.codes


def test_every_fault_is_reported_at_once() -> None:
    config = {
        "entry_points": ["http://10.1.1.1/list", "mailto:x@y.example"],
        "follow_policy": {"policy": "SameSLD", "alternative_domain_suffix": ["net"], "port": 1},
        "sites": [
            {"url": "http://b.example/x", "policy": "SameDir"},
            {"url": "ftp://c/", "policy": "samedir"},
        ],
        "seeds": [],
    }
    assert codes_of(config) == [
        "alt_suffix_needs_two", "alt_suffix_no_leading_dot", "alt_suffix_with_ip", "alt_suffix_with_same_sld",
        "entry_point_invalid", "featured_url_invalid", "same_dir_no_trailing_slash", "same_sld_ip",
        "unknown_option", "unknown_policy",
    ]  # fmt: skip


def test_the_message_says_what_to_change() -> None:
    with pytest.raises(PolicyError, match="must end with /"):
        policy_of("http://a.example/x", policy="SameDir")


@pytest.mark.parametrize(
    ("config", "codes"),
    [
        ({}, ["no_entry_points"]),
        ({"entry_points": "http://a.example/"}, ["no_entry_points"]),
        ({"entry_points": ["a.example"], "sites": {}}, []),
        ({"entry_points": ["a.example"], "sites": [7]}, ["bad_value", "featured_url_invalid"]),
        ({"entry_points": ["a.example"], "follow_policy": []}, []),
        ({"entry_points": ["a.example"], "follow_policy": ["x"]}, ["bad_value"]),
        ({"entry_points": ["a.example"], "follow_policy": {"psl": ["all"]}}, ["unknown_psl"]),
        ({"entry_points": ["a.example"], "follow_policy": {"policy": None}}, ["unknown_policy"]),
        ({"entry_points": ["a.example"], "follow_policy": {"ignore_port": "no"}}, ["bad_value"]),
        ({"entry_points": ["a.com"], "follow_policy": {"alternative_domain_suffix": ".com"}}, ["bad_value"]),
        ({"entry_points": ["a.com"], "follow_policy": {"alternative_domain_suffix": [".com", ".a b"]}},
         ["alt_suffix_invalid", "alt_suffix_needs_two"]),
    ],
)  # fmt: skip
def test_values_of_the_wrong_kind_are_codes_not_tracebacks(config: dict[str, Any], codes: list[str]) -> None:
    if codes:
        assert codes_of(config) == codes
    else:
        assert FollowPolicy.from_config(config).admits("http://a.example/x")


def test_strict_turns_every_warning_into_an_error() -> None:
    assert policy_of("http://co.uk/", policy="SameTLD").warnings == ("same_tld_no_registrable_domain",)
    with pytest.raises(PolicyError) as caught:
        policy_of("http://co.uk/", policy="SameTLD", strict=True)
    assert caught.value.codes == ["same_tld_no_registrable_domain"]


def test_ipv6_hosts_compare_as_addresses() -> None:
    policy = policy_of("http://[2001:DB8:0::9]:81/", policy="SameDomain")
    assert policy.admits("https://[2001:db8:0:0:0:0:0:9]:81/x")
    assert not policy.admits("http://[2001:db8::9]/")
    assert not policy.admits("http://[2001:db8::8]:81/")


def test_private_suffixes_by_option() -> None:
    shared, apart = (policy_of("http://ann.blogspot.com/", policy="SameTLD", psl=p) for p in ("icann", "all"))
    assert shared.admits("http://bob.blogspot.com/") and not apart.admits("http://bob.blogspot.com/")
    assert apart.admits("http://www.ann.blogspot.com/")


def test_international_suffixes_are_one_with_their_ascii_form() -> None:
    policy = policy_of(
        "http://例子.网络.cn/", policy="SameDomain", alternative_domain_suffix=[".网络.cn", ".网络"]
    )
    assert policy.admits("http://xn--fsqu00a.xn--io0a7i/")
    assert policy.admits("http://例子.网络.cn/")
    assert not policy.admits("http://例子.cn/")


@pytest.mark.parametrize(
    "url",
    [
        "http://h.example/a/b/%2e%2e%2f%2e%2e%2fx",
        "http://h.example/a/b/..%5C..%5Cx",
        "http://h.example/a/b/%252e%252e%252fx",
        "http://h.example/a/b/..;/x",
        "http://h.example/a/b/c%2f..%2f..%2fx",
        "http://h.example/a/b//..%2fx",
        "http://h.example/a/b",
        "http://h.example/a/bc/",
    ],
)
def test_same_dir_is_not_left_by_any_spelling(url: str) -> None:
    policy = policy_of("http://h.example/a/b/", policy="SameDir")
    assert not policy.admits(url)
    assert policy_of("http://h.example/", policy="SameDir").admits(url)


@pytest.mark.parametrize(
    "rest", ["", "c%2fd", "c;v=1/d", "c/..", "%e4%b8%ad/", "c%2f..%2fd", "?u=/../", "100%"]
)
def test_same_dir_holds_what_stays_inside(rest: str) -> None:
    assert policy_of("http://h.example/a/b/", policy="SameDir").admits(f"http://h.example/a/b/{rest}")


def test_a_featured_directory_with_escapes_holds_its_own_spelling() -> None:
    assert policy_of("http://h.example/a%2Fb/", policy="SameDir").admits("http://h.example/a%2Fb/c")


def test_the_scheme_less_forms() -> None:
    policy = policy_of("h.example:8080", policy="SameDomain")
    assert policy.admits("//h.example:8080/x") and policy.admits("https://h.example:8080")
    assert not policy.admits("/x") and not policy.admits("tel:8080") and not policy.admits("")


def test_what_admits_a_link_is_told() -> None:
    policy = FollowPolicy.from_config(
        {"entry_points": ["http://a.example/n/"], "sites": [{"url": "b.co.uk", "policy": "SameTLD"}]}
    )
    assert policy.admitted_by("http://a.example/n/#x") == "entry point"
    assert policy.admitted_by("http://a.example/x") == "SameDomain a.example"
    assert policy.admitted_by("http://www.b.co.uk/") == "SameTLD b.co.uk"
    assert policy.admitted_by("http://c.example/") is None


def test_strict_is_that_of_the_sites_too() -> None:
    config: dict[str, Any] = {
        "entry_points": ["a.example"],
        "follow_policy": {"strict": True},
        "sites": [{"url": "192.0.2.1", "policy": "SameTLD"}],
    }
    assert codes_of(config) == ["same_tld_ip"]
    config["sites"][0]["strict"] = False
    assert FollowPolicy.from_config(config).warnings == ("same_tld_ip_falls_back",)


def test_a_newer_suffix_list_decides(tmp_path: Path) -> None:
    from recrawler.suffixes import Suffixes

    listed = tmp_path / "list.dat"
    listed.write_text(
        "// VERSION: 2031-02-03\n// ===BEGIN ICANN DOMAINS===\ncom\nnews.com\n// ===END ICANN DOMAINS===\n"
    )
    policy = FollowPolicy.from_config(
        {"entry_points": ["http://www.a.news.com/"], "follow_policy": {"policy": "SameTLD"}}, Suffixes(listed)
    )
    assert policy.admits("http://a.news.com/") and not policy.admits("http://b.news.com/")


def test_the_cost_does_not_grow_with_the_suffixes() -> None:
    many = [".com", *(f".z{n}.example" for n in range(2000))]
    site = policy_of("http://a.com/", policy="SameDomain", alternative_domain_suffix=many).sites[0]
    assert isinstance(site.hosts, frozenset) and len(site.hosts) == 2001


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_made_up_urls_are_read_soundly(seed: int) -> None:
    """No error but ours, a key is its own key, and no policy is looser than on the parsed host."""
    found = fuzzing.fuzz(3, seed)
    assert found is None, found


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_no_text_upsets_a_policy(text: str) -> None:
    for policy in fuzzing.policies().values():
        assert policy.admits(text) in (True, False)


def test_the_fuzz_sees_a_loose_policy() -> None:
    class Loose:
        def admits(self, url: str) -> bool:
            return "baidu.com" in url

    loose = {"SameDomain": Loose()}
    assert fuzzing.violation("http://evil.com/baidu.com", loose) == "SameDomain admits it"
