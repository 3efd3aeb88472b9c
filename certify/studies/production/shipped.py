"""Whether the kernels of ``certify.vmf``, traced, are the programs that the rounding theorems are about, and what these certify.

A theorem's program has rational constants; the kernel has the floats nearest to them, and x_max as a number. Its trace has to have the
digest of the theorem's program with both put in, for every order n, with s as a hypot and as the root of a sum of squares, in both formats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

import torch

from certify.audit.traced.trace import trace
from certify.claims.claim import Claim
from certify.exact import descent_program, selector
from certify.exact.ladder_program import in_format
from certify.exact.number import exact
from certify.exact.program import Program
from certify.vmf import descent, kernel, plan
from certify.vmf.coefficients import SIGNIFICANT_BITS
from proofs.rounding import derivative, difference, ratio
from proofs.rounding import descent as descents

Kernel = Callable[..., torch.Tensor]
FORMATS = (torch.float64, torch.float32)
MODULI: dict[str, kernel.Modulus] = {"": torch.hypot, ".squares": kernel.root_of_squares}
STEPS = (1, 6, 17)
"""Of the descents that are traced: the fewest, and the most that ``vmf.plan`` chooses in float32 and in float64."""
NU, X = (63.0, 5.0, 2047.5), (0.0, 1e6)
DEVICES = {"": "cpu", ".squares": "cpu", ".cuda": "cuda", ".cuda_compiled": "cuda"}
"""Where the programs of each family of claims run."""
CLAMP = Fraction(1, 40)
"""Units u that A_n changes by at most beyond x_max (``proofs.rounding.ratio``)."""


@dataclass(frozen=True)
class Shipped:
    """A kernel at one order, in one format, beside the claim whose theorem is about it."""

    kernel: str
    order: int
    dtype: torch.dtype
    claim: str
    digests: tuple[str, str]
    """Of the traced kernel, and of the claim's program in this format."""

    @property
    def same(self) -> bool:
        return self.digests[0] == self.digests[1]


def shipped(orders: range, dtypes: tuple[torch.dtype, ...] = FORMATS) -> Iterator[Shipped]:
    """Every kernel that a rounding theorem speaks of."""
    for dtype in dtypes:
        for n in orders:
            for name, claim, function, inputs in _kernels(n):
                traced = trace(function, inputs, {each: _fixed(each) for each in inputs[1:]}, X, dtype, derivative=False).program
                certified = _in_format(_program(claim), dtype)
                yield Shipped(name, n, dtype, claim.id, (traced.digest, certified.digest))


def _kernels(n: int) -> Iterator[tuple[str, Claim, Kernel, tuple[str, ...]]]:
    for suffix, modulus in MODULI.items():
        for name, module, function in (("ratio", ratio, kernel.ratio), ("derivative", derivative, kernel.slope)):
            yield name + suffix, _claim(module, f"rounding.{name}.{n}{suffix}"), _at(function, n, modulus), ("x", "nu")
    yield "difference", _claim(difference, f"rounding.difference.{n}"), lambda a, b, nu: kernel.difference(a, b, nu, n), ("a", "b", "nu")


def shipped_descents(dtypes: tuple[torch.dtype, ...] = FORMATS) -> Iterator[Shipped]:
    """R_ν and 1 − R_ν by so many ``STEPS``, beside the programs that claim rounding.descent is about."""
    for dtype, steps, (suffix, modulus), name in product(dtypes, STEPS, MODULI.items(), ("ratio", "complement")):
        function: Kernel = partial(getattr(descent, name), order=descent_program.ORDER, steps=steps, modulus=modulus)
        traced = trace(function, ("x", "nu"), {"nu": _fixed("nu")}, X, dtype, derivative=False).program
        program = getattr(descent_program, name)(steps, squares=bool(suffix))
        digests = traced.digest, _in_format(program, dtype).digest
        yield Shipped(f"descent.{name}{suffix}, {steps} steps", descent_program.ORDER, dtype, "rounding.descent", digests)


def _at(function: Kernel, n: int, modulus: kernel.Modulus) -> Kernel:
    return lambda x, nu: function(x, nu, n, modulus)


def _fixed(name: str) -> tuple[float, ...]:
    return NU if name == "nu" else (7.25, 0.0, 3e4)


def _claim(module: Any, id: str) -> Claim:
    return next(value for value in vars(module).values() if isinstance(value, Claim) and value.id == id)


def _program(claim: Claim) -> Program:
    theorem: Any = claim.formal()
    return theorem.program


def _in_format(program: Program, dtype: torch.dtype) -> Program:
    """x_max a number, each constant rounded to the format."""
    bits = SIGNIFICANT_BITS[dtype]
    return in_format(program, int(kernel.X_MAX[dtype]), bits).rounded(bits)


def uncovered(orders: range) -> list[str]:
    """Where ``vmf.plan`` promises more than the claims rounding.ratio.n… prove: an order ν too small, or a rounding error too large."""
    found = []
    for n, (suffix, device) in product(orders, DEVICES.items()):
        claim, promised = _claim(ratio, f"rounding.ratio.{n}{suffix}"), plan.ROUNDING[device]
        if claim.constants["nu_min"] > plan.LEAST[n]:
            found.append(f"{claim.id} holds from nu = {claim.constants['nu_min']} on, vmf.plan.LEAST[{n}] is {plan.LEAST[n]}")
        if claim.constants["k"] + CLAMP > promised:
            found.append(f"{claim.id} has k = {claim.constants['k']}, vmf.plan.ROUNDING is {promised} on {device}")
    return found


def uncovered_descents() -> list[str]:
    """Where ``vmf.plan`` promises more of descents than claims rounding.descent prove, or may start one at an order that they leave out.

    A search for steps ends by the first N ≥ START at which A_8 is within half of what is allowed at every x: m steps multiply an error E
    by at most 1/(1 − mE) < 2. At larger orders ν A_8 serves itself. The bound of A_8 falls as the order grows.
    """
    found = []
    for kind, device in (("", "cpu"), (".cuda", "cuda")):
        claim, promised = _claim(descents, f"rounding.descent{kind}"), plan.ROUNDING[device]
        if claim.constants["k"] + (descents.PASSED_ON - 1) * plan.SHARE > promised:
            found.append(f"{claim.id} has k = {claim.constants['k']}, vmf.plan.ROUNDING is {promised} on {device}")
    if plan.START < descents.LEAST:
        found.append(f"rounding.descent holds from order {descents.LEAST} on, vmf.plan.START is {plan.START}")
    last = descents.MOST - 1
    for dtype in FORMATS:
        allowed = exact(plan.SHARE * plan.unit(dtype))
        if last < plan.START or selector.best(descent_program.ORDER, nu=last).square > (allowed / 2) ** 2:
            found.append(f"rounding.descent holds up to order {descents.MOST}, where A_8 may not suffice in {dtype}")
    return found


@cache
def certified_slope(n: int, nu: float) -> Fraction:
    """The smallest k that a claim rounding.derivative.n… proves for A_n′ at ν. Raises ValueError where there is none."""
    return _smallest(derivative, f"rounding.derivative.{n}", nu)


@cache
def certified_difference(n: int, nu: float) -> Fraction:
    """The smallest k that a claim rounding.difference.n… proves for F_n at ν. Raises ValueError where there is none."""
    return _smallest(difference, f"rounding.difference.{n}", nu)


def _smallest(module: Any, id: str, nu: float) -> Fraction:
    claims = [value for value in vars(module).values() if isinstance(value, Claim) and (value.id == id or value.id.startswith(f"{id}."))]
    found = [claim.constants["k"] for claim in claims if claim.constants["nu_min"] <= Fraction(nu)]
    if not found:
        raise ValueError(f"no claim {id} holds at nu = {nu}")
    return min(found)
