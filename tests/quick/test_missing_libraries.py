"""Where a library is missing, what does not need it works, and what does is one line that names it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
RECORD = ROOT / "reports" / "record"
PROOF = str(RECORD / "certificates" / "ratio.zero.json")
SCRIPT = """
import contextlib, io, json, sys
sys.modules[sys.argv[1]] = None
from certify.__main__ import main
found = []
for words in json.load(sys.stdin):
    out, err, sys.argv = io.StringIO(), io.StringIO(), ["certify", *words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        found.append((main(), err.getvalue()))
print(json.dumps(found))
"""
WITHOUT_TORCH = [
    ["list"],
    ["explain", "table.5", "production.*", "rounding.ratio.1"],
    ["check", PROOF],
    ["enclose", "--nu", "5", "--x", "1"],
    ["table", "3"],
    ["diff", str(RECORD), str(RECORD)],
    ["doctor"],
    ["list", "--by", "paper"],
    ["completion", "bash"],
]
WITH_TORCH = [
    ["audit", "module:function"],
    ["bench"],
    ["state", "state.npz"],
    ["tolerance", "state.npz"],
    ["train", "forks"],
    ["table", "special"],
    ["figure", "9"],
]


def main_without(library: str, commands: list[list[str]], folder: Path) -> list[tuple[int, str]]:
    """The exit code and stderr of each command, in one process in which the library cannot be imported."""
    command = [sys.executable, "-c", SCRIPT, library]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, input=json.dumps(commands), capture_output=True, text=True, env=environment, cwd=folder, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_what_needs_no_torch_works_without(tmp_path):
    found = main_without("torch", WITHOUT_TORCH, tmp_path)
    assert [code for code, _ in found] == [0] * len(found), found


def test_what_needs_torch_says_so(tmp_path):
    for code, error in main_without("torch", WITH_TORCH, tmp_path):
        assert (code, error.count("\n")) == (3, 1), error
        assert "the module 'torch', which is not installed" in error


def test_proofs_are_run_by_workers_without_torch(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['torch'] = None\n")
    command = [sys.executable, "-m", "certify", "run", "ratio.zero", "table.3", "-q", "-j", "1"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("library", ["click", "msgspec", "flint", "rich"])
def test_no_library_that_is_missing_ends_in_a_traceback(library, tmp_path):
    """*list* shows what it can, and ends with 3 where modules of claims could not be imported."""
    commands = [["doctor"], ["--version"], ["list"], ["check", PROOF], ["enclose", "--nu", "5", "--x", "1"], ["table", "3"]]
    for code, error in main_without(library, commands, tmp_path):
        assert "Traceback" not in error
        assert "internal error" not in error
        assert error.count("\n") <= 1
        assert code in (0, 3)
        assert not error or f"the module '{library}', which is not installed" in error
