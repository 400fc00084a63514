"""What a pagination bar consists of, before any markup: a list of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .site import Page, Series

LAYOUTS = ("all", "window", "block10", "ends", "near", "words", "prevnext", "numbers")
ARROWS = {
    "raquo": ("»", "«", "»»", "««"), "lsaquo": ("›", "‹", "»", "«"), "lt": (">", "<", ">>", "<<"),
    "arrow": ("→", "←", "⇥", "⇤"), "tri": ("▶", "◀", "▶|", "|◀"), "double": (">>", "<<", ">>|", "|<<"),
}  # fmt: skip


@dataclass(slots=True)
class Step:
    """One thing in a bar. kind: first prev page gap next last jump info; `off`: it leads nowhere here."""

    kind: str
    text: str
    page: int | None = None
    current: bool = False
    off: bool = False
    face: str = "text"  # text | icon | image | image-alt


def window(layout: str, here: int, total: int) -> list[int | None]:
    """The page numbers that a bar shows; None is an ellipsis."""
    if layout == "all" and total <= 15:
        return list(range(1, total + 1))
    if layout == "block10":
        low = (here - 1) // 10 * 10 + 1
        return list(range(low, min(low + 9, total) + 1))
    if layout == "ends":
        shown = {1, 2, total - 1, total, *range(here - 2, here + 3)}
    elif layout == "near":
        shown = set(range(here - 4, here + 6))
        if here < 6:
            shown = set(range(1, 11))
    else:
        shown = {1, total, *range(here - 2, here + 3)}
    keep = sorted(number for number in shown if 1 <= number <= total)
    out: list[int | None] = []
    for number in keep:
        if out and out[-1] is not None and number - out[-1] > 1:
            out.append(None)
        out.append(number)
    return out


def words_of(page: Page, kind: str, face: str) -> str:
    """The text of next, prev, first or last on this site: a word, an arrow, or both."""
    if face.startswith("arrow:"):
        forward, back, last, first = ARROWS[face[6:]]
        return {"next": forward, "prev": back, "last": last, "first": first}[kind]
    options = page.lex.pager(kind)
    # Next and previous of one site are written in one style: the variants stand in parallel order.
    at = page.site.rng("word-style").randrange(len(page.lex.pager("next")))
    return options[min(at, len(options) - 1) if at < len(options) else at % len(options)].format(
        k=page.series.size
    )


def numbers(page: Page, layout: str, series: Series, here: int) -> list[Step]:
    """The number steps of a bar."""
    steps = []
    gap = page.pick("gap", ["…", "...", "..", "&"] if layout == "x" else ["…", "...", "....", "…"])
    grouped = page.chance("grouped-number", 0.1)
    for number in window(layout, here, series.total):
        if number is None:
            steps.append(Step("gap", gap))
        else:
            text = f"{number:,}" if grouped and number > 999 else str(number)
            steps.append(Step("page", page.num(text), number, current=number == here))
    if layout == "block10":
        low = (here - 1) // 10 * 10 + 1
        if low + 10 <= series.total:
            steps.append(Step("jump", gap, low + 10))
        if low > 1:
            steps.insert(0, Step("jump", gap, low - 1))
    return steps


def steps(
    page: Page, series: Series, here: int, layout: str | None = None, ends: str | None = None
) -> list[Step]:
    """All steps of a bar in the site's order. `ends`: none | pn | flpn | fl | pn-last | pn-first | n."""
    layout = layout or page.pick("layout", ["all", "window", "window", "block10", "ends", "near"])
    ends = ends or page.pick("ends", ["pn", "pn", "pn", "flpn", "flpn", "pn-last", "pn-first", "n", "fl"])
    face = page.pick(
        "face",
        ["word"] * 6
        + [
            "arrow:raquo",
            "arrow:lsaquo",
            "arrow:lt",
            "arrow:arrow",
            "arrow:tri",
            "icon",
            "image",
            "image-alt",
        ],
    )
    nums = [] if layout in {"words", "prevnext"} else numbers(page, layout, series, here)

    def end(kind: str, target: int, off: bool) -> Step:
        shape = face if face in {"icon", "image", "image-alt"} else "text"
        text = words_of(page, kind, face if face.startswith("arrow:") else "word")
        return Step(kind, text, target, off=off, face=shape)

    before, after = here == 1, here == series.total
    first = end("first", 1, before)
    prev = end("prev", here - 1, before)
    following = end("next", here + 1, after)
    last = end("last", series.total, after)
    match ends:
        case "none":
            return nums
        case "pn":
            return [prev, *nums, following]
        case "flpn":
            return [first, prev, *nums, following, last]
        case "fl":
            return [first, *nums, last]
        case "pn-last":
            return [*nums, prev, following]
        case "pn-first":
            return [prev, following, *nums]
    return [*nums, following]


def info(page: Page, series: Series, here: int) -> str:
    """ "Page 2 of 23" in the words of the language."""
    form = page.pick("info-form", page.lex.pager("of"))
    return form.format(p=page.num(here), n=page.num(series.total), t=page.num(series.total * series.size - 3))


def older_page(series: Series, here: int) -> int | None:
    """The page with older items, or None on the oldest one."""
    target = here - 1 if series.order == "oldest-first" else here + 1
    return target if 1 <= target <= series.total else None


def label_of(step: Step) -> tuple[str, str]:
    """(label, orig) of the corpus format."""
    if step.kind in {"next", "prev"}:
        return step.kind.upper(), step.kind.upper()
    return "PAGE", {"first": "FIRST", "last": "LAST", "jump": "JUMP"}.get(step.kind, "PAGE")


def has_next(found: Sequence[Step]) -> bool:
    """Whether any step leads to the page after this one by a word or arrow."""
    return any(step.kind == "next" and not step.off for step in found)


def number_steps(page: Page, series: Series, here: int, layout: str = "window") -> list[Step]:
    """Number steps in a fixed layout."""
    out = []
    for number in window(layout, here, series.total):
        if number is None:
            out.append(Step("gap", "…"))
        else:
            out.append(Step("page", page.num(number), number, current=number == here))
    return out


def way(page: Page, series: Series, here: int, kind: str, text: str | None = None) -> Step | None:
    """The step to the next, previous, first or last page, or None where there is none."""
    target = {"next": here + 1, "prev": here - 1, "first": 1, "last": series.total}[kind]
    if (kind in {"next", "last"} and here >= series.total) or (kind in {"prev", "first"} and here <= 1):
        return None
    return Step(kind, text or page.pick(f"cms-{kind}", page.lex.pager(kind)).format(k=series.size), target)
