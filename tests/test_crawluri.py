"""CandidateURI, CrawlURI, their attributes, and the order of the frontier."""

from __future__ import annotations

import json
import re
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recrawler.crawluri import (
    Attributes,
    CandidateURI,
    CrawlURI,
    FetchStatus,
    Hop,
    SchedulingDirective,
    index_candidate,
)
from recrawler.frontier import Frontier, insert_key
from recrawler.hops import extend_path
from tests.test_conformance import ROOT

LIST = "http://a.example/list"


def crawl(url: str = LIST, **values: object) -> CrawlURI:
    return CrawlURI.from_json({"url": url, **values})


def test_defaults() -> None:
    told = crawl().to_json()
    assert told == {
        "url": LIST, "path_from_seed": "", "via": None, "via_context": None,
        "scheduling_directive": 3, "class_key": None, "force_revisit": False, "is_seed": False,
        "precedence": 0, "depth": 0, "ordinal": 0,
        "fetch_status": 0, "fetch_attempts": 0, "deferrals": 0,
        "prerequisite": False, "prerequisite_uri": None,
        "content_digest": None, "content_digest_scheme": None, "content_length": -1, "content_size": -1,
        "content_type": None, "user_agent": None, "post": False, "holder": None, "holder_key": None,
        "holder_cost": -1, "thread_number": 0, "link_extractor_finished": False, "max_outlinks": 6000,
        "discarded_outlinks": 0, "outlinks": [], "attrs": {}, "heritable": None,
    }  # fmt: skip


def test_every_attribute_is_in_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "policy.md").read_text(encoding="utf-8")
    table = page.partition("### Attributes")[2]
    rows = "".join(re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE))
    named = set(re.findall(r"`(\w+)`", rows))
    assert named >= {f.name for f in fields(CrawlURI)} - {"attributes", "outlinks"}


def test_the_way_of_an_index_and_its_links() -> None:
    index = index_candidate(LIST, attributes={"desk": "sport"})
    assert (index.scheduling_directive, index.force_revisit, index.is_seed, index.path) == (3, True, True, "")
    third = index.next_page("list?p=2", "a.next").next_page("list?p=3")
    assert (third.url, third.path, third.depth, third.is_seed) == (
        "http://a.example/list?p=3",
        "NN",
        0,
        False,
    )
    assert third.scheduling_directive == SchedulingDirective.HIGH and third.force_revisit
    link = third.child("/9.html", Hop.NAVLINK)
    assert (link.path, link.depth, link.via) == ("NNL", 1, "http://a.example/list?p=3")
    assert link.scheduling_directive == SchedulingDirective.NORMAL and not link.force_revisit
    assert link.attributes.get("desk") == "sport"
    assert index_candidate(LIST, asked=True).scheduling_directive == SchedulingDirective.HIGH


def test_a_redirect_stands_for_its_page() -> None:
    there = index_candidate(LIST, asked=True).redirect("https://a.example/list")
    assert (there.path, there.depth, there.is_redirect, there.is_seed) == ("R", 0, True, True)
    assert there.scheduling_directive == SchedulingDirective.HIGH and there.force_revisit


def test_long_walks_keep_depth_and_count_their_hops() -> None:
    page = index_candidate(LIST)
    for n in range(70):
        page = page.next_page(f"list?p={n}")
    article = page.child("/x", Hop.NAVLINK)
    assert article.path == "21+" + "N" * 49 + "L"
    assert (article.depth, article.hop_count, article.link_hop_count) == (1, 71, 1)


@given(st.text("LREXPIMSN", max_size=130))
def test_a_hop_path_counts_all_hops_and_shows_the_last(hops: str) -> None:
    path = ""
    for hop in hops:
        path = extend_path(path, Hop(hop))
    uri = CandidateURI(LIST, path)
    assert uri.hop_count == len(hops)
    assert path.rpartition("+")[2] == hops[-50:]
    assert uri.last_hop == hops[-1:]


def test_hops_after_the_last_link() -> None:
    uri = CandidateURI(LIST, "ELXMR")
    assert (uri.link_hop_count, uri.embed_hop_count, uri.trans_hops, uri.depth) == (1, 3, 1, 4)
    assert (CandidateURI(LIST, "EE").embed_hop_count, CandidateURI(LIST, "EE").trans_hops) == (2, 2)


def test_heritable_is_not_persistent() -> None:
    page = crawl(attrs={"credentials": "c", "desk": [1], "scrap": 0})
    page.attributes.make_heritable("desk")
    child = page.child("/x", Hop.NAVLINK)
    assert child.attributes.to_json() == {"attrs": {"desk": [1]}, "heritable": ["desk", "heritable"]}
    child.attributes.get("desk").append(2)
    child.attributes.make_non_heritable("desk")
    assert page.attributes.get("desk") == [1] and page.attributes.heritable == ["desk", "heritable"]
    page.cleanup()
    assert page.attributes.values == {"credentials": "c", "desk": [1]}


def test_taking_the_list_itself_off_lasts_one_generation() -> None:
    page = CandidateURI(LIST, attributes=Attributes({"a": 1, "b": 2}))
    for key in ("a", "b"):
        page.attributes.make_heritable(key)
    page.attributes.make_non_heritable("heritable")
    child = page.child("/x", Hop.NAVLINK)
    assert child.attributes.to_json() == {"attrs": {"a": 1, "b": 2}, "heritable": None}
    assert child.child("/y", Hop.NAVLINK).attributes.values == {}


def test_a_prerequisite_goes_first_and_with_its_page() -> None:
    page = crawl(scheduling_directive=2, class_key="q")
    first = page.mark_prerequisite("http://b.example/robots.txt")
    assert (page.deferrals, page.fetch_status, page.prerequisite_uri) == (
        1,
        -50,
        "http://b.example/robots.txt",
    )
    assert (first.scheduling_directive, first.path, first.depth) == (1, "P", 0)
    assert first.prerequisite and first.force_revisit and first.via_context == "=PREREQ_MISC"
    assert (first.policy_basis, first.queue()) == (LIST, "q")
    assert page.needs_retry and page.retry_delay == 0
    assert crawl(scheduling_directive=0).mark_prerequisite("/robots.txt").scheduling_directive == 0
    assert crawl().robots_prerequisite("/robots.txt").scheduling_directive == SchedulingDirective.HIGHEST


def test_outlinks_beyond_the_cap_are_counted_and_noted() -> None:
    page = crawl(max_outlinks=2)
    kept = [page.add_outlink(page.child(f"/{n}", Hop.NAVLINK)) for n in (1, 2, 2, 3, 4)]
    assert kept == [True, True, True, False, False]
    assert (len(page.outlinks), page.discarded_outlinks) == (2, 2)
    page.finish_link_extraction()
    page.fetch_attempts = 3
    page.about_to_log()
    page.about_to_log()
    assert page.annotations == ["dol:2", "3t"]


@pytest.mark.parametrize(
    ("status", "success", "retry", "delay", "disregarded"),
    [
        (200, True, False, 0, False), (503, True, False, 0, False), (0, False, False, 0, False),
        (-1, False, True, 900, False), (-3, False, True, 900, False), (-4, False, False, 0, False),
        (-50, False, True, 0, False), (-5000, False, False, 0, True), (-5004, False, False, 0, False),
        (-9998, False, False, 0, True),
    ],
)  # fmt: skip
def test_what_a_status_means(status: int, success: bool, retry: bool, delay: int, disregarded: bool) -> None:
    uri = crawl(fetch_status=status, fetch_attempts=29)
    assert (uri.success, uri.needs_retry, uri.retry_delay, uri.disregarded) == (
        success,
        retry,
        delay,
        disregarded,
    )
    uri.fetch_attempts = 30
    assert not uri.needs_retry


def test_a_401_is_tried_again_with_credentials() -> None:
    assert crawl(fetch_status=401).success and not crawl(fetch_status=401).needs_retry
    armed = crawl(fetch_status=401, attrs={"credentials": "c"})
    assert not armed.success and armed.needs_retry


def test_the_end_of_a_pass_and_of_a_visit() -> None:
    uri = crawl(
        fetch_status=200, content_length=1, content_size=2, fetch_attempts=2, deferrals=1, prerequisite=True
    )
    uri.cleanup()
    assert (uri.fetch_status, uri.content_length, uri.content_size, uri.prerequisite) == (0, -1, -1, False)
    assert (uri.fetch_attempts, uri.deferrals) == (2, 1)
    uri.reset_for_rescheduling()
    assert (uri.fetch_attempts, uri.deferrals) == (0, 0)


def test_the_digest_is_written_in_base32() -> None:
    uri = crawl(content_digest="00ff10", content_digest_scheme="md5")
    assert uri.digest_string == "md5:AD7RA"
    assert crawl().digest_string is None


def test_everything_survives_json() -> None:
    page = index_candidate(LIST, asked=True, attributes={"desk": "sport"})
    uri = CrawlURI.promote(page.next_page("?p=2", "a.next"), 7)
    uri.fetch_status, uri.content_digest, uri.content_digest_scheme = FetchStatus.TIMEOUT, b"\x01", "sha1"
    uri.add_outlink(uri.child("/x", Hop.NAVLINK))
    uri.mark_prerequisite("/robots.txt")
    told = uri.to_json()
    again = CrawlURI.from_json(json.loads(json.dumps(told)))
    assert again == uri and again.to_json() == told
    assert CandidateURI.from_json(json.loads(json.dumps(page.to_json()))) == page


def test_promotion_loses_nothing() -> None:
    page = index_candidate(LIST, attributes={"a": 1})
    page.class_key, page.precedence = "q", 5
    uri = CrawlURI.promote(page, 9)
    assert CandidateURI.from_json(uri.to_json()) == page and uri.ordinal == 9


def order(*records: dict[str, int]) -> list[int]:
    """The ordinals of records in the order in which they are taken."""
    uris = [crawl(f"{LIST}/{n}", **r) for n, r in enumerate(records)]
    return [u.ordinal for u in sorted(uris, key=insert_key)]


def test_directive_then_precedence_then_age() -> None:
    assert order(
        {"scheduling_directive": 3, "precedence": 0, "ordinal": 1},
        {"scheduling_directive": 1, "precedence": 9, "ordinal": 2},
        {"scheduling_directive": 1, "precedence": 200, "ordinal": 3},
        {"scheduling_directive": 1, "precedence": 127, "ordinal": 4},
        {"scheduling_directive": 0, "precedence": 126, "ordinal": 5},
    ) == [5, 2, 3, 4, 1]
    assert insert_key(crawl(class_key="a", scheduling_directive=3)) < insert_key(crawl(class_key="b"))


def drain(frontier: Frontier) -> list[str]:
    return [uri.url.rpartition("/")[2] for uri in iter(frontier.next, None)]


def test_the_frontier_takes_what_is_soonest_and_nothing_twice() -> None:
    frontier, index = Frontier(), index_candidate(LIST)
    assert frontier.add(index.child("/x", Hop.NAVLINK)) and frontier.add(index.next_page("/p2"))
    assert not frontier.add(index.child("/x", Hop.NAVLINK))
    assert frontier.add(index.next_page("/p2")), "a forced URI is queued though seen"
    assert len(frontier) == 3
    assert drain(frontier) == ["p2", "p2", "x"]


def test_robots_goes_before_the_page_that_waits_for_it() -> None:
    frontier = Frontier(max_to_crawl=1)
    frontier.add(index_candidate(LIST))
    page = frontier.next()
    assert page is not None and page.fetch_attempts == 1
    frontier.add(page.robots_prerequisite("/robots.txt"))
    frontier.put_back(page)
    frontier.add(index_candidate("http://a.example/other"))
    assert drain(frontier) == ["robots.txt", "list"], "neither robots.txt nor the deferral counts"


def test_failed_pages_count_too() -> None:
    frontier = Frontier(max_to_crawl=2)
    for name in "abc":
        frontier.add(CandidateURI(f"http://a.example/{name}"))
    failed = frontier.next()
    assert failed is not None
    failed.fetch_status = FetchStatus.CONNECT_FAILED
    frontier.put_back(failed)
    assert drain(frontier) == ["a"] and len(frontier) == 2


def test_the_redirect_of_a_seed_comes_soon() -> None:
    frontier = Frontier()
    frontier.add(CandidateURI("http://a.example/x"))
    frontier.add(index_candidate(LIST).redirect("http://a.example/moved"))
    assert drain(frontier) == ["moved", "x"]
