"""The command as a process: what only a process can show."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
    assert re.search(r"^measured  planted\.prints  \d+\.\d\d s$", done.stderr, re.MULTILINE)
    assert "\x1b" not in done.stdout + done.stderr


def test_a_script_needs_no_guard(tmp_path):
    """Workers do not run the program again that started them."""
    script = tmp_path / "script.py"
    script.write_text("print('once')\nfrom certify import run\nprint(run('ratio.zero').weakest.value)\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=ENVIRONMENT, timeout=60)
    assert (done.stdout, done.stderr) == ("once\nproved\n", "")


def test_a_reader_that_stops_early_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    done = certify("list", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [["list"], ["--help"], ["run", "--help"], ["--version"]])
def test_a_full_device_is_one_line(arguments):
    with open("/dev/full", "w") as full:
        done = certify(*arguments, stdout=full)
    assert done.returncode == 4
    assert done.stderr == "certify: cannot write to stdout: No space left on device\n"


def test_progress_that_cannot_be_shown_stops_nothing():
    with open("/dev/full", "w") as full:
        done = certify("run", "ratio.zero", stderr=full)
    assert done.returncode == 0
    assert "weakest link: proved" in done.stdout


def test_a_folder_that_is_gone_is_one_line(tmp_path):
    (tmp_path / "gone").mkdir()
    done = certify("list", cwd=tmp_path, preexec_fn=lambda: (os.chdir("gone"), os.rmdir("../gone")))
    assert (done.returncode, done.stdout, done.stderr) == (4, "", "certify: the working directory is gone\n")


def test_bytes_that_are_no_text_reach_a_report(tmp_path):
    """As in a path under another locale."""
    folder = os.fsencode(tmp_path) + b"/\xff"
    done = certify("run", "ratio.zero", "-q", "-o", os.fsdecode(folder))
    assert (done.returncode, done.stderr) == (0, "")
    with open(folder + b"/report.json", encoding="utf-8") as report:
        assert "\N{REPLACEMENT CHARACTER}" in json.load(report)["run"]["command"]


def test_messages_are_of_reasonable_length():
    done = certify("run", "x" * 10**5)
    assert done.returncode == 4
    assert len(done.stderr) < 600


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


CLAIM = """
from certify import Verdict, claim

@claim("own.a", statement="s", domain="", source="", grade="sampled")
def own():
    return Verdict.sampled("ok")
"""


@pytest.mark.parametrize(
    "code",
    [
        "import threading, time; threading.Thread(target=time.sleep, args=(10**6,)).start()",
        "import os; os.fork()",
        "print('not a result')",
    ],
)
def test_a_claim_file_neither_keeps_the_command_nor_doubles_it(tmp_path, code):
    (tmp_path / "own.py").write_text(code + CLAIM)
    assert certify("list", "own.py", cwd=tmp_path).stdout == "own.a  sampled\n"
    done = certify("run", "own.py", "-q", cwd=tmp_path)
    assert (done.returncode, done.stdout.count("own.a")) == (0, 1)


def test_a_claim_file_that_closes_the_streams_is_no_refutation(tmp_path):
    (tmp_path / "own.py").write_text("import sys\nsys.stderr.close()\n")
    assert certify("list", "own.py", cwd=tmp_path).returncode not in (0, 1)


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: os.mkfifo(path), lambda path: path.symlink_to("nowhere")])
def test_a_claim_file_that_is_none(tmp_path, make):
    make(tmp_path / "own.py")
    done = certify("list", "own.py", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (4, "", 1)
    assert done.stderr.startswith("certify: claim file 'own.py': no")
