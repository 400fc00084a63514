"""Registrable domains by the Public Suffix List, offline.

tldextract holds the list (its bundled snapshot, or a newer file given by path); nothing is fetched.
Hosts are always parsed ones (`Url.host`), never raw URLs.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache, lru_cache
from pathlib import Path

from recrawler.errors import SettingsError

_VERSION = re.compile(r"VERSION:\s*(\d{4})-(\d\d)-(\d\d)")


class Suffixes:
    """The Public Suffix List: the bundled snapshot, or the file `path` (public_suffix_list.dat).

    Raises `SettingsError` when the file cannot be read or holds no rule.
    """

    def __init__(self, path: Path | None = None) -> None:
        # Imported here: it brings an HTTP client along, which most commands never need.
        import tldextract

        self._path = path or Path(tldextract.__file__).parent / ".tld_set_snapshot"
        urls: tuple[str, ...] = ()
        if path is not None:
            _check(path)
            urls = (path.resolve().as_uri(),)
        self._extract = tldextract.TLDExtract(
            suffix_list_urls=urls,
            cache_dir=None,
            fallback_to_snapshot=path is None,
            include_psl_private_domains=False,
        )
        self._labels = lru_cache(maxsize=65536)(self._count)

    def _count(self, host: str, private: bool) -> int:
        """How many labels the public suffix of `host` has; an unlisted one is its last label."""
        found = self._extract.extract_str(host, include_psl_private_domains=private)
        return found.suffix.count(".") + 1 if found.suffix else 1

    def suffix_labels(self, host: str, private: bool = True) -> int:
        """Labels of the public suffix of a lower-case host name without a trailing dot."""
        return self._labels(host, private)

    def registrable_domain(self, host: str, private: bool = True) -> str | None:
        """The public suffix of `host` and one label more; None for a suffix, an IP address or one label.

        `private`: rules of the private section hold too (github.io). An unlisted suffix is the last label.
        """
        name = _name(host)
        if name is None:
            return None
        labels = name.split(".")
        size = self._labels(name, private) + 1
        return ".".join(labels[-size:]) if len(labels) >= size else None

    def second_level(self, host: str) -> str | None:
        """The label left of the ICANN suffix: `baidu` of x.baidu.com.cn; None for one label or an IP address.

        Where there is none (a suffix itself), the second to last label.
        """
        name = _name(host)
        if name is None:
            return None
        labels = name.split(".")
        size = self._labels(name, False) + 1
        if len(labels) >= size:
            return labels[-size]
        return labels[-2] if len(labels) > 1 else None

    @property
    def published(self) -> date | None:
        """The day of the list's version, or None where the file does not say."""
        with self._path.open(encoding="utf-8", errors="replace") as lines:
            head = lines.read(4096)
        match = _VERSION.search(head)
        return date(int(match[1]), int(match[2]), int(match[3])) if match else None


def _name(host: str) -> str | None:
    """The host in lower case without the root label; None where it is no domain name."""
    name = host.lower().removesuffix(".")
    if not name or name[0] == "[" or name.rpartition(".")[2].isdigit() or "" in name.split("."):
        return None
    return name


def _check(path: Path) -> None:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise SettingsError(f"cannot read the suffix list {path}: {e}") from None
    if not re.search(r"^com\s*$", text, re.MULTILINE):
        raise SettingsError(f"{path} is no public suffix list: it has no rule 'com'")


@cache
def default_suffixes() -> Suffixes:
    """The bundled list."""
    return Suffixes()


def registrable_domain(host: str, private: bool = True) -> str | None:
    """`Suffixes.registrable_domain` of the bundled list."""
    return default_suffixes().registrable_domain(host, private)
