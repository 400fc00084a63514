"""Every knob, its default and its unit; and the settings file (TOML) that sets them."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from recrawler.errors import SettingsError, UsageError

_T = TypeVar("_T")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h|d)")
LONGEST = 36_500 * 86_400.0  # seconds: calendars end somewhere
_UNIT = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def parse_duration(text: str) -> float:
    """Seconds of a duration such as `90s`, `5m`, `2h`, `1d` or `1h30m`.

    Raises `SettingsError` for anything else, a bare number too: a unit is always given.
    """
    pos, total = 0, 0.0
    stripped = text.strip()
    while pos < len(stripped):
        match = _DURATION.match(stripped, pos)
        if match is None:
            break
        total += float(match[1]) * _UNIT[match[2]]
        pos = match.end()
    if not stripped or pos != len(stripped):
        raise SettingsError(
            f"'{text}' is not a duration: write a number and a unit, such as 90s, 5m, 2h or 1d"
        )
    if total > LONGEST:
        raise SettingsError(f"'{text[:40]}' is longer than a hundred years")
    return total


def format_duration(seconds: float) -> str:
    """The shortest exact-enough form of a duration: `90s`, `5m`, `2h`, `1.5d`."""
    for unit, size in (("d", 86400.0), ("h", 3600.0), ("m", 60.0)):
        if seconds >= size and (seconds % size == 0 or seconds >= 10 * size):
            return f"{seconds / size:.3g}{unit}"
    return f"{seconds:.3g}s"


class Duration(float):
    """Seconds, written in a settings file as text with a unit."""


_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*/\s*(s|min|h|d)")
_LEAST_BUDGET, _MOST_BUDGET = 1.0 / 240.0, 1e9  # requests an hour; the least is one in ten days
_PER_HOUR = {"s": 3600.0, "min": 60.0, "h": 1.0, "d": 1.0 / 24.0}


class Budget(float):
    """Requests an hour, written as text such as `5000/h`; infinite: `polite`; 0: there is none."""


def parse_budget(text: str) -> Budget:
    """A budget from `5000/h`, `100/min`, `20000/d`, or `polite` for as fast as politeness lets.

    Raises `SettingsError` for anything else; empty text is no budget.
    """
    bare = text.strip().lower()
    if bare in ("", "polite"):
        return Budget(math.inf if bare else 0.0)
    match = _BUDGET.fullmatch(bare.replace(",", ""))
    made = Budget(float(match[1]) * _PER_HOUR[match[2]]) if match else Budget(0.0)
    if not _LEAST_BUDGET <= made <= _MOST_BUDGET:
        raise SettingsError(
            f"'{text}' is not a budget: write requests a time, such as 5000/h, 100/min or 20000/d, or polite"
        )
    return made


def format_budget(budget: float) -> str:
    """A budget as it is written: `5000/h`, `12/d`, `polite`; empty where there is none."""
    if not 0.0 < budget < math.inf:
        return "polite" if budget else ""
    return f"{budget:.6g}/h" if budget >= 1.0 else f"{budget * 24.0:.6g}/d"


@dataclass(frozen=True, slots=True)
class Settings:
    """The daemon's settings. Durations are seconds here and text with a unit (`90s`) in the file."""

    # Who we are
    user_agent: str = "recrawler/0.1"
    contact: str = ""  # an address or URL that a site's owner can write to; added to the user agent
    # What may be reached
    allow_networks: tuple[str, ...] = ()  # CIDR ranges among the private ones that may be fetched
    robots: bool = True  # obey robots.txt
    tls_verify: bool = True
    suffix_list: str = ""  # path of a newer public_suffix_list.dat
    strict: bool = False  # a follow policy's warnings become errors
    # How politely
    delay: Duration = Duration(2.0)  # least time between two requests to one host
    max_delay: Duration = Duration(60.0)  # most that slowness or Retry-After-less 429s stretch it to
    retry_after_cap: Duration = Duration(86400.0)
    concurrency: int = 16  # visits at once, each to another host
    # How much
    request_timeout: Duration = Duration(30.0)  # for one request, redirects apart
    visit_deadline: Duration = Duration(300.0)  # for one visit, its waits for politeness included
    max_redirects: int = 10
    max_bytes: int = 16_000_000  # decoded bytes of one page
    max_pages: int = 30  # pages of one series in one visit
    max_requests: int = 120  # requests of one visit
    max_links: int = 20_000  # links of one visit
    baseline_pages: int = 2  # pages read at the first visit
    audit_every: int = 20  # every how many visits one goes further, for back-dated links; 0: never
    audit_pages: int = 3  # how many pages further
    flood: int = 50  # so many links with old dates in one visit are a re-published archive; 0: never
    # When
    min_every: Duration = Duration(60.0)
    max_every: Duration = Duration(86400.0)
    budget: Budget = Budget(0.0)  # requests an hour of the whole daemon; 0: the price says how many
    price: float = 0.0  # link-seconds of delay that one fetch is worth; 0: the default of cadence
    fairness: float = 0.5  # 0: each link counts alike; 1: each index alike
    hours: str = ""  # when visits may be, such as Mon-Fri 08:00-19:00; empty: always
    retry_first: Duration = Duration(300.0)  # after a failed visit, doubled each time up to max_every
    # Reading
    timezone: str = ""  # zone of pages that do not say theirs; empty: learnt, +08:00 for .cn
    fetch_articles: int = 0  # articles fetched at a first visit to settle the order of a list without dates
    # Log
    log_format: Literal["text", "json"] = "text"  # of the daemon's log, on standard error
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    # Delivery
    jsonl: str = ""  # path of a JSON Lines file that every new link is appended to
    webhook: str = ""  # URL that new links are POSTed to
    webhook_secret: str = ""  # signs what is posted; RECRAWLER_WEBHOOK_SECRET where it is not set
    redis: str = ""  # URL of a Redis server that new links are streamed to (extra `redis`)
    redis_stream: str = "recrawler"  # key of the stream
    feeds: str = ""  # folder of Atom and JSON Feed files, a pair for each index, site and tag, and for all
    feeds_url: str = ""  # where that folder is served, if it is
    # Retention; 0: for ever
    history_days: int = 0  # of links that no list shows any more (that they were seen is kept for ever)
    ledger_days: int = 0  # of visits
    events_days: int = 0  # of links given out, once every sink has them

    @property
    def agent(self) -> str:
        """The User-Agent header."""
        return f"{self.user_agent} (+{self.contact})" if self.contact else self.user_agent


_NAMES = {f.name for f in fields(Settings)}


def _decode(type_: Any, value: Any) -> Any:
    if type_ is Duration:
        if not isinstance(value, str):
            raise ValueError('write a duration as text with a unit, such as "90s"')
        return Duration(_or_value_error(parse_duration, value))
    if type_ is Budget:
        if not isinstance(value, str):
            raise ValueError('write a budget as text with its time, such as "5000/h"')
        return _or_value_error(parse_budget, value)
    raise NotImplementedError(type_)


def _or_value_error(parse: Callable[[str], _T], text: str) -> _T:
    """What msgspec names the key for."""
    try:
        return parse(text)
    except SettingsError as e:
        raise ValueError(str(e)) from None


def zone_of(name: str) -> tzinfo | None:
    """The zone of an IANA name or an offset such as +08:00; null for the empty text. Raises `UsageError`."""
    if not name:
        return None
    if name[0] in "+-":
        try:
            hours, _, minutes = name[1:].partition(":")
            away = timedelta(hours=int(hours), minutes=int(minutes or 0))
            return timezone(-away if name[0] == "-" else away)
        except ValueError:
            pass
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"'{name}' is no time zone: write a name such as Asia/Shanghai or +08:00") from None


def settings_from(values: dict[str, Any], where: str = "settings") -> Settings:
    """Settings from a decoded TOML table. Raises `SettingsError` naming the key that is wrong."""
    unknown = sorted(set(values) - _NAMES)
    if unknown:
        near = difflib.get_close_matches(unknown[0], sorted(_NAMES), n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"known keys: {', '.join(sorted(_NAMES))}"
        raise SettingsError(f"{where}: unknown key '{unknown[0]}'; {hint}")
    try:
        made = msgspec.convert(values, Settings, dec_hook=_decode)
    except msgspec.ValidationError as e:
        what, _, path = str(e).rpartition(" - at `$.")
        key = path.rstrip("`")
        if what.startswith("Invalid enum value"):
            what = f"write one of {', '.join(get_args(get_type_hints(Settings)[key]))}"
        raise SettingsError(f"{where}: {key}: {what}" if what else f"{where}: {e}") from None
    _check_least(made, where)
    _check_texts(made, where)
    return made


# The least that a number can be set to; 0 where it is not named.
_LEAST = {
    "concurrency": 1,
    "max_bytes": 1024,
    "max_pages": 1,
    "max_requests": 1,
    "max_links": 1,
    "baseline_pages": 1,
    "request_timeout": 0.1,
    "visit_deadline": 1,
    "min_every": 1,
    "max_every": 1,
    "retry_first": 1,
}


def check_hours(text: str, name: str) -> None:
    """Whether hours can be read; empty text is always. Raises `SettingsError`, which begins with `name`."""
    if not text:
        return
    from recrawler.cadence.hours import parse_hours

    try:
        parse_hours(text)
    except ValueError as e:
        raise SettingsError(f"{name}: {e}") from None


def _check_least(made: Settings, where: str) -> None:
    for name in _NAMES:
        value, least = getattr(made, name), _LEAST.get(name, 0)
        if isinstance(value, float) and not (math.isfinite(value) or isinstance(value, Budget)):
            raise SettingsError(f"{where}: {name} is no finite number")
        if isinstance(value, (int, float)) and value < least:
            raise SettingsError(f"{where}: {name} is less than {least}")
    if made.min_every > made.max_every:
        raise SettingsError(f"{where}: min_every is more than max_every")
    if made.budget and made.price:
        raise SettingsError(f"{where}: a budget sets the price: leave out either budget or price")
    check_hours(made.hours, f"{where}: hours")


def _check_texts(made: Settings, where: str) -> None:
    """What is sent with every request has to be a header, and what is named has to be there."""
    if not made.user_agent.strip():
        raise SettingsError(f"{where}: user_agent is empty: give a name, so that a site knows who asks")
    for name in ("user_agent", "contact"):
        if not getattr(made, name).isprintable():
            raise SettingsError(f"{where}: {name} holds a line break or a control character: leave it out")
    if made.webhook and not made.webhook.startswith(("http://", "https://")):
        raise SettingsError(f"{where}: webhook: '{made.webhook}' is not an http or https URL")
    try:
        zone_of(made.timezone)
    except UsageError as e:
        raise SettingsError(f"{where}: timezone: {e}") from None


def load_settings(path: Path | None) -> Settings:
    """Settings of a TOML file, or the defaults for None. Raises `SettingsError`."""
    if path is None:
        return Settings()
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig"))  # some editors put a mark in front
    except OSError as e:
        raise SettingsError(f"cannot read the settings file {path}: {e.strerror or e}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise SettingsError(f"{path} is not a TOML file: {e}") from None
    return settings_from(values, str(path))
