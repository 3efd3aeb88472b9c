"""What is claimed of each primitive of ``certify.vmf``: its error, in units of k, in which formats.

s = √(x² + (ν+1)²), w is what underflow adds and, in bfloat16 and float16, which are computed in binary32, the rounding of the result; N is
the order from which the program descends to ν.
"""

from __future__ import annotations

from typing import NamedTuple

FORMATS = ("float64", "float32", "bfloat16", "float16")
COMPUTED = ("float64", "float32")


class Stated(NamedTuple):
    """``statement`` is LaTeX, ``k`` a rational number."""

    statement: str
    k: str
    formats: tuple[str, ...]


STATEMENTS = {
    "ratio": Stated(
        r"|\mathrm{fl}(R_\nu(x)) - R_\nu(x)| \le E + k\,u,\ E\ \text{the certified error of the formula}",
        "41/10",
        FORMATS,
    ),
    "slope": Stated(
        r"|\mathrm{fl}(R_\nu'(x)) - R_\nu'(x)| \le k\,u/\sqrt{x'^2 + (\nu+1)^2},\ \text{as backward supplies it},\ x' = \min(x, x_{\max})",
        "4",
        FORMATS,
    ),
    "closed_form": Stated(r"|\mathrm{fl}(A_n(x)) - A_n(x)| \le k\,u,\ n = 0, \dots, 8", "41/10", COMPUTED),
    "closed_form_slope": Stated(
        r"|\mathrm{fl}(A_n'(x)) - A_n'(x)| \le k\,K_n\,u/\sqrt{x'^2 + \nu^2},"
        r"\ \text{as backward supplies it},\ K_n\ \text{as proved in rounding.derivative.}n",
        "1",
        COMPUTED,
    ),
    "closed_form_difference": Stated(
        r"|\mathrm{fl}(F_n(b) - F_n(a)) - (F_n(b) - F_n(a))| \le k\,K_n\,u\,|s(b) - s(a)| + w,"
        r"\ K_n\ \text{as proved in rounding.difference.}n",
        "1",
        COMPUTED,
    ),
    "potential": Stated(
        r"|\mathrm{fl}(\Phi_\nu(x)) - \Phi_\nu(x)| \le k\,u\,(s(x) - s(0)) + u\,(|\Phi_\nu(0)| + |\Phi_\nu(x)|) + w",
        "4",
        FORMATS,
    ),
    "log_normalizer": Stated(
        r"|\mathrm{fl}(\log Z(\kappa)) - \log Z(\kappa)| \le k\,u\,(s(\kappa) - s(0)) + u\,(|\log Z(0)| + |\log Z(\kappa)|) + w",
        "4",
        FORMATS,
    ),
    "potential_difference": Stated(
        r"|\mathrm{fl}(\Phi_\nu(b) - \Phi_\nu(a)) - (\Phi_\nu(b) - \Phi_\nu(a))| \le k\,u\,|s(b) - s(a)| + w",
        "8",
        FORMATS,
    ),
    "potential_increment": Stated(
        r"|\mathrm{fl}(\Phi_\nu(r) - \Phi_\nu(\kappa)) - (\Phi_\nu(r) - \Phi_\nu(\kappa))| \le k\,u\,|s(r) - s(\kappa)| + w,"
        r"\ r^2 = \kappa^2 + \text{gap}",
        "8",
        FORMATS,
    ),
    "inverse_ratio": Stated(
        r"|R_\nu(\hat\kappa) - r| \le k\,u\,\bigl(1 + \tfrac{50}{p-1}\bigr)\,\hat\kappa R_\nu'(\hat\kappa) + w,"
        r"\ \hat\kappa = \mathrm{fl}(R_\nu^{-1}(r))",
        "8",
        FORMATS,
    ),
    "kl_uniform": Stated(
        r"|\mathrm{fl}(D(\kappa)) - D(\kappa)| \le k\,u\,T + w,\ D = \kappa R_\nu(\kappa) - \log\tfrac{Z(\kappa)}{Z(0)},"
        r"\ T = \kappa R_\nu\ \text{for}\ \kappa \le 2\nu+2,\ \text{else}\ (N+1)\log(1 + \tfrac{\kappa}{N+1})",
        "16",
        FORMATS,
    ),
    "entropy": Stated(
        r"|\mathrm{fl}(H(\kappa)) - H(\kappa)| \le k\,u\,T + u\,(|\log Z(0)| + |H(\kappa)|) + w,"
        r"\ H = \log Z(0) - D,\ T\ \text{as for kl\_uniform}",
        "16",
        FORMATS,
    ),
    "log_prob": Stated(
        r"|\mathrm{fl}(\ell) - \ell| \le k\,u\,(T + \kappa(1-c)) + u\,(2|\log Z(0)| + |\ell|) + w,\ \ell = \kappa c - \log Z(\kappa),"
        r"\ c \in \{-1, 0, 1\},\ T = (N+1)\log(1 + \tfrac{\kappa}{N+1})",
        "8",
        FORMATS,
    ),
}
