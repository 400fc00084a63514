"""New settings for a running daemon: what takes effect at once, and what waits for a restart. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from recrawler.settings import Settings

# Made into connections, names in robots.txt and sinks when the daemon starts.
AT_START = frozenset(
    (
        "user_agent", "allow_networks", "tls_verify",
        "jsonl", "webhook", "webhook_secret", "redis", "redis_stream", "feeds", "feeds_url",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """The settings to go on with, and the names of what changed: `live` holds now, `later` not yet."""

    settings: Settings
    live: tuple[str, ...]
    later: tuple[str, ...]

    def describe(self) -> str:
        """One line for the log."""
        parts = [f"changed: {', '.join(self.live)}" if self.live else "nothing changed"]
        if self.later:
            parts.append(f"needs a restart: {', '.join(self.later)}")
        return "; ".join(parts)


def change(old: Settings, new: Settings) -> Change:
    """From the settings in use and those of the file."""
    differ = [f.name for f in fields(Settings) if getattr(old, f.name) != getattr(new, f.name)]
    later = tuple(name for name in differ if name in AT_START)
    kept = {name: getattr(old, name) for name in later}
    return Change(replace(new, **kept), tuple(n for n in differ if n not in AT_START), later)
