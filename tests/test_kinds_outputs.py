"""Kinds of faults in what is given out and in operation: secrets in messages, hostile titles, files of editors."""

from __future__ import annotations

import base64
import csv
import io
import json
from pathlib import Path

import pytest

from recrawler.demo import NewsSite, Section, serve_site
from recrawler.sinks import SinkError, event
from recrawler.sinks.redis import RedisSink
from recrawler.sinks.webhook import WebhookSink
from recrawler.store.sqlite import SqliteStore
from recrawler.urls import identity_key
from tests.httpserver import free_port
from tests.pagekit import links_of, page, read, titles
from tests.test_cli import Shell, shell  # noqa: F401 - a fixture
from tests.test_webhook import items
from tests.visiting import NOW, add, visit

LOGIN = "Basic " + base64.b64encode(b"reader:p@ss").decode()


@pytest.mark.parametrize("path", ["/hook/TOKEN", "/?key=TOKEN", "?key=TOKEN"])
async def test_kind_the_token_of_a_webhook_is_in_no_message(path: str) -> None:
    port = free_port()
    sink = WebhookSink(f"http://bot:TOKEN@127.0.0.1:{port}{path}")
    with pytest.raises(SinkError) as caught:
        await sink.deliver(items("a"))
    assert "TOKEN" not in str(caught.value) and f"127.0.0.1:{port}" in str(caught.value)


def test_kind_the_password_of_a_redis_server_is_in_no_message() -> None:
    with pytest.raises(SinkError) as caught:
        RedisSink("http://:PASSWORD@127.0.0.1/0")
    assert "PASSWORD" not in str(caught.value)


def test_kind_a_login_in_a_url_is_sent_and_never_printed(shell: Shell) -> None:  # noqa: F811
    site = NewsSite([Section("news", "zh", 10)])
    site.publish(30)
    with serve_site(site) as served:
        url = served.url("/news/").replace("http://", "http://reader:p%40ss@")
        done = shell("add-index", url, "--json")
        assert done.status == 0 and done.rows[0]["url"] == served.url("/news/")
        assert served.last_headers["authorization"] == LOGIN
        site.publish(1)
        said = [
            done,
            shell("visit", 1, "--json"),
            shell("links", "--json"),
            shell("show", 1),
            shell("visits"),
        ]
        for one in said:
            assert one.status == 0
            assert "p%40ss" not in one.out + one.err and LOGIN not in one.out + one.err


def test_kind_a_login_in_an_imported_url_is_kept_apart_too(shell: Shell) -> None:  # noqa: F811
    file = shell.folder / "urls.txt"
    file.write_text("https://reader:p%40ss@a.example/news/\nhttps://a.example/news/\n")
    assert "1 added, 1 known already" in shell("import", file).out
    [row] = shell("export", "-").rows
    assert row["url"] == "https://a.example/news/" and "p%40ss" not in json.dumps(row)


@pytest.mark.parametrize("title", ["=HYPERLINK(1)", "+1", "-1+2", "@SUM(A1)", "\tx"])
def test_kind_a_title_is_no_formula_of_a_spreadsheet(shell: Shell, title: str) -> None:  # noqa: F811
    with SqliteStore(shell.db, create=True) as store:
        visit(store, add(store), "a", title=title)
    [row] = csv.DictReader(io.StringIO(shell("links", "--csv").out, newline=""))
    assert row["title"] == f"'{title}"
    [row] = shell("links", "--json").rows
    assert row["title"] == title


def test_kind_a_settings_file_with_a_byte_order_mark_is_read(shell: Shell) -> None:  # noqa: F811
    shell.config.write_bytes(b'\xef\xbb\xbfdelay = "0s"\r\n')
    assert shell("add-index", "https://a.example/", "--no-visit").status == 0


@pytest.mark.parametrize("text", ['delay = "0s"\ndelay = "1s"\n', "delay = \xe9\n"])
def test_kind_a_settings_file_that_is_none_is_told_in_one_line(shell: Shell, text: str) -> None:  # noqa: F811
    shell.config.write_bytes(text.encode("latin-1"))
    shell("indexes").fails(2, str(shell.config), "TOML")


def test_kind_an_entity_in_an_opml_file_reads_nothing_of_this_machine(shell: Shell) -> None:  # noqa: F811
    secret = shell.folder / "secret.txt"
    secret.write_text("http://leak.example/")
    file = shell.folder / "x.opml"
    file.write_text(
        f'<!DOCTYPE o [<!ENTITY x SYSTEM "file://{secret}">]>'
        '<opml><body><outline text="a" htmlUrl="http://a.example/"/><outline text="b">&x;</outline></body></opml>'
    )
    done = shell("import", file)
    assert "leak.example" not in done.out + done.err + shell("indexes", "--json").out
    assert "Traceback" not in done.err


def test_kind_a_file_of_urls_of_windows_is_read(shell: Shell, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "urls.txt"
    file.write_bytes("\ufeffhttp://a.example/\r\n\r\n# 注释\r\nhttp://b.example/\r\n".encode())
    assert "2 added, 0 known already, 0 refused" in shell("import", file).out


def test_kind_one_article_on_two_index_pages_has_one_key(tmp_path: Path) -> None:
    """Two events, for each index has its own; a receiver that wants the article once can tell."""
    with SqliteStore(tmp_path / "k.db", create=True) as store:
        for name, tail in (("a", "?utm_source=a"), ("b", "#top")):
            url = f"https://a.example/n/1.html{tail}"
            visit(store, add(store, name), "1", sinks=["x"], url=url, key=identity_key(url))
        told = [event(x) for x in store.pending("x", NOW, 10)]
    assert len({x["id"] for x in told}) == 2 and {x["key"] for x in told} == {"http://a.example/n/1.html"}


@pytest.mark.parametrize("written", ["\x1b[2J", "&#27;[2J", "&#x1B;[2J", "\x07\x7f\x01", "&#0027[2J"])
def test_kind_a_title_gives_no_orders_to_a_terminal(written: str) -> None:
    list_ = "".join(f'<li><a href="/{i}.html">{t}{written}</a></li>' for i, t in enumerate(titles(8)))
    found = read(page(f"<ul>{list_}</ul>", title=f"News{written}"))
    assert [x.text.removesuffix("[2J") for x in links_of(found)] == titles(8)
    assert found.title.removesuffix("[2J") == "News"


def test_kind_characters_beside_control_characters_stay(tmp_path: Path) -> None:
    kept = "A&#9;B&#10;C&#32;D&#127881;E&#271;F&#x1F389;G&#x7F0;"
    list_ = "".join(f'<li><a href="/{i}.html">{kept} {i}</a></li>' for i in range(8))
    assert links_of(read(page(f"<ul>{list_}</ul>")))[0].text == "A B C D\U0001f389E\u010fF\U0001f389G\u07f0 0"
