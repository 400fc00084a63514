"""Which encoding a page is in: declared, wrongly declared, undeclared, in many languages, from few titles."""

from __future__ import annotations

import codecs
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from w3lib.encoding import resolve_encoding

from recrawler.fetch import decode, decode_charset
from recrawler.fetch.charset_guess import CJK, likeness, prior, visible
from tests.fetching import get, ok
from tests.httpserver import Site, page

ZH = (
    "国务院常务会议部署稳就业工作",
    "本市今年将新建公园二十座",
    "教育部发布高校招生新规定",
    "北京地铁新线路开通试运营",
    "专家解读最新经济数据",
    "我国成功发射遥感卫星三号",
)
TW = (
    "行政院通過新年度預算案",
    "氣象局發布大雨特報",
    "高鐵春節疏運車票開賣",
    "立法院三讀通過修正案",
    "臺北市長宣布交通新措施",
    "學者分析經濟成長預測",
)
JA = (
    "新しい駅舎が完成し式典が開かれた",
    "政府は来年度の予算案を決定",
    "サッカー日本代表が勝利",
    "東京で桜が満開となる",
    "地震の影響で列車に遅れ",
    "大学入試の結果を発表",
)
KO = (
    "정부 내년 예산안 확정 발표",
    "서울 지하철 새 노선 개통",
    "대통령 국회 연설에서 협력 강조",
    "전국에 비 내일까지 이어져",
    "대학 입시 결과 발표",
    "축구 대표팀 평가전 승리",
)
RU = (
    "Правительство утвердило бюджет",
    "В Москве открыли новую станцию метро",
    "Учёные рассказали об открытии",
    "Сборная выиграла матч",
    "Погода на выходные",
    "Курс рубля вырос",
)
PL = ("Rząd przyjął nowy budżet", "Zażółć gęślą jaźń", "Śnieg i mróz w górach", "Ogłoszono wyniki wyborów")
FR = ("Météo : des orages prévus à l'été", "Élections : résultats définitifs", "La forêt près de Grenoble")
TR = ("Hükümet yeni bütçeyi açıkladı", "Öğrencilere burs müjdesi", "Şampiyon belli oldu")
EL = ("Νέα μέτρα για την οικονομία", "Ο καιρός σήμερα", "Εκλογές την Κυριακή")
HE = ("הממשלה אישרה את התקציב", "מזג האוויר היום", "תחנה חדשה נפתחה")
AR = ("الحكومة تقر الميزانية الجديدة", "الطقس اليوم", "فوز كبير للمنتخب")
TH = ("รัฐบาลอนุมัติงบประมาณ", "สภาพอากาศวันนี้", "การเลือกตั้งวันอาทิตย์")

ASIAN = [
    (ZH, "gb18030", "cn"),
    (TW, "big5", "tw"),
    (JA, "cp932", "jp"),
    (JA, "euc_jp", "jp"),
    (KO, "cp949", "kr"),
]
OTHERS = [
    (RU, "cp1251", "ru"),
    (RU, "koi8_r", "ru"),
    (PL, "cp1250", "pl"),
    (FR, "cp1252", "fr"),
    (TR, "cp1254", "com.tr"),
    (EL, "cp1253", "gr"),
    (HE, "cp1255", "il"),
    (AR, "cp1256", "eg"),
    (TH, "cp874", "th"),
]


def right(
    body: bytes, encoding: str, header: str | None = None, host: str = "", known: str | None = None
) -> bool:
    """Whether the verdict reads the body as this encoding does."""
    return decode(body, decode_charset(body, header, host=host, known=known)) == body.decode(encoding)


# Undeclared, from six titles down to two


@pytest.mark.parametrize("host", ["own", "news.com", ""])
@pytest.mark.parametrize("count", [6, 3, 2])
@pytest.mark.parametrize(("titles", "encoding", "tld"), ASIAN)
def test_an_undeclared_asian_page_is_read_from_a_few_titles(
    titles: tuple[str, ...], encoding: str, tld: str, count: int, host: str
) -> None:
    for start in range(7 - count):
        body = page(*titles[start : start + count], encoding=encoding)
        assert right(body, encoding, host=f"news.{tld}" if host == "own" else host)


@pytest.mark.parametrize(("titles", "encoding", "tld"), OTHERS)
def test_an_undeclared_page_is_read_by_its_region(titles: tuple[str, ...], encoding: str, tld: str) -> None:
    assert right(page(*titles, encoding=encoding), encoding, host=f"news.{tld}")


@pytest.mark.parametrize(
    ("titles", "encoding", "lang"), [(RU, "cp1251", "ru"), (PL, "cp1250", "pl"), (EL, "cp1253", "el")]
)
def test_the_language_of_the_page_tells_the_region_too(
    titles: tuple[str, ...], encoding: str, lang: str
) -> None:
    body = page(*titles, encoding=encoding).replace(b"<html>", f'<html class="x" lang="{lang}-X">'.encode())
    assert right(body, encoding, host="news.com")


def test_the_region_of_a_host_or_a_language() -> None:
    assert prior("www.news.com.cn", "")[0] == "gb18030"
    assert prior("news.com", "zh-tw")[0] == "big5hkscs"
    assert prior("news.com", "zh-cn")[0] == "gb18030"
    assert prior("news.de", "ja")[0] == "cp932"
    assert prior("127.0.0.1", "") == ()


# Declared


@pytest.mark.parametrize(("titles", "encoding", "tld"), [*ASIAN, *OTHERS])
def test_a_right_declaration_is_believed_wherever_it_stands(
    titles: tuple[str, ...], encoding: str, tld: str
) -> None:
    label = {"gb18030": "gb2312", "cp932": "shift_jis", "cp949": "euc-kr", "cp874": "tis-620"}.get(
        encoding, encoding
    )
    body = page(*titles, encoding=encoding)
    assert right(body, encoding, f"text/html; charset={label}")
    assert right(page(*titles, encoding=encoding, head=f'<meta charset="{label}">'), encoding)
    old = f'<meta http-equiv="Content-Type" content="text/html; charset={label}">'
    assert right(page(*titles, encoding=encoding, head=old), encoding)


@pytest.mark.parametrize("wrong", ["utf-8", "iso-8859-1", "us-ascii", "no-such-charset", "utf-16"])
@pytest.mark.parametrize(("titles", "encoding", "tld"), ASIAN)
def test_a_wrong_header_is_not_believed(titles: tuple[str, ...], encoding: str, tld: str, wrong: str) -> None:
    body = page(*titles, encoding=encoding)
    assert right(body, encoding, f"text/html; charset={wrong}", host=f"news.{tld}")
    assert right(body, encoding, f"text/html; charset={wrong}", host="news.com")


def test_one_asian_set_declared_for_another() -> None:
    assert right(page(*ZH, encoding="gb18030"), "gb18030", "text/html; charset=big5")
    assert right(page(*TW, encoding="big5"), "big5", "text/html; charset=gbk")
    assert right(page(*KO, encoding="cp949"), "cp949", "text/html; charset=gb2312")
    assert right(page(*JA, encoding="euc_jp"), "euc_jp", "text/html; charset=shift_jis")


def test_a_wrong_header_gives_way_to_a_right_meta() -> None:
    body = page("讣告", encoding="gb18030", head='<meta charset="gbk">')
    assert right(body, "gb18030", "text/html; charset=utf-8")
    body = page(*RU, encoding="cp1251", head='<meta charset="windows-1251">')
    assert right(body, "cp1251", "text/html; charset=utf-8")


@pytest.mark.parametrize("label", ["gb2312", "iso-8859-1", "windows-1251", "shift_jis", "big5"])
def test_utf_8_that_is_declared_as_something_else_is_read_as_utf_8(label: str) -> None:
    for titles in (ZH, JA, KO, RU, FR, AR):
        assert decode_charset(page(*titles), f"text/html; charset={label}") == "utf-8"


def test_traditional_text_in_a_chinese_set_stays_there() -> None:
    body = page(*TW, encoding="gb18030", head='<meta charset="gbk">')
    assert right(body, "gb18030", host="news.hk")
    assert right(body, "gb18030")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32"])
@pytest.mark.parametrize("header", [None, "text/html; charset=utf-8", "text/html; charset=gbk"])
def test_wide_encodings_are_known_by_mark_or_bytes(encoding: str, header: str | None) -> None:
    body = page(*ZH, encoding=encoding)
    assert decode(body, decode_charset(body, header)) == page(*ZH).decode()


def test_iso_2022_jp_is_seven_bit() -> None:
    body = page(*JA, encoding="iso2022_jp")
    assert body.isascii()
    assert right(body, "iso2022_jp")
    assert right(body, "iso2022_jp", "text/html; charset=iso-2022-jp")


def test_a_plain_page_keeps_its_declaration_for_the_sake_of_its_links() -> None:
    assert decode_charset(page("news"), "text/html; charset=gb2312") == "gb18030"
    assert decode_charset(page("news"), None) == "utf-8"
    assert decode_charset(page("news"), None, known="gb18030") == "gb18030"


# A few broken characters


def test_titles_cut_in_the_middle_of_a_character_change_nothing() -> None:
    utf8 = page(*ZH * 3).replace("工作".encode(), "工作".encode()[:-1])
    assert decode_charset(utf8, "text/html; charset=utf-8") == "utf-8"
    assert decode_charset(utf8, None, host="news.cn") == "utf-8"
    gbk = page(*ZH * 3, encoding="gb18030").replace(
        "二十座</a>".encode("gb18030"), "二十座".encode("gb18030")[:-1] + b"</a>"
    )
    assert decode_charset(gbk, "text/html; charset=gb2312") == "gb18030"


def test_a_body_that_fits_nothing_still_has_a_verdict() -> None:
    assert codecs.lookup(decode_charset(b"<p>" + bytes(range(128, 256)) * 10, "text/html; charset=utf-8"))


# The site's earlier verdict


def test_an_earlier_verdict_helps_where_nothing_else_tells() -> None:
    body = page("讣告", encoding="gb18030")
    assert right(body, "gb18030", known="gb18030")
    assert right(page("Şık", encoding="cp1254"), "cp1254", known="cp1254")


def test_an_earlier_verdict_does_not_outweigh_the_bytes() -> None:
    assert decode_charset(page(*ZH), None, known="gb18030") == "utf-8"
    assert right(page(*TW, encoding="big5"), "big5", known="gb18030")
    assert right(page(*RU, encoding="cp1251"), "cp1251", known="cp1252")


# Never raises, never takes long


@given(
    st.binary(max_size=400),
    st.none() | st.text(max_size=40),
    st.sampled_from(["", "a.cn", "a.jp", "a.com", "[::1]", "."]),
    st.sampled_from([None, "gb18030", "base64", "nothing", "utf-16"]),
)
@example(b"<meta charset=base64>\xff", "text/html; charset=hex", "", None)
@example(b"<meta charset=utf-7>\xff", "text/html; charset=idna", "", "punycode")
def test_any_bytes_have_a_verdict_that_decodes(
    body: bytes, header: str | None, host: str, known: str | None
) -> None:
    verdict = decode_charset(body, header, host=host, known=known)
    assert isinstance(body.decode(verdict, "replace"), str)
    assert resolve_encoding(verdict) == verdict, "the page layer must understand it"
    assert isinstance(decode(body, verdict), str)


@pytest.mark.parametrize(
    "body",
    [b"<" * 3_000_000, b"\xd6\xd0<" * 1_000_000, b"\xff" * 3_000_000, b"<html lang=" * 300_000 + b"\xe9"],
)
def test_large_strange_bodies_take_bounded_time(body: bytes) -> None:
    started = time.process_time()
    decode_charset(body, None, host="a.cn")
    assert time.process_time() - started < 3


def test_a_sample_is_enough_of_a_long_page() -> None:
    assert len(visible(page(*ZH * 5000, encoding="gb18030"))) < 60_000


def test_each_asian_set_is_most_like_its_own_text() -> None:
    for titles, encoding, _ in ASIAN:
        text = "\n".join(titles).encode(encoding)
        scores = {e: likeness(text, e)[0] for e in CJK}
        best = max(scores, key=scores.__getitem__)
        assert text.decode(best) == text.decode(encoding)
        assert sorted(scores.values())[-2] < scores[best] - 0.3


async def test_the_verdict_comes_with_the_response() -> None:
    async with Site() as site:
        site.put("/", page(*ZH, encoding="gb18030"), content_type="text/html; charset=utf-8")
        answer = ok(await get(site.url("/")))
    assert answer.encoding == "gb18030"
    assert ZH[0] in answer.body.decode(answer.encoding)
