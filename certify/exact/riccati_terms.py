"""The terms of a Riccati theorem as rational functions of its symbols, written so that their form shows their sign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq_mpoly, fmpq_mpoly_ctx

from certify.exact.expression import evaluate
from certify.exact.rational import RationalFunction, ring
from certify.exact.theorem import Chart


class Refusal(ValueError):
    """A problem that the prover does not take; the message names the term."""


class Symbols(dict[str, RationalFunction]):
    """Values of symbols; a definition is evaluated when it is first asked for."""

    def __init__(self, values: Mapping[str, RationalFunction], where: Mapping[str, str], terms: Terms) -> None:
        super().__init__(values)
        self.where, self.terms = dict(where), terms

    def __missing__(self, name: str) -> RationalFunction:
        self[name] = self.terms.evaluate(self.where.pop(name), self)
        return self[name]


@dataclass(frozen=True)
class Terms:
    """Evaluates expressions over Q(free symbols, roots, solutions).

    ``free`` are the symbols of the domain, the last of which is ξ, and ``start`` is the chart's variable for it.
    """

    ring: fmpq_mpoly_ctx
    known: Mapping[str, RationalFunction]
    free: tuple[str, ...]
    roots: Mapping[str, str]
    where: Mapping[str, str]
    start: str

    @classmethod
    def of(cls, domain: Iterable[str], where: Mapping[str, str], chart: Chart, solutions: Iterable[str] = ()) -> Terms:
        free = tuple(domain)
        names = (*free, *chart.roots, *solutions)
        own = ring(names)
        known = {name: RationalFunction(own.gen(i), own.constant(1)) for i, name in enumerate(names)}
        rest = {name: text for name, text in where.items() if name not in chart.roots}
        return cls(own, known, free, chart.roots, rest, chart.symbols[free[-1]].variable)

    def evaluate(self, text: str, symbols: Mapping[str, RationalFunction]) -> RationalFunction:
        return evaluate(text, symbols, self.constant, functions={"diff": self.slope})

    def __call__(self, name: str, text: str, values: Mapping[str, RationalFunction] | None = None) -> RationalFunction:
        """The term as a rational function; Refusal, with its name, where it is none."""
        try:
            return self.evaluate(text, Symbols({**self.known, **(values or {})}, self.where, self))
        except KeyError as error:
            raise Refusal(f"{name} {text!r} is not rational after the substitution: unknown symbol {error.args[0]}") from None
        except (ValueError, SyntaxError, ZeroDivisionError) as error:
            raise Refusal(f"{name} {text!r} is not rational after the substitution: {error}") from None

    def constant(self, n: int) -> RationalFunction:
        return RationalFunction(self.ring.constant(n), self.ring.constant(1))

    def slope(self, function: RationalFunction, variable: str) -> RationalFunction:
        """∂/∂ξ, for a function without roots. Raises Refusal for one with roots."""
        moved = [name for name in self.roots if not function.derivative(name).above.is_zero()]
        if moved:
            raise Refusal(f"the substitution and the shift must be rational: {', '.join(moved)} is a square root")
        return function.derivative(variable)

    def polynomial(self, polynomial: fmpq_mpoly) -> RationalFunction:
        return RationalFunction(polynomial, self.ring.constant(1))

    def highest(self, polynomial: fmpq_mpoly, symbol: str) -> tuple[int, RationalFunction, RationalFunction]:
        """d, T and the rest, where the polynomial is symbol^d·T + rest, of lower degree in the symbol."""
        axis = list(self.known).index(symbol)
        terms = {tuple(map(int, monomial)): c for monomial, c in polynomial.to_dict().items()}
        degree = max(monomial[axis] for monomial in terms)
        top = {(*m[:axis], 0, *m[axis + 1 :]): c for m, c in terms.items() if m[axis] == degree}
        rest = {m: c for m, c in terms.items() if m[axis] < degree}
        return degree, self.polynomial(self.ring.from_dict(top)), self.polynomial(self.ring.from_dict(rest))

    def core(self, polynomial: fmpq_mpoly) -> tuple[RationalFunction, RationalFunction]:
        """The polynomial without its factors that are positive by form, and the product of these."""
        factor = self.constant(1)
        for part, power in _factored(polynomial)[1]:
            if all(c > 0 for c in part.coeffs()):
                factor = factor * self.polynomial(part**power)
        return self.polynomial(polynomial) / factor, factor

    def lowest(self, polynomial: fmpq_mpoly, symbol: str) -> Iterator[tuple[RationalFunction, RationalFunction]]:
        """Terms of low degree in the symbol, all with coefficients > 0, and the rest: as many as possible first."""
        axis = list(self.known).index(symbol)
        terms = {tuple(map(int, monomial)): c for monomial, c in polynomial.to_dict().items()}
        bad = min((monomial[axis] for monomial, c in terms.items() if c < 0), default=0)
        degrees = sorted({monomial[axis] for monomial in terms if monomial[axis] < bad}, reverse=True)
        for degree in degrees:
            low = self.ring.from_dict({m: c for m, c in terms.items() if m[axis] <= degree})
            yield self.polynomial(low), self.polynomial(polynomial - low)

    def by_power(self, polynomial: fmpq_mpoly, symbol: str) -> list[RationalFunction]:
        """The coefficients of the powers of a symbol that occur."""
        parts, rest = [], self.polynomial(polynomial)
        while not rest.above.is_zero():
            _, top, rest = self.highest(rest.above, symbol)
            parts.append(top)
        return parts

    def at_zero(self, name: str, text: str) -> RationalFunction:
        """The term at ξ = 0, roots by the chart. Raises Refusal for a pole there."""
        self(name, text)
        values = {**self.known, self.free[-1]: self.constant(0), self.start: self.constant(0)}
        for root, form in self.roots.items():
            values[root] = evaluate(form, values, self.constant)
        try:
            return self(name, text, values)
        except Refusal:
            raise Refusal(f"{name} is not pinned: it has no value at {self.free[-1]} = 0") from None

    def regular(self, text: str) -> bool:
        """Whether it has a value at ξ = 0 as it is written."""
        try:
            self.at_zero("the bound", text)
        except Refusal:
            return False
        return True

    def factors(self, polynomial: fmpq_mpoly) -> list[RationalFunction]:
        """The irreducible factors, constants left out, each with a positive leading coefficient."""
        _, found = polynomial.factor()
        return [RationalFunction(_primitive(factor), self.ring.constant(1)) for factor, _ in found]


def _primitive(factor: fmpq_mpoly) -> fmpq_mpoly:
    """The factor, or its negative where most of its coefficients are negative."""
    return -factor if sum(1 if c > 0 else -1 for c in factor.coeffs()) < 0 else factor


def _factored(polynomial: fmpq_mpoly) -> tuple[Any, list[tuple[fmpq_mpoly, int]]]:
    content, found = polynomial.factor()
    parts = []
    for factor, power in found:
        primitive = _primitive(factor)
        content = content if primitive == factor else content * (-1) ** int(power)
        parts.append((primitive, int(power)))
    return content, parts


def written(function: RationalFunction) -> str:
    """The function as a product of powers, so that its form shows its sign where its factors do."""
    (above, numerator), (below, denominator) = _factored(function.above), _factored(function.below)
    content = above / below
    text = _product([str(abs(content.p))], numerator) if content else "0"
    bottom = _product([str(content.q)], denominator)
    text = text if bottom == "1" else f"{text}/({bottom})"
    return f"0 - {text}" if content < 0 else text


def _product(first: list[str], parts: list[tuple[fmpq_mpoly, int]]) -> str:
    texts = [*first, *(f"({str(factor).replace('^', '**')})" + (f"**{power}" if power > 1 else "") for factor, power in parts)]
    return "*".join(text for text in texts if text != "1") or "1"


def positive_by_form(function: RationalFunction) -> bool:
    """Whether it is written with positive coefficients only: > 0 where all symbols are."""
    return not function.above.is_zero() and _by_form(function, even=False)


def nonnegative_by_form(function: RationalFunction) -> bool:
    """The same with even powers of anything."""
    return function.above.is_zero() or _by_form(function, even=True)


def _by_form(function: RationalFunction, even: bool) -> bool:
    (above, numerator), (below, denominator) = _factored(function.above), _factored(function.below)
    signs = [all(c > 0 for c in f.coeffs()) or (even and k % 2 == 0) for f, k in numerator]
    return above / below > 0 and all(signs) and all(all(c > 0 for c in f.coeffs()) for f, _ in denominator)
