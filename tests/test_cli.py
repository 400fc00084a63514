"""The commands as a user gives them: what they print, exit status, and one clear line for each fault."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recrawler.cli import run
from recrawler.cli.app import amount
from recrawler.demo import NewsSite, Section, serve_site
from recrawler.demo.server import Served
from recrawler.records import IndexOptions
from recrawler.store.sqlite import SqliteStore
from tests.watching import paths

HTML = {"Content-Type": "text/html; charset=utf-8"}
CONFIG = 'allow_networks = ["127.0.0.0/8"]\ndelay = "0s"\nrequest_timeout = "5s"\n'


@dataclass
class Done:
    status: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    def fails(self, status: int, *words: str) -> None:
        """One clear line on stderr, no traceback."""
        assert self.status == status, self
        lines = self.err.strip().splitlines()
        assert len(lines) == 1 and lines[0].startswith("recrawler: "), self.err
        for word in words:
            assert word in self.err


class Shell:
    """Runs commands in this process, on one database."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys
        self.db, self.config = folder / "r.db", folder / "c.toml"
        self.config.write_text(CONFIG)

    def __call__(self, *args: object, config: bool = True) -> Done:
        extra = ["--db", str(self.db)] + (["--config", str(self.config)] if config else [])
        self.capsys.readouterr()
        status = run([str(a) for a in args] + extra)
        said = self.capsys.readouterr()
        return Done(status, said.out, said.err)


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, capsys)


@pytest.fixture
def served() -> Iterator[Served]:
    site = NewsSite([Section("zh", "zh", 12), Section("en", "en", 10)])
    for name in ("zh", "en"):
        site.publish(60, section=name)
    with serve_site(site) as s:
        yield s


@pytest.fixture
def watched(shell: Shell, served: Served) -> Shell:
    assert shell("add-index", served.url("/zh/"), "--json").status == 0
    return shell


# --- the main job ---


def test_add_index_shows_what_it_found(shell: Shell, served: Served) -> None:
    done = shell("add-index", served.url("/zh/"))
    assert done.status == 0
    for word in ("Index 1 added", "12 links at", "page 1 of 5", "newest-first", "same-domain", "24 links"):
        assert word in done.out


def test_add_index_json_is_the_contract(shell: Shell, served: Served) -> None:
    [row] = shell("add-index", served.url("/zh/"), "--json").rows
    assert set(row) == {"index", "url", "found", "visit", "policy", "warnings"}
    assert row["visit"]["outcome"] == "first-visit" and row["visit"]["complete"] is True
    main = row["found"]["listings"][row["found"]["main"]]
    assert main["older"] == served.url("/zh/list_2.html") and len(main["block"]["links"]) == 12
    assert row["found"]["ms"] > 0


def test_visit_and_links(watched: Shell, served: Served) -> None:
    made = served.site.publish(3, section="zh")
    [row] = watched("visit", 1, "--json").rows
    contract = {
        "index", "url", "started_at", "outcome", "complete", "gap_open", "pages", "requests", "new",
        "filtered", "known", "next_visit_at", "cadence", "series", "warnings",
    }  # fmt: skip
    assert contract <= set(row)
    assert {x["url"] for x in row["new"]} == {served.url(p) for p in paths(made)}
    listed = watched("links", "--json").rows
    assert [x["url"] for x in listed] == [served.url(a.path) for a in made]  # oldest first
    assert set(listed[0]) == {
        "index", "listing", "url", "title", "published_at", "precision", "found_at", "page", "rank", "status",
        "hop_path", "via",
    }  # fmt: skip
    assert watched("links", "--urls").out.split() == [x["url"] for x in listed]
    table = list(csv.DictReader(io.StringIO(watched("links", "--csv").out)))
    assert [r["title"] for r in table] == [x["title"] for x in listed]
    assert made[0].title in watched("links").out
    assert watched("links", "--since", "2h", "--json").rows == listed
    assert watched("links", "--since", "2999-01-01", "--json").rows == []


def test_several_indexes_and_one_that_fails(watched: Shell, served: Served) -> None:
    watched("add-index", served.url("/en/"), "--json")
    served.fault("/zh/", lambda _: (500, b"no", HTML))
    made = served.site.publish(2, section="en")
    done = watched("visit", "--all", "--json")
    assert done.status == 1
    assert [r["outcome"] for r in done.rows] == ["fetch-failed", "met-history"]
    assert len(done.rows[1]["new"]) == len(made)


def test_backfill_and_attributes(shell: Shell, served: Served) -> None:
    shell("add-index", served.url("/zh/"), "--backfill", 4, "--attr", "desk=zh", "--json")
    rows = shell("links", "--json").rows
    assert len(rows) == 4 and rows[0]["attributes"] == {"desk": "zh"}


def test_the_ledger(watched: Shell, served: Served) -> None:
    served.site.publish(2, section="zh")
    watched("visit", 1)
    assert [r["outcome"] for r in watched("visits", "--json").rows] == ["first-visit", "met-history"]
    assert watched("visits", "--gaps").out == ""
    served.fault("/zh/", lambda _: (503, b"no", HTML))
    watched("visit", 1)
    [gap] = watched("visits", "--gaps", "--json").rows
    assert gap["outcome"] == "fetch-failed" and gap["gap_open"] is True
    assert "GAP OPEN" in watched("visits", "--gaps").out


def test_show_edit_pause_resume_remove(watched: Shell, served: Served) -> None:
    done = watched("show", 1)
    assert done.status == 0 and "same-domain" in done.out and "first-visit" in done.out
    assert watched("edit", 1, "--every", "90s", "--max-pages", 7).status == 0
    [row] = watched("show", 1, "--json").rows
    assert row["options"]["every"] == 90.0 and row["options"]["max_pages"] == 7
    watched("pause", 1)
    assert watched("visit", "--all", "--json").rows == []
    assert watched("indexes", "--json").rows[0]["state"] == "paused"
    watched("resume", served.url("/zh/"))
    assert len(watched("visit", "--due", "--json").rows) == 1
    watched("remove", 1)
    assert watched("indexes", "--json").rows == [] and watched("links", "--json").rows == []


def test_import_and_export_round_trip(watched: Shell, tmp_path: Path) -> None:
    watched("edit", 1, "--policy", "same-dir", "--featured", "http://127.0.0.1/zh/", "--ignore-port")
    for name in ("a.json", "a.txt", "a.opml"):
        file = tmp_path / name
        assert watched("export", file).status == 0
        other = Shell(tmp_path, watched.capsys)
        other.db = tmp_path / f"{name}.db"
        assert "1 added" in other("import", file).out
        [row] = other("show", 1, "--json").rows
        assert row["visits"] == 0
        assert row["options"]["policy"] == ("same-dir" if name == "a.json" else "same-domain")


def test_import_reports_each_bad_line_and_takes_the_others(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text(
        "# lists\nhttps://a.example/news/\nftp://b.example/\nhttps://a.example/news/\nc.example\n"
    )
    done = shell("import", file)
    assert done.status == 1
    assert done.out.strip() == "2 added, 1 known already, 1 refused" and "line 3" in done.err


@pytest.mark.parametrize(
    "options",
    [
        {"every": 0.2},
        {"min_every": -5},
        {"max_every": 1e30},
        {"returned": 1e18},
        {"timezone": "Nowhere"},
        {"headers": [["Cookie", "a\r\nHost: b"]]},
        {"headers": [["Host", "b.example"]]},
        {"lists": "first"},
        {"key": {"nonsense": True}},
        {"max_pages": 0},
        {"updates": "never"},
        {"flood": "perhaps"},
    ],
)
def test_options_that_add_index_would_refuse_are_refused_by_import(
    shell: Shell, tmp_path: Path, options: dict[str, Any]
) -> None:
    """Each visit of such an index would fail, for ever."""
    file = tmp_path / "i.jsonl"
    file.write_text(json.dumps({"url": "https://a.example/news/", "options": options}) + "\n")
    done = shell("import", file)
    assert done.status == 1 and done.out.strip() == "0 added, 0 known already, 1 refused"
    assert "line 1: " in done.err and done.err.count("\n") == 1


@pytest.mark.parametrize("line", ['timezone = "Nowhere"', "price = nan", "fairness = inf"])
def test_settings_with_which_every_visit_would_fail(shell: Shell, line: str) -> None:
    SqliteStore(shell.db, create=True).close()
    shell.config.write_text(line + "\n")
    shell("indexes").fails(2, line.partition(" ")[0])


def test_one_index_that_cannot_be_visited_stops_no_other(watched: Shell, served: Served) -> None:
    with SqliteStore(watched.db) as store:
        url = served.url("/")
        bad, _ = store.add_index(url, "bad", IndexOptions(timezone="Nowhere"), served.site.clock, None)
    done = watched("visit", "--all", "--json")
    assert [row["index"] for row in done.rows] == [1] and done.status == 1
    assert f"index {bad.id}: 'Nowhere' is no time zone" in done.err and "Traceback" not in done.err


def test_inspect_a_file_and_a_batch(shell: Shell, served: Served, tmp_path: Path) -> None:
    from recrawler.demo.html import list_page

    page = tmp_path / "p.html"
    page.write_text(list_page(served.site, served.site.main, 1), encoding="utf-8")
    [row] = shell("inspect", page, "--url", "http://a.example/zh/", "--json").rows
    assert row["kind"] == "index" and row["listings"][0]["older"] == "http://a.example/zh/list_2.html"
    batch = tmp_path / "b.jsonl"
    lines = [{"id": 1, "file": str(page), "url": "http://a.example/"}, {"id": 2, "file": "nowhere"}]
    batch.write_text("".join(json.dumps(x) + "\n" for x in lines) + "not json\n")
    rows = shell("inspect", "--batch", batch).rows
    assert [r["id"] for r in rows] == [1, 2, None]
    assert rows[0]["main"] == 0 and "error" in rows[1] and "error" in rows[2]
    assert "List 1 (main)" in shell("inspect", served.url("/zh/")).out


def test_sinks_get_what_visits_find(watched: Shell, served: Served) -> None:
    out, feeds = watched.folder / "out.jsonl", watched.folder / "feeds"
    hook = "http://127.0.0.1:9/hook"
    watched.config.write_text(f'{CONFIG}jsonl = "{out}"\nfeeds = "{feeds}"\nwebhook = "{hook}"\n')
    made = served.site.publish(2, section="zh")
    watched("visit", 1)
    events = [json.loads(line) for line in out.read_text().splitlines()]
    assert [e["url"] for e in events] == [served.url(a.path) for a in made]
    assert made[0].title in (feeds / "all.atom").read_text()
    rows = {r["sink"]: r for r in watched("sinks", "--json").rows}
    assert {k: v["pending"] for k, v in rows.items()} == {"feeds": 0, "jsonl": 0, "webhook": 2}
    watched.config.write_text(CONFIG)
    assert "not in the settings" in watched("sinks").out
    assert "2 events" in watched("sinks", "drop", "webhook").out


def test_doctor(watched: Shell) -> None:
    done = watched("doctor")
    assert done.status == 0 and "database" in done.out
    done = watched("doctor", "HTTP://例子.中国/a/../b?utm_source=x#c", "--index", 1)
    assert "xn--fsqu00a.xn--fiqs8s" in done.out


# --- bad input ---


@pytest.mark.parametrize(
    ("url", "word"),
    [("ftp://a.example/", "http"), ("javascript:void(0)", "http"), ("http://", "URL"), ("", "URL")],
)
def test_what_is_no_web_page(shell: Shell, url: str, word: str) -> None:
    shell("add-index", url).fails(2, word)
    assert not shell.db.exists() or shell("indexes", "--json").rows == []


def test_a_url_without_scheme_is_https_and_said_so(shell: Shell, served: Served) -> None:
    done = shell("add-index", served.base.removeprefix("http://") + "/zh/", "--no-visit")
    assert done.status == 0 and "taken as https://127.0.0.1" in done.err


def _answer(status: int, body: bytes, kind: str = "text/html") -> Callable[[str], Any]:
    return lambda _: (status, body, {"Content-Type": kind})


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (_answer(404, b"<h1>gone</h1>"), ["404", "next try"]),
        (_answer(200, b"%PDF-1.4 \x00\x01", "application/pdf"), ["not-html", "next try"]),
        (
            _answer(200, b"<html><title>About</title><p>We are a small team.</p></html>"),
            ["no list", "inspect"],
        ),
        (_answer(200, b""), ["no list"]),
        (lambda _: None, ["next try"]),
    ],
)
def test_a_first_visit_that_fails_keeps_the_index(
    shell: Shell, served: Served, answer: Callable[[str], Any], words: list[str]
) -> None:
    served.fault("/zh/", answer)
    shell("add-index", served.url("/zh/")).fails(1, *words)
    [row] = shell("indexes", "--json").rows
    assert row["next_visit_at"] is not None and row["state"] == "active"


def test_unreachable_and_refused_addresses(shell: Shell) -> None:
    shell("add-index", "http://127.0.0.1:9/news/").fails(1, "refused")
    shell("add-index", "http://169.254.169.254/", config=False).fails(1, "refused-address")
    assert len(shell("indexes", "--json").rows) == 2


def test_an_article_is_no_index(shell: Shell, served: Served) -> None:
    article = served.site.main.articles[0]
    shell("add-index", served.url(article.path)).fails(1, "article")
    assert shell("indexes", "--json").rows == []


def test_the_same_url_twice(watched: Shell, served: Served) -> None:
    watched("add-index", served.url("/zh/") + "#top").fails(1, "watched already")
    assert len(watched("indexes", "--json").rows) == 1


@pytest.mark.parametrize(
    "args",
    [("--policy", "same-dir", "--featured", "http://a.example/x"), ("--scope-regex", "("), ("--every", "5"),
     ("--every", "0s"), ("--alt-suffix", "com"), ("--site", "{"), ("--attr", "x"), ("--lists", "some"),
     ("--min-every", "2h", "--max-every", "1h"), ("--timezone", "Mars/Base"), ("--policy", "any"),
     ("--key-option", "nope"), ("--max-pages", "0")],
)  # fmt: skip
def test_options_that_cannot_be_meant(shell: Shell, args: tuple[str, ...]) -> None:
    shell("add-index", "http://127.0.0.1:9/", *args).fails(2)
    assert not shell.db.exists()


@pytest.mark.parametrize(
    ("text", "word"),
    [("colour = 1", "colour"), ('delay = "fast"', "fast"), ("delay = 3", "delay"), ("x = [", "TOML"),
     ('allow_networks = ["300.0.0.0/8"]', "allow_networks"), ("max_pages = -1", "max_pages"),
     ('max_delay = "x"', "max_delay"), ('budget = "7"', "budget"), ('budgt = "7/h"', "did you mean 'budget'"),
     ('log_level = "loud"', "debug, info"), ('timezone = "Mars"', "timezone"), ('user_agent = ""', "user_agent"),
     (r'contact = "a\nb"', "contact"), ('webhook = "ftp://a.example/"', "webhook")],
)  # fmt: skip
def test_bad_settings(shell: Shell, served: Served, text: str, word: str) -> None:
    shell.config.write_text(text)
    shell("add-index", served.url("/zh/")).fails(2, word)


def test_a_duration_that_is_none_names_its_option(watched: Shell) -> None:
    watched("edit", 1, "--min-every", "soon").fails(2, "--min-every", "'soon'")


def test_a_sink_that_is_none(watched: Shell) -> None:
    for action in ("retry", "drop"):
        watched("sinks", action, "webhok").fails(2, "webhok")


def test_a_port_of_the_demo_that_is_taken(shell: Shell, served: Served) -> None:
    done = run(["demo", "--serve", served.base.rpartition(":")[2]])
    shell_said = shell.capsys.readouterr().err
    assert done == 2 and shell_said.startswith("recrawler: --serve") and shell_said.count("\n") == 1


@pytest.mark.parametrize("width", ["60", "80", "200"])
def test_no_line_ends_in_blanks(watched: Shell, served: Served, monkeypatch: Any, width: str) -> None:
    served.site.publish(2, section="zh")
    watched("visit", 1)
    monkeypatch.setenv("COLUMNS", width)
    for args in (("show", 1), ("inspect", served.url("/zh/")), ("add-index", served.url("/en/"))):
        done = watched(*args)
        assert done.status == 0 and done.out
        assert [x for x in done.out.splitlines() if x != x.rstrip()] == [], args


def test_an_option_before_the_command_is_sent_to_its_place(shell: Shell) -> None:
    assert run(["--db", "x", "indexes"]) == 2
    assert "--db" in (said := shell.capsys.readouterr().err) and "after" in said and said.count("\n") == 1


def test_show_of_an_index_that_is_not_visited(watched: Shell, served: Served) -> None:
    watched("pause", 1)
    assert "recrawler resume 1" in (out := watched("show", 1).out) and "24 h ahead" not in out
    watched("add-index", served.url("/en/"), "--no-visit")
    assert "last visit  none yet; the first is due " in watched("show", 2).out


def test_short_help_is_not_cut(shell: Shell) -> None:
    assert run(["--help"]) == 0
    assert "..." not in shell.capsys.readouterr().out.partition("Commands:")[2]


def test_large_numbers_are_written_out() -> None:
    assert [amount(x) for x in (0.0, 0.494, 1.39, 9.96, 20.3, 3150.2, 1e6)] == [
        "0", "0.49", "1.4", "10", "20", "3,150", "1,000,000",
    ]  # fmt: skip


def test_missing_settings_file(shell: Shell) -> None:
    shell.config = shell.folder / "nowhere.toml"
    shell("add-index", "http://a.example/").fails(2, "nowhere.toml")


def test_settings_are_checked_by_commands_that_need_none(watched: Shell) -> None:
    watched.config.write_text('dela = "5s"')
    watched("indexes").fails(2, "dela")


def test_a_file_that_is_not_there_is_no_url(shell: Shell, tmp_path: Path) -> None:
    for name in (tmp_path / "nope", "./nope.html", "nope.htm", "nope"):
        shell("inspect", name).fails(2, "cannot read", str(name).removeprefix("./"))


def test_databases_that_cannot_be_used(shell: Shell, tmp_path: Path) -> None:
    shell("indexes").fails(1, "no database", "add-index")
    text = tmp_path / "text.db"
    text.write_text("not a database, but long enough to look at\n" * 40)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE stamps (id INTEGER)")
    db.close()
    before = foreign.read_bytes()
    for path in (text, foreign, Path("/proc/recrawler.db")):
        shell.db = path
        shell("add-index", "http://127.0.0.1:9/", "--no-visit").fails(1, str(path))
    assert foreign.read_bytes() == before


def test_a_newer_database_is_left_alone(watched: Shell) -> None:
    with sqlite3.connect(watched.db) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    watched("indexes").fails(1, "newer")


def test_wrong_usage(watched: Shell) -> None:
    watched("visit").fails(2, "--all")
    watched("show", 99).fails(2, "99")
    watched("links", "--csv", "--urls").fails(2)
    watched("links", "--since", "yesterday-ish").fails(2, "2h")
    watched("nonsense").fails(2, "nonsense")
    watched("inspect", "/nowhere/x.html", "--url", "http://a.example/").fails(2, "/nowhere/x.html")


def test_inspect_shows_at_a_glance_what_was_found_and_what_was_not_taken(
    shell: Shell, served: Served, tmp_path: Path
) -> None:
    out = shell("inspect", served.url("/zh/")).out
    assert out.splitlines()[1].startswith("LIST  12 articles, 12 dated, order newest-first, page 1 of 5")
    assert "order  newest-first: 12 dated rows" in out and "older items: http" in out
    assert "Not taken" in out and "links in a side column" in out
    page = tmp_path / "page.html"
    page.write_text("<title>Just a moment...</title><h1>Checking your browser</h1>", encoding="utf-8")
    out = shell("inspect", page, "--url", "http://a.example/zh/").out
    assert (
        "NO LIST  a challenge or a refusal\n" in out
        and "why     title or heading says 'Just a moment'" in out
    )
    assert "verdict blocked" in out


def test_case_109_an_import_of_thousands_reports_each_bad_line(shell: Shell, tmp_path: Path) -> None:
    """5,000 lines with doubles and one in a hundred bad; first visits are spread, so that it is no flood."""
    lines = [f"https://site{n % 4000}.example/news/" for n in range(5000)]
    bad = range(7, 5000, 100)
    for n in bad:
        lines[n] = "ftp://nowhere.example/"
    file = tmp_path / "urls.csv"
    file.write_text("name,url\n" + "".join(f'"List {n}, daily",{u}\n' for n, u in enumerate(lines)))
    done = shell("import", file)
    good = len({u for u in lines if u.startswith("https")})
    assert done.out.strip() == f"{good} added, {5000 - good - len(bad)} known already, {len(bad)} refused"
    told = done.err.strip().splitlines()
    assert [int(x.split(":")[0].removeprefix("line ")) for x in told] == [n + 2 for n in bad]
    due = sorted(str(x["next_visit_at"]) for x in shell("indexes", "--json").rows)
    assert len(set(due)) > good * 0.99 and due[-1] > due[0]


def test_case_109_one_broken_line_of_an_export_stops_no_other(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "lists.jsonl"
    file.write_text(
        '{"url": "https://a.example/"}\n{"url": \n{"options": {}}\n{"url": "https://b.example/"}\n'
    )
    done = shell("import", file)
    assert done.out.strip() == "2 added, 0 known already, 2 refused"
    assert "line 2" in done.err and "line 3" in done.err
