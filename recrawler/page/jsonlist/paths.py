"""Where a user says that things are in JSON: JMESPath expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from recrawler.errors import UsageError

PROBE = "probe"
_NUMBER = re.compile(r"\{page(-1)?\}")
_FIELD = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Paths:
    """Where a user says that things are: JMESPath expressions, all but `param` and `script`.

    `items` is the array; `url`, `title` and `date` are of an item, and `url` may be a template instead, such as
    `https://news.example/{id}.html`. `next` is the next page's URL, or its cursor, which goes into the query
    parameter `param`; alone, `param` counts pages or rows. `pages` is a template of the pages' URLs, such as
    `/list_{page}.html`, which counts from 1, or from 0 as `{page-1}`; `PROBE` asks a visit to look. `script` is the id of a script element
    that holds the data.
    """

    items: str = ""
    url: str = ""
    title: str = ""
    date: str = ""
    next: str = ""
    param: str = ""
    pages: str = ""
    script: str = ""

    @property
    def template(self) -> str:
        """Of the pages' URLs, where one is told."""
        return "" if self.pages == PROBE else self.pages

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Paths:
        """Raises `UsageError` for an unknown name, or an expression that JMESPath cannot read."""
        names = [f.name for f in fields(cls)]
        for name, text in given.items():
            if name not in names:
                raise UsageError(f"--path {name}={text}: the names are {', '.join(names)}")
            if name == "pages" and text != PROBE and len(_NUMBER.findall(text)) != 1:
                raise UsageError(
                    f"--path pages={text}: write {{page}} once, as in /list_{{page}}.html, or probe"
                )
            if name not in ("param", "pages", "script") and not is_template(text):
                _compiled(text)
        return cls(**given)


def page_url(template: str, page: int) -> str:
    """The URL of a page by the template of `Paths.pages`."""
    return _NUMBER.sub(lambda m: str(page - 1 if m[1] else page), template)


def page_of(template: str, url: str) -> int:
    """The page that a URL leads to, by an absolute template; 1 where the URL is not one of its series."""
    before, minus, after = _NUMBER.split(template)
    found = re.fullmatch(re.escape(before) + r"(\d{1,9})" + re.escape(after), url)
    return max(1, int(found[1]) + bool(minus)) if found else 1


def is_template(text: str) -> bool:
    return "{" in text and text.startswith(("http://", "https://", "/"))


def filled(template: str, row: Any) -> str:
    """A template with the values that the expressions in its braces have in an object."""

    def value(match: re.Match[str]) -> str:
        found = search(match[1], row)
        return quote(str(found), safe="/") if isinstance(found, str | int) else ""

    return _FIELD.sub(value, template)


def search(expression: str, data: Any) -> Any:
    import jmespath  # type: ignore[import-untyped]

    try:
        return _compiled(expression).search(data)
    except jmespath.exceptions.JMESPathError:
        return None  # a function that does not take what stands there


@lru_cache(maxsize=256)
def _compiled(expression: str) -> Any:
    """Raises `UsageError`."""
    import jmespath  # not needed for pages, and no command shall wait for it

    try:
        return jmespath.compile(expression)
    except jmespath.exceptions.JMESPathError as e:
        why = " ".join(str(e).split())
        raise UsageError(f"--path: {expression!r} is no JMESPath expression: {why[:200]}") from None
