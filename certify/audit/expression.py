"""Expressions in x over mpmath's functions and constants, and those below: text is read as a tree, and the tree evaluated in bounded time.

Numbers in arithmetic are mpmath's, decimals exactly as they are written; whole numbers stay what they are as arguments.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from mpmath import mp

from certify.claims.text import clipped, one_line

Function = Callable[..., Any]

LONGEST = 2000
"""Characters of an expression."""

REACH = 2100
"""Binary digits before the point of an exponent, or of an argument of a function other than ``SLOW_TO_GROW``, squares of doubles among
them: the time that mpmath takes grows with them without bound."""

SLOW_TO_GROW = ("log", "ln", "log1p", "log10", "sqrt", "fabs", "abs", "max", "min")

CONSTANTS = {name: getattr(mp, name) for name in ("pi", "e", "euler", "catalan", "phi", "ln2", "ln10", "apery", "glaisher", "khinchin")}

COMMON: dict[str, Function] = {
    "abs": mp.fabs,
    "max": lambda a, b: max(a, b),
    "min": lambda a, b: min(a, b),
    "digamma": lambda x: mp.psi(0, x),
    "lgamma": mp.loggamma,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "softplus": lambda x: mp.log1p(mp.exp(x)),
    "logsigmoid": lambda x: -mp.log1p(mp.exp(-x)),
    "gelu": lambda x: x * mp.ncdf(x),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "ndtr": mp.ncdf,
    "log_ndtr": lambda x: mp.log1p(-mp.ncdf(-x)) if x > 0 else mp.log(mp.ncdf(x)),
    "normal_hazard": lambda x: mp.npdf(x) / mp.ncdf(-x),
    "erfcx": lambda x: mp.exp(x * x) * mp.erfc(x),
    "i0": lambda x: mp.besseli(0, x),
    "i1": lambda x: mp.besseli(1, x),
    "i0e": lambda x: mp.besseli(0, x) * mp.exp(-abs(x)),
    "i1e": lambda x: mp.besseli(1, x) * mp.exp(-abs(x)),
}
"""By the names that they have elsewhere."""

OF_PARAMETER: dict[str, Function] = {
    "bessel_k_ratio": lambda nu, x: mp.besselk(nu + 1, x) / mp.besselk(nu, x),
    "log_bessel_k": lambda nu, x: mp.log(mp.besselk(nu, x)),
    "gamma_hazard": lambda a, x: mp.power(x, a - 1) * mp.exp(-x) / mp.gammainc(a, x),
    "log_kummer": lambda p, x: mp.log(mp.hyp1f1(0.5, p / 2, x)),
    "watson_quotient": lambda p, x: mp.hyp1f1(1.5, p / 2 + 1, x) / mp.hyp1f1(0.5, p / 2, x) / p,
}
"""Called with their parameter: ``gamma_hazard(3, x)``."""

TRIED = ("0.75", "2")

_ARITHMETIC: Mapping[type[ast.operator], Function] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: lambda a, b: a ** _within_reach(b),
}
_NODES = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.USub, ast.Call, ast.Name, ast.Load, ast.Constant, *_ARITHMETIC)


class Unnamed(ValueError):
    """A reference that is not known by the name given."""


class TooLarge(ArithmeticError):
    """A number beyond ``REACH``."""


def expression(text: str) -> Callable[[Any], Any]:
    """The function of x. Raises Unnamed, one line, for a text that is none, or is not evaluated at any of the points tried."""
    tree = parsed(text)
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    plain = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - called - {"x"}
    if unknown := sorted(name for name in called if _function(name) is None):
        raise Unnamed(f"reference {text!r}: neither mpmath nor this registry has {', '.join(unknown)}")
    if unknown := sorted(plain - CONSTANTS.keys()):
        raise Unnamed(f"reference {text!r}: {', '.join(unknown)} stands for no number; x, {', '.join(CONSTANTS)} do")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            node.value = (ast.get_source_segment(text, node) or "").replace("_", "")
    return _tried(text, lambda x: _value(tree, x))


def parsed(text: str) -> ast.expr:
    """The tree of an expression. Raises Unnamed for other text."""
    try:
        tree = ast.parse(text, mode="eval") if len(text) <= LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is None:
        raise Unnamed(f"reference {clipped(text)!r}: an expression in x over mpmath's functions, at most {LONGEST} characters, is needed")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) not in (int, float):
            raise Unnamed(f"reference {clipped(text)!r}: {node.value!r} is not accepted as a number")
        if not isinstance(node, _NODES):
            raise Unnamed(f"reference {text!r}: {type(node).__name__} is not accepted, only arithmetic and functions of x")
    return tree.body


def _function(name: str) -> Function | None:
    own = COMMON.get(name) or OF_PARAMETER.get(name)
    theirs = None if name.startswith("_") else getattr(mp, name, None)
    return own or (theirs if callable(theirs) and not isinstance(theirs, mp.constant) else None)


def _tried(text: str, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function. Raises Unnamed where it takes other arguments than it is given, returns no number, or never one within reach."""
    why = ""
    for x in TRIED:
        try:
            mp.mpmathify(function(mp.mpf(x)))
            return function
        except (TypeError, AttributeError, RecursionError, TooLarge) as error:
            why = one_line(error)
        except Exception:  # it has no value here
            return function
    raise Unnamed(f"reference {clipped(text)!r} gives no number: {why}")


def _value(node: ast.expr, x: Any) -> Any:
    match node:
        case ast.Constant(value=str(decimal)):
            return mp.mpf(decimal)
        case ast.Constant(value=whole):
            return whole
        case ast.Name(id=name):
            return x if name == "x" else CONSTANTS[name]
        case ast.UnaryOp(operand=operand):
            return -_value(operand, x)
        case ast.BinOp(left=left, op=op, right=right):
            return _ARITHMETIC[type(op)](mp.mpmathify(_value(left, x)), mp.mpmathify(_value(right, x)))
        case ast.Call(func=ast.Name(id=name), args=arguments) if (function := _function(name)) is not None:
            values = [_value(argument, x) for argument in arguments]
            return function(*(values if name in SLOW_TO_GROW else map(_within_reach, values)))
    raise TypeError(f"{ast.unparse(node)} is no function of numbers")


def _within_reach(number: Any) -> Any:
    if mp.mag(number) > REACH:
        raise TooLarge(f"an exponent or an argument beyond 2^{REACH}")
    return number
