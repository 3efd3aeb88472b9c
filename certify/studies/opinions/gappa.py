"""Gappa on a rounding bound: |computed − exact| ≤ k u on a box, in binary64 rounded to nearest.

A certificate bounds the error under a profile for every x ≥ 0 and ν ≥ ν_min. Gappa gets the same program on the box x ∈ [16, 32],
ν ∈ [32, 64], in IEEE 754 arithmetic, which is within every profile whose operations may err by half a unit in the last place or more.
Programs with other operations than arithmetic and square roots (hypot) are none of Gappa's.
"""

from __future__ import annotations

import subprocess
from fractions import Fraction

import msgspec

from certify.exact.program import Node, Program, nearest
from certify.exact.rounding.theorem import Rounding
from certify.studies.opinions.opinion import Answer, Certificate, Question

BOX = {"x": (16, 32), "nu": (32, 64)}
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
UNIT = 53
DIGITS = 20


def question(certificate: Certificate) -> Question | None:
    """The question that a certificate raises; None where it is not of a kind that can be put."""
    if not str(certificate["format"]).startswith("certify.rounding/"):
        return None
    theorem = msgspec.convert(certificate["theorem"], Rounding)
    within = Fraction(theorem.nu.strip("[").partition(",")[0]) <= BOX["nu"][0] and "oo" in theorem.nu
    if not (within and theorem.unit == "1" and _is_arithmetic(theorem.program)):
        return None
    sides = ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in BOX.items())
    return Question(f"|fl(f) - f| <= {theorem.k} u in binary64 for {sides}", script(theorem.program, Fraction(theorem.k)), _read)


def _is_arithmetic(program: Program) -> bool:
    """Whether Gappa has all operations; min(x, x_max), which is x on the box, is the only choice."""
    places = {node.value: place for place, node in enumerate(program.nodes) if node.op == "input"}
    capped = tuple(places.get(name) for name in ("x", "x_max"))
    known = ("input", "constant", "sqrt", *SIGNS)
    return set(places) == {*BOX, "x_max"} and all(node.op in known or (node.op, node.args) == ("min", capped) for node in program.nodes)


def script(program: Program, k: Fraction) -> str:
    """The statement in Gappa's language."""
    lines = ["@rnd = float<ieee_64, ne>;", *(f"{name} = rnd({name}_);" for name in BOX)]
    computed: list[str] = []
    exact: list[str] = []
    for place, node in enumerate(program.nodes):
        if node.op == "input":
            names = node.value, node.value
        elif node.op == "min":
            names = computed[node.args[0]], exact[node.args[0]]
        elif node.op == "constant":
            names = (f"({node.value})" if _is_a_float(node.value) else f"rnd({node.value})"), f"({node.value})"
        else:
            names = f"f{place}", f"e{place}"
            lines.append(f"f{place} rnd= {_term(node, computed)};")
            lines.append(f"e{place} = {_term(node, exact)};")
        computed.append(names[0])
        exact.append(names[1])
    (output,) = program.outputs
    sides = r" /\ ".join(f"{name} in [{low}, {high}]" for name, (low, high) in BOX.items())
    return "\n".join([*lines, f"{{ {sides} -> |{computed[output]} - {exact[output]}| <= {_below(k / 2**UNIT)} }}", ""])


def _term(node: Node, names: list[str]) -> str:
    arguments = [names[argument] for argument in node.args]
    return f"sqrt({arguments[0]})" if node.op == "sqrt" else f" {SIGNS[node.op]} ".join(arguments)


def _is_a_float(value: str) -> bool:
    return nearest(Fraction(value), UNIT) == Fraction(value)


def _below(value: Fraction) -> str:
    """A decimal of ``DIGITS`` places after the first that is at most the value: the statement put is no weaker."""
    exponent = 0
    while value * 10**exponent < 10**DIGITS:
        exponent += 1
    return f"{value * 10**exponent // 1}e-{exponent}"


def _read(done: subprocess.CompletedProcess[str]) -> tuple[Answer, str]:
    words = " ".join(done.stderr.split())
    if done.returncode == 0 and not words:
        return Answer.CONFIRMS, "proved by interval arithmetic on expressions"
    return Answer.OPEN, words or f"exit code {done.returncode}"
