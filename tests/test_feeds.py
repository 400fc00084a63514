"""Feed files: valid, whole at any time, one entry an article."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from recrawler.sinks import SinkError
from recrawler.sinks.feeds import FeedSink, Source
from recrawler.store import OutboxItem
from tests.visiting import HOUR, NOW, link

ATOM = "{http://www.w3.org/2005/Atom}"


class Page:
    def __init__(self, id_: int = 1) -> None:
        self.id = id_
        self.url = f"https://a{id_}.example/"


def item(slug: str, page: Any = None, **fields: Any) -> OutboxItem:
    found = link(page or Page(), slug, **fields)
    return OutboxItem(1, "feeds", 0, found, found.event_id)


def write(sink: FeedSink, *items: OutboxItem) -> None:
    asyncio.run(sink.deliver(items))


def feeds(tmp_path: Path, **options: Any) -> FeedSink:
    return FeedSink(tmp_path / "feeds", lambda i: Source(f"List {i}", f"https://a{i}.example/"), **options)


def read(folder: Path, stem: str) -> tuple[list[str], list[str]]:
    """The titles of both forms."""
    atom = ElementTree.parse(folder / "feeds" / f"{stem}.atom").getroot()
    entries = json.loads((folder / "feeds" / f"{stem}.json").read_text())["items"]
    titles = [entry.findtext(f"{ATOM}title") or "" for entry in atom.iter(f"{ATOM}entry")]
    ids = [entry.findtext(f"{ATOM}id") for entry in atom.iter(f"{ATOM}entry")]
    assert ids == [entry["id"] for entry in entries]
    return titles, [entry["title"] for entry in entries]


def test_case_106_a_feed_an_index_a_site_a_tag_and_one_for_all(tmp_path: Path) -> None:
    sink = feeds(tmp_path)
    write(sink, item("1"), item("2", Page(2), attributes={"tag": "城市/a"}), item("3"))
    stems = ("all", "index-1", "index-2", "site-a1.example", "site-a2.example", "tag-城市_a")
    assert sorted(p.name for p in (tmp_path / "feeds").iterdir()) == [
        f"{stem}.{kind}" for stem in stems for kind in ("atom", "json")
    ]
    assert read(tmp_path, "tag-城市_a") == (["Title of 2"],) * 2 == read(tmp_path, "site-a2.example")
    assert read(tmp_path, "all")[0] == ["Title of 3", "Title of 2", "Title of 1"]  # the latest on top
    assert read(tmp_path, "index-1") == (["Title of 3", "Title of 1"],) * 2
    write(feeds(tmp_path), item("4", when=NOW + HOUR))  # another process
    assert read(tmp_path, "index-1")[1] == ["Title of 4", "Title of 3", "Title of 1"]


def test_what_the_formats_ask_for(tmp_path: Path) -> None:
    """RFC 4287 section 4.1 and JSON Feed 1.1: what must be there."""
    found = item("1", published_at=NOW - HOUR, precision="minute")
    write(feeds(tmp_path, base="https://feeds.example/f/"), found, item("2"))
    atom = ElementTree.parse(tmp_path / "feeds" / "index-1.atom").getroot()
    assert atom.tag == f"{ATOM}feed"
    for tag in ("id", "title", "updated"):
        assert len(atom.findall(f"{ATOM}{tag}")) == 1
    assert atom.findtext(f"{ATOM}author/{ATOM}name") == "recrawler"
    links = {e.get("rel"): e.get("href") for e in atom.findall(f"{ATOM}link")}
    assert links == {"alternate": "https://a1.example/", "self": "https://feeds.example/f/index-1.atom"}
    _, entry = atom.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}updated") == "2026-03-01T12:00:00.250000Z"
    assert entry.findtext(f"{ATOM}published") == "2026-03-01T11:00:00.250000Z"
    hrefs = {e.get("rel"): e.get("href") for e in entry.findall(f"{ATOM}link")}
    assert hrefs == {"alternate": found.link.url, "via": found.link.via}
    feed = json.loads((tmp_path / "feeds" / "index-1.json").read_text())
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert (feed["title"], feed["home_page_url"]) == ("List 1", "https://a1.example/")
    assert feed["feed_url"] == "https://feeds.example/f/index-1.json"
    entry_ = feed["items"][1]
    assert entry_["id"]
    assert entry_["content_text"] == "Title of 1"
    assert entry_["date_published"] == "2026-03-01T11:00:00.250000Z"
    assert entry_["_recrawler"] == {"id": found.id, "key": found.link.key, **found.link.to_json()}


def test_one_entry_an_article(tmp_path: Path) -> None:
    """Delivered again, updated, and seen by two index pages."""
    sink = feeds(tmp_path)
    first = item("1", published_at=NOW - HOUR)
    write(sink, first, item("2"))
    write(sink, first)
    assert read(tmp_path, "all")[1] == ["Title of 1", "Title of 2"]
    write(sink, item("2", title="Other", when=NOW + HOUR, status="updated"))
    assert read(tmp_path, "all")[1] == ["Other", "Title of 1"]
    same = item("1", Page(2), url=first.link.url, key=first.link.key)
    write(sink, same)
    assert read(tmp_path, "all")[1] == ["Title of 1", "Other"]
    assert read(tmp_path, "index-2")[1] == ["Title of 1"]
    entry = json.loads((tmp_path / "feeds" / "all.json").read_text())["items"][0]
    assert entry["date_published"] == "2026-03-01T11:00:00.250000Z"  # as it was given out first


def test_the_latest_so_many(tmp_path: Path) -> None:
    sink = feeds(tmp_path, size=3)
    for n in range(5):
        write(sink, item(str(n), when=NOW + n * timedelta(minutes=1)))
    assert read(tmp_path, "all")[0] == ["Title of 4", "Title of 3", "Title of 2"]


def test_any_title(tmp_path: Path) -> None:
    titles = ["<b>&amp; ]]>", "\x00\x0b\x1f\ufffe\uffff", "新闻 😀", "", "\u2028"]
    write(feeds(tmp_path), *(item(str(n), title=t) for n, t in enumerate(titles)))
    atom, feed = read(tmp_path, "all")
    assert feed == titles[::-1]
    assert atom[::-1][:3] == ["<b>&amp; ]]>", "\ufffd" * 5, "新闻 😀"]
    assert atom[1].startswith("https://")  # an entry must have a title


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"items": 3}', '{"items": [1]}', '{"items": [{}]}', "\xff"]
)
def test_a_file_that_is_none_of_ours_is_begun_anew(tmp_path: Path, content: str) -> None:
    (tmp_path / "feeds").mkdir()
    (tmp_path / "feeds" / "all.json").write_text(content, encoding="latin-1")
    write(feeds(tmp_path), item("1"))
    assert read(tmp_path, "all")[0] == ["Title of 1"]


def test_an_index_that_is_gone(tmp_path: Path) -> None:
    write(FeedSink(tmp_path / "feeds", lambda i: None), item("1"))
    assert json.loads((tmp_path / "feeds" / "index-1.json").read_text())["title"] == "index 1"


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    sink = feeds(tmp_path)
    write(sink, item("first"))
    done = threading.Event()
    reads = 0

    def keep_reading() -> None:
        nonlocal reads
        while not done.is_set():
            read_one = json.loads((tmp_path / "feeds" / "all.json").read_text())
            ElementTree.parse(tmp_path / "feeds" / "all.atom")
            assert read_one["items"]
            reads += 1
            done.wait(0.001)

    reader = threading.Thread(target=keep_reading)
    reader.start()
    for n in range(15):
        write(sink, item(f"{n}", title="x" * 3000))
    done.set()
    reader.join()
    assert reads
    assert not list((tmp_path / "feeds").glob(".*"))  # no temporary file is left


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "feeds").write_text("a file")
    with pytest.raises(SinkError, match="cannot write the feeds"):
        write(feeds(tmp_path), item("1"))


def test_a_write_that_fails_leaves_the_old_feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sink = feeds(tmp_path)
    write(sink, item("1"))

    def fail(fd: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(SinkError, match="No space"):
            write(sink, item("2"))
    assert read(tmp_path, "all")[0] == ["Title of 1"]
    assert not list((tmp_path / "feeds").glob(".*"))
    write(sink, item("2"))
    assert read(tmp_path, "all")[0] == ["Title of 2", "Title of 1"]


@pytest.mark.parametrize(
    ("tag", "stems"),
    [
        (7, ["tag-7"]),
        (["city", 7], ["tag-7", "tag-city"]),
        ("\u57ce" * 300, ["tag-" + "\u57ce" * 66]),  # a file's name has room for 255 bytes
        ("", []),
        (None, []),
    ],
)
def test_whatever_a_tag_is_the_feeds_are_written(tmp_path: Path, tag: Any, stems: list[str]) -> None:
    """A tag comes from an import as it is; a feed that cannot be written holds up all others."""
    sink = feeds(tmp_path)
    write(sink, item("1", attributes={"tag": tag}))
    assert sorted(p.stem for p in (tmp_path / "feeds").glob("tag-*.atom")) == stems


async def test_a_write_that_hangs_is_not_overtaken_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both would read the same feed, and the later one of them would take out what the other had put in."""
    sink, go_on = feeds(tmp_path), threading.Event()
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (go_on.wait(10), fsync(fd))[1])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await sink.deliver([item("1")])
    with pytest.raises(SinkError, match="has not come back"):
        async with asyncio.timeout(5):
            await sink.deliver([item("1"), item("2")])
    go_on.set()
    for _ in range(200):
        try:
            await sink.deliver([item("1"), item("2")])
            break
        except SinkError:
            await asyncio.sleep(0.02)
    assert set(read(tmp_path, "all")[0]) == {"Title of 1", "Title of 2"}
