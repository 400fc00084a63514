"""Feed files: Atom and JSON Feed, a pair for each index, each site, each tag, and one for all together.

The JSON file is the memory: new entries are put on top of what it holds. Files are replaced whole, so that a
reader never sees half of one. An article has one entry, whose id stays when it is updated or given out again.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec

from recrawler.records import iso
from recrawler.sinks import SinkError, event
from recrawler.sinks.files import Writes, sync_folder
from recrawler.store import OutboxItem

_ATOM = "http://www.w3.org/2005/Atom"
_JSON_FEED = "https://jsonfeed.org/version/1.1"
_NEEDED = ("id", "url", "date_modified")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot hold

_NAME_BYTES = 200  # of the 255 that a name may have; the rest is for what stands around it
_NO_NAME = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Source:
    """What a feed says of the index page that it is about."""

    title: str
    url: str


class FeedSink:
    """Keeps feeds in `folder`, the latest `size` entries of each: `all.atom`, `all.json`, `index-7.atom`,
    `site-news.example.atom`, `tag-city.atom` .. A tag is what the attribute `tag` of an index says.

    `describe` tells of an index page by its id; None where it is gone. `base` is the URL at which the folder
    is served, where it is: feeds then name their own address.
    """

    def __init__(
        self,
        folder: str | Path,
        describe: Callable[[int], Source | None],
        *,
        size: int = 100,
        base: str = "",
        name: str = "feeds",
    ) -> None:
        self.folder = Path(folder).expanduser()
        self.name = name
        self._describe, self._size = describe, size
        self._base = base.rstrip("/")
        self._writes = Writes(self.folder)

    async def deliver(self, items: Sequence[OutboxItem]) -> None:
        """Put the items into their feeds. Raises `SinkError`."""
        # Asked here, not in the thread: the description may come from the store.
        sources = {x.link.index: self._describe(x.link.index) for x in items}
        feeds: dict[str, tuple[Source, list[OutboxItem]]] = {}
        for item in items:
            source = sources[item.link.index] or Source(f"index {item.link.index}", item.link.via)
            for stem, about in _feeds_of(item, source).items():
                feeds.setdefault(stem, (about, []))[1].append(item)
        await self._writes.run(self._write, feeds)

    def _write(self, feeds: dict[str, tuple[Source, list[OutboxItem]]]) -> None:
        try:
            self.folder.mkdir(exist_ok=True)
            for stem, (source, items) in feeds.items():
                self._update(stem, source, items)
            sync_folder(self.folder)
        except OSError as e:
            raise SinkError(f"cannot write the feeds in {self.folder}: {e.strerror or e}") from e

    def _update(self, stem: str, source: Source, items: Sequence[OutboxItem]) -> None:
        path = self.folder / f"{stem}.json"
        entries = {entry["id"]: entry for entry in _stored(path)}
        for item in items:
            entry = _entry(item)
            before = entries.pop(entry["id"], None)
            entries = {entry["id"]: _merged(before, entry), **entries}
        latest = list(entries.values())[: self._size]
        self._replace(self.folder / f"{stem}.atom", self._atom(stem, source, latest))
        # Last: what is in the memory is in both.
        self._replace(path, self._json_feed(stem, source, latest))

    def _json_feed(self, stem: str, source: Source, entries: Sequence[dict[str, Any]]) -> bytes:
        feed = {"version": _JSON_FEED, "title": source.title or source.url}
        if source.url:
            feed["home_page_url"] = source.url
        if self._base:
            feed["feed_url"] = f"{self._base}/{stem}.json"
        return msgspec.json.format(msgspec.json.encode({**feed, "items": entries}), indent=1) + b"\n"

    def _atom(self, stem: str, source: Source, entries: Sequence[dict[str, Any]]) -> bytes:
        ElementTree.register_namespace("", _ATOM)
        feed = ElementTree.Element(f"{{{_ATOM}}}feed")
        _text(feed, "id", f"urn:recrawler:feed:{_short(f'{stem} {source.url}')}")
        _text(feed, "title", source.title or source.url)
        updated = max(
            (entry["date_modified"] for entry in entries), default=iso(datetime(1970, 1, 1, tzinfo=UTC))
        )
        _text(feed, "updated", updated)
        _text(_text(feed, "author", None), "name", "recrawler")
        if source.url:
            _link(feed, "alternate", source.url)
        if self._base:
            _link(feed, "self", f"{self._base}/{stem}.atom")
        for entry in entries:
            _atom_entry(feed, entry)
        text: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
        return text + b"\n"

    def _replace(self, path: Path, content: bytes) -> None:
        fd, temporary = tempfile.mkstemp(dir=self.folder, prefix=f".{path.name}.")
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(content)
                file.flush()
                os.fchmod(fd, 0o644)
                os.fsync(fd)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def _short(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _entry(item: OutboxItem) -> dict[str, Any]:
    link = item.link
    entry: dict[str, Any] = {
        "id": f"urn:recrawler:link:{_short(link.key)}",
        "url": link.url,
        "title": link.title,
        "content_text": link.title,
        "date_modified": iso(link.found_at),
        "_recrawler": event(item),
    }
    if link.published_at is not None:
        entry["date_published"] = iso(link.published_at)
    return entry


def _merged(before: dict[str, Any] | None, entry: dict[str, Any]) -> dict[str, Any]:
    """An entry again: what it says now, with the date that it was first published."""
    if before is not None and "date_published" in before:
        return {**entry, "date_published": before["date_published"]}
    return entry


def _stored(path: Path) -> list[dict[str, Any]]:
    """The entries of a feed file; none where it is missing or not one of ours."""
    try:
        items = msgspec.json.decode(path.read_bytes())["items"]
        return [entry for entry in items if all(isinstance(entry[key], str) for key in _NEEDED)]
    except FileNotFoundError:
        return []
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError):
        return []


def _feeds_of(item: OutboxItem, source: Source) -> dict[str, Source]:
    """The feeds that an event belongs to, by file name without its end, and what each is about."""
    host = source.url.partition("://")[2].partition("/")[0]
    told = item.link.attributes.get("tag")
    tags = told if isinstance(told, list) else [told]
    return {
        f"index-{item.link.index}": source,
        f"site-{_file_name(host)}": Source(host, f"{source.url.partition('://')[0]}://{host}/"),
        **{f"tag-{_file_name(str(t))}": Source(str(t), "") for t in tags if t not in (None, "")},
        "all": Source("New links", ""),
    }


def _file_name(text: str) -> str:
    return _NO_NAME.sub("_", text).encode()[:_NAME_BYTES].decode(errors="ignore")


def _text(parent: ElementTree.Element, tag: str, text: str | None) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, f"{{{_ATOM}}}{tag}")
    element.text = None if text is None else _NO_XML.sub("\ufffd", text)
    return element


def _link(parent: ElementTree.Element, rel: str, href: str) -> None:
    ElementTree.SubElement(parent, f"{{{_ATOM}}}link", {"rel": rel, "href": href})


def _atom_entry(feed: ElementTree.Element, entry: dict[str, Any]) -> None:
    element = _text(feed, "entry", None)
    _text(element, "id", entry["id"])
    _text(element, "title", entry.get("title") or entry["url"])
    _text(element, "updated", entry["date_modified"])
    if "date_published" in entry:
        _text(element, "published", entry["date_published"])
    _link(element, "alternate", entry["url"])
    via = entry.get("_recrawler", {}).get("via")
    if via:
        _link(element, "via", via)
