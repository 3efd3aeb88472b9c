r"""A bound of the rounding errors of a whole program, on a box of inputs: one forward and one reverse sweep.

What is computed is the exact program with an error εᵢ added at each node. Let each error grow from 0 to εᵢ together: the output moves by
∑ᵢ ∫ ∂out/∂vᵢ · εᵢ, so |computed − exact| ≤ ∑ᵢ sup|∂out/∂vᵢ|·|εᵢ|, the suprema over enclosures of all the values that the nodes pass
through. The forward sweep makes these enclosures and the bounds |εᵢ| ≤ k·ulp from a profile, the reverse sweep the derivatives. There is no
term of second order to neglect.

An operation whose exact result is a float adds no error: products with powers of two, differences of numbers within a factor of two of
each other (Sterbenz). Underflow adds half the least subnormal number, or the least normal one where the profile says that subnormals are
flushed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.format import FORMATS, Format, format_of
from certify.exact.interpret import ball
from certify.exact.interpret.interval import INTERVAL, Box, sides
from certify.exact.interpret.partials import PARTIALS
from certify.exact.number import centre
from certify.exact.profile import Profile
from certify.exact.program import EXACT, LEAVES, Node, Program, ProgramError
from certify.exact.truth import Truth, less

HALF = Fraction(1, 2)
DOUBLE = FORMATS["binary64"]
PRECISION = 128


@dataclass(frozen=True)
class Bound:
    """|computed − exact| ≤ ``error`` for one output; ``value`` encloses what is computed, and the exact value."""

    error: Fraction
    value: arb

    def units(self, form: Format) -> Fraction:
        """The bound in multiples of the unit roundoff of the format."""
        return self.error / form.unit


def bound(program: Program, on: Box, profile: Profile, form: str = "binary64", stored: str | None = None) -> tuple[Bound, ...]:
    """Bounds for all outputs, for every point of the box whose coordinates are numbers of the format ``form``, in which is computed.

    ``stored`` names a narrower format to which the outputs are rounded at last (bfloat16 and float16 are computed in binary32). Raises
    ProgramError where a value may overflow or leave the domain of its operation, a choice is open, or the profile has no bound.
    """
    sweep = _Sweep(program, profile, format_of(form))
    with working_precision(PRECISION):
        values = sweep.forward(on)
        found = [Bound(sweep.reverse(values, place), values[place]) for place in program.outputs]
    return tuple(_stored(each, format_of(stored)) if stored else each for each in found)


class _Sweep:
    def __init__(self, program: Program, profile: Profile, form: Format) -> None:
        self.program, self.profile, self.form = program, profile, form
        self.flushes = form.name in profile.flushes
        self.errors: list[Fraction] = []

    def forward(self, on: Box) -> list[arb]:
        """Enclosures of the computed values, and of all values between them and the exact ones."""
        self.program.arguments(on)
        arguments = sides(on)
        values: list[arb] = []
        for place, node in enumerate(self.program.nodes):
            exact = INTERVAL.value(place, node, values, arguments)
            if not exact.is_finite():
                raise ProgramError(f"node {place}: no finite enclosure of {node.op} on the box")
            error = self._error(node, exact, values)
            self.errors.append(error)
            values.append(self._computed(node, exact, error, values))
            if less(ball.magnitude(values[-1]).upper(), _rational(self.form.largest)) is not Truth.YES:
                raise ProgramError(f"node {place}: {node.op} may overflow in {self.form.name}")
        return values

    def _error(self, node: Node, exact: arb, values: list[arb]) -> Fraction:
        """A bound of the error that the node adds to the exact result on its computed arguments."""
        largest = _fraction(ball.magnitude(exact).upper())
        tiny = self._underflow(node, exact, largest)
        if node.op == "constant":
            value = Fraction(node.value)
            return max(tiny, abs(self.form.nearest(DOUBLE.nearest(value)) - value))
        if node.op == "input" or node.op in EXACT:
            return tiny
        ulps = self.profile.bound(node.op, self.form.name)
        return tiny if ulps == HALF and self._is_exact(node, values) else max(tiny, _ulps(ulps, largest, self.form))

    def _underflow(self, node: Node, exact: arb, largest: Fraction) -> Fraction:
        """The error of a tiny result, where half an ulp is less: sums are exact, nothing is lost of inputs, unless numbers are flushed."""
        if largest == 0 or _fraction(ball.magnitude(exact).lower()) >= 2 * self.profile.least(node.op) * self.form.least_normal:
            return Fraction(0)
        if self.flushes:
            return min(self.form.least_normal, largest)
        if node.op in (*EXACT, *LEAVES, "add", "sub"):
            return Fraction(0)
        return max(self.profile.least(node.op), self.profile.bound(node.op, self.form.name)) * self.form.least_subnormal

    def _is_exact(self, node: Node, values: list[arb]) -> bool:
        """Whether the exact result on computed arguments is a float, underflow aside."""
        if node.op == "mul":
            return any(_power_of_two(values[argument]) for argument in node.args)
        if node.op == "div":
            return _power_of_two(values[node.args[1]])
        if node.op != "sub" or self._fused(node):
            return False
        a, b = (values[argument] for argument in node.args)
        return all(less(0, x.lower()) is Truth.YES and less(2 * x.lower(), y.upper()) is Truth.NO for x, y in ((a, b), (b, a)))

    def _fused(self, node: Node) -> bool:
        """Whether an argument may be the unrounded product of a fused operation."""
        return self.profile.contracts and any(self.program.nodes[argument].op == "mul" for argument in node.args)

    def _computed(self, node: Node, exact: arb, error: Fraction, values: list[arb]) -> arb:
        value = exact + arb(0, _rational(error)) if error else exact
        if node.op == "hypot" and self._bounded_below(node):
            floor = ball.magnitude(values[node.args[0]]).lower().max(ball.magnitude(values[node.args[1]]).lower())
            return value.max(floor)
        return value

    def _bounded_below(self, node: Node) -> bool:
        """Whether the profile puts hypot above its arguments, and these are inputs, without errors of their own."""
        inputs = all(self.program.nodes[argument].op == "input" for argument in node.args)
        return self.profile.hypot_monotone and not self.flushes and inputs

    def reverse(self, values: list[arb], output: int) -> Fraction:
        """∑ sup|∂out/∂vᵢ|·|εᵢ| for one output. What may be fused or flushed has an error for each of its uses."""
        adjoints: list[arb | None] = [None] * len(values)
        apart = [arb(0)] * len(values)
        adjoints[output], total = arb(1), arb(0)
        for place in range(output, -1, -1):
            adjoint, node = adjoints[place], self.program.nodes[place]
            if adjoint is None:
                continue
            separate = self.flushes or (self.profile.contracts and node.op == "mul")
            weight = apart[place] if separate and place != output else ball.magnitude(adjoint)
            total += weight * _rational(self.errors[place])
            for argument, factor in self._factors(place, node, values):
                passed, former = adjoint * factor, adjoints[argument]
                adjoints[argument] = passed if former is None else former + passed
                apart[argument] += ball.magnitude(passed)
        if not total.is_finite():
            raise ProgramError(f"output {output}: a derivative is not bounded on the box, or a choice is open")
        return _fraction(total.upper())

    def _factors(self, place: int, node: Node, values: list[arb]) -> list[tuple[int, arb]]:
        if not node.args:
            return []
        if node.op not in PARTIALS:
            raise ProgramError(f"node {place}: the rounding interpreter has no derivative of {node.op}")
        factors = PARTIALS[node.op](values[place], *(values[argument] for argument in node.args))
        return list(zip(node.args, factors, strict=True))


def _ulps(ulps: Fraction, largest: Fraction, form: Format) -> Fraction:
    """The bound, for results of magnitude ``largest`` at most; a correctly rounded result does not pass a power of two."""
    if largest == 0:
        return Fraction(0)
    unit = Fraction(2) ** (binade(largest) - form.bits + 1)
    return ulps * unit / 2 if ulps == HALF and Fraction(2) ** binade(largest) == largest else ulps * unit


def binade(value: Fraction) -> int:
    """The e with 2^e ≤ value < 2^(e+1), for value > 0."""
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    return exponent if Fraction(2) ** exponent <= value else exponent - 1


def unit_in_last_place(value: Fraction, form: Format) -> Fraction:
    """The spacing of the format at a value ≥ 0, the least subnormal number at least."""
    return max(form.least_subnormal, Fraction(2) ** (binade(value) - form.bits + 1)) if value else form.least_subnormal


def _stored(found: Bound, form: Format) -> Bound:
    """After rounding to the format, correctly."""
    largest = _fraction(ball.magnitude(found.value).upper())
    if largest > form.largest:
        raise ProgramError(f"an output may overflow in {form.name}")
    error = max(_ulps(HALF, largest, form), form.least_subnormal / 2)
    return replace(found, error=found.error + error, value=found.value + arb(0, _rational(error)))


def _power_of_two(value: arb) -> bool:
    """Whether the ball is one number ±2^k."""
    return value.is_exact() and not value.is_zero() and abs(int(value.man_exp()[0])) == 1


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _fraction(value: arb) -> Fraction:
    try:
        exact = centre(value)
    except ValueError:
        raise ProgramError("a value, or a derivative, is too large or too small") from None
    return Fraction(int(exact.p), int(exact.q))
