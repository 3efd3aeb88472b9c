# ruff: noqa
from _common import *

META = dict(
    id="c15",
    kind="c",
    title="I0 = exp(|x|) i0e(x) with d|x|/dx=1 at 0: derivative 1 instead of 0 at one point",
    source=["https://github.com/jax-ml/jax/issues/11479", "https://github.com/jax-ml/jax/issues/40628"],
    expected="incoherent",
    region="x = 0 only",
    symptom="grad(i0)(0) = 1, true 0",
)


def bwd(x):
    s = np.where(x == 0, 1.0, np.sign(x))  # |x|' = 1 at 0
    si = np.where(x == 0, 0.0, np.sign(x))  # i0e's own rule uses sign(0)=0
    return np.exp(np.abs(x)) * (s * sp.i0e(x) + sp.i1e(x) - si * sp.i0e(x))


fn = fn_from_numpy(lambda x: np.exp(np.abs(x)) * sp.i0e(x), bwd)
natural = lambda: (randn(),)
witness = lambda: (t(0.0),)
DOMAIN = (-20.0, 20.0)
true = lambda x: mp.besseli(0, x)
dtrue = lambda x: mp.besseli(1, x)
