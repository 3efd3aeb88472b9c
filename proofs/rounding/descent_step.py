r"""One step of ``certify.vmf.descent`` in floating point.

With c = 2(ν+i+1), D₊ = 1 − R_{ν+i+1} and its computed value D₊ + d e0, |e0| ≤ 1, a step computes

    h = (c − x(D₊ + d e0)(1 + u e1))(1 + u e2),   y = (h + x)(1 + u e3),   D = (h/y)(1 + q u e4),   and x/y at the end,

|e1|, …, |e4| ≤ 1. Exactly, R = x/(c + x(1 − D₊)) and D = 1 − R. Then for d ≤ 2^−15 and u ≤ 2^−24

    |fl(D) − D| ≤ (1+θ)(R² d + u (R² D₊ + R D + (1+q) D)),      |x/fl(y) − R| ≤ (1+θ)(R² d + u (R² D₊ + R D + R)),      θ = 2^−14.

Proof.  In units of y = c + x(1 − D₊), which is 1 then, x = R, c = D + R D₊, and D₊ and R are any numbers in [0, 1] and (0, 1). The first
order is plain: h is off by x d, by u x D₊ and by u h, a sum and a quotient by u and q u of themselves, and dD/dh = R²/x. That θ covers the
rest is polynomial positivity in D₊, R, d, u and the e's.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.rounding.model import OFF, Model, below, itself, model
from certify.exact.theorem import Theorem

SLACK = Fraction(1, 2**14)
LARGEST = Fraction(1, 2**15)


def step(kind: str, theta: Fraction) -> Model:
    _, q = OFF[kind]
    where = {"H": "(1 - R + R*P - R*(P + d*e0)*(1 + u*e1))*(1 + u*e2)", "Y": "(H + R)*(1 + u*e3)"}
    shared = f"{1 + theta}*(R**2*d + u*(R**2*P + R*(1 - R)"
    bounds = [(f"{shared} + {1 + q}*(1 - R)))", f"H*(1 + {q}*u*e4)/Y - (1 - R)"), (f"{shared} + R))", "R/Y - R")]
    symbols = {"R": ("(0, 1)", itself("R")), "P": ("[0, 1]", itself("P")), "d": below("d", str(LARGEST))}
    return model(symbols, 5, where, bounds, ("Y",), ("Y",))


def theorem(kind: str, theta: Fraction) -> Theorem:
    return step(kind, theta).theorem


def declared(kind: str) -> Claim:
    """The claim ``rounding.descent.step``, followed by a kind if there is one."""
    id = ".".join(["rounding.descent.step", *([kind] if kind else [])])
    _, q = OFF[kind]

    @claim(
        id,
        statement=r"|\mathrm{fl}(D) - D| \le (1+\theta)\left(R^2 d + u\,(R^2 D_+ + R D + (1+q) D)\right)",
        domain=r"0 < R < 1,\ 0 \le D_+ \le 1,\ 0 < d \le 2^{-15},\ 0 < u \le 2^{-24},\ \text{all relative errors within their bounds}",
        source="beyond the paper: a step of the recurrence DLMF 10.29.1 as it is computed",
        theorem=partial(theorem, kind),
        constants={"theta": SLACK},
        in_words=f"the standard model: a computed quotient is (a/b)(1 + {q}u e), a sum or a product exact times 1 + u e, |e| <= 1, and "
        "a product that is fused with the difference has no error; lengths are in units of y",
    )
    def prove(theta: Fraction) -> Verdict:
        found = step(kind, theta)
        summary = f"a step of the descent keeps an error of d within (1 + {theta})(R^2 d + u(R^2 D+ + R D + {1 + q} D)), whatever the signs"
        return conclude(id, found.theorem, found.prove(), found.counterexample, summary)

    return prove


globals().update({f"step_{kind}": declared(kind) for kind in OFF})
