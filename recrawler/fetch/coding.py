"""Content codings undone piece by piece, never more than a little ahead of the size limit.

httpx and aiohttp decode a chunk whole, so that 16 KB of brotli can become gigabytes before anybody
counts; here each step yields at most `STEP` bytes.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

STEP = 1 << 16
# A server that names more layers than this is not trying to help.
_MOST_LAYERS = 3
# Window of a zstd frame that browsers accept: 8 MiB (RFC 9659).
_ZSTD_WINDOW_LOG = 23


class CodingError(Exception):
    """The body is not what its Content-Encoding says; the message says how."""


class Decoder(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decoded pieces, each small. Raises `CodingError`."""

    def finish(self) -> None:
        """Called after the last byte. Raises `CodingError` where the coded data has not ended."""


class _Identity:
    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data

    def finish(self) -> None:
        return


class _Zlib:
    """gzip (all members, whatever stands behind them) or deflate (with or without the zlib header)."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._obj: Any = None
        self._head = b""
        self._over = False

    def _start(self, data: bytes) -> bytes | None:
        """Data to decode once there is enough to tell the format, else None."""
        self._head += data
        if len(self._head) < 2:
            return None
        if self._name == "gzip":
            wbits = 31
        else:
            cmf, flg = self._head[0], self._head[1]
            wbits = 15 if cmf & 15 == 8 and (cmf * 256 + flg) % 31 == 0 else -15
        self._obj = zlib.decompressobj(wbits)
        head, self._head = self._head, b""
        return head

    def feed(self, data: bytes) -> Iterator[bytes]:
        more: bytes | None = data
        while more and not self._over:
            if self._obj is None:
                more = self._start(more)
                if more is None:
                    return
            try:
                out = self._obj.decompress(more, STEP)
            except zlib.error:
                raise CodingError(f"the body is not {self._name}, though the server says so") from None
            if out:
                yield out
            more = self._obj.unconsumed_tail
            if self._obj.eof:
                more = self._next_member(self._obj.unused_data)
            elif not more and len(out) == STEP:
                more = None
                yield from self._pending()

    def _pending(self) -> Iterator[bytes]:
        """Output that zlib still holds after it has taken all input."""
        while not self._obj.eof:
            out = self._obj.decompress(b"", STEP)
            if not out:
                return
            yield out

    def _next_member(self, rest: bytes) -> bytes:
        if self._name == "gzip" and rest.startswith(b"\x1f\x8b"):
            self._obj = None
            return rest
        self._over = True
        return b""

    def finish(self) -> None:
        if self._obj is None and not self._head:
            return  # nothing came at all
        if not self._over and not (self._obj is not None and self._obj.eof):
            raise CodingError(f"the {self._name} data ends too early")


class _Brotli:
    def __init__(self, module: Any) -> None:
        self._obj = module.Decompressor()
        self._error = module.error
        self._any = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._any = self._any or bool(data)
        # Output may be pending though the decoder takes more input: ask until it has none.
        while not self._obj.is_finished():
            try:
                out = self._obj.process(data, output_buffer_limit=STEP)
            except self._error:
                raise CodingError("the body is not br, though the server says so") from None
            if not out:
                return
            yield out
            data = b""

    def finish(self) -> None:
        if self._any and not self._obj.is_finished():
            raise CodingError("the br data ends too early")


class _Zstd:
    def __init__(self, module: Any) -> None:
        self._module = module
        self._options = {module.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG}
        self._obj: Any = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data or (self._obj is not None and not self._obj.needs_input and not self._obj.eof):
            if self._obj is None:
                self._obj = self._module.ZstdDecompressor(options=self._options)
            try:
                out = self._obj.decompress(data, STEP)
            except self._module.ZstdError:
                raise CodingError("the body is not zstd, though the server says so") from None
            data = b""
            if out:
                yield out
            if self._obj.eof:
                data = self._obj.unused_data
                if data:
                    self._obj = None

    def finish(self) -> None:
        if self._obj is not None and not self._obj.eof:
            raise CodingError("the zstd data ends too early")


class _Chain:
    """Several codings, the last applied undone first."""

    def __init__(self, outer: Decoder, inner: Decoder) -> None:
        self._outer, self._inner = outer, inner

    def feed(self, data: bytes) -> Iterator[bytes]:
        for piece in self._outer.feed(data):
            out = False
            for inner in self._inner.feed(piece):
                out = True
                yield inner
            if not out:
                yield b""  # lets the reader count work that gives nothing

    def finish(self) -> None:
        self._outer.finish()
        self._inner.finish()


def _optional(*names: str) -> Any:
    for name in names:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _brotli() -> Any:
    module = _optional("brotli", "brotlicffi")
    # Older releases cannot bound their output, and are as good as absent.
    return module if module is not None and hasattr(module.Decompressor, "can_accept_more_data") else None


_BROTLI = _brotli()
_ZSTD = _optional("compression.zstd", "backports.zstd")

ACCEPT_ENCODING = ", ".join(
    ["gzip", "deflate", *(["br"] if _BROTLI is not None else []), *(["zstd"] if _ZSTD is not None else [])]
)

# Known codings that are not spoken here; other words (utf-8, none, binary) are mistakes for "identity",
# and browsers read them so.
_UNSPOKEN = {
    "br",
    "zstd",
    "compress",
    "x-compress",
    "dcb",
    "dcz",
    "exi",
    "pack200-gzip",
    "aes128gcm",
    "xz",
    "bzip2",
}


def _decoder(name: str) -> Decoder:
    if name in ("gzip", "x-gzip"):
        return _Zlib("gzip")
    if name == "deflate":
        return _Zlib("deflate")
    if name == "br" and _BROTLI is not None:
        return _Brotli(_BROTLI)
    if name == "zstd" and _ZSTD is not None:
        return _Zstd(_ZSTD)
    if name in _UNSPOKEN:
        raise CodingError(f"the body is coded as {name}, which was not asked for")
    return _Identity()


def decoder_for(codings: Iterable[str]) -> Decoder:
    """A decoder of the values of Content-Encoding, in header order. Raises `CodingError`."""
    names = [n.strip().lower() for n in codings if n.strip()]
    layers = [d for d in map(_decoder, names) if not isinstance(d, _Identity)]
    if len(layers) > _MOST_LAYERS:
        raise CodingError(f"{len(layers)} content codings on one body")
    decoder: Decoder = _Identity()
    for layer in layers:
        decoder = layer if isinstance(decoder, _Identity) else _Chain(layer, decoder)
    return decoder
