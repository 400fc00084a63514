"""Relative dates: "3小时前", "半小时前", "vor 3 Stunden", "1 day 6 hours ago", "昨天 09:27", "just now".

Numbers and units are read as words, of any language at once: what makes them a date is an "ago" word that
touches them. So there is one table of units and one of "ago" words, and no grammar per language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, timedelta
from itertools import islice

from recrawler.page.dates import words
from recrawler.page.dates.clock import alone, clock_at, clock_before
from recrawler.page.dates.reading import STRICT, Candidate, Reading, ymd
from recrawler.page.types import Precision

SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, YEAR = 1, 60, 3600, 86400, 604800, 2629746, 31556952
_SECONDS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY, "w": WEEK, "M": MONTH, "y": YEAR}


def _units(text: str) -> dict[str, int]:
    lines = (line.split(":", 1) for line in text.strip().splitlines())
    return {words.fold(w): _SECONDS[key.strip()] for key, names in lines for w in names.split()}


# Beginnings of words: a word has the unit of its longest beginning here; one of two letters must be the whole.
_STEMS = _units(
    """s: second sec sekund segund secondi секунд сек ثانية ثوان ثانیه giay detik saniye δευτερολ שניות שנייה सेकंड সেকেন্ড
    m: minut min minuto minuut хвилин минут мин دقيقة دقائق دقیقه phut menit dakika dk λεπτ דקות דקה मिनट মিনিট perc
    m: minūt minuč мінут
    h: hour hr hrs stund std heure hora hores uur uren timm timer ore ora час годин год godzin godz hodin saat ωρα ωρε
    h: ساعة ساعات ساعت gio jam שעות שעה घंट घण्ट ঘণ্টা ঘন্টা tunti tuntia ura ure sati sata valand stundas гадзін óra
    d: day tag jour dia dag giorn день дня дней дни дн днів дні dni dzien dnia den dnem dnu gun ngay hari يوم أيام روز
    d: ημερ μερα יום ימים दिन দিন paiv nap dana dien zi zile дана дзён
    w: week woche semana semaine settiman weken нед тижд тижн tydz tyg tyden tydn hafta tuan minggu أسبوع أسابيع هفته
    w: εβδομαδ שבוע सप्ताह हफ्त সপ্তাহ viikko viikkoa hét veck uge uke saptaman týdn седмиц недел
    M: month monat mois mes mese mesi maand мес міс miesiac miesiec mies mesic ay thang bulan شهر أشهر ماه μην חודש
    M: महीन मास মাস kuukau hónap manad maned luna luni mjesec hónapja
    y: year jahr annee ans anno anni ano anos jaar лет рок рік lat lata rok roku yil nam tahun سنة سنوات سال ετη χρον
    y: שנה שנים साल वर्ष বছর vuo vuotta év ar ani godin"""
)
_WHOLE = _units(
    """s: s sn с
    m: m mn mins mnt м
    h: h g ч u st t год
    d: d j д ngày
    w: w wk wks sem
    M: mo mth mos
    y: y yr yrs an god года г"""
)
_DUALS = _units(  # a word for two of the unit
    """m: دقيقتين
    h: ساعتين שעתיים
    d: يومين יומיים
    w: أسبوعين שבועיים
    M: شهرين חודשיים
    y: سنتين عامين שנתיים"""
)
# Words that stand right before or right after "3 hours" and make it "3 hours ago".
_AGO = words.folded(
    "ago vor hace há fa назад тому temu önce geleden sedan sitten siden ezelőtt lalu trước पहले আগে پیش قبل před pred "
    "prieš pirms πριν منذ преди пре prije acum לפני nazaj zpět dozadu tagasi atrás dawno duela таму earlier"
)
_ONE = words.folded(
    "a an one ein eine einer einem un una une uno um uma один одну jeden bir een en ett μια ένα egy"
)
# Units that stand without a number for one of them: "час назад", "منذ ساعة", "před týdnem".
_SINGLE = words.folded(
    "час минуту день неделю месяц год годину хвилину тиждень місяць рік godzinę minutę dzień tydzień miesiąc rok "
    "hodinou minutou týdnem měsícem rokem dnem ساعة دقيقة يوم أسبوع شهر سنة שעה דקה יום שבוע חודש שנה"
)
_FEW = words.folded(
    "few couple several einigen quelques unos unas algunos algumas несколько кілька kilka birkaç"
)
_HALF = words.folded("half halben halve demi media meia pół yarım")
_HALF_HOURS = words.folded("полчаса півгодини")
_ANDS = words.folded("and und et y e i и та и a")
_DAY_WORDS = words.table(
    """0: today heute aujourd'hui hoy hoje oggi сегодня сьогодні dziś dzisiaj dnes danes bugün vandaag idag i_dag tänään
    0: azi σήμερα днес danas avui اليوم امروز היום आज আজ วันนี้ hari_ini hôm_nay täna šodien šiandien сёння
    1: yesterday gestern hier ayer ontem ieri вчера вчора wczoraj včera včeraj dün gisteren igår i_går eilen tegnap
    1: χθες χτες jučer juče ahir أمس دیروز אתמול कल গতকাল เมื่อวาน เมื่อวานนี้ kemarin hôm_qua vakar eile
    2: the_day_before_yesterday day_before_yesterday vorgestern avanthier avant_hier anteayer antier anteontem
    2: позавчера позавчора przedwczoraj předevčírem evvelsi_gün eergisteren toissapäivänä tegnapelőtt προχθές
    2: שלשום پریروز l'altro_ieri"""
)
_NOW = words.folded(
    "just_now moments_ago a_moment_ago gerade_eben soeben à_l'instant ahora_mismo hace_un_momento agora_mesmo poco_fa "
    "только_что щойно przed_chwilą právě_teď az_önce biraz_önce zojuist lige_nu akkurat_nå juuri_nyt baru_saja vừa_xong "
    "الآن همین_الان עכשיו अभी এইমাত্র เมื่อสักครู่ a_few_seconds_ago less_than_a_minute_ago"
)
_FIRST_WORDS = frozenset(phrase.split()[0] for phrase in (*_DAY_WORDS, *_NOW))
_TELLING = _AGO | _FIRST_WORDS | frozenset(("aujourd", "avant", "l"))
_TOKEN = re.compile(r"\d+|[^\W\d_][^\s\d!-&(-,./:-@\[-`{-~|·•]*")
_MAX_TOKENS = 80
Token = tuple[str, int, int]  # folded word, start, end


def relative(reading: Reading) -> Iterator[Candidate]:
    """Every relative date of the text."""
    text = reading.text
    if not text.isascii() and _GLUE.search(text):
        yield from _glued(reading)
    if (len(text) > _LONG and not _DIGIT.search(text)) or not (reading.loose or _may_tell(reading)):
        return
    found = islice(_TOKEN.finditer(text), _MAX_TOKENS)
    tokens = [(words.fold(m[0]), m.start(), m.end()) for m in found]
    yield from _ago(reading, tokens)
    yield from _phrases(reading, tokens)
    if len(tokens) <= _WEEKDAY_TOKENS:
        yield from _weekdays(reading, tokens)
    if reading.loose:
        yield from _bare(reading, tokens)


def _may_tell(reading: Reading) -> bool:
    keys = reading.keys
    return not _TELLING.isdisjoint(keys) or {"y", "a"} <= keys or words.may_name_weekday(keys, reading.lang)


_LONG = 40  # characters: in a longer text without a digit a word such as "yesterday" is part of a sentence
_DIGIT = re.compile(r"\d")
# Some character of every relative form of the scripts without spaces.
_GLUE = re.compile("[前전ก-๛刚剛今昨本た방周週星礼禮曜き어그お오요きょ하]")
# Scripts without spaces.
_NUMBER = r"(?:\d{1,3}(?:\.\d)?|[一二三四五六七八九十两兩几幾数數半]{1,3}|한|두|세)"
_GLUED_UNITS = {
    "秒": SECOND, "초": SECOND, "วินาที": SECOND, "分": MINUTE, "분": MINUTE, "นาที": MINUTE, "小时": HOUR,
    "小時": HOUR, "时": HOUR, "時": HOUR, "钟头": HOUR, "鐘頭": HOUR, "시간": HOUR, "ชั่วโมง": HOUR, "ชม": HOUR,
    "天": DAY, "日": DAY, "일": DAY, "วัน": DAY, "周": WEEK, "週": WEEK, "星期": WEEK, "礼拜": WEEK, "禮拜": WEEK,
    "주": WEEK, "สัปดาห์": WEEK, "月": MONTH, "개월": MONTH, "달": MONTH, "เดือน": MONTH, "年": YEAR, "년": YEAR,
    "ปี": YEAR,
}  # fmt: skip
_UNIT = "|".join(sorted(_GLUED_UNITS, key=len, reverse=True))
_BACK = r"(?:[以之]?前|전|ที่แล้ว|ก่อน|ที่ผ่านมา)"
_PART = re.compile(rf"({_NUMBER})\s*([个個ヶかカケ箇]?)(半?)[多余]?\s*({_UNIT})[钟鐘间間]?(半?)\s*")
_GLUED = re.compile(
    rf"(?<![月\d年.])((?:{_NUMBER}\s*[个個ヶかカケ箇]?半?[多余]?\s*(?:{_UNIT})[钟鐘间間]?半?\s*){{1,3}}){_BACK}"
)
_GLUED_NOW = re.compile(
    r"刚刚|剛剛|刚才|剛才|たった今|たったいま|방금(?:\s?전)?|几秒(?:钟)?前|幾秒前|数秒前|ไม่กี่วินาทีก่อน"
)
_GLUED_DAYS = {
    "大前天": 3, "前天": 2, "前日": 2, "一昨日": 2, "おととい": 2, "그저께": 2, "그제": 2, "이틀 전": 2, "昨天": 1,
    "昨日": 1, "昨晚": 1, "昨夜": 1, "きのう": 1, "어제": 1, "하루 전": 1, "今天": 0, "今日": 0, "本日": 0, "今早": 0,
    "今晨": 0, "きょう": 0, "오늘": 0, "เมื่อวานนี้": 1, "เมื่อวาน": 1, "วันนี้": 0,
}  # fmt: skip
_GLUED_DAY = re.compile("|".join(sorted(_GLUED_DAYS, key=len, reverse=True)))
_GLUED_WEEKDAY = re.compile(
    r"(?:周|週|星期|礼拜|禮拜)([一二三四五六日天])|([月火水木金土日])曜日|([월화수목금토일])요일"
)
_WORDED = {"한": 1.0, "두": 2.0, "세": 3.0, "半": 0.5}


def _glued(reading: Reading) -> Iterator[Candidate]:
    text = reading.text
    for match in _GLUED.finditer(text):
        parts = [_glued_part(m) for m in _PART.finditer(match[1])]
        known = [part for part in parts if part is not None]
        if known and len(known) == len(parts):
            yield ago(reading, known, match.start(), match.end())
    for match in _GLUED_NOW.finditer(text):
        yield _just_now(reading, match.start(), match.end())
    for match in _GLUED_DAY.finditer(text):
        yield _named_day(reading, _GLUED_DAYS[match[0]], match.start(), match.end())
    for match in _GLUED_WEEKDAY.finditer(text):
        name = match[1] or match[2] or match[3]
        number = ("一二三四五六日" if match[1] else "月火水木金土日" if match[2] else "월화수목금토일").find(
            name
        )
        yield _weekday(reading, 6 if name == "天" else number, match.start(), match.end())


def _glued_part(match: re.Match[str]) -> tuple[float, int] | None:
    number, counter, half, name, after = match.groups()
    size = _GLUED_UNITS[name]
    if name == "月" and not counter or size == YEAR and "年" in name and len(number) > 2:
        return None  # "3月前": before March
    amount: float | None = _WORDED.get(number)
    if number[0] in "几幾数數":
        amount = -3.0
    elif amount is None:
        amount = float(number) if number[0].isdigit() else words.han_number(number)
    return None if amount is None else (amount + 0.5 if half or after else amount, size)


def _ago(reading: Reading, tokens: list[Token]) -> Iterator[Candidate]:
    """Chains of number and unit that touch an "ago" word, before or after it."""
    i = 0
    while i < len(tokens):
        parts, after = _chain(tokens, i)
        if not parts:
            i += 1
            continue
        last, first = after, i - 1
        while last < min(len(tokens), after + 2) and tokens[last][0] in words.FILLERS:
            last += 1
        while first >= max(0, i - 2) and tokens[first][0] in words.FILLERS:
            first -= 1
        if last < len(tokens) and tokens[last][0] in _AGO:
            yield ago(reading, parts, tokens[i][1], tokens[last][2])
        elif first >= 0 and tokens[first][0] in _AGO:
            yield ago(reading, parts, tokens[first][1], tokens[after - 1][2])
        elif i > 1 and tokens[i - 1][0] == "a" and tokens[i - 2][0] == "y":
            yield ago(reading, parts, tokens[max(0, i - 3)][1], tokens[after - 1][2])
        i = after


def _chain(tokens: list[Token], i: int) -> tuple[list[tuple[float, int]], int]:
    """The (amount, seconds) pairs that begin at token i, and the index after the last of them."""
    parts: list[tuple[float, int]] = []
    end = i
    while i < len(tokens):
        amount, size, i = _pair(tokens, i, first=not parts)
        if amount is None or size is None:
            break
        parts.append((amount, size))
        end = i
        while i < len(tokens) and tokens[i][0] in _ANDS:
            i += 1
    return parts, end


def _pair(tokens: list[Token], i: int, first: bool) -> tuple[float | None, int | None, int]:
    """One number and unit at token i: "3 hours", "half an hour", "ساعتين" (two hours), a bare "час" (one)."""
    word = tokens[i][0]
    if word in _DUALS:
        return 2.0, _DUALS[word], i + 1
    if word in _HALF_HOURS:
        return 0.5, HOUR, i + 1
    amount = _count(word)
    if amount is not None and i + 1 < len(tokens):
        j = i + 2 if word in _HALF and tokens[i + 1][0] in _ONE and i + 2 < len(tokens) else i + 1
        while tokens[j][0] == "of" and j + 1 < len(tokens):
            j += 1
        return amount, unit(tokens[j][0]), j + 1
    if amount is None and first and word in _SINGLE:
        return 1.0, unit(word), i + 1
    return None, None, i + 1


def _count(word: str) -> float | None:
    """What a folded number word says: "an" 1, "half" 0.5; a negative number for "few" and the like."""
    if word.isdigit():
        return float(word) if len(word) < 4 else None
    if word in _ONE:
        return 1.0
    if word in _HALF:
        return 0.5
    return -3.0 if word in _FEW else None


def unit(word: str) -> int | None:
    """Seconds of the unit that a folded word names in any language ("stunden" -> 3600), or None."""
    found = _WHOLE.get(word)
    for end in range(min(len(word), 12), 1, -1) if found is None else ():
        found = _STEMS.get(word[:end])
        if found is not None and (end > 2 or len(word) == end):
            return found
    return found


def ago(reading: Reading, parts: list[tuple[float, int]], start: int, end: int) -> Candidate:
    """The candidate for (amount, unit in seconds) pairs before now; a negative amount is a guess ("a few")."""
    finest = min(size for _, size in parts)
    if any(amount % 1 for amount, _ in parts):
        finest = {HOUR: MINUTE, DAY: HOUR}.get(finest, finest)
    if finest == MINUTE and any(amount < 0 for amount, _ in parts):
        finest = HOUR
    precision: Precision = "minute" if finest <= MINUTE else "hour" if finest == HOUR else "day"
    if precision == "day":
        coarse = finest >= WEEK
        return reading.on(
            _back(reading, parts),
            start,
            end,
            score=45,
            relative=True,
            coarse=coarse,
            alone=STRICT if coarse else 0,
        )
    span = timedelta(seconds=sum(abs(amount) * size for amount, size in parts if amount > 0 or size > SECOND))
    moment = (reading.now - min(span, timedelta(days=20000))).astimezone(UTC).replace(microsecond=0)
    return Candidate(start, end, moment, precision, 48, relative=True)


def _back(reading: Reading, parts: list[tuple[float, int]]) -> date:
    """The day so many years, months, weeks and days before today, by the calendar."""
    months = sum(int(abs(a)) * (12 if s == YEAR else 1) for a, s in parts if s >= MONTH)
    days = sum(abs(a) * s for a, s in parts if s < MONTH) / DAY
    today = (reading.now - timedelta(days=days)).date()
    year, month = divmod(today.year * 12 + today.month - 1 - min(months, 12 * 50), 12)
    return next(d for n in range(4) if (d := ymd(year, month + 1, today.day - n)) is not None)


def _just_now(reading: Reading, start: int, end: int) -> Candidate:
    moment = reading.now.astimezone(UTC).replace(microsecond=0)
    return Candidate(start, end, moment, "minute", 40, relative=True, alone=STRICT)


def _named_day(reading: Reading, days: int, start: int, end: int) -> Candidate:
    """ "yesterday", with the time of day that stands beside it."""
    clock = clock_at(reading.text, end, reading.lang) or clock_before(reading.text, start)
    day = (reading.now - timedelta(days=days)).date()
    score = 40 if clock else 25
    return reading.on(day, start, end, clock=clock, score=score, relative=True, alone=0 if clock else STRICT)


def _phrases(reading: Reading, tokens: list[Token]) -> Iterator[Candidate]:
    """ "yesterday", "hôm qua", "just now": phrases of one to four words."""
    for i, (word, start, _) in enumerate(tokens):
        if word not in _FIRST_WORDS:
            continue
        for size in range(min(5, len(tokens) - i), 0, -1):
            phrase = " ".join(t[0] for t in tokens[i : i + size])
            if phrase in _NOW:
                yield _just_now(reading, start, tokens[i + size - 1][2])
                break
            if phrase in _DAY_WORDS:
                yield _named_day(reading, _DAY_WORDS[phrase], start, tokens[i + size - 1][2])
                break


_WEEKDAY_TOKENS = 8


def _weekdays(reading: Reading, tokens: list[Token]) -> Iterator[Candidate]:
    """ "Monday", "lundi 10:30": the last such day; only in a text of a few words."""
    for word, start, end in tokens:
        if len(word) > 2 and (number := words.weekday(word, reading.lang)) is not None:
            found = _weekday(reading, number, start, end)
            if not _DIGIT.search(reading.text[: found.start] + reading.text[found.end :]):
                yield found


def _weekday(reading: Reading, number: int, start: int, end: int) -> Candidate:
    return _named_day(reading, (reading.now.weekday() - number) % 7, start, end)


def _bare(reading: Reading, tokens: list[Token]) -> Iterator[Candidate]:
    """Where the column is known to hold dates: "15:26" is today's or yesterday's, "3h" is three hours ago."""
    clock = alone(reading.text)
    if clock is not None:
        today = reading.now.date()
        early = (reading.now + timedelta(minutes=10)).time()
        late = (clock.hour, clock.minute) > (early.hour, early.minute)
        day = today - timedelta(days=1) if late and early > reading.now.time() else today
        yield reading.on(day, 0, len(reading.text), clock=clock, score=20, relative=True)
        return
    parts, end = _chain(tokens, 0)
    if parts and end == len(tokens) and tokens[0][0].isdigit():
        yield ago(reading, parts, tokens[0][1], tokens[-1][2])
