"""What ``certify doctor`` says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from certify.claims.record import Environment
from certify.report.render import as_json
from certify.report.text import columns
from certify.studies.installation import Finding


def render(place: Environment, found: Sequence[Finding], left_out: Mapping[str, Any], format: str) -> str:
    """The installation as ``text`` or ``json``."""
    if format == "json":
        return as_json({"environment": place, "found": found, "left out": left_out})
    commit = f"commit {place.commit}{' with changes' if place.dirty else ''}" if place.commit else "not a checkout"
    head = [f"certify {place.versions['certify']}, {commit}", f"Python {place.versions['python']}, {place.platform}"]
    lines = [*head, f"{place.cpu}, {place.cores} cores", "", *columns([_row(each) for each in found]), "", *_left_out(left_out)]
    return "\n".join([*lines, ""])


def _row(each: Finding) -> tuple[str, str, str, str]:
    state = "ok" if not each.missing else "WRONG" if each.required else "not run"
    wanting = "; ".join(filter(None, [each.without, each.remedy])) if each.missing else ""
    return state, each.name, each.found or "missing", wanting or (each.needed if each.required else "")


def _left_out(left_out: Mapping[str, Any]) -> list[str]:
    lines = [f"not run unless named, or with --profile full: {left_out['long claims']} long claims"]
    packages = left_out["packages with claims"]
    return lines + [f"not run unless named: the claims of {package} (certify run {name})" for name, package in packages.items()]
