"""What went wrong on the wire, told in one line: exceptions of the client become `FaultError`s.

The transport folds aiohttp's exceptions into a few of httpx's (a dropped connection reads as a
connect timeout there), so the cause is looked at, not the wrapper.
"""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator

import aiohttp

from recrawler.fetch.coding import CodingError
from recrawler.fetch.transport import RefusedAddressError
from recrawler.fetch.types import FaultError

_NO_ROUTE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EADDRNOTAVAIL}
_RESET = {errno.ECONNRESET, errno.EPIPE, errno.ECONNABORTED, errno.ESHUTDOWN}


def causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it came from, outermost first, inner OSErrors of aiohttp's wrappers included."""
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        e = todo.pop(0)
        if e is None or id(e) in seen:
            continue
        seen.add(id(e))
        yield e
        if isinstance(e, aiohttp.ClientConnectorError):
            todo.append(e.os_error)
        if isinstance(e, aiohttp.ClientConnectorCertificateError):
            todo.append(e.certificate_error)
        if isinstance(e, BaseExceptionGroup):
            todo.extend(e.exceptions)
        todo.extend((e.__cause__, e.__context__))


def _tls(error: ssl.SSLError, host: str) -> FaultError:
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message or "it does not verify"
        return FaultError("tls", f"{host}: the certificate is refused: {why}")
    reason = (error.reason or str(error) or "handshake failed").replace("_", " ").lower()
    return FaultError("tls", f"{host}: no secure connection: {reason}")


def _one(error: BaseException, host: str) -> FaultError | None:
    if isinstance(error, RefusedAddressError):
        return FaultError(
            "refused-address",
            f"{host} leads to {error}, an address inside a private or special network; "
            "allow_networks can admit it",
        )
    if isinstance(error, socket.gaierror):
        if error.errno == socket.EAI_AGAIN:
            return FaultError("dns", f"{host}: the name server does not answer for this name")
        return FaultError("dns", f"{host}: there is no such host")
    # aiohttp's own wrappers inherit from ssl's errors without their fields; what they wrap comes later.
    if isinstance(error, ssl.SSLError) and not isinstance(error, aiohttp.ClientError):
        return _tls(error, host)
    if isinstance(error, aiohttp.ServerFingerprintMismatch):
        return FaultError("tls", f"{host}: the certificate is not the expected one")
    if isinstance(error, ConnectionRefusedError):
        return FaultError("refused", f"{host} refuses the connection")
    if isinstance(error, OSError) and error.errno in _NO_ROUTE:
        return FaultError("unreachable", f"{host}: there is no way to this address")
    return None


def _late(error: BaseException, host: str) -> FaultError | None:
    """Kinds that are only right where nothing more exact was found."""
    if isinstance(error, aiohttp.ClientPayloadError):
        return FaultError("truncated", f"{host} ended the body before its announced length")
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return FaultError("reset", f"{host} closed the connection without an answer")
    if isinstance(error, OSError) and error.errno in _RESET:
        return FaultError("reset", f"{host} broke the connection off")
    if isinstance(error, (TimeoutError, aiohttp.ServerTimeoutError)):
        return FaultError("timeout", f"{host} does not answer")
    if isinstance(error, aiohttp.ClientResponseError):
        return FaultError(
            "bad-response", f"{host} answers with something that is not HTTP: {error.message[:120]}"
        )
    return None


def fault_of(error: Exception, host: str) -> FaultError:
    """The fault that this exception of the client means; never raises."""
    if isinstance(error, FaultError):
        return error
    chain = list(causes(error))
    for judge in (_one, _late):
        for e in chain:
            fault = judge(e, host)
            if fault is not None:
                return fault
    if isinstance(error, CodingError):
        return FaultError("bad-coding", f"{host}: {error}")
    if any(isinstance(e, (aiohttp.ClientOSError, OSError)) for e in chain):
        return FaultError("refused", f"{host}: no connection: {error}")
    return FaultError("bad-response", f"{host}: {type(error).__name__}: {error}")
