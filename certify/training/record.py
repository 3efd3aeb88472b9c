"""Records of training: what ``certify train`` writes, and what figures, tables and claims read."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from certify.claims.exits import BadInput
from certify.claims.files import read
from certify.training.settings import Absent

SCHEMA = "certify.training/1"
HOME = Path("reports", "training")
"""Where records are looked for, in the current folder, when none is named."""


def seal(study: str, settings: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """A record with the digest of its own content."""
    content = {"schema": SCHEMA, "study": study, "settings": settings, **parts}
    return {**content, "sha256": digest(content)}


def digest(content: dict[str, Any]) -> str:
    """SHA-256 of all but the digest itself, as sorted JSON."""
    rest = {name: value for name, value in content.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, allow_nan=False).encode()).hexdigest()


def load(path: str | Path, study: str) -> dict[str, Any]:
    """The record in a file. Raises BadInput, one line, for a file that is none, of another study, or not as it was written."""
    content = read(path)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{str(path)!r} is not a record of certify train: {error}") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise BadInput(f"{str(path)!r} is not a record of certify train: schema {SCHEMA} is accepted")
    if found.get("study") != study:
        raise BadInput(f"{str(path)!r} is a record of {found.get('study')!r}: one of certify train {study} is needed")
    if digest(found) != found.get("sha256"):
        raise BadInput(f"{str(path)!r} does not have the digest that it was written with")
    return found


def records(study: str, paths: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """The records named, or those of the study in ``HOME``. Raises Absent where there are none."""
    found = [Path(path) for path in paths] or sorted(HOME.glob(f"{study}*.json"))
    if not found:
        raise Absent(f"no record of certify train {study} in {HOME}: name one with --from FILE")
    return [load(path, study) for path in found]
