# ruff: noqa
"""Shared helpers for the audit cases (own code). Not a case itself."""

import math
import numpy as np
import torch
import mpmath as mp
import scipy.special as sp

mp.mp.dps = 50
F64, F32 = torch.float64, torch.float32


def fn_from_numpy(fwd, bwd, out_dtype=None):
    """Build a torch callable from an elementwise numpy pair (forward f(x), derivative b(x))."""

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            y = torch.from_numpy(np.asarray(fwd(x.detach().cpu().numpy())))
            return y.to(out_dtype or x.dtype)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            d = torch.from_numpy(np.asarray(bwd(x.detach().cpu().numpy())))
            return g * d.to(x.dtype)

    return Fn.apply


def t(*v, dtype=F64):
    return torch.tensor(v, dtype=dtype, requires_grad=True)


def randn(n=8, seed=0, dtype=F64):
    g = torch.Generator().manual_seed(seed)
    return torch.randn(n, generator=g, dtype=dtype).requires_grad_()


def rand(lo, hi, n=8, seed=0, dtype=F64):
    g = torch.Generator().manual_seed(seed)
    return (lo + (hi - lo) * torch.rand(n, generator=g, dtype=dtype)).requires_grad_()


# ---- mpmath truths -------------------------------------------------------
def mp_A(m, k):
    """vMF mean resultant length I_{m/2}/I_{m/2-1}."""
    v = mp.mpf(m) / 2
    k = mp.mpf(k)
    return mp.besseli(v, k) / mp.besseli(v - 1, k)


def mp_logC(m, k):
    v = mp.mpf(m) / 2 - 1
    k = mp.mpf(k)
    return v * mp.log(k) - mp.log(mp.besseli(v, k)) - (v + 1) * mp.log(2 * mp.pi)
