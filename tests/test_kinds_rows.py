"""Kinds of fault in the rows of lists that people meet in the field: what is an article and what stands beside it."""

from __future__ import annotations

from tests.pagekit import BAR, hrefs, main_of, page, read, rows, urls_of


def test_kind_links_to_the_last_post_in_a_column_of_their_own_are_no_further_articles() -> None:
    """Each leads to the article's own last page, so its address looks like an article's."""

    def row(i: int, title: str, url: str, date: str) -> str:
        last = url.replace(".html", f"-{i % 4 + 2}.html#post{i}")
        return (
            f'<tr><td><a href="{url}">{title}</a></td><td>{date} <a href="{last}">Go to the last post of this</a></td>'
            f"<td>{i + 3}</td></tr>"
        )

    found = read(page(f'<table class="threads"><tbody>{rows(12, row)}</tbody></table>', bar=BAR))
    assert urls_of(found) == hrefs(12)
    assert main_of(found).order.verdict == "newest-first"
