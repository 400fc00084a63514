"""Pages as pictures, with marks on links: a screenshot where Chromium is installed, else an outline.

The page is drawn without its scripts, and nothing is fetched: a policy in the page forbids it and Chromium
resolves no host. `Marks` map the place of a link among `//a[@href]` to the name of a mark.
"""

from __future__ import annotations

import html
import io
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urldefrag

import lxml.html
import numpy as np
from IPython.display import HTML, Image
from lxml import etree
from matplotlib.font_manager import findfont
from PIL import Image as Picture  # comes with matplotlib
from PIL import ImageDraw, ImageFont

from recrawler.learn.corpus import Labelled

Marks = Mapping[int, str]
# Labelled pages show the first three, analysed ones the last three.
COLORS = {
    "article": "#1f77b4", "bar": "#7048e8", "older": "#d9480f",
    "right": "#2e8b57", "missed": "#c92a2a", "wrong": "#b5179e",
}  # fmt: skip
WIDTH, HEIGHT, SCALE = 900, 6000, 0.62  # of the window, in CSS pixels, and of the picture
TALLEST = 820  # pixels of a picture
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_DROPPED = ("script", "noscript", "iframe", "object", "embed", "link", "base", "meta")


def labelled(page: Labelled) -> dict[int, str]:
    """Marks of a page's labels: the articles of its lists, its bars, and the links to older items."""
    row = page.row
    marks = {a["i"]: "article" for block in row.get("blocks", ()) for a in block["articles"]}
    marks |= {x["i"]: "bar" for x in row["labels"] if x["scope"] == "bar"}
    return marks | dict.fromkeys(row["older"]["links"], "older")


def compared(page: Labelled, found: Mapping) -> dict[int, str]:
    """Marks that set an analysis against the labels: right, missed (labelled only), wrong (found only)."""
    want = set(labelled(page))
    hrefs = set()
    for one in found["listings"]:
        hrefs |= {_plain(x["href"]) for x in one["block"]["links"]}
        bar = one.get("bar") or {}
        hrefs |= {_plain(x["href"]) for x in bar.get("links", ()) if x["role"] != "other"}
    urls = {a.index: _plain(a.url) for a in page.doc.anchors}
    wanted = {urls[i] for i in want if i in urls} - {None}
    marks = {}
    for i, url in urls.items():
        if i in want:
            marks[i] = "right" if url in hrefs else "missed"
        elif url is not None and url in hrefs and url not in wanted:
            marks[i] = "wrong"
    return marks


def _plain(url: str | None) -> str | None:
    return urldefrag(url)[0] if url else None


def chromium() -> str | None:
    """The browser that takes pictures, or null."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def gallery(shown: Sequence[tuple[Labelled, Marks, str]]) -> Iterator[Image | HTML]:
    """What to display: pages with their captions, two in a row."""
    browser = chromium()
    if browser is None:
        yield from (HTML(f"<p><b>{html.escape(caption)}</b></p>{outline(p, m)}") for p, m, caption in shown)
        return
    for at in range(0, len(shown), 2):
        yield _row(
            [(screenshot(page, marks, browser), caption) for page, marks, caption in shown[at : at + 2]]
        )


def screenshot(page: Labelled, marks: Marks, browser: str) -> Picture.Image:
    """The part of the page that holds the marks, as drawn by Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "page.html"), Path(folder, "page.png")
        source.write_bytes(marked(page, marks))
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--host-resolver-rules=MAP * ~NOTFOUND", f"--window-size={WIDTH},{HEIGHT}",
            f"--force-device-scale-factor={SCALE}", f"--user-data-dir={folder}/profile",
            f"--screenshot={target}", source.as_uri(),
        ]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return _cut(Picture.open(target).convert("RGB"))


def marked(page: Labelled, marks: Marks) -> bytes:
    """The page's HTML with coloured links and without anything that runs or is fetched."""
    parser = lxml.html.HTMLParser(encoding="utf-8", recover=True, huge_tree=True)
    root = lxml.html.document_fromstring(page.source(), parser=parser)
    for i, anchor in enumerate(root.xpath("//a[@href]")):
        if i in marks:
            color = COLORS[marks[i]]
            anchor.set("style", f"outline:3px solid {color};background:{color}22;color:#111;position:static")
            anchor.attrib.pop("hidden", None)
        anchor.attrib.pop("onclick", None)
    for node in list(root.iter(*_DROPPED)):
        node.drop_tree()
    head = root.find("head")
    head = head if head is not None else root
    head.insert(0, etree.Element("meta", {"http-equiv": "Content-Security-Policy", "content": _POLICY}))
    head.insert(0, etree.Element("meta", charset="utf-8"))
    return lxml.html.tostring(root, encoding="utf-8", doctype="<!DOCTYPE html>")


def _cut(picture: Picture.Image) -> Picture.Image:
    """The rows from the first mark to the last; where they are far apart, the top and the end of them."""
    pixels = np.asarray(picture).astype(int)
    rows = _rows_with(pixels, ("missed", "wrong")) or _rows_with(pixels, COLORS)
    end = max(np.flatnonzero((pixels < 245).any(axis=(1, 2))), default=TALLEST) + 10
    start, last = (max(0, rows[0] - 60), min(end, rows[-1] + 60)) if rows else (0, end)
    if not rows or last - start <= TALLEST:
        return picture.crop((0, start, picture.width, min(last, start + TALLEST)))
    top, low = TALLEST * 2 // 3, TALLEST // 3 - 12
    joined = Picture.new("RGB", (picture.width, TALLEST), "#b8bec6")
    joined.paste(picture.crop((0, start, picture.width, start + top)), (0, 0))
    joined.paste(picture.crop((0, last - low, picture.width, last)), (0, TALLEST - low))
    return joined


def _rows_with(pixels: np.ndarray, names: Iterable[str]) -> list[int]:
    """The rows of a picture in which a mark of those names is drawn."""
    near = np.zeros(len(pixels), dtype=bool)
    for name in names:
        rgb = [int(COLORS[name][i : i + 2], 16) for i in (1, 3, 5)]
        near |= (np.abs(pixels - rgb).sum(axis=2) < 24).sum(axis=1) > 6
    return np.flatnonzero(near).tolist()


def _row(pictures: Sequence[tuple[Picture.Image, str]]) -> Image:
    font = ImageFont.truetype(findfont("DejaVu Sans"), size=14)
    wide = max(p.width for p, _ in pictures)
    tall = max(p.height for p, _ in pictures)
    sheet = Picture.new("RGB", (2 * wide + 36, tall + 40), "white")
    pen = ImageDraw.Draw(sheet)
    for k, (picture, caption) in enumerate(pictures):
        left = 8 + k * (wide + 20)
        pen.text((left, 8), caption, fill="#111", font=font)
        sheet.paste(picture, (left, 32))
        pen.rectangle((left - 1, 31, left + picture.width, 32 + picture.height), outline="#b8bec6")
    out = io.BytesIO()
    sheet.quantize(96, dither=Picture.Dither.NONE).save(out, "PNG", optimize=True)
    return Image(out.getvalue(), width=sheet.width)


def outline(page: Labelled, marks: Marks, most: int = 40) -> str:
    """The page's links as an HTML table: the element above each, its text, and its mark."""
    lines = []
    first = max(0, min(marks, default=0) - 3)
    for anchor in page.doc.anchors:
        if anchor.index < first or len(lines) >= most:
            continue
        mark = marks.get(anchor.index, "")
        above = anchor.node.getparent()
        depth = sum(1 for _ in anchor.node.iterancestors())
        name = f"{above.tag}.{(above.get('class') or '').split(' ')[0]}".rstrip(".")
        color = COLORS.get(mark, "transparent")
        lines.append(
            f'<tr><td style="text-align:left;padding-left:{depth // 2}ch">'
            f"<code>{html.escape(name)}</code></td>"
            f'<td style="text-align:left">{html.escape(anchor.text[:70])}</td>'
            f'<td style="border-left:4px solid {color}">{mark}</td></tr>'
        )
    return "<table><tr><th>element</th><th>link</th><th>mark</th></tr>" + "".join(lines) + "</table>"
