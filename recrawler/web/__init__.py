"""What the daemon shows a browser and a monitor: `/`, `/metrics`, `/health` and `/ready`.

server   the routes
views    the status page
metrics  the figures for Prometheus
"""

from recrawler.web.server import serve

__all__ = ["serve"]
