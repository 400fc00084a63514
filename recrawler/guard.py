"""Which addresses of the internet a crawler may connect to: no I/O, only the registries' ranges.

A page's links, redirects and DNS answers are written by strangers; without this, any of them could make
the crawler speak to the machines beside it (server-side request forgery).
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# IANA special-purpose address registry (RFC 6890 and successors), with what no public site has.
_REFUSED_4 = tuple(
    IPv4Network(n)
    for n in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared address space
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's host service on a public address
        "169.254.0.0/16",  # link-local, metadata services
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays, deprecated
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_6 = IPv6Network("2000::/3")  # the only block of global unicast
_REFUSED_6 = tuple(
    IPv6Network(n)
    for n in (
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarking, ...
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address in disguise
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv4-mapped or NAT64 address leads to."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in n for n in _REFUSED_4)
    if address.scope_id is not None:
        return False
    inner = _embedded(address)
    if inner is not None:
        return _is_public(inner)
    return address in _GLOBAL_6 and not any(address in n for n in _REFUSED_6)


def _parse(text: str) -> Address | None:
    """An address as DNS or a URL's host gives it, IPv6 with or without brackets."""
    try:
        return ip_address(text[1:-1] if text.startswith("[") and text.endswith("]") else text)
    except ValueError:
        return None


def is_public_address(text: str) -> bool:
    """Whether a crawler may connect to this address by default; False for what is no address at all.

    Takes the forms that the URL standard serialises (so `127.1` is none: parse the URL first).
    """
    address = _parse(text)
    return address is not None and _is_public(address)


def parse_networks(texts: Sequence[str]) -> tuple[Network, ...]:
    """CIDR ranges of the setting `allow_networks`. Raises ValueError naming the one that is none."""
    out: list[Network] = []
    for text in texts:
        try:
            out.append(ip_network(text.strip(), strict=False))
        except ValueError:
            raise ValueError(f"'{text}' is not a network: write it like 127.0.0.0/8 or fd00::/8") from None
    return tuple(out)


def admits_address(text: str, allowed: Sequence[Network] = ()) -> bool:
    """Whether this address may be connected to: a public one, or one of the networks that a user allowed."""
    address = _parse(text)
    if address is None:
        return False
    if _is_public(address):
        return True
    inner = _embedded(address) if isinstance(address, IPv6Address) else None
    return any(a in n for n in allowed for a in (address, inner) if a is not None and a.version == n.version)
