"""What each link of a bar is: next, previous, a page, the first, the last, or none of these."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from recrawler.page.classifier import Floats
from recrawler.page.groups import Group, Item
from recrawler.page.options import optional, sizes
from recrawler.page.reading import Reading, loads_more
from recrawler.page.slots import Parts
from recrawler.page.types import Role

ROLES: tuple[Role, ...] = ("other", "next", "prev", "page", "first", "last")  # classes of the link model


@dataclass(slots=True)
class Judged:
    """A group with what the model says of it."""

    reading: Reading
    score: float
    odds: Floats  # [link, role]
    roles: list[Role] = field(default_factory=list)

    @property
    def group(self) -> Group:
        return self.reading.group


SURE_BAR = 0.5  # score from which a group has to have links that page ...
DOUBT = 0.8  # ... though each of them is "other" by odds up to this
SAID = 0.87  # the same for a link with an arrow, or a word, that leads on or back


def _likeliest(judged: Judged) -> list[Role]:
    """Each link's role by its odds. Where a group is a bar and yet none of its links would page, they are
    judged as the links of a bar: by their odds among the roles that page. So is every link of it that says so."""
    items = judged.reading.group.items
    count = len(items)
    roles: list[Role] = [ROLES[int(o.argmax())] for o in judged.odds[:count]]
    if judged.score >= SURE_BAR:
        none = all(r == "other" for r in roles)
        for k, (role, odds) in enumerate(zip(roles, judged.odds, strict=False)):
            least = SAID if _leads(items[k]) else DOUBT if none else 0.0
            if role == "other" and odds[0] < least:
                free = [r for r in ROLES[1:] if r == "page" or r not in roles]
                roles[k] = max(free, key=lambda r: odds[ROLES.index(r)], default="other")
    if all(r == "other" for r in roles) and loads_more(judged.group):
        roles[0] = "next"
    return roles + ["other"] * (count - len(roles))


def _leads(item: Item) -> bool:
    """A link with a URL that an arrow, or a word, tells to lead on or back."""
    said = set(item.shape.senses) & {"next", "prev", "older", "newer"}
    return item.anchor.url is not None and bool(abs(item.shape.arrow) == 1 or said)


def roles_of(judged: Judged, page: Parts) -> list[Role]:
    """The role of each link: the likeliest ones, made consistent with each other."""
    reading = judged.reading
    roles: list[Role] = []
    likeliest = _likeliest(judged)
    for k, item in enumerate(reading.group.items):
        role = likeliest[k]
        if role in ("next", "prev", "first", "last") and item.shape.pure and item.shape.arrow == 0:
            role = "page"
        if role != "other" and (_is_size(item, reading) or (item.parts and optional(page, item.parts))):
            role = "other"
        if role != "other" and _of_comments(item):
            role = "other"
        if role in ("next", "prev") and _nowhere(item, reading, k, role):
            role = "other"
        if role in ("next", "prev") and _skips(reading, k):
            role = "page"
        if role == "page" and not item.shape.pure:
            role = _end(reading, k)
        roles.append(role)
    for wanted in ("next", "prev"):
        _only_one(roles, judged, wanted)
    if not reading.numbers:
        _lone_arrows(roles, judged)
    return roles


def _is_size(item: Item, reading: Reading) -> bool:
    """A number of rows to show, in a bar whose numbered links tell their pages otherwise."""
    parts, scale, number = item.parts, reading.scale, item.shape.number
    if parts is None or scale is None or number is None or parts.shape == scale.shape:
        return False
    return sizes(parts, number)


_COMMENTS = re.compile(
    r"\bcomment|\bkommentar|\bcomentari|\bcomentário|\bkomentar|комментар|评论|評論|コメント|댓글", re.I
)
_COMMENT_PAGE = re.compile(r"comment-page-\d|[?&](?:cpage|comments?_?page)=\d", re.I)


def _of_comments(item: Item) -> bool:
    """A link to more comments: they are no rows of a list of articles."""
    url = item.anchor.url or ""
    return bool(_COMMENTS.search(item.anchor.text) or _COMMENT_PAGE.search(url))


def _lone_arrows(roles: list[Role], judged: Judged) -> None:
    """Without numbers, the only arrow that points a way is next or previous, doubled (»») or not."""
    for way, role, ends in ((1, "next", ("last", "page")), (-1, "prev", ("first", "page"))):
        at = [k for k, i in enumerate(judged.group.items) if i.shape.arrow * way > 0]
        if len(at) == 1 and roles[at[0]] in ends and not judged.group.items[at[0]].shape.senses:
            roles[at[0]] = "next" if role == "next" else "prev"


def _nowhere(item: Item, reading: Reading, k: int, role: Role) -> bool:
    """A next that leads to the page itself or beyond the greatest page, a prev that leads to itself."""
    if item.step is not None and item.step.how == "same" and item.url is not None:
        return True
    page, here = reading.pages[k], reading.current
    if role == "next" and page is not None and here is not None and reading.numbers and reading.sure > 0.5:
        return page > max(*reading.numbers, here) and page > (reading.depth or 0)
    return False


def _end(reading: Reading, k: int) -> Role:
    """First or last for a link without a number that leads to either end."""
    page = reading.pages[k]
    if page == 1:
        return "first"
    return "last" if page is not None and page == reading.depth and page != reading.current else "page"


def _skips(reading: Reading, k: int) -> bool:
    """Whether a link leads several pages away while the bar has the very next one: a jump by ten."""
    page, here = reading.pages[k], reading.current
    if page is None or here is None or reading.sure < 0.4 or abs(page - here) < 2:
        return False
    near = here + 1 if page > here else here - 1
    return any(n == near and i.url for n, i in zip(reading.pages, reading.group.items, strict=True))


def _only_one(roles: list[Role], judged: Judged, wanted: str) -> None:
    """Among several links called next (or prev) only those of the likeliest URL are; others are pages."""
    at = [k for k, r in enumerate(roles) if r == wanted]
    items = judged.group.items
    if len({items[k].url for k in at}) < 2:
        return
    column = ROLES.index("next" if wanted == "next" else "prev")
    best = max(at, key=lambda k: judged.odds[k][column])
    for k in at:
        if items[k].url != items[best].url:
            second = judged.odds[k].copy()
            second[column] = -1.0
            roles[k] = ROLES[int(second.argmax())]
