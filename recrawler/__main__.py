"""`python -m recrawler` and the `recrawler` command."""

from __future__ import annotations

import sys


def main() -> None:
    from recrawler.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
