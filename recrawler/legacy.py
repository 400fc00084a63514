"""Query text of links on pages that are not in UTF-8: encoded from the page's encoding, as browsers do.

The URL standard percent-encodes a query after encoding it, and writes what the encoding lacks as a
numeric character reference. ada-url knows UTF-8 alone, so this runs before it.
"""

from __future__ import annotations

import codecs
import re

# Python's names of the encodings that browsers know (Encoding Standard, 4.2). Its other codecs are no
# charsets of pages (base64, unicode_escape, utf-7), whatever a page declares.
_CHARSET_NAMES = """
    utf-8 utf-16-le utf-16-be gb18030 big5hkscs cp932 euc_jp iso2022_jp cp949 cp874 cp866 koi8-r koi8-u
    cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 mac-roman mac-cyrillic
    iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14
    iso8859-15 iso8859-16
"""
_CHARSETS = frozenset(codecs.lookup(name).name for name in _CHARSET_NAMES.split())

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_NOT_ASCII_OR_SHIFT = re.compile(r"[^\x00-\x7f\x0e\x0f\x1b]+|[\x0e\x0f\x1b]")
_ENCODED = frozenset(b" \"#<>'") | frozenset(range(0x21)) | frozenset(range(0x7F, 0x100))
# Python's codec -> the one that comes nearest to the standard's encoder of that name.
_NEAREST = {
    "gb2312": "gbk",
    "big5": "big5hkscs",
    "cp950": "big5hkscs",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "iso8859-11": "cp874",
}
# Codecs that together have the letters of the standard's encoder.
_ENCODERS = {"gbk": ("gb18030",), "big5hkscs": ("big5hkscs", "cp950")}
# Signs that the standard's encoders write differently from Python's codecs.
_SIGNS = {
    "cp932": {"¥": b"\\", "‾": b"~", "−": b"\x81\x7c"},
    "euc_jp": {"¥": b"\\", "‾": b"~", "−": b"\xa1\xdd"},
    "iso2022_jp": {"−": b"\x1b$B!]\x1b(B"},
    "gbk": {"€": b"\x80"},
}


def is_charset(name: str) -> bool:
    """Whether a name, of Python or of the standard, is that of an encoding that pages can be in."""
    try:
        return codecs.lookup(name).name in _CHARSETS
    except (LookupError, ValueError):
        return False


def codec_of(label: str) -> str:
    """The codec for a page's encoding label; UTF-8 for UTF-16 and for unknown labels."""
    try:
        name = codecs.lookup(label.strip()).name
    except (LookupError, ValueError):
        return "utf-8"
    name = _NEAREST.get(name, name)
    return name if (is_charset(name) or name == "gbk") and not name.startswith("utf") else "utf-8"


def encode_query(href: str, label: str) -> str:
    """`href` with the text of its query percent-encoded from the encoding `label`."""
    head, question, rest = href.partition("?")
    if not question or "#" in head:
        return href
    query, hash_sign, fragment = rest.partition("#")
    codec = codec_of(label)
    if codec == "utf-8":
        return href
    text = _NOT_ASCII_OR_SHIFT if codec == "iso2022_jp" else _NOT_ASCII
    encoded = text.sub(lambda m: _escape(_encode(m[0], codec)), query)
    return f"{head}?{encoded}{hash_sign}{fragment}"


def _escape(data: bytes) -> str:
    return "".join(f"%{b:02X}" if b in _ENCODED else chr(b) for b in data)


def _encode(text: str, codec: str) -> bytes:
    if codec == "iso2022_jp":  # it shifts between sets: not letter by letter
        return _whole(text, codec)
    return b"".join(_letter(c, codec) for c in text)


def _whole(text: str, codec: str) -> bytes:
    if text in "\x0e\x0f\x1b":
        return _reference("\ufffd")
    try:
        return text.translate({0x2212: "－"}).encode(codec)
    except UnicodeEncodeError:
        return b"".join(_letter(c, codec) for c in text)


def _letter(char: str, codec: str) -> bytes:
    sign = _SIGNS.get(codec, {}).get(char)
    if sign is not None:
        return sign
    data = b""
    for nearest in _ENCODERS.get(codec, (codec,)):
        try:
            data = char.encode(nearest)
            break
        except UnicodeEncodeError:
            continue
    return data if data and _is_standard(char, data, codec) else _reference(char)


def _is_standard(char: str, data: bytes, codec: str) -> bool:
    """Whether the standard's encoder has the letter, where it has less than Python's codec."""
    if codec in ("gbk", "gb18030"):
        return char != "\ue5e5" and (codec == "gb18030" or len(data) < 4)
    if codec == "big5hkscs":
        return len(data) == 2 and data[0] >= 0xA1
    return not (codec == "euc_jp" and data[:1] == b"\x8f")


def _reference(char: str) -> bytes:
    """`&#NNN;`, itself percent-encoded."""
    return f"%26%23{ord(char)}%3B".encode()
