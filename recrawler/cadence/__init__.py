"""The cadence of an index: how often it publishes, learnt from each visit, and when to come next.

    state = first(dates, links, now)              # the page's dates give a cadence at once
    state = visited(state, now, dates, links)     # new links since the last visit, dated or only counted
    at = next_visit(state, now, Pricing())        # the least expected delay for the price of fetches

Everything is pure: `now` (unix seconds) is an argument, and a state is a value that goes through JSON with
`msgspec.to_builtins` and `msgspec.convert`. docs/explanation/cadence.md tells how it works.

    state      what is remembered
    observe    what a visit teaches
    rate       how many items are expected in each minute to come
    plan       when to come next
    hours      when visits may be at all
    budget     the price that meets a budget
    outlook    what the plan comes to
    replay     what another price would have brought
    explain    the cadence in words
"""

from recrawler.cadence.budget import PriceController
from recrawler.cadence.explain import explain, per_day, profile, silence, sparkline
from recrawler.cadence.hours import OpenHours, parse_hours
from recrawler.cadence.observe import failed, first, visited
from recrawler.cadence.outlook import Outlook, outlook
from recrawler.cadence.plan import PRICE, Forecast, Pricing, expected_delay, forecast, next_visit
from recrawler.cadence.replay import Replay, replay
from recrawler.cadence.state import Basis, CadenceState, basis

__all__ = [
    "PRICE",
    "Basis",
    "CadenceState",
    "Forecast",
    "OpenHours",
    "Outlook",
    "PriceController",
    "Pricing",
    "Replay",
    "basis",
    "expected_delay",
    "explain",
    "failed",
    "first",
    "forecast",
    "next_visit",
    "outlook",
    "parse_hours",
    "per_day",
    "profile",
    "replay",
    "silence",
    "sparkline",
    "visited",
]
