"""The field: every realization and every kind of public value and gradient, audited in one way.

Each is audited in float64 on [1, 10⁵], in the order of its own source; beside what the auditor finds stands the exact derivative at the
input where supplied and realized derivative are furthest apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from certify.exact import bessel
from certify.exact.ball import working_precision
from certify.exact.number import exact

DOMAIN = (1.0, 1e5)
ORDER, ALIASED = 63, 511  # p = 128, and p = 1024, where a rescaling corrupts a batch
DIMENSIONS = {"BoundAsGradient": 300, "RiccatiRatio": 65, "SwitchedLogNormalizer": 3}
DIMENSION = 128
BITS = 4096


@dataclass(frozen=True)
class Entry:
    """A subject: its name, p, the function and its exact derivative."""

    name: str
    p: int
    call: Callable[[Any], Any]
    truth: Callable[[float], arb]


@dataclass(frozen=True)
class Row:
    """What an audit says of an entry: coherence, what else is wrong, where the defect starts and is largest, the numbers there."""

    name: str
    p: int
    coherence: str
    beside: tuple[str, ...]
    starts: float | None = None
    at: float | None = None
    peak: float | None = None
    supplied: float | None = None
    realized: float | None = None
    truth: float | None = None


def entries() -> Iterator[Entry]:
    """The realizations at p = 128, the public code at p = 1024 too, and the kinds at the dimensions that show what is odd in them."""
    from certify.realizations.kinds import KINDS
    from certify.realizations.tensor.catalogue import REALIZATIONS
    from certify.realizations.tensor.public import PublicOriginal

    for make in REALIZATIONS:
        yield Entry(make.name, 2 * ORDER + 2, make(ORDER).potential, _ratio(ORDER))  # type: ignore[call-arg]
    yield Entry(PublicOriginal.name, 2 * ALIASED + 2, PublicOriginal(ALIASED).potential, _ratio(ALIASED))
    for kind in KINDS:
        one = kind(DIMENSIONS.get(kind.__name__, DIMENSION))
        yield Entry(one.name, one.dimension, one, _derivative(one.quantity, one.order))


def row(entry: Entry) -> Row:
    """Audit an entry."""
    import certify
    from certify.audit.evidence import Kind

    result = certify.audit(entry.call, domain=DOMAIN, dtype="float64")
    beside = tuple(dict.fromkeys(f.kind.value for f in result.coherence.findings if f.kind is not Kind.DERIVATIVE))
    head = (entry.name, entry.p, result.coherence.outcome.value, beside)
    e = result.evidence[0].extent
    if e is None:
        return Row(*head)
    return Row(*head, e.starts, e.at, e.peak, e.supplied, e.realized, float(entry.truth(e.at).mid()))


def rows(watch: Callable[[str], None] = lambda stage: None) -> Iterator[Row]:
    """All of them; ``watch`` is told the names."""
    for entry in entries():
        watch(f"{entry.name}, p = {entry.p}")
        yield row(entry)


def _ratio(order: float) -> Callable[[float], arb]:
    """R_ν, the derivative of Φ_ν."""
    return lambda x: bessel.ratio(Fraction(order), exact(x))


def _derivative(quantity: str, order: float) -> Callable[[float], arb]:
    """The exact derivative of a kind's quantity, by I_v′ = I_{v+1} + (v/x) I_v and the Riccati equation."""
    v = exact(Fraction(order))

    def at(x: float) -> arb:
        with working_precision(BITS):
            z, ratio = exact(x), bessel.ratio(v, exact(x))
            match quantity:
                case "log bessel":
                    return v / z + ratio
                case "scaled bessel":
                    return arb(z).bessel_i(arb(v), scaled=True) * (v / z + ratio - 1)
                case "log normalizer":
                    return -ratio
                case _:
                    return 1 - (2 * v + 1) / z * ratio - ratio * ratio

    return at
