"""``certify run``."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, claims, emit, examples, executor, formats, settings, verbose

if TYPE_CHECKING:
    from certify.claims.record import Report


@click.command(
    cls=Command,
    epilog=examples(
        "certify run -o out",
        "certify run 'ratio.cubic*' ladder.optimal.1",
        "certify run ratio.cubic --set C=2/25",
        "certify run claims.toml",
    ),
)
@click.argument("selectors", nargs=-1, metavar="[ID | GLOB | FILE | FILE::ID | PACKAGE]...", shell_complete=claims)
@click.option("--output-dir", "-o", metavar="DIR", help="Leave report and certificates in DIR; keep proofs found there.")
@settings
@click.option("--force", is_flag=True, help="Prove again what DIR holds a certificate of.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Worker processes.  [default: one a core]")
@executor
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@formats("text", "json", "markdown")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@verbose
@click.pass_obj
def run(options: dict[str, Any], selectors: Sequence[str], settings: Sequence[str], format: str, quiet: bool, **request: Any) -> Exit:
    """Check claims, all where none is named.

    Every proof is replayed by the independent checker before it counts. FILE is a claim file, .py or .toml; PACKAGE is the name under which
    an installed package brings claims. Neither runs unless named.
    """
    from certify.claims.progress import Progress
    from certify.claims.session import Watcher
    from certify.claims.settings import parse_settings
    from certify.report.render import render_run
    from certify.report.run import run

    class Result(Watcher):
        """Printed as soon as the claims have ended, before the page is complete."""

        def end(self, report: Report) -> None:
            emit(render_run(report, format))

    with contextlib.nullcontext(Watcher()) if quiet else Progress(options["verbose"]) as progress:
        constants, watchers = parse_settings(settings), [progress, Result()]
        return run(*selectors, constants=constants, command=options["command"], watchers=watchers, **request).exit
