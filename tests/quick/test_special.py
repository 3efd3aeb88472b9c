"""certify.special: value and derivatives against Arb, coherence of the two, and what the library's own kernels get wrong."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
import torch
from flint import arb, fmpq

from certify.audit.reference import reference
from certify.claims.registry import load
from certify.claims.verdict import Outcome
from certify.exact.ball import working_precision
from certify.exact.riccati_erfcx import CENTRE, NUMERATORS, UNIT
from certify.exact.truth import Truth, less
from certify.report.special import FORMATS, special_data
from certify.special import (
    bessel_k_accuracy,
    bessel_k_ratio,
    bessel_k_ratio_error,
    erfcx,
    gamma_hazard,
    log_bessel_k,
    log_bessel_k_error,
    log_kummer,
    log_kummer_error,
    log_ndtr,
    normal_hazard,
    watson_quotient,
)
from certify.special.kummer import laplace_error, series_error
from certify.special.mills import COEFFICIENTS
from certify.studies.claims import special
from certify.studies.claims.special import FORMATS as DTYPES
from certify.studies.claims.special import NAMES, STATEMENTS
from certify.studies.special import jax_functions, subjects
from certify.studies.special.errors import right, rows
from certify.studies.special.subjects import SUBJECTS
from certify.studies.tables.table_special import SpecialTable

with pytest.MonkeyPatch.context() as patch:  # tested in test_special_jax
    patch.setattr(jax_functions, "functions", lambda title: {})
    ROWS = list(rows(count=16))
CLAIMS = {id: entry.claim for id, entry in load().claims.items() if id.startswith("special.") and id.endswith(tuple(DTYPES))}


def test_every_function_is_compared_with_its_libraries():
    assert {row.function for row in ROWS} == {subject.title for subject in SUBJECTS}
    assert {(row.function, row.package) for row in ROWS} >= {
        *(("log_ndtr", library) for library in ("certify", "torch", "scipy")),
        *(("erfcx", library) for library in ("certify", "torch", "scipy")),
    }


@pytest.mark.parametrize("row", [row for row in ROWS if row.package == "certify"], ids=str)
def test_ours_are_accurate(row):
    *_, limits = STATEMENTS[row.function.partition(",")[0]]
    assert row.units <= (float(limits[row.derivative]) if row.dtype == "float64" else 1.01)


def test_every_function_has_its_claims():
    assert set(CLAIMS) == {f"special.{subject.name}.{form}" for subject in SUBJECTS for form in DTYPES}


@pytest.mark.parametrize(("id", "name"), [(id, name) for id in sorted(CLAIMS) for name in CLAIMS[id].constants])
def test_too_small_a_bound_is_refuted_by_an_input(monkeypatch, id, name):
    """A hundredth of one rounding; where the proven error of the formula is allowed as well, less than nothing."""
    monkeypatch.setattr(special, "INPUTS", 24)
    too_small = Fraction(-(10**6)) if id.startswith(("special.bessel", "special.log_bessel")) and name == "value" else Fraction(1, 100)
    verdict = CLAIMS[id].prove({name: too_small}, profile="quick", seed=0)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness["derivative"] == name


@pytest.mark.parametrize("derivative", range(2))
def test_a_wrong_program_is_refuted(monkeypatch, derivative):
    """An error of the value, or of the derivative alone."""

    def wrong(x):
        return watson_quotient(x, p=10) + (1e-22 * torch.sin(1e12 * x) if derivative else 1e-12)

    (subject,) = (each for each in SUBJECTS if each.title == "watson_quotient, p = 10")
    monkeypatch.setattr(subjects, "SUBJECTS", (replace(subject, ours=wrong),))
    verdict = CLAIMS["special.watson_quotient.float64"].prove(profile="quick", seed=0)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness["derivative"] == NAMES[derivative]


def test_the_claims_name_the_worst_input():
    verdict = CLAIMS["special.watson_quotient.float32"].prove(profile="quick", seed=7)
    assert verdict.outcome is Outcome.SAMPLED
    assert len(verdict.facts["worst"]) == 6


def test_the_table_says_what_was_found():
    table = SpecialTable(tuple(ROWS))
    assert not table.contradicts
    assert FORMATS["csv"](table).count("\n") == len(ROWS) + 1
    assert FORMATS["markdown"](table).count("defect") == sum(row.defect for row in ROWS)
    assert all(row.right in render(table) for row in ROWS[:3] for render in FORMATS.values())
    assert len(special_data(table)["rows"]) == len(ROWS)
    assert SpecialTable((replace(ROWS[0], units=1e9),)).contradicts


def test_the_installed_gradient_of_log_ndtr_is_a_defect():
    """At −1000 in float32: the tail quotient is 1000.001."""
    x = torch.tensor(-1000.0, requires_grad=True)
    (library,) = torch.autograd.grad(torch.special.log_ndtr(x), x)
    (ours,) = torch.autograd.grad(log_ndtr(x), x)
    with working_precision(200):
        t = arb(-1000)
        right = float(((-t * t / 2).exp() / (2 * arb.pi()).sqrt() / ((-t / arb(2).sqrt()).erfc() / 2)).mid())
    assert abs(ours.item() - right) < 1e-4
    assert abs(library.item() - right) > 10
    assert any(row.defect for row in ROWS if row.package == "torch")
    assert not any(row.defect for row in ROWS if row.package == "certify")


@pytest.mark.parametrize("x", [-50.0, -3.0, -0.5, -1e-3])
def test_the_supplied_gradient_is_that_of_the_closed_form(x):
    """d/dx (log C(−x/√2) − x²/2) in balls from the rational coefficients, against what the backward supplies."""
    at = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    (supplied,) = torch.autograd.grad(log_ndtr(at), at)
    with working_precision(300):
        z = -arb(x) / arb(2).sqrt()
        t, rate = (z - CENTRE) / (z + CENTRE), 2 * CENTRE / (z + CENTRE) ** 2
        p = sum((arb(fmpq(c, UNIT)) * t**k for k, c in enumerate(NUMERATORS)), arb(0))
        slope = sum((arb(fmpq(k * c, UNIT)) * t ** (k - 1) for k, c in enumerate(NUMERATORS) if k), arb(0)) * rate
        derivative = -arb(x) - (slope / p - 2 / (1 + 2 * z)) / arb(2).sqrt()
        assert less(abs(derivative - arb(supplied.item())), derivative * arb(fmpq(1, 10**15)) * 2) is Truth.YES


def test_the_coefficients_are_those_of_the_theorem():
    assert all(Fraction(c) == Fraction(n, UNIT) for c, n in zip(COEFFICIENTS[0], NUMERATORS, strict=True))


@pytest.mark.parametrize(
    "function",
    [
        log_ndtr,
        normal_hazard,
        erfcx,
        lambda x: bessel_k_ratio(x.abs() + 1, nu="5/2"),
        lambda x: log_bessel_k(x.abs(), nu="5/2"),
        lambda x: gamma_hazard(x.abs(), a="3/2"),
        lambda x: gamma_hazard(x.abs(), a="7/2"),
        lambda x: watson_quotient(x.abs(), p=3),
        lambda x: log_kummer(x.abs(), p=3),
    ],
)
def test_autograd_and_transforms(function):
    x = torch.tensor([-3.0, -0.3, 0.2, 2.5], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(function, x)
    value, tangent, *_ = torch.func.jvp(function, (x.detach(),), (torch.ones(4, dtype=torch.float64),))
    (gradient,) = torch.autograd.grad(function(x).sum(), x)
    assert torch.equal(tangent, gradient)
    assert torch.equal(torch.func.vmap(function)(x.detach()), value)


def test_second_derivatives():
    x = torch.tensor([-3.0, -0.3, 0.2, 2.5], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(log_ndtr, x)
    assert torch.autograd.gradgradcheck(erfcx, x)
    assert torch.autograd.gradgradcheck(lambda x: log_bessel_k(x, nu=3), x.detach().abs().requires_grad_())
    assert torch.autograd.gradgradcheck(lambda x: log_kummer(x, p=3), x.detach().abs().requires_grad_())


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_ends_of_the_positive_axis(dtype):
    ends = torch.tensor([0.0, math.inf, -1.0, math.nan], dtype=dtype)
    assert watson_quotient(ends, p=4)[:2].tolist() == [0.25, 1.0]
    assert gamma_hazard(ends, a=3)[:2].tolist() == [0.0, 1.0]
    assert gamma_hazard(ends, a=1)[:2].tolist() == [1.0, 1.0]
    assert log_bessel_k(ends, nu=3)[:2].tolist() == [math.inf, -math.inf]
    assert log_kummer(ends, p=4)[:2].tolist() == [0.0, math.inf]
    for found in (
        watson_quotient(ends, p=4),
        log_kummer(ends, p=4),
        gamma_hazard(ends, a=3),
        log_bessel_k(ends, nu=3),
        bessel_k_ratio(ends, nu=3),
    ):
        assert found.dtype == dtype
        assert found[2:].isnan().all()


def test_limits():
    ends = torch.tensor([-math.inf, math.inf, math.nan], dtype=torch.float64)
    assert log_ndtr(ends)[:2].tolist() == [-math.inf, 0.0]
    assert normal_hazard(ends)[:2].tolist() == [0.0, math.inf]
    assert erfcx(ends)[:2].tolist() == [math.inf, 0.0]
    assert all(function(ends)[2].isnan() for function in (log_ndtr, normal_hazard, erfcx))


@pytest.mark.parametrize("x", [-1e300, -1e160, -1e8, 50.0, 1e300])
def test_far_out_the_derivatives_have_their_limits(x):
    at = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(log_ndtr(at), at, create_graph=True)
    (curvature,) = torch.autograd.grad(slope, at)
    assert slope.item() == pytest.approx(max(-x, 0.0))
    assert curvature.item() == pytest.approx(-1.0 if x < 0 else 0.0)


def test_parts_do_not_show():
    x = torch.linspace(-9, 9, 40_000, dtype=torch.float64).reshape(200, 200)
    assert torch.equal(log_ndtr(x)[77], log_ndtr(x[77]))


@pytest.mark.parametrize("order", range(12))
@pytest.mark.parametrize("nu", ["1", "7/2", "32"])
def test_the_bound_of_the_bessel_ratio_holds(order, nu):
    x = torch.tensor([0.01, 0.7, 3.0, 40.0, 1e4], dtype=torch.float64)
    bound = bessel_k_ratio_error(nu=nu, order=order)
    with working_precision(200):
        index = arb(fmpq(*map(int, (*nu.split("/"), "1")[:2])))
        for at, value in zip(x.tolist(), bessel_k_ratio(x, nu=nu, order=order).tolist(), strict=True):
            right = arb(at).bessel_k(index + 1, scaled=True) / arb(at).bessel_k(index, scaled=True)
            rounding = right * arb(fmpq(1, 10**14))
            assert less(abs(arb(value) - right), arb(fmpq(bound.numerator, bound.denominator)) + rounding) is Truth.YES


@pytest.mark.parametrize("order", range(12))
@pytest.mark.parametrize("nu", ["2", "7/2", "32"])
def test_the_bound_of_the_logarithm_holds(order, nu):
    x = torch.tensor([0.01, 0.7, 3.0, 40.0, 1e4], dtype=torch.float64)
    bound = log_bessel_k_error(nu=nu, order=order)
    with working_precision(200):
        index = arb(fmpq(*map(int, (*nu.split("/"), "1")[:2])))
        for at, value in zip(x.tolist(), log_bessel_k(x, nu=nu, order=order).tolist(), strict=True):
            right = arb(at).bessel_k(index, scaled=True).log() - at
            rounding = (abs(right) + at + index) * arb(fmpq(1, 10**14))
            assert less(abs(arb(value) - right), arb(fmpq(bound.numerator, bound.denominator)) + rounding) is Truth.YES


@pytest.mark.parametrize("p", ["2", "2.5", "10", "333", "10000"])
def test_the_bound_of_the_logarithm_of_kummers_function_is_below_a_rounding(p):
    assert 0 < log_kummer_error(p=p) < Fraction(1, 2**56)


def test_the_gradient_of_log_kummer_is_the_quotient():
    kappa = torch.logspace(-8, 8, 200, dtype=torch.float64, requires_grad=True)
    (supplied,) = torch.autograd.grad(log_kummer(kappa, p=7).sum(), kappa)
    assert torch.equal(supplied, watson_quotient(kappa.detach(), p=7))


@pytest.mark.parametrize("edge", [10, 14])
@pytest.mark.parametrize("p", [2, 10])
def test_what_the_bounds_of_kummers_function_say_of_short_sums(edge, p):
    """With an edge so near that errors show: they are below their bound, and above a thousandth of it."""
    b, kappa = arb(p) / 2, arb(edge)
    beta, n, k = b - arb("0.5"), 30, edge - p // 2
    with working_precision(200):
        right = kappa.hypgeom_1f1(arb("0.5"), b)
        term = [(arb("0.5")).rising(j) / b.rising(j) * kappa**j / arb(j).fac() for j in range(n)]
        _sharp(1 - sum(term, arb(0)).log() / right.log(), series_error(p / 2, edge, n, k))
        count = math.floor(edge - (p / 2 - 0.5))
        laplace = sum((arb("0.5").rising(j) * beta.rising(j) / kappa**j / arb(j).fac() for j in range(count)), arb(0))
        leading = b.gamma() / arb.pi().sqrt() * kappa.exp() / kappa**beta
        _sharp(1 - (leading * laplace).log() / right.log(), laplace_error(p / 2, edge, count))


def _sharp(error, bound):
    assert less(abs(error), bound) is Truth.YES
    assert less(bound, abs(error) * 1000) is Truth.YES


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: log_ndtr([1.0]), "x is a list"),  # pyright: ignore[reportArgumentType]
        (lambda: erfcx(torch.tensor([1])), "dtype int64"),
        (lambda: bessel_k_ratio(torch.ones(1), nu="1/2"), "nu ≥ 1"),
        (lambda: bessel_k_ratio(torch.ones(1), nu=2, order=12), "order = 12"),
        (lambda: bessel_k_accuracy(nu=3, order=8), "order = 8"),
        (lambda: log_bessel_k(torch.ones(1), nu=10**400), "nu ≤ 2^400"),
        (lambda: bessel_k_accuracy(nu="1/2"), "nu ≥ 1"),
        (lambda: bessel_k_accuracy(nu="10/3"), "float64 is accepted"),
        (lambda: bessel_k_accuracy(torch.int64, nu=2), "int64"),
        (lambda: bessel_k_ratio_error(nu="a"), "a"),
        (lambda: log_bessel_k(torch.ones(1), nu=1), "nu ≥ 2"),
        (lambda: gamma_hazard(torch.ones(1), a="1/3"), "a = 1/3"),
        (lambda: gamma_hazard(torch.ones(1), a="x"), "x"),
        (lambda: watson_quotient(torch.ones(1), p=1), "p = 1"),
        (lambda: log_kummer(torch.ones(1), p=10_001), "p = 10001"),
        (lambda: log_kummer_error(p="1.5"), "p = 3/2"),
        (lambda: watson_quotient(torch.ones(1, dtype=torch.int64), p=3), "dtype int64"),
    ],
)
def test_bad_input_is_one_line(call, words):
    with pytest.raises(ValueError, match=".") as refused:
        call()
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("normal_hazard", "normal_hazard"),
        ("bessel_k_ratio(32, x)", "bessel_k_ratio, nu = 32"),
        ("log_bessel_k(32, x)", "log_bessel_k, nu = 32"),
        ("gamma_hazard(2.5, x)", "gamma_hazard, a = 2.5"),
        ("watson_quotient(10, x)", "watson_quotient, p = 10"),
        ("log_kummer(10, x)", "log_kummer, p = 10"),
    ],
)
def test_the_auditors_references_have_these_functions(name, title):
    """mpmath's values against Arb's, at 30 digits."""
    (subject,) = (each for each in SUBJECTS if each.title == title)
    with mpmath.workdps(40), working_precision(300):
        for x in (0.5, 3.0, 17.0):
            found = arb(mpmath.nstr(reference(name)(mpmath.mpf(x)), 35))
            assert less(abs(found - right(subject, x)[0]), abs(found) * arb(fmpq(1, 10**30))) is Truth.YES


def test_a_reference_without_its_parameter_is_refused():
    with pytest.raises(ValueError, match=r"gamma_hazard\(3, x\)"):
        reference("gamma_hazard")
