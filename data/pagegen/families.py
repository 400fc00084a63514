"""All structure families."""

from __future__ import annotations

from .nonlists import SPECIALS
from .recipes import GENERIC, Recipe, Special

FAMILIES: tuple[Recipe | Special, ...] = (*GENERIC, *SPECIALS)
