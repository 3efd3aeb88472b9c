# ruff: noqa
from _common import *

META = dict(
    id="c03",
    kind="a,e",
    title="vMF log-normaliser: Bessel value clamped at 1e-30 in forward only, nan_to_num(0) in backward",
    source=["public code index id 26633433922 (LogCMK fork)", "https://github.com/graphnet-team/graphnet/pull/82"],
    expected="incoherent",
    region="m=512: I_255(k) < 1e-30 (k < ~136, measured) and iv overflow (k > ~753)",
    symptom="NaN-free but wrong gradient in high dimension; small-m tests pass",
)
m = 512
v = m / 2 - 1
fn = fn_from_numpy(
    lambda k: v * np.log(np.maximum(k, 1e-6)) - np.log(np.maximum(sp.iv(v, k), 1e-30)) - (v + 1) * np.log(2 * np.pi),
    lambda k: -np.nan_to_num(sp.iv(v + 1, k) / sp.iv(v, k), nan=0.0, posinf=0.0, neginf=0.0),
)
natural = lambda: (rand(300, 600),)
witness = lambda: (t(50.0),)
DOMAIN = (1.0, 5e3)
true = lambda x: mp_logC(m, x)
dtrue = lambda x: -mp_A(m, x)
