"""The time of day and the zone beside a date: "上午10:30", "at 10:30 PM", "10h30", "10:00 GMT+8"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from recrawler.page.dates import words
from recrawler.page.types import Precision


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day (hour 0 to 24). `zone`: an offset, the name of a zone, or None for the site's own."""

    start: int
    end: int
    hour: int
    minute: int
    second: int
    precision: Precision
    zone: tzinfo | str | None


_MORNING = "上午 早上 凌晨 清晨 早晨 午前 오전 am sa πμ ص"
_EVENING = "下午 晚上 傍晚 中午 午後 午后 오후 pm ch μμ م"
_HALF_DAYS = {words.fold(w): 0 for w in _MORNING.split()} | {words.fold(w): 12 for w in _EVENING.split()}
_BEFORE = "上午|早上|凌晨|清晨|早晨|午前|오전|下午|晚上|傍晚|中午|午後|午后|오후|[AaPp][Mm](?![a-z])"
_AFTER = r"[AaPp]\.?\s?[Mm](?![a-z])\.?|SA\b|CH\b|[πμ]\.?μ\.?|[صم](?!\w)"
_MINUTE = r"[0-5]\d(?!\d)|\d(?=\s?[分분])"
_TIME = (
    rf"(?:(?P<before>{_BEFORE})\s?)?(?<!\d)(?P<h>[01]?\d|2[0-4])(?!\d)"
    r"(?:\s?(?P<sep>:|[hH](?![a-z])|[时時시点點]|giờ|\.)\s?"
    rf"(?:(?P<half>半)|(?P<m>{_MINUTE})(?:\s?[分분])?(?:\s?:?(?P<s>[0-5]\d)(?!\d)(?:[.,]\d{{1,9}}|\s?[秒초])?)?)?)?"
    rf"(?:\s?(?P<after>{_AFTER}))?"
)
_CLOCK = re.compile(_TIME)
_GAP = re.compile(rf"[^\d]{{0,28}}?(?=(?:{_BEFORE})?\s?\d)")
_CLOCK_BEFORE = re.compile(
    rf"(?<![\d:.,/-]){_TIME}(?P<gap>[\s,|()\[\]·-]*(?:(?:on|ngày|de|del|du|em|am|le|den|от|:)\s?)?)$"
)
_NO_CLOCK = re.compile(r"\s?[%元€$円.]|\w")  # 10.50€
_OFFSET = re.compile(r"\s[+-]\d\d:?\d\d(?!\d)")
_GAP_SIGNS = re.compile(r"[\s,|·•()\[\]~@/;.:-]+")
# Words that lead from a date to its time, in any language.
_CONNECTORS = words.folded(
    "T at um à a às as le alle ore o ob v в о kl klo klokken saat pukul jam lúc luc vào g godz h om the time "
    "στις ώρα και ora la u las los les kello pk час ساعت الساعة เวลา 時 시각 时间 時間 발행 入力 "
    "r г год года р року н year gada m d day 日 號 号 일 date"
)
_CJK_WEEKDAY = re.compile(
    r"(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]|[月火水木金土日](?:曜日?)?|[월화수목금토일](?:요일)?"
    r"|thứ|hai|tư|năm|sáu|bảy|祝"
)
_ZONE = re.compile(
    r"\s?[(\[]?(?:(?P<utc>UTC|GMT)?\s?(?P<sign>[+-])(?P<zh>[01]\d|\d(?!\d))(?::?(?P<zm>[0-5]\d))?(?![\d:./-])"
    r"|(?P<name>Z|[A-Z]{2,4}|北京时间|мск|МСК)(?!\w))(?:\s?[)\]])?"
)
# Minutes east of UTC of zone names. The first is meant, unless the site's own offset is one of the others.
_OFFSETS: dict[str, tuple[int, ...]] = {
    "Z": (0,), "UTC": (0,), "GMT": (0,), "CET": (60,), "CEST": (120,), "MEZ": (60,), "MESZ": (120,),
    "EET": (120,), "EEST": (180,), "MSK": (180,), "мск": (180,), "МСК": (180,), "JST": (540,), "KST": (540,),
    "HKT": (480,), "SGT": (480,), "PHT": (480,), "WIB": (420,), "WITA": (480,), "ICT": (420,), "PKT": (300,),
    "EST": (-300,), "EDT": (-240,), "CDT": (-300,), "MST": (-420, 480), "MDT": (-360,), "PST": (-480, 480),
    "PDT": (-420,), "HST": (-600,), "BRT": (-180,), "AEST": (600,), "AEDT": (660,), "AWST": (480,),
    "NZST": (720,), "NZDT": (780,), "SAST": (120,), "北京时间": (480,), "CST": (-360, 480),
    "IST": (330, 120, 180, 60), "BST": (60, 360), "AST": (-240, 180),
}  # fmt: skip
_CHINESE = {"CST": 480}
# Names that hold in summer and winter.
_PLACES = {
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
}


def zone_offset(name: str, site: timedelta | None, lang: str | None) -> tzinfo | None:
    """The offset that a zone's name tells of, or None for a word that names no zone.

    A name that several countries use is that of the site, where its offset `site` is one of them (CST on a
    Chinese site is +8), else the best known one.
    """
    offsets = _OFFSETS.get(name)
    if offsets is None:
        return ZoneInfo(_PLACES[name]) if name in _PLACES else None
    here = int(site.total_seconds() // 60) if site is not None else None
    minutes = here if here in offsets else _CHINESE.get(name, offsets[0]) if lang == "zh" else offsets[0]
    return timezone(timedelta(minutes=minutes or 0))


def clock_at(text: str, at: int, lang: str | None) -> Clock | None:
    """The time of day that follows a date ending at `at`, past a few signs, weekdays and words like "at"."""
    gap = _GAP.match(text, at)
    if gap is None:
        return None
    match = _CLOCK.match(text, gap.end() + (text[gap.end()] == " "))
    if match is None or not _bridges(gap[0], lang):
        return None
    if match["sep"] == "." and not (gap[0].strip(" ,-|") or "." in text[max(0, at - 8) : at]):
        return None  # 10.30 is a time only after a word for it, or where dates have dots too
    return _clock(match, text, zones=True)


def clock_before(text: str, start: int) -> Clock | None:
    """The time of day right before a date that starts at `start`: "10:30, 05.01.2026"."""
    low = max(0, start - 24)
    head = text[low:start]
    if ":" not in head and "h" not in head and "時" not in head and "时" not in head:
        return None
    match = _CLOCK_BEFORE.search(head)
    if match is None or match["sep"] is None or match["sep"] == ".":
        return None
    found = _clock(match, head, zones=False)
    if found is None:
        return None
    return Clock(low + found.start, start, found.hour, found.minute, found.second, found.precision, None)


def clock_only(text: str) -> Clock | None:
    """The time of day that the whole text is, or None."""
    match = _CLOCK.fullmatch(text.strip())
    found = _clock(match, text.strip(), zones=False) if match else None
    return found if found and found.precision != "hour" else None


def _bridges(gap: str, lang: str | None) -> bool:
    """Only signs, weekdays and words like "at" stand in the gap."""
    if not gap.strip(" ,T-|"):
        return True
    for word in _GAP_SIGNS.sub(" ", gap).split():
        key = words.fold(word)
        if key in _CONNECTORS or _CJK_WEEKDAY.fullmatch(word) or words.weekday(key, lang) is not None:
            continue
        if len(word) < 2 or key not in words.all_weekdays():
            return False
    return True


def _clock(match: re.Match[str], text: str, zones: bool) -> Clock | None:
    half = words.fold((match["after"] or match["before"] or "").replace(" ", ""))
    minute, second, sep = match["m"], match["s"], match["sep"]
    if minute is None and not match["half"] and not half and sep in (None, ":", "."):
        return None
    if sep == "." and _NO_CLOCK.match(text, match.end()):
        return None
    hour = _hour(int(match["h"]), half)
    minutes, seconds = 30 if match["half"] else int(minute or 0), int(second or 0)
    precision: Precision = "second" if second else "minute" if minute or match["half"] else "hour"
    if hour in (0, 24) and not half and minutes == seconds == 0:
        precision = "day"  # what a program writes that knows the day only
    zone, end = _zone(text, match.end()) if zones and minute else (None, match.end())
    return Clock(match.start(), end, hour, minutes, seconds, precision, zone)


def _hour(hour: int, half: str) -> int:
    if not half or hour > 12:
        return hour
    if half == "中午":
        return hour if hour > 9 else hour + 12
    if half == "晚上" and hour == 12:
        return 24
    return hour % 12 + _HALF_DAYS.get(half, 0)


def _zone(text: str, end: int) -> tuple[tzinfo | str | None, int]:
    """The zone at `end` (an offset, or a known name), and where it ends."""
    match = _ZONE.match(text, end)
    if match is None:
        return None, end
    if match["name"]:
        known = match["name"] in _OFFSETS or match["name"] in _PLACES
        return (match["name"], match.end()) if known else (None, end)
    spaced = match[0][0] == " " and not match["utc"] and (match["zm"] is None or match["sign"] == "-")
    if spaced and not _OFFSET.match(match[0]):
        return None, end  # "10:30 - 5 comments"
    minutes = int(match["zh"]) * 60 + int(match["zm"] or 0)
    if minutes > 14 * 60:
        return None, end
    return timezone(timedelta(minutes=-minutes if match["sign"] == "-" else minutes)), match.end()
