"""Addresses: how a site numbers the pages of a list, names its articles, and writes its hrefs."""

from __future__ import annotations

import posixpath
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urljoin, urlsplit


@dataclass(frozen=True, slots=True)
class Place:
    """What is random about a site's addresses."""

    root: str  # scheme and host, no trailing slash
    section: str
    cat: int
    size: int
    token: str
    first_plain: bool  # page 1 has the address without a number
    began: datetime


def _query(path: str, key: str) -> Callable[[Place, int, int], str]:
    def url(at: Place, page: int, total: int) -> str:
        where = path.format(section=at.section, cat=at.cat)
        joint = "&" if "?" in where else "?"
        return where if page == 1 and at.first_plain else f"{where}{joint}{key}={page}"

    return url


def _offset(path: str, key: str) -> Callable[[Place, int, int], str]:
    def url(at: Place, page: int, total: int) -> str:
        where = path.format(section=at.section, cat=at.cat)
        joint = "&" if "?" in where else "?"
        return where if page == 1 and at.first_plain else f"{where}{joint}{key}={(page - 1) * at.size}"

    return url


def _file(first: str, later: str) -> Callable[[Place, int, int], str]:
    def url(at: Place, page: int, total: int) -> str:
        form = first if page == 1 else later
        return form.format(
            section=at.section, cat=at.cat, p=page, p0=page - 1, down=total - page + 1, size=at.size
        )

    return url


def _zero(path: str, key: str = "page") -> Callable[[Place, int, int], str]:
    def url(at: Place, page: int, total: int) -> str:
        where = path.format(section=at.section, cat=at.cat)
        return where if page == 1 else f"{where}?{key}={page - 1}"

    return url


def _before(at: Place, page: int, total: int) -> str:
    if page == 1:
        return f"/{at.section}"
    return f"/{at.section}?before={int(at.began.timestamp()) - page * 86_400 * 3}"


def _cursor(at: Place, page: int, total: int) -> str:
    code = "".join(random.Random(f"{at.token}{page}").choices("abcdefghkmnpqrstuvwxyzABCDEFGH23456789", k=22))
    return f"/{at.section}" if page == 1 else f"/{at.section}?cursor={code}%3D%3D"


def _updated_max(at: Place, page: int, total: int) -> str:
    if page == 1:
        return "/"
    when = at.began - timedelta(days=6 * page, minutes=page * 7)
    return f"/search?updated-max={when:%Y-%m-%dT%H:%M:%S}%2B09:00&max-results={at.size}"


SCHEMES: dict[str, Callable[[Place, int, int], str]] = {
    "q-page": _query("/{section}/", "page"),
    "q-page-file": _query("/{section}.php", "page"),
    "q-p": _query("/{section}", "p"),
    "q-paged": _query("/", "paged"),
    "q-cat-paged": _query("/?cat={cat}", "paged"),
    "q-pg": _query("/index.php?board={cat}", "pg"),
    "q-pageno": _query("/NewsList.aspx?id={cat}", "PageNo"),
    "q-aspx": _query("/{section}/list.aspx?cid={cat}", "page"),
    "q-currentpage": _query("/{section}.do?method=list&type={cat}", "currentPage"),
    "q-phpcms": _query("/index.php?m=content&c=index&a=lists&catid={cat}", "page"),
    "q-dede": _query("/plus/list.php?tid={cat}&TotalResult=431", "PageNo"),
    "q-board": _query("/bbs/board.php?bo_table={section}", "page"),
    "q-showforum": _query("/forumdisplay.php?f={cat}&order=desc", "page"),
    "q-jsp": _query("/{section}/list.jsp?classid={cat}&keyword=", "pageIndex"),
    "q-seite": _query("/{section}.html", "seite"),
    "q-pagina": _query("/{section}", "pagina"),
    "q-session": _query("/index.php?s=8f3ab{cat}c01&act=list", "page"),
    "two-a": _query("/{section}/", "p1"),
    "two-b": _query("/{section}/", "p2"),
    "zero-page": _zero("/{section}"),
    "zero-taxonomy": _zero("/taxonomy/term/{cat}"),
    "o-offset": _offset("/{section}/list", "offset"),
    "o-start": _offset("/viewforum.php?f={cat}", "start"),
    "o-joomla": _offset("/index.php/{section}", "start"),
    "o-pn": _offset("/f?kw={section}&ie=utf-8", "pn"),
    "o-skip": _offset("/{section}/archive", "skip"),
    "slash-page": _file("/{section}/", "/{section}/page/{p}/"),
    "root-page": _file("/", "/page/{p}/"),
    "root-page-bare": _file("/", "/page{p}"),
    "slash-number": _file("/{section}/", "/{section}/{p}/"),
    "slash-pn": _file("/{section}", "/{section}/p{p}"),
    "slash-seite": _file("/{section}/", "/{section}/seite/{p}/"),
    "slash-cat": _file("/category/{section}/", "/category/{section}/page/{p}/"),
    "slash-tag": _file("/tag/{section}", "/tag/{section}/page/{p}"),
    "list-n": _file("/{section}/", "/{section}/list_{p}.html"),
    "list-cat-n": _file("/{section}/list_{cat}_1.html", "/{section}/list_{cat}_{p}.html"),
    "list-dash": _file("/list-{cat}-1.html", "/list-{cat}-{p}.html"),
    "forum-dash": _file("/forum-{cat}-1.html", "/forum-{cat}-{p}.html"),
    "index-n": _file("/{section}/index.html", "/{section}/index_{p}.html"),
    "index-n0": _file("/{section}/index.shtml", "/{section}/index_{p0}.shtml"),
    "index-n0-html": _file("/{section}/", "/{section}/index_{p0}.html"),
    "index-jhtml": _file("/{section}/index.jhtml", "/{section}/index_{p}.jhtml"),
    "plain-n": _file("/{section}/", "/{section}/{p}.html"),
    "stem-n": _file("/{section}.html", "/{section}-{p}.html"),
    "stem-under": _file("/{section}{cat}.htm", "/{section}{cat}_{p}.htm"),
    "columns": _file("/col/col{cat}/index.html", "/col/col{cat}/index_{p}.html"),
    "node": _file("/node_{cat}.htm", "/node_{cat}_{p}.htm"),
    "down": _file("/{section}.htm", "/{section}/{down}.htm"),
    "triple": _file("/{section}/c_{cat}_1_{size}.html", "/{section}/c_{cat}_{p}_{size}.html"),
    "matrix": _file("/{section};page=1", "/{section};page={p}"),
    "path-pairs": _file("/list/cid/{cat}", "/list/cid/{cat}/page/{p}"),
    "page-file": _file("/{section}/page1.html", "/{section}/page{p}.html"),
    "query-block": _query("/", "query-0-page"),
    "before": _before,
    "cursor": _cursor,
    "updated-max": _updated_max,
}

ARTICLES: dict[str, Callable[[Place, int, datetime, str], str]] = {
    "wp-date": lambda at, n, when, slug: f"/{when:%Y/%m}/{slug}/",
    "wp-day": lambda at, n, when, slug: f"/{when:%Y/%m/%d}/{slug}/",
    "wp-id": lambda at, n, when, slug: f"/?p={n}",
    "archives": lambda at, n, when, slug: f"/archives/{n}",
    "slug": lambda at, n, when, slug: f"/{slug}/",
    "section-slug": lambda at, n, when, slug: f"/{at.section}/{slug}",
    "section-id": lambda at, n, when, slug: f"/{at.section}/{n}.html",
    "section-slug-id": lambda at, n, when, slug: f"/{at.section}/{slug}-{n}.html",
    "a-date": lambda at, n, when, slug: f"/{at.section}/{when:%Y-%m-%d}/{n}.html",
    "gov": lambda at, n, when, slug: f"/{at.section}/{when:%Y%m}/t{when:%Y%m%d}_{n}.shtml",
    "art": lambda at, n, when, slug: f"/art/{when.year}/{when.month}/{when.day}/art_{at.cat}_{n}.html",
    "content": lambda at, n, when, slug: f"/{when:%Y-%m/%d}/content_{n}.htm",
    "info": lambda at, n, when, slug: f"/info/{at.cat}/{n}.htm",
    "dede-a": lambda at, n, when, slug: f"/a/{when:%Y%m}/{n}.html",
    "show": lambda at, n, when, slug: f"/show-{at.cat}-{n}-1.html",
    "thread": lambda at, n, when, slug: f"/thread-{n}-1-1.html",
    "topic": lambda at, n, when, slug: f"/viewtopic.php?f={at.cat}&t={n}",
    "showthread": lambda at, n, when, slug: f"/showthread.php?{n}-{slug}",
    "board": lambda at, n, when, slug: f"/bbs/board.php?bo_table={at.section}&wr_id={n}",
    "node": lambda at, n, when, slug: f"/node/{n}",
    "aspx": lambda at, n, when, slug: f"/NewsView.aspx?id={n}",
    "jsp": lambda at, n, when, slug: f"/{at.section}/detail.jsp?id={n}",
    "query": lambda at, n, when, slug: f"/article.php?aid={n}",
    "blogger": lambda at, n, when, slug: f"/{when:%Y/%m}/{slug}.html",
    "uuid": lambda at, n, when, slug: f"/{at.section}/{random.Random(n).getrandbits(64):016x}",
    "other-host": lambda at, n, when, slug: f"https://mp{n % 7}.example-reader.net/s/{slug}-{n}",
}


def written(url: str, page_url: str, style: str, base: str | None) -> str:
    """`url` as the page writes it: absolute, root-relative, relative to the document or to <base>, or without
    the scheme. All resolve to `url` again."""
    target, here = urlsplit(url), urlsplit(base or page_url)
    if target.netloc != here.netloc or style == "absolute":
        return url
    rest = (f"?{target.query}" if target.query else "") + (f"#{target.fragment}" if target.fragment else "")
    if style == "scheme":
        return f"//{target.netloc}{target.path}{rest}"
    if style == "root":
        return target.path + rest
    if target.path == here.path and target.query and style == "document":
        return rest
    folder = posixpath.dirname(here.path) or "/"
    path = posixpath.relpath(target.path or "/", folder)
    if target.path.endswith("/"):
        path = "./" if path == "." else path + "/"
    first = path.split("/", 1)[0]
    href = ("./" if ":" in first or ";" in first else "") + path + rest
    # A folder without a slash at its end has no relative form.
    return href if urljoin(base or page_url, href) == url else target.path + rest
