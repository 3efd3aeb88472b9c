# ruff: noqa
from _common import *

META = dict(
    id="c49",
    kind="b",
    title="expanded (self-overlapping) input: perturbing one entry moves them all",
    source=["https://github.com/pytorch/pytorch/issues/38586"],
    expected="coherent",
    region="any expand()ed leaf",
    symptom="false alarm / RuntimeError instead of a verdict",
)
M = torch.tensor([[1.0, 2.0], [3.0, -1.0]], dtype=F64)
fn = lambda v: (M @ v).sum()
natural = lambda: (randn(2),)
witness = lambda: (torch.tensor([0.7], dtype=F64).expand(2).requires_grad_(True),)
ELEMENTWISE = False
