"""What is true: references by name or as callables on mpmath numbers.

A name is an expression in x over mpmath's functions and constants, ``besseli(0, x)*exp(-x)``; a function of Arb's, ``arb.lgamma``;
a common name such as ``sigmoid``; or any function ``package.module:function(63, x)`` that returns a ball, an mpmath number
or a float for an exact x.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

from mpmath import mp

from certify.claims.text import clipped, one_line

DIGITS = 50
TRIED = ("0.75", "2")
Reference = Callable[[Any], Any]

_CONSTANTS = {name: getattr(mp, name) for name in ("pi", "e", "euler", "catalan", "phi", "ln2", "ln10", "apery", "glaisher", "khinchin")}

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
    return _expression(f"{text}(x)" if text.isidentifier() and text not in ("x", *_CONSTANTS) else text)


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
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unnamed(f"reference {text!r}: an expression in x over mpmath's functions is needed") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) not in (int, float):
            raise Unnamed(f"reference {clipped(text)!r}: {node.value!r} is not accepted as a number")
        if not isinstance(node, _NODES):
            raise Unnamed(f"reference {text!r}: {type(node).__name__} is not accepted, only arithmetic and functions of x")
    return tree.body


def _expression(text: str) -> Reference:
    tree = _parsed(text)
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    plain = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - called - {"x"}
    space = {name: found for name in called if (found := _function(name))} | {name: _CONSTANTS[name] for name in plain & _CONSTANTS.keys()}
    if unknown := sorted(called - space.keys()):
        raise Unnamed(f"reference {text!r}: neither mpmath nor this registry has {', '.join(unknown)}")
    if unknown := sorted(plain - space.keys()):
        raise Unnamed(f"reference {text!r}: {', '.join(unknown)} stands for no number; x, {', '.join(_CONSTANTS)} do")
    try:
        code = compile(_exact_constants(tree, text), "<reference>", "eval")
    except RecursionError:
        raise Unnamed(f"reference {clipped(text)!r}: too deeply nested") from None
    return _numerical(text, lambda x: eval(code, {"__builtins__": {}, **space, "_number": mp.mpf}, {"x": x}))


def _function(name: str) -> Callable[..., Any] | None:
    own = _COMMON.get(name) or _OF_PARAMETER.get(name)
    theirs = None if name.startswith("_") else getattr(mp, name, None)
    return own or (theirs if callable(theirs) and not isinstance(theirs, mp.constant) else None)


def _numerical(text: str, function: Reference) -> Reference:
    """The function. Raises Unnamed where it takes other arguments than it is given, or returns no number."""
    why = ""
    for x in TRIED:
        try:
            mp.mpmathify(function(mp.mpf(x)))
            return function
        except (TypeError, AttributeError) as error:
            why = one_line(error)
        except Exception:  # it has no value here
            return function
    raise Unnamed(f"reference {text!r} gives no number: {why}")


def _exact_constants(tree: ast.expr, text: str) -> ast.Expression:
    """Numbers in arithmetic are mpmath's, decimals exactly as they are written; whole numbers stay what they are as arguments."""

    class Exact(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            return _mpf(node, ast.get_source_segment(text, node) or "") if isinstance(node.value, float) else node

        def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
            self.generic_visit(node)
            for side in ("left", "right"):
                operand = getattr(node, side)
                if isinstance(operand, ast.Constant):
                    setattr(node, side, _mpf(operand, str(operand.value)))
            return node

    return ast.fix_missing_locations(ast.Expression(Exact().visit(tree)))


def _mpf(node: ast.Constant, written: str) -> ast.Call:
    return ast.copy_location(ast.Call(ast.Name("_number", ast.Load()), [ast.Constant(written.replace("_", ""))], []), node)
