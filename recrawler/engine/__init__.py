"""The daemon: who is visited when.

local    one process, one database: a tick claims what is due, each claim is visited in a task of its own
jobs     APScheduler: what runs by the clock, the tick among it
upkeep   retention, a short log of the database, a schedule that follows the clock
uplink   whether it is we who are cut off
pace     how fast visits may begin under a budget
pulse    how the daemon does, in figures
notify   what systemd is told of it
reload   what new settings can change while it runs
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
