"""Small rounding certificates written by hand: a program is a text, one node a word, as "x nu x_max min:0,2 hypot:3,1 1/2 mul:4,5"."""

from typing import Any

import pytest

from certify.checker import rounding as checker

ROOT = "x nu x_max min:0,2 hypot:3,1"
"""The smaller one of x and x_max is node 3, s is node 4."""
BASE = f"{ROOT} div:3,4 1 div:6,4"
"""x/s is node 5, 1/s is node 7."""
SQUARES = "x nu x_max min:0,2 mul:3,3 mul:1,1 add:4,5 sqrt:6"
"""s is node 7."""
ULPS = dict.fromkeys(("add", "sub", "mul", "div", "hypot", "sqrt"), "1/2")


def nodes(text: str) -> list[dict[str, Any]]:
    parts = [word.partition(":") for word in text.split()]
    return [
        {"op": op, "args": [int(a) for a in args.split(",")]}
        if args
        else {"op": "input" if op in ("x", "nu", "x_max") else "constant", "value": op}
        for op, _, args in parts
    ]


def theorem(text: str, function: str = "x/s", **changes: Any) -> dict[str, Any]:
    """The last node computes the function within 2 u, for nu >= 1 in binary32, every operation being correctly rounded."""
    return {
        "program": {"nodes": nodes(text), "outputs": [len(text.split()) - 1]},
        "where": {"s": checker.ROOT, "f": function},
        "nu": "[1, oo)",
        "formats": {"binary32": {"x_max": 60, "nu_max": 30}},
        "profile": {"name": "by hand", "ulps": ULPS, "monotone": []},
        "k": "2",
        "unit": "1",
        "largest": "",
    } | changes


def sealed(stated: dict[str, Any], tree: tuple[int, ...] = (0,), **changes: Any) -> dict[str, Any]:
    data = {"format": checker.FORMAT, "claim": "by hand", "theorem": stated, "proof": {"tree": [*tree]}, "lemmas": checker.cited(stated)}
    return data | changes | {"digest": checker.digest(data | changes)}


def accepts(text: str, function: str = "x/s", tree: tuple[int, ...] = (0,), **changes: Any) -> list[str]:
    return checker.check(sealed(theorem(text, function, **changes), tree)).statements


def refuses(says: str, text: str, function: str = "x/s", tree: tuple[int, ...] = (0,), **changes: Any) -> None:
    with pytest.raises(checker.Refused) as refusal:
        checker.check(sealed(theorem(text, function, **changes), tree))
    assert says in str(refusal.value)


def read(text: str, unit: int = 0, digits: int = 24, exact: bool = False, monotone: bool = False, **ulps: str) -> checker.Program:
    """What the checker makes of nodes 8, ... after BASE, whose nodes 5 and 7 have the degrees 0 and -1."""
    profile = {"name": "by hand", "ulps": ULPS | ulps, "monotone": ["hypot"] if monotone else []}
    return checker.Program({"nodes": nodes(f"{BASE} {text}"), "outputs": [5 if unit == 0 else 7]}, profile, digits, exact, unit)
