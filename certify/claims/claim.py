"""A claim is frozen data; its prover is a function over its constants."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from certify.claims.constants import rational
from certify.claims.formats import THEOREMS, AnyTheorem
from certify.claims.text import line
from certify.claims.verdict import GRADES, Outcome, Verdict

IDENTIFIER = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*")
LONGEST_ID = 100
CIRCUMSTANCES = ("profile", "seed")


@dataclass(frozen=True)
class Claim:
    """One numerical claim.

    ``id`` is dotted, lower case and stable; ``statement`` and ``domain`` are LaTeX; ``source`` names theorem, equation
    or reference; ``grade`` is the strength that the claim asks for; ``constants`` are exact rationals that the prover
    takes as keyword arguments and that ``--set`` may override. ``theorem``, where given, maps the same constants to the
    formal statement that a certificate under this id must establish. ``in_words`` names the steps from that theorem to the
    statement that no machine checks, and the other claims that they use; reports show it. A ``long`` claim is left to
    ``--profile full`` and to runs that name it. Raises ValueError for an id, a grade, a text or a
    constant that is none; floats are no exact constants.
    """

    id: str
    statement: str
    domain: str
    source: str
    prover: Callable[..., Verdict] = field(repr=False)
    grade: Outcome = Outcome.PROVED
    constants: Mapping[str, Fraction] = field(default_factory=dict)
    theorem: Callable[..., AnyTheorem] | None = field(default=None, repr=False)
    in_words: str = ""
    long: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.id, str) and IDENTIFIER.fullmatch(self.id) and len(self.id) <= LONGEST_ID):
            raise ValueError(f"claim id {self.id!r}: use dotted lower-case words, such as 'ratio.cubic', at most {LONGEST_ID} characters")
        if self.grade not in GRADES:
            known = ", ".join(grade.value for grade in GRADES)
            raise ValueError(f"claim {self.id}: grade {getattr(self.grade, 'value', self.grade)!r} is not one of {known}")
        for name in ("statement", "domain", "source", "in_words"):
            object.__setattr__(self, name, self._words(name))
        exact = {self._name(name): rational(name, value) for name, value in self.constants.items()}
        object.__setattr__(self, "constants", MappingProxyType(exact))

    def _words(self, field: str) -> str:
        """A field on one line. Raises ValueError where it is no text."""
        text = getattr(self, field)
        if not isinstance(text, str):
            raise ValueError(f"claim {self.id}: its {field} is a {type(text).__name__}, a text is needed")
        return line(text)

    def _name(self, constant: str) -> str:
        """The name of a constant. Raises ValueError where a prover could not take it as a keyword argument."""
        if not str.isidentifier(constant) or constant in CIRCUMSTANCES:
            raise ValueError(f"claim {self.id}: constant {constant!r}: use an identifier other than {', '.join(CIRCUMSTANCES)}")
        return constant

    def prove(self, constants: Mapping[str, Fraction] | None = None, **circumstances: Any) -> Verdict:
        """Run the prover with the claim's constants, overridden by ``constants``.

        Of the ``circumstances`` of the run (``profile``, ``seed``) it is given those that it declares as parameters.
        """
        declared = inspect.signature(self.prover).parameters
        wanted = {name: value for name, value in circumstances.items() if name in declared}
        return self.prover(**{**self.constants, **(constants or {})}, **wanted)

    def formal(self, constants: Mapping[str, Fraction] | None = None) -> AnyTheorem | None:
        """The formal theorem that a certificate of this claim must establish; None where the claim declares none.

        Raises whatever the claim's own code raises, and TypeError where that returns something else.
        """
        if self.theorem is None:
            return None
        theorem = self.theorem(**{**self.constants, **(constants or {})})
        if not isinstance(theorem, THEOREMS):
            raise TypeError(f"claim {self.id}: its theorem is a {type(theorem).__name__}, not a Theorem")
        return theorem


def claim(
    id: str,
    *,
    statement: str,
    domain: str,
    source: str,
    grade: str = "proved",
    constants: Mapping[str, int | str | Fraction] | None = None,
    theorem: Callable[..., Any] | None = None,
    in_words: str = "",
    long: bool = False,
) -> Callable[[Callable[..., Verdict]], Claim]:
    """Declare the decorated function as the prover of a claim. Raises ValueError for an argument that will not do.

    >>> @claim("demo.sum", statement="1+1=2", domain="", source="Peano", grade="enclosed")
    ... def demo():
    ...     return Verdict.enclosed("1 + 1 = 2")
    >>> demo.prove().outcome.value
    'enclosed'
    """
    given: Any = constants or {}  # made exact by Claim

    def declare(prover: Callable[..., Verdict]) -> Claim:
        return Claim(id, statement, domain, source, prover, Outcome(grade), given, theorem, in_words, long)

    return declare
