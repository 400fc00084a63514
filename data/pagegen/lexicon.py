"""Words of one language: what menus, pagers, dates and made-up titles are written with (words/*.toml)."""

from __future__ import annotations

import random
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

WORDS_DIR = Path(__file__).parent / "words"


class Lexicon:
    """One word list. Texts are put together from slots, so that no two pages read alike."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.lang: str = data["lang"]
        self.rtl: bool = data.get("rtl", False)
        self.digits: str | None = data.get("digits")
        self.space = "" if self.lang[:2] in {"zh", "ja", "th"} else " "
        self.months: list[str] = data["months"]
        self.short: list[str] = data["short"]
        self.days: list[str] = data["days"]
        self.formats: list[str] = data["formats"]

    def word(self, key: str) -> str:
        """A word of the top level or of [ui]."""
        value = self.data.get(key, self.data["ui"].get(key))
        return str(value)

    def words(self, key: str) -> list[str]:
        """All variants of a word of the top level or of [ui]."""
        value = self.data.get(key, self.data["ui"].get(key))
        return value if isinstance(value, list) else [str(value)]

    def pager(self, key: str) -> list[str]:
        """The variants of a pager word: next, prev, first, last, older, newer, more, of, label."""
        found: list[str] = self.data["pager"][key]
        return found

    def fill(self, template: str, rng: random.Random) -> str:
        """A template with its slots filled at random."""
        slots = {slot: rng.choice(self.data[slot]) for slot in ("who", "does", "what", "where")}
        text = template.format(**slots, topic=rng.choice(self.data["topics"]), n=rng.randint(2, 30))
        text = " ".join(text.split())
        return text[:1].upper() + text[1:]

    def title(self, rng: random.Random, odd: float = 0.03) -> str:
        """A headline; one in thirty holds a pager word or is a bare number, as real ones do."""
        kind = "odd" if rng.random() < odd else "title"
        text = self.fill(rng.choice(self.data[kind]), rng)
        if kind == "title" and rng.random() < 0.15:
            text += (": " if self.space else "：") + self.fill(rng.choice(self.data["title"]), rng)
        return text

    def paragraph(self, rng: random.Random, low: int = 2, high: int = 5) -> str:
        """Some sentences."""
        lines = [self.fill(rng.choice(self.data["sentence"]), rng) for _ in range(rng.randint(low, high))]
        return self.space.join(lines)


@cache
def load(lang: str) -> Lexicon:
    """The word list of a language tag (file name in words/)."""
    return Lexicon(tomllib.loads((WORDS_DIR / f"{lang}.toml").read_text(encoding="utf-8")))


@cache
def languages() -> tuple[str, ...]:
    """All language tags there are word lists for."""
    return tuple(sorted(path.stem for path in WORDS_DIR.glob("*.toml")))
