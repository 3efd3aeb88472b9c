"""All primitives by name."""

from __future__ import annotations

from certify.studies.production import densities, potentials, ratios

PRIMITIVES = {each.name: each for each in (*ratios.PRIMITIVES, *potentials.PRIMITIVES, *densities.PRIMITIVES)}
