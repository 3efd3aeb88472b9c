"""``certify audit``."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import click

from certify.claims.exits import BadInput, Exit
from certify.commands.options import Command, emit, examples, formats, output_file, verbose

PATIENCE = 2.0  # seconds until progress is shown


@click.command(
    cls=Command,
    epilog=examples(
        "certify audit torch.nn.functional:softplus --domain -50 50",
        "certify audit layers.py:Gate.apply --reference 'besseli(1, x)/besseli(0, x)'",
        "certify audit torch.nn:LayerNorm --arg normalized_shape=4 --shape 3x4",
        "certify audit --gallery",
    ),
)
@click.argument("target", metavar="TARGET", required=False)
@click.option(
    "--arg", "arguments", multiple=True, metavar="NAME=VALUE", help="An argument of the function, or of the module's constructor."
)
@click.option("--domain", nargs=2, metavar="LOW HIGH", help="The interval of inputs, exact numbers.  [default: the whole axis]")
@click.option(
    "--shape", "shapes", multiple=True, metavar="AxBx…", help="Shape of an example input, for functions that are not elementwise."
)
@click.option("--field", is_flag=True, help="The output is claimed to be a gradient: is it that of any function? Needs --shape.")
@click.option("--reference", metavar="NAME", help="The truth: erf, 'besseli(0, x)', arb.lgamma, module:function(63, x), file.py:function.")
@click.option("--dtype", multiple=True, help="float64, float32, bfloat16 or float16.  [default: float64 and float32]")
@click.option("--order", type=click.IntRange(1, 2), default=1, show_default=True, help="2 audits the derivative of the derivative.")
@click.option("--declared", metavar="NAME", help="The surrogate that the author intends: straight-through, pathwise, subgradient, …")
@click.option("--budget", type=float, metavar="SECONDS", help="Stop after so long; the result says what was covered.")
@click.option("--bound", type=float, metavar="ERROR", help="Relative error that fidelity allows.  [default: half of the digits]")
@click.option("--gallery", is_flag=True, help="Audit every realization and every public pair of value and gradient instead: one table.")
@formats("text", "json", "markdown")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@output_file
@verbose
def audit(
    target: str | None, arguments: Sequence[str], gallery: bool, format: str, quiet: bool, output_file: str | None, **request: Any
) -> Exit:
    """Say whether a backward is the derivative of its forward.

    With --reference also whether either is true. TARGET is module:function, file.py:Class.apply, or a torch module. Exit code 1 for an
    incoherent function or one outside the bound of its reference, 6 for an undecided one.
    """
    if gallery and target is None:
        return _gallery(format, quiet, output_file)
    if target is None or gallery:
        raise BadInput("one TARGET is needed, such as module:function; or --gallery, without any")
    if format == "markdown":
        raise BadInput("format markdown is for --gallery: use text or json")
    return _one(target, arguments, format, quiet, output_file, **request)


def _gallery(format: str, quiet: bool, output_file: str | None) -> Exit:
    from certify.report.gallery import data, render
    from certify.studies.finite_start.clip import clips
    from certify.studies.gallery import rows

    with contextlib.redirect_stdout(sys.stderr), _stages(quiet) as watch:
        found = list(rows(watch))
        watch("where the public recurrence clips")
        text = render(data(found, list(clips())), format)
    emit(text, output_file)
    return Exit.HOLDS


def _one(target: str, arguments: Sequence[str], format: str, quiet: bool, output_file: str | None, **request: Any) -> Exit:
    from certify.audit.auditor import audit
    from certify.audit.target import resolve

    shapes, domain, dtype = request.pop("shapes"), request.pop("domain"), request.pop("dtype")
    try:
        with contextlib.redirect_stdout(sys.stderr), _stages(quiet) as watch:
            fn = resolve(target, arguments)
            options = {"domain": _interval(domain), "inputs": _examples(shapes), "dtype": list(dtype) or None, "watch": watch}
            result = audit(fn, **options, **request)
    except ValueError as error:
        raise BadInput(str(error)) from None
    except SystemExit as end:
        raise BadInput(f"the function raises SystemExit: {end}") from None
    emit(json.dumps(result.record(), indent=2, ensure_ascii=False) + "\n" if format == "json" else result.explain() + "\n", output_file)
    return _exit(result, request["reference"])


def _interval(ends: Sequence[str] | None) -> tuple[float, float] | None:
    if not ends:
        return None
    try:
        low, high = (float(end) if end.strip("+-") == "inf" else float(Fraction(end)) for end in ends)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise BadInput(f"domain {' '.join(ends)}: two numbers are needed, such as -1 1e5") from None
    return low, high


def _examples(shapes: Sequence[str]) -> tuple[Any, ...] | None:
    """Standard normal inputs of the given shapes, always the same."""
    if not shapes:
        return None
    import torch

    generator = torch.Generator().manual_seed(0)
    try:
        sizes = [tuple(int(n) for n in shape.split("x")) for shape in shapes]
        return tuple(torch.randn(size, generator=generator, dtype=torch.float64) for size in sizes)
    except (ValueError, RuntimeError):
        raise BadInput(f"shape {' '.join(shapes)}: sizes joined by x are needed, such as 3x4") from None


@contextlib.contextmanager
def _stages(quiet: bool) -> Iterator[Any]:
    """What an audit tells of its stages, shown once it takes long."""
    from certify.claims.progress import Stderr

    start, console, shown = time.monotonic(), Stderr(), ""

    def watch(stage: str) -> None:
        nonlocal shown
        if not quiet and time.monotonic() - start > PATIENCE and stage != shown:
            shown = stage
            console.print(f"audit: {stage}, {time.monotonic() - start:.0f} s")

    yield watch


def _exit(result: Any, reference: str | None) -> Exit:
    from certify.audit.outcome import Coherence, Fidelity

    coherence, fidelity = result.coherence.outcome, result.fidelity.outcome
    if coherence is Coherence.INCOHERENT or fidelity is Fidelity.OUTSIDE:
        return Exit.REFUTED
    undecided = coherence in (Coherence.INCONCLUSIVE, Coherence.OUT_OF_DOMAIN) or (reference is not None and fidelity is Fidelity.UNKNOWN)
    return Exit.UNDECIDED if undecided else Exit.HOLDS
