"""What is true: references by name or as callables on mpmath numbers, and their derivatives by high-precision differences.

A name is an expression in x over mpmath's functions, ``besseli(0, x)*exp(-x)``; a function of Arb's, ``arb.lgamma``; a
common name such as ``sigmoid``; or any function ``package.module:function(63, x)`` that returns a ball, an mpmath number
or a float for an exact x.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

import mpmath
from mpmath import mp

DIGITS = 50
STEP = mpmath.mpf(2) ** -27  # of x: differences of an error of STEP⁴, and noise that thirty digits keep below STEP
Reference = Callable[[Any], Any]

_COMMON: dict[str, Reference] = {
    "digamma": lambda x: mp.psi(0, x),
    "lgamma": mp.loggamma,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "softplus": lambda x: mp.log1p(mp.exp(x)),
    "logsigmoid": lambda x: -mp.log1p(mp.exp(-x)),
    "gelu": lambda x: x * mp.ncdf(x),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "ndtr": mp.ncdf,
    "log_ndtr": lambda x: mp.log(mp.ncdf(x)),
    "normal_hazard": lambda x: mp.npdf(x) / mp.ncdf(-x),
    "erfcx": lambda x: mp.exp(x * x) * mp.erfc(x),
    "i0": lambda x: mp.besseli(0, x),
    "i1": lambda x: mp.besseli(1, x),
    "i0e": lambda x: mp.besseli(0, x) * mp.exp(-abs(x)),
    "i1e": lambda x: mp.besseli(1, x) * mp.exp(-abs(x)),
}


_OF_PARAMETER: dict[str, Callable[..., Any]] = {
    "bessel_k_ratio": lambda nu, x: mp.besselk(nu + 1, x) / mp.besselk(nu, x),
    "log_bessel_k": lambda nu, x: mp.log(mp.besselk(nu, x)),
    "gamma_hazard": lambda a, x: mp.power(x, a - 1) * mp.exp(-x) / mp.gammainc(a, x),
    "log_kummer": lambda p, x: mp.log(mp.hyp1f1(0.5, p / 2, x)),
    "watson_quotient": lambda p, x: mp.hyp1f1(1.5, p / 2 + 1, x) / mp.hyp1f1(0.5, p / 2, x) / p,
}
"""Called with their parameter in expressions: ``gamma_hazard(3, x)``."""


class Unnamed(ValueError):
    """A reference that is not known by the name given."""


def reference(named: str | Reference | None) -> Reference | None:
    """The reference as a callable. Raises ValueError, one line, for a name that is none."""
    if named is None or callable(named):
        return named
    text = str(named).strip()
    if ":" in text:
        module, _, call = text.partition(":")
        return _imported(module.strip(), call.strip())
    if text.startswith("arb."):
        return _arb(text.removeprefix("arb."))
    if text in _COMMON:
        return _COMMON[text]
    if text in _OF_PARAMETER:
        raise Unnamed(f"reference {text!r}: it needs its parameter, as in {text}(3, x)")
    if text.isidentifier():
        text = f"{text}(x)"
    return _expression(text)


def _imported(module: str, call: str) -> Reference:
    tree = _parsed(call if "(" in call else f"{call}(x)")
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)):
        raise Unnamed(f"reference {module}:{call}: use module:function(63, x)")
    try:
        function = getattr(import_module(module), tree.func.id)
        arguments = [None if isinstance(a, ast.Name) and a.id == "x" else ast.literal_eval(a) for a in tree.args]
    except (ImportError, AttributeError, ValueError) as error:
        raise Unnamed(f"reference {module}:{call}: {error}") from None
    return lambda x: _number(function(*(_exact(x) if a is None else a for a in arguments)))


def _arb(name: str) -> Reference:
    from flint import arb

    if not callable(getattr(arb, name, None)):
        raise Unnamed(f"reference arb.{name}: Arb has no function of that name")

    def evaluate(x: Any) -> Any:
        from flint import ctx

        bits, ctx.prec = ctx.prec, mp.prec + 100
        try:
            exact = _exact(x)
            return _number(getattr(arb(exact.numerator) / arb(exact.denominator), name)())
        finally:
            ctx.prec = bits

    return evaluate


def _exact(x: Any) -> Fraction:
    sign, mantissa, exponent, _ = mp.mpf(x)._mpf_
    return Fraction(-mantissa if sign else mantissa) * Fraction(2) ** exponent


def _number(value: Any) -> Any:
    """A ball by its midpoint, nan where it is wider than half of the digits; anything else as mpmath reads it."""
    if hasattr(value, "mid") and hasattr(value, "rad"):
        digits = value.str(mp.dps, radius=False)
        return mp.mpf(digits) if value.is_finite() and digits != "nan" else mp.nan
    return mp.mpmathify(value)


_NODES = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.Pow,
    ast.USub,
)


def _parsed(text: str) -> ast.expr:
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        raise Unnamed(f"reference {text!r}: an expression in x over mpmath's functions is needed") from None
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            raise Unnamed(f"reference {text!r}: {type(node).__name__} is not accepted, only arithmetic and functions of x")
    return tree.body


def _expression(text: str) -> Reference:
    tree = _parsed(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - {"x"}
    known: dict[str, Callable[..., Any]] = {**_COMMON, **_OF_PARAMETER}
    unknown = sorted(name for name in names if name not in known and not (hasattr(mp, name) and not name.startswith("_")))
    if unknown:
        raise Unnamed(f"reference {text!r}: neither mpmath nor this registry has {', '.join(unknown)}")
    space = {name: known.get(name, getattr(mp, name, None)) for name in names}
    code = compile(_exact_constants(tree, text), "<reference>", "eval")
    return lambda x: eval(code, {"__builtins__": {}, **space, "_number": mp.mpf}, {"x": x})


def _exact_constants(tree: ast.expr, text: str) -> ast.Expression:
    """Decimals in the text stand for themselves, not for floats."""

    class Exact(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            if isinstance(node.value, float):
                written = ast.get_source_segment(text, node) or ""
                return ast.Call(ast.Name("_number", ast.Load()), [ast.Constant(written.replace("_", ""))], [])
            return node

    return ast.fix_missing_locations(ast.Expression(Exact().visit(tree)))


def derivatives(truth: Reference, x: float, orders: int) -> list[Any] | None:
    """The reference and its first ``orders`` + 1 derivatives at x; None where it has no real value or no such derivative."""
    lost = max(0, -int(mp.floor(mp.log10(abs(mp.mpf(x)))))) if x else 0
    with mp.workdps(DIGITS + 2 * lost):
        at = mp.mpf(x)
        h = STEP * (abs(at) if at else mp.mpf(1))
        centre = _real(truth, at)
        if centre is None:
            return None
        around = [_real(truth, at + k * h) for k in (-2, -1, 1, 2)]
        if all(value is not None for value in around):
            a, b, c, d = around
            found = [
                (8 * (c - b) - (d - a)) / (12 * h),
                (16 * (b + c) - a - d - 30 * centre) / (12 * h * h),
                ((d - a) - 2 * (c - b)) / (2 * h**3),
            ]
            sides = ((3 * centre - 4 * b + a) / (2 * h), (4 * c - d - 3 * centre) / (2 * h))
            size = abs(sides[0]) + abs(sides[1])
            if abs(sides[0] - sides[1]) > mp.mpf(10) ** -4 * size + h * (abs(centre) + h) / (at * at if at else 1):
                return None
            return [centre, *found[: orders + 1]]
        return _one_sided(truth, at, h, centre, orders)


def _one_sided(truth: Reference, at: Any, h: Any, centre: Any, orders: int) -> list[Any] | None:
    for sign in (1, -1):
        b, c, d = (_real(truth, at + sign * k * h) for k in (1, 2, 3))
        if b is not None and c is not None and d is not None:
            first = sign * (-11 * centre + 18 * b - 9 * c + 2 * d) / (6 * h)
            return [centre, first, (2 * centre - 5 * b + 4 * c - d) / (h * h), mp.mpf(0)][: orders + 2]
    return None


def _real(truth: Reference, x: Any) -> Any:
    try:
        value = mp.mpmathify(truth(x))
    except Exception:
        return None
    if isinstance(value, mpmath.mpc):
        if value.imag != 0:
            return None
        value = value.real
    return value if mp.isfinite(value) else None
