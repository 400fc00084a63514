"""The demo: a news site on loopback, the real daemon, and a count of what it found."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from recrawler.demo import Article, NewsSite, Section, serve_site
from recrawler.demo.server import Served
from recrawler.errors import UsageError
from recrawler.settings import parse_duration

CONFIG = 'allow_networks = ["127.0.0.0/8"]\ndelay = "0s"\nmin_every = "1s"\n'
LISTS = ("zh", "en")


@dataclass
class Score:
    """What was published and what was found, by path."""

    published: dict[str, float] = field(default_factory=dict)  # when, on the monotonic clock
    found: dict[str, float] = field(default_factory=dict)
    twice: int = 0
    strange: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def missed(self) -> set[str]:
        with self.lock:
            return set(self.published) - set(self.found)


@click.command("demo")
@click.option(
    "--seconds", type=click.FloatRange(5, 600), default=25.0, show_default=True, help="How long it publishes."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other articles.")
@click.option(
    "--serve",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Serve only the site, until it is stopped: to try the commands on it.",
)
@click.option(
    "--pace", default="20s", show_default=True, metavar="D", help="With --serve: time between articles."
)
def demo(seconds: float, seed: int, serve: int | None, pace: str) -> int:
    """Watch a news site of our own for half a minute. Prints every new link as it is found."""
    site = _site(seed)
    if serve is not None:
        return _serve_only(site, serve, parse_duration(pace), random.Random(seed))
    score = Score()
    with tempfile.TemporaryDirectory(prefix="recrawler-demo-") as folder, serve_site(site) as served:
        click.secho(
            f"A news site of our own at {served.base}: 300 articles, two lists, one pinned post each.\n",
            bold=True,
        )
        common = _prepare(Path(folder), served)
        with _daemon(common), _follow(common, site, score):
            _publish(site, score, seconds, random.Random(seed))
            _wait_for_rest(score)
        return _sum_up(score, served, common)


def _site(seed: int) -> NewsSite:
    """Two lists that were written side by side in the last days, up to now."""
    start = datetime.now(UTC) - timedelta(hours=118)
    site = NewsSite([Section("zh", "zh", 12), Section("en", "en", 10)], seed=seed, start=start)
    for _ in range(150):
        for name in LISTS:
            site.publish(1, section=name)
    for name in LISTS:
        site.pin(40, section=name)
    return site


def _serve_only(site: NewsSite, port: int, pace: float, rng: random.Random) -> int:
    """The site alone, with an article now and then, until Ctrl-C."""
    with _listening(site, port) as served, contextlib.suppress(KeyboardInterrupt):
        click.echo(f"Lists at {' and '.join(served.url(f'/{name}/') for name in LISTS)}; Ctrl-C stops it.")
        while True:
            time.sleep(pace)
            name = rng.choice(LISTS)
            [made] = site.publish(1, section=name, at=datetime.now(UTC))
            click.echo(f"published on /{name}/  {made.title}")
    return 0


@contextlib.contextmanager
def _listening(site: NewsSite, port: int) -> Iterator[Served]:
    """The site on a port that the user named. Raises `UsageError` where it is taken."""
    with contextlib.ExitStack() as stack:
        try:
            served = stack.enter_context(serve_site(site, port))
        except (OSError, OverflowError) as e:
            why = e.strerror if isinstance(e, OSError) and e.strerror else str(e)
            raise UsageError(f"--serve {port}: cannot listen there: {why}; give another port") from None
        yield served


def _recrawler(*args: str) -> list[str]:
    return [sys.executable, "-m", "recrawler", *args]


def _prepare(folder: Path, served: Served) -> list[str]:
    """A database and settings, and the lists added; the options that all commands share."""
    (folder / "demo.toml").write_text(CONFIG)
    common = ["--db", str(folder / "demo.db"), "--config", str(folder / "demo.toml")]
    for name in LISTS:
        url = served.url(f"/{name}/")
        given = [url, "--every", "2s", "--timezone", "Asia/Shanghai"]
        click.secho(f"$ recrawler add-index {' '.join(given)}", fg="cyan")
        done = subprocess.run(_recrawler("add-index", *given, *common), check=False)
        if done.returncode:
            raise click.ClickException("the demo's list could not be added")
        click.echo()
    return common


@contextmanager
def _daemon(common: list[str]) -> Iterator[None]:
    click.secho("$ recrawler run &", fg="cyan")
    process = subprocess.Popen(_recrawler("run", *common), stderr=subprocess.PIPE, text=True)
    noise: list[str] = []
    reader = threading.Thread(target=lambda: noise.extend(process.stderr or ()), daemon=True)
    reader.start()
    try:
        yield
    finally:
        early = process.poll()
        process.send_signal(signal.SIGTERM)
        status = process.wait(timeout=10)
        reader.join(timeout=2)
        if early is not None or status:
            click.echo("".join(noise[-20:]), err=True)
            raise click.ClickException(f"the daemon ended with status {status}")


@contextmanager
def _follow(common: list[str], site: NewsSite, score: Score) -> Iterator[None]:
    """Print links as the daemon finds them."""
    click.secho("$ recrawler links --follow\n", fg="cyan")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = _recrawler("links", "--follow", "--json", *common)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    thread = threading.Thread(target=_read_links, args=(process.stdout, site, score), daemon=True)
    thread.start()
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=10)
        thread.join(timeout=2)


def _read_links(lines: Any, site: NewsSite, score: Score) -> None:
    import msgspec

    for line in lines:
        link = msgspec.json.decode(line)
        path = "/" + link["url"].split("/", 3)[3]
        with score.lock:
            score.twice += path in score.found
            score.strange += path not in score.published
            score.found.setdefault(path, time.monotonic())
            waited = score.found[path] - score.published.get(path, score.found[path])
        click.echo(f"  {link['hop_path']:<4} page {link['page']}  {waited:4.1f} s after  {link['title']}")


def _publish(site: NewsSite, score: Score, seconds: float, rng: random.Random) -> None:
    """Articles one by one on both lists, and once a burst of more than two pages."""
    end = time.monotonic() + seconds
    burst = time.monotonic() + seconds * 0.5
    while time.monotonic() < end:
        time.sleep(rng.uniform(0.5, 2.0))
        if time.monotonic() > burst:
            burst = end + 1
            click.secho("  ... a burst of 30 articles, more than two pages", fg="yellow")
            _note(score, site, 30, "zh")
        else:
            _note(score, site, rng.choice((1, 1, 2)), rng.choice(LISTS))


def _note(score: Score, site: NewsSite, count: int, section: str) -> None:
    with score.lock:
        made: list[Article] = site.publish(count, section=section, at=datetime.now(UTC))
        score.published.update((a.path, time.monotonic()) for a in made)


def _wait_for_rest(score: Score, seconds: float = 12.0) -> None:
    end = time.monotonic() + seconds
    while score.missed() and time.monotonic() < end:
        time.sleep(0.2)


def _sum_up(score: Score, served: Served, common: list[str]) -> int:
    missed = score.missed()
    waits = sorted(score.found[p] - at for p, at in score.published.items() if p in score.found)
    pages = sum(not p.endswith(".html") or "/list_" in p for p in served.requests)
    click.echo()
    click.secho("Published  found  missed  twice  wrong  requests  median delay", bold=True)
    delay = f"{waits[len(waits) // 2]:.1f} s" if waits else "-"
    found = len(score.found) - score.strange
    click.echo(
        f"{len(score.published):>9}  {found:>5}  {len(missed):>6}  {score.twice:>5}  {score.strange:>5}"
        f"  {pages:>8}  {delay:>12}"
    )
    click.secho("\n$ recrawler indexes", fg="cyan")
    subprocess.run(_recrawler("indexes", *common), check=False)
    return 1 if missed or score.twice or score.strange else 0
