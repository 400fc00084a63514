"""Lists of threads as forum systems write them, with the small pagers of single threads."""

from __future__ import annotations

from collections.abc import Sequence

from .dom import E, Node
from .rowparts import author, date_text, hash_of
from .rows import Rows
from .site import Item, Page, PageMark

POSTS_A_PAGE = 15


def _inline(page: Page, item: Item, form: str, most: int, cls: str | None = None) -> list[Node]:
    """Links to the pages of one long thread: labelled, but no part of the bar."""
    if item.comments <= POSTS_A_PAGE:
        return []
    count = min(most, item.comments // POSTS_A_PAGE + 1)
    return [
        E(
            "a",
            str(at),
            href=page.path(form.format(t=item.number, p=at, s=(at - 1) * POSTS_A_PAGE)),
            cls=cls,
            mark=PageMark(-1, "PAGE", "PAGE", at, "inline"),
        )
        for at in range(2, count + 1)
    ]


def _born(item: Item) -> str:
    return f"{item.begun:%Y-%m-%d}"


def _discuz_title(page: Page, item: Item, block: int) -> Node:
    title = E("th", cls="lock" if item.pinned else "common")
    if page.chance("dz-type", 0.5):
        path = f"/forum.php?mod=forumdisplay&typeid={hash_of(item.cat) % 99}"
        title.add(E("em", "[", E("a", item.cat, href=page.path(path)), "]"), " ")
    title.add(page.title_link(item, block, cls="s xst"))
    small = _inline(page, item, "/thread-{t}-{p}-1.html", 7)
    return title.add(E("span", "\u00a0...", small, cls="tps") if small else None)


def discuz_threads(page: Page, items: Sequence[Item], block: int) -> Node:
    """Discuz: one tbody for each thread, links to icon, type, author, last reply, and pages of the thread."""
    table = E("table", summary=f"forum_{page.site.place.cat}", cellspacing="0", id="threadlisttableid")
    born = page.chance("dz-born", 0.6)
    for item in items:
        href = page.href(item.url)
        who = E("a", item.author, href=page.path(f"/space-uid-{hash_of(item.author) % 999}.html"), c="1")
        by = E("td", E("cite", who), E("em", E("span", _born(item) if born else "")), cls="by")
        last_path = page.path(f"/forum.php?mod=redirect&tid={item.number}&goto=lastpost#lastpost")
        last_who = E("a", page.rng.choice(page.lex.data["people"]), href=page.path("/space-username-x.html"))
        last = E("td", E("cite", last_who), E("em", E("a", date_text(page, item), href=last_path)), cls="by")
        count = E("td", E("a", str(item.comments), href=href, cls="xi2"), E("em", str(item.views)), cls="num")
        image = E("img", src=page.path("/static/image/common/folder_common.gif"))
        icon = E("td", E("a", image, href=href, title=page.lex.word("subject"), target="_blank"), cls="icn")
        row = E("tr", icon, _discuz_title(page, item, block), by, count, last)
        table.add(E("tbody", row, id=f"{'stick' if item.pinned else 'normal'}thread_{item.number}"))
    return table


def phpbb_topics(page: Page, items: Sequence[Item], block: int) -> Node:
    """phpBB: rows of dl, the last post in a dd with links of its own."""
    ul = E("ul", cls="topiclist topics")
    profile = "/memberlist.php?mode=viewprofile&u="
    for at, item in enumerate(items):
        inner = E("div", page.title_link(item, block, cls="topictitle"), cls="list-inner")
        if small := _inline(page, item, "/viewtopic.php?t={t}&start={s}", 6, "button"):
            inner.add(E("div", E("ul", [E("li", link) for link in small]), cls="pagination"))
        who = E("a", item.author, href=page.path(profile + str(hash_of(item.author) % 999)), cls="username")
        inner.add(E("div", who, f" » {_born(item)}" if page.chance("pb-born", 0.5) else None))
        jump = E("a", E("i", cls="icon fa-external-link-square"), title=page.lex.word("lastpost"))
        jump.attrs["href"] = f"{page.href(item.url)}&p={item.number}#p{item.number}"
        last_who = E(
            "a", page.rng.choice(page.lex.data["people"]), href=page.path(profile + "5"), cls="username"
        )
        last = E("dd", E("span", last_who, " ", jump, E("br"), date_text(page, item)), cls="lastpost")
        counts = [E("dd", str(item.comments), cls="posts"), E("dd", str(item.views), cls="views")]
        row = E("dl", E("dt", inner), counts, last, cls="row-item topic_read")
        ul.add(E("li", row, cls=f"row bg{at % 2 + 1}" + (" sticky" if item.pinned else "")))
    return ul


def _board_title(page: Page, item: Item, block: int) -> Node:
    sign = E("strong", page.lex.word("pinned") + ": ") if item.pinned else None
    cell = E(
        "td", E("div", sign, page.title_link(item, block)), cls="alt1", id=f"td_threadtitle_{item.number}"
    )
    if small := _inline(page, item, "/showthread.php?t={t}&page={p}", 6):
        end = E("a", page.lex.pager("last")[0], href=page.path(f"/showthread.php?t={item.number}&page=99"))
        end.mark = PageMark(-1, "PAGE", "LAST", 99, "inline")
        cell.add(E("span", "(", [kid for link in small for kid in (link, " ")], end, ")", cls="smallfont"))
    return cell.add(E("div", E("span", item.author, onclick="window.open('/member.php')"), cls="smallfont"))


def board_threads(page: Page, items: Sequence[Item], block: int) -> Node:
    """A vBulletin-like table: title cell with author and small pages, last post cell, counts."""
    body = E("tbody", id=f"threadbits_forum_{page.site.place.cat}")
    for item in items:
        icon = E("td", E("img", src=page.path("/images/thread.gif")), cls="alt1")
        last = E(
            "td", E("div", date_text(page, item), E("br"), author(page, item), cls="smallfont"), cls="alt2"
        )
        replies = E("a", str(item.comments), href=page.path(f"/misc.php?do=whoposted&t={item.number}"))
        counts = [E("td", replies, cls="alt1"), E("td", str(item.views), cls="alt2")]
        body.add(E("tr", icon, _board_title(page, item, block), last, counts))
    sorts = [
        E("td", E("a", page.lex.word(word), href=page.path(f"/forumdisplay.php?sort={key}")))
        for word, key in (("lastpost", "lastpost"), ("replies", "replycount"))
    ]
    head = E("thead", E("tr", E("td", page.lex.word("subject"), colspan="2"), sorts, E("td", "#")))
    return E("table", head, body, cls="tborder", id="threadslist")


def board_rows(page: Page, items: Sequence[Item], block: int) -> Node:
    """A Korean board: number or notice, category link before the title, comment count inside the cell."""
    body = E("tbody")
    for item in items:
        subject = E(
            "td",
            E(
                "a",
                item.cat,
                href=page.path(f"/bbs/board.php?sca={hash_of(item.cat) % 99}"),
                cls="bo_cate_link",
            )
            if page.chance("gb-cate", 0.5)
            else None,
            page.title_link(item, block),
            cls="td_subject",
        )
        if item.comments:
            subject.add(E("span", f"[{item.comments}]", cls="cnt_cmt"))
        body.add(
            E(
                "tr",
                E(
                    "td",
                    E("strong", page.lex.word("pinned")) if item.pinned else str(item.number % 4000),
                    cls="td_num",
                ),
                subject,
                E("td", E("span", item.author, cls="sv_member"), cls="td_name"),
                E("td", str(item.views), cls="td_num"),
                E("td", date_text(page, item) if item.form else "", cls="td_datetime"),
                cls="bo_notice" if item.pinned else None,
            )
        )
    head = E("thead", E("tr", [E("th", word) for word in ("#", *page.lex.words("columns"))]))
    return E("div", E("table", E("caption", page.lex.word("subject")), head, body), cls="tbl_head01 tbl_wrap")


FORUM_ROWS: dict[str, Rows] = {
    "discuz-threads": discuz_threads, "phpbb-topics": phpbb_topics, "board-threads": board_threads,
    "board-rows": board_rows,
}  # fmt: skip
