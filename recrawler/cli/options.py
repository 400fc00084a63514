"""The options of add-index and edit: from the command line to `IndexOptions`."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import click
import msgspec

from recrawler.errors import SettingsError, UsageError
from recrawler.records import IndexOptions
from recrawler.settings import LONGEST, check_hours, format_duration, parse_duration, zone_of

if TYPE_CHECKING:
    from recrawler.page.jsonlist import Paths

Headers = tuple[tuple[str, str], ...]

UPDATES = ["report", "hide", "titles"]
FLOODS = ["flag", "hold"]
_DURATIONS = ("every", "min_every", "max_every", "returned")
POLICIES = ["same-domain", "same-tld", "same-sld", "same-dir"]

_OPTIONS: list[Callable[[Any], Any]] = [
    click.option("--policy", type=click.Choice(POLICIES), help="Which links are given out. [same-domain]"),
    click.option("--featured", metavar="URL", help="What the policy compares with. [the index]"),
    click.option("--ignore-port/--no-ignore-port", default=None, help="Ports do not count in the policy."),
    click.option("--alt-suffix", multiple=True, metavar="S", help="Suffixes that count as one (.com)."),
    click.option("--site", multiple=True, metavar="JSON", help='One site more: {"url": ..., "policy": ...}.'),
    click.option("--scope-regex", metavar="R", help="Only links whose whole URL matches."),
    click.option("--scope-substring", metavar="S", help="Only links whose URL holds this text."),
    click.option("--max-hops", type=click.IntRange(min=0), metavar="N", help="Most hops from the index."),
    click.option("--max-to-crawl", type=click.IntRange(min=1), metavar="N", help="Most pages in one visit."),
    click.option("--restrict-domain/--no-restrict-domain", default=None, help="Only links below the host."),
    click.option("--output-regex", metavar="R", help="Give out only links whose whole URL matches."),
    click.option("--output-substring", metavar="S", help="Give out only links whose URL holds this text."),
    click.option("--lists", metavar="main|all|N,...", help="Lists to watch. [main, those with a bar]"),
    click.option("--max-pages", type=click.IntRange(1), metavar="N", help="Most pages of a list."),
    click.option("--every", metavar="DURATION", help="A fixed interval instead of the learnt cadence."),
    click.option("--min-every", metavar="D", help="Least time between two visits."),
    click.option("--max-every", metavar="D", help="Most time between two visits."),
    click.option("--hours", metavar="SPAN", help="When visits may be: 'Mon-Fri 08:00-19:00'. [always]"),
    click.option("--weight", type=float, metavar="W", help="How much more its links count. [1]"),
    click.option("--updates", type=click.Choice(UPDATES), help="Moved articles, edited titles. [report]"),
    click.option("--flood", type=click.Choice(FLOODS), help="A re-published archive. [flag]"),
    click.option("--returned", metavar="D", help="Give a link out again that was gone for so long."),
    click.option("--timezone", metavar="ZONE", help="The zone of the page's dates (Asia/Shanghai, +08:00)."),
    click.option("--path", multiple=True, metavar="NAME=EXPR", help="Where a list in JSON has what."),
    click.option("--key-option", multiple=True, metavar="NAME[=V]", help="What identity leaves out."),
    click.option("--header", multiple=True, metavar="NAME: VALUE", help="Sent with every request (Cookie)."),
    click.option("--attr", multiple=True, metavar="KEY=VALUE", help="Given with every link found here."),
]  # fmt: skip


def index_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of add-index to a command."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def apply(options: IndexOptions, given: dict[str, Any]) -> IndexOptions:
    """The options with what was given on the command line. Raises `UsageError`."""
    changes: dict[str, Any] = {k: v for k, v in given.items() if v not in (None, ())}
    for name in _DURATIONS:
        if name in changes:
            changes[name] = _duration(name, changes[name])
    if "alt_suffix" in changes:
        changes["alt_suffix"] = tuple(changes["alt_suffix"])
    if "site" in changes:
        changes["sites"] = tuple(_site(text) for text in changes.pop("site"))
    if "path" in changes:
        changes["paths"] = {**options.paths, **dict(map(_path, changes.pop("path")))}
    if "attr" in changes:
        changes["attributes"] = {**options.attributes, **dict(_pair(x) for x in changes.pop("attr"))}
    if "header" in changes:
        changes["headers"] = _with_headers(options.headers, changes.pop("header"))
    if "key_option" in changes:
        changes["key"] = {**options.key, **dict(_key_option(x) for x in changes.pop("key_option"))}
    made = replace(options, **changes)
    check(made)
    return made


def without_login(href: str, options: IndexOptions) -> tuple[str, IndexOptions]:
    """A URL without the user and password in it, and the options that send them: URLs are printed, logged and
    given out with each link."""
    from recrawler.urls import parse, url_parts, without_fragment

    parts = url_parts(href) or {}
    user, password = (unquote(parts.get(x, "")) for x in ("username", "password"))
    if not user and not password:
        return href, options
    url = parse(href)
    bare = without_fragment(url) + ("" if url.fragment is None else f"#{url.fragment}")
    if any(name.lower() == "authorization" for name, _ in options.headers):
        return bare, options
    login = base64.b64encode(f"{user}:{password}".encode()).decode()
    return bare, replace(options, headers=(*options.headers, ("Authorization", f"Basic {login}")))


def check(made: IndexOptions) -> None:
    """Whether the options can be meant, wherever they come from; those of policy and scope are the gate's to
    judge. Raises `UsageError`."""
    _check_cadence(made)
    if made.max_pages is not None and made.max_pages < 1:
        raise UsageError(f"--max-pages {made.max_pages}: 1 is the least")
    for name, value, choices in (("updates", made.updates, UPDATES), ("flood", made.flood, FLOODS)):
        if value not in choices:
            raise UsageError(f"--{name} {value}: write {' or '.join(choices)}")
    if made.lists not in ("main", "all", "auto") and not all(
        x.strip().isdecimal() for x in made.lists.split(",")
    ):
        raise UsageError(f"--lists {made.lists}: write main, all, or numbers such as 1,3")
    for name, value in made.headers:
        _header(f"{name}: {value}")
    if made.key:
        from recrawler.urls import KeyOptions

        KeyOptions.from_config(made.key)
    if made.paths:
        from recrawler.page.jsonlist import Paths

        Paths.of(made.paths)
    zone_of(made.timezone or "")


def _check_cadence(made: IndexOptions) -> None:
    for name in _DURATIONS:
        seconds, option = getattr(made, name), f"--{name.replace('_', '-')}"
        if seconds is not None and seconds < 1.0:
            raise UsageError(f"{option} {format_duration(seconds)} is too often: 1s is the least")
        if seconds is not None and seconds > LONGEST:
            raise UsageError(f"{option} is longer than a hundred years")
    check_hours(made.hours or "", "--hours")
    if made.weight is not None and not 0.001 <= made.weight <= 1000.0:
        raise UsageError(f"--weight {made.weight:g}: it is between 0.001 and 1000")
    if made.min_every is not None and made.max_every is not None and made.min_every > made.max_every:
        raise UsageError("--min-every is more than --max-every")


_FIELDS = {
    "site": "sites",
    "attr": "attributes",
    "key_option": "key",
    "path": "paths",
    "header": "headers",
}  # where they are not named alike


def reset(options: IndexOptions, names: Sequence[str]) -> IndexOptions:
    """The options with those named (as on the command line) back at their defaults. Raises `UsageError`."""
    plain = IndexOptions()
    for name in names:
        bare = name.removeprefix("--").replace("-", "_")
        field = _FIELDS.get(bare, bare)
        if not hasattr(plain, field):
            raise UsageError(f"--unset {name}: there is no such option")
        options = replace(options, **{field: getattr(plain, field)})
    return options


def _duration(name: str, text: str) -> float:
    try:
        return parse_duration(text)
    except SettingsError as e:
        raise UsageError(f"--{name.replace('_', '-')}: {e}") from None


def _site(text: str) -> dict[str, Any]:
    try:
        site = msgspec.json.decode(text)
    except msgspec.DecodeError as e:
        raise UsageError(f"--site {text} is not JSON: {e}") from None
    if not isinstance(site, dict):
        example = '{"url": "news.example", "policy": "same-tld"}'
        raise UsageError(f"--site {text} is not an object such as {example}")
    from recrawler.visit.gate import POLICIES as NAMES

    if isinstance(site.get("policy"), str):
        site["policy"] = NAMES.get(site["policy"], site["policy"])
    return site


def json_paths(given: Sequence[str]) -> Paths:
    """The `--path` options of a command. Raises `UsageError`."""
    from recrawler.page.jsonlist import Paths  # heavy, and most commands need none

    return Paths.of(dict(map(_path, given)))


def _path(text: str) -> tuple[str, str]:
    name, sign, expression = text.partition("=")
    if not sign or not name or not expression.strip():
        raise UsageError(f"--path {text}: write NAME=EXPRESSION, such as items=data.list")
    return name.strip(), expression.strip()


def _pair(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign or not key:
        raise UsageError(f"--attr {text}: write KEY=VALUE")
    return key, value


_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)[ \t]*")
_OURS = frozenset(("host", "content-length", "transfer-encoding", "connection", "user-agent"))


def _with_headers(headers: Headers, given: Sequence[str]) -> Headers:
    """Those that were given come in the place of those of the same name: a cookie is renewed, not doubled."""
    new = tuple(_header(text) for text in given)
    names = {name.lower() for name, _ in new}
    return (*(h for h in headers if h[0].lower() not in names), *new)


def _header(text: str) -> tuple[str, str]:
    match = _HEADER.fullmatch(text)
    if not match:
        raise UsageError(f"--header {text!r}: write NAME: VALUE, in ASCII")
    if match[1].lower() in _OURS:
        raise UsageError(f"--header {match[1]}: this header is not yours to set")
    return match[1], match[2]


def _key_option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    name = name.replace("-", "_")
    on: Any = not sign or value.lower() in ("true", "1", "on")
    return name, value.split(",") if name == "strip_params" else on
