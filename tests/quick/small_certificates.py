"""Small certificates for the tests of the checker's rules: how to seal one, and the steps that most of them are made of."""

import copy
from typing import Any

import pytest

from certify.checker import checker
from certify.checker.checker import LEMMAS, Refused, check, digest


def sealed(theorem: dict, chart: dict, *steps: tuple[dict, dict]) -> dict:
    """A certificate with these steps; the theorem's statements are those of all steps unless it has its own."""
    empty = {"domain": {}, "where": {}, "derivatives": {}, "solutions": {}}
    rules = dict.fromkeys(evidence["rule"] for _, evidence in steps)
    data = {
        "format": checker.FORMAT,
        "claim": "test",
        "theorem": {**empty, "statements": [statement for statement, _ in steps], **theorem},
        "proof": {
            "chart": {"symbols": {}, "roots": {}, **chart},
            "steps": [{"statement": statement, "evidence": evidence} for statement, evidence in steps],
        },
        "lemmas": [LEMMAS[rule] for rule in rules if rule in LEMMAS],
    }
    return {**data, "digest": digest(data)}


def accepts(*parts) -> list[str]:
    return check(sealed(*parts)).statements


def refuses(match: str, *parts) -> None:
    with pytest.raises(Refused, match=match or None):
        check(sealed(*parts))


def given(data, path: str, value):
    """A deep copy with another value at a path such as ``0.where.s``."""
    data = copy.deepcopy(data)
    *steps, last = path.split(".")
    at = data
    for step in steps:
        at = at[int(step)] if isinstance(at, (list, tuple)) else at[step]
    at[int(last) if isinstance(at, list) else last] = value
    return data


def run(map: str, variable: str, scale: str = "1") -> dict:
    return {"map": map, "variable": variable, "scale": scale}


AXIS = {"domain": {"x": "(0, oo)"}}
ODDS = {"symbols": {"x": run("odds", "v")}}
UNIT = {"domain": {"x": "(0, 1]"}}
ITSELF = {"symbols": {"x": run("itself", "v")}}


def identity(left: str, right: str) -> tuple[dict, dict]:
    return {"kind": "identity", "left": left, "right": right}, {"rule": "evaluation"}


def positive(text: str, polynomial: Any, tree: list, multiplier: str = "1", kind: str = "positive") -> tuple[dict, dict]:
    evidence = {"rule": "bernstein", "multipliers": [multiplier], "polynomials": [polynomial], "tree": tree}
    return {"kind": kind, "any_of": [text]}, evidence


def intervals(text: str, form: str, tree: list, multiplier: str = "1") -> tuple[dict, dict]:
    return {"kind": "positive", "any_of": [text]}, {"rule": "intervals", "multipliers": [multiplier], "forms": [form], "tree": tree}


def combination(text: str, *terms: tuple[str, int], kind: str = "positive") -> tuple[dict, dict]:
    return {"kind": kind, "any_of": [text]}, {"rule": "combination", "terms": [list(term) for term in terms]}


def solution(equation: str, below: str = "1", damping: str = "1", variable: str = "x") -> dict:
    return {"variable": variable, "equation": equation, "below": below, "damping": damping, "is": "the solution", "source": "here"}


def barrier(side: str, function: str, start: str, factors=("1",), inequality: int = 0) -> tuple[dict, dict]:
    statement = {"kind": "barrier", "solution": "Y", "side": side, "function": function}
    evidence = {"rule": "barrier", "inequality": inequality, "factors": list(factors), "start": start}
    return statement, evidence


# y' = 1 - 2y, y = (1 - exp(-2x))/2 from 0
RELAX = {**AXIS, "solutions": {"Y": solution("1 - 2*Y", damping="2")}}


def bound(candidate="1/2", radius="2/3", below=1, above=3) -> tuple[dict, dict]:
    statement = {"kind": "bound", "solution": "Y", "candidate": candidate, "radius": radius}
    return statement, {"rule": "enclosure", "below": below, "above": above}


def difference(potential="F", majorant="G", bound=4, potential_slope=5, majorant_slope=6) -> tuple[dict, dict]:
    statement = {"kind": "difference bound", "solution": "Y", "potential": potential, "majorant": majorant}
    return statement, {"rule": "integration", "bound": bound, "potential_slope": potential_slope, "majorant_slope": majorant_slope}


# y = a solves y' = a' + 3(a - y), a = x/(1 + x)**2; its integral is log(1 + x) + 1/(1 + x), and |y - a| < U = 1/(1 + x)**2
A, U = "x/(1 + x)**2", "1/(1 + x)**2"
LEVELLED = {**AXIS, "solutions": {"Y": solution(f"(1 - x)/(1 + x)**3 + 3*({A} - Y)", damping="3")}}


def levelled(wall: str) -> str:
    return f"diff({wall}, x) - ((1 - x)/(1 + x)**3 + 3*({A} - ({wall})))"


OSCILLATION = [
    combination(levelled(f"{A} + {U}"), ("(3*x + 1)/(1 + x)**3", -1)),
    barrier("below", f"{A} + {U}", "1"),
    combination(f"0 - ({levelled(f'{A} - {U}')})", ("(3*x + 1)/(1 + x)**3", -1)),
    barrier("above", f"{A} - {U}", "1", inequality=2),
    bound(A, U),
    identity("diff((log(1 + x)) + (1/(1 + x)), x)", A),
    identity("diff(0 - 1/(1 + x), x)", U),
    difference("(log(1 + x)) + (1/(1 + x))", "0 - 1/(1 + x)"),
    combination("1/(1 + x) - 0", ("1/(1 + x)", -1)),
    combination("1 - 1/(1 + x)", ("x/(1 + x)", -1), kind="nonnegative"),
    combination("0 - 1/(1 + x) - (0 - 1)", ("x/(1 + x)", -1)),
    combination("0 - (0 - 1/(1 + x))", ("1/(1 + x)", -1)),
    (
        {"kind": "oscillation bound", "solution": "Y", "potential": "log(1 + x)", "radius": "2"},
        {
            "rule": "oscillation",
            "difference": 7,
            "rest": "1/(1 + x)",
            "inequalities": [8, 9, 10, 11],
        },
    ),
]


def supremum(symbol="C", low="6/25", high="1/3", point="3/5", variable="w", inequalities=(0, 1)) -> tuple[dict, dict]:
    statement = {"kind": "supremum", "symbol": symbol, "low": low, "high": high}
    evidence = {"rule": "supremum", "variable": variable, "inequalities": list(inequalities), "point": {"v": point}}
    return statement, evidence


def cases(any_of: list, *implied: tuple[int, list], inequality: int = 3) -> tuple[dict, dict]:
    evidence = {"rule": "cases", "inequality": inequality, "cases": [list(case) for case in implied]}
    return {"kind": "positive", "any_of": any_of}, evidence
