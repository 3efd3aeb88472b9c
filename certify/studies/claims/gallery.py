r"""What the auditor says of the recurrence and of the closed form, held against mathematics that it does not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb, fmpq

from certify.claims.claim import claim
from certify.claims.verdict import Reason, Verdict
from certify.exact.number import exact, show
from certify.studies.points import Point, at_most, everywhere

if TYPE_CHECKING:
    from torch import Tensor

    from certify.exact.interpret.defect import Stretch

ORDER = 63
CLIPPED, CLOSED = (4000.0, 4300.0), (1e-3, 1e5)
ATTEMPTS = 600


@claim(
    "audit.clip",
    statement=r"\Bigl|\frac{x_{\mathrm{clip}}}{x^*} - 1\Bigr| \le \varepsilon,\quad"
    r" \bigl|\,|\hat d_{\mathrm{audit}}| - |1 - \tilde\Phi_{\nu,2\nu}'|\,\bigr| \le \varepsilon,\quad"
    r" \tilde R_{\nu,2\nu}(x^*) = 1,\ \varepsilon = 10^{-11}",
    domain=r"p \in \{64, 128, \dots, 2048\},\ \text{the public code in float64}",
    source="Section 5.3, Appendix E.5; the public recurrence audited, beside the recurrence in balls",
    grade="measured",
    constants={"epsilon": "1e-11"},
)
def clip(epsilon: Fraction) -> Verdict:
    summary = "the code clips where the raw ratio crosses one, and the defect that an audit finds there is that of the recurrence in balls"
    return everywhere(_clip(exact(epsilon)), summary, Verdict.measured)


def _clip(epsilon: fmpq) -> Iterator[Point]:
    from certify.studies.finite_start.clip import clips

    for each in clips():
        at = {"nu": str(each.nu), "M": str(2 * each.nu)}
        apart, onset = abs(exact(each.onset) / each.crossing - 1), exact(each.onset)
        yield Point({**at, "x": show(onset)}, "|onset/crossing - 1| <= epsilon", at_most(apart, epsilon), {"onset": onset})
        gap, measured = abs(arb(exact(each.measured)) - each.exact), exact(each.measured)
        found = {"defect found": measured, "exact": each.exact}
        yield Point({**at, "x": show(exact(each.place))}, "|defect found - exact| <= epsilon", at_most(gap, epsilon), found)


@claim(
    "audit.recurrence",
    statement=r"|\min(\tilde R_{\nu,2\nu}, 1) - \tilde\Phi_{\nu,2\nu}'| \ge c\ \text{for the operations that torch runs},\quad c = 10^{-3}",
    domain=r"\nu = 63,\ 4000 \le x \le 4300",
    source="Section 3.2, Appendix E.5; the traced program, over the real numbers",
    grade="enclosed",
    constants={"c": "1/1000"},
)
def recurrence(c: Fraction) -> Verdict:
    from certify.audit.traced.certified import lower_bound
    from certify.realizations.tensor.original import Original

    found = lower_bound(Original(ORDER).potential, CLIPPED, c, attempts=ATTEMPTS)
    return _verdict(found.open, found.trace.program, lambda defect: at_most(exact(c), defect.abs_upper()), found.statements())


@claim(
    "audit.closed",
    statement=r"|(1+\delta)A_R - F_R'| \le 3\cdot10^{-16}(1+A_R)\ \text{for the operations that the closed form runs},\quad \delta = 0",
    domain=r"\nu = 63,\ 10^{-3} \le x \le 10^5",
    source="Section 4, claim identity.derivative; the traced program of the closed form, over the real numbers",
    grade="enclosed",
    constants={"delta": 0},
)
def closed(delta: Fraction) -> Verdict:
    from certify.audit.traced.certified import certified
    from certify.realizations.tensor.closed_form import ClosedForm

    shipped = ClosedForm(ORDER).potential

    def potential(x: Tensor) -> Tensor:
        value = shipped(x)
        return value if not delta else value + float(delta) * (value - value.detach())

    found = certified(potential, CLOSED)
    return _verdict(found.incoherent, found.trace.program, lambda defect: at_most(defect.abs_lower(), fmpq(0)), found.statements())


def _verdict(failing: tuple[Stretch, ...], program: Any, holds: Callable[[arb], Any], statements: list[str]) -> Verdict:
    """Enclosed where no stretch fails; refuted with a point inside one that does, at which balls confirm it; else undecided."""
    from certify.exact.ball import working_precision
    from certify.exact.interpret.defect import BITS, enclosure
    from certify.exact.truth import Truth
    from certify.studies.decimals import scientific

    if not failing:
        return Verdict.enclosed("; ".join(statements))
    stretch = max(failing, key=lambda each: each.high - each.low)
    x = (stretch.low + stretch.high) / 2
    with working_precision(BITS):
        radius = (stretch.high - stretch.low) / 2**20
        defect, supplied = enclosure(program, "x", x - radius, x + radius, {})
        if holds(defect) is Truth.NO:
            witness = {"x": show(x), "defect": scientific(defect, 15), "supplied": scientific(supplied, 15)}
            return Verdict.refuted(witness, "; ".join(statements))
    return Verdict.undecided(Reason.INEQUALITY_OPEN, "; ".join(statements))
