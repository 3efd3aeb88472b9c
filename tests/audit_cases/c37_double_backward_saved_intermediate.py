# ruff: noqa
from _common import *

META = dict(
    id="c37",
    kind="d",
    title="saved intermediate (neither input nor output) used in backward: double backward silently wrong",
    source=[
        "https://github.com/pytorch/pytorch/issues/76185",
        "https://github.com/pytorch/pytorch/issues/58509",
        "https://github.com/pytorch/pytorch/issues/104040",
    ],
    expected="incoherent",
    region="second order, everywhere (0 instead of 6x)",
    symptom="gradcheck passes; Hessian drops a term",
)
ORDER = 2


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = x * x
        ctx.s = s  # detached intermediate
        return s * x

    @staticmethod
    def backward(ctx, g):
        return 3 * g * ctx.s


fn = F.apply
natural = lambda: (randn(),)
witness = lambda: (t(1.5),)
DOMAIN = (-5.0, 5.0)
true = lambda x: mp.mpf(x) ** 3
dtrue = lambda x: 3 * mp.mpf(x) ** 2
