"""``certify explain``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, claims, emit, examples, output_file, verbose


@click.command(cls=Command, epilog=examples("certify explain ratio.cubic", "certify explain claims.toml::example.cut"))
@click.argument("selectors", nargs=-1, required=True, metavar="ID | GLOB | FILE | PACKAGE...", shell_complete=claims)
@output_file
@verbose
def explain(selectors: Sequence[str], output_file: str | None) -> Exit:
    """Say what a claim states and how it is proved.

    Also what its certificate establishes for the checker, which steps are in words, and which lemmas are cited.
    """
    from certify.claims.registry import load
    from certify.report.text import explanation

    emit("\n".join(explanation(entry) for entry in load(selectors).select(selectors)), output_file)
    return Exit.HOLDS
