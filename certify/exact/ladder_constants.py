"""Constants of the ladder's bounds that are claims of their own: inputs of proofs, which alone say that they hold.

``POINTWISE[ν_min][n]`` is C in |R_ν − A_n| < C (ν² + x²)^{−(n+2)/2} for every ν ≥ ν_min: the smallest constants of four digits for which
the barriers ±C s^{−(n+2)} prove it.

``RELATIVE`` is C in |R_ν − A_1| < C x (ν² + x²)^{−2} for every ν ≥ 1/2 (claim ratio.relative).

``WEIGHTED[n]`` is C in |R_ν − A_n| < C x (ν² + x²)^{−(n+3)/2}, and ``OSCILLATION[n]`` is C in |[Φ_ν(r) − Φ_ν(κ)] − [F_n(r) − F_n(κ)]| ≤
C ν^{−(n+1)} for all r, κ ≥ 0, both for every ν ≥ 31.

``DERIVATIVE[n]`` is D in |R_ν′ − A_n′| < D ν^{−(n+3)}, and ``UNIFORMLY_WEIGHTED[n]`` is C in |R_ν − A_n| < C w ν^{−(n+2)}, w = x/s, both
for every ν ≥ 10.
"""

from __future__ import annotations

from fractions import Fraction

POINTWISE = {
    Fraction(1, 2): ("0.1727", "0.5078"),
    Fraction(1): ("0.1722", "0.2437", "0.5730", "1.911"),
    Fraction(2): ("0.1722", "0.1774", "0.2986", "0.6551", "1.757", "6.308", "29.00", "150.5", "1246"),
    Fraction(10): ("0.1722", "0.1442", "0.2126", "0.4300", "1.094", "3.338", "11.88", "48.16", "219.4"),
    Fraction(31): ("0.1722", "0.1397", "0.2027", "0.4064", "1.049", "3.220", "11.47", "46.49", "211.4"),
}
RELATIVE = "0.5001"
WEIGHTED = {
    3: "0.5001",
    4: "1.086",
    5: "3.258",
    6: "11.48",
    7: "46.51",
    8: "211.5",
    9: "1066",
    10: "5900",
    11: "35600",
}
OSCILLATION = ("0.1207", "0.03567", "0.02915", "0.02584", "0.04001", "0.05902", "0.1325", "0.2824", "0.8601")
DERIVATIVE = ("0.50001", "0.50001", "0.50001", "0.67418", "1.2505", "2.6155", "6.7510", "18.290", "59.664")
UNIFORMLY_WEIGHTED = {
    4: "0.5003",
    5: "0.6516",
    6: "1.433",
    7: "3.458",
    8: "9.667",
    9: "30.31",
    10: "103.2",
    11: "394.6",
    12: "1586",
}
