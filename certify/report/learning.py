"""Guarantees and tolerances of learning states, in the formats of ``certify state`` and ``certify tolerance``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flint import arb, fmpq

from certify.exact.ball import decimal_above, working_precision
from certify.exact.number import exact, show
from certify.learning.assessment import Assessment, Kept, Row
from certify.learning.pairing import PairingRange
from certify.learning.states import State
from certify.learning.tolerances import Choice, Tolerance
from certify.report.render import as_json
from certify.report.text import columns
from certify.studies.decimals import scientific

DIGITS, BITS = 3, 128
EXACT = 15
"""Digits in JSON."""

LEGEND = (
    "guaranteed: proved for F_n and A_n, rounded up; anywhere: from nu, tau and |f| alone; here: from this state's kappa, r, probabilities",
    "F_n, float64, float32: actual errors against the exact objects, enclosed; each the largest over samples and views, in absolute value",
)


def render_assessment(assessment: Assessment, format: str) -> str:
    """As ``text`` or ``json``."""
    if format == "json":
        return as_json(_assessment_data(assessment))
    rows = [_header(assessment), *(_line(row) for row in assessment.rows), _predictions(assessment)]
    first = [*_state_lines(assessment.state, assessment.capped), f"n = {assessment.n}: {_form(assessment.n)}", ""]
    return "\n".join([*first, *columns(rows), "", *LEGEND, ""])


def render_tolerance(found: State, result: Tolerance, pairing: PairingRange, format: str) -> str:
    """As ``text`` or ``json``."""
    if format == "json":
        return as_json(_tolerance_data(found, result, pairing))
    return "\n".join([*_state_lines(found, int(found.capped().sum())), "", *_tolerance_lines(result), "", *_pairing_lines(pairing), ""])


def above(value: arb) -> str:
    """A bound, rounded up; none where floats are not finite."""
    if not value.is_finite():
        return "not finite"
    with working_precision(BITS):
        return scientific(exact(decimal_above(value, DIGITS)), DIGITS)


def _state_lines(found: State, capped: int) -> list[str]:
    sizes = f"{found.classes} classes, p = {found.dimension}, nu = {show(found.order)}, {found.views} x {found.samples} samples"
    cap = "" if found.cap is None else f", cap = {show(found.cap)}: {capped} of {found.classes} classes capped"
    return [f"{sizes}, temperature {found.temperature}{cap}"]


def _form(n: int) -> str:
    return "AR/FR" if n == 1 else f"the closed form of order {n}"


def _header(assessment: Assessment) -> tuple[str, ...]:
    return ("error of", "guaranteed anywhere", "here", f"F_{assessment.n}", *assessment.kept.realized)


def _line(row: Row) -> tuple[str, ...]:
    errors = (row.formula, *row.realized.values())
    return (row.name, above(row.anywhere), above(row.here), *(_shown(error, DIGITS) for error in errors))


def _shown(error: arb, digits: int) -> str:
    """An error; that of floats may be none."""
    return scientific(error, digits) if error.is_finite() else "not finite"


def _predictions(assessment: Assessment) -> tuple[str, ...]:
    kept, total = assessment.kept, assessment.state.views * assessment.state.samples
    counts = (kept.anywhere, kept.here, kept.formula, *kept.realized.values())
    return ("predictions kept", *(f"{count} of {total}" for count in counts))


def _tolerance_lines(result: Tolerance) -> Iterator[str]:
    named = {"loss": "mean loss", "gradient": "each feature gradient"}
    asked = {name: value for name in named if (value := getattr(result.wanted, name)) is not None}
    rows = [("wanted", "at most", "primitive's tolerance |R - R^| <=")]
    rows += [(named[name], scientific(value, DIGITS), _epsilon(result.by[name])) for name, value in asked.items()]
    rows += [("predictions kept", "all", _epsilon(result.by["predictions"]))]
    yield from columns(rows)
    yield ""
    yield f"certified primitive tolerance: {_epsilon(result.primitive)}{_order(result.order)}"
    yield ""
    header = ("format", "order that suffices", "mean loss within", "gradients within")
    yield from columns([header, *(_choice(choice) for choice in result.choices)])


def _epsilon(value: fmpq | None) -> str:
    return "none" if value is None else scientific(value, DIGITS)


def _order(n: int | None) -> str:
    return ", which no A_n, n = 0 to 8, is certified for" if n is None else f", met by A_{n} at this state"


def _choice(choice: Choice) -> tuple[str, ...]:
    order = "none" if choice.n is None else f"n = {choice.n}"
    return choice.format, order, above(choice.loss), above(choice.gradient)


def _pairing_lines(pairing: PairingRange) -> Iterator[str]:
    place = f"view {pairing.view}, sample {pairing.sample}"
    yield f"signed change of the loss under F_1, {place}: {scientific(pairing.actual, DIGITS)}"
    yield "the same errors, paired with the other classes in every way: from " + " to ".join(
        scientific(end, DIGITS) for end in (pairing.low, pairing.high)
    )


def _assessment_data(assessment: Assessment) -> dict[str, Any]:
    return {
        **_state_data(assessment.state, assessment.capped),
        "n": assessment.n,
        "errors": {row.name: _row_data(row) for row in assessment.rows},
        "predictions_kept": _kept_data(assessment.kept),
        "holds": assessment.holds.value,
    }


def _state_data(found: State, capped: int) -> dict[str, Any]:
    return {
        "classes": found.classes,
        "p": found.dimension,
        "nu": show(found.order),
        "views": found.views,
        "samples": found.samples,
        "temperature": show(exact(found.temperature)),
        "cap": None if found.cap is None else show(found.cap),
        "capped": capped,
    }


def _row_data(row: Row) -> dict[str, Any]:
    with working_precision(BITS):
        guaranteed = {"anywhere": decimal_above(row.anywhere, EXACT), "here": decimal_above(row.here, EXACT)}
    actual: Mapping[str, arb] = {"formula": row.formula, **row.realized}
    return {"guaranteed": guaranteed, "actual": {name: _shown(value, EXACT) for name, value in actual.items()}}


def _kept_data(kept: Kept) -> dict[str, Any]:
    return {"guaranteed": {"anywhere": kept.anywhere, "here": kept.here}, "actual": {"formula": kept.formula, **kept.realized}}


def _tolerance_data(found: State, result: Tolerance, pairing: PairingRange) -> dict[str, Any]:
    def shown(value: fmpq | None) -> str | None:
        return None if value is None else show(value)

    return {
        **_state_data(found, int(found.capped().sum())),
        "wanted": {"loss": shown(result.wanted.loss), "gradient": shown(result.wanted.gradient)},
        "primitive_tolerance": {**{name: shown(value) for name, value in result.by.items()}, "all": shown(result.primitive)},
        "order": result.order,
        "choices": [
            {"format": each.format, "order": each.n, "loss": above(each.loss), "gradient": above(each.gradient)} for each in result.choices
        ],
        "pairing": {
            "view": pairing.view,
            "sample": pairing.sample,
            "change": scientific(pairing.actual, EXACT),
            "least": scientific(pairing.low, EXACT),
            "greatest": scientific(pairing.high, EXACT),
        },
    }
