"""The documents as programs: their console blocks are run, and what they print is compared.

    python -m tests.readme [--write] [FILE...]

A block is run where a comment stands right before it:

    <!-- run -->                  run the commands (lines that begin with `$ `) and compare the rest
    <!-- run: publish zh 3 -->    let the site publish three articles on /zh/ first
    <!-- run: eventually -->      run the commands again until they print what is written (10 s at most)
    <!-- run: background -->      a command that goes on; it is ended with the document
    <!-- file: NAME -->           write the block to this file of the working folder

(several, as in `run: publish en 3; eventually`)

The commands run in one shell with an empty home, beside a demo site. Documents write its address as SITE. A
line `...` stands for any lines. Numbers, times and the reasons of a cadence are not compared: see `plain`.
With --write, what differs is replaced by what was printed; lines before and after `...` are counted.
"""

from __future__ import annotations

import argparse
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from recrawler.cli.demo import _site
from recrawler.demo import NewsSite, serve_site

ROOT = Path(__file__).parent.parent
SITE = "http://127.0.0.1:8600"
HOME = "/home/you/news"  # how documents write the working folder
DOCUMENTS = ("README.md", "docs/tutorial/first-index.md")
PATIENCE = 10.0  # seconds for `eventually`
STUCK = 60.0  # seconds after which a command is taken to hang
_BLOCK = re.compile(r"<!-- (run|file)(?:: ([^>]*?))? -->\n```[a-z]*\n(.*?)```", re.S)
FENCE = re.compile(r"^```.*?^```$", re.S | re.M)
TWINS = {"README.md": "docs/zh/README.md"}  # translations: their blocks are those of the original
_END = "__end_of_command__"


@dataclass(frozen=True)
class Block:
    """One marked block: what its comment says, and its lines. `span` is where they stand in the document."""

    kind: str
    given: str
    text: str
    span: tuple[int, int]

    @property
    def asked(self) -> list[str]:
        return [x.strip() for x in self.given.split(";")]

    def steps(self) -> list[tuple[str, list[str]]]:
        """Each command with the lines that are written below it."""
        out: list[tuple[str, list[str]]] = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                out.append((line[2:], []))
            elif line.startswith("> ") and out and not out[-1][1]:
                out[-1] = (f"{out[-1][0]}\n{line[2:]}", [])
            elif out:
                out[-1][1].append(line)
        return out


def blocks(text: str) -> list[Block]:
    return [Block(m[1], m[2] or "", m[3], m.span(3)) for m in _BLOCK.finditer(text)]


def plain(line: str) -> str:
    """A line without what differs from run to run and from machine to machine."""
    line = re.sub(r"\d+(?:\.\d+)?", "0", line)
    line = re.sub(r"[▁-█]+", "▁", line)
    line = re.sub(r"\b(?:in )?0 (?:s|min|h|days)\b(?: ago)?", "0 s", line)
    line = re.sub(r'"id":"\w+"', '"id"', line)
    line = re.sub(r"^(\s*cadence|last visit|week|ok   suffix list) .*", r"\1", line)
    return " ".join(line.split())


def agrees(written: list[str], printed: list[str]) -> bool:
    """Whether what was printed is what is written, each `...` standing for any lines."""
    want, have = "\n".join(map(plain, written)), "\n".join(map(plain, printed))
    pattern = re.escape(f"\n{want}\n").replace(re.escape("\n...\n"), r"\n(?:.*\n)*")
    return re.fullmatch(pattern, f"\n{have}\n") is not None


def shortened(written: list[str], printed: list[str]) -> list[str]:
    """What was printed, with `...` where it is written once between other lines."""
    if written.count("...") != 1 or len(written) == 1 or len(printed) <= len(written):
        return printed
    at = written.index("...")
    tail = len(written) - at - 1
    return [*printed[:at], "...", *printed[len(printed) - tail :]]


class Shell:
    """One bash for a document, in a folder of its own."""

    def __init__(self, folder: Path, base: str) -> None:
        self._base = base
        (folder / "bin").mkdir()
        command = folder / "bin" / "recrawler"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m recrawler "$@"\n')
        command.chmod(0o755)
        self.home = folder / "home"
        self.home.mkdir()
        path = f"{folder / 'bin'}:{os.environ['PATH']}"
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("RECRAWLER")}
        self._bash = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            cwd=self.home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**inherited, "HOME": str(self.home), "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "96",
                 "TZ": "UTC", "XDG_DATA_HOME": str(self.home / "data"), "PYTHONUTF8": "1"},
            start_new_session=True,
        )  # fmt: skip

    def run(self, command: str) -> list[str]:
        """The lines that a command prints."""
        return self._said(f"{command.replace(SITE, self._base)}\necho; echo {_END}\n")

    def start(self, command: str) -> None:
        self._write(f"{command.replace(SITE, self._base)} >background.log 2>&1 &\n")

    def close(self) -> None:
        """End the shell and what it left running."""
        for sig in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._bash.pid, sig)
                self._bash.wait(timeout=5)
            except subprocess.TimeoutExpired:
                continue
            except ProcessLookupError:
                break
        for pipe in (self._bash.stdin, self._bash.stdout):
            if pipe:
                pipe.close()

    def _write(self, text: str) -> None:
        assert self._bash.stdin
        self._bash.stdin.write(text.encode())
        self._bash.stdin.flush()

    def _said(self, text: str) -> list[str]:
        self._write(text)
        assert self._bash.stdout
        fd, data = self._bash.stdout.fileno(), b""
        end = time.monotonic() + STUCK
        while f"\n{_END}\n".encode() not in data:
            if not select.select([fd], [], [], max(0.0, end - time.monotonic()))[0]:
                raise AssertionError(f"no end of: {text}\n{data.decode(errors='replace')}")
            part = os.read(fd, 65536)
            if not part:
                raise AssertionError(f"the shell ended at: {text}\n{data.decode(errors='replace')}")
            data += part
        said = data.decode().replace(self._base, SITE).replace(str(self.home), HOME)
        said = said.partition(f"\n{_END}\n")[0]
        return [line.rstrip() for line in said.splitlines()]


@contextmanager
def shell() -> Iterator[tuple[Shell, NewsSite]]:
    site = _site(1)
    with tempfile.TemporaryDirectory(prefix="recrawler-docs-") as folder, serve_site(site) as served:
        made = Shell(Path(folder), served.base)
        try:
            yield made, site
        finally:
            made.close()


def play(text: str) -> Iterator[tuple[Block, str, list[str], list[str]]]:
    """Run a document: each command with its block, what is written and what was printed."""
    with shell() as (sh, site):
        for block in blocks(text):
            if block.kind == "file":
                (sh.home / block.given).write_text(block.text.replace(SITE, sh._base), encoding="utf-8")
                continue
            for asked in block.asked:
                if asked.startswith("publish"):
                    _, where, count = asked.split()
                    site.publish(int(count), section=where, at=datetime.now(UTC))
            for command, written in block.steps():
                if "background" in block.asked:
                    sh.start(command)
                    continue
                end = time.monotonic() + (PATIENCE if "eventually" in block.asked else 0.0)
                printed = sh.run(command)
                while not agrees(written, printed) and time.monotonic() < end:
                    time.sleep(1.0)
                    printed = sh.run(command)
                yield block, command, written, printed


def differences(text: str) -> list[str]:
    """What is written in a document and was not printed, one text for each command."""
    return [
        f"$ {command}\n--- written\n" + "\n".join(written) + "\n--- printed\n" + "\n".join(printed)
        for _, command, written, printed in play(text)
        if not agrees(written, printed)
    ]


def rewritten(text: str) -> str:
    """The document with what was really printed."""
    made: dict[tuple[int, int], list[str]] = {}
    for block, command, written, printed in play(text):
        lines = written if agrees(written, printed) else shortened(written, printed)
        first, *more = command.splitlines()
        made.setdefault(block.span, []).extend([f"$ {first}", *(f"> {x}" for x in more), *lines])
    for (start, end), lines in sorted(made.items(), reverse=True):
        text = text[:start] + "\n".join(lines) + "\n" + text[end:]
    return text


def mirror(text: str, twin: str) -> str:
    """The translation `twin` with the blocks of the original."""
    ours = iter(FENCE.findall(text))
    return FENCE.sub(lambda m: next(ours, m[0]), twin)


def write(file: Path) -> None:
    text = rewritten(file.read_text(encoding="utf-8"))
    file.write_text(text, encoding="utf-8")
    name = TWINS.get(file.resolve().relative_to(ROOT.resolve()).as_posix())
    if name:
        twin = ROOT / name
        twin.write_text(mirror(text, twin.read_text(encoding="utf-8")), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put what was printed into the documents")
    parser.add_argument("files", nargs="*", type=Path, default=[ROOT / d for d in DOCUMENTS])
    args = parser.parse_args()
    bad = 0
    for file in args.files:
        if args.write:
            write(file)
            continue
        for difference in differences(file.read_text(encoding="utf-8")):
            print(f"{file}: {difference}\n")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
