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


def run(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """``function(*args, **kwargs)``, computed elsewhere. Raises what it raises, and WorkerDied where its process ends before it does."""
    command = [sys.executable, "-m", __spec__.name, str(os.getpid())]
    environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, input=pickle.dumps((function, args, kwargs)), stdout=subprocess.PIPE, env=environment)
    if not done.stdout:
        raise WorkerDied
    answer, error = pickle.loads(done.stdout)
    if error is not None:
        raise error
    return answer


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
