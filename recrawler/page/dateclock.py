"""The time of day and the zone that stand beside a date: "上午10:30", "at 10:30 PM", "10h30", "10:00 GMT+8"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta, timezone, tzinfo
from typing import Literal

from recrawler.page import datewords as words


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day. `zone` is an offset, the name of a zone to compare with the site's, or None."""

    start: int
    end: int
    hour: int
    minute: int
    second: int
    precision: Literal["second", "minute", "hour", "day"]
    zone: tzinfo | str | None


_HALF_DAYS = {
    "上午": 0, "早上": 0, "凌晨": 0, "清晨": 0, "早晨": 0, "午前": 0, "오전": 0, "下午": 12, "晚上": 12, "傍晚": 12,
    "中午": 12, "午後": 12, "午后": 12, "오후": 12, "am": 0, "pm": 12, "sa": 0, "ch": 12, "πμ": 0, "μμ": 12, "ص": 0, "م": 12,
}  # fmt: skip
_HALF_BEFORE = "上午|早上|凌晨|清晨|早晨|午前|오전|下午|晚上|傍晚|中午|午後|午后|오후|[AaPp][Mm](?![a-z])"
_HALF_AFTER = r"[AaPp]\.?\s?[Mm]\b\.?|SA\b|CH\b|[πμ]\.?μ\.?|[صم](?!\w)"
_TIME = (
    rf"(?P<before>{_HALF_BEFORE})?\s?(?<!\d)(?P<h>[01]?\d|2[0-4])(?:\s?(?P<sep>:|[hH](?![a-z])|[时時시点點]|giờ|\.)\s?"
    r"(?:(?P<half>半)|(?P<m>[0-5]\d|\d(?=\s?[分분]))(?!\d)\s?[分분]?(?:\s?:?\s?(?P<s>[0-5]\d)(?!\d)(?:[.,]\d{1,9})?\s?[秒초]?)?)?)?"
    rf"(?:\s?(?P<after>{_HALF_AFTER}))?"
)
_ZONE = re.compile(
    r"\s?[(\[]?(?:(?:UTC|GMT)?\s?(?P<sign>[+-])(?P<zh>[01]\d|\d(?![\d]))(?::?(?P<zm>[0-5]\d))?(?![\d:./-])"
    r"|(?P<name>Z|[A-Z]{3,4}|北京时间)(?![A-Za-z]))\s?[)\]]?"
)
_GAP = re.compile(
    r"[^\d]{0,24}?(?=(?:上午|下午|早上|晚上|凌晨|清晨|早晨|傍晚|中午|午前|午後|午后|오전|오후|[AP]M)?\s?\d)",
    re.I,
)
_CLOCK = re.compile(_TIME)
_CLOCK_BEFORE = re.compile(
    rf"(?:^|(?<=[^\d:.])){_TIME}(?P<gap>[\s,|()\[\]·-]*(?:(?:on|ngày|de|del|du|em|am|le|den|:)\s?)?)$"
)
_GAP_NOISE = re.compile(r"[\s,|·•()\[\]~@/;.:-]+")
_CONNECTORS = frozenset(
    words.fold(w)
    for w in """T at um à a às as le alle ore o ob v в о kl klo klokken saat pukul jam lúc luc vào g godz h de am om at the time 時 시각
    στις ώρα ora la u and e los las kello pk час ساعت الساعة เวลา 发布 發佈 作成 r г г. н year gada m d day""".split()
)
_WEEKDAY = re.compile(
    r"(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]|[月火水木金土日](?:曜日?)?|[월화수목금토일](?:요일)?"
    r"|mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?",
    re.I,
)
# Minutes east of UTC of zone names that mean one thing; the others (CST, IST, BST ...) are read as the site's own.
_OFFSETS = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "CET": 60, "CEST": 120, "MEZ": 60, "MESZ": 120, "EET": 120, "EEST": 180,
    "MSK": 180, "JST": 540, "KST": 540, "HKT": 480, "SGT": 480, "PHT": 480, "WIB": 420, "WITA": 480, "WIT": 540, "ICT": 420,
    "PKT": 300, "EST": -300, "EDT": -240, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540,
    "HST": -600, "BRT": -180, "ART": -180, "AEST": 600, "AEDT": 660, "ACST": 570, "AWST": 480, "NZST": 720, "NZDT": 780,
    "SAST": 120, "WAT": 60, "EAT": 180, "北京时间": 480,
}  # fmt: skip
_SHARED = {"CST": -360, "IST": 330, "BST": 60, "AST": -240}


def zone_offset(name: str, site: timedelta | None, site_name: str | None) -> tzinfo | None:
    """The offset that a zone's name tells of. A name of several zones is the site's own where that has the name
    (CST on a Chinese site is +8), else the best known one; None for a word that names no zone."""
    if name == site_name and site is not None:
        return timezone(site)
    minutes = _OFFSETS.get(name, _SHARED.get(name))
    return None if minutes is None else timezone(timedelta(minutes=minutes))


def clock_at(text: str, at: int) -> Clock | None:
    """The time of day that follows a date ending at `at`, past a few signs, weekdays and words like "at"."""
    gap = _GAP.match(text, at)
    if gap is None or not _bridges(gap[0]):
        return None
    match = _CLOCK.match(text, gap.end())
    return _clock(match, text, match.start()) if match else None


def clock_before(text: str, start: int) -> Clock | None:
    """The time of day right before a date that starts at `start`: "10:30, 05.01.2026"."""
    head = text[max(0, start - 24) : start]
    if not head or not any(c.isdigit() for c in head):
        return None
    match = _CLOCK_BEFORE.search(head)
    if match is None or match["sep"] is None or match["sep"] == ".":
        return None
    return _clock(match, head, start - len(head) + match.start("h"), zones=False)


def _bridges(gap: str) -> bool:
    for word in _GAP_NOISE.sub(" ", gap).split():
        if word.lower().rstrip(".") in _CONNECTORS or words.fold(word) in _CONNECTORS:
            continue
        if _WEEKDAY.fullmatch(word) is None:
            return False
    return True


def _clock(match: re.Match[str], text: str, start: int, zones: bool = True) -> Clock | None:
    half = words.fold((match["after"] or match["before"] or "").replace(" ", ""))
    minute, second, sep = match["m"], match["s"], match["sep"]
    if sep in (":", ".", None) and minute is None and (sep is not None or not half):
        return None
    end = match.end("after") if match["after"] else match.end()
    if sep == "." and re.match(r"\s?[%元€$円.]|\w", text[end:]):
        return None
    hour = int(match["h"])
    if half and hour <= 12:
        hour = _hour(hour, half)
    precision: Literal["second", "minute", "hour", "day"] = "second" if second else "minute"
    if minute is None and match["half"] is None:
        precision = "hour"
    minutes = 30 if match["half"] else int(minute or 0)
    zone, zone_end = _zone(text, end) if zones and precision != "hour" else (None, end)
    shift = start - match.start() if zones else start - match.start("h")
    if hour == 0 and not minutes and not int(second or 0) and not half:
        precision = "day"  # what a program writes that knows the day only
    return Clock(start, zone_end + shift, hour, minutes, int(second or 0), precision, zone)


def _hour(hour: int, half: str) -> int:
    shift = _HALF_DAYS.get(half, 0)
    if half == "中午":
        return hour if hour > 9 else hour + 12
    return hour % 12 + shift


def _zone(text: str, end: int) -> tuple[tzinfo | str | None, int]:
    match = _ZONE.match(text, end)
    if match is None:
        return None, end
    if match["name"]:
        known = match["name"] in _OFFSETS or match["name"] in _SHARED
        return (match["name"], match.end()) if known else (None, end)
    minutes = int(match["zh"]) * 60 + int(match["zm"] or 0)
    spaced = match[0][0] == " " and match["zm"] is None and "T" not in match[0]
    if minutes > 14 * 60 or spaced:
        return None, end
    return timezone(timedelta(minutes=-minutes if match["sign"] == "-" else minutes)), match.end()
