"""The completion loop's decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Outcome = Literal[
    "met-history", "first-visit", "end-of-series", "unchanged", "page-limit", "looped", "anchor-lost",
    "unsorted-diff", "blocked", "empty", "fetch-failed", "robots-denied",
]  # fmt: skip
Status = Literal["new", "baseline", "backdated", "updated"]


@dataclass(frozen=True, slots=True)
class SeriesMemory:
    """What is remembered of one series between visits (JSON-serialisable through msgspec)."""

    listing: str
    extra: dict[str, Any] | None = None
