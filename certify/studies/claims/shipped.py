r"""The programs of the rounding theorems are the ones that run: the kernels of ``certify.vmf``, traced, have their digests.

One claim for each order n of the closed forms: A_n and A_n′ with s as a hypot and as the root of a sum of squares, and differences of F_n,
in binary64 and binary32. ``vmf.plan`` relies on the bounds of rounding.ratio.n from its own least order on and with its own k: that it
promises no more than they prove is part of the claim. ``rounding.shipped.descent`` says the same of ``vmf.descent``, at the fewest and the
most steps that are chosen, and of claims rounding.descent. Digests are compared exactly; that a trace is the kernel is checked by running
both, to the bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from certify.claims.claim import Claim, claim
from certify.claims.verdict import Verdict

if TYPE_CHECKING:
    from certify.studies.production.shipped import Shipped

ORDERS = range(9)


def declared(n: int) -> Claim:
    """The claim ``rounding.shipped.n``."""

    @claim(
        f"rounding.shipped.{n}",
        statement=rf"\text{{the kernels of}}\ A_{n},\ A_{n}'\ \text{{and}}\ F_{n}(b) - F_{n}(a)\ \text{{are the programs of}}"
        r"\ \text{rounding.ratio, .derivative and .difference, with constants rounded}",
        domain=r"\text{binary64 and binary32; hypot and the root of a sum of squares}",
        source="beyond the paper: the link from the rounding theorems to certify.vmf",
        grade="enclosed",
    )
    def prove() -> Verdict:
        return verdict(n)

    return prove


@claim(
    "rounding.shipped.descent",
    statement=r"\text{the descents to}\ R_\nu\ \text{and}\ 1 - R_\nu\ \text{are the programs of rounding.descent, with constants rounded}",
    domain=r"\text{binary64 and binary32; hypot and the root of a sum of squares; 1, 6 and 17 steps}",
    source="beyond the paper: the link from the rounding theorems to certify.vmf",
    grade="enclosed",
)
def descent() -> Verdict:
    from certify.studies.production.shipped import shipped_descents, uncovered_descents

    return compared(shipped_descents(), uncovered_descents())


def verdict(n: int) -> Verdict:
    from certify.studies.production.shipped import shipped, uncovered

    return compared(shipped(range(n, n + 1)), uncovered(range(n, n + 1)))


def compared(kernels: Iterable[Shipped], gaps: Sequence[str]) -> Verdict:
    """Refuted by the first kernel that is another program, or by the first gap in what the plan relies on."""
    found = list(kernels)
    for each in found:
        if not each.same:
            witness = {"kernel": each.kernel, "dtype": str(each.dtype), "claim": each.claim}
            digests = dict(zip(("digest of the kernel", "digest of the theorem's program"), each.digests, strict=True))
            return Verdict.refuted(
                {**witness, **digests}, f"the kernel {each.kernel} at n = {each.order} is not the program of {each.claim}"
            )
    if gaps:
        return Verdict.refuted({"plan": gaps[0]}, gaps[0])
    return Verdict.enclosed(f"{len(found)} kernels have the digests of the certified programs", kernels=len(found))


globals().update({f"shipped_{n}": declared(n) for n in ORDERS})
