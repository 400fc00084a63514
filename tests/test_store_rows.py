"""Values to columns and back: nothing is lost, old rows are read, and records may grow."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recrawler.completion import SeriesMemory
from recrawler.errors import StoreError
from recrawler.records import FoundLink, HostState, IndexOptions
from recrawler.store import rows
from recrawler.store.sqlite import SqliteStore
from tests.visiting import NOW, add


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "x.db", create=True) as opened:
        yield opened


def test_rows_that_lack_newer_fields_take_defaults(store: SqliteStore) -> None:
    page = add(store)
    with store._db.write() as db:
        db.execute('UPDATE indexes SET options = \'{}\', series = \'[{"listing": "main", "gone": 1}]\'')
    old = store.get_index(page.id)
    assert old is not None
    assert (old.options, old.series) == (IndexOptions(), (SeriesMemory("main"),))


@pytest.mark.parametrize("change", ["options = '{'", "series = '[3]'", "last_outcome = 'what'"])
def test_a_row_that_cannot_be_read_says_so(store: SqliteStore, change: str) -> None:
    page = add(store)
    with store._db.write() as db:
        db.execute(f"UPDATE indexes SET {change}")
    with pytest.raises(StoreError, match="a stored IndexPage cannot be read"):
        store.get_index(page.id)


def test_fields_without_a_column_are_kept() -> None:
    @dataclasses.dataclass(frozen=True)
    class Grown:
        name: str
        when: datetime | None = None
        more: tuple[int, ...] = ()
        at: datetime | None = None

    codec = rows.Codec(Grown, plain=("name",), times=("when",))
    value = Grown("a", NOW, (1, 2), NOW)
    assert codec.decode(codec.encode(value)) == value  # type: ignore[arg-type]
    assert codec.encode(Grown("a"))["extra"] is None


TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@given(title=TEXT, published=st.none() | MOMENTS, found=MOMENTS, hop=TEXT)
def test_links_come_back_as_they_were(title: str, published: Any, found: datetime, hop: str) -> None:
    one = FoundLink(1, "l", "https://a/", "http://a/", title, published, None, found, 2, 3, "new", hop, "v")
    back = rows.LINK.decode(rows.LINK.encode(one))  # type: ignore[arg-type]
    assert back == one
    assert back.event_id == one.event_id


@given(st.sampled_from(["http://a.b/c", "https://a.b/c", "s", "h", "https:", "x://a", "", "http://a.b//c"]),
       st.sampled_from(["http://a.b/c", "https://a.b/c", "//a.b/c", "/c", "", "s", "https:"]))  # fmt: skip
def test_packed_urls_come_back(url: str, key: str) -> None:
    packed = rows.pack_url(url, key)
    assert rows.unpack_url(packed, key) == url or packed == url in ("s", "h")


def test_hosts(store: SqliteStore) -> None:
    assert store.host("a:80") is None
    state = HostState("a:80", NOW, 2.5, b"User-agent: *\n\xff\x00", 200, NOW, "gbk")
    store.save_host(HostState("a:80"))
    store.save_host(state)
    assert store.host("a:80") == state
