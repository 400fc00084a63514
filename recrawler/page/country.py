"""What the country of a host tells: the zone of its clock."""

from __future__ import annotations

import re
from datetime import timedelta, timezone, tzinfo

_ZONES = {"cn": 8, "tw": 8, "hk": 8, "mo": 8, "sg": 8, "my": 8, "jp": 9, "kr": 9, "vn": 7, "th": 7}
_TLD = re.compile(r"^[a-z]+://[^/?#]*?\.([a-z]{2})(?::\d+)?(?:[/?#]|$)", re.I)


def country_zone(url: str) -> tzinfo | None:
    """The zone that nearly all sites under a country's domain keep, or null."""
    tld = _TLD.match(url)
    hours = _ZONES.get(tld[1].lower()) if tld else None
    return timezone(timedelta(hours=hours)) if hours is not None else None
