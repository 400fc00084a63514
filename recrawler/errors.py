"""The exceptions of the project, as a tree; every message says what to change.

RecrawlerError
├── UsageError          a wrong option, URL or settings file: exit status 2
│   ├── InvalidURL      text that the URL standard cannot parse, or a scheme other than http(s)
│   ├── PolicyError     a follow policy or scope that cannot be meant; carries every code at once
│   └── SettingsError   a settings file with an unknown key or a bad value
├── StoreError          the database is missing, foreign, newer, read-only or in use: exit status 1
└── ModelError          a model file that this version cannot read

What happens to one page (a refused connection, a 404, a challenge) is a value, not an exception: see
`recrawler.fetch`.
"""

from __future__ import annotations

from collections.abc import Iterable


class RecrawlerError(Exception):
    """Base of every error that the project raises on purpose. `exit_status` is the command line's."""

    exit_status = 1


class UsageError(RecrawlerError):
    """The user asked for something that cannot be done as written."""

    exit_status = 2


class InvalidURL(UsageError):  # noqa: N818 - the name that httpx and requests give it
    """The text is no URL by the WHATWG standard, or its scheme is not http or https."""


class PolicyError(UsageError):
    """A follow policy or crawling scope is invalid.

    `codes` holds every validation code found, sorted, so that all faults are reported at once.
    """

    def __init__(self, codes: Iterable[str], message: str | None = None) -> None:
        self.codes = sorted(set(codes))
        super().__init__(message or ", ".join(self.codes))


class SettingsError(UsageError):
    """The settings file has an unknown key or a value of the wrong kind."""


class StoreError(RecrawlerError):
    """The database cannot be used; the message says why and what to do."""


class ModelError(RecrawlerError):
    """A model file is missing, damaged or of another format version."""
