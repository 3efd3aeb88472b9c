"""The paper's figures as claims: everything that a figure is judged by, computed from nothing.

Figures 2, 4, 5, 8 and 10 are computed in balls. Figures 7, 9 and 11 have parts in FP64, at states rebuilt in place of captured ones, and
what those show is measured on the machine at hand.
"""

from __future__ import annotations

from certify.claims.claim import Claim, claim
from certify.claims.verdict import Verdict


def declared(number: str, *, statement: str, domain: str, source: str, grade: str) -> Claim:
    """The claim ``figure.number``: all relations of the figure hold, with that grade."""

    @claim(f"figure.{number}", statement=statement, domain=domain, source=source, grade=grade)
    def prove() -> Verdict:
        from certify.studies.figures.catalogue import build

        return build(number).verdict(getattr(Verdict, grade))

    return prove


figure_2 = declared(
    "2",
    statement=r"J_{12}-J_{21} = \bar v_1\bar w_2-\bar w_1\bar v_2\ \text{for the field drawn: zero for the matched backward,}"
    r"\ \text{not zero for the mismatched one}",
    domain=r"\text{the illustration: three classes in the plane; nine points}",
    source="Figure 2",
    grade="enclosed",
)
figure_4 = declared(
    "4",
    statement=r"\text{the relative defect}\ |g-\tilde\Phi'|/\tilde\Phi'\ \text{passes}\ 10^{-16}\ \text{in the scan at every depth, is}"
    r"\ \text{as printed at the captured radii, and a deeper start can be closer in the ratio and farther in coherence}",
    domain=r"x/\nu \in \{\tfrac14, \tfrac12, \dots, 1024\},\ M/\nu \in \{2,3,4,6,8\},\ p \in \{128,256,512,1024\}",
    source="Section 5.3, Appendix E.1, Figure 4",
    grade="enclosed",
)
figure_5 = declared(
    "5",
    statement=r"\text{the largest errors of}\ A_n\ \text{are below their bounds; fitted slopes are}\ -3.02\ \text{against}\ p\ (n = 1)"
    r"\ \text{and}\ -(n+2)\ \text{against}\ \nu",
    domain=r"p \in \{64, 128, \dots, 4096\},\ x/\nu \in \{10^{-3}, 10^{-2.9}, \dots, 10^3\},\ n \in \{0,\dots,8\}",
    source="Section 5.4, Figure 5",
    grade="enclosed",
)
figure_7 = declared(
    "7",
    statement=r"\text{defects of ProCo are above}\ 10^{-6}\ \text{at capped classes of a first batch and nowhere else,}"
    r"\ \text{and FP64 shows them within}\ 10^{-13}",
    domain=r"\text{nine reconstructed states},\ p \in \{128, 1024\},\ M = 2\nu",
    source="Appendix C, Figure 7",
    grade="measured",
)
figure_8 = declared(
    "8",
    statement=r"\text{score and loss errors are below their certificates; the largest score error does not depend on the priors}",
    domain=r"K \in \{10,100,500,1000,2000\},\ \text{prior ratios}\ 1, 100, 1000",
    source="Appendix E.3, Figure 8",
    grade="enclosed",
)
figure_9 = declared(
    "9",
    statement=r"\text{scores and losses agree bitwise at all places; the median relative mismatch is one of the printed radii;}"
    r"\ 1-\cos \le 10^{-8}",
    domain=r"p = 512,\ K = 10,\ \text{625 places of a plane through a query of a reconstructed state}",
    source="Appendix E.4, Figure 9",
    grade="measured",
)
figure_10 = declared(
    "10",
    statement=r"\text{the field, differentiated, has the antisymmetry and the gradient gap that the formulas give, within}\ 10^{-40}",
    domain=r"\nu = 63,\ M = 126,\ \kappa_2/\kappa_1 \in \{2^{-14},\dots,2^{14}\};\ \lambda \in \{0,\tfrac18,\dots,1\}",
    source="Appendix E.5, Figure 10",
    grade="enclosed",
)
figure_11 = declared(
    "11",
    statement=r"|x|D_{\text{clip}}|-(\nu+\tfrac32)| \le \tfrac3x+\tfrac{\Theta^*}{x^2}\ \text{beyond the clip;}"
    r"\ \text{relative gradient differences are those of the printed radii, and the best scaling of each query}"
    r"\ \text{makes them 100 times smaller}",
    domain=r"\nu \in \{63, 255\},\ x/\nu \in [\tfrac14, 10^5],\ M = 2\nu;\ \text{256 queries of a reconstructed state}",
    source="Appendix E.5, Figure 11",
    grade="measured",
)
