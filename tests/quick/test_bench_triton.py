"""The Triton kernel against the eager form, by Triton's interpreter; skipped where there is no Triton."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

QUICK = Path(__file__).resolve().parent
PROGRAM = """
import torch
from certify.vmf import structured, structured_triton
from test_bench_structured import TAU, case

for seed, (views, batch, classes, dim, dtype) in enumerate([(2, 4, 1500, 16, torch.float32), (1, 3, 2100, 8, torch.float64)]):
    features, labels, means, counts, log_priors = case(seed, views, batch, classes, dim, dtype)
    lengths = torch.linspace(0.1, 0.99, classes)[:, None].to(dtype)
    banks = [structured.bank(means / means.norm(dim=1, keepdim=True) * lengths, counts) for _ in range(2)]
    loss, gradient = structured.step(banks[0], features, labels, log_priors, TAU)
    found, slope = structured.step(banks[1], features, labels, log_priors, TAU, score=structured_triton.coefficients)
    torch.testing.assert_close(found, loss, rtol=1e-13, atol=0)
    torch.testing.assert_close(slope, gradient, rtol=0, atol=1e-6 * float(gradient.abs().max()))
print("agree")
"""


@pytest.mark.skipif(find_spec("triton") is None, reason="there is no Triton")
def test_the_kernel_agrees_with_the_eager_form():
    environment = {**os.environ, "TRITON_INTERPRET": "1", "PYTHONPATH": os.pathsep.join([str(QUICK.parent.parent), str(QUICK), *sys.path])}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "agree\n"), done.stderr
