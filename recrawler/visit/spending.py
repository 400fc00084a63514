"""The price of a fetch at this moment: the one that was set, or the one that meets the budget.

The daemon counts every request that it makes, redirects, robots.txt and further pages too. The state of the
controller is kept in the store, so that a restart goes on where the last run ended.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime, tzinfo

import msgspec

from recrawler import cadence
from recrawler.page.country import country_zone
from recrawler.records import IndexPage
from recrawler.settings import Settings, zone_of
from recrawler.store import Store

NOTE = "budget"  # the store's name for the controller
KEEP_EVERY = 60.0  # seconds after which what was spent is kept, so that a crash forgets no more


class Spending:
    """What a fetch costs under the settings, and what was spent; one for a process."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._kept = -math.inf
        self.controller = _remembered(store)
        self.adopt(settings)

    def adopt(self, settings: Settings) -> None:
        """Go on under other settings; a budget that changed moves the price at once."""
        self._fixed = settings.price or cadence.PRICE
        self.budget = float(settings.budget)
        if self._steered:
            old = self.controller or cadence.PriceController(self.budget, self._fixed)
            self.controller = old if old.budget == self.budget else old.with_budget(self.budget)

    @property
    def _steered(self) -> bool:
        return 0.0 < self.budget < math.inf

    @property
    def price(self) -> float:
        """Link-seconds of delay that one fetch is worth; 0: as fast as politeness lets."""
        if self.controller is not None and self._steered:
            return self.controller.price
        return 0.0 if self.budget else self._fixed

    @property
    def paid(self) -> tuple[float, ...]:
        """Requests an hour in the last hours (a week of them at most), the latest last; empty without a
        budget."""
        return self.controller.paid if self.controller is not None and self._steered else ()

    def count(self, requests: int, now: datetime) -> None:
        """After so many requests more. Raises `StoreError`."""
        if self.controller is None or not self._steered:
            return
        at = now.timestamp()
        self.controller = self.controller.spent(at, requests)
        if not 0.0 <= at - self._kept < KEEP_EVERY:
            self._kept = at
            self.keep()

    def keep(self) -> None:
        """Write down what was spent. Raises `StoreError`."""
        if self.controller is not None and self._steered:
            self._store.keep_note(NOTE, msgspec.to_builtins(self.controller))


def _remembered(store: Store) -> cadence.PriceController | None:
    note = store.note(NOTE)
    try:
        return None if note is None else msgspec.convert(note, cadence.PriceController)
    except msgspec.ValidationError:  # of another version: it is learnt anew within a week
        return None


def pricing(index: IndexPage, settings: Settings, price: float, crawl_delay: float = 0.0) -> cadence.Pricing:
    """What a visit of this index costs at this price, and when it may be; `crawl_delay` is what robots.txt
    asks for, in seconds."""
    o = index.options
    return cadence.Pricing(
        price=price,
        fairness=settings.fairness,
        min_every=settings.min_every if o.min_every is None else o.min_every,
        max_every=settings.max_every if o.max_every is None else o.max_every,
        every=o.every,
        weight=1.0 if o.weight is None else o.weight,
        crawl_delay=crawl_delay,
        hours=open_hours(index, settings),
    )


def open_hours(index: IndexPage, settings: Settings) -> cadence.OpenHours | None:
    """When the index may be visited, on the clock of its zone (UTC where none is known); null: always."""
    text = settings.hours if index.options.hours is None else index.options.hours
    return cadence.parse_hours(text, home_zone(index, settings) or UTC) if text else None


def opening(hours: cadence.OpenHours | None, when: datetime) -> datetime:
    """The first time from `when` on at which visits may be."""
    return when if hours is None else datetime.fromtimestamp(hours.open_at(when.timestamp()), when.tzinfo)


def home_zone(index: IndexPage, settings: Settings) -> tzinfo | None:
    """The zone that was set for the index, or learnt of it, or of its country; null where none is known."""
    name = index.options.timezone or settings.timezone or str(index.learnt.get("timezone", ""))
    return zone_of(name) or country_zone(index.url)
