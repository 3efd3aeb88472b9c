"""The JSON Schemas of certificates and reports, generated from the classes that define them.

``python -m certify.claims.schemas`` writes them to ``certify/data/schemas``.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from certify.claims.files import write_atomically
from certify.claims.formats import CERTIFICATES
from certify.claims.record import Report

FOLDER = Path(__file__).resolve().parent.parent / "data" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, bytes]:
    """The content of each schema file, by file name."""
    return {f"{model.__name__.lower()}.schema.json": _schema(model) for model in (*CERTIFICATES, Report)}


def _schema(model: type[msgspec.Struct]) -> bytes:
    schema = {"$schema": DIALECT, **msgspec.json.schema(model)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, content in schemas().items():
        write_atomically(FOLDER / name, content)
