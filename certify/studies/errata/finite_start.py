"""Errata of Sections 3.2 and 5.3 and of Appendices D.3 to D.5: the finite start at high concentration."""

from __future__ import annotations

from flint import fmpq

from certify.exact import recurrence
from certify.exact.ball import decimal, working_precision
from certify.studies.decimals import scientific
from certify.studies.errata.erratum import Erratum, Evidence, near
from certify.studies.finite_start.high_concentration import clipped_defect, crossings
from certify.studies.points import all_of, decided, opposite

X = fmpq(10) ** 9
CASES = ((63, 126), (64, 128), (63, 127), (64, 127))
BITS = 400
SMALL = fmpq(1, 1000)


def parities() -> Evidence:
    """x(1 − Φ̃′) at x = 10⁹ in the four parity cases."""
    lines, truths = [], []
    with working_precision(BITS):
        for nu, start in CASES:
            scaled = X * (1 - recurrence.enclose_derivative(nu, start, X, 60))
            limit, printed = nu + fmpq(1, 2) + (start - nu) % 2 - start % 2, nu + fmpq(3, 2)
            case = f"ν = {nu} {_parity(nu)}, M = {start} {_parity(start)}"
            lines.append(f"{case}: x(1 − Φ̃′) = {decimal(scaled, 9)} at x = 1e9; limit {float(limit)}, printed {float(printed)}")
            truths += [
                near(scaled, limit, SMALL),
                near(scaled, printed, SMALL) if limit == printed else opposite(near(scaled, printed, SMALL)),
            ]
    return Evidence(tuple(lines), all_of(truths))


def _parity(number: int) -> str:
    return "odd" if number % 2 else "even"


def even_orders() -> Evidence:
    """The clipped defect for M = 2ν at an odd and at an even order."""
    with working_precision(BITS):
        found = {nu: [(x, clipped_defect(nu, 2 * nu, x)) for x in ("1e4", "1e6", "1e9")] for nu in (63, 64)}
        lines = [f"ν = {nu}: " + ", ".join(f"d = {scientific(d, 4)} at x = {x}" for x, d in row) for nu, row in found.items()]
        (_, odd), (_, even) = found[63][-1], found[64][-1]
        return Evidence(tuple(lines), all_of([near(even, fmpq(-1), SMALL), near(odd * X, 63 + fmpq(3, 2), SMALL)]))


def one_crossing() -> Evidence:
    """All positive roots of R̃ = 1 for M = 2ν, isolated."""
    found = {nu: crossings(nu, 2 * nu) for nu in (1, 3, 63, 127)}
    lines = [
        f"ν = {nu}: {len(roots)} crossing, at x = {', '.join(decimal(root, 8) for root in roots)};"
        f" the bounds are {2 * (nu + 1)} and {(nu + 1) * (3 * nu + 1) // 2}"
        for nu, roots in found.items()
    ]
    return Evidence(tuple(lines), decided(all(len(roots) == 1 for roots in found.values())))


def which_indices() -> Evidence:
    """u_j at x = 10⁹ for both parities of M and of j."""
    lines, truths = [], []
    for start in (126, 127):
        for j in (1, 2):
            u = recurrence.ratio(j, start, X) / X
            case = f"M = {start}, j = {j}"
            if (start - j) % 2:
                limit = fmpq(2, (start + 1) ** 2 - j**2)
                lines.append(f"{case}: u_j = {scientific(u, 6)}, which does not decay; a_j = {scientific(limit, 6)}")
                truths.append(near(u / limit, fmpq(1), SMALL))
            else:
                limit = fmpq((start + 1) ** 2 - (j + 1) ** 2, 2)
                lines.append(f"{case}: x² u_j = {scientific(u * X * X, 6)}; c_j = {scientific(limit, 6)}")
                truths.append(near(u * X * X / limit, fmpq(1), SMALL))
    return Evidence(tuple(lines), all_of(truths))


ERRATA = (
    Erratum(
        "Appendix D.3.4, display 3, lines 3 and 4",
        "Φ̃_{ν,2ν} = x − (ν+3/2) log x + C + O(1/x) and Φ̃′ = 1 − (ν+3/2)/x + O(x⁻²), without a condition on the parity of ν",
        "ν + 3/2 for odd ν only. In general, for a start M of either parity, x(1 − Φ̃′) → ν + ½ + [M−ν odd] − [M odd]; that is ν + ½ for"
        " even ν and M = 2ν",
        ("concentration.potential", "concentration.potential.exact"),
        parities,
    ),
    Erratum(
        "Sections 3.2 and 5.3, Appendix E.5",
        "the clipped coherence defect is studied for odd orders, where it decreases as (ν+3/2)/x",
        "for even ν and M = 2ν the clipped rule tends to 0 while Φ̃′ → 1, so that the defect tends to −1; the clip is inactive",
        ("concentration.defect", "concentration.defect.exact"),
        even_orders,
    ),
    Erratum(
        "Appendix D.3.4, after display 3",
        "by continuity, the raw ratio crosses one at least once",
        "it crosses between 2(ν+1) and (ν+1)(3ν+1)/2 (proved), and exactly once (at every odd ν up to 63, by isolation of all roots)",
        ("concentration.crossing", "concentration.crossing.exact"),
        one_crossing,
    ),
    Erratum(
        "Appendix D.5, display 1",
        "u_j = c_j/y + O(y⁻²) at even j and u_j = a_j + O(1/y) at odd j",
        "that is so for even M; in general the parity of M − j decides. With N = M + 1: a_j = 2/(N² − j²), c_j = (N² − (j+1)²)/2",
        ("concentration.ratio", "concentration.ratio.exact"),
        which_indices,
    ),
)
