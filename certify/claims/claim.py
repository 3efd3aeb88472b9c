"""A claim is frozen data; its prover is a function over its constants."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from certify.claims.verdict import GRADES, Outcome, Verdict
from certify.exact.theorem import Theorem

IDENTIFIER = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*")


@dataclass(frozen=True)
class Claim:
    """One numerical claim.

    ``id`` is dotted, lower case and stable; ``statement`` and ``domain`` are LaTeX; ``source`` names theorem, equation
    or reference; ``grade`` is the strength that the claim asks for; ``constants`` are exact rationals that the prover
    takes as keyword arguments and that ``--set`` may override. ``theorem``, where given, maps the same constants to the
    formal statement that a certificate under this id must establish.
    """

    id: str
    statement: str
    domain: str
    source: str
    prover: Callable[..., Verdict] = field(repr=False)
    grade: Outcome = Outcome.PROVED
    constants: Mapping[str, Fraction] = field(default_factory=dict)
    theorem: Callable[..., Theorem] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not IDENTIFIER.fullmatch(self.id):
            raise ValueError(f"claim id {self.id!r}: use dotted lower-case words, such as 'ratio.cubic'")
        if self.grade not in GRADES:
            known = ", ".join(grade.value for grade in GRADES)
            raise ValueError(f"claim {self.id}: grade {self.grade.value!r} is not one of {known}")
        object.__setattr__(self, "constants", MappingProxyType(dict(self.constants)))

    def prove(self, constants: Mapping[str, Fraction] | None = None, **circumstances: Any) -> Verdict:
        """Run the prover with the claim's constants, overridden by ``constants``.

        Of the ``circumstances`` of the run (``profile``, ``seed``) it is given those that it declares as parameters.
        """
        declared = inspect.signature(self.prover).parameters
        wanted = {name: value for name, value in circumstances.items() if name in declared}
        return self.prover(**{**self.constants, **(constants or {})}, **wanted)

    def formal(self, constants: Mapping[str, Fraction] | None = None) -> Theorem | None:
        """The formal theorem that a certificate of this claim must establish; None where the claim declares none."""
        return self.theorem and self.theorem(**{**self.constants, **(constants or {})})


def claim(
    id: str,
    *,
    statement: str,
    domain: str,
    source: str,
    grade: str = "proved",
    constants: Mapping[str, int | str | Fraction] | None = None,
    theorem: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Verdict]], Claim]:
    """Declare the decorated function as the prover of a claim.

    >>> @claim("demo.sum", statement="1+1=2", domain="", source="Peano", grade="enclosed")
    ... def demo():
    ...     return Verdict.enclosed("1 + 1 = 2")
    >>> demo.prove().outcome.value
    'enclosed'
    """
    exact = {name: Fraction(value) for name, value in (constants or {}).items()}

    def declare(prover: Callable[..., Verdict]) -> Claim:
        return Claim(id, statement, domain, source, prover, Outcome(grade), exact, theorem)

    return declare
