"""The checker of differences of the potential refuses what is not so: other programs, bounds, profiles, ranges, bisections."""

import copy
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from certify.checker import difference as checker
from certify.claims.certificate import decode, encode
from certify.exact.difference_program import INPUTS
from certify.exact.program import Builder, Program, Value
from proofs.rounding import difference as proof

Node = dict[str, Any]


@cache
def certificate(name: str = "1") -> dict:
    return decode(encode(proof.bound(name).prove().certificate))


def sealed(data: dict) -> dict:
    return {**data, "digest": checker.digest(data)}


def refused(change: Callable[[dict], None], name: str = "1") -> str:
    """The checker's words on a certificate that is changed and sealed again."""
    data = copy.deepcopy(certificate(name))
    change(data)
    with pytest.raises(checker.Refused) as refusal:
        checker.check(sealed(data))
    return str(refusal.value)


def nodes(data: dict) -> list[Node]:
    return data["theorem"]["program"]["nodes"]


def places(*ops: str) -> list[int]:
    return [place for place, node in enumerate(nodes(certificate())) if node["op"] in ops]


def test_what_is_changed_is_accepted_unchanged() -> None:
    statements, lemmas = checker.check(sealed(certificate()))
    assert lemmas == []
    assert any("<= 10 u |s(b) - s(a)| + (40 + 3 nu) w" in line for line in statements)


@pytest.mark.parametrize("place", places("add", "sub", "mul", "div", "hypot", "log1p", "neg", "select", "min", "max", "less"))
def test_a_node_left_out(place: int) -> None:
    def leave_out(data: dict) -> None:
        first = nodes(data)[place]["args"][0]
        for node in nodes(data):
            node["args"] = [first if a == place else a for a in node.get("args", [])]
        data["theorem"]["program"]["outputs"] = [first if a == place else a for a in data["theorem"]["program"]["outputs"]]

    refused(leave_out)


@pytest.mark.parametrize("place", places("sub", "div", "less"))
def test_operands_swapped(place: int) -> None:
    refused(lambda data: nodes(data)[place]["args"].reverse())


@pytest.mark.parametrize("place", places("min", "max", "add", "sub", "mul", "div", "hypot", "log1p"))
def test_another_operation(place: int) -> None:
    other = {"min": "max", "max": "min", "add": "sub", "sub": "add", "mul": "div", "div": "mul", "hypot": "add", "log1p": "neg"}
    refused(lambda data: nodes(data)[place].update(op=other[nodes(data)[place]["op"]]))


@pytest.mark.parametrize("place", places("constant"))
def test_another_constant(place: int) -> None:
    for value in ("2", "-1", "0.5", "1/0", "nan"):
        refused(lambda data, value=value: nodes(data)[place].update(value=value))


@pytest.mark.parametrize("place", places("input"))
def test_another_input(place: int) -> None:
    for value in ("a", "b", "nu", "x"):
        if value != nodes(certificate())[place]["value"]:
            refused(lambda data, value=value: nodes(data)[place].update(value=value))


def written(make: Callable[[Builder, Value, Value, Value], Value]) -> Callable[[dict], None]:
    """The certificate with F_0(b) − F_0(a) computed another way."""

    def change(data: dict) -> None:
        builder = Builder()
        program: Program = builder.program(make(builder, *builder.inputs(*INPUTS)))
        data["theorem"]["program"] = {
            "nodes": [{"op": n.op, "args": list(n.args)} if n.args else {"op": n.op, "value": n.value} for n in program.nodes],
            "outputs": list(program.outputs),
        }

    return change


def by_steps(
    step: Callable[[Value, Value, Value, Value], Value], base: int = 0, order: tuple[str, str] = ("min", "max"), half: int = 2
) -> Callable[[Builder, Value, Value, Value], Value]:
    """Δ − (ν log1p(Δ/(ν+s)) + ½ log1p(Δ/s)) with another Δ, or another base."""

    def make(builder: Builder, a: Value, b: Value, nu: Value) -> Value:
        low, high = (builder.call(op, a, b) for op in order)
        s = [builder.call("hypot", low, nu), builder.call("hypot", high, nu)]
        delta = step(low, high, *s)
        logs = (nu * builder.call("log1p", delta / (nu + s[base])), builder.call("log1p", delta / s[base]) / half)
        size = delta - (logs[0] + logs[1])
        return builder.call("select", builder.call("less", b, a), -size, size)

    return make


def shipped(low: Value, high: Value, s0: Value, s1: Value) -> Value:
    return (high - low) * ((high + low) / (s0 + s1))


def test_the_shipped_step_is_accepted() -> None:
    data = copy.deepcopy(certificate("0"))
    written(by_steps(shipped))(data)
    data["theorem"]["k"] = "17"  # the halves are divisions here, which round
    checker.check(sealed(data))


def test_other_programs_of_the_same_function() -> None:
    assert "overflow" in refused(written(by_steps(lambda low, high, s0, s1: ((high - low) * (high + low)) / (s0 + s1))), "0")
    assert "negative" in refused(written(by_steps(lambda low, high, s0, s1: s1 - s0)), "0")
    assert "overflow" in refused(written(by_steps(lambda low, high, s0, s1: (high * high - low * low) / (s0 + s1))), "0")
    assert "bounded" in refused(written(by_steps(lambda low, high, s0, s1: ((high - low) / (s0 + s1)) * (high + low))), "0")


def test_a_logarithm_computed_twice_may_err_in_two_ways() -> None:
    """F − ½(L′ − L), L′ the same logarithm once more: the function is the same, the errors of L and L′ are not."""

    def twice(k: str) -> Callable[[dict], None]:
        def change(data: dict) -> None:
            less, _, size = nodes(data)[-1]["args"]
            first = max(place for place, node in enumerate(nodes(data)) if node["op"] == "log1p")
            half = next(place for place, node in enumerate(nodes(data)) if node["op"] == "constant")
            place = len(nodes(data))
            added = [("log1p", *nodes(data)[first]["args"]), ("sub", place, first), ("mul", half, place + 1)]
            added += [("add", size, place + 2), ("neg", place + 3), ("select", less, place + 4, place + 3)]
            nodes(data).extend({"op": op, "args": args} for op, *args in added)
            data["theorem"]["program"]["outputs"] = [place + 5]
            data["theorem"].update(k=k, underflow=["100", "100"])

        return change

    assert "does not hold" in refused(twice("18"), "0")
    data = copy.deepcopy(certificate("0"))
    twice("22")(data)
    checker.check(sealed(data))


def test_other_functions() -> None:
    assert "logarithm" in refused(written(by_steps(shipped, base=1)), "0")
    assert "logarithm" in refused(written(by_steps(shipped, order=("max", "min"))), "0")
    assert "not F(b) - F(a)" in refused(written(by_steps(shipped, half=3)), "0")
    assert "sign" in refused(written(lambda builder, a, b, nu: b - a), "0")
    assert "sign" in refused(written(lambda builder, a, b, nu: by_steps(shipped)(builder, b, a, nu)), "0")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda theorem: theorem.update(k="9"), "does not hold"),
        (lambda theorem: theorem.update(k="10.5"), "not a rational"),
        (lambda theorem: theorem.update(nu="[1, oo)"), "does not hold"),
        (lambda theorem: theorem.update(nu="[1/9, oo)"), "1/8"),
        (lambda theorem: theorem.update(nu="(2, oo)"), "range of nu"),
        (lambda theorem: theorem.update(underflow=["40", "1"]), "underflow"),
        (lambda theorem: theorem.update(underflow=["1", "3"]), "underflow"),
        (lambda theorem: theorem.update(debye=[]), "not F(b) - F(a)"),
        (lambda theorem: theorem.update(debye=[["1"] * 100_000]), "too many"),
        (lambda theorem: theorem.update(debye=[["1"]] * 100_000), "too many"),
        (lambda theorem: theorem.update(debye=[["1/8", "-5/24", "1"]]), "not F(b) - F(a)"),
        (lambda theorem: theorem["profile"]["ulps"].update(hypot="2"), "does not hold"),
        (lambda theorem: theorem["profile"]["ulps"].update(log1p="2"), "does not hold"),
        (lambda theorem: theorem["profile"]["ulps"].update(add="2/5"), "half an ulp"),
        (lambda theorem: theorem["profile"]["ulps"].pop("div"), "no bound"),
        (lambda theorem: theorem.pop("profile"), "malformed"),
        (lambda theorem: theorem["program"].update(outputs=[]), "one output"),
    ],
)
def test_another_theorem(change: Callable[[dict], None], words: str) -> None:
    assert words in refused(lambda data: change(data["theorem"]))


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (lambda tree: [0], "does not hold"),
        (lambda tree: tree[:-1], "does not tile"),
        (lambda tree: [*tree, 0], "more entries"),
        (lambda tree: [-1, *tree], "does not tile"),
        (lambda tree: [-4, *tree[1:]], "does not hold"),
        (lambda tree: [1 if label == 0 else label for label in tree], "does not hold"),
        (lambda tree: [-1] * 100, "too deep"),
        (lambda tree: [-1] * 10**6, "more work"),
    ],
)
def test_another_bisection(tree: Callable[[list[int]], list[int]], words: str) -> None:
    assert words in refused(lambda data: data["proof"].update(tree=tree(data["proof"]["tree"])))


def test_another_seal_format_or_lemma() -> None:
    with pytest.raises(checker.Refused, match="digest"):
        checker.check(certificate() | {"claim": "another"})
    assert "format" in refused(lambda data: data.update(format="certify.rounding/1"))
    assert "cites nothing" in refused(lambda data: data.update(lemmas=["true"]))


def test_the_checker_stands_alone(tmp_path: Path) -> None:
    copied, file = tmp_path / "difference.py", tmp_path / "certificate.json"
    copied.write_text(Path(checker.__file__).read_text())
    file.write_bytes(encode(proof.bound("1.half").prove().certificate))
    run = subprocess.run([sys.executable, "-I", "-S", str(copied), str(file)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert "ACCEPTED" in run.stdout


@pytest.mark.parametrize("op", ["add", "mul"])
def test_programs_that_explode(op: str) -> None:
    def make(builder: Builder, a: Value, b: Value, nu: Value) -> Value:
        value = builder.call("hypot", builder.call("min", a, b), nu) + 3
        for _ in range(300):
            value = value * value if op == "mul" else (value + value) * nu
        return value

    def change(data: dict) -> None:
        written(make)(data)
        size = data["theorem"]["program"]["outputs"][0]
        lower, upper = ({"op": "less", "args": [1, 0]}, {"op": "neg", "args": [size]})
        data["theorem"]["program"]["nodes"] += [lower, upper, {"op": "select", "args": [size + 1, size + 2, size]}]
        data["theorem"]["program"]["outputs"] = [size + 3]

    assert {"mul": "too large", "add": "not F(b) - F(a)"}[op] in refused(change, "0")


def test_a_number_outside_the_format() -> None:
    place = places("constant")[0]
    assert "too small" in refused(lambda data: nodes(data)[place].update(value=f"1/{2**200}"))
