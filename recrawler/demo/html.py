"""The pages of the demo site: lists with the furniture that real ones have, and articles."""

from __future__ import annotations

from datetime import timedelta, timezone
from html import escape

from recrawler.demo.site import Article, NewsSite, Section

ZONE = timezone(timedelta(hours=8))  # the clock of the dates beside the links

_TEXT = {
    "zh": {
        "site": "海港新闻网", "home": "首页", "older": "下一页", "newer": "上一页", "hot": "热点排行",
        "tags": "标签", "pinned": "[置顶]", "total": "共 {n} 页", "about": "关于我们", "search": "搜索",
    },
    "en": {
        "site": "Harbour Daily", "home": "Home", "older": "Next", "newer": "Previous", "hot": "Most read",
        "tags": "Tags", "pinned": "[Pinned]", "total": "{n} pages", "about": "About us", "search": "Search",
    },
}  # fmt: skip
_TAGS = {"zh": ("交通", "教育", "天气", "文化", "体育"), "en": ("transport", "schools", "weather", "arts")}
_STYLE = (
    "body{font:16px/1.6 system-ui;max-width:64rem;margin:auto;padding:1rem;color:#222}"
    "header nav a,.pager a,.pager span{margin-right:.8rem}"
    "main{display:grid;grid-template-columns:1fr 16rem;gap:2rem}"
    "ul.news{list-style:none;padding:0}ul.news li{border-bottom:1px solid #ddd;padding:.4rem 0}"
    "time,.date{float:right;color:#777}aside{background:#f6f6f6;padding:1rem}.current{font-weight:bold}"
)


def list_page(site: NewsSite, section: Section, number: int) -> str:
    """One page of a section's list."""
    t = _TEXT[section.lang]
    with site.lock:
        rows = section.page(number)
        pages = section.pages()
        hot = sorted(section.articles, key=lambda a: a.number * 7919 % 101)[:8]
    body = (
        f"<h1>{t['site']}</h1><section>{_rows(section, rows)}{_pager(section, number, pages)}</section>"
        f"<aside><h3>{t['hot']}</h3><ol>{''.join(f'<li>{_link(a)}</li>' for a in hot)}</ol>"
        f"<h3>{t['tags']}</h3>{''.join(f'<a href=/tag/{x}>{x}</a> ' for x in _TAGS[section.lang])}</aside>"
    )
    return _document(site, section, t["site"], body)


def article_page(site: NewsSite, section: Section, article: Article) -> str:
    stop = "。" if section.lang == "zh" else ". "
    text = "".join(f"<p>{escape((article.title + stop) * 7)}</p>" for _ in range(8))
    body = f"<article><h1>{escape(article.title)}</h1>{_date(section, article)}{text}</article>"
    return _document(site, section, article.title, body)


def _document(site: NewsSite, section: Section, title: str, body: str) -> str:
    t = _TEXT[section.lang]
    menu = "".join(f"<a href='{s.path}'>{s.name}</a>" for s in site.sections.values())
    return (
        f"<!doctype html><html lang={section.lang}><head><meta charset=utf-8><title>{escape(title)}</title>"
        f"<style>{_STYLE}</style></head><body><header><nav><a href=/>{t['home']}</a>{menu}"
        f"<a href=/about>{t['about']}</a><a href=/search>{t['search']}</a></nav></header>"
        f"<main>{body}</main><footer><a href=/about>{t['about']}</a> <a href=/terms>©</a></footer>"
        "</body></html>"
    )


def _link(article: Article) -> str:
    return f"<a href='{article.path}'>{escape(article.title)}</a>"


def _date(section: Section, article: Article) -> str:
    if article.shown is None:
        return ""
    local = article.shown.astimezone(ZONE)
    if section.lang == "zh":
        return f"<span class=date>{local:%Y-%m-%d %H:%M}</span>"
    return f"<time datetime='{local.isoformat(timespec='minutes')}'>{local:%d %b %Y, %H:%M}</time>"


def _rows(section: Section, rows: list[Article]) -> str:
    return f"<ul class=news>{''.join(_row(section, a) for a in rows)}</ul>"


def _row(section: Section, article: Article) -> str:
    kind, mark = "", ""
    if article.pinned:
        kind, mark = " class=top", f"<b>{_TEXT[section.lang]['pinned']}</b> "
    date = _date(section, article) if section.dated else ""
    return f"<li{kind}>{date}{mark}{_link(article)}</li>"


def page_path(section: Section, number: int) -> str:
    return section.path if number == 1 else f"{section.path}list_{number}.html"


def _pager(section: Section, number: int, pages: int) -> str:
    if pages == 1:
        return ""
    t = _TEXT[section.lang]
    near = [n for n in range(1, pages + 1) if abs(n - number) <= 3 or n in (1, pages)]
    parts = [
        f"<span class=current>{n}</span>" if n == number else f"<a href='{page_path(section, n)}'>{n}</a>"
        for n in near
    ]
    if number > 1:
        parts.insert(0, f"<a href='{page_path(section, number - 1)}'>{t['newer']}</a>")
    if number < pages:
        parts.append(f"<a href='{page_path(section, number + 1)}'>{t['older']}</a>")
    return f"<div class=pager>{' '.join(parts)} <span>{t['total'].format(n=pages)}</span></div>"
