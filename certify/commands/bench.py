"""``certify bench``."""

from __future__ import annotations

from typing import Any

import click

from certify.claims.exits import Exit
from certify.commands.options import Command, emit, examples, formats, verbose


@click.command(cls=Command, epilog=examples("certify bench --device cpu -o bench.json"))
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@click.option("--batch", type=int, default=32, show_default=True, help="Features B a view.")
@click.option("--classes", type=int, default=1000, show_default=True, help="Classes K.")
@click.option("--dim", type=int, default=1024, show_default=True, help="Dimension p, even.")
@click.option("--dtype", type=click.Choice(["float32", "float64"]), default="float32", show_default=True, help="Of the geometry.")
@click.option("--warmups", type=int, default=3, show_default=True)
@click.option("--repeats", type=int, default=7, show_default=True, help="Timed rounds, every row once in each.")
@click.option("--seed", type=int, default=3407, show_default=True)
@click.option("--threads", type=int, default=0, help="Of PyTorch on the CPU.  [default: its own choice]")
@click.option("--output-file", "-o", metavar="FILE", help="Write the record (JSON) to FILE, after every part.")
@formats("text", "json")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@verbose
def bench(output_file: str | None, format: str, quiet: bool, **settings: Any) -> Exit:
    """Time the paper's realizations on this machine (Table 7).

    Each is checked against its own exact definition first. Also: evaluators alone, the machine's floor for each row, the primitives on the
    device, growth with p and K. `certify table 7 --bench FILE` and `certify figure 6 reversal --bench FILE` show what was recorded.
    """
    from certify.bench.session import dumps, run
    from certify.bench.settings import Settings
    from certify.bench.summary import outcome, text
    from certify.claims.progress import Stderr

    console = Stderr()
    report = (lambda line: None) if quiet else (lambda line: console.print(line, markup=False))
    record = run(Settings(**settings), output_file, report)
    emit(dumps(record) if format == "json" else text(record))
    return outcome(record)
