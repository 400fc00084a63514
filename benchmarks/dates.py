"""How long a date takes, and how long a text without one: `python benchmarks/dates.py`.

Prints microseconds a text, the least of many short rounds (a busy machine shows in the yardstick too): for
some typical texts, for the rows of data/dates.tsv (median, mean, slowest tenth), and for text nodes of the
shared corpus where it is there.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from lxml import html

from recrawler.page.dates import find_date

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("RECRAWLER_SHARED", ROOT.parent / "shared"))
ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 1, 15, 6, 30, tzinfo=UTC).astimezone(ZONE)
TYPICAL = [
    ("2025-12-31", "zh"),
    ("[12-31]", "zh"),
    ("发布时间：2025-12-31 10:00", "zh"),
    ("3小时前", "zh"),
    ("2025年12月31日", "zh"),
    ("Jan 5, 2026", "en"),
    ("2 hours ago", "en"),
    ("05.01.2026 10:30", "de"),
    ("5 января 2026 г. в 10:30", "ru"),
    ("5 janvier 2026", None),
    ("市委召开常委会会议传达学习重要精神", "zh"),
    ("关于做好2025年度考核工作的通知", "zh"),
    ("10 Reasons Why You Need Email Marketing", "en"),
    ("1528 Views", "en"),
    ("Read more", "en"),
]


def least(call: Callable[[], object], rounds: int, repeat: int) -> float:
    """Microseconds of one call: the least mean of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(repeat):
            call()
        best = min(best, (time.perf_counter() - start) / repeat)
    return best * 1e6


def micros(text: str, lang: str | None, rounds: int = 5, repeat: int = 3) -> float:
    return least(lambda: find_date(text, now=NOW, tz=ZONE, lang=lang), rounds, repeat)


def report(name: str, texts: list[tuple[str, str | None]]) -> None:
    times = sorted(micros(text, lang) for text, lang in texts)
    if times:
        mean, p90 = statistics.fmean(times), times[len(times) * 9 // 10]
        print(
            f"{name}: {len(times)} texts, median {statistics.median(times):.1f} us, mean {mean:.1f} us, ",
            end="",
        )
        print(f"p90 {p90:.1f} us, longest {times[-1]:.0f} us")


def table() -> list[tuple[str, str | None]]:
    lines = (ROOT / "data" / "dates.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(row[0], row[1] or None) for row in rows]


def corpus_texts() -> list[tuple[str, str | None]]:
    """Every tenth distinct text node of at most 300 characters of the corpus, with its page's language."""
    labels = SHARED / "corpus" / "labels.jsonl"
    if not labels.exists():
        return []
    found: dict[tuple[str, str | None], None] = {}
    parser = html.HTMLParser(encoding="utf-8", recover=True, huge_tree=True)
    for line in labels.read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        tree = html.document_fromstring((labels.parent / page["file"]).read_bytes(), parser=parser)
        for text in tree.xpath("//body//text()[not(parent::script or parent::style)]"):
            plain = re.sub(r"\s+", " ", text).strip()
            if plain and len(plain) <= 300:
                found[plain, page["lang"]] = None
    return list(found)[::10]


def main() -> None:
    strptime = least(lambda: datetime.strptime("2025-12-31 +0000", "%Y-%m-%d %z"), 100, 10)
    print(f"{strptime:7.1f} us  yardstick: datetime.strptime of a date with a zone")
    for text, lang in TYPICAL:
        print(f"{micros(text, lang, 100, 10):7.1f} us  {lang or '-':3} {text}")
    report("data/dates.tsv", table())
    report("corpus text nodes", corpus_texts())


if __name__ == "__main__":
    main()
