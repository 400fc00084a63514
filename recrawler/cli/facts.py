"""Names with texts beside them, as commands print what they found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

GAP = 2  # columns between name and text
LEAST = 20  # columns that a text gets in the narrowest terminal

Fact = tuple[str, "str | Text"]


def print_facts(console: Console, facts: Sequence[Fact]) -> None:
    """Prints each text beside its name, folded at the terminal's width, without blanks at the ends of lines.
    A `warning`, a `gap` and what is `lost` are set off by their colour."""
    wide = max((len(name) for name, _ in facts), default=0) + GAP
    room = max(LEAST, console.width - wide)
    for name, text in facts:
        style = "bold yellow" if name in ("warning", "gap", "lost") else "bold cyan"
        lead = Text.assemble((name, style), " " * (wide - len(name)))
        for line in (Text(text) if isinstance(text, str) else text).wrap(console, room, overflow="fold"):
            whole = lead + line
            whole.rstrip()
            console.print(whole)
            lead = Text(" " * wide)
