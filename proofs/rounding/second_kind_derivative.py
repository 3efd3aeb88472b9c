r"""What ``certify.special.bessel_k_ratio`` computes for its derivative: |fl(Z_n(x)) − Z_n(x)| ≤ k u, Z_n = x² C_n′, C_n = S_n − (s + ν)/x.

With W = −x² S_n′ = ν + νt − Z_n, t = ν/s, the derivative −W/x² is computed to ((7/2)(ν + νt) + k)/W + 3 units u of itself, up to O(u²):
t is off by 4u, two of them the hypot's, and νt ≤ (ν + νt)/2. For large ν this tends to 6.5u. The second derivative of
``log_bessel_k`` is (νt − Z_n)/x², by the same program.

Proof.  As in proofs/rounding/ratio.py, for every float x ≥ 0 and every float ν ≥ ν_min. The program is that of
certify/exact/ladder_program.py, s being a hypot; that Z_n belongs to the derivative the checker finds by differentiating the definitions.
As x → ∞ the bound tends to 10½u, most of it the errors of (x/s)², where the derivative of Z_n along it is −3/2. Below the ν_min of this
bound, n is used only where it is asked for; there stand bounds for some smaller orders ν.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from certify.claims.claim import Claim, claim
from certify.claims.conclude import conclude_rounding
from certify.claims.verdict import Verdict
from certify.exact.ladder import alternating_definitions
from certify.exact.ladder_program import second_kind_slope as program
from certify.exact.rounding.ladder import DOMAIN, FLOATS, PROFILES, ladder_theorem
from certify.exact.rounding.theorem import Rounding

SHARP = Fraction("53/5")
LEAST = tuple(map(Fraction, ("1", "1", "1", "3/2", "2", "5/2", "3", "7/2", "4", "9/2", "5", "11/2")))
"""ν_min(n): from there on the error at x = ∞ is the largest one."""
FIRST = {4: ("7/5", "53/2"), 5: ("39/20", "51/2"), 6: ("19/8", "51/2"), 8: ("27/10", "277/2")}
"""ν_min and k for smaller orders ν."""


def definitions(n: int) -> dict[str, str]:
    """Z_n, with the derivative of C_n along x, which the checker takes itself."""
    return alternating_definitions(n) | {"Z": "x**2*diff(C, x)"}


def theorem(n: int, k: Fraction, nu_min: Fraction) -> Rounding:
    _, profiles = PROFILES[""]
    return ladder_theorem(program(n), definitions(n), profiles, nu_min, k)


def rounding(n: int, name: str, k: Fraction, nu_min: Fraction) -> Claim:
    """The claim ``rounding.second.derivative.n``, followed by a name if there is one."""
    id = ".".join(["rounding.second.derivative", str(n), *([name] if name else [])])

    @claim(
        id,
        statement=rf"|\mathrm{{fl}}(Z_{n}(x)) - Z_{n}(x)| \le k\,u,\quad"
        rf" Z_{n} = x^2 S_{n}'(x) + \nu + \nu^2/\sqrt{{x^2+\nu^2}}",
        domain=DOMAIN,
        source="beyond the paper: the derivative of the ladder of the functions of the second kind as it is computed",
        theorem=partial(theorem, n),
        long=n > 8,
        constants={"k": k, "nu_min": nu_min},
    )
    def rung(k: Fraction, nu_min: Fraction) -> Verdict:
        statement = theorem(n, k, nu_min)
        summary = f"|fl(Z_{n}) - Z_{n}| <= {k} u for {FLOATS.format(nu=statement.nu)}, Z_{n} = x^2 S_{n}' + nu + nu t"
        return conclude_rounding(id, statement, summary)

    return rung


def declared() -> dict[str, Claim]:
    """Of each order, and of smaller orders ν."""
    found = [rounding(n, "", SHARP, nu_min) for n, nu_min in enumerate(LEAST)]
    found += [rounding(n, "first", Fraction(k), Fraction(nu_min)) for n, (nu_min, k) in FIRST.items()]
    return {each.id.replace(".", "_"): each for each in found}


globals().update(declared())
