"""The command as a process: what only a process can show."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PLANTED = ROOT / "tests" / "planted"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
HEAVY = ("sympy", "torch", "scipy", "matplotlib", "numpy", "flint", "mpmath", "rich")


def certify(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    defaults = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": ENVIRONMENT, "timeout": 60}
    return subprocess.run([sys.executable, "-m", "certify", *arguments], **{**defaults, **options})


def test_help_imports_nothing_heavy():
    code = "import sys; from certify.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert "Usage: certify" in done.stdout
    assert not set(HEAVY) & set(done.stderr.split())


def test_results_on_stdout_progress_on_stderr_no_colour(tmp_path):
    """What a claim prints is no result; lines are plain where stderr is no terminal."""
    claim = f"{PLANTED}/deadly.py::planted.prints"
    done = certify("run", claim, "--format", "json", env={**ENVIRONMENT, "NO_COLOR": "1"})
    assert done.returncode == 0
    assert done.stdout.startswith("{")
    assert '"threads": "1"' in done.stdout
    assert "not a result" not in done.stdout
    assert "this is not a result" in done.stderr
    assert "nor is this" in done.stderr
    assert "measured  planted.prints  0.00 s" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_a_reader_that_stops_early_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    done = certify("list", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_device_is_one_line():
    with open("/dev/full", "w") as full:
        done = certify("list", stdout=full)
    assert done.returncode == 4
    assert done.stderr == "certify: cannot write to stdout: No space left on device\n"


def test_closed_streams(tmp_path):
    """Their descriptors must not fall to a worker's pipes."""
    command = [sys.executable, "-m", "certify", "run", "identity.riccati"]
    with open(tmp_path / "out", "w") as out, open(tmp_path / "err", "w") as err:
        first = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", *command], env=ENVIRONMENT, stdout=out, stderr=out)
        second = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], env=ENVIRONMENT, stdout=err, stderr=err)
    assert first.returncode == 0
    assert (tmp_path / "out").read_text().count("identity.riccati") == 1
    assert second.returncode == 4
    progress, message = (tmp_path / "err").read_text().splitlines()
    assert progress.startswith("proved  identity.riccati")
    assert message == "certify: stdout is closed"


def test_a_terminal_without_greek_gets_escapes():
    done = certify("enclose", "--nu", "1", "--x", "1", env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert r"\u03bd" in done.stdout
