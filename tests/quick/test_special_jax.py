"""JAX beside certify.special: a stub of it with PyTorch inside, so that it is tested where JAX is not installed."""

import sys
from pathlib import Path

import pytest
import torch

from certify.special import erfcx
from certify.studies.special import errors, jax_functions
from certify.studies.special.errors import derivatives, rows
from certify.studies.special.subjects import SUBJECTS
from certify.studies.tables import table_special

INIT = """
from contextlib import nullcontext
from torch.func import grad, vmap as _vmap
from torch import from_numpy
__version__ = "0.stub"
class State:
    def __call__(self, value):
        return nullcontext(value)
    def __bool__(self):
        raise TypeError("bool() not supported for instances of type 'State'")
enable_x64 = State()
def vmap(function):
    return lambda x: _vmap(function)(from_numpy(x)).numpy()
"""
SPECIAL = """
import torch
def log_ndtr(x):
    return torch.log(torch.erfc(-x / 2**0.5) / 2)
def hyp1f1(a, b, x):
    return torch.exp(a / b * x)
"""
GAMMA = """
import torch
def pdf(x, a):
    return torch.exp(-x) * x ** (a - 1)
def sf(x, a):
    return torch.exp(-x) * 2
"""


@pytest.fixture
def jax(tmp_path, monkeypatch):
    """The stub in place of the package: no ``erfcx``, as in older ones."""
    sources = {
        "": INIT,
        "numpy": "from torch import log",
        "scipy": "",
        "scipy/special": SPECIAL,
        "scipy/stats": "",
        "scipy/stats/gamma": GAMMA,
    }
    for name, source in sources.items():
        file = tmp_path / "jax" / name / "__init__.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)
    for name in [name for name in sys.modules if name.partition(".")[0] == "jax"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(tmp_path)
    yield Path(tmp_path / "jax" / "__init__.py")
    for name in [name for name in sys.modules if name.partition(".")[0] == "jax"]:
        del sys.modules[name]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_values_and_derivatives_are_those_of_jax_grad(jax, dtype):
    x = torch.tensor([-2.0, 0.5, 3.0], dtype=dtype)
    (function,) = jax_functions.functions("log_ndtr").values()
    found = derivatives(function, x, 3)
    assert [value.dtype for value in found] == [dtype] * 3
    for ours, theirs in zip(found, derivatives(torch.special.log_ndtr, x, 3), strict=True):
        assert torch.allclose(ours, theirs, rtol=1e-3)


def test_formulas_take_the_parameter_of_the_subject(jax):
    x = torch.tensor([0.5, 3.0], dtype=torch.float64)
    (gamma,) = jax_functions.functions("gamma_hazard, a = 2.5").values()
    (watson,) = jax_functions.functions("watson_quotient, p = 10").values()
    (logarithm,) = jax_functions.functions("log_kummer, p = 10").values()
    assert torch.allclose(logarithm(x), 0.5 / 5 * x)
    assert torch.allclose(gamma(x), x**1.5 / 2)
    assert torch.allclose(watson(x), torch.exp(1.5 / 6 * x - 0.5 / 5 * x) / 10)


def test_what_jax_does_not_have_is_left_out(jax):
    assert not jax_functions.functions("erfcx")
    assert not jax_functions.functions("bessel_k_ratio, nu = 32")


def test_the_table_has_jax_and_its_version(jax, monkeypatch):
    (subject,) = (each for each in SUBJECTS if each.title == "gamma_hazard, a = 2.5")
    monkeypatch.setattr(errors, "SUBJECTS", (subject,))
    found = [row for row in rows(count=4) if row.package == "jax quotient"]
    assert {(row.derivative, row.dtype) for row in found} == {(j, form) for j in (0, 1) for form in ("float64", "float32")}
    assert all(row.defect for row in found)
    monkeypatch.setattr(table_special, "rows", lambda count: iter(found))
    monkeypatch.setattr(table_special, "times", lambda: iter(()))
    conditions = table_special.build().conditions
    assert "jax 0.stub" in conditions["versions"]
    assert "not run" not in conditions
    assert "jax" in conditions["not timed"]


def test_an_older_jax_has_it_elsewhere(jax):
    jax.write_text(INIT.replace("enable_x64 = State()", ""))
    (jax.parent / "experimental.py").write_text("from contextlib import nullcontext as enable_x64")
    assert jax_functions.missing() is None
    (function,) = jax_functions.functions("log_ndtr").values()
    assert function(torch.tensor([0.5])).item() < 0


def test_a_jax_without_what_is_needed_is_not_run(jax):
    jax.write_text('__version__ = "0.1"\n')
    assert jax_functions.missing() == "jax 0.1 has no enable_x64"
    assert not jax_functions.functions("log_ndtr")


def test_that_jax_is_not_installed_is_said(monkeypatch):
    monkeypatch.setattr(jax_functions, "find_spec", lambda name: None)
    monkeypatch.setattr(table_special, "rows", lambda count: iter(()))
    monkeypatch.setattr(table_special, "times", lambda: iter(()))
    assert not jax_functions.functions("log_ndtr")
    assert table_special.build().conditions["not run"] == "jax is not installed"


def test_a_jax_that_does_not_load_is_not_run(jax):
    jax.write_text('raise ImportError("jaxlib is older\\nthan jax")\n')
    assert jax_functions.missing() == "jax cannot be imported: ImportError: jaxlib is older than jax"
    assert not jax_functions.functions("erfcx")


def test_without_jax_the_table_says_that_it_is_not_run(monkeypatch):
    monkeypatch.setattr(jax_functions, "find_spec", lambda name: None)
    monkeypatch.setattr(table_special, "rows", lambda count: iter(()))
    monkeypatch.setattr(table_special, "times", lambda: iter(()))
    assert table_special.build().conditions["not run"] == "jax is not installed"


def test_the_installed_jax_computes_in_both_formats():
    """In float64 below 2⁻⁴⁵, which single precision could not be; in float32 at its own."""
    pytest.importorskip("jax")
    x = torch.tensor([0.5, 3.0], dtype=torch.float64)
    (function,) = jax_functions.functions("erfcx").values()
    for dtype, tolerance in ((torch.float64, 2.0**-45), (torch.float32, 2.0**-20)):
        found, right = derivatives(function, x.to(dtype), 2), derivatives(erfcx, x.to(dtype).double(), 2)
        assert [value.dtype for value in found] == [dtype] * 2
        for ours, theirs in zip(found, right, strict=True):
            torch.testing.assert_close(ours.double(), theirs, rtol=tolerance, atol=0)
