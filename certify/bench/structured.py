"""Table 7's boundary by ``certify.vmf.structured``, eager, compiled, and on CUDA as one replayed graph."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from certify.bench.state import CAP, TEMPERATURE, Inputs
from certify.vmf import structured
from certify.vmf.structured import Bank, Scoring

Step = Callable[[Bank, Tensor, Tensor, Tensor, float, float | None], tuple[Tensor, Tensor]]


class Structured:
    """``step`` is ``structured.step`` or another form of it."""

    def __init__(self, inputs: Inputs, step: Step = structured.step) -> None:
        self.inputs = inputs
        self.step = step
        self.first = structured.bank(inputs.means, inputs.counts, CAP)
        self.bank = Bank(*(part.clone() for part in self.first))

    def restore(self) -> None:
        """The class state as it was before the first view, in place."""
        for part, before in zip(self.bank, self.first, strict=True):
            part.copy_(before)

    def run(self) -> tuple[Tensor, Tensor]:
        """The mean loss of the views, and its gradient in the features (V×B×p)."""
        given = self.inputs
        return self.step(self.bank, given.features, given.labels, given.log_priors, TEMPERATURE, CAP)

    def scores(self) -> Tensor:
        """q of both views (V×B×K), each after its update."""
        found = []
        for features in self.inputs.features:
            structured.absorb_(self.bank, features, self.inputs.labels, CAP)
            found.append(structured.scores(self.bank, features, TEMPERATURE))
        return torch.stack(found)

    def products(self) -> None:
        """The matrix products of ``run`` over the bank and nothing else."""
        projection = self.bank.means @ self.inputs.features.flatten(0, 1).T
        torch.mm(projection.T, self.bank.means)


class Captured:
    """A structured boundary recorded once as a CUDA graph; ``run`` replays it into the same tensors."""

    def __init__(self, inner: Structured) -> None:
        self.inner = inner
        self.graph: torch.cuda.CUDAGraph | None = None
        self.outputs: tuple[Tensor, Tensor] | None = None

    def restore(self) -> None:
        self.inner.restore()

    def capture(self) -> None:
        """Record ``run``; the warm-up that capture needs runs on a stream beside the current one."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self.inner.run()
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.outputs = self.inner.run()
        self.restore()

    def run(self) -> tuple[Tensor, Tensor]:
        if self.graph is None or self.outputs is None:
            self.capture()
        assert self.graph is not None
        assert self.outputs is not None
        self.graph.replay()
        return self.outputs

    def scores(self) -> Tensor:
        return self.inner.scores()


def compiled_step(score: Scoring | None = None, **options: Any) -> Step:
    """``structured.step`` by ``torch.compile``, one shape a compilation, at the first call; division rounds as eager does."""
    from torch._inductor import config

    if "eager_numerics.division_rounding" in config.get_config_copy():
        options["eager_numerics.division_rounding"] = True
    return torch.compile(partial(structured.step, score=score), fullgraph=True, dynamic=False, options=options)


def triton_scoring() -> Scoring:
    """The scores of a step as one Triton kernel. Raises ImportError where there is no Triton."""
    from certify.vmf.structured_triton import coefficients

    return coefficients


def variants(inputs: Inputs) -> dict[str, Callable[[], Structured | Captured]]:
    """What is tried on the device of the inputs: on a CPU the kernels are also called from C++, on CUDA each variant is captured."""
    steps: dict[str, Callable[[], Step]] = {"eager": lambda: structured.step, "compiled": compiled_step}
    if inputs.means.device.type != "cuda":
        steps["compiled, called from C++"] = lambda: compiled_step(cpp_wrapper=True)
        return {name: lambda make=make: Structured(inputs, make()) for name, make in steps.items()}
    steps["Triton"] = lambda: partial(structured.step, score=triton_scoring())
    steps["compiled with Triton"] = lambda: compiled_step(triton_scoring())
    return {f"{name}, CUDA graph": lambda make=make: Captured(Structured(inputs, make())) for name, make in steps.items()}
