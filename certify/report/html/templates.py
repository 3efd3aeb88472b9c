"""The templates, which escape everything that is not marked as HTML."""

from __future__ import annotations

from functools import cache
from typing import Any

import jinja2
from markupsafe import Markup

from certify.claims.verdict import Outcome
from certify.report.html.grades import GLYPHS, MEANINGS
from certify.report.html.words import formulas, power, scripts


def render(name: str, **values: Any) -> Markup:
    """A template with its values."""
    return Markup(_environment().get_template(name).render(**values))


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("certify.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals.update(GLYPHS=GLYPHS, MEANINGS=MEANINGS, NOT_RUN=Outcome.NOT_RUN)
    environment.filters.update(scripts=scripts, power=power, formulas=formulas)
    environment.filters["slug"] = lambda outcome: outcome.value.replace(" ", "-")
    return environment
