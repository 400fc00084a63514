"""URLs as the WHATWG standard reads them, the identity key of a link, and registrable domains.

ada-url parses; everything else works on its serialised form (`href`), whose shape is fixed, so that
a host is never guessed from raw text: `http://a.example\\@b.example/` is a page of a.example.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import ada_url

from recrawler.errors import InvalidURL, UsageError
from recrawler.legacy import encode_query
from recrawler.suffixes import Suffixes, default_suffixes, registrable_domain

__all__ = [
    "DEFAULT_KEY",
    "InvalidURL",
    "KeyOptions",
    "Suffixes",
    "Url",
    "default_suffixes",
    "host_key",
    "identity_key",
    "is_ip",
    "join",
    "parse",
    "parse_typed",
    "registrable_domain",
    "serialise",
    "url_parts",
    "without_fragment",
]

_DEFAULT_PORT = {"http": "80", "https": "443"}


class Url(NamedTuple):
    """A parsed http(s) URL. `host` is lower-case ASCII, an IPv6 address in brackets."""

    href: str  # the standard's serialisation
    scheme: str  # "http" or "https"
    host: str
    port: str  # "" when it is the default port of the scheme
    path: str  # begins with "/"
    query: str | None  # without "?"; None: no question mark
    fragment: str | None  # without "#"; None: no hash sign

    @property
    def effective_port(self) -> int:
        """The port that a connection goes to."""
        return int(self.port or _DEFAULT_PORT[self.scheme])

    @property
    def origin(self) -> str:
        """`scheme://host` with the port where it is not the default one."""
        return f"{self.scheme}://{self.host}" + (f":{self.port}" if self.port else "")


def _scalar(text: str) -> str:
    """Lone surrogates become U+FFFD, as when a browser converts a string to a USVString."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def serialise(text: str, base: str | None = None) -> str | None:
    """The standard's href of `text` of any scheme, resolved against `base`; None where it does not parse."""
    try:
        return ada_url.normalize_url(text) if base is None else ada_url.join_url(base, text)
    except ValueError:  # also for lone surrogates, which the parser's wrapper cannot encode
        fixed, fixed_base = _scalar(text), None if base is None else _scalar(base)
        return None if (fixed, fixed_base) == (text, base) else serialise(fixed, fixed_base)


_PARTS = (
    "href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash",
)  # fmt: skip


def url_parts(text: str, base: str | None = None) -> dict[str, str] | None:
    """The standard's parts of a URL of any scheme, with its origin, or None where it does not parse."""
    href = serialise(text, base)
    if href is None:
        return None
    url = ada_url.URL(href)
    return {name: getattr(url, name) for name in _PARTS} | {"origin": url.origin}


def _split(href: str) -> Url:
    """The parts of a serialised http(s) URL; cheaper than asking the parser for each."""
    scheme, _, rest = href.partition("://")
    rest, hash_sign, fragment = rest.partition("#")
    rest, question, query = rest.partition("?")
    authority, _, path = rest.partition("/")
    host = authority.rpartition("@")[2]
    port = ""
    if not host.endswith("]"):
        host, colon, port = host.rpartition(":")
        if not colon:
            host, port = port, ""
    return Url(
        href, scheme, host, port, f"/{path}", query if question else None, fragment if hash_sign else None
    )


def _is_web(href: str) -> bool:
    return href.startswith(("http://", "https://"))


def parse(text: str, base: str | None = None, encoding: str = "utf-8") -> Url:
    """Parse `text`, relative to `base` where it is given. Raises `InvalidURL`.

    `encoding` is that of the page that holds the link: its query is percent-encoded from it.
    """
    href = join(base, text, encoding)
    if href is None:
        raise InvalidURL(f"'{text[:200]}' is not an http or https URL: write it as http://host/path")
    return _split(href)


def join(base: str | None, href: str, encoding: str = "utf-8") -> str | None:
    """The absolute URL of the link `href` on the page `base`, serialised, with its fragment.

    `encoding` is the page's: text in the query is percent-encoded from it.
    None when it does not parse or is not http(s) (`javascript:`, `mailto:`). Never raises.
    """
    if encoding != "utf-8" and "?" in href:
        href = encode_query(href, encoding)
    joined = serialise(href, base)
    return joined if joined is not None and _is_web(joined) else None


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PORT_FOLLOWS = re.compile(r"\d+(?:$|[/?#\\])")
_BLANK = "".join(map(chr, range(0x21)))  # what the standard strips from both ends


def parse_typed(text: str) -> Url:
    """Parse a URL that a person typed: `baidu.com/abc/` and `baidu.com:8080` read as http.

    Raises `InvalidURL` for another scheme, or where there is no host.
    """
    if _is_web(text):
        return parse(text)
    stripped = text.strip(_BLANK)
    scheme = _SCHEME.match(stripped)
    if scheme is None:
        if stripped[:1] in ("/", "\\") and stripped[1:2] not in ("/", "\\"):
            raise InvalidURL(f"'{text[:200]}' has no host: write it as http://host/path")
        stripped = f"http:{stripped}" if stripped[:1] in ("/", "\\") else f"http://{stripped}"
    elif _names_host(scheme[1]) and _PORT_FOLLOWS.match(stripped, scheme.end()):
        stripped = f"http://{stripped}"
    return parse(stripped)


def _names_host(text: str) -> bool:
    """Whether what stands before a colon and digits is a host, not a scheme (`tel:110`)."""
    return "." in text or text.lower() == "localhost"


def host_key(href: str) -> str:
    """`host:port` of an http(s) URL, the unit of politeness. Raises `InvalidURL`."""
    url = parse(href)
    return f"{url.host}:{url.effective_port}"


def is_ip(host: str) -> bool:
    """Whether a serialised host is an IP address.

    The standard reads every host whose last label is a number as an IPv4 address, so the last label tells.
    """
    return host[:1] == "[" or host.rpartition(".")[2].isdigit()


def without_fragment(url: Url) -> str:
    """The URL without fragment and userinfo: what is asked of the server."""
    query = "" if url.query is None else f"?{url.query}"
    return f"{url.origin}{url.path}{query}"


@dataclass(frozen=True, slots=True)
class KeyOptions:
    """What the identity key of a link leaves out. The defaults merge only what is surely one page."""

    ignore_scheme: bool = True  # http and https are one site
    strip_tracking: bool = True  # parameters of one meaning that no page reads (utm_source, fbclid)
    strip_session: bool = True  # session ids, told by name and shape
    strip_params: tuple[str, ...] = ()  # further parameters by exact name
    sort_query: bool = False  # the order of parameters does not count
    drop_empty_pairs: bool = False  # a=1&&b=2 is a=1&b=2
    keep_fragment: bool = False  # client-side routes without "#!"
    strip_trailing_slash: bool = False
    collapse_slashes: bool = False
    strip_index: bool = False  # index.html and its like at the end of a directory
    merge_mobile: bool = False  # m., wap., mobile. and www. are one host
    merge_amp: bool = False  # AMP twins

    @classmethod
    def from_config(cls, values: dict[str, Any]) -> KeyOptions:
        """From a settings table. Raises `UsageError` for an unknown name or a value of another type."""
        return cls(**cls.checked(values))

    @classmethod
    def checked(cls, values: dict[str, Any]) -> dict[str, Any]:
        """The values of `from_config`, checked, with lists as tuples."""
        known = {f.name: f.type for f in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise UsageError(f"unknown key option '{name}'; known: {', '.join(sorted(known))}")
            good = isinstance(value, (list, tuple)) if name == "strip_params" else isinstance(value, bool)
            if not good:
                raise UsageError(f"key option '{name}' cannot be {value!r}")
        return {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}


DEFAULT_KEY = KeyOptions()

# Names that only ever carry tracking. A name that means content on some site (from, source, ref, id) is
# not here: each merge too many loses an article. Cross-checked with the public rules of ClearURLs.
_TRACKING_NAMES = """
fbclid gclid gclsrc gbraid wbraid dclid msclkid yclid ysclid twclid ttclid li_fat_id igshid igsh epik
srsltid _ga _gl _openstat mc_cid mc_eid mkt_tok _hsenc _hsmi __hssc __hstc __hsfp hsctatracking
oly_anon_id oly_enc_id vero_id vero_conv wickedid rb_clickid s_kwcid ef_id ml_subscriber
ml_subscriber_hash spm_id_from vd_source bd_vid gdt_vid qz_gdt hmsr hmpl hmcu hmkw hmci pk_campaign
pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid piwik_campaign piwik_kwd piwik_keyword
mtm_campaign mtm_keyword mtm_source mtm_medium mtm_content mtm_cid mtm_group mtm_placement
matomo_campaign matomo_keyword matomo_source matomo_medium matomo_content matomo_cid at_medium
at_campaign at_format at_link_id at_link_origin at_link_type at_ptr_name at_bbc_team at_campaign_type
at_creation at_variant at_general_placement at_recipient_id at_recipient_list ns_campaign ns_mchannel
ns_source ns_linkname ns_fee __twitter_impression guccounter guce_referrer guce_referrer_sig wt_mc wt_zmc
wt.mc_id fb_action_ids fb_action_types fb_source fb_ref
"""
_TRACKING = frozenset(_TRACKING_NAMES.split())
_TRACKING_DOTTED = frozenset(("spm", "scm"))  # positions on a page: 1007.13339.169560.0
# Shapes of session ids by name. The name alone is not enough: ?session=spring is a page of its own.
_SESSION = {
    "jsessionid": re.compile(r"[0-9A-Za-z]{32}(?:\.[\w-]{1,32})?"),
    "phpsessid": re.compile(r"[0-9A-Za-z]{26}|[0-9A-Za-z]{32}|[0-9A-Za-z]{40}"),
    "sid": re.compile(r"[0-9A-Fa-f]{32}"),
}
_ASP_NAME = re.compile(r"aspsessionid[a-z]{8}")
_ASP_VALUE = re.compile(r"[A-Za-z]{24}")
_ASP_PATH = re.compile(r"/\((?:[A-Za-z]\([0-9a-z]{24}\))+\)(?=/)")
_PATH_PARAMETER = re.compile(r";([^;/=]+)=([^;/]*)")
_UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
_PLAIN = {f"%{ord(c):02X}": c for c in _UNRESERVED}
_PLAIN_NOT_HEX = {k: c for k, c in _PLAIN.items() if c not in "0123456789ABCDEFabcdef"}
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_BROKEN = re.compile(r"%(?![0-9A-Fa-f]{2})")
_INDEX = re.compile(r"/(?:index|default)\.(?:s?html?|php\d?|aspx?|jspx?|cgi|do)$", re.IGNORECASE)
_MOBILE = frozenset(("www", "m", "wap", "mobile", "mobi", "3g", "touch"))
_AMP_PARAMETERS = frozenset(("amp", "amp=", "amp=1", "amp=true", "outputtype=amp"))
_SLASHES = re.compile(r"/{2,}")


def identity_key(href: str, options: KeyOptions = DEFAULT_KEY) -> str:
    """The key under which the history knows a link: two URLs with one key are one page.

    It is itself a URL, with scheme http where the scheme does not count, and its own key.
    Raises `InvalidURL`.
    """
    url = parse(href)
    key, cut = _key(url, options)
    while cut:  # what is left may hold another session id, or be a dot segment
        again, cut = _key(parse(key), options)
        cut = cut and again != key
        key = again
    return key


def _key(url: Url, options: KeyOptions) -> tuple[str, bool]:
    """The key, and whether a piece was cut out of the path or the host."""
    path, host, query = url.path, url.host, url.query
    if "%" in path:
        path = _unescape(path)
    before = path
    if options.strip_session and (";" in path or "(" in path):
        path = _ASP_PATH.sub("", _PATH_PARAMETER.sub(_without_session, path))
    path = _shorten(path, options)
    if options.merge_mobile or options.merge_amp:
        host = _one_host(host, options)
    scheme = url.scheme
    if options.ignore_scheme and url.port != "80":  # https://a:80/ has no form with the scheme http
        scheme = "http"
    key = f"{scheme}://{host}{':' if url.port else ''}{url.port}{path}"
    if query:
        kept = _query_key(query, options)
        key = f"{key}?{kept}" if kept else key
    fragment = _fragment_key(url.fragment, options) if url.fragment else ""
    return key + fragment, path != before or host != url.host


def _unescape(text: str) -> str:
    """Upper-case %XX, and unreserved characters plain (RFC 3986, 6.2.2).

    Beside a broken escape no hex digit is decoded, for `%4%41` must not become the escape `%4A`.
    """
    plain = _PLAIN_NOT_HEX if _BROKEN.search(text) else _PLAIN
    return _ESCAPE.sub(lambda m: plain.get(m[0].upper()) or m[0].upper(), text)


def _is_session(name: str, value: str) -> bool:
    lower = name.lower()
    shape = _SESSION.get(lower)
    if shape is not None:
        return shape.fullmatch(value) is not None
    return _ASP_NAME.fullmatch(lower) is not None and _ASP_VALUE.fullmatch(value) is not None


def _without_session(match: re.Match[str]) -> str:
    return "" if _is_session(match[1], match[2]) else match[0]


def _query_key(query: str, options: KeyOptions) -> str:
    if "%" in query:
        query = _unescape(query)
    pairs = [p for p in query.split("&") if not _drops(p, options)]
    if options.drop_empty_pairs:
        pairs = [p for p in pairs if p]
    if options.strip_session:
        pairs = _without_coldfusion(pairs)
    if options.sort_query:
        pairs.sort(key=lambda p: p.partition("=")[0])
    return "&".join(pairs)


def _drops(pair: str, options: KeyOptions) -> bool:
    name, _, value = pair.partition("=")
    if name in options.strip_params:
        return True
    lower = name.lower()
    if options.strip_tracking and _is_tracking(lower, value):
        return True
    if options.merge_amp and pair.lower() in _AMP_PARAMETERS:
        return True
    return options.strip_session and len(value) >= 24 and _is_session(name, value)


def _is_tracking(name: str, value: str) -> bool:
    return name in _TRACKING or name.startswith("utm_") or (name in _TRACKING_DOTTED and "." in value)


def _without_coldfusion(pairs: list[str]) -> list[str]:
    """Without `cfid` and `cftoken`, which are a session only together."""
    names = [p.partition("=")[0].lower() for p in pairs]
    if "cfid" in names and "cftoken" in names:
        return [p for p, n in zip(pairs, names, strict=True) if n not in ("cfid", "cftoken")]
    return pairs


def _shorten(path: str, options: KeyOptions) -> str:
    """What the options beyond the default ones take from a path."""
    if options.collapse_slashes:
        path = _SLASHES.sub("/", path)
    if options.merge_amp:
        path = _without_amp(path)
    if options.strip_index:
        path = _INDEX.sub("/", path)
    if options.strip_trailing_slash:
        path = path.rstrip("/") or "/"
    return path


def _without_amp(path: str) -> str:
    path = path.removeprefix("/amp") if path.startswith("/amp/") else path
    if path.endswith("/amp/"):
        return path[:-4]
    for tail, instead in (("/amp", ""), (".amp.html", ".html"), (".amp", "")):
        if path.endswith(tail):
            return path.removesuffix(tail) + instead or "/"
    return path


def _one_host(host: str, options: KeyOptions) -> str:
    first, _, rest = host.partition(".")
    twin = (options.merge_mobile and first in _MOBILE) or (options.merge_amp and first == "amp")
    return rest if twin and not is_ip(host) and registrable_domain(rest) else host


def _fragment_key(fragment: str, options: KeyOptions) -> str:
    if fragment.startswith("!"):
        return f"#{fragment}"
    kept = fragment.partition(":~:")[0] if options.keep_fragment else ""
    return f"#{kept}" if kept else ""
