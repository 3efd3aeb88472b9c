"""The folder of a run: its report, in several renderings, and its certificates, written as claims finish."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from certify.claims.exits import BadInput
from certify.claims.files import make_folder, read, refuse_unless_replaceable, write_atomically
from certify.claims.lock import locked
from certify.claims.record import ClaimRecord, Report
from certify.claims.session import Watcher
from certify.claims.settle import Stored
from certify.claims.worker import Finished

REPORT, CERTIFICATES = "report.json", "certificates"
Renderings = Mapping[str, Callable[[Report], str]]


class Folder(Watcher):
    """Keeps a folder in step with a run. ``renderings`` maps file names to functions of the report that has ended."""

    def __init__(self, path: str, renderings: Renderings) -> None:
        self.path, self.renderings = Path(path), renderings

    def stored(self) -> dict[str, Stored]:
        """What an earlier run left here, by claim id."""
        records = self._earlier_records()
        return {file.stem: Stored(read(file), records.get(file.stem)) for file in certificate_files(self.path)}

    def _earlier_records(self) -> dict[str, ClaimRecord]:
        try:
            return {record.id: record for record in decode_report(read(self.path / REPORT)).claims}
        except BadInput:
            return {}

    def begin(self, report: Report) -> None:
        """Raises BadInput, before anything is checked, where what is to be written later could not be."""
        for name in self.renderings:
            refuse_unless_replaceable(self.path / name)
        for record in report.claims:
            refuse_unless_replaceable(certificate_file(self.path, record.id))
        self._write_report(report)

    def finished(self, finished: Finished, report: Report) -> None:
        file = certificate_file(self.path, finished.record.id)
        if finished.certificate is not None:
            write_atomically(file, finished.certificate)
        else:
            _remove(file)  # what an earlier run proved no longer holds
        self._write_report(report)

    def end(self, report: Report) -> None:
        self._write_report(report)
        for name, render in self.renderings.items():
            write_atomically(self.path / name, render(report))

    def _write_report(self, report: Report) -> None:
        write_atomically(self.path / REPORT, encode_report(report))


def encode_report(report: Report) -> bytes:
    """The content of ``report.json``."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def decode_report(content: bytes) -> Report:
    """The report in a ``report.json``. Raises BadInput where it is not one of this version's format."""
    try:
        return msgspec.json.decode(content, type=Report)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise BadInput(f"not a report: {' '.join(str(error).split())[:200]}") from None


def report_in(path: str) -> tuple[str, Report]:
    """The report in a run's folder, or in a ``report.json``, with the file's name. Raises BadInput, one line, where there is none."""
    file = Path(path) / REPORT if Path(path).is_dir() else Path(path)
    if not os.path.lexists(file):
        raise BadInput(f"cannot read {path!r}: a run's folder with its {REPORT} is looked for there; certify run -o DIR makes one")
    content = read(file)
    try:
        return str(file), decode_report(content)
    except BadInput as error:
        raise BadInput(f"{str(file)!r} is {error}") from None


def certificate_file(folder: Path, id: str) -> Path:
    """Where a run's folder keeps the certificate of a claim."""
    return folder / CERTIFICATES / f"{id}.json"


def certificate_files(folder: Path) -> list[Path]:
    """The certificate files in a run's folder, sorted."""
    return sorted(path for path in (folder / CERTIFICATES).glob("*.json") if path.is_file() and path.name[0] != ".")


@contextlib.contextmanager
def opened(path: str, renderings: Renderings) -> Iterator[Folder]:
    """A folder for one run, made where it does not exist. Raises BadInput where it is in use or cannot be written."""
    make_folder(make_folder(path) / CERTIFICATES)
    with locked(Path(path)):
        yield Folder(path, renderings)


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(f"cannot remove {str(file)!r}: {error.strerror}") from None
