"""The generator of labelled pages, the committed pages, and the converter of the autopager layout."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from lxml import html as lxml_html
from lxml.html import HtmlElement

from recrawler.page.analysis import analyse

DATA = Path(__file__).resolve().parents[1] / "data"
sys.path.insert(0, str(DATA))

import convert_autopager  # noqa: E402
import generate  # noqa: E402
from pagegen import lexicon, links  # noqa: E402
from pagegen.dom import E, walk  # noqa: E402
from pagegen.families import FAMILIES  # noqa: E402
from pagegen.labels import LabelError, line  # noqa: E402
from pagegen.obstacles import OBSTACLE_FAMILIES  # noqa: E402
from pagegen.recipes import Special  # noqa: E402
from pagegen.site import Site  # noqa: E402

CORPUS = DATA / "corpus"
COMMITTED = (7, 420)
LISTS = {"news_index", "blog_index", "forum_index", "announcement_index"}


@cache
def committed() -> list[dict[str, Any]]:
    """The committed label lines."""
    return [json.loads(text) for text in (CORPUS / "labels.jsonl").read_text(encoding="utf-8").splitlines()]


@cache
def tree(file: str) -> HtmlElement:
    """A committed page, parsed as the corpus format says."""
    parser = lxml_html.HTMLParser(encoding="utf-8", recover=True, huge_tree=True)
    return lxml_html.document_fromstring((CORPUS / file).read_bytes(), parser=parser)


def anchors(row: dict[str, Any]) -> list[HtmlElement]:
    return tree(row["file"]).xpath("//a[@href]")


def text_of(node: HtmlElement) -> str:
    return " ".join(node.text_content().split())


def base_of(row: dict[str, Any]) -> str:
    return urljoin(row["url"], tree(row["file"]).xpath("string(//base/@href)"))


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_committed_pages_are_what_the_generator_writes(tmp_path: Path) -> None:
    seed, pages = COMMITTED
    for name, group, draft in generate.drafts(seed, 40):
        text = generate.page_text(draft)
        assert (CORPUS / "pages" / f"{name}.html").read_bytes() == text.encode()
        row = next(row for row in committed() if row["id"] == name)
        assert row == json.loads(json.dumps(line(draft, text, name, group)))
    assert len(committed()) == pages


def test_same_seed_same_bytes_and_other_seed_other_bytes(tmp_path: Path) -> None:
    for folder, seed in (("a", 3), ("b", 3), ("c", 4)):
        generate.write(seed, 12, tmp_path / folder)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert files(tmp_path / "a") != files(tmp_path / "c")


def test_a_label_line_for_every_page_and_a_page_for_every_line() -> None:
    assert sorted(row["file"] for row in committed()) == sorted(
        f"pages/{path.name}" for path in (CORPUS / "pages").iterdir()
    )


def test_every_label_is_that_link() -> None:
    for row in committed():
        found = anchors(row)
        assert len(found) == row["n_links"]
        for label in row["labels"]:
            node = found[label["i"]]
            assert (node.get("href"), text_of(node)) == (label["href"], label["text"]), row["id"]
            assert label["label"] in {"NEXT", "PREV", "PAGE"}
            assert label["orig"] == label["label"] or label["orig"] in {"FIRST", "LAST", "JUMP"}


def test_every_article_is_that_link_and_lies_in_its_block() -> None:
    for row in committed():
        found, root = anchors(row), tree(row["file"])
        for block in row["blocks"]:
            (top,) = root.xpath(block["xpath"])
            assert (top.tag, top.get("class"), top.get("id")) == (block["tag"], block["cls"], block["id"])
            inside = set(top.iter("a"))
            for article in block["articles"]:
                node = found[article["i"]]
                assert node in inside
                assert node.get("href") == article["href"]
                assert text_of(node)[:80] == article["text"]


def test_a_block_is_the_lowest_that_holds_its_articles() -> None:
    for row in committed():
        found = anchors(row)
        for block in row["blocks"]:
            if len(block["articles"]) < 2:
                continue
            (top,) = tree(row["file"]).xpath(block["xpath"])
            for child in top:
                below = set(child.iter("a"))
                assert not all(found[a["i"]] in below for a in block["articles"]), row["id"]


def test_article_links_and_bar_links_are_apart_and_addresses_are_real() -> None:
    for row in committed():
        bars = {label["i"] for label in row["labels"]}
        articles = {a["i"] for block in row["blocks"] for a in block["articles"]}
        assert not bars & articles
        for block in row["blocks"]:
            hrefs = [urljoin(base_of(row), a["href"]) for a in block["articles"]]
            assert all(href.startswith("http") for href in hrefs)
            assert len(set(hrefs)) == len(hrefs), row["id"]


def test_bars_hold_the_labelled_links_of_the_page() -> None:
    for row in committed():
        in_bars = sorted(i for bar in row["bars"] for i in bar["links"])
        assert in_bars == sorted(label["i"] for label in row["labels"] if label["scope"] == "bar")
        for bar in row["bars"]:
            assert bar["block"] is None or bar["block"] < len(row["blocks"])


def test_the_older_link_is_labelled_and_never_script_unless_said() -> None:
    for row in committed():
        older, labels = row["older"], {label["i"]: label for label in row["labels"]}
        assert [labels[i]["href"] for i in older["links"]] == older["href"]
        if not older["js_only"]:
            assert not any(href.lower().startswith("javascript") for href in older["href"]), row["id"]
        if older["js_only"]:
            assert "script_next" in row


def test_no_older_link_leads_to_the_page_itself() -> None:
    for row in committed():
        if not row["older"]["js_only"]:
            base = base_of(row)
            assert row["url"] not in {urljoin(base, href) for href in row["older"]["href"]}


def test_order_agrees_with_the_dates_of_the_rows() -> None:
    seen = Counter()
    for row in committed():
        for block in row["blocks"]:
            pinned = set(block["pinned"])
            dates = [a["date"] for a in block["articles"] if "date" in a and a["i"] not in pinned]
            seen[block["order"]] += 1
            if block["order"] == "newest-first" and dates and block["articles"][0]["precision"] != "age":
                days = [date[:7] for date in dates]
                assert days == sorted(days, reverse=True), row["id"]
            elif block["order"] == "oldest-first":
                assert [d[:7] for d in dates] == sorted(d[:7] for d in dates), row["id"]
            assert (block["time_sorted"] == "yes") == (block["order"] in {"newest-first", "oldest-first"})
            assert (block["time_sorted"] == "no") == (block["order"] == "unsorted")
    assert {"newest-first", "oldest-first", "unsorted", "unknown"} <= set(seen)


def test_kinds_and_verdicts_agree() -> None:
    for row in committed():
        assert (row["kind"] in LISTS) == (row["verdict"] == "list"), row["id"]
        assert bool(row["blocks"]) == (row["verdict"] == "list"), row["id"]


def test_variety() -> None:
    rows = committed()
    assert len({row["lang"] for row in rows}) >= 18
    assert len({row["group"] for row in rows}) >= 90
    assert len({row["domain"] for row in rows}) >= 200
    assert {row["verdict"] for row in rows} == {
        "list", "no-list", "empty", "blocked", "consent", "login", "soft-404", "parked", "shell",
    }  # fmt: skip
    classes = Counter(block["cls"] for row in rows for block in row["blocks"])
    assert len(classes) >= 60
    assert {len(block["articles"]) for row in rows for block in row["blocks"]} >= {1, 2, 5, 20}
    hows = Counter(row["older"]["how"] for row in rows)
    assert min(hows["NEXT label"], hows["PREV label leads to older items"], hows["none"]) >= 15
    assert hows["only page numbers: current+1"] >= 10


def test_all_three_classes_of_baidu_occur() -> None:
    texts = [
        (CORPUS / row["file"]).read_text(encoding="utf-8") for row in committed() if row["lang"] == "zh-CN"
    ]
    for name in ("Baidu_paging_indicator", "Baidu_paging_content_indicator", "Orderby_posttime"):
        assert sum(name in text for text in texts) >= 2, name


def test_the_committed_pages_stay_small() -> None:
    sizes = [(CORPUS / row["file"]).stat().st_size for row in committed()]
    assert sum(sizes) < 12_000_000
    assert max(sizes) < 120_000


@pytest.mark.parametrize("family", OBSTACLE_FAMILIES, ids=lambda f: f.name)
def test_what_stands_in_for_a_list_is_named_in_every_language(family: Special) -> None:
    """Pages that no rule was written against: other seeds than the committed ones."""
    wrong = []
    for lang in lexicon.languages():
        for seed in ("a", "b"):
            site = Site(f"unseen/{seed}/{family.name}/{lang}", lang, "semantic", False, "section-id", {})
            [draft] = family.build(site, 1)
            found = analyse(generate.page_text(draft), draft.page.url, now=datetime(2024, 6, 1, tzinfo=UTC))
            if found.verdict != draft.verdict or found.main is not None:
                wrong.append((lang, seed, found.verdict, found.verdict_why))
    assert not wrong


def test_every_family_gives_checked_pages() -> None:
    names = Counter(family.name for family in FAMILIES)
    assert max(names.values()) == 1
    assert set(names) >= {row["group"] for row in committed()}


def test_word_lists_have_the_same_keys() -> None:
    shapes = {
        lang: ({*data} - {"rtl", "digits"}, {*data["pager"]}, {*data["ui"]})
        for lang in lexicon.languages()
        for data in [lexicon.load(lang).data]
    }
    assert len(shapes) >= 18
    assert all(shape == shapes["en"] for shape in shapes.values())
    for lang in shapes:
        words = lexicon.load(lang)
        assert (len(words.months), len(words.short), len(words.days)) == (12, 12, 7)
        assert len(words.pager("next")) == len(words.pager("prev"))


@pytest.mark.parametrize("style", ["absolute", "root", "document", "scheme"])
@pytest.mark.parametrize(
    "url",
    ["https://h.example/a/b/", "https://h.example/a", "https://h.example/a/c?x=1#f", "https://h.example/"],
)
def test_written_links_resolve_to_what_was_meant(style: str, url: str) -> None:
    for page in ("https://h.example/a/b/c.html", "https://h.example/a/", "https://h.example/a/b/?p=2"):
        for base in (None, "https://h.example/x/"):
            assert urljoin(base or page, links.written(url, page, style, base)) == url


def test_a_page_that_lost_a_link_is_refused() -> None:
    name, group, draft = next(made for made in generate.drafts(5, 9) if made[2].verdict == "list")
    text = generate.page_text(draft)
    with pytest.raises(LabelError):
        line(draft, text.replace("</body>", '<a href="/more">more</a></body>'), name, group)


def test_nested_links_are_refused() -> None:
    name, group, draft = next(made for made in generate.drafts(5, 9) if made[2].verdict == "list")
    mark = next(node for node in walk(draft.tree) if node.mark is not None)
    mark.add(E("a", "inner", href="/inner"))
    with pytest.raises(LabelError):
        line(draft, generate.page_text(draft), name, group)


PAGE_ONE = """<html lang="de"><body><a href="/">Start</a>
<ul class="news"><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul>
<div class="nav"><strong>1</strong> <a href="?p=2">2</a> <a href="?p=3">3</a>
<a class="fwd" href="?p=2"><b>Weiter</b></a> <a href="?p=9" id="end">Ende</a></div></body></html>"""
PAGE_TWO = (
    "<html><body><p class=x><a href='?page=2'>← Ältere Beiträge</a></p><a href='/x'>x</a></body></html>"
)


@pytest.fixture
def autopager(tmp_path: Path) -> Path:
    """A tiny data set in the public layout: our own pages."""
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "1.html").write_bytes(PAGE_ONE.encode("latin-1"))
    (tmp_path / "html" / "2.html").write_bytes(PAGE_TWO.encode("cp1252", "xmlcharrefreplace"))
    (tmp_path / "html" / "3.html").write_bytes(b"<html><body><a href='/'>x</a></body></html>")
    columns = ["File Name", "Page URL", "Encoding", "failed", "PREV", "NEXT", "PAGE", "FIRST", "LAST"]
    rows = [
        ["1", "http://news.example.co.uk/list", "latin-1", "", "", ".fwd b", ".nav", "", "//a[@id='end']"],
        ["2", "http://blog.example.de/", "cp1252", "", "p.x", "", "", "", ""],
        ["3", "http://broken.example.de/", "utf-8", "1", "", "a", "", "", ""],
        ["4", "http://missing.example.de/", "utf-8", "", "", "a", "", "", ""],
    ]
    with (tmp_path / "data.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([columns, *rows])
    return tmp_path


def test_converter(autopager: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = autopager / "out"
    code = convert_autopager.main([str(autopager / "html"), str(autopager / "data.csv"), "--out", str(out)])
    assert code == 0
    assert "4:" in capsys.readouterr().err
    one, two, three = [
        json.loads(text) for text in (out / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [(label["i"], label["label"], label["orig"]) for label in one["labels"]] == [
        (3, "PAGE", "PAGE"), (4, "PAGE", "PAGE"), (5, "NEXT", "NEXT"), (6, "PAGE", "LAST"),
    ]  # fmt: skip
    assert (one["domain"], one["lang"], one["n_links"]) == ("example.co.uk", "de", 7)
    assert one["bars"] == [{"links": [3, 4, 5, 6], "block": None}]
    assert (one["older"]["href"], one["older"]["how"]) == (["?p=2"], "NEXT label")
    assert two["older"]["how"] == "PREV label leads to older items"
    assert (three["labels_status"], three["labels"]) == ("failed", [])
    assert "Ältere" in (out / two["file"]).read_text(encoding="utf-8")


def test_converter_bars_part_at_gaps_and_repeats() -> None:
    def label(i: int, text: str) -> dict[str, Any]:
        return {"i": i, "href": f"?p={text}", "text": text, "orig": "PAGE", "label": "PAGE"}

    bars = convert_autopager.bars_of([label(3, "2"), label(4, "3"), label(5, "2"), label(40, "3")])
    assert [bar["links"] for bar in bars] == [[3, 4], [5], [40]]
