"""Damaged and monstrous pages, the same for the same seed, and what the analysis of each costs.

`python benchmarks/analysis.py --mutate N` runs them; a few dozen run in the tests.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from recrawler.page.analysis import analyse
from recrawler.page.classifier import load_model

NOW = datetime(2026, 1, 15, tzinfo=UTC)
URL = "https://a.example/list?page=3"
MAX_SECONDS = 2.0
MAX_MB = 500.0
CHARSETS = ("gb18030", "utf-16", "shift_jis", "cp1251", "euc_kr", "big5", "latin-1")
Mutation = Callable[[random.Random, bytes], bytes]


def links(count: int, tag: bytes = b"li") -> bytes:
    return b"".join(b"<%s><a href=/a/%d>title of number %d</a></%s>" % (tag, n, n, tag) for n in range(count))


def _put(rng: random.Random, body: bytes, piece: bytes) -> bytes:
    """The piece at a random place, or behind the end of a tag there, where the parser sees it as written."""
    at = rng.randrange(len(body) + 1)
    if rng.random() < 0.5:
        at = body.find(b">", at) + 1
    return body[:at] + piece + body[at:]


def cut(rng: random.Random, body: bytes) -> bytes:
    return body[: rng.randrange(len(body) + 1)]


def turned(rng: random.Random, body: bytes) -> bytes:
    at = rng.randrange(len(body) + 1)
    return body[at:] + body[:at]


def spliced(rng: random.Random, body: bytes) -> bytes:
    """Pieces of the page in another order, some twice, some not at all."""
    spots = sorted(rng.randrange(len(body) + 1) for _ in range(rng.randint(2, 12)))
    pieces = [body[a:b] for a, b in zip([0, *spots], [*spots, len(body)], strict=True)]
    return b"".join(rng.choices(pieces, k=len(pieces)))


def repeated(rng: random.Random, body: bytes) -> bytes:
    return body * rng.randint(2, 6)


def nulled(rng: random.Random, body: bytes) -> bytes:
    for _ in range(rng.randint(1, 20)):
        body = _put(rng, body, b"\0" * rng.randint(1, 100))
    return body


def flipped(rng: random.Random, body: bytes) -> bytes:
    out = bytearray(body)
    for _ in range(len(out) // rng.choice((20, 100, 1000))):
        out[rng.randrange(len(out))] ^= rng.randrange(256)
    return bytes(out)


def recoded(rng: random.Random, body: bytes) -> bytes:
    """The page in another charset than it says."""
    return body.decode("utf-8", "replace").encode(rng.choice(CHARSETS), "ignore")


def nested(rng: random.Random, body: bytes) -> bytes:
    tag = rng.choice((b"<div>", b"<ul><li>", b"<b>", b"<a href=x>", b"<table><tr><td>", b"<span class=page>"))
    return _put(rng, body, tag * rng.choice((100, 1000, 5000)))


def crowded(rng: random.Random, body: bytes) -> bytes:
    return _put(rng, body, links(rng.randint(10, 3000), rng.choice((b"li", b"p", b"b", b"tr"))))


def long_attribute(rng: random.Random, body: bytes) -> bytes:
    word = rng.choice((b"x", b"page ", b"2026-01-02 ", b"../", b"%20", b"[", b"&amp;"))
    name = rng.choice((b"href", b"class", b"id", b"title", b"onclick", b"rel", b"src"))
    piece = b"<a %s='%s'>next page</a>" % (name, word * (rng.randint(1, 1_000_000) // len(word)))
    return _put(rng, body, piece)


def long_text(rng: random.Random, body: bytes) -> bytes:
    word = rng.choice(
        (b"1 ", b"2026-01-02 10:00 ", b"next ", b"\xe9\xa1\xb5", b"3 days ago ", b"</", b"&#x4e00;")
    )
    place = rng.choice((b"<li>", b"<script>", b"<h1>", b"<a href=/x>", b"<td>", b"<title>", b"<option>"))
    return _put(rng, body, place + word * (rng.randint(1, 500_000) // len(word)))


def swapped_tags(rng: random.Random, body: bytes) -> bytes:
    old, new = rng.sample((b"<li", b"<div", b"<a ", b"<td", b"<p", b"<span", b"<ul", b"</a>", b"</div>"), 2)
    return body.replace(old, new)


def hundred_thousand_links(rng: random.Random, body: bytes) -> bytes:
    return _put(rng, body, links(100_000, rng.choice((b"li", b"p", b"td", b"div"))))


def hundred_thousand_bars(rng: random.Random, body: bytes) -> bytes:
    return _put(rng, body, b"".join(b"<div><a href=?p=%d>%d</a></div>" % (n, n) for n in range(100_000)))


def twenty_megabytes(rng: random.Random, body: bytes) -> bytes:
    kind = rng.randrange(5)
    piece = (b"some words of text ", b"2026-01-02 1 2 3 ", b"<p>x<b>y</b></p>", b"<br>", body or b"x")[kind]
    return body + piece * (20_000_000 // len(piece))


def giant_attribute(rng: random.Random, body: bytes) -> bytes:
    return _put(rng, body, b"<a href='%s'>x</a>" % (rng.choice((b"a", b"/", b"1-")) * 10_000_000))


SMALL: tuple[Mutation, ...] = (
    cut, turned, spliced, repeated, nulled, flipped, recoded, nested, crowded, long_attribute, long_text,
    swapped_tags,
)  # fmt: skip
HUGE: tuple[Mutation, ...] = (
    hundred_thousand_links, hundred_thousand_bars, twenty_megabytes, giant_attribute,
)  # fmt: skip
HUGE_EVERY = 50  # mutants: one of so many is huge


def mutant(n: int, seed: int, pages: Sequence[bytes], huge: bool = True) -> tuple[str, bytes]:
    """The n-th page of a seed, with the names of what was done to it: one or two things."""
    rng = random.Random(seed * 1_000_003 + n)
    body = rng.choice(pages)
    kinds = [HUGE[n // HUGE_EVERY % len(HUGE)]] if huge and n % HUGE_EVERY == 0 else [rng.choice(SMALL)]
    if rng.random() < 0.3:
        kinds.insert(0, rng.choice(SMALL))
    for kind in kinds:
        body = kind(rng, body)
    return f"{n}: {', '.join(kind.__name__ for kind in kinds)}", body


@dataclass(frozen=True, slots=True)
class Cost:
    """What one page took: seconds of processor time, MB of memory at the peak; `fault` if it failed."""

    label: str
    seconds: float
    megabytes: float
    fault: str = ""

    @property
    def good(self) -> bool:
        return not self.fault and self.seconds <= MAX_SECONDS and self.megabytes <= MAX_MB


def cost(label: str, body: bytes) -> Cost:
    """Analyses one page. An exception that the analysis itself caught is a fault too."""
    _forget_peak()
    began = time.process_time()
    try:
        found = analyse(body, URL, now=NOW)
        fault = found.verdict_why if found.verdict_why.startswith("the analysis failed") else ""
    except Exception as e:  # what is looked for
        fault = f"{type(e).__name__}: {e}"
    return Cost(label, time.process_time() - began, _peak(), fault)


def _forget_peak() -> None:
    """Lets the kernel measure this process's peak anew, where it can (Linux)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> float:
    """The greatest memory of this process in MB, since it was last forgotten or ever."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return int(next(x for x in lines if x.startswith("VmHWM")).split()[1]) / 1024
    except (OSError, StopIteration):
        scale = 1024 * 1024 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale


_pages: Sequence[bytes] = ()


def _begin(pages: Sequence[bytes]) -> None:
    global _pages  # each worker's own
    load_model()  # its time is no page's
    _pages = pages


def _one(task: tuple[int, int]) -> Cost:
    return cost(*mutant(*task, _pages))


def costs(count: int, seed: int, pages: Sequence[bytes], processes: int) -> Iterator[Cost]:
    """The costs of so many mutants, as they are done."""
    tasks = ((n, seed) for n in range(count))
    with multiprocessing.Pool(processes, _begin, (pages,), maxtasksperchild=500) as pool:
        yield from pool.imap_unordered(_one, tasks, chunksize=5)
