# ruff: noqa
from _common import *

META = dict(
    id="c35",
    kind="b",
    title="high-dimensional density (values ~1e-12): backward has the WRONG SIGN, gradcheck passes",
    source=["https://github.com/pytorch/pytorch/issues/2710 (tolerance discussion)", "https://github.com/jax-ml/jax/issues/3130"],
    expected="incoherent",
    region="everywhere; |derivative| < atol=1e-5",
    symptom="absolute tolerance swallows the whole gradient",
)
c = (2 * np.pi) ** (-15.0)  # 30-dim gaussian normaliser, 1.1e-12
fn = fn_from_numpy(lambda r: c * np.exp(-0.5 * r * r), lambda r: +r * c * np.exp(-0.5 * r * r))
natural = lambda: (randn(),)
witness = lambda: (t(1.0),)
DOMAIN = (-6.0, 6.0)
true = lambda x: mp.mpf(c) * mp.exp(-(mp.mpf(x) ** 2) / 2)
dtrue = lambda x: -mp.mpf(x) * mp.mpf(c) * mp.exp(-(mp.mpf(x) ** 2) / 2)
