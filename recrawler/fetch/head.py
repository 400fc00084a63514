"""The heads of answers as browsers read them, made fit for a parser that goes by the letter.

aiohttp's parser refuses an answer for what real servers and the boxes in front of them write: a line
without a colon, a blank before it, a length told twice or beside chunks, more bytes than the length.
Each time it is a page that every browser shows. What no reader can make sense of stays refused: two
lengths that differ.
"""

from __future__ import annotations

import re

MAX_HEAD = 262_144  # bytes; a longer head is left to the parser
_END, _END_BYTES = re.compile(rb"\r?\n\r?\n"), 4
_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_FRAMING = frozenset((b"content-length", b"transfer-encoding"))


class HeadMender:
    """Passes on the bytes of one answer, its heads mended; one for each answer.

    `doubtful` tells that the answer did not keep to its own framing: nothing more may be read from its
    connection.
    """

    def __init__(self) -> None:
        self.doubtful = False
        self._head = b""
        self._body = False
        self._left: int | None = None  # bytes of the body that are still to come, where its length is told

    def feed(self, data: bytes) -> bytes:
        """What the parser is to be given for these bytes; nothing while a head is not complete."""
        if self._body:
            return self._cut(data)
        seen = max(0, len(self._head) - _END_BYTES)  # so that a head that trickles in is looked at once
        self._head += data
        out = b""
        while not self._body and (end := _END.search(self._head, seen)) is not None:
            head, self._head, seen = self._head[: end.end()], self._head[end.end() :], 0
            out += self._mended(head)
        if not self._body and len(self._head) <= MAX_HEAD and _may_be_http(self._head):
            return out
        self._body, rest, self._head = True, self._head, b""
        return out + self._cut(rest)

    def _mended(self, head: bytes) -> bytes:
        made, self._left, both = mended(head)
        self._body = not _is_interim(made)
        self.doubtful = self.doubtful or both
        return made

    def _cut(self, data: bytes) -> bytes:
        if self._left is None:
            return data
        kept = data[: self._left]
        self.doubtful = self.doubtful or len(kept) < len(data)
        self._left -= len(kept)
        return kept


def _may_be_http(head: bytes) -> bool:
    return head[:5] == b"HTTP/"[: len(head)]


def mended(head: bytes) -> tuple[bytes, int | None, bool]:
    """A head with its blank line as a strict parser takes it, the length of the body where it tells it, and
    whether it tells of chunks and a length."""
    status, *lines = head.splitlines()
    kept: list[bytes] = []
    framing: dict[bytes, list[bytes]] = {}
    for line in _unfolded(lines):
        name, colon, value = line.partition(b":")
        name = name.strip(b" \t")
        if not colon or not _NAME.fullmatch(name):
            continue
        value = value.replace(b"\0", b"").strip(b" \t")
        if name.lower() in _FRAMING:
            framing.setdefault(name.lower(), []).append(value)
        else:
            kept.append(name + b": " + value)
    lengths = _lengths(framing.get(b"content-length", []))
    coding = [c for v in framing.get(b"transfer-encoding", []) for c in v.lower().split(b",")]
    chunked = any(c.strip() == b"chunked" for c in coding)
    if chunked:
        kept.append(b"Transfer-Encoding: chunked")
    else:
        kept += [b"Content-Length: %d" % n for n in lengths]
    whole = b"\r\n".join((status, *kept, b"", b""))
    length = lengths[0] if len(lengths) == 1 and not chunked else None
    return whole, length, chunked and bool(lengths)


def _unfolded(lines: list[bytes]) -> list[bytes]:
    """The lines with their continuations."""
    out: list[bytes] = []
    for line in lines:
        if line[:1] in (b" ", b"\t") and out:
            out[-1] += b" " + line.strip()
        elif line:
            out.append(line)
    return out


def _lengths(values: list[bytes]) -> list[int]:
    """The different lengths that are told; what is none is left out, as if it was not there."""
    told = [v.strip() for value in values for v in value.split(b",")]
    return sorted({int(v) for v in told if v.isdigit() and len(v) < 19})


def _is_interim(head: bytes) -> bool:
    """Whether another head follows: 100 Continue, 103 Early Hints."""
    return head[9:10] == b"1" and head[9:12] != b"101"
