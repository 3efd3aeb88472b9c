# ruff: noqa
from _common import *

META = dict(
    id="c43",
    kind="a",
    title="LayerNorm with weight (1+gamma) in forward, gamma in the input gradient",
    source=["https://github.com/NVIDIA/TransformerEngine/pull/67 (review question)"],
    expected="incoherent",
    region="everywhere",
    symptom="dx = 0 at the zero initialisation of gamma",
)
GAM = torch.tensor([0.0, 0.1, -0.2, 0.05], dtype=F64)


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mu = x.mean()
        r = (x.var(unbiased=False) + 1e-5).rsqrt()
        h = (x - mu) * r
        ctx.save_for_backward(h, r)
        return h * (1 + GAM.to(x.dtype))

    @staticmethod
    def backward(ctx, g):
        h, r = ctx.saved_tensors
        gh = g * GAM.to(g.dtype)
        return r * (gh - gh.mean() - h * (gh * h).mean())


fn = F.apply
natural = lambda: (randn(4),)
witness = lambda: (randn(4, seed=5),)
ELEMENTWISE = False
