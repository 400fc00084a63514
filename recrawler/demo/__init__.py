"""A news site of our own, for `recrawler demo` and for tests: it speaks the domain (`site.publish(3)`).

site     articles, lists and what changes in them; no HTTP
html     the pages, in a few structures and two languages
server   the site on a loopback port
"""

from recrawler.demo.server import serve_site
from recrawler.demo.site import Article, NewsSite, Section

__all__ = ["Article", "NewsSite", "Section", "serve_site"]
