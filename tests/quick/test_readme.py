"""The README does what it says: its Python runs, its files are those that ship, and its commands exist.

Every block is of one of the kinds below, so none is passed over. Python blocks run one after the other in one folder; one that begins
with ``# name.py`` is written there under that name instead, for the commands; TOML likewise. A console line is a command of certify,
which click parses with its options and arguments, as it does those of a workflow. Those of ``RUN`` are run too, in the order in which
they stand, and must end with the exit code that their comment names, or 0. The others take minutes, need a state or a target of the
reader's, or are tested where the table says.
"""

import re
import shlex
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import click
import pytest

from certify.cli import cli, main

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"# (\w+\.(?:py|toml))\n")
RUN = (
    "list",
    "explain",
    "run 'ratio.cubic*'",
    "run ratio.cubic --set",
    "run claims.toml ",
    "run claims.py",
    "check",
    "enclose",
    "completion",
    "diff",
)
ELSEWHERE = {
    "run 'ladder.*'": "minutes; quick/test_ladder.py",
    "run claims.toml --set": "seconds to load torch again; quick/test_claims_toml.py",
    "run --executor": "needs a cluster; quick/test_executors.py",
    "audit": "needs the reader's function; quick/test_audit*.py",
    "state": "needs the reader's state; quick/test_state.py",
    "tolerance": "needs the reader's state; quick/test_state.py",
    "table": "minutes; quick/test_tables.py, quick/test_table_*.py",
    "figure": "minutes; quick/test_figures.py",
    "list --by": "seconds to evidence errata; quick/test_paper_map.py",
    "report": "a minute of figures; quick/test_report_page.py",
    "train": "minutes; quick/test_training_*.py",
    "bench": "minutes; quick/test_bench.py",
    "doctor": "imports torch to look for a device; quick/test_init_doctor_completion.py",
    "init": "quick/test_init_doctor_completion.py",
}


def lines(kind: str = "console") -> list[str]:
    return [line for each, text in BLOCKS if each == kind for line in text.splitlines() if line.strip()]


def commands() -> list[str]:
    """The commands of certify in console blocks, in workflows, and in the text."""
    inline = [text for text in re.findall(r"`(certify [^`\n]+)`", TEXT) if "…" not in text]
    workflows = [part for line in lines("yaml") for part in line.partition("run: ")[2].split(" && ")]
    return [line for line in lines() + workflows + inline if line.startswith("certify ")]


def words(line: str) -> list[str]:
    return shlex.split(line, comments=True)[1:]


def home(line: str) -> str | None:
    """The longest entry of the tables that the command begins with."""
    text = f"{line.partition('#')[0].removeprefix('certify ').rstrip()} "
    return max((each for each in (*RUN, *ELSEWHERE) if text.startswith(each)), key=len, default=None)


def test_every_block_is_of_a_kind_that_is_tested():
    assert {kind for kind, _ in BLOCKS} == {"console", "python", "toml", "yaml"}


@pytest.mark.parametrize("line", commands())
def test_a_command_exists_with_its_options(line):
    """Parsed as by the command itself, down to the last subcommand, without being invoked."""
    context, rest = cli.make_context("certify", words(line), obj={"verbose": False, "command": line}), None
    while isinstance(context.command, click.Group):
        name, command, rest = context.command.resolve_command(context, [*context._protected_args, *context.args])
        assert command is not None
        context = command.make_context(name, rest, parent=context)
    assert home(line) or line not in lines(), "add the command to RUN, or to ELSEWHERE with the reason"


def test_other_lines_are_those_that_ci_runs():
    others = [line for line in lines() if not line.startswith("certify ")]
    setup = [line for line in others if line.startswith(("python3 -m venv", "python -m pytest"))]
    script = (ROOT / ".ci" / "run").read_text()
    for part in ("pip install", "-e '.[test]'", "python -m pytest -n 2"):
        assert any(part in line for line in setup)
        assert part in script
    (checker,) = [line for line in others if line not in setup]
    assert shlex.split(checker)[1] == "certify/checker/checker.py"


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """A reader's folder, with the files of the README; ``reports`` lies there as in a checkout."""
    for _, text in BLOCKS:
        if match := NAMED.match(text):
            (tmp_path / match[1]).write_text(text[match.end() :])
    (tmp_path / "reports").symlink_to(ROOT / "reports")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_files_of_the_readme_are_those_of_init(reader):
    example = files("certify.data").joinpath("example")
    for name in ("kernel.py", "claims.toml", "claims.py"):
        assert (reader / name).read_text() == example.joinpath(name).read_text()


def test_the_python_runs(reader):
    space = {"__name__": "readme"}
    for kind, text in BLOCKS:
        if kind == "python" and not NAMED.match(text):
            exec(compile(text, "README.md", "exec"), space)
    for name, value in list(space.items()):
        if name.startswith("test_"):
            value()


def test_the_quick_commands_end_as_their_comments_say(reader, capfd):
    ran = [line for line in commands() if home(line) in RUN and line in lines()]
    assert {home(line) for line in ran} == set(RUN)  # nothing in the table that is not in the README
    for line in ran:
        expected = re.search(r"exit code (\d)", line)
        assert main(words(line)) == int(expected[1] if expected else 0), (line, capfd.readouterr())
        capfd.readouterr()
    checker = ROOT / "certify" / "checker" / "checker.py"
    done = subprocess.run([sys.executable, str(checker), "out/certificates/ratio.cubic.json"], capture_output=True, text=True)
    assert "ACCEPTED" in done.stdout


def test_what_the_readme_links_to_is_there():
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target


def test_the_tables_of_this_test_name_files_that_are_there():
    for reason in ELSEWHERE.values():
        (pattern, *_) = re.findall(r"quick/\S+\.py", reason)
        assert list((ROOT / "tests").glob(pattern.rstrip(","))), reason
