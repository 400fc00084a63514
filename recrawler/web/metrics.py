"""The figures in the text format of Prometheus."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from datetime import datetime

from recrawler.engine.pulse import LATE, Pulse
from recrawler.records import share_found
from recrawler.store import StoreFigures

Values = Iterable[tuple[str, float]]  # labels and value


def metrics(f: StoreFigures, pulse: Pulse, next_due: datetime | None, now: datetime) -> str:
    """What a scrape gets: figures of the store, and of this process since it started."""
    lines = [*_stored(f, next_due, now), *_process(pulse), *_late(pulse)]
    return "\n".join(lines) + "\n"


def _stored(f: StoreFigures, next_due: datetime | None, now: datetime) -> Iterator[str]:
    wait = max((now - next_due).total_seconds(), 0.0) if next_due else 0.0
    states = [(_labels(state="active"), f.active), (_labels(state="paused"), f.paused)]
    yield from _family("indexes", "gauge", "Index pages by state", states)
    yield from _family("overdue", "gauge", "Index pages whose visit is due", [("", f.overdue)])
    yield from _family("overdue_longest_seconds", "gauge", "How long the first of them is due", [("", wait)])
    yield from _family("gaps_open", "gauge", "Index pages with an open gap", [("", f.gaps)])
    yield from _family("failing", "gauge", "Index pages whose last visit failed", [("", f.failing)])
    by_host = [(_labels(host=host, outcome=outcome), n) for host, outcome, n in f.failing_hosts]
    yield from _family(
        "failing_by_host", "gauge", "Those whose last visit failed, by host and outcome", by_host
    )
    yield from _family("hosts_resting", "gauge", "Hosts that are left alone for a while", [("", f.resting)])
    yield from _family("history_links", "gauge", "Links in the history", [("", f.links)])
    yield from _family("database_bytes", "gauge", "Size of the database", [("", f.size)])
    pending = [(_labels(sink=s.sink), s.pending) for s in f.sinks]
    dead = [(_labels(sink=s.sink), s.dead) for s in f.sinks]
    yield from _family("outbox_pending", "gauge", "Events that a sink has not got", pending)
    yield from _family("outbox_dead", "gauge", "Events that a sink refused", dead)
    yield from _family("visits_total", "counter", "Visits written", [("", f.visits)])
    yield from _family("links_emitted_total", "counter", "Links given out", [("", f.emitted)])
    recall = share_found(f.found, f.late, f.audits)
    told = [] if recall is None else [("", recall)]
    yield from _family("recall", "gauge", "Share of the links that visits found without an audit", told)
    yield from _family("links_found_total", "counter", "Links found after first visits", [("", f.found)])
    yield from _family("links_late_total", "counter", "Links that only an audit found", [("", f.late)])
    yield from _family("audits_total", "counter", "Audits made", [("", f.audits)])


def _process(p: Pulse) -> Iterator[str]:
    outcomes = [(_labels(outcome=name), count) for name, count in sorted(p.outcomes.items())]
    yield from _family("ready", "gauge", "Whether index pages are visited at present", [("", not p.unready)])
    yield from _family("visiting", "gauge", "Visits under way", [("", p.active)])
    yield from _family("tick_age_seconds", "gauge", "Since the last look at the schedule", [("", p.silence)])
    yield from _family("ticks_total", "counter", "Looks at the schedule", [("", p.ticks)])
    yield from _family("jobs_missed_total", "counter", "Runs of jobs left out", [("", p.missed)])
    yield from _family("jobs_failed_total", "counter", "Jobs that ended with an error", [("", p.failed)])
    yield from _family("visits_broken_total", "counter", "Visits that came to nothing", [("", p.broken)])
    yield from _family("requests_total", "counter", "Requests of visits", [("", p.requests)])
    price = [("", float(p.price))]
    yield from _family("price", "gauge", "Link-seconds of delay that a request is worth", price)
    if 0.0 < p.budget < math.inf:
        yield from _family("budget", "gauge", "Requests an hour that may be made", [("", float(p.budget))])
    yield from _family("visit_outcomes_total", "counter", "Visits by outcome", outcomes)


def _late(p: Pulse) -> Iterator[str]:
    """A histogram: how long after they were due visits began."""
    bounds = [f"{bound:g}" for bound in LATE] + ["+Inf"]
    sums = [sum(p.late[: n + 1]) for n in range(len(bounds))]
    buckets = [(_labels(le=bound), count) for bound, count in zip(bounds, sums, strict=True)]
    head = ("late_seconds", "histogram", "How long after they were due visits began")
    yield from _family(*head, buckets, suffix="_bucket")
    yield f"recrawler_late_seconds_sum {_number(p.late_sum)}"
    yield f"recrawler_late_seconds_count {sums[-1]}"


def _family(name: str, kind: str, about: str, values: Values, suffix: str = "") -> Iterator[str]:
    yield f"# HELP recrawler_{name} {about}"
    yield f"# TYPE recrawler_{name} {kind}"
    for labels, value in values:
        yield f"recrawler_{name}{suffix}{labels} {_number(value)}"


def _number(value: float) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(int(value))


def _labels(**named: str) -> str:
    pairs = (f'{key}="{_escaped(value)}"' for key, value in named.items())
    return f"{{{','.join(pairs)}}}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
