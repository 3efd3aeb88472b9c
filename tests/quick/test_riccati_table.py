"""Riccati claims as data: the worked examples, their false variants, and what is refused by name."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from flint import arb, fmpq

from certify.claims.riccati import riccati_claim
from certify.claims.settle import settle
from certify.claims.verdict import Outcome, Reason
from certify.exact.ball import working_precision
from certify.exact.truth import Truth, positive

TABLES = tomllib.loads(Path(__file__).with_name("riccati_dawson.toml").read_text(), parse_float=str)["claim"]
DAWSON, MILLS = TABLES


def changed(table, **keys):
    riccati = {key: value for key, value in {**table["riccati"], **keys}.items() if value is not None}
    return riccati_claim({**table, "riccati": riccati})


def number(text):
    return arb(fmpq(*map(int, (*text.split("/"), "1")[:2])))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table["id"])
def test_the_examples_are_proved_and_replayed(table):
    settled = settle(riccati_claim(table), {}, {})
    assert settled.verdict.outcome is Outcome.PROVED
    assert settled.certificate is not None


def test_a_false_constant_is_refuted_by_a_point():
    verdict = riccati_claim(DAWSON).prove({"c": Fraction(1)})
    assert verdict.outcome is Outcome.REFUTED
    with working_precision(200):
        x = number(verdict.witness["x"])
        assert positive(x / (1 + x * x) - (-x * x).exp() * x * (x * x).hypgeom_1f1(arb(1) / 2, arb(3) / 2)) is Truth.YES


def test_a_false_constant_is_refuted_where_the_range_has_a_parameter():
    verdict = riccati_claim(MILLS).prove({"c": Fraction(2)})
    assert verdict.outcome is Outcome.REFUTED
    assert set(verdict.witness) >= {"a", "z", "M"}
    assert Fraction(verdict.witness["a"]) >= Fraction(1, 10)


def test_without_a_reference_a_false_bound_is_undecided():
    assert changed(DAWSON, reference=None).prove({"c": Fraction(1)}).outcome is Outcome.UNDECIDED


HAZARD = {
    "name": "h",
    "is": "the hazard of the normal distribution",
    "source": "DLMF 7.8.2",
    "variable": "x",
    "quadratic": "1",
    "linear": "-x",
    "constant": "0",
    "substitution": "1/xi - xi",
    "along": "xi",
    "shift": "1/xi - 2*xi/(1 + xi**2)",
    "below": "2",
    "upper": "1/xi - c*xi**3/(1 + xi**2)**2",
    "constants": {"c": "7/10"},
    "reference": "sqrt(2/pi)*exp(-x**2/2)/erfc(x/sqrt(2))",
}


@pytest.mark.parametrize(("c", "outcome"), [("7/10", Outcome.PROVED), ("2", Outcome.REFUTED)])
def test_a_substitution_of_ones_own(c, outcome):
    claim = riccati_claim({"id": "a.b", "statement": "", "riccati": HAZARD})
    assert settle(claim, {"c": Fraction(c)}, {}).verdict.outcome is outcome


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"linear": "-2*log(x)"}, "the linear coefficient '-2*log(x)' is not rational"),
        ({"linear": "-2*y"}, "unknown symbol y"),
        ({"constant": "1/(x - 2)"}, "may have a pole in the range"),
        ({"upper": "1 + 1/x"}, "is not pinned"),
        ({"upper": "x/(1 - x)"}, "may have a pole in the range"),
        ({"upper": "x/(1 + )"}, "not rational"),
        ({"where": {"u": "u + 1"}, "upper": "u"}, "unknown symbol u"),
    ],
)
def test_what_the_prover_does_not_take_ends_in_one_line_that_names_it(keys, words):
    settled = settle(changed(DAWSON, **keys), {}, {})
    assert settled.verdict.outcome is Outcome.ERROR
    assert settled.verdict.reason is Reason.REFUSED
    assert words in settled.verdict.summary
    assert settled.trace is None


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"pinned": "1"}, "key 'pinned' = '1'"),
        ({"pinned": None}, "key 'pinned' = ''"),
        ({"substitution": "1/xi", "along": "xi"}, "key 'substitution'"),
        ({"parameters": {"a": "[0, oo)"}}, "parameter a"),
        ({"parameters": {"a": "(1, 2)"}}, "parameter a"),
        ({"lower": None, "upper": None}, "key 'lower' or 'upper'"),
        ({"name": "2D"}, "'2D' is no name"),
        ({"constants": {"c": "x"}}, "constant c"),
        ({"unknown": "1"}, "unknown"),
        ({"reference": "sin(x)"}, "key 'reference' 'sin(x)'"),
        ({"reference": "exp(y)"}, "key 'reference': unknown symbol y"),
        ({"reference": "nan"}, "key 'reference': unknown symbol nan"),
        ({"linear": None}, "linear"),
        ({"quadratic": 0}, "quadratic"),
    ],
)
def test_a_table_that_is_none_is_refused_before_it_is_proved(keys, words):
    with pytest.raises(ValueError, match=".") as refused:
        changed(DAWSON, **keys)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
