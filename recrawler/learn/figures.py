"""How good analyses are against labels: the figures that `recrawler evaluate` prints.

older    the followable link to older items is right, or there is none and none was given; where the pager is
         script, no link is right and so is the URL that the script would go to
block    F1 between each labelled list and the listing that fits it best; the share of 0.8 and better; exact
roles    F1 of next, prev and page links over the bars of a page (first and last count as page)
order    lists labelled sorted or unsorted: right verdicts, and unsorted ones called sorted
kind     index or not
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urldefrag, urljoin

from recrawler.learn.corpus import INDEX, NOT_INDEX, Labelled

ROLES = ("next", "prev", "page")


@dataclass(slots=True)
class Figures:
    """Counts, from which `lines` and `values` are made. `errors` name pages and what was wrong with them."""

    pages: int = 0
    older: Counter[bool] = field(default_factory=Counter)
    older_index: Counter[bool] = field(default_factory=Counter)
    script: Counter[bool] = field(default_factory=Counter)
    blocks: list[float] = field(default_factory=list)
    exact: int = 0
    roles: dict[str, Counter[str]] = field(default_factory=lambda: {r: Counter() for r in ROLES})
    order: Counter[tuple[str, str]] = field(default_factory=Counter)
    kind: Counter[bool] = field(default_factory=Counter)
    ms: list[float] = field(default_factory=list)
    errors: list[tuple[str, str]] = field(default_factory=list)

    def values(self) -> dict[str, float]:
        """The figures by name, 0..1; those without any case are left out."""
        out = {
            "older": _share(self.older),
            "older_index": _share(self.older_index),
            "kind": _share(self.kind),
        }
        if self.blocks:
            out["block_f1"] = statistics.mean(self.blocks)
            out["block_good"] = sum(b >= 0.8 for b in self.blocks) / len(self.blocks)
            out["block_exact"] = self.exact / len(self.blocks)
        for role, c in self.roles.items():
            out[f"role_{role}"] = _f1(c["tp"], c["fp"], c["fn"]) if c else None
        told = sum(self.order.values())
        if told:
            out["order"] = (self.order["yes", "yes"] + self.order["no", "no"]) / told
        return {name: value for name, value in out.items() if value is not None}

    def lines(self) -> list[str]:
        """The figures for people."""
        v = self.values()
        out = [f"pages {self.pages}"]
        for name, label, counts in (
            ("older", "older link, all pages  ", self.older),
            ("older_index", "older link, index pages", self.older_index),
        ):
            if name in v:
                out.append(f"{label} {v[name]:.3f} ({counts[True]}/{sum(counts.values())})")
        if self.script:
            out.append(f"script pagers worked out {self.script[True]}/{sum(self.script.values())}")
        if self.blocks:
            out.append(
                f"link block: lists {len(self.blocks)}  mean F1 {v['block_f1']:.3f}  "
                f"F1>=.8 {v['block_good']:.3f}  exact {v['block_exact']:.3f}"
            )
        for role, c in self.roles.items():
            p, r = c["tp"] / max(1, c["tp"] + c["fp"]), c["tp"] / max(1, c["tp"] + c["fn"])
            out.append(f"role {role:<5} P {p:.3f}  R {r:.3f}  F1 {_f1(c['tp'], c['fp'], c['fn']):.3f}")
        if "order" in v:
            harm = self.order["no", "yes"]
            out.append(f"order: right {v['order']:.3f}  unsorted called sorted {harm}")
        if "kind" in v:
            out.append(f"kind: right {v['kind']:.3f} ({self.kind[True]}/{sum(self.kind.values())})")
        if self.ms:
            ms = sorted(self.ms)
            out.append(f"ms a page: median {statistics.median(ms):.1f}  p95 {ms[int(len(ms) * 0.95)]:.1f}")
        return out


def evaluate(pages: Sequence[Labelled], analyses: Sequence[Mapping[str, Any]]) -> Figures:
    """The figures of analyses (in the inspect contract's JSON shape), one for each page."""
    out = Figures(pages=len(pages))
    for page, found in zip(pages, analyses, strict=True):
        listings = found.get("listings") or []
        main = found.get("main")
        chosen = listings[main] if isinstance(main, int) else listings[0] if listings else {}
        _older(out, page, chosen)
        _blocks(out, page, listings)
        _roles(out, page, listings)
        said = found.get("kind") == "index"
        if page.row["kind"] in INDEX | NOT_INDEX:
            out.kind[said == (page.row["kind"] in INDEX)] += 1
        if isinstance(found.get("ms"), (int, float)):
            out.ms.append(found["ms"])
    return out


def _older(out: Figures, page: Labelled, chosen: Mapping[str, Any]) -> None:
    truth = page.row["older"]
    wanted = [] if truth.get("js_only") else [_absolute(page, h) for h in truth["href"]]
    given = chosen.get("older")
    right = any(_same(given, w) for w in wanted) if wanted else given is None
    if truth.get("js_only") and page.row.get("script_next"):
        worked_out = _same(given, _absolute(page, page.row["script_next"]))
        out.script[worked_out] += 1
        right = right or worked_out
    out.older[right] += 1
    if page.row["kind"] in INDEX:
        out.older_index[right] += 1
    if not right:
        out.errors.append((page.row["id"], f"older: {given!r}, wanted {wanted[:2]!r}"))


def _blocks(out: Figures, page: Labelled, listings: Sequence[Mapping[str, Any]]) -> None:
    sets = [{urldefrag(x["href"])[0] for x in (one.get("block") or {}).get("links", ())} for one in listings]
    for block in page.row.get("blocks", ()):
        if block.get("doubtful"):
            continue
        want = {urldefrag(_absolute(page, a["href"]))[0] for a in block["articles"]}
        best = max((_f1(len(want & s), len(s - want), len(want - s)) for s in sets), default=0.0)
        out.blocks.append(best)
        out.exact += any(s == want for s in sets)
        if best < 0.8:
            out.errors.append((page.row["id"], f"block F1 {best:.2f} of {len(want)} links"))
        if block.get("time_sorted") in ("yes", "no") and sets:
            fits = max(range(len(sets)), key=lambda i: len(want & sets[i]))
            verdict = (listings[fits].get("order") or {}).get("verdict", "unknown")
            said = {"newest-first": "yes", "oldest-first": "yes", "unsorted": "no"}.get(verdict, "unknown")
            out.order[block["time_sorted"], said] += 1


def _roles(out: Figures, page: Labelled, listings: Sequence[Mapping[str, Any]]) -> None:
    labels = page.row["labels"]
    wanted = {(x["label"].lower(), _absolute(page, x["href"])) for x in labels if x["scope"] == "bar"}
    inline = {_absolute(page, x["href"]) for x in labels if x["scope"] != "bar"}
    given = set()
    for one in listings:
        for link in (one.get("bar") or {}).get("links", ()):
            role = "page" if link.get("role") in ("first", "last") else link.get("role")
            if role in ROLES and link.get("href") and link["href"] not in inline:
                given.add((role, link["href"]))
    for role in ROLES:
        want = {u for r, u in wanted if r == role}
        got = {u for r, u in given if r == role}
        hit = sum(any(_same(a, b) for b in want) for a in got)
        missed = sum(not any(_same(a, b) for a in got) for b in want)
        out.roles[role].update(tp=hit, fp=len(got) - hit, fn=missed)
        if missed or hit < len(got):
            out.errors.append((page.row["id"], f"{role}: {len(got) - hit} too many, {missed} missed"))


def _absolute(page: Labelled, href: str) -> str:
    try:
        return urljoin(page.doc.base_url, href.strip())
    except ValueError:
        return href


def _same(a: str | None, b: str) -> bool:
    return a is not None and _spelling(a) == _spelling(b)


def _spelling(url: str) -> str:
    """Spellings that labels and analyses may differ in."""
    return url.replace("%20", " ").rstrip("#").replace("&amp;", "&").rstrip("/")


def _f1(tp: int, fp: int, fn: int) -> float:
    return 2 * tp / (2 * tp + fp + fn) if tp else 0.0


def _share(counts: Counter[bool]) -> float | None:
    total = sum(counts.values())
    return counts[True] / total if total else None
