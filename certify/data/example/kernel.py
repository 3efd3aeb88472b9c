import torch


def softplus(x):
    """log(1 + exp(x)), without overflow."""
    return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))


def cut(x):
    """The same, linear from 20 on, as many libraries have it."""
    return torch.where(x > 20, x, torch.log1p(torch.exp(x)))
