"""What a page as a whole is, told by its own words and shape when it holds no list.

A challenge, a consent wall, a login page, a soft 404, a parked domain or an empty script shell must never be
read as "no news". Words alone decide nothing: an article about captchas has text, a news page has a login box.
So each verdict needs its marks *and* a page that has little else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import cached_property
from itertools import chain, islice

from recrawler.page import signs
from recrawler.page.document import Document
from recrawler.page.outline import Outline
from recrawler.page.types import Listing, PageVerdict

SMALL_PAGE = 2_500  # characters of visible text; challenge and error pages stay below
TINY_PAGE = 700  # of a page that is nothing but a form, a refusal or an error
SHELL_TEXT = 400
FEW_LINKS = 15
SHORT = 120  # characters of a sentence that says that a list is empty
LONG_SUFFIX = 6  # characters of what may be a public suffix like co.uk
BUTTON = 40
MAX_HEADS, MAX_CONTROLS = 8, 60
MAX_MARKERS = 20_000
FEW_ROWS = 3
SURE_BLOCK = 0.5  # score of a block that no words put in doubt
SURE_LIST = 0.75  # least scores of a block and an index that no box beside them puts in doubt
SURE_INDEX = 0.6  # kind score of an index that no words put in doubt

_WORDS: frozenset[PageVerdict] = frozenset(
    ("blocked", "consent", "login", "soft-404", "error", "parked", "empty")
)
_HEADINGS = frozenset(("h1", "h2", "h3", "legend"))
_CONTROLS = frozenset(("button", "a", "input", "noscript"))
_NO_NOTE = frozenset(("a", "option", "title", "script", "style"))
_HOLDERS = frozenset(("ul", "ol", "div", "tbody", "table", "section", "main"))


class Signs:
    """What a page without a list says. Each sign is read when it is first asked for: a page with much text of its
    own is hardly asked for any."""

    def __init__(self, doc: Document, tree: Outline) -> None:
        self.doc = doc
        self.tree = tree
        self.words, self.free = _outside_links(tree)  # at most twice `SMALL_PAGE` characters; length of all
        self.size = self.free + sum([len(a.text) for a in doc.anchors])  # of all visible text

    @cached_property
    def head(self) -> str:
        """The title and the first headings."""
        headings = self._of(_HEADINGS)[: MAX_HEADS - 1]
        return " | ".join([self.doc.title, *(_text(self.tree, i)[:200] for i in headings)])

    @cached_property
    def controls(self) -> str:
        """The texts of buttons, fields and links."""
        said = (_control(i, self.doc, self.tree) for i in self._of(_CONTROLS))
        return " | ".join(islice(filter(None, said), MAX_CONTROLS))

    @cached_property
    def notes(self) -> list[str]:
        """Short texts outside of links."""
        texts = zip(self.tree.tag, self.tree.text, strict=True)
        return [
            " ".join(text.split()) for tag, text in texts if 3 < len(text) < SHORT and tag not in _NO_NOTE
        ]

    @cached_property
    def nothing(self) -> str:
        """The sentence that says that a list has no rows."""
        if not signs.find(signs.EMPTY, "\n".join(self.notes)):  # one look instead of hundreds
            return ""
        found = (note[:60] for note in self.notes if signs.find(signs.EMPTY, note))
        others = (
            note for note in found if not signs.find(signs.MORE, note) and not signs.find(signs.BASKET, note)
        )
        return next((note for note in others if not self._explains(note)), "")

    def _explains(self, note: str) -> bool:
        """Whether a note is one of a legend: "contains no new posts" beside "contains new posts"."""
        words = Counter(note.lower().split())
        others = (Counter(n.lower().split()) for n in self.notes)
        return any(1 <= sum(other.values()) == sum(words.values()) - 1 and other < words for other in others)

    @cached_property
    def scripts(self) -> int:
        """Characters of script; 200 for one of a file of its own."""
        found = self._of(("script",))
        return sum(len(self.tree.text[i]) + (200 if self.doc.elements[i].get("src") else 0) for i in found)

    @cached_property
    def requests(self) -> bool:
        """Whether script asks for data."""
        texts = [self.tree.text[i][:MAX_MARKERS] for i in self._of(("script", "style"))]
        return any(signs.find(signs.REQUESTS, text) for text in texts)

    @cached_property
    def comes_again(self) -> bool:
        """Whether script sets a cookie and loads the page again."""
        texts = [self.tree.text[i][:MAX_MARKERS] for i in self._of(("script",))]
        return any(signs.find(signs.COMES_AGAIN, text) for text in texts)

    @cached_property
    def gaps(self) -> bool:
        """Whether there are places in the markup for data."""
        shown = [i for i, tag in enumerate(self.tree.tag) if tag not in ("script", "style")]
        texts, nodes = self.tree.text, self.doc.elements
        return any("{{" in texts[i] for i in shown) or any("v-for" in nodes[i].keys() for i in shown)  # noqa: SIM118

    @cached_property
    def passwords(self) -> bool:
        """Whether a password is asked for."""
        return any((node.get("type") or "").lower() == "password" for node in self.doc.all("input"))

    @cached_property
    def hollow(self) -> bool:
        """Whether a named element that could hold a list or the page holds nothing."""
        return any(_is_hollow(i, self.doc, self.tree) for i in self._of(_HOLDERS))

    @cached_property
    def frames(self) -> int:
        return len(self._of(("iframe", "frame")))

    @cached_property
    def markers(self) -> str:
        """Names and script heads in which challenge and consent systems show themselves."""
        return _markers(self.doc, self.tree)

    def _of(self, tags: Collection[str]) -> list[int]:
        """The positions of the elements of some tags, in document order."""
        return sorted(chain.from_iterable([self.doc.places.get(tag, ()) for tag in tags]))


def instead(doc: Document, tree: Outline, prose: bool) -> tuple[PageVerdict, str]:
    """The verdict on a page on which no list was found, with what it rests on. `prose`: it has an article's
    text."""
    s = Signs(doc, tree)
    told = _told(doc, s)
    if s.size < SMALL_PAGE and (why := _walled(doc, s)):
        return why[0], f"{why[1]}; {told}"
    if hit := signs.find(signs.GONE, s.head) or (
        signs.find(signs.GONE, s.words) if s.size < SMALL_PAGE // 3 and not s.nothing else None
    ):
        if not (note := s.nothing) or signs.find(signs.GONE_PAGE, s.head):
            return "soft-404", f"says {hit.strip()[:60]!r}; {told}"
        return "empty", f"says {note!r}; {told}"
    if s.size < SMALL_PAGE and (hit := signs.find(signs.BROKEN, s.head) or signs.find(signs.BROKEN, s.words)):
        return "error", f"says {hit.strip()[:60]!r}; {told}"
    if s.size < SMALL_PAGE and (parked := _parked(doc, s)):
        return "parked", f"{parked}; {told}"
    if not prose and (note := s.nothing):
        return "empty", f"says {note!r}; {told}"
    if not prose and (why_shell := _shell(s)):
        return "shell", f"{why_shell}; {told}"
    return "no-list", told


def _told(doc: Document, s: Signs) -> str:
    return f"title {doc.title[:80]!r}, {s.size} characters of text, {len(doc.anchors)} links"


def may_be(listing: Listing, kind_score: float) -> frozenset[PageVerdict]:
    """What a page's words may make of a list: nothing, if it has a bar; "empty" of one without dates, which may
    stand in a sidebar; anything but a shell, if it has few rows; anything, if it looks little like a list of articles."""
    block = listing.block
    if listing.bar is not None or block.marked:
        return frozenset()
    if any(x.date for x in block.links):
        return _WORDS if block.score < SURE_BLOCK else frozenset()
    if block.score < SURE_BLOCK or kind_score < SURE_INDEX:
        return _WORDS | {"shell"}
    if block.score >= SURE_LIST and kind_score >= SURE_LIST:
        return frozenset()  # a box beside it is empty
    return _WORDS if len(block.links) <= FEW_ROWS else frozenset(("empty",))


def _walled(doc: Document, s: Signs) -> tuple[PageVerdict, str] | None:
    """What stands before a small page: a challenge, a question, a login."""
    few = len(doc.anchors) < FEW_LINKS
    shown = f"{s.head} | {s.words}"
    if not s.passwords and few:
        if hit := signs.find(signs.BLOCKED, shown) or signs.find(signs.BLOCKED, s.markers):
            return "blocked", f"says {hit[:60]!r}"
        if hit := signs.find(signs.CAPTCHA, s.markers):
            return "blocked", f"holds {hit!r}"
        if s.size < TINY_PAGE and (hit := signs.find(signs.REFUSED, s.head)):
            return "blocked", f"says {hit.strip()!r}"
        if s.size < SHORT and s.comes_again:
            return "blocked", "has hardly any text, and script that sets a cookie and loads it again"
    if signs.find(signs.CONSENT_URL, doc.url):
        return "consent", f"the address is that of a consent page: {doc.url[:80]}"
    if signs.find(signs.ACCEPT, s.controls) and (asked := _asks(s)):
        return "consent", f"asks for consent: {asked!r}"
    named = few and bool(signs.find(signs.LOGIN_URL, doc.url))
    wants = s.passwords or named or (few and ("@" in s.controls or "email" in s.markers.lower()))
    if wants and (signs.find(signs.LOGIN_URL, doc.url) or signs.find(signs.LOGIN, s.head)):
        return "login", "asks who you are"
    if s.passwords and (few or s.size < TINY_PAGE) and signs.find(signs.LOGIN, shown):
        return "login", "has a password field and little else"
    return None


def _parked(doc: Document, s: Signs) -> str:
    """Why the page seems to stand for a domain that nobody uses."""
    said = f"{s.head} | {s.words} | {s.controls}"
    if hit := signs.find(signs.PARKED, said) or (s.free < TINY_PAGE and signs.find(signs.RELATED, said)):
        return f"says {hit[:60]!r}"
    if hit := next(filter(None, (signs.find(signs.UNDER_WORK, head) for head in s.head.split(" | "))), ""):
        return f"a heading says {hit[:60]!r}"
    host = doc.url.partition("://")[2].partition("/")[0].partition(":")[0].removeprefix("www.").lower()
    above = host.partition(".")[2] if host.count(".") > 1 else host
    own = host in s.head.lower() or (len(above) > LONG_SUFFIX and above in s.head.lower())
    away = sum(a.url is not None and above not in a.url.lower().split("/")[2] for a in doc.anchors)
    few = s.size < TINY_PAGE and len(doc.anchors) < FEW_LINKS
    if host and own and few and away > len(doc.anchors) / 2:
        return "is about its own address, and its links lead elsewhere"
    return ""


def _asks(s: Signs) -> str:
    """The words of privacy or of age that a page is about; none where they are but a banner's."""
    hit = signs.find(signs.PRIVACY, s.head) or signs.find(signs.AGE, s.head)
    if not hit and s.size < TINY_PAGE:
        hit = signs.find(signs.PRIVACY, s.words) or signs.find(signs.AGE, s.words)
    return hit[:60]


def _shell(s: Signs) -> str:
    """Why the page seems to be filled by script."""
    if s.size < SHELL_TEXT and (s.hollow or s.frames or s.scripts > 2 * s.size + (200 if s.size else 0)):
        return f"{s.frames} frames, {s.scripts} characters of script and hardly any text"
    if s.free < SHELL_TEXT / 2 and s.hollow and s.scripts:
        return "menus around an empty element, and script"
    if s.size < SHELL_TEXT and (hit := signs.find(signs.SCRIPT_NEEDED, f"{s.words} {s.controls}")):
        return f"says {hit[:60]!r}"
    if s.free < SHELL_TEXT and s.gaps:
        return "places in the markup that script fills"
    if s.free < SHELL_TEXT and s.hollow and s.requests:
        return "an empty element, and script that asks for data"
    if s.free < SHELL_TEXT and (note := next((n for n in s.notes if signs.find(signs.LOADING, n)), "")):
        return f"says {note[:60]!r}"
    return ""


def _is_hollow(i: int, doc: Document, tree: Outline) -> bool:
    node = doc.elements[i]
    if tree.end[i] - i > 3 or not (node.get("id") or node.get("class")):
        return False
    inside = _text(tree, i).strip(". …")
    return not inside or signs.find(signs.LOADING, inside) != ""


def _control(i: int, doc: Document, tree: Outline) -> str:
    """What a button, a link or a field says; "@" for a field that wants an address, the text of <noscript>."""
    node, tag = doc.elements[i], tree.tag[i]
    if tag in ("button", "a"):
        return _text(tree, i)[:BUTTON]
    if tag == "input":
        return "@" if node.get("type") == "email" else (node.get("value") or "")[:BUTTON]
    return tree.text[i][:200]


def _outside_links(tree: Outline) -> tuple[str, int]:
    """The visible text that is in no link, at most twice `SMALL_PAGE` characters of it, and its length."""
    parts: list[str] = []
    at = 0
    for i in [*tree.anchor_at, len(tree.tag)]:
        if i > at:
            parts.append(tree.words(at, i))
        if i < len(tree.tag):
            parts.append(tree.tail[i])
            at = tree.end[i]
    text = " ".join(" ".join(parts).split())
    return text[: 2 * SMALL_PAGE], len(text)


def _text(tree: Outline, i: int) -> str:
    return " ".join(tree.words(i, tree.end[i]).split())


def _markers(doc: Document, tree: Outline) -> str:
    """Names and script heads in which challenge and consent systems show themselves."""
    parts: list[str] = []
    size = 0
    for i, tag in enumerate(tree.tag):
        node = doc.elements[i]
        if tag in ("script", "noscript", "iframe", "form"):
            piece = f"{node.get('src') or ''} {node.get('action') or ''} {tree.text[i][:1500]}"
        elif tag in ("div", "input", "body", "section"):
            piece = f"{node.get('id') or ''} {node.get('class') or ''} {node.get('name') or ''}"
        else:
            continue
        parts.append(piece)
        size += len(piece)
        if size > MAX_MARKERS:
            break
    return " ".join(parts)


_TITLES: tuple[tuple[PageVerdict, str], ...] = (
    ("soft-404", signs.GONE_PAGE), ("error", signs.BROKEN_TITLE), ("parked", signs.PARKED_TITLE), ("blocked", signs.BLOCKED_TITLE),
)  # fmt: skip


def by_title(doc: Document, tree: Outline) -> tuple[PageVerdict, str] | None:
    """What the page's title, main heading or address says that it is, whatever lists it holds; null: a page like
    others."""
    heads = [doc.title]
    heads += [_text(tree, i)[:200] for i in _main_headings(doc)]
    for head in heads:
        for verdict, title in _TITLES if len(head) <= SHORT else ():
            if hit := signs.find(title, head):
                told = _told(doc, Signs(doc, tree))
                return verdict, f"title or heading says {hit.strip()[:60]!r}; {told}"
    if signs.find(signs.ACCOUNT_URL, doc.url) and (s := Signs(doc, tree)).passwords:
        return "login", f"asks for a password at an address for that; {_told(doc, s)}"
    return None


def _main_headings(doc: Document) -> list[int]:
    """The <h1> of a page that has one or two: in a list each row may have one."""
    ones = doc.places.get("h1", [])
    return ones if len(ones) < 3 else []
