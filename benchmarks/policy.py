"""CPU cost of the follow policy and the identity key of one link, and a fuzz run over them.

benchmarks/policy.py                 microseconds of one link, beside urlsplit
benchmarks/policy.py --fuzz 200000   that many made-up URLs; exit status 1 at the first violation
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

import ada_url

from recrawler.errors import RecrawlerError
from recrawler.follow import FollowPolicy
from recrawler.suffixes import default_suffixes
from recrawler.urls import KeyOptions, identity_key

FEATURED = "http://news.baidu.com/abc/"
EVERY_OPTION = KeyOptions(
    strip_params=("from", "ref"),
    sort_query=True,
    drop_empty_pairs=True,
    keep_fragment=True,
    strip_trailing_slash=True,
    collapse_slashes=True,
    strip_index=True,
    merge_mobile=True,
    merge_amp=True,
)
POLICIES = ("SameDomain", "SameTLD", "SameSLD", "SameDir")

_SCHEMES = [
    "http://", "https://", "HTTP:", "http:\\\\", "//", "", "ftp://", "javascript:", "http:/", " http://",
    "ws://",
]  # fmt: skip
_USERS = [
    "", "", "", "u:p@", "baidu.com@", "news.baidu.com\\@", "a%40b@", "@", "news.baidu.com/@",
    "news.baidu.com#@",
]  # fmt: skip
_HOSTS = [
    "news.baidu.com", "NEWS.Baidu.COM", "news.baidu.com.", "news.baidu.com..", "baidu.com",
    "evilbaidu.com", "evil.com", "news.baidu.com.evil.com", "news.baidu.com%2eevil.com",
    "news%2ebaidu.com", "news.baidu.com%00.evil.com", "ｂａｉｄｕ.com", "news。baidu。com", "bаidu.com",
    "xn--bidu-53d.com", "baidu.com.cn", "baidu.co.uk", "com", "co.uk", "github.io", "a.github.io",
    "127.0.0.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "localhost", "食狮.公司.cn", "a b",
    "a_b.com", "", ".", "-", "a..b", "xn--", "news.baidu.com\t", "new\ns.baidu.com", "news.baidu.com|x",
    "news.baidu.com,evil.com", "☃.net",
]  # fmt: skip
_PORTS = [
    "", "", "", ":80", ":443", ":8080", ":", ":99999", ":080", ":x", ":0",
]  # fmt: skip
_PIECES = [
    "/", "abc", "/abc/", "..", "/../", "/./", "//", "%2e%2e", "%2E", "%2f", "%5c", "..%2f",
    "%252e%252e%252f", "..;x/", "\\", "\\..\\", ";jsessionid=0123456789ABCDEF0123456789ABCDEF", ";v=1",
    "/(S(4hqa0555fwsecu455xqckv45))/", "index.html", "/amp", "amp/", ".amp", "%", "%4%41", "%41", "%7e",
    "%zz", "%e4%b8%ad", "中", "é", "\ud800", "\x00", "\t", "\n", " ", "'", '"', "<", "|", "{", "^",
    "a.html",
]  # fmt: skip
_PAIRS = [
    "a=1", "b=2", "a", "=", "", "utm_source=x", "UTM_x=1", "utm%5Fmedium=y", "fbclid=1", "spm=1.2.3",
    "sid=0123456789abcdef0123456789abcdef", "PHPSESSID=0123456789abcdef0123456789abcdef", "cfid=1",
    "cftoken=2", "q=%d6%d0", "q=中", "u=http://x/?y=1", "ref=%26", "amp=1", "from=a", "%4%41", "a=%2B+",
    "ASPSESSIONIDABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX", "?", "/../", "x;y=1", "'",
]  # fmt: skip
_FRAGMENTS = [
    "", "", "#", "#x", "#!/a", "#/r", "#:~:text=a", "#!", "#x:~:y", "#a#b", "#%41", "#!中",
]  # fmt: skip


def random_url(rng: random.Random) -> str:
    """A URL such as careless and hostile pages hold."""
    path = "".join(rng.choices(_PIECES, k=rng.randint(0, 6)))
    query = "?" + "&".join(rng.choices(_PAIRS, k=rng.randint(0, 4))) if rng.random() < 0.5 else ""
    host = rng.choice(_HOSTS)
    origin = rng.choice(_SCHEMES) + rng.choice(_USERS) + host + rng.choice(_PORTS)
    url = f"{origin}/{path}{query}{rng.choice(_FRAGMENTS)}"
    if rng.random() < 0.2:  # one letter anywhere
        at = rng.randint(0, len(url))
        url = url[:at] + chr(rng.choice((rng.randint(0, 127), rng.randint(0, 0xFFFF)))) + url[at:]
    return url


def policies() -> dict[str, FollowPolicy]:
    """One policy of each kind, for `FEATURED`; the entry point stands aside, to admit nothing itself."""
    return {
        name: FollowPolicy.from_config(
            {
                "entry_points": ["http://entry.invalid/only"],
                "featured_entry_point": FEATURED,
                "follow_policy": {"policy": name},
            }
        )
        for name in POLICIES
    }


def _oracle(name: str, text: str) -> bool:
    """Whether the policy may admit the URL, judged on the host that the parser itself gives."""
    parsed, stripped = None, text.strip("".join(map(chr, range(33))))
    for candidate in (stripped, f"http:{stripped}", f"http://{stripped}"):
        try:
            url = ada_url.URL(candidate.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        except ValueError:
            continue
        if url.protocol in ("http:", "https:"):
            parsed = url
            break
    if parsed is None or parsed.port:
        return False
    host = parsed.hostname.removesuffix(".")
    if name == "SameTLD":
        return host == "baidu.com" or host.endswith(".baidu.com")
    if name == "SameSLD":
        return default_suffixes().second_level(host) == "baidu"
    inside = name == "SameDomain" or _inside(parsed.pathname)
    return host == "news.baidu.com" and inside


def _inside(path: str) -> bool:
    """Whether /abc/ holds the path, however often a server decodes it."""
    for _ in range(4):
        depth = -1
        for segment in path.replace("\\", "/").split("/")[1:-1] + path.replace("\\", "/").split("/")[-1:]:
            depth += -1 if segment.partition(";")[0] == ".." else segment not in ("", ".")
            if depth < -1:
                return False
        if not path.startswith("/abc/"):
            return False
        path = unquote(path)
    return True


def violation(text: str, compiled: dict[str, FollowPolicy]) -> str | None:
    """What is wrong with how a URL is read: a key that is not its own key, a loose verdict; or None."""
    for options in (KeyOptions(), EVERY_OPTION):
        try:
            key = identity_key(text, options)
        except RecrawlerError:
            continue
        if identity_key(key, options) != key:
            return f"key {key!r} has the key {identity_key(key, options)!r}"
    for name, policy in compiled.items():
        if policy.admits(text) and not _oracle(name, text):
            return f"{name} admits it"
    return None


def fuzz(count: int, seed: int = 1) -> tuple[str, str] | None:
    """The first of `count` URLs that violates a property, with what; or None."""
    rng, compiled = random.Random(seed), policies()
    for _ in range(count):
        text = random_url(rng)
        found = violation(text, compiled)
        if found:
            return text, found
    return None


LINKS = (
    [f"https://news.example.com/c/2024-05-{n % 28 + 1:02d}/{448243 + n}.shtml" for n in range(40)]
    + [f"https://www.example.com.cn/article?id={n}&utm_source=index&from=list" for n in range(30)]
    + [f"http://m.example.com/thread-{n}-1-1.html#comments" for n in range(15)]
    + [
        f"https://example.com/%e6%96%b0%e9%97%bb/{n}/?page=2&sid=0123456789abcdef0123456789abcdef"
        for n in range(15)
    ]
)


def microseconds(work: Callable[[str], object], rounds: int = 40) -> float:
    """The median over the links of the least CPU time that one took."""
    least = dict.fromkeys(LINKS, float("inf"))
    for _ in range(rounds):
        for link in LINKS:
            start = time.perf_counter_ns()
            work(link)
            least[link] = min(least[link], (time.perf_counter_ns() - start) / 1000)
    return statistics.median(least.values())


def _compiled(suffixes: list[str]) -> FollowPolicy:
    follow = {"policy": "SameTLD", "alternative_domain_suffix": suffixes}
    return FollowPolicy.from_config({"entry_points": ["https://news.example.com/"], "follow_policy": follow})


def cost() -> None:
    few = _compiled([".com", ".com.cn"])
    many = _compiled([".com", ".com.cn", *(f".zone{n}.net" for n in range(1000))])
    split = getattr(urlsplit, "__wrapped__", urlsplit)
    rows = {
        "policy and key of one link": lambda x: (few.admits(x), identity_key(x)),
        "policy alone, 2 suffixes": few.admits,
        "policy alone, 1002 suffixes": many.admits,
        "key alone": identity_key,
        "urlsplit, uncached": split,
    }
    for name, work in rows.items():
        print(f"{name:32} {microseconds(work):6.1f} us")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fuzz", type=int, metavar="N", help="check N made-up URLs")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.fuzz is None:
        cost()
        return 0
    start = time.process_time()
    found = fuzz(args.fuzz, args.seed)
    if found:
        print(f"{found[0]!r}: {found[1]}")
        return 1
    print(f"{args.fuzz} URLs, no violation, {time.process_time() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
