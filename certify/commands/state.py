"""``certify state``."""

from __future__ import annotations

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, formats, output_file, verbose


@click.command(cls=Command, epilog=examples("certify state state.npz", "certify state state.npz --order 3 --cap 1e5"))
@click.argument("file")
@click.option("--order", "n", type=int, default=1, show_default=True, help="The closed form F_n, A_n, n = 0 to 8; 1 is AR/FR.")
@click.option("--samples", type=int, help="Only the first samples of each view.  [default: all]")
@click.option("--cap", help="Bound every concentration by this, and give it to classes with |a| >= 1: 1e5.")
@formats("text", "json")
@output_file
@verbose
def state(file: str, n: int, samples: int | None, cap: str | None, format: str, output_file: str | None) -> Exit:
    """Print guaranteed and actual errors at a state.

    Errors of scores, losses, probabilities, predictions and gradients. FILE is .npz or .safetensors with counts, features, labels,
    temperature, means or sums, and priors if wanted.
    """
    from certify.claims.progress import Stderr
    from certify.exact.truth import Truth
    from certify.learning.assessment import assess
    from certify.learning.files import load
    from certify.report.learning import render_assessment

    found = load(file, cap)
    with Stderr().status("state"):
        assessment = assess(found if samples is None else found.first(samples), n)
    emit(render_assessment(assessment, format), output_file)
    return {Truth.YES: Exit.HOLDS, Truth.NO: Exit.REFUTED, Truth.UNKNOWN: Exit.UNDECIDED}[assessment.holds]
