"""The letters and codes of a crawl: hops and hop paths, scheduling directives, fetch status codes."""

from __future__ import annotations

from enum import IntEnum, StrEnum

MAX_HOPS_SHOWN = 50


class SchedulingDirective(IntEnum):
    """How soon a URI is taken from its queue; lower is sooner."""

    HIGHEST = 0  # robots.txt
    HIGH = 1  # the next page of a walk; an index page whose visit was asked for
    MEDIUM = 2
    NORMAL = 3  # an index page that is due


class Hop(StrEnum):
    """How a URI was reached from the one before; the letters make the hop path."""

    NAVLINK = "L"
    PREREQ = "P"
    EMBED = "E"
    SPECULATIVE = "X"
    REFER = "R"  # a redirect
    INFERRED = "I"
    MANIFEST = "M"
    SUBMIT = "S"
    NEXT = "N"  # the next page of an index


NO_DEPTH = frozenset((Hop.NEXT, Hop.REFER, Hop.PREREQ))  # hops that do not lead away from the seed


class FetchStatus(IntEnum):
    """What became of a fetch: an HTTP status, or one of these."""

    UNATTEMPTED = 0
    DNS_SUCCESS = 1
    NOT_FOUND = 404
    GETBYNAME_SUCCESS = 1001
    WHOIS_SUCCESS = 2001
    WHOIS_GENERIC_FINISHED = 2002
    DOMAIN_UNRESOLVABLE = -1
    CONNECT_FAILED = -2
    CONNECT_LOST = -3
    TIMEOUT = -4
    RUNTIME_EXCEPTION = -5
    DOMAIN_PREREQUISITE_FAILURE = -6
    UNFETCHABLE_URI = -7
    TOO_MANY_RETRIES = -8
    DEFERRED = -50
    UNQUEUEABLE = -60
    ROBOTS_PREREQUISITE_FAILURE = -61
    OTHER_PREREQUISITE_FAILURE = -62
    PREREQUISITE_UNSCHEDULABLE_FAILURE = -63
    DEEMED_NOT_FOUND = -404
    SERIOUS_ERROR = -3000
    DEEMED_CHAFF = -4000
    TOO_MANY_LINK_HOPS = -4001
    TOO_MANY_EMBED_HOPS = -4002
    OUT_OF_SCOPE = -5000
    BLOCKED_BY_USER = -5001
    BLOCKED_BY_CUSTOM_PROCESSOR = -5002
    BLOCKED_BY_QUOTA = -5003
    BLOCKED_BY_RUNTIME_LIMIT = -5004
    DELETED_BY_USER = -6000
    PROCESSING_THREAD_KILLED = -7000
    ROBOTS_PRECLUDED = -9998


RETRIED_LATER = frozenset(
    (FetchStatus.CONNECT_FAILED, FetchStatus.CONNECT_LOST, FetchStatus.DOMAIN_UNRESOLVABLE)
)
DISREGARDED = frozenset(
    (
        FetchStatus.ROBOTS_PRECLUDED,
        FetchStatus.BLOCKED_BY_CUSTOM_PROCESSOR,
        FetchStatus.OUT_OF_SCOPE,
        FetchStatus.BLOCKED_BY_USER,
        FetchStatus.TOO_MANY_EMBED_HOPS,
        FetchStatus.TOO_MANY_LINK_HOPS,
        FetchStatus.DELETED_BY_USER,
    )
)


def split_path(path: str) -> tuple[int, str]:
    """The number of hops cut off a hop path, and the letters that are left."""
    count, plus, letters = path.partition("+")
    return (int(count), letters) if plus and count.isdecimal() else (0, path)


def extend_path(path: str, hop: Hop) -> str:
    """The hop path one hop further. From 50 characters on the oldest letter is cut and counted: `1+LL...`."""
    if len(path) < MAX_HOPS_SHOWN:
        return path + hop
    cut, letters = split_path(path)
    return f"{cut + 1}+{letters[1:]}{hop}"


def hops_after(path: str, stops: str) -> int:
    """How many letters of a path come after the last of the letters `stops`."""
    return len(path) - 1 - max(path.rfind(s) for s in stops)
