r"""Where ``certify.vmf.descent`` starts: 1 − A_8 at order N ≥ 6 as it is computed is off by at most 8u (1 − A_8), on GPUs by 19u (1 − A_8).

The program is 1 − A_8 = L + (y e) S, with L = (N + N(N/(s+x)))/(N + s), s = √(x² + N²), e = 1/s, y = x e and the double Horner sum S of
certify/exact/ladder_program.py, x being min(x, x_max). Let sums and products be off by u relatively, s by hu, quotients by qu: h = 2, q = 1
on CPUs (a hypot of one ulp, or the root of a sum of squares), h = 7, q = 4 on GPUs. In units of u:

    S       claims rounding.descent.start…: off by k, k = 1, 2;  0 < S, |fl(S)| ≤ 11/20
    L       claims rounding.descent.leading…: off by l L, l = 6.51, 16.01
    y e     = x/s² ≤ L/5: off by 2(h+q) + 2 of itself, for e enters twice and there are two products
    C       = (y e) S ≥ 0: off by c C + k x/s², c = 2(h+q) + 3 = 9, 25

After the last addition 1 − A_8 = L + C is off by

    l L + c C + k x/s² + (L + C) ≤ (l + 1)(L + C) + ((c − l)·11/20 + k) L/5 ≤ 7.99 (L + C), 18.5 (L + C),

and terms of second order are far below what is missing to 8 and 19.

*Why l.*  N(N/(s+x)) is off by h s/(s+x) + 2 + q of itself, and its share of the numerator is N/(s+x+N) ≤ ½. So L is off by at most
h (N/(s+x+N) · s/(s+x) + s/(N+s)) + (2+q)/2 + 2 + q, and the bracket is at most 1, as N/((s+x)(s+x+N)) ≤ N/(s(N+s)): 6.5 and 16. The
checker has this in exact arithmetic, for errors of any signs.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude, conclude_rounding
from certify.claims.verdict import Verdict
from certify.exact.descent_program import ORDER, terms
from certify.exact.ladder import ratio_definitions, series
from certify.exact.rounding.ladder import DOMAIN, FLOATS, PROFILES, ladder_theorem
from certify.exact.rounding.model import OFF, Model, model
from certify.exact.rounding.theorem import Rounding
from certify.exact.theorem import Map, Theorem

LEAST = Fraction(6)
"""N from which the descents of the claims start."""
LARGEST = "11/20"
LEADING = {"": Fraction(651, 100), "cuda": Fraction(1601, 100)}
SUM = {"": 1, "squares": 1, "cuda": 2, "cuda_compiled": 2}


def definitions() -> dict[str, str]:
    """S = −(Σ_k ε^k b_k)/(ε t), over t and ε."""
    polynomials = ratio_definitions(ORDER)
    names = [name for name in polynomials if name != "a"]
    return {name: polynomials[name] for name in names} | {"S": f"0 - ({series(names)})/(eps*t)"}


def sum_theorem(kind: str, k: Fraction, nu_min: Fraction) -> Rounding:
    squares, profiles = PROFILES[kind]
    return ladder_theorem(terms(squares), definitions(), profiles, nu_min, k, largest=LARGEST)


def start(kind: str) -> Claim:
    """The claim ``rounding.descent.start``, followed by a kind if there is one."""
    id = ".".join(["rounding.descent.start", *([kind] if kind else [])])

    @claim(
        id,
        statement=r"|\mathrm{fl}(S) - S| \le k\,u,\quad |\mathrm{fl}(S)| \le \tfrac{11}{20},\quad"
        r" 1 - A_8 = \tfrac{\nu+\nu^2/(s+x)}{\nu+s} + \tfrac{x}{s^2}\,S",
        domain=DOMAIN,
        source="beyond the paper: where descents to small orders start",
        theorem=partial(sum_theorem, kind),
        constants={"k": SUM[kind], "nu_min": LEAST},
    )
    def prove(k: Fraction, nu_min: Fraction) -> Verdict:
        statement = sum_theorem(kind, k, nu_min)
        summary = f"|fl(S) - S| <= {k} u and |fl(S)| <= {LARGEST} for {FLOATS.format(nu=statement.nu)}"
        return conclude_rounding(id, statement, summary)

    return prove


def leading_model(kind: str, l: Fraction, nu_min: Fraction) -> Model:  # noqa: E741
    h, q = OFF[kind]
    exactly = {"r": "sqrt(1 + z**2)", "t": "1/r", "w": "z/r", "eps": "1/nu", **definitions(), "L": "(t + t*t/(1 + w))/(1 + t)"}
    rounded = {
        "H": f"1 + {h}*u*e0",
        "F1": "1 + u*e1",
        "F5": "1 + u*e5",
        "Z": f"(t + t*t*(1 + {q}*u*e2)*(1 + u*e3)/((H + w)*F1))*(1 + u*e4)",
    }
    symbols = {
        "nu": (f"[{nu_min}, oo)", Map(map="reciprocal", variable="v", scale=str(nu_min))),
        "z": ("(0, oo)", Map(map="stereographic", variable="m", scale="1")),
    }
    bounds = [("L", f"{LEAST - 1}*w*t*eps"), ("L", "4*t/5"), (f"{l}*u*L", f"Z*(1 + {q}*u*e6)/((t + H)*F5) - L")]
    roots = {"r": "(1 + m**2)/(1 - m**2)"}
    return model(symbols, 7, exactly | rounded, bounds, ("S", "H", "F1", "F5"), ("H + w", "t + H", "F1", "F5"), roots)


def leading_theorem(kind: str, l: Fraction, nu_min: Fraction) -> Theorem:  # noqa: E741
    return leading_model(kind, l, nu_min).theorem


def leading(kind: str) -> Claim:
    """The claim ``rounding.descent.leading``, followed by a kind if there is one."""
    id = ".".join(["rounding.descent.leading", *([kind] if kind else [])])
    h, q = OFF[kind]

    @claim(
        id,
        statement=r"|\mathrm{fl}(L) - L| \le l\,u\,L,\quad L = \tfrac{\nu+\nu^2/(s+x)}{\nu+s};\quad"
        r" L \ge \tfrac{5x}{s^2},\ L \ge \tfrac{4\nu}{5s},\ S > 0",
        domain=r"\nu \ge \nu_{\min},\ x > 0,\ 0 < u \le 2^{-24},\ \text{all relative errors within their bounds}",
        source="beyond the paper: where descents to small orders start",
        theorem=partial(leading_theorem, kind),
        constants={"l": LEADING[kind], "nu_min": LEAST},
        in_words=f"the standard model: a computed s is s(1 + {h}u e), a quotient (a/b)(1 + {q}u e), a sum or a product exact times "
        "1 + u e, |e| <= 1; lengths are in units of s",
    )
    def prove(l: Fraction, nu_min: Fraction) -> Verdict:  # noqa: E741
        found = leading_model(kind, l, nu_min)
        summary = f"|fl(L) - L| <= {l} u L, S > 0 and x/s^2 <= L/5 for every nu >= {nu_min}, x > 0 and all rounding errors"
        return conclude(id, found.theorem, found.prove(), found.counterexample, summary)

    return prove


globals().update({f"start_{kind}": start(kind) for kind in SUM} | {f"leading_{kind}": leading(kind) for kind in OFF})
