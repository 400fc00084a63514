"""When an article says it was published."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from recrawler.page.article import published

NOW = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
CHINA = timezone(timedelta(hours=8))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<meta property="article:published_time" content="2026-01-14T08:30:00+08:00">', (14, 0, 30)),
        ('<meta name="PubDate" content="2026-01-14 08:30">', (14, 0, 30)),
        ('<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2026-01-13T10:00:00Z"}'
         "</script>", (13, 10, 0)),
        ("<article><time datetime=2026-01-12T09:00:00Z>yesterday</time></article>", (12, 9, 0)),
        ("<h1>标题</h1><div>来源：本站 发布时间：2026-01-14 08:30</div><p>2020-01-01</p>", (14, 0, 30)),
        ('<meta name="date" content="2026-02-14"><h1>x</h1><p>2026-01-10 20:00</p>', (10, 12, 0)),
        ("<p>2026-01-14</p>", None),
        ("", None),
    ],
)  # fmt: skip
def test_published(html: str, expected: tuple[int, int, int] | None) -> None:
    found = published(html, "https://a.example/1", now=NOW, timezone=CHINA)
    got = None if found is None else (found.date.day, found.date.hour, found.date.minute)
    assert got == expected
