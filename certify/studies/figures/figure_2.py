"""Figure 2: an analytic illustration of a conservative and a mismatched update field over one surface.

Three classes in the plane with directions v_1, v_2, v_3 at 120°, logits v_j·f, and the mean of the three cross-entropies,

    F(f) = log Σ_j exp(v_j·f) − ⅓ Σ_j v_j·f,    G(f) = Σ_j (p_j − ⅓) w_j,    p = softmax(v_j·f),    w_j = m_j v_j.

The matched backward has m = (1, 1, 1), so that G = ∇F. The mismatched one scales each class by a factor of its own, as a radial rule
does whose defect depends on the concentration; the factors here exaggerate. With v̄ = Σ p_j v_j and w̄ = Σ p_j w_j the Jacobian of G has

    J₁₂ − J₂₁ = v̄₁ w̄₂ − w̄₁ v̄₂,

the formula of Appendix D.2, as w_j is parallel to v_j.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.number import exact, show
from certify.exact.truth import less
from certify.studies.figures.drawing import PAGE, SMALL, TINY, canvas, title
from certify.studies.points import Point, at_most

CAPTION = "Local geometry of coherent and mismatched update fields: one surface, two backward rules. An analytic illustration."
MATCHED, MISMATCHED = (fmpq(1), fmpq(1), fmpq(1)), (fmpq(1, 4), fmpq(1), fmpq(7, 4))
HALF = 12
"""Grid points on each side of the centre."""

STEP = fmpq(1, 4)
BITS = 384
H = fmpq(1, 2**64)
"""Step of the central differences that the formula is held against; they are off by about H²."""

CLOSE = exact("1e-30")
ROTATION = fmpq(1, 1000)

Vector = tuple[arb, arb]
Factors = Sequence[fmpq]


def study() -> tuple[dict[str, Any], list[Point]]:
    """Surface, both fields and both antisymmetries on a grid, in balls of ``BITS`` bits."""
    axis = [STEP * k for k in range(-HALF, HALF + 1)]
    with working_precision(BITS):
        rows = [[(arb(x), arb(y)) for x in axis] for y in axis]
        data = {
            "axis": [float(x) for x in axis],
            "surface": [[float(surface(f)) for f in row] for row in rows],
            "fields": [_field(name, factors, rows) for name, factors in (("matched", MATCHED), ("mismatched", MISMATCHED))],
        }
        return data, [*_points(axis)]


def surface(f: Vector) -> arb:
    """F(f)."""
    logits = _logits(f)
    return sum((q.exp() for q in logits), arb(0)).log() - sum(logits, arb(0)) / 3


def gradient(f: Vector, factors: Factors) -> Vector:
    """G(f)."""
    errors = [p - fmpq(1, 3) for p in _probabilities(f)]
    return _combined(errors, factors)


def antisymmetry(f: Vector, factors: Factors) -> arb:
    """J₁₂ − J₂₁ by the formula."""
    masses = _probabilities(f)
    v, w = _combined(masses, MATCHED), _combined(masses, factors)
    return v[0] * w[1] - w[0] * v[1]


def differentiated(f: Vector, factors: Factors) -> arb:
    """J₁₂ − J₂₁ by central differences of G."""
    x, y = f
    across = gradient((x, y + H), factors)[0] - gradient((x, y - H), factors)[0]
    along = gradient((x + H, y), factors)[1] - gradient((x - H, y), factors)[1]
    return (across - along) / (2 * H)


def draw(data: dict[str, Any]) -> Any:
    """Contours of the surface, arrows of the negative field, and the antisymmetry in colour, on one scale."""
    figure, panels = canvas(PAGE, 3.1, columns=2, sharey=True)
    names = ("(a) matched backward:  J = Jᵀ", "(b) mismatched backward:  J ≠ Jᵀ")
    most = max(abs(value) for field in data["fields"] for row in field["antisymmetry"] for value in row)
    for axes, field, name in zip(panels, data["fields"], names, strict=True):
        image = _panel(axes, data, field, most)
        title(axes, name)
    bar = figure.colorbar(image, ax=panels, aspect=22, pad=0.01)
    bar.ax.tick_params(labelsize=TINY, width=0.6, length=2)
    bar.set_label(r"$J_{12}-J_{21}$", fontsize=SMALL)
    bar.outline.set_linewidth(0.4)
    return figure


def _panel(axes: Any, data: dict[str, Any], field: dict[str, Any], most: float) -> Any:
    axis = data["axis"]
    image = axes.pcolormesh(axis, axis, field["antisymmetry"], cmap="PuOr", vmin=-most, vmax=most, shading="gouraud", rasterized=True)
    axes.contour(axis, axis, data["surface"], levels=9, colors="0.55", linewidths=0.5)
    every = slice(1, None, 2)
    down = [[[-value[i] for value in row[every]] for row in field["gradient"][every]] for i in (0, 1)]
    axes.quiver(axis[every], axis[every], *down, color="black", width=0.004, scale=13, pivot="mid")
    axes.set(aspect="equal", xticks=(), yticks=(), xlabel="first feature direction")
    axes.spines[:].set_visible(False)
    axes.set_ylabel("second feature direction" if axes.get_subplotspec().is_first_col() else "")
    return image


def _field(name: str, factors: Factors, rows: list[list[Vector]]) -> dict[str, Any]:
    return {
        "backward": name,
        "factors": [show(factor) for factor in factors],
        "gradient": [[[float(part) for part in gradient(f, factors)] for f in row] for row in rows],
        "antisymmetry": [[float(antisymmetry(f, factors)) for f in row] for row in rows],
    }


def _points(axis: Sequence[fmpq]) -> Iterator[Point]:
    """Off the centre, along a diagonal of the grid."""
    for x in axis[:: HALF // 3]:
        place, f = {"x": show(x), "y": show(x / 2)}, (arb(x), arb(x / 2))
        matched = antisymmetry(f, MATCHED)
        yield Point(place, "matched: J12 - J21 = 0 within 1e-30", at_most(abs(matched), CLOSE))
        gaps = [abs(differentiated(f, factors) - antisymmetry(f, factors)) for factors in (MATCHED, MISMATCHED)]
        yield from (Point(place, "the differentiated field agrees within 1e-30", at_most(gap, CLOSE)) for gap in gaps)
        if x != 0:
            value = antisymmetry(f, MISMATCHED)
            yield Point(place, "mismatched: |J12 - J21| > 1/1000", less(ROTATION, abs(value)), {"J12 - J21": value})


def _directions() -> list[Vector]:
    half, root = fmpq(1, 2), arb(3).sqrt() / 2
    return [(arb(0), arb(1)), (-root, arb(-half)), (root, arb(-half))]


def _logits(f: Vector) -> list[arb]:
    return [v[0] * f[0] + v[1] * f[1] for v in _directions()]


def _probabilities(f: Vector) -> list[arb]:
    powers = [q.exp() for q in _logits(f)]
    total = sum(powers, arb(0))
    return [power / total for power in powers]


def _combined(weights: Sequence[arb], factors: Factors) -> Vector:
    """Σ_j weights_j factors_j v_j."""
    parts = [(c * m * v[0], c * m * v[1]) for c, m, v in zip(weights, factors, _directions(), strict=True)]
    return sum((part[0] for part in parts), arb(0)), sum((part[1] for part in parts), arb(0))
