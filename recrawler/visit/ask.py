"""What a visit is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Ask:
    """What a visit is asked for beyond the news."""

    backfill: int = 0
    since: datetime | None = None
    asked: bool = False  # by a user, in the foreground

    @classmethod
    def of(cls, kept: Any) -> Ask:
        """What `kept` of an earlier one says, or null."""
        since = kept["since"] if kept else None
        return cls(kept["backfill"], since and datetime.fromisoformat(since)) if kept else cls()

    def kept(self) -> dict[str, Any]:
        """For the first visit that succeeds, whoever makes it."""
        return {"backfill": self.backfill, "since": self.since and self.since.isoformat()}
