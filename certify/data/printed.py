"""The numbers that the paper prints. They are claims to be held against computed values and enter no computation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from certify.claims.exits import BadInput
from certify.claims.files import read
from certify.claims.text import line


@dataclass(frozen=True)
class Printed:
    """The paper's tables: ``{"table5": {"columns": ["p", …], "rows": [[64, …], …]}, …}``."""

    tables: Mapping[str, Any]
    origin: str

    def value(self, table: str, key: int | str, column: str) -> str:
        """The printed text in the row whose first entry is ``key``. Raises ValueError where there is none."""
        content = self.tables.get(f"table{table}", {})
        try:
            at = content["columns"].index(column)
            (row,) = (row for row in content["rows"] if row[0] == key)
            return line(str(row[at]))
        except (KeyError, ValueError, IndexError, TypeError, AttributeError):
            place = f"table {table}, row {key}, column {column}"
            raise BadInput(f"{self.origin} has no single value for {place}") from None


def load(path: Path | None = None) -> Printed:
    """The printed numbers shipped with the package, or those in a file of the same form.

    Raises ValueError for a file that cannot be read or is not a JSON object.
    """
    content = resources.files("certify.data").joinpath("printed.json").read_bytes() if path is None else read(path)
    try:
        tables = json.loads(content.decode())
    except (ValueError, RecursionError):
        raise BadInput(f"{path} is not a JSON file") from None
    if not isinstance(tables, dict):
        raise BadInput(f"{path} is not a JSON object with tables by name")
    return Printed(tables, str(path or "the package's data"))
