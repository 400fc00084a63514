"""The status page, as text: what is watched, what needs attention, the latest visits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from html import escape

from recrawler.engine.pulse import Pulse
from recrawler.records import IndexPage, Visit
from recrawler.settings import format_budget
from recrawler.store import SinkState, StoreFigures

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --dim: #888; --bad: #c0392b; --good: #18794e }
@media (prefers-color-scheme: dark) { :root { --bad: #ff7b6b; --good: #4cc38a } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 76rem; padding: 0 1rem }
header { display: flex; align-items: baseline; gap: .8rem } h1 { font-size: 1.4rem; margin: 0 }
h2 { font-size: 1rem; margin: 2rem 0 .4rem } header span { color: var(--dim) }
.cards { display: grid; gap: .6rem; margin-top: 1rem }
.cards { grid-template-columns: repeat(auto-fit, minmax(8.4rem, 1fr)) }
.cards div { background: var(--soft); border-radius: .4rem; padding: .5rem .8rem; color: var(--dim) }
.cards b { display: block; font-size: 1.3rem; color: CanvasText; font-variant-numeric: tabular-nums }
.cards .bad b { color: var(--bad) }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .92rem }
td, th { text-align: left; padding: .3rem .7rem .3rem 0; vertical-align: top; white-space: nowrap }
tr { border-bottom: 1px solid var(--line) } th { color: var(--dim); font-weight: 500 }
td.n { text-align: right; font-variant-numeric: tabular-nums } th.n { text-align: right }
td.u { white-space: normal; overflow-wrap: anywhere; width: 60%; min-width: 12rem }
td small { display: block; color: var(--dim) } a { color: inherit; text-decoration-color: var(--line) }
.clip { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden }
.hint { color: var(--dim); margin: 0 0 .3rem; font-size: .92rem }
@media (max-width: 48rem) { .late { display: none } td.u { min-width: 8rem } td, th { padding-right: .5rem } }
.state { font-weight: 600; color: var(--good) } .bad { color: var(--bad) } .state.bad { color: var(--bad) }
"""
_ABSENT = "-"


def status_page(
    figures: StoreFigures,
    pulse: Pulse,
    indexes: Sequence[IndexPage],
    visits: Sequence[Visit],
    next_due: datetime | None,
    now: datetime,
) -> str:
    """The whole page. `indexes` are those worth showing, `visits` the latest, oldest first."""
    failing = [p for p in indexes if p.state == "active" and (p.failures or p.gap_since)]
    others = [p for p in indexes if p not in failing]
    parts = [
        _header(pulse, now),
        f"<div class=cards>{''.join(_card(*c) for c in _cards(figures, pulse, next_due, now))}</div>",
        "" if indexes else _NOTHING,
        _section("Needs attention", _TROUBLED, (_index_row(p, now, gap=True) for p in failing), _TO_DO),
        _section("Next visits", _PAGES, (_index_row(p, now) for p in others)),
        _section("Latest visits", _VISITS, (_visit_row(v, now) for v in reversed(visits))),
        _section("Sinks", _SINKS, (_sink_row(s, now) for s in figures.sinks)),
    ]
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>recrawler</title>"
        "<meta name=viewport content='width=device-width'><meta http-equiv=refresh content=10>"
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>"
    )


def _header(pulse: Pulse, now: datetime) -> str:
    why = pulse.unready
    state = f"<span class='state bad'>{escape(why)}</span>" if why else "<span class=state>watching</span>"
    return f"<header><h1>recrawler</h1>{state}<span>{now:%Y-%m-%d %H:%M:%S} UTC</span></header>"


def _cards(
    f: StoreFigures, pulse: Pulse, next_due: datetime | None, now: datetime
) -> Iterable[tuple[str, str, bool]]:
    """Figure, name, and whether it is a bad sign."""
    wait = now - next_due if next_due and next_due < now else timedelta(0)
    yield f"{f.active:,}", "index pages" + (f", {f.paused:,} paused" if f.paused else ""), False
    yield f"{pulse.active}", "under way", False
    waits = f", for up to {span(wait)}" if f.overdue else ""
    yield f"{f.overdue:,}", f"overdue{waits}", wait > timedelta(hours=1)
    yield f"{f.gaps:,}", "gaps open", f.gaps > 0
    yield f"{f.failing:,}", "failing", f.failing > 0
    yield f"{f.emitted:,}", "links given out", False
    yield f"{f.visits:,}", "visits made", False
    yield f"{f.size / 1e6:,.1f} MB", "database", False
    if budget := format_budget(pulse.budget):
        yield budget, "budget", False


def _card(figure: str, name: str, bad: bool) -> str:
    return f"<div{' class=bad' if bad else ''}><b>{figure}</b>{name}</div>"


_PAGES = "<th class=n>ID<th>Page<th>Last outcome<th class=late>Last visit<th>Next visit"
_TROUBLED = "<th class=n>ID<th>Page<th>Last outcome<th>Gap since<th class=late>Last visit<th>Next visit"
_VISITS = "<th>When<th class=n>ID<th>Outcome<th>Complete<th class=n>New<th class='n late'>Pages<th>Why"
_TO_DO = "What to do is told by <code>recrawler visits --gaps</code> and <code>recrawler show ID</code>."
_NOTHING = "<p>No index page is watched yet. Add one: <code>recrawler add-index URL</code></p>"
_SINKS = "<th>Sink<th class=n>Pending<th class=n>Dead<th>Oldest<th>Last error"


def _section(title: str, head: str, rows: Iterable[str], hint: str = "") -> str:
    """A table with a heading; nothing where it has no rows."""
    body = "".join(rows)
    if not body:
        return ""
    told = f"<p class=hint>{hint}</p>" if hint else ""
    return f"<h2>{title}</h2>{told}<div class=wide><table><tr>{head}</tr>{body}</table></div>"


def _index_row(p: IndexPage, now: datetime, gap: bool = False) -> str:
    """`gap`: with a column for its open gap."""
    state = "paused" if p.state == "paused" else p.last_outcome or "not visited yet"
    outcome = f"<span class=bad>{state} x{p.failures}</span>" if p.failures else state
    due = _ABSENT if p.state == "paused" else _when(p.next_visit_at, now)
    since = f"<td><span class=bad>{_when(p.gap_since, now)}</span>" if gap else ""
    address = f"<small class=clip>{escape(p.url)}</small>" if p.title else ""
    link = f"<a href='{escape(p.url)}' title='{escape(p.url)}' rel=noreferrer>{escape(p.title or p.url)}</a>"
    name = f"<span class=clip>{link}</span>{address}"
    return (
        f"<tr><td class=n>{p.id}<td class=u>{name}<td>{outcome}{since}"
        f"<td class=late>{_when(p.last_visit_at, now)}<td>{due}</tr>"
    )


def _visit_row(v: Visit, now: datetime) -> str:
    sure = "yes" if v.complete else "<span class=bad>no</span>"
    why = v.warnings[0].removeprefix(f"{v.url}: ") if v.warnings else next((s.why for s in v.series), "")
    return (
        f"<tr><td>{_when(v.started_at, now)}<td class=n>{v.index}<td>{v.outcome}<td>{sure}"
        f"<td class=n>{len(v.new)}<td class='n late'>{len(v.pages)}<td class=u>{escape(why)}</tr>"
    )


def _sink_row(s: SinkState, now: datetime) -> str:
    dead = f"<span class=bad>{s.dead:,}</span>" if s.dead else "0"
    return (
        f"<tr><td>{escape(s.sink)}<td class=n>{s.pending:,}<td class=n>{dead}<td>{_when(s.oldest, now)}"
        f"<td class=u>{escape(s.error or '')}</tr>"
    )


def _when(when: datetime | None, now: datetime) -> str:
    """A moment as its distance from now, with the time itself where one points at it."""
    if when is None:
        return _ABSENT
    text = f"in {span(when - now)}" if when > now else f"{span(now - when)} ago"
    return f"<time title='{when:%Y-%m-%d %H:%M:%S}Z'>{text}</time>"


def span(length: timedelta) -> str:
    """A length of time to two digits or so: `12 s`, `5 min`, `3 h`, `4 days`."""
    seconds = length.total_seconds()
    for unit, size in (("days", 86_400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
