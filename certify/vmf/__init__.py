"""The von Mises–Fisher primitives in PyTorch: certified closed forms, coherent gradients, any dimension p ≥ 2."""

from certify.vmf.ratio import ratio

__all__ = ["ratio"]
