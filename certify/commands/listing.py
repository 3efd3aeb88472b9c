"""``certify list``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from certify.claims.exits import BadInput, Exit
from certify.commands.options import Command, claims, emit, examples, formats, output_file, verbose


@click.command("list", cls=Command, epilog=examples("certify list 'ratio.*'", "certify list --by paper"))
@click.argument("selectors", nargs=-1, metavar="[ID | GLOB | FILE | PACKAGE]...", shell_complete=claims)
@click.option("--by", type=click.Choice(["id", "paper"]), default="id", show_default=True, help="Order of ids, or of the paper's items.")
@click.option("--report", metavar="FILE", help="With --by paper: the grades that a run reached, from its folder or report.json.")
@formats("text", "json", "markdown")
@output_file
@verbose
@click.pass_obj
def list_claims(
    options: dict[str, Any], selectors: Sequence[str], by: str, report: str | None, format: str, output_file: str | None
) -> Exit:
    """List claims with the grade they ask for and their source.

    By paper: every theorem, displayed equation, table and figure with its claims, or "not yet"; as json or markdown
    also the statements that need correction, with evidence computed on the spot.
    """
    from certify.claims.registry import load
    from certify.report.render import render_list

    entries = load(selectors).select(selectors)
    whole = Exit.HOLDS if all(entry.trace is None for entry in entries) else Exit.ERROR
    if by == "paper":
        return max(whole, _list_by_paper(options["command"], entries, bool(selectors), report, format, output_file))
    if report is not None:
        raise BadInput("--report belongs to --by paper")
    emit(render_list(entries, format), output_file)
    if not selectors:
        _mention_installed()
    return whole


def _mention_installed() -> None:
    from certify.claims import installed

    named = ", ".join(f"{package} (certify list {name})" for name, package in installed.names().items())
    if named:
        click.echo(f"certify: not listed, since nobody named them: the claims of {named}", err=True)


def _list_by_paper(command: str, entries: list[Any], selected: bool, report: str | None, format: str, output_file: str | None) -> Exit:
    from certify.claims.folder import report_in
    from certify.claims.provenance import environment
    from certify.exact.truth import Truth
    from certify.report.paper import render_paper
    from certify.studies.paper import trace

    found, errata = trace(entries, None if report is None else report_in(report)[1], selected), []
    if format != "text":
        from certify.studies.errata.entries import corrections

        errata = corrections({entry.claim.id for entry in entries} if selected else None)
    emit(render_paper(found, errata, format, command, environment()), output_file)
    return Exit.HOLDS if all(evidence.confirmed is Truth.YES for _, evidence in errata) else Exit.REFUTED
