r"""``certify.vmf`` as it runs here: each primitive in each format on each device, at 10⁴ inputs or 10⁷.

Inputs are log-uniform around the order and over all exponents, sharp places and the ends of the domain, and more around the worst of them.
Each error is enclosed: by arrays of balls around the ladder's value, with its certified remainder; in Arb, without the ladder, for the
worst inputs, for a random few and wherever the arrays do not tell. The grade is *sampled*. What holds for every input is proved elsewhere,
for the programs of the closed forms: by rounding.*, for these very programs (rounding.shipped.n) and for a build within its profile
(profile.*).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from certify.claims.claim import Claim, claim
from certify.claims.verdict import Reason, Verdict
from certify.studies.production.statements import COMPUTED, STATEMENTS

if TYPE_CHECKING:
    from certify.studies.production.conduct import Difference
    from certify.studies.production.study import Outcome, Point

INPUTS, CHUNKS = 10_000, 1_000
SHOWN = 4
DEVICES = {"cpu": Fraction(1), "cuda": Fraction(103, 41)}
"""How many times larger k is on each device: on CUDA as that of the ratio, by a worse `hypot` and quotient (``vmf.plan.ROUNDING``)."""
SOURCE = "beyond the paper: the primitives of certify.vmf on this machine"
NO_CUDA = "no CUDA device is present"

ORDERS = r"p \in \{2, 3, 4, 5, 10, 31, 64, 101, 128, 513, 4096, 10^6\}"
RUNGS = r"n = 0, \dots, 8,\ \nu \in \nu_{\min}(n) + \{0, 4, 63, 2047.5\}"
LONG_RUN = r"10^4\ \text{inputs}\ (10^7\ \text{in the full profile}),\ "


def sampled(name: str, form: str, device: str) -> Claim:
    """The claim ``production.NAME.FORMAT.DEVICE``."""
    stated = STATEMENTS[name]

    @claim(
        f"production.{name}.{form}.{device}",
        statement=stated.statement,
        domain=LONG_RUN + (RUNGS if name.startswith("closed_form") else ORDERS),
        source=SOURCE,
        grade="sampled",
        constants={"k": Fraction(stated.k) * DEVICES[device]},
    )
    def prove(k: Fraction, profile: str, seed: int) -> Verdict:
        if missing(device):
            return Verdict.not_run(Reason.MISSING, NO_CUDA)
        return study(name, form, device, k, CHUNKS if profile == "full" else 1, seed)

    return prove


def missing(device: str) -> bool:
    import torch

    return device == "cuda" and not torch.cuda.is_available()


def study(name: str, form: str, device: str, k: Fraction, chunks: int, seed: int) -> Verdict:
    """The verdict on one primitive. Raises ``study.Broken`` where the two references contradict each other."""
    import torch

    from certify.studies.production.catalogue import PRIMITIVES
    from certify.studies.production.chunks import in_chunks
    from certify.studies.production.study import study as tried

    primitive, dtype = PRIMITIVES[name], getattr(torch, form)

    def chunk(number: int) -> Outcome:
        return tried(primitive, dtype, device, k, INPUTS, seed + number * (1 << 32))

    if chunks == 1:
        return verdict(primitive, dtype, device, k, chunk(0))
    where = torch.cuda.get_device_name() if device == "cuda" else f"{torch.backends.cpu.get_cpu_capability()}, {torch.get_num_threads()}"
    return verdict(primitive, dtype, device, k, in_chunks((name, form, device, k, seed, where, torch.__version__), chunks, chunk))


def verdict(primitive: Any, dtype: Any, device: str, k: Fraction, outcome: Outcome) -> Verdict:
    """*refuted* at an input that is as simple as the failure allows, *undecided* where Arb does not tell, else *sampled*."""
    from certify.studies.production.setting import Setting
    from certify.studies.production.study import Trial, shrunk

    if outcome.failed:
        point = outcome.failed
        point = shrunk(Trial(primitive, Setting(point.nu, dtype, point.order), device, k), point)
        found = described(point)
        place = ", ".join(f"{name} = {value}" for name, value in found.items() if name in ("nu", "n", "x"))
        return Verdict.refuted(found, f"needs k = {point.needed:.{SHOWN}g} at {place}")
    facts = {"inputs": outcome.inputs, "by Arb": outcome.by_arb, "worst": described(outcome.worst) if outcome.worst else {}}
    if outcome.open:
        return Verdict.undecided(Reason.PRECISION, "an error is not told from its bound", box=described(outcome.open), **facts)
    needed = f"{outcome.worst.needed:.{SHOWN}g}" if outcome.worst else "0"
    return Verdict.sampled(f"the worst of {outcome.inputs} inputs needs k = {needed}", **facts)


def described(point: Point) -> dict[str, str]:
    order = {} if point.order is None else {"n": str(point.order)}
    arguments = ", ".join(f"{value!r} ({value.hex()})" for value in point.arguments)
    return {"nu": repr(point.nu), **order, "x": arguments, "computed": repr(point.found), "needs k": f"{point.needed:.{SHOWN}g}"}


# Conduct ------------------------------------------------------------------------------------------------------------


def _conduct(name: str, form: str, device: str, statement: str) -> Claim:
    @claim(
        f"production.{name}.{form}.{device}",
        statement=statement,
        domain=r"263\ \text{inputs of each primitive},\ \nu \in \{0, 31\}\ (\text{compiled:}\ \{63, 2047\});\ "
        r"\text{closed forms at every}\ n\ \text{for coherence}",
        source=SOURCE,
        grade="sampled",
    )
    def prove(profile: str) -> Verdict:
        if missing(device):
            return Verdict.not_run(Reason.MISSING, NO_CUDA)
        if name == "compiled" and profile != "full":
            return Verdict.not_run(Reason.LONG, "nothing is compiled in the quick profile: run with --profile full")
        return conduct(name, form, device)

    return prove


def conduct(name: str, form: str, device: str) -> Verdict:
    """The verdict on one property of all primitives."""
    import torch

    from certify.studies.production import conduct as properties

    dtype, bounds = getattr(torch, form), {each: Fraction(stated.k) * DEVICES[device] for each, stated in STATEMENTS.items()}
    search = {"neighbours": properties.dependent, "steady": properties.unsteady, "compiled": properties.recompiled}.get(name)
    orders = properties.COMPILED if name == "compiled" else properties.ORDERS
    subjects = properties.subjects(device, dtype, bounds, orders)
    found = map(search, subjects) if search else properties.incoherent(device, dtype)
    tried = 0
    for difference in found:
        if difference is not None:
            return Verdict.refuted(_witness(difference), f"{difference.primitive} in {difference.dtype}: {difference.how}")
        tried += 1
    return Verdict.sampled(f"no difference in {tried} cases", cases=tried)


def _witness(difference: Difference) -> dict[str, str]:
    results = " and ".join(value.hex() for value in difference.results)
    arguments = ", ".join(value.hex() for value in difference.arguments)
    where = {"primitive": difference.primitive, "dtype": difference.dtype, "nu": repr(difference.nu), "x": arguments}
    return {**where, "differs": difference.how, "results": results}


CONDUCT = {
    "coherent": r"\nabla\,\mathrm{fl}(F_n(x) - F_n(0)) = \mathrm{fl}(A_n(x))\ \text{to the bit, as supplied},\ n = 0, \dots, 8",
    "neighbours": r"\text{a result does not depend on its neighbours: to the bit at one shape, within twice its bound elsewhere}",
    "steady": r"\text{the same call returns the same bits}",
    "compiled": r"|\mathrm{compiled}(x) - \mathrm{eager}(x)| \le 2\,\text{bound}",
}


def declared() -> dict[str, Claim]:
    """All claims."""
    found = [sampled(name, form, device) for name, stated in STATEMENTS.items() for form in stated.formats for device in DEVICES]
    found += [_conduct(name, form, device, statement) for name, statement in CONDUCT.items() for form in COMPUTED for device in DEVICES]
    return {each.id.replace(".", "_"): each for each in found}


globals().update(declared())
