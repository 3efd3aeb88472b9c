"""The rounding profiles as claims: on the build that is installed, no operation errs by more than its profile says, at the inputs tried.

A contradiction is proved in balls and refutes the claim; theorems "proved under profile P" are then of no use on this build. Compiled code
is compiled in the full profile only, and a device that is absent is not run.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import Claim, claim
from certify.claims.verdict import Reason, Verdict
from certify.exact.profile import PROFILES

POINTS = {"quick": 20_000, "full": 1_000_000}
SHOWN = 4


def _declared(name: str, long: bool = False) -> Claim:
    @claim(
        f"profile.{name}",
        statement=r"|\mathrm{fl}(f(x)) - f(x)| \le k\,c_f\,\mathrm{ulp}(f(x))\ \text{for each operation}\ f,\quad k = 1",
        domain=r"10^6\ \text{inputs of each operation and format}\ (2 \cdot 10^4\ \text{in the quick profile}),\ \text{of all exponents}",
        source=PROFILES[name].source,
        grade="measured",
        constants={"k": 1},
        long=long,
    )
    def prove(k: Fraction, profile: str, seed: int) -> Verdict:
        return _verdict(name, k, POINTS["full" if profile == "full" else "quick"], seed)

    return prove


def _verdict(name: str, k: Fraction, points: int, seed: int) -> Verdict:
    from certify.studies.profiles.environments import Absent
    from certify.studies.profiles.probe import probe

    try:
        worst, contradictions = probe(PROFILES[name], points, seed, k)
    except Absent as absent:
        return Verdict.not_run(Reason.MISSING, str(absent))
    seen = {f"{each.op} {each.form}": f"{each.ulps:.{SHOWN}g} of {k * PROFILES[name].bound(each.op, each.form)}" for each in worst}
    if not contradictions:
        return Verdict.measured(f"{len(worst)} operations within their bounds at {points} inputs each", **{"largest errors in ulps": seen})
    first = contradictions[0]
    witness = {
        "operation": f"{first.worst.op} {first.worst.form}",
        "arguments": ", ".join(float(each).hex() for each in first.worst.arguments),
        "computed": first.worst.computed.hex(),
        first.what: f"{first.worst.ulps:.{SHOWN}g}",
        "bound": str(first.bound),
    }
    names = ", ".join(dict.fromkeys(f"{each.worst.op} {each.worst.form}" for each in contradictions))
    return Verdict.refuted(witness, f"the installed build contradicts the profile: {names}", **{"largest errors in ulps": seen})


numpy = _declared("numpy")
torch_vector = _declared("torch.eager.cpu.vector")
torch_scalar = _declared("torch.eager.cpu.scalar")
torch_compiled = _declared("torch.compiled.cpu", long=True)
cuda = _declared("torch.eager.cuda")
cuda_compiled = _declared("torch.compiled.cuda", long=True)
