"""Claims that hold, one of each grade, and one that is not run."""

from fractions import Fraction

from certify import Reason, Verdict, certify_theorem, claim
from certify.exact.theorem import Chart, Evaluation, Identity, Map, Proof, Step, Theorem


def square_theorem(C: Fraction) -> Theorem:
    square = Identity(left=f"(x + {C})**2", right=f"x**2 + 2*({C})*x + ({C})**2")
    return Theorem(domain={"x": "(0, oo)"}, statements=(square,))


def by_evaluation(theorem: Theorem) -> Proof:
    chart = Chart(symbols={"x": Map(map="stereographic", variable="u")})
    return Proof(chart=chart, steps=tuple(Step(statement=s, evidence=Evaluation()) for s in theorem.statements))


@claim(
    "planted.square",
    statement="(x + C)^2 = x^2 + 2Cx + C^2",
    domain="x > 0",
    source="Euclid II.4",
    constants={"C": "3/2"},
    theorem=square_theorem,
)
def square(C: Fraction, profile: str, seed: int) -> Verdict:
    """Both sides are polynomials of degree two."""
    theorem = square_theorem(C)
    certificate = certify_theorem("planted.square", theorem, by_evaluation(theorem))
    return Verdict.proved(certificate, "by evaluation", profile=profile, seed=seed, C=C, large=2**80)


@claim("planted.enclosed", statement="1 + 1 = 2", domain="", source="Peano", grade="sampled")
def enclosed() -> Verdict:
    return Verdict.enclosed("stronger than asked for")


@claim("planted.measured", statement="t < 1", domain="", source="a clock", grade="measured")
def measured() -> Verdict:
    return Verdict.measured("fast | <fast>")


@claim("planted.absent", statement="t < 1", domain="", source="a clock", grade="measured")
def absent() -> Verdict:
    return Verdict.not_run(Reason.MISSING, "no such machine here")
