"""A pagination bar as found on a page: what `pagination` returns and `listings` pairs with blocks."""

from __future__ import annotations

from dataclasses import dataclass

from recrawler.page.document import Anchor, Element, xpath
from recrawler.page.types import BarLink, PostForm


@dataclass(frozen=True, slots=True)
class BarCandidate:
    """One pagination bar.

    `nodes` are its copies (above and below a list), `node` the first. `older`, `newer` and `last` are URLs
    for a newest-first list, worked out from script where there is one. `script`: there is a next page but no
    URL; `form` is then the request that leads there, if one does. `item_to_item`: it leads from article to
    article, not from list page to list page. `anchors` are the links' anchors (none for links without `<a>`).
    """

    node: Element
    nodes: tuple[Element, ...]
    links: tuple[BarLink, ...]
    anchors: tuple[Anchor | None, ...]
    score: float
    marked: bool
    current: int | None
    depth: int | None
    older: str | None
    newer: str | None
    last: str | None
    item_to_item: bool = False
    script: bool = False
    form: PostForm | None = None

    @property
    def xpath(self) -> str:
        return xpath(self.node)
