"""``certify diff``."""

from __future__ import annotations

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, formats, output_file, verbose

FAILING = ("regressed", "lost", "any")


@click.command(cls=Command, epilog=examples("certify diff reports/record out --fail-on regressed"))
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--fail-on", type=click.Choice(FAILING), multiple=True, help="Exit with 1 where there is any; repeatable.")
@formats("text", "json", "markdown")
@output_file
@verbose
def diff(before: str, after: str, fail_on: tuple[str, ...], format: str, output_file: str | None) -> Exit:
    """Say what two reports differ in.

    What is new, lost, better and worse in the report B against A: outcomes, margins, statements, environment. A and B are report.json files
    or the folders of runs. Margins are exact constants and counts; those of sampled and measured claims depend on the machine: they have
    moved, which is neither better nor worse, nor among "any". Claims that were not run count as lost against a report in which they were.
    """
    from certify.claims.folder import report_in
    from certify.report.diff import Kind, difference
    from certify.report.differences import render_difference

    found = difference(report_in(before), report_in(after))
    emit(render_difference(found, format), output_file)
    failing = {Kind.REGRESSED: "regressed", Kind.LOST: "lost"}
    worst = {failing.get(change.kind, "any") for change in found.changes if change.kind is not Kind.MOVED}
    return Exit.REFUTED if worst & set(fail_on) or (worst and "any" in fail_on) else Exit.HOLDS
