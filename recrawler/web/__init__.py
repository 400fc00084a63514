"""What the daemon shows a browser and a monitor: `/`, `/metrics` and `/health`.

server   the routes
views    the status page and the metrics as text
"""

from recrawler.web.server import serve

__all__ = ["serve"]
