"""The store against a model in plain Python: any sequence of calls, the same answers."""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from recrawler.records import FoundLink, IndexPage
from recrawler.store import Claim
from recrawler.store.sqlite import SqliteStore
from tests.visiting import DAY, HOUR, LEASE, NOW, add, link, result

SINKS = ("s", "t")
SLUGS = "abcdefg"
Found = tuple[list[str], dict[str, Any]]
FOUND = st.tuples(
    st.lists(st.sampled_from(SLUGS), max_size=5),
    st.fixed_dictionaries(
        {
            "status": st.sampled_from(["new", "new", "new", "baseline", "backdated", "updated"]),
            "listing": st.sampled_from(["main", "main", "side"]),
            "admitted": st.sampled_from([True, True, True, False]),
        }
    ),
)


@dataclasses.dataclass
class Model:
    """One index page, as the model sees it."""

    page: IndexPage
    state: str = "active"
    due: datetime | None = NOW
    held_until: datetime | None = None
    visits: int = 0
    gap: bool = False
    seen: dict[tuple[str, str], datetime] = dataclasses.field(
        default_factory=dict
    )  # in the history, when last
    buried: set[tuple[str, str]] = dataclasses.field(default_factory=set)


class StoreMachine(RuleBasedStateMachine):
    """Two stores on one file, used in turns, as the daemon and a command would."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.stores = [SqliteStore(self.folder / "x.db", create=True), SqliteStore(self.folder / "x.db")]
        self.now = NOW
        self.indexes: dict[int, Model] = {}
        self.claims: list[tuple[Claim, bool]] = []  # and whether the model thinks it good
        self.emitted: list[FoundLink] = []
        self.outbox: dict[str, list[tuple[str, int, datetime | None, bool]]] = {s: [] for s in SINKS}
        self.number = 0

    @property
    def store(self) -> SqliteStore:
        self.stores.reverse()
        return self.stores[0]

    def teardown(self) -> None:
        assert self.store.check() == []
        for store in self.stores:
            store.close()
        shutil.rmtree(self.folder)

    # index pages

    @initialize()
    def begin(self) -> None:
        self.add(0)
        self.add(1)

    @rule(host=st.integers(0, 2))
    def add(self, host: int) -> None:
        self.number += 1
        page = add(self.store, f"n{self.number}", self.now, host=f"h{host}.example")
        self.indexes[page.id] = Model(page, due=self.now)

    def pick(self, data: Any) -> Model:
        return self.indexes[data.draw(st.sampled_from(sorted(self.indexes)))]

    @precondition(lambda self: self.indexes)
    @rule(data=st.data(), state=st.sampled_from(["active", "paused"]), hours=st.integers(-3, 3))
    def set_state(self, data: Any, state: str, hours: int) -> None:
        model = self.pick(data)
        model.state, model.due = state, self.now + hours * HOUR
        assert self.store.set_state(model.page.id, state, model.due)

    @precondition(lambda self: len(self.indexes) > 1)
    @rule(data=st.data())
    def remove(self, data: Any) -> None:
        gone = self.pick(data).page.id
        assert self.store.remove_index(gone)
        del self.indexes[gone]
        ids = {x.event_id for x in self.emitted if x.index == gone}
        self.emitted = [x for x in self.emitted if x.index != gone]
        for sink in SINKS:
            self.outbox[sink] = [x for x in self.outbox[sink] if x[0] not in ids]

    @rule(hours=st.integers(0, 5))
    def pass_time(self, hours: int) -> None:
        self.now += hours * HOUR + timedelta(seconds=1)

    # visits

    def is_held(self, model: Model) -> bool:
        return model.held_until is not None and model.held_until > self.now

    def hold(self, claim: Claim) -> None:
        self.claims = [(c, good and c.index.id != claim.index.id) for c, good in self.claims]
        self.claims.append((claim, True))
        self.indexes[claim.index.id].held_until = self.now + timedelta(seconds=LEASE)

    @rule(limit=st.integers(1, 3), busy=st.sets(st.integers(0, 2), max_size=1))
    def claim_due(self, limit: int, busy: set[int]) -> None:
        taken = {f"h{n}.example" for n in busy}
        taken |= {m.page.url.split("/")[2] for m in self.indexes.values() if self.is_held(m)}
        expected = []
        due = [m for m in self.indexes.values() if m.state == "active" and m.due and m.due <= self.now]
        for model in sorted(due, key=lambda m: (m.due, m.page.id)):
            host = model.page.url.split("/")[2]
            if not self.is_held(model) and host not in taken and len(expected) < limit:
                taken.add(host)
                expected.append(model.page.id)
        claims = self.store.claim_due(self.now, limit, LEASE, [f"h{n}.example:443" for n in busy])
        assert [c.index.id for c in claims] == expected
        for claim in claims:
            self.hold(claim)

    @precondition(lambda self: self.indexes)
    @rule(data=st.data())
    def claim(self, data: Any) -> None:
        self.claim_one(self.pick(data))

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def release(self, data: Any) -> None:
        claim, good = self.claims.pop(data.draw(st.integers(0, len(self.claims) - 1)))
        good = good and claim.index.id in self.indexes
        assert self.store.release(claim, self.now + HOUR) == good
        if good:
            model = self.indexes[claim.index.id]
            model.due, model.held_until = self.now + HOUR, None

    @precondition(lambda self: self.claims)
    @rule(data=st.data(), found=FOUND, gap=st.booleans())
    def finish(self, data: Any, found: Found, gap: bool) -> None:
        claim, good = self.claims.pop(data.draw(st.integers(0, len(self.claims) - 1)))
        self.finish_one(claim, good and claim.index.id in self.indexes, found, gap)

    def finish_one(self, claim: Claim, good: bool, found: Found, gap: bool) -> None:
        slugs, fields = found
        page = claim.index
        rows = [link(page, s, self.now, rank=n, **fields) for n, s in enumerate(slugs, 1)]
        done = result(claim, rows, when=self.now, gap=gap)
        assert self.store.finish(claim, done, SINKS) == good
        if good:
            self.note(self.indexes[page.id], claim, rows, gap)

    @precondition(lambda self: self.indexes)
    @rule(data=st.data(), found=FOUND, gap=st.booleans(), late=st.booleans())
    def visit(self, data: Any, found: Found, gap: bool, late: bool) -> None:
        """A whole visit; `late`: its lease ends, and somebody else claims the index, before it does."""
        self.now += HOUR
        model = self.pick(data)
        self.claim_one(model)
        claim, _ = self.claims.pop()
        if late:
            self.now += HOUR
            self.claim_one(model)
        self.finish_one(claim, not late, found, gap)

    def claim_one(self, model: Model) -> None:
        claim = self.store.claim(model.page.id, self.now, LEASE)
        assert (claim is None) == self.is_held(model)
        if claim is not None:
            self.hold(claim)

    def note(self, model: Model, claim: Claim, found: list[FoundLink], gap: bool) -> None:
        """The model's own reading of what `Store.finish` promises."""
        fresh: dict[tuple[str, str], FoundLink] = {}
        for one in found:
            place = (one.listing, one.key)
            known = place in model.seen or place in model.buried
            if place not in fresh and (not known or one.status == "updated"):
                fresh[place] = one
        given = [x for x in fresh.values() if x.admitted and x.status != "baseline"]
        given.sort(key=lambda x: -x.rank)
        self.emitted += given
        for sink in SINKS:
            self.outbox[sink] += [(x.event_id, 0, None, False) for x in given]
        for one in found:
            place = (one.listing, one.key)
            if place in model.seen or place in fresh:
                model.seen[place] = self.now
        model.visits, model.gap, model.held_until = model.visits + 1, gap, None
        later = self.now + HOUR
        moved = model.due is not None and model.due != claim.index.next_visit_at
        model.due = min(later, model.due) if moved and model.due else later

    @precondition(lambda self: any(m.seen for m in self.indexes.values()))
    @rule(days=st.integers(1, 3))
    def prune(self, days: int) -> None:
        self.now += DAY
        self.store.prune(self.now, history_days=days)
        for model in self.indexes.values():
            for listing in ("main", "side"):
                seen = {p: at for p, at in model.seen.items() if p[0] == listing}
                last = max(seen.values(), default=self.now)
                # A sighting within the hour of the last one written may not be written: stay off the edge.
                old = {p for p, at in seen.items() if last - at > days * DAY + HOUR}
                new = {p for p, at in seen.items() if last - at < days * DAY - HOUR}
                rows = self.store._db.read(
                    "SELECT key FROM links WHERE index_id = ? AND listing = ?", (model.page.id, listing)
                )
                kept = {(listing, row[0]) for row in rows}
                assert new <= kept
                assert not old & kept
                for place in set(seen) - kept:
                    del model.seen[place]
                    model.buried.add(place)

    # sinks

    @rule(
        sink=st.sampled_from(SINKS),
        fate=st.sampled_from(["taken", "taken", "later", "dead", "crash"]),
        limit=st.integers(1, 4),
    )
    def deliver(self, sink: str, fate: str, limit: int) -> None:
        items = self.store.pending(sink, self.now, limit)
        ids = {x.id for x in items}
        if fate == "taken":
            self.store.delivered(sink, [x.seq for x in items])
            self.outbox[sink] = [x for x in self.outbox[sink] if x[0] not in ids]
        elif fate in ("later", "dead"):
            retry = self.now + HOUR if fate == "later" else None
            self.store.failed(sink, [x.seq for x in items], "why", retry)
            self.outbox[sink] = [
                (i, n + 1, retry, fate == "dead") if i in ids else (i, n, at, dead)
                for i, n, at, dead in self.outbox[sink]
            ]

    @rule(sink=st.sampled_from(SINKS))
    def revive(self, sink: str) -> None:
        assert self.store.revive(sink) == sum(dead for *_, dead in self.outbox[sink])
        self.outbox[sink] = [
            (i, 0, None, False) if dead else (i, n, at, dead) for i, n, at, dead in self.outbox[sink]
        ]

    @rule()
    def reopen(self) -> None:
        self.stores[1].close()
        self.stores[1] = SqliteStore(self.folder / "x.db")

    # what must hold at any time

    @invariant()
    def same_index_pages(self) -> None:
        stored = {p.id: (p.state, p.next_visit_at, p.visits) for p in self.store.indexes()}
        assert stored == {i: (m.state, m.due, m.visits) for i, m in self.indexes.items()}

    @invariant()
    def same_links(self) -> None:
        got = [x for _, x in self.store.links(after=0)]
        assert [x.event_id for x in got] == [x.event_id for x in self.emitted]
        printed = [x.event_id for _, x in self.store.links()]
        assert sorted(printed) == sorted(x.event_id for x in self.emitted)
        assert got == self.emitted

    @invariant()
    def same_history(self) -> None:
        for model in self.indexes.values():
            keys = {s: link(model.page, s).key for s in SLUGS}
            for listing in ("main", "side"):
                known = self.store.known(model.page.id, listing, keys.values())
                expected = {
                    k for place_listing, k in model.seen.keys() | model.buried if place_listing == listing
                }
                assert known.keys() == expected

    @invariant()
    def same_outbox(self) -> None:
        index_of = {x.event_id: x.index for x in self.emitted}
        for sink in SINKS:
            waiting = {index_of[i] for i, _, at, _ in self.outbox[sink] if at is not None and at > self.now}
            expected = [
                (i, n) for i, n, _, dead in self.outbox[sink] if not dead and index_of[i] not in waiting
            ]
            assert [(x.id, x.attempts) for x in self.store.pending(sink, self.now, 1000)] == expected

    @invariant()
    def same_gaps(self) -> None:
        gaps = {v.index: v.number for v in self.store.visits(gaps=True)}
        assert gaps == {i: m.visits for i, m in self.indexes.items() if m.gap and m.visits}


TestStore = StoreMachine.TestCase
TestStore.settings = settings(
    max_examples=20, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
