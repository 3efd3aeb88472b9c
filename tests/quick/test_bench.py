"""The protocol of Table 7 at small sizes: checked before timed, restored, recorded part by part; and that each check can fail."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from flint import arb

from certify.bench import alone, bare, check, definitions, evaluators, frozen, limits, memory, primitives, scaling, session, summary, table
from certify.bench import structured as boundaries
from certify.bench.dense import Dense
from certify.bench.settings import Settings, dense_bytes, predicted_bytes
from certify.bench.state import TEMPERATURE, inputs
from certify.bench.timing import Times, interleaved
from certify.claims.exits import BadInput, Exit
from certify.cli import main
from certify.exact import recurrence
from certify.exact.ball import working_precision
from certify.realizations.tensor.original import Original
from certify.studies.timings import reference as bench_reference
from certify.vmf import coefficients

ROOT = Path(__file__).resolve().parent.parent.parent
SMALL = Settings(batch=4, classes=12, dim=16, warmups=0, repeats=2)
NAMES = ("original recurrence", "consistent recurrence", "log-domain Miller", "AR/FR", "structure-aware AR/FR")


@pytest.fixture
def small(monkeypatch):
    """Runs that compile nothing and stay small."""
    monkeypatch.setattr(table, "variants", lambda given: {"eager": lambda: boundaries.Structured(given)})
    monkeypatch.setattr(alone, "compiled", lambda realization: realization.difference)
    monkeypatch.setattr(scaling, "DIMENSIONS", (8, 16))
    monkeypatch.setattr(scaling, "CLASSES", (5, 50))
    monkeypatch.setattr(limits, "SQUARE", {"cpu": 64})


def rows(found):
    return {row["name"]: row for row in found["rows"]}


# The table --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [{}, {"dtype": "float64"}, {"batch": 1, "classes": 2, "dim": 4}, {"batch": 20, "classes": 3, "dim": 64}])
def test_every_row_is_checked_and_timed(small, sizes):
    chosen = replace(SMALL, **sizes)
    found = table.measure(chosen, inputs(chosen), lambda line: None)
    assert tuple(rows(found)) == NAMES
    for row in found["rows"]:
        assert row["failure"] == ""
        assert [entry["quantity"] for entry in row["checks"]] == ["scores", "loss", "feature gradient"]
        assert all(entry["holds"] and entry["error"] <= entry["tolerance"] for entry in row["checks"])
        times = row["milliseconds"]
        assert 0 < times["least"] <= times["median"] <= times["most"]
        assert len(times["all"]) == chosen.repeats
        assert row["peak_bytes"] > 0
        assert row["floor_milliseconds"] > 0


@pytest.mark.parametrize("make", [lambda given: Dense(Original(7), given), boundaries.Structured])
def test_state_is_restored_between_runs(make):
    execution = make(inputs(SMALL))
    first = [part.clone() for part in execution.run()]
    moved = [part.clone() for part in execution.run()]
    execution.restore()
    again = execution.run()
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert not torch.equal(first[0], moved[0])


def test_inputs_depend_on_the_seed_alone():
    assert inputs(SMALL).digest == inputs(replace(SMALL, repeats=9)).digest
    assert inputs(SMALL).digest != inputs(replace(SMALL, seed=1)).digest


class Steeper(Original):
    """The supplied derivative is a twentieth too large."""

    def value_and_slope(self, x):
        value, slope = super().value_and_slope(x)
        return value, 1.05 * slope


class Shifted(Original):
    """The forward gains a term that is not constant."""

    def value(self, x):
        return super().value(x) + 0.01 * x

    def value_and_slope(self, x):
        return self.value(x), super().value_and_slope(x)[1]


class Broken(Original):
    def value_and_slope(self, x):
        raise RuntimeError("no such kernel")


class NotANumber(Original):
    def value_and_slope(self, x):
        value, slope = super().value_and_slope(x)
        return value, slope * torch.nan


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        (Steeper, "feature gradient off by"),
        (Shifted, "scores off by"),
        (Broken, "no such kernel"),
        (NotANumber, "feature gradient off by nan"),
    ],
)
def test_a_row_that_fails_its_check_is_not_timed_and_says_why(small, monkeypatch, planted, said):
    faulty = evaluators.Evaluator("original recurrence", planted, definitions.original, "recurrence")
    monkeypatch.setattr(table, "EVALUATORS", (faulty, *evaluators.EVALUATORS[1:]))
    found = rows(table.measure(SMALL, inputs(SMALL), lambda line: None))
    assert said in found["original recurrence"]["failure"]
    assert found["original recurrence"]["milliseconds"] is None
    assert all(found[name]["milliseconds"] for name in NAMES[1:])


@pytest.mark.parametrize(("planted", "said"), [(Steeper, "slope off by"), (Shifted, "difference off by"), (Broken, "no such kernel")])
def test_an_evaluator_that_fails_its_check_is_not_timed(small, monkeypatch, planted, said):
    faulty = evaluators.Evaluator("original recurrence", planted, definitions.original, "recurrence")
    monkeypatch.setattr(alone, "EVALUATORS", (faulty, *evaluators.EVALUATORS[1:]))
    found = {entry["name"]: entry for entry in alone.measure(SMALL, inputs(SMALL), lambda line: None)}
    assert said in found["original recurrence"]["failure"]
    assert found["original recurrence"]["milliseconds"] is None
    assert found["AR/FR"]["milliseconds"]


def test_the_clipped_rule_is_not_the_derivative_of_its_forward():
    """At x/ν = 1000, p = 64, the original is far from Φ̃′ and fits its own definition; the consistent one the other way round."""
    order, x = 31, torch.full((1, 1), 31e3, dtype=torch.float64)
    execution = evaluators.Alone(Original(order).difference, torch.tensor([31.0], dtype=torch.float64), x)
    assert check.failure(check.evaluator(execution, definitions.original, order)) == ""
    assert "slope" in check.failure(check.evaluator(execution, definitions.consistent, order))


# The reference ----------------------------------------------------------------------------------------------------------


def test_the_definitions_fit_the_exact_values():
    errors = frozen.grid_errors(frozen.load())
    assert len(errors) == 5 * len(frozen.DIMENSIONS)
    assert check.failure(errors) == ""


def test_a_definition_that_is_off_does_not(monkeypatch):
    honest = definitions.finite_start

    def off(order, x):
        found = honest(order, x)
        return found._replace(ratio=found.ratio * (1 + 1e-8))

    monkeypatch.setattr(definitions, "finite_start", off)
    assert "finite_ratio" in check.failure(frozen.grid_errors(frozen.load()))


def test_the_boundary_fits_the_exact_one_and_other_inputs_are_not_compared():
    content = frozen.load()
    found = frozen.state_errors(content, inputs(Settings()))
    assert found is not None
    assert [error.quantity for error in found if "original" in error.quantity] == [
        "original, scores",
        "original, loss",
        "original, gradient",
    ]
    assert check.failure(found) == ""
    assert frozen.state_errors(content, inputs(SMALL)) is None


def test_a_damaged_reference_is_refused(monkeypatch):
    content = frozen.load()
    content["grid"][0]["ratio"][0] = "0x1.0p-3"
    monkeypatch.setattr(frozen.json, "loads", lambda text: content)
    with pytest.raises(ValueError, match="damaged"):
        frozen.load()


def test_the_reference_is_what_the_study_makes():
    content = frozen.load()
    assert content["grid"][0] == bench_reference._grid_entry(64)
    assert content["grid"][-1] == bench_reference._grid_entry(4096)
    assert content["coefficients"] == bench_reference.coefficients()


def test_one_frozen_score_from_exact_inputs():
    """View 0, feature 0, its first sampled class, which it does not move."""
    given, chosen = inputs(Settings()), frozen.sampled(0)[0]
    assert chosen not in given.labels.tolist()
    with working_precision(200):
        mean, feature = ([arb(value) for value in row.tolist()] for row in (given.means[chosen], given.features[0, 0]))
        square = sum((a * a for a in mean), arb(0))
        kappa = 1024 * square.sqrt() / (1 - square)
        resultant = [1024 * a / (1 - square) + f / arb(TEMPERATURE) for a, f in zip(mean, feature, strict=True)]
        r = sum((value * value for value in resultant), arb(0)).sqrt()
        score = recurrence.potential(511, 1022, r) - recurrence.potential(511, 1022, kappa)
    frozen_score = float.fromhex(frozen.load()["state"]["realized"]["original"]["scores"][0][0])
    assert abs(score - arb(frozen_score)) < arb(2) ** -50


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_the_frozen_coefficients_are_the_kernels(dtype):
    for family in coefficients.FAMILIES:
        for order in range(9):
            assert bare.table(family, order, dtype) == coefficients.table(family, order, dtype)
    with pytest.raises(ValueError, match="order 9"):
        bare.table("ratio", 9, dtype)


WITHOUT = """
import importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"flint", "click", "msgspec", "rich", "scipy", "matplotlib"}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
import json
from certify.bench import __main__, frozen, primitives
print(json.dumps(primitives.measure(frozen.load(), "cpu")[:5]))
sys.exit(__main__.main(["--batch", "0"]))
"""


def test_torch_and_numpy_are_enough():
    done = subprocess.run([sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == Exit.BAD_INPUT, done.stderr
    assert done.stderr == "certify: batch = 0: at least 1 is accepted\n"
    content = frozen.load()
    assert json.loads(done.stdout) == primitives.measure({"grid": content["grid"][:1]}, "cpu")[:5]


# Primitives, memory, floors ---------------------------------------------------------------------------------------------


def test_primitives_hold_and_a_wrong_one_does_not(monkeypatch):
    content = frozen.load()
    assert all(entry["holds"] for entry in primitives.measure(content, "cpu"))
    honest = primitives.kernel.ratio
    monkeypatch.setattr(primitives.kernel, "ratio", lambda x, nu, n: honest(x, nu, n) * (1 + 1e-6))
    assert not all(entry["holds"] for entry in primitives.measure({"grid": content["grid"][:1]}, "cpu"))


def test_the_peak_is_the_largest_partial_sum():
    assert memory.peak([3, -2, 5, -6, 4]) == 6
    assert memory.peak([-3]) == 0
    assert memory.peak_increment(lambda: torch.ones(1000, dtype=torch.float64).sum(), "cpu") in range(8000, 9000)


def test_the_dense_layout_holds_four_of_its_tensors_at_its_peak():
    chosen = replace(SMALL, batch=16, classes=64, dim=64)
    execution = Dense(Original(chosen.order), inputs(chosen))
    peak = memory.peak_increment(execution.run, "cpu")
    assert 4 * dense_bytes(chosen) < peak < 5 * dense_bytes(chosen)


def test_predictions_cover_what_is_allocated():
    chosen = replace(SMALL, batch=16, classes=64, dim=64)
    for evaluator in evaluators.EVALUATORS:
        execution = Dense(evaluator.make(chosen.order), inputs(chosen))
        assert memory.peak_increment(execution.run, "cpu") < predicted_bytes(chosen)


def test_floors_by_hand():
    rates = limits.Rates(bank_copy=2.0, dense_copy=4.0, geometry=8.0, float64=16.0)
    assert limits.floor_milliseconds(limits.Work(bytes=10, geometry=8, scalar=16), rates, 2.0) == 5000.0
    assert limits.floor_milliseconds(limits.Work(bytes=1, geometry=8, scalar=16), rates, 2.0) == 2000.0
    assert limits.structured(SMALL).geometry == 2 * 2 * 2 * 4 * 12 * 16


class Watched:
    """An execution that writes down what is asked of it."""

    def __init__(self, name, seen):
        self.name, self.seen = name, seen

    def restore(self):
        self.seen.append(f"restore {self.name}")

    def run(self):
        self.seen.append(f"run {self.name}")


def test_a_measured_run_starts_from_the_state_restored_after_one_of_its_own():
    seen = []
    found = interleaved({name: Watched(name, seen) for name in "ab"}, "cpu", 1, 2)
    warm = [f"{act} {name}" for name in "ab" for act in ("restore", "run")]
    measured = [f"{act} {name}" for name in "ab" for act in ("restore", "run", "restore", "run")]
    assert seen == warm + measured + measured
    assert all(len(times.all) == 2 for times in found.values())


# Records ----------------------------------------------------------------------------------------------------------------


def test_a_run_is_saved_as_it_goes_and_survives_the_loss_of_a_part(small, monkeypatch, tmp_path):
    def lost(content, device):
        seen.append(json.loads(file.read_text())["parts"].keys() & {"table"})
        raise RuntimeError("device lost")

    seen, file = [], tmp_path / "record.json"
    monkeypatch.setattr(primitives, "measure", lost)
    record = session.run(SMALL, str(file))
    assert seen == [{"table"}]
    assert record["parts"]["primitives"] == {**record["parts"]["primitives"], "failure": "RuntimeError: device lost", "found": None}
    assert [part["found"] is not None for part in record["parts"].values()] == [True, True, True, False, True, True]
    assert json.loads(file.read_text()) == json.loads(session.dumps(record))
    assert summary.outcome(record) is Exit.ERROR
    assert "primitives failed: RuntimeError: device lost" in summary.text(record)


def test_a_clean_run_holds_and_names_no_place(small):
    record = session.run(SMALL)
    assert summary.outcome(record) is Exit.HOLDS
    assert summary.failures(record) == []
    shown = summary.text(record)
    assert all(name in shown for name in NAMES)
    assert "target" not in shown  # they are about the paper's sizes
    assert str(ROOT) not in session.dumps(record)


def test_what_is_wrong_is_refuted(small):
    record = session.run(SMALL)
    record["parts"]["reference"]["found"]["failure"] = "grid off"
    assert summary.outcome(record) is Exit.REFUTED
    assert "reference: grid off" in summary.text(record)


def test_nan_is_written_as_null():
    assert session.dumps({"a": [float("nan"), (1.5, float("inf"))]}) == json.dumps({"a": [None, [1.5, None]]}, indent=1) + "\n"


def made(sizes=None, **medians):
    """A record with these medians."""
    row = {"variant": "eager", "peak_bytes": 1, "checks": [], "failure": "", "floor_milliseconds": 1.0}
    times = {name: Times(value, value, value, (value,))._asdict() for name, value in medians.items()}
    named = {"original": "original recurrence", "closed": "AR/FR", "structured": "structure-aware AR/FR"}
    found = {
        "rows": [{**row, "name": named[key], "milliseconds": times[key]} for key in named if key in times],
        "products": times["products"],
    }
    return {"settings": {**Settings().__dict__, **(sizes or {})}, "parts": {"table": {"failure": "", "found": found}}}


def test_targets_are_met_or_not():
    ratios = {ratio.name: ratio for ratio in summary.ratios(made(original=300.0, closed=60.0, structured=2.0, products=1.0))}
    assert ratios["original/structured"].value == 150
    assert ratios["original/structured"].met is True
    assert ratios["structured/its matrix products"].met is True
    assert ratios["original/ARFR"].met is None
    worse = {ratio.name: ratio for ratio in summary.ratios(made(original=299.0, closed=60.0, structured=2.0, products=0.6))}
    assert worse["original/structured"].met is False
    assert worse["structured/its matrix products"].met is False
    assert all(ratio.target is None for ratio in summary.ratios(made({"dim": 64}, original=1.0, closed=1.0, structured=1.0, products=1.0)))


# Bad input --------------------------------------------------------------------------------------------------------------

BAD = [
    (["--batch", "0"], "batch = 0: at least 1 is accepted"),
    (["--classes", "-3"], "classes = -3: at least 2 is accepted"),
    (["--dim", "2"], "dim = 2: at least 4 is accepted"),
    (["--dim", "17"], "even dimension"),
    (["--repeats", "0"], "repeats = 0: at least 1 is accepted"),
    (["--seed", "4294967296"], "below 2^32"),
    (["--threads", "-1"], "threads = -1: at least 0 is accepted"),
    (["--threads", "100000"], "the cores of this machine"),
    (["--classes", "100000000"], "MiB free: choose smaller sizes"),
    (["--output-file", "no/such/folder/x.json"], "cannot write"),
    (["--dtype", "float16"], "float16"),
    (["--batch", "many"], "many"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD)
def test_bad_input_is_one_line(capsys, arguments, said):
    assert main(["bench", *arguments]) == Exit.BAD_INPUT
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_cuda_that_is_absent_is_bad_input(capsys):
    with pytest.raises(BadInput, match="no CUDA device"):
        Settings(device="cuda")
    assert main(["bench", "--device", "cuda"]) == Exit.BAD_INPUT
    assert capsys.readouterr().err == "certify: device cuda: this PyTorch finds no CUDA device\n"


def test_the_reference_names_its_sizes():
    assert np.shape(frozen.signs()) == (frozen.SIGNS, Settings().dim)
