"""Run folders of conformance case files through the public functions: `benchmarks/conformance.py DIR...`.

Prints passed/total per file, then each failure; exit status 1 where one failed. A file is told by its name
(`robots_google_cases.json`, also with a prefix or suffix) or, failing that, by the shape of its content.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from recrawler import conformance as c
from recrawler.crawluri import FetchStatus, Hop

Result = tuple[str, object, object]  # what was asked, expected, got
Case = dict[str, Any]


def got(function: Callable[..., Any], *args: Any) -> Any:
    """What a function gives, or its error as text: one broken case must not hide the others."""
    try:
        return function(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


def follow_policy(data: Case) -> Iterator[Result]:
    for group in data["groups"]:
        config, name = group["config"], group["id"]
        errors = got(c.follow_errors, config)
        if "error" in group or errors:
            yield name, sorted(group.get("error", [])), errors
            continue
        yield f"{name} warnings", sorted(group.get("warnings", [])), c.follow_warnings(config)
        for case in group.get("cases", []):
            yield f"{name} {case['url']}", case["follow"], got(c.follows, config, case["url"])


def scope(data: Case) -> Iterator[Result]:
    for group in data.get("groups", []):
        for case in group["cases"]:
            inside = got(c.in_scope, group["scope"], case["url"], case["depth"])
            yield f"{group['id']} {case['url']} {case['depth']}", case["contains"], inside
    for case in data.get("validation", []):
        errors = got(c.scope_errors, case["scope"])
        yield case["id"], sorted(case.get("error", [])), errors
        if not errors:
            yield f"{case['id']} warnings", sorted(case.get("warning", [])), c.scope_warnings(case["scope"])
    for case in data.get("max_to_crawl", []):
        offered = case.get("offered", [f"u{n}" for n in range(case.get("links_per_page", 10))])
        want = case.get("fetched", offered if case["max_to_crawl"] is None else None)
        yield case["id"], want, got(c.max_to_crawl, case["max_to_crawl"], offered)


def crawluri(data: Case) -> Iterator[Result]:
    for letter, name in data.get("hops", {}).items():
        yield f"hop {letter}", letter in [h.value for h in Hop], True
        known = name.split()[0]
        if known.isupper():
            yield f"hop {letter} {known}", letter, Hop[known].value
    for name, code in data.get("fetch_status_codes", {}).items():
        yield name, code, int(FetchStatus[name.removeprefix("S_")])
    for case in data.get("queue_order", []):
        yield f"order: {case['why']}", case["sooner"], got(c.sooner, case["first"], case["second"])
    for case in data["cases"]:
        facts = got(c.run_ops, case["given"], case["ops"])
        for name, want in case["expect"].items():
            found = facts.get(name, "no such attribute") if isinstance(facts, dict) else facts
            yield f"{case['id']} {name}", want, found


def canonical(data: Case) -> Iterator[Result]:
    for case in data["cases"]:
        a, b = case["a"], case["b"]
        merged = case["relation"] == "same" or case.get("default") == "same"
        yield case["id"], merged, got(c.same_page, a, b)
        if case["relation"] == "option":
            yield f"{case['id']} toggled", not merged, got(c.same_page, a, b, case["options"])


def psl(data: Case) -> Iterator[Result]:
    for case in data["cases"]:
        yield str(case["host"]), case["registrable"], got(c.registrable, case["host"])


def urltestdata(data: list[Any]) -> Iterator[Result]:
    for case in data:
        if isinstance(case, str):
            continue
        name = f"{case['input']!r} on {case['base']!r}"
        if case.get("failure"):
            yield name, None, c.url_parts(case["input"], case["base"])
            continue
        parts = c.url_parts(case["input"], case["base"]) or {}
        want = {k: case[k] for k in parts if k in case} or case["href"]
        yield name, want, {k: v for k, v in parts.items() if k in case}


def percent_encoding(data: list[Any]) -> Iterator[Result]:
    for case in data:
        if isinstance(case, dict):
            for encoding, want in case["output"].items():
                yield f"{case['input']!r} in {encoding}", want, got(c.query_in, case["input"], encoding)


def robots_google(data: Case) -> Iterator[Result]:
    for case in data["cases"]:
        exact = case.get("robotstxt_latin1")
        body = exact.encode("latin-1") if exact is not None else case["robotstxt"].encode()
        want = case.get("rfc9309_allowed", case["allowed"])
        yield case["id"], want, got(c.robots_allowed, body, case["user_agent"], case["url"])


def robots_fetch(data: Case) -> Iterator[Result]:
    for case in data["cases"]:
        answer = got(c.robots_access, case["responses"], case["url"], case.get("at_h", 0))
        allowed, fetches = answer if isinstance(answer, tuple) else (answer, answer)
        yield case["id"], case["allowed"], None if case["allowed"] is None else allowed
        if "fetches" in case:
            yield f"{case['id']} fetches", case["fetches"], fetches


def ssrf(data: Case) -> Iterator[Result]:
    for case in data.get("addresses", []):
        yield case["address"], case["allowed"], got(c.address_allowed, case["address"])
    for case in data.get("hosts", []):
        yield case["url"], [case["host"], case["allowed"]], list(got(c.host_allowed, case["url"]))


RUNNERS: dict[str, Callable[[Any], Iterator[Result]]] = {
    "follow_policy": follow_policy,
    "scope": scope,
    "crawluri": crawluri,
    "canonical": canonical,
    "psl": psl,
    "urltestdata": urltestdata,
    "percent-encoding": percent_encoding,
    "robots_google": robots_google,
    "robots_fetch": robots_fetch,
    "ssrf": ssrf,
}


def _by_shape(data: Any) -> Callable[[Any], Iterator[Result]] | None:
    if isinstance(data, list):
        rows = [r for r in data if isinstance(r, dict)]
        return (percent_encoding if "output" in rows[0] else urltestdata) if rows else None
    if "addresses" in data or "hosts" in data:
        return ssrf
    if data.get("groups"):
        return follow_policy if "config" in data["groups"][0] else scope
    marks = {"relation": canonical, "ops": crawluri, "registrable": psl, "responses": robots_fetch}
    marks |= {"robotstxt": robots_google, "robotstxt_latin1": robots_google}
    first = (data.get("cases") or [{}])[0]
    return next((run for mark, run in marks.items() if mark in first), None)


def run_file(path: Path) -> list[Result] | None:
    """Every result of a file, or None when it is no case file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    named = next((run for name, run in RUNNERS.items() if name in path.name), None)
    run = named or _by_shape(data)
    return None if run is None else list(run(data))


def main(folders: list[str]) -> int:
    failed = 0
    if not folders:
        print(__doc__)
        return 2
    for path in sorted(p for f in folders for p in Path(f).rglob("*.json")):
        results = run_file(path)
        if results is None:
            print(f"{path.name}: not a case file")
            continue
        bad = [r for r in results if r[1] != r[2]]
        print(f"{path.name}: {len(results) - len(bad)}/{len(results)}")
        for what, want, got in bad:
            print(f"    {what}: expected {want!r}, got {got!r}")
        failed += len(bad)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
