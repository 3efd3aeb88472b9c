"""Figures as files: SVG, PDF and PNG whose bytes depend on the data and on matplotlib's version only, and the data as JSON."""

from __future__ import annotations

import io
from typing import Any

from certify.report.render import as_json
from certify.studies.figures.catalogue import Figure

FORMATS = ("svg", "pdf", "png")
STYLE: Any = {"svg.hashsalt": "certify", "svg.fonttype": "path", "font.family": "DejaVu Sans", "font.size": 9, "savefig.dpi": 150}
METADATA: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}


def render_figure(figure: Figure, formats: tuple[str, ...]) -> dict[str, bytes]:
    """File names and contents. Raises ValueError where matplotlib is not installed."""
    name = f"figure-{figure.id}"
    found = {f"{name}.json": as_json(figure.data).encode()}
    try:
        import matplotlib as mpl
    except ImportError:
        raise ValueError("figures are drawn with matplotlib, which is not installed") from None
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        drawn = figure.draw()
        for format in formats:
            stream = io.BytesIO()
            drawn.savefig(stream, format=format, metadata=METADATA[format])
            found[f"{name}.{format}"] = stream.getvalue()
    return found
