"""The status page and the metrics, as text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from html import escape

from recrawler.records import IndexPage, Visit, share_found
from recrawler.store import StoreFigures

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: .3rem .6rem; vertical-align: top }
tr { border-bottom: 1px solid #e3e6e8 } th { color: #60666c; font-weight: 500 }
td.u { overflow-wrap: anywhere } .bad { color: #b42318; font-weight: 600 } .ok { color: #18794e }
.cards { display: flex; flex-wrap: wrap; gap: .8rem } .cards div { background: #f4f6f7; padding: .6rem 1rem }
.cards b { display: block; font-size: 1.3rem }
"""


def status_page(
    figures: StoreFigures, indexes: Sequence[IndexPage], visits: Sequence[Visit], now: datetime
) -> str:
    """What is watched, what needs attention, and the latest visits, newest first."""
    cards = (
        ("active", figures.active), ("paused", figures.paused), ("overdue", figures.overdue),
        ("gaps open", figures.gaps), ("failing", figures.failing), ("links emitted", figures.emitted),
    )  # fmt: skip
    boxes = "".join(f"<div><b>{n}</b>{name}</div>" for name, n in cards)
    worst_first = sorted(indexes, key=lambda p: (-p.failures, p.gap_since is None, p.id))
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>recrawler</title>"
        f"<meta name=viewport content='width=device-width'><meta http-equiv=refresh content=10>"
        f"<style>{_STYLE}</style></head><body><h1>recrawler</h1><div class=cards>{boxes}</div>"
        f"<h2>Index pages</h2><table><tr><th>ID<th>Page<th>Last outcome<th>Gap<th>Next visit</tr>"
        f"{''.join(_index_row(p, now) for p in worst_first[:500])}</table>"
        f"<h2>Latest visits</h2><table><tr><th>When<th>ID<th>Outcome<th>Complete<th>New<th>Pages<th>Why</tr>"
        f"{''.join(_visit_row(v) for v in reversed(visits))}</table></body></html>"
    )


def _index_row(p: IndexPage, now: datetime) -> str:
    state = "paused" if p.state == "paused" else p.last_outcome or "not visited yet"
    kind = "bad" if p.failures else "ok"
    waits = p.next_visit_at is None or p.state == "paused"
    due = "-" if waits else f"{p.next_visit_at:%Y-%m-%d %H:%M:%SZ}"
    gap = f"<span class=bad>since {p.gap_since:%m-%d %H:%M}Z</span>" if p.gap_since else ""
    name = escape(p.title or p.url)
    link = f"<a href='{escape(p.url)}'>{name}</a>"
    return f"<tr><td>{p.id}<td class=u>{link}<td class={kind}>{state}<td>{gap}<td>{due}</tr>"


def _visit_row(v: Visit) -> str:
    sure = "<span class=ok>yes</span>" if v.complete else "<span class=bad>no</span>"
    why = v.warnings[0] if v.warnings else next((s.why for s in v.series), "")
    return (
        f"<tr><td>{v.started_at:%m-%d %H:%M:%S}Z<td>{v.index}<td>{v.outcome}<td>{sure}<td>{len(v.new)}"
        f"<td>{len(v.pages)}<td class=u>{escape(why)}</tr>"
    )


def metrics(f: StoreFigures) -> str:
    """The figures in Prometheus' text format."""
    recall = share_found(f.found, f.late, f.audits)
    gauges: tuple[tuple[str, str, list[tuple[str, float]]], ...] = (
        ("indexes", "Index pages by state", [('{state="active"}', f.active), ('{state="paused"}', f.paused)]),
        ("overdue", "Index pages whose visit is due", [("", f.overdue)]),
        ("visiting", "Index pages being visited", [("", f.leased)]),
        ("gaps_open", "Index pages with an open gap", [("", f.gaps)]),
        ("failing", "Index pages whose last visit failed", [("", f.failing)]),
        ("history_links", "Links in the history", [("", f.links)]),
        ("database_bytes", "Size of the database", [("", f.size)]),
        (
            "failing_by_host",
            "Index pages whose last visit failed, by host and outcome",
            [(f'{{host="{_label(h)}",outcome="{o}"}}', n) for h, o, n in f.failing_hosts],
        ),
        ("recall", "Share of the links that visits found without an audit", [("", recall)] if recall else []),
        ("outbox_pending", "Events that a sink has not got", [(_sink(s.sink), s.pending) for s in f.sinks]),
        ("outbox_dead", "Events that a sink refused", [(_sink(s.sink), s.dead) for s in f.sinks]),
    )
    counters = (
        ("visits", "Visits written", f.visits),
        ("links_emitted", "Links given out", f.emitted),
        ("links_found", "Links found after first visits", f.found),
        ("links_late", "Links that only an audit found", f.late),
        ("audits", "Audits made", f.audits),
    )
    lines: list[str] = []
    for name, about, values in gauges:
        lines += [f"# HELP recrawler_{name} {about}", f"# TYPE recrawler_{name} gauge"]
        lines += [f"recrawler_{name}{labels} {value}" for labels, value in values]
    for name, about, value in counters:
        lines += [f"# HELP recrawler_{name}_total {about}", f"# TYPE recrawler_{name}_total counter"]
        lines.append(f"recrawler_{name}_total {value}")
    return "\n".join(lines) + "\n"


def _sink(name: str) -> str:
    return f'{{sink="{_label(name)}"}}'


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
