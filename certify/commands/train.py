"""``certify train forks`` and ``certify train arms``."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from certify.claims.exits import BadInput, Exit
from certify.commands.options import Group, emit, examples, executor, verbose

HERE = "training"
MOST = 1000  # seeds, factors


@click.group(cls=Group, no_args_is_help=False)
def train() -> None:
    """Train one loss under several backward rules.

    All else is shared. A run that was killed goes on where it stood when the same command is given again.
    """


def _numbers(_context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    """Whole numbers between commas; 0-4 stands for 0,1,2,3,4."""
    try:
        ends = [(int(first), int(last if dash else first)) for first, dash, last in (part.partition("-") for part in value.split(","))]
    except ValueError:
        ends = []
    count = sum(max(0, last - first + 1) for first, last in ends)
    if not 0 < count <= MOST:
        raise BadInput(f"--{parameter.name} {value!r}: whole numbers, as in 0,1,2 or 0-2, at most {MOST}, are accepted")
    return tuple(number for first, last in ends for number in range(first, last + 1))


def _options(arms: str, factors: str, seeds: str) -> Callable[[Any], Any]:
    """What both studies take, with their defaults."""
    options = [
        click.option("--data", default="digits", show_default=True, help="digits, cifar10, cifar100 or synthetic."),
        click.option("--folder", metavar="DIR", help="Where the archive of CIFAR lies unpacked."),
        click.option("--factor", default=factors, show_default=True, callback=_numbers, help="Largest class over smallest; 10,50,100."),
        click.option("--features", default="raw", show_default=True, help="raw, as PATT takes them, or unit, as ProCo does."),
        click.option("--dim", type=int, default=128, show_default=True, help="Dimension p, even."),
        click.option("--batch", type=int, default=64, show_default=True, help="Images, in two views each."),
        click.option("--steps", type=int, default=1000, show_default=True, help="Updates."),
        click.option("--arms", default=arms, show_default=True, help="Of original, consistent, rounded, faithful, AR_0 to AR_8."),
        click.option("--seeds", default=seeds, show_default=True, callback=_numbers, help="As in 0,1,2 or 0-2."),
        click.option("--device", default="cpu", show_default=True, help="cpu or cuda."),
        click.option("--jobs", "-j", type=int, help="Worker processes.  [default: one a core]"),
        executor,
        click.option("--output-dir", "-o", metavar="DIR", default=HERE, show_default=True, help="For runs and record: new, or begun."),
        click.option("-q", "--quiet", is_flag=True, help="No progress on stderr."),
        verbose,
    ]
    return lambda command: [command := option(command) for option in reversed(options)][-1]


@train.command(epilog=examples("certify train forks --steps 200 --seeds 0 -o training"))
@_options("original,consistent,rounded,AR_1", "100", "0")
def forks(**options: Any) -> Exit:
    """Fork training by the backward rule alone (Figure 3).

    The branches start from a random and from a trained state. 43 probes compare the rules at shared states; the record is
    DIR/forks.json, which `certify figure 3 --from` draws.
    """
    from certify.report.training import forks_text
    from certify.training.forks import equal_everywhere

    record = _train("forks", **options)
    emit(forks_text(record))
    return Exit.HOLDS if all(equal_everywhere(run["forks"]) for run in record["runs"]) else Exit.REFUTED


@train.command(epilog=examples("certify train arms --seeds 0-4 -o training"))
@_options("original,consistent,AR_1", "100", "0-2")
def arms(**options: Any) -> Exit:
    """Train arms to the end and compare them over seeds.

    Data and initialisation are matched: Tables 1 and 8 in small. The record is DIR/arms.json, which `certify table 1 8 --from` and
    `certify figure training --from` show.
    """
    from certify.report.training import arms_text

    emit(arms_text(_train("arms", **options)))
    return Exit.HOLDS


def _train(
    study: str,
    output_dir: str,
    seeds: tuple[int, ...],
    factor: tuple[int, ...],
    jobs: int | None,
    executor: str | None,
    quiet: bool,
    arms: str,
    **options: Any,
) -> dict[str, Any]:
    from certify.claims.executors import connect
    from certify.training.session import Request, train
    from certify.training.settings import Settings

    request = Request(study, Settings(seed=seeds[0], factor=factor[0], arms=tuple(arms.split(",")), **options), seeds, factor, jobs)
    if executor is None:
        return train(request, output_dir, quiet)
    cluster = connect(executor)
    spread = replace(request, pool=cluster.pool, jobs=jobs or cluster.workers)
    return train(spread, os.path.abspath(output_dir), quiet)  # a folder that the workers share
