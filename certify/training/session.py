"""Many runs over processes or any executor; a folder in which they can be killed and gone on with; one record at the end.

DIR/runs/NAME/      each run: checkpoint.json with its tensors while it runs, result.json and model.safetensors afterwards
DIR/forks.json      the record (or arms.json); the same settings give the same bytes
DIR/timings.json    seconds and machine, apart
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from certify.claims.exits import BadInput
from certify.claims.files import make_folder, read, refuse_unless_replaceable, write_atomically
from certify.claims.interrupt import interruptible
from certify.claims.lock import locked
from certify.claims.pool import SpawnedPool
from certify.claims.provenance import cores, environment
from certify.claims.runner import Pool, Runner
from certify.claims.text import one_line
from certify.training import arms, forks, record
from certify.training.checkpoint import Folder, dumps
from certify.training.data import load
from certify.training.progress import Progress
from certify.training.settings import Settings

EXTENDED = ("seeds", "factors", "arms")


class Run(NamedTuple):
    """One task of an executor."""

    study: str
    settings: Settings
    folder: str


@dataclass(frozen=True)
class Request:
    """``settings`` of all runs but for what varies: seeds, and for *arms* factors. ``jobs`` None: one a core."""

    study: str
    settings: Settings
    seeds: tuple[int, ...] = (0,)
    factors: tuple[int, ...] = (100,)
    jobs: int | None = None
    pool: Pool = SpawnedPool

    def __post_init__(self) -> None:
        for name, values in (("seeds", self.seeds), ("factor", self.factors)):
            if not values or len(set(values)) < len(values):
                raise BadInput(f"{name}: different ones are accepted, one at least")
        if self.jobs is not None and self.jobs < 1:
            raise BadInput(f"jobs = {self.jobs}: at least 1 is accepted")
        if self.study == "forks":
            forks.refuse(self.settings)

    def runs(self, folder: Path) -> list[Run]:
        """Forks share everything, hence one run a seed; arms run alone."""
        alone = [(arm,) for arm in self.settings.arms] if self.study == "arms" else [self.settings.arms]
        found = []
        for factor in self.factors:
            for seed in self.seeds:
                for names in alone:
                    settings = replace(self.settings, factor=factor, seed=seed, arms=names)
                    name = f"factor-{factor}-seed-{seed}" + (f"-{names[0]}" if self.study == "arms" else "")
                    found.append(Run(self.study, settings, str(folder / "runs" / name)))
        return found

    def plain(self) -> dict[str, Any]:
        """What the record depends on."""
        shared = {name: value for name, value in self.settings.plain().items() if name not in ("seed", "factor")}
        return {**shared, "seeds": list(self.seeds), "factors": list(self.factors)}


def train(request: Request, folder: str | Path, quiet: bool = False) -> dict[str, Any]:
    """Run what is left to run in the folder and write the record; the record.

    Raises BadInput, one line, for data that cannot be read and a folder with another configuration or in use, before anything is
    written; KeyboardInterrupt where it was interrupted, after which the same request goes on.
    """
    place = Path(folder)
    runs = request.runs(place)
    file = place / f"{request.study}.json"
    _refuse_others(file, request)
    for run in runs:
        Folder(run.folder, _identity(run)).refuse_others()
    load(runs[0].settings)
    with locked(make_folder(place)):
        refuse_unless_replaceable(file)
        seconds = _run(request, runs, quiet)
        found = record.seal(request.study, request.plain(), _parts(request, runs))
        write_atomically(file, dumps(found))
        _keep_times(place / "timings.json", seconds)
    return found


def _keep_times(file: Path, seconds: dict[str, float]) -> None:
    """Beside those of runs that had ended before. Raises BadInput where these cannot be read."""
    try:
        earlier = dict(json.loads(read(file))["seconds"]) if file.exists() else {}
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{file} is damaged ({one_line(error)}): remove it and run again, the runs are kept") from None
    whole = {"seconds": dict(sorted({**earlier, **seconds}.items())), "environment": msgspec.to_builtins(environment())}
    write_atomically(file, dumps(whole))


def perform(run: Run) -> float:
    """Finish one run; the seconds that it took."""
    start, study = time.monotonic(), {"forks": forks.fork, "arms": arms.train}[run.study]
    study(run.settings, run.folder)
    return round(time.monotonic() - start, 2)


def _refuse_others(file: Path, request: Request) -> None:
    """A record may gain seeds, factors and arms, and change in nothing else."""
    if file.exists():
        there = record.load(file, request.study)["settings"]
        if differences := [name for name, value in request.plain().items() if name not in EXTENDED and there.get(name) != value]:
            raise BadInput(f"{file} is a record of other settings ({', '.join(differences)}): choose another folder")


def _run(request: Request, runs: Sequence[Run], quiet: bool) -> dict[str, float]:
    left = [run for run in runs if Folder(run.folder, _identity(run)).result() is None]
    seconds: dict[str, float] = {}
    with interruptible() as stop, Progress([run.folder for run in runs], quiet) as progress:
        runner = Runner(perform, min(request.jobs or cores(), max(len(left), 1)), stop, lambda run: None, request.pool)
        with closing(runner.run(left)) as results:
            for run, found in results:
                if isinstance(found, BaseException):
                    raise found
                seconds[Path(run.folder).name] = found
                progress.finished(Path(run.folder).name, found)
    if len(seconds) < len(left):
        raise KeyboardInterrupt
    return seconds


def _parts(request: Request, runs: Sequence[Run]) -> dict[str, Any]:
    """Of the results in the folder."""
    found = [_result(run) for run in runs]
    if request.study == "forks":
        return {"runs": found}
    return {"runs": found, "compared": arms.compare(found)}


def _result(run: Run) -> dict[str, Any]:
    result = Folder(run.folder, _identity(run)).result()
    assert result is not None
    identity = result.pop("identity")
    head = {"factor": run.settings.factor, "seed": run.settings.seed, "torch": identity["torch"]}
    return {**head, **({"arm": run.settings.arms[0]} if run.study == "arms" else {}), **result}


def _identity(run: Run) -> dict[str, Any]:
    return {"study": run.study, **run.settings.plain()}
