"""Table 7: what the realizations cost, as printed (H100) beside what ``certify bench`` recorded.

A time on another machine neither confirms nor contradicts a printed one, so that no cell is judged: ratios and floors are what
can be compared, and a device without a record says *not run here*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from certify.bench.settings import MIB, VIEWS
from certify.bench.summary import Ratio, ratios, rows
from certify.data.printed import Printed
from certify.studies.timings.record import Record, Settings

ID = "7"
TITLE = "Local forward and backward costs"
PRINTED = ("runtime_ms", "peak_increment_MiB")
PRINTED_RATIOS = ("original/ARFR", "ARFR/structured", "original/structured")
REALIZATIONS = ("original recurrence", "consistent recurrence", "log-domain Miller", "AR/FR", "structure-aware AR/FR")
NOT_RUN = "not run here"
DEVICES = ("cpu", "cuda")
CONSISTENT = REALIZATIONS[1]


@dataclass(frozen=True)
class Measured:
    """A row of one record; ``reason`` says why there are no times."""

    name: str
    variant: str = ""
    milliseconds: tuple[float, float, float] | None = None
    mebibytes: float | None = None
    floor: float | None = None
    reason: str = NOT_RUN


@dataclass(frozen=True)
class Measurement:
    """One record: where, under which settings, its rows in the paper's order and its ratios."""

    device: str
    place: str
    settings: str
    rows: tuple[Measured, ...]
    ratios: tuple[Ratio, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class CostTable:
    """Printed texts by realization, printed ratios by name, and the measurements."""

    printed: dict[str, tuple[str, str]]
    printed_ratios: dict[str, str]
    measurements: tuple[Measurement, ...]
    id: str = ID
    title: str = TITLE
    contradicts: bool = False


def build(printed: Printed, records: Sequence[Record]) -> CostTable:
    """The table from records; a kind of device that has none is listed as not run. Raises ValueError where a printed value is missing."""
    texts = {name: (printed.value(ID, name, PRINTED[0]), printed.value(ID, name, PRINTED[1])) for name in REALIZATIONS}
    found = [_measurement(record, texts[CONSISTENT][1]) for record in records]
    missing = [_absent(device) for device in DEVICES if device not in {measurement.device for measurement in found}]
    return CostTable(texts, _printed_ratios(printed), (*found, *missing))


def _printed_ratios(printed: Printed) -> dict[str, str]:
    given = printed.tables.get(f"table{ID}", {}).get("ratios", {})
    return {name: str(given[name]) for name in PRINTED_RATIOS if name in given}


def _measurement(record: Record, printed: str) -> Measurement:
    best = {row["name"]: row for row in rows(record.raw)}
    settings, place = record.settings, record.environment
    sizes = f"B = {settings.batch}, K = {settings.classes}, p = {settings.dim}, {settings.dtype}, seed {settings.seed}"
    rounds = f"{settings.repeats} repetitions after {settings.warmups} warm-ups, each after an unmeasured run of its own"
    where = f"{place.device}, {place.threads} threads, load {place.load} before, torch {place.versions.get('torch', '?')}"
    return Measurement(
        settings.device,
        where if settings.device == "cpu" else place.device,
        f"{sizes}; {rounds}",
        tuple(_row(name, best.get(name)) for name in REALIZATIONS),
        tuple(ratios(record.raw)),
        (_stored(settings, printed),),
    )


def _stored(settings: Settings, printed: str) -> str:
    """Why consistent recurrence takes the memory that it takes: what autograd keeps, by the form of a step."""
    arrays = VIEWS * 2 * (settings.dim // 2 - 1)
    size = arrays * settings.batch * settings.classes * 8 / MIB
    kept = f"keeps one B×K array of float64 a step and view, {arrays} in all, {size:.0f} MiB"
    more = f"two to three times as many would account for the printed {printed} MiB"
    return f"{CONSISTENT}: a step is one multiply-add, of which autograd {kept}; {more}"


def _row(name: str, row: dict | None) -> Measured:
    if row is None:
        return Measured(name)
    times, peak = row["milliseconds"], row["peak_bytes"]
    return Measured(
        name,
        row["variant"],
        None if times is None else (times["median"], times["least"], times["most"]),
        None if peak is None else peak / MIB,
        row["floor_milliseconds"],
        row["failure"],
    )


def _absent(device: str) -> Measurement:
    return Measurement(device, NOT_RUN, f"certify bench --device {device} -o FILE; certify table {ID} --bench FILE", (), ())
