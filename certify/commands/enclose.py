"""``certify enclose``."""

from __future__ import annotations

from typing import Any

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, formats, output_file, verbose


@click.command(
    cls=Command,
    epilog=examples(
        "certify enclose --nu 255 --x 1e5 --digits 60", "certify enclose --p 512 --resultant 9/10", "certify enclose --p 512 --choose 1e-12"
    ),
)
@click.option("--nu", help="The order ν ≥ 0, exact: 255, 10/9, 0.1 (one tenth).")
@click.option("--p", help="The dimension p = 2ν + 2, instead of --nu.")
@click.option("--x", help="The argument x ≥ 0, exact: 1e5, 1/3.")
@click.option("--to", help="A second argument, for the differences of potentials from x.")
@click.option("--resultant", help="A mean resultant length r in [0, 1), for the κ with R_ν(κ) = r.")
@click.option(
    "--choose", metavar="TOLERANCE", help="The smallest n with |R − A_n| ≤ TOLERANCE proved: for all x ≥ 0, at x, or from x to --to."
)
@click.option("--digits", type=int, default=30, show_default=True, help="Proven digits, 15 to 1000.")
@formats("text", "json")
@output_file
@verbose
def enclose(format: str, output_file: str | None, **question: Any) -> Exit:
    """Print Bessel ratios and potentials with proven digits.

    Also their approximations, the concentration of a mean resultant length, and the order of the ladder that suffices.
    """
    from certify.exact.enclose import enclose
    from certify.report.enclosures import render_enclosures

    emit(render_enclosures(enclose(**question), format), output_file)
    return Exit.HOLDS
