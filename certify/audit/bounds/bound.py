"""A bound of an error as it is claimed: what is true, where, in which units, and what is assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from certify.audit.bounds.allowed import Kind
from certify.exact.format import FORMATS, Format
from certify.exact.interpret.interval import Box
from certify.exact.program import Program

FORMAT = {"float64": "binary64", "float32": "binary32"}


@dataclass(frozen=True)
class Bound:
    """``reference`` is a name; ``truth`` the same as a program, None where it has no enclosures.

    ``foreseen`` says of what a trace may leave open (``Trace.unseen``) why the profile holds all the same.
    """

    reference: str
    truth: Program | None
    box: Box
    dtype: str
    error: Kind
    grade: str
    foreseen: Mapping[str, str] = field(default_factory=dict)

    @property
    def format(self) -> Format:
        """That of the dtype."""
        return FORMATS[FORMAT[self.dtype]]
