"""What the bytes of an undeclared page look like, among the encodings that its origin makes plausible.

Multi-byte sets of East Asia are told apart by a count of their own: which share of the characters is in
the common part of the set (level 1 of GB 2312, Big5 and JIS X 0208, the 2,350 syllables of KS X 1001),
kana for Japanese, and the commonest characters of each language. Six short titles are enough, where a
general detector takes GBK for Big5 or a DOS code page. Single-byte sets are left to charset-normalizer,
isolated to those of the page's region first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Final

from w3lib.encoding import resolve_encoding

_SAMPLE = 48_000  # bytes of text looked at
_SCAN = 1_000_000  # bytes of the page that the sample is taken from
_TAG = re.compile(rb"<[^<>]*>")
_PIECE = re.compile(rb"[^\r\n\t]+")
_LETTERS = re.compile(r"[^\W\d_]")

CJK: Final = ("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949")

# Region of a top-level domain or language: encodings in order of likelihood. Facts of the Encoding
# Standard's legacy defaults by locale, and of ISO 3166.
_ZH: Final = ("gb18030", "big5hkscs")
_HANT: Final = ("big5hkscs", "gb18030")
_JA: Final = ("cp932", "euc_jp")
_KO: Final = ("cp949",)
_CYR: Final = ("cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp866")
_WEST: Final = ("cp1252",)
_EAST: Final = ("cp1250", "iso8859_2")
_GREEK: Final = ("cp1253", "iso8859_7")
_TURK: Final = ("cp1254",)
_HEB: Final = ("cp1255", "iso8859_8")
_ARAB: Final = ("cp1256", "iso8859_6")
_BALT: Final = ("cp1257", "iso8859_13", "iso8859_4")
_VIET: Final = ("cp1258",)
_THAI: Final = ("cp874",)
_FAMILIES: Final[tuple[tuple[tuple[str, ...], str], ...]] = (
    (_ZH, "cn sg zh zh-cn zh-hans zh-sg xn--fiqs8s"),
    (_HANT, "tw hk mo zh-tw zh-hk zh-hant xn--kpry57d"),
    (_JA, "jp ja"),
    (_KO, "kr ko"),
    (_CYR, "ru su by bg ua kz kg mk rs md tj uz uk be sr xn--p1ai xn--j1amh"),
    (_EAST, "pl cz sk hu ro hr si ba al cs sl bs sq"),
    (_GREEK, "gr cy el"),
    (_TURK, "tr az"),
    (_HEB, "il he iw"),
    (_ARAB, "ir sa ae eg iq sy jo lb ly ma dz tn om qa kw bh ye ps sd ar fa ur"),
    (_BALT, "lt lv ee et"),
    (_VIET, "vn vi"),
    (_THAI, "th"),
    (_WEST, "fr de es it pt br nl be at ch se no dk fi is ie ar mx cl co pe en da sv nb nn ca"),
)
_SINGLE: Final = tuple(
    dict.fromkeys(chain(_WEST, _CYR, _EAST, _GREEK, _TURK, _HEB, _ARAB, _BALT, _VIET, _THAI))
)


@cache
def _family(label: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(sets for sets, names in _FAMILIES if label in names.split()))


def prior(host: str, lang: str) -> tuple[str, ...]:
    """Encodings that a page of this host and language may well be in, likeliest first; empty: no idea."""
    spoken = _family(lang) or _family(lang.split("-")[0]) if lang else ()
    return tuple(dict.fromkeys((*spoken, *_family(host.rstrip(".").rpartition(".")[2].lower()))))


def visible(body: bytes) -> bytes:
    """The pieces of text that hold other characters than ASCII, without tags; a sample of a long page."""
    out: list[bytes] = []
    size = 0
    for match in _PIECE.finditer(_TAG.sub(b"\n", body[:_SCAN])):
        piece = match[0]
        if piece.isascii():
            continue
        out.append(piece[:4000])
        size += len(out[-1])
        if size >= _SAMPLE:
            break
    return b"\n".join(out)


def _rows(codec: str, leads: Iterable[int], trails: Sequence[int]) -> frozenset[str]:
    pairs = b"".join(bytes((a, b)) for a in leads for b in trails)
    return frozenset(pairs.decode(codec, "ignore"))


_UPPER_HALF: Final = range(0xA1, 0xFF)
# The commonest characters of running text and headlines, by language.
_TOP: Final = {
    "gb18030": (
        "的一是在不了有人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产"
        "种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点"
        "从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看"
        "原又么利比或但质气第向道命此变条没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员"
        "革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九"
        "区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思"
        "术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报"
        "斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低"
        "持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消"
        "构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包"
        "火住调满县局照参红细引听该铁价严"
    ),
    "big5hkscs": (
        "的一是在不了有人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產"
        "種面而方後多定行學法所民得經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點"
        "從業本去把性好應開它合還因由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看"
        "原又麼利比或但質氣第向道命此變條沒結解問意建月公無系軍很情者最立代想已通並提直題黨程展五果料象員"
        "革位入常文總次品式活設及管特件長求老頭基資邊流路級少圖山統接知較將組見計別她手角期根論運農指幾九"
        "區強放決西被幹做必戰先回則任取據處隊南給色光門即保治北台灣市報"
    ),
    "cp949": (
        "이다의는에을가한고하지로기사은를대도인자시서정리해수라어일전나부그제아장스보구과조있상주들원국사"
        "용신회경으비만년여무관동공선세유위마중오생적모연미소통학교방성민안개발계물산재화지명북남월당결선"
        "보금행진내터"
    ),
}


@cache
def _top(encoding: str) -> frozenset[str]:
    return frozenset(_TOP[encoding])


@cache
def _common(encoding: str) -> frozenset[str]:
    if encoding == "gb18030":
        return _rows("gb2312", range(0xB0, 0xD8), _UPPER_HALF)
    if encoding == "big5hkscs":
        return _rows("big5", range(0xA4, 0xC7), (*range(0x40, 0x7F), *_UPPER_HALF))
    if encoding == "cp949":
        return _rows("euc_kr", range(0xB0, 0xC9), _UPPER_HALF)
    return _rows("euc_jp", range(0xB0, 0xD0), _UPPER_HALF) | _KANA


_KANA: Final = frozenset(map(chr, chain(range(0x3041, 0x3097), range(0x30A1, 0x30FD))))
# Signs that belong to every East Asian set and tell nothing.
_NEUTRAL: Final = frozenset(
    map(chr, chain(range(0x2000, 0x2070), range(0x2460, 0x2500), range(0x25A0, 0x2640), range(0x3000, 0x3020),
                   range(0xFF01, 0xFF61), (0xB7, 0xD7, 0x2190, 0x2191, 0x2192, 0x2193)))
)  # fmt: skip


def likeness(text: bytes, encoding: str) -> tuple[float, int]:
    """How much the text reads like one in this East Asian set, 0 to 2, and how many characters were judged.

    The sum of two shares: of characters in the common part of the set, and of characters that the language
    uses most (kana twice over for Japanese). Measured on short headlines: 1.3 and more in the right set,
    1.1 and less in a wrong one.
    """
    seen = [c for c in text.decode(encoding, "replace") if c > "\x7f" and c not in _NEUTRAL]
    # Two characters that do not decode are forgiven: titles are cut anywhere.
    if not seen or seen.count("\ufffd") > max(2, len(seen) // 50):
        return 0.0, len(seen)
    kana = sum(c in _KANA for c in seen) / len(seen)
    share = sum(map(_common(encoding).__contains__, seen)) / len(seen)
    if encoding in ("cp932", "euc_jp"):
        return share + min(1.0, 2 * kana), len(seen)
    # Kana are in the Chinese sets too, and mean that this is none of them.
    top = sum(map(_top(encoding).__contains__, seen)) / len(seen)
    return max(0.0, share + top - kana), len(seen)


_EXPECTED = 0.2  # added to the likeness of a set that the host or language makes likely
_FITS = 1.25
_FITS_FEW = 1.5  # for fewer than eight characters


def _best_cjk(text: bytes, expected: Sequence[str]) -> tuple[str | None, float, bool]:
    """(the likeliest East Asian set, its likeness, whether it fits at all)."""
    best: tuple[float, str, int] = (0.0, "", 0)
    for encoding in CJK:
        score, n = likeness(text, encoding)
        if score and encoding in expected:
            score += _EXPECTED
        best = max(best, (score, encoding, n))
    score, name, n = best
    fits = n >= 4 and score >= (_FITS if n >= 8 else _FITS_FEW)
    return name or None, score, fits


_MOST_ACCENTS = 0.45
# Letters of French, German, Spanish, Portuguese, Italian, Dutch and the Nordic languages (not ð, þ and ý,
# which Turkish text in its own set looks like).
_WESTERN: Final = frozenset("àâäáãåæçéèêëíìîïñóòôöõøúùûüßœÀÂÄÁÃÅÆÇÉÈÊËÍÎÏÑÓÔÖÕØÚÙÛÜŒ")
_TYPOGRAPHY: Final = frozenset(
    "“”‘’„‹›«»´–—…•·†‡©®°ºª¡¿§€£™\xa0"
)  # in many single-byte sets at the same places


def _foreign_share(text: str) -> float:
    """Share of letters beyond ASCII among all letters."""
    letters = _LETTERS.findall(text)
    return sum(c > "\x7f" for c in letters) / len(letters) if letters else 0.0


def implausible(text: bytes, encoding: str, host: str, lang: str) -> bool:
    """Whether a text that does decode in this encoding is nevertheless not in it.

    Single-byte sets decode anything, so a page that says iso-8859-1 (many servers' default) may be in any;
    and one East Asian set may decode another's bytes.
    """
    if encoding in ("utf-8", "iso2022_jp"):
        return False
    name, score, fits = _best_cjk(text, prior(host, lang))
    if encoding in CJK:
        return fits and name != encoding and likeness(text, encoding)[0] < score - 0.5
    if fits:
        return True
    return (
        encoding == "cp1252"
        and len(text) > 40
        and _foreign_share(text.decode("cp1252", "replace")) > _MOST_ACCENTS
    )


def guess(text: bytes, host: str, lang: str, also: Sequence[str] = ()) -> str | None:
    """The likeliest encoding of a text that is not UTF-8, or None where nothing fits.

    `also` are encodings that were declared or known, to be considered with those of the region.
    """
    expected = prior(host, lang)
    name, _, fits = _best_cjk(text, expected)
    if fits:
        return name
    singles = [e for e in dict.fromkeys((*expected, *also)) if e not in CJK]
    found = _single(text, singles, alike=_ALIKE)
    if found is None:
        found = "cp1252" if _is_western(text) else _single(text, _SINGLE, alike=0.0)
    return found and resolve_encoding(found)


_ALIKE = 0.02  # of charset-normalizer's measure of chaos


def _single(text: bytes, encodings: Sequence[str], alike: float) -> str | None:
    """The single-byte set among these that reads best; of those that read alike, the first."""
    if not encodings or not text:
        return None
    if len(encodings) == 1:
        return encodings[0] if _reads(text, encodings[0]) else None
    from charset_normalizer import from_bytes

    found = from_bytes(text, cp_isolation=list(encodings), threshold=0.3, preemptive_behaviour=False)
    best = found.best()
    if best is None or not alike:
        return best.encoding if best is not None else None
    # iso-8859-7 and windows-1253 differ in three letters, windows-1250 and iso-8859-2 in fourteen.
    good = {m.encoding for m in found if m.chaos <= best.chaos + alike}
    return next((e for e in encodings if e in good), best.encoding)


def _reads(text: bytes, encoding: str) -> bool:
    decoded = text.decode(encoding, "replace")
    beyond = sum(c > "\x7f" for c in decoded)
    if encoding == "cp1252" and not _is_western(text):
        return False
    return decoded.count("\ufffd") <= max(2, beyond // 50)


def _is_western(text: bytes) -> bool:
    """Whether what is not ASCII is what Western languages and typography have, and not much of it."""
    decoded = text.decode("cp1252", "replace")
    telling = [c for c in decoded if c > "\x7f" and c not in _TYPOGRAPHY]
    usual = sum(map(_WESTERN.__contains__, telling))
    return usual >= 0.95 * len(telling) and _foreign_share(decoded) < 0.25
