"""Expressions of the formal language, evaluated over any ring.

The same text gives a rational function (:mod:`certify.exact.coordinates`), a ball, or a rational number, according to the
elements put in for its symbols.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def evaluate(
    text: str,
    symbols: Mapping[str, Any],
    constant: Callable[[int], Any],
    power: Callable[[Any, int], Any] = operator.pow,
    functions: Mapping[str, Callable[..., Any]] | None = None,
) -> Any:
    """The value of ``text``.

    ``constant`` makes a ring element of an integer: Python's own ``1/2`` would be a float. ``functions`` receive their
    first argument's value and the texts of the others, as ``diff(u, x)`` needs.

    Raises ValueError for anything outside the language, KeyError for an unknown symbol.
    """

    def visit(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=n) if type(n) is int:
                return constant(n)
            case ast.Name(id=name):
                return symbols[name]
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return -visit(a)
            case ast.BinOp(left=a, op=ast.Pow(), right=ast.Constant(value=int(n))) if n > 0:
                return power(visit(a), n)
            case ast.BinOp(left=a, op=op, right=b) if type(op) in OPERATORS:
                return OPERATORS[type(op)](visit(a), visit(b))
            case ast.Call(func=ast.Name(id=name), args=[a, *others], keywords=[]) if name in (functions or {}):
                return (functions or {})[name](visit(a), *map(ast.unparse, others))
        raise ValueError(f"not in the language of expressions: {ast.unparse(node)[:80]}")

    return visit(ast.parse(text, mode="eval").body)


def replace(text: str, **values: str) -> str:
    """``text`` with whole symbols replaced by other symbols or by parenthesised expressions."""

    def value(match: re.Match[str]) -> str:
        new = values.get(match[0], match[0])
        return new if re.fullmatch(r"\w+", new) else f"({new})"

    return re.sub(r"[A-Za-z_]\w*", value, text)
