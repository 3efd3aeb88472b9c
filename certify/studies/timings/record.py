"""Records of ``certify bench``: read and checked against their form."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from certify.claims.exits import BadInput
from certify.claims.files import read

SCHEMA = "certify.bench/1"
HOME = Path("reports", "bench")
"""Where records are looked for, in the current folder, when none is named."""


class Times(msgspec.Struct, frozen=True):
    """Milliseconds."""

    median: float
    least: float
    most: float
    all: tuple[float, ...]


class Row(msgspec.Struct, frozen=True):
    """A realization in one variant; ``milliseconds`` is None where ``failure`` says why it was not timed."""

    name: str
    variant: str
    milliseconds: Times | None
    peak_bytes: int | None
    floor_milliseconds: float
    failure: str


class Evaluator(msgspec.Struct, frozen=True):
    name: str
    milliseconds: Times | None
    failure: str


class Classes(msgspec.Struct, frozen=True):
    """The structure-aware boundary at one number of classes; what B×K float64 and B×K×p tensors take."""

    classes: int
    milliseconds: Times
    peak_bytes: int
    score_bytes: int
    dense_bytes: int


class Dimension(msgspec.Struct, frozen=True):
    """Evaluators alone at one dimension."""

    dim: int
    milliseconds: dict[str, Times]


class Found(msgspec.Struct, frozen=True):
    """What the part "table" found."""

    rows: tuple[Row, ...]
    products: Times
    rates: dict[str, float]


T = TypeVar("T")


class Part(msgspec.Struct, Generic[T], frozen=True):
    """What a part found; nothing where it failed or was not reached."""

    found: T | None = None


class Parts(msgspec.Struct, frozen=True):
    """A run that was cut short lacks the later ones."""

    table: Part[Found] = Part()
    evaluators: Part[tuple[Evaluator, ...]] = Part()
    classes: Part[tuple[Classes, ...]] = Part()
    dimensions: Part[tuple[Dimension, ...]] = Part()


class Settings(msgspec.Struct, frozen=True):
    device: str
    batch: int
    classes: int
    dim: int
    dtype: str
    warmups: int
    repeats: int
    seed: int


class Place(msgspec.Struct, frozen=True):
    device: str
    threads: int
    versions: dict[str, str]
    commit: str | None = None
    load: float | None = None


class Record(msgspec.Struct, frozen=True):
    """One run; ``raw`` is the record as plain data."""

    schema: str
    settings: Settings
    environment: Place
    parts: Parts
    raw: dict[str, Any] = {}


def load(path: Path) -> Record:
    """The record in a file. Raises BadInput, one line, for a file that is none."""
    content = read(path)
    try:
        record = msgspec.json.decode(content, type=Record)
        raw = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{str(path)!r} is not a record of certify bench: {error}") from None
    if record.schema != SCHEMA:
        raise BadInput(f"{str(path)!r} has schema {record.schema!r}: {SCHEMA} is accepted")
    return msgspec.structs.replace(record, raw=raw)


def records(paths: tuple[str, ...]) -> list[Record]:
    """The records named, or those in ``HOME``, which may be none."""
    found = [Path(path) for path in paths] or sorted(HOME.glob("*.json"))
    return [load(path) for path in found]
