# ruff: noqa
from _common import *

META = dict(
    id="c01",
    kind="a,e",
    title="vMF log-normaliser: exponentially scaled Bessel in forward without the -kappa term",
    source=["public code index id 34945688106 (logC) and 36277449527 (LogVmfConst)", "https://github.com/Sachin19/seq2seq-con/issues/1"],
    expected="incoherent",
    region="everywhere; backward - true derivative of forward = -1 exactly",
    symptom="loss gradient in kappa off by a constant 1; training drifts in kappa",
)
m = 16
v = m / 2 - 1
fn = fn_from_numpy(
    lambda k: v * np.log(k) - np.log(sp.ive(v, k)) - (v + 1) * np.log(2 * np.pi),  # forgot -k
    lambda k: -sp.ive(v + 1, k) / sp.ive(v, k),
)
natural = lambda: (rand(5, 50),)
witness = lambda: (t(10.0),)
DOMAIN = (1e-2, 1e4)
true = lambda x: mp_logC(m, x)
dtrue = lambda x: -mp_A(m, x)
