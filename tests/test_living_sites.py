"""Sites that live, served and watched by the real visits: nothing lost, nothing wrong, no false "complete"."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

import living_sites

# One of each kind that a page or a list can be hard in.
FAMILIES = (
    ("two-columns", 0),
    ("day-groups", 0),
    ("data-address", 0),
    ("post-back", 0),
    ("not-by-time", 0),
    ("two-lists", 5),
    ("two-lists", 14),
    ("university", 11),
    ("lead-and-rest", 12),
    ("bare-lines", 17),
    ("oldest-first", 3),
    ("oldest-first", 13),
    ("thread-list", 3),
    ("discuz", 3),
    ("phpcms", 5),
)


@pytest.mark.parametrize(("family", "seed"), FAMILIES)
async def test_a_site_is_watched_without_loss(family: str, seed: int, tmp_path: Path) -> None:
    [(recipe, lang, seed)] = living_sites.jobs([family], range(seed, seed + 1))
    score = await living_sites.live(recipe, lang, seed, tmp_path, None)
    assert (score.found, score.wrong, score.false) == (score.published, 0, 0), score.notes
