"""Text from outside, such as a claim's words or an exception's, made fit for one line of a report or a terminal."""

from __future__ import annotations

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
LONGEST = 300


def line(text: str) -> str:
    """The text on one line: runs of white space become a space, what cannot be printed a replacement character."""
    joined = " ".join(text.split())
    return joined if joined.isprintable() else "".join(sign if sign.isprintable() else REPLACEMENT for sign in joined)


def clipped(text: str, longest: int = LONGEST) -> str:
    """The text without its middle where it is longer than ``longest``."""
    head, tail = longest * 2 // 3, longest // 4
    return text if len(text) <= longest else f"{text[:head]} … {text[-tail:]}"


def one_line(error: BaseException) -> str:
    """The type and message of an exception, on one line of reasonable length."""
    try:
        message = clipped(line(str(error)))
    except Exception:  # of an exception that cannot even say what it is
        message = ""
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def not_installed(error: BaseException) -> str:
    """What to say where the error is that a library is not installed; else nothing."""
    name = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if name in ("", "certify", "proofs"):
        return ""
    return f"this needs the module {name!r}, which is not installed: install certify-numerics with its dependencies"
