"""A picture of a page's analysis in the terminal: what was found, and why, to be judged at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from rich.text import Text

from recrawler.cli.facts import Fact, print_facts
from recrawler.cli.words import bar_line
from recrawler.page.types import BarLink, Link, Listing, PageAnalysis, PageVerdict, Rejected

if TYPE_CHECKING:
    from rich.console import Console

ROWS = 8  # links of each list that are shown
HOPELESS = 0.05  # score below which a candidate is not worth a line
REJECTED = 5  # candidates not taken, of each kind
METER = 10  # cells
PATH = 36  # characters of an xpath's end
PAGES = 9  # links of a bar that are shown

_INSTEAD: dict[PageVerdict, str] = {
    "no-list": "no list of articles",
    "empty": "a list without rows",
    "blocked": "a challenge or a refusal",
    "consent": "a question to be answered first",
    "login": "a login",
    "soft-404": "a page that says it is gone",
    "error": "a page that says the site is broken",
    "parked": "a domain that nobody uses",
    "shell": "a page that script would fill",
}


def print_analysis(console: Console, found: PageAnalysis) -> None:
    """Prints the headline, each list with its bar, order and first rows, and what was not taken."""
    console.print(Text(found.title or found.url, style="bold"))
    console.print(_headline(found))
    facts: list[Fact] = [("index?", _index_line(found))]
    if found.main is None:
        facts.append(("why", found.verdict_why))
    print_facts(console, facts)
    for n, listing in enumerate(found.listings):
        console.print()
        _print_listing(console, found, n, listing)
    more = list(_beside(found))
    if more:
        console.print()
        print_facts(console, more)
    _print_rejected(console, found)
    console.print(Text(f"{found.elapsed_ms:.0f} ms", style="dim"))


def _beside(found: PageAnalysis) -> Iterator[Fact]:
    """What the page holds beside its lists, and what was left out."""
    for option in found.sort_options:
        mark = "active" if option.active else option.href or "script"
        yield "sort option", f"{option.text} (by {option.by}): {mark}"
    for feed in found.feeds:
        yield "feed", feed
    for warning in found.warnings:
        yield "warning", warning


def _headline(found: PageAnalysis) -> Text:
    if found.main is None:
        what = "an article" if found.kind == "article" else _INSTEAD[found.verdict]
        return Text.assemble(("NO LIST  ", "bold yellow"), what)
    main = found.listings[found.main]
    dated = sum(x.date is not None for x in main.block.links)
    pages = bar_line(main).partition(";")[0]
    said = f"{len(main.block.links)} articles, {dated} dated, order {main.order.verdict}, {pages}"
    return Text.assemble(("LIST  ", "bold green"), said)


def _index_line(found: PageAnalysis) -> Text:
    """How sure the page is a list of articles, against the least score of one."""
    from recrawler.page.survey import INDEX_AT

    return Text.assemble(meter(found.kind_score), f" (an index from {INDEX_AT:.2f}); verdict {found.verdict}")


def meter(score: float) -> Text:
    """A score of 0..1 as a bar and a number."""
    full = round(score * METER)
    style = "green" if score >= 0.7 else "yellow" if score >= 0.4 else "red"
    return Text.assemble(("█" * full, style), ("░" * (METER - full), "dim"), f" {score:.2f}")


def _print_listing(console: Console, found: PageAnalysis, n: int, listing: Listing) -> None:
    main = n == found.main
    what = " (main)" if main else "" if found.main is not None else " (not taken: the page is no list)"
    if not listing.block.links:
        what = " (a bar and no rows)"
    style = "bold green" if main else "bold"
    console.print(Text.assemble((f"List {n + 1}{what}  ", style), meter(listing.block.score)))
    marked = " (marked by the site)" if listing.block.marked else ""
    facts: list[Fact] = [("where", f"{listing.block.xpath}{marked}"), ("pages", bar_line(listing))]
    if listing.bar is not None:
        facts.append(("bar", Text.assemble(meter(listing.bar.score), "  ", _bar(listing))))
    evidence = "; ".join(listing.order.evidence)
    facts.append(("order", f"{listing.order.verdict}: {evidence}" if evidence else listing.order.verdict))
    print_facts(console, facts)
    _print_rows(console, found, listing.block.links)


def _bar(listing: Listing) -> Text:
    """The bar as it stands on the page, the current page in brackets and other roles named."""
    assert listing.bar is not None
    out = Text()
    links = listing.bar.links
    shown = links if len(links) <= PAGES else (*links[: PAGES - 3], None, *links[-2:])
    current = listing.bar.current
    for link in shown:
        if current is not None and (link is None or (link.page or 0) > current):
            out.append(f"[{current}]", style="bold").append(" ")
            current = None
        out.append_text(_bar_link(link)).append(" ")
    if current is not None:
        out.append(f"[{current}]", style="bold")
    return out


def _bar_link(link: BarLink | None) -> Text:
    if link is None:
        return Text("...")
    label = " ".join(link.text.split()) or "(image)"
    if link.role == "page":
        return Text(label)
    return Text.assemble((f"{link.role}:", "cyan"), label)


def _print_rows(console: Console, found: PageAnalysis, links: Sequence[Link]) -> None:
    """The first links: number, date as the page's zone has it, title, address without the page's own host."""
    dates = [day(link, found.zone) for link in links[:ROWS]]
    host = "/".join(found.url.split("/")[:3])
    wide = max(map(len, dates), default=0)
    room = max(24, console.width - wide - 9)
    for k, (link, date) in enumerate(zip(links, dates, strict=False), 1):
        title = Text.assemble(("[pinned] ", "magenta") if link.pinned else "", link.text)
        href = link.href.removeprefix(host) if link.href.startswith(f"{host}/") else link.href
        line = Text.assemble((f"{k:>4} ", "dim"), f" {date:<{wide}}  ")
        address = Text(f" {href}", style="dim")
        address.truncate(room * 3 // 8, overflow="ellipsis")
        console.print(line + _cell(title, room * 5 // 8) + address)
    if len(links) > ROWS:
        console.print(Text(f"      ... {len(links) - ROWS} more", style="dim"))


def _cell(text: Text, width: int) -> Text:
    """A text in so many columns of the terminal, cut or filled up."""
    text.truncate(width, overflow="ellipsis", pad=True)
    return text


def day(link: Link, zone: tzinfo | None) -> str:
    """When a link was published, in the page's zone: to the day or to the minute."""
    if link.date is None:
        return "-"
    local = link.date.astimezone(zone or UTC)
    return f"{local:%Y-%m-%d}" if link.precision == "day" else f"{local:%Y-%m-%d %H:%M}"


def _print_rejected(console: Console, found: PageAnalysis) -> None:
    shown = [*_best(found.rejected, "block"), *_best(found.rejected, "bar")]
    if not shown:
        return
    console.print()
    console.print(Text("Not taken", style="bold"))
    path = min(PATH, console.width // 4)
    room = max(20, console.width - METER - 16 - path)
    for x in shown:
        tail = x.xpath if len(x.xpath) <= path else f"...{x.xpath[3 - path :]}"
        why = Text.assemble(x.why, (f'  "{x.sample}"' if x.sample else "", "dim"))
        line = Text.assemble(f"  {x.what:<6}", meter(x.score), "  ")
        console.print(line + _cell(why, room) + Text(f" {tail}", style="dim"))


def _best(rejected: Sequence[Rejected], what: str) -> list[Rejected]:
    """The likeliest ones, and of blocks at least one."""
    ranked = sorted((r for r in rejected if r.what == what), key=lambda r: -r.score)
    likely = [r for r in ranked if r.score >= HOPELESS]
    return (likely or ranked[: what == "block"])[:REJECTED]
