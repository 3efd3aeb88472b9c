"""Checking certificates: files, folders of them, and the folders that runs leave."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from certify.checker.checker import Established, Refused
from certify.claims.certificate import NotACertificate, decode, hold
from certify.claims.claim import Claim
from certify.claims.exits import BadInput, NothingSelected
from certify.claims.files import read
from certify.claims.folder import CERTIFICATES, REPORT, certificate_file, certificate_files, report_in
from certify.claims.formats import check as run_checker
from certify.claims.pool import SpawnedPool
from certify.claims.provenance import cores
from certify.claims.record import Data
from certify.claims.registry import Registry, load, split
from certify.claims.settings import check_settings
from certify.claims.text import line, one_line
from certify.claims.verdict import Outcome

SHARE = 4
"""Certificates that are worth a worker process."""
Replay = Callable[[], Established]
"""Returns what a certificate establishes, or raises Refused."""


class Checked(Data, frozen=True):
    """A certificate with the checker's words: what it establishes and the lemmas it cites, or why it is refused."""

    path: str
    claim: str
    accepted: bool
    established: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    refusal: str | None = None


def check(
    paths: Sequence[str], constants: Mapping[str, Fraction] | None = None, standalone: bool = False, jobs: int | None = None
) -> list[Checked]:
    """Check certificate files, and all certificates in folders; paths that end in ``.py`` are claim files.

    A certificate is accepted if the checker re-establishes it and its theorem is the one that the claim of its id
    states, with ``constants`` in place of the claim's own; with ``standalone``, claims are not looked at. In a run's
    folder, a claim that the report calls proved is refused unless its certificate is there and is the one reported.
    At most ``jobs`` processes share the work, by default one a core.
    Raises BadInput for what cannot be read, is not a certificate, or belongs to an unknown claim; NothingSelected where
    no certificate is found.
    """
    named = [path for path in paths if split(path)[0] is None]
    try:
        found = {file: _decode(file) for path in named for file in _files(path)}
        missing = [lack for path in named for lack in _lacking(Path(path))]
    except OSError as error:  # a folder that may not be entered
        raise BadInput(f"cannot read {error.filename!r}: {error.strerror}") from None
    if not found and not missing:
        raise NothingSelected(f"no certificate in {', '.join(map(repr, named))}" if named else "no certificate is named")
    claims = {} if standalone else _claims(load(paths), found)
    check_settings(claims.values(), constants or {})
    with _replays(list(found.values()), jobs or cores()) as replays:
        work = zip(found.items(), replays, strict=True)
        results = [_checked(file, data, replay, claims.get(file), constants or {}) for (file, data), replay in work]
    return sorted(results + missing, key=lambda result: result.path)


def _files(path: str) -> list[Path]:
    """The certificate files that a path stands for."""
    folder = Path(path)
    if not (path and folder.is_dir()):
        return [folder]
    if _is_run(folder):
        return certificate_files(folder)
    return sorted(file for file in folder.glob("*.json") if file.is_file())


def _is_run(path: Path) -> bool:
    return (path / REPORT).is_file() or (path / CERTIFICATES).is_dir()


def _decode(file: Path) -> dict[str, Any]:
    try:
        return decode(read(file))
    except NotACertificate as error:
        raise BadInput(f"{str(file)!r} is {error}") from None


def _lacking(path: Path) -> Iterable[Checked]:
    """Refusals for the claims that a folder's report calls proved without having their certificate."""
    if not (path / REPORT).is_file():
        return
    for record in report_in(str(path))[1].claims:
        if record.outcome is not Outcome.PROVED:
            continue
        file = certificate_file(path, record.id)
        held = _decode(file).get("digest") if file.is_file() else None
        if record.evidence is None or held != record.evidence.digest:
            lack = "is not the one that the report names" if held else "is missing, though the report says proved"
            yield Checked(path=line(str(file)), claim=record.id, accepted=False, refusal=f"the certificate {lack}")


def _claims(registry: Registry, found: Mapping[Path, Mapping[str, Any]]) -> dict[Path, Claim]:
    """The claim whose id each certificate carries."""
    claims = {}
    for file, data in found.items():
        entry = registry.claims.get(str(data.get("claim")))
        if entry is None:
            unknown = f"{str(file)!r} is of the unknown claim {data.get('claim')!r}"
            raise BadInput(f"{unknown}: name its claim file too, or use --standalone")
        if entry.trace is not None:
            raise BadInput(entry.claim.prove().summary)
        claims[file] = entry.claim
    return claims


@contextlib.contextmanager
def _replays(certificates: Sequence[dict[str, Any]], jobs: int) -> Iterator[list[Replay]]:
    """The checker's work on each."""
    workers = min(jobs, len(certificates) // SHARE)
    if workers <= 1:
        yield [partial(run_checker, data) for data in certificates]
        return
    pool = SpawnedPool(workers)
    try:
        yield [pool.submit(run_checker, data).result for data in certificates]
    finally:
        pool.kill_workers()


def _checked(file: Path, data: Mapping[str, Any], replay: Replay, claim: Claim | None, constants: Mapping[str, Fraction]) -> Checked:
    id = str(data.get("claim"))
    try:
        statements, lemmas = map(tuple, replay())
        if claim is not None:
            hold(data, claim, constants)
    except Refused as error:
        return Checked(path=line(str(file)), claim=id, accepted=False, refusal=one_line(error).removeprefix("Refused: "))
    return Checked(path=line(str(file)), claim=id, accepted=True, established=statements, lemmas=lemmas)
