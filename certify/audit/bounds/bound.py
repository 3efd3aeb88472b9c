"""A bound of a target as it is claimed: what computes, what is true, where, and in which units."""

from __future__ import annotations

from dataclasses import dataclass

from certify.audit.bounds.allowed import Kind
from certify.exact.format import FORMATS, Format
from certify.exact.interpret.interval import Box
from certify.exact.program import Program

FORMAT = {"float64": "binary64", "float32": "binary32"}


@dataclass(frozen=True)
class Bound:
    """``target`` and ``reference`` are names; ``truth`` is the reference as a program, None where it has no enclosures."""

    target: str
    reference: str
    truth: Program | None
    box: Box
    dtype: str
    error: Kind
    grade: str

    @property
    def format(self) -> Format:
        """That of the dtype."""
        return FORMATS[FORMAT[self.dtype]]
