r"""``certify.special`` as it runs here: each function and its derivatives, as the backward supplies them, in each format against Arb.

Inputs are random over the whole axis, or over x > 0 and around the place where the function bends. The grade is *sampled*; what is proved
of the closed forms is said by claims riccati.*.
"""

from __future__ import annotations

from fractions import Fraction

from certify.claims.claim import Claim, claim
from certify.claims.verdict import Reason, Verdict

FORMATS = ("float64", "float32")
INPUTS, MANY = 300, 10_000
NAMES = ("value", "slope", "curvature")
RELATIVE = r"|\mathrm{fl}(f^{(j)}(x)) - f^{(j)}(x)| \le k_j\,u\,|f^{(j)}(x)|"
LENGTH = r",\quad |\mathrm{fl}(f(x)) - f(x)| \le E + k_0\,u\,(|f(x)| + s),\ E\ \text{proved}"

STATEMENTS: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "log_ndtr": (r"f = \log\Phi", RELATIVE, r"x \in \mathbb R", ("14", "14", "40")),
    "normal_hazard": (r"f = \varphi/(1-\Phi)", RELATIVE, r"x \in \mathbb R", ("14", "40")),
    "erfcx": (r"f(x) = e^{x^2}\operatorname{erfc}(x)", RELATIVE, r"x \in \mathbb R", ("12", "30", "150")),
    "bessel_k_ratio": (r"f = K_{33}/K_{32}", RELATIVE + r"\ (+\,E\ \text{proved})", r"x > 0", ("8", "8")),
    "log_bessel_k": (r"f = \log K_{32}", RELATIVE + LENGTH, r"x > 0", ("8", "8", "8")),
    "gamma_hazard": (
        r"f(x) = x^{a-1}e^{-x}/\Gamma(a,x)",
        RELATIVE,
        r"x > 0,\ a \in \{\tfrac12, \tfrac52, 20, 10^3, 10^4\}",
        ("16", "24"),
    ),
    "watson_quotient": (
        r"f = M'(\tfrac12,\tfrac p2,\cdot)/M(\tfrac12,\tfrac p2,\cdot)",
        RELATIVE,
        r"x > 0,\ p \in \{2, 10, 100\}",
        ("6", "12"),
    ),
    "log_kummer": (
        r"f = \log M(\tfrac12,\tfrac p2,\cdot)",
        RELATIVE,
        r"x > 0,\ p \in \{2, 10, 100\}",
        ("8", "6", "12"),
    ),
}
"""For each function what it is, what is claimed, where, and the k_j in float64. In float32 they are ``ONCE``: it is rounded to once."""
ONCE = Fraction("1.01")


def sampled(name: str, form: str) -> Claim:
    """The claim ``special.NAME.FORMAT``."""
    function, bound, domain, limits = STATEMENTS[name]
    constants = {key: Fraction(k) if form == "float64" else ONCE for key, k in zip(NAMES, limits, strict=False)}

    @claim(
        f"special.{name}.{form}",
        statement=f"{function}: {bound}",
        domain=domain + r"\ (300\ \text{inputs, in the full profile}\ 10^4)",
        source="beyond the paper: the functions of certify.special on this machine",
        grade="sampled",
        constants=constants,
    )
    def prove(profile: str, seed: int, **limits: Fraction) -> Verdict:
        return study(name, form, tuple(limits.values()), MANY if profile == "full" else INPUTS, seed)

    return prove


def study(name: str, form: str, limits: tuple[Fraction, ...], count: int, seed: int) -> Verdict:
    """*refuted* at the first input with too large an error, *undecided* where Arb does not tell, else *sampled*."""
    from certify.exact.truth import Truth
    from certify.studies.special.bounds import judged
    from certify.studies.special.subjects import SUBJECTS

    subjects, worst = [subject for subject in SUBJECTS if subject.name == name], dict[str, str]()
    for subject in subjects:
        for found in judged(subject, form, limits, count // len(subjects), seed):
            point = {"setting": subject.setting, "derivative": NAMES[found.row.derivative], "x": repr(found.row.x)}
            point |= {"supplied": repr(found.row.supplied), "right": found.row.right, "units": f"{found.row.units:.4g}"}
            if found.holds is Truth.NO:
                return Verdict.refuted(point, f"needs k = {point['units']} at x = {point['x']}")
            if found.holds is Truth.UNKNOWN:
                return Verdict.undecided(Reason.PRECISION, "an error is not told from its bound", box=point)
            worst[f"{subject.title}, {point['derivative']}"] = f"{point['units']} u at x = {point['x']}"
    return Verdict.sampled(f"no error above its bound at {count // len(subjects) * len(subjects)} inputs", worst=worst)


globals().update({f"{name}_{form}": sampled(name, form) for name in STATEMENTS for form in FORMATS})
