"""Every option of an index can be set, changed and taken back while it is watched."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from recrawler.cli import run
from recrawler.records import IndexOptions

# Field: what is typed, what is stored, and another value for `edit`.
OPTIONS: dict[str, tuple[list[str], Any, list[str], Any]] = {
    "policy": (["--policy", "same-tld"], "same-tld", ["--policy", "same-dir"], "same-dir"),
    "featured": (
        ["--featured", "https://a.example/x/"], "https://a.example/x/",
        ["--featured", "https://b.example/"], "https://b.example/",
    ),
    "ignore_port": (["--ignore-port"], True, ["--no-ignore-port"], False),
    "alt_suffix": (
        ["--alt-suffix", ".example", "--alt-suffix", ".cn"], [".example", ".cn"],
        ["--alt-suffix", ".example", "--alt-suffix", ".org"], [".example", ".org"],
    ),
    "sites": (
        ["--site", '{"url": "b.example"}'], [{"url": "b.example"}],
        ["--site", '{"url": "c.example"}'], [{"url": "c.example"}],
    ),
    "scope_regex": (["--scope-regex", "https:.*"], "https:.*", ["--scope-regex", ".*n.*"], ".*n.*"),
    "scope_substring": (["--scope-substring", "/n/"], "/n/", ["--scope-substring", "/m/"], "/m/"),
    "max_hops": (["--max-hops", "2"], 2, ["--max-hops", "0"], 0),
    "max_to_crawl": (["--max-to-crawl", "9"], 9, ["--max-to-crawl", "1"], 1),
    "restrict_domain": (["--restrict-domain"], True, ["--no-restrict-domain"], False),
    "output_regex": (["--output-regex", "x.*"], "x.*", ["--output-regex", "y.*"], "y.*"),
    "output_substring": (["--output-substring", "x"], "x", ["--output-substring", "y"], "y"),
    "lists": (["--lists", "main"], "main", ["--lists", "1,3"], "1,3"),
    "max_pages": (["--max-pages", "7"], 7, ["--max-pages", "1"], 1),
    "paths": (
        ["--path", "items=data.list", "--path", "param=p"], {"items": "data.list", "param": "p"},
        ["--path", "items=rows"], {"items": "rows", "param": "p"},
    ),
    "every": (["--every", "90s"], 90.0, ["--every", "1s"], 1.0),
    "min_every": (["--min-every", "5m"], 300.0, ["--min-every", "1h30m"], 5400.0),
    "max_every": (["--max-every", "2d"], 172_800.0, ["--max-every", "3d"], 259_200.0),
    "hours": (["--hours", "08:00-19:00"], "08:00-19:00", ["--hours", ""], ""),
    "weight": (["--weight", "2"], 2.0, ["--weight", "0.5"], 0.5),
    "timezone": (["--timezone", "Asia/Shanghai"], "Asia/Shanghai", ["--timezone", "+08:00"], "+08:00"),
    "flood": (["--flood", "hold"], "hold", ["--flood", "flag"], "flag"),
    "returned": (["--returned", "30d"], 2_592_000.0, ["--returned", "1d"], 86_400.0),
    "headers": (
        ["--header", "Cookie: a=1", "--header", "X-Key: 1"], [["Cookie", "a=1"], ["X-Key", "1"]],
        ["--header", "cookie: a=2"], [["X-Key", "1"], ["cookie", "a=2"]],
    ),
    "updates": (["--updates", "hide"], "hide", ["--updates", "report"], "report"),
    "key": (
        ["--key-option", "sort-query"], {"sort_query": True},
        ["--key-option", "sort-query=off"], {"sort_query": False},
    ),
    "attributes": (["--attr", "a=1"], {"a": "1"}, ["--attr", "a=2", "--attr", "b=3"], {"a": "2", "b": "3"}),
}  # fmt: skip


def test_no_option_is_left_out() -> None:
    assert set(OPTIONS) == {f.name for f in fields(IndexOptions)}


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_is_set_changed_and_unset(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, stored, second, changed = OPTIONS[name]
    db = ["--db", str(tmp_path / "r.db")]

    def now() -> Any:
        capsys.readouterr()
        assert run(["show", "1", "--json", *db]) == 0
        return json.loads(capsys.readouterr().out)["options"][name]

    assert run(["add-index", "https://a.example/n/", "--no-visit", *first, *db]) == 0
    assert now() == stored
    assert run(["edit", "1", *second, *db]) == 0
    assert now() == changed
    assert run(["edit", "1", "--unset", first[0], *db]) == 0
    default = getattr(IndexOptions(), name)
    assert now() == (list(default) if isinstance(default, tuple) else default)


@pytest.mark.parametrize("text", ["99999999999d", "1" + "0" * 400 + "s"])
def test_a_duration_beyond_reason_is_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db = ["--db", str(tmp_path / "r.db")]
    assert run(["add-index", "https://a.example/n/", "--no-visit", "--every", text, *db]) == 2
    assert "longer than" in capsys.readouterr().err
    assert run(["add-index", "https://a.example/n/", "--no-visit", *db]) == 0
    assert run(["links", "--since", text, *db]) == 2
