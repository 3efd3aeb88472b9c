r"""The streaming update of a class mean is the mean of everything that has arrived.

Statement (paper, Appendix F.1.1).  With N features of mean a seen, and m more of sum s,

    a⁺ = (N a + s)/(N + m) = (1 − m/(N+m)) a + (m/(N+m)) (s/m),    N⁺ = N + m,

and if a = S/N then a⁺ = (S + s)/(N + m): after any number of batches, of any sizes, in any order, a is the sum of all features over
their number.

Proof.  Identities of rational functions, in each component. The last one is the step from one batch to the next.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims import algebra
from certify.claims.claim import claim
from certify.claims.verdict import Verdict
from certify.exact.by_form import identity
from certify.exact.theorem import Step, Theorem


def steps(weight: Fraction) -> tuple[Step, ...]:
    update = f"(1 - {weight}*m/(N + m))*a + {weight}*m/(N + m)*(s/m)"
    return (
        identity(update, "(N*a + s)/(N + m)"),
        identity("(N*(S/N) + s)/(N + m)", "(S + s)/(N + m)"),
    )


def theorem(weight: Fraction) -> Theorem:
    return algebra.theorem(steps(weight), positive="N m", real="a s S")


@claim(
    "state.streaming",
    statement=r"a^+ = \frac{Na+s}{N+m} = \Bigl(1-\frac{wm}{N+m}\Bigr)a + \frac{wm}{N+m}\,\frac sm,\ w = 1;\quad"
    r" a = \frac SN \Rightarrow a^+ = \frac{S+s}{N+m}",
    domain=r"N, m > 0,\ a, s, S \in \mathbb R^p",
    source="Appendix F.1.1",
    in_words="one batch after another",
    theorem=theorem,
    constants={"weight": 1},
)
def streaming(weight: Fraction) -> Verdict:
    summary = "the streaming update gives the mean of all that has arrived, batch after batch"
    return algebra.conclude_algebra("state.streaming", theorem(weight), steps(weight), summary)
