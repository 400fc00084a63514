"""All structure families."""

from __future__ import annotations

from .articles import ARTICLE_FAMILIES
from .homes import HOME_FAMILIES
from .obstacles import OBSTACLE_FAMILIES
from .recipes import Recipe, Special, load_recipes

FAMILIES: tuple[Recipe | Special, ...] = (
    *load_recipes(),
    *ARTICLE_FAMILIES,
    *HOME_FAMILIES,
    *OBSTACLE_FAMILIES,
)
