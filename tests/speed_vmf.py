"""Time the vMF primitives: ``python tests/speed_vmf.py [threads]``.

10^6 float64 elements, x/ν log-spaced in [1e-3, 1e3], two threads unless told; medians of interleaved repeats, in ns an element. The
yardstick is a compiled autograd function that computes c·x forward and g·x backward: it moves the same bytes. SciPy's private
``_iv_ratio`` and the quotient of two ``ive`` are timed on 10^5 of the elements, on one thread, as they have no more.
The order is the smallest with a certified error of at most u beside 3u of rounding, 4u in all; the default, which leaves the
certificate u/8, is timed beside it.

The targets: forward and backward within 2.5 times the yardstick, 6 times faster than ``_iv_ratio`` and 20 times than the quotient.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import torch
from scipy import special
from torch import Tensor
from torch._inductor.utils import run_and_get_code

from certify.vmf import accuracy, ratio

SIZE, REPEATS, DIMENSIONS = 10**6, 30, (128, 512, 2048)
YARDSTICK_TARGET, IV_RATIO_TARGET, QUOTIENT_TARGET = 2.5, 6, 20


class Yardstick(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, c: float) -> Tensor:
        ctx.save_for_backward(x)
        return c * x

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return upstream * x, None


def both(function: Callable[[Tensor], Tensor], x: Tensor, upstream: Tensor) -> Callable[[], object]:
    """Forward and backward."""
    return lambda: torch.autograd.grad(function(x), x, upstream)


def medians(rows: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median seconds of each, one after the other in every repeat, after three that do not count."""
    seconds: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(repeats + 3):
        for name, run in rows.items():
            start = perf_counter()
            run()
            seconds[name].append(perf_counter() - start)
    return {name: median(times[3:]) for name, times in seconds.items()}


def main() -> None:
    torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, load {os.getloadavg()[0]:.1f}, ns an element")
    for p in DIMENSIONS:
        report(p)


def report(p: int) -> None:
    nu = p / 2 - 1
    x = (torch.logspace(-3, 3, SIZE, dtype=torch.float64) * nu).requires_grad_()
    upstream = torch.ones_like(x)
    yardstick = torch.compile(lambda t: Yardstick.apply(t, 0.5), fullgraph=True)
    order = next(n for n in range(9) if accuracy(p=p, order=n).formula <= 2.0**-53)
    compiled = torch.compile(lambda t: ratio(t, p=p, order=order), fullgraph=True)
    default = torch.compile(lambda t: ratio(t, p=p), fullgraph=True)
    eager: Callable[[Tensor], Tensor] = lambda t: ratio(t, p=p, order=order)  # noqa: E731
    rows = {
        "yardstick": both(yardstick, x, upstream),
        "compiled": both(compiled, x, upstream),
        "compiled, default": both(default, x, upstream),
        "eager": both(eager, x, upstream),
        "compiled, forward": lambda: compiled(x.detach()),
        "eager, forward": lambda: eager(x.detach()),
    }
    times = {name: seconds / SIZE * 1e9 for name, seconds in medians(rows, REPEATS).items()}
    sample = x.detach().numpy()[:: SIZE // 10**5]
    scipy = medians(
        {
            "SciPy _iv_ratio": lambda: special._ufuncs._iv_ratio(nu + 1, sample),  # pyright: ignore
            "SciPy ive quotient": lambda: special.ive(nu + 1, sample) / special.ive(nu, sample),
        },
        5,
    )
    times |= {name: seconds / len(sample) * 1e9 for name, seconds in scipy.items()}
    print(f"\np = {p}: order {order}, certificate {accuracy(p=p, order=order).formula:.3g}; default order {accuracy(p=p).order}")
    for name, value in times.items():
        print(f"  {name:20} {value:9.3f}")
    against("forward and backward over the yardstick", times["compiled"] / times["yardstick"], YARDSTICK_TARGET, at_most=True)
    against("_iv_ratio over compiled", times["SciPy _iv_ratio"] / times["compiled, forward"], IV_RATIO_TARGET)
    against("ive quotient over compiled", times["SciPy ive quotient"] / times["compiled, forward"], QUOTIENT_TARGET)
    print(f"  buffers of the output's size allocated by the compiled code: {allocations(p)} (forward, backward)")


def against(what: str, value: float, target: float, at_most: bool = False) -> None:
    met = value <= target if at_most else value >= target
    print(f"  {what}: {value:.2f} (target {'≤' if at_most else '≥'} {target:g}: {'met' if met else 'missed'})")


def allocations(p: int) -> list[int]:
    """How many buffers the generated code allocates in each graph, its output among them."""
    torch._dynamo.reset()
    x = torch.ones(SIZE, dtype=torch.float64, requires_grad=True)
    function = torch.compile(lambda t: ratio(t, p=p), fullgraph=True)
    _, sources = run_and_get_code(lambda: function(x).sum().backward())
    return [source.count("empty_strided_cpu((1000000, )") for source in sources]


if __name__ == "__main__":
    main()
