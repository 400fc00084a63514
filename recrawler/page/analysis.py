"""A body in, its analysis out: an HTML page, JSON, or HTML that JSON holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Any

from recrawler.page import beyond
from recrawler.page.carried import html_of
from recrawler.page.classifier import PageModel, load_model
from recrawler.page.clicks import opened
from recrawler.page.document import Document, parse
from recrawler.page.jsonlist import DATA, Paths, Ways, analyse_json, decoded, numbered, ways
from recrawler.page.survey import Given, survey
from recrawler.page.types import ListingHint, PageAnalysis


def analyse(
    body: bytes | str,
    url: str,
    *,
    now: datetime,
    encoding: str | None = None,
    timezone: tzinfo | None = None,
    hints: Sequence[ListingHint] = (),
    expected: bool = False,
    paths: Paths | None = None,
    model: PageModel | None = None,
) -> PageAnalysis:
    """Everything that one page says; never raises on any input.

    `now` (aware) is what relative and year-less dates are read against. `timezone` is the site's; without one
    the country of the host decides, else UTC, and no date ahead of `now` is given out. `hints` are what earlier
    pages of the same index taught; `expected`: someone says that there is a list. `paths`: where a list in JSON
    has what; a body that is JSON needs none. `model`: null for the shipped one, loaded once
    (raises `ModelError` if that cannot be read: not a fault of the page).
    """
    model = model or load_model()
    try:
        script = paths.script if paths else ""
        data = beyond.data_of(parse(body, url, encoding), script) if script else decoded(body, encoding)
        if script and data is None:
            return _without(url, f"no script element of the page has the id or sets the variable {script}")
        if data is not None:
            return _of_data(data, url, paths, Given(now, timezone, hints, True, model))
        found = _of_html(parse(body, url, encoding), Given(now, timezone, hints, expected, model))
        if paths and (paths.param or paths.template):
            return _with_ways(found, lambda rows: numbered(url, paths, rows))
        return found
    except Exception as e:  # a page must never end a daemon; the fault is said in the answer
        why = f"the analysis failed: {type(e).__name__}: {e}"[:300]
        return replace(_without(url, why), warnings=(why,))


def _of_data(data: Any, url: str, paths: Paths | None, given: Given) -> PageAnalysis:
    """The list in some JSON, or in the HTML that it holds."""
    usual = next((h.path.removeprefix(DATA) for h in given.hints if h.path.startswith(DATA)), "")
    found = analyse_json(data, url, now=given.now, timezone=given.zone, paths=paths, usual=usual)
    html = html_of(data) if found.main is None else ""
    if not html:
        return found
    found = survey(parse(html, url), given)
    return _with_ways(found, lambda rows: ways(data, url, paths or Paths(), rows))


def _of_html(doc: Document, given: Given) -> PageAnalysis:
    """The list of a page; where it shows none, one whose rows only a click opens."""
    found = survey(doc, given)
    if found.verdict not in ("shell", "no-list") or found.kind == "article":
        return found
    clicked = opened(doc)
    again = survey(clicked, given) if clicked is not None else found
    return again if again.main is not None else found


def _with_ways(found: PageAnalysis, beside: Callable[[int], Ways]) -> PageAnalysis:
    """The analysis with the pages before and after that something other than a bar tells: a parameter that counts,
    a template, the JSON around it. `beside` gets the number of rows."""
    if found.main is None:
        return found
    main = found.listings[found.main]
    older, newer = beside(len(main.block.links))
    if main.order.verdict == "oldest-first":
        older, newer = newer, older
    if older or newer:
        main = replace(main, older=older, newer=newer, script_pager=False, older_form=None)
    listings = [main if n == found.main else x for n, x in enumerate(found.listings)]
    return replace(found, listings=tuple(listings))


def _without(url: str, why: str) -> PageAnalysis:
    return PageAnalysis(url, "other", 0.0, "no-list", why, None, ())
