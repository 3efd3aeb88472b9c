"""Claims that must not count as holding, each for a reason of its own."""

import sys
from typing import Any

import msgspec

from certify import Reason, Verdict, certify_theorem, claim
from certify.exact.theorem import Certificate, Chart, Evaluation, Identity, Map, Proof, Step, Theorem


def theorem(right: str = "x + 1") -> Theorem:
    return Theorem(domain={"x": "(0, oo)"}, statements=(Identity(left="1 + x", right=right),))


def certificate(id: str, stated: Theorem) -> Certificate:
    chart = Chart(symbols={"x": Map(map="stereographic", variable="u")})
    steps = tuple(Step(statement=statement, evidence=Evaluation()) for statement in stated.statements)
    return certify_theorem(id, stated, Proof(chart=chart, steps=steps))


@claim("planted.false", statement="x < 1", domain="x > 0", source="nowhere")
def false() -> Verdict:
    return Verdict.refuted({"x": "3/2"}, "3/2 is not below 1")


@claim("planted.raises", statement="", domain="", source="nowhere")
def raises() -> Verdict:
    raise ZeroDivisionError("first line\nsecond line")


@claim("planted.exits", statement="", domain="", source="nowhere")
def exits() -> Verdict:
    sys.exit(0)


@claim("planted.interrupts", statement="", domain="", source="nowhere")
def interrupts() -> Verdict:
    raise KeyboardInterrupt


@claim("planted.true", statement="", domain="", source="nowhere")
def true() -> Any:
    return True


@claim("planted.weak", statement="", domain="", source="nowhere", grade="enclosed")
def weak() -> Verdict:
    return Verdict.sampled("no counterexample among 3", points=3, reason="a fact may have any name")


@claim("planted.open", statement="", domain="", source="nowhere")
def undecided() -> Verdict:
    return Verdict.undecided(Reason.INEQUALITY_OPEN, "no", box={"x": "[0, 1/2]"})


@claim("planted.bare", statement="", domain="", source="nowhere", theorem=theorem)
def bare() -> Verdict:
    return Verdict.proved(None, "believe me")


@claim("planted.formless", statement="", domain="", source="nowhere")
def formless() -> Verdict:
    return Verdict.proved(certificate("planted.formless", theorem()), "of a theorem that the claim does not state")


@claim("planted.swapped", statement="", domain="", source="nowhere", theorem=theorem)
def swapped() -> Verdict:
    return Verdict.proved(certificate("planted.swapped", theorem("1 + x")), "of another theorem")


@claim("planted.borrowed", statement="", domain="", source="nowhere", theorem=theorem)
def borrowed() -> Verdict:
    return Verdict.proved(certificate("planted.swapped", theorem()), "under another id")


@claim("planted.wrong", statement="", domain="", source="nowhere", theorem=lambda: theorem("x + 2"))
def wrong() -> Verdict:
    return Verdict.proved(certificate("planted.wrong", theorem("x + 2")), "1 + x = x + 2")


@claim("planted.altered", statement="", domain="", source="nowhere", theorem=theorem)
def altered() -> Verdict:
    good = certificate("planted.altered", theorem())
    return Verdict.proved(msgspec.structs.replace(good, lemmas=("trust me",)), "digest of something else")
