"""The webhook sink against real servers on loopback."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from recrawler.sinks import SinkError
from recrawler.sinks.delivery import Deliverer, Retry
from recrawler.sinks.webhook import WebhookSink, secret_bytes
from recrawler.store import OutboxItem
from recrawler.store.sqlite import SqliteStore
from tests.visiting import NOW, add, link, visit

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]
EPOCH = 1_780_000_000.7


class Receiver:
    """Takes events; the first requests get the answers of `script`, then `rule` decides."""

    def __init__(self) -> None:
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.script: list[web.Response | int] = []
        self.rule: Callable[[list[dict[str, Any]]], int] = lambda events: 204
        self.taken: list[str] = []
        self.url = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.requests.append(({k.lower(): v for k, v in request.headers.items()}, body))
        events = json.loads(body)["events"]
        answer = self.script.pop(0) if self.script else self.rule(events)
        response = web.Response(status=answer, text="because") if isinstance(answer, int) else answer
        if 200 <= response.status < 300:
            self.taken += [slug(e["url"]) for e in events]
        return response


def slug(url: str) -> str:
    return url.rpartition("/")[2].removesuffix(".html")


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    there = Receiver()
    app = web.Application()
    app.router.add_route("*", "/hook", there.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    there.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    yield there
    await runner.cleanup()


class _Page:
    id = 1
    url = "https://a.example/"


def items(*slugs: str) -> list[OutboxItem]:
    found = [link(_Page, s, title=f"新闻 {s}") for s in slugs]  # type: ignore[arg-type]
    return [OutboxItem(n, "webhook", 0, x, x.event_id) for n, x in enumerate(found, 1)]


def sink(receiver: Receiver, secret: str = "", **options: Any) -> WebhookSink:
    return WebhookSink(receiver.url, secret, clock=lambda: EPOCH, **options)


async def test_a_batch_is_one_request(receiver: Receiver) -> None:
    batch = items("1", "2")
    await sink(receiver, user_agent="us/1").deliver(batch)
    ((headers, body),) = receiver.requests
    assert json.loads(body) == {
        "events": [{"id": x.id, "key": x.link.key, **x.link.to_json()} for x in batch]
    }
    assert headers["content-type"] == "application/json"
    assert headers["user-agent"] == "us/1"
    assert headers["webhook-timestamp"] == "1780000000"
    assert headers["webhook-id"].startswith("msg_")
    assert "webhook-signature" not in headers


@pytest.mark.parametrize(
    ("secret", "key"),
    [("quite secret", b"quite secret"), ("whsec_AAECAwQF/w==", b"\x00\x01\x02\x03\x04\x05\xff")],
)
async def test_signature(receiver: Receiver, secret: str, key: bytes) -> None:
    """By the scheme's own text: base64 of HMAC-SHA256 over id.timestamp.body."""
    await sink(receiver, secret).deliver(items("1"))
    ((headers, body),) = receiver.requests
    signed = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"


def test_signature_known_answer() -> None:
    """The example of the scheme's specification."""
    key = secret_bytes("whsec_plJ3nmyCDGBKInavdOK15jsl")
    from recrawler.sinks.webhook import signature

    body = b'{"event_type":"ping","data":{"success":true}}'
    got = signature(key, "msg_loFOjxBNrRLzqYUf", "1731705121", body)
    assert got == "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0="


def test_bad_secret() -> None:
    with pytest.raises(SinkError, match="base64"):
        WebhookSink("http://127.0.0.1/", "whsec_%%%")


async def test_a_repeated_batch_has_the_same_id(receiver: Receiver) -> None:
    for batch in (items("1", "2"), items("1", "2"), items("1")):
        await sink(receiver).deliver(batch)
    a, b, c = (headers["webhook-id"] for headers, _ in receiver.requests)
    assert a == b != c


@pytest.mark.parametrize("status", [301, 308, 401, 403, 404, 408, 410, 429, 500, 502, 503, 504])
async def test_answers_that_ask_for_another_try(receiver: Receiver, status: int) -> None:
    receiver.script = [web.Response(status=status, text="a\n reason", headers={"location": "/new"})]
    with pytest.raises(SinkError, match=rf"answered {status} .*a reason") as caught:
        await sink(receiver).deliver(items("1", "2"))
    assert (caught.value.delivered, caught.value.rejected) == ((), ())
    assert len(receiver.requests) == 1  # redirects are not followed
    assert ("/new" in str(caught.value)) == (status < 400)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (format_datetime(datetime.fromtimestamp(EPOCH + 60, UTC), usegmt=True), pytest.approx(60, abs=1)),
        (format_datetime(datetime.fromtimestamp(EPOCH - 60, UTC), usegmt=True), 0.0),
        ("soon", None),
        ("-5", None),
        ("", None),
    ],
)
async def test_retry_after(receiver: Receiver, value: str, seconds: Any) -> None:
    receiver.script = [web.Response(status=503, headers={"retry-after": value})]
    with pytest.raises(SinkError) as caught:
        await sink(receiver).deliver(items("1"))
    assert caught.value.retry_after == seconds


async def test_nobody_there(tmp_path: Path) -> None:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    with pytest.raises(SinkError, match=rf"127\.0\.0\.1:{port}"):
        await WebhookSink(f"http://127.0.0.1:{port}/").deliver(items("1"))
    with pytest.raises(SinkError):
        await WebhookSink("no url").deliver(items("1"))


async def test_a_receiver_that_never_answers() -> None:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        with pytest.raises(SinkError, match="Timeout"):
            await WebhookSink(f"http://127.0.0.1:{s.getsockname()[1]}/", timeout=0.05).deliver(items("1"))


async def test_an_endless_answer_is_not_read(receiver: Receiver) -> None:
    async def flood(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(status=500)
        await response.prepare(request)
        try:
            for _ in range(100_000):
                await response.write(b"x" * 10_000)
        except (ConnectionError, OSError):
            return response
        raise AssertionError("all of it was read")

    app = web.Application()
    app.router.add_post("/", flood)
    runner = web.AppRunner(app, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    with pytest.raises(SinkError, match="answered 500") as caught:
        await WebhookSink(f"http://127.0.0.1:{runner.addresses[0][1]}/").deliver(items("1"))
    assert len(str(caught.value)) < 400
    await runner.cleanup()


async def test_one_bad_event_does_not_hold_up_the_rest(receiver: Receiver) -> None:
    receiver.rule = lambda events: 422 if any("bad" in e["url"] for e in events) else 200
    with pytest.raises(SinkError, match="answered 422") as caught:
        await sink(receiver).deliver(items("1", "bad", "2"))
    assert caught.value.delivered == (1, 3)
    assert caught.value.rejected == (2,)
    assert receiver.taken == ["1", "2"]


async def test_a_receiver_that_refuses_all_is_at_fault_itself(receiver: Receiver) -> None:
    receiver.rule = lambda events: 400
    for batch in (items("1", "2"), items("1")):
        with pytest.raises(SinkError, match="answered 400") as caught:
            await sink(receiver).deliver(batch)
        assert (caught.value.delivered, caught.value.rejected) == ((), ())


async def test_trouble_in_the_middle_of_single_events(receiver: Receiver) -> None:
    receiver.script = [413, 200, 422, web.Response(status=503, headers={"retry-after": "7"})]
    with pytest.raises(SinkError, match="answered 503") as caught:
        await sink(receiver).deliver(items("1", "2", "3", "4"))
    assert (caught.value.delivered, caught.value.rejected) == ((1,), (2,))
    assert caught.value.retry_after == 7.0


async def test_slow_single_events_are_noted_in_time(receiver: Receiver) -> None:
    receiver.script = [413, 200]
    with pytest.raises(SinkError, match="the rest follows") as caught:
        hook = sink(receiver)
        hook._timeout = 5.0
        really = hook._post

        async def post(client: Any, batch: Any) -> None:
            await really(client, batch)
            hook._timeout = -1.0  # as if it had taken that long

        hook._post = post  # type: ignore[method-assign]
        await hook.deliver(items("1", "2", "3"))
    assert caught.value.delivered == (1,)


async def test_from_the_store_through_an_outage(receiver: Receiver, tmp_path: Path) -> None:
    """The receiver is down, then asks for patience, then refuses one event; everything else arrives in order,
    and the refused one can be sent again."""
    with SqliteStore(tmp_path / "x.db", create=True) as store:
        visit(store, add(store), "4", "bad", "2", "1", sinks=["webhook"])
        now = NOW
        delivery = Deliverer(
            store, [sink(receiver)], retry=Retry(first=1, most=1), now=lambda: now, random_=lambda: 0.0
        )
        receiver.script = [500, web.Response(status=429, headers={"retry-after": "50"})]
        receiver.rule = lambda events: 422 if any("bad" in e["url"] for e in events) else 200
        for seconds in (0, 1, 49, 1, 1):
            now += timedelta(seconds=seconds)
            await delivery.drain()
        assert receiver.taken == ["1", "2", "4"]
        (dead,) = store.dead_letters("webhook")
        assert "answered 422" in (dead.error or "")
        receiver.rule = lambda events: 200
        assert store.revive("webhook") == 1
        assert await delivery.drain() == 1
        assert receiver.taken == ["1", "2", "4", "bad"]
        assert store.sinks() == []
