"""Which addresses may be connected to, in every notation, and that the resolver keeps to it."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recrawler.errors import InvalidURL, SettingsError
from recrawler.fetch import Fetcher, Request
from recrawler.fetch.transport import GuardedResolver, RefusedAddressError
from recrawler.guard import admits_address, is_public_address, parse_networks
from recrawler.urls import is_ip, parse
from tests.fetching import Hosts, failed, local, ok
from tests.httpserver import Site, page

SHARED = Path(os.environ.get("RECRAWLER_SHARED", Path(__file__).parents[2] / "shared"))
LIST = page("新闻")


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("1.1.1.1", True),
        ("9.255.255.255", True),
        ("10.0.0.0", False),
        ("10.255.255.255", False),
        ("11.0.0.0", True),
        ("0.0.0.0", False),
        ("100.100.100.200", False),
        ("127.255.255.254", False),
        ("169.254.169.254", False),
        ("192.0.0.192", False),
        ("203.0.113.7", False),
        ("224.0.0.1", False),
        ("240.0.0.1", False),
        ("2400:3200::1", True),
        ("::1", False),
        ("[::1]", False),
        ("::ffff:192.168.0.1", False),
        ("::ffff:1.1.1.1", True),
        ("64:ff9b::c0a8:1", False),
        ("2002:c0a8:1::1", False),
        ("fd00:ec2::254", False),
        ("fe80::1%eth0", False),
        ("4000::1", False),
        ("", False),
        ("news.example", False),
        ("127.1", False),
        ("010.0.0.1", False),
    ],
)
def test_only_addresses_of_the_public_internet_are_public(address: str, public: bool) -> None:
    assert is_public_address(address) is public


@given(st.integers(0, 2**32 - 1))
def test_every_disguise_of_an_ipv4_address_is_judged_like_it(number: int) -> None:
    plain = ".".join(str(number >> s & 255) for s in (24, 16, 8, 0))
    public = is_public_address(plain)
    assert is_public_address(f"::ffff:{plain}") is public
    assert is_public_address(f"64:ff9b::{number >> 16:x}:{number & 65535:x}") is public
    for form in (str(number), hex(number), "0" + oct(number)[2:], f"{number >> 24}.{number & 0xFFFFFF}"):
        assert parse(f"http://{form}/").host == plain


@given(st.text(max_size=30))
def test_no_text_breaks_the_guard(text: str) -> None:
    assert is_public_address(text) in (True, False)
    assert admits_address(text, parse_networks(["127.0.0.0/8"])) in (True, False)


def test_networks_can_be_admitted() -> None:
    allowed = parse_networks(["127.0.0.0/8", "fd00::/8", "10.1.2.3"])
    assert admits_address("127.9.9.9", allowed)
    assert admits_address("::ffff:127.0.0.1", allowed)
    assert admits_address("[fd00::5]", allowed)
    assert admits_address("10.1.2.3", allowed)
    assert admits_address("1.1.1.1", allowed)
    assert not admits_address("10.1.2.4", allowed)
    assert not admits_address("::1", allowed)


def test_a_setting_that_is_no_network_is_an_error_of_the_settings() -> None:
    with pytest.raises(SettingsError, match="localhost"):
        Fetcher(local(allow_networks=("localhost",)), Hosts())


# The resolver


def answers(*addresses: str) -> Any:
    def look_up(host: str, port: int, **options: Any) -> Any:
        families = [socket.AF_INET6 if ":" in a else socket.AF_INET for a in addresses]
        tails: list[tuple[int, ...]] = [(port, 0, 0) if ":" in a else (port,) for a in addresses]
        return [
            (f, socket.SOCK_STREAM, 6, "", (a, *t))
            for f, a, t in zip(families, addresses, tails, strict=True)
        ]

    return look_up


async def test_the_resolver_gives_only_addresses_that_may_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", answers("10.0.0.1", "93.184.215.14", "::1", "2606:4700::1"))
    found = await GuardedResolver(()).resolve("news.example", 80)
    assert [r["host"] for r in found] == ["93.184.215.14", "2606:4700::1"]
    monkeypatch.setattr(socket, "getaddrinfo", answers("10.0.0.1", "::1"))
    with pytest.raises(RefusedAddressError):
        await GuardedResolver(()).resolve("news.example", 80)


async def test_a_name_that_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Site({"/": LIST}) as site, Fetcher(local(allow_networks=()), Hosts()) as fetcher:
        monkeypatch.setattr(socket, "getaddrinfo", answers("127.0.0.1"))
        answer = failed(await fetcher.fetch(Request(site.url("/", host="news.example"))), "refused-address")
    assert "127.0.0.1" in answer.detail
    assert site.log == []


async def test_a_name_is_resolved_once_and_what_was_checked_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name whose second answer would be another one (DNS rebinding) has no second answer."""
    calls: list[str] = []

    def rebinding(host: str, port: int, **options: Any) -> Any:
        calls.append(host)
        return answers("127.0.0.1" if len(calls) == 1 else "127.0.0.9")(host, port)

    async with Site({"/": LIST}) as site, Fetcher(local(), Hosts()) as fetcher:
        monkeypatch.setattr(socket, "getaddrinfo", rebinding)
        ok(await fetcher.fetch(Request(site.url("/", host="news.example"))))
    assert calls == ["news.example"]
    assert site.log[0].headers["Host"] == f"news.example:{site.port}"


# The shared cases


def cases(part: str) -> list[Any]:
    path = SHARED / "conformance" / "ssrf_cases.json"

    def read() -> Iterator[Any]:
        if not path.is_file():
            yield pytest.param({}, marks=pytest.mark.skip(reason=f"{path} is not here"))
            return
        for case in json.loads(path.read_text(encoding="utf-8"))[part]:
            yield pytest.param(case, id=case.get("address") or case["url"])

    return list(read())


@pytest.mark.parametrize("case", cases("addresses"))
def test_addresses(case: dict[str, Any]) -> None:
    assert is_public_address(case["address"]) is case["allowed"]


@pytest.mark.parametrize("case", cases("hosts"))
def test_hosts(case: dict[str, Any]) -> None:
    if case["host"] is None:
        with pytest.raises(InvalidURL):
            parse(case["url"])
        return
    host = parse(case["url"]).host
    assert host == case["host"]
    assert is_ip(host)
    assert is_public_address(host) is case["allowed"]
