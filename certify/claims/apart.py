"""A task in an interpreter of its own, for workers whose processes may not have children by ``multiprocessing`` or run several tasks.

The interpreter ends with the process that started it.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from certify.claims.pool import THREADS, WorkerDied, end_with
from certify.claims.text import one_line

POLL = 0.5  # seconds between two looks at whether the answer is still wanted


def run(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], wanted: Callable[[], bool] = lambda: True) -> Any:
    """``function(*args, **kwargs)``, computed elsewhere, and given up where it is no longer ``wanted``.

    Raises what it raises, and WorkerDied where its process ends before it does.
    """
    command = [sys.executable, "-m", __spec__.name, str(os.getpid())]
    environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        out = _answer(process, pickle.dumps((function, args, kwargs)), wanted)
    if not out:
        raise WorkerDied
    answer, error = pickle.loads(out)
    if error is not None:
        raise error
    return answer


def _answer(process: subprocess.Popen[bytes], task: bytes | None, wanted: Callable[[], bool]) -> bytes:
    """What the process writes; nothing where it is ended because nobody wants that."""
    while True:
        try:
            return process.communicate(task, timeout=POLL)[0]
        except subprocess.TimeoutExpired:
            task = None  # it has been handed over
            if not wanted():
                process.kill()


def main() -> None:
    """Read a task from stdin, do it, and write what became of it to what was stdout, which is then stderr."""
    out = os.dup(1)
    os.dup2(2, 1)
    end_with(int(sys.argv[1]))
    function, args, kwargs = pickle.load(sys.stdin.buffer)
    try:
        answer = function(*args, **kwargs), None
    except BaseException as error:
        answer = None, error
    with os.fdopen(out, "wb") as file:
        file.write(_pickled(answer))


def _pickled(answer: tuple[Any, BaseException | None]) -> bytes:
    try:
        return pickle.dumps(answer)
    except Exception as error:  # what cannot be pickled
        return pickle.dumps((None, RuntimeError(one_line(error))))


if __name__ == "__main__":
    main()
