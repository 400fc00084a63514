"""The daemon: who is visited when.

local    one process, one database: APScheduler's tick claims what is due
"""

from __future__ import annotations

from typing import Protocol


class Engine(Protocol):
    """Keeps visiting until it is stopped."""

    async def run(self, *, once: bool = False) -> None:
        """Visit index pages as they fall due; with `once`, those due now, then return."""

    def stop(self) -> None:
        """End soon and in order: visits under way get a moment, then they are given back."""


__all__ = ["Engine"]
