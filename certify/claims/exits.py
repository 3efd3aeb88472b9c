"""How a command ends: the closed set of exit codes, and the two ways in which a request cannot be served."""

from __future__ import annotations

from enum import IntEnum

from certify.exact.errors import NotAccepted


class Exit(IntEnum):
    """Exit codes of every command."""

    HOLDS = 0  # all that was asked holds
    REFUTED = 1  # something refuted, regressed, contradicted or incoherent
    INTERRUPTED = 2
    ERROR = 3  # an error verdict, or an internal error
    BAD_INPUT = 4
    NOTHING_SELECTED = 5
    UNDECIDED = 6  # nothing refuted, but something undecided; or nothing but "not run"


class BadInput(NotAccepted):
    """A request that cannot be served; the one-line message says what was wrong and what is accepted."""

    exit = Exit.BAD_INPUT


class NothingSelected(BadInput):
    """A pattern that matches nothing."""

    exit = Exit.NOTHING_SELECTED
