"""What is known of a page, measured once for all its candidate blocks: names and landmarks above an element, the
shape of each link's URL, texts beside links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

from recrawler.page.blocks import Finder
from recrawler.page.document import Document
from recrawler.page.outline import HEADINGS, Outline

# Something like a date. The first character is matched apart from all that follows it, so that the search skips
# to the next such character instead of trying every form at every place.
DATE = re.compile(
    r"[\d今昨前刚YyTt](?:"
    r"(?<=\d)(?:\d{0,3}\s?[-./年]\s?\d{1,2}(?:\s?[-./月]|\b)|月\d|:\d\d|(?<!\w\d)(?:(?<=1)9|(?<=2)0)\d\d\b|"
    r"\s?(?:分钟|小时|天|分鐘|小時|日|時間|分|시간|일|분)\s?(?:前|전)| (?:hour|min|day|week|month))|"
    r"(?<=[今昨前])天|(?<=刚)刚|(?<=[Yy])esterday|(?<=[Tt])oday)"
)
# Names of ids and classes, as parts of words. Groups: side, nav, foot, main, meta, title.
_NAMES = (
    re.compile(
        r"side|widget|recent|relat|popular|trend|rank|recommend|tuijian|xiangguan|aside|blogroll|friend|"
        r"youqing|"
        r"cloud|calendar|hots?(?![a-z])|carousel|slid|swiper|banner|comment|tab-|tabs|ticker|marquee|most|"
        r"zuixin|"
        r"random|featured|spotlight|promo|advert|archive-?(?:list|widget)"
    ),
    re.compile(
        r"nav|menu|crumb|topbar|toolbar|dropdown|(?<![a-z])top(?![a-z])|drawer|lang|login|share|social|"
        r"pag(?:e|i|er)"
    ),
    re.compile(r"foot|copyright|bottom|links?(?![a-z])|credit|legal"),
    re.compile(
        r"content|main|primary|list|post|entr|articles?|news|blog|result|stream|feed|index|archive|topic|"
        r"thread|item"
    ),
    re.compile(
        r"meta|tag|categ|author|byline|date|time|more|comment|count|user|avatar|cat(?![a-z])|label|action|"
        r"thumb|im(?:g|age)"
    ),
    re.compile(r"title|headline|heading|subject|biaoti|name|tit(?![a-z])|bt(?![a-z])"),
)
# Here too one class in front: the search skips to the next such sign. Of what is in lower case.
_SECTION_URL = re.compile(
    r"[/?&](?:(?<=/)(?:(?:tags?|categor(?:y|ies)|authors?|users?|members?|profile|topics?|label|search|login|"
    r"archives?|page)(?:/|$|\.|\?)|\d{4}/\d{1,2}/?$)|(?<=[?&])(?:cat|tag|author|u|uid|page|paged)=)"
)
_DIGITS = re.compile(r"\d+")
_SIGN = re.compile(r"[-_+,;:!~]|%20")
_PLACES = ("main", "article", "aside", "nav", "footer", "header", "form")
LINEAGE = (
    "side", "nav", "foot", "main", "in_main", "in_article", "in_aside", "in_nav", "in_footer", "in_header",
    "in_form",
)  # fmt: skip
_NOTHING = (0,) * len(LINEAGE)
URL_FACTS = ("same_host", "slug", "digits", "path_depth", "query", "section_url", "below")


@dataclass(slots=True)
class PageFacts:
    """What the features of every candidate share."""

    doc: Document
    tree: Outline
    finder: Finder
    mass: float  # of all links' text
    words: float  # length of the page's text
    host: str
    directory: str
    holders: dict[int, list[int]]  # target -> anchors
    bars: Sequence[tuple[int, int, float]]  # (start, end, score) of each bar
    sums: list[int]  # text lengths before each element
    named: dict[int, tuple[int, ...]] = field(default_factory=dict)
    lineage: dict[int, tuple[int, ...]] = field(default_factory=dict)
    urls: dict[int, tuple[float, ...]] = field(default_factory=dict)
    shapes: dict[int, tuple[str, str]] = field(default_factory=dict)


def facts(
    doc: Document, tree: Outline, finder: Finder, bars: Sequence[tuple[int, int, float]] = ()
) -> PageFacts:
    """Measures the page once."""
    holders: dict[int, list[int]] = {}
    for k, target in enumerate(finder.targets):
        if target >= 0:
            holders.setdefault(target, []).append(k)
    sums = list(accumulate(map(len, tree.text), initial=0))
    split = doc.url.split("/", 3)
    return PageFacts(
        doc=doc,
        tree=tree,
        finder=finder,
        mass=sum([min(x, 120.0) for x in finder.lengths]) or 1.0,
        words=float(sums[-1] + sum(map(len, tree.tail))) or 1.0,
        host=split[2] if len(split) > 2 else "",
        directory=doc.url.rpartition("/")[0],
        holders=holders,
        bars=bars,
        sums=sums,
    )


def heading_in(tree: Outline, start: int, end: int) -> str:
    """The text of the first heading in a region."""
    for i in range(start, min(end, start + 200)):
        if tree.tag[i] in HEADINGS and (text := " ".join(tree.words(i, tree.end[i]).split())):
            return text
    return ""


def names_of(at: int, page: PageFacts) -> tuple[int, ...]:
    """Which kinds of names an element's id and classes hold."""
    known = page.named.get(at)
    if known is None:
        node = page.doc.elements[at]
        name = f"{node.get('id') or ''} {node.get('class') or ''}"
        known = page.named[at] = _NOTHING[:6] if name == " " else _kinds(name[:200])
    return known


@lru_cache(maxsize=8192)
def _kinds(name: str) -> tuple[int, ...]:
    return _kinds_of_words(_DIGITS.sub("", name))


@lru_cache(maxsize=8192)
def _kinds_of_words(name: str) -> tuple[int, ...]:
    lowered = name.lower()
    return tuple([int(p.search(lowered) is not None) for p in _NAMES])


def lineage_of(at: int, page: PageFacts) -> tuple[int, ...]:
    """How many elements from here up have names of each kind or are landmarks: see `LINEAGE`."""
    way = []
    parent, tag, known = page.tree.parent, page.tree.tag, page.lineage
    while at >= 0 and at not in known and tag[at] not in ("body", "html"):
        way.append(at)
        at = parent[at]
    here = known.get(at, _NOTHING)
    for at in reversed(way):
        side, nav, foot, main, _, _ = names_of(at, page)
        if side or nav or foot or main:
            here = (here[0] + side, here[1] + nav, here[2] + foot, here[3] + main, *here[4:])
        if tag[at] in _PLACES:
            spot = 4 + _PLACES.index(tag[at])
            here = (*here[:spot], here[spot] + 1, *here[spot + 1 :])
        known[at] = here
    return here


def url_facts(k: int, page: PageFacts) -> tuple[float, ...]:
    """Of one link's URL: see `URL_FACTS`; its shape and folder are kept too."""
    target = page.finder.targets[k]
    known = page.urls.get(target)
    if known is None:
        url = page.doc.anchors[k].url or ""
        parts = url.split("/", 3)
        rest = parts[3] if len(parts) > 3 else ""
        last = rest.rstrip("/").rpartition("/")[2]
        known = page.urls[target] = (
            float(len(parts) > 2 and parts[2] == page.host),
            float(last.count("-") >= 2 or last.count("_") >= 2 or len(last) > 30),
            float(_DIGITS.search(rest) is not None),
            float(rest.count("/")),
            float("?" in rest),
            float(_SECTION_URL.search(f"/{rest[:300].lower()}") is not None),
            float(url.startswith(page.directory)),
        )
        page.shapes[target] = (shape_of(rest), url.rstrip("/").rpartition("/")[0])
    return known


def url_shape(k: int, page: PageFacts) -> tuple[str, str]:
    """The shape and the host of a link's URL."""
    url_facts(k, page)
    url = page.doc.anchors[k].url or ""
    parts = url.split("/", 3)
    return page.shapes[page.finder.targets[k]][0], parts[2] if len(parts) > 2 else ""


def row_dated(k: int, region: tuple[int, int], page: PageFacts) -> bool:
    """Whether something like a date stands in a row beside its link."""
    words = page.tree.words(region[0], min(region[1], region[0] + 120), page.tree.anchor_at[k])
    return DATE.search(words, 0, 400) is not None


def shape_of(rest: str) -> str:
    """The shape of a URL's part behind the host, segment by segment: 0 digits, a letters, x both, s words with
    signs between them; endings of files and names in the query are kept."""
    path, _, query = rest[:300].partition("#")[0].partition("?")
    shape = "/".join(map(_segment, path.split("/")))
    if query:
        pairs = [pair.partition("=") for pair in query.split("&")]
        shape += "?" + "&".join([f"{name}={_segment(value)}" for name, _, value in pairs])
    return shape


@lru_cache(maxsize=4096)
def _segment(part: str) -> str:
    stem, dot, ending = part.rpartition(".")
    if not stem or not ending.isalpha() or len(ending) > 5:
        stem, dot, ending = part, "", ""
    if stem.isdigit():
        kind = "0"
    elif _SIGN.search(stem):
        kind = "s"
    else:
        kind = "x" if _DIGITS.search(stem) else "a" if stem else ""
    return kind + dot + ending
