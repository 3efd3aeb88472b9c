"""Claims that end their process, among claims that do not."""

import os
import signal
import sys

from certify import Verdict, claim


@claim("planted.exit", statement="", domain="", source="nowhere")
def exit() -> Verdict:
    os._exit(0)


@claim("planted.killed", statement="", domain="", source="nowhere")
def killed() -> Verdict:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


@claim("planted.prints", statement="", domain="", source="nowhere", grade="measured")
def prints() -> Verdict:
    print("this is not a result")
    os.write(1, b"nor is this\n")
    return Verdict.measured("printed", threads=os.environ["OMP_NUM_THREADS"])


@claim("planted.survives", statement="", domain="", source="nowhere", grade="measured")
def survives() -> Verdict:
    return Verdict.measured("ran", interpreter=sys.implementation.name)
