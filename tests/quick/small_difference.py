"""Small programs of differences, written by hand: a text, one node a word, as "a b nu max:0,1 hypot:3,2 1/2 mul:4,5"."""

from typing import Any

import pytest

from certify.checker import difference as checker

ULPS = dict.fromkeys(("add", "sub", "mul", "div"), "1/2") | {"hypot": "1", "log1p": "1"}
CHOICES = "a b nu less:1,0 max:0,1 min:0,1"
ROOTS = f"{CHOICES} hypot:5,2 hypot:4,2"
"""Nodes 4 and 5 are high and low, 6 and 7 their roots s0 and s1."""
DELTA = f"{ROOTS} sub:4,5 add:4,5 add:6,7 div:9,10 mul:8,11"
"""Node 12 is s1 - s0."""
LOGS = f"{DELTA} add:2,6 div:12,13 log1p:14 mul:2,15 div:12,6 log1p:17 1/2 mul:18,19 add:16,20 sub:12,21"
"""Node 22 is F(high) - F(low)."""
SIGNED = f"{LOGS} neg:22 select:3,23,22"


def nodes(text: str) -> list[dict[str, Any]]:
    parts = [word.partition(":") for word in text.split()]
    return [
        {"op": op, "args": [int(a) for a in args.split(",")]}
        if args
        else {"op": "input" if op in ("a", "b", "nu") else "constant", "value": op}
        for op, _, args in parts
    ]


def program(text: str) -> dict[str, Any]:
    return {"nodes": nodes(text), "outputs": [len(text.split()) - 1]}


def theorem(text: str = SIGNED, **changes: Any) -> dict[str, Any]:
    """The program computes F(b) - F(a) without any D_k, for nu >= 1/2."""
    return {
        "program": program(text),
        "debye": [],
        "nu": "[1/2, oo)",
        "profile": {"name": "by hand", "ulps": ULPS, "monotone": ["hypot"]},
        "k": "100000",
        "underflow": ["40", "3"],
    } | changes


def sealed(stated: dict[str, Any], tree: tuple[int, ...] = (0,), **changes: Any) -> dict[str, Any]:
    data = {"format": checker.FORMAT, "claim": "by hand", "theorem": stated, "proof": {"tree": [*tree]}, "lemmas": []} | changes
    return data | {"digest": checker.digest(data)}


def refuses(says: str, text: str = SIGNED, tree: tuple[int, ...] = (0,), **changes: Any) -> None:
    with pytest.raises(checker.Refused) as refusal:
        checker.check(sealed(theorem(text, **changes), tree))
    assert says in str(refusal.value)


def decided(text: str, low: str = "a", strict: bool = True) -> tuple[tuple, int]:
    """The program over low, high and nu, and its sign."""
    read, output = checker.read(**program(text))
    return checker.decided(read, output, low, strict)
