"""The words that dates are made of: digits and signs of all scripts, month names, units, "ago", "yesterday".

Every word is looked up by its `fold`: lower case, accents stripped, no full stops, so "Févr." finds "fevr".
Month names of languages other than English come from dateparser's locale data, read on first need (English,
Chinese, Japanese and Korean never need it).
"""

from __future__ import annotations

import importlib
import re
import unicodedata
from functools import lru_cache

_ACCENTS = re.compile("[\u0300-\u036f.'’-]")
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


_ZEROS = "٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀០᠐０"  # the zero of each script's decimal digits; one to nine follow it


def _sign_table() -> dict[int, str]:
    """Every decimal digit, full-width sign and odd space, dash or bracket to its plain ASCII twin."""
    table = {ord(zero) + i: str(i) for zero in _ZEROS for i in range(10)}
    table.update({0xFF01 + i: chr(0x21 + i) for i in range(94) if 0xFF01 + i not in table})
    twins = {
        " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\n\r\f\v",
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
    table.update({ord(odd): plain for plain, odds in twins.items() for odd in odds})
    return table


_SIGNS = _sign_table()


def plain(text: str) -> tuple[str, list[int] | None]:
    """The text with ASCII digits and signs, and where each of its characters stood (null: at the same place)."""
    if text.isascii() and text.isprintable():
        return text, None
    clean = text.translate(_SIGNS)
    if _INVISIBLE.search(clean) is None:
        return clean, None
    kept = [i for i, c in enumerate(clean) if not _INVISIBLE.match(c)]
    return "".join(clean[i] for i in kept), kept


@lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """The key of a word: lower case, no accents, hyphens, apostrophes or full stops. Indic vowel signs stay."""
    if word.isascii():
        return _ACCENTS.sub("", word.lower())
    flat = _ACCENTS.sub("", unicodedata.normalize("NFKD", word.lower()))
    return unicodedata.normalize("NFC", flat).replace("ı", "i").replace("ł", "l").replace("đ", "d")


def _pairs(table: str) -> dict[str, int]:
    """A table of lines "value: word word ..." as one mapping of folded words."""
    found: dict[str, int] = {}
    for line in table.strip().splitlines():
        value, words = line.split(":", 1)
        for word in words.split():
            found.setdefault(fold(word.replace("_", " ")), int(value))
    return found


MONTH_KEYS = "january february march april may june july august september october november december".split()
ENGLISH = {fold(name[:n]): i for i, name in enumerate(MONTH_KEYS, 1) for n in (3, len(name))} | {
    "sept": 9,
    "janu": 1,
    "febr": 2,
    "octo": 10,
    "novem": 11,
    "decem": 12,
}

# Asked in this order where the page's language is unknown: the first that knows a word wins.
_LANGUAGES = (
    "es fr de pt it ru nl pl tr id vi cs uk el ro hu sv da nb fi bg sk sl lt lv et ca hr sr eu gl ar fa he hi bn "
    "th ka hy az kk uz ms fil ur ta te ml kn mr gu pa ne si my km lo mn is ga cy sq mk be bs af sw"
).split()
# Words of running text in one language that are short month names in another.
_AMBIGUOUS = frozenset("set ago out pro led mag gen des tra mar may march mai as ah do sa on ei in".split())
# Month names in use that dateparser's data does not have, by language.
_FURTHER = {
    "ar": "1: جانفي كانون_الثاني\n2: فيفري شباط\n3: مارس آذار\n4: أفريل نيسان\n5: ماي أيار\n6: جوان حزيران\n"
    "7: جويلية تموز\n8: أوت آب\n9: سبتمبر أيلول\n10: أكتوبر تشرين_الأول\n11: نوفمبر تشرين_الثاني\n12: ديسمبر كانون_الأول",
    "vi": "1: một\n2: hai\n3: ba\n4: tư\n5: năm\n6: sáu\n7: bảy\n8: tám\n9: chín\n10: mười\n11: mười_một\n12: mười_hai",
}
JALALI = _pairs(
    "1: فروردین\n2: اردیبهشت\n3: خرداد\n4: تیر\n5: مرداد امرداد\n6: شهریور\n7: مهر\n8: آبان\n9: آذر\n10: دی\n11: بهمن\n12: اسفند"
)


def base_language(lang: str | None) -> str | None:
    """ "pt-BR" -> "pt"; an empty or odd tag -> None."""
    if not lang:
        return None
    base = re.split(r"[-_]", lang.strip().lower(), maxsplit=1)[0]
    return {"no": "nb", "nn": "nb", "iw": "he", "in": "id", "tl": "fil"}.get(base, base) or None


@lru_cache(maxsize=256)
def months_of(lang: str) -> dict[str, int]:
    """Folded month names of one language (ISO 639 code); empty where it is unknown."""
    if not re.fullmatch(r"[a-z]{2,3}", lang):
        return {}
    try:
        info = importlib.import_module(f"dateparser.data.date_translation_data.{lang}").info
    except ImportError:
        return {}
    found = _pairs(_FURTHER[lang]) if lang in _FURTHER else {}
    for number, key in enumerate(MONTH_KEYS, 1):
        for name in info.get(key, ()):
            word = fold(name)
            if len(word) > 1 and not any(c.isdigit() for c in word):
                found.setdefault(word, number)
    return found


@lru_cache(maxsize=1)
def all_months() -> dict[str, int]:
    """Folded month names of every common language, in their order; about 25 ms, once."""
    found: dict[str, int] = {}
    for lang in _LANGUAGES:
        for word, number in months_of(lang).items():
            if len(word) > 2:
                found.setdefault(word, number)
    return found


def month(word: str, lang: str | None, sure: bool) -> int | None:
    """The month (1 to 12) that a folded word names, or None.

    `sure` says that numbers around it look like a day and a year: only then is a word that means something
    else in another language taken for a month.
    """
    number = ENGLISH.get(word)
    if lang is not None and lang != "en":
        number = months_of(lang).get(word, number)
    if number is not None:
        return number
    if not sure or (lang is not None and word in _AMBIGUOUS):
        return None
    return all_months().get(word)


SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, YEAR = 1, 60, 3600, 86400, 604800, 2629800, 31557600
# Stems: a word has the unit of its longest beginning found here.
_UNITS = _pairs(
    """
    1: second sec sekund segund secondi секунд сек ثانية ثوان ثانیه วินาที giay detik saniye δευτερολεπτ שניות सेकंड সেকেন্ড
    60: minut min minuto minuut minuter хвилин минут мин دقيقة دقائق دقیقه นาที phut menit dakika dk λεπτ דקות דקה मिनट মিনিট perc
    3600: hour hr hrs stund std heure hora hores uur uren timm timer time tim ore ora час годин год godzin godz hodin saat sa
    3600: ساعة ساعات ساعت ชั่วโมง gio jam ωρα ωρες ωρε שעות שעה घंट ঘণ্টা ঘন্টা tunti tuntia ura ure hodinami sat sata sati valand stundas
    86400: day tag jour dia dias dag dagen giorn день дня дней дни дн днів дні dni dzien dnia dzis dnem dnu gun ngay hari يوم أيام روز วัน
    86400: ημερα ημερες ημερε μερα יום ימים दिन দিন paiva nap dana den dien diena zi zile lalu_hari
    604800: week woche semana semaine settiman weken нед тижд tydz tyg tyden tydn hafta tuan minggu أسبوع أسابيع هفته สัปดาห์ εβδομαδ שבוע सप्ताह हफ्त সপ্তাহ viikko het vecka veckor uge uke saptaman
    2629800: month monat mois mes mese mesi meses maand мес місяц miesiac miesiec mies mesic ay thang bulan شهر أشهر ماه เดือน μην חודש महीन मास মাস kuukau honap manad maned luna luni
    31557600: year jahr annee ans anno anni ano anos jaar лет рок рік lat lata rok roku yil nam tahun سنة سنوات سال ปี ετη χρον שנה שנים साल वर्ष বছর vuo ev ar ani
    """
)
_EXACT_UNITS = _pairs(
    "1: s sn\n60: m mn mins mnt\n3600: h g ч u st t\n86400: d j д ימים\n604800: w wk wks sem\n2629800: mo mth mos\n31557600: y yr yrs a god an"
)
_DUALS = _pairs(
    "60: دقيقتين\n3600: ساعتين שעתיים\n86400: يومين יומיים\n604800: أسبوعين שבועיים\n2629800: شهرين חודשיים\n31557600: سنتين عامين שנתיים"
)
# Words that stand right before or right after "3 hours" and make it "3 hours ago".
AGO = frozenset(
    fold(w)
    for w in """ago vor hace há fa a\u00a0y назад тому temu önce geleden sedan sitten siden ezelőtt lalu trước पहले আগে پیش قبل
    před pred prieš pirms πριν منذ قبل преди пре prije acum לפני ที่แล้ว ก่อน ที่ผ่านมา nazaj zpět dozadu tagasi atrás dawno""".split()
)
_ONE = frozenset(
    fold(w)
    for w in "a an one ein eine einer einem un une una uno um uma один одну jeden bir een en ett".split()
)
_FEW = frozenset(
    fold(w) for w in "few couple several einigen quelques unos unas algunos несколько kilka birkaç".split()
)
_HALF = frozenset(fold(w) for w in "half halben halve demi media полчаса pół yarım".split())
FILLERS = frozenset(
    fold(w)
    for w in """of de del dels de' d den der die das le the st nd rd th er ième º ª г р m gada год года року рік roku rok ngày năm
    yıl yılı ko aasta d. dia día día. от w dne i и and et und y e yang από about etwa circa ca около approximately""".split()
)
DAY_WORDS = {
    fold(w.replace("_", " ")): -int(n)
    for n, words in {
        "0": """today heute aujourd'hui hoy hoje oggi сегодня сьогодні dziś dzisiaj dnes danes bugün vandaag idag i_dag tänään ma azi
        σήμερα днес danas avui اليوم امروز היום आज আজ วันนี้ hari_ini hôm_nay tänä_päivänä täna šodien šiandien""",
        "1": """yesterday gestern hier ayer ontem ieri вчера вчора wczoraj včera včeraj dün gisteren igår i_går eilen tegnap χθες
        χτες jučer juče ahir أمس دیروز אתמול कल গতকাল เมื่อวาน เมื่อวานนี้ kemarin hôm_qua eile vakar""",
        "2": """the_day_before_yesterday day_before_yesterday vorgestern avanthier anteayer antier anteontem позавчера позавчора
        przedwczoraj předevčírem evvelsi_gün eergisteren toissapäivänä tegnapelőtt προχθές שלשום پریروز l'altro_ieri""",
    }.items()
    for w in words.split()
}
NOW_WORDS = frozenset(
    fold(w.replace("_", " "))
    for w in """just_now now moments_ago a_moment_ago gerade_eben soeben à_l'instant ahora ahora_mismo hace_un_momento agora agora_mesmo
    adesso poco_fa только_что щойно przed_chwilą právě_teď az_önce şimdi zojuist nyss lige_nu akkurat_nå juuri_nyt baru_saja vừa_xong
    الآن همین_الان עכשיו अभी এইমাত্র เมื่อสักครู่ τώρα""".split()
)


def unit(word: str) -> int | None:
    """Seconds of the unit that a folded word names in any language ("stunden" -> 3600), or None."""
    found = _EXACT_UNITS.get(word)
    if found is not None:
        return found
    for end in range(min(len(word), 12), 1, -1):
        found = _UNITS.get(word[:end])
        if found is not None and (end > 2 or len(word) == end):
            return found
    return None


def count(word: str) -> float | None:
    """What a folded number word says: "an" 1, "half" 0.5; a negative number for "few" and the like."""
    if word.isdigit():
        return float(word) if len(word) < 5 else None
    if word in _ONE:
        return 1.0
    if word in _HALF:
        return 0.5
    return -3.0 if word in _FEW else None


def dual(word: str) -> int | None:
    """Seconds of a unit in the grammatical dual ("ساعتين", two hours: 3600), or None."""
    return _DUALS.get(word)


_HAN = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "○": 0, "两": 2, "兩": 2, "元": 1}


def han_number(text: str) -> int | None:
    """A number of up to four digits in ASCII or Chinese numerals ("三十一", "二〇二五", "廿一"), or None."""
    if text.isdigit():
        return int(text)
    text = text.replace("廿", "二十").replace("卅", "三十")
    if "十" not in text:
        digits = [_HAN.get(c) for c in text]
        return None if None in digits or not digits else int("".join(str(d) for d in digits))
    tens, ones = text.split("十", 1)
    high, low = _HAN.get(tens, 1 if not tens else None), _HAN.get(ones, 0 if not ones else None)
    return None if high is None or low is None else high * 10 + low
