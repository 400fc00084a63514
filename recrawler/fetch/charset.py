"""Which character encoding a page is in: what it declares, checked against its bytes, else what they suggest.

The chain: byte order mark, ISO-2022 escapes, header, meta, strict UTF-8, the site's earlier verdict, then
a judgement of the bytes (`charset_guess`) among sets that the top-level domain and language make plausible.
A declaration is believed only while it decodes: many U+FFFD mean that it is wrong. Verdicts are Python
codec names as w3lib resolves web labels (gb2312 and gbk are gb18030, iso-8859-1 is cp1252, ...).
"""

from __future__ import annotations

import codecs
import re

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from recrawler.fetch.charset_guess import CJK, guess, implausible, visible
from recrawler.legacy import is_charset

__all__ = ["declared", "decode", "decode_charset"]

# Share of broken characters among the non-ASCII ones up to which a page is only sloppy (titles cut in
# the middle of a character), and the number that is always forgiven.
_BROKEN_SHARE = 0.03
_BROKEN_FEW = 2
# GBK text of a few characters can happen to be valid UTF-8; this many sequences cannot.
_SURE_UTF8 = 6
_LANG = re.compile(rb"<html[^>]{0,400}?\blang\s*=\s*[\"']?([A-Za-z]{2,3}(?:-[A-Za-z]+)?)", re.IGNORECASE)
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]|\x1b\(J")


def decode(body: bytes, encoding: str) -> str:
    """Text of the body, U+FFFD for what does not decode, without byte order mark; never raises."""
    bom, mark = read_bom(body)
    if bom is not None and mark is not None:
        body, encoding = body[len(mark) :], bom
    try:
        return body.decode(encoding, "replace")
    except (LookupError, UnicodeError):
        return body.decode("utf-8", "replace")


def declared(body: bytes, content_type: str | None) -> list[str]:
    """Encodings that header and page declare, in order of rank, resolved, without repeats."""
    found: list[str] = []
    for name in (http_content_type_encoding(content_type), html_body_declared_encoding(body)):
        if name is not None and name.startswith(("utf-16", "utf_16", "utf-32", "utf_32")):
            # A declaration that could be read as ASCII was not in UTF-16 (WHATWG prescan); real UTF-16
            # is known by its bytes.
            name = _wide(body) or "utf-8"
        if name is not None and name not in found and is_charset(name):
            found.append(name)
    return found


def _wide(body: bytes) -> str | None:
    """UTF-16 without a mark: markup is ASCII, so its other bytes are NULs."""
    head = body[:4096]
    if len(head) < 16 or head.count(0) < len(head) // 8:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 4 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 4 * odd else None


def _damage(body: bytes, encoding: str) -> tuple[int, int]:
    """(characters that do not decode, characters beyond ASCII) of the whole body."""
    try:
        text = body.decode(encoding, "replace")
    except (LookupError, UnicodeError):
        return len(body), 1
    return text.count("\ufffd"), len(text) - len(text.encode("ascii", "ignore"))


def _holds(body: bytes, encoding: str) -> bool:
    """Whether the body is text in this encoding, but for a few broken characters."""
    bad, beyond = _damage(body, encoding)
    # UTF-8 has a form of its own: where it is one, most of it is.
    least = 10 if encoding == "utf-8" else 2
    return bad <= max(_BROKEN_FEW, beyond * _BROKEN_SHARE) and bad * least <= beyond


def _utf8_sequences(body: bytes) -> int | None:
    """Multi-byte sequences of a body that is strict UTF-8 throughout (a cut last one forgiven), else None."""
    try:
        text, _ = codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return None
    return len(text) - len(text.encode("ascii", "ignore"))


def decode_charset(
    body: bytes,
    content_type: str | None = None,
    *,
    host: str = "",
    known: str | None = None,
) -> str:
    """The encoding of a page: a Python codec name that `bytes.decode` takes. Never raises.

    `content_type` is the header as it came, `host` the page's host (its top-level domain is a hint), `known`
    the site's earlier verdict, believed only where the page itself declares nothing that holds.
    """
    bom, _ = read_bom(body)
    if bom is not None:
        return bom
    wide = _wide(body)
    if wide is not None:
        return wide
    names = declared(body, content_type)
    site = resolve_encoding(known) if known and is_charset(known) else None
    if body.isascii():
        return _of_ascii(body, names, site)
    sequences = _utf8_sequences(body)
    # A single-byte set has no use for sequences that are valid UTF-8 throughout; a multi-byte one might.
    if sequences is not None and (sequences >= _SURE_UTF8 or "utf-8" in names or not {*names, site} & {*CJK}):
        return "utf-8"
    return _judged(body, names, site, host, _lang(body))


def _of_ascii(body: bytes, names: list[str], site: str | None) -> str:
    if _ISO_2022_JP.search(body):
        return "iso2022_jp"
    # Nothing to see in the bytes; the name still says how links' queries are encoded.
    return next(iter(names), None) or site or "utf-8"


def _judged(body: bytes, names: list[str], site: str | None, host: str, lang: str) -> str:
    text = visible(body)
    wrong: set[str] = set()
    for name in names:
        if not _holds(body, name) or implausible(text, name, host, lang):
            wrong.add(name)
        else:
            return name
    if _holds(body, "utf-8"):
        return "utf-8"
    if (
        site is not None
        and site not in names
        and _holds(body, site)
        and not implausible(text, site, host, lang)
    ):
        return site
    found = guess(text, host, lang, [n for n in (*names, site) if n and n not in wrong])
    if found is not None and _holds(body, found):
        return found
    return _least_bad(body, [*names, *([found] if found else []), "utf-8", "cp1252"])


def _least_bad(body: bytes, names: list[str]) -> str:
    """Of encodings that all fail somewhere, the one with the fewest broken characters, the first at ties."""
    return min(names, key=lambda n: _damage(body, n)[0])


def _lang(body: bytes) -> str:
    match = _LANG.search(body[:8192])
    return match[1].decode("ascii").lower() if match else ""
