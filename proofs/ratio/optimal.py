r"""The best constant of Theorem 2: sup over ν > 0 of ν³ sup_x |R_ν − A_R| is C* = max_t √(1−t²) t³ |15t⁴ − 12t² + 1|/8 = 0.0834556…

Statement.  For every real ν > 0:  |R_ν(x) − A_R(x)| < C* ν⁻³ for every x, while ν³(A_R(x) − R_ν(x)) > −w b_3(t) − c/ν for every x, and
so > C* − c/ν at the peak, t² = 0.9309… (x = 0.2723 ν), a zero of 120τ³ − 177τ² + 64τ − 3. C* is given to 30 digits.

Proof.  certify/exact/optimal.py. This is ladder.optimal.1 with the paper's formula for A_R.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import claim
from certify.claims.conclude import conclude
from certify.claims.verdict import Verdict
from certify.exact.optimal import Optimal, constants, statement
from certify.exact.theorem import Theorem
from certify.exact.uniform import A_R


def best(**constants: Fraction) -> Optimal:
    return Optimal(1, {"a": A_R}, **constants)


def theorem(**constants: Fraction) -> Theorem:
    return best(**constants).theorem()


@claim(
    "ratio.optimal",
    statement=statement(1),
    domain=r"\nu > 0\ \text{real},\ x \ge 0",
    source="beyond the paper: the best possible constant of Theorem 2",
    theorem=theorem,
    in_words="that a maximum inside is at a zero of the derivative",
    constants=constants(1),
)
def optimal(**constants: Fraction) -> Verdict:
    claimed = best(**constants)
    return conclude("ratio.optimal", claimed.theorem(), claimed.prove(), lambda _: claimed.counterexample(), claimed.summary)
