# ruff: noqa
from _common import *

META = dict(
    id="c39",
    kind="a",
    title="straight-through rounding: forward round, backward identity (intended surrogate)",
    source=["https://github.com/apache/mxnet/pull/16373", "https://github.com/Oneflow-Inc/oneflow/issues/8649"],
    expected="incoherent",
    region="everywhere",
    symptom="a declared surrogate: auditor should let the author declare it, not call it a bug",
)
fn = fn_from_numpy(lambda x: np.round(x), lambda x: np.ones_like(x))
natural = lambda: (randn(),)
witness = lambda: (t(0.3),)
DOMAIN = (-4.0, 4.0)
