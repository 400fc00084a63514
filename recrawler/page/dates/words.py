"""The words and signs that dates are made of, in all scripts and languages.

Every word is looked up by its `fold`: lower case, accents stripped, no full stops, so "Févr." finds "fevr".
Month and weekday names of languages other than English are in calendar.tsv, read on first need (written by
data/date_names.py from dateparser's locale data).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path

_ACCENTS = re.compile("[\u0300-\u036f.॰'’-]")
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_ZEROS = "٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀០᠐０"  # the zero of each script's decimal digits; one to nine follow it
_TWINS = {
    " ": "\u00a0\u1680\u202f\u205f\u3000\t\n\r\f\v" + "".join(chr(c) for c in range(0x2000, 0x200B)),
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d",
    "~": "〜～∼",
    "[": "【〖〔「『",
    "]": "】〗〕」』",
    ":": "∶︰：",
    ",": "،、，",
    "'": "’‘ʼ",
    ".": "．｡",
    "/": "⁄∕",
}


def _sign_table() -> dict[int, str]:
    """Every decimal digit, full-width sign and odd space, dash or bracket to its plain ASCII twin."""
    table = {ord(zero) + i: str(i) for zero in _ZEROS for i in range(10)}
    table.update({0xFF01 + i: chr(0x21 + i) for i in range(94)})
    table.update({ord(odd): twin for twin, odds in _TWINS.items() for odd in odds})
    return table


_SIGNS = _sign_table()


def plain(text: str) -> tuple[str, list[int] | None]:
    """The text with ASCII digits and signs, and where each of its characters stood (None: where it is)."""
    if text.isascii() and text.isprintable():
        return text, None
    clean = text.translate(_SIGNS)
    if _INVISIBLE.search(clean) is None:
        return clean, None
    kept = [i for i, c in enumerate(clean) if not _INVISIBLE.match(c)]
    return "".join(clean[i] for i in kept), kept


@lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """The key of a word: lower case, no accents, hyphens, apostrophes, full stops. Indic vowel signs stay."""
    if word.isascii():
        return _ACCENTS.sub("", word.lower())
    flat = _ACCENTS.sub("", unicodedata.normalize("NFKD", word.lower()))
    return unicodedata.normalize("NFC", flat).replace("ı", "i").replace("ł", "l").replace("đ", "d")


def folded(words: str) -> frozenset[str]:
    """The keys of space-separated words; an underscore stands for a space inside one."""
    return frozenset(fold(word.replace("_", " ")) for word in words.split())


def table(text: str) -> dict[str, int]:
    """A table of lines "value: word word ..." as a mapping of folded words; a word's first mention holds."""
    found: dict[str, int] = {}
    for line in text.strip().splitlines():
        value, words = line.split(":", 1)
        for word in words.split():
            found.setdefault(fold(word.replace("_", " ")), int(value))
    return found


_TAG = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_]([A-Za-z0-9_-]{2,}))?\s*$")
_SAME = {"no": "nb", "nn": "nb", "iw": "he", "in": "id", "tl": "fil", "cn": "zh", "jp": "ja", "kr": "ko"}


@lru_cache(maxsize=256)
def language(tag: str | None) -> tuple[str | None, str]:
    """Language and last subtag of a BCP 47 tag: "zh-Hant-TW" -> ("zh", "tw"); (None, "") of an odd one."""
    match = _TAG.match(tag) if tag else None
    if match is None:
        return None, ""
    base = match[1].lower()
    return _SAME.get(base, base), re.split("[-_]", (match[2] or "").lower())[-1]


_MONTHS = [
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_ENGLISH_MONTHS = {name[:n]: i for i, name in enumerate(_MONTHS, 1) for n in (3, len(name))} | {
    "sept": 9,
    "febr": 2,
}
_ENGLISH_DAYS = {name[:n]: i for i, name in enumerate(_DAYS) for n in (3, len(name))} | {
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}
# Words of running text in one language that are month names in another: they need a year beside them.
_COMMON_WORDS = folded(
    "set ago out pro led mag gen des tra mar mai as ah do sa on ei in lip stu kas art may march"
)
JALALI_MONTHS = table(
    """1: فروردین
    2: اردیبهشت
    3: خرداد
    4: تیر
    5: مرداد امرداد
    6: شهریور
    7: مهر
    8: آبان
    9: آذر
    10: دی
    11: بهمن
    12: اسفند"""
)


CALENDAR = Path(__file__).with_name("calendar.tsv")


@lru_cache(maxsize=1)
def _calendar() -> dict[tuple[str, str], dict[str, int]]:
    """(language, "months" or "weekdays") -> folded name -> number from 0. Read once, on first need."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for line in CALENDAR.read_text(encoding="utf-8").splitlines():
        lang, _, rest = line.partition("\t")
        kind, *cells = rest.split("\t")
        found[lang, kind] = {name: i for i, cell in enumerate(cells) for name in cell.split("|") if name}
    return found


@lru_cache(maxsize=256)
def months_of(lang: str) -> dict[str, int]:
    """Folded month names of one language -> 1 to 12; empty where the language is unknown."""
    return {name: i + 1 for name, i in _calendar().get((lang, "months"), {}).items()}


def weekdays_of(lang: str) -> dict[str, int]:
    """Folded weekday names of one language -> 0 (Monday) to 6."""
    return _calendar().get((lang, "weekdays"), {})


@lru_cache(maxsize=1)
def all_months() -> dict[str, int]:
    """Folded month names of every language of the table; the commonest language that has a word wins."""
    found: dict[str, int] = {}
    for lang, kind in _calendar():
        for name, number in months_of(lang).items() if kind == "months" else ():
            if len(name) > 2:
                found.setdefault(name, number)
    return found


@lru_cache(maxsize=1)
def all_weekdays() -> frozenset[str]:
    """Folded weekday names of every language of the table."""
    return frozenset(name for (_, kind), names in _calendar().items() if kind == "weekdays" for name in names)


_WORD = re.compile(r"[^\W\d_][^\s\d!-/:-@\[-`{-~|·•]*")
# Languages whose month names are more than a word of the table: with a prefix, of two words, glued.
_BUILT_NAMES = frozenset(("he", "ar", "fa", "th", "vi", "ca", "ur"))


def keys(text: str) -> set[str]:
    """The folded words of a text."""
    return {fold(word) for word in _WORD.findall(text)}


def may_name_month(keys: set[str], lang: str | None, year_near: bool, few: bool) -> bool:
    """A quick look whether any of the folded words can be a month's name."""
    if (
        year_near
        or lang in _BUILT_NAMES
        or (few and lang is None)
        or not _ENGLISH_MONTHS.keys().isdisjoint(keys)
    ):
        return True
    return lang not in (None, "en") and not months_of(str(lang)).keys().isdisjoint(keys)


def may_name_weekday(keys: set[str], lang: str | None) -> bool:
    """A quick look whether any of the folded words can be a weekday's name."""
    if not _ENGLISH_DAYS.keys().isdisjoint(keys):
        return True
    return lang not in (None, "en", "zh", "ja") and not weekdays_of(str(lang)).keys().isdisjoint(keys)


def month(word: str, lang: str | None, year_near: bool, few: bool) -> int | None:
    """The month (1 to 12) that a folded word names, or None.

    Names in the page's language and in English hold anywhere; those of other languages only beside a year
    (`year_near`) or, where the language is unknown, in a text of a few words (`few`).
    """
    number = None if lang in (None, "en") else months_of(str(lang)).get(word)
    if number is None:
        number = _ENGLISH_MONTHS.get(word)
    if number is not None:
        return number
    if word in _COMMON_WORDS:
        return all_months().get(word) if lang is None and year_near else None
    if not (year_near or (few and lang is None)):
        return None
    months = all_months()
    return months.get(word) or _inflected(word, months)


def _inflected(word: str, months: dict[str, int]) -> int | None:
    """A long name with an ending that the data does not have ("urtarrilaren" of Basque "urtarrila")."""
    if len(word) < 7:
        return None
    return next((months[word[:-n]] for n in (1, 2, 3) if word[:-n] in months), None)


def weekday(word: str, lang: str | None) -> int | None:
    """The weekday (0 = Monday) that a folded word names in English or in the page's language, or None."""
    number = _ENGLISH_DAYS.get(word)
    if number is None and lang not in (None, "en", "zh", "ja"):
        number = weekdays_of(str(lang)).get(word)
    return number


# Small words that stand between the parts of a date, as in "5 de enero de 2026" or "5. tammikuuta 2026".
FILLERS = folded(
    "of de del dels d den der die das le la el the st nd rd th er iem º ª m n and et und y e i "
    "г р год года году рік року roku rok r w dne и около ngày năm yıl yılı ko aasta gada gads dia día "
    "ই লা রা ঠা শে yang από about etwa circa ca พ.ศ. ค.ศ. жылғы ж"
)
_HAN = (
    {c: i for i, c in enumerate("〇一二三四五六七八九")}
    | dict.fromkeys("零○0Oo", 0)
    | {"两": 2, "兩": 2, "元": 1}
)


def han_number(text: str) -> int | None:
    """A number of up to four digits in ASCII or Chinese numerals ("三十一", "二〇二五", "廿一", "一百一十五"), or None."""
    if text.isdigit():
        return int(text) if text.isascii() and len(text) < 5 else None
    text = text.replace("廿", "二十").replace("卅", "三十")
    hundreds, hundred, rest = text.rpartition("百")
    if hundred:
        above, below = han_number(hundreds or "一"), han_number(rest.lstrip("零〇○")) if rest else 0
        return None if above is None or below is None or above > 9 else 100 * above + below
    if "十" not in text:
        digits = [_HAN.get(c) for c in text]
        return None if None in digits or not 0 < len(digits) < 5 else int("".join(str(d) for d in digits))
    tens, ones = text.split("十", 1)
    high = _HAN.get(tens) if tens else 1
    low = _HAN.get(ones) if ones else 0
    return None if high is None or low is None else high * 10 + low
