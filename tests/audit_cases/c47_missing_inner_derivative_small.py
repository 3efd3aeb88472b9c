# ruff: noqa
from _common import *

META = dict(
    id="c47",
    kind="a",
    title="backward drops a small additive term (regulariser 2e-5*x^2 detached)",
    source=["https://github.com/pytorch/pytorch/issues/58509 (detached ctx term)"],
    expected="incoherent",
    region="everywhere; relative 1e-5 (x=2) .. 6e-4 (x=-2)",
    symptom="under rtol=1e-3: systematic bias passes",
)
fn = fn_from_numpy(lambda x: np.exp(x) + 2e-5 * x * x, lambda x: np.exp(x))
natural = lambda: (randn(),)
witness = lambda: (t(2.0),)
DOMAIN = (-3.0, 6.0)
