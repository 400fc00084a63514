"""Reading a body within limits, and telling HTML from what only claims to be."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, Iterable
from dataclasses import dataclass

from recrawler.fetch.coding import STEP, decoder_for
from recrawler.page.jsonlist import decoded

_IDLE = 4  # times the limit that may be decoded for nothing


@dataclass(frozen=True, slots=True)
class Body:
    """Decoded bytes; `truncated` where there was more than the limit."""

    data: bytes
    truncated: bool = False


async def read_body(chunks: AsyncIterable[bytes], codings: Iterable[str], limit: int) -> Body:
    """The body with its content codings undone: at most `limit` bytes, and at most that many on the wire.

    Stops reading at the limit. Raises `CodingError`, and whatever the chunks raise.
    """
    decoder = decoder_for(codings)
    out: list[bytes] = []
    size = wire = idle = 0
    async for chunk in chunks:
        wire += len(chunk)
        for piece in decoder.feed(chunk):
            size += len(piece)
            idle += not piece
            out.append(piece)
            # A layer can expand to very much that the next one turns into nothing.
            if size > limit or idle * STEP > _IDLE * limit:
                return Body(b"".join(out)[:limit], truncated=True)
        if wire > limit:
            return Body(b"".join(out)[:limit], truncated=True)
    decoder.finish()
    return Body(b"".join(out))


_HTML_TYPES = {"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"}
# Types under which HTML is served by mistake; the bytes decide.
_MAYBE_TYPES = {
    "",
    "text/plain",
    "text/xml",
    "application/xml",
    "application/octet-stream",
    "application/x-unknown-content-type",
    "unknown/unknown",
    "*/*",
    "text",
    "html",
    "text/htm",
    "text/x-html",
    "application/html",
    "application/x-httpd-php",
}
_MARKUP = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|div|table|ul|script|link|style|h1|p|a)[\s>/]",
    re.IGNORECASE,
)
_XML_ROOT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([A-Za-z][\w.-]*)")
_FEED_ROOTS = {b"rss", b"feed", b"rdf"}
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"RIFF", "a RIFF file"),
    (b"PK\x03\x04", "a ZIP archive or office document"),
    (b"\x1f\x8b", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
    (b"\x7fELF", "a program"),
    (b"OggS", "an Ogg file"),
    (b"ID3", "an MP3 file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"SQLite format 3", "a database"),
)


def essence(content_type: str | None) -> str:
    """`text/html` of `Text/HTML; charset=x`; empty for a missing header."""
    return (content_type or "").split(",")[0].split(";")[0].strip().lower()


def _named(kind: str) -> str:
    if "json" in kind:
        return "JSON"
    if kind in (
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/feed+json",
    ):
        return "a feed"
    if kind.endswith("xml"):
        return "XML"
    return {"image": "an image", "video": "a video", "audio": "sound", "font": "a font"}.get(
        kind.split("/")[0], "a document"
    )


def refused_type(content_type: str | None, data: bool = False) -> str | None:
    """Why a body of this Content-Type need not be read at all: one line, or None where it may be HTML.

    `data`: JSON is welcome too, which has many a name.
    """
    kind = essence(content_type)
    if data and ("json" in kind or "javascript" in kind):
        return None
    if kind in _HTML_TYPES or kind in _MAYBE_TYPES or "/" not in kind:
        return None
    return f"the page is {_named(kind)} ({kind}), not HTML"


def _binary(body: bytes) -> str | None:
    for magic, name in _SIGNATURES:
        if body.startswith(magic):
            return name
    if body[4:8] == b"ftyp":
        return "a video or image"
    head = body[:4096]
    if _narrow(head).lstrip().startswith(b"<"):
        return None  # markup, however sloppy
    # UTF-16 and UTF-32 are full of NULs, but evenly; a stray one or two is a sloppy template.
    controls = sum(head.count(c) for c in range(1, 9)) + sum(head.count(c) for c in range(14, 27))
    nuls = head.count(0)
    if controls > max(8, len(head) // 50):
        return "binary data"
    if nuls > max(8, len(head) // 50) and not _looks_wide(head):
        return "binary data"
    return None


def _looks_wide(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        return True
    even, odd = head[0::2].count(0), head[1::2].count(0)
    return max(even, odd) > 4 * min(even, odd) or head.count(0) > len(head) * 0.6


def is_data(body: bytes) -> bool:
    """Whether a body is JSON, or a call with JSON in it."""
    return decoded(body) is not None


def _structured(body: bytes) -> str | None:
    """JSON, a feed or other XML by the bytes alone."""
    if is_data(body):
        return "JSON"
    text = body.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"<"):
        match = _XML_ROOT.search(text[:4096])
        root = match[1].lower() if match else b""
        if root in _FEED_ROOTS:
            return "a feed"
        if text.startswith(b"<?xml") and root and root != b"html" and not _MARKUP.search(text[:65536]):
            return "XML"
    return None


def not_html(body: bytes, content_type: str | None) -> str | None:
    """Why these bytes are no HTML page, in one line; None for HTML, and for an empty body."""
    if not body.strip():
        return None
    kind = essence(content_type)
    label = kind or "no type given"
    found = _binary(body) or _structured(body)
    if found is not None:
        return (
            f"the page is {found}, served as {label}"
            if kind in _HTML_TYPES
            else f"the page is {found} ({label})"
        )
    if kind in _HTML_TYPES or _MARKUP.search(_narrow(body[:65536])):
        return None
    return f"the page is plain text ({label}), not HTML"


def _narrow(head: bytes) -> bytes:
    """Markup is ASCII: without NULs, UTF-16 reads like it."""
    return head.replace(b"\0", b"") if b"\0" in head else head
