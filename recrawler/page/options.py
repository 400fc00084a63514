"""Sort and page-size links: options of a list, not pages of it.

A set of options is a small element with two or more of them: links (or one plain text, the active one) whose
words name an order, or whose URLs differ from the page's in a parameter that does. Words alone count only
where they name orders of two kinds (最新 | 最热): a lone "Newest" is a heading.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from recrawler.page.document import Anchor, Document, Element, is_only, text_of
from recrawler.page.slots import Parts, cut
from recrawler.page.types import SortOption

MAX_LABEL, MAX_WORD = 24, 16  # characters of an option's text; of one that names an order
MAX_OPTIONS = 24
MAX_IN_SET = 10

# Of texts in lower case: a pattern that looks at letters of either case takes twice the time.
_TIME = re.compile(
    r"new(?:est)?\b|latest|recent|\bdat(?:e|um|a)\b|\btime\b|publish|posted|oldest|neueste|aktuell|récent|"
    r"reciente|fecha|recente|più recenti|новы|дат[аеу]|свеж|nieuwste|nyeste|najnowsz|"
    r"terbaru|mới nhất|الأحدث|جدیدترین|时间|時間|日期|最新|发布|發布|新着|新しい順|日付|최신|날짜|등록"
)
_OTHER = re.compile(
    r"\bhot|popular|\btop\b|views?\b|relevan|\brat(?:ing|ed)|\bprice|\bname\b|\btitle\b|\bbest\b|trending|"
    r"\brepl(?:y|ies)|\bcomments?\b|\bvotes?\b|beliebt|preis|populaire|prix|pertinen|precio|más vist|"
    r"mais lid|prezzo|popolar|попул|цен[аеу]|рейтинг|热|熱|人气|人氣|浏览|瀏覽|点击|點擊|回复|回覆|评论|評論|"
    r"价格|價格|推荐|推薦|综合|綜合|精华|精華|人気|閲覧|評価|価格|인기|조회|추천|댓글"
)
# Something of either. Without the edges of words every form begins with a letter, which is found four times as fast.
_EITHER = re.compile(f"{_TIME.pattern}|{_OTHER.pattern}".replace(r"\b", ""))
_KEY = re.compile(
    r"(?:^|[_-])(?:sort\w*|order\w*|ob|ord|paixu|px|rank|orderby|by)(?:$|[_-])|sort$|order$", re.I
)
_SIZE_KEY = re.compile(
    r"per_?page|page_?size|\blimit$|^(?:ps|pp|per|count|size|num|rows|show)$|perpagina|pageno?um", re.I
)
_KEYS = re.compile(
    r"sort|order|paixu|rank|per_?p|size|limit|count|num|rows|[?&](?:ps|pp|per|show|ob|ord|px|by)="
)
_ACTIVE = re.compile(
    r"(?:^|[\s_-])(?:active|current|selected|on|cur|sel|checked|hover|now|this)(?:$|[\s_-])", re.I
)
_SORT_NAME = re.compile(
    r"sort|order-?by|ordering|排序|排列|並び|정렬|trier|ordenar|ordina|сортир|sortier", re.I
)
_ORDER_VALUE = re.compile(r"time|date|new|post|pub|recent|latest|created|updated", re.I)


@dataclass(frozen=True, slots=True)
class _Choice:
    node: Element
    text: str
    href: str | None
    by: Literal["time", "other"]
    keyed: str  # the value of the parameter that names an order, or empty
    size: bool


def find_options(doc: Document, paging: Collection[Element] = ()) -> tuple[SortOption, ...]:
    """The sort and page-size options of a page, in document order, at most `MAX_OPTIONS`.

    `paging` are the links known to lead to pages, which are no options whatever their parameters.
    """
    holders: dict[Element, list[_Choice]] = {}
    here = dict(cut(doc.url).query)
    for anchor in doc.anchors:
        if not 0 < len(anchor.text) <= MAX_LABEL or (choice := _choice(anchor, here)) is None:
            continue
        if anchor.node not in paging and (holder := _holder(anchor.node)) is not None:
            holders.setdefault(holder, []).append(choice)
    out: list[SortOption] = []
    for holder, choices in holders.items():
        if len(choices) <= MAX_IN_SET and _is_set(holder, choices):
            out += _set(holder, choices, doc)
    out += _selects(doc)
    return tuple(dict.fromkeys(out))[:MAX_OPTIONS]


def optional(page: Parts, link: Parts) -> bool:
    """Whether a link's URL differs from the page's in nothing but how many a page, or in what order."""
    if page.path != link.path or page.host != link.host:
        return False
    differing = {key for key, _ in set(page.query) ^ set(link.query)}
    return bool(differing) and all(_KEY.search(key) or _SIZE_KEY.search(key) for key in differing)


def sizes(link: Parts, number: int) -> bool:
    """Whether a link's URL asks for so many a page."""
    return any(said == str(number) and _SIZE_KEY.search(key) for key, said in link.query)


def _choice(anchor: Anchor, here: dict[str, str]) -> _Choice | None:
    text = anchor.text
    keyed, size = "", False
    if "?" in anchor.raw and anchor.url and _KEYS.search(anchor.raw.lower()):
        keyed, size = _keyed(anchor.url, text.strip("[]() "), here)
    time, other = _orders(text) if len(text) <= MAX_WORD else (False, False)
    if not (keyed or size or time or other):
        return None
    by: Literal["time", "other"] = (
        "time" if time or (keyed and not other and _ORDER_VALUE.search(keyed)) else "other"
    )
    return _Choice(anchor.node, text, anchor.url, "other" if size else by, keyed, size)


def _keyed(url: str, label: str, here: dict[str, str]) -> tuple[str, bool]:
    """What a URL's query says of the order; whether it says the number of rows that the link's label is."""
    keyed, size = "", False
    for key, said in cut(url).query:
        if here.get(key) != said or key in here:
            if _KEY.search(key):
                keyed = f"{key}={said}"
            elif _SIZE_KEY.search(key) and label.isdigit() and said == label:
                size = True
    return keyed, size


@lru_cache(maxsize=4096)
def _orders(text: str) -> tuple[bool, bool]:
    """Whether a text has a word for an order by time, and for another order."""
    lowered = text.lower()
    if _EITHER.search(lowered) is None:
        return False, False
    return _TIME.search(lowered) is not None, _OTHER.search(lowered) is not None


def _holder(node: Element) -> Element | None:
    """The element that holds an option's siblings: past wrappers that hold nothing but the option."""
    below, here = node, node.getparent()
    for _ in range(3):
        if here is None or here.tag in ("body", "html"):
            return None
        if not is_only(below) or (here.text or "").strip() or (below.tail or "").strip():
            return here
        below, here = here, here.getparent()
    return here


def _is_set(holder: Element, choices: list[_Choice]) -> bool:
    links = sum(1 for _ in islice(holder.iter("a"), len(choices) + 7))
    if links > len(choices) + 2:
        return False
    if len({c.keyed for c in choices if c.keyed}) >= 2 or sum(c.size for c in choices) >= 2:
        return True
    if len(choices) == 1:
        return bool(choices[0].keyed or choices[0].size) and any(True for _ in _plain(holder, choices))
    said = _sorts(holder)
    words = [c for c in choices if (c.href or said) and len(c.text.split()) <= 2]
    return len({c.by for c in words}) == 2 and links <= 6


def _sorts(holder: Element) -> bool:
    """Whether the element or what it stands in calls itself a choice of order."""
    here: Element | None = holder
    for _ in range(3):
        if here is None:
            break
        if _SORT_NAME.search(f"{here.get('class') or ''} {here.get('id') or ''} {here.text or ''}"):
            return True
        here = here.getparent()
    return False


def _set(holder: Element, choices: list[_Choice], doc: Document) -> Iterator[SortOption]:
    active = [_active(c, doc) for c in choices]
    for text in _plain(holder, choices):
        if not any(active):
            yield SortOption(text, None, True, "time" if _orders(text)[0] else "other")
            break
    for choice, on in zip(choices, active, strict=True):
        yield SortOption(choice.text, choice.href, on, choice.by)


def _active(choice: _Choice, doc: Document) -> bool:
    node = choice.node
    for here in (node, node.getparent()):
        if here is None:
            continue
        if (
            _ACTIVE.search(here.get("class") or "")
            or here.get("aria-current")
            or here.get("aria-selected") == "true"
        ):
            return True
        if not is_only(node):
            break
    return (
        choice.href is not None and "?" in choice.href and choice.href.split("#")[0] == doc.url.split("#")[0]
    )


def _plain(holder: Element, choices: list[_Choice]) -> Iterator[str]:
    """Texts of a set outside its links that name an order: the active option is often no link."""
    linked = {c.node for c in choices}
    for child in holder:
        if child.tag in ("span", "strong", "b", "em", "li", "font") and not any(
            n in linked for n in child.iter("a")
        ):
            text = text_of(child, 40)
            if text and len(text) <= 16 and (any(_orders(text)) or text.isdigit()):
                yield text


def _selects(doc: Document) -> Iterator[SortOption]:
    """The options of a select whose name is one of an order."""
    for form in doc.all("select"):
        if not _KEY.search(form.get("name") or form.get("id") or ""):
            continue
        choices = [(option, text_of(option, 60)) for option in list(form.iter("option"))[:MAX_IN_SET]]
        if sum(any(_orders(t)) for _, t in choices) < 2:
            continue
        for option, text in choices:
            if text:
                chosen = option.get("selected") is not None
                yield SortOption(text, None, chosen, "time" if _orders(text)[0] else "other")


__all__ = ["find_options"]
