"""The words of ages, "3 hours ago" and "yesterday", in all languages at once."""

from __future__ import annotations

from recrawler.page.dates.words import fold, folded

SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, YEAR = 1, 60, 3600, 86400, 604800, 2629746, 31556952
_SECONDS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY, "w": WEEK, "M": MONTH, "y": YEAR}


def _units(text: str) -> dict[str, int]:
    """A table of lines "unit: word word ..." as a mapping of folded words to seconds."""
    lines = (line.split(":", 1) for line in text.strip().splitlines())
    return {fold(word): _SECONDS[unit.strip()] for unit, names in lines for word in names.split()}


# Beginnings of words: a word has the unit of its longest beginning; one of two letters must be the whole.
_STEMS = _units(
    """s: second sec sekund segund secondi секунд сек giay detik saniye δευτερολ
    s: ثانية ثوان ثانیه שניות שנייה सेकंड সেকেন্ড
    m: minut min minuto minuut minūt minuč хвилин минут мин мінут دقيقة دقائق دقیقه phut menit
    m: dakika dk λεπτ דקות דקה मिनट মিনিট perc
    h: hour hr hrs stund std heure hora hores uur uren timm timer ore ora час годин год гадзін
    h: godzin godz hodin saat ωρα ωρε gio jam tunti tuntia ura ure sati sata valand stundas óra
    h: ساعة ساعات ساعت שעות שעה घंट घण्ट ঘণ্টা ঘন্টা
    d: day tag jour dia dag giorn день дня дней дни дн днів дні дана дзён dni dzien dnia den dnem
    d: dnu gun ngay hari ημερ μερα paiv nap dana dien zi zile يوم أيام روز יום ימים दिन দিন
    w: week woche semana semaine settiman weken нед недел тижд тижн седмиц tydz tyg tyden tydn
    w: týdn hafta tuan minggu εβδομαδ viikko hét veck uge uke saptaman أسبوع أسابيع هفته שבוע
    w: सप्ताह हफ्त সপ্তাহ
    M: month monat mois mes mese mesi maand мес міс miesiac miesiec mies mesic mjesec ay thang
    M: bulan μην kuukau hónap manad maned luna luni شهر أشهر ماه חודש महीन मास মাস
    y: year jahr annee ans anno anni ano anos jaar лет рок рік lat lata rok roku godin yil nam
    y: tahun ετη χρον vuo vuotta év ar ani سنة سنوات سال שנה שנים साल वर्ष বছর"""
)
_WHOLE = _units(
    """s: s sn с
    m: m mn mins mnt м
    h: h g ч u st t год
    d: d j д
    w: w wk wks sem
    M: mo mth mos
    y: y yr yrs an god года г"""
)
# A word for two of the unit.
_DUALS = _units(
    """m: دقيقتين
    h: ساعتين שעתיים
    d: يومين יומיים
    w: أسبوعين שבועיים
    M: شهرين חודשיים
    y: سنتين عامين שנתיים"""
)
_HALF_HOURS = folded("полчаса півгодини")
# Units that stand without a number for one of them: "час назад", "منذ ساعة", "před týdnem".
_SINGLE = folded(
    "час минуту день неделю месяц год годину хвилину тиждень місяць рік godzinę minutę dzień tydzień "
    "miesiąc rok hodinou minutou týdnem měsícem rokem dnem ساعة دقيقة يوم أسبوع شهر سنة שעה דקה יום "
    "שבוע חודש שנה"
)
# Words that stand right before or right after "3 hours" and make it "3 hours ago".
AGO = folded(
    "ago earlier vor hace há fa назад тому temu önce geleden sedan sitten siden ezelőtt lalu trước पहले আগে "
    "پیش قبل منذ před pred prieš pirms πριν преди пре prije acum לפני nazaj zpět dozadu tagasi atrás dawno "
    "duela таму"
)
_ONE = folded(
    "a an one ein eine einer einem un una une uno um uma один одну jeden bir een en ett μια ένα egy"
)
_FEW = folded("few couple several einigen quelques unos unas algunos algumas несколько кілька kilka birkaç")
_HALF = folded("half halben halve demi media meia pół yarım")
# Units that say "ago" by their ending, in Hungarian: "3 órája".
AGO_UNITS = folded("perce órája napja hete hónapja éve")
ANDS = folded("and und et y e i и та и a")


def _days(text: str) -> dict[str, int]:
    lines = (line.split(":", 1) for line in text.strip().splitlines())
    return {fold(word.replace("_", " ")): int(days) for days, names in lines for word in names.split()}


# Phrases for a day, as days before today.
DAY_PHRASES = _days(
    """0: today heute aujourd'hui hoy hoje oggi сегодня сьогодні сёння dziś dzisiaj dnes danes bugün
    0: vandaag idag i_dag tänään azi σήμερα днес danas avui hari_ini hôm_nay täna šodien šiandien
    0: اليوم امروز היום आज আজ วันนี้
    1: yesterday gestern hier ayer ontem ieri вчера вчора wczoraj včera včeraj dün gisteren igår
    1: i_går eilen tegnap χθες χτες jučer juče ahir kemarin hôm_qua vakar eile أمس دیروز אתמול
    1: कल গতকাল เมื่อวาน เมื่อวานนี้
    2: the_day_before_yesterday day_before_yesterday vorgestern avanthier avant_hier anteayer antier
    2: anteontem позавчера позавчора przedwczoraj předevčírem evvelsi_gün eergisteren toissapäivänä
    2: tegnapelőtt προχθές l'altro_ieri שלשום پریروز"""
)
NOW_PHRASES = folded(
    "just_now moments_ago a_moment_ago a_few_seconds_ago less_than_a_minute_ago gerade_eben soeben "
    "à_l'instant ahora_mismo hace_un_momento agora_mesmo poco_fa только_что щойно przed_chwilą právě_teď "
    "az_önce biraz_önce zojuist lige_nu akkurat_nå juuri_nyt baru_saja vừa_xong "
    "الآن همین_الان עכשיו अभी এইমাত্র เมื่อสักครู่"
)
FIRST_WORDS = frozenset(phrase.split()[0] for phrase in (*DAY_PHRASES, *NOW_PHRASES))
# Some word of every age; an apostrophe or hyphen may have cut it in two.
TELLING = AGO | AGO_UNITS | FIRST_WORDS | folded("aujourd avant l")

# Scripts without spaces.
GLUED_UNITS = {
    "秒": SECOND, "초": SECOND, "วินาที": SECOND, "分": MINUTE, "분": MINUTE, "นาที": MINUTE, "小时": HOUR,
    "小時": HOUR, "时": HOUR, "時": HOUR, "钟头": HOUR, "鐘頭": HOUR, "시간": HOUR, "ชั่วโมง": HOUR,
    "ชม": HOUR, "天": DAY, "日": DAY, "일": DAY, "วัน": DAY, "周": WEEK, "週": WEEK, "星期": WEEK,
    "礼拜": WEEK, "禮拜": WEEK, "주": WEEK, "สัปดาห์": WEEK, "月": MONTH, "개월": MONTH, "달": MONTH,
    "เดือน": MONTH, "年": YEAR, "년": YEAR, "ปี": YEAR,
}  # fmt: skip
GLUED_AGO = "[以之]?前|전|ที่แล้ว|ก่อน|ที่ผ่านมา"
GLUED_NOW = "刚刚|剛剛|刚才|剛才|たった今|たったいま|방금(?:\\s?전)?|几秒(?:钟)?前|幾秒前|数秒前|ไม่กี่วินาทีก่อน"
GLUED_DAYS = {
    "大前天": 3, "前天": 2, "前日": 2, "一昨日": 2, "おととい": 2, "그저께": 2, "그제": 2, "이틀 전": 2,
    "昨天": 1, "昨日": 1, "昨晚": 1, "昨夜": 1, "きのう": 1, "어제": 1, "하루 전": 1, "今天": 0, "今日": 0,
    "本日": 0, "今早": 0, "今晨": 0, "きょう": 0, "오늘": 0, "เมื่อวานนี้": 1, "เมื่อวาน": 1, "วันนี้": 0,
}  # fmt: skip


def unit(word: str) -> int | None:
    """Seconds of the unit that a folded word names in any language ("stunden" -> 3600), or None."""
    found = _WHOLE.get(word)
    for end in range(min(len(word), 12), 1, -1) if found is None else ():
        found = _STEMS.get(word[:end])
        if found is not None and (end > 2 or len(word) == end):
            return found
    return found


def fixed(word: str) -> tuple[float, int] | None:
    """Amount and unit of a folded word that says both: "ساعتين" (two hours), "полчаса" (half an hour)."""
    if word in _HALF_HOURS:
        return 0.5, HOUR
    return (2.0, _DUALS[word]) if word in _DUALS else None


def single(word: str) -> bool:
    """The folded word is a unit that stands for one of it."""
    return word in _SINGLE


def count(word: str) -> float | None:
    """What a folded number word says: "an" 1, "half" 0.5; a negative number for "few" and the like."""
    if word.isdigit():
        return float(word) if word.isascii() and len(word) < 4 else None
    if word in _ONE:
        return 1.0
    if word in _HALF:
        return 0.5
    return -3.0 if word in _FEW else None


def is_one(word: str) -> bool:
    """The folded word is an article or the number one."""
    return word in _ONE
