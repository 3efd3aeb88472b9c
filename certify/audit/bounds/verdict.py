"""The verdict on a bound: a violation found at a point refutes it, a cover of the domain encloses it, points alone sample it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from flint import arb, fmpq
from torch._dynamo.utils import counters

from certify.audit.bounds.allowed import Allowed
from certify.audit.bounds.bound import Bound
from certify.audit.bounds.cover import Cover, Problem
from certify.audit.bounds.points import Search, float_of, witness
from certify.audit.bounds.truth import REACH, truth
from certify.audit.traced.lowering import Untraceable
from certify.audit.traced.trace import Trace, trace
from certify.claims.verdict import Outcome, Reason, Verdict
from certify.exact.ball import decimal_above
from certify.exact.interpret.interval import Box
from certify.exact.number import show
from certify.exact.profile import TORCH_SCALAR, TORCH_VECTOR, Profile, ProfileError

POINTS = {"quick": 2000, "full": 20_000}
BOXES = {"quick": 4000, "full": 40_000}
TRACED = "tensors of any size run through the operations that were traced with one element"
OWN = 1  # the last entry of ``unseen`` is what the profile accounts for


class Unseen(ValueError):
    """Why nothing is said of the whole domain."""


def judge(function: Callable[..., Any], claimed: Bound, bound: fmpq, profile: str, seed: int) -> Verdict:
    """Check the claim of a torch function of tensors. Raises ValueError for a reference that cannot be found."""
    allowed = Allowed(bound, claimed.error, claimed.format)
    reference = truth(claimed.truth, claimed.reference)
    search = Search(function, reference, allowed, claimed.box, getattr(torch, claimed.dtype))
    torch._dynamo.reset()  # what the module compiled before is compiled, and counted, again
    before = _compiled()
    found, count = search.worst(POINTS[profile], seed)
    if found is None:
        return Verdict.undecided(Reason.INEQUALITY_OPEN, f"the reference has no real value, or one beyond 2^{REACH}, at every point tried")
    if search.violates(found):
        by = "" if reference.rigorous else ", the reference being known to about 50 digits"
        return Verdict.refuted(witness(search, found), f"the error is {found.size:.4g} times what is allowed{by}")
    sampled = f"at {count} {claimed.dtype} numbers the error is at most {found.size:.3g} of what is allowed"
    compiled = _compiled() > before or isinstance(function, torch.jit.ScriptFunction)
    return _Whole(claimed, function, allowed, sampled, compiled).verdict(BOXES[profile])


def _compiled() -> int:
    """How many frames torch.compile has been given in this process."""
    return counters["frames"]["total"]


@dataclass(frozen=True)
class _Whole:
    """The claim on the whole domain, after no violation was found."""

    claimed: Bound
    function: Callable[..., Any]
    allowed: Allowed
    sampled: str
    compiled: bool

    def verdict(self, most: int) -> Verdict:
        try:
            problem = self._problem()
            cover = problem.cover(self.claimed.box, most)
            if cover.open is not None:
                problem.require_bounds(cover.open)
        except (Untraceable, ProfileError, Unseen) as error:
            return Verdict.sampled(f"{self.sampled}; not enclosed: {error}")
        if cover.open is None:
            return self._enclosed(cover)
        if self.claimed.grade == Outcome.SAMPLED.value:
            return Verdict.sampled(f"{self.sampled}; not enclosed: a box stayed open")
        return Verdict.undecided(Reason.INEQUALITY_OPEN, f"{self.sampled}; on the box named nothing is shown", box=_words(cover.open))

    def _enclosed(self, cover: Cover) -> Verdict:
        share = decimal_above(arb(cover.share), 3)
        summary = f"for every {self.claimed.dtype} number of the domain the error is at most {share} of what is allowed"
        assumed = "; ".join((f"profile {PROFILE.name}: {PROFILE.source}", TRACED, *self.claimed.foreseen.values()))
        return Verdict.enclosed(summary, boxes=cover.boxes, assumed=assumed, points=self.sampled)

    def _problem(self) -> Problem:
        """Raises Untraceable and Unseen where the target's rounding errors cannot be bounded."""
        if self.claimed.truth is None:
            raise Unseen("the reference has no enclosures on intervals")
        if self.compiled:
            raise Unseen("it is compiled, and only what torch computes eagerly is traced")
        if _flushes():
            raise Unseen("subnormal numbers are flushed to zero in this process, as torch.set_flush_denormal does")
        traced = self._trace()
        if unforeseen := [each for each in traced.unseen[:-OWN] if each not in self.claimed.foreseen]:
            raise Unseen(f"its rounding errors are not known, because of {'; '.join(unforeseen)}")
        return Problem(traced.program, self.claimed.truth, self.allowed, PROFILE)

    def _trace(self) -> Trace:
        (_, *others), (first, *_) = self.claimed.box.items(), self.claimed.box.values()
        fixed = {name: [float_of(low), float_of(high)] for name, (low, high) in others}
        ends = (float_of(first[0]), float_of(first[1]))
        return trace(self.function, tuple(self.claimed.box), fixed, ends, getattr(torch, self.claimed.dtype), derivative=False)


def _flushes() -> bool:
    return bool(torch.tensor([torch.finfo(torch.float64).tiny], dtype=torch.float64) / 2 == 0)


def _joined(*profiles: Profile) -> Profile:
    """What holds under each of the profiles."""
    ulps = {
        form: {op: str(max(each.bound(op, form) for each in profiles)) for op in profiles[0].ulps[form]} for form in profiles[0].formats
    }
    return Profile("torch.eager.cpu", "; ".join(each.source for each in profiles), ulps, hypot_monotone=True, underflow="2")


PROFILE = _joined(TORCH_VECTOR, TORCH_SCALAR)


def _words(box: Box) -> dict[str, str]:
    return {name: f"[{show(low)}, {show(high)}]" for name, (low, high) in box.items()}
