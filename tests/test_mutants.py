"""Damaged and monstrous pages: each is read within its time and memory, and what is cut off is said."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from recrawler.page.document import MAX_ANCHORS, MAX_URL, parse
from tests.pagekit import URL, hot, hrefs, links_of, page, read, rows

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 4.0  # of processor time: twice the promise, for the machine may be busy
LIST = page(
    "<ul class=list>" + rows(15, lambda _, t, u, d: f"<li><a href='{u}'>{t}</a> <i>{d}</i></li>") + "</ul>"
)


def test_mutants_stay_within_time_and_memory() -> None:
    """Some of the benchmark's ten thousand, in a process of their own whose memory can be measured."""
    command = [sys.executable, "benchmarks/analysis.py", "--mutate", "60", "--seed", "7", "--processes", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mutants 60 (seed 7)  failed 0" in done.stdout


def test_case_085_an_attribute_of_a_megabyte_spoils_no_list() -> None:
    classes, target = "c " * 500_000, "x" * 1_000_000
    began = time.process_time()
    found = read(f'<p class="{classes}">x</p><a href="/{target}">the longest way</a>{LIST}')
    assert [link.href for link in links_of(found)] == hrefs(15)
    assert time.process_time() - began < SECONDS
    (link,) = parse(f'<a href="/{target}">x</a>', URL).anchors
    assert link.url is None
    assert len(link.raw) > MAX_URL


def test_case_085_a_page_of_20_megabytes_is_cut_and_said() -> None:
    for filler in ("some words of text ", "<p>x<b>y</b></p>", "2026-01-02 10:00 "):
        began = time.process_time()
        found = read(f"{LIST[: LIST.rindex('</body>')]}{filler * (20_000_000 // len(filler))}")
        assert time.process_time() - began < SECONDS
        assert "the page is too large: only a part was read" in found.warnings
        assert [link.href for link in links_of(found)] == hrefs(15)


def test_case_085_of_a_hundred_thousand_links_so_many_are_read_and_the_rest_is_said() -> None:
    began = time.process_time()
    many = "".join(f"<li><a href=/a/{i}.html>Title of number {i}</a></li>" for i in range(100_000))
    doc = parse(f"<ul>{many}</ul>", URL)
    assert (len(doc.anchors), doc.truncated) == (MAX_ANCHORS, True)
    found = read(page(f"<ul>{many}</ul>", side=hot()))
    assert "the page is too large: only a part was read" in found.warnings
    assert time.process_time() - began < SECONDS
