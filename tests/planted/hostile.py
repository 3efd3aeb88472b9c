"""Claims whose words are not fit to print, that are no sound verdicts, or that spoil the process that they run in."""

import decimal
import os
import subprocess
import sys
import threading
import time
from typing import Any

from certify import Outcome, Verdict, certify_theorem, claim
from certify.exact.theorem import Chart, Evaluation, Identity, Map, Proof, Step, Theorem

BREAK = "\n\n# injected\n\n| a |\x1b[31m \0 \ud800 ]]> `$"


def planted(name: str, words: str = "") -> Any:
    return claim(f"planted.{name}", statement=words, domain=words, source=words, grade="measured")


@planted("breaks", f"x$ < 1{BREAK}")
def breaks() -> Verdict:
    return Verdict.measured(f"below{BREAK}", **{f"fact{BREAK}": [f"value{BREAK}", 1]})


@planted("refutes")
def refutes() -> Verdict:
    return Verdict.refuted({f"x{BREAK}": BREAK}, BREAK)


@planted("raises")
def raises() -> Verdict:
    raise RuntimeError(BREAK)


def forged(**parts: Any) -> Verdict:
    """A verdict around its constructor's back."""
    verdict = object.__new__(Verdict)
    verdict.__dict__.update(parts)
    return verdict


@planted("empty")
def empty() -> Verdict:
    return forged()


@planted("foreign")
def foreign() -> Verdict:
    return forged(outcome="measured", summary="", certificate=None, witness=None, reason=None, box=None, facts={})


@planted("both")
def both() -> Verdict:
    return forged(outcome=Outcome.MEASURED, summary="", certificate=None, witness={}, reason=None, box=None, facts={})


@planted("turned")
def turned() -> Verdict:
    verdict = Verdict.measured("")
    object.__setattr__(verdict, "facts", 5)
    return verdict


class Pretends:
    """Is a verdict only to ``isinstance``."""

    outcome, summary = Outcome.MEASURED, "trust me"
    __class__ = Verdict  # type: ignore[assignment]


@planted("pretends")
def pretends() -> Any:
    return Pretends()


@planted("wordless")
def wordless() -> Verdict:
    class Wordless:
        def __str__(self) -> str:
            raise ZeroDivisionError

    return Verdict.measured("", fact=Wordless())


@planted("endless")
def endless() -> Verdict:
    facts: dict[str, Any] = {}
    facts["itself"] = facts
    return Verdict.measured("", **facts)


def stated(right: str) -> Theorem:
    return Theorem(domain={"x": "(0, oo)"}, statements=(Identity(left="1 + x", right=right),))


@claim("planted.alters", statement="x < 1", domain="", source="nowhere", theorem=lambda: stated("x + 2"))
def alters() -> Verdict:
    """Puts a theorem that it can prove in the place of its own."""
    object.__setattr__(alters, "statement", "1 + x = x + 1")
    object.__setattr__(alters, "theorem", lambda: stated("x + 1"))
    chart = Chart(symbols={"x": Map(map="stereographic", variable="u")})
    steps = tuple(Step(statement=statement, evidence=Evaluation()) for statement in stated("x + 1").statements)
    return Verdict.proved(certify_theorem("planted.alters", stated("x + 1"), Proof(chart=chart, steps=steps)), "of its own choice")


@planted("leaves")
def leaves() -> Verdict:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    return Verdict.measured("left a child", child=child.pid)


@planted("forks")
def forks() -> Verdict:
    """The child keeps all that its parent has open, and outlives it."""
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)


@planted("spoils")
def spoils() -> Verdict:
    from certify.checker import checker
    from certify.exact import ball

    ball.ctx.prec, decimal.getcontext().prec, checker.check = 2, 2, lambda _: ((), ())
    os.chdir("/")
    os.environ["PLANTED"] = "here"
    sys.setrecursionlimit(100)
    threading.Thread(target=time.sleep, args=(600,)).start()
    return Verdict.measured("spoilt")


@planted("spoilt")
def spoilt() -> Verdict:
    """Runs after *spoils*: what it finds must be untouched."""
    from certify.checker import checker
    from certify.exact import ball

    untouched = checker.check.__module__ == checker.__name__ and "PLANTED" not in os.environ and os.getcwd() != "/"
    return Verdict.measured("", found=[ball.ctx.prec, decimal.getcontext().prec, sys.getrecursionlimit() > 100, untouched])
