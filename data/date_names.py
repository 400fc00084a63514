"""Writes recrawler/page/dates/calendar.tsv: month and weekday names of many languages, ready to look up.

From dateparser's locale data (BSD 3-clause, itself made from CLDR) and the names below, which it lacks.
To run again when dateparser is updated: `python data/date_names.py`.
"""

from __future__ import annotations

import importlib

from recrawler.page.dates.words import CALENDAR, fold

# The first that knows a word wins where a page's language is unknown: the commoner languages stand first.
LANGUAGES = (
    "es fr de pt it ru nl pl tr id vi cs uk el ro hu sv da nb fi bg sk sl lt lv et ca hr sr eu gl ar fa "
    "he hi bn th ko ka hy az kk uz ms fil ur ta te ml kn mr gu pa ne si my km lo mn is ga cy sq mk be bs af "
    "sw am eo ky ps so yo zu"
)
KINDS = {
    "months": (
        *("january", "february", "march", "april", "may", "june"),
        *("july", "august", "september", "october", "november", "december"),
    ),
    "weekdays": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
}
FURTHER = {
    ("ar", "months"): (
        "جانفي|كانون الثاني",
        "فيفري|شباط",
        "آذار",
        "أفريل|إبريل|نيسان",
        "ماي|أيار",
        "جوان|حزيران",
        "جويلية|تموز",
        "أوت|آب",
        "أيلول",
        "تشرين الأول",
        "تشرين الثاني",
        "كانون الأول",
    ),
    ("vi", "months"): (
        *("một|giêng", "hai", "ba", "tư", "năm", "sáu", "bảy", "tám", "chín", "mười", "mười một"),
        "mười hai|chạp",
    ),
}


def names(lang: str, kind: str) -> list[list[str]]:
    """The folded names of each month or weekday of one language; a name of two of them goes to the first."""
    info = importlib.import_module(f"dateparser.data.date_translation_data.{lang}").info
    further = FURTHER.get((lang, kind), ("",) * len(KINDS[kind]))
    seen: set[str] = set()
    rows = []
    for key, more in zip(KINDS[kind], further, strict=True):
        words = [fold(word) for word in (*info.get(key, ()), *more.split("|"))]
        kept = dict.fromkeys(w for w in words if len(w) > 1 and not any(c.isdigit() for c in w))
        rows.append([w for w in kept if w not in seen])
        seen.update(kept)
    return rows


def table() -> str:
    """The whole file: language, kind, then the names of each month or weekday, split by "|"."""
    head = "# Written by data/date_names.py from dateparser's locale data (BSD 3-clause). Folded words."
    lines = [
        "\t".join([lang, kind, *("|".join(row) for row in names(lang, kind))])
        for lang in LANGUAGES.split()
        for kind in KINDS
    ]
    return "\n".join([head, *lines]) + "\n"


if __name__ == "__main__":
    CALENDAR.write_text(table(), encoding="utf-8")
