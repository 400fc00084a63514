"""How likely a date in a text is that of publication: judged by what stands around it.

The scale: a full date scores about 50, an age 45, a date without a year 35, two bare numbers 30, "yesterday"
25; 16 is enough to be taken. A label ("发布时间", "posted") or an edge of the text raises it; a deadline's
label, letters that touch it, a sentence that goes on, the other end of a range lower it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta
from functools import lru_cache

from recrawler.page.dates.reading import EDGE, Candidate, Reading

_SENTENCE = 60  # characters: a longer text is rather a sentence than a row's line of facts
_SOON = timedelta(days=1, hours=1)
_SIGNS = " \t\n[]()<>{}|·•,;:~*#/\\-。「」《》'\"+→»«.…"
_RULES = "|·•[]"  # signs that part the facts of a row
_PARTING = "|·•[]()-/"
_CLAUSE = 12  # characters of Chinese or Japanese
_SMALL_WORD = re.compile(r"\s(?!(?:le|am|el|den|em|il|op|på)\s)[^\W\d_A-Z]{1,3}\s$")
_BETWEEN = "|·•,;:/\\-]["
_LABEL = re.compile(
    r"(?P<due>(?:截[止至]|有效|开标|举[办行]|活动|报名|会议|締切|期限|開催)"
    r"(?:[^\d\s:]{0,4}:\s?|[^\d\s:]{0,3}|[时日][间期]\s)$|截[止至]\s$|[将拟定]于\s?$"
    r"|\b(?:deadline|expires?|due|until|valid|up ?to|held on|as o[nf]|dated|prior to|before|since|seit|joined"
    r"|bis zum|до|jusqu'au)\b[^\d]{0,8}$)"
    r"|(?:(?P<touched>更新|修改|编辑|回复|修正|수정|\bupdated?\b|\bmodified|\bedited|\blast\b|aktualis|actualiz"
    r"|mis à jour|измен|обновл)"
    r"|(?P<issued>发[布表]|發[佈布表]|刊登|投稿|公[開布]|日期|时间|時間|日時|掲載|登録|등록|작성|게시|입력|发文|于|於"
    r"|posted|publi|pubbl|\b(?:date|data|added|created|submitted|on)\b|veröffentl|опубл|\bдата|yayın|ngày|tarih"
    r"|^(?:le|am|el|den|på|il|em|dne|at)\b))[^\d]{0,12}$",
    re.I,
)
_LABEL_SCORES = {"due": -45, "touched": -12, "issued": 20}
# What may touch the end of a date: the next fact of the row, or a particle.
_AFTER = re.compile(
    "来源|來源|作者|浏览|点击|點擊|阅读|編集|编辑|发布|發佈|发表|發表|更新|来自|责任|by|에|に|投稿|公開|更"
)
_DATELINE = "电電讯訊"  # "新华社北京1月5日电" opens a report of that day
_RANGE_AFTER = re.compile(
    r"\s?(?:[~-]|至|到)\s?(?:(?:19|20)\d\d\s?[-/.年]|\d{1,2}\s?[-/.月]\s?\d{1,2}|\d{1,2}日)"
)
_RANGE_BEFORE = re.compile(r"(?:\d[-/.月]\d{1,2}日?|日)\s?(?:[~-]|至|到)\s?$")
_TO = re.compile(r"\s*(?:[~-]{1,2}|至|到|から|to|bis|until|till|au|al|до|a)\s*", re.I)


def weight(reading: Reading, found: Candidate) -> int:
    """The candidate's score: better at a label or an edge, worse where a sentence goes on."""
    text, start, end = reading.text, found.start, found.end
    if start == 0 and end == len(text):
        return found.score + 10
    before, after = text[max(0, start - 28) : start], text[end : end + 14]
    left, right = text[:start].rstrip(_SIGNS), text[end:].lstrip(_SIGNS)
    label = _label(before) if left else None
    score = found.score + _beside(before, after, label)
    if not left or not right:
        score += 10
    elif label is None and len(text) > _SENTENCE and not _set_off(before, after):
        score -= 35 if found.relative else 20
    if label is None and _in_sentence(found, before, after, right):
        score -= 35
    if found.alone and label is None and not _free(reading, found, left, right):
        score -= 60
    if found.moment > reading.now + _SOON:
        score -= 15
    return score


@lru_cache(maxsize=4096)
def _label(before: str) -> int | None:
    """The score of the label that leads to a date, or None."""
    match = _LABEL.search(before)
    return _LABEL_SCORES[str(match.lastgroup)] if match else None


def _beside(before: str, after: str, label: int | None) -> int:
    """The score of the characters that touch the date."""
    score = label or 0
    if label is None and before[-1:].isalpha():
        score -= 20
    if before[-1:] in ("[", "(") and after[:1] in ("]", ")"):
        score += 8
    if after and after[0] in _DATELINE:
        score += 20
    elif after[:1].isalpha() and not _AFTER.match(after):
        score -= 35
    if (after and _RANGE_AFTER.match(after)) or (before and _RANGE_BEFORE.search(before)):
        score -= 60
    return score


def _set_off(before: str, after: str) -> bool:
    """A sign that parts facts stands on one side."""
    return before.rstrip()[-1:] in _PARTING or after.lstrip()[:1] in _PARTING


def _in_sentence(found: Candidate, before: str, after: str, right: str) -> bool:
    """ "11月5日，主席…" begins a sentence; "28.08 приглашаем" and "film sul 31 ottobre" are part of one."""
    if after[:1] == ",":
        return len(right) > _CLAUSE and right[0] > "\u2e80"
    if found.alone != EDGE:
        return False
    return right[:1].islower() or _SMALL_WORD.search(before) is not None


def _free(reading: Reading, found: Candidate, left: str, right: str) -> bool:
    """Only signs are around it; on one side there may be text beyond a sign, in CJK text beyond a space."""
    before, after = reading.text[: found.start].rstrip(" "), reading.text[found.end :].lstrip(" ")
    if not (left or right):
        return True
    if found.alone == EDGE and (not (left and right) or before[-1] in _RULES or after[0] in _RULES):
        return True
    if before[-1:] in ("[", "(") and after[:1] in ("]", ")"):
        return not (left and right) or before[-1:] == "["
    signs = _PARTING if found.relative else _BETWEEN
    shut_left, shut_right = before[-1:] in signs, after[:1] in signs
    if shut_left and shut_right:
        return True
    if found.relative:
        return False  # "今天，我们…"
    spaced_left = not left or (reading.text[found.start - 1] == " " and not _spaced_script(left[-1]))
    spaced_right = not right or (reading.text[found.end] == " " and not _spaced_script(right[0]))
    return (shut_left or spaced_left) and (shut_right or spaced_right)


def _spaced_script(char: str) -> bool:
    """A letter of a script that has spaces between words, so that a space does not set a date apart."""
    return char.isalpha() and char < "\u2e80"


def in_range(text: str, one: Candidate, others: Iterable[tuple[int, Candidate]]) -> bool:
    """It is one end of a range of dates: an event, not a publication."""
    return any(
        (one.end <= other.start and _TO.fullmatch(text, one.end, other.start) is not None)
        or (other.end <= one.start and _TO.fullmatch(text, other.end, one.start) is not None)
        for _, other in others
    )
