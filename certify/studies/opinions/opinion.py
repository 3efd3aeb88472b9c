"""What another prover says of a certificate, and how it is asked."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, NoReturn

from certify.claims.record import Data
from certify.claims.text import clipped, line

TIMEOUT = 120  # seconds for one question


class Answer(StrEnum):
    """What becomes of a question."""

    CONFIRMS = "confirms"
    OPEN = "does not confirm"  # it found no proof, which says nothing against the statement
    CONTRADICTS = "contradicts"
    NOT_RUN = "not run"

    def __bool__(self) -> NoReturn:
        raise TypeError("an Answer has no truth value: compare it with Answer.CONFIRMS, …")


class Opinion(Data, frozen=True):
    """A prover's answer on one statement of the certificate of a claim."""

    tool: str
    claim: str
    statement: str
    answer: Answer
    detail: str
    seconds: float = 0.0


class Question(NamedTuple):
    """A statement in words, the script that puts it to a tool, and how the tool's output answers it."""

    statement: str
    script: str
    read: Callable[[subprocess.CompletedProcess[str]], tuple[Answer, str]]


def ask(tool: str, question: Question, claim: str) -> Opinion:
    """Put the question, its script on stdin, to the tool of that name; *not run* where it is not installed or does not end in time."""
    program = shutil.which(tool)
    if program is None:
        return _opinion(tool, question, claim, (Answer.NOT_RUN, f"{tool} is not installed"))
    start = time.perf_counter()
    try:
        done = subprocess.run([program], input=question.script, capture_output=True, text=True, errors="replace", timeout=TIMEOUT)
        answer = question.read(done)
    except (OSError, subprocess.TimeoutExpired) as error:
        answer = Answer.NOT_RUN, str(error)
    return _opinion(tool, question, claim, answer, time.perf_counter() - start)


def _opinion(tool: str, question: Question, claim: str, answer: tuple[Answer, str], seconds: float = 0.0) -> Opinion:
    verdict, detail = answer
    shown = {"detail": clipped(line(detail)), "seconds": round(seconds, 2)}
    return Opinion(tool=tool, claim=claim, statement=question.statement, answer=verdict, **shown)


Certificate = Mapping[str, Any]
"""The plain data of a certificate that the checker has accepted."""
