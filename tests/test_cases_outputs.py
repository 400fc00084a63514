"""Cases of real faults in what is given out and how a visit queues its pages. The number is that of the case."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from recrawler.crawluri import index_candidate
from recrawler.demo import NewsSite, Section
from recrawler.engine.local import visit_one
from recrawler.frontier import Frontier
from recrawler.hops import Hop
from recrawler.sinks import SinkError
from recrawler.sinks.delivery import Deliverer, Retry
from recrawler.sinks.jsonl import JsonlSink
from recrawler.store import OutboxItem
from recrawler.visit import Ask
from tests.watching import paths, watching


class Fails:
    """A sink that raises for the second of five links, until it is mended."""

    def __init__(self) -> None:
        self.name = "broken"
        self.mended = False
        self.got: list[str] = []

    async def deliver(self, items: Sequence[OutboxItem]) -> None:
        for n, x in enumerate(items):
            if n == 1 and not self.mended:
                raise SinkError("the disk is full", delivered=[items[0].seq])
            self.got.append(x.link.url)


async def test_case_014_a_sink_that_fails_leaves_nothing_to_be_found_again(tmp_path: Path) -> None:
    """What was seen and what is to be given out are one transaction; delivery needs no rediscovery."""
    sink = Fails()
    async with watching(tmp_path) as w:
        deliverer = Deliverer(w.store, [sink], retry=Retry(first=0.01, most=0.01))
        await w.visit()
        made = w.site.publish(5)
        report = await visit_one(w.store, w.visitor, w.index, deliverer.names, 60, Ask())
        assert report is not None and len(report.result.visit.new) == 5
        await deliverer.drain()
        assert len(sink.got) == 1
        w.site.delete(0, 5)  # the list no longer shows them
        assert not (await w.visit()).new
        sink.mended = True
        await asyncio.sleep(0.05)
        await deliverer.drain()
        assert sorted(sink.got) == sorted(w.served.url(p) for p in paths(made))


async def test_case_107_a_hundred_links_and_a_broker_that_is_down_for_a_while(tmp_path: Path) -> None:
    """At least once, with the same id, and a slow sink holds up neither the visits nor other sinks."""
    sink, file = Fails(), tmp_path / "links.jsonl"
    site = NewsSite([Section("news", "zh", 20)])
    site.publish(60)
    async with watching(tmp_path, site) as w:
        deliverer = Deliverer(w.store, [sink, JsonlSink(file)], retry=Retry(first=0.01, most=0.01))
        await w.visit()
        made = w.site.publish(100)
        await visit_one(w.store, w.visitor, w.index, deliverer.names, 60, Ask())
        await deliverer.drain()
        assert len(file.read_text().splitlines()) == 100
        assert next(s.pending for s in w.store.sinks() if s.sink == "broken") > 0
        sink.mended = True
        for _ in range(20):
            await asyncio.sleep(0.02)
            await deliverer.drain()
        assert set(sink.got) == {w.served.url(p) for p in paths(made)} and len(sink.got) == 100
        ids = {json.loads(line)["id"] for line in file.read_text().splitlines()}
        assert len(ids) == 100 and all(s.pending == 0 for s in w.store.sinks())


def test_case_101_pages_of_the_series_come_first_and_the_queue_stays_short() -> None:
    """200 pages of 40 links: a next page goes before every other, and links are never queued for fetching."""
    frontier = Frontier()
    frontier.add(index_candidate("https://a.example/news/"))
    order, longest = [], 0
    while (curi := frontier.next()) is not None and len(order) < 220:
        order.append(curi.url)
        page = len(order)
        if page < 200:
            frontier.add(curi.child(f"https://a.example/a/{page}.html", Hop.NAVLINK))
            frontier.add(curi.next_page(f"https://a.example/news/?p={page + 1}"))
        longest = max(longest, len(frontier))
    assert order[:200] == [
        "https://a.example/news/",
        *(f"https://a.example/news/?p={n}" for n in range(2, 201)),
    ]
    assert longest <= 200


async def test_case_101_a_visit_queues_no_links(tmp_path: Path) -> None:
    async with watching(tmp_path) as w:
        await w.visit()
        made = w.site.publish(45)
        visit = await w.visit()
        assert len(visit.new) == len(made)
        assert all(
            "/list_" in r or r == "/news/" for r in w.requests()
        )  # pages only, each link to the outbox
