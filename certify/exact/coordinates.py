"""A theorem's symbols as rational functions of its chart's variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from certify.exact.expression import evaluate
from certify.exact.rational import RationalFunction, ring
from certify.exact.theorem import Chart, Supremum, Theorem

MAPS = {
    "itself": "{v}",
    "multiple": "({c})*{v}",
    "reciprocal": "({c})/{v}",
    "stereographic": "({c})*2*{v}/(1 - {v}**2)",
    "odds": "({c})*{v}/(1 - {v})",
}
OPEN = ("stereographic", "odds")  # v < 1, not v ≤ 1
UNIT = ("(0, 1]", "(0, 1)", "[0, 1]")


class Coordinates(Mapping[str, RationalFunction]):
    """Symbol → rational function; definitions are evaluated when first asked for.

    ``variables`` are those of the chart that run over the unit box; the other ones and the opaque functions are further indeterminates.

    >>> from certify.exact.theorem import Map
    >>> chart = Chart(symbols={"x": Map(map="reciprocal", variable="u", scale="2")})
    >>> Coordinates(Theorem(domain={"x": "[2, oo)"}, statements=()), chart)("1/x").above
    1/2*u
    """

    def __init__(self, theorem: Theorem, chart: Chart, suprema: Mapping[str, Supremum] | None = None) -> None:
        """``suprema`` gives, by the variable that it brings in on [0, 1], each supremum known to lie between two numbers."""
        known = suprema or {}
        self.theorem, self.chart = theorem, chart
        boxed = {s: m.map != "itself" or theorem.domain.get(s) in UNIT for s, m in chart.symbols.items()}
        self.variables = (*(m.variable for s, m in chart.symbols.items() if boxed[s]), *known)
        others = (*(m.variable for s, m in chart.symbols.items() if not boxed[s]), *theorem.derivatives)
        self.open = {map_.variable for map_ in chart.symbols.values() if map_.map in OPEN}
        self.ring = ring((*self.variables, *others))
        one = self.ring.constant(1)
        self._known = {v: RationalFunction(self.ring.gen(i), one) for i, v in enumerate((*self.variables, *others))}
        self._texts = {k: MAPS[m.map].format(v=m.variable, c=m.scale) for k, m in chart.symbols.items()}
        self._texts |= {k: text for k, text in theorem.where.items() if k not in chart.roots} | chart.roots
        self._texts |= {s.symbol: f"{s.low} + ({s.high} - {s.low})*{v}" for v, s in known.items()}

    def __call__(self, text: str) -> RationalFunction:
        """The expression as a rational function of the chart's variables."""
        return evaluate(text, self, self._constant, functions={"diff": self._diff})

    def __getitem__(self, symbol: str) -> RationalFunction:
        if symbol not in self._known:
            self._known[symbol] = self(self._texts[symbol])
        return self._known[symbol]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._known, **self._texts})

    def __len__(self) -> int:
        return len({**self._known, **self._texts})

    def _constant(self, n: int) -> RationalFunction:
        return RationalFunction(self.ring.constant(n), self.ring.constant(1))

    def _diff(self, function: RationalFunction, symbol: str) -> RationalFunction:
        """∂/∂symbol = (∂/∂v)/(∂symbol/∂v), where v is the chart variable that moves this symbol of the domain alone."""
        variable = self.chart.symbols[symbol].variable
        others = [self[s].derivative(variable).above.is_zero() for s in self.chart.symbols if s != symbol]
        if not all(others):
            raise ValueError(f"another symbol of the domain moves with {symbol}: put {symbol} last in the domain")
        if any(not function.derivative(name).above.is_zero() for name in self.theorem.derivatives):
            raise ValueError("opaque functions are differentiated by the checker only")
        return function.derivative(variable) / self[symbol].derivative(variable)
