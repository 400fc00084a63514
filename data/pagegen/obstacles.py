"""What is served in the place of a list: log-in, consent, challenge, soft 404, parked, shell, no rows."""

from __future__ import annotations

import json

from .chrome import crumbs, document, footer, header, login_links, wrapped
from .decoys import letters
from .dom import E, Node, Raw
from .labels import Draft
from .recipes import Special
from .sides import related, sidebar
from .site import Page, Series, Site


def _page(site: Site) -> Page:
    return Page(site, 1, Series(1, 10))


def _framed(page: Page, title: str, *content: object) -> Node:
    """With header and footer on half of the sites, bare on the others."""
    if page.chance("bare", 0.5):
        return document(page, title, E("div", list(content), cls=page.names("box")))
    main = E("div", list(content), cls=page.names("main"))
    return document(page, title, wrapped(page, header(page), main, footer(page)))


def logins(site: Site, wanted: int) -> list[Draft]:
    """A log-in form where a list is expected."""
    page = _page(site)
    lex = page.lex
    title = page.pick("login-title", lex.words("login"))
    fields = [
        E(
            "label",
            lex.word("username"),
            E("input", name=page.pick("user-field", ["user", "log", "username", "email"]), type="text"),
        ),
        E(
            "label",
            lex.word("password"),
            E("input", name=page.pick("pass-field", ["pass", "pwd", "password"]), type="password"),
        ),
        E("label", E("input", type="checkbox", name="remember"), "✓")
        if page.chance("remember", 0.5)
        else None,
    ]
    form = E(
        "form", fields, E("input", type="submit", value=title), method="post", action=page.path("/login")
    )
    said = E("p", lex.word("loginneeded"), cls="message") if page.chance("login-said", 0.8) else None
    if page.chance("login-by-mail", 0.15):  # the password is asked for on the next page
        fields = [E("label", lex.word("username"), E("input", name="email", type="email"))]
    return [
        Draft(page, _framed(page, title, E("h1", title), said, form, login_links(page)), "login", "login")
    ]


def consents(site: Site, wanted: int) -> list[Draft]:
    """Nothing but a question about cookies."""
    page = _page(site)
    words = page.lex.words("consent")
    legal = [
        E("a", word, href=page.path(f"/legal/{at}")) for at, word in enumerate(page.lex.words("legal")[:3])
    ]
    accept = page.pick(
        "accept",
        [
            E("button", words[2]),
            E("a", words[2], href=page.path("/consent?ok=1")),
            E("form", E("input", type="submit", value=words[2]), method="post", action=page.path("/consent")),
        ],
    )
    options = E("a", words[3], href=page.path("/consent/options"))
    partners = [
        E("li", E("label", E("input", type="checkbox"), name))
        for name in page.lex.data["topics"][: page.pick("partners", [0, 3, 8])]
    ]
    box = E(
        "div",
        E("h2", words[0]),
        E("p", words[1]),
        E("ul", partners) if partners else None,
        accept,
        options,
        legal,
        cls=page.pick("cmp", ["cmp-dialog", "consent", "gdpr", None]),
        role="dialog",
    )
    return [Draft(page, document(page, words[0], box), "consent", "consent")]


def challenges(site: Site, wanted: int) -> list[Draft]:
    """A check for robots, or a refusal."""
    page = _page(site)
    words = page.lex.words("challenge")
    form = page.pick("challenge", ["wait", "captcha", "image", "refused"])
    parts: list[object] = [E("h1", words[0]), E("p", words[1])]
    if form == "wait":
        parts += [
            E("div", id="challenge-running"),
            E("script", Raw("setTimeout(function(){location.reload()},4000)")),
            E("p", words[2]),
        ]
    elif form == "captcha":
        parts.append(
            E(
                "div",
                cls=page.pick("captcha", ["g-recaptcha", "h-captcha", "verify-box"]),
                data_sitekey="6Lx" + site.place.token,
            )
        )
    elif form == "image":
        parts.append(
            E(
                "form",
                E("img", src=page.path("/captcha.php"), alt=""),
                E("input", name="code", size="4"),
                E("input", type="submit", value="OK"),
                method="post",
            )
        )
    else:
        parts = [
            E("h1", page.pick("refusal", ["403 Forbidden", "Access Denied", "405", words[0]])),
            E("p", words[1]),
        ]
    parts.append(
        E("p", f"Request ID: {page.rng.getrandbits(48):x}") if page.chance("request-id", 0.6) else None
    )
    return [
        Draft(page, document(page, words[0], E("div", parts, cls=page.names("box"))), "blocked", "blocked")
    ]


def soft_404s(site: Site, wanted: int) -> list[Draft]:
    """Not found, said with status 200."""
    page = _page(site)
    words = page.lex.words("notfound")
    parts: list[object] = [
        E("h1", page.pick("404", ["404", words[0], "404 - " + words[0]])),
        E("p", words[1]),
    ]
    parts.append(E("a", page.lex.word("home"), href=page.path("/")))
    if page.chance("404-back", 0.3):
        parts.append(E("a", page.lex.pager("prev")[1], href="javascript:history.back()"))
    if page.chance("404-related", 0.3):
        parts.append(related(page))
    return [Draft(page, _framed(page, words[0], parts), "soft_404", "soft-404")]


def parked(site: Site, wanted: int) -> list[Draft]:
    """A domain for sale, with links to advertisements."""
    page = _page(site)
    words = page.lex.words("parked")
    topics = page.lex.data["topics"][: page.pick("ads", [4, 8, 10])]
    links = [
        E("li", E("a", topic, href=f"http://ads.example.net/click?k={at}")) for at, topic in enumerate(topics)
    ]
    sale = E("a", words[1], href=f"https://sale.example.net/?d={site.domain}")
    parts = page.pick(
        "parked-form",
        [
            [E("h1", site.domain), E("p", words[0]), sale, E("h4", words[2]), E("ul", links)],
            [E("h1", words[0]), sale],
            [E("h2", site.domain), E("h4", words[2]), E("ul", links)],  # nothing but advertisements
        ],
    )
    tree = document(page, site.domain, parts)
    return [Draft(page, tree, "parked", "parked")]


def script_shells(site: Site, wanted: int) -> list[Draft]:
    """A page that script fills: no rows, on some sites header and footer, on some the data as JSON or XML."""
    page = _page(site)
    form = page.pick("shell-form", ["app", "framed", "xml", "frames", "rows"])
    root = E("div", id=page.pick("root-id", ["root", "app", "__next", "list"]))
    if page.chance("shell-loading", 0.2):
        root.add(E("p", "..."))
    bundle = E("script", src=page.path("/static/js/main.js"), defer=True)
    if form == "app":
        data = json.dumps({"props": {"page": 1}, "buildId": site.place.token})
        tree = document(
            page,
            site.domain,
            E("noscript", page.lex.word("noscript")),
            root,
            E("script", Raw(data), type="application/json"),
            bundle,
        )
    elif form == "framed":
        tree = document(
            page,
            site.domain,
            wrapped(
                page,
                header(page),
                E("div", crumbs(page, site.menu[0]), root, cls=page.names("main")),
                footer(page),
            ),
            bundle,
        )
    elif form == "xml":
        rows = "".join(
            f"<record><id>{at}</id><title><![CDATA[{page.lex.title(page.rng)}]]></title></record>"
            for at in range(8)
        )
        holder = E(
            "div",
            E("script", Raw(f"<datastore><recordset>{rows}</recordset></datastore>"), type="text/xml"),
            cls="jpage",
        )
        tree = document(page, site.domain, wrapped(page, header(page), holder, footer(page)))
    elif form == "rows":  # places for rows, which script copies
        place = E("li", E("a", "{{ item.title }}", href="{{ item.url }}"), E("span", "{{ item.date }}"))
        asks = E("script", Raw('fetch("/api/list?page=1").then(r => r.json()).then(show)'))
        inner = E("div", crumbs(page, site.menu[0]), E("ul", place, id="rows"), cls=page.names("main"))
        tree = document(page, site.domain, wrapped(page, header(page), inner, footer(page)), asks)
    else:
        tree = document(
            page,
            site.domain,
            E("iframe", src=page.path("/list_inner.html"), width="100%", height="800"),
            bundle,
        )
    return [Draft(page, tree, "script_shell", "shell")]


def empty_lists(site: Site, wanted: int) -> list[Draft]:
    """A list with no rows, and the words that say so."""
    page = _page(site)
    section = site.pick("section-name", site.menu)
    holder = E(page.pick("empty-tag", ["ul", "div", "table"]), cls=page.names("list"))
    said = E(
        page.pick("said-tag", ["p", "div", "li"]).replace("li", "p"),
        page.pick("empty-word", page.lex.words("empty")),
        cls=page.pick("said-class", ["empty", "no-results", None]),
    )
    if page.chance("said-inside", 0.5) and holder.tag == "div":
        holder.add(said)
        said = E("p")
    bar = E("div", cls=page.names("bar")) if page.chance("empty-bar", 0.4) else None
    top = letters(page) if page.chance("empty-letters", 0.15) else None
    content = E(
        "div", crumbs(page, section), E("h1", section), top, holder, said, bar, cls=page.names("main")
    )
    side = sidebar(page) if page.chance("empty-side", 0.5) else None
    tree = document(page, section, wrapped(page, header(page), content, side, footer(page)))
    return [Draft(page, tree, "empty", "empty")]


OBSTACLE_FAMILIES: tuple[Special, ...] = (
    Special("login", logins),
    Special("consent", consents),
    Special("challenge", challenges),
    Special("soft-404", soft_404s),
    Special("parked", parked),
    Special("script-shell", script_shells, ("section-id",), weight=2),
    Special("empty-list", empty_lists, weight=2),
)
