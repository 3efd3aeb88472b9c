"""One claim that ends at once, and more than there are workers that do not end."""

import time

from certify import Verdict, claim


@claim("planted.awake", statement="", domain="", source="nowhere", grade="measured")
def awake() -> Verdict:
    return Verdict.measured("done")


@claim("planted.sleeps", statement="", domain="", source="nowhere", grade="measured")
def sleeps() -> Verdict:
    time.sleep(600)
    raise AssertionError("unreachable")


@claim("planted.spins", statement="", domain="", source="nowhere", grade="measured")
def spins() -> Verdict:
    while True:
        pass


@claim("planted.toils", statement="", domain="", source="nowhere", grade="measured")
def toils() -> Verdict:
    """In one operation that lets no other thread of its process run."""
    return Verdict.measured(str((3 ** (10**9)).bit_length()))


@claim("planted.waits", statement="", domain="", source="nowhere", grade="measured")
def waits() -> Verdict:
    time.sleep(600)
    raise AssertionError("unreachable")
