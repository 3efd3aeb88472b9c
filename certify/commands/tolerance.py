"""``certify tolerance``."""

from __future__ import annotations

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, formats, output_file, verbose


@click.command(cls=Command, epilog=examples("certify tolerance state.npz --loss 1e-8 --gradient 1e-6"))
@click.argument("file")
@click.option("--loss", help="Wanted accuracy of the mean loss, exact: 1e-8.")
@click.option("--gradient", help="Wanted accuracy of every sample's feature gradient, as a Euclidean norm: 1e-6.")
@click.option("--samples", type=int, help="Only the first samples of each view.  [default: all]")
@click.option("--cap", help="Bound every concentration by this, and give it to classes with |a| >= 1: 1e5.")
@formats("text", "json")
@output_file
@verbose
def tolerance(
    file: str, loss: str | None, gradient: str | None, samples: int | None, cap: str | None, format: str, output_file: str | None
) -> Exit:
    """Say how accurate the Bessel ratio must be at a state.

    For wanted accuracies of loss and gradient, with the closed form and format that suffice. FILE is a state as for `certify state`. Exit
    code 1 where nothing of order 0 to 8 in float64 or float32 suffices.
    """
    from certify.claims.progress import Stderr
    from certify.learning.files import load
    from certify.learning.pairing import at_state
    from certify.learning.tolerances import tolerance as find
    from certify.report.learning import render_tolerance

    found = load(file, cap)
    found = found if samples is None else found.first(samples)
    with Stderr().status("tolerance"):
        result, pairing = find(found, loss, gradient), at_state(found)
    emit(render_tolerance(found, result, pairing, format), output_file)
    return Exit.HOLDS if any(choice.n is not None for choice in result.choices) else Exit.REFUTED
