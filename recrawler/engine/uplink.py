"""Whether it is we who are cut off, and not the sites that are down. Pure.

Where the network goes, every visit fails, and each index is put off for longer and longer: after three hours
without network some would wait three hours more. So when several hosts in a row were silent, visits are made
one at a time, as trials; and with the first answer what failed meanwhile is due again. A run that only
visits what is due (`hosts` infinite) does not wait for that: its next one would come no further.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from recrawler.records import Visit
from recrawler.urls import host_key

HOSTS = 8  # hosts in a row of which none answers: sites do not fall silent together
TRIAL = 10.0  # seconds between trials
# No name, no connection, lost, no answer in time, no robots.txt: fetch status codes (see `crawluri`).
_SILENT = frozenset((-1, -2, -3, -4, -61))


@dataclass
class Uplink:
    """What the visits tell of our own connection. Times are monotonic seconds unless datetimes."""

    hosts: float = HOSTS
    since: datetime | None = None  # when the first of the silent visits in a row began
    tried: float = 0.0
    _silent: set[str] = field(default_factory=set)

    @property
    def down(self) -> bool:
        return len(self._silent) >= self.hosts

    @property
    def trouble(self) -> str:
        """Why hardly anything is visited; empty while we are connected."""
        return "no host answers" if self.down else ""

    def visited(self, visit: Visit) -> datetime | None:
        """Take note of a visit. Where it shows that we are back: since when we were cut off."""
        statuses = [page.status for page in visit.pages]
        if any(status > 0 for status in statuses):
            back = self.since if self.down else None
            self.since = None
            self._silent.clear()
            return back
        if statuses and all(status in _SILENT for status in statuses) and not self.down:
            self.since = self.since or visit.started_at
            self._silent.add(host_key(visit.url))
        return None

    def room(self, now: float, most: int) -> int:
        """How many visits may begin now, of at most `most`: all, or while we are cut off one now and then."""
        if not self.down:
            return most
        if most <= 0 or now - self.tried < TRIAL:
            return 0
        self.tried = now
        return 1
