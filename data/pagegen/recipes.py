"""What a structure family is: which rows, bars, addresses and surroundings its sites draw from."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .names import MODES

if TYPE_CHECKING:
    from .labels import Draft
    from .site import Site

STRUCTURES_DIR = Path(__file__).parent / "structures"
# Short words of the structure files.
LANGUAGES = {
    "west": ("en", "de", "fr", "es", "pt", "it", "nl", "pl", "cs", "sv", "tr", "id", "ru", "vi"),
    "sino": ("zh-CN", "zh-TW"),
    "east": ("zh-CN", "zh-TW", "ja", "ko"),
}
NAMING = {"plain": ("semantic", "none", "short", "semantic")}


@dataclass(frozen=True, slots=True)
class Recipe:
    """One structure family of lists. Where several values are given, each site draws one."""

    name: str
    kind: tuple[str, ...]
    rows: tuple[str, ...]
    bars: tuple[str, ...]
    schemes: tuple[str, ...]
    articles: tuple[str, ...]
    langs: tuple[str, ...] = ()  # () = all
    naming: tuple[str, ...] = MODES
    where: tuple[str, ...] = ("below", "below", "below", "both", "above")
    order: tuple[str, ...] = ("newest-first",)
    key: str = "publish"
    dated: float = 0.88
    pins: float = 0.06
    total: tuple[int, int] = (2, 60)
    shells: tuple[str, ...] = ("side-right", "side-right", "side-left", "no-side", "two-sides")
    old: bool = False
    formats: tuple[str, ...] = ()  # () = those of the language
    extra: frozenset[str] = frozenset()
    fixed: dict[str, list[Any]] = field(default_factory=dict)  # choices (keys of Site.pick) that are given
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Special:
    """A family that is built by a function of its own (articles, threads, shells, ...): it gets the site and
    how many pages are wanted, and gives drafts."""

    name: str
    build: Callable[[Site, int], list[Draft]]
    articles: tuple[str, ...] = ("section-id",)
    langs: tuple[str, ...] = ()
    naming: tuple[str, ...] = MODES
    old: bool = False
    weight: int = 1
    fixed: dict[str, list[Any]] = field(default_factory=dict)


def _recipe(table: dict[str, Any]) -> Recipe:
    for key, value in table.items():
        if isinstance(value, list):
            words = LANGUAGES if key == "langs" else NAMING if key == "naming" else {}
            table[key] = tuple(one for word in value for one in words.get(word, (word,)))
    table["extra"] = frozenset(table.get("extra", ()))
    return Recipe(**table)


def load_recipes() -> tuple[Recipe, ...]:
    """All families of structures/*.toml, in the order of file names."""
    out: list[Recipe] = []
    for path in sorted(STRUCTURES_DIR.glob("*.toml")):
        out += [_recipe(table) for table in tomllib.loads(path.read_text(encoding="utf-8"))["family"]]
    return tuple(out)
