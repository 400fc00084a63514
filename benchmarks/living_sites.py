"""Every made-up structure as a site that lives: served on loopback, watched by the real visits, and scored.

usage: python benchmarks/living_sites.py [--only FAMILY]... [--seeds 2] [--first 0] [--jobs 1] [--show]
                                         [--dump DIR]

Each structure of `data/pagegen` is one site for each seed, in a language of its own. The first visit records
the base; then the site lives through the steps of `LIFE`, with a visit after each. Counted:

  found     new links given out, of those that were published and stood in the list at the time of a visit
  wrong     links given out as new that were not published since: decoys, or old ones that came back
  false     visits that said "complete" while a link was missing that stood in the list, and that no visit has
            told to be lost
  open      visits that said that something may be missing
  requests  after the first visit, beside the least: the pages down to the oldest link not yet found
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "data"))

from generate import page_text
from pagegen.families import FAMILIES
from pagegen.lexicon import languages
from pagegen.living import LivingSite
from pagegen.recipes import Recipe
from pagegen.site import Item, Site

from recrawler.engine.local import visit_one
from recrawler.fetch import Fetcher
from recrawler.records import IndexOptions, VisitResult
from recrawler.settings import Duration, Settings
from recrawler.store.sqlite import SqliteStore
from recrawler.urls import identity_key
from recrawler.visit import Ask, Visitor

# Local time of the made-up sites, by language: hours east of UTC.
EAST = {
    "zh-CN": 8,
    "zh-TW": 8,
    "ja": 9,
    "ko": 9,
    "hi": 5.5,
    "bn": 6,
    "fa": 3.5,
    "ar": 3,
    "ru": 3,
    "vi": 7,
    "id": 7,
}
SETTINGS = Settings(
    allow_networks=("127.0.0.0/8",), delay=Duration(0), robots=False, request_timeout=Duration(10)
)


# --- what happens to a site ---


def _posts(count: int) -> Callable[[LivingSite], None]:
    def step(living: LivingSite) -> None:
        _pass(living, living.pace * count)
        living.lists[0].publish(count, living.pace)

    return step


def _pass(living: LivingSite, time: timedelta) -> None:
    living.site.now += max(time, timedelta(hours=1))


def _quiet(living: LivingSite) -> None:
    _pass(living, living.pace)


def _burst(living: LivingSite) -> None:
    _pass(living, living.pace)
    one = living.lists[0]
    one.publish(int(one.series.size * 2.3) + 2, timedelta(minutes=2))


def _pin_and_post(living: LivingSite) -> None:
    one = living.lists[0]
    one.pin(min(len(one.posts) - 1, one.series.size + 3))
    _posts(1)(living)


def _delete_some(living: LivingSite) -> None:
    one = living.lists[0]
    one.delete(one.series.size - 2, 3)
    _posts(2)(living)


def _bump_or_post(living: LivingSite) -> None:
    one = living.lists[0]
    _posts(2)(living)
    if one.series.key != "publish":
        one.bump(one.series.size + 1)


def _unpin(living: LivingSite) -> None:
    living.lists[0].unpin()
    _posts(3)(living)


def _second_list(living: LivingSite) -> None:
    _posts(1)(living)
    living.lists[-1].publish(2, living.pace)


def _delete_page(living: LivingSite) -> None:
    one = living.lists[0]
    one.delete(0, one.series.size)
    _posts(2)(living)


LIFE: dict[str, Callable[[LivingSite], None]] = {
    "three": _posts(3),
    "quiet": _quiet,
    "burst": _burst,
    "moves": _burst,  # and one more while the pages are read
    "pin": _pin_and_post,
    "delete": _delete_some,
    "bump": _bump_or_post,
    "unpin": _unpin,
    "one": _posts(1),
    "other": _second_list,
    "page gone": _delete_page,
    "two": _posts(2),
}


# --- the server ---


@dataclass
class Served:
    living: LivingSite | None = None
    pages: list[tuple[str, str]] = field(default_factory=list)  # (path, HTML) of each request
    after_page: Callable[[], None] | None = None  # called once, when a list page has been read


@contextmanager
def serving() -> Iterator[tuple[Served, str]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    served = Served()
    server.served = served  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield served, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        served: Served = self.server.served  # type: ignore[attr-defined]
        assert served.living is not None
        self._answer(served, served.living.find(self.path))

    def do_POST(self) -> None:
        served: Served = self.server.served  # type: ignore[attr-defined]
        assert served.living is not None
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        url = served.living.site.place.root + self.path
        self._answer(served, served.living.posted(parse_qsl(body, True)), url)

    def _answer(self, served: Served, at: tuple[int, int] | None, url: str | None = None) -> None:
        draft = served.living.page(*at, url=url) if served.living and at else None
        text = page_text(draft) if draft else "<html><body><h1>404 Not Found</h1></body></html>"
        served.pages.append((self.path, text))
        self._send(200 if draft else 404, text)
        if served.after_page:
            then, served.after_page = served.after_page, None
            then()

    def _send(self, status: int, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


# --- watching and scoring ---


@dataclass
class Score:
    family: str
    lang: str
    published: int = 0
    found: int = 0
    wrong: int = 0
    false: int = 0
    open: int = 0
    requests: int = 0
    least: int = 0
    notes: list[str] = field(default_factory=list)

    def badness(self) -> tuple[int, int, int]:
        return self.false, self.wrong, self.published - self.found


@dataclass
class SiteClock:
    """The wall clock of the site's own life; the machine's for all else."""

    living: LivingSite
    east: timedelta
    _real: float = 0.0

    def now(self) -> datetime:
        return self.living.site.now.replace(tzinfo=UTC) - self.east

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.01))


def key(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.netloc}{unquote(parts.path)}?{unquote(parts.query)}"


@dataclass
class Truth:
    """What has been published since the base, and what has been given out."""

    living: LivingSite
    base: set[str] = field(default_factory=set)
    due: set[str] = field(default_factory=set)  # stood in a list when a visit began
    given: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)  # missing, and a visit that gave them up has said so

    def listed(self) -> list[set[str]]:
        return [{key(item.url) for item in one.posts} for one in self.living.lists]

    def least(self) -> int:
        """Pages down to the oldest post not yet found, for each list."""
        return max(1, sum(self._pages(at) for at in range(len(self.living.lists))))

    def _pages(self, at: int) -> int:
        one = self.living.lists[at]
        if one.series.order == "unsorted":
            return one.total
        rows: list[Item] = [item for item in one.listed() if not item.pinned]
        if one.series.order == "oldest-first":
            rows.reverse()
        size = one.series.size
        new = [n for n, item in enumerate(rows) if key(item.url) not in self.base | self.given]
        first = 1 if at == 0 else 0  # the lists share their first page
        return max(first, (new[-1] if new else 0) // size + 1 - (at > 0))


async def live(family: Recipe, lang: str, seed: int, folder: Path, dump: Path | None) -> Score:
    """One site's life. `dump`: where the pages of its visits are written."""
    rng = random.Random(f"living/{seed}/{family.name}")
    site = Site(
        f"living/{seed}/{family.name}", lang, rng.choice(family.naming), family.old,
        rng.choice(family.articles), family.fixed,
    )  # fmt: skip
    score = Score(family.name, lang)
    with serving() as (served, root), SqliteStore(folder / "living.db", create=True) as store:
        living = served.living = LivingSite(site, family, root)
        clock = SiteClock(living, timedelta(hours=EAST.get(lang, 0)))
        url = living.url(1)
        index, _ = store.add_index(url, identity_key(url), IndexOptions(), clock.now(), clock.now())
        async with Fetcher(SETTINGS, store, clock) as fetcher:
            visitor = Visitor(store, fetcher, SETTINGS, clock)
            truth = Truth(living)
            truth.base = set().union(*truth.listed())
            for name, step in {"first": _quiet, **LIFE}.items():
                if name != "first":
                    step(living)
                if name == "moves":
                    served.after_page = partial(living.lists[0].publish, 1, living.pace)
                stood, least = truth.listed(), truth.least()
                served.pages.clear()
                page = store.get_index(index.id)
                assert page is not None
                report = await visit_one(store, visitor, page, [], 600, Ask())
                assert report is not None
                judge(score, truth, stood, report.result, name)
                if dump:
                    write_pages(dump / f"{family.name}-{seed}", name, root, served.pages)
                if name != "first":
                    score.least += least
                    score.requests += len(served.pages)
    score.published, score.found = len(truth.due), len(truth.due & truth.given)
    return score


def judge(score: Score, truth: Truth, stood: list[set[str]], result: VisitResult, name: str) -> None:
    """Count one visit."""
    visit = result.visit
    given = {key(x.url) for x in result.found if x.status != "baseline"}
    everything = set().union(*truth.listed()) | set().union(*stood)
    new = set().union(*stood) - truth.base
    again = given & truth.given
    wrong = (given - everything) | (given & truth.base) | again
    truth.due |= new
    truth.given |= given
    missing = new - truth.given - truth.told
    score.wrong += len(wrong)
    a_base = visit.outcome == "first-visit"  # of a list that no visit has found before: nothing on it is news
    if a_base or (not visit.complete and not any(x.gap_visit for x in result.index.series)):
        truth.told |= missing
    false = bool(visit.complete and missing)
    score.false += false
    score.open += not visit.complete
    if wrong or false or missing:
        parts = [f"{visit.outcome}{'' if visit.complete else ' (open)'}", f"{len(visit.pages)} pages"]
        parts += [f"{len(wrong)} wrong: {sorted(wrong)[0]}"] if wrong else []
        parts += [f"{len(missing)} of {len(new)} missing"] if missing else []
        parts += [s.why for s in visit.series]
        score.notes.append(f"{'FALSE ' if false else ''}{name}: " + "; ".join(parts))


def write_pages(folder: Path, step: str, root: str, pages: list[tuple[str, str]]) -> None:
    """The pages of one visit, each with its URL in the first line."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (path, text) in enumerate(pages):
        name = f"{step.replace(' ', '-')}-{number}.html"
        (folder / name).write_text(f"<!-- {root}{path} -->\n{text}", encoding="utf-8")


def run(job: tuple[Recipe, str, int], dump: Path | None) -> Score:
    family, lang, seed = job
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(live(family, lang, seed, Path(folder), dump))


def jobs(only: list[str], seeds: range) -> list[tuple[Recipe, str, int]]:
    recipes = [f for f in FAMILIES if isinstance(f, Recipe)]
    out = []
    for seed in seeds:
        for at, family in enumerate(recipes):
            langs = [x for x in languages() if not family.langs or x in family.langs]
            if not only or family.name in only:
                out.append((family, langs[(at + 7 * seed) % len(langs)], seed))
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="tell of each visit that something went wrong in")
    parser.add_argument("--dump", type=Path, help="write the pages of all visits here")
    args = parser.parse_args()
    with ProcessPoolExecutor(args.jobs) as pool:
        scores = list(
            pool.map(
                partial(run, dump=args.dump), jobs(args.only, range(args.first, args.first + args.seeds))
            )
        )
    scores.sort(key=Score.badness, reverse=True)
    print(f"{'structure':24} {'lang':6} {'found':>9} {'wrong':>6} {'false':>6} {'open':>5} {'requests':>9}")
    for s in scores:
        found, requests = f"{s.found}/{s.published}", f"{s.requests}/{s.least}"
        print(f"{s.family:24} {s.lang:6} {found:>9} {s.wrong:6} {s.false:6} {s.open:5} {requests:>9}")
        for note in s.notes if args.show else ():
            print(f"    {note}")
    total = [
        sum(getattr(s, name) for s in scores) for name in ("found", "published", "wrong", "false", "open")
    ]
    asked, least = sum(s.requests for s in scores), sum(s.least for s in scores)
    print(
        f"{len(scores)} sites: found {total[0]}/{total[1]}, wrong {total[2]}, false {total[3]}, "
        f"open {total[4]}, requests {asked}/{least}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
