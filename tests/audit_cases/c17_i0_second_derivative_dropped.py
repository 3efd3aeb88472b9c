# ruff: noqa
from _common import *

META = dict(
    id="c17",
    kind="d",
    title="I0: backward = where(x==0, 0, I1(x)): first derivative right, second derivative at 0 lost",
    source=["https://github.com/jax-ml/jax/issues/40627", "https://github.com/tensorflow/tensorflow/issues/127245"],
    expected="incoherent",
    region="second order, x = 0 only (0 instead of 1/2)",
    symptom="Hessian zero at 0",
)
ORDER = 2


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.special.i0(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.where(x == 0, torch.zeros_like(x), torch.special.i1(x))


fn = F.apply
natural = lambda: (randn(),)
witness = lambda: (t(0.0),)
DOMAIN = (-20.0, 20.0)
true = lambda x: mp.besseli(0, x)
dtrue = lambda x: mp.besseli(1, x)
