"""What the text of a short link says: a page number, an arrow, or a word for next, previous, older and so on.

The words are hints for a classifier, never a decision: `coverage` tells how much of the text they make up, so
"Next steps for Europe" is no pager word. Stems are lower-case; those of scripts without spaces are found
anywhere in a text, others at the start of a word.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

MAX_SHAPED = 60  # longer texts have no shape

SENSES = ("next", "prev", "older", "newer", "first", "last", "more", "page")

_PAGES = (  # what a pager's words call a page ...
    "برگه page pages pg seite seiten página pagina páginas pagine pagina's stránka strana stranka "
    "strany strona strony страница страницы стр стр. сторінка side sida sivu sayfa halaman laman "
    "trang σελίδα σελιδα oldal stranica puslapis lehekülg pàgina faqe الصفحة صفحة صفحه עמוד דף पृष्ठ "
    "पेज পাতা পৃষ্ঠা หน้า გვერდი էջ бет 页 頁 页码 ページ 頁面 쪽 페이지 بەت"
)
_ITEMS = (  # ... and what stands on it
    "artiklar artikler artiklene příspěvk článk artykuł publicaç publicacion notíci nieuws nyheter "
    "nyheder uutiset postingan bài-đăng haber haberler yazı публикац материал матеріал новин допис "
    "vijesti vesti člank objav hír cikk bejegyz articole știri άρθρ αναρτήσ المقالات مقالات رسائل "
    "الرسائل التدوينات المشاركات الأخبار أخبار مطالب نوشته‌های نوشته خبر اخبار पोस्ट संदेश समाचार "
    "খবর সংবাদ পোস্ট 게시물 소식 post posts entry entries article articles story stories news item items "
    "topic topics thread threads result results beiträge einträge artikel entradas publicaciones "
    "noticias artículos artigos postagens billets articoli notizie berichten wpisy записи новости "
    "статьи сообщения inlägg innlegg indlæg yazılar gönderiler kayıtlar artikkelit tulisan pos "
    "berita bài-viết bài 記事 投稿 文章 日志 日誌 新闻 글 기사 notice notices announcement announcements release "
    "releases update updates report reports event events bulletin bulletins headline headlines "
    "message messages mitteilungen meldungen nachrichten meldung comunicados avisos comuniqués "
    "annonces actualités nouvelles comunicati avvisi notícias объявления материалы публикации новини "
    "duyurular αναρτήσεις ανακοινώσεις άρθρα خبرها お知らせ ニュース 公告 通知 消息 资讯 信息 动态 공지 פוסטים רשומות "
    "כתבות"
)
_STEMS: dict[str, str] = {
    "next": (
        "следующ tiếp-theo kế-tiếp "
        "next nxt forward weiter vor vorwärts nächst naechst nachst siguiente próxim proxim sig "
        "adelante suivant suiv prochain successiv avanti prossim volgende verder následuj dalsi další "
        "nasled ďalš następ dalej nast след далее вперед вперёд наступн далі напред следва næste neste "
        "nästa nasta framåt seuraava sonraki sonra ileri berikut selanjutnya lanjut seterusnya tiếp sau "
        "kế επόμεν επομεν următo urmato înainte inainte következő kovetkezo sljedeć sljedec sledeć "
        "sledec naprej naslednj nākam kitas sekantis järgmine seguent següent seguinte segu tjetra "
        "التالي التالية التالى بعد بعدی بعدي صفحه‌بعد הבא הבאה אחרי अगला अगले आगे পরবর্তী পরের আগামী "
        "அடுத்த తదుపరి ถัดไป หน้าถัดไป ต่อไป შემდეგი հաջորդ келесі кейинги دیگه كېيىنكى كىينكى اگلا 下一 "
        "下页 下頁 下一页 下一頁 后一页 後一頁 后页 後頁 向后 次へ 次の 次頁 次ペ つぎ 進む 다음 뒤로"
        " næsta hurrengo nesaf ar-aghaidh növbəti keyingi дараах дараагийн അടുത്ത susunod inayofuata sekva अर्को ඊළඟ ຕໍ່ໄປ បន្ទាប់ རྗེས་མ འོག་མ"
    ),
    "prev": (
        "kembali quay-lại voltar wróć wroc zpět vissza "
        "prev previous préc prec précédent precedent back backward zurück zurueck zuruck vorherige "
        "vorige anterior ant atrás atras precedente indietro vorig terug předchoz predchoz predosl "
        "poprzedni wstecz пред предыдущ назад попередн предишн forrige föregående foregaende bakåt "
        "edellinen önceki onceki geri sebelum trước truoc προηγούμεν προηγουμεν anterioar înapoi inapoi "
        "előző elozo prethodn nazaj iepriekš ankstesn atgal eelmine anteriors mëparsh السابق السابقة "
        "السابقه قبل قبلی قبلي הקודם הקודמת पिछला पिछले पीछे পূর্ববর্তী আগের முந்தைய మునుపటి ก่อนหน้า წინა "
        "նախորդ алдыңғы мурунку پچھلا ئالدىنقى 上一 上页 上頁 上一页 上一頁 前一页 前一頁 前页 前頁 "
        "向前 前へ 前の 前ペ まえ 戻る 이전 앞으로"
        " predchádzaj претходн prejšnj əvvəlki oldingi өмнөх മുമ്പത്തെ nakaraan iliyotangulia aurreko fyrri blaenorol roimhe папярэдн अघिल्लो antaŭa පෙර ກ່ອນໜ້າ ກ່ອນ មុន སྔོན་མ གོང་མ"
    ),
    "older": (
        "älter قدیمی पुरानी पुराना पुराने cũ-hơn terdahulu "
        "older oldest earlier less-recent meno-recent menos-recient menos-recent moins-récent menys-recent "
        "ältere aeltere altere frühere antigu antig viejas anciens anciennes "
        "ancien plus-anciens vecchi ouder oudere starší starsi starsze старые старее старіш ранее ældre "
        "eldre äldre aldre vanhemmat vanhempia eski daha-eski lama terlama lebih-lama cũ παλαιότερ "
        "παλαιοτερ παλιότερ mai-vechi vechi régebbi regebbi starij vecāk senesn vanemad أقدم الأقدم "
        "قدیمی‌تر קודמים ישנות ישנים पुराने পুরনো পুরাতন পুরোনো เก่ากว่า 更早 较早 較早 较旧 較舊 旧文章 "
        "舊文章 以前的 早先 过去 古い 過去の 以前の 이전글 오래된 지난"
        " โพสต์เก่า บทความเก่า ข่าวเก่า"
    ),
    "newer": (
        "neuer novas novos جدید تازه नई नयी नया mới-hơn позже 최신 之后的 之後的 最近の "
        "newer newest later neuere recientes más-recientes nuevas plus-récents récents récent recent "
        "recenti nuovi nieuwer nieuwere novější novejsi nowsze новее новые новіш nyere nyare uudemmat "
        "uudempia yeni daha-yeni terbaru lebih-baru baru mới νεότερ νεοτερ mai-noi újabb ujabb novij "
        "jaunāk naujesn uuemad أحدث الأحدث جدیدتر חדשים חדשות नए নতুন নতুনতর ใหม่กว่า 更新的 较新 較新 "
        "新文章 最近的 新しい 최신글 최근"
        " โพสต์ใหม่ บทความใหม่"
    ),
    "first": (
        "البداية začátek početak "
        "first start begin erste ersten anfang primer primera primeira primeiro première premiere "
        "premier début prima primo inizio eerste první prvni prvá pierwsz перв начало перш първа første "
        "första forsta ensimmäinen ilk pertama awal đầu πρώτ πρωτ első elso prva prvi pirm esimene "
        "الأولى الأول اولین نخست ראשון ראשונה पहला प्रथम প্রথম หน้าแรก პირველი առաջին ئالدىنقىسى 首页 首頁 "
        "第一页 第一頁 最前 最初 先頭 最新 처음 맨처음"
    ),
    "last": (
        "النهاية konec fim واپسین 末尾 "
        "last end letzte letzten ende último ultimo última ultima dernier dernière derniere fin fine "
        "laatste einde poslední posledni posledná ostatni koniec последн конец останн последна sidste "
        "siste sista viimeinen son terakhir akhir cuối τελευταί τελευται utolsó utolso zadnja posljednj "
        "pēdēj paskutin viimane الأخيرة الأخير آخرین آخر אחרון אחרונה अंतिम आखिरी শেষ สุดท้าย ბოლო վերջին "
        "ئاخىرقى 尾页 尾頁 末页 末頁 最后 最後 最末 最舊 最旧 最終 마지막 맨끝 끝"
    ),
    "more": (
        "fler ladda altre mostra zobrazit načíst nacist lihat hiển-thị fazla लोड अधिक banyak 보기 読み込む 読み込み "
        "more load show view see afficher voir charger mostrar ver carregar cargar carica vedi laden "
        "lade anzeigen zeige toon bekijk visa vis näytä göster yükle tampilkan muat pokaż załaduj "
        "показать смотреть загрузить показати عرض تحميل نمایش مشاهده הצג טען mehr más mas plus mais "
        "altri altro più meer více vice więcej wiecej ещё еще больше більше mere mer lisää daha lainnya "
        "selengkapnya thêm xem περισσότερ mai-multe több tobb više vise المزيد بیشتر עוד और আরও আরো "
        "เพิ่มเติม 更多 加载 載入 查看更多 もっと 続き さらに 더보기 더"
    ),
    "page": f"{_PAGES} {_ITEMS}",
}
_NO_SPACES = re.compile(r"[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# Combining marks are no letters to `re`: the vowel signs of Indic, Thai and Arabic script are added.
_LETTER = r"(?:[^\W\d_]|[\u0300-\u036f\u064b-\u065f\u0900-\u0963\u0980-\u09e3\u0a00-\u0dff])"
_WORD = re.compile(rf"{_LETTER}+(?:['’\u200c-]{_LETTER}+)*")
_ELIDED = re.compile(r"\b[dl]['’](?=\w)")
_STRETCHED = re.compile(r"(?<=[\u4e00-\u9fff])[ \u00a0\u3000]+(?=[\u4e00-\u9fff](?:[ \u00a0\u3000]|$))")
_JUMP = re.compile(r"([下后後次])\s*\d+\s*[页頁ペ]|([上前])\s*\d+\s*[页頁ペ]")


def _split_stems() -> tuple[dict[str, dict[str, str]], list[tuple[str, str]]]:
    """Stems by their first two letters, and those to be found anywhere, the longest first."""
    spaced: dict[str, dict[str, str]] = {}
    anywhere: list[tuple[str, str]] = []
    for sense, stems in _STEMS.items():
        for stem in stems.split():
            if _NO_SPACES.search(stem):
                anywhere.append((stem, sense))
            else:
                spaced.setdefault(stem[:2], {}).setdefault(stem.replace("-", " "), sense)
    anywhere.sort(key=lambda pair: -len(pair[0]))
    return spaced, anywhere


_SPACED, _ANYWHERE = _split_stems()
# The first four letters of every stem that is no word for "page": most texts are told apart by them alone.
_PREFIXES = frozenset(
    stem[:4] for found in _SPACED.values() for stem, sense in found.items() if sense != "page"
)
_ITEM_STEMS = tuple(stem.replace("-", " ") for stem in _ITEMS.split())
_ANYWHERE_SENSE = dict(reversed(_ANYWHERE))
_ANYWHERE_RE = re.compile("|".join(re.escape(stem) for stem, _ in _ANYWHERE))

_RIGHT = "⟫›»>→▶►⟩❯⇒⟶〉》≫＞⏩▷⇨➡⮕▸➔➜➤☞⊳→🡢🡒⇢⯈❱→⏵"
_LEFT = "⟪‹«<←◀◄⟨❮⇐⟵〈《≪＜⏪◁⇦⬅◂☜⊲🡠🡐⇠⯇❰⏴"
_DOUBLES = "⟪⟫⏩⏪≪≫"
_ENDS = "|⏭⏮⇥⇤↦↤│｜┃"
_ARROWS = frozenset(_RIGHT + _LEFT + _ENDS)
_ARROW = re.compile(f"[{re.escape(_RIGHT + _LEFT + _ENDS)}]")
# Words that an icon font draws as arrows.
_LIGATURES = {
    "chevron_right": "›", "navigate_next": "›", "arrow_forward": "›", "arrow_forward_ios": "›", "arrow_right": "›",
    "arrow_right_alt": "›", "keyboard_arrow_right": "›", "last_page": "»", "keyboard_double_arrow_right": "»",
    "chevron_left": "‹", "navigate_before": "‹", "arrow_back": "‹", "arrow_back_ios": "‹", "arrow_left": "‹",
    "keyboard_arrow_left": "‹", "first_page": "«", "keyboard_double_arrow_left": "«",
}  # fmt: skip
_DIGITS = re.compile(r"\d+(?:[,.\u00a0\u066c ’']\d{3})*")
_AROUND = re.compile(
    r"^[\s\[\](){}<>«»‹›|/·•.,:;*_#【】「」（）［］〔〕—–-]+|[\s\[\](){}<>«»‹›|/·•.,:;*_…【】「」（）［］〔〕—–-]+$"
)
_CJK_NUMBER = re.compile(r"第\s*([一二三四五六七八九十]{1,3})\s*[页頁]$")
_CJK_VALUE = {c: i for i, c in enumerate("一二三四五六七八九", 1)}


@dataclass(frozen=True, slots=True)
class TextShape:
    """`number` is the page number told (any script's digits), `pure` says that nothing else is there.

    `arrow` is -2..2 (sign: left or right, 2: doubled or with a bar), `senses` the words' meanings in order
    of appearance without repeats, `coverage` the share of letters that known words make up.
    `jump` marks words that lead by several pages at once (下10页, "next 5") or by so many items ("older
    50"): their numbers are no page numbers.
    """

    number: int | None
    pure: bool
    arrow: int
    senses: tuple[str, ...]
    coverage: float
    letters: int
    ellipsis: bool
    jump: bool = False


_NOTHING = TextShape(None, False, 0, (), 0.0, 0, False)


@lru_cache(maxsize=8192)
def shape(text: str) -> TextShape:
    """The shape of a link's text; texts over `MAX_SHAPED` characters have none."""
    if not text or len(text) > MAX_SHAPED:
        return _NOTHING
    text = _drawn(text)
    lowered = _plain(text)
    senses, covered = _senses(lowered)
    letters = sum(c.isalpha() for c in lowered)
    number, pure = _number(lowered, letters)
    leap = _JUMP.search(text)
    jump = leap is not None
    if leap is not None:
        senses, number, covered = ("next" if leap[1] else "prev", "page"), None, letters
    elif number is not None and not pure and not {"next", "prev", "older", "newer"}.isdisjoint(senses):
        number, jump = None, True
    return TextShape(
        jump=jump,
        number=number,
        pure=pure,
        arrow=_arrow(text),
        senses=senses,
        coverage=min(1.0, covered / letters) if letters else 0.0,
        letters=letters,
        ellipsis=text.strip("[]() ") in ("...", "…", "..", "……", "....", "⋯", "···"),
    )


def promising(text: str) -> bool:
    """Whether a short text has an arrow, or begins or ends with a pager's word; cheaper than its shape."""
    text = _drawn(text)
    if text[:1] in ("…", ".") or _ARROW.search(text):
        return True
    if not text.isascii() and _NO_SPACES.search(text):
        return len(text) <= 14 and _ANYWHERE_RE.search(_plain(text)) is not None and _turns(shape(text))
    words = _plain(text).split()
    if not words or len(words) > 5:
        return False
    for word in (words[0], words[-1], words[len(words) // 2]):
        if word[:4] in _PREFIXES or word.strip("()[]:.,") in _PREFIXES:
            return _turns(shape(text))
    return False


def _drawn(text: str) -> str:
    """The text as an icon font shows it."""
    return " ".join([_LIGATURES.get(word, word) for word in text.split()]) if "_" in text else text


def _plain(text: str) -> str:
    """In lower case (the Turkish İ too), without elided articles and the spaces that stretch short Chinese words."""
    lowered = text.lower()
    if lowered.isascii():
        return _ELIDED.sub("", lowered) if "'" in lowered else lowered
    return _ELIDED.sub("", _STRETCHED.sub("", lowered.replace("i\u0307", "i")))


def _turns(said: TextShape) -> bool:
    return bool(said.senses) and said.senses != ("page",) and said.coverage >= 0.5


def names_items(text: str) -> bool:
    """Whether a text names what stands on a page (posts, entries, news) and not the page: "previous posts" are
    older ones wherever a previous page may be the newer one."""
    lowered = _plain(text)
    return any(
        _fits(stem, m[0], lowered[m.start() :]) for m in _WORD.finditer(lowered) for stem in _ITEM_STEMS
    )


def to_int(digits: str) -> int | None:
    """The value of a run of decimal digits of any script, thousands' marks allowed; null over nine digits."""
    plain = "".join(
        str(unicodedata.digit(c)) for c in digits if c.isdigit() and unicodedata.decimal(c, -1) >= 0
    )
    return int(plain) if 0 < len(plain) <= 9 else None


def _number(text: str, letters: int) -> tuple[int | None, bool]:
    runs = _DIGITS.findall(text)
    if len(runs) == 1 and letters <= 12:
        rest = text.replace(runs[0], "", 1)
        return to_int(runs[0]), not _AROUND.sub("", rest)
    if not runs and (match := _CJK_NUMBER.search(text)):
        return _cjk(match[1]), False
    return None, False


def _cjk(text: str) -> int | None:
    head, ten, tail = text.partition("十")
    if not ten:
        return _CJK_VALUE.get(text)
    return 10 * _CJK_VALUE.get(head, 1) + _CJK_VALUE.get(tail, 0)


def _arrow(text: str) -> int:
    """Sign and strength of the arrow that a text begins or ends with (the end wins over the beginning)."""
    stripped = text.strip(" \u00a0[]()\ufe0e\ufe0f")
    tail = _run(stripped[::-1])
    head = _run(stripped)
    for run in (tail, head):
        right = sum(c in _RIGHT for c in run)
        left = sum(c in _LEFT for c in run)
        strong = max(right, left) > 1 or any(c in _ENDS or c in _DOUBLES for c in run)
        if right and not left:
            return 2 if strong else 1
        if left and not right:
            return -2 if strong else -1
        if run and run[0] in "⏭⇥↦":
            return 2
        if run and run[0] in "⏮⇤↤":
            return -2
    return 0


def _run(text: str) -> str:
    out = []
    for c in text[:6]:
        if c not in _ARROWS and not c.isspace():
            break
        out.append(c)
    return "".join(out).replace(" ", "")


def _senses(lowered: str) -> tuple[tuple[str, ...], int]:
    found: list[str] = []
    covered = 0
    if _NO_SPACES.search(lowered):
        for match in _ANYWHERE_RE.finditer(lowered):
            found.append(_ANYWHERE_SENSE[match[0]])
            covered += len(match[0])
    told = 0  # where a stem of several words ends: "less recent" says nothing of recent
    for match in _WORD.finditer(lowered):
        if match.start() < told:
            continue
        word = match[0]
        stem, sense = _sense_of(word, lowered[match.start() :])
        if sense:
            found.append(sense)
            covered += stem + max(0, len(word) - stem) // 2
            told = match.start() + stem
    return tuple(dict.fromkeys(found)), covered


def _sense_of(word: str, rest: str) -> tuple[int, str | None]:
    """The length and sense of the longest stem at the start of a word; short stems must be whole words."""
    best = 0
    sense = None
    for stem, meaning in _SPACED.get(word[:2], {}).items():
        if len(stem) > best and _fits(stem, word, rest):
            best, sense = len(stem), meaning
    return best, sense


def _fits(stem: str, word: str, rest: str) -> bool:
    if " " in stem:
        return rest.startswith(stem)
    if not word.startswith(stem):
        return False
    return len(word) - len(stem) <= (0 if len(stem) < 4 else 3 if len(stem) < 6 else 5)
