"""Every claim can fail: with one constant perturbed it is refuted, with the witness said to be one, or at least not proved."""

from fractions import Fraction

import pytest

from certify.claims.registry import load
from certify.claims.verdict import Outcome, Reason

CLAIMS = {id: entry.claim for id, entry in load().claims.items() if entry.origin.name.startswith("proofs")}

REFUTED = {
    "concentration.crossing": {"odd": "3"},
    "concentration.defect": {"shift": "1/2"},
    "concentration.limits": {"even": "1/3"},
    "concentration.potential": {"even": "49/100"},
    "concentration.ratio": {"odd": "21/10"},
    "concentration.remainder": {"third": "13/20"},
    "defect.crossing": {"sigma": "-1"},
    "defect.law": {"weight": "2"},
    "identity.derivative": {"correction": "1/25"},
    "identity.residual": {"quartic": "1/63"},
    "identity.riccati": {"shift": "2"},
    "ratio.cubic": {"C": "2/25"},
    "ratio.cubic.interval": {"C": "2/25"},
    "ratio.cubic.paper": {"damping": "21/10"},
    "ratio.increasing": {"factor": "99/100"},
    "ratio.second": {"lower": "2/25"},
    "ratio.zero": {"c": "1/9"},
    "recurrence.closed": {"wronskian": "2"},
    "recurrence.parity": {"start": "1"},
    "recurrence.product": {"sign": "1"},
    "riccati.erfcx": {"U": "1e-18"},
    "riccati.gamma": {"lower": "1"},
    "riccati.gamma.middle": {"upper": "11/10"},
    "riccati.gamma.small": {"lower": "11/10"},
    "riccati.hazard": {"lower": "1"},
    "riccati.hazard.convex": {"c": "49/100"},
    "riccati.watson": {"lower": "1/2"},
    **{f"riccati.second.{n}": {"C": "1/20"} for n in range(12)},
    **{f"riccati.second.potential.{n}": {"C": "1/20"} for n in range(12)},
    **{f"riccati.second.derivative.{n}": {"D": "1/20"} for n in range(12)},
    "score.cubic": {"C": "2/25"},
}
UNPROVED = {
    "ratio.cubic.paper": {"residual": "1"},
    "ratio.zero": {"c": "1"},
    "concentration.limits": {"odd": "3"},
    "concentration.remainder": {"third": "7/10"},
    "defect.crossing": {"sigma": "2"},
    "ratio.second": {"upper": "49/200"},
    "riccati.gamma": {"upper": "99/100"},
    "riccati.hazard": {"upper": "4/5"},
    "riccati.watson": {"upper": "11/20"},
}
ELSEWHERE = (
    *("ladder.", "learning.", "ratio.derivative", "ratio.optimal", "ratio.pointwise", "ratio.relative", "ratio.sharp", "rounding."),
    *("score.uniform", "softmax.", "state."),
)


def test_each_claim_is_perturbed():
    assert {id for id in CLAIMS if not id.startswith(ELSEWHERE)} == set(REFUTED)


@pytest.mark.parametrize("id", sorted(REFUTED))
def test_a_perturbed_claim_is_refuted(id):
    constants = {name: Fraction(value) for name, value in REFUTED[id].items()}
    assert all(CLAIMS[id].constants[name] != value for name, value in constants.items())
    verdict = CLAIMS[id].prove(constants)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness


@pytest.mark.parametrize("id", sorted(UNPROVED))
def test_a_perturbation_is_never_proved(id):
    verdict = CLAIMS[id].prove({name: Fraction(value) for name, value in UNPROVED[id].items()})
    assert verdict.outcome in (Outcome.UNDECIDED, Outcome.REFUTED)


def test_a_bound_that_only_the_barrier_misses_is_undecided():
    """K > 2 and |E| < ε³ fail as lemmas or as a barrier, while the theorem itself is true: nothing may call it refuted."""
    verdict = CLAIMS["ratio.zero"].prove({"c": Fraction(2)})
    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.reason in (Reason.HYPOTHESIS_FAILS, Reason.INEQUALITY_OPEN)


def test_the_witness_against_a_smaller_constant_is_confirmed_independently():
    """The witness of ratio.cubic with C = 2/25, recomputed with Arb's own Bessel functions."""
    from flint import arb, fmpq

    from certify.exact.ball import working_precision
    from certify.exact.truth import Truth, less

    witness = CLAIMS["ratio.cubic"].prove({"C": Fraction(2, 25)}).witness
    with working_precision(300):
        nu, x = (arb(fmpq(*map(int, (*witness[name].split("/"), "1")[:2]))) for name in ("nu", "x"))
        s = (nu * nu + x * x).sqrt()
        closed = x / (nu + s) - x / (2 * s**2) + x * (4 * nu**2 - x**2) / (8 * s**5)
        error = abs(x.bessel_i(nu + 1) / x.bessel_i(nu) - closed)
        assert less(arb(2) / 25 / nu**3, error) is Truth.YES


def test_another_sign_is_not_the_recurrence():
    """With 0 < σ < 1 all terms are positive, but they are the derivative of another function."""
    assert CLAIMS["defect.crossing"].prove({"sigma": Fraction(1, 2)}).outcome is Outcome.UNDECIDED


def test_every_order_is_in_words_what_it_is_in_the_theorem():
    verdict = CLAIMS["ratio.cubic"].prove({"nu_min": Fraction(0)})
    assert verdict.outcome is Outcome.PROVED
    assert "every nu > 0" in verdict.summary
    assert CLAIMS["ratio.cubic"].prove({"nu_min": Fraction(0), "C": Fraction(2, 25)}).outcome is Outcome.REFUTED
