"""The documents hold what they say: commands run, every option and value is there, links lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import get_args

import click
import pytest

from recrawler.cli import cli, run
from recrawler.completion import Outcome, Status
from recrawler.page.types import PageVerdict
from recrawler.records import IndexOptions
from recrawler.settings import Budget, Duration, Settings, parse_budget, parse_duration
from tests.readme import DOCUMENTS, FENCE, ROOT, agrees, blocks, differences, shortened

DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_LONG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def read(name: str) -> str:
    return (DOCS / "reference" / name).read_text(encoding="utf-8")


# --- what is written runs ---


@pytest.mark.parametrize("name", DOCUMENTS)
def test_console_blocks_print_what_is_written(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert len(blocks(text)) > 2
    bad = differences(text)
    assert not bad, "\n\n".join(bad) + "\n\nIf that is right: python -m tests.readme --write"


def test_lines_are_compared_without_what_changes_by_itself() -> None:
    assert agrees(["16:32:33  index 1  3 new", "...", "end"], ["09:00:01  index 2  4 new", "x", "y", "end"])
    assert agrees(["a", "...", "b"], ["a", "b"])
    assert not agrees(["3 new  complete"], ["3 new  GAP OPEN"])
    assert not agrees(["a", "...", "b"], ["a", "c"])
    assert shortened(["a", "...", "b"], ["1", "2", "3", "4"]) == ["1", "...", "4"]


def test_the_chinese_readme_says_as_much() -> None:
    """The same blocks, as many sections, rows of tables and items."""
    ours, theirs = (p.read_text(encoding="utf-8") for p in (ROOT / "README.md", DOCS / "zh" / "README.md"))
    assert FENCE.findall(ours) == FENCE.findall(theirs)
    for mark in (r"^#+ ", r"^\|", r"^- "):
        assert len(re.findall(mark, ours, re.M)) == len(re.findall(mark, theirs, re.M)), mark


# --- reference ---


def commands() -> Iterator[tuple[str, click.Command]]:
    with click.Context(cli) as ctx:
        for name in cli.list_commands(ctx):
            command = cli.get_command(ctx, name)
            assert command is not None
            yield name, command


def sections(text: str) -> dict[str, str]:
    """The parts of a page by their heading of level two."""
    parts = re.split(r"^## (.+)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_command_and_option_is_documented() -> None:
    page = sections(read("commands.md"))
    shared = page["Options of every command"]
    of_index = page["Options of an index"]
    missing = []
    for name, command in commands():
        text = page.get(f"recrawler {name}")
        if text is None:
            missing.append(name)
            continue
        if "options-of-an-index" in text:
            text += of_index
        for option in command.params:
            names = [*option.opts, *option.secondary_opts] if isinstance(option, click.Option) else []
            missing += [
                f"{name} {o}"
                for o in names
                if f"`{o}" not in text and f"`{o}" not in shared and o != "--help"
            ]
    assert not missing


def test_no_option_is_documented_that_is_not_there() -> None:
    known = {"--help", "--version"}
    for _, command in commands():
        for option in command.params:
            known.update([*option.opts, *option.secondary_opts])
    strange = []
    for path in PAGES:
        for line in path.read_text(encoding="utf-8").splitlines():
            if re.search(r"(?<!\w)recrawler [a-z]", line):
                rest = re.split(r"[|#]", line[line.index("recrawler") :])[0]
                strange += [f"{path.name}: {o}" for o in _LONG.findall(rest) if o not in known]
    assert not strange


def test_every_index_option_has_its_command_line_option() -> None:
    text = sections(read("commands.md"))["Options of an index"]
    renamed = {"sites": "site", "attributes": "attr", "key": "key-option", "headers": "header"}
    renamed["paths"] = "path"
    for f in fields(IndexOptions):
        assert f"`--{renamed.get(f.name, f.name.replace('_', '-'))}" in text


def _as_written(text: str) -> object:
    """A default as the settings page writes it."""
    if text == "true" or text == "false":
        return text == "true"
    if text == "[]":
        return ()
    if text[0] == '"':
        return text.strip('"')
    return float(text) if "." in text else int(text)


def test_every_setting_is_documented_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([^`]*)` \|", read("settings.md"), re.M)
    written = {name: _as_written(value) for name, value in rows}
    for f in fields(Settings):
        assert f.default is not MISSING and f.name in written, f"{f.name} is not in settings.md"
        told = written[f.name]
        if isinstance(f.default, Duration):
            told = parse_duration(str(told))
        if isinstance(f.default, Budget):
            told = parse_budget(str(told))
        assert told == f.default and type(told) in (type(f.default), float), f.name
    assert set(written) == {f.name for f in fields(Settings)}


def test_every_outcome_status_and_verdict_is_documented() -> None:
    outcomes, records = read("outcomes.md"), read("records.md")
    for name in [*get_args(Outcome), *get_args(Status)]:
        assert f"| `{name}` |" in outcomes, name
    for name in get_args(PageVerdict):
        assert f"| `{name}` |" in records, name


def test_every_metric_log_field_and_setting_of_the_start_is_documented(tmp_path: Path) -> None:
    from recrawler.cli.daemon import visit_fields
    from recrawler.engine.pulse import Pulse
    from recrawler.engine.reload import AT_START
    from recrawler.records import IndexPage
    from recrawler.store import Claim
    from recrawler.store.sqlite import SqliteStore
    from recrawler.web.metrics import metrics
    from tests.visiting import NOW, result

    guide, log = (DOCS / "guide" / "service.md").read_text(encoding="utf-8"), read("log.md")
    with SqliteStore(tmp_path / "r.db", create=True) as store:
        figures = store.figures(NOW)
    told = metrics(figures, Pulse(budget=1.0), None, NOW)
    names = re.findall(r"^# TYPE (\w+)", told, re.M)
    assert len(names) > 20 and [n for n in names if f"`{n}" not in guide] == []
    assert [
        n
        for n in visit_fields(result(Claim(IndexPage(1, "", NOW), 0, NOW)).visit, 0.0)
        if f"`{n}`" not in log
    ] == []
    assert [n for n in AT_START if f"`{n}`" not in guide] == []


def test_toml_blocks_are_settings(tmp_path: Path) -> None:
    from recrawler.settings import load_settings

    for path in PAGES:
        for text in re.findall(r"^```toml\n(.*?)^```", path.read_text(encoding="utf-8"), re.S | re.M):
            (tmp_path / "c.toml").write_text(text, encoding="utf-8")
            load_settings(tmp_path / "c.toml")


# --- all pages ---


def anchors(path: Path) -> set[str]:
    """The fragments that a page's headings have on GitHub."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.M)
    bare = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", t).replace("`", "").strip().lower() for t in titles]
    return {re.sub(r"[^\w\- ]", "", t).replace(" ", "-") for t in bare}


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_resolve(path: Path) -> None:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    for target in _LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        there = (path.parent / name).resolve() if name else path
        assert there.exists(), f"{path.name}: {target}"
        if fragment and there.suffix == ".md":
            assert fragment in anchors(there), f"{path.name}: {target}"


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    for path in DOCS.rglob("*.md"):
        if path.name != "index.md":
            assert f"({path.relative_to(DOCS).as_posix()})" in index, path.name


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_page_names_a_folder_of_one_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"(?<![\w.])/(?:work|root|tmp|Users|home/(?!you\b))[\w./-]*", text)
    assert not found


def test_prose_is_plain() -> None:
    """No emoji, and no line that has to be scrolled for (tables and what programs print aside)."""
    for path in PAGES:
        text = FENCE.sub("", path.read_text(encoding="utf-8"))
        assert not re.search("[\U0001f300-\U0001faff\u2600-\u27bf]", text), path.name


# --- small things that the documents promise ---


def test_unset_goes_back_to_the_default(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = ["--db", str(tmp_path / "r.db")]
    assert run(["add-index", "https://a.example/", "--no-visit", "--every", "5m", "--attr", "a=b", *db]) == 0
    assert run(["edit", "1", "--unset", "every", "--unset", "--attr", "--max-pages", "7", *db]) == 0
    capsys.readouterr()
    assert run(["show", "1", "--json", *db]) == 0
    shown = capsys.readouterr().out
    assert '"every":null' in shown and '"attributes":{}' in shown and '"max_pages":7' in shown
    assert run(["edit", "1", "--unset", "evry", *db]) == 2
    assert "evry" in capsys.readouterr().err
