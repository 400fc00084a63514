"""Parsing, the identity key, registrable domains, legacy encodings, and how a URL is explained."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recrawler.errors import InvalidURL, SettingsError, UsageError
from recrawler.explain import explain
from recrawler.follow import FollowPolicy
from recrawler.suffixes import Suffixes, default_suffixes
from recrawler.urls import (
    KeyOptions,
    Url,
    host_key,
    identity_key,
    is_ip,
    join,
    parse,
    parse_typed,
    registrable_domain,
    url_parts,
    without_fragment,
)
from tests.test_conformance import ROOT

HEX32 = "0123456789abcdef0123456789abcdef"


def test_the_parts_of_a_url() -> None:
    url = parse("HTTPS://u:p@News.Example.COM:8443/a/../b?q=1#f")
    assert url == Url(
        "https://u:p@news.example.com:8443/b?q=1#f", "https", "news.example.com", "8443", "/b", "q=1", "f"
    )
    assert (url.effective_port, url.origin) == (8443, "https://news.example.com:8443")
    assert without_fragment(url) == "https://news.example.com:8443/b?q=1"
    plain = parse("http://a.example:80")
    assert (plain.port, plain.effective_port, plain.path, plain.query, plain.fragment) == (
        "",
        80,
        "/",
        None,
        None,
    )
    assert parse("http://[::1]:81/?").query == ""
    assert parse("http://[::1]/").host == "[::1]"


@given(st.text() | st.from_regex(r"https?://[^/]{0,20}/?[^\n]{0,20}"))
def test_the_parts_agree_with_the_parser(text: str) -> None:
    href = join(None, text)
    if href is None:
        return
    url, parts = parse(href), url_parts(href)
    assert parts is not None
    assert (url.host, url.port, url.path) == (parts["hostname"], parts["port"], parts["pathname"])
    assert ("?" + url.query if url.query else "") == parts["search"]
    assert ("#" + url.fragment if url.fragment else "") == parts["hash"]
    assert url.origin == parts["origin"]


@pytest.mark.parametrize(
    "text", ["", "x", "/x", "ftp://a.example/", "http://", "http://a:99999/", "http://a b/", "data:,x"]
)
def test_what_is_no_web_url(text: str) -> None:
    assert join(None, text) is None
    with pytest.raises(InvalidURL):
        parse(text)


@pytest.mark.parametrize(
    ("href", "joined"),
    [
        ("2.html#top", "http://a.example/n/2.html#top"),
        ("?p=2", "http://a.example/n/list?p=2"),
        ("//b.example", "http://b.example/"),
        ("\\\\b.example\\x", "http://b.example/x"),
        (" \n/x\ty ", "http://a.example/xy"),
        ("", "http://a.example/n/list"),
        ("javascript:void(0)", None),
        ("mailto:x@a.example", None),
        ("https:", None),
        ("\ud800", "http://a.example/n/%EF%BF%BD"),
    ],
)
def test_links_of_a_page(href: str, joined: str | None) -> None:
    assert join("http://a.example/n/list", href) == joined


def test_a_pair_of_surrogates_is_one_letter() -> None:
    assert join("http://a.example/", "\ud83d\ude00") == "http://a.example/%F0%9F%98%80"


@pytest.mark.parametrize(
    ("encoding", "query"),
    [
        ("utf-8", "q=%E6%96%B0&x=%E2%82%AC"),
        ("gb2312", "q=%D0%C2&x=%80"),
        ("gb18030", "q=%D0%C2&x=%A2%E3"),
        ("big5", "q=%B7s&x=%A3%E1"),
        ("shift_jis", "q=%90V&x=%26%238364%3B"),
        ("euc-jp", "q=%BF%B7&x=%26%238364%3B"),
        ("iso-2022-jp", "q=%1B$B?7%1B(B&x=%26%238364%3B"),
        ("windows-1252", "q=%26%2326032%3B&x=%80"),
        ("utf-16", "q=%E6%96%B0&x=%E2%82%AC"),
        ("no such", "q=%E6%96%B0&x=%E2%82%AC"),
    ],
)
def test_a_query_is_encoded_as_the_page_is(encoding: str, query: str) -> None:
    assert (
        join("http://a.example/", "/新?q=新&x=€#新", encoding)
        == f"http://a.example/%E6%96%B0?{query}#%E6%96%B0"
    )


def test_a_question_mark_in_the_fragment_begins_no_query() -> None:
    assert join("http://a.example/", "#新?新", "gbk") == "http://a.example/#%E6%96%B0?%E6%96%B0"


def test_text_that_a_person_types() -> None:
    assert parse_typed(" a.example/x ").href == "http://a.example/x"
    assert parse_typed("localhost:8000").href == "http://localhost:8000/"
    assert parse_typed("[::1]:8000/x").href == "http://[::1]:8000/x"
    assert parse_typed("食狮.中国:81").host == "xn--85x722f.xn--fiqs8s"
    for text in ("", "/x", "tel:110", "mailto:a.example", "about:blank", "a.example:x"):
        with pytest.raises(InvalidURL):
            parse_typed(text)


def test_the_table_of_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "policy.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\S+)` \| (.+) \|$", page.partition("### Identity key")[0], re.MULTILINE)
    assert len(rows) >= 5
    for written, told in rows:
        url = parse(written)
        facts = {f"host `{url.host}`", f"path `{url.path}`", f"`{url.href}`"}
        assert set(told.split(", ")) <= facts, written


def test_politeness_is_per_host_and_port() -> None:
    assert host_key("https://A.example/x") == "a.example:443"
    assert host_key("http://a.example:443/") == "a.example:443"
    assert host_key("http://[::1]/") == "[::1]:80"


def test_addresses_are_told_from_names() -> None:
    hosts = ["http://127.1/", "http://[::1]/", "http://1.2.3.4./", "http://a.1.example/", "http://1a/"]
    assert [is_ip(parse(u).host) for u in hosts] == [True, True, True, False, False]


SAME = [
    ("http://a.example", "HTTPS://A.EXAMPLE:443/#x"),
    ("http://a.example/x?", "http://a.example/x"),
    ("http://u:p@a.example/%7ex/%e4", "http://a.example/~x/%E4"),
    ("http://a.example/x?utm_source=b&id=1&UTM_term=", "http://a.example/x?id=1"),
    ("http://a.example/x?utm%5Fsource=b", "http://a.example/x"),
    ("http://a.example/x?spm=a1.b2.c3&scm=20140722.184.2", "http://a.example/x"),
    (f"http://a.example/x;JSESSIONID={HEX32}.node1/y", "http://a.example/x/y"),
    (f"http://a.example/x;jsessionid={HEX32};jsessionid={HEX32}", "http://a.example/x"),
    (f"http://a.example/..;jsessionid={HEX32}/x", "http://a.example/x"),
    ("http://a.example/x?PHPSESSID=0123456789abcdefghijklmnop", "http://a.example/x"),
    ("http://a.example/(S(4hqa0555fwsecu455xqckv45))/x.aspx", "http://a.example/x.aspx"),
    ("http://a.example/x?CFID=11&CFTOKEN=22&y=1", "http://a.example/x?y=1"),
]
APART = [
    ("http://a.example/x", "http://a.example/X"),
    ("http://a.example/x", "http://www.a.example/x"),
    ("http://a.example:8080/x", "http://a.example/x"),
    ("https://a.example:80/x", "http://a.example/x"),
    ("http://a.example/a%2fb", "http://a.example/a/b"),
    ("http://a.example/%4%41", "http://a.example/%4A"),
    ("http://a.example/?a=1&b=2", "http://a.example/?b=2&a=1"),
    ("http://a.example/?utm=1", "http://a.example/?utm=2"),
    ("http://a.example/?scm=git", "http://a.example/?scm=svn"),
    ("http://a.example/?cfid=1", "http://a.example/?cfid=2"),
    ("http://a.example/?sid=17", "http://a.example/?sid=18"),
    (f"http://a.example/?sid={HEX32}0", "http://a.example/"),
    (f"http://a.example/?id={HEX32}", "http://a.example/"),
    ("http://a.example/(x)/y", "http://a.example/y"),
    ("http://a.example/#!a", "http://a.example/#!b"),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_one_page_under_two_urls(a: str, b: str) -> None:
    assert identity_key(a) == identity_key(b)


@pytest.mark.parametrize(("a", "b"), APART)
def test_two_pages(a: str, b: str) -> None:
    assert identity_key(a) != identity_key(b)


OPTIONS = [
    ("ignore_scheme", "http://a.example/x", "https://a.example/x"),
    ("strip_tracking", "http://a.example/x?gclid=1", "http://a.example/x"),
    ("strip_session", f"http://a.example/x?sid={HEX32}", "http://a.example/x"),
    ("sort_query", "http://a.example/?b=2&a=1", "http://a.example/?a=1&b=2"),
    ("drop_empty_pairs", "http://a.example/?&a=1&&b=2&", "http://a.example/?a=1&b=2"),
    ("keep_fragment", "http://a.example/#/a", "http://a.example/#/b"),
    ("strip_trailing_slash", "http://a.example/x/", "http://a.example/x"),
    ("collapse_slashes", "http://a.example//x", "http://a.example/x"),
    ("strip_index", "http://a.example/x/Default.aspx?p=1", "http://a.example/x/?p=1"),
    ("merge_mobile", "http://wap.a.example/x", "http://www.a.example/x"),
    ("merge_amp", "http://amp.a.example/x", "http://a.example/x"),
    ("merge_amp", "http://a.example/x/amp/", "http://a.example/x/"),
    ("merge_amp", "http://a.example/amp/x?amp=1", "http://a.example/x"),
    ("merge_amp", "http://a.example/x.amp.html?amp", "http://a.example/x.html"),
]


@pytest.mark.parametrize(("option", "a", "b"), OPTIONS)
def test_each_option_turned_over(option: str, a: str, b: str) -> None:
    options = KeyOptions.from_config({option: not getattr(KeyOptions(), option)})
    assert (identity_key(a) == identity_key(b)) != (identity_key(a, options) == identity_key(b, options))


def test_every_option_is_in_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "policy.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (on|off|none) \|", page, re.MULTILINE))
    words = {True: "on", False: "off", (): "none"}
    assert rows == {name: words[getattr(KeyOptions(), name)] for name in KeyOptions.__dataclass_fields__}


def test_options_that_must_not_reach_too_far() -> None:
    everything = KeyOptions(merge_mobile=True, merge_amp=True, strip_index=True)
    assert identity_key("http://m.example/", everything) != identity_key("http://example/", everything)
    assert identity_key("http://m.co.uk/", everything) == "http://m.co.uk/"
    assert identity_key("http://a.example/index_2.html", everything) == "http://a.example/index_2.html"
    assert identity_key("http://a.example/stamp", everything) == "http://a.example/stamp"


def test_parameters_by_name() -> None:
    options = KeyOptions.from_config({"strip_params": ["from", "ref"]})
    assert identity_key("http://a.example/?from=x&From=y&a=1&ref", options) == "http://a.example/?From=y&a=1"


@pytest.mark.parametrize("values", [{"sort": True}, {"sort_query": 1}, {"strip_params": "from"}])
def test_wrong_key_options(values: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="key option"):
        KeyOptions.from_config(values)


def test_registrable_domains() -> None:
    hosts = ["www.BBC.co.uk", "a.github.io", "x.y.unlisted", "a.b.kobe.jp", "例子.公司.cn", "a.example."]
    assert [registrable_domain(h) for h in hosts] == [
        "bbc.co.uk", "a.github.io", "y.unlisted", "a.b.kobe.jp", "例子.公司.cn", "a.example"
    ]  # fmt: skip
    none = ["co.uk", "com", "localhost", "", ".", ".com", "a..com", "1.2.3.4", "[::1]", "github.io"]
    assert [registrable_domain(h) for h in none] == [None] * len(none)
    assert registrable_domain("a.github.io", private=False) == "github.io"


def test_second_level_labels() -> None:
    listed = default_suffixes()
    hosts = ["x.sina.com.cn", "sina.com", "com.cn", "a.b.unlisted", "b.github.io", "one", "1.2.3.4"]
    assert [listed.second_level(h) for h in hosts] == ["sina", "sina", "com", "b", "github", None, None]


def test_a_suffix_list_by_path(tmp_path: Path) -> None:
    path = tmp_path / "public suffix.dat"
    rules = "// VERSION: 2030-01-02_x\n// ===BEGIN ICANN DOMAINS===\ncom\n*.net\n// ===END ICANN DOMAINS===\n"
    path.write_text(rules)
    listed = Suffixes(path)
    assert listed.published == date(2030, 1, 2)
    assert listed.registrable_domain("a.b.c.net") == "b.c.net"
    assert listed.registrable_domain("a.b.co.uk") == "co.uk"
    path.write_text("<html>com</html>")
    for bad in (path, tmp_path / "absent"):
        with pytest.raises(SettingsError, match=re.escape(str(bad))):
            Suffixes(bad)


def test_the_bundled_list_has_a_date() -> None:
    published = default_suffixes().published
    assert published is not None and published >= date(2024, 1, 1)


def test_a_url_is_explained() -> None:
    policy = FollowPolicy.from_config(
        {"entry_points": ["news.baidu.com"], "follow_policy": {"policy": "SameTLD"}}
    )
    report = explain("http://u@Baidu.com:80\\@evil.com/?utm_source=x#a", policy, today=date(2099, 1, 1))
    told = report.to_json()
    assert told["href"] == "http://u@baidu.com/@evil.com/?utm_source=x#a"
    assert told["key"] == "http://baidu.com/@evil.com/"
    assert (told["host"], told["port"], told["queue"]) == ("baidu.com", 80, "baidu.com:80")
    assert (told["registrable_domain"], told["second_level"]) == ("baidu.com", "baidu")
    assert told["admitted_by"] == "SameTLD baidu.com"
    assert told["policies"]["SameDomain"] == "SameDomain baidu.com"
    assert "must end with /" in told["policies"]["SameDir"]
    assert told["suffix_list_days"] > 365 * 50
    assert len(told["warnings"]) == 3
    assert explain("http://10.0.0.1/").policies["SameTLD"] == "SameDomain 10.0.0.1 (same_tld_ip_falls_back)"
    assert explain("http://a.example/").admitted_by is None
    with pytest.raises(InvalidURL):
        explain("javascript:alert(1)")
