"""robots.txt: rules, groups, spellings, and access by status and time; and literal hosts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recrawler.conformance import host_allowed, robots_access
from recrawler.robots import MAX_BYTES, RobotsAccess, RobotsAnswer, RobotsRules, lifetime

SITE = "http://a.example"


def allowed(text: str | bytes, path: str, agent: str = "recrawler") -> bool:
    body = text if isinstance(text, bytes) else text.encode()
    return RobotsRules.parse(body).allowed(agent, SITE + path)


@pytest.mark.parametrize(
    ("rules", "path", "verdict"),
    [
        ("", "/x", True),
        ("Disallow: /", "/robots.txt", True),
        ("Disallow:", "/x", True),
        ("Disallow: /x", "/xy", False),
        ("Disallow: /X", "/x", True),
        ("Disallow: /x\nAllow: /x/y", "/x/y/z", True),
        ("Allow: /x\nDisallow: /x", "/x", True),
        ("Disallow: /*.pdf$", "/a/b.pdf", False),
        ("Disallow: /*.pdf$", "/a/b.pdf?x", True),
        ("Disallow: /*?*p=1", "/l?a=2&p=1", False),
        ("Disallow: /a/*/c", "/a/b/b/c", False),
        ("Disallow: /x # not y", "/x", False),
        ("disallow /x", "/x", False),
        ("DISALLOW : /x", "/x", False),
        ("Disalow: /x", "/x", False),
        ("Forbid: /x", "/x", True),
        ("Disallow: /中", "/%E4%B8%AD%E6%96%87", False),
        ("Disallow: /%e4%b8%ad", "/中文", False),
        ("Disallow: /a%2Fb", "/a/b", True),
        ("Disallow: /%7Eann", "/~ann", False),
        ("Disallow: /a\u2028Disallow: /b", "/b", True),
    ],
)
def test_rules(rules: str, path: str, verdict: bool) -> None:
    assert allowed(f"User-agent: *\n{rules}\n", path) is verdict


def test_a_url_without_a_scheme_or_none_at_all() -> None:
    rules = RobotsRules.parse(b"User-agent: *\nDisallow: /x\n")
    assert (
        not rules.allowed("a", "a.example/x") and rules.allowed("a", "a.example/y") and rules.allowed("a", "")
    )


def test_bytes_that_are_not_utf8_stay_apart() -> None:
    body = "User-agent: *\nDisallow: /新闻\n".encode("gbk")
    assert not allowed(body, "/%D0%C2%CE%C5/1")
    assert allowed(body, "/%CC%E5%D3%FD/1")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\xef\xbb"])
@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_marks_and_line_ends(mark: bytes, end: bytes) -> None:
    assert not allowed(mark + end.join([b"User-agent: *", b"", b"Disallow: /x"]), "/x")


GROUPS = """
Disallow: /early
User-agent: abot
User-agent: recrawler/2.0
Crawl-delay: 3
Sitemap: http://a.example/s.xml
Unknown: x
User-agent: bbot
Disallow: /b

User-agent: recrawl
Disallow: /

User-agent: RECRAWLER
Disallow: /c

User-agent: *
Crawl-delay: 9
Disallow: /d
"""


@pytest.mark.parametrize(
    ("agent", "path", "verdict"),
    [
        ("recrawler", "/b", False),
        ("recrawler", "/c", False),
        ("recrawler", "/d", True),
        ("recrawler", "/early", True),
        ("recrawler/0.1 (+mailto:x@a.example)", "/b", False),
        ("Mozilla/5.0 (compatible; Recrawler/0.1; +http://a.example/)", "/c", False),
        ("bbot", "/b", False),
        ("recrawl", "/x", False),
        ("recrawlers", "/d", False),
        ("recrawlers", "/b", True),
        ("", "/d", False),
    ],
)
def test_groups(agent: str, path: str, verdict: bool) -> None:
    assert allowed(GROUPS, path, agent) is verdict


def test_crawl_delay() -> None:
    rules = RobotsRules.parse(GROUPS.encode())
    assert rules.crawl_delay("recrawler/0.1") == 3
    assert rules.crawl_delay("other") == 9
    assert RobotsRules.parse(b"User-agent: *\nDisallow: /").crawl_delay("other") is None
    assert RobotsRules.parse(b"User-agent: *\nCrawl-delay: soon").crawl_delay("other") is None


def test_crawl_delay_belongs_to_the_group_that_it_ends() -> None:
    rules = RobotsRules.parse(b"User-agent: a\nCrawl-delay: 10\nUser-agent: *\nCrawl-delay: 1")
    assert (rules.crawl_delay("a"), rules.crawl_delay("b")) == (10, 1)


def test_the_limit_drops_the_line_that_it_cuts() -> None:
    head = b"User-agent: *\nDisallow: /a\n"
    filler = b"#" * (MAX_BYTES - len(head) - 13) + b"\n"
    assert len(head + filler) == MAX_BYTES - 12
    body = head + filler + b"Disallow: /xy\n"
    assert not allowed(body, "/a") and allowed(body, "/x") and allowed(body, "/xy")
    assert not allowed(head + filler[2:] + b"Disallow: /xy\n", "/xy"), "it ends at the limit"


@given(st.binary(max_size=300), st.text(max_size=30), st.text(max_size=30))
def test_no_file_upsets_the_parser(body: bytes, agent: str, path: str) -> None:
    rules = RobotsRules.parse(b"User-agent: *\n" + body)
    assert rules.allowed(agent, f"{SITE}/{path}") in (True, False)
    assert rules.crawl_delay(agent) is None or rules.crawl_delay(agent) >= 0  # type: ignore[operator]


NOW = datetime(2030, 1, 1, tzinfo=UTC)
RULES = b"User-agent: *\nDisallow: /x\n"


def after(*answers: tuple[float, RobotsAnswer]) -> RobotsAccess:
    access = RobotsAccess()
    for hours, answer in answers:
        access = access.learn(answer, NOW + timedelta(hours=hours))
    return access


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (200, False),
        (204, True),
        (304, True),
        (302, True),
        (404, True),
        (429, True),
        (500, False),
        (None, False),
    ],
)
def test_access_by_status(status: int | None, verdict: bool) -> None:
    body = RULES if status == 200 else b""
    access = after((0, RobotsAnswer(status, body)))
    assert access.allowed("a", f"{SITE}/x", NOW) is verdict
    assert access.allowed("a", f"{SITE}/robots.txt", NOW)


def test_the_last_copy_holds_while_the_file_is_unreachable() -> None:
    access = after((0, RobotsAnswer(200, RULES)), (25, RobotsAnswer(503)), (26, RobotsAnswer(None)))
    late = NOW + timedelta(days=90)
    assert not access.allowed("a", f"{SITE}/x", late) and access.allowed("a", f"{SITE}/y", late)


def test_thirty_days_without_an_answer() -> None:
    access = after((0, RobotsAnswer(500)), (300, RobotsAnswer(None)))
    assert not access.allowed("a", f"{SITE}/y", NOW + timedelta(days=30))
    assert access.allowed("a", f"{SITE}/y", NOW + timedelta(days=30, seconds=1))
    restarted = access.learn(RobotsAnswer(404), NOW).learn(RobotsAnswer(500), NOW)
    assert restarted.allowed("a", f"{SITE}/y", NOW), "the last answer said that there is no file"


def test_when_it_is_asked_for_again() -> None:
    assert RobotsAccess().is_due(NOW)
    access = after((0, RobotsAnswer(200, RULES)))
    assert [access.is_due(NOW + timedelta(hours=h)) for h in (0, 23.9, 24)] == [False, False, True]
    again = access.learn(RobotsAnswer(304), NOW + timedelta(hours=24))
    assert again.body == RULES and not again.is_due(NOW + timedelta(hours=47))
    assert not after((0, RobotsAnswer(503))).is_due(NOW)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("", 86_400), ("max-age=3600", 3600), ("public, Max-Age=\"900\"", 900), ("max-age=1", 600),
        ("no-cache", 600), ("private,no-store", 600), ("max-age=99999999999", 86_400), ("s-maxage=1", 86_400),
        ("x-no-cache-at-all", 86_400),
    ],
)  # fmt: skip
def test_cache_control(header: str, seconds: int) -> None:
    assert lifetime(header).total_seconds() == seconds


def hop(location: str) -> dict[str, object]:
    return {"status": 301, "location": location}


FILE = {"status": 200, "body": RULES.decode()}


@pytest.mark.parametrize(
    ("chain", "verdict"),
    [
        ([hop("/r")] * 5 + [FILE], False),
        ([hop("/r")] * 6 + [FILE], True),
        ([hop("http://[::ffff:10.0.0.1]/"), FILE], False),
        ([hop("ftp://b.example/"), FILE], True),
        ([{"status": 301}], True),
        ([hop("//b.example/robots.txt"), {"status": 500}], False),
    ],
)
def test_case_082_redirects(chain: list[dict[str, object]], verdict: bool) -> None:
    assert robots_access(chain, f"{SITE}/x")[0] is verdict


def test_another_origin_is_not_decided() -> None:
    assert robots_access([FILE], "https://a.example/x")[0] is None


@pytest.mark.parametrize(
    ("url", "verdict"),
    [
        ("http://0x7f.1/", False), ("http://[::1]/", False), ("http://[::FFFF:169.254.169.254]/", False),
        ("http://localhost./", False), ("http://x.localhost/", False), ("http://1.1.1.1/", True),
        ("http://names.are.resolved.later/", True), ("http://1.2.3.4.5/", False),
        ("file:///etc/passwd", False),
    ],
)  # fmt: skip
def test_literal_hosts(url: str, verdict: bool) -> None:
    assert host_allowed(url)[1] is verdict


def test_networks_that_a_user_allows() -> None:
    assert host_allowed("http://127.0.0.1:8000/", ["127.0.0.0/8"])[1]
    assert host_allowed("http://localhost/", ["127.0.0.0/8"])[1]
    assert not host_allowed("http://10.0.0.1/", ["127.0.0.0/8"])[1]
