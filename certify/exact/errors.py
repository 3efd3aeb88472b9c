"""The one error that is the caller's."""

from __future__ import annotations


class NotAccepted(ValueError):
    """Input that is not accepted; the message, one line, says what was wrong and what is accepted.

    Any other ValueError is a mistake of the code that raised it, and commands report it as such.
    """
