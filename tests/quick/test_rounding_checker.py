"""The checker of rounding certificates: alone in a folder, against the prover's sweeps, and in its words."""

import ast
import json
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest

from certify.checker import rounding as checker
from certify.claims.certificate import certify_rounding, encode
from certify.exact.rounding.search import Problem
from certify.exact.rounding.theorem import Missed
from proofs.rounding import derivative, ratio

SOURCE = Path(checker.__file__)


def certificate(statement):
    outcome = Problem(statement).prove()
    assert not isinstance(outcome, Missed)
    return certify_rounding("rounding.ratio.1", statement, outcome)


@pytest.fixture(scope="module")
def first():
    return certificate(ratio.theorem(1, "", "1", ratio.SHARP, Fraction(1)))


@pytest.fixture(scope="module")
def place(tmp_path_factory, first):
    folder = tmp_path_factory.mktemp("elsewhere")
    shutil.copy(SOURCE, folder / "rounding.py")
    (folder / "good.json").write_bytes(encode(first))
    (folder / "bad.json").write_bytes(encode(first).replace(b'"81/20"', b'"79/20"'))
    (folder / "twice.json").write_bytes(encode(first).replace(b'{"claim":', b'{"claim":"another","claim":', 1))
    (folder / "number.json").write_bytes(b"3")
    (folder / "text.json").write_bytes(b"no JSON")
    (folder / "deep.json").write_bytes(b"[" * 100_000)
    return folder


def run(place, *names):
    command = [sys.executable, "-I", "-S", "rounding.py", *names]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=60)


def test_it_imports_the_standard_library_only_and_runs_nothing():
    tree = ast.parse(SOURCE.read_text())
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module.split(".")[0] for module in modules} <= sys.stdlib_module_names
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not names & {"eval", "exec", "compile", "__import__", "globals", "setattr", "getattr"}


def test_it_is_short_enough_to_be_read():
    lines = SOURCE.read_text().splitlines()
    assert len(lines) <= 420
    assert max(map(len, lines)) <= 140


def test_accepted_alone_and_in_mathematics(place):
    done = run(place, "good.json")
    assert done.returncode == 0, done.stdout + done.stderr
    head, *lines = (line.strip() for line in done.stdout.splitlines())
    assert head == "'good.json': ACCEPTED"
    assert "v4 = hypot(v3, v1)" in lines
    assert "with s = sqrt(x**2 + nu**2)" in lines
    assert any(line.startswith("under profile numpy, torch.eager.cpu.vector") and "hypot within 1 ulp" in line for line in lines)
    bound = "|computed v20 - A| <= 81/20 u and |computed v20| <= 1 for all floats x >= 0 and nu in [1, oo) up to 2^30"
    assert f"binary32, u = 2^-24, x_max = 2^60: {bound}" in lines


@pytest.mark.parametrize("name", ["bad", "twice", "number"])
def test_refused(place, name):
    done = run(place, f"{name}.json", "good.json")
    assert done.returncode == 1
    assert f"'{name}.json': REFUSED: " in done.stdout
    assert "'good.json': ACCEPTED" in done.stdout


@pytest.mark.parametrize("name", ["text", "deep", "missing"])
def test_unreadable(place, name):
    done = run(place, f"{name}.json")
    assert done.returncode == 4
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "statement",
    [
        ratio.theorem(0, "", "", Fraction(5), Fraction(1, 2)),
        ratio.theorem(2, "squares", "1", Fraction(5), Fraction(1)),
        ratio.theorem(3, "cuda", "", Fraction(11), Fraction(2)),
        derivative.theorem(1, "", Fraction(9), Fraction(2)),
        derivative.theorem(2, "squares", Fraction(9), Fraction(2)),
    ],
    ids=["ratio", "squares", "cuda", "derivative", "derivative of squares"],
)
def test_prover_and_checker_find_the_same_bounds(statement):
    """Two implementations of both sweeps, in floats and in integers, agree on boxes large and small."""
    problem, stated = Problem(statement), checker.Theorem(**json.loads(msgspec.json.encode(statement)))
    random = np.random.default_rng(5)
    for _ in range(40):
        m, share = (np.sort(random.integers(0, 2**depth + 1, 2)) / 2**depth for depth in random.integers(1, 12, 2))
        if m[0] == m[1] or share[0] == share[1]:
            continue
        found, largest = problem.bound(np.array([[*m, *share]]))
        bound, size = stated.leaf(tuple(tuple(map(Fraction, map(float, side))) for side in (m, share)))
        assert found[0] - problem.tail == pytest.approx(bound / 2**checker.GUARD, rel=1e-9)
        assert largest[0] == pytest.approx(float(size), rel=1e-12)


def test_the_bound_of_the_checker_covers_the_samples():
    """On tiny boxes the errors seen stay below the bound found there."""
    from certify.exact.rounding.execution import Execution
    from certify.exact.rounding.violation import inputs

    statement = ratio.theorem(1, "", "", Fraction(71, 10), Fraction(1, 2))
    problem, execution = Problem(statement), Execution(statement, "binary32")
    x, nu = inputs(execution, 2000, np.random.default_rng(3))
    m, share = (x / (nu + np.hypot(x, nu))).astype(float), 0.5 / nu.astype(float)
    width = 2.0**-22
    boxes = np.stack([m - width, np.minimum(m + width, 1), share - width, np.minimum(share + width, 1)], axis=1).clip(0)
    bound, _ = problem.bound(boxes)
    for far in execution.choices:
        assert (execution.errors(x, nu, far) <= bound).all()
