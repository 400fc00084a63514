"""What a page as a whole is, told by its own words and shape when it holds no list.

A challenge, a consent wall, a login page, a soft 404, a parked domain or an empty script shell must never be
read as "no news". Words alone decide nothing: an article about captchas has text, a news page has a login box.
So each verdict needs its marks *and* a page that has little else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from recrawler.page.document import Document, href_url
from recrawler.page.outline import Outline
from recrawler.page.types import PageVerdict

SMALL_PAGE = 2_500  # characters of visible text; challenge and error pages stay below
SHELL_TEXT = 400
MAX_JSON = 2_000_000  # characters of embedded JSON that are read

_BLOCKED = re.compile(
    r"just a moment\b|checking your browser|attention required!? ?\|? ?cloudflare|cf-(?:chl|"
    r"browser-verification|error)|"
    r"challenge-platform|_cf_chl|ddos[- ]guard|ddos protection by|incapsula incident|request unsuccessful|"
    r"px-captcha|"
    r"perimeterx|datadome|captcha-delivery|akamai.{0,40}reference|verify (?:that )?you(?:'|"
    r" a)?re? (?:a )?human|are you a robot|"
    r"unusual traffic|access (?:to this page )?(?:has been |is )?denied|you have been blocked|"
    r"too many requests|"
    r"enable javascript and cookies to continue|security check|human verification|"
    r"安全验证|安全驗證|访问验证|人机验证|人機驗證|滑动验证|请完成验证|请输入验证码|访问过于频繁|訪問過於頻繁|访问被拒绝|您的访问被|"
    r"アクセスが(?:拒否|制限)|접근이 (?:거부|차단)|доступ (?:ограничен|запрещ)|проверка браузера|проверяем ваш браузер|"
    r"acceso denegado|"
    r"zugriff verweigert|accès refusé",
    re.I,
)
_CAPTCHA = re.compile(r"g-recaptcha|h-captcha|hcaptcha|cf-turnstile|geetest|captcha", re.I)
_CONSENT = re.compile(
    r"before you continue|we (?:and our partners )?(?:use|value) (?:cookies|your privacy)|"
    r"cookie[- ]?(?:consent|wall|policy|settings)|"
    r"accept (?:all )?cookies|consent(?:ement)?\b|manage (?:your )?(?:privacy|cookie)|"
    r"datenschutzeinstellungen|einwilligung|"
    r"alle akzeptieren|tout accepter|accepter (?:et|les cookies)|aceptar (?:todo|las cookies|y continuar)|"
    r"accetta (?:tutto|i cookie)|"
    r"alles accepteren|aceitar (?:tudo|cookies)|同意して|クッキー|принять (?:все )?(?:куки|cookie)|年满18|确认年龄|"
    r"are you (?:over|at least) 18",
    re.I,
)
_CONSENT_URL = re.compile(
    r"(?:^|[/.])(?:consent|privacywall|cookiewall|gdpr|collectconsent|privacy-?gate)\b", re.I
)
_LOGIN = re.compile(
    r"\b(?:log|sign) ?in\b|\blogin\b|登录|登入|登錄|ログイン|로그인|anmelden|einloggen|connexion|se connecter|"
    r"iniciar sesi|entrar|войти|вход|"
    r"accedi|inloggen|zaloguj|přihlá|giriş|masuk|تسجيل الدخول",
    re.I,
)
_LOGIN_URL = re.compile(
    r"[/?.](?:log|sign)-?in\b|/(?:auth|sso|oauth|passport|account/login|users/sign_in)\b", re.I
)
_GONE = re.compile(
    r"(?:^|\D)(?:404|410)(?:\D|$)|(?:page|article|document|content|site|file|url) (?:you requested |was |"
    r"is |could |can)?(?:can ?)?not (?:be )?"
    r"(?:found|available|exist)|not found|no longer (?:exists|available)|doesn.t exist|(?:nothing|"
    r"page) (?:was )?(?:not )?found|"
    r"页面(?:不存在|未找到|没有找到|找不到)|頁面不存在|找不到(?:页面|頁面|该页|網頁)|您访问的(?:页面|内容|网页)|(?:内容|文章|信息)(?:不存在|已删除|已被删除)|"
    r"見つかりません(?:でした)?|存在しません|페이지를 찾을 수 없|찾을 수 없습니다|не найден[ао]?|страница не существует|"
    r"seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouvée|n.existe)|página no (?:encontrada|"
    r"existe)|no (?:se )?(?:ha )?encontr|"
    r"pagina non trovata|pagina niet gevonden|não encontrad|nie znaleziono|nenalezena|sayfa bulunamadı|"
    r"halaman tidak ditemukan|"
    r"الصفحة غير موجودة|لم يتم العثور",
    re.I,
)
_EMPTY = re.compile(
    r"no (?:posts?|articles?|results?|entries|items?|news|records?|data|stories|topics|threads|"
    r"announcements)(?: (?:were|was|are|have been|to))?"
    r"(?: (?:found|yet|available|display|show|published|here))|nothing (?:to (?:see|show|display)|"
    r"here yet|has been (?:posted|published))|"
    r"there (?:are|is) (?:currently )?(?:no|nothing)|"
    r"暂无(?:数据|内容|信息|记录|文章|新闻|相关)|暫無|没有(?:找到|相关|更多|任何)?(?:数据|内容|信息|记录|文章|新闻)|沒有(?:資料|文章|內容)|"
    r"(?:記事|投稿|データ|新着)(?:は|が)(?:ありません|見つかりません|まだありません)|(?:게시물|글|기사)이 없습니다|"
    r"keine (?:beiträge|artikel|einträge|ergebnisse|nachrichten)|aucun(?:e)? (?:article|résultat|billet|"
    r"actualité)|"
    r"no hay (?:entradas|artículos|resultados|noticias|publicaciones)|nessun (?:articolo|risultato|post)|"
    r"geen (?:berichten|artikelen|resultaten)|"
    r"nenhum(?:a)? (?:post|artigo|resultado|notícia)|brak (?:wpisów|artykułów|wyników)|(?:записей|"
    r"новостей|статей|материалов) (?:пока )?нет|"
    r"ничего не найдено|žádné (?:články|příspěvky)|tidak ada (?:artikel|berita|pos)|لا توجد",
    re.I,
)
_PARKED = re.compile(
    r"(?:domain|website|name)\b.{0,40}\b(?:is |may be )?(?:for sale|parked)|buy this domain|"
    r"this domain (?:name )?(?:has expired|is available|was recently)|"
    r"domain (?:parking|expired)|sedoparking|parkingcrew|bodis\.com|dan\.com|afternic|hugedomains|"
    r"related searches|"
    r"域名(?:出售|转让|正在出售|已过期|停放)|本域名|このドメイン|домен (?:прода|припаркован|не прилинкован)|diese domain|"
    r"ce domaine|este dominio|"
    r"welcome to nginx|apache2? (?:ubuntu |debian )?default page|it works!|iis windows|index of /|"
    r"coming soon|under construction|account suspended",
    re.I,
)
_SCRIPT_NEEDED = re.compile(
    r"(?:enable|requires?|need|turn on|activ\w+|habilit\w+) (?:to enable )?(?:your )?javascript|"
    r"javascript (?:is |to be )?(?:disabled|required|enabled|needed)|"
    r"without javascript|启用 ?javascript|开启 ?javascript|javascriptを有効|включите javascript",
    re.I,
)
_MOUNT = re.compile(
    r"^(?:app|root|__next|__nuxt|main-?app|react-?root|application|q-app|svelte|gatsby-focus-wrapper)$", re.I
)


@dataclass(frozen=True, slots=True)
class Signs:
    """What a page without a list says. `words`: visible text, at most `SMALL_PAGE` times two characters."""

    words: str
    size: int
    head: str  # title and first headings
    scripts: int  # characters of inline script
    passwords: int
    mounts: int


def signs_of(doc: Document, tree: Outline) -> Signs:
    """Reads the page once; only asked for when no list was found or it is in doubt."""
    words = " ".join(tree.words(0, len(tree.tag)).split()) if len(tree.tag) else ""
    heads = [doc.title]
    scripts = passwords = mounts = 0
    for i, tag in enumerate(tree.tag):
        if tag in ("h1", "h2") and len(heads) < 6:
            heads.append(" ".join(tree.words(i, tree.end[i]).split())[:200])
        elif tag == "script":
            scripts += len(tree.text[i]) + (200 if doc.elements[i].get("src") else 0)
        elif tag == "input" and (doc.elements[i].get("type") or "").lower() == "password":
            passwords += 1
        elif tag in ("div", "main", "section") and _MOUNT.match(doc.elements[i].get("id") or ""):
            mounts += tree.end[i] - i <= 3
    return Signs(words[: 2 * SMALL_PAGE], len(words), " | ".join(heads), scripts, passwords, mounts)


def without_list(doc: Document, tree: Outline, markers: str) -> tuple[PageVerdict, str]:
    """The verdict on a page on which no list was found, with what it rests on.

    `markers` is text in which challenge scripts are looked for: the page's scripts, classes and ids.
    """
    s = signs_of(doc, tree)
    small = s.size < SMALL_PAGE
    shown = f"{s.head} {s.words}"
    told = f"title {doc.title[:80]!r}, {s.size} characters of text, {len(doc.anchors)} links"
    if small and (hit := _BLOCKED.search(shown) or _BLOCKED.search(markers)):
        return "blocked", f"says {hit[0][:60]!r}; {told}"
    if small and len(doc.anchors) < 15 and (hit := _CAPTCHA.search(markers)) and not s.passwords:
        return "blocked", f"holds {hit[0]!r}; {told}"
    if _CONSENT_URL.search(doc.url) or (small and len(_CONSENT.findall(shown)) >= 2 and _has_buttons(tree)):
        return "consent", f"asks for consent; {told}"
    if s.passwords and (small or _LOGIN_URL.search(doc.url)) and _LOGIN.search(shown):
        return "login", f"has a password field and little else; {told}"
    if hit := _GONE.search(s.head) or (_GONE.search(s.words) if s.size < SMALL_PAGE // 3 else None):
        return "soft-404", f"says {hit[0].strip()[:60]!r}; {told}"
    if small and (hit := _PARKED.search(shown)):
        return "parked", f"says {hit[0][:60]!r}; {told}"
    if hit := _EMPTY.search(s.words[: 2 * SMALL_PAGE]):
        return "empty", f"says {hit[0][:60]!r}; {told}"
    if s.size < SHELL_TEXT and (
        s.mounts or s.scripts > 2 * s.size + 200 or _SCRIPT_NEEDED.search(markers + shown)
    ):
        return "shell", f"{s.scripts} characters of script and hardly any text; {told}"
    return "no-list", told


def markers_of(doc: Document, tree: Outline) -> str:
    """Names and script heads in which challenge and consent systems show themselves, at most 20,000 characters."""
    parts: list[str] = []
    size = 0
    for i, tag in enumerate(tree.tag):
        node = doc.elements[i]
        if tag in ("script", "noscript", "iframe", "form"):
            piece = f"{node.get('src') or ''} {node.get('action') or ''} {tree.text[i][:1500]}"
        elif tag in ("div", "input", "body", "section"):
            piece = f"{node.get('id') or ''} {node.get('class') or ''} {node.get('name') or ''}"
        else:
            continue
        parts.append(piece)
        size += len(piece)
        if size > 20_000:
            break
    return " ".join(parts)


def _has_buttons(tree: Outline) -> bool:
    return any(t in ("button", "form", "input") for t in tree.tag)


_FEED_TYPE = re.compile(r"application/(?:rss|atom|feed)\+(?:xml|json)|application/json\+?feed|text/xml", re.I)


def feeds_of(doc: Document) -> tuple[str, ...]:
    """The feeds that the page's <link rel=alternate> elements name, absolute, each once."""
    found: dict[str, None] = {}
    for node in doc.all("link"):
        if "alternate" not in (node.get("rel") or "").lower().split():
            continue
        if _FEED_TYPE.match((node.get("type") or "").strip()):
            url = href_url(node.get("href") or "", doc.base_url, doc.encoding)
            if url:
                found[url] = None
    return tuple(found)


_REFRESH = re.compile(r"\s*(\d{1,4})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.I)
SOON = 10  # seconds; a page that is sent away later is meant to be read


def refresh_of(doc: Document) -> str | None:
    """Where `<meta http-equiv=refresh>` sends a browser on to soon, absolute; null: nowhere."""
    for node in doc.elements:
        if node.tag == "meta" and (node.get("http-equiv") or "").strip().lower() == "refresh":
            told = _REFRESH.match(node.get("content") or "")
            if told is not None and int(told[1]) <= SOON:
                return href_url(told[2].strip(), doc.base_url, doc.encoding)
    return None


def embedded_lists(doc: Document) -> list[str]:
    """Lists of articles in JSON inside the page: one line each, with the place and the number of items."""
    out: list[str] = []
    budget = MAX_JSON
    for node in doc.all("script"):
        if not node.text or len(out) >= 3:
            continue
        kind = (node.get("type") or "").lower()
        if "json" in kind:
            text = node.text
        elif assigned := _ASSIGNED.search(node.text[:500]):
            text = node.text[assigned.end() :].strip().rstrip(";")
        else:
            continue
        budget -= len(text)
        if budget < 0:
            break
        try:
            data, _ = json.JSONDecoder().raw_decode(text.strip())
        except (ValueError, RecursionError):
            continue
        where = node.get("id") or kind or "script"
        out += [f"{where}: {path} holds {n} items" for path, n in _item_lists(data, "$", 0)]
    return out[:3]


_ASSIGNED = re.compile(r"^\s*(?:var\s+|let\s+|const\s+)?(?:window\.)?[\w$.]{2,60}\s*=\s*(?=[{\[])")
_TITLE_KEYS = frozenset(("title", "headline", "name", "subject", "doctitle"))
_URL_KEYS = frozenset(("url", "link", "href", "slug", "path", "permalink", "docpuburl", "id", "item"))


def _item_lists(data: Any, path: str, depth: int) -> Iterator[tuple[str, int]]:
    if depth > 8:
        return
    if isinstance(data, list):
        items = [x for x in data[:50] if isinstance(x, dict)]
        keys = [{k.lower() for k in x} for x in items]
        if len(items) >= 3 and sum(bool(k & _TITLE_KEYS and k & _URL_KEYS) for k in keys) >= 0.8 * len(items):
            yield path, len(data)
            return
        for i, x in enumerate(data[:5]):
            yield from _item_lists(x, f"{path}[{i}]", depth + 1)
    elif isinstance(data, dict):
        for key, value in list(data.items())[:60]:
            yield from _item_lists(value, f"{path}.{key}", depth + 1)


_GONE_TITLE = re.compile(
    r"^\W*(?:error\W*)?(?:404|410)\b|(?:page|seite|página|pagina|страница)\b.{0,20}\b(?:not found|"
    r"nicht gefunden|introuvable|no encontrada|"
    r"non trovata|niet gevonden|не найдена)|页面(?:不存在|未找到|没有找到|找不到)|頁面不存在|ページが見つかりません|페이지를 찾을 수 없",
    re.I,
)

_PARKED_TITLE = re.compile(
    r"\b(?:this|buy (?:this|the)|domain name)\b.{0,30}\bdomain\b|\bdomain\b.{0,40}\b(?:is |may be )?(?:for sale|parked)|"
    r"域名(?:出售|转让|正在出售|已过期|停放)|^account suspended|^index of /",
    re.I,
)
_BLOCKED_TITLE = re.compile(
    r"^\W*(?:just a moment\b|attention required|ddos-guard|access (?:to this page )?(?:has been |is )?denied|"
    r"are you a robot|403 forbidden|(?:请完成)?安全验证|人机验证|访问(?:验证|过于频繁))",
    re.I,
)
_TITLES: tuple[tuple[PageVerdict, re.Pattern[str]], ...] = (
    ("soft-404", _GONE_TITLE), ("parked", _PARKED_TITLE), ("blocked", _BLOCKED_TITLE),
)  # fmt: skip


def by_title(doc: Document, tree: Outline) -> tuple[PageVerdict, str] | None:
    """What the page's title or main heading says that it is, whatever lists it holds; null: a page like others."""
    heads = [doc.title]
    for i, tag in enumerate(tree.tag):
        if tag == "h1":
            heads.append(" ".join(tree.words(i, tree.end[i]).split())[:200])
            if len(heads) > 3:
                break
    for head in heads:
        for verdict, title in _TITLES:
            if hit := title.search(head):
                return verdict, f"title or heading says {hit[0].strip()[:60]!r}"
    return None
