# ruff: noqa
from _common import *

META = dict(
    id="c09",
    kind="e",
    title="vMF m=3 loss: exact branch below kappa=100, value-matched approximation above; derivative jumps",
    source=["https://github.com/graphnet-team/graphnet/issues/900", "https://github.com/graphnet-team/graphnet/pull/915"],
    expected="coherent-but-unfaithful",
    region="kappa > 100 (A3 0.9900 -> 0.9998); kink at exactly 100",
    symptom="learned concentration pinned at 100; gradcheck passes on both sides",
)
K0 = 100.0


def ex(k):
    return np.log(k) - k - np.log(-np.expm1(-2 * k)) - np.log(2 * np.pi)


def ap(k):
    return -np.sqrt(4 + k * k)


def fwd(k):
    return np.where(k < K0, ex(k), ap(k) - (ap(K0) - ex(K0)))


def bwd(k):
    return np.where(k < K0, -(1 / np.tanh(k) - 1 / k), -k / np.sqrt(4 + k * k))


fn = fn_from_numpy(fwd, bwd)
natural = lambda: (rand(1, 90),)
witness = lambda: (t(150.0),)
DOMAIN = (1.0, 1e4)
true = lambda x: mp_logC(3, x)
dtrue = lambda x: -mp_A(3, x)
