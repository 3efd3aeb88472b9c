# ruff: noqa
from _common import *

META = dict(
    id="c07",
    kind="a,b",
    title="ive: right derivative, but forward returns float32 whatever the input dtype",
    source=[
        "https://github.com/nicola-decao/s-vae-pytorch (hyperspherical_vae/ops/ive.py, path held by 9 repositories, some TF)",
        "https://github.com/Sachin19/seq2seq-con (onmt/ive.py, .float())",
    ],
    expected="coherent",
    region="whole axis (at float32 resolution of the realised forward)",
    symptom="gradcheck in float64 fails because finite differences of a float32-quantised forward are noise",
)
v = 4.0


def fwd(z):
    return sp.ive(v, z).astype(np.float32)


fn = fn_from_numpy(fwd, lambda z: sp.ive(v - 1, z) - sp.ive(v, z) * (v + z) / z, out_dtype=F32)
natural = lambda: (rand(1, 20),)
witness = lambda: (t(3.0),)
DOMAIN = (1e-1, 1e2)
true = lambda x: mp.besseli(v, x) * mp.exp(-mp.mpf(x))
dtrue = lambda x: mp.diff(true, x)
FORWARD_EPS = 6e-8
