"""Constants of the ladder's bounds that are claims of their own: inputs of proofs, which alone say that they hold.

``POINTWISE[ν_min][n]`` is C in |R_ν − A_n| < C (ν² + x²)^{−(n+2)/2} for every ν ≥ ν_min: the smallest constants of four digits for which
the barriers ±C s^{−(n+2)} prove it.
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
