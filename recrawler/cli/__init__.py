"""The commands. Each lives in a module that is imported only when it is asked for, so that all start fast.

    app        database, settings and output of one command
    options    the options of add-index and edit
    indexes    add-index, indexes, show, edit, pause, resume, remove
    transfer   import, export
    daemon     run; its log is `logs`, its signals `signals`
    watch      visit; `foreground` puts the pieces together
    plan       plan: the coming visits, and what they cost
    simulate   simulate: the past under other budgets
    printing   links, visits
    pages      inspect, train, evaluate; `picture` shows an analysis
    words      what a person reads of an index; `facts` lays it out
    check      sinks, doctor, vacuum
    demo       a news site of our own, watched for half a minute

What a person reads is laid out in `facts` (names beside texts), `words` (lines on visits and indexes),
`shown` (all about one index) and `picture` (a page's analysis). `streams` makes standard output fit for it.

Exit status: 0 done; 1 the thing failed; 2 wrong usage or configuration. An error is one line on stderr.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import click

from recrawler import __version__
from recrawler.cli import streams
from recrawler.errors import RecrawlerError

_COMMANDS = {
    "add-index": "indexes:add_index",
    "indexes": "indexes:indexes",
    "show": "indexes:show",
    "edit": "indexes:edit",
    "pause": "indexes:pause",
    "resume": "indexes:resume",
    "remove": "indexes:remove",
    "import": "transfer:import_",
    "export": "transfer:export",
    "run": "daemon:run",
    "visit": "watch:visit",
    "plan": "plan:plan",
    "simulate": "simulate:simulate",
    "links": "printing:links",
    "visits": "printing:visits",
    "inspect": "pages:inspect",
    "train": "pages:train",
    "evaluate": "pages:evaluate",
    "sinks": "check:sinks",
    "doctor": "check:doctor",
    "vacuum": "check:vacuum",
    "demo": "demo:demo",
}


_OF_COMMANDS = ("--db", "--config", "--json")  # that many another program takes before the command


class LazyGroup(click.Group):
    """Imports a command's module when the command is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        target = _COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, name = target.split(":")
        command: click.Command = getattr(importlib.import_module(f"recrawler.cli.{module}"), name)
        return command


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="recrawler")
def cli() -> None:
    """Watches news index pages and emits every newly published article link, once, soon after it is
    published, and says for every visit whether anything can have been missed."""


def run(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit status. Every error on purpose is one line on stderr."""
    streams.prepare()
    try:
        status = _run(argv)
    except OSError as e:
        if not streams.is_full(e):
            raise
        status = _complain(_no_room(e), 1)
    finally:
        fault = streams.let_go()
    return _complain(_no_room(fault), 1) if fault is not None and status == 0 else status


def _no_room(error: OSError) -> str:
    return f"cannot write the output: {error.strerror}"


def _run(argv: Sequence[str] | None) -> int:
    try:
        result = cli.main(args=argv, prog_name="recrawler", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except RecrawlerError as e:
        return _complain(str(e), e.exit_status)
    except click.exceptions.NoArgsIsHelpError as e:
        click.echo(e.format_message(), err=True)
        return 2
    except click.ClickException as e:
        hint = f" ({e.ctx.command_path} --help)" if isinstance(e, click.UsageError) and e.ctx else ""
        if isinstance(e, click.NoSuchOption) and e.ctx and not e.ctx.parent and e.option_name in _OF_COMMANDS:
            name = e.option_name
            return _complain(f"{name} goes after the command, as in `recrawler indexes {name} ...`", 2)
        return _complain(e.format_message() + hint, 2 if isinstance(e, click.UsageError) else 1)
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:  # the reader of our output has gone: nothing more to say
        return 0


def _complain(text: str, status: int) -> int:
    click.echo("recrawler: " + " ".join(text.split()), err=True)
    return status
