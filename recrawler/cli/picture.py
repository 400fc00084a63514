"""A picture of a page's analysis in the terminal: what was found, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from recrawler.cli.words import listing_lines
from recrawler.page.types import Listing, PageAnalysis

if TYPE_CHECKING:
    from rich.console import Console

ROWS = 8  # links of each list that are shown
REJECTED = 6


def print_analysis(console: Console, found: PageAnalysis) -> None:
    title = found.title or found.url
    console.print(Text(title, style="bold"))
    why = f"{found.kind} page (score {found.kind_score:.2f}); verdict: {found.verdict}"
    console.print(Text(f"{why} - {found.verdict_why}" if found.verdict_why else why))
    for n, listing in enumerate(found.listings):
        _print_listing(console, found, n, listing)
    if not found.listings:
        console.print(Text("No list was found.", style="yellow"))
    for option in found.sort_options:
        mark = "active" if option.active else option.href or "script"
        console.print(Text(f"sort option  {option.text} (by {option.by}): {mark}"))
    for feed in found.feeds:
        console.print(Text(f"feed         {feed}"))
    _print_rejected(console, found)
    for warning in found.warnings:
        console.print(Text(f"warning      {warning}", style="yellow"))
    console.print(Text(f"{found.elapsed_ms:.0f} ms", style="dim"))


def _print_listing(console: Console, found: PageAnalysis, n: int, listing: Listing) -> None:
    main = n == found.main
    name = f"List {n + 1}" + (" (main)" if main else "")
    console.print()
    console.print(Text(f"{name}  score {listing.block.score:.2f}", style="bold cyan" if main else "bold"))
    for label, text in listing_lines(found, listing):
        if label not in ("first", "also"):
            console.print(Text(f"  {label:<7} {text}"))
    for line in _rows(listing):
        console.print(Text(line))
    if listing.bar is not None:
        parts = (f"[{x.role} {x.page or ''}]".replace(" ]", "]") + f" {x.text}" for x in listing.bar.links)
        console.print(Text(f"  bar     score {listing.bar.score:.2f}: " + "  ".join(parts)))


def _rows(listing: Listing) -> Iterator[str]:
    """The first links, one a line; the URL last and whole, so that it can be copied."""
    links = listing.block.links
    for k, link in enumerate(links[:ROWS], 1):
        date = "-" if link.date is None else f"{link.date:%Y-%m-%d %H:%MZ}"
        mark = "[pinned] " if link.pinned else ""
        yield f"  {k:>3}  {date:<17}  {mark}{link.text[:70]}  {link.href}"
    if len(links) > ROWS:
        yield f"       ... {len(links) - ROWS} more"


def _print_rejected(console: Console, found: PageAnalysis) -> None:
    if found.rejected:
        console.print()
        console.print(Text("Not taken", style="bold"))
    for x in sorted(found.rejected, key=lambda r: -r.score)[:REJECTED]:
        console.print(Text(f"  {x.what:<5} {x.score:.2f}  {x.why}  {x.xpath}", style="dim"))
