"""The error of a traced target over its whole domain, by enclosures on boxes.

On a box the target may run through several programs without choices, and the reference may be several; for each pair

    |computed − reference| ≤ rounding error of the program + sup|program − reference|,

the first from ``interpret.rounding`` under the profile, the second from Taylor polynomials with remainders, in one variable, the other
variables being intervals. A choice counts as made only where the rounding errors of what it compares cannot turn it.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import lru_cache

from flint import arb, fmpq

from certify.audit.bounds.allowed import Allowed
from certify.exact.ball import working_precision
from certify.exact.interpret import interval, rounding
from certify.exact.interpret.branches import Outcomes, alternatives, outcomes
from certify.exact.interpret.interval import Box, bisect
from certify.exact.interpret.taylor import Effort, expansions
from certify.exact.number import centre
from certify.exact.profile import Profile
from certify.exact.program import LEAVES, Builder, Program, ProgramError, Value
from certify.exact.truth import Truth, less

BITS = 128
EFFORT = Effort(24, 8)
MOST_WAYS = 8
NARROWEST = fmpq(1, 2**100)  # of the domain


@dataclass(frozen=True)
class Cover:
    """The boxes looked at, the largest error found on them in multiples of what is allowed, and a box left open if there is one."""

    boxes: int
    share: fmpq
    open: Box | None = None


@dataclass(frozen=True)
class Problem:
    """A target as a program, computed in a format under a profile; its reference; and what is allowed."""

    target: Program
    reference: Program
    allowed: Allowed
    profile: Profile

    def cover(self, on: Box, most: int) -> Cover:
        """Bisect until the error is within what is allowed on every box, a box is too narrow, or ``most`` were looked at."""
        narrow = {name: (high - low) * NARROWEST for name, (low, high) in on.items()}
        stack, looked, share = [on], 0, fmpq(0)
        while stack:
            here, looked = stack.pop(), looked + 1
            found = self.share(here)
            if found is not None and found <= 1:
                share = max(share, found)
                continue
            halves = bisect(here)
            if looked >= most or not halves or all(high - low <= narrow[name] for name, (low, high) in here.items()):
                return Cover(looked, share, here)
            stack += halves
        return Cover(looked, share)

    def share(self, on: Box) -> fmpq | None:
        """A bound of the error on a box in multiples of what is allowed; None where there is none."""
        try:
            with working_precision(BITS):
                references = alternatives(self.reference, outcomes(self.reference, on), MOST_WAYS)
                shares = [self._pair(target, reference, on) for target in self._ways(on) for reference in references]
        except ValueError:
            return None
        return None if None in shares else max(share for share in shares if share is not None)

    def require_bounds(self, on: Box) -> None:
        """Raises ProfileError where the target may run on the box through an operation whose error the profile does not bound."""
        with contextlib.suppress(ProgramError), working_precision(BITS):
            for node in (node for program in self._ways(on) for node in program.nodes if node.op not in LEAVES):
                self.profile.bound(node.op, self.allowed.form.name)

    def _ways(self, on: Box) -> list[Program]:
        """The programs without choices through which the target may run on the box."""
        made = outcomes(self.target, on, lambda place, known: self._error_of(place, known, on))
        return alternatives(self.target, made, MOST_WAYS)

    def _error_of(self, place: int, known: Outcomes, on: Box) -> arb:
        """0 ± the error of a node that a choice compares; nothing is known where it is not bounded."""
        try:
            (program,) = alternatives(Program(self.target.nodes, (place,)), known, 1)
            return arb(0, self._rounding(program, on))
        except ValueError:
            return arb.nan()

    def _rounding(self, program: Program, on: Box) -> arb:
        (found,) = rounding.bound(program, on, self.profile, self.allowed.form.name)
        return arb(fmpq(found.error.numerator, found.error.denominator)).upper()

    def _pair(self, target: Program, reference: Program, on: Box) -> fmpq | None:
        difference, true = _enclosed(_beside(target, reference), on)
        if not (difference.is_finite() and true.is_finite()):
            return None
        allowed = self.allowed.least(true)
        error = (self._rounding(target, on) + abs(difference)).upper()
        return centre((error / allowed).upper()) if less(0, allowed) is Truth.YES else None


@lru_cache(maxsize=64)
def _beside(target: Program, reference: Program) -> Program:
    """The program of target − reference, and of the reference; what both have in common is computed once."""
    builder = Builder()
    places: list[Value] = []
    for program in (target, reference):
        own: list[Value] = []
        for node in program.nodes:
            own.append(builder.call(node.op, *(own[a] for a in node.args)) if node.args else builder.node(node))
        places.append(own[program.outputs[0]])
    same = places[0].place == places[1].place
    return builder.program(builder.constant(0) if same else places[0] - places[1], places[1])


def _enclosed(program: Program, on: Box) -> tuple[arb, ...]:
    """The two outputs on the box: by Taylor polynomials in its first wide variable, or, where these show nothing, as intervals."""
    variable = max(on, key=lambda name: on[name][1] - on[name][0])
    low, high = on[variable]
    others = {name: interval.hull(*side) for name, side in on.items() if name != variable}
    found = expansions(program, variable, (low + high) / 2, (high - low) / 2, others, EFFORT)
    values = tuple(value.enclosure() for value, _ in found)
    return values if all(value.is_finite() for value in values) else interval.evaluate(program, on)
