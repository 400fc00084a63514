"""Fetching from real servers on loopback."""

from __future__ import annotations

from recrawler.fetch import Failure, Fetcher, Request, Response
from recrawler.records import HostState
from recrawler.settings import Duration, Settings
from tests.httpserver import Site, page

LOCAL = Settings(
    allow_networks=("127.0.0.0/8",), delay=Duration(0), robots=False, request_timeout=Duration(5)
)


class Hosts(dict[str, HostState]):
    def host(self, host_key: str) -> HostState | None:
        return self.get(host_key)

    def save_host(self, state: HostState) -> None:
        self[state.host_key] = state


async def get(url: str, settings: Settings = LOCAL, **options: object) -> Response | Failure:
    async with Fetcher(settings, Hosts()) as fetcher:
        return await fetcher.fetch(Request(url, **options))  # type: ignore[arg-type]


async def test_a_page_comes_whole_with_its_charset() -> None:
    async with Site({"/": page("一", "二")}) as site:
        answer = await get(site.url("/"))
    assert isinstance(answer, Response)
    assert answer.status == 200
    assert answer.encoding == "utf-8"
    assert answer.body == page("一", "二")
    assert answer.requests == 1
