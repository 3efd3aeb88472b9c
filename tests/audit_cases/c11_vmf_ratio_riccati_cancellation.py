# ruff: noqa
from _common import *

META = dict(
    id="c11",
    kind="a,e",
    title="vMF ratio backward 1-(p-1)A/k-A^2 in float64: total cancellation at large kappa",
    source=["https://github.com/SiLangWHL/vMF-OP/issues/3"],
    expected="incoherent",
    region="p=4: k > ~1e5 relative error > 1e-5; k=1e8 no correct digit",
    symptom="A' ~ (p-1)/(2k^2) is far below atol=1e-5, so gradcheck accepts anything",
)
p = 4
A = lambda k: sp.ive(p / 2, k) / sp.ive(p / 2 - 1, k)
fn = fn_from_numpy(A, lambda k: 1 - (p - 1) / k * A(k) - A(k) ** 2)
natural = lambda: (rand(1, 30),)
witness = lambda: (t(1e8),)
DOMAIN = (1e-1, 1e9)
true = lambda x: mp_A(p, x)


def dtrue(x):
    with mp.workdps(80):
        a = mp_A(p, x)
        return 1 - (p - 1) / mp.mpf(x) * a - a * a
