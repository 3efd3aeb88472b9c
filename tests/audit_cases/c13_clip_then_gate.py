# ruff: noqa
from _common import *

META = dict(
    id="c13",
    kind="a",
    title="clip(0,1) in forward, gradient gate computed on the clipped value (so it never closes)",
    source=["https://github.com/tensorflow/probability/issues/220", "https://github.com/tensorflow/probability/pull/222"],
    expected="incoherent",
    region="where the raw series leaves [0,1]",
    symptom="gradient nonzero where the realised forward is constant",
)
raw = lambda x: 0.5 + 0.6 * np.tanh(x)


def bwd(x):
    c = np.clip(raw(x), 0, 1)
    return 0.6 / np.cosh(x) ** 2 * ((c >= 0) & (c <= 1))


fn = fn_from_numpy(lambda x: np.clip(raw(x), 0, 1), bwd)
natural = lambda: (rand(-1, 1),)
witness = lambda: (t(1.5),)
DOMAIN = (-5.0, 5.0)
