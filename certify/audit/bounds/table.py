"""The table of a claim about a target: its keys, and the claim that it declares.

target     "module:function" or "file.py:function", a torch function of tensors, element by element
reference  the truth: an expression in the variables, a name such as "softplus", "arb.gamma", "module:function(63, x)"
domain     { x = [-30, 30] }, an interval for each variable, in the order of the function's arguments
bound      an exact number: "1e-7", "1/3", 4
error      "absolute" (the default), "relative", or "ulp": units in the last place of the reference
dtype      "float64" (the default) or "float32": the format in which the target computes
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Literal

from flint import fmpq

from certify.audit.bounds.bound import FORMAT, Bound
from certify.audit.bounds.formula import NoFormula, formula
from certify.claims.claim import Claim
from certify.claims.constants import rational
from certify.claims.text import line
from certify.claims.toml import Declared, Exact
from certify.claims.verdict import Outcome, Verdict
from certify.exact.format import FORMATS, Format
from certify.exact.interpret.interval import Box
from certify.exact.number import exact
from certify.exact.program import Program

Interval = tuple[Exact, Exact]
MOST_VARIABLES = 3


class BoundTable(Declared, frozen=True, kw_only=True):
    """|target − reference| ≤ bound·(1, |reference| or its last place) for all numbers of ``dtype`` in the domain."""

    target: str
    reference: str
    domain: dict[str, Interval]
    bound: Exact
    error: Literal["absolute", "relative", "ulp"] = "absolute"
    dtype: Literal["float64", "float32"] = "float64"

    def claim(self, folder: Path) -> Claim:
        if self.grade == Outcome.PROVED.value:
            raise ValueError("grade 'proved' needs a certificate, which bounds of a target have not: ask for 'enclosed'")
        if self.grade not in (grade.value for grade in (Outcome.ENCLOSED, Outcome.SAMPLED)):
            raise ValueError(f"grade {self.grade!r}: 'enclosed' and 'sampled' are accepted")
        _ = self.box
        self._look_at_names(folder)
        return Claim(
            self.id,
            self.statement,
            self._domain_in_words(),
            self.source or f"{self.target} against {self.reference}",
            self._prover(folder),
            Outcome(self.grade),
            {"bound": rational("bound", self.bound)},
        )

    def _look_at_names(self, folder: Path) -> None:
        home, colon, function = self.target.rpartition(":")
        if not (home and colon and function):
            raise ValueError(f"key 'target': {self.target!r} is not module:function or file.py:function")
        for key in ("target", "reference"):
            home = getattr(self, key).rpartition(":")[0]
            if home.endswith(".py") and not (folder / home).is_file():
                raise ValueError(f"key {key!r}: there is no file {home!r} beside the claim file")
        if self.truth is None:
            self._look_at_reference()

    @property
    def box(self) -> Box:
        """The domain, exactly. Raises ValueError, naming the variable, for one that is empty."""
        if not 1 <= len(self.domain) <= MOST_VARIABLES:
            raise ValueError(f"key 'domain': 1 to {MOST_VARIABLES} variables are accepted, such as {{x = [0, 1]}}")
        return {name: _side(name, interval, FORMATS[FORMAT[self.dtype]]) for name, interval in self.domain.items()}

    @property
    def truth(self) -> Program | None:
        """The reference as a program; None where it is not one that has enclosures."""
        try:
            return formula(self.reference, tuple(self.domain))
        except NoFormula:
            return None

    def _look_at_reference(self) -> None:
        """Of one that is no formula; a function in a module or a file is left until it is run."""
        if tuple(self.domain) != ("x",):
            raise ValueError(f"key 'reference': {self.reference!r} has no enclosures, so it takes one variable, which is called x")
        if ":" not in self.reference:
            from certify.audit.reference import reference

            reference(self.reference)

    def located(self, folder: Path, name: str) -> str:
        """A target or reference whose file is looked for beside the claim file."""
        home, colon, function = name.rpartition(":")
        return f"{folder / home}{colon}{function}" if home.endswith(".py") else name

    def _domain_in_words(self) -> str:
        sides = (rf"{name} \in [{low}, {high}]" for name, (low, high) in self.domain.items())
        return ",\\ ".join(sides) + rf",\ \text{{every {self.dtype} number}}"

    def _prover(self, folder: Path) -> Callable[..., Verdict]:
        target, reference = self.located(folder, self.target), self.located(folder, self.reference)
        claimed = Bound(reference, self.truth, self.box, self.dtype, self.error, self.grade)

        def prove(bound: Fraction, profile: str, seed: int) -> Verdict:
            from certify.audit.bounds.verdict import judge
            from certify.audit.target import resolve

            return judge(resolve(target), claimed, exact(bound), profile, seed)

        prove.__doc__ = line(f"{self.target} against {self.reference}, {self.error} error at most the bound") + "."
        return prove


def _side(name: str, interval: Interval, form: Format) -> tuple[fmpq, fmpq]:
    if not name.isidentifier():
        raise ValueError(f"key 'domain': {name!r} is no name of a variable")
    try:
        low, high = (exact(end) for end in interval)
    except ValueError as error:
        raise ValueError(f"key 'domain': {name}: {error}") from None
    if low > high:
        raise ValueError(f"key 'domain': the interval of {name} ends before it begins")
    if max(abs(low), abs(high)) > fmpq(form.largest.numerator, form.largest.denominator):
        raise ValueError(f"key 'domain': the interval of {name} goes beyond the numbers of {form.name}")
    return low, high
