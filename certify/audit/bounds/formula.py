"""References as straight-line programs: arithmetic and the functions below, of the variables, with exact constants.

What is a program has enclosures over intervals, Taylor series and balls at points. Common names are written in forms that stay accurate
on wide intervals.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from fractions import Fraction

from certify.claims.text import clipped, one_line
from certify.exact.number import exact
from certify.exact.program import Builder, Program, Value

Operand = Value | Fraction
Call = Callable[..., Operand]


class NoFormula(ValueError):
    """A text is no expression over these functions; the message says which part is not."""


def formula(text: str, variables: Sequence[str]) -> Program:
    """The program of an expression such as ``log(1 + exp(x))``, or of the name of a function of one variable. Raises NoFormula."""
    tree = _parsed(f"{text}({variables[0]})" if text in FUNCTIONS and len(variables) == 1 else text)
    builder = Builder()
    names = dict(zip(variables, builder.inputs(*variables), strict=True))
    try:
        result = _Reader(builder, names, text).read(tree)
    except NoFormula:
        raise
    except (ValueError, RecursionError) as error:  # a number of too many digits, too deep a nesting
        raise NoFormula(f"{clipped(text)!r} has no enclosure: {one_line(error)}") from None
    return builder.program(result if isinstance(result, Value) else builder.constant(result)).canonical()


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NoFormula(f"{clipped(text)!r} is no expression") from None


class _Reader:
    def __init__(self, builder: Builder, names: dict[str, Value], text: str) -> None:
        self.builder, self.names, self.text = builder, names, text.strip()

    def read(self, node: ast.expr) -> Operand:
        match node:
            case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
                return self._number(node)
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Name(id="pi"):
                return 4 * self._call("atan", Fraction(1))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self.read(operand)
                return -value
            case ast.BinOp(left=left, op=op, right=right) if type(op) in SIGNS:
                return self._arithmetic(SIGNS[type(op)], self.read(left), self.read(right))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                return self._function(name, [self.read(argument) for argument in args])
        raise NoFormula(f"{ast.unparse(node)!r} has no enclosure: accepted are arithmetic, pi and {', '.join(FUNCTIONS)}")

    def _number(self, node: ast.Constant) -> Fraction:
        number = exact(ast.get_source_segment(self.text, node) or repr(node.value))
        return Fraction(int(number.p), int(number.q))

    def _arithmetic(self, op: str, a: Operand, b: Operand) -> Operand:
        if op == "pow" and isinstance(a, Value) and b == 2:
            return a * a
        return self._call(op, a, b)

    def _call(self, op: str, *arguments: Operand) -> Value:
        return self.builder.call(op, *arguments)

    def _function(self, name: str, arguments: list[Operand]) -> Operand:
        try:
            return FUNCTIONS[name](self._call, *arguments)
        except TypeError:
            raise NoFormula(f"{name} of {len(arguments)} arguments") from None


SIGNS: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}
HALF = Fraction(1, 2)


def _plain(op: str) -> Call:
    return lambda call, a: call(op, a)


def _softplus(call: Call, x: Operand) -> Operand:
    """max(x, 0) + log1p(exp(−|x|))."""
    return call("add", call("max", x, Fraction(0)), call("log1p", call("exp", call("neg", call("abs", x)))))


def _ndtr(call: Call, x: Operand) -> Operand:
    """erfc(−x/√2)/2."""
    return call("mul", call("erfc", call("neg", call("mul", x, call("sqrt", HALF)))), HALF)


def _bessel(call: Call, n: Operand, x: Operand) -> Operand:
    if n not in (0, 1):
        raise NoFormula("besseli of an order other than 0 and 1")
    return call("mul", call(f"i{n}e", x), call("exp", call("abs", x)))


FUNCTIONS: dict[str, Call] = {
    **{op: _plain(op) for op in ("exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh")},
    **{op: _plain(op) for op in ("erf", "erfc", "lgamma", "digamma", "sigmoid", "abs", "i0e", "i1e")},
    "fabs": _plain("abs"),
    "loggamma": _plain("lgamma"),
    "softplus": _softplus,
    "logsigmoid": lambda call, x: call("neg", _softplus(call, call("neg", x))),
    "silu": lambda call, x: call("mul", x, call("sigmoid", x)),
    "ndtr": _ndtr,
    "ncdf": _ndtr,
    "log_ndtr": lambda call, x: call("log", _ndtr(call, x)),
    "gelu": lambda call, x: call("mul", x, _ndtr(call, x)),
    "erfcx": lambda call, x: call("mul", call("exp", call("mul", x, x)), call("erfc", x)),
    "besseli": _bessel,
    "max": lambda call, a, b: call("max", a, b),
    "min": lambda call, a, b: call("min", a, b),
}
"""By name; each is given how to add an operation to the program, then its arguments."""
