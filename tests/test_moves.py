"""Articles that stand under a new URL, told from new ones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from recrawler.completion import KnownLink, Row, moved

DAY = datetime(2026, 1, 2, 8, 30, tzinfo=UTC)


def row(url: str, title: str, at: datetime | None = DAY) -> Row:
    return Row(url, url, title, at, "minute" if at else None, False, 1)


def known(url: str, title: str, at: datetime | None = DAY) -> KnownLink:
    return KnownLink(url, 1, at, "minute" if at else None, title, url)


HOST = "https://news.example"


@pytest.mark.parametrize(
    ("new", "old", "same"),
    [
        # the slug follows the title
        (row(f"{HOST}/2026/01/02/build-a-your-x", "How to build a your X"),
         known(f"{HOST}/2026/01/02/build-your-x", "How to build your X"), True),
        # the number names the article
        (row(f"{HOST}/a/84512-new-name.html", "Something else entirely", None),
         known(f"{HOST}/a/84512-old-name.html", "Its former title", None), True),
        # the same title under another path
        (row(f"{HOST}/zh/city.html", "市政府公布新线路规划"),
         known(f"{HOST}/zh/c1.html", "市政府公布新线路规划"), True),
        # two articles of one day
        (row(f"{HOST}/2026/01/02/b.html", "The library opens on Sundays"),
         known(f"{HOST}/2026/01/02/a.html", "Farmers debate the water report"), False),
        # a daily column: the same title on another day
        (row(f"{HOST}/2026/01/03/weather.html", "Weather of the day", DAY + timedelta(days=1)),
         known(f"{HOST}/2026/01/02/weather.html", "Weather of the day"), False),
        # other numbers
        (row(f"{HOST}/a/84513.html", "Minutes of the council, part 2"),
         known(f"{HOST}/a/84512.html", "Minutes of the council, part 1"), False),
        # titles too short to tell
        (row(f"{HOST}/b.html", "News", None), known(f"{HOST}/a.html", "News", None), False),
    ],
)  # fmt: skip
def test_what_counts_as_the_same_article(new: Row, old: KnownLink, same: bool) -> None:
    assert (new.key in moved([new], [old])) is same


def test_each_old_link_is_used_once() -> None:
    old = known(f"{HOST}/a.html", "Ferry timetable of the winter")
    news = [row(f"{HOST}/b.html", old.title), row(f"{HOST}/c.html", old.title)]
    assert list(moved(news, [old])) == [f"{HOST}/b.html"]
