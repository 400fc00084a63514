"""Time zones as a user or a page tells them."""

from __future__ import annotations

from datetime import timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from recrawler.errors import UsageError


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
